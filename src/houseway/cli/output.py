"""Printing: JSON on one line for programs, text for people, faults in the place where each looks for them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
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
        sys.stderr.write(f"houseway: {printable(message)}\n")


def printable(text: str) -> str:
    """The text without control characters: input is echoed, and must not steer the terminal."""
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in text)


def console() -> Console:
    """The console for text output; in a file or a pipe lines may be longer than a terminal's."""
    from rich.console import Console

    is_terminal = sys.stdout.isatty()
    width = None if is_terminal or os.environ.get("COLUMNS") else WIDTH_WITHOUT_TERMINAL
    return Console(width=width, highlight=False, markup=False, emoji=False)


def print_text(*parts: RenderableType) -> None:
    """Print text, tables or other renderables for people."""
    out = console()
    for part in parts:
        out.print(part)


def dollars(cents: int) -> str:
    """An amount for people: $1,234.50, with a minus in front where it is one.

    >>> dollars(123450), dollars(-5)
    ('$1,234.50', '-$0.05')
    """
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}${whole:,}.{rest:02d}"
