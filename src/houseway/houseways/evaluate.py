"""Three ways to answer what settlement asks of cards, proven equal: reference, table look-ups, numba kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from houseway.houseways.way import HouseWay, Split
from houseway.ranking import fast, reference
from houseway.ranking.reference import Ranking


class Evaluator(Protocol):
    """What settlement needs to know about cards."""

    def value_of_best(self, cards: Sequence[int], ranking: Ranking) -> int:
        """The value of the best five of five, six or seven cards."""
        ...

    def names_fitted(self, cards: Sequence[int], ranking: Ranking) -> frozenset[str]:
        """Every hand name that the cards fit."""
        ...

    def split(self, way: HouseWay, cards: Sequence[int], ranking: Ranking) -> Split:
        """How a house way splits the cards."""
        ...


class ReferenceEvaluator:
    """The readable reference; slow."""

    def value_of_best(self, cards: Sequence[int], ranking: Ranking) -> int:
        """The value of the best five of five, six or seven cards."""
        return reference.value_of_best(cards, ranking)

    def names_fitted(self, cards: Sequence[int], ranking: Ranking) -> frozenset[str]:
        """Every hand name that the cards fit."""
        return reference.names_fitted(cards, ranking)

    def split(self, way: HouseWay, cards: Sequence[int], ranking: Ranking) -> Split:
        """How a house way splits the cards."""
        return way.split(cards, ranking)


class TableEvaluator:
    """Look-ups in the shipped tables; needs neither numpy nor numba."""

    def value_of_best(self, cards: Sequence[int], ranking: Ranking) -> int:
        """The value of the best five of five, six or seven cards."""
        return fast.value_of_best(cards, ranking)

    def names_fitted(self, cards: Sequence[int], ranking: Ranking) -> frozenset[str]:
        """Every hand name that the cards fit."""
        return fast.names_of_mask(fast.names_mask(cards, ranking))

    def split(self, way: HouseWay, cards: Sequence[int], ranking: Ranking) -> Split:
        """How a house way splits the cards."""
        return way.split(cards, ranking)
