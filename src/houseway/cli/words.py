"""Values as people read them: amounts in dollars, times of the place, lists and faults instead of raw numbers.

The one place where a field of the manager becomes text, for `audit` and `manager` alike. Programs (`--json`) get the
exact integers.
"""

from __future__ import annotations

from typing import Any, Final

from houseway.cli.output import dollars
from houseway.cli.times import time_text
from houseway.manager.core.money import dollars as micro_dollars

CENTS: Final = frozenset(
    {
        "cents", "wager", "seed", "limit", "supervisor_from", "executive_from", "fixed_supervisor_from", "prizes",
        "opening", "highest_wager", "surveillance_threshold", "withholding_above", "largest_contribution", "wagers",
    }
)  # fmt: skip
"""Fields that hold cents, beside those whose names end so; a field of amounts by name counts for all in it."""
MICROS: Final = frozenset({"money", "paid", "meter", "micros", "balance"})
"""Fields that hold millionths of a dollar, beside those whose names end so."""
TIMES: Final = frozenset({"at", "since", "until", "now"})
"""Fields that hold times, beside those whose names end with `_at`."""
_LEAST_TIME: Final = 10**14
"""Microseconds in 1973: a smaller number under one of these names is no time of a journal."""


def counted(number: int, what: str) -> str:
    """So many of something.

    >>> counted(1, "round"), counted(2_000, "check")
    ('1 round', '2,000 checks')
    """
    return f"{number:,} {what}{'' if number == 1 or what == 'meta' else 's'}"


def said(fields: dict[str, Any], *left_out: str) -> str:
    """Fields with their values in one line; empty ones are left out.

    >>> said({"kind": "x", "cents": 12345, "until": None, "seats": [1, 2]}, "kind")
    'cents $123.45, seats [1, 2]'
    """
    return ", ".join(
        f"{name} {words(value, name)}"
        for name, value in fields.items()
        if name not in left_out and value not in (None, "", {}, [])
    )


def words(value: Any, name: str = "") -> str:  # noqa: ANN401 - plain data
    """A value of a field as people read it.

    >>> words(12_345, "cents"), words(True), words(None), words(5)
    ('$123.45', 'yes', 'none', '5')
    >>> words({"main": {"meter": 1_500_000}}, "money")
    '{main {meter $1.50}}'
    """
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    if isinstance(value, dict):
        if {"code", "message"} <= value.keys():
            return f"{value['message']} [{value['code']}]"
        return "{" + ", ".join(f"{part} {words(each, _part(name, part))}" for part, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(words(each, name) for each in value) + "]"
    return _number(value, name) if isinstance(value, int) else str(value)


def _part(name: str, part: str) -> str:
    """By which name a part of a field is read: amounts by level or seat are told by the field's own."""
    return name if name in MICROS or name in CENTS else part


def _number(value: int, name: str) -> str:
    if (name in TIMES or name.endswith("_at")) and value >= _LEAST_TIME:
        return time_text(value)
    if name.endswith("_at") and value == 0:
        return "never"
    if name in MICROS or name.endswith("_micros"):
        return micro_dollars(value)
    return dollars(value) if name in CENTS or name.endswith("_cents") else str(value)
