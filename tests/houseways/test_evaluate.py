"""The three evaluators answer alike; two of them, and the whole package, do without numba and numpy."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from houseway.cards import DECK_53, JOKER, Card, parse_cards
from houseway.errors import InputError
from houseway.houseways import HouseWay, house_way, house_ways
from houseway.houseways.evaluate import Evaluator, KernelEvaluator, ReferenceEvaluator, TableEvaluator
from houseway.ranking.reference import PAI_GOW, PAI_GOW_LOW_WHEEL, Ranking
from tests.houseways.room_files import HANDS, broken_way


def some_hands(size: int, count: int) -> list[tuple[Card, ...]]:
    """Hands drawn with a fixed seed, every second one with the joker."""
    draw = Random(size)
    hands = [tuple(draw.sample(DECK_53[:52], size)) for _ in range(count)]
    return [(JOKER, *cards[1:]) if place % 2 else cards for place, cards in enumerate(hands)]


def answers(
    evaluator: Evaluator, way: HouseWay, hands: Sequence[tuple[Card, ...]], ranking: Ranking
) -> list[tuple[object, ...]]:
    return [
        (
            evaluator.value_of_best(cards, ranking),
            evaluator.names_fitted(cards, ranking),
            evaluator.split(way, cards, ranking),
        )
        for cards in hands
    ]


@pytest.mark.parametrize("ranking", [PAI_GOW, PAI_GOW_LOW_WHEEL], ids=lambda ranking: ranking.id)
@pytest.mark.parametrize("way", house_ways(), ids=lambda way: way.id)
def test_tables_answer_as_the_reference(way: HouseWay, ranking: Ranking) -> None:
    hands = some_hands(way.cards, 100)
    assert answers(TableEvaluator(), way, hands, ranking) == answers(ReferenceEvaluator(), way, hands, ranking)


@pytest.mark.kernels
@pytest.mark.parametrize("ranking", [PAI_GOW, PAI_GOW_LOW_WHEEL], ids=lambda ranking: ranking.id)
@pytest.mark.parametrize("way", house_ways(), ids=lambda way: way.id)
def test_kernels_answer_as_the_tables(way: HouseWay, ranking: Ranking) -> None:
    pytest.importorskip("numba")
    hands = some_hands(way.cards, 1_000)
    assert answers(KernelEvaluator(), way, hands, ranking) == answers(TableEvaluator(), way, hands, ranking)


@pytest.mark.kernels
@pytest.mark.parametrize("slip", HANDS)
def test_every_evaluator_refuses_a_hand_that_a_way_cannot_set(slip: str, tmp_path: Path) -> None:
    pytest.importorskip("numba")
    way, cards = broken_way(slip, tmp_path), parse_cards(HANDS[slip])
    messages = []
    for evaluator in (ReferenceEvaluator(), TableEvaluator(), KernelEvaluator()):
        with pytest.raises(InputError) as refused:
            evaluator.split(way, cards, PAI_GOW)
        messages.append(str(refused.value))
    assert len(set(messages)) == 1


@pytest.mark.kernels
def test_ways_of_one_name_and_other_rules_are_told_apart(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    evaluator = KernelEvaluator()
    cards = parse_cards("Ks Jd 9h 7c 5s 3d 2c")
    assert evaluator.split(house_way("foxwoods"), cards, PAI_GOW).rule == "no-pair"
    with pytest.raises(InputError):
        evaluator.split(broken_way("fouled", tmp_path), cards, PAI_GOW)
    with pytest.raises(InputError, match="not 6"):
        evaluator.split(house_way("foxwoods"), cards[:6], PAI_GOW)


WITHOUT_KERNELS = """
import sys
sys.modules["numba"] = sys.modules["numpy"] = None
from houseway.cards import parse_cards
from houseway.errors import MissingPartError
from houseway.houseways import house_way
from houseway.houseways.evaluate import KernelEvaluator, TableEvaluator
from houseway.ranking.reference import PAI_GOW
print(TableEvaluator().split(house_way("foxwoods"), parse_cards("Kd Js 9h 7c 5d 3s 2h"), PAI_GOW))
try:
    KernelEvaluator()
except MissingPartError as missing:
    print(missing)
"""


def test_hands_are_set_without_numba_and_numpy() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_KERNELS], capture_output=True, text=True, check=True)
    split, missing = done.stdout.splitlines()
    assert split == "Split(low=(Js, 9h), rule='no-pair')"
    assert "houseway[kernels]" in missing
