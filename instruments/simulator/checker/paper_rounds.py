"""Rounds on paper by docs/decisions.md: a form is printed first, used once, and pays nothing by itself."""

from __future__ import annotations

from collections.abc import Iterator

from instruments.simulator.checker.awards import award_at, hit, press
from instruments.simulator.checker.chain import ChainEntry
from instruments.simulator.checker.errors import same
from instruments.simulator.checker.meters import is_covered
from instruments.simulator.checker.rounds import SUPERVISING, end
from instruments.simulator.checker.rules import CLOCKS, Call, Objection, against_badge, rule
from instruments.simulator.checker.slips import issued
from instruments.simulator.checker.state import Floor, Round

MOST_UNUSED = 20


def _judge_form(floor: Floor, call: Call) -> Iterator[Objection]:
    if call["table"] not in floor.tables:
        yield Objection("no such table")
    unused = [slip for slip in floor.slips.values() if slip.kind == "round" and not slip.entered and not slip.void]
    if sum(slip.table == call["table"] for slip in unused) >= MOST_UNUSED:
        yield Objection("enough forms wait there")


@rule("slip.form", "cage", *SUPERVISING)(_judge_form)
def _apply_form(floor: Floor, call: Call, entry: ChainEntry) -> None:
    issued(floor, "round", call["table"], 0, entry)


def _spot(text: str) -> tuple[str, int]:
    sensor, _, seat = text.partition("/")
    return sensor, int(seat) if seat.isdigit() else 0


def _judge_enter(floor: Floor, call: Call) -> Iterator[Objection]:
    round_ = floor.round_in_play(call["round"])
    if round_ is None:
        yield Objection("the round is not in play")
        return
    yield from against_badge(floor, call["badge"], SUPERVISING, *round_.dealers)
    if call.actor in round_.dealers:
        yield Objection("who dealt a round enters it")
    if floor.tables[round_.table].cards == "known":
        yield Objection("cards that only the system knows")
    if round_.on_paper is not None:
        yield Objection("the round was entered before")
    early, late = call["ended_at"] - round_.started_at, call["ended_at"] - call.now
    if early < 0:
        yield Objection("the time on the paper is before the round")
    if late > -CLOCKS:
        yield Objection("the time on the paper is ahead", certain=late > CLOCKS)
    # When exactly something last happened in the round is not looked at here.
    yield Objection("more is on record after that time", certain=False)
    yield from _against_form(floor, call, round_)
    yield from _against_hands(floor, call, round_)


def _against_form(floor: Floor, call: Call, round_: Round) -> Iterator[Objection]:
    form = floor.slips.get(call["form"])
    if form is None or form.kind != "round":
        yield Objection("there is no such form")
        return
    if form.entered:
        yield Objection("the form is used")
    if form.table != round_.table:
        yield Objection("the form of another table")
    if form.void:
        yield Objection("the form is void")
    if not form.printed_at or form.printed_at > call["ended_at"]:
        yield Objection("the form was not printed by then")


def _against_hands(floor: Floor, call: Call, round_: Round) -> Iterator[Objection]:
    told = {_spot(spot): hand for spot, hand in call.get("won", {}).items()}
    for award in round_.awards.values():
        if award.status == "pressed" and (award.sensor, award.seat) not in told:
            yield Objection("a pressed button is not on the form")
        if award.source == "meter" and award.percent is None and not is_covered(floor, award):
            yield Objection("the meter may not cover a fixed pay", certain=False)
    for (sensor, seat), hand in told.items():
        link = floor.links.get(floor.tables[round_.table].sensors.get(sensor, ""))
        line = None if link is None else link.printed.buttons.get(hand)
        there, taken = award_at(round_, sensor, seat), round_.taken.get(sensor)
        if line is None:
            yield Objection("no such button")
        elif there is not None and there.hand != hand:
            yield Objection("another hand is pressed there")
        elif taken is None or (seat not in taken.seats and not line.envy_cents):
            yield Objection("the seat made no wager and its hand brings envy to nobody")
        if link is not None and link.fixed_pays == "meter":
            yield Objection("the meter may not cover a fixed pay", certain=False)


@rule("round.enter", *SUPERVISING)(_judge_enter)
def _apply_enter(floor: Floor, call: Call, entry: ChainEntry) -> None:
    round_ = floor.rounds[call["round"]]
    floor.slips[call["form"]].entered, round_.on_paper = True, call["ended_at"]
    told = {(each["sensor"], each["seat"]): str(each["award"]) for each in entry.answer["awards"]}
    new = {_spot(spot): hand for spot, hand in call.get("won", {}).items() if award_at(round_, *_spot(spot)) is None}
    for (sensor, seat), hand in new.items():
        press(floor, round_, sensor, seat, hand, told[sensor, seat], call.actor)
    if any(award.status == "pressed" for award in round_.awards.values()):
        round_.touched = True
        hit(floor, round_, call, entry)
    over = all(award.status == "paid" for award in round_.awards.values()) and not round_.key_at_jph
    same(over, entry.answer["ended"], f"whether {round_.id} is over with its form")
    if over:
        end(floor, round_, entry)
        (row,) = (columns for kind, columns in entry.body["rows"] if kind == "round")
        same(("on-paper", call["ended_at"]), (row["outcome"], row["ended_at"]), f"how and when {round_.id} ended")
    floor.note(f"a round was entered from paper and {'ended' if over else 'waits for a payment'}")
