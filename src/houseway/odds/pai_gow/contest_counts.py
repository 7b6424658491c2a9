"""The main wager of a Pai Gow game when player and dealer both set by a house way, counted over every deal.

>>> result = Outcomes(win=2, push=3, lose=4)
>>> result.total, result.edge(), result.edge(Fraction(5, 100))
(9, Fraction(2, 9), Fraction(7, 30))
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb

from houseway.houseways.way import HouseWay
from houseway.odds.pai_gow.disjoint_pairs import Progress, count_pairs
from houseway.odds.pai_gow.layouts import DECK, lay_every_hand, number_highs
from houseway.ranking.reference import PAI_GOW, Ranking


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


def way_against_way(
    player: HouseWay,
    dealer: HouseWay,
    ranking: Ranking = PAI_GOW,
    *,
    threads: int = 2,
    progress: Progress | None = None,
) -> Outcomes:
    """Count every deal of a player's and a dealer's hand, both set by their ways; copies go to the dealer."""
    assert player.cards == dealer.cards, "both sides play the same game"
    of_player = lay_every_hand(player, ranking, of_player=True, threads=threads)
    # Only in the six-card game does it matter whose joker it is.
    shared = player.fingerprint == dealer.fingerprint and player.cards == 7
    of_dealer = of_player if shared else lay_every_hand(dealer, ranking, of_player=False, threads=threads)
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
