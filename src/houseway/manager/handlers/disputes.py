"""Disputes: a round is set aside with its cards and evidence, the table plays on, and a decision is recorded."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from houseway.manager.commands.round_commands import DecideRound, HoldRound
from houseway.manager.core.engine import Decision, collect, handles, refuse
from houseway.manager.handlers import cards
from houseway.manager.handlers.change_base import text_fault
from houseway.manager.handlers.common import (
    forget_last_round,
    leave_table,
    need_reason,
    not_dealing,
    round_in_play,
    supervising,
    the_table,
)
from houseway.manager.handlers.rounds import void

MOST_EVIDENCE: Final = 20


@handles(HoldRound)
def hold_round(decision: Decision, command: HoldRound) -> None:
    """Set a round aside: nothing of it is paid, voided or ended until the decision; its locked awards stay locked."""
    round_ = round_in_play(decision, command.round)
    need_reason(command.reason)
    _check_evidence(command.evidence)
    person = supervising(decision, command.card, round_, "putting a round on hold")
    hold = {
        "by": person.id, "at": decision.now, "reason": command.reason.strip(), "evidence": dict(command.evidence),
    }  # fmt: skip
    decision.rounds.put(replace(round_, phase="held", hold=hold))
    decision.tables.put(cards.prepare_next(decision, leave_table(decision, round_)))
    decision.answer |= {"round": round_.id, "held_by": person.id}


def _check_evidence(evidence: dict[str, str]) -> None:
    """Evidence is named here and kept elsewhere: some pieces, each in a few words."""
    if len(evidence) > MOST_EVIDENCE:
        message = f"{len(evidence)} pieces of evidence: name at most {MOST_EVIDENCE} and put the list on paper"
        raise refuse("text-too-long", "evidence", message)
    for name, text in evidence.items():
        path = f"evidence.{name[:40]}"
        collect(text_fault(name, path, "name the evidence") + text_fault(text, path, "say where it is", needed=False))


@handles(DecideRound)
def decide_round(decision: Decision, command: DecideRound) -> None:
    """Decide a held round: it resumes at its table, or it is void. The one who held it does not decide alone."""
    held = decision.rounds.get(command.round)
    if held is None or held.phase != "held":
        raise refuse("not-held", "round", f"{command.round} is not on hold")
    need_reason(command.reason)
    need_reason(command.reference, "reference")
    person = supervising(decision, command.card, held, "deciding a dispute")
    not_dealing(decision, decision.floor.people[decision.actor], held)
    decided = {
        **(held.hold or {}), "decision": command.decision, "decided_by": [decision.actor, person.id],
        "decided_at": decision.now, "why": command.reason.strip(), "reference": command.reference.strip(),
    }  # fmt: skip
    released = replace(held, phase="playing", hold=decided)
    if command.decision == "void":
        decision.rounds.put(released)
        void(decision, released, "held-void")
        return
    table = the_table(decision, held.table)
    if table.status != "open":
        message = f"{table.id} is closed: two people open it first for {held.id} to resume there, or decide it as void"
        raise refuse("table-closed", "round", message)
    if table.round is not None:
        message = f"{table.round} is in play at {table.id}: press END GAME there first, then {held.id} can resume"
        raise refuse("round-in-play", "round", message)
    decision.rounds.put(released)
    decision.tables.put(replace(forget_last_round(decision, table), round=held.id))
    decision.answer = {"round": held.id, "decision": "resume"}
