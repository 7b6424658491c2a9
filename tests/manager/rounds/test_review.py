"""Sequences that once moved money wrongly, let one person do the part of two, or left a table stuck."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from houseway.errors import InputError
from houseway.manager.commands import read_envelope
from houseway.manager.commands.house_commands import AttachSensor, CloseTable, DealerIn
from houseway.manager.commands.link_commands import Approve, Propose, StopLink
from houseway.manager.commands.round_commands import (
    AddReference,
    CorrectWager,
    DecideRound,
    EndRound,
    HitJackpot,
    HoldRound,
    PayJackpot,
    PressHand,
    RejectJackpot,
    ReopenRound,
    SetHand,
    SetSensor,
    ShowDealerWay,
    StartRound,
    TurnKey,
    VoidRound,
)
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Device
from houseway.manager.core.link_entities import LevelParameters
from houseway.manager.core.money import rate
from houseway.manager.core.records import canonical
from tests.manager.pit import Pit, progressive, table_of

PLAIN = {"main": LevelParameters(1_000_000, "0")}
DAY = 86_400


def plain_pit(**changes: Any) -> Pit:
    """Two tables on a meter of $20,000 that wagers do not move."""
    link = progressive(**{"levels": PLAIN, **changes})
    return Pit(link, tables=[table_of(), table_of("T2")], meters={"L1/main": 2_000_000})


def two_people(pit: Pit, **what: Any) -> dict[str, Any]:
    """A change, proposed by accounting and approved by an executive."""
    told = pit.do(Propose(what, "as agreed"), "A1")
    return pit.do(Approve(told["proposal"], told["content_hash"], "badge-E1"), "E1")


def make_both(pit: Pit, person: str = "S1") -> None:
    """Give a person both the dealer's and the supervisor's role."""
    pit.floor.put("person", person, replace(pit.floor.people[person], roles=("dealer", "supervisor")))


# ---------------------------------------------------------------- tables that got stuck


def test_a_chip_is_taken_off_a_sensor_whatever_became_of_its_link() -> None:
    pit = Pit()
    pit.do(SetSensor("T1", "1", 3, True))
    pit.do(StopLink("L1", "badge-E1", "malfunction", "the sign went dark"), "A1")
    assert pit.refused(StartRound("T1")) == {"link-not-open"}
    assert pit.refused(SetSensor("T1", "1", 4, True)) == {"link-not-open"}
    pit.do(SetSensor("T1", "1", 3, False))
    pit.end(pit.start())
    pit.do(CloseTable("T1", 0, 0, "badge-S1"))


def test_a_fixed_pay_that_a_later_winner_pushes_off_the_meter_comes_from_the_tray() -> None:
    link = progressive(levels={"main": LevelParameters(0, "0")}, fixed_pays="meter")
    pit = Pit(link, meters={"L1/main": 20_000})
    round_ = pit.start(1, 6)
    low = pit.hit(round_, 1, "four-of-a-kind")
    high = pit.press(round_, 6, "five-aces")
    assert pit.refused(HitJackpot(round_)) == {"meter-short"}
    pit.do(HitJackpot(round_, "tray"))
    assert pit.floor.awards[high].cents == 20_000
    assert (pit.floor.awards[low.id].source, pit.floor.awards[low.id].status) == ("tray", "hit")
    pit.pay(high)
    pit.pay(low.id)
    pit.end(round_)


def test_the_tray_pays_only_what_the_meter_cannot() -> None:
    pit = Pit(progressive(levels=PLAIN, fixed_pays="meter"), meters={"L1/main": 20_000})
    round_ = pit.start(1)
    award = pit.press(round_, 1, "four-of-a-kind")
    pit.do(HitJackpot(round_, "tray"))
    assert pit.floor.awards[award].source == "meter"


def test_a_rejection_is_possible_when_the_others_no_longer_fit_on_the_meter() -> None:
    link = progressive(levels={"main": LevelParameters(100_000, "0")}, fixed_pays="meter")
    pit = Pit(link, meters={"L1/main": 5_000})
    round_ = pit.start(1, 6)
    low = pit.press(round_, 1, "four-of-a-kind")
    high = pit.press(round_, 6, "five-aces")
    pit.do(HitJackpot(round_))
    answer = pit.do(RejectJackpot(high, "badge-S1", "four aces only"))
    assert [(each["award"], each["status"]) for each in answer["awards"]] == [(low, "pressed")]
    assert pit.held("locked", "L1", "main") == 0
    pit.do(HitJackpot(round_, "tray"))
    pit.pay(low)
    pit.end(round_)


# ---------------------------------------------------------------- amounts


@pytest.mark.parametrize("third", [None, 1])
def test_what_the_house_advanced_for_the_full_meter_to_each_is_paid_once(third: int | None) -> None:
    pit = plain_pit(order="full-to-each")
    round_ = pit.start(1, 2, 5)
    low, high = pit.press(round_, 2, "five-aces"), pit.press(round_, 5, "five-aces")
    pit.do(HitJackpot(round_))
    if third is not None:
        pit.hit(round_, third, "royal-flush")
    assert {pit.floor.awards[low].cents, pit.floor.awards[high].cents} == {2_000_000}
    pit.do(RejectJackpot(low, "badge-S1", "misread"))
    assert pit.floor.awards[high].cents == 2_000_000
    pit.do(VoidRound(round_, "badge-S1", "misdeal"))
    assert pit.held("meter", "L1", "main") == 20_000_000_000
    assert pit.floor.balances["seed/L1/main"] == 0


def test_a_second_winner_does_not_bring_the_first_the_seed_of_another_tables_jackpot() -> None:
    pit = plain_pit()
    here, there = pit.start(2, 5), pit.start(4, table="T2")
    first, second = pit.hit(here, 5, "five-aces"), pit.hit(there, 4, "five-aces")
    assert (first.cents, second.cents) == (2_000_000, 1_000_000)
    pit.hit(here, 2, "straight-flush")
    assert pit.floor.awards[first.id].cents == 2_000_000
    assert pit.held("meter", "L1", "main") == 10_000_000_000
    assert pit.floor.balances["seed/L1/main"] == 20_000_000_000


def test_seed_money_that_was_recovered_is_not_taken_again_by_a_rejection() -> None:
    pit = plain_pit()
    round_ = pit.start(3)
    award = pit.hit(round_, 3, "five-aces")
    pit.do(HoldRound(round_, "badge-S1", "player disputes"))
    two_people(pit, change="adjustment", link="L1", level="main", code="recover-seed", micros=-(10**10), reference="9")
    two_people(pit, change="adjustment", link="L1", level="main", code="carried", micros=7 * 10**9, reference="10")
    pit.do(DecideRound(round_, "badge-E1", "resume", "seen", "film 1"), "S2")
    pit.do(RejectJackpot(award.id, "badge-S1", "no"))
    assert pit.held("meter", "L1", "main") == 27_000_000_000
    assert pit.floor.balances["seed/L1/main"] == 0


def test_a_void_undoes_locks_the_latest_first_whatever_their_seats() -> None:
    pit = plain_pit()
    round_ = pit.start(1, 2, 5)
    paid = pit.hit(round_, 2, "five-aces")
    pit.pay(paid.id)
    # After a payment nothing is locked again: seat 1 is locked before seat 5.
    pit.hit(round_, 1, "five-aces")
    pit.hit(round_, 5, "five-aces")
    two_people(pit, change="back-out", award=paid.id, reference="incident 8", recover_seed=False)
    pit.do(VoidRound(round_, "badge-S1", "misdeal"))
    # Only the restart after the backed-out award is left: its seed, and the award itself.
    assert pit.floor.balances["seed/L1/main"] == 10_000_000_000
    assert pit.held("meter", "L1", "main") == 30_000_000_000


def test_a_button_that_is_only_pressed_is_rejected_without_touching_locked_awards() -> None:
    pit = Pit(meters={"L1/main": 2_000_000}, tables=[table_of(), table_of("T2")])
    here, there = pit.start(2, 5), pit.start(1, 2, 3, table="T2")
    locked = pit.hit(here, 5, "royal-flush")
    pit.end(there)
    pit.end(pit.start(1, 2, 3, 4, 5, 6, table="T2"))
    pressed = pit.press(here, 2, "flush")
    pit.do(RejectJackpot(pressed, "badge-S1", "no flush"))
    assert pit.floor.awards[locked.id] == locked


def test_a_correction_keeps_wager_and_rates_of_the_rounds_start() -> None:
    pit = Pit()
    round_ = pit.start(1, 2)
    pit.do(HoldRound(round_, "badge-S1", "dispute"))
    two_people(pit, change="level", link="L1", level="main", contribution="1/2")
    pit.do(DecideRound(round_, "badge-E1", "resume", "seen", "film 1"), "S2")
    pit.do(CorrectWager(round_, "1", 3, True, "missed", "badge-S1"))
    assert pit.held("meter", "L1", "main") == 10_000_600_000
    # What comes after plays by the new rate.
    pit.end(round_)
    pit.start(1)
    assert pit.held("meter", "L1", "main") == 10_001_100_000


def test_a_correction_after_the_wager_changed_takes_what_the_players_laid() -> None:
    pit = Pit()
    round_ = pit.start(1, 2)
    pit.end(round_)
    two_people(pit, change="link", link="L1", wager=500)
    pit.do(ReopenRound("T1", "badge-S1", "missed"))
    pit.do(CorrectWager(round_, "1", 3, True, "missed", "badge-S1"))
    assert pit.held("drop", "T1") == 3_000_000


def test_the_first_level_is_the_pay_tables_also_after_the_state_was_read_back() -> None:
    levels = {
        "mega": LevelParameters(0, "0", executive_from=5_000),
        "major": LevelParameters(0, "0", executive_from=10_000_000),
        "minor": LevelParameters(0, "0"),
    }
    cards = []
    for read_back in (False, True):
        pit = Pit(progressive(paytable="FPGPP-ML2", levels=levels), tables=[table_of(game="fortune")], meters={})
        if read_back:
            pit.engine.floor = Floor.restored(msgspec.json.decode(canonical(pit.floor.snapshot())))
        cards.append(pit.hit(pit.start(3), 3, "straight-flush").badge_role)
    assert cards == ["executive", "executive"]


# ---------------------------------------------------------------- signs


def test_a_sign_does_not_fall_because_a_round_is_opened_again() -> None:
    pit = Pit(progressive(shows_contributions="at-end"))
    round_ = pit.start(1, 2, 3, 4, 5)
    pit.end(round_)
    shown = pit.sign()
    pit.do(ReopenRound("T1", "badge-S1", "missed"))
    assert pit.sign() == shown


def test_an_award_that_was_paid_before_does_not_come_back_onto_the_sign_with_the_key() -> None:
    link = progressive(levels=PLAIN, fixed_pays="meter", fixed_supervisor_from=10_000)
    pit = Pit(link, tables=[table_of(vocabulary="aquarius")], meters={"L1/main": 2_000_000})
    round_ = pit.start(1, 2, 3)
    pit.hit(round_, 1, "full-house")
    after_small = pit.sign()
    award = pit.hit(round_, 2, "royal-flush")
    pit.do(TurnKey(round_, "jph", "badge-S1"))
    assert pit.sign() == after_small
    pit.pay(award.id)
    assert pit.sign() == after_small
    pit.do(TurnKey(round_, "run", "badge-S1"))
    after_paid = pit.sign()
    assert after_paid == after_small - award.cents * 10_000
    another = pit.hit(round_, 3, "royal-flush")
    pit.do(TurnKey(round_, "jph", "badge-S1"))
    assert pit.sign() == after_paid
    pit.pay(another.id)


def test_answers_tell_of_changes_that_were_made_on_the_way() -> None:
    pit = plain_pit()
    round_ = pit.start(3)
    two_people(pit, change="level", link="L1", level="main", seed=1_500_000, when="won")
    award = pit.hit(round_, 3, "five-aces")
    assert [each["status"] for each in pit.pay(award.id)["changes"]] == ["made"]
    two_people(pit, change="link", link="L1", display_falls="at-hit")
    told = pit.do(HoldRound(round_, "badge-S1", "dispute"))
    assert [each["status"] for each in told["changes"]] == ["made"]


# ---------------------------------------------------------------- two people


def test_who_takes_a_round_over_as_dealer_does_not_swipe_for_it() -> None:
    pit = plain_pit()
    make_both(pit)
    round_ = pit.start(3, 4)
    pit.do(DealerIn("T1", "badge-S1"), "S1")
    award = pit.hit(round_, 3, "royal-flush")
    for command in (
        PayJackpot(award.id, "badge-S1"),
        RejectJackpot(award.id, "badge-S1", "why"),
        VoidRound(round_, "badge-S1", "why"),
        HoldRound(round_, "badge-S1", "why"),
    ):
        assert pit.refused(command, "S1") == {"second-person"}
    pit.pay(award.id, "badge-S2")


def test_who_presses_a_hand_does_not_pay_it() -> None:
    pit = plain_pit()
    round_ = pit.start(3)
    award = str(pit.do(PressHand(round_, 3, "royal-flush"), "S1")["award"])
    pit.do(HitJackpot(round_), "S1")
    assert pit.refused(PayJackpot(award, "badge-S1"), "S1") == {"second-person"}
    pit.pay(award, "badge-S2")


def test_who_dealt_a_round_does_not_decide_its_dispute() -> None:
    pit = plain_pit()
    make_both(pit)
    pit.floor.put("table", "T1", replace(pit.floor.tables["T1"], dealer="S1"))
    round_ = pit.start(3)
    pit.do(HoldRound(round_, "badge-S2", "dispute"))
    assert pit.refused(DecideRound(round_, "badge-E1", "void", "why", "film"), "S1") == {"second-person"}


def test_a_payout_above_the_threshold_is_not_made_by_the_hit() -> None:
    pit = Pit(progressive(fixed_supervisor_from=10_000_000, wager=2_000))
    round_ = pit.start(3)
    award = pit.hit(round_, 3, "straight-flush")
    assert (award.cents, award.badge_role, award.status) == (600_000, "none", "hit")
    assert pit.refused(PayJackpot(award.id)) == {"surveillance-reference"}
    assert pit.refused(PayJackpot(award.id), "D2") == {"not-the-dealer"}
    pit.verify(award.id)
    pit.do(PayJackpot(award.id))
    pit.end(round_)


def test_an_override_at_the_end_is_always_a_supervisors() -> None:
    pit = Pit()
    round_ = pit.start(3)
    assert pit.refused(EndRound(round_, "nobody won", "badge-D2")) == {"wrong-role"}
    assert pit.refused(EndRound(round_, " ", "badge-S1")) == {"reason-needed"}
    pit.do(EndRound(round_, "nobody won", "badge-S1"))


def test_a_dealer_does_not_add_a_wager_alone_once_the_dealers_hand_was_shown() -> None:
    pit = Pit()
    round_ = pit.start(2)
    pit.do(SetHand(round_, 2))
    pit.do(ShowDealerWay(round_))
    assert pit.refused(CorrectWager(round_, "1", 3, True, "missed")) == {"badge-needed"}


def test_a_dealer_does_not_add_a_wager_alone_after_pressing_a_button() -> None:
    pit = Pit()
    round_ = pit.start(2)
    pit.press(round_, 2, "flush")
    pit.do(PressHand(round_, 2, "flush"))
    assert pit.refused(CorrectWager(round_, "1", 3, True, "missed")) == {"badge-needed"}


def test_only_a_tables_own_dealer_and_controller_tell_of_chips() -> None:
    pit = Pit(tables=[table_of(), table_of("T2")])
    pit.floor.put("device", "C2", Device("C2", "controller", "T2", "secret"))
    assert pit.refused(SetSensor("T1", "1", 3, True), "D2") == {"not-the-dealer"}
    assert pit.refused(SetSensor("T1", "1", 3, True), "device:C2") == {"wrong-device"}
    pit.do(SetSensor("T2", "1", 3, True), "device:C2")


# ---------------------------------------------------------------- rounds that outlive their surroundings


def test_a_round_set_aside_is_won_from_the_link_that_took_its_wagers() -> None:
    links = progressive(levels=PLAIN), progressive("L2", levels=PLAIN)
    pit = Pit(*links, meters={"L1/main": 2_000_000, "L2/main": 9_000_000})
    round_ = pit.start(3, 4)
    pit.do(HoldRound(round_, "badge-S1", "dispute"))
    pit.do(CloseTable("T1", 0, 200, "badge-S1"))
    pit.do(AttachSensor("T1", "1", None), "S1")
    pit.do(AttachSensor("T1", "1", "L2"), "S1")
    pit.floor.put("table", "T1", replace(pit.floor.tables["T1"], status="open", dealer="D1"))
    pit.do(DecideRound(round_, "badge-E1", "resume", "seen", "film 1"), "S2")
    pit.do(CorrectWager(round_, "1", 4, False, "no chip there", "badge-S1"))
    award = pit.hit(round_, 3, "royal-flush")
    assert (award.link, award.cents) == ("L1", 200_000)
    pit.pay(award.id)
    pit.end(round_)
    assert pit.held("meter", "L2", "main") == 90_000_000_000


def test_a_table_that_was_counted_opens_no_round_again() -> None:
    pit = plain_pit()
    round_ = pit.start(1, 2)
    pit.pay(pit.hit(round_, 1, "royal-flush").id)
    pit.end(round_)
    pit.do(CloseTable("T1", 0, 200, "badge-S1"))
    assert round_ not in pit.floor.rounds
    assert not pit.floor.awards
    pit.floor.put("table", "T1", replace(pit.floor.tables["T1"], status="open", dealer="D1"))
    assert pit.refused(ReopenRound("T1", "badge-S1", "missed")) == {"nothing-to-reopen"}


def test_a_round_that_resumes_leaves_no_forgotten_one_behind() -> None:
    pit = plain_pit()
    held = pit.start(1)
    pit.do(HoldRound(held, "badge-S1", "dispute"))
    pit.end(pit.start(2))
    pit.do(DecideRound(held, "badge-E1", "resume", "seen", "film 1"), "S2")
    pit.end(held)
    pit.end(pit.start(3))
    assert list(pit.floor.rounds) == ["T1-3"]


def test_an_account_that_was_whole_is_not_overdue_with_the_first_wager() -> None:
    pit = Pit()
    pit.floor.transfer("bank/L1", "house", 10_000_000_000)
    pit.now += 30 * DAY * 1_000_000
    for _ in range(3):
        pit.end(pit.start(1, 2))
    pit.now += 6 * DAY * 1_000_000
    pit.end(pit.start(1))
    pit.now += 2 * DAY * 1_000_000
    assert pit.refused(StartRound("T1", {"1": [1]})) == {"account-short"}


# ---------------------------------------------------------------- input without bounds


def test_a_hand_that_brings_envy_to_nobody_has_no_button() -> None:
    pit = Pit()
    round_ = pit.start()
    assert pit.refused(PressHand(round_, 3, "five-aces")) == {"no-wager"}


def test_an_empty_reference_is_told_what_one_is() -> None:
    pit = plain_pit()
    award = pit.hit(pit.start(3), 3, "royal-flush")
    with pytest.raises(InputError, match="name where the payout can be seen"):
        pit.verify(award.id, " ")


def test_texts_for_the_record_have_an_end() -> None:
    pit = plain_pit()
    round_ = pit.start(3)
    long = "x" * 2_001
    assert pit.refused(VoidRound(round_, "badge-S1", long)) == {"text-too-long"}
    assert pit.refused(HoldRound(round_, "badge-S1", "why", {"camera": long})) == {"text-too-long"}
    many = {str(number): "film" for number in range(21)}
    assert pit.refused(HoldRound(round_, "badge-S1", "why", many)) == {"text-too-long"}
    assert pit.refused(PressHand(round_, 3, "flush", override=long)) == {"text-too-long"}
    award = pit.hit(round_, 3, "royal-flush")
    assert pit.refused(AddReference(round_, award.id, award.hand, award.cents, long), "V1") == {"text-too-long"}
    assert pit.refused(Propose({"change": "setting", "name": "slip_seconds", "value": 5}, long), "A1") == {
        "text-too-long"
    }


@pytest.mark.parametrize(
    "text", ["1e-999999999", "1e5", "0." + "1" * 100, "1/" + "9" * 100, "\uff11/\uff15", "1_0/2_00", "-0"]
)
def test_a_share_is_written_plainly(text: str) -> None:
    with pytest.raises(ValueError, match="is not a share"):
        rate(text)


def test_a_nested_message_is_refused_like_any_other_nonsense() -> None:
    deep = '{"key":"k","actor":"A1","do":{"kind":"change.propose","reason":"x","what":' + '{"a":' * 3_000
    with pytest.raises(InputError) as caught:
        read_envelope(deep + "1" + "}" * 3_002)
    assert {fault.code for fault in caught.value.faults} == {"bad-message"}


def test_a_setting_begins_at_a_time_that_a_clock_can_show() -> None:
    pit = Pit()
    what = {"change": "setting", "name": "slip_seconds", "value": 5, "since": 10**30}
    assert pit.refused(Propose(what, "why"), "A1") == {"out-of-range"}


def test_a_correction_after_a_payment_says_what_can_be_done() -> None:
    pit = Pit(progressive(fixed_supervisor_from=10_000))
    round_ = pit.start(3, 4)
    pit.hit(round_, 3, "full-house")
    with pytest.raises(InputError, match="REJECT with a supervisor's badge"):
        pit.do(CorrectWager(round_, "1", 5, True, "missed", "badge-S1"))
    pit.pay(pit.hit(round_, 4, "royal-flush").id)
    with pytest.raises(InputError, match="two people"):
        pit.do(CorrectWager(round_, "1", 5, True, "missed", "badge-S1"))
