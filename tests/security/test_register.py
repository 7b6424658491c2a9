"""The register of attacks names a test for every row, and the test exists."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
REGISTER = ROOT / "docs" / "security.md"
COLUMNS = 5


def rows() -> list[list[str]]:
    """The rows of the register, cell by cell."""
    text = REGISTER.read_text(encoding="utf-8").split("## Register of attacks", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in text.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def fault_of(row: list[str]) -> str | None:
    """What is wrong with a row, if anything."""
    if len(row) != COLUMNS or not all(row):
        return f"{row[0]}: wants {COLUMNS} filled cells, has {len(row)}"
    tests = re.findall(r"`(tests/[^`]+)::(test_\w+)`", row[-1])
    if not tests:
        return f"{row[0]}: names no test"
    for path, name in tests:
        file = ROOT / path
        if not file.exists() or not re.search(
            rf"^\s*(async )?def {name}\(", file.read_text(encoding="utf-8"), re.MULTILINE
        ):
            return f"{row[0]}: there is no {path}::{name}"
    return None


def test_every_attack_has_a_test_that_exists() -> None:
    assert [fault for row in rows() if (fault := fault_of(row))] == []


def test_no_attack_stands_twice() -> None:
    ids = [row[0] for row in rows()]
    assert len(ids) == len(set(ids))


def test_a_row_without_its_test_is_found() -> None:
    assert fault_of(["x", "a", "b", "c", "nothing"]) == "x: names no test"
    assert fault_of(["x", "a", "b", "c", "`tests/security/test_register.py::test_gone`"]) is not None
