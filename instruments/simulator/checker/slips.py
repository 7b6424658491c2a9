"""Slips by the documents: numbers in order and never twice, prints on record, voids and prizes by two people.

What a prize brings with it is worked out here from the figures of the documents, not with the manager's functions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from instruments.simulator.checker.chain import ChainEntry
from instruments.simulator.checker.errors import require, same
from instruments.simulator.checker.rules import Call, Objection, against_badge, against_blank, rule
from instruments.simulator.checker.state import MICROS_PER_CENT, Award, Floor, Slip

SIGNING: Final = ("supervisor", "executive", "cage", "accounting")
OWN_SERIES: Final = {
    "win": "WIN",
    "fill": "FILL",
    "credit": "CREDIT",
    "opener": "OPEN",
    "closer": "CLOSE",
    "round": "ROUND",
}
MOST_PRINTS: Final = 20
FORM_FROM, FORM_TIMES, WITHHOLDING_ABOVE, WITHHOLDING_PERCENT, LARGE = 2_000_00, 300, 5_000_00, 24, 3_000_00
"""Of 2026, in cents, unless the property has set other numbers."""
DECKS: Final = {"six-card-poker": 52}


def issued(floor: Floor, kind: str, table: str, cents: int, entry: ChainEntry, number: str | None = None) -> Slip:
    """A slip is made: under the next number of its series, or that of a form that was printed beforehand."""
    if number is None:
        number = _next(floor, kind)
        same(number, entry.answer["slip"], f"number of the {kind} slip of {entry.kind}")
    require(number not in floor.slips, "a number is used once", "a new one", number)
    made = floor.slips[number] = Slip(number, kind, table, cents, entry.at)
    return made


def issued_for(floor: Floor, award: Award, entry: ChainEntry) -> None:
    """The slip of an award that a badge has paid; a dealer alone makes none."""
    if award.badge_role == "none" or not award.wagered or not award.cents:
        same(None, entry.answer.get("slip"), f"slip of {award.id}")
        return
    slip = issued(floor, "win", award.table, award.cents, entry)
    slip.award, slip.wager = award.id, floor.rounds[award.round].taken[award.sensor].wager
    due = Due(floor, slip)
    told = entry.answer.get("duties") or {"form": False, "withheld": 0, "check": False}
    same((due.form, due.withheld, due.check), (told["form"], told["withheld"], told["check"]), f"dues of {award.id}")


def voided_with(floor: Floor, award: str) -> None:
    """An award was backed out, and its slip counts no more."""
    for slip in floor.slips.values():
        if slip.award == award and not slip.void:
            slip.void = True
            floor.note("a slip was voided with its award")


def _next(floor: Floor, kind: str) -> str:
    floor.numbers[kind] += 1
    return f"{OWN_SERIES[kind]}-{floor.numbers[kind]:06d}"


class Due:
    """What a prize brings with it."""

    def __init__(self, floor: Floor, slip: Slip) -> None:
        """By the settings at the time of its payment."""
        prize, wager, at = slip.cents, slip.wager, slip.at
        times = floor.setting("tax_form_multiple", at, FORM_TIMES)
        self.form = prize >= max(floor.setting("tax_form_cents", at, FORM_FROM), times * wager)
        won, above = prize - wager, floor.setting("withholding_above", at, WITHHOLDING_ABOVE)
        percent = floor.setting("withholding_percent", at, WITHHOLDING_PERCENT)
        self.withheld = (won * percent * 2 + 100) // 200 if won > above and won >= times * wager else 0
        self.check = prize >= floor.setting("large_prize_cents", at, LARGE)


def _known(floor: Floor, call: Call) -> Slip | None:
    return floor.slips.get(call["slip"])


# Prints


def _against_print(floor: Floor, call: Call) -> Iterator[Objection]:
    slip = _known(floor, call)
    if slip is None:
        yield Objection("there is no such slip")
        return
    again, before = call.kind == "slip.reprint", slip.prints[call.get("copy", "original")]
    if again and not before:
        yield Objection("the copy was never printed")
    if not again and before:
        yield Objection("the copy was printed before")
    if again:
        yield from against_blank(call["reason"])
    if slip.prints.total() >= MOST_PRINTS:
        yield Objection("it was printed too often")


def _printed(floor: Floor, call: Call, entry: ChainEntry) -> None:
    slip, copy = floor.slips[call["slip"]], call.get("copy", "original")
    before = slip.prints[copy]
    # One paper of a slip is its original; what is printed after it is not.
    which = [] if copy == "original" and before else [copy.upper()]
    marks = [*(["VOID"] if slip.void else []), *which, *([f"REPRINT {before}"] if before else [])]
    same((before, marks), (entry.answer["reprint"], list(entry.answer["marks"])), f"print of {slip.id}")
    slip.printed_at = slip.printed_at or entry.at
    slip.prints[copy] += 1
    if before:
        floor.note("a slip was printed again")


rule("slip.print", *SIGNING)(_against_print)(_printed)
rule("slip.reprint", *SIGNING)(_against_print)(_printed)


# Voids


def _judge_void(floor: Floor, call: Call) -> Iterator[Objection]:
    yield from against_badge(floor, call["badge"], SIGNING)
    yield from against_blank(call["reason"])
    slip = _known(floor, call)
    if slip is None:
        yield Objection("there is no such slip")
        return
    if slip.void:
        yield Objection("the slip is void already")
    if slip.kind in ("opener", "closer"):
        yield Objection("a count stands")
    if slip.handed:
        yield Objection("the prize was handed over")
    if slip.entered:
        yield Objection("a round was entered from the form")
    if slip.kind in ("fill", "credit"):
        counts = (each for each in floor.slips.values() if each.kind == "closer" and each.table == slip.table)
        if any(each.at >= slip.at for each in counts):
            yield Objection("the tray was counted since")
        if slip.kind == "fill" and slip.cents * MICROS_PER_CENT > floor.book.get(f"tray/{slip.table}", 0):
            yield Objection("the tray holds less by the books")


@rule("slip.void", "supervisor", "executive", "cage")(_judge_void)
def _apply_void(floor: Floor, call: Call, entry: ChainEntry) -> None:
    slip = floor.slips[call["slip"]]
    slip.void = True
    tray, amount = f"tray/{slip.table}", slip.cents * MICROS_PER_CENT
    if slip.kind == "win":
        number = _next(floor, "win")
        same(number, entry.answer["replaced_by"], f"the slip in place of {slip.id}")
        floor.slips[number] = Slip(number, "win", slip.table, slip.cents, slip.at, slip.award, slip.wager)
        floor.note("a win got another slip")
        return
    same(None, entry.answer["replaced_by"], f"nothing in place of {slip.id}")
    if slip.kind == "round":
        floor.note("a form was voided")
        return
    floor.move(*(("house", tray) if slip.kind == "fill" else (tray, "house")), amount)
    floor.note(f"a {slip.kind} was voided")


# Prizes


def _judge_hand_over(floor: Floor, call: Call) -> Iterator[Objection]:
    yield from against_badge(floor, call["badge"], SIGNING)
    slip = _known(floor, call)
    if slip is None or slip.kind != "win":
        yield Objection("there is no such prize")
        return
    if slip.void:
        yield Objection("the slip is void")
    if slip.handed:
        yield Objection("the prize was handed over")
    if call["method"] == "check" and not call.get("reference"):
        yield Objection("a check has a number")
    if not 0 <= call.get("withheld_cents", 0) <= slip.cents:
        yield Objection("more is withheld than there is")
    if call.get("override"):
        return
    due = Due(floor, slip)
    if due.check and call["method"] != "check":
        yield Objection("a large prize is paid by check")
    if due.form and not call.get("form"):
        yield Objection("the tax form is missing")
    if call.get("withheld_cents", 0) != due.withheld:
        yield Objection("another amount is withheld")
    if due.check and call.get("deck_count") != DECKS.get(floor.tables[slip.table].game, 53):
        yield Objection("the deck was not counted")


@rule("prize.hand-over", "supervisor", "executive", "cage")(_judge_hand_over)
def _apply_hand_over(floor: Floor, call: Call, entry: ChainEntry) -> None:
    slip = floor.slips[call["slip"]]
    slip.handed = True
    withheld = call.get("withheld_cents", 0)
    same(slip.cents - withheld, entry.answer["handed_cents"], f"what came into hands with {slip.id}")
    floor.note(f"a prize was handed over: {call['method']}")
