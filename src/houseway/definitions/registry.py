"""The games there are: those that ship, each read from its file when first asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from typing import Final

from houseway.definitions.definition import Game
from houseway.definitions.reader import read_game
from houseway.errors import InputError
from houseway.wording import suggestion

SHIPPED: Final = ("six-card-fortune", "fortune", "commission-free-fortune", "face-up", "six-card-poker")
"""The shipped definitions, in the order in which games are listed."""

_replaced: Final[dict[str, Game]] = {}


@cache
def _shipped(game_id: str) -> Game:
    name = f"{game_id}.toml"
    text = files("houseway.definitions").joinpath("data", name).read_text(encoding="utf-8")
    return read_game(text, name, game_id)


def game_ids() -> tuple[str, ...]:
    """The ids of all games."""
    return (*SHIPPED, *(game_id for game_id in _replaced if game_id not in SHIPPED))


def replaced_games() -> tuple[Game, ...]:
    """The games that are defined otherwise, or added, at present: with these, what was derived before may not hold."""
    return tuple(_replaced.values())


def find_game(game_id: str) -> Game | None:
    """The game of that id, or None."""
    found = _replaced.get(game_id)
    if found is not None:
        return found
    return _shipped(game_id) if game_id in SHIPPED else None


def game(game_id: str) -> Game:
    """The game of that id; InputError (code `unknown-game`) if there is none.

    >>> game("six-card-poker").title
    'Six Card Poker'
    """
    found = find_game(game_id)
    if found is None:
        shown = game_id[:40]
        raise InputError.of("unknown-game", "game", f"{shown!r} is no game: {suggestion(shown, game_ids())}")
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
