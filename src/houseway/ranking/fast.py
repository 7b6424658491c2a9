"""Ranking by the shipped tables in plain Python: a few look-ups a hand, no numpy, the same results as the reference.

For one hand at a time. Sweeps over many hands belong to `houseway.ranking.rank_kernels`.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from houseway.ranking.hand_names import HAND_NAMES, HIGH_NAMES, ROYAL_FLUSH_ROYAL_MATCH
from houseway.ranking.rank_tables import (
    FLUSH_BIAS,
    FLUSH_BITS,
    KING_AND_QUEEN,
    LANE_BITS,
    LANE_MASK,
    NATURAL_LANES,
    RANK_MASK,
    ROW_SHIFT,
    SUIT_COUNT_SHIFT,
    load_tables,
)
from houseway.ranking.reference import JOKER_INDEX, PAI_GOW, Ranking

HIGH_NAME_BITS: Final = sum(1 << HAND_NAMES.index(name) for name in HIGH_NAMES)
"""The names of hands that are nothing better; in a names mask they never stand beside another name."""
ROYAL_FLUSH_BIT: Final = 1 << HAND_NAMES.index("royal-flush")
ROYAL_MATCH_BIT: Final = 1 << HAND_NAMES.index(ROYAL_FLUSH_ROYAL_MATCH)

_LANE_OF_FLUSH_BIT: Final = {8 << SUIT_COUNT_SHIFT + 4 * suit: LANE_BITS * suit for suit in range(4)}
_ROYAL_MATCHES: Final = frozenset(KING_AND_QUEEN << LANE_BITS * suit for suit in range(4))


class _Lookups(NamedTuple):
    """The tables of one declared order, the smallest as lists, which are the quickest to index."""

    card_keys: list[int]
    row_offsets: array[int]
    entries: array[int]
    values: array[int]
    card_masks: list[int]
    flush_entries: array[int]
    names: array[int]


def value_of_best(cards: Sequence[int], ranking: Ranking = PAI_GOW) -> int:
    """The value of the best five of five, six or seven different cards; equal to `reference.value_of_best`.

    >>> from houseway.cards import parse_cards
    >>> from houseway.ranking.hand_names import describe_value
    >>> describe_value(value_of_best(parse_cards("Ks Kd Kc 5h 5s Jk 2d")))
    'full house, kings over fives'
    """
    assert 5 <= len(cards) <= 7
    assert ranking.joker or JOKER_INDEX not in cards, f"the {ranking.id} order has no joker"
    card_keys, row_offsets, entries, values, card_masks, flush_entries, _ = _lookups(ranking.wheel)
    key = 0
    for card in cards:
        key += card_keys[card]
    rank_sum = key & RANK_MASK
    value = values[entries[rank_sum + row_offsets[rank_sum >> ROW_SHIFT]]]
    flush_bit = (key + FLUSH_BIAS) & FLUSH_BITS
    if flush_bit:
        masks = _joined_masks(cards, card_masks)
        return max(value, values[flush_entries[masks >> _LANE_OF_FLUSH_BIT[flush_bit] & LANE_MASK]])
    return value


def names_mask(cards: Sequence[int], ranking: Ranking = PAI_GOW) -> int:
    """The names that the cards fit, one bit a name in the order of HAND_NAMES; `names_of_mask` spells them out."""
    assert 5 <= len(cards) <= 7
    assert ranking.joker or JOKER_INDEX not in cards, f"the {ranking.id} order has no joker"
    card_keys, row_offsets, entries, _, card_masks, flush_entries, names_of_entry = _lookups(ranking.wheel)
    key = 0
    for card in cards:
        key += card_keys[card]
    rank_sum = key & RANK_MASK
    names = names_of_entry[entries[rank_sum + row_offsets[rank_sum >> ROW_SHIFT]]]
    flush_bit = (key + FLUSH_BIAS) & FLUSH_BITS
    if flush_bit:
        masks = _joined_masks(cards, card_masks)
        lane = _LANE_OF_FLUSH_BIT[flush_bit]
        names = names & ~HIGH_NAME_BITS | names_of_entry[flush_entries[masks >> lane & LANE_MASK]]
        # The two cards beside a royal of five cards, the joker among these or not.
        if names & ROYAL_FLUSH_BIT and masks & NATURAL_LANES & ~(LANE_MASK << lane) in _ROYAL_MATCHES:
            names |= ROYAL_MATCH_BIT
    return names


def _joined_masks(cards: Sequence[int], card_masks: list[int]) -> int:
    masks = 0
    for card in cards:
        masks |= card_masks[card]
    return masks


@cache
def names_of_mask(mask: int) -> frozenset[str]:
    """The hand names of a names mask.

    >>> from houseway.cards import parse_cards
    >>> sorted(names_of_mask(names_mask(parse_cards("9s 9d 9c 8h 7s 6d 5c"))))
    ['pair', 'straight', 'three-of-a-kind']
    """
    return frozenset(name for place, name in enumerate(HAND_NAMES) if mask >> place & 1)


def mask_of_names(names: frozenset[str]) -> int:
    """The names mask of hand names."""
    return sum(1 << HAND_NAMES.index(name) for name in names)


@cache
def _lookups(wheel: str) -> _Lookups:
    tables = load_tables()
    return _Lookups(
        list(tables.card_keys),
        tables.row_offsets,
        tables.entries,
        tables.values_wheel_second if wheel == "second" else tables.values_wheel_lowest,
        list(tables.card_masks),
        tables.flush_entries,
        tables.names,
    )
