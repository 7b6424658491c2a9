"""Cases of live deals: the shuffler's number, the raise after the cards are seen, and dealing face up."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from houseway.cards.shuffler import Deal
from houseway.errors import InputError
from houseway.games import Settlement, game_ids
from houseway.manager.commands import COMMANDS
from houseway.manager.commands.house_commands import RecordPaper, SetFaceUp
from houseway.manager.commands.round_commands import (
    DealRound,
    EndRound,
    SetHand,
    ShowDealerWay,
    ShowPlayerWay,
    StartRound,
)
from houseway.manager.controller import key_presses
from houseway.manager.controller.panel import Panel
from houseway.manager.core import settings
from houseway.manager.core.house_entities import Paper
from houseway.manager.core.table_entities import DealRecord, Round, Table
from houseway.manager.handlers import settlement
from houseway.manager.views.table_views import table_view
from tests.manager.cards.pit import Pit
from tests.manager.floors import DAY, DEALER, EXECUTIVE, OTHER_SUPERVISOR, SUPERVISOR, Room, badge
from tests.rules.clause_sets import on_each
from tests.rules.harness import Switch, replaced, rule
from tests.rules.manager_switches import HANDLED, ignored, unchecked
from tests.rules.rooms import closed_table, codes, done, enter, two_people

# ---------------------------------------------------------------- the shuffler


def without_its_number(mode: str, commitment: str, start_position: int | None, *rest: Any, **named: Any) -> DealRecord:
    """A deal that does not tell where the first packet went."""
    return DealRecord(mode, commitment, None, *rest, **named)


@rule("6cfpgp/rules/3", off=(ignored(DealRound), replaced(f"{HANDLED}.dealing.DealRecord", without_its_number)))
def the_dealers_button_starts_the_shuffler_and_the_number_is_shown() -> None:
    numbers = set()
    for vocabulary in ("aquarius", "nexus", "nexus-2"):
        for name in "abcdefgh":
            pit = Pit("six-card-fortune", name=f"{vocabulary}-{name}", vocabulary=vocabulary)
            pit.start(2, 5)
            (deal,) = key_presses.deal(Panel("T1", table_view(pit.engine.floor, pit.engine.floor.tables["T1"])), {})
            answer = pit.do(msgspec.convert(deal.command, COMMANDS["round.deal"]))
            number = answer.get("start_position")
            assert number in range(1, 8)
            # Position 1 is the dealer, 2 the seat at the dealer's right, and so on counter-clockwise.
            assert pit.cards.packets[0].place == (0 if number == 1 else 8 - number)
            deal_shown = table_view(pit.engine.floor, pit.engine.floor.tables["T1"]).to_json()["in_play"]["deal"]
            assert deal_shown["start_position"] == number
            numbers.add(number)
    assert len(numbers) > 3


# ---------------------------------------------------------------- double down


def raised_at_once(decision: object, round_id: str) -> tuple[Round, Table]:
    """A hand may be set before it is dealt."""
    floor = decision.floor  # type: ignore[attr-defined]
    round_ = floor.rounds[round_id]
    return round_, floor.tables[round_.table]


@rule("6cfpgp/bonus/double-down.1", off=replaced(f"{HANDLED}.displays._dealt_round", raised_at_once))
def a_double_down_is_decided_once_the_cards_are_seen() -> None:
    pit = Pit("six-card-fortune")
    early = {"1": {"main": 1000, "double_down": 1000}}
    refused = pit.refused(StartRound("T1", {}, early))
    if not refused:
        pit.do(StartRound("T1", {}, early))
        refused = pit.refused(DealRound(pit.round.id))
    assert refused == ["raise-too-early"]
    pit = Pit("six-card-fortune")
    round_ = pit.start(1, 2, main=1000)
    doubled = SetHand(round_, 1, low=[5], raised=1000)
    assert pit.refused(doubled) == ["not-dealt"]
    pit.deal()
    pit.do(doubled)
    pit.do(SetHand(round_, 2, low=[5]))
    # It is optional: seat 2 has not made it.
    assert {seat: set(made) for seat, made in pit.round.wagers.items()} == {"1": {"main", "double_down"}, "2": {"main"}}
    pit.show()
    assert [line["wager"] for line in pit.round.lines if line["seat"] == 1] == ["main", "double_down"]


# ---------------------------------------------------------------- face up

LETTER: dict[str, Any] = {
    "reference": "letter of July 7, 2020",
    "issued": "2020-07-07",
    "games": [
        "DJ Wild Stud Poker",
        "Fortune Pai Gow Poker",
        "Fortune Pai Gow Poker Progressive",
        "I Luv Suits Poker",
    ],
    "internal_controls": "approved August 1, 2020",
}
LATER_LETTER: dict[str, Any] = {
    "reference": "letter of May 5, 2025",
    "issued": "2025-05-05",
    "games": ["Fortune Pai Gow Poker", "Face Up Pai Gow Poker"],
    "internal_controls": "approved June 1, 2025",
    "spots": 6,
}


def controls(room: Room, letter: dict[str, Any]) -> None:
    """The internal controls that a letter rests on are approved."""
    fields = {"reference": letter["internal_controls"], "approved_on": "2020-08-01"}
    enter(room, "internal-controls", "property", fields)


def face_up(room: Room, *, on: bool = True) -> set[str]:
    """The codes with which a supervisor is refused to deal T1 face up."""
    return codes(room, SUPERVISOR, SetFaceUp("T1", on, badge(OTHER_SUPERVISOR)))


def start(room: Room) -> set[str]:
    """The codes with which a round at T1 is refused; one that begins is ended at once."""
    try:
        round_ = room.do(DEALER, StartRound("T1", {}, {"2": {"main": 1000}}))["round"]
    except InputError as error:
        return {fault.code for fault in error.faults}
    done(room, DEALER, EndRound(round_))
    return set()


@rule("letters/2020/1", off=(unchecked("table_setup.face_up_faults"), unchecked("rounds.face_up_faults")))
def fortune_is_dealt_face_up_while_the_permission_holds() -> None:
    for jackpot in (False, True):
        room = closed_table("fortune", jackpot=jackpot)
        room.open_table("T1")
        assert start(room) == set()
        assert face_up(room) == {"no-face-up-permission"}
        controls(room, LETTER)
        enter(room, "face-up-permission", "fortune", LETTER, until=room.now + 30 * DAY)
        assert face_up(room) == set()
        assert start(room) == set()
        # "For the time being": when it ends, the table deals face down again or not at all.
        room.now += 31 * DAY
        assert start(room) == {"no-face-up-permission"}
        assert face_up(room, on=False) == set()
        assert start(room) == set()
        assert face_up(room) == {"no-face-up-permission"}
    # It is the permission of the games that it names.
    for game_id in game_ids():
        room = closed_table(game_id)
        controls(room, LETTER)
        paper = RecordPaper("face-up-permission", "permission", game_id, LETTER, room.now)
        assert codes(room, EXECUTIVE, paper) == (set() if game_id == "fortune" else {"not-in-the-letter"})
        assert face_up(room) == (set() if game_id == "fortune" else {"no-face-up-permission"})


def paid_better_face_up(table: Table, round_: Round, dealt: Deal) -> Settlement:
    """Wagers win a cent more where the cards are dealt face up."""
    found = settlement_as_it_is(table, round_, dealt)
    if not table.face_up:
        return found
    raised = [
        seat._replace(lines=tuple(line._replace(returned=line.returned + 1) for line in seat.lines))
        for seat in found.seats
    ]
    return replace(found, seats=tuple(raised))


settlement_as_it_is = settlement.settled


@rule(
    "letters/2020/2",
    off=(
        replaced(f"{HANDLED}.settlement.settled", paid_better_face_up),
        replaced(f"{HANDLED}.displays._not_set", lambda round_: []),
    ),
)
def face_up_nothing_else_is_different() -> None:
    for seed in range(1, 6):
        told = []
        for is_face_up in (False, True):
            pit = Pit("fortune", seeds=[bytes([seed]) * 16 + bytes(range(16))], face_up=is_face_up)
            permission = Paper("permission", "face-up-permission", "fortune", LETTER, 0, None, "E1")
            pit.engine.floor.put("paper", permission.id, permission)
            fields = {"reference": LETTER["internal_controls"], "approved_on": "2020-08-01"}
            approved = Paper("controls", "internal-controls", "fortune", fields, 0, None, "E1")
            pit.engine.floor.put("paper", approved.id, approved)
            round_ = pit.start(1, 4, 6, sensor=(4,))
            pit.deal()
            assert {seat for seat in pit.round.shown if seat != "dealer"} == ({"1", "4", "6"} if is_face_up else set())
            # The dealer's cards stay down, and the display waits as ever.
            assert "dealer" not in pit.round.shown
            assert pit.refused(ShowDealerWay(round_)) == ["hands-not-set"]
            assert pit.refused(ShowPlayerWay(round_, 6)) == ["hands-not-set"]
            pit.set(1, 4)
            pit.show(6)
            told.append((pit.show(), pit.round.lines, pit.round.proposed))
        assert told[0] == told[1]


SPOTS = {"letters/face-up-report/spots.fortune": "fortune", "letters/face-up-report/spots.face-up": "face-up"}


def three_spots() -> Switch:
    """The report would recommend three spots for every game."""
    found = settings.DEFINITIONS["face_up_spots"]
    default = settings.Default(dict.fromkeys(SPOTS.values(), 3), "case")

    def throw(monkeypatch: pytest.MonkeyPatch) -> None:
        changed = replace(found, default=lambda licence, day: default)
        monkeypatch.setitem(settings.DEFINITIONS, "face_up_spots", changed)

    return throw


@on_each(SPOTS, off=three_spots())
def no_highest_number_of_spots_is_recommended(game_id: str) -> None:
    room = closed_table(game_id)
    controls(room, LATER_LETTER)
    enter(room, "face-up-permission", game_id, LATER_LETTER)
    told = done(room, SUPERVISOR, SetFaceUp("T1", True, badge(OTHER_SUPERVISOR)))
    assert (told["recommended_spots"], told["most_spots"]) == (None, 6)
    # A room may set a number of its own, which is told and holds.
    two_people(room, {"change": "setting", "name": "face_up_spots", "value": {game_id: 4}})
    assert face_up(room, on=False) == set()
    told = done(room, SUPERVISOR, SetFaceUp("T1", True, badge(OTHER_SUPERVISOR)))
    assert (told["recommended_spots"], told["most_spots"]) == (4, 4)
