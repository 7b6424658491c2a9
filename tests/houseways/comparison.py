"""Holds the compiled interpreter against the readable one, class by class."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from typing import Any

import numpy as np
import numpy.typing as npt

from houseway.cards import card_texts
from houseway.houseways import HouseWay
from houseway.houseways.compiled import CompiledWay
from houseway.houseways.interpret import Status
from houseway.ranking.reference import Ranking
from houseway.ranking.suit_classes import suit_classes

CHUNK = 50_000


def differences(way: HouseWay, hands: npt.NDArray[Any], ranking: Ranking) -> list[str]:
    """The hands, as text, for which the two interpreters differ in status, rule, front or value in back."""
    result = CompiledWay(way).set_hands(hands, ranking)
    found = []
    for place, cards in enumerate(hands.tolist()):
        outcome = way.outcome(cards, ranking)
        status = Status(int(result.status[place]))
        same = status is outcome.status
        if same and outcome.split is not None:
            same = (
                way.rules[result.rule[place]] is outcome.rules[0]
                and tuple(result.low[place].tolist()) == outcome.split.low
                and int(result.high_value[place]) == outcome.split.high_value
            )
        if not same:
            found.append(f"{way.id}: {' '.join(card_texts(cards))}")
    return found


def differences_in_processes(way: HouseWay, hands: npt.NDArray[Any], ranking: Ranking) -> list[str]:
    """The same on both cores."""
    chunks = [hands[start : start + CHUNK] for start in range(0, len(hands), CHUNK)]
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        return [text for part in pool.map(differences, *_columns(way, chunks, ranking)) for text in part]


def _columns(way: HouseWay, chunks: Sequence[npt.NDArray[Any]], ranking: Ranking) -> tuple[Iterable[Any], ...]:
    return [way] * len(chunks), chunks, [ranking] * len(chunks)


@cache
def class_hands(size: int) -> npt.NDArray[Any]:
    """One hand of every suit class."""
    return suit_classes(size).cards()


def sample_by_rule(way: HouseWay, hands: npt.NDArray[Any], ranking: Ranking, each: int) -> npt.NDArray[Any]:
    """Hands evenly spread over those of each rule, so that rare rules are looked at as closely as common ones."""
    rules = CompiledWay(way).set_hands(hands, ranking).rule
    chosen = []
    for rule in range(len(way.rules)):
        places = np.flatnonzero(rules == rule)
        chosen.append(places[:: max(1, len(places) // each)][:each])
    return hands[np.concatenate(chosen)]
