"""Every scenario, as deep as the time of a test run allows: no rule is broken in any state."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Paper
from instruments.explorer import SCENARIOS, Exploration
from instruments.explorer.long_mode import outcome

EASY = 2
"""So many commands less in a quick run."""


def explored(name: str, depth: int) -> Exploration:
    search = Exploration(SCENARIOS[name])
    search.run(depth=depth)
    return search


_begun: dict[str, Exploration] = {}
"""Searches that came as far as a quick run goes: the whole run goes on with them."""


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_first_states_break_no_rule(name: str) -> None:
    search = _begun[name] = explored(name, SCENARIOS[name].depth - EASY)
    assert not search.findings, outcome(search)
    assert search.depth == SCENARIOS[name].depth - EASY


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENARIOS)
def test_no_state_breaks_a_rule(name: str, record_property: Callable[[str, object], None]) -> None:
    search = _begun.pop(name, None) or Exploration(SCENARIOS[name])
    search.run(depth=SCENARIOS[name].depth)
    record_property("tells", f"explored {outcome(search).splitlines()[0]}")
    assert not search.findings, outcome(search)
    assert search.depth == SCENARIOS[name].depth


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_search_is_the_same_again(name: str) -> None:
    one, other = explored(name, 2), explored(name, 2)
    assert list(one.keys) == list(other.keys)
    assert one.states > 20


def test_a_fork_shares_no_index_of_papers() -> None:
    floor = Floor()
    floor.put("paper", "P1", Paper("P1", "incident", "T1", {}, 0, None, "SU"))
    forked = floor.branched()
    forked.put("paper", "P2", Paper("P2", "incident", "T1", {}, 0, None, "AC"))
    assert [paper.id for paper in floor.papers_of("incident")] == ["P1"]
    assert [paper.id for paper in forked.papers_of("incident")] == ["P1", "P2"]
