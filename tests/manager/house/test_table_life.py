"""A table's day: dealers, decks, shifts, fills, credits, counts and the close, with every cent in the books."""

from __future__ import annotations

import re
from typing import Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.errors import InputError
from houseway.manager.commands import Envelope
from houseway.manager.commands.house_commands import (
    ChangeDeck,
    ChangeShift,
    CloseTable,
    CountDrop,
    DealerIn,
    DealerOut,
    FillTray,
    OpenTable,
    SetFaceUp,
)
from houseway.manager.commands.round_commands import EndRound, SetSensor, StartRound
from houseway.manager.commands.slip_commands import VoidSlip
from houseway.manager.core.ledger import kind_of_account
from houseway.manager.core.money import cents_text
from tests.manager.floors import (
    ACCOUNTING,
    AUDITOR,
    CAGE,
    DEALER,
    EXECUTIVE,
    OTHER_DEALER,
    OTHER_SUPERVISOR,
    SUPERVISOR,
    TECHNICIAN,
    Room,
    badge,
    new_room,
)

DOLLAR = 1_000_000


@pytest.fixture
def room() -> Room:
    found = new_room()
    found.add_link()
    found.add_table()
    found.attach("T1", "1", "L1")
    found.open_table(float_cents=500_000)
    return found


def second_table(room: Room) -> None:
    room.add_table("T2", "six-card-poker")
    room.open_table("T2", dealer=None)


# ---------------------------------------------------------------- dealers


def test_a_dealer_is_relieved_by_badge(room: Room) -> None:
    answer = room.do(OTHER_DEALER, DealerIn("T1", badge(OTHER_DEALER)))
    assert (answer["dealer"], answer["relieved"]) == (OTHER_DEALER, DEALER)
    assert room.table().dealer == OTHER_DEALER


def test_a_dealer_deals_at_one_table_at_a_time(room: Room) -> None:
    second_table(room)
    assert room.refused(DEALER, DealerIn("T2", badge(DEALER))) == {("dealer-elsewhere", "badge")}
    assert room.refused(DEALER, DealerIn("T1", badge(DEALER))) == {("dealer-elsewhere", "badge")}
    room.do(DEALER, DealerOut("T1"))
    room.do(DEALER, DealerIn("T2", badge(DEALER)))
    assert (room.table("T1").dealer, room.table("T2").dealer) == (None, DEALER)


def test_only_a_dealer_s_card_signs_in(room: Room) -> None:
    assert room.refused(SUPERVISOR, DealerIn("T1", badge(SUPERVISOR))) == {("wrong-role", "badge")}
    assert room.refused(SUPERVISOR, DealerIn("T1", "nobody's")) == {("unknown-badge", "badge")}
    assert room.refused(DEALER, DealerIn("T9", badge(DEALER))) == {("unknown-table", "table")}


def test_nobody_signs_in_at_a_closed_table(room: Room) -> None:
    room.do(SUPERVISOR, CloseTable("T1", 500_000, 0, badge(OTHER_SUPERVISOR)))
    assert room.refused(DEALER, DealerIn("T1", badge(DEALER))) == {("table-closed", "table")}


def test_a_dealer_leaves_between_rounds_only_and_is_relieved_at_any_time(room: Room) -> None:
    answer = room.do(DEALER, StartRound("T1", {"1": [2]}))
    assert room.refused(DEALER, DealerOut("T1")) == {("round-in-play", "table")}
    room.do(OTHER_DEALER, DealerIn("T1", badge(OTHER_DEALER)))
    room.do(OTHER_DEALER, EndRound(answer["round"]))
    assert room.refused(DEALER, DealerOut("T1")) == {("not-the-dealer", "actor")}
    assert room.do(SUPERVISOR, DealerOut("T1"))["left"] == OTHER_DEALER
    assert room.refused(SUPERVISOR, DealerOut("T1")) == {("no-dealer", "table")}


# ---------------------------------------------------------------- decks and shifts


@pytest.mark.parametrize(("table", "right", "wrong"), [("T1", 53, 52), ("T2", 52, 53)])
def test_a_deck_has_the_cards_of_its_game(room: Room, table: str, right: int, wrong: int) -> None:
    second_table(room)
    for counted in (wrong, right - 2, 0, -1, 10**9):
        assert room.refused(SUPERVISOR, ChangeDeck(table, "deck A", counted)) == {("deck-count", "counted")}
    answer = room.do(SUPERVISOR, ChangeDeck(table, "deck A", right))
    assert answer["replaced"] is not None
    assert room.table(table).deck == "deck A"


def test_a_deck_is_at_one_table_and_changes_between_rounds(room: Room) -> None:
    second_table(room)
    room.do(DEALER, ChangeDeck("T1", "deck A", 53))
    assert room.refused(SUPERVISOR, ChangeDeck("T2", "deck A", 52)) == {("deck-in-use", "deck")}
    assert room.refused(SUPERVISOR, ChangeDeck("T1", "a/b", 53)) == {("bad-id", "deck")}
    room.do(DEALER, StartRound("T1", {"1": [1]}))
    assert room.refused(DEALER, ChangeDeck("T1", "deck B", 53)) == {("round-in-play", "table")}
    assert room.refused(SUPERVISOR, SetFaceUp("T1", True, badge(OTHER_SUPERVISOR))) == {("round-in-play", "table")}


def test_a_dealer_changes_the_deck_of_the_own_table_only(room: Room) -> None:
    """A supervisor brings one wherever nobody deals yet."""
    second_table(room)
    deck = ChangeDeck("T1", "deck A", 53)
    assert room.refused(OTHER_DEALER, deck) == {("not-the-dealer", "actor")}
    room.do(DEALER, deck)
    room.do(DEALER, DealerOut("T1"))
    assert room.refused(DEALER, ChangeDeck("T1", "deck B", 53)) == {("no-dealer", "table")}
    room.do(SUPERVISOR, ChangeDeck("T1", "deck B", 53))
    assert room.table().deck == "deck B"


def test_a_shift_begins_with_the_books_of_the_moment(room: Room) -> None:
    answer = room.do(DEALER, StartRound("T1", {"1": [1, 2]}))
    assert room.refused(SUPERVISOR, ChangeShift("T1", "swing")) == {("round-in-play", "table")}
    room.do(DEALER, EndRound(answer["round"]))
    answer = room.do(SUPERVISOR, ChangeShift("T1", "swing"))
    assert answer["micros"] == {"tray": 5_000 * DOLLAR, "drop": 2 * DOLLAR, "receipts": 1_600_000, "variance": 0}
    assert (answer["before"], answer["rounds"]) == (None, 1)
    assert room.refused(CAGE, ChangeShift("T1", "swing")) == {("nothing-to-change", "shift")}
    assert room.refused(CAGE, ChangeShift("T1", "")) == {("bad-id", "shift")}
    assert room.refused(DEALER, ChangeShift("T1", "day")) == {("wrong-role", "actor")}


# ---------------------------------------------------------------- fills and credits


def fill(
    cents: int = 1_000, slip: str = "1001", direction: Literal["fill", "credit"] = "fill", by: str = CAGE
) -> FillTray:
    return FillTray("T1", direction, cents, badge(by), slip)


def test_fills_and_credits_move_chips_between_cage_and_tray(room: Room) -> None:
    answer = room.do(DEALER, fill(20_000))
    assert (answer["tray_cents"], answer["signed"]) == (520_000, [DEALER, CAGE])
    assert (room.balance("tray/T1"), room.balance("house")) == (5_200 * DOLLAR, -5_200 * DOLLAR)
    answer = room.do(SUPERVISOR, fill(50_000, "1002", "credit"))
    assert answer["tray_cents"] == 470_000
    assert room.balance("house") == -4_700 * DOLLAR
    assert {slip.kind for slip in room.floor.slips.values()} == {"opener", "fill", "credit"}


def test_a_slip_number_is_used_once_in_the_property(room: Room) -> None:
    second_table(room)
    room.do(DEALER, fill())
    assert room.refused(DEALER, fill(direction="credit")) == {("slip-used", "slip")}
    assert room.refused(DEALER, FillTray("T2", "fill", 500, badge(CAGE), "1001")) == {("slip-used", "slip")}


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        (fill(0), ("bad-amount", "cents")),
        (fill(-5), ("bad-amount", "cents")),
        (fill(10**13), ("bad-amount", "cents")),
        (fill(slip="1/2"), ("bad-id", "slip")),
        (fill(by=SUPERVISOR), ("second-person", "badge")),
        (fill(by=DEALER), ("wrong-role", "badge")),
        (FillTray("T1", "fill", 5, "nobody's", "1"), ("unknown-badge", "badge")),
        (FillTray("T9", "fill", 5, badge(CAGE), "1"), ("unknown-table", "table")),
    ],
)
def test_a_fill_is_refused(room: Room, command: FillTray, fault: tuple[str, str]) -> None:
    assert room.refused(SUPERVISOR, command) == {fault}


def test_a_closed_table_gets_no_chips(room: Room) -> None:
    room.do(SUPERVISOR, CloseTable("T1", 500_000, 0, badge(OTHER_SUPERVISOR)))
    assert room.refused(SUPERVISOR, fill()) == {("table-closed", "table")}


# ---------------------------------------------------------------- counts and the close


def play(room: Room, seats: list[int]) -> None:
    answer = room.do(DEALER, StartRound("T1", {"1": seats}))
    room.do(DEALER, EndRound(answer["round"]))


@pytest.mark.parametrize(("counted", "over"), [(300, 0), (250, -50), (512, 212), (0, -300)])
def test_a_drop_count_goes_to_the_house_and_shows_over_or_short(room: Room, counted: int, over: int) -> None:
    play(room, [1, 2, 3])
    answer = room.do(ACCOUNTING, CountDrop("T1", counted, badge(CAGE)))
    assert (answer["book_cents"], answer["counted_cents"], answer["over_cents"]) == (300, counted, over)
    assert answer["counted_by"] == [ACCOUNTING, CAGE]
    assert room.balance("drop/T1") == 0
    assert room.balance("house") == -5_000 * DOLLAR + counted * 10_000
    assert room.balance("variance/T1") == -over * 10_000


def test_a_drop_is_counted_by_two_people(room: Room) -> None:
    assert room.refused(CAGE, CountDrop("T1", 0, badge(CAGE))) == {("second-person", "badge")}
    assert room.refused(CAGE, CountDrop("T1", 0, badge(DEALER))) == {("wrong-role", "badge")}
    assert room.refused(DEALER, CountDrop("T1", 0, badge(CAGE))) == {("wrong-role", "actor")}
    assert room.refused(CAGE, CountDrop("T1", -1, badge(ACCOUNTING))) == {("bad-amount", "cents")}
    assert room.refused(CAGE, CountDrop("T9", 0, badge(ACCOUNTING))) == {("unknown-table", "table")}


def test_a_table_that_closes_gives_tray_and_drop_back(room: Room) -> None:
    play(room, [1, 2, 3])
    answer = room.do(SUPERVISOR, CloseTable("T1", 498_000, 350, badge(OTHER_SUPERVISOR)))
    assert answer["counts"] == {
        "tray": {"book_cents": 500_000, "counted_cents": 498_000, "over_cents": -2_000},
        "drop": {"book_cents": 300, "counted_cents": 350, "over_cents": 50},
    }
    assert answer["over_cents"] == -1_950
    assert (room.balance("tray/T1"), room.balance("drop/T1")) == (0, 0)
    assert room.balance("variance/T1") == 1_950 * 10_000
    table = room.table()
    assert (table.status, table.dealer, table.deck) == ("closed", None, None)


def test_a_credit_takes_no_more_than_the_books_have_in_the_tray(room: Room) -> None:
    held = room.balance("tray/T1") // 10_000
    assert room.refused(DEALER, fill(held + 1, "1001", "credit")) == {("tray-short", "cents")}
    room.do(DEALER, fill(held, "1001", "credit"))
    assert room.balance("tray/T1") == 0


@given(
    tray=st.integers(0, 10**9), drop=st.integers(0, 10**6), fills=st.lists(st.integers(1, 10**7), max_size=3),
    credits_=st.lists(st.integers(1, 10**7), max_size=3), seats=st.lists(st.integers(1, 6), max_size=4),
)  # fmt: skip
def test_after_a_close_only_house_variance_and_jackpot_money_are_left(
    tray: int, drop: int, fills: list[int], credits_: list[int], seats: list[int]
) -> None:
    room = new_room()
    room.add_link()
    room.add_table()
    room.attach("T1", "1", "L1")
    room.open_table(float_cents=500_000)
    for number, cents in enumerate(fills):
        room.do(DEALER, fill(cents, f"f{number}"))
    back = []
    for number, cents in enumerate(credits_):
        if cents > 500_000 + sum(fills) - sum(back):
            assert room.refused(DEALER, fill(cents, f"c{number}", "credit")) == {("tray-short", "cents")}
        else:
            room.do(DEALER, fill(cents, f"c{number}", "credit"))
            back.append(cents)
    for seat in seats:
        play(room, [seat])
    book_tray = 500_000 + sum(fills) - sum(back)
    answer = room.do(SUPERVISOR, CloseTable("T1", tray, drop, badge(OTHER_SUPERVISOR), "counted twice"))
    assert answer["counts"]["tray"]["book_cents"] == book_tray
    assert answer["over_cents"] == tray - book_tray + drop - 100 * len(seats)
    assert room.balance("variance/T1") == -answer["over_cents"] * 10_000
    left = {kind_of_account(name) for name, amount in room.floor.balances.items() if amount}
    assert left <= {"house", "variance", "meter", "seed", "receipts"}
    assert room.balance("house") == (tray + drop - book_tray) * 10_000


@pytest.mark.parametrize(("tray", "drop", "path"), [(5_000_000, 0, "tray_cents"), (500_000, 1_000_001, "drop_cents")])
def test_a_count_far_from_the_books_needs_a_reason(room: Room, tray: int, drop: int, path: str) -> None:
    """A digit too many is counted again; what is right all the same goes on record with its reason."""
    close = CloseTable("T1", tray, drop, badge(OTHER_SUPERVISOR))
    assert room.refused(SUPERVISOR, close) == {("count-differs", path)}
    assert room.refused(SUPERVISOR, msgspec.structs.replace(close, reason="x" * 3_000)) == {("text-too-long", "reason")}
    counted = CountDrop("T1", 1_000_001, badge(OTHER_SUPERVISOR))
    assert room.refused(SUPERVISOR, counted) == {("count-differs", "cents")}
    for command in (close, counted):
        # Who counts does not hear what there should be: they would count towards it.
        with pytest.raises(InputError) as told:
            room.engine.decide(Envelope("k", SUPERVISOR, command), room.now, room.draw)
        amounts = re.findall(r"\$[0-9,.]+[0-9]", str(told.value))
        own = command.cents if isinstance(command, CountDrop) else getattr(command, path)
        assert amounts == [cents_text(own), "$10,000.00"]
    answer = room.do(SUPERVISOR, msgspec.structs.replace(close, reason="the day's drop was in the tray"))
    assert answer["over_cents"] == tray - 500_000 + drop


def test_no_refusal_names_what_the_books_have_in_a_tray(room: Room) -> None:
    room.do(DEALER, fill(20_000, "f1"))
    room.do(DEALER, fill(510_000, "c1", "credit"))
    for command in (fill(10_001, "c2", "credit"), VoidSlip("f1", "never brought", badge(CAGE))):
        with pytest.raises(InputError) as told:
            room.engine.decide(Envelope("k", SUPERVISOR, command), room.now, room.draw)
        assert [fault.code for fault in told.value.faults] == ["tray-short"]
        assert "$" not in str(told.value)


def test_a_count_within_a_day_s_play_needs_no_reason(room: Room) -> None:
    assert room.do(SUPERVISOR, CloseTable("T1", 1_500_000, 0, badge(OTHER_SUPERVISOR)))["over_cents"] == 1_000_000


def test_a_table_closes_without_round_and_without_wagers_on_its_sensors(room: Room) -> None:
    close = CloseTable("T1", 500_000, 0, badge(OTHER_SUPERVISOR))
    room.do(DEALER, SetSensor("T1", "1", 4, True))
    assert room.refused(SUPERVISOR, close) == {("sensor-lit", "table")}
    room.do(DEALER, SetSensor("T1", "1", 4, False))
    answer = room.do(DEALER, StartRound("T1", {"1": [4]}))
    assert room.refused(SUPERVISOR, close) == {("round-in-play", "table")}
    room.do(DEALER, EndRound(answer["round"]))
    room.do(SUPERVISOR, close)
    assert room.refused(SUPERVISOR, close) == {("table-closed", "table")}


@pytest.mark.parametrize(
    ("actor", "command", "fault"),
    [
        (SUPERVISOR, CloseTable("T1", -1, 0, badge(OTHER_SUPERVISOR)), ("bad-amount", "tray_cents")),
        (SUPERVISOR, CloseTable("T1", 0, 10**13, badge(OTHER_SUPERVISOR)), ("bad-amount", "drop_cents")),
        (DEALER, CloseTable("T1", 0, 0, badge(OTHER_DEALER)), ("wrong-role", "badge")),
        (AUDITOR, CloseTable("T1", 0, 0, badge(OTHER_SUPERVISOR)), ("wrong-role", "actor")),
        (SUPERVISOR, CloseTable("T9", 0, 0, badge(OTHER_SUPERVISOR)), ("unknown-table", "table")),
    ],
)
def test_a_close_is_refused(room: Room, actor: str, command: CloseTable, fault: tuple[str, str]) -> None:
    assert room.refused(actor, command) == {fault}


def test_a_closed_table_opens_again_with_a_new_float(room: Room) -> None:
    room.do(SUPERVISOR, CloseTable("T1", 499_000, 0, badge(OTHER_SUPERVISOR)))
    answer = room.do(SUPERVISOR, OpenTable("T1", 300_000, badge(EXECUTIVE)))
    assert answer["tray_cents"] == 300_000
    assert room.balance("tray/T1") == 3_000 * DOLLAR
    assert room.balance("variance/T1") == 10 * DOLLAR


def test_a_held_round_is_named_at_the_close(room: Room) -> None:
    from houseway.manager.commands.round_commands import HoldRound

    answer = room.do(DEALER, StartRound("T1", {"1": [4]}))
    room.do(DEALER, HoldRound(answer["round"], badge(SUPERVISOR), "a player objects"))
    answer = room.do(SUPERVISOR, CloseTable("T1", 500_000, 100, badge(OTHER_SUPERVISOR)))
    assert "on hold" in answer["next"][0]


def test_a_technician_neither_opens_nor_closes_tables(room: Room) -> None:
    assert room.refused(TECHNICIAN, CloseTable("T1", 0, 0, badge(OTHER_SUPERVISOR))) == {("wrong-role", "actor")}
    assert room.refused(TECHNICIAN, OpenTable("T1", 0, badge(SUPERVISOR))) == {("wrong-role", "actor")}
