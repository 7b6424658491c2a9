"""docs/reference/commands.md is what the commands, the table of authority and the handlers say today."""

from __future__ import annotations

import re
from pathlib import Path

from houseway.manager.commands import AUTHORITY, COMMANDS
from houseway.manager.commands.house_commands import ChangeDeck, CloseTable, CountDrop, DealerIn, DealerOut, FillTray
from houseway.manager.commands.round_commands import EndRound, HitJackpot, PayJackpot, PressHand, StartRound
from houseway.manager.core.engine import HANDLERS
from instruments.commands_page import answered, page
from tests.manager.pit import Pit, progressive

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "commands.md"


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "renew it: scripts/write-commands-page"


def test_every_command_is_there_with_its_fields_and_cards() -> None:
    text = PAGE.read_text(encoding="utf-8")
    sections = {part.split("`", 1)[0]: part for part in text.split("### `")[1:]}
    for kind, command in COMMANDS.items():
        fields = re.findall(r"^\| `(\w+)`", sections[kind], re.MULTILINE)
        assert fields == list(command.__struct_fields__), kind
        cards = re.findall(r"^\| `(\w+)`[^|]*\|[^|]*\| card ", sections[kind], re.MULTILINE)
        assert set(cards) == set(AUTHORITY[command].cards), kind


def test_answers_have_no_name_that_the_page_does_not_tell() -> None:
    """A round with an award, a relief, a fill, a count and the end of a day."""
    pit = Pit(progressive())
    done = [
        StartRound("T1", sensors={"1": [2, 5]}), PressHand("T1-1", 5, "four-of-a-kind"), HitJackpot("T1-1"),
        PayJackpot("T1-1/1", "card-S1"), EndRound("T1-1"), DealerOut("T1"), DealerIn("T1", "card-D1"),
        ChangeDeck("T1", "A-1", 53), FillTray("T1", "fill", 500, "slip-1", "card-S1"),
    ]  # fmt: skip
    answers = {type(command): pit.do(command) for command in done}
    answers |= {type(command): pit.do(command, "S1") for command in (
        CountDrop("T1", 100, "card-E1"), CloseTable("T1", 0, 0, "card-E1"),
    )}  # fmt: skip
    for command, answer in answers.items():
        assert set(answer) <= set(answered(HANDLERS[command])), command
        assert answer, command
