"""docs/reference/cli.md: its examples give what they show, and it names every command, option, key and setting."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from cyclopts import App

from houseway.cli.app import ROOM, build_app
from houseway.games.table_settings import SETTING_NAMES
from houseway.ranking.hand_names import HAND_NAMES
from tests.cli.runner import call

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "cli.md"
TEXT = PAGE.read_text(encoding="utf-8")
PAGES_WITH_EXAMPLES = (PAGE, ROOT / "README.md", ROOT / "docs" / "guides" / "design-a-pay-table.md")
COMMANDS = [name for name in build_app() if not name.startswith("-") and name not in ROOM]
"""Those of this page; docs/reference/room.md, which is written from the program, has the others."""


def examples() -> list[tuple[str, str]]:
    """Every `$ houseway ...` of the console blocks with the output that is shown under it."""
    found = []
    for page in PAGES_WITH_EXAMPLES:
        for block in re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                if command.startswith("houseway "):
                    found.append((command, output))
    return found


def as_pattern(output: str) -> str:
    """The shown output as a pattern: lines, and in a line any run of blanks, and `...` for whatever was left out."""
    lines = [r"\s+".join(re.escape(word) for word in line.split()) for line in output.strip().splitlines()]
    return r"\s+".join(lines).replace(re.escape("..."), ".*")


@pytest.mark.parametrize(("command", "output"), examples())
def test_an_example_gives_what_it_shows(command: str, output: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    run = call(*shlex.split(command)[1:])
    # Said once on a machine, whichever test comes first.
    told = "".join(line for line in run.err.splitlines(keepends=True) if "Compiling the kernels" not in line)
    assert re.fullmatch(as_pattern(output), (run.out + told).strip(), re.DOTALL), run.out


def test_the_page_has_examples() -> None:
    assert len(examples()) >= 4


def test_every_command_has_its_section() -> None:
    assert sorted(COMMANDS) == sorted(re.findall(r"^## ([a-z]+(?:-[a-z]+)*)$", TEXT, re.MULTILINE))


def parts_of(command: str) -> list[str]:
    """The commands below a command."""
    return [name for name in build_app()[command] if not name.startswith("-")]


def with_parts(app: App, words: list[str]) -> list[list[str]]:
    """A command and all commands below it, by the words that call them."""
    below = [name for name in app if not name.startswith("-")]
    return [words, *(part for name in below for part in with_parts(app[name], [*words, name]))]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_a_command_is_told_in_its_section(command: str) -> None:
    section = re.search(rf"^## {command}$(.*?)(?=^## |\Z)", TEXT, re.DOTALL | re.MULTILINE)
    assert section is not None
    helps = [call(*words, "--help").out for words in with_parts(build_app()[command], [command])]
    offered = set(re.findall(r"(?<!-)--[a-z][a-z-]*", "".join(helps))) - {"--help", "--version"}
    told = set(re.findall(r"(?<!-)--[a-z][a-z-]*", section[1]))
    assert offered == told


@pytest.mark.parametrize(
    ("arguments", "section"),
    [
        (["games", "fortune"], "games"),
        (["clauses", "6cfpgp/rules/7.c"], "clauses"),
        (["paytable", "FPGPP-ML2"], "paytable"),
        (["rank", "As Kd Qh Jc Tc"], "rank"),
        (["set", "fortune", "As Kd Qh 9c 9d 4s 4h"], "set"),
        (["ways", "foxwoods"], "ways"),
        (["deal", "fortune", "--player-entropy", "x"], "deal"),
    ],
)
def test_every_key_of_the_output_is_told(arguments: list[str], section: str) -> None:
    found = re.search(rf"^## {section}$(.*?)(?=^## |\Z)", TEXT, re.DOTALL | re.MULTILINE)
    assert found is not None
    told = set(re.findall(r"`(?:[a-z]+\[\])?\.?([a-z_]+)`", found[1]))
    assert set(call(*arguments, "--json").json) - told - {"game", "dealer", "seats"} == set()


def test_every_setting_and_hand_name_is_told() -> None:
    assert [name for name in SETTING_NAMES if f"`{name}`" not in TEXT] == []
    told = [name for name in HAND_NAMES if f"`{name}`" in TEXT]
    between = {f"{word}-high" for word in ("king", "queen", "jack", "ten", "nine", "eight")}
    below = {f"{word}-high" for word in ("six", "five", "four", "three")}
    assert set(HAND_NAMES) - set(told) <= between | below


def test_the_round_on_the_page_is_the_one_in_the_file() -> None:
    shown = re.search(r"```json\n(.*?)```", TEXT, re.DOTALL)
    assert shown is not None
    assert json.loads(shown[1]) == json.loads((PAGE.parent / "round.json").read_text(encoding="utf-8"))
