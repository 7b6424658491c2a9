"""Incidents: malfunctions, misdeals and other significant events, with the hour by which they must be reported."""

from __future__ import annotations

from typing import Final, NamedTuple

from msgspec.structs import replace

from houseway.errors import Fault
from houseway.manager.commands.house_answers import RecordIncidentAnswer
from houseway.manager.commands.house_commands import RecordIncident
from houseway.manager.core import settings
from houseway.manager.core.engine import Decision, collect, handles
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import INCIDENTS, Paper, is_open_incident
from houseway.manager.core.roles import WITH_AUTHORITY
from houseway.manager.core.table_entities import DeckDue, MisdealCause, Round
from houseway.manager.handlers.paper_lookup import PROPERTY
from houseway.manager.handlers.papers import moment
from houseway.manager.handlers.register_list import text
from houseway.reading.faults import Faults
from houseway.reading.json_values import Json, JsonObject

INCIDENT_CODES: Final = (
    "malfunction", "tampering", "power-loss", "connection-loss", "display-failure", "shuffler-failure", "meter-wrong",
    "dispute", "misdeal", "deck-wrong", "other",
)  # fmt: skip
MALFUNCTIONS: Final = frozenset({"malfunction", "display-failure", "shuffler-failure", "meter-wrong"})
"""Incidents that must be reported to the commission."""
MOST_OPEN: Final = 20
"""Incidents that rest on the word of one device, or of one person without authority, and may be open at once."""
MOST_OPEN_WITH_AUTHORITY: Final = 200
"""The same of a person whose role has authority."""
MOST_A_DAY: Final = 60
"""Incidents a day on the word of one device, or of one person without authority."""
MOST_A_DAY_WITH_AUTHORITY: Final = 400
HOUR: Final = 3_600_000_000


class Misdeal(NamedTuple):
    """How a misdeal goes on record."""

    code: str
    """Of the incident."""
    words: str
    ends_with_deck: bool = False
    """Whether a whole deck settles it; else somebody has to find the card, or mend the machine."""


MISDEALS: Final[dict[MisdealCause, Misdeal]] = {
    "wrong-deal": Misdeal("misdeal", "the cards were dealt wrongly", ends_with_deck=True),
    "exposed-card": Misdeal("misdeal", "a card was seen that should not have been", ends_with_deck=True),
    "missing-card": Misdeal("deck-wrong", "a card is missing"),
    "extra-card": Misdeal("deck-wrong", "there is a card too many"),
    "short-deck": Misdeal("deck-wrong", "the deck has too few cards for the round"),
    "shuffler-jam": Misdeal("shuffler-failure", "the shuffler jammed"),
}
"""By cause: the incident that a misdeal is."""


@handles(RecordIncident)
def record_incident(decision: Decision, command: RecordIncident) -> RecordIncidentAnswer:
    """Put a malfunction or another significant event on record, with the hour by which it must be reported."""
    floor, faults, known_at = decision.floor, Faults(), moment(decision, command.known_at)
    faults.choice(command.code, INCIDENT_CODES, "code", "bad-value")
    text(faults, command.text, "text")
    if command.device not in (*floor.devices, *floor.tables, *floor.links, PROPERTY):
        message = f"{command.device[:40]!r} is not a device, table or link here: name one, or {PROPERTY}"
        faults.add("unknown-subject", "device", message)
    if not 0 <= known_at <= decision.now:
        faults.add("in-the-future", "known_at", "an incident is known before it is recorded: give that time")
    faults.refuse_if_any()
    collect(_room_faults(decision))
    paper = _enter(decision, command.device, command.code, command.text, known_at)
    return RecordIncidentAnswer(
        incident=paper.id, report_due_at=paper.number("due_at"), next=tuple(after_incident(paper))
    )


def _enter(decision: Decision, subject: str, code: str, text: str, known_at: int, **more: Json) -> Paper:
    """Put an incident on record under the next number, with the hour by which a malfunction must be reported."""
    floor = decision.floor
    hours = settings.value(floor, "malfunction_report_hours", decision.now)
    due = known_at + hours * HOUR if code in MALFUNCTIONS else None
    fields: JsonObject = {"code": code, "text": text, "due_at": due, "sent_by": _sending_device(decision), **more}
    id_ = f"incident-{1 + len(floor.papers_of(INCIDENTS))}"
    paper = Paper(id_, INCIDENTS, subject, fields, known_at, None, decision.actor, decision.now)
    decision.papers.put(paper)
    return paper


def enter_misdeal(decision: Decision, round_: Round, cause: MisdealCause, note: str) -> Paper:
    """Put a misdeal on record as an incident of its table, however many there are: money waits for no register."""
    words = f"{round_.id}: {MISDEALS[cause].words}{f' ({note.strip()})' if note.strip() else ''}"
    return _enter(decision, round_.table, MISDEALS[cause].code, words, decision.now, cause=cause, round=round_.id)


def close_misdeal(decision: Decision, due: DeckDue) -> str | None:
    """A whole deck was counted down: the incident is over where the deal alone was wrong; its id, else None."""
    incident = decision.papers.get(due.incident)
    if incident is None or not MISDEALS[due.cause].ends_with_deck or not is_open_incident(incident):
        return None
    decision.papers.put(replace(incident, until=decision.now))
    return incident.id


def _sending_device(decision: Decision) -> str | None:
    """The device on whose word an incident rests: one that speaks for itself, or a controller, whoever acts there.

    Whoever holds a controller's secret speaks for the dealer too. At a service a session says who it is.
    """
    envelope = decision.envelope
    if envelope.actor.startswith("device:"):
        return envelope.actor.removeprefix("device:")
    sender = decision.floor.devices.get(envelope.device or "")
    return sender.id if sender is not None and sender.kind == "controller" else None


def has_room(decision: Decision) -> bool:
    """Whether the device or person on whose word it would rest may put another incident on record today."""
    return not _room_faults(decision)


def _room_faults(decision: Decision) -> list[Fault]:
    """Nobody fills the register: no device, for whomever it speaks, and no person, who has more room with authority.

    Whoever else is signed in at a service has room of their own, so that nobody keeps an incident off the record.
    """
    floor, device, actor = decision.floor, _sending_device(decision), decision.actor
    word, who = (actor, actor) if device is None else (f"device:{device}", device)
    trusted = device is None and not WITH_AUTHORITY.isdisjoint(floor.people[actor].roles)
    most_open, most_today = (
        (MOST_OPEN_WITH_AUTHORITY, MOST_A_DAY_WITH_AUTHORITY) if trusted else (MOST_OPEN, MOST_A_DAY)
    )
    if floor.open_incidents_of[word] >= most_open:
        message = (
            f"{most_open} incidents that {who} recorded are open: have somebody look at them and withdraw those whose "
            "cause is repaired; somebody else who is signed in at a service can still record this one"
        )
        return [Fault("too-many-incidents", "device", message)]
    if floor.entered_on(word, INCIDENTS, decision.now) >= most_today:
        message = (
            f"{who} has recorded {most_today} incidents today: have somebody look at them; somebody else who is signed "
            "in at a service can still record this one"
        )
        return [Fault("too-many-incidents", "device", message)]
    return []


def after_incident(paper: Paper) -> list[str]:
    """What people do about an incident that was put on record."""
    steps = [f"withdraw {paper.id} in the register withdrawal once the cause is repaired"]
    if paper.fields["due_at"] is not None:
        steps.insert(0, f"report {paper.id} to the commission in time and enter it in the register incident-report")
    return steps


def unfinished_incidents(floor: Floor) -> dict[str, Paper]:
    """Incidents whose cause is not declared repaired, or whose report to the commission is not entered, by id."""
    reported = {paper.subject for paper in floor.papers_of("incident-report")}
    return {
        paper.id: paper
        for paper in floor.papers_of(INCIDENTS)
        if is_open_incident(paper) or (paper.number("due_at") is not None and paper.id not in reported)
    }
