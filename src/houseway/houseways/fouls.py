"""Fouls: when the two hands of a setting stand in the wrong order.

The six-card rule is that of the 6 Card Fortune Pai Gow Poker rule sheet: the high hand ranks above the low card, and an
ace-high hand over an ace or the joker is not a foul. The seven-card rule is the standard one of the base game: the
five-card hand may not rank below the two-card hand. Both take the values of `houseway.ranking`.
"""

from __future__ import annotations

from houseway.ranking.hand_names import CATEGORY_SHIFT, Category


def is_fouled_six(high_value: int, low_value: int) -> bool:
    """Whether a five-card hand lies below a one-card low hand.

    Only a hand without a pair can: its top card (the joker is an ace) is then lower than the low card.
    """
    if high_value >> CATEGORY_SHIFT > Category.HIGH_CARD:
        return False
    return (high_value >> 16) & 15 < low_value >> 4


def is_fouled_seven(high_value: int, low_value: int) -> bool:
    """Whether a five-card hand ranks below a two-card low hand.

    Pair or no pair is compared first, then the ranks in order. A five-card hand that is equal as far as two cards go is
    not below: its other cards count for it.
    """
    category = high_value >> CATEGORY_SHIFT
    low_is_pair = low_value >> 8
    if category > Category.PAIR or category > low_is_pair:
        return False
    if category < low_is_pair:
        return True
    if low_is_pair:
        return (high_value >> 16) & 15 < (low_value >> 4) & 15
    return (high_value >> 12) & 255 < low_value & 255


def is_fouled(high_value: int, low_value: int, low_cards: int) -> bool:
    """The foul of the game whose low hand has one card, or two."""
    return is_fouled_six(high_value, low_value) if low_cards == 1 else is_fouled_seven(high_value, low_value)
