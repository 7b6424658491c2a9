"""The main wager of a Pai Gow game when player and dealer both set by a house way, counted over every deal.

>>> result = Outcomes(win=2, push=3, lose=4)
>>> result.total, result.edge(), result.edge(Fraction(5, 100))
(9, Fraction(2, 9), Fraction(7, 30))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb
from typing import Final, Literal

from houseway.houseways.way import HouseWay
from houseway.odds.pai_gow.layouts import DECK, Layout, Lows, lay_every_hand, number_highs
from houseway.odds.pai_gow.pairs import NO_CONTEST, Progress, count_pairs
from houseway.ranking.reference import PAI_GOW, Ranking

import numpy as np  # isort: skip  (after the check for the optional part in `jit`)

DealerPush = Literal["nine-high low", "ace-high"]


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How many deals the player wins, pushes and loses."""

    win: int
    push: int
    lose: int

    @property
    def total(self) -> int:
        """The number of all deals."""
        return self.win + self.push + self.lose

    def edge(self, commission: Fraction = Fraction(0)) -> Fraction:
        """What the house keeps of a main wager at even money, less a commission on wins."""
        return (self.lose - self.win * (1 - commission)) / Fraction(self.total)


def _nine_high_low(layout: Layout) -> Lows:
    """The low ranks with every nine-high low hand out of the contest: 9-2 to 9-8 are the ranks 21 to 27."""
    lows = layout.low_ranks
    return np.where((lows >= 21) & (lows <= 27), np.uint8(NO_CONTEST), lows)


def _ace_high(layout: Layout) -> Lows:
    """The low ranks with every ace-high dealer hand out of the contest."""
    return np.where(layout.high_values >> 16 == 12, np.uint8(NO_CONTEST), layout.low_ranks)


_PUSHES: Final[dict[DealerPush, Callable[[Layout], Lows]]] = {"nine-high low": _nine_high_low, "ace-high": _ace_high}


def way_against_way(
    player: HouseWay,
    dealer: HouseWay,
    ranking: Ranking = PAI_GOW,
    *,
    dealer_push: DealerPush | None = None,
    threads: int = 2,
    progress: Progress | None = None,
) -> Outcomes:
    """Count every deal of a player's and a dealer's hand, both set by their ways; copies go to the dealer.

    `dealer_push` is the game's rule by which a dealer's hand pushes every main wager: `nine-high low` in the
    commission-free game, `ace-high` in Face Up.
    """
    assert player.cards == dealer.cards, "both sides play the same game"
    of_player = lay_every_hand(player, ranking, of_player=True, threads=threads)
    # Only in the six-card game does it matter whose joker it is.
    shared = player.fingerprint == dealer.fingerprint and player.cards == 7
    of_dealer = of_player if shared else lay_every_hand(dealer, ranking, of_player=False, threads=threads)
    if dealer_push is not None:
        of_dealer = replace(of_dealer, low_ranks=_PUSHES[dealer_push](of_dealer))
    (player_highs, dealer_highs), high_ranks = number_highs([of_player, of_dealer])
    won, lost = count_pairs(
        player.cards,
        (player_highs, of_player.low_ranks),
        (dealer_highs, of_dealer.low_ranks),
        high_ranks,
        threads=threads,
        progress=progress,
    )
    deals = comb(DECK, player.cards) * comb(DECK - player.cards, player.cards)
    return Outcomes(won, deals - won - lost, lost)
