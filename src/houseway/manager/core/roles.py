"""The roles of people, and what groups of them have in common: who supervises, approves, registers, only reads.

Which command a role may give stands in `houseway.manager.commands.permissions`; docs/reference/roles.md prints both.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Literal, get_args

Role = Literal[
    "dealer", "supervisor", "manager", "executive", "cage", "accounting", "surveillance", "technician", "auditor",
    "regulator", "player",
]  # fmt: skip
Department = Literal["pit", "surveillance", "cage", "accounting", "engineering", "management", "outside"]

ROLES: Final[tuple[str, ...]] = get_args(Role)

SUPERVISING: Final = ("supervisor", "manager", "executive")
"""Who supervises a table: their badge is a supervisor's where the sheets ask for one."""
CONTROLS: Final = ("dealer", *SUPERVISING)
"""Who works a table's controls."""
OFFICE: Final = (*SUPERVISING, "accounting")
"""Who runs links, and may propose a change that two departments agree on."""
APPROVING: Final = ("executive", "accounting")
"""Whose badge approves a change."""
MACHINES: Final = ("technician", "manager", "executive")
"""Who registers and retires devices."""

WITH_AUTHORITY: Final = frozenset({*OFFICE, "surveillance", "cage", "technician"})
"""Roles whose badge opens, pays, approves or configures something."""
BY_TWO: Final = WITH_AUTHORITY | {"dealer"}
"""Roles that are given by two people: those, and the dealer's, since a dealer is one of the two at a jackpot."""
READING: Final = frozenset({"regulator"})
"""Roles that look and change nothing."""
PRACTISING: Final = frozenset({"player"})
"""Roles that only practise: nothing of the house is theirs, not even a sign-in."""
STAFF: Final = tuple(role for role in ROLES if role not in READING | PRACTISING)
"""Everybody who works here."""
PRESENT: Final = tuple(role for role in ROLES if role not in PRACTISING)
"""Everybody who may sign in."""
LOOKING: Final = tuple(role for role in PRESENT if role != "dealer")
"""Who looks into the office: people, devices, papers, proposals, single events."""
ALONE: Final = READING | PRACTISING
"""Roles that go with no other: who looks on, or plays, has no part in what the house does."""
OUTSIDE: Final = ALONE | {"auditor"}
"""Roles of people from outside the house; nobody else is from there, since two departments must agree."""


def misfit(roles: Collection[str], department: str) -> str | None:
    """Why these roles cannot be one person's, or not in that department; None where they can."""
    alone = sorted(ALONE & set(roles))
    if alone and len(set(roles)) > 1:
        return f"{alone[0]} goes with no other role: who looks on or plays has no part in what the house does"
    inside = sorted(set(roles) - OUTSIDE)
    if department == "outside" and inside:
        return f"{inside[0]} is a role of the house: nobody from outside has it, name the department"
    return None


MEANINGS: Final[dict[str, str]] = {
    "player": "practises, and has no part in what the house does",
    "dealer": "deals at a table and works its controls",
    "supervisor": "supervises tables: the badge beside the dealer's",
    "manager": "runs the shift: what a supervisor may, and devices",
    "executive": "approves changes, pays the largest awards, registers people and devices",
    "cage": "fills, credits, counts and deposits",
    "accounting": "approves changes, keeps the books and the papers",
    "surveillance": "watches: references for large awards, holds",
    "technician": "sets up tables and devices",
    "auditor": "looks, and enters what an audit finds",
    "regulator": "looks at everything and changes nothing",
}
