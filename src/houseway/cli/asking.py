"""Asking whoever sits at the terminal: for a yes, or for a word."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, overload

from houseway.api.arguments import Arguments
from houseway.cli.output import print_problem, print_text, printable
from houseway.errors import InputError


def has_terminal() -> bool:
    """Whether there is somebody to ask."""
    return sys.stdin is not None and sys.stdin.isatty()


def confirm(question: str) -> None:
    """Ask whether to go on; refused where there is nobody to ask, and where the answer is not yes."""
    if not has_terminal():
        raise InputError.of("missing-argument", "yes", "there is nobody to ask: give --yes, or run this in a terminal")
    if answer(f"{question} [yes/no] ") not in {"yes", "y"}:
        raise InputError.of("not-confirmed", "yes", "nothing was sent")


def answer(question: str) -> str:
    """What is answered to a question, in small letters."""
    print_text(question)
    return sys.stdin.readline().strip().lower()


def _line(prompt: str) -> str:
    """A line that is typed; InputError where the input has ended."""
    sys.stdout.write(printable(prompt))
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line:
        raise InputError.of("not-confirmed", "", "the input ended: what was entered so far stays")
    return line.strip()


ReadT = TypeVar("ReadT")


@overload
def ask(
    question: str, *, default: str = "", choices: Sequence[str] = (), several: Sequence[str] = (), read: None = None
) -> str: ...


@overload
def ask(
    question: str,
    *,
    default: str = "",
    choices: Sequence[str] = (),
    several: Sequence[str] = (),
    read: Callable[[Arguments, str], ReadT | None],
) -> ReadT: ...


def ask(
    question: str,
    *,
    default: str = "",
    choices: Sequence[str] = (),
    several: Sequence[str] = (),
    read: Callable[[Arguments, str], Any] | None = None,
) -> Any:
    """Ask until the answer can be read; a list is answered by a word of it, or by its number."""
    for number, choice in enumerate(choices, 1):
        print_text(printable(f"    {number} {choice}"))
    if several:
        print_text(printable(f"    {', '.join(several)}"))
    hint = f" [{default}]" if default else ""
    while True:
        text = _line(f"{question}{hint}: ") or default
        arguments = Arguments()
        value = _read_answer(arguments, text, choices, several, read)
        if not arguments.any:
            return value
        for fault in arguments.found():
            print_problem(fault.message)


def _read_answer(
    arguments: Arguments,
    text: str,
    choices: Sequence[str],
    several: Sequence[str],
    read: Callable[[Arguments, str], Any] | None,
) -> Any:  # noqa: ANN401 - what the reader makes of it
    if not text:
        arguments.add("missing-argument", "", "an answer is needed here")
        return None
    if read is not None:
        return read(arguments, text)
    if choices:
        by_number = text.isdecimal() and 0 < int(text) <= len(choices) and text not in choices
        return choices[int(text) - 1] if by_number else arguments.choice(text, choices, "")
    if several:
        return ",".join(arguments.choice(word, several, "") or "" for word in text.replace(",", " ").split())
    return text


def ask_yes(question: str, *, default: bool) -> bool:
    """Ask for a yes or a no."""
    return ask(question, default="yes" if default else "no", read=_read_yes)


def _read_yes(arguments: Arguments, text: str) -> bool | None:
    """A yes or a no; anything else is asked again, since a slip must not pass for a no."""
    word = text.lower()
    if word not in {"yes", "y", "no", "n"}:
        arguments.add("not-confirmed", "", f"{text[:40]!r} is neither yes nor no: answer yes or no")
        return None
    return word in {"yes", "y"}


def ask_badge(whose: str, drawn: Callable[[], str] | None = None) -> str:
    """A badge, typed or read by a reader that types, without being shown; where it may be drawn, Enter draws one."""
    while True:
        badge = getpass.getpass(f"  {whose}{' (Enter draws one)' if drawn else ''}: ").strip()
        if badge:
            return badge
        if drawn is not None:
            badge = drawn()
            print_text(f"  {whose}, shown once: {badge}")
            return badge
