"""docs/reference/commands.md is what the commands, the table of authority and the handlers say today."""

from __future__ import annotations

import re
from pathlib import Path

from houseway.manager.commands import AUTHORITY, COMMAND_ANSWERS, COMMANDS
from instruments.commands_page import page

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "commands.md"


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "renew it: scripts/write-commands-page"


def test_every_command_is_there_with_its_fields_and_badges() -> None:
    text = PAGE.read_text(encoding="utf-8")
    sections = {part.split("`", 1)[0]: part for part in text.split("### `")[1:]}
    for kind, command in COMMANDS.items():
        asked, _, told = sections[kind].partition("- Answers: ")
        assert re.findall(r"^\| `(\w+)`", asked, re.MULTILINE) == list(command.__struct_fields__), kind
        assert re.findall(r"^\| `(\w+)`", told, re.MULTILINE) == list(COMMAND_ANSWERS[kind].__struct_fields__), kind
        badges = re.findall(r"^\| `(\w+)`[^|]*\|[^|]*\| badge ", sections[kind], re.MULTILINE)
        assert set(badges) == set(AUTHORITY[command].badges), kind
