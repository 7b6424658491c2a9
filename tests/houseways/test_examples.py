"""Worked examples of every way, by every evaluator, and the values and sentence that go with a setting."""

from __future__ import annotations

import pytest

from houseway.cards import card_texts, parse_cards
from houseway.errors import InputError
from houseway.houseways import HouseWay, house_way, house_ways
from houseway.houseways.facts import HandFacts
from houseway.houseways.interpret import set_hand
from houseway.ranking import reference
from houseway.ranking.reference import PAI_GOW, PAI_GOW_LOW_WHEEL, value_of_five, value_of_one, value_of_two
from tests.houseways.worked_examples import EXAMPLES, Example


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example.way}:{example.cards}")
def test_worked_example(example: Example) -> None:
    setting = house_way(example.way).set(parse_cards(example.cards))
    assert (" ".join(card_texts(setting.low)), setting.rule) == (example.low, example.rule)


@pytest.mark.parametrize("way", house_ways(), ids=lambda way: way.id)
def test_every_rule_has_a_worked_example(way: HouseWay) -> None:
    own_questions = {example.rule for example in EXAMPLES if example.way == way.id}
    # A way that extends foxwoods shares the rules it does not replace; foxwoods has an example for each of those.
    shared = {rule.id for rule in house_way("foxwoods").rules if rule in way.rules} if way.cards == 7 else set()
    if way.id != "foxwoods":
        own_questions |= shared
    assert {rule.id for rule in way.rules} - own_questions == set()


@pytest.mark.parametrize("example", EXAMPLES[::5], ids=lambda example: f"{example.way}:{example.cards}")
def test_order_of_the_cards_does_not_matter(example: Example) -> None:
    cards = parse_cards(example.cards)
    way = house_way(example.way)
    assert way.split(cards) == way.split(cards[::-1]) == way.split(sorted(cards))


def test_setting_holds_both_hands_with_their_values() -> None:
    cards = parse_cards("Jk As 8h 8c 3d 3s Kh")
    setting = house_way("foxwoods").set(cards)
    assert sorted(setting.high + setting.low) == sorted(cards)
    assert setting.high_value == value_of_five(setting.high)
    assert setting.low_value == value_of_two(setting.low)
    assert setting.why == "With three pair the highest pair goes in front."
    six = house_way("six-card").set(cards[:6])
    assert six.low_value == value_of_one(six.low[0])


def test_the_place_of_the_wheel_decides_between_equal_fronts() -> None:
    # Front K-Q in both orders: the back is 6-5-4-3-2, or the wheel with the joker as an ace.
    cards = parse_cards("Jk Ks Qd 5h 4c 3d 2s")
    way = house_way("foxwoods")
    assert way.set(cards, PAI_GOW).high_value > way.set(parse_cards("Ac Ks Qd 6h 5c 4d 3s")).high_value
    assert way.set(cards, PAI_GOW_LOW_WHEEL).high_value == value_of_five(
        parse_cards("6s 5h 4c 3d 2s"), PAI_GOW_LOW_WHEEL
    )


def test_a_joker_alone_in_front_comes_before_an_ace_in_both_orders() -> None:
    cards = parse_cards("Jk Ad 5d 4c 3h 2s")
    for ranking in (PAI_GOW, PAI_GOW_LOW_WHEEL):
        assert card_texts(house_way("six-card").split(cards, ranking).low) == ["Jk"]


@pytest.mark.parametrize("example", EXAMPLES[::3], ids=lambda example: f"{example.way}:{example.cards}")
def test_pure_reference_agrees_with_table_look_up(example: Example) -> None:
    way = house_way(example.way)
    facts = HandFacts(parse_cards(example.cards), PAI_GOW, reference.value_of_best)
    outcome = set_hand(way.questions, facts)
    assert outcome.split is not None
    assert (" ".join(card_texts(outcome.split.low)), outcome.rules[0].id) == (example.low, example.rule)


def test_a_hand_of_another_size_is_refused() -> None:
    with pytest.raises(InputError, match="hands of 7 cards, not 6") as refused:
        house_way("foxwoods").split(parse_cards("As Kd Qh Jc 9d 7s"))
    assert refused.value.faults[0].code == "card-count"
