"""The upper tail of the chi-square distribution, and the statistics that the tests of the shuffle are made of.

Each statistic is scaled so that under a fair shuffle it has the chi-square distribution with the stated degrees of
freedom; the functions return its upper tail. A small value means too uneven to be chance, one near 1 too even.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

ROUNDING = 1e-15


def upper_tail(statistic: float, freedom: float) -> float:
    """The chance of a chi-square value of at least this size: the regularized upper incomplete gamma function.

    By its power series below the mean and by its continued fraction (evaluated from the front, after Lentz) above.

    >>> round(upper_tail(3.841459, 1), 6), round(upper_tail(310.457388, 255), 6)
    (0.05, 0.01)
    """
    shape, point = freedom / 2, statistic / 2
    if point <= 0:
        return 1.0
    front = math.exp(shape * math.log(point) - point - math.lgamma(shape))
    if point < shape + 1:
        term = total = 1 / shape
        step = shape
        while term > total * ROUNDING:
            step += 1
            term *= point / step
            total += term
        return 1 - front * total
    base = point + 1 - shape
    numerator, denominator = 1e300, 1 / base
    fraction = denominator
    for turn in range(1, 100_000):
        factor = -turn * (turn - shape)
        base += 2
        denominator = 1 / (factor * denominator + base)
        numerator = base + factor / numerator
        fraction *= numerator * denominator
        if abs(numerator * denominator - 1) < ROUNDING:
            break
    return front * fraction


def goodness_of_fit(observed: Sequence[int], expected: Sequence[float]) -> float:
    """Pearson's test of counts against a known distribution."""
    statistic = sum((seen - due) ** 2 / due for seen, due in zip(observed, expected, strict=True))
    return upper_tail(statistic, len(observed) - 1)


def evenness(draws: Iterable[int], cells: int) -> float:
    """Independent numbers from 0 to cells - 1: is each as frequent as the others?"""
    counts = Counter(draws)
    return goodness_of_fit([counts[cell] for cell in range(cells)], [counts.total() / cells] * cells)


def card_by_place(decks: Sequence[Sequence[int]]) -> float:
    """Is every card equally often in every place of the deck?

    Each deck fills one cell in each row and column of the table, so (n - 1)^2 degrees are free; cells are less spread
    than in a table without this constraint, which the factor (n - 1) / n takes out.
    """
    size = len(decks[0])
    due = len(decks) / size
    columns = [Counter(column) for column in zip(*decks, strict=True)]
    statistic = sum((column[card] - due) ** 2 / due for column in columns for card in range(size))
    return upper_tail(statistic * (size - 1) / size, (size - 1) ** 2)


def follower(decks: Sequence[Sequence[int]]) -> float:
    """Is every card equally often followed by every other (the last by the first)?

    A fair deck read in a circle is a uniform cycle of n cards: n(n - 1) cells, of which the n row sums and n column
    sums (one of them implied) are fixed. The statistic's mean is exactly n(n - 2); it is scaled to the degrees of
    freedom.
    """
    size = len(decks[0])
    due = len(decks) / (size - 1)
    pairs: Counter[int] = Counter()
    for deck in decks:
        pairs.update([first * size + second for first, second in zip(deck, [*deck[1:], deck[0]], strict=True)])
    statistic = sum(
        (pairs[one * size + two] - due) ** 2 / due for one in range(size) for two in range(size) if one != two
    )
    freedom = size * size - 3 * size + 1
    return upper_tail(statistic * freedom / (size * (size - 2)), freedom)


def cards_of_packets(packets: Sequence[Sequence[int]], deck_size: int) -> float:
    """Is every card equally often in the packet? The packet's fixed number of cards is scaled out as above."""
    share = len(packets[0]) / deck_size
    counts = Counter(card for packet in packets for card in packet)
    spread = len(packets) * share * (1 - share)
    statistic = sum((counts[card] - len(packets) * share) ** 2 / spread for card in range(deck_size))
    return upper_tail(statistic * (deck_size - 1) / deck_size, deck_size - 1)


def ranks_of_packets(packets: Sequence[Sequence[int]], deck_size: int) -> float:
    """Does the packet have as many different ranks as often as it should (the joker counts as a rank of its own)?"""
    chances = distinct_rank_chances(len(packets[0]), deck_size)
    counts = Counter(len({card // 4 for card in packet}) for packet in packets)
    observed, expected = [0], [0.0]
    for ranks, chance in sorted(chances.items()):
        observed[-1] += counts[ranks]
        expected[-1] += chance * len(packets)
        if expected[-1] >= 5:  # rarer cells are pooled with the next: Pearson's test needs about five in each
            observed.append(0)
            expected.append(0.0)
    observed[-2:] = [sum(observed[-2:])]
    expected[-2:] = [sum(expected[-2:])]
    return goodness_of_fit(observed, expected)


def distinct_rank_chances(packet_size: int, deck_size: int) -> dict[int, float]:
    """The chance of each number of different ranks in a packet, counted rank by rank.

    >>> round(distinct_rank_chances(2, 52)[1] * 17, 9)  # a pair of two cards: 3/51
    1.0
    """
    ways = {(0, 0): 1}
    for copies in [4] * (deck_size // 4) + [1] * (deck_size % 4):
        grown: Counter[tuple[int, int]] = Counter()
        for (cards, ranks), number in ways.items():
            for taken in range(copies + 1):
                grown[cards + taken, ranks + (taken > 0)] += number * math.comb(copies, taken)
        ways = dict(grown)
    return {
        ranks: number / math.comb(deck_size, packet_size)
        for (cards, ranks), number in ways.items()
        if cards == packet_size
    }
