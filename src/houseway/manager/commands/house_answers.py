"""What the commands of the house are answered."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from houseway.amounts import Cents, Micros
from houseway.manager.core.command import CommandAnswer
from houseway.manager.core.roles import Department, Role
from houseway.reading.json_values import JsonObject


class FaultNote(Struct, frozen=True):
    """Something that does not stand in the way and should be known."""

    code: str
    path: str
    message: str


class NoticeText(Struct, frozen=True):
    """A notice that must be posted: its kind, the values it shows, and a text for it."""

    notice: str
    shows: JsonObject
    text: str


class MoneyCount(Struct, frozen=True):
    """What was counted, and what the books had."""

    book_cents: Cents
    counted_cents: Cents
    over_cents: Cents
    """Below zero: short."""


class CreatePropertyAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The property and its first people."""

    property: str
    people: tuple[str, ...]
    next: tuple[str, ...]
    """What is to be done next."""


class AddPersonAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The person, and who has approved the roles."""

    person: str
    approved_by: str | None
    next: tuple[str, ...]


class ChangePersonAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The person as of now, and the tables where nobody deals any more."""

    person: str
    active: bool
    approved_by: str | None
    tables_left: tuple[str, ...]
    next: tuple[str, ...]


class ConfirmPersonAnswer(CommandAnswer, frozen=True, kw_only=True):
    """Whose badge counts from now on, who had a hand in it, and who has confirmed it."""

    person: str
    issued_by: tuple[str, ...]
    confirmed_by: str


class AddDeviceAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The device and where it stands."""

    device: str
    table: str | None
    approved_by: str | None
    next: tuple[str, ...]


class RetireDeviceAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The device that may no longer connect."""

    device: str
    approved_by: str | None
    next: tuple[str, ...]


class SignInAnswer(CommandAnswer, frozen=True, kw_only=True):
    """Who is signed in where, and for how long."""

    device: str
    person: str
    department: Department
    roles: tuple[Role, ...]
    until: int


class SignOutAnswer(CommandAnswer, frozen=True, kw_only=True):
    """Where the person is no longer signed in."""

    person: str
    devices: tuple[str, ...]


class SetPinAnswer(CommandAnswer, frozen=True, kw_only=True):
    """Whose PIN was set, and until when it holds."""

    person: str
    until: int | None


class RevokeSessionAnswer(CommandAnswer, frozen=True, kw_only=True):
    """Where the person's sessions have ended, and which tables wait for a swipe."""

    person: str
    devices: tuple[str, ...]
    tables_left: tuple[str, ...]
    approved_by: str | None
    next: tuple[str, ...]


class RecordPaperAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The paper and whether it holds now."""

    paper: str
    register: str
    holds: bool
    warnings: tuple[FaultNote, ...]


class CreateTableAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The table, and what it needs before it opens."""

    table: str
    seats: int
    way: str | None
    notes: tuple[str, ...]
    next: tuple[str, ...]


class AttachSensorAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The links by sensor, and the notices to post."""

    table: str
    sensors: dict[str, str]
    notices: tuple[NoticeText, ...]


class SetFaceUpAnswer(CommandAnswer, frozen=True, kw_only=True):
    """How the table deals, and to how many spots."""

    table: str
    face_up: bool
    by: str
    most_spots: int | None
    recommended_spots: int | None


class OpenTableAnswer(CommandAnswer, frozen=True, kw_only=True):
    """What the tray holds, and what is left to do before the first round."""

    table: str
    by: str
    rules: str
    """The hash of the rules and of the room's choices that the table plays by."""
    tray_cents: Cents
    slip: str
    """The opener."""
    warnings: tuple[FaultNote, ...]
    next: tuple[str, ...]


class CloseTableAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The counts of tray and drop."""

    table: str
    by: str
    counts: dict[str, MoneyCount]
    over_cents: Cents
    """Of both; below zero: short."""
    slip: str
    """The closer."""
    next: tuple[str, ...]


class DealerInAnswer(CommandAnswer, frozen=True, kw_only=True):
    """Who deals, and whom that relieves."""

    table: str
    dealer: str
    relieved: str | None
    round: str | None
    """The round in play."""
    next: tuple[str, ...]


class DealerOutAnswer(CommandAnswer, frozen=True, kw_only=True):
    """Who has left."""

    table: str
    left: str
    next: tuple[str, ...]


class ChangeDeckAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The deck, and the one that it replaced."""

    table: str
    deck: str
    replaced: str | None
    counted: int
    incident_closed: str | None = None
    """The incident of a misdeal that this deck settles; one whose cause lies elsewhere stays open."""


class ChangeShiftAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The shift, and the table's books as it begins."""

    table: str
    shift: str
    before: str | None
    rounds: int
    micros: dict[str, Micros]
    """Tray, drop, receipts and variance."""


class FillTrayAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The slip, and what the tray holds now."""

    table: str
    slip: str
    direction: Literal["fill", "credit"]
    cents: Cents
    signed: tuple[str, ...]
    tray_cents: Cents


class CountDropAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The count of the drop."""

    table: str
    book_cents: Cents
    counted_cents: Cents
    over_cents: Cents
    """Below zero: short."""
    counted_by: tuple[str, ...]


class RecordIncidentAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The incident, and until when it must be reported."""

    incident: str
    report_due_at: int | None
    next: tuple[str, ...]
