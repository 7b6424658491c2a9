"""A case per clause, and the proof that each case can fail.

A case is a function of assertions, registered for one or more clauses together with switches that put the rule out of
force. The case must pass, and with any one of its switches thrown it must fail: a test that no change of the rule can
break proves nothing. A switch replaces the piece of code or data that carries the clause, for the time of one call.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

import pytest

Switch = Callable[[pytest.MonkeyPatch], None]


@dataclass(frozen=True)
class Case:
    """What a clause demands, as assertions, and the switches that break it."""

    clause: str
    check: Callable[[], None]
    switches: tuple[Switch, ...]

    @property
    def id(self) -> str:
        return f"{self.clause}-{self.check.__name__}"


CASES: list[Case] = []


def rule(*clauses: str, off: Switch | tuple[Switch, ...]) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Register a case for clauses, with the switch (or switches) that must make it fail."""
    switches = off if isinstance(off, tuple) else (off,)

    def register(check: Callable[[], None]) -> Callable[[], None]:
        CASES.extend(Case(clause, check, switches) for clause in clauses)
        return check

    return register


def replaced(target: str, value: object) -> Switch:
    """A switch that replaces `package.module.name` by a value.

    Name the place where the rule is looked up: a function that a module imported by name is replaced in that module.
    """

    owner, name = target.rsplit(".", 1)

    def throw(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(_resolved(owner), name, value)

    return throw


def _resolved(path: str) -> object:
    """A module, or a class in one. Modules come first: `houseway.games.settle` as an attribute is the function."""
    try:
        return import_module(path)
    except ModuleNotFoundError:
        module, name = path.rsplit(".", 1)
        return getattr(import_module(module), name)
