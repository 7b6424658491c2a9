"""The reference order, point by point as the sheets and the decisions on them put it."""

from __future__ import annotations

from itertools import pairwise

import pytest

from houseway.cards import parse_cards
from houseway.errors import InputError
from houseway.ranking.hand_names import Category, describe_low, describe_value
from houseway.ranking.reference import (
    PAI_GOW,
    PAI_GOW_LOW_WHEEL,
    RANKINGS,
    STANDARD,
    Ranking,
    best_five,
    check_rankable,
    names_fitted,
    value_of_best,
    value_of_five,
    value_of_one,
    value_of_two,
)

HIGHEST_FIRST = (
    "As Ad Ac Ah Jk",
    "Ts Js Qs Ks As",
    "9s Ts Js Qs Ks",
    "2s 2d 2c 2h 3s",
    "2s 2d 2c 3h 3s",
    "2s 3s 4s 5s 7s",
    "2s 3d 4c 5h 6s",
    "2s 2d 2c 3h 4s",
    "2s 2d 3c 3h 4s",
    "2s 2d 3c 4h 5s",
    "As Kd Qc Jh 9s",
    "Ks Qd Jc Th 8s",
)


def values(texts: tuple[str, ...], ranking: Ranking) -> list[int]:
    return [value_of_five(parse_cards(text), ranking) for text in texts]


@pytest.mark.parametrize("ranking", [PAI_GOW, PAI_GOW_LOW_WHEEL], ids=lambda ranking: ranking.id)
def test_categories_from_five_aces_down(ranking: Ranking) -> None:
    ranked = values(HIGHEST_FIRST, ranking)
    assert all(higher > lower for higher, lower in pairwise(ranked))


def test_standard_order_is_the_same_without_five_aces() -> None:
    ranked = values(HIGHEST_FIRST[1:], STANDARD)
    assert all(higher > lower for higher, lower in pairwise(ranked))


@pytest.mark.parametrize("suited", [False, True], ids=["straight", "straight-flush"])
@pytest.mark.parametrize(
    ("ranking", "wheel_place"), [(PAI_GOW, 1), (PAI_GOW_LOW_WHEEL, 9), (STANDARD, 9)], ids=lambda item: str(item)
)
def test_place_of_ace_to_five_among_the_ten_straights(ranking: Ranking, wheel_place: int, suited: bool) -> None:
    letters = "A23456789TJQKA"
    straights = [letters[start : start + 5] for start in range(9, -1, -1)]
    wheel = straights.pop()
    straights.insert(wheel_place, wheel)
    suits = "sssss" if suited else "scdhs"
    texts = tuple(" ".join(map("".join, zip(straight, suits, strict=True))) for straight in straights)
    ranked = values(texts, ranking)
    assert all(higher > lower for higher, lower in pairwise(ranked))


@pytest.mark.parametrize(
    ("with_joker", "same_as"),
    [
        ("Jk Kd Qc 9h 7s", "Ad Kd Qc 9h 7s"),  # an ace when it completes nothing
        ("Jk Kd Kc 9h 7s", "Ad Kd Kc 9h 7s"),  # never a third king
        ("Jk Ad Kc Qh Js", "Ts Ad Kc Qh Js"),
        ("Jk 2d 3c 4h 5s", "As 2d 3c 4h 5s"),  # the wheel above the six-high straight
        ("Jk Kd Qd 9d 7d", "Ad Kd Qd 9d 7d"),  # the highest rank that the suit lacks
        ("Jk Ad Kd 9d 7d", "Qd Ad Kd 9d 7d"),
        ("Jk Kd Qd Jd Td", "Ad Kd Qd Jd Td"),
        ("Jk Kd Jd Td 9d", "Qd Kd Jd Td 9d"),
        ("Jk As Ad Kc Kh", "Ac As Ad Kc Kh"),
        ("Jk As Ad Ac Kh", "Ah As Ad Ac Kh"),
    ],
)
def test_what_the_joker_stands_for(with_joker: str, same_as: str) -> None:
    assert value_of_five(parse_cards(with_joker)) == value_of_five(parse_cards(same_as))


def test_with_the_wheel_lowest_the_joker_completes_the_six_high_straight() -> None:
    hand, six_high = parse_cards("Jk 2d 3c 4h 5s"), parse_cards("2d 3c 4h 5s 6s")
    assert value_of_five(hand, PAI_GOW_LOW_WHEEL) == value_of_five(six_high, PAI_GOW_LOW_WHEEL)


def test_best_five_returns_the_cards_that_count() -> None:
    value, cards = best_five(parse_cards("Ks Kd 5c 5h 5s Jk 2d"))
    assert describe_value(value) == "full house, fives over kings"
    assert [str(card) for card in cards] == ["Ks", "Kd", "5s", "5h", "5c"]
    assert value == value_of_best(parse_cards("Ks Kd 5c 5h 5s Jk 2d"))


def test_two_card_low_hands() -> None:
    falling = ["Jk As", "Ks Kd", "2s 2d", "Jk Ks", "As Qd", "Ks Qd", "3s 2d"]
    ranked = [value_of_two(parse_cards(text)) for text in falling]
    assert all(higher > lower for higher, lower in pairwise(ranked))
    assert value_of_two(parse_cards("Jk Ks")) == value_of_two(parse_cards("Kd Ac"))
    assert [describe_low(value) for value in ranked[:4]] == [
        "pair of aces",
        "pair of kings",
        "pair of twos",
        "ace-high",
    ]


def test_one_card_low_hands() -> None:
    ranked = [value_of_one(*parse_cards(text)) for text in ("Jk", "Kd", "9c", "2s")]
    assert all(higher > lower for higher, lower in pairwise(ranked))
    assert value_of_one(*parse_cards("Jk")) == value_of_one(*parse_cards("Ac"))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ks Qd 9c 7h 5s 3d", {"king-high"}),
        ("Jk Qd 9c 7h 5s 3d", {"ace-high"}),
        ("Ks Kd 9c 7h 5s 3d", {"pair"}),
        ("As Jk 9c 7h 5s 3d", {"pair", "pair-of-aces"}),
        ("Ks Kd 9c 9h 5s 5d 2c", {"pair", "two-pair", "three-pair"}),
        ("Ks Kd Kc 9h 9s 5d 5c", {"pair", "two-pair", "three-pair", "three-of-a-kind", "full-house"}),
        ("Ks Kd Kc Kh 9s 5d 3c", {"pair", "three-of-a-kind", "four-of-a-kind"}),
        ("Ks Qs 9s 4s 2s 7d 6c", {"flush"}),
        ("6s 7s 8s 9s Ts Kd 2c", {"straight-flush", "flush", "straight"}),
        ("6s 7s 8s 9s Jk Ts Qs", {"seven-card-straight-flush-joker", "straight-flush", "flush", "straight"}),
        ("2s 3s 4s 5s 6s 8s As", {"straight-flush", "flush", "straight"}),
    ],
)
def test_names_fitted(text: str, names: set[str]) -> None:
    assert names_fitted(parse_cards(text)) == names


def test_every_order_is_listed_by_its_id() -> None:
    assert {ranking.id: ranking for ranking in (PAI_GOW, PAI_GOW_LOW_WHEEL, STANDARD)} == RANKINGS


@pytest.mark.parametrize("count", [1, 2, 5, 6, 7])
def test_hands_of_these_sizes_are_rankable(count: int) -> None:
    check_rankable(range(count), STANDARD)
    check_rankable([*range(count - 1), 52], PAI_GOW)


@pytest.mark.parametrize("count", [0, 3, 4, 8])
def test_other_sizes_are_refused(count: int) -> None:
    with pytest.raises(InputError) as refused:
        check_rankable(range(count), PAI_GOW, "hand")
    assert [(fault.code, fault.path) for fault in refused.value.faults] == [("card-count", "hand")]


def test_a_joker_is_refused_where_the_order_has_none() -> None:
    with pytest.raises(InputError) as refused:
        check_rankable([52, 1, 2, 3, 4], STANDARD)
    assert [fault.code for fault in refused.value.faults] == ["joker-not-used"]


def test_category_is_in_the_upper_bits() -> None:
    assert value_of_five(parse_cards("As Ad Ac Ah Jk")) >> 20 == Category.FIVE_ACES
