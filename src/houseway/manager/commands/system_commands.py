"""Commands that the manager gives itself, and the record of what it refused for security reasons."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from houseway.errors import InputError
from houseway.manager.commands.bounds import MOST_KEPT
from houseway.manager.commands.system_answers import (
    AttemptRefusedAnswer,
    ClockAcceptedAnswer,
    DeviceLockedAnswer,
    PinTriedAnswer,
    RecoveryRecordedAnswer,
    RollbackNoticedAnswer,
    RowsArchivedAnswer,
    RowsRebuiltAnswer,
    ServerResumedAnswer,
    ServerStartedAnswer,
    SnapshotTakenAnswer,
    WithdrawMessageAnswer,
)
from houseway.manager.core.command import Command
from houseway.manager.core.texts import on_record

MOST_FAULTS: Final = 20
"""Faults of one refused attempt that go on record."""


class ServerStarted(Command[ServerStartedAnswer], tag="system.started", frozen=True):
    """A server process began: versions and fingerprints of what is in force."""

    process: str
    version: str
    fingerprints: Annotated[dict[str, str], Meta(max_length=MOST_KEPT)]


class ServerResumed(Command[ServerResumedAnswer], tag="system.resumed", frozen=True):
    """A server process could write again after it could not: writing this is the proof."""

    process: str
    reason: str
    """Why it could not write."""
    seconds: int
    """For how long."""


class SnapshotTaken(Command[SnapshotTakenAnswer], tag="system.snapshot", frozen=True):
    """The digest of the whole state up to here; the state itself lies in the store under this digest."""

    digest: str


class AttemptRefused(Command[AttemptRefusedAnswer], tag="system.refused", frozen=True):
    """Somebody tried what they may not: a wrong badge, a wrong role, an altered repeat."""

    actor: str
    device: str | None
    kind_of: str
    faults: Annotated[list[Annotated[dict[str, str], Meta(max_length=3)]], Meta(max_length=MOST_FAULTS)]
    address: str = ""
    """Where it came from, if no device had proved itself, or as the service says that passed it on."""
    times: int = 1
    """How many attempts this stands for; of several the last is told."""
    since: int | None = None
    """When the first of several was made."""


def attempt(actor: str, device: str | None, kind: str, error: InputError, address: str = "") -> AttemptRefused:
    """The record of a refused attempt, whatever the texts of whoever tried hold."""
    faults = [{name: on_record(text) for name, text in fault.to_json().items()} for fault in error.faults[:MOST_FAULTS]]
    at = None if device is None else on_record(device)
    return AttemptRefused(on_record(actor), at, on_record(kind), faults, on_record(address))


class DeviceLocked(Command[DeviceLockedAnswer], tag="system.locked", frozen=True):
    """Too many wrong badges were shown in a lane of a device's reader: it takes none there until a time."""

    device: str
    until: int
    tries: int
    lane: str
    """Whose badges they were: `reader` of whoever is not signed in there, `person ID` of somebody who is, `network
    ADDRESS` of sign-ins that a service passes on, `unknown networks` and `known networks` of all of these together."""


class PinTried(Command[PinTriedAnswer], tag="system.pin", frozen=True):
    """A PIN was tried: a wrong one counts, and too many in a row lock it; a right one ends the count."""

    person: str
    right: bool


class ClockAccepted(Command[ClockAcceptedAnswer], tag="system.clock", frozen=True):
    """Two people accept that the time goes on from an earlier point than the last event's."""

    now: int
    badge: str
    second_badge: str
    reason: str


class RollbackNoticed(Command[RollbackNoticedAnswer], tag="system.rollback", frozen=True):
    """A client proved, with a mark that the property's key signed, that the journal lacks events."""

    seq: int
    hash: str
    at: int
    device: str


class RecoveryRecorded(Command[RecoveryRecordedAnswer], tag="system.recovery", frozen=True):
    """Two people from different departments name the events that were lost with an old backup, and let play go on."""

    first: int
    """The first lost event: one more than the last event in the backup."""
    last: int
    """The last one that anybody has seen."""
    hash: str
    """Its hash."""
    badge: str
    """Of who acts, the first of the two."""
    second_badge: str
    """Of the second person, from another department."""
    reason: str


class RowsArchived(Command[RowsArchivedAnswer], tag="system.archived", frozen=True):
    """Events up to a number were moved into an archive file with this digest."""

    up_to: int
    file_digest: str
    hash: str
    by: str = ""
    """Who had it done."""
    at: int = 0
    """The time of the last event that was moved."""
    next_at: int = 0
    """The time of the event behind it."""


class RowsRebuilt(Command[RowsRebuiltAnswer], tag="system.rebuilt", frozen=True):
    """Rows that follow from events were made again after damage: how many had differed, by table."""

    tables: Annotated[dict[str, int], Meta(max_length=MOST_KEPT)]
    by: str
    reason: str


class WithdrawMessage(Command[WithdrawMessageAnswer], tag="message.withdraw", frozen=True):
    """A controller takes back a command of its own that was never answered, under that command's key.

    Either the command was carried out, then this is refused (`key-reused`); or this comes first, and whatever copy of
    the command is still on its way can no longer be carried out.
    """

    table: str
    kind_of: str


SYSTEM_COMMANDS = (
    ServerStarted,
    ServerResumed,
    SnapshotTaken,
    AttemptRefused,
    DeviceLocked,
    PinTried,
    ClockAccepted,
    RollbackNoticed,
    RecoveryRecorded,
    RowsArchived,
    RowsRebuilt,
    WithdrawMessage,
)
