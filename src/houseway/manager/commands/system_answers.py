"""What the commands of the manager itself are answered."""

from __future__ import annotations

from houseway.manager.core.command import CommandAnswer


class ServerStartedAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The process that serves."""

    process: str


class ServerResumedAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The process that writes again."""

    process: str


class SnapshotTakenAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The digest under which the state lies."""

    digest: str


class AttemptRefusedAnswer(CommandAnswer, frozen=True, kw_only=True):
    """What was tried."""

    refused: str


class DeviceLockedAnswer(CommandAnswer, frozen=True, kw_only=True):
    """Until when the device takes no badge."""

    device: str
    until: int


class PinTriedAnswer(CommandAnswer, frozen=True, kw_only=True):
    """How many wrong PINs came in a row, and until when it is locked."""

    person: str
    wrong: int
    locked_until: int


class ClockAcceptedAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The time from which the journal goes on, and who has accepted it."""

    now: int
    last_event_at: int
    accepted_by: tuple[str, ...]
    settings_ahead: dict[str, int] = {}
    """Values of settings that were entered by the clock that was ahead, and when they begin by the right one."""
    papers_ahead: dict[str, int] = {}
    """The same of papers, which are not in force until then."""


class RollbackNoticedAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The event that the journal lacks, and who has seen it."""

    seq: int
    device: str


class RecoveryRecordedAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The events that were lost, and who has named them."""

    first: int
    last: int
    recovered_by: tuple[str, ...]


class RowsArchivedAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The last event in the archive file."""

    up_to: int
    by: str


class RowsRebuiltAnswer(CommandAnswer, frozen=True, kw_only=True):
    """How many rows had differed, and who had them made again."""

    differed: int
    by: str


class WithdrawMessageAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The kind of the command that can no longer be carried out."""

    table: str
    withdrawn: str
