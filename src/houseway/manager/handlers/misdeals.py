"""Misdeals: the deal cannot stand, every wager goes back, and the table waits for a whole deck.

The money takes the way of a void. What a misdeal adds is its record: the cause by its code, the incident, and a deck
that must be counted down before the table plays on.
"""

from __future__ import annotations

from msgspec.structs import replace

from houseway.manager.commands.round_answers import MisdealRoundAnswer
from houseway.manager.commands.round_commands import MisdealRound
from houseway.manager.core.engine import Decision, collect, handles
from houseway.manager.core.table_entities import DeckDue, Round
from houseway.manager.core.table_facts import before_play
from houseway.manager.handlers.change_base import text_fault
from houseway.manager.handlers.common import need_dealer_of, round_in_play, supervising, the_table
from houseway.manager.handlers.incidents import after_incident, enter_misdeal, has_room
from houseway.manager.handlers.rounds import sensor_wagers, void


@handles(MisdealRound)
def misdeal_round(decision: Decision, command: MisdealRound) -> MisdealRoundAnswer:
    """Give everything back as a void does, put the incident on record, and take the deck off the table."""
    round_ = round_in_play(decision, command.round)
    collect(text_fault(command.note, "note", "say what happened", needed=False))
    approved = None
    # Where the register is full for the dealer, a second person sees it: nobody fills it alone, round after round.
    if command.badge is not None or _has_begun(round_) or not has_room(decision):
        approved = supervising(decision, command.badge, round_, "a misdeal in a round under way").id
    else:
        need_dealer_of(decision, the_table(decision, round_.table))
    reveal = void(decision, round_, "misdeal")
    incident = enter_misdeal(decision, round_, command.cause, command.note)
    table = the_table(decision, round_.table)
    table = replace(table, deck=None, deck_due=DeckDue(round_.id, command.cause, incident.id))
    decision.tables.put(table)
    return MisdealRoundAnswer(
        round=round_.id, returned=sensor_wagers(round_.taken), approved_by=approved, incident=incident.id,
        report_due_at=incident.number("due_at"), reveal=reveal, changes=decision.outcomes,
        next=(*before_play(table), *after_incident(incident)),
    )  # fmt: skip


def _has_begun(round_: Round) -> bool:
    """Whether anything is known of the round beside that it began: money, cards or hands.

    From then on a misdeal could undo what somebody has seen, and the dealer does not say so alone.
    """
    told = round_.taken or round_.wagers or round_.presses or round_.deal or round_.sets or round_.displays
    return bool(told or round_.corrections or round_.reopened or round_.hold)
