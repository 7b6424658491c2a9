"""Entering papers into the registers, and incidents with the hour by which they must be reported.

A paper is entered once and never altered: what replaces it is a new paper, and what ends it before its time is a
withdrawal.
"""

from __future__ import annotations

from collections.abc import Iterable
from re import IGNORECASE
from re import compile as pattern
from typing import Final

from msgspec.structs import replace

from houseway.definitions.clauses import clause, clauses
from houseway.errors import Fault, InputError
from houseway.games import game_ids
from houseway.manager.commands.house_answers import FaultNote, RecordIncidentAnswer, RecordPaperAnswer
from houseway.manager.commands.house_commands import RecordIncident, RecordPaper, TimeOrNow
from houseway.manager.core import settings
from houseway.manager.core.engine import Decision, collect, handles, need_role
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import INCIDENTS, Paper, is_open_incident
from houseway.manager.core.records import canonical
from houseway.manager.core.roles import SUPERVISING, WITH_AUTHORITY
from houseway.manager.handlers import equipment, face_up
from houseway.manager.handlers.paper_lookup import PROPERTY, equipment_register, holds
from houseway.manager.handlers.register_list import LAST_TIME, LAYERS, REGISTERS, Register, text
from houseway.manager.handlers.registers import hash_fault, network_fault
from houseway.manager.handlers.room_choices import covers, naming_faults
from houseway.reading.faults import Faults
from houseway.reading.json_values import JsonObject
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
def record_paper(decision: Decision, command: RecordPaper) -> RecordPaperAnswer:
    """Enter a paper into a register."""
    register = REGISTERS.get(command.register)
    if register is None:
        hint = suggestion(command.register[:40], REGISTERS)
        raise InputError.of("unknown-register", "register", f"{command.register[:40]!r} is not a register: {hint}")
    need_role(decision.floor.people[decision.actor], register.roles, "actor", f"the register {register.name}")
    if decision.floor.entered_on(decision.actor, register.name, decision.now) >= MOST_PAPERS_A_DAY:
        message = f"{decision.actor} has entered {MOST_PAPERS_A_DAY} papers today: have somebody else enter this one"
        raise InputError.of("too-many-papers", "paper", message)
    since = _moment(decision, command.since)
    paper = Paper(
        command.paper, register.name, command.subject, command.fields, since, command.until, decision.actor,
        decision.now,
    )  # fmt: skip
    collect(
        _paper_faults(decision.floor, register, command, since) or _content_faults(decision.floor, paper, decision.now)
    )
    decision.papers.put(paper)
    if register.name == "withdrawal":
        _withdraw(decision, paper)
    return RecordPaperAnswer(
        paper=paper.id,
        register=register.name,
        holds=holds(paper, decision.now),
        warnings=fault_notes(_paper_warnings(decision.floor, paper)),
    )


def _moment(decision: Decision, told: TimeOrNow) -> int:
    """A time that a command tells; `now` is the manager's, whatever the clock of the sender says."""
    return decision.now if told == "now" else told


def _withdraw(decision: Decision, withdrawal: Paper) -> None:
    """End a paper before its time; whoever may enter one may withdraw it."""
    target = decision.floor.papers[withdrawal.subject]
    entering = REGISTERS.get(target.register)
    roles = entering.roles if entering else (*SUPERVISING, "technician")
    need_role(decision.floor.people[decision.actor], roles, "actor", f"a withdrawal from {target.register}")
    decision.papers.put(replace(target, until=withdrawal.since))


def _paper_faults(floor: Floor, register: Register, command: RecordPaper, since: int) -> list[Fault]:
    """Everything that is wrong with a paper: its id, subject, fields and dates."""
    faults = Faults()
    check_id(faults, command.paper, "paper")
    if _OF_INCIDENT.fullmatch(command.paper):
        faults.add("bad-id", "paper", "incidents are numbered so by themselves: give this paper another id")
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
    _check_dates(faults, since, command.until)
    return settings.found_in(faults)


def fault_notes(faults: Iterable[Fault]) -> tuple[FaultNote, ...]:
    """Faults that stand in nobody's way, as an answer tells them."""
    return tuple(FaultNote(fault.code, fault.path, fault.message) for fault in faults)


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


def _check_dates(faults: Faults, told_since: int, told_until: int | None) -> None:
    since = _time(faults, told_since, "since")
    if told_until is not None:
        until = _time(faults, told_until, "until")
        if since is not None and until is not None and until <= since:
            faults.add("bad-dates", "until", "a paper ends after it begins: swap the dates, or leave until out")


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


def _content_faults(floor: Floor, paper: Paper, now: int) -> list[Fault]:
    """What goes beyond single fields, once those are right."""
    match paper.register:
        case "equipment" if paper.text("component") == "display" and "networked" not in paper.fields:
            message = "say whether the display has a network or intelligence of its own: true or false"
            return [Fault("missing-key", "fields.networked", message)]
        case "game-approval" | "internal-controls":
            return naming_faults(paper.subject, paper.fields)
        case "rule-override":
            return _layer_faults(paper)
        case "face-up-permission":
            return face_up.permission_faults(paper.subject, paper)
        case "withdrawal":
            return _withdrawal_faults(floor.papers[paper.subject], paper)
        case "incident-report" if (paper.number("reported_at") or 0) > now:
            return [Fault("in-the-future", "fields.reported_at", "enter the report once it is made")]
    return []


def _layer_faults(rule: Paper) -> list[Fault]:
    """A rule replaces one of a weaker layer; a house rule one of the maker's only where the sheet itself allows it."""
    layer, replaces = rule.text("layer"), rule.text("replaces")
    if LAYERS.index(layer) < LAYERS.index(replaces):
        return []
    allowed = rule.text("allowed_by") if "allowed_by" in rule.fields else None
    if (layer, replaces) == ("house", "maker") and allowed is not None:
        known = any(each.id == allowed for each in clauses())
        return [] if known else [Fault("unknown-clause", "fields.allowed_by", f"{allowed[:80]!r} is not a clause")]
    message = f"a rule of the layer {layer} does not replace one of {replaces}: the order is {', '.join(LAYERS)}"
    if (layer, replaces) == ("house", "maker"):
        message += "; where the sheet leaves it to internal controls, name its clause in allowed_by"
    return [Fault("weaker-layer", "fields.layer", message)]


def _withdrawal_faults(target: Paper, withdrawal: Paper) -> list[Fault]:
    if target.register == "withdrawal":
        return [Fault("unknown-subject", "subject", "a withdrawal is final: enter the paper again instead")]
    if target.register not in (*REGISTERS, INCIDENTS):
        message = f"{target.id} is the record of something done ({target.register}): it cannot be withdrawn"
        return [Fault("unknown-subject", "subject", message)]
    if target.until is not None and target.until <= withdrawal.since:
        return [Fault("bad-dates", "since", f"{target.id} does not hold by then: there is nothing to withdraw")]
    if withdrawal.since < target.since:
        return [Fault("bad-dates", "since", f"{target.id} begins later: it cannot end before it begins")]
    return []


def _paper_warnings(floor: Floor, paper: Paper) -> list[Fault]:
    """What the person who enters a paper should know at once."""
    if "hash" in paper.fields and covers(paper, paper.subject) is None:
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
def record_incident(decision: Decision, command: RecordIncident) -> RecordIncidentAnswer:
    """Put a malfunction or another significant event on record, with the hour by which it must be reported."""
    floor, faults, known_at = decision.floor, Faults(), _moment(decision, command.known_at)
    faults.choice(command.code, INCIDENT_CODES, "code", "bad-value")
    text(faults, command.text, "text")
    if command.device not in (*floor.devices, *floor.tables, *floor.links, PROPERTY):
        message = f"{command.device[:40]!r} is not a device, table or link here: name one, or {PROPERTY}"
        faults.add("unknown-subject", "device", message)
    if not 0 <= known_at <= decision.now:
        faults.add("in-the-future", "known_at", "an incident is known before it is recorded: give that time")
    faults.refuse_if_any()
    sent_by = _sending_device(decision)
    _check_room(floor, sent_by, decision.actor, decision.now)
    number = 1 + len(floor.papers_of(INCIDENTS))
    hours = settings.value(floor, "malfunction_report_hours", decision.now)
    due = known_at + hours * HOUR if command.code in MALFUNCTIONS else None
    fields: JsonObject = {
        "code": command.code,
        "text": command.text,
        "due_at": due,
        "sent_by": sent_by,
    }
    paper = Paper(f"incident-{number}", INCIDENTS, command.device, fields, known_at, None, decision.actor, decision.now)
    decision.papers.put(paper)
    return RecordIncidentAnswer(incident=paper.id, report_due_at=due, next=tuple(_after_incident(paper)))


def _sending_device(decision: Decision) -> str | None:
    """The device on whose word an incident rests: one that speaks for itself, or a controller, whoever acts there.

    Whoever holds a controller's secret speaks for the dealer too. At a service a session says who it is.
    """
    envelope = decision.envelope
    if envelope.actor.startswith("device:"):
        return envelope.actor.removeprefix("device:")
    sender = decision.floor.devices.get(envelope.device or "")
    return sender.id if sender is not None and sender.kind == "controller" else None


def _check_room(floor: Floor, device: str | None, actor: str, now: int) -> None:
    """Nobody fills the register: no device, for whomever it speaks, and no person, who has more room with authority.

    Whoever else is signed in at a service has room of their own, so that nobody keeps an incident off the record.
    """
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
        raise InputError.of("too-many-incidents", "device", message)
    if floor.entered_on(word, INCIDENTS, now) >= most_today:
        message = (
            f"{who} has recorded {most_today} incidents today: have somebody look at them; somebody else who is signed "
            "in at a service can still record this one"
        )
        raise InputError.of("too-many-incidents", "device", message)


def _after_incident(paper: Paper) -> list[str]:
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
