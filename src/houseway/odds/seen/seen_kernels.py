"""The kernel behind Six Card Poker dealt face up: playing on against every hidden rest of the dealer's hand."""

from __future__ import annotations

from houseway.odds.pai_gow.layouts import Ints
from houseway.ranking.jit import njit
from houseway.ranking.rank_kernels import CARD_KEYS, CARD_MASKS, WHEEL_LOWEST, value_of_sums


@njit
def play_totals(player: int, open_cards: Ints, decks: Ints, qualifying: int, totals: Ints) -> None:
    """What ante and play gain together over all dealer hands, for every deck of hidden cards, one a row.

    `player` is the value of the player's hand, `qualifying` the value from which the dealer's hand plays the ante.
    """
    open_key = open_masks = 0
    for place in range(len(open_cards)):
        open_key += CARD_KEYS[open_cards[place]]
        open_masks |= CARD_MASKS[open_cards[place]]
    for row in range(len(decks)):
        deck = decks[row]
        total = 0
        for first in range(2, len(deck)):
            first_key, first_masks = open_key + CARD_KEYS[deck[first]], open_masks | CARD_MASKS[deck[first]]
            for second in range(1, first):
                key, masks = first_key + CARD_KEYS[deck[second]], first_masks | CARD_MASKS[deck[second]]
                for third in range(second):
                    dealer = value_of_sums(key + CARD_KEYS[deck[third]], masks | CARD_MASKS[deck[third]], WHEEL_LOWEST)
                    wagers = 1 + (dealer >= qualifying)
                    total += wagers * ((player > dealer) - (player < dealer))
        totals[row] = total
