"""What was changed and entered: parameters, settings and papers with their dates, and malfunctions with their clock."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import msgspec

from houseway.manager.core.house_entities import INCIDENTS, Paper
from houseway.manager.core.link_entities import Link
from houseway.manager.core.records import canonical
from houseway.manager.reports.day_reading import DaysRead
from houseway.manager.reports.report_base import Report, ReportHead, ReportRow

HOUR: Final = 3_600_000_000
PROPOSALS: Final = ("change.propose", "change.approve", "change.withdraw")


class PaperEntry(ReportRow, frozen=True, kw_only=True):
    """A paper that was entered, or that a link's life left behind."""

    entered_at: int
    register: str
    paper: str
    subject: str
    by: str
    since_at: int
    until_at: int | None
    fields: str
    """What is in it, as canonical JSON."""


class ParameterChange(ReportRow, frozen=True, kw_only=True):
    """A parameter of a link or level that is another one at the end of the days than at their beginning."""

    link: str
    level: str | None
    parameter: str
    before: str | None
    after: str | None
    changed_at: int
    """When the link's parameters last changed."""
    version: int


class SettingValue(ReportRow, frozen=True, kw_only=True):
    """A value of a setting that was entered, or began to hold."""

    name: str
    value: str
    since_at: int
    by: str
    approved_by: str | None
    reason: str


class ProposalStep(ReportRow, frozen=True, kw_only=True):
    """A proposal, an approval or a withdrawal of one."""

    at: int
    event: int
    kind: str
    proposal: str
    by: str
    what: str
    """The change as it was proposed, as canonical JSON; empty for later steps."""
    reason: str


class ParameterHistory(Report, frozen=True, kw_only=True):
    """Parameters, settings, proposals and papers."""

    parameters: tuple[ParameterChange, ...]
    settings: tuple[SettingValue, ...]
    proposals: tuple[ProposalStep, ...]
    papers: tuple[PaperEntry, ...]

    tables: ClassVar[dict[str, str]] = {
        "parameters": "Parameters that changed",
        "settings": "Settings entered, or in force from these days on",
        "proposals": "Proposals and approvals",
        "papers": "Papers",
    }


class MalfunctionClock(ReportRow, frozen=True, kw_only=True):
    """An incident that was recorded in these days, or was open or unreported in them."""

    incident: str
    kind: str
    subject: str
    text: str
    by: str
    known_at: int
    recorded_at: int
    due_at: int | None
    """By when it must be reported to the commission; none where it need not be."""
    reported_at: int | None
    reference: str | None
    repaired_at: int | None
    status: str
    """`reported`, `reported-late`, `due`, `overdue`, or `no-report` where none is needed."""
    hours_left: int | None
    """Whole hours from the end of the days until it is due; negative once it is overdue, none once it is reported."""


class Malfunctions(Report, frozen=True, kw_only=True):
    """Incidents with the hours within which they must be reported."""

    incidents: tuple[MalfunctionClock, ...]

    tables: ClassVar[dict[str, str]] = {"incidents": "Malfunctions and other incidents"}


def parameter_history(days: DaysRead, head: ReportHead) -> ParameterHistory:
    """What changed in some days."""
    return ParameterHistory(
        head=head,
        parameters=tuple(_parameters(days)),
        settings=tuple(_settings(days)),
        proposals=tuple(_proposals(days)),
        papers=tuple(_papers(days)),
    )


def _text(value: object) -> str:
    return canonical(msgspec.to_builtins(value)).decode()


def _parameters(days: DaysRead) -> Iterator[ParameterChange]:
    """The parameters of each link before and after; a link that is new has had none."""
    for id_, link in sorted(days.closing.links.items()):
        old = days.opening.links.get(id_)
        sides: list[tuple[str | None, dict[str, str], dict[str, str]]] = [(None, _of_link(old), _of_link(link))]
        sides += [
            (name, _plain(None if old is None else old.levels.get(name)), _plain(link.levels[name]))
            for name in sorted(link.levels)
        ]
        for level, before, after in sides:
            for name in sorted({*before, *after}):
                if before.get(name) != after.get(name):
                    yield ParameterChange(
                        link=id_,
                        level=level,
                        parameter=name,
                        before=before.get(name),
                        after=after.get(name),
                        changed_at=link.changed_at,
                        version=link.version,
                    )


_OF_A_LINK: Final = (
    "wager", "fixed_pays", "display_falls", "shows_contributions", "order", "status", "fixed_supervisor_from",
    "prizes", "paytable",
)  # fmt: skip


def _of_link(link: Link | None) -> dict[str, str]:
    return {} if link is None else {name: _text(getattr(link, name)) for name in _OF_A_LINK}


def _plain(parameters: msgspec.Struct | None) -> dict[str, str]:
    if parameters is None:
        return {}
    return {name: _text(value) for name, value in msgspec.structs.asdict(parameters).items()}


def _settings(days: DaysRead) -> Iterator[SettingValue]:
    """Values that the days brought: entered in them, or in force from one of them on."""
    known = {(id_, dated) for id_, setting in days.opening.settings.items() for dated in map(_text, setting.values)}
    for id_, setting in sorted(days.closing.settings.items()):
        for dated in setting.values:
            begins = days.first.since <= dated.since <= days.last.until
            if begins or (id_, _text(dated)) not in known:
                yield SettingValue(
                    name=id_,
                    value=_text(dated.value),
                    since_at=dated.since,
                    by=dated.by,
                    approved_by=dated.approved_by,
                    reason=dated.reason,
                )


def _proposals(days: DaysRead) -> Iterator[ProposalStep]:
    for event, body in days.events(*PROPOSALS):
        do: dict[str, object] = body.do
        proposal = do.get("proposal", body.answer.get("proposal", ""))
        yield ProposalStep(
            at=event.at,
            event=event.seq,
            kind=event.kind,
            proposal=str(proposal),
            by=event.actor,
            what=_text(do["what"]) if "what" in do else "",
            reason=str(do.get("reason") or ""),
        )


def _papers(days: DaysRead) -> Iterator[PaperEntry]:
    entered = [paper for id_, paper in days.closing.papers.items() if days.opening.papers.get(id_) is None]
    for paper in sorted(entered, key=lambda each: (each.entered_at, each.id)):
        yield PaperEntry(
            entered_at=paper.entered_at,
            register=paper.register,
            paper=paper.id,
            subject=paper.subject,
            by=paper.by,
            since_at=paper.since,
            until_at=paper.until,
            fields=_text(paper.fields),
        )


def malfunctions(days: DaysRead, head: ReportHead) -> Malfunctions:
    """The incidents of some days with their clocks."""
    reports = {paper.subject: paper for paper in days.closing.papers_of("incident-report")}
    rows = (_clock(days, paper, reports.get(paper.id)) for paper in days.closing.papers_of(INCIDENTS))
    ended = {paper.id for paper in days.opening.papers_of(INCIDENTS) if paper.until is not None}
    told = {paper.subject for paper in days.opening.papers_of("incident-report")}
    kept = (row for row in rows if row.incident not in ended or (row.due_at is not None and row.incident not in told))
    return Malfunctions(head=head, incidents=tuple(sorted(kept, key=lambda row: (row.known_at, row.incident))))


def _clock(days: DaysRead, paper: Paper, report: Paper | None) -> MalfunctionClock:
    due = paper.number("due_at")
    reported = None if report is None else report.number("reported_at")
    left = None if due is None or reported is not None else (due - days.last.until) // HOUR
    return MalfunctionClock(
        incident=paper.id,
        kind=paper.text("code"),
        subject=paper.subject,
        text=paper.text("text"),
        by=paper.by,
        known_at=paper.since,
        recorded_at=paper.entered_at,
        due_at=due,
        reported_at=reported,
        reference=None if report is None else report.text("reference"),
        repaired_at=paper.until,
        status=_status(days, due, reported),
        hours_left=left,
    )


def _status(days: DaysRead, due: int | None, reported: int | None) -> str:
    if due is None:
        return "no-report"
    if reported is not None:
        return "reported" if reported <= due else "reported-late"
    return "overdue" if days.last.until > due else "due"
