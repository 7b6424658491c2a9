"""The shipped pay tables by id: one file is read when its table is first asked for, and then kept."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from houseway.errors import InputError
from houseway.paytables.loader import load_paytable
from houseway.paytables.pay_table import PayTable
from houseway.tomlreader import hint_at

DATA: Final = Path(__file__).parent / "data"
"""The folder of the shipped tables: a file put there is a table of the catalog."""


@cache
def paytable_ids() -> tuple[str, ...]:
    """The ids of all shipped tables, sorted."""
    return tuple(sorted(file.stem for file in DATA.glob("*.toml")))


@cache
def _shipped(table_id: str) -> PayTable:
    return load_paytable(DATA / f"{table_id}.toml")


def paytable(table_id: str, path: str = "paytable") -> PayTable:
    """The shipped table with this id; `path` is the place in the input that a refusal names.

    >>> paytable("TIGER9").lines[0].pays
    30
    """
    if table_id not in paytable_ids():
        hint = hint_at(table_id.upper(), paytable_ids()) or f"; known are {', '.join(paytable_ids())}"
        shown = table_id if len(table_id) <= 40 and table_id.isprintable() else "this id"
        raise InputError.of("unknown-paytable", path, f"there is no pay table {shown}{hint}")
    return _shipped(table_id)


def own_paytable(path: str | Path) -> PayTable:
    """A table of somebody's own from its file; one that bears the id of a shipped table must be that table.

    Figures and settlements are told by the id: other pays under an approved table's id would pass for its own.
    """
    table = load_paytable(path)
    if table.id in paytable_ids() and table.fingerprint != _shipped(table.id).fingerprint:
        message = f"{table.id} is a shipped table, and this file pays otherwise: give your own table another id"
        raise InputError.of("paytable-bad-value", str(path), message)
    return table


def paytables() -> tuple[PayTable, ...]:
    """All shipped tables, sorted by id."""
    return tuple(_shipped(table_id) for table_id in paytable_ids())


def set_fingerprint() -> str:
    """The SHA-256 of all shipped tables: of one line `id fingerprint` for each, sorted by id."""
    import hashlib

    lines = "".join(f"{table.id} {table.fingerprint}\n" for table in paytables())
    return hashlib.sha256(lines.encode()).hexdigest()
