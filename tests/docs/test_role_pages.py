"""docs/roles: a page for every role, whose commands exist with these options and may be given by that role."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import get_args

import pytest
from cyclopts import CycloptsError

from houseway.cli.app import build_app
from houseway.cli.command_options import options_of
from houseway.cli.room_commands import GROUPS, TYPED_APART, kinds_for_people, place_of
from houseway.manager.commands import AUTHORITY, COMMANDS
from houseway.manager.controller.key_words import COMMON_WORDS, OWN_WORDS
from houseway.manager.controller.reasons import said
from houseway.manager.core.roles import PRACTISING, ROLES
from houseway.manager.core.table_entities import MisdealCause
from houseway.manager.reports.report_list import REPORTS

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = {
    "dealer": {"dealer", "supervisor"},
    "supervisor": {"supervisor", "manager"},
    "executive": {"executive"},
    "cage-and-accounting": {"cage", "accounting", "supervisor"},
    "surveillance": {"surveillance"},
    "auditor-and-regulator": {"auditor", "regulator"},
    "technician": {"technician", "manager", "executive"},
}
"""By page the roles whose work it tells; who works with them at the same task is among them."""
KINDS = {place_of(kind): kind for kind in kinds_for_people()}


def commands_of(page: Path) -> list[str]:
    return re.findall(r"`(houseway [^`]+)`", page.read_text(encoding="utf-8"))


WRITTEN = [
    (page.stem, command)
    for folder in ("roles", "tutorial")
    for page in sorted((DOCS / folder).glob("*.md"))
    for command in commands_of(page)
]


PROCEDURES = DOCS / "guides" / "when-things-go-wrong.md"
STEPS = re.findall(r"^ {4,}(houseway .+)$", PROCEDURES.read_text(encoding="utf-8"), re.MULTILINE)


def test_every_role_has_its_page() -> None:
    assert set(PAGES) == {page.stem for page in (DOCS / "roles").glob("*.md")}
    assert set.union(*PAGES.values()) == set(ROLES) - PRACTISING


@pytest.mark.parametrize(("page", "command"), [*WRITTEN, *((PROCEDURES.stem, step) for step in STEPS)])
def test_a_command_is_there_with_its_options(page: str, command: str) -> None:
    words = shlex.split(command)[1:]
    app = build_app()
    if not any(word.startswith("-") for word in words) and len(words) <= 2 and page not in PAGES:
        # A page that only names a command: what it needs stands where the page leads.
        app = app[words[0]]
        assert len(words) == 1 or words[0] == "report" or words[1] in app or words[0] == "setup"
        return
    try:
        app.parse_args(words, print_error=False, exit_on_error=False)
    except CycloptsError as error:
        pytest.fail(f"{command}: {error}")


@pytest.mark.parametrize(("page", "command"), [each for each in WRITTEN if each[0] in PAGES])
def test_the_role_may_give_it(page: str, command: str) -> None:
    group, verb, *_ = [*shlex.split(command)[1:], ""]
    kind = "change.propose" if (group, verb) == ("change", "propose") else KINDS.get((group, verb))
    if group in GROUPS and kind is not None:
        assert AUTHORITY[COMMANDS[kind]].roles & PAGES[page], (kind, AUTHORITY[COMMANDS[kind]].roles)


@pytest.mark.parametrize(
    ("page", "command"),
    [*(each for each in WRITTEN if each[0] in PAGES), *((PROCEDURES.stem, step) for step in STEPS)],
)
def test_nothing_that_it_needs_is_left_out(page: str, command: str) -> None:
    group, verb, *words = [*shlex.split(command)[1:], ""]
    if group == "report" and verb not in ("list", "schema", "books"):
        assert verb in REPORTS
    kind = KINDS.get((group, verb))
    if kind is None or kind in TYPED_APART:
        return
    for option in options_of(COMMANDS[kind]):
        if option.required:
            told = (
                words[0] if option.is_argument else f" --{option.path}" in command or f" --no-{option.path}" in command
            )
            assert told, option.name


@pytest.mark.parametrize("step", STEPS)
def test_a_supervisor_may_take_every_step_of_a_procedure(step: str) -> None:
    group, verb, *_ = [*shlex.split(step)[1:], ""]
    kind = KINDS.get((group, verb))
    assert kind is None or AUTHORITY[COMMANDS[kind]].roles & PAGES["supervisor"], kind


def test_every_cause_of_a_misdeal_has_its_procedure() -> None:
    told = PROCEDURES.read_text(encoding="utf-8")
    assert len(STEPS) > 12
    keys = set(re.findall(r"\d ([a-z]+ [a-z]+)", told))
    assert {said(cause) for cause in get_args(MisdealCause)} - {"short deck"} <= keys


def test_the_dealer_s_page_names_the_keys_that_there_are() -> None:
    told = set(re.findall(r"`([A-Z][A-Z ]+)`", (DOCS / "roles" / "dealer.md").read_text(encoding="utf-8")))
    known = {*COMMON_WORDS, *OWN_WORDS["nexus-2"]}
    assert told <= known
    assert known - told <= {"REASON", "TRAY PAYS", "SEEN"}, "keys that the display itself asks for"
