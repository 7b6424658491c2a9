"""What becomes of a player's setting against each kind of dealer hand, as far as the settings tell them apart.

The dealer's hands fall into cells: between which of the players' high hands a high hand lies, and between which of
their low hands the low hand. In every cell a setting wins, pushes or loses for certain.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from houseway.definitions import Game, HandSpan, low_ranks_of
from houseway.odds.pai_gow.split_games import check_split_contest
from houseway.odds.pai_gow.splits import PlayerSetting

if TYPE_CHECKING:
    from houseway.odds.pai_gow.layouts import Ints


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
class CellRules:
    """What a game adds to the contest of two hands, in values and ranks: dealer hands that push, and a raise.

    The contest itself, high hand against high hand and low against low with copies to the dealer, is that of every game
    in which hands are split.
    """

    high_push: HandSpan | None = None
    """The dealer's high hands that push."""
    low_push: range | None = None
    """The ranks of the dealer's low hands that push."""
    qualifier: int | None = None
    """The least high hand with which the dealer qualifies for a raise; None in a game without one."""

    @classmethod
    def of(cls, game: Game) -> CellRules:
        """The rules of a game in which hands are split; MissingPartError for a contest that is not counted."""
        check_split_contest(game)
        contest = game.contest
        push, qualifier = contest.dealer_push, contest.qualifier if game.raise_wager else None
        is_low = push is not None and push.part == "low"
        return cls(
            high_push=None if push is None or is_low else push.hands,
            low_push=low_ranks_of(push.hands, game.low_cards) if push is not None and is_low else None,
            qualifier=None if qualifier is None else qualifier.hands.start,
        )

    @property
    def doubles(self) -> bool:
        """Whether the game has a raise."""
        return self.qualifier is not None

    @property
    def high_breaks(self) -> tuple[int, ...]:
        """High values at which a rule tells the dealer's hands apart."""
        pushing = () if self.high_push is None else (self.high_push.start, self.high_push.stop)
        return pushing if self.qualifier is None else (*pushing, self.qualifier)

    @property
    def low_breaks(self) -> tuple[int, ...]:
        """Low ranks at which a rule tells the dealer's hands apart."""
        return () if self.low_push is None else (self.low_push.start, self.low_push.stop)

    def main(self, setting: PlayerSetting, breaks: Breaks) -> Ints:
        """The outcome of the main wager in every cell: 1 won, 0 pushed, -1 lost; a copy goes to the dealer."""
        import numpy as np

        row, column = breaks.below_high(setting.high_value), breaks.below_low(setting.low_rank)
        outcomes = np.zeros(breaks.shape, np.int64)
        outcomes[:row, :column] = 1
        outcomes[row:, column:] = -1
        if self.low_push is not None:
            outcomes[:, breaks.below_low(self.low_push.start) : breaks.below_low(self.low_push.stop)] = 0
        if self.high_push is not None:
            outcomes[breaks.below_high(self.high_push.start) : breaks.below_high(self.high_push.stop)] = 0
        return outcomes

    def raised(self, setting: PlayerSetting, breaks: Breaks) -> Ints:
        """The outcome of the raise: that of the main wager where the dealer qualifies, else a push."""
        assert self.qualifier is not None, "the game has a raise"
        outcomes = self.main(setting, breaks)
        outcomes[: breaks.below_high(self.qualifier)] = 0
        return outcomes
