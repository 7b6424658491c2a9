"""The papers that a table still lacks: drafts for a real room, and examples in full for demonstrations and tests.

In a draft, every text that only the outside world can know (submission numbers, references, makers) is to be filled in,
and no register takes it before. In an example it says that it is one. An executive may enter them, but for what
surveillance alone declares.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from houseway.games import game
from houseway.manager.commands.house_commands import RecordPaper
from houseway.manager.core import settings
from houseway.manager.core.floor import Floor
from houseway.manager.core.table_entities import Table
from houseway.manager.core.texts import TO_FILL_IN
from houseway.manager.handlers import equipment
from houseway.manager.handlers.notices import notice_faults, notices
from houseway.manager.handlers.paper_lookup import PROPERTY, equipment_register, papers_held
from houseway.manager.handlers.register_list import CONTROLS, COVERAGE, SEEN, SEEN_DISPLAY
from houseway.manager.handlers.registers import approval_faults, display_faults
from houseway.manager.handlers.room_choices import Choices, choice_faults, choices_of, rules_hash
from houseway.manager.handlers.table_editions import (
    JACKPOT_APPROVALS,
    allowances_needed,
    edition_faults,
    newest_that_offers,
)
from houseway.reading.json_values import JsonObject

MAKER: Final = "Example Maker"
REFERENCE: Final = "example, not a real paper"
DAY: Final = "2023-06-14"


@dataclass(frozen=True, slots=True)
class _Words:
    """What stands where only the outside world knows the words."""

    maker: str
    reference: str
    day: str


_EXAMPLE: Final = _Words(MAKER, REFERENCE, DAY)


def papers_in_order(floor: Floor, table: Table, at: int) -> list[RecordPaper]:
    """The commands that put everything on file which the table lacks at a time, from that time on."""
    return _commands(floor, table, at, _EXAMPLE)


def drafts_for(floor: Floor, table: Table, at: int) -> list[RecordPaper]:
    """The same papers as drafts of a day: with the hashes in force, and with what is to be filled in."""
    day = datetime.fromtimestamp(at // 1_000_000, UTC).date().isoformat()
    return _commands(floor, table, at, _Words(TO_FILL_IN, TO_FILL_IN, day))


def _commands(floor: Floor, table: Table, at: int, words: _Words) -> list[RecordPaper]:
    taken = set(floor.papers)
    commands = []
    for register, subject, fields in _drafts(floor, table, at, words):
        id_ = _free_id(taken, _wanted_id(table, register, subject, fields))
        taken.add(id_)
        commands.append(RecordPaper(register, id_, subject, fields, at))
    return commands


def _wanted_id(table: Table, register: str, subject: str, fields: JsonObject) -> str:
    """An id that says what the paper is about and for which table it was drawn up.

    So drafts of two tables, and drafts of one table at two times, can be entered in any order.
    """
    about = () if subject in (TO_FILL_IN, table.id) else (subject,)
    details = (str(fields[name]) for name in _TELLING if name in fields)
    return "-".join((register, *about, table.id, *details)).replace(" ", "-")


_TELLING: Final = ("component", "notice", "issuer", "document")
"""Fields that tell papers of one register and subject apart."""


def _free_id(taken: set[str], wanted: str) -> str:
    """The id, with a further number where it is on file."""
    free, number = wanted, 1
    while free in taken:
        number += 1
        free = f"{wanted}-{number}"
    return free


def _drafts(floor: Floor, table: Table, at: int, words: _Words) -> Iterator[tuple[str, str, JsonObject]]:
    licence = settings.licence_of(floor)
    edition = newest_that_offers(floor, table, at).date or words.day
    chosen = choices_of(floor, table, at)
    contents: dict[str, JsonObject] = {
        "game-approval": {
            "submission": words.reference, "edition": edition, "hash": rules_hash(table.game), "licence": licence,
        },
        CONTROLS: {"reference": words.reference, "approved_on": words.day, **_named(table, chosen)},
        "agency-approval": {"agency": words.reference, "reference": words.reference},
        "state-concurrence": {"reference": words.reference},
        "supplemental-information": {"reference": words.reference, "submitted_on": words.day},
    }  # fmt: skip
    lacking = [
        *approval_faults(floor, table.game, at),
        *choice_faults(floor, table, chosen, at),
        *edition_faults(floor, table, at),
    ]
    for register in dict.fromkeys(fault.path for fault in lacking if fault.path in contents):
        yield register, table.game, contents[register]
    needed = allowances_needed(floor, table, at)
    if needed:
        yield JACKPOT_APPROVALS, table.game, {"allows": needed, "reference": words.reference}
    pieces = list(_equipment(floor, table, at, words, edition))
    yield from pieces
    papers = (("state", "certificate"), ("tribe", "licence")) if licence == "tribal" else (("state", "licence"),)
    for maker in _makers(floor, table, at, words, drafted=bool(pieces)):
        for issuer, document in papers:
            covers = ["layout", "equipment"]
            fields: JsonObject = {"number": words.reference, "issuer": issuer, "document": document, "covers": covers}
            yield "maker-licence", maker, fields
    if not papers_held(floor, COVERAGE, (table.id,), at):
        sees = [item for item in SEEN if item != SEEN_DISPLAY or game(table.game).ways]
        yield COVERAGE, table.id, {"sees": sees, "reference": words.reference}
    elif display_faults(floor, table, at):
        yield COVERAGE, table.id, {"sees": [SEEN_DISPLAY], "reference": words.reference}
    unposted = {fault.path.removeprefix("notices.") for fault in notice_faults(floor, table, at)}
    for notice in notices(floor, table, at):
        if notice.kind in unposted:
            yield "notice", table.id, {"notice": notice.kind, "text": notice.text, "shows": notice.shows}


def _named(table: Table, chosen: Choices) -> JsonObject:
    """What internal controls name where the room chooses something: the hash of the rules with it, and the choices."""
    return {"hash": rules_hash(table.game, chosen), "choices": dict(chosen)} if chosen else {}


def _makers(floor: Floor, table: Table, at: int, words: _Words, *, drafted: bool) -> list[str]:
    """Makers without a licence on file: those of the table's equipment, and the one whom the new papers name."""
    there = {str(p.fields["maker"]) for p in papers_held(floor, "equipment", (table.id, PROPERTY), at)}
    makers = [words.maker] if words is _EXAMPLE else [*sorted(there), *([words.maker] if drafted else [])]
    return [maker for maker in makers if not papers_held(floor, "maker-licence", (maker,), at)]


def _equipment(
    floor: Floor, table: Table, at: int, words: _Words, edition: str
) -> Iterator[tuple[str, str, JsonObject]]:
    """The parts that the table lacks, of the jackpot system to which its pieces come nearest, else the newest one's.

    The edition is the one that its approval is drafted for. Where no sheet names a system for its controls, the newest
    one of any game is drafted with the approvals it needs.
    """
    register = replace(equipment_register(floor, table, at), editions=(edition,))
    named: list[equipment.EquipmentPart] = []
    if table.sensors:
        system = equipment.system_findings(table, register)[0]
        if system is None:
            system = _newest_system(table.vocabulary)
            yield from _part_approvals(table, system, words)
        named += system.parts
    named += [part for sheet in equipment.sheets_for(table.game, register.editions) for part in sheet.optional]
    drafted: set[str] = set()
    for part in named:
        if part.component in drafted or register.pieces(part.component):
            continue
        drafted.add(part.component)
        piece: JsonObject = {
            "component": part.component, "model": part.model or equipment.MONITOR, "maker": words.maker,
            "version": part.version or "none",
        }  # fmt: skip
        if part.component == "display":
            piece["networked"] = False
        yield "equipment", table.id, piece


def _newest_system(vocabulary: str) -> equipment.System:
    """The newest jackpot system of any game that these controls work."""
    systems = (system for sheet in reversed(equipment.sheets()) for system in sheet.systems)
    return next(system for system in systems if vocabulary in system.controls)


def _part_approvals(table: Table, system: equipment.System, words: _Words) -> Iterator[tuple[str, str, JsonObject]]:
    """The approvals of a system's parts, one of each component, for a game whose sheets on file do not name it."""
    for component in system.components:
        part = next(part for part in system.parts if part.component == component)
        yield equipment.APPROVALS, table.game, {
            "component": component, "model": part.model or equipment.MONITOR, "version": part.version or "none",
            "reference": words.reference, "or_higher": part.or_higher,
        }  # fmt: skip
