"""Values as they stand on paper: amounts, times by the clocks of the property, people by id and name, cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from houseway.manager.core.gaming_day import local_time
from houseway.manager.core.slip_marks import NOT_A_SLIP
from houseway.manager.printing.forms import FormField, Tone
from houseway.manager.views.slip_views import SlipPrintView
from houseway.wording import dollars, micro_dollars

_SUITS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
LICENCES: Final = {"commercial": "Commercial card room licence", "tribal": "Tribal gaming licence"}


def marks_on_paper(is_void: bool, printed: SlipPrintView | None) -> tuple[str, ...]:
    """The marks of a print, or of no print at all; VOID too where the slip was voided since the print."""
    marks = (NOT_A_SLIP,) if printed is None else printed.marks
    return ("VOID", *marks) if is_void and "VOID" not in marks else marks


def when(at: int | None, zone: str) -> str:
    """A time to the second, with the name of its zone."""
    return "" if at is None else local_time(at, zone).strftime("%Y-%m-%d %H:%M:%S %Z")


def card(text: str) -> str:
    """A card as people write it.

    >>> card("Th"), card("Jk")
    ('10♥', 'Joker')
    """
    if text == "Jk":
        return "Joker"
    return text[:-1].replace("T", "10") + _SUITS[text[-1]]


def person(id_: str | None, names: Mapping[str, str]) -> str:
    """A person by id and name."""
    if not id_:
        return ""
    name = names.get(id_, id_)
    return id_ if name == id_ else f"{name} ({id_})"


def grouped(digits: str) -> str:
    """A long row of digits in groups that people can compare and lines can break between.

    >>> grouped("0123456789abcdef0")
    '01234567 89abcdef 0'
    """
    return " ".join(digits[place : place + 8] for place in range(0, len(digits), 8))


def money(label: str, cents: int, tone: Tone = "plain") -> FormField:
    """An amount in cents."""
    return FormField(label, dollars(cents), tone)


def millionths(label: str, micros: int) -> FormField:
    """An amount in millionths of a dollar."""
    return FormField(label, micro_dollars(micros))


def told(label: str, value: str | None, empty: str = "none") -> FormField:
    """A text, or a word for its absence: only what people add by hand is left empty."""
    return FormField(label, value or empty)
