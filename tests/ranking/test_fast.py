"""The tables in plain Python: equal to the reference on random hands, and right on the hands that trip programs up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.cards import parse_cards
from houseway.ranking import fast, reference
from houseway.ranking.hand_names import HAND_NAMES, Category, name_of_value
from houseway.ranking.reference import PAI_GOW, STANDARD, Ranking
from tests.ranking.strategies import hands_in_an_order


@given(hands_in_an_order())
def test_equal_to_the_reference(hand: tuple[list[int], Ranking]) -> None:
    cards, ranking = hand
    assert fast.value_of_best(cards, ranking) == reference.value_of_best(cards, ranking)
    assert fast.names_of_mask(fast.names_mask(cards, ranking)) == reference.names_fitted(cards, ranking)


@given(hands_in_an_order(suits=2))
def test_equal_to_the_reference_where_flushes_abound(hand: tuple[list[int], Ranking]) -> None:
    cards, ranking = hand
    assert fast.value_of_best(cards, ranking) == reference.value_of_best(cards, ranking)
    assert fast.names_of_mask(fast.names_mask(cards, ranking)) == reference.names_fitted(cards, ranking)


@given(hands_in_an_order(), st.permutations(range(4)))
def test_neither_the_order_of_cards_nor_the_names_of_suits_matter(
    hand: tuple[list[int], Ranking], suits: list[int]
) -> None:
    cards, ranking = hand
    changed = [card if card == 52 else card & ~3 | suits[card & 3] for card in reversed(cards)]
    assert fast.value_of_best(changed, ranking) == fast.value_of_best(cards, ranking)
    assert fast.names_mask(changed, ranking) == fast.names_mask(cards, ranking)


@given(hands_in_an_order(sizes=(6, 7)))
def test_a_further_card_never_makes_a_hand_worse(hand: tuple[list[int], Ranking]) -> None:
    cards, ranking = hand
    assert fast.value_of_best(cards, ranking) >= fast.value_of_best(cards[1:], ranking)


@pytest.mark.parametrize(
    ("text", "best", "also"),
    [
        ("Ks Qs 9s 4s Jk Kd Kc", Category.FLUSH, {"three-of-a-kind"}),
        ("As Ad Ac Ks 9s 4s Jk", Category.FOUR_OF_A_KIND, {"flush", "pair-of-aces"}),
        ("Ks Kd Kc As 9s 4s Jk", Category.FULL_HOUSE, {"flush", "three-of-a-kind"}),
        ("As Ad Ac Ah 2s 3s 4s", Category.FOUR_OF_A_KIND, set()),
        ("As Ad Ac Jk 2s 3s 4s", Category.STRAIGHT_FLUSH, {"four-of-a-kind", "flush", "straight"}),
        ("As Ad Ac Ah Jk Ks Qs", Category.FIVE_ACES, {"four-of-a-kind", "pair-of-aces"}),
        ("Ts Js Qs As Jk 9s 8s", Category.ROYAL_FLUSH, {"seven-card-straight-flush-joker"}),
        ("8s 9s Ts Js Qs Ks As", Category.ROYAL_FLUSH, {"seven-card-straight-flush"}),
        ("As 2s 3s 4s 5s 6s 7s", Category.STRAIGHT_FLUSH, {"seven-card-straight-flush"}),
        ("Ts Js Qs Ks As Kd Qd", Category.ROYAL_FLUSH, {"royal-flush-royal-match", "two-pair"}),
        ("Ts Js Jk Ks As Kd Qd", Category.ROYAL_FLUSH, {"royal-flush-royal-match"}),
        ("9s 9d 9c 8h 7s 6d 5c", Category.STRAIGHT, {"three-of-a-kind"}),
        ("Jk Ad 9c 9h 5s 5d 2c", Category.TWO_PAIR, {"three-pair", "pair-of-aces"}),
    ],
)
def test_hands_that_are_two_things_at_once(text: str, best: Category, also: set[str]) -> None:
    cards = parse_cards(text)
    assert fast.value_of_best(cards) >> 20 == best
    fitted = fast.names_of_mask(fast.names_mask(cards))
    assert also | {name_of_value(fast.value_of_best(cards))} <= fitted
    assert fitted == reference.names_fitted(cards)


@pytest.mark.parametrize(
    "text",
    [
        "Ts Js Qs Ks As Kd Qc",  # a king and a queen of two suits
        "Ts Js Qs Ks As Kd Jd",  # a king and a jack
        "9s Ts Js Qs Ks As Kd",  # six of the royal's suit
        "Ts Jk Qs Ks As Qd Jd",  # a queen and a jack beside a royal with the joker
        "Ts Js Qs Ks As Qd",  # six cards
    ],
)
def test_no_royal_match(text: str) -> None:
    names = fast.names_of_mask(fast.names_mask(parse_cards(text)))
    assert "royal-flush" in names
    assert "royal-flush-royal-match" not in names


def test_names_and_masks_belong_together() -> None:
    assert fast.names_of_mask(0) == frozenset()
    for place, name in enumerate(HAND_NAMES):
        assert fast.mask_of_names(frozenset({name})) == 1 << place
        assert fast.names_of_mask(1 << place) == {name}


@pytest.mark.parametrize("rank", [fast.value_of_best, fast.names_mask])
def test_what_no_order_ranks_is_a_slip_of_the_program(rank: object) -> None:
    assert callable(rank)
    with pytest.raises(AssertionError, match="the standard order has no joker"):
        rank(parse_cards("Jk As Ks Qs Js"), STANDARD)
    for count in (4, 8):
        with pytest.raises(AssertionError):
            rank(list(range(count)), PAI_GOW)
