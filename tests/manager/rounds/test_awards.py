"""Hand buttons, HIT JACKPOT, cards, payment, rejection: who gets how much from which account, and in which order."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from houseway.errors import InputError
from houseway.manager.commands.house_commands import DealerIn
from houseway.manager.commands.round_commands import (
    AddReference,
    EndRound,
    HitJackpot,
    PayJackpot,
    PressHand,
    RejectJackpot,
    ReopenRound,
    TurnKey,
)
from houseway.manager.core.house_entities import DatedValue, PropertySetting
from houseway.manager.core.link_entities import LevelParameters
from tests.manager.pit import Pit, house_jackpot, progressive, table_of

PLAIN = {"main": LevelParameters(1_000_000, "0")}
"""A meter that wagers do not move: amounts are easy to read."""


def plain_pit(**changes: object) -> Pit:
    return Pit(
        progressive(**{"levels": PLAIN, **changes}), tables=[table_of(), table_of("T2")], meters={"L1/main": 2_000_000}
    )


def test_a_button_pressed_twice_is_off() -> None:
    pit = Pit()
    round_ = pit.start(3)
    assert pit.do(PressHand(round_, 3, "royal-flush"))["on"] is True
    assert pit.do(PressHand(round_, 3, "royal-flush"))["on"] is False
    pit.end(round_)
    assert pit.held("locked", "L1", "main") == 0


def test_another_button_for_the_spot_takes_the_place_of_the_first() -> None:
    pit = Pit()
    round_ = pit.start(3)
    pit.press(round_, 3, "royal-flush")
    pit.press(round_, 3, "straight-flush")
    assert [award.hand for award in pit.floor.awards.values()] == ["straight-flush"]


def test_the_hit_locks_the_share_and_the_swipe_pays_it() -> None:
    pit = plain_pit()
    round_ = pit.start(3)
    award = pit.hit(round_, 3, "royal-flush")
    assert (award.cents, award.badge_role, award.source) == (200_000, "supervisor", "meter")
    assert pit.held("meter", "L1", "main") == 18_000_000_000
    assert pit.held("locked", "L1", "main") == 2_000_000_000
    # The sign falls when it is paid.
    assert pit.sign() == 20_000_000_000
    assert pit.pay(award.id, "badge-S1")["paid_by"] == "S1"
    assert pit.held("paid", "L1") == 2_000_000_000
    assert pit.held("locked", "L1", "main") == 0
    assert pit.sign() == 18_000_000_000
    pit.end(round_)


def test_the_sign_may_fall_at_the_hit() -> None:
    pit = plain_pit(display_falls="at-hit")
    pit.hit(pit.start(3), 3, "five-aces")
    assert pit.sign() == 10_000_000_000


def test_a_level_won_whole_restarts_at_seed_and_reserve() -> None:
    pit = Pit(progressive(levels={"main": LevelParameters(1_000_000, "1/3", "1/10")}), meters={"L1/main": 2_000_000})
    pit.end(pit.start(1, 2, 3, 4))
    round_ = pit.start(5)
    award = pit.hit(round_, 5, "five-aces")
    # 20,000 dollars and five thirds, rounded down to the cent; what is below the cent stays.
    assert award.cents == 2_000_166
    assert (award.seed_drawn_micros, award.reserve_drawn_micros) == (10_000_000_000, 500_000)
    assert pit.held("meter", "L1", "main") == 10_000_000_000 + 500_000 + 6_666
    assert pit.held("reserve", "L1", "main") == 0
    assert pit.floor.balances["seed/L1/main"] == 10_000_000_000
    pit.pay(award.id)
    assert pit.floor.levels["L1/main"].generation == 1
    assert pit.floor.levels["L1/main"].recent[-1].new_base_micros == 10_000_506_666


def test_only_the_level_that_was_won_restarts() -> None:
    levels = {name: LevelParameters(seed, "0") for name, seed in (("mega", 5_000), ("major", 500), ("minor", 50))}
    meters = {"L1/mega": 9_000, "L1/major": 900, "L1/minor": 90}
    pit = Pit(progressive(paytable="FPGPP-ML2", levels=levels), tables=[table_of(game="fortune")], meters=meters)
    award = pit.hit(pit.start(2), 2, "five-aces")
    assert (award.level, award.cents) == ("major", 900)
    assert [pit.held("meter", "L1", level) for level in levels] == [90_000_000, 5_000_000, 900_000]


def test_a_seat_whose_hand_is_only_pressed_is_not_to_be_paid_first() -> None:
    """It cannot be: it is locked, or taken off."""
    pit = plain_pit()
    round_ = pit.start(2, 5)
    low = pit.hit(round_, 2, "five-aces")
    pit.press(round_, 5, "five-aces")
    pit.verify(low.id)
    with pytest.raises(InputError, match=r"seat 5 .* only pressed: press HIT JACKPOT to lock it") as caught:
        pit.do(PayJackpot(low.id, "badge-E1"))
    assert caught.value.faults[0].code == "pay-in-order"


def test_winners_of_one_round_are_paid_from_the_far_right() -> None:
    pit = plain_pit()
    round_ = pit.start(2, 5)
    low = pit.hit(round_, 2, "five-aces")
    assert low.cents == 2_000_000
    # Seat 5 is farther to the dealer's right: it gets the whole meter, seat 2 what the reseed left.
    high = pit.hit(round_, 5, "five-aces")
    assert (high.cents, pit.floor.awards[low.id].cents) == (2_000_000, 1_000_000)
    with pytest.raises(InputError, match=r"seat 5 .* is locked: pay or reject it first"):
        pit.do(PayJackpot(low.id, "badge-E1"))
    pit.pay(high.id)
    pit.pay(low.id)
    pit.end(round_)
    assert pit.held("paid", "L1") == 30_000_000_000
    assert pit.held("meter", "L1", "main") == 10_000_000_000
    assert pit.floor.balances["seed/L1/main"] == 20_000_000_000


def test_after_a_payment_nothing_of_the_round_is_computed_anew() -> None:
    pit = plain_pit()
    round_ = pit.start(2, 5)
    low = pit.hit(round_, 2, "five-aces")
    pit.pay(low.id)
    high = pit.hit(round_, 5, "five-aces")
    assert (pit.floor.awards[low.id].cents, high.cents) == (2_000_000, 1_000_000)


def test_a_later_hit_at_another_table_stands_on_what_is_not_locked() -> None:
    pit = plain_pit()
    here, there = pit.start(3), pit.start(4, table="T2")
    first = pit.hit(here, 3, "five-aces")
    second = pit.hit(there, 4, "royal-flush")
    assert (first.cents, second.cents) == (2_000_000, 100_000)
    assert first.order < second.order
    pit.pay(second.id)
    pit.end(there)
    # The first is still locked, and T2 plays on meanwhile.
    pit.end(pit.start(1, table="T2"))
    pit.pay(first.id)
    pit.end(here)


def test_each_may_get_the_full_meter_where_internal_controls_say_so() -> None:
    pit = plain_pit(order="full-to-each")
    round_ = pit.start(2, 5)
    pit.press(round_, 2, "five-aces")
    pit.press(round_, 5, "five-aces")
    pit.do(HitJackpot(round_))
    assert sorted(award.cents for award in pit.floor.awards.values()) == [2_000_000, 2_000_000]


def test_a_rejected_award_goes_back_with_seed_and_reserve() -> None:
    pit = Pit(meters={"L1/main": 2_000_000})
    round_ = pit.start(3)
    before = dict(pit.floor.balances)
    award = pit.hit(round_, 3, "five-aces")
    pit.do(RejectJackpot(award.id, "badge-S1", "the fifth ace was a jack"))
    assert {name: amount for name, amount in pit.floor.balances.items() if amount} == {
        name: amount for name, amount in before.items() if amount
    }
    assert pit.floor.levels["L1/main"].generation == 0
    pit.end(round_)
    assert [row["status"] for row in pit.rows("hit")] == ["hit", "rejected"]


def test_a_rejection_leaves_a_later_award_as_it_is() -> None:
    pit = plain_pit()
    here, there = pit.start(3), pit.start(4, table="T2")
    first, second = pit.hit(here, 3, "five-aces"), pit.hit(there, 4, "five-aces")
    assert (first.cents, second.cents) == (2_000_000, 1_000_000)
    pit.do(RejectJackpot(first.id, "badge-S1", "wrong hand"))
    # The second took the seed of the first reseed: that stays advanced; its own reseed and the award are on the meter.
    assert pit.floor.awards[second.id].cents == 1_000_000
    assert pit.held("meter", "L1", "main") == 30_000_000_000
    assert pit.floor.balances["seed/L1/main"] == 20_000_000_000


def test_a_rejection_lets_the_others_of_the_round_move_up() -> None:
    pit = plain_pit()
    round_ = pit.start(2, 5)
    pit.press(round_, 2, "five-aces")
    high = pit.press(round_, 5, "five-aces")
    pit.do(HitJackpot(round_))
    answer = pit.do(RejectJackpot(high, "badge-S1", "four aces and a joker misread"))
    assert [(each["seat"], each["cents"]) for each in answer["awards"]] == [(2, 2_000_000)]
    assert pit.held("meter", "L1", "main") == 10_000_000_000


def test_which_card_pays_is_told_before_the_swipe_and_enforced() -> None:
    pit = plain_pit(levels={"main": LevelParameters(1_000_000, "0", executive_from=1_500_000)})
    round_ = pit.start(3, 4)
    award = pit.press(round_, 3, "five-aces")
    told = pit.do(HitJackpot(round_))["awards"][0]
    assert (told["badge_role"], told["reference_needed"], told["cents"]) == ("executive", True, 2_000_000)
    # Nobody is called to swipe before surveillance has verified it; no badge is looked at until then.
    for token in (None, "badge-S1", "badge-lost", "badge-E1"):
        assert pit.refused(PayJackpot(award, token)) == {"surveillance-reference"}
    pit.verify(award, "cam-7")
    assert pit.refused(PayJackpot(award)) == {"badge-needed"}
    assert pit.refused(PayJackpot(award, "badge-S1")) == {"wrong-role"}
    assert pit.refused(PayJackpot(award, "badge-D2")) == {"wrong-role"}
    assert pit.refused(PayJackpot(award, "badge-lost")) == {"unknown-badge"}
    pit.do(PayJackpot(award, "badge-E1"))
    assert pit.floor.awards[award].reference == "cam-7"


def test_only_surveillance_gives_its_reference() -> None:
    pit = plain_pit()
    round_ = pit.start(3, 4)
    award, other = pit.hit(round_, 3, "five-aces").id, pit.hit(round_, 4, "royal-flush").id
    cents = pit.floor.awards[award].cents
    # What whoever pays makes up is no reference, before and after surveillance has given its own for another award.
    pit.verify(other, "cam-4")
    pit.do(PayJackpot(other, "badge-E1"))
    assert pit.refused(PayJackpot(award, "badge-E1", "camera of my own")) == {"surveillance-reference"}
    made_up = AddReference(round_, award, "five-aces", cents, "camera of my own")
    assert pit.refused(made_up, "E1") == {"wrong-role"}
    assert pit.refused(PayJackpot(award, "badge-E1", "cam-4")) == {"surveillance-reference"}
    pit.verify(award, " cam-3 ")
    assert pit.refused(PayJackpot(award, "badge-E1", "camera of my own")) == {"surveillance-reference"}
    assert pit.do(PayJackpot(award, "badge-E1", "cam-3"))["reference"] == "cam-3"


def test_a_reference_that_nobody_gave_is_refused_where_none_is_needed() -> None:
    pit = plain_pit(fixed_supervisor_from=0)
    award = pit.hit(pit.start(3), 3, "flush")
    assert award.badge_role == "supervisor"
    assert pit.refused(PayJackpot(award.id, "badge-S1", "made up")) == {"surveillance-reference"}
    assert pit.do(PayJackpot(award.id, "badge-S1"))["reference"] is None


def test_nobody_pays_the_round_that_he_deals() -> None:
    pit = plain_pit()
    pit.floor.put("person", "S1", replace(pit.floor.people["S1"], roles=("dealer", "supervisor")))
    pit.floor.put("table", "T1", replace(pit.floor.tables["T1"], dealer="S1"))
    award = pit.hit(pit.start(3), 3, "royal-flush")
    assert pit.refused(PayJackpot(award.id, "badge-S1"), "S1") == {"second-person"}
    pit.pay(award.id, "badge-S2")


def test_who_verified_a_payout_for_surveillance_does_not_pay_it() -> None:
    pit = Pit()
    pit.floor.put("person", "S1", replace(pit.floor.people["S1"], roles=("surveillance", "supervisor")))
    award = pit.hit(pit.start(1), 1, "five-aces").id
    pit.verify(award, "cam-4", by="S1")
    assert pit.refused(PayJackpot(award, "badge-S1")) == {"second-person"}
    assert pit.refused(PayJackpot(award, "badge-S1", "cam-4")) == {"second-person"}
    # Another person pays, or another person of surveillance verifies.
    pit.verify(award, "cam-5")
    assert pit.do(PayJackpot(award, "badge-S1"))["reference"] == "cam-5"


def test_a_dealer_does_not_verify_the_own_round() -> None:
    pit = Pit(progressive(fixed_supervisor_from=10_000_000, wager=2_000))
    pit.floor.put("person", "D1", replace(pit.floor.people["D1"], roles=("surveillance", "dealer")))
    award = pit.hit(pit.start(1), 1, "straight-flush")
    assert (award.badge_role, award.status) == ("none", "hit")
    seen = AddReference("T1-1", award.id, award.hand, award.cents, "cam-4")
    assert pit.refused(seen, "D1") == {"second-person"}
    # Not even if it was given before the person took the round over.
    pit.floor.put("person", "D2", replace(pit.floor.people["D2"], roles=("surveillance", "dealer")))
    pit.do(seen, "D2")
    pit.do(DealerIn("T1", "badge-D2"), "D2")
    assert pit.refused(PayJackpot(award.id)) == {"surveillance-reference"}
    pit.verify(award.id, "cam-5")
    pit.do(PayJackpot(award.id))


def test_who_pressed_a_hand_does_not_verify_it() -> None:
    pit = Pit()
    pit.floor.put("person", "S1", replace(pit.floor.people["S1"], roles=("surveillance", "supervisor")))
    award = pit.do(PressHand(pit.start(1), 1, "five-aces"), "S1")["award"]
    pit.do(HitJackpot("T1-1"))
    seen = AddReference("T1-1", award, "five-aces", pit.floor.awards[award].cents, "cam-4")
    assert pit.refused(seen, "S1") == {"second-person"}
    assert pit.refused(seen, "V1") == set()


def test_a_reference_is_for_one_award_its_hand_and_its_amount() -> None:
    pit = plain_pit()
    round_ = pit.start(3, 4)
    award = pit.press(round_, 3, "royal-flush")
    # Nothing is verified before its amount is settled.
    assert pit.refused(AddReference(round_, award, "royal-flush", 0, "cam"), "V1") == {"no-such-payout"}
    pit.do(HitJackpot(round_))
    cents = pit.floor.awards[award].cents
    for payout, hand, seen, fault in (
        ("T1-1/9", "royal-flush", cents, "no-such-payout"),
        ("3", "royal-flush", cents, "no-such-payout"),
        (award, "five-aces", cents, "payout-differs"),
        (award, None, cents, "payout-differs"),
        (award, "royal-flush", cents - 1, "payout-differs"),
        (award, "royal-flush", 10**30, "payout-differs"),
    ):
        assert pit.refused(AddReference(round_, payout, hand, seen, "cam"), "V1") == {fault}


def test_a_reference_for_a_thousand_does_not_pay_ten_thousand() -> None:
    pit = plain_pit()
    round_ = pit.start(3)
    small = pit.hit(round_, 3, "royal-flush")
    pit.verify(small.id, "cam-1")
    pit.do(RejectJackpot(small.id, "badge-S1", "it was five aces"))
    large = pit.hit(round_, 3, "five-aces")
    assert (large.cents, small.cents) == (2_000_000, 200_000)
    assert pit.refused(PayJackpot(large.id, "badge-E1")) == {"surveillance-reference"}
    assert pit.refused(PayJackpot(large.id, "badge-E1", "cam-1")) == {"surveillance-reference"}
    pit.verify(large.id, "cam-2")
    assert pit.do(PayJackpot(large.id, "badge-E1"))["reference"] == "cam-2"


def test_an_amount_that_is_worked_out_anew_is_verified_anew() -> None:
    pit = plain_pit()
    round_ = pit.start(3, 4)
    first = pit.hit(round_, 3, "five-aces")
    pit.verify(first.id, "cam-1")
    # A winner farther to the right is found: what is left for the first one is less than surveillance has seen.
    second = pit.hit(round_, 4, "royal-flush")
    now = pit.floor.awards[first.id]
    assert now.cents == first.cents - second.cents > 300_000
    pit.verify(second.id)
    pit.do(PayJackpot(second.id, "badge-E1"))
    assert pit.refused(PayJackpot(first.id, "badge-E1")) == {"surveillance-reference"}
    pit.verify(first.id, "cam-2")
    assert pit.do(PayJackpot(first.id, "badge-E1"))["reference"] == "cam-2"


def test_an_amount_that_fell_to_the_threshold_needs_no_reference_any_more() -> None:
    pit = plain_pit()
    threshold = PropertySetting("surveillance_threshold", (DatedValue(0, 1_850_000, "E1"),))
    pit.floor.put("setting", threshold.id, threshold)
    round_ = pit.start(3, 4)
    first = pit.hit(round_, 3, "five-aces")
    pit.verify(first.id, "cam-1")
    second = pit.hit(round_, 4, "royal-flush")
    pit.do(PayJackpot(second.id, "badge-E1"))
    assert pit.floor.awards[first.id].cents == 1_800_000
    # What surveillance saw was another amount: its reference is not put to this one.
    assert pit.do(PayJackpot(first.id, "badge-E1"))["reference"] is None


def test_who_dealt_a_round_pays_nothing_of_it_even_when_relieved_since() -> None:
    pit = Pit()
    pit.floor.put("person", "S1", replace(pit.floor.people["S1"], roles=("dealer", "supervisor")))
    award = pit.hit(pit.start(1), 1, "five-aces").id
    for relief in ("S1", "D2"):
        pit.do(DealerIn("T1", f"badge-{relief}"), relief)
    pit.verify(award)
    assert pit.refused(PayJackpot(award, "badge-S1")) == {"second-person"}
    pit.do(PayJackpot(award, "badge-S2"))


def test_who_dealt_a_round_to_its_end_does_not_help_to_open_it_again() -> None:
    pit = Pit()
    pit.floor.put("person", "S1", replace(pit.floor.people["S1"], roles=("dealer", "supervisor")))
    round_ = pit.start(1)
    pit.do(DealerIn("T1", "badge-S1"), "S1")
    pit.end(round_)
    pit.do(DealerIn("T1", "badge-D2"), "D2")
    assert pit.refused(ReopenRound("T1", "badge-S1", "a winner was missed")) == {"second-person"}
    pit.do(ReopenRound("T1", "badge-S2", "a winner was missed"))


def test_surveillance_gives_its_reference_beforehand() -> None:
    pit = plain_pit()
    award = pit.hit(pit.start(3), 3, "five-aces")
    assert pit.refused(AddReference("T1-1", award.id, award.hand, award.cents, "cam-9"), "S1") == {"wrong-role"}
    pit.verify(award.id, "cam-9")
    assert pit.do(PayJackpot(award.id, "badge-E1"))["reference"] == "cam-9"


def test_fixed_pays_come_from_the_tray_times_the_fixed_wager() -> None:
    pit = Pit(progressive(wager=500))
    round_ = pit.start(3)
    meter = pit.held("meter", "L1", "main")
    award = pit.hit(round_, 3, "straight-flush")
    assert (award.cents, award.source, award.badge_role) == (150_000, "tray", "supervisor")
    pit.pay(award.id, "badge-S1")
    assert pit.floor.balances["tray/T1"] == -1_500_000_000
    assert pit.held("meter", "L1", "main") == meter


def test_small_fixed_pays_need_one_press_and_no_badge_where_the_room_says_so() -> None:
    pit = Pit(progressive(fixed_supervisor_from=10_000))
    round_ = pit.start(3)
    assert pit.hit(round_, 3, "full-house").status == "paid"
    pit.end(round_)


def test_fixed_pays_may_come_off_the_meter_but_never_below_zero() -> None:
    pit = Pit(progressive(levels=PLAIN, fixed_pays="meter"), meters={"L1/main": 20_000})
    round_ = pit.start(3, 4)
    award = pit.hit(round_, 3, "four-of-a-kind")
    assert (award.cents, award.source) == (15_000, "meter")
    pit.pay(award.id, "badge-S1")
    assert pit.held("meter", "L1", "main") == 50_000_000
    short = pit.press(round_, 4, "four-of-a-kind")
    assert pit.refused(HitJackpot(round_)) == {"meter-short"}
    pit.do(HitJackpot(round_, fixed_from="tray"))
    assert pit.floor.awards[short].source == "tray"


def test_a_house_prize_goes_whole_to_each_winner_and_nothing_falls() -> None:
    pit = Pit(house_jackpot(), tables=[table_of(sensors={"1": "H1"})], meters={})
    round_ = pit.start(2, 5)
    pit.press(round_, 2, "five-aces")
    pit.press(round_, 5, "five-aces")
    pit.do(HitJackpot(round_))
    awards = list(pit.floor.awards.values())
    assert [(award.cents, award.source, award.badge_role) for award in awards] == [(500_000, "house", "supervisor")] * 2
    for award in awards:
        pit.pay(award.id)
    assert pit.sign("H1") == 5_000_000_000
    assert pit.floor.balances["prizes/H1"] == 10_000_000_000


def test_envy_goes_to_the_other_wagers_on_that_sensor_at_that_table() -> None:
    pit = plain_pit()
    round_ = pit.start(1, 2, 5)
    pit.start(6, table="T2")
    pit.pay(pit.hit(round_, 5, "royal-flush").id, "badge-S1")
    answer = pit.end(round_)
    assert answer["envy"] == [{"seat": 1, "cents": 5_000}, {"seat": 2, "cents": 5_000}]
    assert pit.floor.balances["tray/T1"] == -100_000_000


def test_a_hand_without_the_wager_still_brings_envy_to_the_others() -> None:
    pit = plain_pit()
    round_ = pit.start(1, 2)
    award = pit.hit(round_, 5, "royal-flush")
    assert (award.cents, award.status, award.badge_role) == (0, "hit", "supervisor")
    pit.pay(award.id, "badge-S1")
    assert [each["seat"] for each in pit.end(round_)["envy"]] == [1, 2]


@pytest.mark.parametrize(("from_cents", "badge"), [(10_000, "supervisor"), (10_001, "none")])
def test_envy_of_a_hand_without_the_wager_needs_a_card_by_what_it_brings_to_all(from_cents: int, badge: str) -> None:
    pit = plain_pit(fixed_supervisor_from=from_cents)
    round_ = pit.start(1, 2)
    award = pit.press(round_, 5, "royal-flush")
    told = pit.do(HitJackpot(round_))["awards"][0]
    assert (told["badge_role"], told["status"]) == (badge, "hit" if badge == "supervisor" else "paid")
    if badge == "supervisor":
        assert pit.refused(EndRound(round_)) == {"award-open"}
        assert pit.refused(PayJackpot(award)) == {"badge-needed"}
        assert pit.refused(PayJackpot(award, "badge-D2")) == {"wrong-role"}
        pit.do(PayJackpot(award, "badge-S1"))
    assert [each["cents"] for each in pit.end(round_)["envy"]] == [5_000, 5_000]


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (PressHand("T1-1", 4, "full-house"), "no-wager"),
        (PressHand("T1-1", 3, "three-of-a-kind"), "no-such-hand"),
        (PressHand("T1-1", 3, "five-aces", sensor="2"), "no-such-sensor"),
        (PressHand("T1-1", 9, "five-aces"), "no-such-seat"),
        (HitJackpot("T1-1"), "nothing-pressed"),
        (PayJackpot("T1-1/9", "badge-S1"), "no-such-award"),
        (RejectJackpot("T1-1/9", "badge-S1", "why"), "no-such-award"),
        (TurnKey("T1-1", "jph", "badge-S1"), "no-key-here"),
    ],
)
def test_what_cannot_be_is_refused(command: PressHand, code: str) -> None:
    pit = Pit()
    pit.start(3)
    assert pit.refused(command) == {code}


def test_end_waits_for_every_award() -> None:
    pit = plain_pit()
    round_ = pit.start(3)
    award = pit.press(round_, 3, "royal-flush")
    assert pit.refused(EndRound(round_)) == {"award-open"}
    assert pit.refused(PayJackpot(award, "badge-S1")) == {"not-hit"}
    pit.do(HitJackpot(round_))
    assert pit.refused(EndRound(round_)) == {"award-open"}
    assert pit.refused(PressHand(round_, 3, "royal-flush")) == {"award-locked"}
    pit.pay(award, "badge-S1")
    assert pit.refused(PayJackpot(award, "badge-S1")) == {"award-paid"}
    assert pit.refused(RejectJackpot(award, "badge-S1", "no")) == {"award-paid"}
    pit.end(round_)


def test_the_key_of_the_first_generation_holds_the_sign_and_the_table() -> None:
    pit = Pit(progressive(levels=PLAIN), tables=[table_of(vocabulary="aquarius")], meters={"L1/main": 2_000_000})
    round_ = pit.start(3)
    assert pit.refused(TurnKey(round_, "jph", "badge-S1")) == {"nothing-hit"}
    award = pit.hit(round_, 3, "royal-flush")
    assert pit.refused(PayJackpot(award.id, "badge-S1")) == {"key-not-turned"}
    assert pit.refused(TurnKey(round_, "jph", "badge-D2")) == {"wrong-role"}
    pit.do(TurnKey(round_, "jph", "badge-S1"))
    assert pit.refused(TurnKey(round_, "run", "badge-S1")) == {"award-open"}
    pit.pay(award.id, "badge-S1")
    assert pit.sign() == 20_000_000_000
    assert pit.refused(EndRound(round_)) == {"key-at-jph"}
    pit.do(TurnKey(round_, "run", "badge-S1"))
    assert pit.sign() == 18_000_000_000
    pit.end(round_)


def test_a_reseed_brings_the_overflow_back_as_far_as_the_limit_lets() -> None:
    levels = {"main": LevelParameters(100_000, "1/2", "1/4", limit=100_100)}
    pit = Pit(progressive(levels=levels), meters={"L1/main": 100_100})
    pit.end(pit.start(1, 2, 3, 4))
    assert (pit.held("overflow", "L1", "main"), pit.held("reserve", "L1", "main")) == (2_000_000, 1_000_000)
    award = pit.hit(pit.start(1), 1, "five-aces")
    assert (award.cents, award.reserve_drawn_micros, award.overflow_drawn_micros) == (100_100, 1_000_000, 0)
    assert pit.held("meter", "L1", "main") == 1_001_000_000
    assert (pit.held("reserve", "L1", "main"), pit.held("overflow", "L1", "main")) == (250_000, 2_500_000)
