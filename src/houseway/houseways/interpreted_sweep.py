"""The sweep of a house way for machines without compiled kernels: the readable interpreter on every suit class.

As complete as the compiled sweeps, since a way treats hands that differ only by the names of suits alike, but slow:
expect a minute for six cards, and ten minutes or more for seven.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from math import comb, factorial
from typing import Final

from houseway.cards.card import JOKER
from houseway.houseways.interpret import Status
from houseway.houseways.sweep_findings import EXAMPLES, Progress, SweepFinding
from houseway.houseways.way import HouseWay
from houseway.ranking.reference import Ranking

_PROGRESS_EVERY: Final = 10_000
_SAMPLE: Final = 251
_ALL_RANKS: Final = (1 << 13) - 1


def sweep_by_interpreter(
    way: HouseWay, ranking: Ranking, progress: Progress | None = None, *, stop_at_problem: bool = False
) -> list[SweepFinding]:
    """Set one hand of every suit class and count it for all hands of the class.

    With `stop_at_problem` the sweep ends at the first hand that the way does not set.
    """
    return _swept(way, ranking, suit_class_hands(way.cards), progress, stop_at_problem)


def sample_by_interpreter(way: HouseWay, ranking: Ranking) -> list[SweepFinding]:
    """Set some hundred hands from all over the domain until one fails: a slip that is not rare shows at once."""
    return _swept(way, ranking, spread_hands(way.cards, _SAMPLE), None, True)


def _swept(
    way: HouseWay,
    ranking: Ranking,
    weighted_hands: Iterable[tuple[tuple[int, ...], int]],
    progress: Progress | None,
    stop_at_problem: bool,
) -> list[SweepFinding]:
    """Set the hands and count them with their weights."""
    questions = {question.id: place for place, question in enumerate(way.questions)}
    rules = {rule.id: place for place, rule in enumerate(way.rules)}
    hands: dict[tuple[Status, int | None, tuple[int, ...]], int] = {}
    examples: dict[tuple[Status, int | None, tuple[int, ...]], list[tuple[int, ...]]] = {}
    done = 0
    for number, (cards, weight) in enumerate(weighted_hands, start=1):
        outcome = way.outcome(cards, ranking)
        question = questions[outcome.question.id] if outcome.question else None
        # Of many rules that hold, two are enough to find the slip.
        place = (outcome.status, question, tuple(rules[rule.id] for rule in outcome.rules[:2]))
        hands[place] = hands.get(place, 0) + weight
        if outcome.status is not Status.SET and len(examples.setdefault(place, [])) < EXAMPLES:
            examples[place].append(cards)
        if stop_at_problem and outcome.status is not Status.SET:
            break
        done += weight
        if progress is not None and number % _PROGRESS_EVERY == 0:
            progress(done, comb(53, way.cards))
    return [
        SweepFinding(*place, hands[place], tuple(examples.get(place, ())))
        for place in sorted(hands, key=lambda place: (place[0], place[1] or 0, place[2]))
    ]


def spread_hands(size: int, count: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Hands at equal distances in the combinatorial order of the 53-card deck, each for itself.

    >>> list(spread_hands(2, 3))
    [((1, 0), 1), ((30, 24), 1), ((43, 15), 1)]
    """
    for number in range(count):
        position, cards = comb(53, size) * number // count, []
        for left in range(size, 0, -1):
            card = next(card for card in range(52, -1, -1) if comb(card, left) <= position)
            position -= comb(card, left)
            cards.append(card)
        yield tuple(cards), 1


def suit_class_hands(size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """One hand of every suit class of the 53-card deck, with the number of hands in the class.

    >>> sum(1 for _ in suit_class_hands(3)), sum(weight for _, weight in suit_class_hands(3)) == comb(53, 3)
    (1924, True)
    """
    for joker, naturals in (((), size), ((int(JOKER),), size - 1)):
        for suits in _ordered_suits(naturals, 4, _ALL_RANKS):
            cards = [rank * 4 + suit for suit, ranks in enumerate(suits) for rank in range(13) if ranks >> rank & 1]
            yield (*joker, *cards), _orders(suits)


def _ordered_suits(cards: int, suits: int, most: int) -> Iterator[tuple[int, ...]]:
    """Every choice of rank masks for that many suits, the first the largest, that hold that many cards in all."""
    if suits == 0:
        if cards == 0:
            yield ()
        return
    for mask in _masks_with_at_most(cards):
        if mask > most:
            return
        for rest in _ordered_suits(cards - mask.bit_count(), suits - 1, mask):
            yield mask, *rest


@cache
def _masks_with_at_most(cards: int) -> tuple[int, ...]:
    return tuple(mask for mask in range(_ALL_RANKS + 1) if mask.bit_count() <= cards)


def _orders(suits: tuple[int, ...]) -> int:
    """How many different hands come of giving the four rank masks to the four suits."""
    orders = factorial(4)
    for mask in set(suits):
        orders //= factorial(suits.count(mask))
    return orders
