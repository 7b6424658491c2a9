"""Which tables may share a link: one pay table and deck count, equal winning hands and odds, one kind of jackpot.

A link names one pay table. A table whose game that pay table is not for joins only through a twin: an approved table
for its own game whose lines and exact odds are the same, as the Face Up tables are those of Fortune. Twins are found by
comparing, not from a list, so that a new sheet needs no code here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from houseway.definitions import Game, find_game
from houseway.definitions.clauses import clause
from houseway.errors import Fault, InputError, present
from houseway.games.round_tables import as_read
from houseway.games.table_settings import READING_CHOICES, READINGS, Reading
from houseway.manager.core.floor import Floor
from houseway.manager.core.link_entities import Link
from houseway.manager.core.overlay import State
from houseway.manager.core.table_entities import Round, Table
from houseway.manager.core.twins import not_linkable, paytable_for
from houseway.odds.progressive import reseed_chances
from houseway.odds.wagers import counts_for
from houseway.paytables import PayTable, paytable

DECKS_OF_A_GAME: Final = 1
"""Every game here is dealt from one deck, with or without the joker."""
WITHDRAWN: Final = "letters/2018/2"
"""The clause that takes the first generation of controls off the seven-card Fortune games."""
GENERATIONS: Final = ("aquarius", "nexus", "nexus-2")
"""The generations of table controls, the oldest first."""


def jackpot_chances(table: PayTable) -> dict[str, Fraction]:
    """The exact chance that a wager wins 100% of each level."""
    return reseed_chances(table, counts_for(table.games[0], table.joker).by_line(table))


def attach_faults(floor: Floor, table: Table, sensor: str, link: Link) -> list[Fault]:
    """Every reason why a sensor of a table may not join a link; none if it may."""
    faults = _game_faults(table, link)
    if link.decks != DECKS_OF_A_GAME:
        message = f"{link.id} is for {link.decks} decks, {table.game} is dealt from {DECKS_OF_A_GAME}: use another link"
        faults.append(Fault("link-decks", "link", message))
    if link.status == "retired":
        faults.append(Fault("link-retired", "link", f"{link.id} is retired for good: join a link that is in play"))
    faults += _sensor_faults(floor, table, sensor, link)
    faults += vocabulary_faults(table.game, table.vocabulary, link.paytable)
    return faults


def _game_faults(table: Table, link: Link) -> list[Fault]:
    """The table's game must have the link's pay table or a twin of it, read in the same way."""
    faults = []
    if paytable_for(link.paytable, table.game, tuple(sorted(link.readings.items()))) is None:
        faults.append(Fault("game-not-linkable", "link", not_linkable(link.paytable, table.game)))
    for name, default in READINGS.items():
        ours, theirs = table.settings.get(name, default), link.readings.get(name, default)
        if ours != theirs and _matters(link.paytable, name):
            message = (
                f"{table.id} reads {name} as {ours}, {link.id} as {theirs}: the winning hands would differ; "
                "set the table as the link is"
            )
            faults.append(Fault("reading-differs", f"settings.{name}", message))
    return faults


def _matters(table_id: str, name: str) -> bool:
    """Whether a reading changes anything on a pay table."""
    table = paytable(table_id)
    return any(as_read(table, {name: choice}) != as_read(table, {}) for choice in READING_CHOICES[name])


def _sensor_faults(floor: Floor, table: Table, sensor: str, link: Link) -> list[Fault]:
    """One jackpot a sensor, as many sensors as the sheet gives the game, all jackpots of a table of one kind."""
    faults = []
    sensors = sensors_of(table.game)
    if sensor not in sensors:
        known = " and ".join(sensors) or "none"
        message = f"{table.game} has jackpot sensors {known} by its sheet, not {sensor[:20]!r}"
        faults.append(Fault("unknown-sensor", "sensor", message))
    joined = table.sensors.get(sensor)
    if joined is not None:
        message = f"sensor {sensor} of {table.id} carries {joined}, and a sensor carries one jackpot: take it off first"
        faults.append(Fault("sensor-taken", "sensor", message))
    others = {place: id_ for place, id_ in table.sensors.items() if place != sensor}
    for place, id_ in others.items():
        other = floor.links.get(id_)
        if id_ == link.id:
            message = f"sensor {place} of {table.id} is on {link.id} already: two sensors carry two different jackpots"
            faults.append(Fault("link-twice", "link", message))
        elif other is not None and other.kind != link.kind:
            message = (
                f"{link.id} is a {_kind(link)}, sensor {place} of {table.id} carries a {_kind(other)}: "
                "all jackpots of a table are of one kind (clause fpgpj/jackpots/4)"
            )
            faults.append(Fault("mixed-jackpots", "link", message))
    return faults


def _kind(link: Link) -> str:
    return "progressive" if link.kind == "progressive" else "house jackpot"


def sensors_of(game: str) -> tuple[str, ...]:
    """The jackpot sensors that the sheet of a game gives each seat.

    >>> sensors_of("fortune"), sensors_of("six-card-poker")
    (('1', '2'), ('1',))
    """
    found = find_game(game)
    jackpots = [wager for wager in found.wagers if wager.kind == "jackpot"] if found else []
    return tuple(str(number) for number in range(1, len(jackpots) + 1))


def vocabulary_faults(game: str, vocabulary: str, table_id: str | None = None) -> list[Fault]:
    """Controls older than all that a game's editions know are withdrawn there, also with the tables of its sheets.

    Without a jackpot, which the controls are for, only the games that the letter names refuse them.
    """
    named = {game} if table_id is not None or game in clause(WITHDRAWN).games else set()
    concerned = named.union(paytable(table_id).games if table_id is not None else ())
    found = [each for game_id in sorted(concerned) if (each := find_game(game_id)) is not None]
    withdrawn = [each for each in found if _is_withdrawn(each, vocabulary)]
    if not withdrawn:
        return []
    of_games = " and ".join(each.title for each in withdrawn)
    later = " or ".join(GENERATIONS[GENERATIONS.index(vocabulary) + 1 :])
    message = f"{vocabulary} controls are withdrawn for {of_games} (clause {WITHDRAWN}): use {later}"
    return [Fault("vocabulary-withdrawn", "vocabulary", message)]


def _is_withdrawn(game: Game, vocabulary: str) -> bool:
    known = [GENERATIONS.index(each.name) for edition in game.editions for each in edition.controls]
    return bool(known) and GENERATIONS.index(vocabulary) < min(known)


def checked_paytable(table_id: str, readings: Mapping[str, Reading]) -> tuple[PayTable | None, list[Fault]]:
    """The pay table of a new link under its readings: it must exist, be approved, and be one for jackpots."""
    faults = _reading_faults(readings)
    try:
        table = paytable(table_id)
    except InputError as error:
        return None, [*error.faults, *faults]
    if not table.is_jackpot:
        message = f"{table.id} is for the {table.wager} wager: a link needs a table of the progressive wager"
        return None, [Fault("wrong-paytable", "paytable", message), *faults]
    if not table.approved:
        faults.insert(
            0, Fault("unapproved-paytable", "paytable", f"{table.id} is not approved: name an approved table")
        )
    return as_read(table, readings), faults


def _reading_faults(readings: Mapping[str, Reading]) -> list[Fault]:
    """What is wrong with readings by name: there is none of that name, or it has no such value."""
    faults = []
    for name, value in sorted(readings.items()):
        choices = READING_CHOICES.get(name)
        if choices is None:
            message = f"there is no such reading: known are {', '.join(READING_CHOICES)}"
            faults.append(Fault("unknown-key", f"readings.{name}", message))
        elif value not in choices:
            shown = " or ".join(json.dumps(choice) for choice in choices)
            faults.append(Fault("bad-choice", f"readings.{name}", f"{json.dumps(value)[:40]}: it is {shown}"))
    return faults


def link_table(link: Link) -> PayTable:
    """The pay table of a link under its readings."""
    found = paytable_for(link.paytable, paytable(link.paytable).games[0], tuple(sorted(link.readings.items())))
    return present(found, f"pay table {link.paytable} for the game that it is of")


def first_level(link: Link) -> str:
    """The level that fixed pays belong to: the first of the pay table, whose order a journal's JSON does not keep."""
    return paytable(link.paytable).levels[0]


def link_is_idle(state: State, link: Link | str) -> bool:
    """Whether no round in play has a wager on the link; a decision is asked with its own changes in it.

    A round that was set aside for a decision does not keep its link busy: its wagers carry what they were taken under.
    """
    return not any(round_.phase == "playing" for round_ in rounds_on(state, link if isinstance(link, str) else link.id))


def rounds_on(state: State, link: str) -> list[Round]:
    """The rounds, in play, set aside or ended but kept, that took a wager on the link."""
    return [round_ for round_ in state.rounds.values() if any(taken.link == link for taken in round_.taken)]
