"""Simulated rounds against the product's own settlement, against exact values, and against themselves."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

pytest.importorskip("numba")

import numpy as np

from houseway.definitions import Game, Wager
from houseway.games import game, game_ids
from houseway.odds.questions import OddsQuestion, answer
from houseway.odds.running.executors import InProcessExecutor
from houseway.odds.running.jobs import run_job
from houseway.odds.simulation import job as simulation
from houseway.odds.simulation import round_kernels
from houseway.odds.simulation.chance_limits import Payoffs, Share, limits
from houseway.odds.simulation.job import Simulation, default_tables, felt_of, stake_of, tables_offered
from houseway.odds.simulation.simulation_report import WagerResult, results
from houseway.odds.simulation.together import ExactWager, known_of
from houseway.odds.wagers import Sides
from houseway.paytables import paytable
from tests.odds.replay import Replay, check_against_settlement, simulated

pytestmark = pytest.mark.kernels

ROUNDS = 300


def test_the_generator_gives_the_published_words() -> None:
    """The known answers that the generator's authors publish for Philox 4x32 with ten rounds."""
    ones = 0xFFFFFFFF
    assert round_kernels.philox((0, 0, 0, 0), (0, 0)) == (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)
    assert round_kernels.philox((ones,) * 4, (ones, ones)) == (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)
    counter = (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344)
    assert round_kernels.philox(counter, (0xA4093822, 0x299F31D0)) == (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)


def dealt(number: int, deck: int, count: int, key: tuple[int, int] = (5, 0)) -> tuple[int, ...]:
    cards = np.zeros(53, np.int64)
    round_kernels.deal(number, key, deck, count, cards)
    return tuple(int(card) for card in cards[:count])


@pytest.mark.parametrize(("deck", "count"), [(53, 49), (52, 48), (53, 53), (53, 14)])
def test_a_deal_is_different_cards_of_the_deck(deck: int, count: int) -> None:
    for number in (0, 1, 2**32 - 1, 2**32, 10**12):
        cards = dealt(number, deck, count)
        assert len(set(cards)) == count
        assert set(cards) <= set(range(deck))


def test_every_card_comes_equally_often_to_every_place() -> None:
    """A chi-square of 53 x 53 cells: its 52 x 52 degrees of freedom have a standard deviation of 73.5."""
    deals = 20_000
    counts = np.zeros((53, 53), np.int64)
    for number in range(deals):
        counts[np.arange(53), dealt(number, 53, 53)] += 1
    expected = deals / 53
    assert abs(((counts - expected) ** 2 / expected).sum() - 52 * 52) < 5 * 73.5


def test_rounds_and_seeds_are_different_deals() -> None:
    deals = {dealt(number, 53, 49, (seed, high)) for number in range(100) for seed in range(3) for high in range(2)}
    assert len(deals) == 600


@pytest.mark.parametrize("game_id", game_ids())
def test_every_line_is_what_the_settlement_says(game_id: str) -> None:
    check_against_settlement(simulated(game_id), range(ROUNDS))


@pytest.mark.parametrize("game_id", game_ids())
def test_every_table_and_way_is_what_the_settlement_says(game_id: str) -> None:
    """Each approved table of each wager, each house way, each number of seats, a few rounds each."""
    found = game(game_id)
    defaults = default_tables(found)
    changed = [
        {"paytables": tuple({**defaults, wager.name: table.id}.items())}
        for wager in found.wagers
        if wager.needs_table
        for table in tables_offered(found, wager)
    ]
    changed += [{"way": way} for way in found.ways] + [{"seats": seats} for seats in range(1, found.max_seats + 1)]
    for place, change in enumerate(changed):
        check_against_settlement(simulated(game_id, **change), range(1000 * place, 1000 * place + 12))


def first_with(job: Simulation, wager: str, holds: Any, rounds: int = 400_000) -> int:
    """The first round in which some seat's amounts of a wager are such."""
    replay = Replay(job)
    place = replay.wagers.index(wager)
    for number in range(rounds):
        round_kernels.play_round(
            replay.felt, replay.book, number, replay.cards, replay.laid, replay.meters, replay.amounts
        )
        if holds(replay.amounts[:, place]):
            return number
    pytest.fail("no such round")


@pytest.mark.parametrize(
    ("game_id", "table"), [("fortune", "FPGPP-ML2"), ("six-card-fortune", "6CFPGPP-2"), ("six-card-poker", "SIXCPP-01")]
)
def test_an_award_from_the_meter_is_what_the_settlement_says(game_id: str, table: str) -> None:
    tables = tuple({**default_tables(game(game_id)), "progressive": table}.items())
    job = simulated(game_id, paytables=tables, meters=(("main", 777_777), ("minor", 777_777)))
    awards = {777_777 * line.percent // 100 for line in paytable(table).lines if line.percent}
    number = first_with(job, "progressive", lambda rows: not awards.isdisjoint(map(int, rows[:, 2])))
    check_against_settlement(job, range(number, number + 1))


TWO_AWARDS = 4_091_389
"""A round in which two seats take a tenth of the meter, one after the other."""


@pytest.mark.parametrize("table", ["SIXCPP-01", "SIXCPP-02"])
def test_a_second_award_of_a_round_finds_less_on_the_meter(table: str) -> None:
    tables = tuple({**default_tables(game("six-card-poker")), "progressive": table}.items())
    job = simulated("six-card-poker", paytables=tables)
    check_against_settlement(job, range(TWO_AWARDS, TWO_AWARDS + 1))
    returned = [line[2] for (_, wager), line in Replay(job).play(TWO_AWARDS).items() if wager == "progressive"]
    assert sorted(returned)[-2:] == [90_000, 100_000]


def test_envy_is_what_the_settlement_says() -> None:
    job = simulated("six-card-fortune")
    number = first_with(job, "fortune", lambda rows: (rows[:, 3] > 0).all())
    check_against_settlement(job, range(number, number + 1))


def test_the_same_seed_gives_the_same_sums_however_the_rounds_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = results(simulated("fortune"), run_job(simulated("fortune"), executor=InProcessExecutor(), cache=None))
    monkeypatch.setattr(simulation, "ROUNDS_A_PART", 77)
    assert simulated("fortune").parts == 13
    cut = results(simulated("fortune"), run_job(simulated("fortune"), executor=InProcessExecutor(), cache=None))
    assert cut == whole
    other = simulated("fortune", rng_seed=20_232)
    assert results(other, run_job(other, executor=InProcessExecutor(), cache=None)) != whole


def test_the_sums_are_those_of_the_rounds() -> None:
    """Every column of the report, added up again from single rounds in Python's own integers."""
    job = simulated("six-card-fortune", rounds=200)
    replay = Replay(job)
    rows = {row.wager: row for row in results(job, run_job(job, executor=InProcessExecutor(), cache=None))}
    rounds = [replay.play(number) for number in range(200)]
    for wager in job.wagers:
        lines = [[line for (_, name), line in played.items() if name == wager] for played in rounds]
        stakes = [sum(line[1] for line in of_round) for of_round in lines]
        holds = [sum(line[1] - line[2] - line[3] for line in of_round) for of_round in lines]
        row = rows[wager]
        assert (row.handle, row.hold) == (sum(stakes), sum(holds))
        assert row.made == sum(map(len, lines))
        assert row.win == sum(line[0] == "win" for of_round in lines for line in of_round)
        assert row.hold_squared == sum(hold * hold for hold in holds)
        assert row.hold_by_stake == sum(hold * stake for hold, stake in zip(holds, stakes, strict=True))
        assert row.stake_squared == sum(stake * stake for stake in stakes)
    assert rows["all"].hold == sum(rows[wager].hold for wager in job.wagers)


@cache
def long_run(game_id: str) -> dict[str, WagerResult]:
    job = simulated(game_id, rounds=400_000)
    return {row.wager: row for row in results(job, run_job(job, executor=InProcessExecutor(), cache=None))}


EXACT = {
    ("six-card-fortune", "main"): Fraction(
        73_202_004_616_656 - 57_893_887_360_048, 57_893_887_360_048 + 115_411_725_419_336 + 73_202_004_616_656
    ),
    ("fortune", "main"): Fraction("0.02721126"),
    ("six-card-fortune", "fortune"): Fraction("0.035587"),
    ("six-card-poker", "aces_up"): Fraction("0.02336"),
}
"""Edges that are known from whole counts; the later ones rounded, which is far less than chance leaves open here."""


@pytest.mark.parametrize(("game_id", "wager"), EXACT)
def test_the_simulated_edge_is_near_the_known_one(game_id: str, wager: str) -> None:
    row = long_run(game_id)[wager]
    assert row.edge is not None
    assert row.standard_error is not None
    assert abs(row.edge - EXACT[game_id, wager]) < 5 * row.standard_error
    assert row.standard_error < Fraction(1, 200), "few enough rounds that nothing is shown"


@pytest.mark.parametrize("game_id", game_ids())
def test_the_simulated_edges_are_near_the_exact_ones(game_id: str) -> None:
    compared = 0
    for row in long_run(game_id).values():
        if row.exact_edge is not None and row.edge is not None and row.standard_error is not None:
            assert abs(row.edge - row.exact_edge) < 5 * row.standard_error, row.wager
            compared += 1
    assert compared >= 1


def row_of(holds: list[int], stakes: list[int], payoffs: Payoffs | None = None) -> WagerResult:
    known = None if payoffs is None else ExactWager(payoffs, (Share(payoffs),))
    products = [
        sum(a * b for a, b in zip(*pair, strict=True)) for pair in ((holds, holds), (stakes, stakes), (holds, stakes))
    ]
    made = len(holds)
    return WagerResult("main", None, 100, made, made, 0, 0, 0, sum(stakes), sum(holds), 0, *products, known)


COIN = Payoffs(((100, 1), (-100, 1)))


def test_standard_error_of_a_wager_without_a_known_distribution() -> None:
    """Holds of 100, -100, 100, 0 on stakes of 100: a mean of 25 and a sample variance of 27500 / 3."""
    row = row_of([100, -100, 100, 0], [100] * 4)
    assert row.edge == Fraction(1, 4)
    assert float(row.standard_error or 0) == pytest.approx((27_500 / 3 / 4) ** 0.5 / 100)
    assert (row.hold_limits, row.within_limits) == (None, None)


def test_standard_error_and_limits_of_a_known_distribution() -> None:
    """A hundred coins: between 40 and 60 heads in 96.5 of 100 cases, between 41 and 59 in 94.3."""
    row = row_of([100] * 60 + [-100] * 40, [100] * 100, COIN)
    assert row.standard_error == Fraction(1, 10)
    assert row.hold_limits == (-2000, 2000)
    assert row.within_limits
    assert row.confidence == (Fraction(0), Fraction(2, 5))
    assert row_of([100] * 61 + [-100] * 39, [100] * 100, COIN).within_limits is False


def test_all_alike_seats_spread_as_so_many_fewer_wagers_of_their_size() -> None:
    alone = limits([Share(COIN)], 100)
    together = limits([Share(COIN, spread=6.0)], 600)
    # Widened by some steps of a grid that no longer is the lattice of the sums.
    assert together == pytest.approx([6 * bound for bound in alone], abs=30)
    assert together[0] <= 6 * alone[0] <= 6 * alone[1] <= together[1]


@pytest.mark.parametrize("wagers", [1, 7, 150, 2_000])
def test_the_limits_are_those_of_the_whole_sum_distribution(wagers: int) -> None:
    """Against the distribution itself, convolved out: a prize of a thousand once in two thousand."""
    prize = Payoffs(((100, 1_600), (-200, 399), (-100_000, 1)))
    chances = {hold: deals / prize.deals for hold, deals in prize.amounts}
    counts = np.arange(wagers + 1)
    # By the number of prizes, which are rare, and of small wins.
    sums, weights = [], []
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, wagers + 1)))])
    for prizes in range(min(wagers, 12) + 1):
        small = counts[: wagers - prizes + 1]
        lost = wagers - prizes - small
        log_chance = (
            logs[wagers] - logs[prizes] - logs[small] - logs[lost]
            + prizes * np.log(chances[-100_000]) + small * np.log(chances[-200]) + lost * np.log(chances[100])
        )  # fmt: skip
        sums.append(100 * lost - 200 * small - 100_000 * prizes)
        weights.append(np.exp(log_chance))
    order = np.argsort(np.concatenate(sums), kind="stable")
    totals, cumulated = np.concatenate(sums)[order], np.cumsum(np.concatenate(weights)[order])
    expected = [int(totals[np.searchsorted(cumulated, share)]) for share in (0.025, 0.975)]
    assert list(limits([Share(prize)], wagers)) == expected


def test_a_prize_that_never_fell_narrows_no_limits() -> None:
    """What was judged before by the rounds themselves: without a prize in them, the next one was an alarm."""
    prize = Payoffs(((100, 99_999), (-1_000_000, 1)))
    low, high = limits([Share(prize)], 10_000)
    assert high == 10_000 * 100
    assert low == 9_999 * 100 - 1_000_000, "one prize in ten thousand wagers is no alarm: it has a chance of a tenth"


@pytest.mark.parametrize("game_id", game_ids())
def test_payoffs_have_the_exact_edge_and_variance(game_id: str) -> None:
    found = game(game_id)
    for seats in (1, found.max_seats):
        job = simulated(game_id, seats=seats)
        for row in results(job, run_job(job, executor=InProcessExecutor(), cache=None)):
            if row.known is None:
                continue
            assert sum((share.payoffs.mean for share in row.known.shares), Fraction(0)) == row.known.payoffs.mean
            wager = found.wager(row.wager)
            assert wager is not None
            table = {name: paytable(table_id) for name, table_id in job.paytables if name == wager.name}
            way = job.way or ""
            told = answer(
                OddsQuestion(
                    found, (wager.name,), table, Sides(way, way), others=seats - 1, bet=stake_of(wager),
                    commission=Fraction(5, 100) if found.commission else Fraction(0), meters=job.all_meters,
                )
            )  # fmt: skip
            assert row.exact_edge == told.edge
            if seats == 1:
                assert told.distribution is not None
                assert row.known.payoffs.variance == told.distribution.variance * stake_of(wager) ** 2


def alarms(job: Simulation, wagers: set[str], blocks: int) -> dict[str, int]:
    """How often the hold of a run lies outside its limits, in so many runs."""
    found = game(job.game)
    expected = {}
    for place, wager in enumerate(found.wagers):
        known = known_of(job, found, wager)
        if wager.name in wagers:
            assert known is not None
            expected[place] = limits(known.shares, job.rounds * job.seats)
    outside: Counter[str] = Counter()
    for block in range(blocks):
        sums = round_kernels.play_rounds(*felt_of(job), block * job.rounds, job.rounds)
        for place, (low, high) in expected.items():
            row = sums[place]
            hold = int(row[round_kernels.STAKED] - row[round_kernels.RETURNED] - row[round_kernels.ENVY])
            outside[found.wagers[place].name] += not low <= hold <= high
    return outside


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game_id", "seats", "wagers"),
    [
        ("fortune", 6, {"main", "fortune", "paigowd", "progressive"}),
        ("commission-free-fortune", 6, {"main", "tiger9"}),
        ("six-card-fortune", 6, {"main", "fortune", "insurance"}),
        ("six-card-poker", 6, {"aces_up", "bad_beat"}),
        ("fortune", 1, {"main", "fortune", "paigowd", "progressive", "progressive2"}),
        ("six-card-poker", 1, {"aces_up", "bad_beat", "progressive"}),
    ],
)
def test_one_run_in_twenty_is_outside_its_limits(game_id: str, seats: int, wagers: set[str]) -> None:
    """Five in a hundred, with a standard error of 1.1 over 400 runs; the simulated spread gave 32 for FPGPP-ML2."""
    job = simulated(game_id, seats=seats, rounds=1800 // seats, rng_seed=11)
    for wager, outside in alarms(job, wagers, 400).items():
        assert 6 <= outside <= 36, (wager, outside)


@pytest.mark.parametrize(
    ("game_id", "table"),
    [("six-card-poker", "SIXCPP-01"), ("six-card-fortune", "6CFPGPP-2"), ("fortune", "FPGPP-WA01")],
)
def test_part_shares_of_a_meter_are_judged_by_their_exact_distribution(game_id: str, table: str) -> None:
    """As the round found the meter: the spread of a few hundred rounds without an award says nothing about one."""
    found = game(game_id)
    tables = tuple({**default_tables(found), "progressive": table}.items())
    job = simulated(game_id, paytables=tables, seats=found.max_seats, rounds=50)
    rows = {row.wager: row for row in results(job, run_job(job, executor=InProcessExecutor(), cache=None))}
    row, alone = rows["progressive"], known_of(replace(job, seats=1), found, wager_of(found, "progressive"))
    assert row.known is not None
    assert alone is not None
    # The same prizes with the same chances; envy to the other seats comes on top.
    pairs = zip(row.known.payoffs.amounts, alone.payoffs.amounts, strict=True)
    assert all(hold <= without_envy and deals == same for (hold, deals), (without_envy, same) in pairs)
    assert (row.known.leaves_out_second_awards, alone.leaves_out_second_awards) == (True, False)
    assert row.hold_limits is not None
    assert row.to_json()["leaves_out_second_awards"] is True
    told = {name for name, other in rows.items() if other.to_json()["leaves_out_second_awards"]}
    assert told <= {"progressive", "progressive2"}


def wager_of(found: Game, name: str) -> Wager:
    wager = found.wager(name)
    assert wager is not None
    return wager


def test_a_raise_that_is_made_in_some_rounds_only_has_the_error_of_a_ratio() -> None:
    """Where every round holds the same share of its stake, there is no error at all."""
    row = row_of([10, 20, 0, 5], [100, 200, 0, 50])
    assert row.edge == Fraction(1, 10)
    assert row.standard_error == 0


def test_a_single_round_leaves_the_error_open() -> None:
    row = row_of([100], [100])
    assert (row.standard_error, row.confidence, row.hold_limits, row.within_limits) == (None, None, None, None)
    assert row_of([100], [100], COIN).hold_limits == (-100, 100)


def test_what_decides_the_result_is_in_the_key() -> None:
    keys = {
        tuple(simulated("fortune", **change).key.items())
        for change in (
            {},
            {"rounds": 1001},
            {"seats": 5},
            {"rng_seed": 1},
            {"way": "trump-plaza"},
            {"meters": (("main", 5),)},
            {"paytables": tuple({**default_tables(game("fortune")), "fortune": "FPGP-2"}.items())},
        )
    }
    assert len(keys) == 7
