"""Fouls of both games, hand against hand."""

from __future__ import annotations

import pytest

from houseway.cards import parse_cards
from houseway.houseways import is_fouled, is_fouled_seven, is_fouled_six
from houseway.ranking.reference import value_of_five, value_of_one, value_of_two


@pytest.mark.parametrize(
    ("high", "low", "fouled"),
    [
        ("Ks Jd 9h 7c 4s", "As", True),
        ("Ks Jd 9h 7c 4s", "Jk", True),
        ("Qs Jd 9h 7c 4s", "Kd", True),
        ("Ks Jd 9h 7c 4s", "Kd", False),
        ("As Jd 9h 7c 4s", "Ad", False),
        ("As Jd 9h 7c 4s", "Jk", False),
        ("Jk Jd 9h 7c 4s", "As", False),
        ("2s 2d 9h 7c 4s", "As", False),
        ("6s 5d 4h 3c 2s", "Jk", False),
    ],
)
def test_six_card_foul(high: str, low: str, fouled: bool) -> None:
    high_value, low_value = value_of_five(parse_cards(high)), value_of_one(parse_cards(low)[0])
    assert is_fouled_six(high_value, low_value) is fouled
    assert is_fouled(high_value, low_value, 1) is fouled


@pytest.mark.parametrize(
    ("high", "low", "fouled"),
    [
        ("Ks Jd 9h 7c 4s", "2s 2d", True),
        ("9s 9d Ah 7c 4s", "Ts Td", True),
        ("9s 9d Ah 7c 4s", "9h 9c", False),
        ("9s 9d Ah 7c 4s", "8h 8c", False),
        ("As Ad 7h 5c 4s", "Jk Ac", False),
        ("Ks Kd 7h 5c 4s", "Jk Ac", True),
        ("2s 2d 3h 3c 4s", "Jk Ac", False),
        ("Ks Jd 9h 7c 4s", "As 2d", True),
        ("Ks Jd 9h 7c 4s", "Kd Qh", True),
        ("Ks Jd 9h 7c 4s", "Kd Jh", False),
        ("Ks Jd 9h 7c 4s", "Kd Th", False),
        ("Jk Jd 9h 7c 4s", "As Qh", True),
        ("Jk Jd 9h 7c 4s", "Ks Qh", False),
        ("2s 2d 9h 7c 4s", "As Kh", False),
    ],
)
def test_seven_card_foul(high: str, low: str, fouled: bool) -> None:
    high_value, low_value = value_of_five(parse_cards(high)), value_of_two(parse_cards(low))
    assert is_fouled_seven(high_value, low_value) is fouled
    assert is_fouled(high_value, low_value, 2) is fouled
