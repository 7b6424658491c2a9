"""The guide to links names every change, reason code, warning and register that there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from houseway.manager.handlers.adjustments import BACK_OUT, REASONS
from houseway.manager.handlers.changes import CHANGES
from houseway.manager.handlers.presets import WARNINGS

ROOT = Path(__file__).resolve().parents[3]
GUIDE = (ROOT / "docs" / "guides" / "progressive-links.md").read_text(encoding="utf-8")
HANDLERS = ROOT / "src" / "houseway" / "manager" / "handlers"


def rows(heading: str) -> dict[str, list[str]]:
    """The table below a heading: its cells by the code in the first one."""
    section = GUIDE.split(f"{heading}\n", 1)[1].split("\n## ")[0].split("\n### ")[0]
    table = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| `")]
    return {
        code: [cell.strip() for cell in cells[1:]] for cells in table for code in re.findall(r"`([^`]+)`", cells[0])
    }


def test_every_change_is_there_with_its_approvers() -> None:
    found = rows("## Change something")
    assert set(found) == set(CHANGES)
    for name, cells in found.items():
        assert cells[-1] == ", ".join(CHANGES[name].approvers)


def test_every_reason_code_is_there() -> None:
    assert set(rows("### Reason codes of adjustments")) == {*REASONS, BACK_OUT}


def test_every_warning_is_there() -> None:
    found = set(rows("### Warnings"))
    assert found == {*WARNINGS, "opens-below-seed", "deposit-due", "account-overdue"}


@pytest.mark.parametrize("module", ["links.py", "parameters.py", "adjustments.py"])
def test_every_register_is_there(module: str) -> None:
    source = (HANDLERS / module).read_text(encoding="utf-8")
    registers = set(re.findall(r'file_paper\(\s*decision,\s*"([^"]+)"', source))
    assert registers
    named = GUIDE.split("## Papers", 1)[1]
    assert not [register for register in registers if f"`{register}`" not in named]
