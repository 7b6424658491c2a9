"""What staff did: how often each person gave each command, and what needed a reason or a second person, one by one."""

from __future__ import annotations

from typing import ClassVar, Final

from houseway.manager.reports.day_reading import DaysRead
from houseway.manager.reports.report_base import Report, ReportHead, ReportRow
from houseway.manager.store.people import BadgeHolders, parts_of, reference_of

SINGLE: Final = (
    "round.void", "round.misdeal", "round.enter", "round.correct", "round.reopen", "round.hold", "round.decide",
    "jackpot.pay", "jackpot.reject",
    "change.propose", "change.approve", "change.withdraw", "table.open", "table.close", "table.face-up", "tray.fill",
    "drop.count", "link.open", "link.deposit", "link.stop", "link.resume", "person.add", "person.change",
    "person.confirm", "device.add", "device.retire", "surveillance.reference", "incident.record", "system.clock",
    "system.recovery",
)  # fmt: skip
"""Commands that are listed one by one."""


class ActionCount(ReportRow, frozen=True, kw_only=True):
    """How often somebody gave a command."""

    actor: str
    """A person's id, `device:ID` for a device by itself, or `system`."""
    kind: str
    times: int


class StaffAction(ReportRow, frozen=True, kw_only=True):
    """A command that moved money by hand, changed something, or needed a second person."""

    at: int
    event: int
    kind: str
    actor: str
    others: str
    """Who else took part, each with the part: `badge`, `approved_by`, and their like."""
    about: str
    """A round, an award, a link, a proposal, a table, a slip."""
    reason: str
    reference: str


class RefusedAttempt(ReportRow, frozen=True, kw_only=True):
    """An attempt that went on record though it was refused."""

    at: int
    event: int
    actor: str
    kind: str
    codes: str
    times: int
    """How many attempts the record stands for."""


class StaffActions(Report, frozen=True, kw_only=True):
    """Who did what."""

    counts: tuple[ActionCount, ...]
    actions: tuple[StaffAction, ...]
    refused: tuple[RefusedAttempt, ...]

    tables: ClassVar[dict[str, str]] = {
        "counts": "Commands by person",
        "actions": "Actions with a reason or a second person",
        "refused": "Refused attempts",
    }


def staff_actions(days: DaysRead, head: ReportHead) -> StaffActions:
    """The actions of some days."""
    counts = tuple(
        ActionCount(actor=actor, kind=kind, times=times) for (actor, kind), times in sorted(days.staff.items())
    )
    return StaffActions(head=head, counts=counts, actions=_actions(days), refused=_refused(days))


def _actions(days: DaysRead) -> tuple[StaffAction, ...]:
    holders, found = BadgeHolders(), []
    holders.restored(days.before, days.opening)
    for event, body in days.events(*SINGLE, "property.create"):
        holders.follow(event.seq, body)
        if event.kind not in SINGLE:
            continue
        do = body.do if isinstance(body.do, dict) else {}
        others = (part for part in parts_of(event.seq, body, holders) if part.person != event.actor)
        found.append(
            StaffAction(
                at=event.at,
                event=event.seq,
                kind=event.kind,
                actor=event.actor,
                others=", ".join(f"{part.person} ({part.role})" for part in others),
                about=_about(do, body.answer),
                reason=_text(do, "reason") or _text(do, "text") or _misdeal(do) or _text(do, "note"),
                reference=reference_of(body) or "",
            )
        )
    return tuple(found)


def _about(do: dict[str, object], answer: dict[str, object]) -> str:
    for name in ("award", "round", "proposal", "slip", "link", "table", "person", "device", "incident"):
        found = do.get(name, answer.get(name))
        if isinstance(found, str):
            return found
    return ""


def _misdeal(do: dict[str, object]) -> str:
    """The cause of a misdeal, and what was said about it."""
    return "" if do.get("kind") != "round.misdeal" else ": ".join(filter(None, (_text(do, "cause"), _text(do, "note"))))


def _text(do: dict[str, object], name: str) -> str:
    found = do.get(name)
    return found if isinstance(found, str) else ""


def _refused(days: DaysRead) -> tuple[RefusedAttempt, ...]:
    found = []
    for event, body in days.events("system.refused"):
        do: dict[str, object] = body.do
        faults, times = do.get("faults"), do.get("times")
        found.append(
            RefusedAttempt(
                at=event.at,
                event=event.seq,
                actor=_text(do, "actor"),
                kind=_text(do, "kind_of"),
                codes=", ".join(str(fault.get("code")) for fault in faults) if isinstance(faults, list) else "",
                times=times if isinstance(times, int) else 1,
            )
        )
    return tuple(found)
