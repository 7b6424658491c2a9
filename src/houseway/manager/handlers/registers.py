"""What a table needs to open by the registers, and the hash of the rules that approvals are bound to.

`missing_for_opening` says what keeps a table closed, `flagged_for_opening` what its people should know all the same.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from houseway import __version__
from houseway.definitions.clauses import clauses
from houseway.errors import Fault
from houseway.games import game, game_ids
from houseway.houseways import house_way
from houseway.manager.core import settings
from houseway.manager.core.entities import Paper, Table
from houseway.manager.core.floor import Floor
from houseway.manager.core.records import canonical, digest
from houseway.manager.handlers import equipment
from houseway.manager.handlers.notices import notice_faults
from houseway.manager.handlers.paper_lookup import PROPERTY, approvals_held, equipment_register, papers_held
from houseway.manager.handlers.register_list import REGISTERS
from houseway.manager.handlers.table_editions import edition_faults
from houseway.paytables import paytables, set_fingerprint


@cache
def rules_hash(game_id: str) -> str:
    """The SHA-256 of a game's rules and pay tables in force: what an approval is bound to."""
    return digest(canonical(rules_of(game_id)))


def rules_of(game_id: str) -> dict[str, Any]:
    """All that the hash covers: the game's data, its clauses, its house ways and its pay tables."""
    found = game(game_id)
    return {
        "game": found.id,
        # How simulated players raise and what is noted for readers is no rule.
        "definition": replace(found, raise_rules=(), notes=()).fingerprint,
        "ways": {way: house_way(way).fingerprint for way in found.ways},
        "clauses": {each.id: each.text for each in clauses() if game_id in each.games and each.kind != "information"},
        "paytables": {table.id: table.fingerprint for table in paytables() if game_id in table.games},
    }


def fingerprints() -> dict[str, str]:
    """The hashes of all that is in force, for the record of a start: every game's rules, and the set of pay tables."""
    return {"paytables": set_fingerprint(), **{f"game/{game_id}": rules_hash(game_id) for game_id in game_ids()}}


# ---------------------------------------------------------------- what a table needs


def missing_for_opening(floor: Floor, table: Table, at: int) -> list[Fault]:
    """Every paper, version or notice without which the table may not open at that time; none if it may."""
    return [
        *approval_faults(floor, table.game, at),
        *edition_faults(floor, table, at),
        *(finding.fault() for finding in equipment_findings(floor, table, at)),
        *_network_faults(floor, table, at),
        *_maker_faults(floor, table, at),
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
    elif all(paper.fields["hash"] != rules_hash(game_id) for paper in approvals):
        faults.append(hash_fault(game_id, approvals[-1]))
    needed = ("agency-approval", "state-concurrence", "supplemental-information") if licence == "tribal" else ()
    for register in needed:
        if not papers_held(floor, register, (game_id,), at):
            message = f"{REGISTERS[register].meaning} is not on file for {game_id}: enter it in {register}"
            faults.append(Fault("no-tribal-paper", register, message))
    if licence == "commercial" and not papers_held(floor, "internal-controls", (game_id, PROPERTY), at):
        message = (
            f"no approved internal controls for {game_id} are on file: have them approved, enter internal-controls"
        )
        faults.append(Fault("no-internal-controls", "internal-controls", message))
    return faults


def hash_fault(game_id: str, approval: Paper) -> Fault:
    """An approval that is bound to other rules than those in force."""
    message = (
        f"{approval.id} approves rules with the hash {approval.fields['hash'][:12]}..., those in force have "
        f"{rules_hash(game_id)[:12]}...: the rules changed, and the change must be approved first"
    )
    return Fault("approval-differs", "game-approval", message)


def equipment_findings(floor: Floor, table: Table, at: int) -> list[equipment.EquipmentFinding]:
    """The pieces at a table that are older than approved, unknown, mixed or missing."""
    return equipment.findings(table, equipment_register(floor, table, at))


def flagged_equipment(floor: Floor, at: int) -> dict[str, list[equipment.EquipmentFinding]]:
    """All tables with equipment that is not as the sheets name it, for the register's list."""
    found = {table.id: equipment_findings(floor, table, at) for table in floor.tables.values()}
    return {table: findings for table, findings in sorted(found.items()) if findings}


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
        component, maker = paper.fields["component"], paper.fields["maker"]
        if not equipment.any_maker(table, register, component):
            made[maker, "layout" if component == "layout" else "equipment"] = None
    faults: list[Fault] = []
    for maker, kind in made:
        held = papers_held(floor, "maker-licence", (maker,), at)
        has = {(p.fields["issuer"], p.fields["document"]) for p in held if kind in p.fields["covers"]}
        for issuer, document in sorted(needed - has):
            message = f"no {document} of the {issuer} for {kind} is on file for {maker}: enter it in maker-licence"
            faults.append(Fault("maker-unlicensed", "maker-licence", message))
    return faults


def _camera_faults(floor: Floor, table: Table, at: int) -> list[Fault]:
    """What surveillance should see of the table and has not declared to see."""
    components = {p.fields["component"] for p in papers_held(floor, "equipment", (table.id, PROPERTY), at)}
    needed = ["table", "cards", "wagers", "tray"]
    needed += ["shuffler"] if table.deal_mode == "shuffler" else []
    needed += ["house-way-display"] if "i-verify" in components or table.cards == "known" else []
    seen = {item for p in papers_held(floor, "surveillance-coverage", (table.id,), at) for item in p.fields["sees"]}
    unseen = [item for item in needed if item not in seen]
    if not unseen:
        return []
    message = f"surveillance has not declared to see {', '.join(unseen)} at {table.id}: enter surveillance-coverage"
    return [Fault("not-on-camera", "surveillance-coverage", message)]


def _software_faults(floor: Floor, table: Table, at: int) -> list[Fault]:
    """An approval that names another version of this program than the one that runs."""
    named = {
        paper.fields["software"]
        for paper in papers_held(floor, "game-approval", (table.game,), at)
        if "software" in paper.fields
    }
    if not named or __version__ in named:
        return []
    message = f"the approval names version {', '.join(sorted(named))}, this is {__version__}: have the change recorded"
    return [Fault("software-differs", "game-approval", message)]
