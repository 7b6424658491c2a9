"""Commands that need no kernel do not pay for one: what a run imports is counted, not timed."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from houseway.games.examples import EXAMPLE_ROUND

HEAVY = {"numpy", "numba", "llvmlite", "scipy"}
LOOK = """
import json, sys
from houseway.cli import main
code = main(json.loads(sys.argv[1]))
print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)
"""


def imported_by(arguments: list[str], indent: int | None = None) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", LOOK, json.dumps(arguments)],
        input=json.dumps(EXAMPLE_ROUND, indent=indent),
        capture_output=True,
        text=True,
        check=True,
    )
    code, modules = json.loads(done.stderr.splitlines()[-1])
    assert code == 0, done.stdout
    return {name.split(".")[0] for name in modules} | set(modules)


@pytest.mark.parametrize(
    "arguments",
    [
        ["games", "--json"],
        ["games"],
        ["clauses", "--json"],
        ["paytable", "FPGP-1", "--json"],
        ["rank", "As Kd Qh Jc Tc 9d 8d", "--json"],
        ["set", "fortune", "As Kd Qh 9c 9d 4s 4h", "--json"],
        ["ways", "--json"],
        ["deal", "fortune", "--json"],
        ["settle", "-", "--json"],
        ["settle", "-"],
        ["demo"],
        ["--help"],
        ["settle", "--help"],
    ],
    ids=" ".join,
)
def test_nothing_heavy_is_imported(arguments: list[str]) -> None:
    assert not imported_by(arguments) & HEAVY


@pytest.mark.parametrize("indent", [None, 2])
def test_json_does_not_load_what_draws_text(indent: int | None) -> None:
    assert "rich" not in imported_by(["settle", "-", "--json"], indent)


def test_ranking_a_hand_does_not_load_the_games() -> None:
    assert "houseway.games" not in imported_by(["rank", "As Kd", "--json"])
