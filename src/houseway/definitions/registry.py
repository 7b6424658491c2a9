"""The games there are: those that ship and those from outside, each read from its file when first asked for.

A game from outside that is not sound is refused by its name, with every fault of its files; all others play on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from functools import cache, lru_cache
from typing import Final, NamedTuple

from houseway.definitions.clauses import clauses, refused_sheets
from houseway.definitions.definition import AS_OF, Game
from houseway.definitions.reader import read_game
from houseway.errors import Fault, InputError
from houseway.reading.toml_files import read_text
from houseway.sources import SHIPPED, Refusal, Source, outside, outside_files, refused_sources
from houseway.wording import suggestion

_PART: Final = "definitions"
_replaced: Final[dict[str, Game]] = {}
_read: Final[dict[str, Game]] = {}
"""The games that ship, as far as they were asked for."""


class _Outside(NamedTuple):
    """The games from outside, and what was refused."""

    games: Mapping[str, Game]
    refused: tuple[Refusal, ...]


@cache
def _shipped_files() -> frozenset[str]:
    return frozenset(SHIPPED.files(_PART))


@cache
def shipped_ids() -> tuple[str, ...]:
    """The ids of the games that ship, in the order in which they are listed."""
    return tuple(sorted(_shipped_files(), key=lambda game_id: (_shipped(game_id).listed, game_id)))


@cache
def _shipped(game_id: str) -> Game:
    path = SHIPPED.folder / _PART / f"{game_id}.toml"
    return read_game(read_text(path, code="game-unreadable"), path.name, game_id)


@lru_cache(maxsize=8)
def _outside(_sources: tuple[Source, ...]) -> _Outside:
    """The sound games of these sources from outside."""
    files, refused = outside_files(_PART)
    found: dict[str, Game] = {}
    faulty = list(refused)
    for game_id, (source, path) in files.items():
        try:
            game = read_game(read_text(path, code="game-unreadable"), str(path), game_id)
            _check_belongings(game, str(path))
        except InputError as error:
            faulty.append(Refusal(source.name, game_id, error.faults))
        else:
            found[game_id] = game
    return _Outside(found, tuple(faulty))


def _check_belongings(game: Game, file: str) -> None:
    """Refuse a game whose sheets, clauses or house ways are not there or not sound."""
    # Only games from outside are held to their house ways here: most commands need none.
    from houseway.houseways import house_way

    faults = _clause_faults(game, file)
    for way_id, cards in dict.fromkeys((way, each.cards) for each in (game, *game.earlier) for way in each.ways):
        try:
            way = house_way(way_id)
        except InputError as error:
            faults += error.faults
            continue
        if way.cards != cards:
            message = f"the {way_id} way sets hands of {way.cards} cards, and a hand of {game.id} has {cards}"
            faults.append(Fault("game-contradiction", file, message))
    if faults:
        raise InputError(faults)


def _clause_faults(game: Game, file: str) -> list[Fault]:
    """What is wrong with the sheets of a game, and with the clauses that it cites."""
    known, sheets = {each.id for each in clauses()}, {each.sheet for each in clauses()}
    faults = [fault for each in refused_sheets() if each.name in game.sheets for fault in each.faults]
    told = {each.name for each in refused_sheets()}
    for sheet in game.sheets:
        if sheet not in sheets and sheet not in told:
            message = f"there is no sheet {sheet!r}: put its clauses into clauses/{sheet}.toml beside the definitions"
            faults.append(Fault("game-clause", file, message))
    for cited in dict.fromkeys(game.cited_clauses):
        sheet = cited.partition("/")[0]
        if sheet not in game.sheets:
            message = f"it cites {cited}, and {sheet!r} is none of its sheets: add it to `sheets`, or correct the id"
            faults.append(Fault("game-clause", file, message))
        elif cited not in known and sheet not in told and sheet in sheets:
            message = f"it cites {cited}, which the sheet does not have: {suggestion(cited, known)[:200]}"
            faults.append(Fault("game-clause", file, message))
    return faults


def refusals() -> tuple[Refusal, ...]:
    """The games and sheets from outside that are not used, and the packages and folders that hold none."""
    return (*refused_sources(), *_outside(outside()).refused, *refused_sheets())


def game_ids() -> tuple[str, ...]:
    """The ids of all games: those that ship, those from outside, those that are added for the time being."""
    return tuple(dict.fromkeys((*shipped_ids(), *_outside(outside()).games, *_replaced)))


def shipped_games() -> tuple[Game, ...]:
    """The games that ship, as they are defined at present: those that results which ship were counted for."""
    return tuple(game(game_id) for game_id in shipped_ids())


def replaced_games() -> tuple[Game, ...]:
    """The games that are defined otherwise, or added, at present: with these, what was derived before may not hold."""
    return tuple(_replaced.values())


def find_game(game_id: str) -> Game | None:
    """The game of that id, or None; with a day behind it (`fortune@2021-05-01`), as its sheet had it on that day."""
    plain, dated, day = game_id.partition(AS_OF)
    if dated:
        of_all_days = find_game(plain)
        return of_all_days.on(day) if of_all_days is not None and _is_day(day) else None
    found = _replaced.get(game_id) or _read.get(game_id)
    if found is not None:
        return found
    if game_id in _shipped_files():
        # What ships stays what it is, and every line of every round asks for its game.
        found = _read[game_id] = _shipped(game_id)
        return found
    return _outside(outside()).games.get(game_id)


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def why_no_game(game_id: str) -> tuple[Fault, ...]:
    """Why there is no game of that id: the faults of its files, or that nobody knows it."""
    plain, dated, day = game_id.partition(AS_OF)
    if dated and not _is_day(day):
        message = f"{day[:40]!r} behind {AS_OF} is not a day: write it as in {plain[:40]}{AS_OF}2021-05-01"
        return (Fault("unknown-game", "game", message),)
    game_id = plain
    of_files = [fault for each in _outside(outside()).refused if each.name == game_id for fault in each.faults]
    if of_files:
        return (Fault("game-refused", "game", f"{game_id} is not used: its files have faults"), *of_files)
    shown = game_id[:40]
    return (Fault("unknown-game", "game", f"{shown!r} is not a game: {suggestion(shown, game_ids())}"),)


def game(game_id: str) -> Game:
    """The game of that id; InputError (code `unknown-game`, or the faults of its files) if there is none.

    >>> game("six-card-poker").title
    'Six Card Poker'
    """
    found = find_game(game_id)
    if found is None:
        raise InputError(why_no_game(game_id))
    return found


def games() -> tuple[Game, ...]:
    """All games."""
    return tuple(game(game_id) for game_id in game_ids())


@contextmanager
def defined_as(changed: Game) -> Iterator[None]:
    """Play with another definition of a game, or with one more game, within a `with` block of this process.

    For questions of the kind "what if the commission were 4%": everything that derives from the definition follows.

    >>> from dataclasses import replace
    >>> with defined_as(replace(game("fortune"), title="Fortune with other rules")):
    ...     game("fortune").title
    'Fortune with other rules'
    >>> game("fortune").title
    'Fortune Pai Gow Poker'
    """
    before = _replaced.get(changed.id)
    _replaced[changed.id] = changed
    try:
        yield
    finally:
        if before is None:
            del _replaced[changed.id]
        else:
            _replaced[changed.id] = before
