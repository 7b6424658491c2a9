"""What a printed form holds, however it is written: who, what number, how it is marked, fields, lines to sign."""

from __future__ import annotations

from typing import Literal

import msgspec

Tone = Literal["plain", "strong", "warn"]
"""How a value is shown: as the others, in bold, or as one that somebody must act on."""


class FormField(msgspec.Struct, frozen=True):
    """A labelled value; an empty one is a line to write on."""

    label: str
    value: str
    tone: Tone = "plain"


class FormBlock(msgspec.Struct, frozen=True):
    """Fields under a heading."""

    title: str
    fields: tuple[FormField, ...]


class FormTable(msgspec.Struct, frozen=True):
    """Rows under a heading; the last columns are numbers."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total: tuple[str, ...] = ()


class FormCode(msgspec.Struct, frozen=True):
    """A QR code with what is said beside it."""

    svg: str
    about: str


class Form(msgspec.Struct, frozen=True):
    """A form that fits on one page."""

    house: str
    licence: str
    title: str
    number: str
    marks: tuple[str, ...]
    """What stands across the paper, as in ORIGINAL, REPRINT 1, VOID."""
    amount: str
    amount_label: str
    summary: str
    """The form in a sentence, under the amount."""
    blocks: tuple[FormBlock, ...]
    tables: tuple[FormTable, ...]
    signatures: tuple[str, ...]
    """Whose signature goes on which line."""
    proof: tuple[FormField, ...]
    code: FormCode | None
    foot: str

    @property
    def is_void(self) -> bool:
        """Whether it is crossed out."""
        return "VOID" in self.marks
