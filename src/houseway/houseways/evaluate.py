"""Three ways to answer what settlement asks of cards: the reference, the shipped tables, the compiled kernels.

All three give the same answers; tests compare them with each other. The tables are the choice for a single round, the
kernels for many: their first call loads or compiles machine code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from houseway.houseways.way import HouseWay, Split
from houseway.ranking import fast, reference
from houseway.ranking.reference import Ranking

if TYPE_CHECKING:
    from houseway.houseways.appraise import Appraisals
    from houseway.houseways.compiled import CompiledWay
    from houseway.houseways.way_kernels import Ints
    from houseway.ranking.rank_kernels import Hands


class Evaluator(Protocol):
    """What settlement needs to know about cards."""

    def value_of_best(self, cards: Sequence[int], ranking: Ranking) -> int:
        """The value of the best five of five, six or seven cards."""
        ...

    def names_fitted(self, cards: Sequence[int], ranking: Ranking) -> frozenset[str]:
        """Every hand name that the cards fit."""
        ...

    def split(self, way: HouseWay, cards: Sequence[int], ranking: Ranking) -> Split:
        """The low hand that a house way takes out of the cards, and the rule."""
        ...


class ReferenceEvaluator:
    """The readable reference throughout; slow, and the measure of the others."""

    def value_of_best(self, cards: Sequence[int], ranking: Ranking) -> int:
        """The value of the best five of five, six or seven cards."""
        return reference.value_of_best(cards, ranking)

    def names_fitted(self, cards: Sequence[int], ranking: Ranking) -> frozenset[str]:
        """Every hand name that the cards fit."""
        return reference.names_fitted(cards, ranking)

    def split(self, way: HouseWay, cards: Sequence[int], ranking: Ranking) -> Split:
        """The low hand that a house way takes out of the cards, and the rule."""
        return way.split(cards, ranking, reference.value_of_best)


class TableEvaluator:
    """Look-ups in the shipped tables; needs neither numpy nor numba."""

    def value_of_best(self, cards: Sequence[int], ranking: Ranking) -> int:
        """The value of the best five of five, six or seven cards."""
        return fast.value_of_best(cards, ranking)

    def names_fitted(self, cards: Sequence[int], ranking: Ranking) -> frozenset[str]:
        """Every hand name that the cards fit."""
        return fast.names_of_mask(fast.names_mask(cards, ranking))

    def split(self, way: HouseWay, cards: Sequence[int], ranking: Ranking) -> Split:
        """The low hand that a house way takes out of the cards, and the rule."""
        return way.split(cards, ranking)


class KernelEvaluator(TableEvaluator):
    """Hands set by the compiled interpreter; ranking one hand is as quick by the tables.

    MissingPartError without the `kernels` extra.
    """

    def __init__(self) -> None:
        """Load the kernels; a way is made ready for them when it is first used."""
        from houseway.houseways.compiled import CompiledWay

        self._compile = CompiledWay
        self._compiled: dict[str, CompiledWay] = {}

    def split(self, way: HouseWay, cards: Sequence[int], ranking: Ranking) -> Split:
        """The low hand that a house way takes out of the cards, and the rule."""
        return self._ready(way).split(cards, ranking)

    def appraise(
        self,
        way: HouseWay | None,
        hands: Sequence[Sequence[int]],
        lows: Sequence[Sequence[int] | None],
        low_cards: int,
        ranking: Ranking,
    ) -> tuple[Appraisals, Sequence[str]]:
        """Many hands of one size in one call, and the ids of the way's rules."""
        from houseway.houseways.appraise import appraise_hands

        if way is None:
            return appraise_hands(hands, lows, low_cards, None, ranking), ()
        ready = self._ready(way)
        return appraise_hands(hands, lows, low_cards, ready.program, ranking), ready.rule_ids

    def appraise_rows(self, way: HouseWay | None, hands: Hands, lows: Hands, ranking: Ranking) -> Ints:
        """`appraise` for hands in the rows of an array, which come back in the order of `Appraisals.cards`."""
        from houseway.houseways.appraise import appraise_rows

        return appraise_rows(hands, lows, None if way is None else self._ready(way).program, ranking)

    def rule_ids(self, way: HouseWay) -> Sequence[str]:
        """The ids of a way's rules, by their numbers in what `appraise` packs."""
        return self._ready(way).rule_ids

    def _ready(self, way: HouseWay) -> CompiledWay:
        compiled = self._compiled.get(way.fingerprint)
        if compiled is None:
            compiled = self._compiled[way.fingerprint] = self._compile(way)
        return compiled
