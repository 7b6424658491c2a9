"""What becomes of a slip: prints on record, void by two people, and the prize handed to its winner.

A print goes on record before a printer gets it. Whoever has no paper in the end, because a printer failed, prints the
copy again, and the paper says so: two papers that look alike never leave the system.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from houseway.amounts import NO_MICROS, Cents, micros, whole_cents
from houseway.errors import Fault, InputError
from houseway.games import game
from houseway.manager.commands.slip_answers import HandOverPrizeAnswer, PrintSlipAnswer, VoidSlipAnswer
from houseway.manager.commands.slip_commands import HandOverPrize, PrintSlip, ReprintSlip, VoidSlip
from houseway.manager.core.engine import Decision, collect, handles, need_role, person_of_badge
from houseway.manager.core.house_entities import Person
from houseway.manager.core.ledger import HOUSE, about, account
from houseway.manager.core.money import cents_text
from houseway.manager.core.roles import SUPERVISING
from houseway.manager.core.slip_entities import Copy, HandOver, PrizeDuties, Slip, SlipPrint, SlipVoid
from houseway.manager.core.slip_marks import marks_of
from houseway.manager.handlers.change_base import text_fault
from houseway.manager.handlers.common import need_reason, the_table
from houseway.manager.handlers.slip_numbers import next_number

MOST_PRINTS: Final = 20
"""Prints of one slip: whoever needs more has another trouble than its paper."""
_TAX_NUMBER: Final = re.compile(r"(?<![0-9])(?:[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}|[0-9]{2}-[0-9]{7})(?![0-9])")
"""A social security number, or an employer's: neither enters the journal."""


def the_slip(decision: Decision, number: str) -> Slip:
    """A slip by its number."""
    found = decision.slips.get(number)
    if found is None:
        message = f"there is no slip {number[:60]!r} here: houseway slip list names them"
        raise InputError.of("unknown-slip", "slip", message)
    return found


# ---------------------------------------------------------------- prints


@handles(PrintSlip)
def print_slip(decision: Decision, command: PrintSlip) -> PrintSlipAnswer:
    """The first print of a copy."""
    slip = the_slip(decision, command.slip)
    before = prints_of(slip, command.copy)
    if before:
        last = before[-1]
        message = (
            f"the {command.copy} of {slip.id} was printed by {last.by} before: print it again with a reason "
            "(houseway slip reprint), and the paper is marked REPRINT"
        )
        raise InputError.of("slip-printed", "copy", message)
    return _printed(decision, slip, command.copy, "")


@handles(ReprintSlip)
def reprint_slip(decision: Decision, command: ReprintSlip) -> PrintSlipAnswer:
    """A further print of a copy, with the reason for it."""
    slip = the_slip(decision, command.slip)
    need_reason(command.reason)
    if not prints_of(slip, command.copy):
        message = f"the {command.copy} of {slip.id} was never printed: print it (houseway slip print)"
        raise InputError.of("slip-not-printed", "copy", message)
    return _printed(decision, slip, command.copy, command.reason.strip())


def prints_of(slip: Slip, copy: Copy) -> list[SlipPrint]:
    """The prints of one copy so far."""
    return [each for each in slip.prints if each.copy == copy]


def _printed(decision: Decision, slip: Slip, copy: Copy, reason: str) -> PrintSlipAnswer:
    if len(slip.prints) >= MOST_PRINTS:
        message = (
            f"{slip.id} was printed {len(slip.prints)} times, which is the most: have it voided (houseway slip void)"
        )
        raise InputError.of("too-many-prints", "slip", message)
    made = SlipPrint(copy, decision.actor, decision.now, len(prints_of(slip, copy)), reason)
    decision.slips.put(replace(slip, prints=(*slip.prints, made)))
    return PrintSlipAnswer(slip=slip.id, copy=copy, reprint=made.reprint, marks=marks_of(slip.void is not None, made))


# ---------------------------------------------------------------- voids


@handles(VoidSlip)
def void_slip(decision: Decision, command: VoidSlip) -> VoidSlipAnswer:
    """Two people say that a slip does not count."""
    slip = the_slip(decision, command.slip)
    need_reason(command.reason)
    second = _second(decision, command.badge, "voiding a slip")
    if slip.void is not None:
        raise InputError.of("slip-void", "slip", f"{slip.id} is void already, by {slip.void.by}: {slip.void.reason}")
    replaced_by, tray = "", None
    if slip.kind in ("opener", "closer"):
        message = (
            f"{slip.id} is the count of {slip.table}, which stands: print it again instead (houseway slip reprint)"
        )
        raise InputError.of("slip-stands", "slip", message)
    if slip.entered is not None:
        entered = f"{slip.entered.round} was entered from {slip.id}, which stands"
        message = f"{entered}: print it again instead (houseway slip reprint)"
        raise InputError.of("slip-stands", "slip", message)
    if slip.kind == "win":
        replaced_by = _replaced(decision, slip)
    elif slip.kind != "round":
        tray = _undone(decision, slip)
    void = SlipVoid(decision.actor, second.id, decision.now, command.reason.strip(), replaced_by)
    decision.slips.put(replace(slip, void=void))
    return VoidSlipAnswer(
        slip=slip.id, kind_of=slip.kind, cents=slip.cents, by=void.by, second=void.second,
        replaced_by=replaced_by or None, tray_cents=tray,
    )  # fmt: skip


def _replaced(decision: Decision, slip: Slip) -> str:
    """The number under which the same win goes on; a prize that was handed over keeps its slip."""
    if slip.handed is not None:
        message = (
            f"{slip.id} was handed over by {slip.handed.by}: its slip stands. If the award itself does not, two people "
            "back it out (houseway manager back-out)"
        )
        raise InputError.of("prize-handed-over", "slip", message)
    number = next_number(decision, "win")
    decision.slips.put(replace(slip, id=number, prints=()))
    return number


def _undone(decision: Decision, slip: Slip) -> Cents:
    """Turn the transfer of a fill or credit round, as long as the tray was not counted since."""
    counted = next(
        (each for each in decision.slips.values() if each.table == slip.table and _is_count(each, slip)), None
    )
    if counted is not None:
        message = (
            f"the tray of {slip.table} was counted since ({counted.id}): what {slip.id} did is part of that count's "
            "difference, and stays"
        )
        raise InputError.of("slip-counted", "slip", message)
    tray, amount = account("tray", slip.table), micros(slip.cents)
    if slip.kind == "fill":
        held = max(NO_MICROS, decision.books.balance(tray))
        if amount > held:
            message = (
                f"the books have less in the tray of {slip.table} than the fill: count the tray when the table closes"
            )
            raise InputError.of("tray-short", "slip", message)
        decision.books.transfer(HOUSE, tray, amount, "fill-voided", about("slip", slip.id))
    else:
        decision.books.transfer(tray, HOUSE, amount, "credit-voided", about("slip", slip.id))
    return whole_cents(decision.books.balance(tray))


def _is_count(other: Slip, slip: Slip) -> bool:
    return other.kind == "closer" and other.at >= slip.at


# ---------------------------------------------------------------- handing over


@handles(HandOverPrize)
def hand_over_prize(decision: Decision, command: HandOverPrize) -> HandOverPrizeAnswer:
    """A prize comes into its winner's hands; what is due for it was seen to, or somebody says why not."""
    slip = the_slip(decision, command.slip)
    second = _second(decision, command.badge, "handing a prize over")
    if slip.duties is None:
        raise InputError.of("no-prize", "slip", f"{slip.id} is the slip of a {slip.kind}: only a win is handed over")
    if slip.void is not None:
        instead = f": take {slip.void.replaced_by}" if slip.void.replaced_by else ""
        raise InputError.of("slip-void", "slip", f"{slip.id} is void{instead}")
    if slip.handed is not None:
        raise InputError.of("prize-handed-over", "slip", f"{slip.id} was handed over by {slip.handed.by} before")
    collect(_text_faults(command) + _duty_faults(decision, command, slip, slip.duties))
    handed = HandOver(
        command.method, decision.actor, second.id, decision.now, command.reference.strip(), command.booth.strip(),
        command.form.strip(), command.withheld_cents, command.deck_count, command.override.strip(),
    )  # fmt: skip
    decision.slips.put(replace(slip, handed=handed))
    by = slip.duties.check_by
    return HandOverPrizeAnswer(
        slip=slip.id, award=slip.award, method=handed.method, cents=slip.cents, withheld_cents=handed.withheld,
        handed_cents=slip.cents - handed.withheld, signed=(handed.by, handed.second),
        late=by is not None and decision.now > by,
    )  # fmt: skip


def _text_faults(command: HandOverPrize) -> list[Fault]:
    """Texts that no record takes: endless ones, and any in which a tax number stands."""
    faults: list[Fault] = []
    for name in ("reference", "booth", "form", "override"):
        text: str = getattr(command, name)
        faults += text_fault(text, name, "", needed=False)
        if _TAX_NUMBER.search(text):
            message = "this looks like a tax number, which never enters the journal: it stands on the form alone"
            faults.append(Fault("tax-number", name, message))
    return faults


def _duty_faults(decision: Decision, command: HandOverPrize, slip: Slip, duties: PrizeDuties) -> list[Fault]:
    """What the settings ask for and the command does not have; an override says why that is right."""
    faults: list[Fault] = []
    if command.method == "check" and not command.reference.strip():
        faults.append(Fault("reason-needed", "reference", "name the number of the check: it goes on record"))
    if not 0 <= command.withheld_cents <= slip.cents:
        faults.append(Fault("bad-amount", "withheld_cents", f"at most {cents_text(slip.cents)} can be withheld"))
    if faults or command.override.strip():
        return faults
    if duties.check and command.method != "check":
        message = f"prizes from {cents_text(duties.check_from)} are paid by check: write one, or give an override"
        faults.append(Fault("check-due", "method", message))
    if duties.form and not command.form.strip():
        message = (
            f"a tax form is due from {cents_text(duties.form_from)} and {duties.form_multiple} times the wager: make "
            "it out and name its reference, without the tax number"
        )
        faults.append(Fault("form-due", "form", message))
    if command.withheld_cents != duties.withheld:
        message = f"{cents_text(duties.withheld)} is withheld here, not {cents_text(command.withheld_cents)}"
        faults.append(Fault("withholding-differs", "withheld_cents", message))
    size = game(the_table(decision, slip.table).game).deck
    if duties.check and command.deck_count != size:
        message = f"count the deck down on camera, with the winning hand: {size} cards for a prize of this size"
        faults.append(Fault("deck-count", "deck_count", message))
    return faults


def _second(decision: Decision, badge: str, what: str) -> Person:
    """A second person who may sign for it."""
    person = person_of_badge(decision, badge)
    need_role(person, (*SUPERVISING, "cage", "accounting"), "badge", what)
    return person
