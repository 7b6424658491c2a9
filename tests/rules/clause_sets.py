"""One case for clauses of several sheets that say the same, each with what its own sheet brings to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from tests.rules.harness import Switch, rule

Own = TypeVar("Own")
Check = Callable[[Own], None]


def on_each(clauses: Mapping[str, Own], off: Switch | tuple[Switch, ...]) -> Callable[[Check[Own]], Check[Own]]:
    """Register a case for every clause, called with what the clause's own sheet brings: games, tables, versions."""

    def register(check: Check[Own]) -> Check[Own]:
        for clause, own in clauses.items():
            rule(clause, off=off)(_with(check, own))
        return check

    return register


def _with(check: Check[Own], own: Own) -> Callable[[], None]:
    def case() -> None:
        check(own)

    case.__name__ = check.__name__
    return case
