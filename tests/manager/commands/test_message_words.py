"""Messages speak to people: they name the command of the desk, never the kind by which programs send it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import houseway
from houseway.cli import room_commands
from houseway.cli.room_commands import kinds_for_people, place_of
from houseway.manager.commands import COMMANDS

SOURCES = Path(houseway.__file__).parent
KIND = re.compile(rf"(?<![\w./-])({'|'.join(map(re.escape, COMMANDS))})(?![\w-])")
NAMED = re.compile(r"houseway ([a-z]+) ([a-z-]+)")
OF_PROGRAMS = {
    "cli/db.py": "the very command that is to be sent",
    "cli/http.py": "webhooks are asked for by the kinds of events",
    "cli/manager.py": "manager do takes commands as programs send them",
}
"""Files whose messages are about what programs send, and why."""


def messages(path: Path) -> Iterator[str]:
    """The texts of a source that have several words, without what only documents it."""
    tree = ast.parse(path.read_text("utf-8"))
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in documents and " " in node.value.strip():  # type: ignore[attr-defined]
            yield node.value  # type: ignore[attr-defined]


def texts() -> Iterator[tuple[str, str]]:
    for folder in ("manager", "cli"):
        for path in sorted((SOURCES / folder).rglob("*.py")):
            for text in messages(path):
                yield path.relative_to(SOURCES).as_posix(), text


def test_no_message_names_a_command_as_programs_send_it() -> None:
    found = {(path, text) for path, text in texts() if path not in OF_PROGRAMS and KIND.search(text)}
    assert found == set()


def test_the_commands_that_messages_name_are_there() -> None:
    groups = {place_of(kind)[0] for kind in kinds_for_people()}
    named = {each.groups() for _, text in texts() for each in NAMED.finditer(text) if each[1] in groups}
    assert ("jackpot", "verify") in named
    known = {(group, name) for group in groups for name in room_commands.group(group)}
    assert named <= known
