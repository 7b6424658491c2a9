"""The main games over all deals: sampled hands dealt out in full, and whole games against what ships."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache as kept
from itertools import combinations
from math import comb
from pathlib import Path

import pytest

from houseway.cards.card import Card, parse_cards
from houseway.definitions import game
from houseway.errors import InputError
from houseway.houseways import house_way, load_house_way
from houseway.odds import solved as shipped
from houseway.odds.shipped import content_of

pytest.importorskip("numba")
import numpy as np

from houseway.odds.pai_gow import main_counts
from houseway.odds.pai_gow.dealer_tables import DealerTables, dealer_tables
from houseway.odds.pai_gow.dealer_walk import count_cells
from houseway.odds.pai_gow.disjoint_pairs import shared_sets
from houseway.odds.pai_gow.layouts import lay_every_hand
from houseway.odds.pai_gow.main_counts import SharedSets
from houseway.odds.pai_gow.main_games import MainGames, add_up
from houseway.odds.pai_gow.outcomes import Breaks
from houseway.odds.pai_gow.player_classes import class_table, classes_of
from houseway.odds.pai_gow.probe_kernels import LOW_BITS, number_hands, place_of_key
from houseway.odds.pai_gow.setting_advice import advise
from houseway.odds.pai_gow.splits import legal_settings
from houseway.odds.running.cache import Cache
from houseway.odds.running.executors import InProcessExecutor
from houseway.odds.running.jobs import run_job
from houseway.ranking.reference import PAI_GOW
from houseway.ranking.suit_classes import SuitClasses, class_keys
from tests.houseways.room_files import rare_slip
from tests.odds.dealers import laid_without, place_of

pytestmark = pytest.mark.kernels


@pytest.fixture(scope="module")
def cache() -> Cache:
    """The tables of the whole test run; what jobs keep there is not used again."""
    return Cache()


@kept
def keys_of_sets(shared: int) -> np.ndarray:
    """The keys of all shared sets of that many cards."""
    return class_keys(shared_sets(shared)[0].astype(np.uint8))


def sets_within(cards: Sequence[int]) -> SharedSets:
    """Only those shared sets that are alike to some of these cards."""

    def sets_of(shared: int) -> tuple[np.ndarray, np.ndarray]:
        sets, weights = shared_sets(shared)
        if not shared:
            return sets, weights
        subsets = np.array(list(combinations(cards, shared)), np.uint8)
        chosen = np.isin(keys_of_sets(shared), class_keys(subsets))
        return np.ascontiguousarray(sets[chosen]), np.ascontiguousarray(weights[chosen])

    return sets_of


def counted(tables: DealerTables, number: int, points: np.ndarray, cache: Cache) -> list[int]:
    """The counts of one class at some points, only by the shared sets that its hands contain."""
    classes = classes_of(tables.cards)
    starts = np.array([0, len(points)])
    sums = main_counts.counts_at(
        tables,
        class_table(tables.cards, cache),
        classes,
        (number, number + 1),
        starts,
        points,
        sets_within(classes.cards()[number]),
    )
    weight = int(classes.weights[number])
    assert (sums % weight == 0).all()
    return (sums // weight).tolist()


@pytest.mark.slow
def test_sampled_six_card_hands_against_every_dealer_hand(cache: Cache) -> None:
    """Every dealer hand that shares no card is dealt out and compared: the counts are equal to the integer."""
    tables = dealer_tables(house_way("six-card"), PAI_GOW, cache)
    classes = classes_of(6)
    rng = np.random.default_rng(63)
    for number in [0, len(classes) - 1, *rng.integers(0, len(classes), 6)]:
        cards = classes.cards()[number].tolist()
        assert place_of_key(classes.keys[number]) == place_of(cards)
        laid = laid_without(tables, cards)
        points = np.array(
            [
                high << LOW_BITS | low
                for high, low in zip(rng.integers(0, 6000, 40), rng.integers(0, 15, 40), strict=True)
            ],
            np.uint32,
        )
        expected = [int(laid[: point >> LOW_BITS, : point & 255].sum()) for point in points]
        assert counted(tables, int(number), points, cache) == expected


@pytest.fixture(scope="module")
def six_card_parts(cache: Cache) -> list[object]:
    job = shipped.shipped_job(house_way("six-card"), "second")
    return list(run_job(job, executor=InProcessExecutor(), cache=cache, keep=False))


@pytest.mark.slow
def test_the_six_card_game_comes_out_as_it_ships(six_card_parts: list[object]) -> None:
    job = shipped.shipped_job(house_way("six-card"), "second")
    kept = content_of(shipped.data_path("six-card", "second", 6))
    assert shipped.file_content(job, six_card_parts) == kept


@pytest.mark.full
def test_the_cut_into_parts_changes_nothing(six_card_parts: list[object], cache: Cache) -> None:
    job = replace(shipped.shipped_job(house_way("six-card"), "second"), parts=3)
    assert add_up(run_job(job, executor=InProcessExecutor(), cache=cache, keep=False)) == add_up(six_card_parts)


@pytest.mark.full
def test_a_part_of_the_seven_card_games_comes_out_as_it_ships(cache: Cache) -> None:
    job = shipped.shipped_job(house_way("foxwoods"), "second")
    kept = json.loads(shipped.data_path("foxwoods", "second", 7).read_text())
    assert shipped.part_totals(job.run_part(7, cache)) == kept["parts"][7]


SAMPLED = (
    "9s 9d 4h 4c Kd Js 7h",
    "Jk As Kd 9h 8h 4c 2d",
    "As Kd Qh Jc 9s 5d 3h",
    "Ts 9h 8d 7c 6s 6d 2h",
    "Qd Jd 9d 8d 3d 7c 5s",
)


@pytest.mark.slow
@pytest.mark.parametrize("text", SAMPLED)
def test_sampled_seven_card_hands_against_every_dealer_hand(text: str, cache: Cache) -> None:
    """The sums over shared cards give what a walk through all 53,524,680 dealer hands gives, in all three games."""
    job = shipped.shipped_job(house_way("foxwoods"), "second")
    cards = parse_cards(text)
    classes = classes_of(7)
    number = int(np.searchsorted(classes.keys, class_keys(np.array([cards], np.uint8))[0]))
    alone = SuitClasses(7, classes.keys[number : number + 1], classes.weights[number : number + 1])
    class_of = np.full(comb(53, 7), -1, np.int32)
    number_hands(alone.keys, class_of)
    tables = dealer_tables(job.dealer, PAI_GOW, cache)
    result = main_counts.count_range(job, tables, class_of, alone, 0, 1, sets_within(cards))
    weight = int(alone.weights[0])
    counts = {
        (kind, player): [count // weight for count in next(iter(rows.values()))]
        for kind, players in result["outcomes"].items()
        for player, rows in players.items()
    }
    for kind in ("fortune", "commission-free-fortune"):
        advice = advise(game(kind), cards, job.dealer, tables)
        for player, option in (("optimal", advice.options[0]), ("foxwoods", advice.house_way)):
            assert counts[kind, player] == [option.main.win, option.main.push, option.main.lose]
    assert counts["face-up", "optimal"] == open_dealer(tables, cards)


def open_dealer(tables: DealerTables, cards: Sequence[Card]) -> list[int]:
    """Won, pushed and lost dealer hands when the player looks at them and then sets."""
    settings = legal_settings(cards)
    ace_high = (12 << 16, 13 << 16)
    breaks = Breaks.around(settings, ace_high)
    cells = count_cells(tables, [card for card in range(53) if card not in cards], breaks)
    tally = {1: 0, 0: 0, -1: 0}
    for row, column in np.ndindex(cells.shape):
        beaten = [
            (row < breaks.below_high(setting.high_value)) + (column < breaks.below_low(setting.low_rank))
            for setting in settings
        ]
        pushes = breaks.below_high(ace_high[0]) <= row < breaks.below_high(ace_high[1])
        tally[0 if pushes else max(beaten) - 1] += int(cells[row, column])
    return list(tally.values())


def test_counting_refuses_a_hand_that_the_way_does_not_set(tmp_path: Path, cache: Cache) -> None:
    """Whoever runs a part by itself gets no figure either."""
    path = tmp_path / "room.toml"
    path.write_text(rare_slip("fouled", 6), encoding="utf-8")
    way = load_house_way(path)
    job = MainGames(house_way("six-card"), (way,), parts=shipped.parts_of(way))
    with pytest.raises(InputError, match="has not one legal setting"):
        run_job(job, executor=InProcessExecutor(), cache=cache)
    with pytest.raises(InputError, match="has not one legal setting"):
        lay_every_hand(way, of_player=True)
