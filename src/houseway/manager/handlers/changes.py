"""Changes that need two people: proposed with a reason, approved by another department, made between rounds.

An approved change of a link waits until no round on it is in play, or until its level is won; `apply_waiting` and
`apply_waiting_for_won` make it within the very event that brings its moment. With `drain` the link takes no new wagers
meanwhile. One that cannot be made when its moment comes lapses, says why, and stays to be seen until it is withdrawn.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import asdict, replace

from houseway.errors import Fault, InputError, present
from houseway.manager.commands.link_answers import ApproveAnswer, ProposeAnswer, WithdrawAnswer
from houseway.manager.commands.link_commands import Approve, Propose, Withdraw
from houseway.manager.core.authority import AUTHORITY
from houseway.manager.core.change_answers import ChangeEffect, ChangeOutcome, outcome_of
from houseway.manager.core.engine import Decision, collect, handles, need_role, person_of_badge
from houseway.manager.core.house_entities import Person, Proposal
from houseway.manager.core.link_entities import Link
from houseway.manager.core.records import canonical, digest, short_hash
from houseway.manager.handlers.adjustments import Adjustment, BackOut
from houseway.manager.handlers.change_base import Change, text_fault
from houseway.manager.handlers.link_rules import link_is_idle
from houseway.manager.handlers.parameters import LevelChange, LimitChange, LinkChange, PrizeChange
from houseway.manager.handlers.property_changes import RolesChange, SettingChange
from houseway.manager.handlers.retirement import DroppedPromotion, Retirement
from houseway.reading.codes import Codes
from houseway.reading.described import as_described
from houseway.reading.faults import Faults
from houseway.reading.json_values import JsonObject
from houseway.wording import suggestion

KINDS: Final[tuple[type[Change], ...]] = (
    LevelChange, LimitChange, LinkChange, PrizeChange, Adjustment, BackOut, Retirement, DroppedPromotion,
    SettingChange, RolesChange,
)  # fmt: skip
CHANGES: Final[dict[str, type[Change]]] = {str(kind.__struct_config__.tag): kind for kind in KINDS}
"""The closed list of changes, by the name that a proposal gives as `change`."""
MOST_PROPOSALS: Final = 100
"""Proposals of one person that wait for approval or for their moment."""
_CODES: Final = Codes.only("bad-change")


def read_change(what: JsonObject) -> Change:
    """A change from its plain data; InputError says what is wrong with it."""
    name = what.get("change")
    if not isinstance(name, str) or name not in CHANGES:
        shown = str(name)[:40]
        message = f"{shown!r} is not a change that can be proposed: {suggestion(shown, CHANGES)}"
        raise InputError.of("unknown-change", "what.change", message)
    faults = Faults(_CODES)
    change = as_described(what, CHANGES[name], "what", faults, f"the change {name}")
    faults.refuse_if_any()
    return present(change, "change though it has no fault")


def kept_change(proposal: Proposal) -> Change:
    """The change of a proposal on record."""
    return read_change(proposal.what)


def content_hash(proposal: str, what: JsonObject, reason: str, by: str) -> str:
    """The hash that an approval names: it binds it to exactly this proposal."""
    return digest(canonical([proposal, what, reason, by]))


def _check_room(decision: Decision) -> None:
    """What one person puts forward and nobody has decided on stays in memory: so many at once and no more."""
    own = sum(proposal.by == decision.actor for proposal in decision.floor.proposals.values())
    if own >= MOST_PROPOSALS:
        message = (
            f"{own} proposals of {decision.actor} wait: have them approved, or withdraw those that nobody wants "
            "(houseway change withdraw)"
        )
        raise InputError.of("too-many-proposals", "what", message)


def _check_not_waiting(decision: Decision, change: Change) -> None:
    """Refuse a second proposal of what can be done only once, as long as the first one is neither made nor lapsed."""
    field = change.once_for
    if not field:
        return
    wanted = (type(change), getattr(change, field))
    for other in decision.proposals.values():
        waiting = None if other.status == "lapsed" else kept_change(other)
        if waiting is not None and (type(waiting), getattr(waiting, field, None)) == wanted:
            waits = "waits for approval" if other.status == "open" else "is approved and waits for its moment"
            message = (
                f"{other.id}, proposed by {other.by}, is the same for {wanted[1]} and {waits}: look at it (houseway "
                "change list), and withdraw it first if it is wrong (houseway change withdraw)"
            )
            raise InputError.of("already-proposed", f"what.{field}", message)


@handles(Propose)
def propose(decision: Decision, command: Propose) -> ProposeAnswer:
    """Put a change before a second person; it must be possible as things stand."""
    change = read_change(command.what)
    faults = text_fault(command.reason, "reason", "say why the change is wanted")
    faults += change.faults(decision)
    if isinstance(change, RolesChange):
        faults += change.own_faults(decision.actor, "actor")
    collect(faults)
    _check_not_waiting(decision, change)
    _check_room(decision)
    what: JsonObject = msgspec.to_builtins(change)
    id_ = f"P{decision.context.seq}"
    bound = content_hash(id_, what, command.reason, decision.actor)
    by, now, device = decision.actor, decision.now, decision.envelope.device
    proposal = Proposal(id_, what, command.reason, by, now, bound, change.approvers, change.moment, device=device)
    decision.proposals.put(proposal)
    return ProposeAnswer(
        proposal=id_,
        content_hash=bound,
        check=short_hash(bound),
        what=what,
        moment=change.moment,
        approvers=tuple(change.approvers),
    )


@handles(Approve)
def approve(decision: Decision, command: Approve) -> ApproveAnswer:
    """Approve another person's proposal by badge: it is made now, or when its moment comes."""
    proposal = _proposal(decision, command.proposal)
    if proposal.status != "open":
        message = f"{proposal.id} is {proposal.status} already: there is nothing to approve"
        raise InputError.of("proposal-closed", "proposal", message)
    if command.content_hash not in (proposal.content_hash, short_hash(proposal.content_hash)):
        message = f"the hash is not that of {proposal.id}: look at it (houseway change list) and approve exactly that"
        raise InputError.of("content-differs", "content_hash", message)
    change = kept_change(proposal)
    if command.badge is None:
        raise InputError.of(
            "badge-needed", "badge", f"approving {proposal.id} needs a badge from another department: give it"
        )
    approver = person_of_badge(decision, command.badge)
    need_role(approver, change.approvers, "badge", f"approving a change of {proposal.what['change']}")
    faults = _department_faults(decision, proposal, approver)
    if isinstance(change, RolesChange):
        faults += change.own_faults(approver.id, "badge")
    collect([*faults, *change.faults(decision)])
    approved = replace(proposal, status="approved", approved_by=approver.id)
    answer = ApproveAnswer(
        proposal=proposal.id, content_hash=proposal.content_hash, check=short_hash(proposal.content_hash),
        what=proposal.what, reason=proposal.reason,
        proposed_by=proposal.by, approved_by=approver.id, status="waiting",
    )  # fmt: skip
    if change.moment == "now" or (change.moment == "idle" and link_is_idle(decision, change.waits_for[0])):
        return replace(answer, status="made", **asdict(_make(decision, approved, change)))
    decision.proposals.put(approved)
    if change.drains and _drain(decision, approved, change):
        return replace(answer, link_status="draining")
    return answer


def _proposal(decision: Decision, id_: str) -> Proposal:
    found = decision.proposals.get(id_)
    if found is None:
        message = f"{id_[:40]} is not a proposal: it was made, withdrawn, or never put forward"
        raise InputError.of("no-such-proposal", "proposal", message)
    return found


def _department_faults(decision: Decision, proposal: Proposal, approver: Person) -> list[Fault]:
    """Two people from two departments: nobody approves what their own department proposed."""
    proposer = decision.floor.people.get(proposal.by)
    if proposer is None or not proposer.active:
        message = (
            f"{proposal.by}, who proposed it, is no longer on duty: withdraw it and have somebody propose it again"
        )
        return [Fault("unknown-person", "proposal", message)]
    if AUTHORITY[Propose].roles.isdisjoint(proposer.roles):
        message = f"{proposal.by}, who proposed it, may propose nothing any more: let somebody propose it again"
        return [Fault("wrong-role", "proposal", message)]
    if proposer.department == approver.department:
        message = f"{approver.id} and {proposer.id} are both from {approver.department}: two departments must agree"
        return [Fault("same-department", "badge", message)]
    return []


def _make(decision: Decision, proposal: Proposal, change: Change) -> ChangeEffect:
    """Make an approved change; its proposal is done and lives on in the journal."""
    found = change.effect(decision, proposal)
    decision.proposals.drop(proposal.id)
    _end_drain(decision, change.waits_for[0])
    return found


def _drain(decision: Decision, proposal: Proposal, change: Change) -> bool:
    """Let the link take no more wagers until the change is made; whether it took any so far."""
    link = decision.links.get(change.waits_for[0])
    if link is None or link.status != "open":
        return False
    reason = f"no wagers until {proposal.id} is made: {proposal.reason}"
    decision.links.put(replace(link, status="draining", status_reason=reason))
    return True


def is_drained_for(decision: Decision, link: str) -> bool:
    """Whether an approved change still keeps the link from taking wagers."""
    for proposal in decision.proposals.values():
        if proposal.status == "approved":
            change = kept_change(proposal)
            if change.drains and change.waits_for[0] == link:
                return True
    return False


def _end_drain(decision: Decision, link_id: str) -> None:
    """Let a drained link take wagers again once nothing keeps it from them."""
    link = decision.links.get(link_id)
    if link is not None and link.status == "draining" and not is_drained_for(decision, link_id):
        decision.links.put(replace(link, status="open", status_reason=""))


@handles(Withdraw)
def withdraw(decision: Decision, command: Withdraw) -> WithdrawAnswer:
    """Take a proposal back: whoever made it, or an executive."""
    proposal = _proposal(decision, command.proposal)
    collect(text_fault(command.reason, "reason", "say why it is taken back"))
    if decision.actor != proposal.by:
        person = decision.floor.people[decision.actor]
        need_role(person, ("executive",), "actor", f"withdrawing what {proposal.by} proposed")
    decision.proposals.drop(proposal.id)
    _end_drain(decision, kept_change(proposal).waits_for[0])
    return WithdrawAnswer(proposal=proposal.id, was=proposal.status, status="withdrawn")


# ---------------------------------------------------------------- changes that wait


def apply_waiting(decision: Decision) -> None:
    """Make the approved changes that waited for a round on their link to end, if it was the last one in play.

    Called last by whatever takes a round out of play, with the round already ended, dropped or set aside in the
    decision. A corrected slip can have taken the last wager of a link, so all links are looked at.
    """
    if not decision.floor.proposals:
        return
    for proposal, change in _waiting(decision, "idle"):
        if link_is_idle(decision, change.waits_for[0]):
            _make_or_lapse(decision, proposal, change)


def apply_waiting_for_won(decision: Decision, link: Link | str, level: str) -> None:
    """Make the approved changes that waited for a level to be won, when its 100% award is paid."""
    if not decision.floor.proposals:
        return
    wanted = (link if isinstance(link, str) else link.id, level)
    for proposal, change in _waiting(decision, "won"):
        if change.waits_for == wanted:
            _make_or_lapse(decision, proposal, change)


def _waiting(decision: Decision, moment: str) -> list[tuple[Proposal, Change]]:
    """The approved changes of that moment, the oldest first."""
    approved = [each for each in decision.proposals.values() if each.status == "approved"]
    pairs = [(each, kept_change(each)) for each in sorted(approved, key=lambda each: (each.made_at, each.id))]
    return [(proposal, change) for proposal, change in pairs if change.moment == moment]


def _make_or_lapse(decision: Decision, proposal: Proposal, change: Change) -> None:
    """Make a change whose moment has come; if things have changed so that it cannot be, it lapses on record."""
    faults = change.faults(decision)
    if faults:
        why = str(InputError(faults))
        decision.proposals.put(replace(proposal, status="lapsed", lapsed_because=why))
        _end_drain(decision, change.waits_for[0])
        outcome = ChangeOutcome(proposal=proposal.id, status="lapsed", because=why)
    else:
        outcome = outcome_of(proposal.id, _make(decision, proposal, change))
    decision.outcomes = (*decision.outcomes, outcome)
