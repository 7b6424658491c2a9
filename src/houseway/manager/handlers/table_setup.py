"""Setting a table up: its game, room and settings, the links of its sensors, and dealing face up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from houseway.amounts import Cents, micros
from houseway.definitions import find_game, game_ids
from houseway.errors import Fault, InputError
from houseway.games import Game, Settings, game
from houseway.games.round_tables import read_tables
from houseway.games.table_settings import read_settings
from houseway.manager.commands.house_answers import (
    AttachSensorAnswer,
    CreateTableAnswer,
    NoticeText,
    SetFaceUpAnswer,
)
from houseway.manager.commands.house_commands import (
    AttachSensor,
    CreateTable,
    SetFaceUp,
)
from houseway.manager.core import settings
from houseway.manager.core.engine import Decision, collect, handles
from houseway.manager.core.floor import Floor
from houseway.manager.core.money import cents_text, dollars
from houseway.manager.core.roles import SUPERVISING
from houseway.manager.core.table_entities import Table
from houseway.manager.core.texts import alike
from houseway.manager.handlers.common import the_link, the_table
from houseway.manager.handlers.face_up import face_up_faults, permitted_spots, recommended_spots
from houseway.manager.handlers.link_rules import attach_faults, vocabulary_faults
from houseway.manager.handlers.notices import notices, table_settings, wager_ranges
from houseway.manager.handlers.papers import check_id
from houseway.manager.handlers.registers import missing_for_opening
from houseway.manager.handlers.table_checks import messages_of, second_person_of, table_between_rounds
from houseway.paytables import PayTable
from houseway.reading.faults import Faults

OF_THE_LINK: Final = ("jackpot_kind", "fixed_pays")
"""Settlement settings that come with a sensor's link, never with the table."""


@handles(CreateTable)
def create_table(decision: Decision, command: CreateTable) -> CreateTableAnswer:
    """Set up a table; it stays closed until a supervisor opens it."""
    floor, faults = decision.floor, Faults()
    check_id(faults, command.table, "table")
    taken = alike(floor.tables, command.table)
    if taken is not None:
        faults.add("table-exists", "table", f"{taken} is set up already: every table has its own identity")
    found = find_game(command.game)
    if found is None:
        faults.add("unknown-game", "game", f"{command.game[:40]!r} is not a game: {', '.join(game_ids())}")
        raise faults.error()
    if found.streets or not found.dealer_hand:
        message = f"{found.title} is dealt in streets, between which players decide: no table of the manager deals it"
        raise InputError.of("game-in-streets", "game", message)
    seats = found.max_seats if command.seats is None else faults.integer(command.seats, "seats", 1, found.max_seats)
    way = _read_way(command.way, found, faults)
    notes: list[str] = []
    read = read_settings(dict(command.settings), found, faults, notes)
    _check_live_settings(command.settings, faults)
    paytables = read_tables(dict(command.paytables), found, set(), read, faults)
    _check_no_jackpot_tables(command.paytables, found, faults)
    if command.cards == "known" and command.deal_mode == "shoe":
        message = "the system knows only cards that its own shuffler dealt: choose cards on the felt for a shoe"
        faults.add("known-from-shoe", "deal_mode", message)
    refused = settings.found_in(faults) + vocabulary_faults(found.id, command.vocabulary)
    collect(refused)
    table = Table(
        command.table, found.id, seats or found.max_seats, {}, command.vocabulary, command.cards, way,
        dict(command.paytables), dict(command.settings), deal_mode=command.deal_mode,
    )  # fmt: skip
    collect(
        _limit_faults(floor, table, read, decision.now) + aggregate_faults(floor, table, read, paytables, decision.now)
    )
    decision.tables.put(table)
    return CreateTableAnswer(
        table=table.id,
        seats=table.seats,
        way=way,
        notes=tuple(notes),
        next=(
            "join sensors to links (houseway table attach)",
            *(messages_of(missing_for_opening(floor, table, decision.now))),
        ),
    )


def _read_way(name: str | None, found: Game, faults: Faults) -> str | None:
    """The house way: the game's default where none is named."""
    if not found.ways:
        if name is not None:
            faults.add("no-house-way", "way", f"{found.title} has no house way: hands are not split")
        return None
    if name is None:
        return found.ways[0]
    if name not in found.ways:
        faults.add("unknown-way", "way", f"{name[:40]!r} is not a house way of {found.title}: {', '.join(found.ways)}")
    return name


def _check_live_settings(given: Mapping[str, object], faults: Faults) -> None:
    """What a table cannot set for itself: it comes with the link, or by date from the property."""
    for name in OF_THE_LINK:
        if name in given:
            faults.add("setting-not-allowed", f"settings.{name}", f"{name} comes with the link of the sensor")
    if given.get("allow_unapproved"):
        message = "a table plays approved pay tables only: leave allow_unapproved to studies"
        faults.add("setting-not-allowed", "settings.allow_unapproved", message)
    if given.get("jackpots_by_paper"):
        message = "the paper itself says so: enter it in jackpot-approval, and leave jackpots_by_paper out"
        faults.add("setting-not-allowed", "settings.jackpots_by_paper", message)
    limits = given.get("limits")
    for name in ("as_of", "licence"):
        if isinstance(limits, dict) and name in limits:
            message = "the dated limits come from the property's own settings: give ranges of wagers only"
            faults.add("setting-not-allowed", f"settings.limits.{name}", message)


def _check_no_jackpot_tables(given: dict[str, str], found: Game, faults: Faults) -> None:
    for wager in found.wagers:
        if wager.kind == "jackpot" and wager.name in given:
            message = f"the pay table of {wager.name} comes with the link that its sensor joins (houseway table attach)"
            faults.add("wrong-paytable", f"paytables.{wager.name}", message)


def _limit_faults(floor: Floor, table: Table, read: Settings, at: int) -> list[Fault]:
    """The table's own limits must lie within the property's of the day."""
    faults: list[Fault] = []
    highest = settings.value(floor, "highest_wager", at)
    ranges = {"any": read.limits.any, **read.limits.wagers} if read.limits else {}
    for name, bounds in ranges.items():
        if highest is not None and bounds.most is not None and bounds.most > highest:
            message = f"the highest single wager of the property is {dollars(micros(highest))}: set at most that"
            faults.append(Fault("above-limit", f"settings.limits.{name}.max", message))
    for name, bounds_shown in wager_ranges(floor, table, at).items():
        least, most = bounds_shown["min"], bounds_shown["max"]
        if least is not None and most is not None and least > most:
            message = f"nothing can be bet on {name}: at least {cents_text(least)} and at most {cents_text(most)}"
            faults.append(Fault("bad-setting", f"settings.limits.{name}", message))
    allowed = settings.value(floor, "separate_games", at)
    if allowed is not None and read.max_games is not None and read.max_games > allowed:
        message = f"the property allows {allowed} separate games a hand: set at most that"
        faults.append(Fault("above-limit", "settings.max_games", message))
    return faults


def aggregate_faults(floor: Floor, table: Table, read: Settings, tables: dict[str, PayTable], at: int) -> list[Fault]:
    """An aggregate limit may not cut what the highest wager wins at odds up to the property's number to 1."""
    limit = read.aggregate_limit
    if limit is None:
        return []
    odds = settings.value(floor, "aggregate_odds", at)
    ranges = wager_ranges(floor, table, at)
    faults: list[Fault] = []
    for name, paytable in tables.items():
        most, top = ranges[name]["max"], max(line.pays or 0 for line in paytable.lines)
        if most is None:
            message = f"an aggregate limit needs the highest {name} wager: set it in limits"
            faults.append(Fault("bad-setting", f"settings.limits.{name}", message))
        elif limit.cents < (needed := most * min(top, odds)):
            message = (
                f"{dollars(micros(Cents(limit.cents)))} is below the highest {name} wager at {min(top, odds)} to 1, "
                f"{dollars(micros(needed))}: raise the limit or lower the wager"
            )
            faults.append(Fault("aggregate-too-low", "settings.aggregate_limit", message))
    return faults


def aggregate_of_the_day(floor: Floor, table: Table, at: int) -> list[Fault]:
    """The table's aggregate limit against the highest wager in force now, which may have risen since it was set up."""
    read = table_settings(table)
    return aggregate_faults(
        floor, table, read, read_tables(dict(table.paytables), game(table.game), set(), read, Faults()), at
    )


@handles(AttachSensor)
def attach_sensor(decision: Decision, command: AttachSensor) -> AttachSensorAnswer:
    """Join a sensor of a closed table to a link, or take it off."""
    table = _closed_table(decision, command.table)
    sensors = dict(table.sensors)
    if command.link is None:
        if command.sensor not in sensors:
            raise InputError.of("unknown-sensor", "sensor", f"sensor {command.sensor[:20]} of {table.id} is on no link")
        del sensors[command.sensor]
    else:
        link = the_link(decision, command.link)
        collect(attach_faults(decision.floor, table, command.sensor, link))
        sensors[command.sensor] = link.id
    changed = replace(table, sensors=dict(sorted(sensors.items())), lit={})
    decision.tables.put(changed)
    return AttachSensorAnswer(
        table=table.id,
        sensors=changed.sensors,
        notices=tuple(
            NoticeText(notice.kind, notice.shows, notice.text)
            for notice in notices(decision.floor, changed, decision.now)
        ),
    )


def _closed_table(decision: Decision, table_id: str) -> Table:
    table = the_table(decision, table_id)
    if table.round is not None:
        raise InputError.of(
            "round-in-play", "table", f"{table.round} is in play at {table.id}: end it, then close the table"
        )
    if table.status != "closed":
        raise InputError.of("table-open", "table", f"{table.id} is open: close it first")
    return table


@handles(SetFaceUp)
def set_face_up(decision: Decision, command: SetFaceUp) -> SetFaceUpAnswer:
    """Deal the players' cards face up, or down again: by two people, between rounds, with a permission in force."""
    table = table_between_rounds(decision, command.table)
    person = second_person_of(decision, command.badge, SUPERVISING, "changing how the cards are dealt")
    if table.face_up == command.face_up:
        raise InputError.of("nothing-to-change", "face_up", f"{table.id} deals that way already")
    changed = replace(table, face_up=command.face_up)
    collect(face_up_faults(decision.floor, changed, decision.now))
    decision.tables.put(changed)
    return SetFaceUpAnswer(
        table=table.id,
        face_up=changed.face_up,
        by=person.id,
        most_spots=permitted_spots(decision.floor, changed, decision.now),
        recommended_spots=recommended_spots(decision.floor, changed, decision.now),
    )
