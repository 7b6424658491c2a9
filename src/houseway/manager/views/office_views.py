"""People, devices, papers, incidents and proposals as others see them."""

from __future__ import annotations

from typing import Literal

from houseway.manager.core.entities import Department, Device, Paper, Person, Proposal, Role
from houseway.manager.views.view_base import FloorView, Value, values_of


class PersonView(FloorView, frozen=True, kw_only=True):
    """A member of staff; of the badges only how many there are."""

    id: str
    name: str
    department: Department
    roles: tuple[Role, ...]
    badges: int
    active: bool
    issued_by: tuple[str, ...]


class DeviceView(FloorView, frozen=True, kw_only=True):
    """A controller, display or service, without any fingerprint; who is signed in there, and since when."""

    id: str
    kind: Literal["controller", "display", "service"]
    table: str | None
    active: bool
    signed_in: dict[str, int]
    locked_until: int
    registered_by: tuple[str, ...]
    registered_at: int
    shift_over: bool


class PaperView(FloorView, frozen=True, kw_only=True):
    """An entry of a register: an approval, internal controls, a licence, equipment, a notice, an incident."""

    id: str
    register: str
    subject: str
    fields: dict[str, Value]
    since: int
    until: int | None
    """Of an incident: when its cause was declared repaired."""
    by: str
    entered_at: int


class PaperDraft(FloorView, frozen=True, kw_only=True):
    """A paper that a table lacks, as the command that enters it once its open texts are filled in."""

    kind: Literal["paper.record"]
    register: str
    paper: str
    subject: str
    fields: dict[str, Value]
    since: int
    until: int | None


class ProposalView(FloorView, frozen=True, kw_only=True):
    """A change that waits for a second person or for its moment, with who may approve it and when it is made."""

    id: str
    what: dict[str, Value]
    """The change as it was proposed; docs/reference/house.md lists the kinds."""
    reason: str
    by: str
    made_at: int
    content_hash: str
    """What an approval names: it binds it to exactly this proposal."""
    status: Literal["open", "approved", "lapsed"]
    approved_by: str | None
    lapsed_because: str | None
    approvers: tuple[str, ...]
    moment: Literal["now", "idle", "won"]


def person_view(person: Person) -> PersonView:
    """A person as others see them."""
    return PersonView(
        id=person.id, name=person.name, department=person.department, roles=person.roles, badges=len(person.cards),
        active=person.active, issued_by=person.issued_by,
    )  # fmt: skip


def device_view(device: Device) -> DeviceView:
    """A device as others see it."""
    return DeviceView(
        id=device.id, kind=device.kind, table=device.table, active=device.active,
        signed_in={person: found.since for person, found in device.signed_in.items()},
        locked_until=device.locked_until, registered_by=device.registered_by, registered_at=device.registered_at,
        shift_over=device.shift_over,
    )  # fmt: skip


def paper_view(paper: Paper) -> PaperView:
    """A paper as others see it."""
    return PaperView(
        id=paper.id, register=paper.register, subject=paper.subject, fields=values_of(paper.fields),
        since=paper.since, until=paper.until, by=paper.by, entered_at=paper.entered_at,
    )  # fmt: skip


def proposal_view(proposal: Proposal) -> ProposalView:
    """A proposal as others see it."""
    return ProposalView(
        id=proposal.id, what=values_of(proposal.what), reason=proposal.reason, by=proposal.by,
        made_at=proposal.made_at, content_hash=proposal.content_hash, status=proposal.status,
        approved_by=proposal.approved_by, lapsed_because=proposal.lapsed_because, approvers=proposal.approvers,
        moment=proposal.moment,
    )  # fmt: skip
