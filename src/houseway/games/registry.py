"""The games there are, each from its own module, loaded when first asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Final

from houseway.errors import InputError
from houseway.games.model import Game
from houseway.games.reading import suggestion

_MODULES: Final[dict[str, str]] = {
    "six-card-fortune": "six_card_fortune",
    "fortune": "fortune",
    "commission-free-fortune": "commission_free_fortune",
    "face-up": "face_up",
    "six-card-poker": "six_card_poker",
}


def game_ids() -> tuple[str, ...]:
    """The ids of all games."""
    return tuple(_MODULES)


@cache
def find_game(game_id: str) -> Game | None:
    """The game of that id, or None."""
    module = _MODULES.get(game_id)
    if module is None:
        return None
    found: Game = import_module(f"houseway.games.{module}").GAME
    return found


def game(game_id: str) -> Game:
    """The game of that id; InputError (code `unknown-game`) if there is none.

    >>> game("six-card-poker").title
    'Six Card Poker'
    """
    found = find_game(game_id)
    if found is None:
        shown = game_id[:40]
        raise InputError.of("unknown-game", "game", f"{shown!r} is no game: {suggestion(shown, _MODULES)}")
    return found


def games() -> tuple[Game, ...]:
    """All games."""
    return tuple(game(game_id) for game_id in _MODULES)
