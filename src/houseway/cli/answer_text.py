"""The answer of a command as people read it: a line for a value, a list below its name, empty fields left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from houseway.cli.words import part_name, read_as, words

_NOTHING: Final[tuple[object, ...]] = (None, "", {}, [], ())


def answer_lines(answer: Mapping[str, Any], indent: int = 1, within: str = "") -> Iterator[str]:
    """The lines of an answer.

    >>> for line in answer_lines({"table": "T1", "float_cents": 5, "next": ["count a deck down"], "note": None}):
    ...     print(line)
      table: T1
      float: $0.05
      next:
        - count a deck down
    """
    fields = dict(answer)
    space = "  " * indent
    for name, value in fields.items():
        if value in _NOTHING:
            continue
        read = part_name(within, read_as(fields, name))
        title = f"{space}{_title(name)}:"
        if isinstance(value, Mapping) and not {"code", "message"} <= value.keys():
            yield title
            yield from answer_lines(value, indent + 1, read)
        elif isinstance(value, list | tuple) and any(isinstance(each, Mapping | str) for each in value):
            yield title
            yield from _list_lines(value, indent + 1, read)
        else:
            yield f"{title} {words(value, read)}"


def _list_lines(values: list[Any] | tuple[Any, ...], indent: int, read: str) -> Iterator[str]:
    space = "  " * indent
    for value in values:
        if isinstance(value, Mapping) and not {"code", "message"} <= value.keys():
            lines = list(answer_lines(value, indent + 1))
            yield f"{space}- {lines[0].strip()}" if lines else f"{space}-"
            yield from lines[1:]
        else:
            yield f"{space}- {words(value, read)}"


def _title(name: str) -> str:
    """A field's name without its unit, which the value shows."""
    for end in ("_cents", "_micros"):
        name = name.removesuffix(end)
    return name.replace("_", " ")
