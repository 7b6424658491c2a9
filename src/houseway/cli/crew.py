"""Which tasks a crew can do under the two-person rules, and what it lacks: shown by `houseway setup`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Final, NamedTuple

from houseway.manager.interface.field_types import MACHINES, SUPERVISING, WITH_AUTHORITY


class CrewMember(NamedTuple):
    """A person as far as the two-person rules look at people."""

    id: str
    department: str
    roles: frozenset[str]

    def has(self, *roles: str) -> bool:
        """Whether the person has one of the roles."""
        return not self.roles.isdisjoint(roles)


class CrewTask(NamedTuple):
    """A task, how many people it takes, who they are, which people can be they, and what the others must leave open."""

    what: str
    takes: str
    size: int
    fits: Callable[..., bool]
    others_can: Callable[[Sequence[CrewMember], tuple[CrewMember, ...]], bool] = lambda _crew, _some: True


def _confirms(first: CrewMember, second: CrewMember) -> bool:
    return second.has(*WITH_AUTHORITY) and first.department != second.department


def _registers(first: CrewMember, second: CrewMember) -> bool:
    return first.has(*MACHINES) and _confirms(first, second)


def _hires(first: CrewMember, second: CrewMember) -> bool:
    return first.has(*SUPERVISING) and _confirms(first, second)


def _opens(first: CrewMember, second: CrewMember) -> bool:
    return first.has("dealer", "cage", *SUPERVISING) and second.has(*SUPERVISING)


def _pays(dealer: CrewMember, payer: CrewMember) -> bool:
    return dealer.has("dealer") and payer.has("executive")


def _pays_verified(dealer: CrewMember, payer: CrewMember, watcher: CrewMember) -> bool:
    return _pays(dealer, payer) and watcher.has("surveillance")


def _registered_by_others(crew: Sequence[CrewMember], some: tuple[CrewMember, ...]) -> bool:
    """Whether two can register the controller who neither pay nor verify there; the dealer may be one of them."""
    _, *barred = some
    return any(_registers(*pair) for pair in permutations([each for each in crew if each not in barred], 2))


TASKS: Final = (
    CrewTask(
        "register people", "a supervisor or executive, and somebody with authority from another department", 2, _hires,
    ),
    CrewTask(
        "register devices", "a technician or executive, and somebody with authority from another department", 2,
        _registers,
    ),
    CrewTask("open and close tables", "somebody of pit or cage, and a supervisor or executive", 2, _opens),
    CrewTask("deal", "a dealer", 1, lambda dealer: dealer.has("dealer")),
    CrewTask("declare what cameras see", "surveillance", 1, lambda watcher: watcher.has("surveillance")),
    CrewTask(
        "pay any jackpot",
        "a dealer, and an executive and surveillance who did not register the table's controller", 3,
        _pays_verified, _registered_by_others,
    ),
)  # fmt: skip
"""What a room does that the rules give to certain people. Nothing that takes two is ever done by one."""

SMALLEST: Final = (
    "Nobody sets up a room alone. Three people are the least: an executive; a supervisor who also deals, from another "
    "department; and surveillance, which declares what it sees of the table. They open a table and deal at it. "
    "Jackpots above the threshold also take an executive who did not register the table's controller, so a room that "
    "pays every jackpot has four or more."
)


def who_can(task: CrewTask, crew: Sequence[CrewMember]) -> tuple[CrewMember, ...] | None:
    """People of the crew who can do a task together; None where there are none.

    >>> executive = CrewMember("E1", "management", frozenset({"executive"}))
    >>> who_can(TASKS[0], [executive]) is None
    True
    """
    able = (some for some in permutations(crew, task.size) if task.fits(*some))
    return next((some for some in able if task.others_can(crew, some)), None)


def crew_lines(crew: Sequence[CrewMember]) -> list[str]:
    """Task by task, who can do it, or what is missing."""
    lines = []
    for task in TASKS:
        found = who_can(task, crew)
        told = (
            f"yes, for example {' with '.join(each.id for each in found)}"
            if found
            else f"not yet: it takes {task.takes}"
        )
        lines.append(f"{task.what}: {told}")
    return lines
