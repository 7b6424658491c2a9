"""What is undone away from a table is kept with it until its dealer has read it or begins the next round."""

from __future__ import annotations

import msgspec
import pytest

from houseway.errors import InputError
from houseway.manager.commands.round_commands import AcknowledgeUndone, DecideRound, HoldRound
from houseway.manager.core.floor import Floor
from houseway.manager.views.table_views import UndoneAwardView, UndoneRoundView, table_view
from tests.manager.floors import ACCOUNTING, DEALER, EXECUTIVE, OTHER_DEALER, SUPERVISOR, Room, badge
from tests.manager.links.desk import make, playing_room, start, win

TRAY = "full-house"


@pytest.fixture
def room() -> Room:
    return playing_room()


def back_out(room: Room, award: str) -> None:
    make(room, ACCOUNTING, change="back-out", award=award, reference=" incident 3 ", recover_seed=None)


def undone(room: Room, table: str = "T1") -> list[str]:
    return [each.id for each in table_view(room.floor, room.table(table)).undone]


def test_an_award_backed_out_between_rounds_stays_with_its_table(room: Room) -> None:
    award = win(room, TRAY)
    back_out(room, award)
    (told,) = table_view(room.floor, room.table("T1")).undone
    assert isinstance(told, UndoneAwardView)
    assert (told.id, told.proposed_by, told.approved_by) == (award, ACCOUNTING, EXECUTIVE)
    assert (told.reference, told.source, told.seat, told.hand) == ("incident 3", "tray", 1, TRAY)
    assert undone(room, "T2") == []
    start(room)
    assert undone(room) == []


def test_an_award_of_a_round_long_past_is_told_during_another_round(room: Room) -> None:
    first, second = win(room, TRAY), win(room, TRAY)
    start(room)
    back_out(room, first)
    back_out(room, second)
    assert undone(room) == [first, second]


def test_the_dealer_acknowledges_it_once(room: Room) -> None:
    award = win(room, TRAY)
    back_out(room, award)
    with pytest.raises(InputError, match="deals at T1"):
        room.do(OTHER_DEALER, AcknowledgeUndone("T1"))
    assert undone(room) == [award]
    assert room.do(DEALER, AcknowledgeUndone("T1"))["acknowledged"] == [award]
    assert undone(room) == []
    with pytest.raises(InputError, match="nothing waits at T1"):
        room.do(DEALER, AcknowledgeUndone("T1"))


def test_a_round_on_hold_that_is_decided_as_void_is_told_with_the_wagers_to_give_back(room: Room) -> None:
    round_ = start(room, seats=(2, 5))
    room.do(DEALER, HoldRound(round_, badge(SUPERVISOR), "who was first"))
    room.do(SUPERVISOR, DecideRound(round_, badge(EXECUTIVE), "void", "misdeal", "report 9"))
    (told,) = table_view(room.floor, room.table("T1")).undone
    assert isinstance(told, UndoneRoundView)
    assert (told.id, told.proposed_by, told.approved_by) == (round_, SUPERVISOR, EXECUTIVE)
    # It is still there when the state is read back.
    assert Floor.restored(msgspec.json.decode(room.floor.text())).tables["T1"] == room.table("T1")
    assert (told.reference, told.seats, told.wagers_cents) == ("report 9", {"1": (2, 5)}, {"1": 100})
