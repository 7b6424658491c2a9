"""A small award that the dealer paid at HIT JACKPOT without a badge, and should not have: the ways back from it."""

from __future__ import annotations

import pytest

from houseway.errors import InputError
from houseway.manager.commands.link_commands import CreateLink
from houseway.manager.commands.round_commands import HitJackpot, PressHand, RejectJackpot, ReopenRound, VoidRound
from houseway.manager.core.link_entities import DEALER_PAYS_BELOW, LevelParameters
from tests.manager.pit import SECOND, Pit, progressive, table_of

DOLLAR = 1_000_000


def small_pit(**link: object) -> Pit:
    levels = {"main": LevelParameters(1_000_000, "0")}
    return Pit(progressive(levels=levels, **link), tables=[table_of(), table_of("T2")], meters={"L1/main": 2_000_000})


def full_house(pit: Pit, round_: str, seat: int = 3) -> str:
    """A full house, $15, paid with HIT JACKPOT."""
    award = pit.hit(round_, seat, "full-house")
    assert (award.status, award.badge_role, award.paid_by) == ("paid", "none", "D1")
    return award.id


def books(pit: Pit) -> dict[str, int]:
    return {name: amount for name, amount in pit.floor.balances.items() if amount}


def test_without_a_word_the_dealer_pays_fixed_awards_below_a_hundred_dollars() -> None:
    assert CreateLink("L9", "progressive", "6CFPGPP-4").fixed_supervisor_from == DEALER_PAYS_BELOW == 100_00
    pit = small_pit(paytable="6CFPGPP-4")
    round_ = pit.start(1, 3, 5)
    cards = {
        hand: pit.hit(round_, seat, hand).badge_role for seat, hand in ((1, "four-of-a-kind"), (3, "straight-flush"))
    }
    assert cards == {"four-of-a-kind": "none", "straight-flush": "supervisor"}, "$75 and $100"
    assert pit.hit(round_, 5, "royal-flush").badge_role == "supervisor", "a share of the meter whatever its amount"


@pytest.mark.parametrize("source", ["tray", "meter"])
def test_the_dealer_presses_the_hand_again_within_the_slip_seconds(source: str) -> None:
    pit = small_pit(fixed_pays=source)
    round_ = pit.start(3, 4)
    before = books(pit)
    award = full_house(pit, round_)
    assert books(pit) != before
    pit.now += 18 * SECOND
    answer = pit.do(PressHand(round_, 3, "full-house"))
    assert (answer["on"], answer["taken_back_cents"], answer["source"]) == (False, 1_500, source)
    assert books(pit) == before
    assert award not in pit.floor.awards
    assert [row["status"] for row in pit.rows("hit")] == ["hit", "paid", "taken-back"]
    figures = pit.floor.levels["L1/main"]
    assert (figures.hits, figures.won_micros, figures.recent) == (0, 0, ())
    # The right one can be pressed now, and the round ends with it alone.
    pit.pay(pit.hit(round_, 4, "royal-flush").id)
    pit.end(round_)


def test_later_a_supervisors_card_takes_it_back() -> None:
    pit = small_pit()
    round_ = pit.start(3)
    before = books(pit)
    award = full_house(pit, round_)
    pit.now += 21 * SECOND
    with pytest.raises(InputError, match="REJECT with a supervisor's badge takes it back"):
        pit.do(PressHand(round_, 3, "full-house"))
    assert pit.refused(RejectJackpot(award, "badge-D2", "wrong hand")) == {"wrong-role"}
    answer = pit.do(RejectJackpot(award, "badge-S1", "wrong hand"))
    assert (answer["rejected_by"], answer["taken_back_cents"]) == ("S1", 1_500)
    assert books(pit) == before
    pit.end(round_)


def test_nobody_else_takes_it_back_alone_and_no_other_hand_does() -> None:
    pit = small_pit()
    round_ = pit.start(3)
    full_house(pit, round_)
    assert pit.refused(PressHand(round_, 3, "flush")) == {"award-locked"}
    assert pit.refused(PressHand(round_, 3, "full-house"), "S1") == {"award-locked"}
    pit.do(PressHand(round_, 3, "full-house"))


def test_what_a_card_has_paid_is_backed_out_by_two_people_only() -> None:
    pit = small_pit()
    round_ = pit.start(3)
    award = pit.hit(round_, 3, "straight-flush")
    pit.pay(award.id)
    for command in (
        PressHand(round_, 3, "straight-flush"),
        RejectJackpot(award.id, "badge-S1", "wrong hand"),
        VoidRound(round_, "badge-S1", "wrong hand"),
    ):
        with pytest.raises(InputError, match="two people"):
            pit.do(command)


def test_after_end_game_the_round_is_opened_again_first() -> None:
    pit = small_pit()
    round_ = pit.start(3)
    award = full_house(pit, round_)
    pit.end(round_)
    assert pit.refused(PressHand(round_, 3, "full-house")) == {"no-such-round"}
    pit.do(ReopenRound("T1", "badge-S1", "wrong hand paid"))
    pit.do(RejectJackpot(award, "badge-S1", "wrong hand"))
    pit.end(round_)
    assert pit.rows("round")[-1]["returned_cents"] == 0


def test_the_other_winners_of_the_round_get_what_comes_back() -> None:
    pit = small_pit(fixed_pays="meter")
    round_ = pit.start(2, 5)
    full_house(pit, round_, 5)
    second = pit.hit(round_, 2, "five-aces")
    assert second.cents == 2_000_000 - 1_500
    pit.do(PressHand(round_, 5, "full-house"))
    assert pit.floor.awards[second.id].cents == 2_000_000
    assert pit.held("meter", "L1", "main") == 10_000 * DOLLAR


def test_a_void_says_the_way_back() -> None:
    pit = small_pit()
    round_ = pit.start(3)
    full_house(pit, round_)
    with pytest.raises(InputError, match="seat 3's full house is paid; before the round is voided: REJECT"):
        pit.do(VoidRound(round_, "badge-S1", "misdeal"))


def test_the_hit_tells_what_is_new_and_how_long_a_slip_may_be_put_right() -> None:
    pit = small_pit()
    round_ = pit.start(3, 4)
    pit.press(round_, 3, "full-house")
    first = pit.do(HitJackpot(round_))
    pit.press(round_, 4, "flush")
    second = pit.do(HitJackpot(round_))
    assert [first["new"], second["new"]] == [["T1-1/1"], ["T1-1/2"]]
    assert second["slip_seconds"] == 20
