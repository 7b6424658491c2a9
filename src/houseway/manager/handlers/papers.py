"""Entering papers into the registers, and incidents with the hour by which they must be reported.

A paper is entered once and never altered: what replaces it is a new paper, and what ends it before its time is a
withdrawal.
"""

from __future__ import annotations

from collections.abc import Iterable
from re import IGNORECASE
from re import compile as pattern
from typing import Any, Final

from msgspec.structs import replace

from houseway.definitions.clauses import clause, clauses
from houseway.errors import Fault, InputError
from houseway.games import game_ids
from houseway.manager.commands.house_commands import RecordIncident, RecordPaper
from houseway.manager.core import settings
from houseway.manager.core.authority import WITH_AUTHORITY
from houseway.manager.core.engine import Decision, collect, handles, need_role, refuse
from houseway.manager.core.entities import INCIDENTS, Paper, is_open_incident
from houseway.manager.core.floor import Floor
from houseway.manager.core.records import canonical
from houseway.manager.handlers import equipment, face_up
from houseway.manager.handlers.paper_lookup import PROPERTY, equipment_register, holds
from houseway.manager.handlers.register_list import LAST_TIME, LAYERS, REGISTERS, Register, text
from houseway.manager.handlers.registers import hash_fault, network_fault, rules_hash
from houseway.reading.faults import Faults
from houseway.wording import suggestion

INCIDENT_CODES: Final = (
    "malfunction", "tampering", "power-loss", "connection-loss", "display-failure", "shuffler-failure", "meter-wrong",
    "dispute", "other",
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
MOST_PAPERS_A_DAY: Final = 10_000
"""Papers of all other registers that one person enters on a day; a table that opens needs about twenty."""
HOUR: Final = 3_600_000_000
FIRST_TIME: Final = 10**14
"""Microseconds up to 1973, before any paper here: what lies below was given in another unit."""
_ID: Final = pattern(r"(?=.{1,60}\Z)[A-Za-z0-9][A-Za-z0-9._#-]*(?: [A-Za-z0-9._#-]+)*")
_OF_INCIDENT: Final = pattern(rf"{INCIDENTS}-\d+", IGNORECASE)
_MOST_BYTES: Final = 10_000


@handles(RecordPaper)
def record_paper(decision: Decision, command: RecordPaper) -> None:
    """Enter a paper into a register."""
    register = REGISTERS.get(command.register)
    if register is None:
        hint = suggestion(command.register[:40], REGISTERS)
        raise refuse("unknown-register", "register", f"{command.register[:40]!r} is no register: {hint}")
    need_role(decision.floor.people[decision.actor], register.roles, "actor", f"the register {register.name}")
    if decision.floor.entered_on(decision.actor, register.name, decision.now) >= MOST_PAPERS_A_DAY:
        message = f"{decision.actor} has entered {MOST_PAPERS_A_DAY} papers today: let somebody else enter this one"
        raise refuse("too-many-papers", "paper", message)
    collect(_paper_faults(decision.floor, register, command, decision.now))
    paper = Paper(
        command.paper, register.name, command.subject, command.fields, command.since, command.until, decision.actor,
        decision.now,
    )  # fmt: skip
    decision.papers.put(paper)
    if register.name == "withdrawal":
        _withdraw(decision, command)
    decision.answer = {
        "paper": paper.id,
        "register": register.name,
        "holds": holds(paper, decision.now),
        "warnings": [fault.to_json() for fault in _paper_warnings(decision.floor, paper)],
    }


def _withdraw(decision: Decision, command: RecordPaper) -> None:
    """End a paper before its time; whoever may enter one may withdraw it."""
    target = decision.floor.papers[command.subject]
    entering = REGISTERS.get(target.register)
    roles = entering.roles if entering else ("technician", "supervisor", "executive")
    need_role(decision.floor.people[decision.actor], roles, "actor", f"a withdrawal from {target.register}")
    decision.papers.put(replace(target, until=command.since))


def _paper_faults(floor: Floor, register: Register, command: RecordPaper, now: int) -> list[Fault]:
    """Everything that is wrong with a paper: its id, subject, fields and dates."""
    faults = Faults()
    check_id(faults, command.paper, "paper")
    if _OF_INCIDENT.fullmatch(command.paper):
        faults.add("bad-id", "paper", "incident.record numbers the incidents so: give this paper another id")
    if command.paper in floor.papers:
        message = f"{command.paper} is on file already: a paper is never altered, enter the new one under its own id"
        faults.add("paper-exists", "paper", message)
    _check_subject(faults, floor, register, command.subject)
    faults.keys(command.fields, (*register.fields, *register.optional), "fields")
    for name, check in {**register.fields, **register.optional}.items():
        if name in command.fields:
            check(faults, command.fields[name], f"fields.{name}")
        elif name in register.fields:
            faults.add("missing-key", f"fields.{name}", f"the register {register.name} needs {name}")
    if len(canonical(command.fields)) > _MOST_BYTES:
        faults.add("bad-value", "fields", f"a paper holds at most {_MOST_BYTES} bytes: put the document elsewhere")
    _check_dates(faults, command)
    found = settings.found_in(faults)
    return found or _content_faults(floor, register, command, now)


def check_id(faults: Faults, value: str, path: str) -> None:
    """An id: letters and digits, with a few marks that are safe in file names, accounts and on slips."""
    if not _ID.fullmatch(value):
        message = (
            "an id begins with a letter or digit and has at most 60 letters, digits and ._#-, single blanks between"
        )
        faults.add("bad-id", path, message)


def _check_subject(faults: Faults, floor: Floor, register: Register, subject: str) -> None:
    """The paper must be about something that is there."""
    kind = register.subject
    known: dict[str, Iterable[str]] = {
        "game": game_ids(),
        "game-or-property": (*game_ids(), PROPERTY),
        "table": floor.tables,
        "table-or-property": (*floor.tables, PROPERTY),
        "paper": floor.papers,
        "incident": (paper.id for paper in floor.papers_of(INCIDENTS)),
    }
    if kind in known and subject not in (choices := list(known[kind])):
        hint = suggestion(subject[:40], choices)
        message = f"a paper of the register {register.name} is about a {kind}; {subject[:40]!r} is none: {hint}"
        faults.add("unknown-subject", "subject", message)
    elif kind == "text":
        text(faults, subject, "subject")
    elif kind == "rule" and subject not in game_ids():
        try:
            clause(subject)
        except InputError as error:
            faults.add("unknown-subject", "subject", error.faults[0].message)


def _check_dates(faults: Faults, command: RecordPaper) -> None:
    since = _time(faults, command.since, "since")
    if command.until is not None:
        until = _time(faults, command.until, "until")
        if since is not None and until is not None and until <= since:
            faults.add("bad-dates", "until", "a paper ends after it begins: turn the dates round, or leave until out")


def _time(faults: Faults, value: int, path: str) -> int | None:
    """A time in microseconds; 0 stands for ever since, and a small number is one in seconds or milliseconds."""
    if 0 < value < FIRST_TIME:
        message = (
            f"{value} would be a day in {settings.day_of(value).year}: give microseconds since 1970 (UTC), as in "
            "1767225600000000 for 2026-01-01"
        )
        faults.add("out-of-range", path, message)
        return None
    return faults.integer(value, path, 0, LAST_TIME)


def _content_faults(floor: Floor, register: Register, command: RecordPaper, now: int) -> list[Fault]:
    """What goes beyond single fields, once those are right."""
    fields = command.fields
    match register.name:
        case "equipment" if fields["component"] == "display" and "networked" not in fields:
            message = "say whether the display has a network or intelligence of its own: true or false"
            return [Fault("missing-key", "fields.networked", message)]
        case "rule-override":
            return _layer_faults(fields)
        case "face-up-permission":
            return face_up.permission_faults(command.subject, fields)
        case "withdrawal":
            return _withdrawal_faults(floor.papers[command.subject], command)
        case "incident-report" if fields["reported_at"] > now:
            return [Fault("in-the-future", "fields.reported_at", "enter the report once it is made")]
    return []


def _layer_faults(fields: dict[str, Any]) -> list[Fault]:
    """A rule replaces one of a weaker layer; a house rule one of the maker's only where the sheet itself allows it."""
    layer, replaces = fields["layer"], fields["replaces"]
    if LAYERS.index(layer) < LAYERS.index(replaces):
        return []
    allowed = fields.get("allowed_by")
    if (layer, replaces) == ("house", "maker") and allowed is not None:
        known = any(each.id == allowed for each in clauses())
        return [] if known else [Fault("unknown-clause", "fields.allowed_by", f"{allowed[:80]!r} is no clause")]
    message = f"a rule of the layer {layer} does not replace one of {replaces}: the order is {', '.join(LAYERS)}"
    if (layer, replaces) == ("house", "maker"):
        message += "; where the sheet leaves it to internal controls, name its clause in allowed_by"
    return [Fault("weaker-layer", "fields.layer", message)]


def _withdrawal_faults(target: Paper, command: RecordPaper) -> list[Fault]:
    if target.register == "withdrawal":
        return [Fault("unknown-subject", "subject", "a withdrawal is final: enter the paper anew instead")]
    if target.register not in (*REGISTERS, INCIDENTS):
        message = f"{target.id} is the record of something done ({target.register}): it cannot be withdrawn"
        return [Fault("unknown-subject", "subject", message)]
    if target.until is not None and target.until <= command.since:
        return [Fault("bad-dates", "since", f"{target.id} does not hold by then: there is nothing to withdraw")]
    if command.since < target.since:
        return [Fault("bad-dates", "since", f"{target.id} begins later: it cannot end before it begins")]
    return []


def _paper_warnings(floor: Floor, paper: Paper) -> list[Fault]:
    """What the person who enters a paper should know at once."""
    if paper.register == "game-approval" and paper.fields["hash"] != rules_hash(paper.subject):
        return [hash_fault(paper.subject, paper)]
    if paper.register != "equipment":
        return []
    tables = [table for table in floor.tables.values() if paper.subject in (table.id, PROPERTY)]
    found: dict[Fault, None] = {}
    for table in tables:
        register = equipment_register(floor, table, paper.since).with_piece(paper, at_table=paper.subject == table.id)
        judged = equipment.findings(table, register, with_system=True)
        found |= {finding.fault(): None for finding in judged if finding.paper == paper.id}
    if paper.fields.get("networked"):
        found[network_fault(paper)] = None
    return list(found)


# ---------------------------------------------------------------- incidents


@handles(RecordIncident)
def record_incident(decision: Decision, command: RecordIncident) -> None:
    """Put a malfunction or another significant event on record, with the hour by which it must be reported."""
    floor, faults = decision.floor, Faults()
    faults.choice(command.code, INCIDENT_CODES, "code", "bad-value")
    text(faults, command.text, "text")
    if command.device not in (*floor.devices, *floor.tables, *floor.links, PROPERTY):
        message = f"{command.device[:40]!r} is no device, table or link here: name one, or {PROPERTY}"
        faults.add("unknown-subject", "device", message)
    if not 0 <= command.known_at <= decision.now:
        faults.add("in-the-future", "known_at", "an incident is known before it is recorded: give that time")
    faults.refuse_if_any()
    sent_by = _sending_device(decision)
    _check_room(floor, sent_by, decision.actor, decision.now)
    number = 1 + len(floor.papers_of(INCIDENTS))
    hours = settings.value(floor, "malfunction_report_hours", decision.now)
    due = command.known_at + hours * HOUR if command.code in MALFUNCTIONS else None
    fields = {
        "code": command.code,
        "text": command.text,
        "due_at": due,
        "sent_by": sent_by,
    }
    known, now, by = command.known_at, decision.now, decision.actor
    paper = Paper(f"incident-{number}", INCIDENTS, command.device, fields, known, None, by, now)
    decision.papers.put(paper)
    decision.answer = {"incident": paper.id, "report_due_at": due, "next": _after_incident(paper)}


def _sending_device(decision: Decision) -> str | None:
    """The device on whose word an incident rests: one that speaks for itself, or a controller, whoever acts there.

    Whoever holds a controller's secret speaks for the dealer too. At a service a person is known by the own session.
    """
    envelope = decision.envelope
    if envelope.actor.startswith("device:"):
        return envelope.actor.removeprefix("device:")
    sender = decision.floor.devices.get(envelope.device or "")
    return sender.id if sender is not None and sender.kind == "controller" else None


def _check_room(floor: Floor, device: str | None, actor: str, now: int) -> None:
    """Nobody fills the register: no device, for whomever it speaks, and no person, who has more room with authority.

    Whoever else is signed in at a service has room of the own, so that nobody keeps an incident off the record.
    """
    word, who = (actor, actor) if device is None else (f"device:{device}", device)
    trusted = device is None and not WITH_AUTHORITY.isdisjoint(floor.people[actor].roles)
    most_open, most_today = (
        (MOST_OPEN_WITH_AUTHORITY, MOST_A_DAY_WITH_AUTHORITY) if trusted else (MOST_OPEN, MOST_A_DAY)
    )
    if floor.open_incidents_of[word] >= most_open:
        message = (
            f"{most_open} incidents that {who} recorded are open: let somebody look at them and withdraw those whose "
            "cause is repaired; somebody else who is signed in at a service can still record this one"
        )
        raise refuse("too-many-incidents", "device", message)
    if floor.entered_on(word, INCIDENTS, now) >= most_today:
        message = (
            f"{who} has recorded {most_today} incidents today: let somebody look at them; somebody else who is signed "
            "in at a service can still record this one"
        )
        raise refuse("too-many-incidents", "device", message)


def _after_incident(paper: Paper) -> list[str]:
    steps = [f"withdraw {paper.id} in the register withdrawal once the cause is repaired"]
    if paper.fields["due_at"] is not None:
        steps.insert(0, f"report {paper.id} to the commission in time and enter it in the register incident-report")
    return steps


def open_incidents(floor: Floor) -> list[Paper]:
    """Incidents whose cause was not yet declared repaired, the oldest first."""
    return sorted(filter(is_open_incident, floor.papers_of(INCIDENTS)), key=lambda paper: paper.since)


def unreported(floor: Floor) -> list[Paper]:
    """Incidents that must be reported and were not, the most urgent first."""
    reported = {paper.subject for paper in floor.papers_of("incident-report")}
    due = (
        paper for paper in floor.papers_of(INCIDENTS) if paper.fields["due_at"] is not None and paper.id not in reported
    )
    return sorted(due, key=lambda paper: int(paper.fields["due_at"]))
