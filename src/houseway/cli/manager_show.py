"""`houseway manager show` as text: meters, tables, links, awards, people, devices, papers, incidents, health."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from houseway.cli.times import time_text
from houseway.cli.words import said
from houseway.ranking.hand_names import hand_title
from houseway.wording import dollars, micro_dollars

if TYPE_CHECKING:
    from rich.table import Table

    from houseway.manager.views.answers import (
        AwardsAnswer,
        DevicesAnswer,
        IncidentsAnswer,
        LinksAnswer,
        MetersAnswer,
        PapersAnswer,
        PeopleAnswer,
        ProposalsAnswer,
        SessionsAnswer,
        TablesAnswer,
    )
    from houseway.manager.views.health_view import HealthView
    from houseway.manager.views.jackpot_views import AwardView, LinkView


def _grid(*titles: str, right: tuple[int, ...] = ()) -> Table:
    from rich.table import Table

    grid = Table(box=None, pad_edge=False, header_style="none", show_edge=False)
    for place, title in enumerate(titles):
        # What a row is about is never broken: it is what one copies.
        grid.add_column(title, justify="right" if place in right else "left", no_wrap=place == 0)
    return grid


def meters(answer: MetersAnswer) -> Table:
    """What the signs show, and what lies behind it."""
    grid = _grid("link", "level", "shown", "meter", "locked", "reserve", "overflow", "status", right=(2, 3, 4, 5, 6))
    for link in answer.meters:
        for name, level in link.levels.items():
            waiting = sum(award.level == name for award in link.pending)
            pending = f", {waiting} pending" if waiting else ""
            amounts = [
                micro_dollars(getattr(level, f"{kind}_micros"))
                for kind in ("displayed", "meter", "locked", "reserve", "overflow")
            ]
            grid.add_row(link.link, name, *amounts, f"{link.status}{pending}")
    return grid


def tables(answer: TablesAnswer) -> Table:
    """Tables with their dealers and rounds."""
    grid = _grid("table", "game", "controls", "status", "dealer", "round", "awards", "held", "lacks")
    for table in answer.tables:
        awards = [_award(award) for award in (table.in_play.awards if table.in_play else ())]
        cells = [getattr(table, name) or "-" for name in ("id", "game", "vocabulary", "status", "dealer", "round")]
        grid.add_row(*cells, ", ".join(awards) or "-", ", ".join(table.held) or "-", _lacks(answer, table.id))
    return grid


def _lacks(answer: TablesAnswer, table: str) -> str:
    """What a table lacks: to go on, in full; to open, by what it is, since it may be much."""
    unopened = answer.unopened.get(table)
    if not unopened:
        return "; ".join(fault.message for fault in answer.uncovered.get(table, ())) or "-"
    listed = ", ".join(dict.fromkeys(fault.path for fault in unopened))
    return f"to open: {listed} (houseway papers drafts {table})"


def _award(award: AwardView) -> str:
    return f"seat {award.seat} {award.hand} {award.status} {dollars(award.cents)}"


def links(answer: LinksAnswer) -> Table:
    """Links with their pay tables and tables."""
    grid = _grid("link", "kind", "paytable", "wager", "status", "tables", right=(3,))
    for link in answer.links:
        wager = dollars(link.wager_cents)
        reason = f" ({link.status_reason})" if link.status_reason else ""
        status = "; ".join([f"{link.status}{reason}", *_promotions(link)])
        grid.add_row(link.id, link.kind, link.paytable, wager, status, ", ".join(link.tables))
    return grid


def _promotions(link: LinkView) -> list[str]:
    """What promotions of a retired progressive still have to give back to players."""
    return [
        f"{level}: {micro_dollars(each.left_micros)} to players by {time_text(each.return_by)} ({each.promotion})"
        for level, each in link.promotions.items()
        if each.left_micros
    ]


def people(answer: PeopleAnswer) -> Table:
    """Staff; of the badges only how many."""
    grid = _grid("id", "name", "department", "roles", "badges", "on duty", right=(4,))
    for person in answer.people:
        duty = "yes" if person.active else "no"
        roles = ", ".join(person.roles)
        grid.add_row(person.id, person.name, person.department, roles, str(person.badges), duty)
    return grid


def devices(answer: DevicesAnswer) -> Table:
    """Devices, and who is signed in at each."""
    grid = _grid("id", "kind", "table", "signed in", "in use")
    for device in answer.devices:
        present = ", ".join(f"{person} since {time_text(since)}" for person, since in device.signed_in.items())
        in_use = "yes" if device.active else "no"
        grid.add_row(device.id, device.kind, device.table or "-", present or "-", in_use)
    return grid


def sessions(answer: SessionsAnswer) -> Table:
    """Sessions that count now; session.revoke ends one."""
    grid = _grid("person", "device", "table", "since", "until")
    for one in answer.sessions:
        until = "relieved" if one.until is None else time_text(one.until)
        grid.add_row(one.person, one.device, one.table or "-", time_text(one.since), until)
    return grid


def papers(answer: PapersAnswer) -> Table:
    """The registers: every paper with its time, also of those that hold no more."""
    grid = _grid("paper", "register", "subject", "since", "until", "entered by")
    for paper in answer.papers:
        until = "-" if paper.until is None else time_text(paper.until)
        grid.add_row(paper.id, paper.register, paper.subject, time_text(paper.since), until, paper.by)
    return grid


def incidents(answer: IncidentsAnswer) -> Table:
    """Incidents whose cause is not repaired or whose report is not entered, with the time by which it is due."""
    grid = _grid("incident", "code", "where", "known since", "report due", "repaired", "what happened", "by")
    for paper in answer.incidents:
        due = paper.fields.get("due_at")
        cells = [paper.id, str(paper.fields.get("code") or "-"), paper.subject, time_text(paper.since)]
        cells += [time_text(due if isinstance(due, int) else None), time_text(paper.until)]
        grid.add_row(*cells, str(paper.fields.get("text") or "-"), paper.by)
    return grid


def awards(answer: AwardsAnswer) -> Table:
    """Awards of rounds that are not over with what they wait for, and the last ones that were paid, in time order."""
    grid = _grid("award", "seat", "hand", "amount", "from", "state", "waits for", "time", right=(1, 3))
    rows: list[tuple[int, tuple[str, ...]]] = []
    for award in answer.awards:
        source = f"{award.link}/{award.level}" if award.source == "meter" else award.source
        state, since = {
            "pressed": ("pressed", award.pressed_at),
            "hit": ("locked", award.hit_at),
            "paid": (f"paid by {award.paid_by}", award.paid_at),
        }[award.status]
        waits = {"pressed": "HIT JACKPOT", "hit": _locked_waits(award), "paid": "-"}[award.status]
        amount = "-" if award.status == "pressed" else dollars(award.cents)
        cells = (str(award.id), str(award.seat), hand_title(award.hand), amount, source, state, waits)
        rows.append((since, cells))
    for hit in answer.recent:
        undone = hit.backed_out_at
        state = f"paid by {hit.paid_by}" if undone is None else f"BACKED OUT {time_text(undone)}"
        source = f"{hit.link}/{hit.level}" if hit.source == "meter" else hit.source
        amount = dollars(hit.cents)
        cells = (str(hit.award), str(hit.seat), hand_title(hit.hand), amount, source, state, "-")
        rows.append((hit.paid_at, cells))
    for at, row in sorted(rows):
        grid.add_row(*row, time_text(at))
    return grid


def _locked_waits(award: AwardView) -> str:
    """What must still happen before a locked award can be paid: first surveillance, then the badge."""
    badge = f"badge: {award.badge_role}"
    return f"surveillance's reference, then {badge}" if award.reference_missing else badge


_MOMENTS: Final = {"now": "at once", "idle": "between rounds", "won": "when the level is won"}


def proposals(answer: ProposalsAnswer) -> Table:
    """Changes that wait for a second person or for their moment; `change approve` takes the number."""
    grid = _grid("number", "status", "check", "change", "reason", "proposed by", "when", "approved by", "is made")
    for proposal in answer.proposals:
        what = f"{proposal.what['change']}: {said(proposal.what, 'change')}"
        by = proposal.approved_by or f"needs {' or '.join(proposal.approvers)}"
        status: str = proposal.status
        if proposal.lapsed_because:
            status = f"lapsed: {proposal.lapsed_because}"
        made = _MOMENTS[proposal.moment]
        when = time_text(proposal.made_at)
        grid.add_row(proposal.id, status, proposal.check, what, proposal.reason, proposal.by, when, by, made)
    return grid


def health(answer: HealthView) -> Table:
    """Everything that the answer tells, a line each."""
    grid = _grid("", "")
    for name, value in answer.to_json().items():
        if name in {"at", "now", "started_at"} and (value is None or isinstance(value, int)):
            grid.add_row(name, time_text(value))
        elif isinstance(value, dict):
            for inner, text in value.items():
                grid.add_row(f"{name}.{inner}", _messages(text))
        else:
            grid.add_row(name, _messages(value) or "-" if isinstance(value, list) else str(value))
    return grid


def _messages(value: object) -> str:
    """What a list of faults says; anything else as it is."""
    return "; ".join(str(fault["message"]) for fault in value) if isinstance(value, list) else str(value)


SHOWN: Final[dict[str, Callable[[Any], Table]]] = {
    "meters": meters,
    "tables": tables,
    "links": links,
    "awards": awards,
    "proposals": proposals,
    "people": people,
    "devices": devices,
    "sessions": sessions,
    "papers": papers,
    "incidents": incidents,
    "health": health,
}
