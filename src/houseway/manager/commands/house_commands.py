"""Commands of the house: the property, people, devices, registers, and the life of a table."""

from __future__ import annotations

from typing import Any, Literal

from houseway.amounts import Cents
from houseway.manager.commands.round_commands import Command
from houseway.manager.core.entities import Department, Role


class CreateProperty(Command, tag="property.create", frozen=True):
    """The first command of a journal: the property and its first two people, of different departments."""

    name: str
    licence: Literal["commercial", "tribal"]
    people: list[dict[str, Any]]
    """Each with id, name, department, roles, card (a fingerprint)."""


class AddPerson(Command, tag="person.add", frozen=True):
    """Register a member of staff."""

    person: str
    name: str
    department: Department
    roles: list[Role]
    card: str | None = None
    second_card: str | None = None
    """Of a person of another department, for every role but the auditor's."""


class ChangePerson(Command, tag="person.change", frozen=True):
    """Change cards or duty of a member of staff; roles change by proposal."""

    person: str
    card: str | None = None
    """A new card, which replaces all older ones."""
    active: bool | None = None
    second_card: str | None = None
    """Of a person of another department, where anybody but an auditor gets a card, or goes on or off duty."""


class AddDevice(Command, tag="device.add", frozen=True):
    """Register a controller, a display or a service with the fingerprint of its secret.

    Who takes part is no second person at the device in its first shift.
    """

    device: str
    kind_of: Literal["controller", "display", "service"]
    secret: str
    table: str | None = None
    card: str | None = None
    """Of a second person of another department, for a controller or a service."""


class RetireDevice(Command, tag="device.retire", frozen=True):
    """A device may no longer connect; one person says so, but for the last service."""

    device: str
    card: str | None = None
    """Of a second person of another department, for the last service from which people act."""


class SignIn(Command, tag="person.sign-in", frozen=True):
    """A card is read at a service: from now on its person may act there, by commands with the session's token."""

    card: str
    session: str


class SignOut(Command, tag="person.sign-out", frozen=True):
    """A person leaves a service: by itself, or as the service says."""

    person: str


class RecordPaper(Command, tag="paper.record", frozen=True):
    """An entry of a register: approval, internal controls, licence, equipment version, notice, face-up permission."""

    register: str
    paper: str
    subject: str
    fields: dict[str, Any]
    since: int
    until: int | None = None


class CreateTable(Command, tag="table.create", frozen=True):
    """Set up a table."""

    table: str
    game: str
    vocabulary: Literal["aquarius", "nexus", "nexus-2"] = "nexus-2"
    cards: Literal["felt", "known"] = "felt"
    seats: int | None = None
    way: str | None = None
    paytables: dict[str, str] = {}
    settings: dict[str, Any] = {}
    deal_mode: Literal["shuffler", "shoe"] = "shuffler"


class AttachSensor(Command, tag="table.attach", frozen=True):
    """Join a sensor of a closed table to a link, or take it off (`link` null)."""

    table: str
    sensor: str
    link: str | None


class SetFaceUp(Command, tag="table.face-up", frozen=True):
    """Begin or end dealing the players' cards face up, which a dated permission must allow."""

    table: str
    face_up: bool
    card: str


class OpenTable(Command, tag="table.open", frozen=True):
    """Open a table with its float."""

    table: str
    float_cents: Cents
    card: str


class CloseTable(Command, tag="table.close", frozen=True):
    """Close a table without a round in play; the count of tray and drop is recorded."""

    table: str
    tray_cents: Cents
    drop_cents: Cents
    card: str


class DealerIn(Command, tag="dealer.in", frozen=True):
    """A dealer takes over the table, by card; read at the table's controller, it begins a session there.

    Read elsewhere it begins none, and the dealer swipes at the controller before working there.
    """

    table: str
    card: str
    session: str | None = None
    """What the controller drew for this swipe: from now on the dealer's commands from there carry it."""


class DealerOut(Command, tag="dealer.out", frozen=True):
    """The dealer leaves the table."""

    table: str


class ChangeDeck(Command, tag="table.deck", frozen=True):
    """A new deck comes to the table, counted down."""

    table: str
    deck: str
    counted: int


class ChangeShift(Command, tag="table.shift", frozen=True):
    """A shift or drop period begins at the table."""

    table: str
    shift: str


class FillTray(Command, tag="tray.fill", frozen=True):
    """Chips come to the tray (fill) or go back to the cage (credit), on a numbered slip with a second signature."""

    table: str
    direction: Literal["fill", "credit"]
    cents: Cents
    slip: str
    card: str


class CountDrop(Command, tag="drop.count", frozen=True):
    """The drop box goes to the count room: what was counted, and so what is over or short."""

    table: str
    cents: Cents
    card: str


class RecordIncident(Command, tag="incident.record", frozen=True):
    """A malfunction or another significant event, with the time it became known and what was done."""

    code: str
    device: str
    text: str
    known_at: int


HOUSE_COMMANDS = (
    CreateProperty, AddPerson, ChangePerson, AddDevice, RetireDevice, SignIn, SignOut, RecordPaper, CreateTable,
    AttachSensor, SetFaceUp, OpenTable, CloseTable, DealerIn, DealerOut, ChangeDeck, ChangeShift, FillTray, CountDrop,
    RecordIncident,
)  # fmt: skip
