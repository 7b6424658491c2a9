"""Finds the line of a TOML file on which a key of a house way stands, so that a fault can name it.

The standard library's TOML reader keeps no positions. House-way files are flat enough to find them again: headers count
questions and rules, and a key stands at the start of its line. What is written inside an inline table is reported at
the line of the key that holds the table.
"""

from __future__ import annotations

import re
from typing import Final

Place = tuple[str | int, ...]
"""Where a value stands in the file: `("question", 2, "rule", 0, "front")`."""

_ARRAY_HEADER: Final = re.compile(r"\s*\[\[\s*([\w.-]+)\s*\]\]")
_TABLE_HEADER: Final = re.compile(r"\s*\[\s*([\w.-]+)\s*\]")
_KEY: Final = re.compile(r"\s*\"?([\w-]+)\"?\s*[=.]")


def find_lines(text: str) -> dict[Place, int]:
    """The line number of every header and key that can be found."""
    lines: dict[Place, int] = {}
    context: Place = ()
    question = rule = -1
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _ARRAY_HEADER.match(line):
            if header[1] == "question":
                question, rule = question + 1, -1
                context = ("question", question)
            elif header[1] == "question.rule":
                rule += 1
                context = ("question", question, "rule", rule)
            else:
                context = (header[1],)
            lines.setdefault(context, number)
        elif header := _TABLE_HEADER.match(line):
            context = _place_of_table(header[1], question, rule)
            lines.setdefault(context, number)
        elif key := _KEY.match(line):
            lines.setdefault((*context, key[1]), number)
    return lines


def _place_of_table(name: str, question: int, rule: int) -> Place:
    """The place that a table header such as `[question.rule.when]` opens."""
    match name.split("."):
        case ["question", "rule", *rest]:
            return ("question", question, "rule", rule, *rest)
        case ["question", *rest]:
            return ("question", question, *rest)
        case parts:
            return tuple(parts)


def line_of(lines: dict[Place, int], place: Place) -> int:
    """The line of a place, or of the nearest thing around it; 1 if nothing around it was found."""
    while place:
        if place in lines:
            return lines[place]
        place = place[:-1]
    return 1
