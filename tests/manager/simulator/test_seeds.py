"""Seeds: rooms that play by themselves under the independent checker, and all of them together meet everything."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from instruments.simulator import run_seed, run_seeds

QUICK = 50
MANY = 1_000


def test_the_first_seeds_are_fine() -> None:
    report = run_seeds(range(QUICK))
    assert not report.failures, str(report)
    assert report.seeds == QUICK


@pytest.mark.slow
def test_a_thousand_seeds_are_fine_and_meet_everything() -> None:
    report = run_seeds(range(MANY))
    assert not report.failures, str(report)
    assert report.missing == []


def test_a_seed_makes_the_same_journal_again() -> None:
    assert [run_seed(seed).head for seed in (7, 8)] == [run_seed(seed).head for seed in (7, 8)]
    assert run_seed(7).head != run_seed(8).head


def test_a_seed_makes_the_same_journal_in_another_process() -> None:
    script = "from instruments.simulator import run_seed; print(run_seed(11).head)"
    heads = [
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": salt},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for salt in ("1", "2")
    ]
    assert heads == [run_seed(11).head] * 2


def test_a_longer_run_of_a_seed_begins_alike() -> None:
    short, long = run_seed(3, steps=40), run_seed(3, steps=80)
    assert sum(long.accepted.values()) > sum(short.accepted.values())
