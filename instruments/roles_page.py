"""docs/reference/roles.md: which role may give which command and ask which question, written from the program.

The table is what the manager itself looks a command up in; tests/manager/server/test_roles.py tries every cell of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from houseway.manager.commands import AUTHORITY, COMMANDS
from houseway.manager.core.roles import ALONE, APPROVING, BY_TWO, MEANINGS, OUTSIDE, ROLES
from houseway.manager.server.asks import OF_THE_PROTOCOL
from houseway.manager.server.state_messages import FOR_SERVICES, READERS, TOPICS
from houseway.manager.views.floor_questions import QUESTIONS
from instruments.commands_page import SECTIONS

YES: Final = "yes"
NO: Final = "-"
BY_ITSELF: Final = ("controller", "service", "display")
"""Kinds of devices, which say and ask some things without a person."""

HEAD: Final = """# Roles

Who may do what. This page is written from the program (`scripts/write-roles-page`); a test holds them equal, and
another one tries every cell of the tables at a running server. Whatever is not `yes` is refused.

A cell says whether a role may give the command at all. Some commands ask for more: whose round it is, which register,
which amount, and a second person, who is always another one than the first. [Commands](commands.md) has that for each.
A person acts where the badge was read ([who acts](../manager.md#who-acts)); somebody with several roles may do what any
of them may.

"""


def page() -> str:
    """The whole page."""
    return HEAD + _roles() + _commands() + _questions() + _topics()


def _roles() -> str:
    """What each role is for, and who gives it."""
    rows = []
    for role in ROLES:
        given = "two people" if role in BY_TWO else "one person"
        notes = [
            *(["approves changes"] if role in APPROVING else []),
            *(["goes with no other role"] if role in ALONE else []),
            *(["may be from outside"] if role in OUTSIDE else []),
        ]
        rows.append((f"`{role}`", MEANINGS[role], given, "; ".join(notes)))
    return "## The roles\n\n" + _table(("role", "who", "given by", ""), rows)


def _commands() -> str:
    """Every command with every role."""
    said = "`controller` and `service` are devices that say it by themselves (`device:ID`), `itself` is the manager."
    parts = [f"\n## Commands\n\n{said}\n"]
    titles = ("command", *ROLES, "controller", "service", "itself")
    for module, title in SECTIONS.items():
        rows = []
        for kind, command in COMMANDS.items():
            if command.__module__.endswith(f".{module}"):
                authority = AUTHORITY[command]
                cells = [role in authority.roles for role in ROLES]
                cells += [each in authority.devices for each in ("controller", "service")]
                rows.append((f"`{kind}`", *map(_cell, (*cells, authority.manager))))
        parts.append(f"\n### {title}\n\n{_table(titles, rows)}")
    return "".join(parts)


def _questions() -> str:
    """Every question with every role, where it is asked in a person's name, and every kind of device."""
    rows = []
    for name, question in sorted(QUESTIONS.items()):
        cells = [role in question.readers for role in ROLES]
        cells += [kind == "service" or not question.for_services for kind in BY_ITSELF]
        rows.append((f"`{name}`", *map(_cell, cells)))
    told = ", ".join(f"`{name}`" for name in sorted(OF_THE_PROTOCOL))
    text = (
        "\n## Questions\n\nA device asks by itself what its kind may. A question that names a person (`actor` and "
        "`session`, as a command does) is answered only if one of the person's roles may ask it too: what a program "
        f"with users of its own sends along. {told} are for every device: they compare two copies of the journal.\n\n"
    )
    return text + _table(("question", *ROLES, *BY_ITSELF), rows)


def _topics() -> str:
    """Every topic of a subscription."""
    rows = [
        (
            f"`{topic}`",
            *map(_cell, [role in READERS[topic] for role in ROLES]),
            *map(_cell, [kind == "service" or topic not in FOR_SERVICES for kind in BY_ITSELF]),
        )
        for topic in TOPICS
    ]
    said = "A subscription in a person's name ends with the person's session, in the middle of the connection."
    return f"\n## Topics\n\n{said}\n\n" + _table(("topic", *ROLES, *BY_ITSELF), rows)


def _cell(may: bool) -> str:
    return YES if may else NO


def _table(titles: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [titles, ["---"] * len(tuple(titles)), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
