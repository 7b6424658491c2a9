"""What known cards mean for a round's buttons and its end: no wrong button, no missed winner, everything revealed.

A round whose cards are on the felt passes through all of it untouched. Deals, displays and settlement are in modules of
their own; what other handlers need of them can be taken from here.
"""

from __future__ import annotations

from houseway.amounts import micros
from houseway.errors import Fault, InputError
from houseway.manager.commands.round_answers import Reveal
from houseway.manager.core.award_entities import Award
from houseway.manager.core.engine import Decision, collect
from houseway.manager.core.money import dollars
from houseway.manager.core.table_entities import Round, Table
from houseway.manager.core.twins import table_paytable
from houseway.manager.handlers.common import need_reason, supervising, the_link, the_table
from houseway.manager.handlers.dealing import dealt_from, disclose, disclose_void, prepare_next
from houseway.manager.handlers.displays import after_correction
from houseway.manager.handlers.settlement import occupied_seats, proposed_buttons, wager_faults
from houseway.manager.handlers.verification import is_above_threshold, outdated, payouts_of_lines, reference_for
from houseway.ranking.hand_names import hand_title


def is_known(table: Table, round_: Round) -> bool:
    """Whether the system knows the cards of a round at its table."""
    return round_.deal is not None or table.cards == "known"


def check_button(
    decision: Decision, round_: Round, sensor: str, seat: int, hand: str, override: str | None, badge: str | None
) -> str | None:
    """Refuse a button that the open cards do not ask for, unless a supervisor overrides it: the text for the record.

    None where the button is the proposed one, and for cards on the felt.
    """
    if not is_known(the_table(decision, round_.table), round_):
        return None
    if not round_.dealer_shown:
        message = f"the hands of {round_.id} are not shown yet: show the dealer's hand first"
        raise InputError.of("cards-not-shown", "round", message)
    proposed = proposed_buttons(decision, round_).get(f"{sensor}/{seat}")
    if proposed is not None and proposed == _button(decision, round_, sensor, hand):
        return None
    if override is None:
        asked = f"its cards make {hand_title(proposed)}" if proposed else "its cards win nothing on this sensor"
        other = "else a supervisor overrides it with a reason and a badge"
        message = f"{hand_title(hand)} is not seat {seat}'s hand: {asked}; {other}"
        raise InputError.of("wrong-button", "hand", message)
    need_reason(override, "override")
    person = supervising(decision, badge, round_, "a button other than the proposed one")
    return f"{override.strip()} (by {person.id}; proposed: {proposed or 'none'})"


def _button(decision: Decision, round_: Round, sensor: str, hand: str) -> str | None:
    """The button of the line that takes a hand: a line that takes several hands is one button."""
    for taken in round_.taken:
        if taken.sensor == sensor:
            lines = table_paytable(the_link(decision, taken.link), round_.game).lines
            return next((line.hand for line in lines if hand in line.hands), None)
    return None


def unpressed(decision: Decision, table: Table, round_: Round) -> list[Fault]:
    """The winners that END GAME would miss: proposed buttons of which none was pressed."""
    if not is_known(table, round_) or not round_.dealer_shown:
        return []
    awards: list[Award | None] = [decision.awards.get(id_) for id_ in round_.awards]
    pressed = {f"{award.sensor}/{award.seat}" for award in awards if award is not None}
    faults = []
    for place, hand in proposed_buttons(decision, round_).items():
        if place not in pressed:
            sensor, seat = place.split("/")
            message = f"seat {seat} has {hand_title(hand)} on sensor {sensor}, and its button was not pressed: press it"
            faults.append(Fault("missed-winner", "round", message))
    return faults


def finish(decision: Decision, table: Table, round_: Round) -> tuple[Round, Reveal | None]:
    """End a round at its table: reveal its seed and cards; the lines of its other wagers stand from now on.

    Refused while the dealer's hand is not shown, and while a payout above the dated threshold has no surveillance
    reference.
    """
    if not is_known(table, round_):
        return round_, None
    if not round_.dealer_shown:
        message = f"the dealer's hand of {round_.id} is not shown yet: show it and settle, or void the round"
        raise InputError.of("cards-not-shown", "round", message)
    collect(_unverified(decision, round_))
    return disclose(decision, round_)


def _unverified(decision: Decision, round_: Round) -> list[Fault]:
    """The payouts that surveillance must verify on camera and has not."""
    faults = []
    for payout in payouts_of_lines(round_.lines):
        if is_above_threshold(decision, payout) and reference_for(decision, round_, payout) is None:
            message = (
                f"{payout.id} wins {dollars(micros(payout.cents))}: surveillance verifies that on camera and gives its "
                f"reference first (houseway jackpot verify){outdated(round_, payout)}"
            )
            faults.append(Fault("surveillance-reference", f"seats.{payout.seat}", message))
    return faults


__all__ = [
    "after_correction",
    "check_button",
    "dealt_from",
    "disclose_void",
    "finish",
    "occupied_seats",
    "prepare_next",
    "unpressed",
    "wager_faults",
]
