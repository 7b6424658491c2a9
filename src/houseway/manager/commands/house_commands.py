"""Commands of the house: the property, people, devices, registers, and the life of a table."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from houseway.amounts import Cents
from houseway.manager.commands.bounds import MOST_NAMED, MOST_PEOPLE, MOST_ROLES, Address, Chips, Fields
from houseway.manager.commands.house_answers import (
    AddDeviceAnswer,
    AddPersonAnswer,
    AttachSensorAnswer,
    ChangeDeckAnswer,
    ChangePersonAnswer,
    ChangeShiftAnswer,
    CloseTableAnswer,
    ConfirmPersonAnswer,
    CountDropAnswer,
    CreatePropertyAnswer,
    CreateTableAnswer,
    DealerInAnswer,
    DealerOutAnswer,
    FillTrayAnswer,
    OpenTableAnswer,
    RecordIncidentAnswer,
    RecordPaperAnswer,
    RetireDeviceAnswer,
    RevokeSessionAnswer,
    SetFaceUpAnswer,
    SetPinAnswer,
    SignInAnswer,
    SignOutAnswer,
)
from houseway.manager.core.command import Command
from houseway.manager.core.roles import Department, Role

TimeOrNow = int | Literal["now"]
"""Microseconds since 1970 (UTC), or the manager's time at which the command is carried out."""


class CreateProperty(Command[CreatePropertyAnswer], tag="property.create", frozen=True):
    """The first command of a journal: the property and its first two people, of different departments."""

    name: str
    licence: Literal["commercial", "tribal"]
    people: Annotated[list[Fields], Meta(max_length=MOST_PEOPLE)]
    """Each with id, name, department, roles, badge (a fingerprint)."""


class AddPerson(Command[AddPersonAnswer], tag="person.add", frozen=True):
    """Register a member of staff."""

    person: str
    name: str
    department: Department
    roles: Annotated[list[Role], Meta(max_length=MOST_ROLES)]
    badge: str | None = None
    second_badge: str | None = None
    """Of a person from another department, for every role but the auditor's."""


class ChangePerson(Command[ChangePersonAnswer], tag="person.change", frozen=True):
    """Change badges or duty of a member of staff; roles change by proposal."""

    person: str
    badge: str | None = None
    """A new badge, which replaces all older ones."""
    active: bool | None = None
    second_badge: str | None = None
    """Of a person from another department, where anybody but an auditor gets a badge, or goes on or off duty, and for
    every PIN that is reset."""
    reset_pin: bool = False
    """The PIN is nobody's from now on: its bearer sets another one (`person.pin`) within `pin_set_hours`."""


class ConfirmPerson(Command[ConfirmPersonAnswer], tag="person.confirm", frozen=True):
    """Confirm a new badge, or a PIN that was reset: the bearer shows it to a third person, who had no hand in it.

    Until then the badge counts for nothing.
    """

    person: str
    badge: str
    """Of the person who is confirmed, with the PIN where any is asked for."""


class AddDevice(Command[AddDeviceAnswer], tag="device.add", frozen=True):
    """Register a controller, a display or a service with the fingerprint of its secret.

    Who takes part cannot be the second person at the device in its first shift.
    """

    device: str
    kind_of: Literal["controller", "display", "service"]
    secret: str
    table: str | None = None
    badge: str | None = None
    """Of a second person from another department, for a controller or a service."""


class RetireDevice(Command[RetireDeviceAnswer], tag="device.retire", frozen=True):
    """A device may no longer connect; one person says so, but for the last service."""

    device: str
    badge: str | None = None
    """Of a second person from another department, for the last service from which people act."""


class SignIn(Command[SignInAnswer], tag="person.sign-in", frozen=True):
    """A badge is read at a service: from now on its person may act there, by commands with the session's token."""

    badge: str
    session: str
    address: Address | None = None
    """Where the badge was shown, if the service passes on what comes over the network: wrong ones are counted by it."""


class SignOut(Command[SignOutAnswer], tag="person.sign-out", frozen=True):
    """A person leaves a service: by itself, or as the service says."""

    person: str


class SetPin(Command[SetPinAnswer], tag="person.pin", frozen=True):
    """The bearer of a badge sets the PIN that goes with it, which nobody else gets to know.

    Who has a PIN gives it along with the badge. A first one is set by the badge alone: as long as no setting asks for
    PINs, else within `pin_set_hours` after two people gave the badge or reset the PIN.
    """

    badge: str
    pin: str
    """The new PIN: digits. It is kept as a hash."""
    address: Address | None = None
    """Where the badge was shown, as at a sign-in."""


class RevokeSession(Command[RevokeSessionAnswer], tag="session.revoke", frozen=True):
    """End sessions at once, in the middle of whatever they do: one's own, or somebody else's by two others.

    A dealer's session at a controller ends with it, and the table waits for another swipe.
    """

    person: str
    reason: str
    device: str | None = None
    """The device where it was begun; without it all sessions of the person end."""
    badge: str | None = None
    """Of a second person from another department, where somebody else's session ends."""


class RecordPaper(Command[RecordPaperAnswer], tag="paper.record", frozen=True):
    """An entry of a register: approval, internal controls, licence, equipment version, notice, face-up permission.

    `since` is when it begins to hold; of a withdrawal, when the other paper ends. `now` is the manager's own time.
    """

    register: str
    paper: str
    subject: str
    fields: Fields
    since: TimeOrNow = "now"
    until: int | None = None


class CreateTable(Command[CreateTableAnswer], tag="table.create", frozen=True):
    """Set up a table."""

    table: str
    game: str
    vocabulary: Literal["aquarius", "nexus", "nexus-2"] = "nexus-2"
    cards: Literal["felt", "known"] = "felt"
    """Whether the cards lie on the felt, or the system's own shuffler deals them."""
    seats: int | None = None
    way: str | None = None
    paytables: Annotated[dict[str, str], Meta(max_length=MOST_NAMED)] = {}
    settings: Fields = {}
    deal_mode: Literal["shuffler", "shoe"] = "shuffler"


class AttachSensor(Command[AttachSensorAnswer], tag="table.attach", frozen=True):
    """Join a sensor of a closed table to a link, or take it off (`link` null)."""

    table: str
    sensor: str
    link: str | None


class SetFaceUp(Command[SetFaceUpAnswer], tag="table.face-up", frozen=True):
    """Begin or end dealing the players' cards face up, which a dated permission must allow."""

    table: str
    face_up: bool
    badge: str


class OpenTable(Command[OpenTableAnswer], tag="table.open", frozen=True):
    """Open a table with its float."""

    table: str
    float_cents: Cents
    badge: str
    chips: Chips = {}
    """How many chips of each value in cents the tray holds; their sum is the float."""


class CloseTable(Command[CloseTableAnswer], tag="table.close", frozen=True):
    """Close a table without a round in play; the count of tray and drop is recorded.

    A count far from the books (`count_reason_above`) needs a `reason`: count again first.
    """

    table: str
    tray_cents: Cents
    drop_cents: Cents
    badge: str
    reason: str = ""
    chips: Chips = {}
    """How many chips of each value in cents were counted in the tray."""


class DealerIn(Command[DealerInAnswer], tag="dealer.in", frozen=True):
    """A dealer takes over the table, by badge; read at the table's controller, it begins a session there.

    Read elsewhere it begins none, and the dealer swipes at the controller before working there.
    """

    table: str
    badge: str
    session: str | None = None
    """What the controller drew for this swipe: from now on the dealer's commands from there carry it."""


class DealerOut(Command[DealerOutAnswer], tag="dealer.out", frozen=True):
    """The dealer leaves the table."""

    table: str


class ChangeDeck(Command[ChangeDeckAnswer], tag="table.deck", frozen=True):
    """A new deck comes to the table, counted down."""

    table: str
    deck: str
    counted: int


class ChangeShift(Command[ChangeShiftAnswer], tag="table.shift", frozen=True):
    """A shift or drop period begins at the table."""

    table: str
    shift: str


class FillTray(Command[FillTrayAnswer], tag="tray.fill", frozen=True):
    """Chips come to the tray (fill) or go back to the cage (credit), on a numbered slip with a second signature."""

    table: str
    direction: Literal["fill", "credit"]
    cents: Cents
    badge: str
    slip: str | None = None
    """The number of a form that was printed beforehand; null: the manager gives the next number of its own series."""
    chips: Chips = {}
    """How many chips of each value in cents; their sum is the amount."""


class CountDrop(Command[CountDropAnswer], tag="drop.count", frozen=True):
    """The drop box goes to the count room: what was counted, and so what is over or short.

    A count far from the books (`count_reason_above`) needs a `reason`: count again first.
    """

    table: str
    cents: Cents
    badge: str
    reason: str = ""


class RecordIncident(Command[RecordIncidentAnswer], tag="incident.record", frozen=True):
    """A malfunction or another significant event, with the time it became known and what was done."""

    code: str
    device: str
    text: str
    known_at: TimeOrNow = "now"


HOUSE_COMMANDS = (
    CreateProperty, AddPerson, ChangePerson, ConfirmPerson, AddDevice, RetireDevice, SignIn, SignOut, SetPin,
    RevokeSession, RecordPaper, CreateTable, AttachSensor, SetFaceUp, OpenTable, CloseTable, DealerIn, DealerOut,
    ChangeDeck, ChangeShift, FillTray, CountDrop, RecordIncident,
)  # fmt: skip
