"""Sensors, START GAME, END GAME: what is taken, what is posted, what is refused."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.manager.commands.round_commands import EndRound, SetSensor, StartRound
from houseway.manager.core.link_entities import LevelParameters
from houseway.manager.store.event_body import Body
from houseway.manager.store.projections import lines_of
from tests.manager.pit import Pit, house_jackpot, progressive, table_of


def test_a_wager_lights_its_sensor_and_can_be_taken_back_before_start() -> None:
    pit = Pit()
    assert pit.do(SetSensor("T1", "1", 3, True))["lit"] == {"1": [3]}
    pit.do(SetSensor("T1", "1", 5, True))
    assert pit.do(SetSensor("T1", "1", 3, False))["lit"] == {"1": [5]}
    answer = pit.do(StartRound("T1"))
    assert answer == {
        "round": "T1-1",
        "taken": {"1": {"link": "L1", "seats": [5], "cents": 100}},
        "occupied": [5],
        "attested": {"5": "D1"},
    }
    assert pit.floor.tables["T1"].lit == {}


def test_start_posts_each_share_of_every_wager() -> None:
    pit = Pit()
    pit.start(1, 2, 6)
    assert pit.held("meter", "L1", "main") == 10_000_600_000
    assert pit.held("reserve", "L1", "main") == 30_000
    assert pit.held("receipts", "T1") == 3_000_000 - 630_000
    assert pit.held("drop", "T1") == 3_000_000


def test_a_house_jackpot_takes_wagers_and_moves_no_meter() -> None:
    pit = Pit(house_jackpot(), tables=[table_of(sensors={"1": "H1"})], meters={})
    pit.start(1, 2)
    assert pit.held("receipts", "T1") == pit.held("drop", "T1") == 2_000_000
    assert pit.sign("H1") == 5_000_000_000


@given(
    st.lists(st.lists(st.integers(1, 6), min_size=1, unique=True), min_size=1, max_size=25),
    st.fractions(0, Fraction(1, 2), max_denominator=997),
    st.fractions(0, Fraction(1, 2), max_denominator=997),
    st.integers(1, 2500),
)
def test_after_any_rounds_a_level_holds_the_exact_share_rounded_down(
    rounds: list[list[int]], contribution: Fraction, reserve: Fraction, wager: int
) -> None:
    levels = {"main": LevelParameters(0, str(contribution), str(reserve))}
    pit = Pit(progressive(levels=levels, wager=wager), meters={})
    total = 0
    for seats in rounds:
        pit.end(pit.start(*seats))
        total += len(seats) * wager * 10_000
        assert pit.held("meter", "L1", "main") == total * contribution // 1
        assert pit.held("reserve", "L1", "main") == total * reserve // 1
    assert pit.held("drop", "T1") == total
    assert pit.floor.levels["L1/main"].wagered_micros == total


def test_several_levels_share_one_wager() -> None:
    levels = {
        "mega": LevelParameters(1_000_000, "1/3"),
        "major": LevelParameters(100_000, "1/3", "1/9"),
        "minor": LevelParameters(10_000, "2/9"),
    }
    link = progressive(paytable="FPGPP-ML2", levels=levels)
    pit = Pit(link, tables=[table_of(game="fortune")], meters={})
    for _ in range(3):
        pit.end(pit.start(4))
    assert [pit.held("meter", "L1", level) for level in levels] == [1_000_000, 1_000_000, 666_666]
    assert pit.held("reserve", "L1", "major") == 333_333
    # Shares that add up to the whole wager leave the house nothing but what is carried.
    assert pit.held("receipts", "T1") == 1


def test_a_limit_sends_the_rest_into_overflow() -> None:
    link = progressive(levels={"main": LevelParameters(1_000, "1/5", limit=1_000_050)})
    pit = Pit(link)
    pit.end(pit.start(1, 2, 3, 4, 5, 6))
    assert pit.held("meter", "L1", "main") == 10_000_500_000
    assert pit.held("overflow", "L1", "main") == 700_000
    assert pit.sign() == 10_000_500_000


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (StartRound("T9"), "unknown-table"),
        (StartRound("T1", sensors={"2": [1]}), "no-such-sensor"),
        (StartRound("T1", sensors={"1": [7]}), "no-such-seat"),
        (StartRound("T1", wagers={"1": {"main": 0}}), "out-of-range"),
        (StartRound("T1", wagers={"1": {"tiger9": 500}}), "unknown-wager"),
        (StartRound("T1", wagers={"9": {"main": 500}}), "bad-seat"),
        (SetSensor("T1", "1", 0, True), "no-such-seat"),
        (EndRound("T1-1"), "no-such-round"),
    ],
)
def test_what_cannot_be_is_refused(command: StartRound | SetSensor | EndRound, code: str) -> None:
    assert code in Pit().refused(command, "D1")


def test_only_the_dealer_signed_in_or_a_supervisor_starts() -> None:
    pit = Pit()
    assert pit.refused(StartRound("T1"), "D2") == {"not-the-dealer"}
    assert pit.refused(StartRound("T1"), "V1") == {"wrong-role"}
    assert pit.refused(StartRound("T1"), "X9") == {"unknown-person"}
    pit.do(StartRound("T1"), "S1")
    nobody = Pit(tables=[table_of(dealer=None)])
    assert nobody.refused(StartRound("T1"), "D1") == {"no-dealer"}


def test_a_closed_table_and_a_second_start_are_refused() -> None:
    assert Pit(tables=[table_of(status="closed")]).refused(StartRound("T1")) == {"table-closed"}
    pit = Pit()
    pit.start(1)
    assert pit.refused(StartRound("T1")) == {"round-in-play"}
    assert pit.refused(SetSensor("T1", "1", 2, True)) == {"round-in-play"}


@pytest.mark.parametrize("status", ["draft", "draining", "stopped", "retired"])
def test_a_link_that_is_not_open_takes_no_wagers_but_the_table_plays(status: str) -> None:
    pit = Pit(progressive(status=status))
    assert pit.refused(SetSensor("T1", "1", 2, True)) == {"link-not-open"}
    assert pit.refused(StartRound("T1", sensors={"1": [1]})) == {"link-not-open"}
    pit.end(pit.start())


def test_controller_and_manager_must_have_seen_the_same_wagers() -> None:
    pit = Pit()
    pit.do(SetSensor("T1", "1", 3, True))
    assert pit.refused(StartRound("T1", sensors={"1": [3, 4]})) == {"sensors-differ"}
    pit.do(StartRound("T1", sensors={"1": [3]}))


def test_the_dated_limit_of_a_single_wager_holds() -> None:
    from houseway.manager.core.house_entities import DatedValue, PropertySetting

    pit = Pit()
    values = (DatedValue(0, 30_000, "A1"), DatedValue(pit.now + 10_000_000, 40_000, "A1"))
    pit.floor.put("setting", "highest_wager", PropertySetting("highest_wager", values))
    high = StartRound("T1", wagers={"1": {"main": 40_000}})
    assert pit.refused(high) == {"above-limit"}
    pit.do(high, seconds=20)


def test_an_unreasonable_contribution_stops_the_round() -> None:
    from houseway.manager.core.house_entities import DatedValue, PropertySetting

    pit = Pit()
    pit.floor.put(
        "setting", "largest_contribution", PropertySetting("largest_contribution", (DatedValue(0, 60, "A1"),))
    )
    pit.end(pit.start(1, 2))
    assert pit.refused(StartRound("T1", sensors={"1": [1, 2, 3]})) == {"contribution-unreasonable"}


def test_a_round_is_found_again_by_its_rows() -> None:
    pit = Pit()
    pit.end(pit.start(1, 4))
    (round_,) = pit.rows("round")
    assert (round_["round"], round_["outcome"], round_["wagered_cents"], round_["returned_cents"]) == (
        "T1-1",
        "ended",
        200,
        0,
    )
    (lost,) = pit.rows("lost")
    assert (lost["round"], lost["seats"], lost["wager"], lost["stake_cents"]) == ("T1-1", [1, 4], "progressive", 100)
    body = msgspec.json.decode(pit.events[-1].body, type=Body)
    assert [(line["line"], line["seat"], line["outcome"]) for line in lines_of(body, "T1-1")] == [
        (1, 1, "lose"),
        (2, 4, "lose"),
    ]


def test_the_sign_may_show_contributions_only_once_the_round_is_over() -> None:
    pit = Pit(progressive(shows_contributions="at-end"))
    round_ = pit.start(1, 2, 3, 4, 5)
    assert (pit.held("meter", "L1", "main"), pit.sign()) == (10_001_000_000, 10_000_000_000)
    pit.end(round_)
    assert pit.sign() == 10_001_000_000
