"""Placeholder until the table look-ups are written: the reference with a cache, so that others can build on it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from houseway.ranking import reference
from houseway.ranking.hands import HAND_NAMES
from houseway.ranking.reference import PAI_GOW, Ranking

_BIT = {name: 1 << index for index, name in enumerate(HAND_NAMES)}


@lru_cache(maxsize=1 << 16)
def _value(cards: tuple[int, ...], ranking: Ranking) -> int:
    return reference.value_of_best(cards, ranking)


def value_of_best(cards: Sequence[int], ranking: Ranking = PAI_GOW) -> int:
    """Value of the best five."""
    return _value(tuple(cards), ranking)


def names_mask(cards: Sequence[int], ranking: Ranking = PAI_GOW) -> int:
    """Mask of fitted names."""
    return sum(_BIT[name] for name in reference.names_fitted(cards, ranking))


@lru_cache(maxsize=None)
def names_of_mask(mask: int) -> frozenset[str]:
    """Names of a mask."""
    return frozenset(name for name in HAND_NAMES if mask & _BIT[name])
