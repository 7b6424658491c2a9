"""Texts of strangers as they may stand on record: no store, log or terminal trips over them.

A command's own text is kept as it is or refused. What somebody tried is kept in any case, so it is made fit to keep.
"""

from __future__ import annotations

import re
from typing import Final

LONGEST_ON_RECORD: Final = 300
"""Characters of a stranger's text that are kept."""
_NUL: Final = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
"""The escape of the character NUL in a JSON text; behind an escaped backslash the same letters are only letters."""


def on_record(text: str, longest: int = LONGEST_ON_RECORD) -> str:
    r"""A text that every store keeps: what cannot be printed is spelt out, and the rest of a long one is left out.

    >>> on_record("C-T1\x00\x1b[2J")
    'C-T1\\x00\\x1b[2J'
    >>> on_record("x" * 400, 8)
    'xxxxxxxx...'
    """
    cut = text[:longest]
    if not cut.isprintable():
        cut = "".join(one if one.isprintable() else _spelt(one) for one in cut)
    return f"{cut}..." if len(text) > longest else cut


def _spelt(one: str) -> str:
    number = ord(one)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def holds_nul(json_text: str) -> bool:
    r"""Whether a JSON text holds the character NUL, which PostgreSQL keeps in no text.

    >>> holds_nul('"a\\u0000b"'), holds_nul('"a\\\\u0000b"')
    (True, False)
    """
    return "\\u0000" in json_text and _NUL.search(json_text) is not None
