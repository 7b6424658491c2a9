"""Printing: JSON on one line for programs, text for people, faults in the place where each looks for them."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from houseway.errors import Fault, InputError

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

JsonFlag = Annotated[
    bool, Parameter(name="--json", negative="", show_default=False, help="Print JSON for programs instead of text.")
]

WIDTH_WITHOUT_TERMINAL: Final = 120
# Made once: streams of rounds print thousands of lines a second.
_ENCODER: Final = json.JSONEncoder(allow_nan=False, check_circular=False)


def to_line(value: object) -> str:
    """A JSON value on one line, in ASCII, so that any reader takes it."""
    return _ENCODER.encode(value)


def print_json(value: object) -> None:
    """Print a JSON value as one line on standard output."""
    sys.stdout.write(to_line(value) + "\n")


def print_faults(faults: Sequence[Fault], as_json: bool) -> None:
    """Tell why something was refused: the error envelope on standard output, or text on standard error."""
    if as_json:
        print_json(InputError(faults).to_json())
        return
    for fault in faults:
        print_problem(f"{fault} [{fault.code}]")


def print_problem(message: str) -> None:
    """Print one line on standard error."""
    if sys.stderr is not None:
        # A full or closed standard error must not change how the run ends.
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(f"houseway: {printable(message)}\n")
            sys.stderr.flush()


def printable(text: str) -> str:
    """The text without control characters: input is echoed, and must not steer the terminal."""
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in text)


def console() -> Console:
    """The console for text output; in a file or a pipe lines may be longer than a terminal's."""
    width = None if _has_width() else WIDTH_WITHOUT_TERMINAL
    return _safe_console()(width=width, highlight=False, markup=False, emoji=False)


@lru_cache(maxsize=1)
def _safe_console() -> type[Console]:
    """A console whose texts steer no terminal: a journal may have been written by anybody."""
    from rich.console import Console, ConsoleOptions
    from rich.segment import Segment

    class SafeConsole(Console):
        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
            for segment in super().render(renderable, options):
                text = segment.text
                if segment.control or text.replace("\n", "").isprintable():
                    yield segment
                else:
                    yield Segment("\n".join(map(printable, text.split("\n"))), segment.style)

    return SafeConsole


def _has_width() -> bool:
    """Whether somebody has said how wide lines may be: a terminal, or the environment."""
    return sys.stdout.isatty() or bool(os.environ.get("COLUMNS"))


def print_listing(rows: Sequence[tuple[str, ...]], last_line: str) -> None:
    """Print many rows in columns, the last one wrapped; a rich table takes half a second for hundreds of rows."""
    width = shutil.get_terminal_size().columns if _has_width() else WIDTH_WITHOUT_TERMINAL
    widths = [max(len(row[column]) for row in rows) + 2 for column in range(len(rows[0]) - 1)] if rows else []
    indent = " " * sum(widths)
    room = max(width - len(indent), 20)
    for row in rows:
        head = "".join(cell.ljust(size) for cell, size in zip(row, widths, strict=False))
        wrapped = textwrap.wrap(row[-1], room) or [""]
        lines = [head + wrapped[0], *(indent + line for line in wrapped[1:])]
        sys.stdout.write("".join(f"{line.rstrip()}\n" for line in lines))
    sys.stdout.write(f"\n{last_line}\n")


def print_text(*parts: RenderableType) -> None:
    """Print text, tables or other renderables for people."""
    out = console()
    for part in parts:
        out.print(part)
