"""The pay tables of a round, and the meters and seeds of its jackpots."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from houseway.errors import InputError
from houseway.games.table_settings import READINGS, Reading
from houseway.paytables import PayTable, paytable, paytable_ids, paytables
from houseway.reading.faults import Faults
from houseway.wording import in_known_case

if TYPE_CHECKING:
    from houseway.definitions import Game, Wager
    from houseway.games.table_settings import Settings

JOKER_LINE = "seven-card-straight-flush-joker"


def read_tables(
    value: object, game: Game, made: Collection[str], settings: Settings, faults: Faults, own: PayTable | None = None
) -> dict[str, PayTable]:
    """The pay table of every wager that has one; a fault where a wager was made and its table is not named.

    A table of one's own takes the place of the first wager that it fits and that names no other table.
    """
    given = {} if value is None else faults.mapping(value, "paytables")
    by_name = {wager.name: wager for wager in game.wagers if wager.needs_table}
    faults.keys(given, list(by_name), "paytables")
    found: dict[str, PayTable] = {}
    for name, wager in by_name.items():
        table_id = given.get(name, wager.default_table)
        path = f"paytables.{name}"
        if own is not None and fits(own, wager, game, found, str(given.get(name) or "")):
            found[name] = as_read(own, settings.readings)
        elif isinstance(table_id, str):
            table = _read_table(table_id, wager, game, settings, path, faults)
            if table is not None:
                found[name] = table
        elif table_id is not None:
            faults.expected(path, "the id of a pay table", table_id)
        elif name in made:
            ids = [table.id for table in paytables() if table.wager == wager.paid_by and game.id in table.games]
            message = (
                f"{name} was bet, and no pay table is set for it: set one of {', '.join(ids)}, or take no {name} wager"
            )
            faults.add("missing-paytable", path, message)
    return found


def fits(own: PayTable, wager: Wager, game: Game, found: Mapping[str, PayTable], named: str = "") -> bool:
    """Whether a table of one's own is for a wager that names it or none, and no wager before it has it."""
    is_for = own.wager == wager.paid_by and game.id in own.games and named.casefold() in ("", own.id.casefold())
    return is_for and all(table.id != own.id for table in found.values())


def _read_table(
    table_id: str, wager: Wager, game: Game, settings: Settings, path: str, faults: Faults
) -> PayTable | None:
    try:
        table = paytable(in_known_case(table_id, paytable_ids()))
    except InputError as error:
        faults.add(error.faults[0].code, path, error.faults[0].message)
        return None
    if table.wager != wager.paid_by or game.id not in table.games:
        offered = f"the {table.wager} wager of {', '.join(table.games)}"
        faults.add("wrong-paytable", path, f"{table.id} is for {offered}, not for {wager.name} of {game.id}")
        return None
    if not table.approved and not settings.allow_unapproved:
        message = f"{table.id} is not an approved table: put allow_unapproved into the settings to use it anyway"
        faults.add("unapproved-paytable", path, message)
        return None
    return as_read(table, settings.readings)


def as_read(table: PayTable, readings: Mapping[str, Reading]) -> PayTable:
    """The table under the settings for the readings that nothing in the documents pins; a default where none is named.

    >>> as_read(paytable("SIXCPP-01"), {}).has_envy, as_read(paytable("SIXCPP-01"), {"shared_envy": False}).has_envy
    (True, False)
    """
    chosen = {**READINGS, **readings}
    if chosen["jackpot_joker"] == "literal" and has_joker_note(table):
        table = replace(table, joker="literal")
    if not chosen["joker_seven_card_line"] and any(JOKER_LINE in line.also for line in table.lines):
        return table.without_also()
    if table.envy_reading is not None and not chosen[table.envy_reading]:
        return replace(table, lines=tuple(replace(line, envy=None) for line in table.lines))
    return table


def has_joker_note(table: PayTable) -> bool:
    """Whether the sheets of a jackpot table have a note that lets the joker be an ace in five aces only."""
    return table.is_jackpot and all(table.wager_in(game).clauses.joker for game in table.games)


def meter_key(wager: str, tables: dict[str, PayTable]) -> str:
    """The name under which a jackpot wager's meters are kept: its table's id, with #2 where both sensors share one."""
    table_id = tables[wager].id
    sharing = [name for name, table in tables.items() if table.id == table_id]
    place = sharing.index(wager) + 1
    return table_id if place == 1 else f"{table_id}#{place}"


def idle_meters(meters: Collection[str], tables: dict[str, PayTable]) -> list[str]:
    """The meters that no jackpot wager of these tables plays for."""
    if not meters:
        return []
    return sorted(set(meters) - {meter_key(name, tables) for name, table in tables.items() if table.levels})


def _example_of_levels(game: Game) -> str:
    """How meters are written, for a table of the game that pays from one."""
    paid = next((table for table in paytables() if game.id in table.games and table.levels), None)
    return json.dumps({paid.id: dict.fromkeys(paid.levels, 1_000_000)} if paid else {"TABLE": {"LEVEL": 1_000_000}})


def read_levels(
    value: object, path: str, game: Game, faults: Faults, own: PayTable | None = None
) -> dict[str, dict[str, int]]:
    """Meters or seeds: cents by table and level; each table must be one of the game's that pays from a meter."""
    levels: dict[str, dict[str, int]] = {}
    for key, amounts in ({} if value is None else faults.mapping(value, path)).items():
        place = f"{path}.{key[:40]}"
        sensor = "#2" if key.endswith("#2") else ""
        known = paytable_ids() if own is None else (own.id, *paytable_ids())
        table_id = in_known_case(key.removesuffix("#2"), known)
        if table_id not in known:
            message = f"{key[:40]!r} is not a pay table; write {path} as in {_example_of_levels(game)}"
            faults.add("unknown-paytable", place, message)
            continue
        table = own if own is not None and own.id == table_id else paytable(table_id)
        if game.id not in table.games or not table.levels:
            faults.add("no-meter", place, f"{table_id} pays no share of a meter in {game.title}")
            continue
        given = faults.mapping(amounts, place)
        faults.keys(given, table.levels, place)
        levels[f"{table_id}{sensor}"] = {
            level: shown
            for level, amount in given.items()
            if level in table.levels and (shown := faults.cents(amount, f"{place}.{level}")) is not None
        }
    return levels
