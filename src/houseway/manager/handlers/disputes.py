"""Disputes: a round is set aside with its cards and evidence, the table plays on, and a decision is recorded."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from houseway.errors import InputError, present
from houseway.manager.commands.round_answers import DecideRoundAnswer, HoldRoundAnswer
from houseway.manager.commands.round_commands import DecideRound, HoldRound
from houseway.manager.core.engine import Decision, collect, handles
from houseway.manager.core.table_entities import Hold, Round, UndoneRound
from houseway.manager.handlers import cards
from houseway.manager.handlers.change_base import tell_table, text_fault
from houseway.manager.handlers.common import (
    forget_last_round,
    leave_table,
    need_reason,
    not_dealing,
    round_in_play,
    supervising,
    the_table,
)
from houseway.manager.handlers.rounds import sensor_wagers, void

MOST_EVIDENCE: Final = 20


@handles(HoldRound)
def hold_round(decision: Decision, command: HoldRound) -> HoldRoundAnswer:
    """Set a round aside: nothing of it is paid, voided or ended until the decision; its locked awards stay locked."""
    round_ = round_in_play(decision, command.round)
    need_reason(command.reason)
    _check_evidence(command.evidence)
    person = supervising(decision, command.badge, round_, "putting a round on hold")
    hold = Hold(person.id, decision.now, command.reason.strip(), dict(command.evidence))
    decision.rounds.put(replace(round_, phase="held", hold=hold))
    decision.tables.put(cards.prepare_next(decision, leave_table(decision, round_)))
    return HoldRoundAnswer(round=round_.id, held_by=person.id, changes=decision.outcomes)


def _check_evidence(evidence: dict[str, str]) -> None:
    """Evidence is named here and kept elsewhere: some pieces, each in a few words."""
    if len(evidence) > MOST_EVIDENCE:
        message = f"{len(evidence)} pieces of evidence: name at most {MOST_EVIDENCE} and put the list on paper"
        raise InputError.of("text-too-long", "evidence", message)
    for name, text in evidence.items():
        path = f"evidence.{name[:40]}"
        collect(text_fault(name, path, "name the evidence") + text_fault(text, path, "say where it is", needed=False))


@handles(DecideRound)
def decide_round(decision: Decision, command: DecideRound) -> DecideRoundAnswer:
    """Decide a held round: it resumes at its table, or it is void. The one who held it does not decide alone."""
    held = decision.rounds.get(command.round)
    if held is None or held.phase != "held":
        raise InputError.of("not-held", "round", f"{command.round} is not on hold")
    need_reason(command.reason)
    need_reason(command.reference, "reference")
    person = supervising(decision, command.badge, held, "deciding a dispute")
    not_dealing(decision, decision.floor.people[decision.actor], held)
    decided = replace(
        present(held.hold, f"hold of {held.id}"), decision=command.decision, decided_by=(decision.actor, person.id),
        decided_at=decision.now, why=command.reason.strip(), reference=command.reference.strip(),
    )  # fmt: skip
    released = replace(held, phase="playing", hold=decided)
    if command.decision == "void":
        decision.rounds.put(released)
        reveal = void(decision, released, "held-void")
        tell_table(decision, held.table, _undone(decision, held, person.id, command.reference.strip()))
        return DecideRoundAnswer(
            round=held.id, decision="void", returned=sensor_wagers(held.taken), reveal=reveal, changes=decision.outcomes
        )
    table = the_table(decision, held.table)
    if table.status != "open":
        message = f"{table.id} is closed: two people open it first for {held.id} to resume there, or decide it as void"
        raise InputError.of("table-closed", "round", message)
    if table.round is not None:
        message = f"{table.round} is in play at {table.id}: press END GAME there first, then {held.id} can resume"
        raise InputError.of("round-in-play", "round", message)
    decision.rounds.put(released)
    decision.tables.put(replace(forget_last_round(decision, table), round=held.id))
    return DecideRoundAnswer(round=held.id, decision="resume")


def _undone(decision: Decision, held: Round, approved_by: str, reference: str) -> UndoneRound:
    """What the dealer is told of a round that was decided as void: whose wagers go back."""
    return UndoneRound(
        held.id, decision.now, decision.actor, approved_by, reference,
        seats={taken.sensor: taken.seats for taken in held.taken if taken.seats},
        wagers={taken.sensor: taken.wager for taken in held.taken if taken.seats},
    )  # fmt: skip
