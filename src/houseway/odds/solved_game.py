"""What a solved game is: how every deal ends when one side plays one way and the dealer another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from houseway.definitions.definition import LookedAt

OPTIMAL: Final = "optimal"
"""The player who plays every hand best, in the place of a house way or strategy."""


@dataclass(frozen=True, slots=True)
class SolvedGame:
    """How every deal of a game ends for one player's way of playing against one dealer's way."""

    game: str
    dealer: str
    player: str
    wheel: str
    deals: int
    outcomes: Mapping[str, int]
    """Deals by outcome; with several wagers their outcomes are joined by a plus sign."""
    by_hand: Mapping[tuple[str, ...], Mapping[str, int]]
    """The same, split by the set of names that the player's own cards fit."""
    looks: Mapping[LookedAt, Mapping[str, int]] = field(default_factory=dict)
    """Where it was counted: by what a wager on a beaten dealer's hand looks at, the winning deals by that hand."""
