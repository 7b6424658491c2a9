"""Entering papers into the registers.

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
from houseway.manager.commands.house_answers import FaultNote, RecordPaperAnswer
from houseway.manager.commands.house_commands import RecordPaper, TimeOrNow
from houseway.manager.core import settings
from houseway.manager.core.engine import Decision, collect, handles, need_role
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import INCIDENTS, Paper
from houseway.manager.core.records import canonical
from houseway.manager.core.roles import SUPERVISING
from houseway.manager.handlers import equipment, face_up
from houseway.manager.handlers.paper_lookup import PROPERTY, equipment_register, holds
from houseway.manager.handlers.register_list import LAST_TIME, LAYERS, REGISTERS, Register, text
from houseway.manager.handlers.registers import hash_fault, network_fault
from houseway.manager.handlers.room_choices import covers, naming_faults
from houseway.reading.faults import Faults
from houseway.wording import suggestion

MOST_PAPERS_A_DAY: Final = 10_000
"""Papers of all other registers that one person enters on a day; a table that opens needs about twenty."""
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
    since = moment(decision, command.since)
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


def moment(decision: Decision, told: TimeOrNow) -> int:
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
