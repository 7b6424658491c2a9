"""Slips: numbers in order and never twice, chips that add up, every print on record, voids by two people."""

from __future__ import annotations

import pytest

from houseway.manager.commands.house_commands import CloseTable, FillTray, OpenTable
from houseway.manager.commands.slip_commands import HandOverPrize, PrintSlip, ReprintSlip, VoidSlip
from houseway.manager.core.slip_entities import SERIES
from houseway.manager.handlers.slip_keeping import MOST_PRINTS
from tests.manager.floors import (
    ACCOUNTING,
    CAGE,
    DEALER,
    EXECUTIVE,
    SUPERVISOR,
    SURVEILLANCE,
    Room,
    badge,
    new_room,
)


@pytest.fixture
def room() -> Room:
    found = new_room()
    found.add_link()
    found.add_table()
    found.attach("T1", "1", "L1")
    found.open_table(float_cents=500_000)
    return found


def fill(cents: int = 1_000, **more: object) -> FillTray:
    return FillTray("T1", "fill", cents, badge(CAGE), **more)  # type: ignore[arg-type]


# ---------------------------------------------------------------- numbers


def test_each_series_counts_by_itself_without_a_gap(room: Room) -> None:
    given = [room.do(DEALER, fill())["slip"] for _ in range(3)]
    assert given == ["FILL-000001", "FILL-000002", "FILL-000003"]
    assert room.do(DEALER, FillTray("T1", "credit", 500, badge(CAGE)))["slip"] == "CREDIT-000001"
    assert room.refused(DEALER, fill(0)) == {("bad-amount", "cents")}
    assert room.do(DEALER, fill())["slip"] == "FILL-000004", "a refused command uses no number"
    closed = room.do(EXECUTIVE, CloseTable("T1", 503_000, 0, badge(SUPERVISOR)))["slip"]
    opened = room.do(EXECUTIVE, OpenTable("T1", 5_000, badge(SUPERVISOR)))["slip"]
    assert (closed, opened) == ("CLOSE-000001", "OPEN-000002")
    assert {one.id: one.last for one in room.floor.series.values()} == {"FILL": 4, "CREDIT": 1, "OPEN": 2, "CLOSE": 1}


@pytest.mark.parametrize("series", SERIES.values())
def test_nobody_takes_a_number_that_the_manager_gives(room: Room, series: str) -> None:
    for number in (f"{series}-000009", f"{series.lower()}-9"):
        assert room.refused(DEALER, fill(slip=number)) == {("slip-number", "slip")}
    assert room.do(DEALER, fill(slip=f"{series}9"))["slip"] == f"{series}9", "a printed form has a number of its own"


def test_chips_come_to_the_amount(room: Room) -> None:
    room.do(DEALER, fill(250_000, chips={"2500": 60, "500": 180, "100": 100}))
    assert room.floor.slips["FILL-000001"].chips == {"2500": 60, "500": 180, "100": 100}
    assert room.refused(DEALER, fill(250_000, chips={"2500": 60})) == {("chips-differ", "chips")}
    for wrong in ({"0": 1}, {"-100": 1}, {"five": 1}, {"100": 0}, {"100": -1}, {"1e3": 1}, {"100": 2_000_000}):
        assert {code for code, _ in room.refused(DEALER, fill(100, chips=wrong))} == {"bad-chips"}, wrong
    assert room.refused(DEALER, fill(100, chips={"9999999999": 1_000_000})) == {("bad-chips", "chips")}
    close = CloseTable("T1", 750_000, 0, badge(SUPERVISOR), chips={"100": 1})
    assert room.refused(EXECUTIVE, close) == {("chips-differ", "chips")}
    room.do(EXECUTIVE, CloseTable("T1", 750_000, 0, badge(SUPERVISOR), chips={"10000": 75}))
    assert room.floor.slips["CLOSE-000001"].chips == {"10000": 75}


# ---------------------------------------------------------------- prints


def test_every_print_is_on_record_and_a_copy_is_printed_once(room: Room) -> None:
    room.do(DEALER, fill())
    assert room.do(SUPERVISOR, PrintSlip("FILL-000001"))["marks"] == ["ORIGINAL"]
    assert room.refused(SUPERVISOR, PrintSlip("FILL-000001")) == {("slip-printed", "copy")}
    assert room.refused(CAGE, ReprintSlip("FILL-000001", "lost", "duplicate")) == {("slip-not-printed", "copy")}
    assert room.do(CAGE, PrintSlip("FILL-000001", "duplicate"))["marks"] == ["DUPLICATE"]
    assert room.refused(ACCOUNTING, ReprintSlip("FILL-000001", " ")) == {("reason-needed", "reason")}
    assert room.do(ACCOUNTING, ReprintSlip("FILL-000001", "the printer jammed"))["marks"] == ["REPRINT 1"]
    assert room.do(ACCOUNTING, ReprintSlip("FILL-000001", "again"))["marks"] == ["REPRINT 2"]
    prints = room.floor.slips["FILL-000001"].prints
    assert [(one.copy, one.by, one.reprint, one.reason) for one in prints] == [
        ("original", SUPERVISOR, 0, ""),
        ("duplicate", CAGE, 0, ""),
        ("original", ACCOUNTING, 1, "the printer jammed"),
        ("original", ACCOUNTING, 2, "again"),
    ]


def test_a_slip_is_not_printed_without_end(room: Room) -> None:
    room.do(SUPERVISOR, PrintSlip("OPEN-000001"))
    for _ in range(MOST_PRINTS - 1):
        room.do(SUPERVISOR, ReprintSlip("OPEN-000001", "jam"))
    assert room.refused(SUPERVISOR, ReprintSlip("OPEN-000001", "jam")) == {("too-many-prints", "slip")}
    assert room.refused(SUPERVISOR, PrintSlip("OPEN-000001", "duplicate")) == {("too-many-prints", "slip")}


@pytest.mark.parametrize("who", [DEALER, SURVEILLANCE])
def test_who_does_not_keep_papers_prints_none(room: Room, who: str) -> None:
    for command in (PrintSlip("OPEN-000001"), ReprintSlip("OPEN-000001", "jam")):
        assert room.refused(who, command) == {("wrong-role", "actor")}


# ---------------------------------------------------------------- voids


def test_a_void_fill_leaves_the_books_as_they_were(room: Room) -> None:
    before = dict(room.floor.balances)
    room.do(DEALER, fill(20_000))
    room.do(DEALER, FillTray("T1", "credit", 3_000, badge(CAGE)))
    answer = room.do(SUPERVISOR, VoidSlip("FILL-000001", "never brought", badge(CAGE)))
    assert (answer["tray_cents"], answer["replaced_by"]) == (497_000, None)
    room.do(SUPERVISOR, VoidSlip("CREDIT-000001", "never taken", badge(CAGE)))
    assert room.floor.balances == before
    again = room.refused(SUPERVISOR, VoidSlip("FILL-000001", "once more", badge(CAGE)))
    assert again == {("slip-void", "slip")}
    assert room.do(CAGE, PrintSlip("FILL-000001"))["marks"] == ["VOID", "ORIGINAL"]


def test_a_void_takes_two_people_and_a_reason(room: Room) -> None:
    room.do(DEALER, fill(20_000))
    void = VoidSlip("FILL-000001", "never brought", badge(SUPERVISOR))
    assert room.refused(SUPERVISOR, void) == {("second-person", "badge")}
    assert room.refused(DEALER, void) == {("wrong-role", "actor")}
    assert room.refused(CAGE, VoidSlip("FILL-000001", " ", badge(SUPERVISOR))) == {("reason-needed", "reason")}
    assert room.refused(CAGE, VoidSlip("FILL-000001", "why", badge(DEALER))) == {("wrong-role", "badge")}
    assert room.refused(CAGE, VoidSlip("FILL-000009", "why", badge(SUPERVISOR))) == {("unknown-slip", "slip")}


def test_what_was_counted_since_is_not_undone(room: Room) -> None:
    room.do(DEALER, fill(20_000))
    assert room.refused(CAGE, VoidSlip("OPEN-000001", "wrong", badge(SUPERVISOR))) == {("slip-stands", "slip")}
    room.do(EXECUTIVE, CloseTable("T1", 520_000, 0, badge(SUPERVISOR)))
    void = VoidSlip("FILL-000001", "never brought", badge(SUPERVISOR))
    assert room.refused(CAGE, void) == {("slip-counted", "slip")}


def test_a_fill_that_was_paid_out_meanwhile_is_not_undone(room: Room) -> None:
    room.do(DEALER, fill(20_000))
    room.do(DEALER, FillTray("T1", "credit", 510_000, badge(CAGE)))
    void = VoidSlip("FILL-000001", "never brought", badge(SUPERVISOR))
    assert room.refused(CAGE, void) == {("tray-short", "slip")}


def test_only_a_win_is_handed_over(room: Room) -> None:
    over = HandOverPrize("OPEN-000001", "cash", badge(SUPERVISOR))
    assert room.refused(CAGE, over) == {("no-prize", "slip")}
