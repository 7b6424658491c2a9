"""How a manager is, as others see it."""

from __future__ import annotations

from typing import Literal

from houseway.manager.views.view_base import FloorView


class FaultView(FloorView, frozen=True, kw_only=True):
    """Something that is wrong: a code of docs/reference/faults.md, where, and what to do."""

    code: str
    path: str
    message: str


class AlertView(FloorView, frozen=True, kw_only=True):
    """What somebody should look at, until when it stands."""

    code: str
    about: str
    message: str
    until: int


class ReminderView(FloorView, frozen=True, kw_only=True):
    """What must be done by a time that comes near or has passed."""

    code: Literal["promotion-due", "promotion-overdue"]
    about: str
    message: str
    due_at: int


class HeartbeatView(FloorView, frozen=True, kw_only=True):
    """That a server is there, and whether it can write: told every two seconds."""

    at: int
    state: Literal["serving", "impaired", "paused", "damaged", "closed"]
    seq: int
    hash: str
    faults: tuple[FaultView, ...]


class HealthView(FloorView, frozen=True, kw_only=True):
    """Whether commands are carried out, why not, and how far the journal has come.

    What only a server has is null where the manager is in the program's own process, or at rest.
    """

    state: Literal["serving", "impaired", "paused", "damaged", "closed", "at rest", "refused"]
    """What the manager says of itself; `refused` where whoever asks has seen events that it lacks (`history-lost`)."""
    seq: int
    hash: str
    faults: tuple[FaultView, ...]
    now: int
    uncovered: dict[str, tuple[FaultView, ...]]
    """Tables with choices of the room that no paper in force covers: they begin no round until one does."""
    reminders: tuple[ReminderView, ...]
    """What must be done soon, or is late: money of retired progressives that promotions have not given back."""
    version: str | None = None
    process: str | None = None
    started_at: int | None = None
    clients: int | None = None
    strangers: int | None = None
    """Connections that have not greeted."""
    in_force: dict[str, str] | None = None
    """The fingerprints of rules and pay tables."""
    alerts: tuple[AlertView, ...] | None = None
