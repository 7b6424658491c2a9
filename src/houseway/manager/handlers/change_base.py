"""What every change that needs two people has in common: its moment, its approvers, its check, its effect, its paper.

A change is a small struct. `faults` says why it cannot be made as things stand; `effect` makes it. Both look at the
decision, never at the floor alone, because a change that waited is made within the command that ended the last round.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from houseway.amounts import NO_MICROS, Micros, micros, total
from houseway.errors import Fault
from houseway.manager.core.change_answers import ChangeEffect
from houseway.manager.core.engine import Decision
from houseway.manager.core.house_entities import Paper, Proposal
from houseway.manager.core.ledger import Reason, about, account
from houseway.manager.core.link_entities import Level, LevelParameters, Link
from houseway.manager.core.overlay import State
from houseway.manager.core.roles import APPROVING
from houseway.manager.core.table_entities import Undone
from houseway.reading.json_values import Json, JsonObject

Moment = Literal["now", "idle", "won"]
"""When an approved change is made: at once, when no round on its link is in play, or when its level is won."""

LONGEST_TEXT: Final = 2_000
"""Characters of a reason, a reference or a note."""


class Change(Struct, frozen=True, forbid_unknown_fields=True, tag_field="change"):
    """A change of the closed list. Its `change` names it in proposals and in the journal."""

    approvers: ClassVar[tuple[str, ...]] = APPROVING
    """Roles of which the approver needs one."""

    @property
    def moment(self) -> Moment:
        """When it is made."""
        return "now"

    @property
    def waits_for(self) -> tuple[str, str | None]:
        """The link that must be idle and, for `won`, the level that must be won; ("", None) where neither matters."""
        return getattr(self, "link", ""), getattr(self, "level", None)

    @property
    def drains(self) -> bool:
        """Whether the link takes no more wagers until the change is made."""
        return bool(getattr(self, "drain", False))

    @property
    def once_for(self) -> str:
        """The field that names what such a change is made to once; a second proposal for it would wait in vain."""
        return ""

    def faults(self, decision: Decision) -> list[Fault]:
        """Why it cannot be made as things stand."""
        raise NotImplementedError

    def effect(self, decision: Decision, papers: Proposal) -> ChangeEffect:
        """Make it; returns what the answer tells."""
        raise NotImplementedError


def find_link(decision: Decision, link_id: str, faults: list[Fault], kind: str = "progressive") -> Link | None:
    """The link that a change is about, if it exists, is of that kind and not retired; else its fault is added."""
    link = decision.links.get(link_id)
    if link is None:
        faults.append(Fault("unknown-link", "what.link", f"there is no link {link_id[:60]}: name one drawn up here"))
    elif link.status == "retired":
        faults.append(Fault("link-retired", "what.link", f"{link_id} is retired: nothing of it changes any more"))
    elif link.kind != kind:
        wanted = "a house jackpot" if kind == "house" else "a progressive; a house jackpot has posted prizes, no meter"
        faults.append(Fault("wrong-link-kind", "what.link", f"{link_id} is a {link.kind} link, this needs {wanted}"))
    else:
        return link
    return None


def find_level(link: Link | None, level: str, faults: list[Fault], path: str = "what.level") -> LevelParameters | None:
    """The parameters of a level of the link; else its fault is added."""
    if link is None:
        return None
    found = link.levels.get(level)
    if found is None:
        message = f"{link.id} has no level {level[:40]}: it has {', '.join(link.levels)}"
        faults.append(Fault("unknown-level", path, message))
    return found


def text_fault(text: str, path: str, what: str, *, needed: bool = True) -> list[Fault]:
    """A fault where a text for the record is empty and must not be, or longer than anybody reads."""
    if needed and not text.strip():
        return [Fault("reason-needed", path, f"{what}: it goes on record")]
    if len(text) > LONGEST_TEXT:
        message = f"{len(text)} characters: the record takes at most {LONGEST_TEXT}, put the rest on paper"
        return [Fault("text-too-long", path, message)]
    return []


def level_id(link: str, level: str) -> str:
    """The id of a level's running figures."""
    return f"{link}/{level}"


def level_of(state: State, link: str, level: str) -> Level:
    """The running figures of a level, new ones where there are none yet."""
    return state.levels.get(level_id(link, level)) or Level(level_id(link, level))


def room_below_limit(state: State, link: Link, level: str) -> Micros | None:
    """How much a meter can still take before its posted limit; None where it has no limit."""
    limit = link.levels[level].limit
    return None if limit is None else max(NO_MICROS, micros(limit) - state.held(account("meter", link.id, level)))


def put_on_meter(
    decision: Decision, link: Link, level: str, source: str, amount: Micros, reason: Reason, subject: str
) -> Micros:
    """Move an amount onto a meter, what is above its limit into its overflow; returns what went onto the meter."""
    free = room_below_limit(decision, link, level)
    shown = amount if free is None else min(amount, free)
    decision.books.transfer_any(source, account("meter", link.id, level), shown, reason, subject)
    decision.books.transfer_any(source, account("overflow", link.id, level), amount - shown, reason, subject)
    return shown


def release_overflow(decision: Decision, link: Link, level: str, papers: Proposal) -> Micros:
    """Move what lies in the overflow onto the meter, as far as its limit lets."""
    overflow, free = account("overflow", link.id, level), room_below_limit(decision, link, level)
    there = decision.books.held(overflow)
    amount = there if free is None else min(there, free)
    meter = account("meter", link.id, level)
    decision.books.transfer_any(overflow, meter, amount, "overflow-released", about("change", papers.id))
    return amount


def seed_brought(figures: Level, parameters: LevelParameters) -> Micros:
    """Seed money that the level's present run began with, less what the house took back of it."""
    return figures.seeded_micros if figures.seeded_in == figures.generation else micros(parameters.seed)


def recoverable_seed(decision: Decision, link: Link, level: str) -> Micros:
    """Seed money of the house that is still on a meter: what brought it there last, less what was taken back since.

    Seeds that winners took in earlier jackpots are not: the house advantage bears them.
    """
    brought = seed_brought(level_of(decision, link.id, level), link.levels[level])
    owed = decision.books.balance(account("seed", link.id, level))
    return max(NO_MICROS, min(brought, owed, decision.books.held(account("meter", link.id, level))))


def recover_seed(decision: Decision, link: Link, level: str, amount: Micros, papers: Proposal) -> None:
    """Give the house seed money back from the meter, and remember how much of it is left.

    Seed money in an award that is locked is not lost yet: a rejection brings it back onto the meter.
    """
    if not amount:
        return
    figures = level_of(decision, link.id, level)
    meter, seed = account("meter", link.id, level), account("seed", link.id, level)
    there = decision.books.held(meter) + _locked_shares(decision, link.id, level)
    left = min(seed_brought(figures, link.levels[level]), decision.books.balance(seed), there) - amount
    decision.books.transfer(meter, seed, amount, "recover-seed", about("change", papers.id))
    decision.levels.put(replace(figures, seeded_micros=left, seeded_in=figures.generation))


def _locked_shares(decision: Decision, link: str, level: str) -> Micros:
    """What awards that wait for their payment have taken off the present run: those at 100% ended the one before."""
    return total(
        micros(award.cents) - award.advanced_micros
        for award in decision.awards.values()
        if (award.link, award.level, award.source) == (link, level, "meter")
        if award.status == "hit" and award.percent != 100
    )


def file_paper(decision: Decision, register: str, subject: str, fields: Mapping[str, Json]) -> str:
    """Keep a paper of this event in a register; returns its id."""
    seq = decision.context.seq
    id_ = f"{register}/{subject}/{seq}"
    while decision.papers.get(id_) is not None:
        id_ += "+"
    decision.papers.put(Paper(id_, register, subject, dict(fields), decision.now, None, decision.actor, decision.now))
    return id_


def tell_table(decision: Decision, table_id: str, undone: Undone) -> None:
    """Keep with a table what was undone of it, until it is acknowledged there."""
    table = decision.tables[table_id]
    decision.tables.put(replace(table, undone=(*table.undone, undone)))


def signed(papers: Proposal, reference: str, **fields: Json) -> JsonObject:
    """The fields of a paper that two people signed."""
    return {
        "proposal": papers.id, "reason": papers.reason, "reference": reference, "proposed_by": papers.by,
        "approved_by": papers.approved_by, **fields,
    }  # fmt: skip


def close_proposals(decision: Decision, person: str, because: str) -> None:
    """Let what a person has proposed and nobody has approved lapse, on record: it rested on what the person was."""
    for proposal in list(decision.proposals.values()):
        if proposal.by == person and proposal.status == "open":
            decision.proposals.put(replace(proposal, status="lapsed", lapsed_because=because))
