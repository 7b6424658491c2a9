"""The compiled interpreter gives what the readable one gives."""

from __future__ import annotations

import pytest

from houseway.cards import card_texts, parse_cards
from houseway.errors import InputError
from houseway.houseways import HouseWay, house_way, house_ways
from houseway.houseways.facts import FACTS
from houseway.houseways.interpret import Status
from houseway.ranking.reference import PAI_GOW, PAI_GOW_LOW_WHEEL, STANDARD, Ranking
from tests.houseways.worked_examples import EXAMPLES

pytest.importorskip("numba")
import numpy as np

from houseway.houseways import way_kernels
from houseway.houseways.compiled import CompiledWay
from tests.houseways.comparison import class_hands, differences, differences_in_processes, sample_by_rule

pytestmark = pytest.mark.kernels

SEVEN_CARD_WAYS = [way for way in house_ways() if way.cards == 7]
every_way = pytest.mark.parametrize("way", house_ways(), ids=lambda way: way.id)
LOW_WHEEL = pytest.param(PAI_GOW_LOW_WHEEL, marks=pytest.mark.slow, id="low-wheel")
both_wheels = pytest.mark.parametrize("ranking", [pytest.param(PAI_GOW, id="pai-gow"), LOW_WHEEL])


@every_way
def test_worked_examples(way: HouseWay) -> None:
    compiled = CompiledWay(way)
    for example in EXAMPLES:
        if example.way == way.id:
            split = compiled.split(parse_cards(example.cards))
            assert (" ".join(card_texts(split.low)), split.rule) == (example.low, example.rule)


@both_wheels
@every_way
def test_equal_on_a_sample_of_suit_classes_of_every_rule(way: HouseWay, ranking: Ranking) -> None:
    # Rules with too few hands to be met here, such as five aces with kings, have worked examples.
    hands = class_hands(way.cards)[::11]
    assert differences(way, sample_by_rule(way, hands, ranking, each=250), ranking) == []


@pytest.mark.slow
@both_wheels
@pytest.mark.parametrize("way", SEVEN_CARD_WAYS, ids=lambda way: way.id)
def test_equal_on_a_larger_sample_of_seven_card_classes(way: HouseWay, ranking: Ranking) -> None:
    assert differences(way, class_hands(7)[::499], ranking) == []


@pytest.mark.slow
@both_wheels
def test_equal_on_a_larger_sample_of_six_card_classes(ranking: Ranking) -> None:
    assert differences(house_way("six-card"), class_hands(6)[::13], ranking) == []


@pytest.mark.full
@both_wheels
def test_equal_on_every_six_card_class(ranking: Ranking) -> None:
    assert differences_in_processes(house_way("six-card"), class_hands(6), ranking) == []


@pytest.mark.full
@both_wheels
def test_equal_on_every_seven_card_class_of_the_default_way(ranking: Ranking) -> None:
    assert differences_in_processes(house_way("foxwoods"), class_hands(7), ranking) == []


@pytest.mark.full
@pytest.mark.parametrize("way", SEVEN_CARD_WAYS[1:], ids=lambda way: way.id)
def test_equal_on_every_seven_card_class_that_a_preset_asks_its_own_question_of(way: HouseWay) -> None:
    hands = class_hands(7)
    rules = CompiledWay(way).set_hands(hands).rule
    shared = {rule for question in house_way("foxwoods").questions for rule in question.rules}
    own_questions = [question for question in way.questions if not shared.issuperset(question.rules)]
    own_rules = [way.rules.index(rule) for question in own_questions for rule in question.rules]
    assert differences_in_processes(way, hands[np.isin(rules, own_rules)], PAI_GOW) == []


def test_statuses_are_those_of_the_interpreter() -> None:
    assert [status.value for status in Status] == [
        way_kernels.SET, way_kernels.UNSET, way_kernels.AMBIGUOUS, way_kernels.IMPOSSIBLE, way_kernels.FOULED,
    ]  # fmt: skip
    assert len(FACTS) * 4 <= 63, "the packed facts are out of room"


def test_a_packed_hand_unpacks() -> None:
    cards = parse_cards("Jk As Kd 9h 7c 4s 2c")
    assert way_kernels.unpack_hand(way_kernels.pack_hand(cards[::-1]), 7) == cards


def test_many_hands_in_one_call() -> None:
    cards = parse_cards("9d 9s 4h 4c Ad Js 7h")
    result = CompiledWay(house_way("foxwoods")).set_hands([cards, cards[::-1]])
    assert result.status.tolist() == [0, 0]
    assert result.low.tolist() == [list(parse_cards("Ad Js"))] * 2
    assert CompiledWay(house_way("six-card")).set_hands([cards[:6]]).low.shape == (1, 1)


@pytest.mark.parametrize(
    ("hands", "ranking", "code"),
    [
        ([[1, 2, 3, 4, 5, 6]], PAI_GOW, "card-count"),
        ([[1, 2, 3, 4, 5, 6, 53]], PAI_GOW, "bad-card"),
        ([[1, 2, 3, 4, 5, 6, 52]], STANDARD, "bad-card"),
    ],
)
def test_hands_that_cannot_be_set(hands: list[list[int]], ranking: Ranking, code: str) -> None:
    with pytest.raises(InputError) as refused:
        CompiledWay(house_way("foxwoods")).set_hands(hands, ranking)
    assert refused.value.faults[0].code == code
