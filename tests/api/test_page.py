"""docs/api.md and the README show each task in at most five lines, and the page names everything that is public."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import houseway as hw

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
MOST_LINES = 5
NAMED_IN_RESULTS = {name for name in hw.__all__ if name[0].isupper()} - {
    "AsyncRoom",
    "Room",
    "Seat",
    "InputError",
    "MissingPartError",
}
"""Classes of what the functions return: a program meets them without their names."""


def code_of(block: str) -> list[str]:
    """The lines that somebody types."""
    typed = [line for line in block.splitlines() if line.startswith((">>> ", "... "))]
    return typed or [line for line in block.splitlines() if line.strip()]


@pytest.mark.parametrize("block", BLOCK.findall(PAGE) + BLOCK.findall(README)[:1])
def test_a_task_takes_at_most_five_lines(block: str) -> None:
    assert len(code_of(block)) <= MOST_LINES
    assert "from houseway" not in block


def test_the_readme_begins_with_the_front_door_behind_the_two_commands() -> None:
    assert BLOCK.findall(README)[0].startswith(">>> import houseway as hw\n")
    first_screen = "\n".join(README.splitlines()[:25])
    assert "scripts/run" in first_screen
    assert "scripts/test" in first_screen


def test_the_page_shows_every_public_function() -> None:
    shown = set(re.findall(r"hw\.(\w+)", PAGE))
    assert set(hw.__all__) - NAMED_IN_RESULTS - shown == set()
    assert shown <= set(hw.__all__)


@pytest.mark.slow
@pytest.mark.kernels
def test_the_simulation_on_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("numba")
    code = next(block for block in BLOCK.findall(PAGE) if "hw.simulate" in block)
    exec(compile(code, "docs/api.md", "exec"), {})
    told = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert told == [wager.name for wager in hw.game("fortune").wagers]
