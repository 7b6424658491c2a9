"""How the manager writes the numbers of slips: the letters of the series, and at least six digits."""

from __future__ import annotations

import re
from typing import Final

from houseway.manager.core.slip_entities import SERIES

DIGITS: Final = 6
"""A number has at least so many digits, so that slips of a series stand in their order in any list."""
_OWN: Final = re.compile(rf"({'|'.join(SERIES.values())})-([0-9]{{1,18}})", re.IGNORECASE)


def numbered(series: str, number: int) -> str:
    """A number of a series.

    >>> numbered("WIN", 7), numbered("FILL", 1_234_567)
    ('WIN-000007', 'FILL-1234567')
    """
    return f"{series}-{number:0{DIGITS}d}"


def is_own_number(text: str) -> bool:
    """Whether a number is one of those that only the manager gives."""
    return _OWN.fullmatch(text) is not None


def as_numbered(typed: str) -> str:
    """A number as the manager writes it; that of a form printed beforehand as it is.

    >>> as_numbered(" win-7 "), as_numbered("F-1001")
    ('WIN-000007', 'F-1001')
    """
    word = typed.strip()
    found = _OWN.fullmatch(word)
    return word if found is None else numbered(found[1].upper(), int(found[2]))
