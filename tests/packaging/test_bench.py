"""The benchmarks still fit the package: each is a module with a `run`, and the small ones give figures."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

pytest.importorskip("numba")

NAMES = sorted(path.stem for path in (Path(__file__).parents[2] / "bench").glob("*.py"))

pytestmark = pytest.mark.kernels


@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_is_a_module_with_a_run(name: str) -> None:
    assert callable(import_module(f"bench.{name}").run)


def test_settling_gives_figures_for_both_evaluators() -> None:
    figures = import_module("bench.settle").run(rounds=300)
    assert set(figures) == {"kernels", "tables"}
    assert all(figure["rounds_per_second"] > 0 for figure in figures.values())


def test_simulating_gives_figures_of_ours_and_says_where_the_peer_is_missing() -> None:
    figures = import_module("bench.simulate").run(rounds=400)
    peer = figures.pop("pygow-poker")
    assert "missing" in peer or peer["rounds_per_second"] > 0
    speeds = [figure["rounds_per_second"] for name, figure in figures.items() if name != "rounds"]
    assert len(speeds) == 3
    assert all(speed > 0 for speed in speeds)
