"""Awards of two tables, limits, advances, reopened rounds and slips in each other's way: whose money is it?"""

from __future__ import annotations

from typing import Any

import pytest

from houseway.errors import InputError
from houseway.manager.commands.house_commands import CloseTable
from houseway.manager.commands.link_commands import Approve, Propose
from houseway.manager.commands.round_commands import (
    CorrectWager,
    DecideRound,
    HitJackpot,
    HoldRound,
    RejectJackpot,
    ReopenRound,
    VoidRound,
)
from houseway.manager.core.link_entities import LevelParameters
from tests.manager.pit import Pit, house_jackpot, progressive, put_papers, table_of

DOLLAR = 1_000_000
PLAIN = {"main": LevelParameters(1_000_000, "0")}


def two_tables(meter: int = 2_000_000, **changes: Any) -> Pit:
    """Two tables on a meter of $20,000 that wagers do not move, with a seed of $10,000."""
    link = progressive(**{"levels": PLAIN, **changes})
    return Pit(link, tables=[table_of(), table_of("T2")], meters={"L1/main": meter})


def two_people(pit: Pit, **what: Any) -> dict[str, Any]:
    """A change, proposed by accounting and approved by an executive."""
    told = pit.do(Propose(what, "as agreed"), "A1")
    return pit.do(Approve(told["proposal"], told["content_hash"], "badge-E1"), "E1")


def cents_of(pit: Pit, *awards: str) -> list[int]:
    return [pit.floor.awards[award].cents for award in awards]


# ---------------------------------------------------------------- locked for that winner


def after_a_win_elsewhere(first_hand: str = "five-aces", meter: int = 200_000, seed: int = 120_000) -> tuple[Pit, str]:
    """Seat 3 at T1 has won, then T2 has won the whole meter; seats 1 and 5 of T1 are still in the round."""
    pit = two_tables(meter, levels={"main": LevelParameters(seed, "0")})
    pit.start(1, 3, 5)
    pit.start(4, table="T2")
    first = pit.hit("T1-1", 3, first_hand)
    pit.hit("T2-1", 4, "five-aces")
    return pit, first.id


@pytest.mark.parametrize("seat", [1, 5])
def test_a_further_hit_leaves_an_award_as_locked_once_another_table_has_won(seat: int) -> None:
    pit, first = after_a_win_elsewhere()
    assert cents_of(pit, first, "T2-1/1") == [200_000, 120_000]
    further = pit.hit("T1-1", seat, "five-aces")
    assert cents_of(pit, first, "T2-1/1", further.id) == [200_000, 120_000, 120_000]
    assert pit.floor.balances["seed/L1/main"] == 3 * 1_200 * DOLLAR


def test_a_share_stands_once_another_table_has_won_the_rest() -> None:
    pit, first = after_a_win_elsewhere("royal-flush")
    assert cents_of(pit, first, "T2-1/1") == [20_000, 180_000]
    pit.hit("T1-1", 5, "royal-flush")
    assert cents_of(pit, first) == [20_000]


@pytest.mark.parametrize(("rejected", "left"), [(1, [20_000]), (3, [18_000])])
def test_a_rejection_leaves_the_other_awards_as_locked_once_another_table_has_won(
    rejected: int, left: list[int]
) -> None:
    pit = two_tables(200_000, levels={"main": LevelParameters(120_000, "0")})
    pit.start(1, 3)
    pit.start(4, table="T2")
    awards = {seat: pit.hit("T1-1", seat, "royal-flush").id for seat in (3, 1)}
    assert cents_of(pit, *awards.values()) == [20_000, 18_000]
    pit.hit("T2-1", 4, "five-aces")
    back = cents_of(pit, awards[rejected])[0]
    pit.do(RejectJackpot(awards.pop(rejected), "badge-S1", "misread"))
    assert cents_of(pit, *awards.values()) == left
    assert pit.held("meter", "L1", "main") == (120_000 + back) * 10_000


@pytest.mark.parametrize("paid", [False, True])
def test_a_win_elsewhere_counts_whether_paid_or_backed_out_since(paid: bool) -> None:
    pit, first = after_a_win_elsewhere()
    pit.pay("T2-1/1")
    pit.end("T2-1")
    pit.end(pit.start(2, table="T2"))
    assert "T2-1/1" not in pit.floor.awards
    if not paid:
        two_people(pit, change="back-out", award="T2-1/1", reference="incident 3", recover_seed=False)
    pit.hit("T1-1", 1, "royal-flush")
    assert cents_of(pit, first) == [200_000]


def test_a_win_elsewhere_that_is_rejected_lets_the_seats_decide_again() -> None:
    pit, first = after_a_win_elsewhere()
    pit.do(RejectJackpot("T2-1/1", "badge-S2", "misread"), "D2")
    right = pit.hit("T1-1", 5, "five-aces")
    assert cents_of(pit, right.id, first) == [200_000, 120_000]


def test_a_restart_between_two_others_that_cannot_be_undone_leaves_awards_as_they_are() -> None:
    pit = Pit(
        progressive(levels=PLAIN), tables=[table_of(), table_of("T2"), table_of("T3")], meters={"L1/main": 2_000_000}
    )
    for table in ("T1", "T2", "T3"):
        pit.start(1, 3, table=table)
    first, second, third = (pit.hit(f"{table}-1", 3, "five-aces").id for table in ("T1", "T2", "T3"))
    pit.do(RejectJackpot(second, "badge-S1", "misread"))
    pit.do(RejectJackpot(third, "badge-S1", "misread"))
    # The seed of the second restart could not go back: it must not make the first award larger.
    pit.hit("T1-1", 1, "royal-flush")
    assert cents_of(pit, first) == [2_000_000]


def test_only_the_level_that_was_won_elsewhere_stands() -> None:
    levels = {name: LevelParameters(1_000, "0") for name in ("five_aces", "royal_flush")}
    link = progressive(paytable="6CFPGPP-3", levels=levels)
    pit = Pit(link, tables=[table_of(), table_of("T2")], meters={f"L1/{level}": 9_000 for level in levels})
    pit.start(1, 2, 3, 5)
    pit.start(4, table="T2")
    aces, royal = pit.hit("T1-1", 3, "five-aces").id, pit.hit("T1-1", 2, "royal-flush").id
    pit.hit("T2-1", 4, "royal-flush")
    right = pit.hit("T1-1", 5, "five-aces").id
    assert cents_of(pit, right, aces, royal) == [9_000, 1_000, 9_000]


# ---------------------------------------------------------------- posted limits


def near_limit(**changes: Any) -> Pit:
    """A meter of $10,000 at its limit, of which a fifth of each wager goes to the overflow."""
    levels = {"main": LevelParameters(100_000, "1/5", limit=1_000_000)}
    return two_tables(1_000_000, levels=levels, **changes)


def test_a_rejected_award_goes_back_no_higher_than_the_posted_limit() -> None:
    pit = near_limit()
    pit.start(1)
    award = pit.hit("T1-1", 1, "royal-flush")
    for _ in range(5):
        pit.end(pit.start(1, 2, 3, 4, 5, 6, table="T2"))
    came = 5 * 6 * DOLLAR // 5
    assert pit.sign() == 10_000 * DOLLAR
    pit.do(RejectJackpot(award.id, "badge-S1", "misread"))
    assert pit.held("meter", "L1", "main") == pit.sign() == 10_000 * DOLLAR
    assert pit.held("overflow", "L1", "main") == came + DOLLAR // 5


def test_awards_that_are_worked_out_anew_leave_no_room_below_the_limit_while_there_is_overflow() -> None:
    pit = near_limit(display_falls="at-hit")
    pit.start(1, 5)
    pit.hit("T1-1", 1, "royal-flush")
    for _ in range(200):
        pit.end(pit.start(1, 2, 3, 4, 5, 6, table="T2"))
    shown = pit.sign()
    assert shown == 9_240 * DOLLAR
    pit.hit("T1-1", 5, "four-of-a-kind")
    assert pit.sign() == shown


def test_a_restart_stays_below_the_limit_beside_contributions_that_are_not_shown_yet() -> None:
    levels = {"main": LevelParameters(100_000, "1/5", limit=100_000)}
    pit = two_tables(50_000, levels=levels, shows_contributions="at-end")
    pit.start(1, 2, 3, 4, 5, 6, table="T2")
    pit.start(1)
    award = pit.hit("T1-1", 1, "five-aces")
    assert award.cents == 50_000
    assert pit.held("meter", "L1", "main") == 1_000 * DOLLAR
    hidden = 7 * DOLLAR // 5
    assert pit.floor.balances["seed/L1/main"] == 1_000 * DOLLAR - hidden
    # Only the seed that came onto the meter can be recovered from it.
    pit.pay(award.id)
    pit.end("T1-1")
    pit.end("T2-1")
    too_much = {"change": "adjustment", "link": "L1", "level": "main", "code": "recover-seed", "reference": "9"}
    assert pit.refused(Propose({**too_much, "micros": -1_000 * DOLLAR}, "why"), "A1") == {"above-bound"}
    two_people(pit, **too_much, micros=hidden - 1_000 * DOLLAR)
    assert pit.held("meter", "L1", "main") == hidden


def test_a_void_gives_back_what_was_locked_no_higher_than_the_limit() -> None:
    pit = near_limit()
    pit.start(1)
    pit.hit("T1-1", 1, "royal-flush")
    for _ in range(5):
        pit.end(pit.start(1, 2, 3, 4, 5, 6, table="T2"))
    pit.do(VoidRound("T1-1", "badge-S1", "misdeal"))
    assert pit.held("meter", "L1", "main") == 10_000 * DOLLAR
    assert pit.held("overflow", "L1", "main") == 5 * 6 * DOLLAR // 5


def test_a_limit_is_not_lowered_while_a_round_is_set_aside() -> None:
    pit = near_limit(display_falls="at-hit")
    pit.start(1)
    award = pit.hit("T1-1", 1, "five-aces")
    pit.do(HoldRound("T1-1", "badge-S1", "dispute"))
    what = {"change": "limit", "link": "L1", "level": "main", "posted": "signs"}
    assert pit.refused(Propose({**what, "limit": 500_000}, "why"), "A1") == {"round-held"}
    two_people(pit, **what, limit=1_100_000)
    pit.do(DecideRound("T1-1", "badge-E1", "resume", "seen", "film 1"), "S2")
    assert cents_of(pit, award.id) == [1_000_000]


# ---------------------------------------------------------------- seeds and advances


@pytest.mark.parametrize("later", [False, True])
def test_what_the_house_advanced_goes_back_to_it_when_the_award_is_backed_out(later: bool) -> None:
    pit = two_tables(order="full-to-each")
    round_ = pit.start(2, 5)
    low, high = pit.press(round_, 2, "five-aces"), pit.press(round_, 5, "five-aces")
    pit.do(HitJackpot(round_))
    pit.pay(high)
    pit.pay(low)
    pit.end(round_)
    # Two awards of $20,000: the meter, the first seed, and $10,000 that the house advanced; then the second seed.
    assert pit.floor.balances["seed/L1/main"] == 30_000 * DOLLAR
    if later:
        pit.end(pit.start(1))
        assert low not in pit.floor.awards
    answer = two_people(pit, change="back-out", award=low, reference="incident 4", recover_seed=False)
    assert answer["advance_returned_micros"] == 10_000 * DOLLAR
    assert pit.floor.balances["seed/L1/main"] == 20_000 * DOLLAR
    assert pit.held("meter", "L1", "main") == 20_000 * DOLLAR
    assert pit.held("paid", "L1") == 20_000 * DOLLAR
    assert pit.rows("hit")[-1]["seed_drawn_micros"] == -10_000 * DOLLAR
    assert pit.refused(Propose({"change": "back-out", "award": low, "reference": "again"}, "why"), "A1") == {
        "award-backed-out"
    }


def test_seed_money_is_recovered_once_also_after_a_restart_that_did_not_stand() -> None:
    pit = two_tables()
    recover = {"change": "adjustment", "link": "L1", "level": "main", "code": "recover-seed", "reference": "9"}
    pit.floor.transfer("seed/L1/main", "house", 10_000 * DOLLAR)
    two_people(pit, **recover, micros=-10_000 * DOLLAR)
    pit.floor.transfer("seed/L1/main", "house", 10_000 * DOLLAR)
    round_ = pit.start(3)
    award = pit.hit(round_, 3, "five-aces")
    pit.do(HoldRound(round_, "badge-S1", "dispute"))
    # A change while the restart stands writes down what can be recovered of it; the run before is not that one.
    two_people(pit, change="level", link="L1", level="main", contribution="1/5")
    pit.do(DecideRound(round_, "badge-E1", "resume", "seen", "film 1"), "S2")
    pit.do(RejectJackpot(award.id, "badge-S1", "misread"))
    pit.end(round_)
    assert pit.refused(Propose({**recover, "micros": -1}, "why"), "A1") == {"above-bound"}


def test_a_restart_after_one_that_did_not_stand_has_its_own_seed_to_recover() -> None:
    pit = two_tables()
    recover = {"change": "adjustment", "link": "L1", "level": "main", "code": "recover-seed", "reference": "9"}
    round_ = pit.start(3, 4)
    award = pit.hit(round_, 3, "five-aces")
    pit.do(HoldRound(round_, "badge-S1", "dispute"))
    two_people(pit, **recover, micros=-10_000 * DOLLAR)
    pit.do(DecideRound(round_, "badge-E1", "resume", "seen", "film 1"), "S2")
    pit.do(RejectJackpot(award.id, "badge-S1", "misread"))
    pit.pay(pit.hit(round_, 4, "five-aces").id)
    pit.end(round_)
    two_people(pit, **recover, micros=-10_000 * DOLLAR)
    assert pit.floor.balances["seed/L1/main"] == 0


# ---------------------------------------------------------------- rounds that are opened again


def test_a_house_prize_that_changed_since_is_not_that_of_a_round_opened_again() -> None:
    pit = Pit(house_jackpot(), tables=[table_of(sensors={"1": "H1"})], meters={})
    round_ = pit.start(2)
    pit.end(round_)
    two_people(pit, change="prizes", link="H1", prizes={"main": 100}, posted="signs")
    two_people(pit, change="prizes", link="H1", prizes={"main": 200}, posted="signs")
    pit.do(ReopenRound("T1", "badge-S1", "a winner was missed"))
    pit.do(CorrectWager(round_, "1", 3, True, "missed", "badge-S1"))
    assert [pit.hit(round_, seat, "five-aces").cents for seat in (2, 3)] == [500_000, 500_000]
    for award in ("T1-1/2", "T1-1/1"):
        pit.pay(award)
    pit.end(round_)
    assert pit.hit(pit.start(2), 2, "five-aces").cents == 200
    # Nothing is kept of terms under which no round can be opened again.
    pit.pay("T1-2/1")
    pit.end("T1-2")
    two_people(pit, change="prizes", link="H1", prizes={"main": 300}, posted="signs")
    assert [terms.prizes for terms in pit.floor.links["H1"].earlier] == [{"main": 200}]


def test_who_makes_fixed_pays_is_what_was_in_force_when_the_round_began() -> None:
    pit = two_tables(fixed_pays="meter")
    round_ = pit.start(2)
    pit.end(round_)
    two_people(pit, change="link", link="L1", fixed_pays="tray")
    pit.do(ReopenRound("T1", "badge-S1", "a winner was missed"))
    award = pit.hit(round_, 2, "four-of-a-kind")
    assert (award.source, award.level) == ("meter", "main")
    pit.pay(award.id)
    pit.end(round_)
    put_papers(pit.floor, pit.now)
    assert pit.hit(pit.start(2), 2, "four-of-a-kind").source == "tray"


def test_the_order_of_winners_is_what_was_in_force_when_the_round_began() -> None:
    pit = two_tables()
    round_ = pit.start(2, 5)
    pit.end(round_)
    two_people(pit, change="link", link="L1", order="full-to-each")
    pit.do(ReopenRound("T1", "badge-S1", "winners were missed"))
    awards = [pit.press(round_, seat, "five-aces") for seat in (5, 2)]
    pit.do(HitJackpot(round_))
    assert cents_of(pit, *awards) == [2_000_000, 1_000_000]


def test_a_first_wager_is_not_taken_by_parameters_that_came_after_the_round_began() -> None:
    pit = two_tables()
    round_ = pit.start()
    pit.do(CorrectWager(round_, "1", 2, True, "missed", "badge-S1"))
    pit.do(CorrectWager(round_, "1", 2, False, "no chip after all", "badge-S1"))
    pit.end(round_)
    two_people(pit, change="link", link="L1", wager=500)
    pit.do(ReopenRound("T1", "badge-S1", "a wager was missed"))
    assert pit.refused(CorrectWager(round_, "1", 2, True, "missed", "badge-S1")) == {"link-changed"}
    pit.end(round_)
    pit.do(CorrectWager(pit.start(), "1", 2, True, "missed", "badge-S1"))
    assert pit.held("drop", "T1") == 5 * DOLLAR


# ---------------------------------------------------------------- slips


def slip_after_a_win_elsewhere() -> Pit:
    """T2 has won the contributions of T1's round in play; the seed is nothing."""
    pit = two_tables(100_000, levels={"main": LevelParameters(0, "1/5", "1/100")})
    pit.start(1, 2)
    pit.start(4, table="T2")
    pit.pay(pit.hit("T2-1", 4, "five-aces").id)
    pit.end("T2-1")
    # Only the reserve of the three wagers is left, now on the meter.
    assert (pit.held("meter", "L1", "main"), pit.held("reserve", "L1", "main")) == (30_000, 0)
    return pit


def test_a_missed_wager_contributes_once_whatever_another_table_has_won() -> None:
    pit = slip_after_a_win_elsewhere()
    before = pit.held("meter", "L1", "main"), pit.held("reserve", "L1", "main"), pit.held("receipts", "T1")
    pit.do(CorrectWager("T1-1", "1", 3, True, "missed", "badge-S1"))
    after = pit.held("meter", "L1", "main"), pit.held("reserve", "L1", "main"), pit.held("receipts", "T1")
    assert [new - old for old, new in zip(before, after, strict=True)] == [200_000, 10_000, 790_000]
    assert pit.held("drop", "T1") == 3 * DOLLAR


def test_a_wager_that_was_never_made_takes_only_its_own_share_out() -> None:
    pit = slip_after_a_win_elsewhere()
    pit.end(pit.start(1, 2, 3, 4, 5, 6, table="T2"))
    before = pit.held("meter", "L1", "main") + pit.held("reserve", "L1", "main")
    pit.do(CorrectWager("T1-1", "1", 2, False, "no chip", "badge-S1"))
    assert before - pit.held("meter", "L1", "main") - pit.held("reserve", "L1", "main") == 210_000
    assert pit.round("T1-1").taken[0].seats == (1,)
    pit.do(CorrectWager("T1-1", "1", 1, False, "no chip", "badge-S1"))
    assert pit.held("drop", "T1") == 0
    assert pit.round("T1-1").taken == ()


@pytest.mark.parametrize("share", ["1/3", "2/7", "1/64", "1/999983"])
def test_slips_leave_the_exact_share_of_the_wagers_that_count(share: str) -> None:
    levels = {"main": LevelParameters(0, share, "1/13")}
    corrected, right = (Pit(progressive(levels=levels), meters={}) for _ in range(2))
    for pit, first in ((corrected, (1, 4)), (right, (2, 3, 5))):
        pit.end(pit.start(1))
        pit.start(*first)
    for seat, made in ((2, True), (3, True), (1, False), (5, True), (6, True), (4, False), (6, False)):
        corrected.do(CorrectWager("T1-2", "1", seat, made, "slip", "badge-S1"))
    for kind in ("meter", "reserve"):
        assert corrected.held(kind, "L1", "main") == right.held(kind, "L1", "main")
    assert corrected.floor.levels["L1/main"] == right.floor.levels["L1/main"]
    both = [pit.round("T1-2").taken[0].shares for pit in (corrected, right)]
    assert both[0] == both[1]
    for pit in (corrected, right):
        pit.do(VoidRound("T1-2", "badge-S1", "misdeal"))
    assert corrected.floor.balances == {**corrected.floor.balances, **right.floor.balances}


def test_a_hand_without_the_wager_is_settled_after_the_last_wager_came_out() -> None:
    pit = two_tables()
    round_ = pit.start(1)
    award = pit.press(round_, 4, "five-aces")
    pit.do(CorrectWager(round_, "1", 1, False, "no chip", "badge-S1"))
    # It brings nobody anything any more, so nobody's badge is needed.
    assert [each["status"] for each in pit.do(HitJackpot(round_))["awards"]] == ["paid"]
    assert pit.floor.awards[award].paid_by == "D1"
    assert pit.end(round_)["envy"] == []


def test_a_held_round_resumes_at_an_open_table_and_the_refusal_says_what_is_missing() -> None:
    pit = Pit(progressive())
    pit.start(2)
    pit.do(HoldRound("T1-1", "badge-S1", "a disputed hand"))
    decide = DecideRound("T1-1", "badge-E1", "resume", "seen", "film 1")
    pit.start(3)
    with pytest.raises(InputError, match="T1-2 is in play at T1: press END GAME there first") as caught:
        pit.do(decide, "S2")
    assert caught.value.faults[0].code == "round-in-play"
    pit.end("T1-2")
    pit.do(CloseTable("T1", 0, 0, "badge-E1"), "S1")
    with pytest.raises(InputError, match="T1 is closed: two people open it first") as caught:
        pit.do(decide, "S2")
    assert caught.value.faults[0].code == "table-closed"
    assert pit.do(DecideRound("T1-1", "badge-E1", "void", "seen", "film 1"), "S2")["round"] == "T1-1"
