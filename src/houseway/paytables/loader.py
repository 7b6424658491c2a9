"""Reads one pay table file, and refuses a broken one with every fault at once, each with file, line and reason."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final, cast

from houseway.definitions import Wager, find_game, game_ids
from houseway.errors import InputError, present
from houseway.paytables.lines import LineRules, read_lines
from houseway.paytables.pay_table import PayLine, PayTable, PrintedFigure, PrintedSource, Unit
from houseway.paytables.vocabulary import (
    ENVY_READINGS,
    FIGURES,
    UNITS,
    first_wager_of,
    wager_of,
    wager_words,
    wagers_of,
)
from houseway.reading.codes import Codes
from houseway.reading.fields import Fields
from houseway.reading.places import Place
from houseway.reading.toml_files import FileFaults, parse_toml, read_text, text_of

MAX_BYTES: Final = 100_000
"""The largest file that is read; the largest printed table needs about 3,000 bytes."""

_CODES: Final = Codes(
    missing="paytable-missing-key",
    unknown="paytable-unknown-key",
    kind="paytable-bad-type",
    number="paytable-bad-type",
    bounds="paytable-bad-value",
    text="paytable-bad-value",
    word="paytable-bad-value",
)
_REQUIRED: Final = ("id", "title", "wager", "games", "unit", "approved", "lines", "source")
_OPTIONAL: Final = (
    "levels",
    "fixed_from_meter",
    "linked_with",
    "envy_reading",
    "not_approved_because",
    "printed",
    "notes",
)
_ID: Final = re.compile(r"[A-Z0-9](?:[A-Z0-9-]{0,30}[A-Z0-9])?")
_LEVEL: Final = re.compile(r"[a-z][a-z0-9_]{0,30}")
_PERCENT: Final = re.compile(r"(?:100|[0-9]{1,2})(?:\.[0-9]{1,4})?%")


def load_paytable(path: str | Path) -> PayTable:
    """Read a pay table from a file, whose name is the table's id with `.toml` behind it.

    Raises InputError with every fault of the file.
    """
    return _read(read_text(Path(path), code="paytable-unreadable", most=MAX_BYTES), str(path))


def parse_paytable(data: bytes, name: str) -> PayTable:
    """Make a pay table of a file's bytes; `name` is the file's path for the messages, and its stem the expected id."""
    return _read(text_of(data, code="paytable-unreadable", name=name, most=MAX_BYTES), name)


def _read(text: str, name: str) -> PayTable:
    """The table of a file's text."""
    if not text.strip():
        raise InputError.of("paytable-unreadable", f"{name}:1", "the file is empty: write the table into it")
    faults = FileFaults(_CODES, name, text)
    values = parse_toml(text, code="paytable-syntax", name=name)
    table = _read_table(Fields(values, Place("the table"), faults), Path(name).stem)
    faults.refuse_if_any()
    return present(table, "pay table though its file has no fault")


def _read_table(reader: Fields, stem: str) -> PayTable | None:
    """The table, or None if something is missing, which the faults then say."""
    reader.only(_REQUIRED, _OPTIONAL)
    table_id = _read_id(reader, stem)
    title = reader.text("title")
    wager = _read_wager(reader)
    games = _read_games(reader, wager)
    paid = None if wager is None else first_wager_of(wager, games)
    unit = _read_unit(reader, paid)
    levels = _read_levels(reader)
    fixed_from_meter = reader.flag("fixed_from_meter")
    linked_with, envy_reading = reader.text("linked_with"), reader.word("envy_reading", ENVY_READINGS)
    _check_progressive_keys(reader, paid)
    lines = read_lines(reader, LineRules(paid, levels, games))
    source = _read_source(reader)
    printed = _read_printed(reader, lines)
    approved = reader.flag("approved")
    reason = _read_reason(reader, approved)
    notes = reader.texts("notes")
    if not (table_id and title and wager and games and unit and lines and source) or approved is None:
        return None
    return PayTable(
        id=table_id,
        title=title,
        wager=wager,
        games=games,
        unit=cast("Unit", unit),
        approved=approved,
        lines=lines,
        source=source,
        levels=levels,
        fixed_from_meter=fixed_from_meter is True,
        linked_with=linked_with,
        envy_reading=envy_reading,
        not_approved_because=reason,
        printed=printed,
        notes=notes,
    )


def _read_wager(reader: Fields) -> str | None:
    """The wager; the definitions of the named games usually know it, and no other is read then."""
    listed, named = reader.values.get("games"), reader.values.get("wager")
    games = [game for game in listed if _is_game(game)] if isinstance(listed, list) else []
    words = {word for game in games for word in wagers_of(game)}
    known = isinstance(named, str) and named in words
    return reader.word("wager", words if known else wager_words())


def _read_id(reader: Fields, stem: str) -> str | None:
    table_id = reader.text("id")
    if table_id is None:
        return None
    if not _ID.fullmatch(table_id):
        message = "an id is 1 to 32 capital letters, digits and inner hyphens, such as FPGP-1"
        reader.fault("paytable-id", "id", message)
    elif table_id != stem:
        message = f'the id "{table_id}" is not the name of the file: name the file {table_id}.toml, or correct the id'
        reader.fault("paytable-id", "id", message)
    return table_id


def _read_games(reader: Fields, wager: str | None) -> tuple[str, ...]:
    listed = reader.values.get("games")
    if listed == []:
        reader.fault("paytable-bad-value", "games", '"games" is empty: name at least one game that uses the table')
    # The list of all games is looked at only where a name is on none of them.
    all_known = isinstance(listed, list) and all(map(_is_game, listed))
    games = reader.words("games", listed if all_known and isinstance(listed, list) else game_ids())
    for game in games:
        if wager is not None and wager_of(game, wager) is None and isinstance(listed, list):
            message = f"{game} has no {wager} wager: remove the game, or make the table for {_either(wagers_of(game))}"
            reader.faults.add("paytable-bad-value", reader.place.key("games").element(listed.index(game)), message)
    return games


def _is_game(name: object) -> bool:
    return isinstance(name, str) and find_game(name) is not None


def _either(words: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _read_unit(reader: Fields, wager: Wager | None) -> str | None:
    """The unit, which has to be what settlement does with a stake: a table must not promise another amount."""
    unit = reader.word("unit", UNITS)
    if unit is None or wager is None or unit == wager.unit:
        return unit
    stake = "is never handed back" if wager.kind == "jackpot" else "that wins is handed back beside its pay"
    message = f'"unit" must be {wager.unit} for the wager {wager.paid_by}, not {unit}: a stake of that wager {stake}'
    reader.fault("paytable-bad-value", "unit", message)
    return None


def _read_levels(reader: Fields) -> tuple[str, ...]:
    """The declared meter levels, also ill-formed ones: a line that names one of those is not a second fault."""
    levels = reader.texts("levels")
    for index, level in enumerate(levels):
        place = reader.place.key("levels").element(index)
        if not _LEVEL.fullmatch(level):
            message = "a meter level is a small letter and then up to 30 small letters, digits or underscores"
            reader.faults.add("paytable-level", place, message)
        elif level in levels[:index]:
            reader.faults.add("paytable-level", place, f'the meter level "{level}" is declared twice')
    return levels


def _check_progressive_keys(reader: Fields, wager: Wager | None) -> None:
    if wager is None or wager.kind == "jackpot":
        return
    for key in ("levels", "fixed_from_meter", "linked_with"):
        if reader.values.get(key):
            message = f'"{key}" belongs to tables of jackpot wagers, and this one is for {wager.paid_by}: remove it'
            reader.fault("paytable-level", key, message)


def _read_source(reader: Fields) -> PrintedSource | None:
    source = reader.table("source", "[source]")
    if source is None:
        return None
    source.only(("document", "section", "edition"), ("also_in",))
    document, section, edition = (source.text(key) for key in ("document", "section", "edition"))
    also_in = source.texts("also_in")
    if document and section and edition:
        return PrintedSource(document, section, edition, also_in)
    return None


def _read_printed(reader: Fields, lines: Sequence[PayLine]) -> tuple[PrintedFigure, ...]:
    printed = reader.table("printed", "[printed]")
    if printed is None:
        return ()
    printed.only((), FIGURES)
    figures: list[PrintedFigure] = []
    for figure in printed.values:
        percent_text = printed.text(figure) if figure in FIGURES else None
        if percent_text is None:
            continue
        if not _PERCENT.fullmatch(percent_text):
            message = f'"{figure}" must be a percentage as printed, in quotes, such as "4.56%"'
            printed.fault("paytable-bad-value", figure, message)
        elif figure == "edge_max_envy" and lines and not any(line.envy for line in lines):
            message = '"edge_max_envy" is printed, but no line has an envy pay: add "envy_dollars" to the lines'
            printed.fault("paytable-envy", figure, message)
        else:
            figures.append(PrintedFigure(figure, percent_text))
    return tuple(figures)


def _read_reason(reader: Fields, approved: bool | None) -> str | None:
    """Why a table is not approved: needed exactly where it is not."""
    reason = reader.text("not_approved_because")
    if approved is False and "not_approved_because" not in reader.values:
        message = '"approved" is false: say why in "not_approved_because"'
        reader.fault("paytable-missing-key", "approved", message)
    if approved is True and "not_approved_because" in reader.values:
        message = '"not_approved_because" contradicts "approved = true": remove one of them'
        reader.fault("paytable-bad-value", "not_approved_because", message)
    return reason
