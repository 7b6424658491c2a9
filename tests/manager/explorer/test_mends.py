"""Attacks by one person, each stopped by one piece of the manager: without that piece the explorer finds the attack."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from houseway.manager.core import authority
from houseway.manager.explorer import SCENARIOS, Exploration
from houseway.manager.explorer.long_mode import outcome


def _nothing(*_: Any, **__: Any) -> None:
    return None


def _own_badge_passes(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(authority, "refuse_own_badge", _nothing)


ONE_AT_A_ROUND = {
    f"one-person {kind}" for kind in ("jackpot.reject", "round.void", "round.correct", "round.reopen", "round.hold")
}
ONE_IN_THE_HOUSE = {
    f"one-person {kind}" for kind in ("table.close", "tray.fill", "drop.count", "link.stop", "table.open")
}
MENDS: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], str, int, set[str]]] = {
    "the own badge as second person's": (_own_badge_passes, "rounds", 3, ONE_AT_A_ROUND),
    "the own badge with the key": (_own_badge_passes, "keys", 3, {"one-person key.turn"}),
    "the own badge in the house": (_own_badge_passes, "house", 2, ONE_IN_THE_HOUSE),
}


@pytest.mark.parametrize("name", MENDS, ids=lambda name: name.replace(" ", "-"))
def test_without_its_mend_an_attack_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    take_out, scenario, depth, rules = MENDS[name]
    search = Exploration(SCENARIOS[scenario])
    search.run(depth=depth)
    assert not rules & search.findings.keys(), outcome(search)
    search = Exploration(SCENARIOS[scenario])
    take_out(monkeypatch)
    search.run(depth=depth)
    assert rules <= search.findings.keys(), outcome(search)
    assert all(len(search.findings[rule].path) <= depth for rule in rules)
