"""What a table needs to open by the registers, and the hashes of all rules in force.

`missing_for_opening` says what keeps a table closed, `flagged_for_opening` what its people should know all the same.
"""

from __future__ import annotations

from typing import Final

from houseway import __version__
from houseway.errors import Fault
from houseway.games import game, game_ids
from houseway.manager.core import settings
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Paper
from houseway.manager.core.table_entities import Table
from houseway.manager.handlers import equipment
from houseway.manager.handlers.notices import notice_faults
from houseway.manager.handlers.paper_lookup import PROPERTY, approvals_held, equipment_register, papers_held
from houseway.manager.handlers.register_list import CONTROLS, COVERAGE, REGISTERS, SEEN_DISPLAY
from houseway.manager.handlers.room_choices import choice_faults, choices_of, covers, named_choices, rules_hash
from houseway.manager.handlers.table_editions import edition_faults
from houseway.paytables import set_fingerprint

HOUSE_WAY_DISPLAY: Final = "i-verify"
"""The component of the equipment register that shows hands the house way."""


def fingerprints() -> dict[str, str]:
    """The hashes of all that is in force, for the record of a start: every game's rules, and the set of pay tables."""
    return {"paytables": set_fingerprint(), **{f"game/{game_id}": rules_hash(game_id) for game_id in game_ids()}}


# ---------------------------------------------------------------- what a table needs


def missing_for_opening(floor: Floor, table: Table, at: int) -> list[Fault]:
    """Every paper, version or notice without which the table may not open at that time; none if it may."""
    return [
        *approval_faults(floor, table.game, at),
        *choice_faults(floor, table, choices_of(floor, table, at), at),
        *edition_faults(floor, table, at),
        *(finding.fault() for finding in equipment_findings(floor, table, at)),
        *_network_faults(floor, table, at),
        *_maker_faults(floor, table, at),
        *display_faults(floor, table, at),
        *notice_faults(floor, table, at),
    ]


def flagged_for_opening(floor: Floor, table: Table, at: int) -> list[Fault]:
    """What does not keep the table closed, but its people should know: cameras, the version of this program."""
    return [*_camera_faults(floor, table, at), *_software_faults(floor, table, at)]


def approval_faults(floor: Floor, game_id: str, at: int) -> list[Fault]:
    """What is missing before the property may offer a game: by its licence, on that day, for these very rules."""
    licence = settings.licence_of(floor)
    approvals = approvals_held(floor, game_id, at)
    faults: list[Fault] = []
    if not approvals:
        message = (
            f"no approval of {game_id} for a {licence} property is on file and in force: enter it in game-approval"
        )
        faults.append(Fault("no-approval", "game-approval", message))
    elif all(covers(paper, game_id) is None for paper in approvals):
        faults.append(hash_fault(game_id, approvals[-1]))
    needed = ("agency-approval", "state-concurrence", "supplemental-information") if licence == "tribal" else ()
    for register in needed:
        if not papers_held(floor, register, (game_id,), at):
            message = f"{REGISTERS[register].meaning} is not on file for {game_id}: enter it in {register}"
            faults.append(Fault("no-tribal-paper", register, message))
    if licence == "commercial" and not papers_held(floor, CONTROLS, (game_id, PROPERTY), at):
        message = f"no approved internal controls for {game_id} are on file: have them approved, enter {CONTROLS}"
        faults.append(Fault("no-internal-controls", CONTROLS, message))
    return faults


def hash_fault(game_id: str, approval: Paper) -> Fault:
    """A paper that is bound to other rules than those in force, with the choices that it names."""
    in_force = rules_hash(game_id, named_choices(approval.fields))
    message = (
        f"{approval.id} approves rules with the hash {approval.text('hash')[:12]}..., those in force have "
        f"{in_force[:12]}...: the rules or the choices changed, and the change must be approved first"
    )
    return Fault("approval-differs", approval.register, message)


def equipment_findings(floor: Floor, table: Table, at: int) -> list[equipment.EquipmentFinding]:
    """The pieces at a table that are older than approved, unknown, mixed or missing."""
    return equipment.findings(table, equipment_register(floor, table, at))


def _network_faults(floor: Floor, table: Table, at: int) -> list[Fault]:
    papers = papers_held(floor, "equipment", (table.id, PROPERTY), at)
    return [network_fault(paper) for paper in papers if table.sensors and paper.fields.get("networked")]


def network_fault(paper: Paper) -> Fault:
    """A jackpot sign that is more than a monitor."""
    message = (
        f"{paper.fields['model']} ({paper.id}) has a network or intelligence of its own: "
        "the jackpot sign is a plain monitor that the controller feeds"
    )
    return Fault("display-networked", "equipment.display", message)


def _maker_faults(floor: Floor, table: Table, at: int) -> list[Fault]:
    """Makers of the pieces at a table without the papers that their sale needed, for that kind of piece."""
    tribal = settings.licence_of(floor) == "tribal"
    needed = {("state", "certificate"), ("tribe", "licence")} if tribal else {("state", "licence")}
    register = equipment_register(floor, table, at)
    made: dict[tuple[str, str], None] = {}
    for paper in register.used():
        component, maker = paper.text("component"), paper.text("maker")
        if not equipment.any_maker(table, register, component):
            made[maker, "layout" if component == "layout" else "equipment"] = None
    faults: list[Fault] = []
    for maker, kind in made:
        held = papers_held(floor, "maker-licence", (maker,), at)
        has = {(p.text("issuer"), p.text("document")) for p in held if kind in p.texts("covers")}
        for issuer, document in sorted(needed - has):
            message = f"no {document} of the {issuer} for {kind} is on file for {maker}: enter it in maker-licence"
            faults.append(Fault("maker-unlicensed", "maker-licence", message))
    return faults


def display_faults(floor: Floor, table: Table, at: int) -> list[Fault]:
    """A house-way display that surveillance has not declared to see: the sheets allow none that it cannot view."""
    if not _has_display(floor, table, at) or SEEN_DISPLAY in _seen(floor, table, at):
        return []
    message = (
        f"surveillance must see the house-way display at {table.id} and has not declared that it does: surveillance "
        f"enters it in {COVERAGE} (sees {SEEN_DISPLAY}), or play without the display"
    )
    return [Fault("display-unseen", COVERAGE, message)]


def _has_display(floor: Floor, table: Table, at: int) -> bool:
    """Whether a house-way display stands at the table; where hands are not split, there is nothing to display."""
    if not game(table.game).ways:
        return False
    components = {p.text("component") for p in papers_held(floor, "equipment", (table.id, PROPERTY), at)}
    return HOUSE_WAY_DISPLAY in components or table.cards == "known"


def _camera_faults(floor: Floor, table: Table, at: int) -> list[Fault]:
    """What else surveillance should see of the table and has not declared to see."""
    needed = ["table", "cards", "wagers", "tray"]
    needed += ["shuffler"] if table.deal_mode == "shuffler" else []
    seen = _seen(floor, table, at)
    unseen = [item for item in needed if item not in seen]
    if not unseen:
        return []
    message = f"surveillance has not declared to see {', '.join(unseen)} at {table.id}: surveillance enters {COVERAGE}"
    return [Fault("not-on-camera", COVERAGE, message)]


def _seen(floor: Floor, table: Table, at: int) -> set[str]:
    """What surveillance has declared to see of a table."""
    return {item for p in papers_held(floor, COVERAGE, (table.id,), at) for item in p.texts("sees")}


def _software_faults(floor: Floor, table: Table, at: int) -> list[Fault]:
    """An approval that names another version of this program than the one that runs."""
    named = {
        paper.text("software")
        for paper in papers_held(floor, "game-approval", (table.game,), at)
        if "software" in paper.fields
    }
    if not named or __version__ in named:
        return []
    message = f"the approval names version {', '.join(sorted(named))}, this is {__version__}: have the change recorded"
    return [Fault("software-differs", "game-approval", message)]
