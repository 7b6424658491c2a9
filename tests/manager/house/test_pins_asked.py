"""Where a PIN is asked for: by the settings of the day, for the badge that counts, whosever it is."""

from __future__ import annotations

import pytest

from houseway.errors import InputError
from houseway.manager.commands import AUTHORITY, AnyCommand
from houseway.manager.commands.house_commands import (
    AddDevice,
    AddPerson,
    ChangePerson,
    DealerIn,
    FillTray,
    OpenTable,
    SignIn,
)
from houseway.manager.commands.link_commands import Approve, OpenLink
from houseway.manager.commands.round_commands import PayJackpot
from houseway.manager.commands.system_commands import ClockAccepted, RecoveryRecorded
from houseway.manager.core.engine import Envelope
from houseway.manager.core.house_entities import DatedValue, PinRecord, PropertySetting
from houseway.manager.core.pins import MINUTE, after_try, asked_fields, check_pins, is_locked
from tests.manager.pit import START_OF_TIME, Pit

NOW = START_OF_TIME


def asked(pit: Pit, do: AnyCommand, now: int = NOW) -> list[str]:
    return asked_fields(pit.engine.floor, do, AUTHORITY[type(do)], now)


def put(pit: Pit, name: str, value: object, since: int = NOW) -> None:
    entered = DatedValue(since, value, "A1", "E1")  # type: ignore[arg-type]
    pit.engine.floor.put("setting", name, PropertySetting(name, (entered,)))


def test_nothing_asks_for_one_as_it_comes() -> None:
    pit = Pit()
    award = pit.hit(pit.start(1), 1, "royal-flush").id
    for do in (SignIn("b", "s"), PayJackpot(award, "b"), OpenTable("T1", 10**9, "b"), Approve("P1", "h", "b")):
        assert asked(pit, do) == []


def test_a_payment_asks_by_its_own_setting_and_by_the_amount() -> None:
    pit = Pit()
    award = pit.hit(pit.start(1), 1, "royal-flush")
    pay = PayJackpot(award.id, "b")
    put(pit, "pin_at_pay", "on", NOW + 1)
    assert asked(pit, pay) == [], "not before its day"
    assert asked(pit, pay, NOW + 1) == ["badge"]
    assert asked(pit, PayJackpot(award.id), NOW + 1) == [], "where no badge is shown, none goes with it"
    put(pit, "pin_at_pay", "off")
    put(pit, "pin_second_from", award.cents + 1)
    assert asked(pit, pay) == []
    put(pit, "pin_second_from", award.cents)
    assert asked(pit, pay) == ["badge"]


def test_an_amount_is_that_of_the_command_and_a_new_badge_has_none() -> None:
    pit = Pit()
    put(pit, "pin_second_from", 500)
    assert asked(pit, FillTray("T1", "fill", 499, "b", "F-1")) == []
    assert asked(pit, FillTray("T1", "fill", 500, "b", "F-1")) == ["badge"]
    assert asked(pit, Approve("P1", "h", "b")) == ["badge"], "a change may be worth anything"
    assert asked(pit, DealerIn("T1", "b")) == [], "who comes is no second person"
    opening = {"main": {"seed": 300, "carried": 199}, "minor": {"seed": 1}}
    assert asked(pit, OpenLink("L1", opening, "b")) == ["badge"], "all levels together"
    put(pit, "pin_second_from", 501)
    assert asked(pit, OpenLink("L1", opening, "b")) == []


@pytest.mark.parametrize(
    ("name", "value"), [("pin_second_from", 10**9), ("pin_at_pay", "on"), ("pin_at_sign_in", "on")]
)
def test_nobody_ends_a_setting_or_makes_a_person_or_a_device_by_a_badge_alone(name: str, value: object) -> None:
    pit = Pit()
    new = AddPerson("N", "N", "pit", ["dealer"], "new", "b")
    reset = ChangePerson("D1", reset_pin=True, second_badge="b")
    device = AddDevice("C9", "controller", "secret", table="T1", badge="b")
    change = Approve("P1", "h", "b")
    both = ClockAccepted(1, "a", "b", "why"), RecoveryRecorded(1, 2, "0" * 64, "a", "b", "why")
    assert [asked(pit, do) for do in (new, reset, device, change, *both)] == [[], [], [], [], [], []]
    put(pit, name, value)
    assert [asked(pit, do) for do in both] == [["badge", "second_badge"]] * 2, "nor sets the clock, nor forgets events"
    assert asked(pit, new) == ["second_badge"], "who finds a badge does not make an executive with it"
    assert asked(pit, AddPerson("N", "N", "pit", ["auditor"], "new")) == [], (
        "where no badge is shown, none goes with it"
    )
    assert [asked(pit, do) for do in (reset, device, change)] == [["second_badge"], ["badge"], ["badge"]]


def test_one_that_is_asked_for_must_have_been_compared() -> None:
    pit = Pit()
    put(pit, "pin_second_from", 500)
    fill = FillTray("T1", "fill", 500, "nobody's", "F-1")
    authority = AUTHORITY[FillTray]
    with pytest.raises(InputError) as without:
        check_pins(pit.engine.floor, Envelope("k", "S1", fill, "desk"), authority, NOW)
    assert [(fault.code, fault.path) for fault in without.value.faults] == [("pin-needed", "badge")]
    check_pins(pit.engine.floor, Envelope("k", "S1", fill, "desk", None, frozenset({"badge"})), authority, NOW)
    check_pins(pit.engine.floor, Envelope("k", "S1", fill), authority, NOW)  # at the machine of the database


def test_wrong_ones_in_a_row_lock_it_and_a_right_one_forgets_them() -> None:
    floor, kept = Pit().engine.floor, PinRecord("$argon2id$", NOW)
    for wrong in range(1, 5):
        kept = after_try(floor, kept, right=False, now=NOW)
        assert (kept.wrong, is_locked(floor, kept, NOW)) == (wrong, False)
    assert after_try(floor, kept, right=True, now=NOW) == PinRecord("$argon2id$", NOW)
    kept = after_try(floor, kept, right=False, now=NOW)
    assert is_locked(floor, kept, NOW)
    assert is_locked(floor, kept, NOW + 30 * MINUTE - 1)
    assert not is_locked(floor, kept, NOW + 30 * MINUTE)
    assert not is_locked(floor, kept, NOW - 30 * MINUTE), "set by a clock that was ahead"
