"""Who plays: seats declared at the keypad, on sensors or by their wagers; the regular wager told or attested."""

from __future__ import annotations

import pytest

from houseway.manager.commands.round_commands import (
    CorrectWager,
    DeclareSeat,
    SetHand,
    SetSensor,
    ShowDealerWay,
    ShowPlayerWay,
    StartRound,
)
from tests.manager.pit import Pit, table_of

MAIN = {"main": 1000}


def begun(pit: Pit, **told: object) -> str:
    return str(pit.do(StartRound("T1", **told))["round"])  # type: ignore[arg-type]


# ---------------------------------------------------------------- the house-way display waits for everybody


def test_nobody_sees_the_dealers_hand_in_a_round_without_a_declared_seat() -> None:
    pit = Pit()
    round_ = begun(pit)
    assert pit.refused(ShowDealerWay(round_)) == {"nobody-plays"}
    assert pit.refused(ShowPlayerWay(round_, 1)) == {"seat-empty"}
    pit.do(DeclareSeat("T1", 4, plays=True))
    assert pit.refused(ShowDealerWay(round_)) == {"hands-not-set"}
    pit.do(SetHand(round_, 4))
    pit.do(ShowDealerWay(round_))


def test_a_seat_without_a_jackpot_wager_is_declared_once_and_waited_for_in_every_round() -> None:
    pit = Pit()
    assert pit.do(DeclareSeat("T1", 5, plays=True)) == {"table": "T1", "declared": [5], "occupied": None}
    for _ in range(2):
        pit.do(SetSensor("T1", "1", 2, lit=True))
        round_ = begun(pit)
        assert pit.round(round_).occupied == (2, 5)
        pit.do(SetHand(round_, 2))
        assert pit.refused(ShowDealerWay(round_)) == {"hands-not-set"}
        pit.do(ShowPlayerWay(round_, 5))
        pit.do(ShowDealerWay(round_))
        pit.end(round_)
    pit.do(DeclareSeat("T1", 5, plays=False))
    assert pit.round(pit.start(2)).occupied == (2,)


def test_start_game_may_tell_the_seats_itself() -> None:
    pit = Pit()
    pit.do(DeclareSeat("T1", 5, plays=True))
    answer = pit.do(StartRound("T1", sensors={"1": [3]}, occupied=[1, 6, 6]))
    assert answer["occupied"] == [1, 3, 6]
    assert pit.floor.tables["T1"].declared == (1, 6)
    pit.end(answer["round"])
    assert pit.do(StartRound("T1", occupied=[]))["occupied"] == []


def test_a_declared_seat_cannot_be_taken_out_of_the_round_in_play() -> None:
    pit = Pit()
    round_ = begun(pit, occupied=[1, 2])
    assert pit.do(DeclareSeat("T1", 2, plays=False))["occupied"] == [1, 2]
    pit.do(SetHand(round_, 1))
    assert pit.refused(ShowDealerWay(round_)) == {"hands-not-set"}
    pit.do(SetHand(round_, 2))
    pit.do(ShowDealerWay(round_))
    pit.end(round_)
    assert pit.round(begun(pit)).occupied == (1,)


def test_nobody_joins_once_the_dealers_hand_was_shown() -> None:
    pit = Pit()
    round_ = begun(pit, occupied=[1])
    pit.do(SetHand(round_, 1))
    pit.do(ShowDealerWay(round_))
    assert pit.refused(DeclareSeat("T1", 2, plays=True)) == {"already-shown"}


def test_nobody_joins_once_a_players_hand_was_shown() -> None:
    pit = Pit()
    round_ = begun(pit, occupied=[1, 2])
    pit.do(SetHand(round_, 1))
    pit.do(ShowPlayerWay(round_, 2))
    assert pit.refused(DeclareSeat("T1", 4, plays=True)) == {"already-shown"}
    assert pit.floor.tables["T1"].declared == (1, 2)
    pit.do(ShowDealerWay(round_))
    pit.end(round_)
    pit.do(DeclareSeat("T1", 4, plays=True))
    assert pit.round(begun(pit)).occupied == (1, 2, 4)


def test_a_wager_that_was_never_made_leaves_its_seat_in_the_round() -> None:
    pit = Pit()
    round_ = pit.start(1, 2)
    pit.do(CorrectWager(round_, "1", 2, made=False, reason="a coin of seat 1"))
    assert pit.round(round_).occupied == (1, 2)
    pit.do(CorrectWager(round_, "1", 4, made=True, reason="beside the sensor"))
    assert pit.round(round_).occupied == (1, 2, 4)


@pytest.mark.parametrize("seat", [0, 7, -1])
def test_a_seat_that_the_table_does_not_have_is_refused(seat: int) -> None:
    pit = Pit()
    assert pit.refused(DeclareSeat("T1", seat, plays=True)) == {"no-such-seat"}
    assert pit.refused(StartRound("T1", occupied=[1, seat])) == {"no-such-seat"}


def test_only_the_tables_own_people_declare() -> None:
    pit = Pit(tables=[table_of(), table_of("T2")])
    assert pit.refused(DeclareSeat("T1", 1, plays=True), "D2") == {"not-the-dealer"}
    closed = Pit(tables=[table_of(status="closed")])
    assert closed.refused(DeclareSeat("T1", 1, plays=True)) == {"table-closed"}


# ---------------------------------------------------------------- the regular wager


def test_a_jackpot_wager_without_the_regular_one_is_refused_by_its_seat() -> None:
    pit = Pit()
    start = StartRound("T1", {"1": [2, 5]}, {"2": MAIN})
    assert pit.refused(start) == {"missing-first-wager"}
    with pytest.raises(Exception, match="seat 5 has a jackpot wager on sensor 1 and no main wager"):
        pit.do(start)
    assert pit.refused(StartRound("T1", {"1": [2, 5]}, {"2": MAIN, "5": {"insurance": 500}})) == {"missing-first-wager"}
    answer = pit.do(StartRound("T1", {"1": [2, 5]}, {"2": MAIN, "5": MAIN}))
    assert answer["attested"] == {}


def test_on_the_felt_start_game_attests_the_regular_wagers() -> None:
    pit = Pit()
    answer = pit.do(StartRound("T1", {"1": [2, 5]}, occupied=[1]))
    assert answer["attested"] == {"2": "D1", "5": "D1"}
    assert pit.round(answer["round"]).attested == {"2": "D1", "5": "D1"}


def test_a_wager_that_is_put_in_later_is_attested_by_who_puts_it_in() -> None:
    pit = Pit()
    round_ = pit.start(2)
    pit.do(CorrectWager(round_, "1", 5, made=True, reason="beside the sensor"), actor="S1")
    assert pit.round(round_).attested == {"2": "D1", "5": "S1"}


def test_no_jackpot_wager_is_put_in_later_without_the_regular_one() -> None:
    pit = Pit()
    round_ = str(pit.do(StartRound("T1", {"1": [2]}, {"2": MAIN, "4": MAIN}))["round"])
    assert pit.refused(CorrectWager(round_, "1", 5, made=True, reason="missed")) == {"missing-first-wager"}
    pit.do(CorrectWager(round_, "1", 4, made=True, reason="missed"))
