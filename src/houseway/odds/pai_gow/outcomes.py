"""What becomes of a player's setting against each kind of dealer hand, as far as the settings tell them apart.

The dealer's hands fall into cells: between which of the players' high hands a high hand lies, and between which of
their low hands the low hand. In every cell a setting wins, pushes or loses for certain.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

from houseway.games.model import Game
from houseway.odds.pai_gow.splits import NINE_HIGH_LOWS, PlayerSetting
from houseway.ranking.hands import CATEGORY_SHIFT, RANK_SHIFTS, Category

if TYPE_CHECKING:
    from houseway.odds.pai_gow.layouts import Ints

PAIR_OF_EIGHTS: Final = (Category.PAIR << CATEGORY_SHIFT) + (6 << RANK_SHIFTS[0])
"""The high hand with which a dealer of the six-card game qualifies for the double down."""


@dataclass(frozen=True, slots=True)
class Breaks:
    """The values that part the dealer's hands into cells: ascending high values and ascending low ranks.

    The class of a dealer's high hand is the number of breaks that it reaches, and so for the low hand.

    >>> breaks = Breaks((100, 200), (5,))
    >>> breaks.shape, breaks.below_high(100), breaks.below_high(200)
    ((3, 2), 1, 2)
    """

    highs: tuple[int, ...]
    lows: tuple[int, ...]

    @classmethod
    def around(
        cls, settings: Iterable[PlayerSetting], high_values: Iterable[int] = (), low_ranks: Iterable[int] = ()
    ) -> Breaks:
        """The breaks at the hands of these settings, and at further values that a rule of the game asks about."""
        listed = list(settings)
        highs = chain((setting.high_value for setting in listed), high_values)
        lows = chain((setting.low_rank for setting in listed), low_ranks)
        return cls(tuple(sorted(set(highs))), tuple(sorted(set(lows))))

    @property
    def shape(self) -> tuple[int, int]:
        """How many classes of high hands and of low hands there are."""
        return len(self.highs) + 1, len(self.lows) + 1

    def below_high(self, value: int) -> int:
        """How many classes of high hands lie below this break."""
        return bisect_left(self.highs, value) + 1

    def below_low(self, rank: int) -> int:
        """How many classes of low hands lie below this break."""
        return bisect_left(self.lows, rank) + 1


@dataclass(frozen=True, slots=True)
class ContestRules:
    """What a game adds to the contest of two hands: dealer hands that push, and a double down."""

    nine_high_pushes: bool
    doubles: bool

    @classmethod
    def of(cls, game: Game) -> ContestRules:
        """The rules of a game in which the dealer's hand is hidden."""
        return cls(game.id == "commission-free-fortune", game.id == "six-card-fortune")

    @property
    def high_breaks(self) -> tuple[int, ...]:
        """High values at which a rule tells the dealer's hands apart."""
        return (PAIR_OF_EIGHTS,) if self.doubles else ()

    @property
    def low_breaks(self) -> tuple[int, ...]:
        """Low ranks at which a rule tells the dealer's hands apart."""
        return (NINE_HIGH_LOWS.start, NINE_HIGH_LOWS.stop) if self.nine_high_pushes else ()

    def main(self, setting: PlayerSetting, breaks: Breaks) -> Ints:
        """The outcome of the main wager in every cell: 1 won, 0 pushed, -1 lost; a copy goes to the dealer."""
        import numpy as np

        row, column = breaks.below_high(setting.high_value), breaks.below_low(setting.low_rank)
        outcomes = np.zeros(breaks.shape, np.int64)
        outcomes[:row, :column] = 1
        outcomes[row:, column:] = -1
        if self.nine_high_pushes:
            outcomes[:, breaks.below_low(NINE_HIGH_LOWS.start) : breaks.below_low(NINE_HIGH_LOWS.stop)] = 0
        return outcomes

    def double_down(self, setting: PlayerSetting, breaks: Breaks) -> Ints:
        """The outcome of the double down: that of the main wager where the dealer qualifies, else a push."""
        assert self.doubles, "the game has a double down"
        outcomes = self.main(setting, breaks)
        outcomes[: breaks.below_high(PAIR_OF_EIGHTS)] = 0
        return outcomes
