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
