"""Prizes: their slips, what the dated settings make due, and how they are handed over."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from houseway.manager.commands.link_commands import Approve, Propose
from houseway.manager.commands.round_commands import HitJackpot
from houseway.manager.commands.slip_commands import HandOverPrize, PrintSlip, VoidSlip
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import DatedValue, PropertySetting
from houseway.manager.core.prize_duties import prize_duties
from tests.manager.pit import Pit, house_jackpot, progressive, table_of

JANUARY = 1_767_268_800_000_000
"""January 1, 2026, noon UTC."""
DAY = 86_400_000_000
TOP = "five-aces"
"""The hand that wins the whole meter."""


def paid(prize: int = 1_000_000) -> tuple[Pit, str]:
    """A pit in which seat 1 has won the whole meter, and the number of its slip."""
    pit = Pit(progressive(funded_at=JANUARY), meters={"L1/main": prize})
    pit.now = JANUARY
    round_ = pit.start(1, 2)
    award = pit.hit(round_, 1, TOP)
    answer = pit.pay(award.id)
    return pit, answer["slip"]


def hand_over(slip: str = "WIN-000001", **more: Any) -> HandOverPrize:
    given = {
        "method": "check", "badge": "badge-S2", "reference": "1042", "form": "form 17", "withheld_cents": 0,
        "deck_count": 53,
    }  # fmt: skip
    return HandOverPrize(slip, **{**given, **more})


# ---------------------------------------------------------------- what is due


@pytest.mark.parametrize(
    ("day", "prize", "wager", "form", "withheld", "check"),
    [
        (-1, 59_999, 100, False, 0, False),
        (-1, 60_000, 100, True, 0, False),
        (0, 60_000, 100, False, 0, False),
        (0, 199_999, 100, False, 0, False),
        (0, 200_000, 100, True, 0, False),
        (0, 200_000, 666, True, 0, False),
        (0, 200_000, 667, False, 0, False),
        (0, 299_999, 100, True, 0, False),
        (0, 300_000, 100, True, 0, True),
        (0, 500_100, 100, True, 0, True),
        (0, 500_101, 100, True, 120_000, True),
        (0, 500_103, 100, True, 120_001, True),
        (0, 1_000_000, 3_400, False, 0, True),
    ],
)
def test_what_is_due_follows_the_settings_of_the_day(
    day: int, prize: int, wager: int, form: bool, withheld: int, check: bool
) -> None:
    due = prize_duties(Floor(), prize, wager, JANUARY + day * DAY)
    assert (due.form, due.withheld, due.check) == (form, withheld, check)
    assert all(
        type(value) in (int, bool, str, type(None)) for value in (getattr(due, n) for n in due.__struct_fields__)
    )
    assert (due.check_by is not None, due.kept_until is not None) == (check, check)


def test_the_property_s_own_numbers_act_from_their_day_on() -> None:
    floor, since = Floor(), JANUARY + 10 * DAY
    for name, value in (("tax_form_cents", 1_000_00), ("withholding_above", 100_00), ("withholding_percent", 30),
                        ("large_prize_cents", 500_00), ("large_prize_hours", 48), ("hand_kept_days", 3)):  # fmt: skip
        floor.put("setting", name, PropertySetting(name, (DatedValue(since, value, "E1"),)))
    before, after = (prize_duties(floor, 100_000, 100, at) for at in (since - 1, since))
    assert (before.form, before.withheld, before.check) == (False, 0, False)
    assert (after.form, after.withheld, after.check) == (True, (100_000 - 100) * 30 // 100, True)
    assert (after.check_by, after.kept_until) == (since + 2 * DAY, since + 3 * DAY)
    assert (before.day, after.day) == ("2026-01-11", "2026-01-11")


# ---------------------------------------------------------------- slips of wins


def test_a_paid_award_gets_a_slip_with_what_is_due() -> None:
    pit, number = paid(600_000)
    slip = pit.floor.slips[number]
    assert (number, slip.award, slip.cents, slip.by, slip.second, slip.dealer) == (
        "WIN-000001", "T1-1/1", 600_040, "D1", "E1", "D1",
    )  # fmt: skip
    assert slip.duties is not None
    assert (slip.duties.form, slip.duties.withheld, slip.duties.check) == (True, 143_986, True)


def test_what_the_dealer_pays_alone_has_no_slip() -> None:
    pit = Pit(replace(progressive(), fixed_supervisor_from=100_000))
    round_ = pit.start(1, 2)
    pit.press(round_, 1, "straight")
    pit.do(HitJackpot(round_))
    assert [award.status for award in pit.floor.awards.values()] == ["paid"]
    assert not pit.floor.slips


def test_a_void_win_goes_on_under_the_next_number() -> None:
    pit, number = paid()
    assert pit.do(VoidSlip(number, "ink", "badge-S1"), actor="S2")["replaced_by"] == "WIN-000002"
    old, new = pit.floor.slips["WIN-000001"], pit.floor.slips["WIN-000002"]
    assert old.void is not None
    assert (old.void.by, old.void.second, old.void.replaced_by) == ("S2", "S1", "WIN-000002")
    assert replace(new, id=old.id, void=old.void) == old
    assert pit.refused(hand_over(number), actor="S1") == {"slip-void"}


def test_a_slip_is_void_once_its_award_is_backed_out() -> None:
    pit, number = paid()
    pit.do(PrintSlip(number), actor="S1")
    what = {"change": "back-out", "award": "T1-1/1", "reference": "case 7", "recover_seed": True}
    made = pit.do(Propose(what, "misread"), actor="S1")
    pit.do(Approve(made["proposal"], made["content_hash"], "badge-E1"), actor="E1")
    void = pit.floor.slips[number].void
    assert void is not None
    assert (void.by, void.second, void.reason, void.replaced_by) == ("S1", "E1", "backed out: case 7", "")
    assert pit.do(PrintSlip(number, "duplicate"), actor="S1")["marks"] == ["VOID", "DUPLICATE"]
    assert pit.refused(hand_over(number), actor="S1") == {"slip-void"}


# ---------------------------------------------------------------- handing over


def test_a_large_prize_needs_check_form_withholding_and_a_counted_deck() -> None:
    pit, number = paid(600_000)
    bare = hand_over(number, method="cash", reference="", form="", deck_count=None)
    assert pit.refused(bare, actor="S1") == {"check-due", "form-due", "withholding-differs", "deck-count"}
    assert pit.refused(hand_over(number, reference=" ", withheld_cents=143_986), actor="S1") == {"reason-needed"}
    answer = pit.do(hand_over(number, withheld_cents=143_986), actor="S1")
    assert (answer["handed_cents"], answer["signed"], answer["late"]) == (600_040 - 143_986, ["S1", "S2"], False)
    assert pit.refused(hand_over(number, withheld_cents=143_986), actor="S1") == {"prize-handed-over"}
    assert pit.refused(VoidSlip(number, "ink", "badge-S1"), actor="S2") == {"prize-handed-over"}


def test_a_small_prize_needs_none_of_it() -> None:
    pit, number = paid(150_000)
    assert (
        pit.do(hand_over(number, method="chips", reference="", form="", deck_count=None), actor="S1")["late"] is False
    )


def test_an_override_says_why() -> None:
    pit, number = paid(600_000)
    given = hand_over(number, method="cash", form="", deck_count=None, override="letter of the commission, 3")
    pit.do(given, actor="S1")
    handed = pit.floor.slips[number].handed
    assert handed is not None
    assert handed.override == "letter of the commission, 3"
    assert pit.floor.balances == paid(600_000)[0].floor.balances, "the books have the award in full either way"


def test_a_prize_that_is_late_is_told_so() -> None:
    pit, number = paid(600_000)
    assert pit.do(hand_over(number, withheld_cents=143_986), actor="S1", seconds=86_401)["late"] is True


def test_handing_over_takes_two_people() -> None:
    pit, number = paid(150_000)
    assert pit.refused(hand_over(number), actor="S2") == {"second-person"}
    assert pit.refused(hand_over(number, badge="badge-D1"), actor="S2") == {"wrong-role"}
    assert pit.refused(hand_over(number), actor="D1") == {"wrong-role"}


@pytest.mark.parametrize("field", ["reference", "booth", "form", "override"])
@pytest.mark.parametrize("number", ["123-45-6789", "123456789", "123 45 6789", "12-3456789", "SSN:123-45-6789!"])
def test_no_tax_number_enters_the_journal(field: str, number: str) -> None:
    pit, slip = paid(600_000)
    given = {"withheld_cents": 143_986, field: f"see {number}"}
    assert pit.refused(hand_over(slip, **given), actor="S1") == {"tax-number"}


@pytest.mark.parametrize("text", ["1042", "form 2026-17", "check 00012345678", "1234567890", "booth 12"])
def test_other_numbers_do(text: str) -> None:
    pit, slip = paid(600_000)
    pit.do(hand_over(slip, withheld_cents=143_986, reference=text, form=text), actor="S1")


@pytest.mark.parametrize("cents", [-1, 600_041])
def test_no_more_is_withheld_than_there_is(cents: int) -> None:
    pit, slip = paid(600_000)
    assert pit.refused(hand_over(slip, withheld_cents=cents, override="so"), actor="S1") == {"bad-amount"}


def test_a_house_prize_has_a_slip_too() -> None:
    pit = Pit(house_jackpot(prize=700_000), tables=[table_of(sensors={"1": "H1"})], meters={})
    award = pit.hit(pit.start(1), 1, TOP)
    assert pit.pay(award.id)["slip"] == "WIN-000001"
    duties = pit.floor.slips["WIN-000001"].duties
    assert duties is not None
    assert duties.check
