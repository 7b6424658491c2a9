"""The checker itself: a manager with one mistake in it is found out within a bounded number of seeds."""

from __future__ import annotations

from functools import cache

import pytest

from instruments.simulator import run_seed
from instruments.simulator.checker import CheckError
from tests.manager.simulator.mutants import LIKELY, MUTANTS

SEEDS = 300
"""Seeds within which a mistake must be found; most are found in the first few."""


def failed(seed: int) -> bool:
    """Whether the checker finds something wrong in a seed."""
    try:
        run_seed(seed)
    except CheckError:
        return True
    return False


@cache
def fails_anyway(seed: int) -> bool:
    """Whether a seed fails without any mistake."""
    return failed(seed)


def caught_by(patch: pytest.MonkeyPatch, name: str) -> int | None:
    """A seed that fails with the mistake, the likely one first; without the mistake, the seed must be fine."""
    for seed in (LIKELY[name], *range(SEEDS)):
        with patch.context() as mistaken:
            MUTANTS[name](mistaken)
            caught = failed(seed)
        if caught:
            assert not fails_anyway(seed), f"seed {seed} fails without the mistake too"
            return seed
    return None


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_a_mistake_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert caught_by(monkeypatch, name) is not None, f"nobody noticed in {SEEDS} seeds that {name}"


def test_there_are_enough_mistakes() -> None:
    assert len(MUTANTS) >= 15


QUICK = ("a contribution is a millionth too high", "the second winner of a round is paid the full meter")


@pytest.mark.parametrize("name", QUICK)
def test_two_of_them_in_the_quick_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert caught_by(monkeypatch, name) is not None
