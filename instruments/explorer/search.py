"""Breadth first: all states in the order of the commands that they take, each kept as a key and the step to it.

A state itself is not kept: its parent and the place of its command in the parent's alphabet are enough to come to it
again, and neighbours in the order share their parents. So a million states take some hundred megabytes, a search can be
put into a file and taken up again (`saving`), and the way to whatever is found is the shortest there is.
"""

from __future__ import annotations

import gc
from array import array
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from houseway.errors import InputError
from houseway.manager.core.engine import Envelope
from instruments.explorer.books import Broken
from instruments.explorer.follow import step
from instruments.explorer.scenarios import Scenario
from instruments.explorer.states import State, key_of
from instruments.explorer.ways_out import WaysOut

KEPT: Final = 4_096
"""States that are kept whole for their children."""


@dataclass(frozen=True)
class Finding:
    """A rule that does not hold, how, and the shortest way to it."""

    rule: str
    how: str
    path: tuple[Envelope, ...]


@dataclass
class Exploration:
    """A search of one scenario, as far as it has come."""

    scenario: Scenario
    keys: dict[bytes, int] = field(default_factory=dict)
    parents: array[int] = field(default_factory=lambda: array("l"))
    moves: array[int] = field(default_factory=lambda: array("l"))
    depths: array[int] = field(default_factory=lambda: array("l"))
    expanded: int = 0
    steps: int = 0
    """Commands that were tried."""
    refused: int = 0
    findings: dict[str, Finding] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin with the scenario's first state."""
        self._near: OrderedDict[int, State] = OrderedDict()
        self._first = self.scenario.begin()
        self._ways_out = WaysOut()
        if not self.keys:
            self._add(self._first, -1, -1)

    @property
    def states(self) -> int:
        """Different states that were met."""
        return len(self.keys)

    @property
    def depth(self) -> int:
        """So many commands lead to no state that was not met."""
        return self.depths[-1] if self.is_complete else self.depths[self.expanded]

    @property
    def first(self) -> State:
        """The state that the search began with."""
        return self._first

    @property
    def is_complete(self) -> bool:
        """Whether there is no state left to look at."""
        return self.expanded >= self.states

    def run(
        self,
        depth: int | None = None,
        states: int | None = None,
        until: Callable[[], bool] = lambda: False,
    ) -> None:
        """Go on until all states below a depth are expanded, so many are known, or `until` says so."""
        # States are values without cycles: looking for them after every few thousand steps would only take time.
        gc.disable()
        try:
            while not self.is_complete and not until():
                if depth is not None and self.depths[self.expanded] >= depth:
                    return
                if states is not None and self.states >= states:
                    return
                self._expand(self.expanded)
                self.expanded += 1
        finally:
            gc.enable()

    def _expand(self, number: int) -> None:
        state = self._state(number)
        for place, envelope in enumerate(self.scenario.alphabet(state)):
            self.steps += 1
            try:
                after, broken = step(state, envelope)
            except InputError:
                self.refused += 1
                continue
            except Exception as error:  # noqa: BLE001 - a handler that falls over is what is looked for
                self._found([("crash", f"{type(error).__name__}: {error}")], number, envelope)
                continue
            if broken:
                self._found(broken, number, envelope)
            child = self._add(after, number, place)
            if child is not None:
                self._found(self._ways_out.missing(after), number, envelope)

    def _add(self, state: State, parent: int, place: int) -> int | None:
        """Keep a state that was not met before; its number."""
        key = key_of(state)
        if key in self.keys:
            return None
        number = self.keys[key] = len(self.keys)
        self.parents.append(parent)
        self.moves.append(place)
        self.depths.append(self.depths[parent] + 1 if parent >= 0 else 0)
        return number

    def _state(self, number: int) -> State:
        """A state, by way of its parents."""
        if number == 0:
            return self._first
        if number in self._near:
            self._near.move_to_end(number)
            return self._near[number]
        parent = self._state(self.parents[number])
        state, _ = step(parent, self._envelope(parent, self.moves[number]))
        self._near[number] = state
        if len(self._near) > KEPT:
            self._near.popitem(last=False)
        return state

    def _envelope(self, parent: State, place: int) -> Envelope:
        return next(each for at, each in enumerate(self.scenario.alphabet(parent)) if at == place)

    def _found(self, broken: list[Broken], number: int, envelope: Envelope) -> None:
        for rule, how in broken:
            if rule not in self.findings:
                self.findings[rule] = Finding(rule, how, (*self.path(number), envelope))

    def path(self, number: int) -> tuple[Envelope, ...]:
        """The commands from the first state to a state."""
        steps: list[tuple[int, int]] = []
        while number > 0:
            steps.append((self.parents[number], self.moves[number]))
            number = self.parents[number]
        return tuple(self._envelope(self._state(parent), place) for parent, place in reversed(steps))
