"""What the room of a table chooses where a sheet leaves it the choice, and the hash of the rules with these choices.

Commission, house way, order of paying, readings of open points, a highest wager above the approved one: every choice
that changes what a wager wins is part of the rules hash, and a paper covers a table only if it names that hash. Choices
that are the sheet's own need no further paper than the approval of the game.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from operator import attrgetter
from typing import Final

import msgspec

from houseway.definitions.clauses import clauses
from houseway.errors import Fault
from houseway.games import Game, game
from houseway.games.table_settings import SETTING_NAMES, default_settings, has_setting, read_settings
from houseway.houseways import house_way
from houseway.manager.core import settings
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Paper
from houseway.manager.core.link_entities import Link
from houseway.manager.core.records import canonical, digest
from houseway.manager.core.table_entities import Table
from houseway.manager.handlers.link_rules import sensors_of
from houseway.manager.handlers.notices import games_allowed, table_settings, wager_ranges
from houseway.manager.handlers.paper_lookup import PROPERTY, approvals_held, papers_held
from houseway.manager.handlers.register_list import CONTROLS
from houseway.paytables import paytables
from houseway.reading.faults import Faults
from houseway.reading.json_values import Json, JsonObject

Choices = Mapping[str, Json]
"""Choices by name, those alone that are not the sheet's own; an object of them is what a paper names."""

NO_CHOICE: Final = {
    "limits": "ranges of wagers within the highest one, which are posted",
    "max_games": "a number within the property's, which is posted",
    "allow_unapproved": "refused at a table",
    "jackpot_kind": "an offer of the sheet's edition, and what the link is",
    "fixed_pays": "chosen by link",
    "jackpots_by_paper": "the paper itself says so",
}
"""Settings of settlement that are not a table's choice, and why; every other one is."""
OF_A_LINK: Final[Choices] = {"order": "seat-order", "fixed_pays": "tray", "shows_contributions": "at-start"}
"""What a link chooses about the awards of its wagers, with the sheet's own."""
_CHOSEN_BY: Final = attrgetter(*OF_A_LINK)
_SHEETS_OWN: Final = tuple(OF_A_LINK.values())
FULL_TO_EACH: Final = "full-to-each"


# ---------------------------------------------------------------- the hash


def rules_hash(game_id: str, choices: Choices | None = None) -> str:
    """The SHA-256 of a game's rules, pay tables and choices: what an approval is bound to.

    Without choices, or with none that differ, it is the hash of the rules with the sheet's own.
    """
    return _hash(game(game_id), canonical(choices) if choices else _NO_CHOICES)


_NO_CHOICES: Final = canonical({})


@lru_cache(maxsize=1024)
def _hash(played: Game, choices: bytes) -> str:
    return digest(canonical(rules_of(played.id, msgspec.json.decode(choices))))


def rules_of(game_id: str, choices: Choices | None = None) -> JsonObject:
    """All that the hash covers: the game's data, its clauses, its house ways, its pay tables and the room's choices."""
    found = game(game_id)
    return {
        "game": found.id,
        # How simulated players raise and what is noted for readers is not a rule.
        "definition": dataclasses.replace(found, raise_rules=(), notes=()).fingerprint,
        "ways": {way: house_way(way).fingerprint for way in found.ways},
        "clauses": {each.id: each.text for each in clauses() if game_id in each.games and each.kind != "information"},
        "paytables": {table.id: table.fingerprint for table in paytables() if game_id in table.games},
        "choices": {**sheets_own(game_id), **(choices or {})},
    }


def sheets_own(game_id: str) -> Choices:
    """Every choice that a table of a game has, by name, with what holds where the room chooses nothing."""
    return _sheets_own(game(game_id))


@cache
def _sheets_own(found: Game) -> Choices:
    defaults = default_settings(found)
    own = {name: msgspec.to_builtins(getattr(defaults, name)) for name in _chosen_at_table(found)}
    own |= {"way": found.ways[0]} if found.ways else {}
    own |= {f"{name}/{sensor}": value for sensor in sensors_of(found.id) for name, value in OF_A_LINK.items()}
    until = settings.DEFINITIONS[_UNTIL].default("", settings.EPOCH.date()).value
    own |= {_UNTIL: until} if found.raise_wager and not found.offers_fold else {}
    return own | dict.fromkeys(_ABOVE)


def _chosen_at_table(found: Game) -> tuple[str, ...]:
    """The settings of settlement that a table of a game chooses: those alone that decide something in it."""
    return tuple(name for name in SETTING_NAMES if name not in NO_CHOICE and has_setting(found, name))


_UNTIL: Final = "double_down_until"
_ABOVE: Final = ("highest_wager", "separate_games")
"""Numbers of the property that the documents bound: chosen only where they are above the approved ones."""


# ---------------------------------------------------------------- the choices of a table


def choices_of(floor: Floor, table: Table, at: int) -> JsonObject:
    """The choices at a table at a time that are not the sheet's own, by name."""
    played = game(table.game)
    given = canonical(table.settings) if table.settings else _NO_CHOICES
    found = dict(_of_table(played, given, table.way))
    for sensor, link_id in table.sensors.items():
        link = floor.links[link_id]
        if _CHOSEN_BY(link) != _SHEETS_OWN:
            found |= _of_link(link, sensor)
    if not floor.settings:
        return found
    if _UNTIL in floor.settings and _UNTIL in (own := _sheets_own(played)):
        until = settings.value(floor, _UNTIL, at)
        found |= {_UNTIL: until} if until != own[_UNTIL] else {}
    found.update(_above_the_approved(floor, table, at))
    return found


@lru_cache(maxsize=1024)
def _of_table(played: Game, given: bytes, way: str | None) -> tuple[tuple[str, Json], ...]:
    """What was chosen when the table was set up."""
    own, probe = (
        _sheets_own(played),
        Table("", played.id, 0, {}, "nexus-2", "felt", way, {}, msgspec.json.decode(given)),
    )
    read = table_settings(probe)
    chosen = {name: msgspec.to_builtins(getattr(read, name)) for name in _chosen_at_table(played)}
    chosen |= {"way": way} if way is not None else {}
    return tuple((name, value) for name, value in chosen.items() if value != own.get(name))


def _of_link(link: Link, sensor: str) -> JsonObject:
    found = {name: getattr(link, name) for name in OF_A_LINK}
    return {f"{name}/{sensor}": value for name, value in found.items() if value != OF_A_LINK[name]}


def _above_the_approved(floor: Floor, table: Table, at: int) -> Iterator[tuple[str, Json]]:
    """The property's own numbers where the table offers more than the documents do on that day; null: no limit."""
    if "highest_wager" in floor.settings:
        amounts: list[int | None] = [bounds["max"] for bounds in wager_ranges(floor, table, at).values()]
        amounts += [floor.links[link_id].wager for link_id in table.sensors.values()]
        yield from _if_above("highest_wager", amounts, floor, at)
    if "separate_games" in floor.settings:
        yield from _if_above("separate_games", [games_allowed(floor, table, at)], floor, at)


def _if_above(name: str, offered: list[int | None], floor: Floor, at: int) -> Iterator[tuple[str, Json]]:
    approved = settings.DEFINITIONS[name].default(settings.licence_of(floor), settings.day_of(at)).value
    if not isinstance(approved, int):
        return
    if None in offered:
        yield name, "no limit"
    elif (most := max(number for number in offered if number is not None)) > approved:
        yield name, most


# ---------------------------------------------------------------- the papers that cover them


def named_choices(fields: Mapping[str, Json]) -> Choices:
    """The choices that the fields of a paper name."""
    found = fields.get("choices")
    return found if isinstance(found, Mapping) else {}


def covers(paper: Paper, game_id: str) -> Choices | None:
    """The choices that an approval or internal controls cover; None where the paper is bound to other rules."""
    choices = named_choices(paper.fields)
    return choices if paper.fields.get("hash") == rules_hash(game_id, choices) else None


def choice_faults(floor: Floor, table: Table, chosen: Choices, at: int) -> list[Fault]:
    """The choices of a table that no paper in force covers, with the paper that is missing."""
    approvals, controls = _covered(floor, table, at)
    faults = []
    if chosen not in [*approvals, *controls]:
        # What some paper covers, or the sheet's own: the one that needs the fewest words.
        known = [*approvals, *controls] or [{}]
        nearest = min(known, key=lambda each: len(_differing(table.game, chosen, each)))
        faults = [
            Fault("choice-not-covered", CONTROLS, _uncovered(table, name, here, there, chosen))
            for name, (here, there) in _differing(table.game, chosen, nearest).items()
        ]
    elif chosen not in controls:
        faults = [
            Fault("order-needs-controls", CONTROLS, _without_controls(table, name))
            for name, value in chosen.items()
            if value == FULL_TO_EACH
        ]
    return faults


def choice_faults_in_play(floor: Floor, table: Table, chosen: Choices, rules: str, at: int) -> list[Fault]:
    """The same for an open table: what it was opened under and is the sheet's own needs no second look.

    `rules` is the hash of the rules with the choices.
    A program or a file of the game that was changed since has changed the rules, whatever the room has chosen.
    """
    if not chosen and table.rules == rules:
        return []
    faults = choice_faults(floor, table, chosen, at)
    if not faults and table.rules not in ("", rules) and not any(map(len, _covered(floor, table, at))):
        message = (
            f"the rules of {table.game} have the hash {rules[:12]}..., and {table.id} was opened under "
            f"{table.rules[:12]}...: no paper in force covers the change; have it approved, or put the old rules back"
        )
        faults = [Fault("approval-differs", "game-approval", message)]
    return faults


def uncovered_tables(floor: Floor, at: int) -> dict[str, list[Fault]]:
    """The tables with a choice that no paper in force covers: they begin no round, and do not open."""
    found = {}
    for id_, table in sorted(floor.tables.items()):
        chosen = choices_of(floor, table, at)
        found[id_] = choice_faults_in_play(floor, table, chosen, rules_hash(table.game, chosen), at)
    return {id_: faults for id_, faults in found.items() if faults}


def _covered(floor: Floor, table: Table, at: int) -> tuple[list[Choices], list[Choices]]:
    """The choices that approvals in force cover, and those that internal controls in force do."""
    papers = approvals_held(floor, table.game, at), papers_held(floor, CONTROLS, (table.game,), at)
    approvals, controls = ([covers(paper, table.game) for paper in each] for each in papers)
    return [each for each in approvals if each is not None], [each for each in controls if each is not None]


def _differing(game_id: str, chosen: Choices, covered: Choices) -> dict[str, tuple[Json, Json]]:
    """The choices in which two sets differ: each with what is chosen and what is covered."""
    own = sheets_own(game_id)
    here, there = {**own, **chosen}, {**own, **covered}
    return {
        name: (here.get(name), there.get(name)) for name in sorted({*here, *there}) if here.get(name) != there.get(name)
    }


def _uncovered(table: Table, name: str, here: object, there: object, chosen: Choices) -> str:
    return (
        f"{name} is {_said(here)} at {table.id}, and the papers in force cover {_said(there)}: undo the choice, or "
        f"have the rules with it approved and enter {CONTROLS} or game-approval with the hash "
        f"{rules_hash(table.game, chosen)[:12]}... and its choices (`houseway papers drafts {table.id}` draws it up)"
    )


def _without_controls(table: Table, name: str) -> str:
    return (
        f"{name} is {FULL_TO_EACH} at {table.id}: only internal controls replace the sheet's order of paying; enter "
        f"{CONTROLS} with the hash of these rules (`houseway papers drafts {table.id}` draws them up)"
    )


def _said(value: object) -> str:
    return "none of the room's own" if value is None else canonical(value).decode()


# ---------------------------------------------------------------- entering such a paper


def naming_faults(subject: str, fields: Mapping[str, Json]) -> list[Fault]:
    """What is wrong with the choices that a paper names: whose they are, their names, their values."""
    choices = named_choices(fields)
    if "hash" not in fields:
        message = "a paper that names choices is bound to the rules: give the hash of the rules with them"
        return [Fault("missing-key", "fields.hash", message)] if choices else []
    if subject == PROPERTY:
        message = "choices are made at the tables of a game: name the game as the subject, and leave hash out otherwise"
        return [Fault("unknown-subject", "subject", message)]
    faults, known = Faults(), sheets_own(subject)
    faults.keys(dict(choices), tuple(known), "fields.choices")
    given = {name: value for name, value in choices.items() if name in SETTING_NAMES and name in known}
    of_settings = Faults()
    read_settings(given, game(subject), of_settings, [])
    faults.note_all(
        dataclasses.replace(fault, path=f"fields.choices.{fault.path.removeprefix('settings.')}")
        for fault in of_settings.found()
    )
    same = (name for name, value in choices.items() if name in known and known[name] == value)
    for name in same:
        message = f"{name} is {_said(known[name])} by the sheet itself: name only what the room chooses otherwise"
        faults.add("bad-value", f"fields.choices.{name}", message)
    return faults.found()
