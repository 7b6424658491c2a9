"""The pay tables by id, those that ship and those from outside: a file is read when its table is first asked for.

A table from outside is for games of its own source: what an approved game is paid by does not change because a package
was installed. One with faults is refused by its id.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from houseway.errors import InputError
from houseway.paytables.loader import load_paytable
from houseway.paytables.pay_table import PayTable
from houseway.reading.places import excerpt
from houseway.sources import SHIPPED, Refusal, Source, outside, outside_files
from houseway.wording import suggestion

DATA: Final = SHIPPED.folder / "paytables"
"""The folder of the shipped tables: a file put there is a table of the catalog."""


class _Outside(NamedTuple):
    """The tables from outside, and those that are not used."""

    tables: Mapping[str, PayTable]
    refused: tuple[Refusal, ...]


@cache
def shipped_ids() -> tuple[str, ...]:
    """The ids of all shipped tables, sorted."""
    return tuple(SHIPPED.files("paytables"))


@cache
def _shipped(table_id: str) -> PayTable:
    return load_paytable(DATA / f"{table_id}.toml")


@lru_cache(maxsize=8)
def _outside(_sources: tuple[Source, ...]) -> _Outside:
    """The sound tables of these sources from outside."""
    files, refused = outside_files("paytables")
    found: dict[str, PayTable] = {}
    faulty = list(refused)
    for table_id, (source, path) in files.items():
        try:
            table = load_paytable(path)
            _check_games(table, source, path)
        except InputError as error:
            faulty.append(Refusal(source.name, table_id, error.faults))
        else:
            found[table_id] = table
    return _Outside(dict(sorted(found.items())), tuple(faulty))


def _check_games(table: PayTable, source: Source, path: Path) -> None:
    """Refuse a table from outside that is for a game of another source."""
    own = source.files("definitions")
    foreign = [game for game in table.games if game not in own]
    if foreign:
        message = (
            f"{', '.join(foreign)} is not a game of {source.name}, and a table from outside is for games of its own "
            "source: try it on another game as a table of your own (--paytable-file)"
        )
        raise InputError.of("paytable-bad-value", str(path), message)


def paytable_ids() -> tuple[str, ...]:
    """The ids of all tables: those that ship, sorted, then those from outside."""
    return (*shipped_ids(), *_outside(outside()).tables)


def refused_paytables() -> tuple[Refusal, ...]:
    """The tables from outside that are not used."""
    return _outside(outside()).refused


def paytable(table_id: str, path: str = "paytable") -> PayTable:
    """The table with this id; `path` is the place in the input that a refusal names.

    >>> paytable("TIGER9").lines[0].pays
    30
    """
    if table_id in shipped_ids():
        return _shipped(table_id)
    from_outside = _outside(outside())
    if table_id in from_outside.tables:
        return from_outside.tables[table_id]
    for refusal in from_outside.refused:
        if refusal.name == table_id:
            raise refusal.error()
    message = f"there is no pay table {excerpt(table_id)}: {suggestion(table_id.upper(), paytable_ids(), most=3)}"
    raise InputError.of("unknown-paytable", path, message)


def own_paytable(path: str | Path) -> PayTable:
    """A table of somebody's own from its file; one that bears the id of a table that there is must be that table.

    Figures and settlements are told by the id: other pays under an approved table's id would pass for its own.
    """
    table = load_paytable(path)
    if table.id in paytable_ids() and table.fingerprint != paytable(table.id).fingerprint:
        message = f"{table.id} is a printed table, and this file pays otherwise: give your own table another id"
        raise InputError.of("paytable-bad-value", str(path), message)
    return table


def paytables() -> tuple[PayTable, ...]:
    """All tables in the order of `paytable_ids`."""
    return (*map(_shipped, shipped_ids()), *_outside(outside()).tables.values())


def set_fingerprint() -> str:
    """The SHA-256 of all tables: of one line `id fingerprint` for each, sorted by id."""
    return _set_fingerprint(outside())


@lru_cache(maxsize=8)
def _set_fingerprint(_sources: tuple[Source, ...]) -> str:
    """The hash of the tables that ship and of those of these sources."""
    lines = "".join(f"{table.id} {table.fingerprint}\n" for table in sorted(paytables(), key=lambda table: table.id))
    return hashlib.sha256(lines.encode()).hexdigest()
