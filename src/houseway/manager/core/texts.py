"""Texts of strangers as they may stand on record: no store, log or terminal trips over them.

A command's own text is kept as it is or refused. What somebody tried is kept in any case, so it is made fit to keep.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from houseway.errors import Fault

TO_FILL_IN: Final = "FILL IN"
"""What a draft says where only the room itself knows the words; no register takes it."""
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


def as_json(value: object) -> str | None:
    """Plain data as one text, to be looked through at once; None where it has none, and must be looked at piece by
    piece.
    """
    try:
        return msgspec.json.encode(value).decode()
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError):
        return None


def is_plain(value: object) -> bool:
    r"""Whether plain data shows at one look that it has no `text_faults`; where something must be escaped, it may have.

    >>> is_plain({"name": "Ann", "seats": [1, 2]}), is_plain({"name": "Ann\x1b[2J"}), is_plain(["K\u200bs"])
    (True, False, False)
    """
    text = as_json(value)
    return text is not None and "\\" not in text and text.isprintable()


def text_faults(value: object, path: str) -> Iterator[Fault]:
    r"""The texts within plain data that steer terminals or look like another one.

    Control characters move cursors and change what stands on a screen; marks without width, and other blanks than the
    common one, make two texts look the same.

    >>> [fault.path for fault in text_faults({"name": "Ann\x1b[2J", "cards": ["As", "K\u200bs"]}, "do")]
    ['do.name', 'do.cards[1]']
    >>> [*text_faults({"name": "Zo\u00eb", "reason": "a b"}, "do")]
    []
    """
    if isinstance(value, str):
        if not value.isprintable():
            yield _unprintable(value, path)
    elif isinstance(value, dict):
        for name, inner in value.items():
            if isinstance(name, str) and not name.isprintable():
                yield _unprintable(name, path)
            yield from text_faults(inner, f"{path}.{name}")
    elif isinstance(value, list | tuple):
        for place, inner in enumerate(value):
            yield from text_faults(inner, f"{path}[{place}]")


def _unprintable(text: str, path: str) -> Fault:
    odd = next(one for one in text if not one.isprintable())
    message = (
        f"the text holds the character U+{ord(odd):04X}, which cannot be printed: write letters, digits, marks and "
        "common blanks, on one line"
    )
    return Fault("bad-text", on_record(path, 100), message)


def alike(known: Iterable[str], id_: str) -> str | None:
    """The id among the known ones that people would take for this one: it differs by case or blanks at most.

    >>> alike(["T1", "Dealer 17"], "dealer17"), alike(["T1"], "T2")
    ('Dealer 17', None)
    """
    folded = _folded(id_)
    return next((other for other in known if _folded(other) == folded), None)


def _folded(id_: str) -> str:
    return "".join(id_.split()).casefold()


def _spelt(one: str) -> str:
    number = ord(one)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def holds_nul(json_text: str) -> bool:
    r"""Whether a JSON text holds the character NUL, which PostgreSQL keeps in no text.

    >>> holds_nul('"a\\u0000b"'), holds_nul('"a\\\\u0000b"')
    (True, False)
    """
    return "\\u0000" in json_text and _NUL.search(json_text) is not None
