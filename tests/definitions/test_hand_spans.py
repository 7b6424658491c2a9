"""Hands in words against the reference order, over whole domains."""

from __future__ import annotations

from itertools import combinations

import pytest

from houseway.definitions import low_ranks_of, low_values, span_of
from houseway.odds.pai_gow.splits import low_rank_of
from houseway.ranking.hand_names import HIGH_NAMES, RANK_PLURALS, describe_low, describe_value, name_of_low
from houseway.ranking.reference import PAI_GOW, value_of_five, value_of_one, value_of_two

FIVES = [value_of_five(five, PAI_GOW) for five in combinations(range(0, 53, 2), 5)]
TWOS = sorted({value_of_two(two) for two in combinations(range(53), 2)})


@pytest.mark.parametrize("rank", range(5, 13))
def test_hands_of_less_than_a_pair_by_their_top_card(rank: int) -> None:
    span = span_of(HIGH_NAMES[rank])
    assert {value for value in FIVES if value in span} == {
        value for value in FIVES if describe_value(value) == HIGH_NAMES[rank]
    }


@pytest.mark.parametrize("rank", range(13))
def test_pairs_by_their_rank_and_better(rank: int) -> None:
    name = f"pair of {RANK_PLURALS[rank]}"
    assert {value for value in FIVES if value in span_of(name)} == {v for v in FIVES if describe_value(v) == name}
    assert {value for value in TWOS if value in span_of(name, 2)} == {v for v in TWOS if describe_low(v) == name}
    least = span_of(name).start
    assert all((value in span_of(f"{name} or better")) == (value >= least) for value in FIVES)


def test_low_hands_of_two_cards_and_one() -> None:
    for rank, name in enumerate(HIGH_NAMES):
        assert {v for v in TWOS if v in span_of(name, 2)} == {v for v in TWOS if name_of_low(v) == name}
        assert value_of_one(rank * 4) in span_of(name, 1)
    assert list(low_values(2)) == TWOS
    for two in combinations(range(53), 2):
        value = value_of_two(two)
        assert low_values(2)[low_rank_of(two)] == value
        assert (value in span_of("nine-high", 2)) == (low_rank_of(two) in low_ranks_of(span_of("nine-high", 2), 2))


def test_two_top_cards_and_whole_kinds() -> None:
    ace_king = [value for value in FIVES if value in span_of("ace-king or better")]
    assert min(ace_king) >> 12 == (12 << 4) + 11
    assert all(value < 1 << 20 for value in FIVES if value in span_of("less than a pair"))
    for text in ("pair", "two pair", "three of a kind", "straight", "flush", "full house"):
        assert {v >> 20 for v in FIVES if v in span_of(text)} == {span_of(text).start >> 20}
    assert span_of("three nines").start == (3 << 20) + (7 << 16)
    assert span_of("two pair, queens").start == (2 << 20) + (10 << 16)


@pytest.mark.parametrize(
    ("text", "cards"),
    [("", 5), ("king-ace", 5), ("pair of elevens", 5), ("pair", 1), ("nine-eight-seven", 2), ("nines", 5)],
)
def test_what_names_no_hands_is_refused(text: str, cards: int) -> None:
    with pytest.raises(ValueError, match=f"^{text}$"):
        span_of(text, cards)
