"""docs/reference/house.md names every setting and every register with its fields, as the program has them."""

from __future__ import annotations

import re
from pathlib import Path

from houseway.manager.core.settings import DEFINITIONS
from houseway.manager.handlers.register_list import REGISTERS

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "reference" / "house.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    part = PAGE.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    listed = (line.strip("|") for line in part.splitlines() if line.startswith("| `"))
    return [[cell.strip() for cell in line.split("|")] for line in listed]


def test_every_setting_is_on_the_page_with_its_meaning() -> None:
    assert [(f"`{name}`", definition.meaning) for name, definition in DEFINITIONS.items()] == [
        (name, meaning) for name, meaning in rows("Settings")
    ]


def test_every_register_is_on_the_page_with_its_fields_and_who_enters_it() -> None:
    found = {row[0].strip("`"): row for row in rows("Registers")}
    assert set(found) == set(REGISTERS)
    for name, register in REGISTERS.items():
        _, meaning, subject, fields, roles = found[name]
        assert (meaning, subject) == (register.meaning, register.subject)
        assert re.findall(r"`([a-z_]+)`", fields) == [*register.fields, *register.optional]
        assert roles == ", ".join(register.roles)
