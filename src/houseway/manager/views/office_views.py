"""People, devices, papers, incidents and proposals as others see them."""

from __future__ import annotations

from typing import Literal

from houseway.manager.core.house_entities import Device, Paper, Person, Proposal
from houseway.manager.core.presence import LiveSession
from houseway.manager.core.records import short_hash
from houseway.manager.core.roles import Department, Role
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
    unconfirmed: tuple[str, ...]
    """Who had a hand in the badge or the PIN since a third person confirmed it last; empty: it counts."""
    confirmed_by: str | None
    pin_set_at: int | None
    """When the person set a PIN; null: there is none."""
    pin_locked_until: int


class DeviceView(FloorView, frozen=True, kw_only=True):
    """A controller, display or service, without any fingerprint; who is signed in there, and since when."""

    id: str
    kind: Literal["controller", "display", "service"]
    table: str | None
    active: bool
    signed_in: dict[str, int]
    closed: dict[str, int]
    """Until when wrong badges keep its reader closed, by lane (`system.locked`)."""
    networks: tuple[str, ...]
    """A service: networks from which people have signed in by it, as far as they are remembered."""
    registered_by: tuple[str, ...]
    registered_at: int
    shift_over: bool


class SessionView(FloorView, frozen=True, kw_only=True):
    """A session that counts now: whose badge was read where. Its token nobody sees."""

    person: str
    device: str
    kind: Literal["controller", "service"]
    table: str | None
    since: int
    until: int | None
    """When it ends by itself; null: with the dealer's turn at the table."""


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
    check: str
    """Its short form, which both people compare."""
    status: Literal["open", "approved", "lapsed"]
    approved_by: str | None
    lapsed_because: str | None
    approvers: tuple[str, ...]
    moment: Literal["now", "idle", "won"]


def person_view(person: Person) -> PersonView:
    """A person as others see them."""
    return PersonView(
        id=person.id, name=person.name, department=person.department, roles=person.roles, badges=len(person.badges),
        active=person.active, issued_by=person.issued_by, unconfirmed=person.unconfirmed,
        confirmed_by=person.confirmed_by, pin_set_at=person.pin.set_at if person.pin else None,
        pin_locked_until=person.pin.locked_until if person.pin else 0,
    )  # fmt: skip


def device_view(device: Device) -> DeviceView:
    """A device as others see it."""
    return DeviceView(
        id=device.id, kind=device.kind, table=device.table, active=device.active,
        signed_in={person: found.since for person, found in device.signed_in.items()},
        closed=device.closed, networks=tuple(sorted(device.networks)),
        registered_by=device.registered_by, registered_at=device.registered_at,
        shift_over=device.shift_over,
    )  # fmt: skip


def session_view(session: LiveSession) -> SessionView:
    """A session as others see it."""
    device = session.device
    return SessionView(
        person=session.person, device=device.id, kind="controller" if device.kind == "controller" else "service",
        table=device.table, since=session.since, until=session.until,
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
        made_at=proposal.made_at, content_hash=proposal.content_hash, check=short_hash(proposal.content_hash),
        status=proposal.status,
        approved_by=proposal.approved_by, lapsed_because=proposal.lapsed_because, approvers=proposal.approvers,
        moment=proposal.moment,
    )  # fmt: skip
