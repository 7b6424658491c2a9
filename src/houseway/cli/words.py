"""Values as people read them: amounts in dollars, times of the place, lists and faults instead of raw numbers.

The one place where a field of the manager becomes text, for `audit` and `manager` alike. Programs (`--json`) get the
exact integers.
"""

from __future__ import annotations

from typing import Any, Final

from houseway.cli.times import time_text
from houseway.wording import dollars, micro_dollars

CENTS: Final = frozenset(
    {
        "cents", "wager", "seed", "limit", "executive_from", "fixed_supervisor_from", "prizes",
        "opening", "highest_wager", "surveillance_threshold", "withholding_above", "largest_contribution", "wagers",
        "pays", "envy", "envy_paid", "envy_taken_back", "taken_back", "raised", "limits", "stake", "returned",
        "commission", "commission_minimum", "dealer_stake", "form_from", "check_from", "withheld",
    }
)  # fmt: skip
"""Fields that hold cents, beside those whose names end so; the unit of a field of amounts holds for all in it."""
MICROS: Final = frozenset({"money", "paid", "meter", "micros", "balance"})
"""Fields that hold millionths of a dollar, beside those whose names end so."""
TIMES: Final = frozenset({"at", "since", "until", "now", "check_by", "kept_until"})
"""Fields that hold times, beside those whose names end with `_at` or `_since`."""
_COUNTS: Final = frozenset({"seat", "seats", "percent", "rounds", "version"})
"""Fields that hold no amounts even within a field of amounts."""
_AMOUNT_ENDS: Final = ("_cents", "_micros")
_TIME_ENDS: Final = ("_at", "_since")
_LEAST_TIME: Final = 10**14
"""Microseconds in 1973: a smaller number under one of these names is not a time of a journal."""


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
        f"{name} {words(value, read_as(fields, name))}"
        for name, value in fields.items()
        if name not in left_out and value not in (None, "", {}, [])
    )


def read_as(fields: dict[str, Any], name: str) -> str:
    """By which name a field is read: the value of a setting by the setting's own.

    >>> read_as({"name": "surveillance_threshold", "value": 300_000}, "value"), read_as({"value": 1}, "value")
    ('surveillance_threshold', 'value')
    """
    setting = fields.get("name", fields.get("setting"))
    return setting if name == "value" and isinstance(setting, str) else name


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
        parts = ((part, each, part_name(name, read_as(value, part))) for part, each in value.items())
        return "{" + ", ".join(f"{part} {words(each, read)}" for part, each, read in parts) + "}"
    if isinstance(value, list | tuple):
        # The fields of a record tell themselves what they are; plain amounts are told by the list's name.
        return "[" + ", ".join(words(each, "" if isinstance(each, dict) else name) for each in value) + "]"
    return _number(value, name) if isinstance(value, int) else str(value)


def part_name(name: str, part: str) -> str:
    """By which name a part of a field is read: in a field of amounts by that field's, unless its own names the unit.

    Only `_cents` and `_micros` name one: within amounts, `seed` is the amount of a seed in the unit of all of them.

    >>> words({"main": {"seed_micros": 1_000_000, "carried": 100}}, "opening")
    '{main {seed_micros $1.00, carried $1.00}}'
    >>> words({"main": {"meter": 1_500_000, "seed": 1_000_000}}, "money")
    '{main {meter $1.50, seed $1.00}}'
    """
    tells_itself = part.endswith(_AMOUNT_ENDS) or is_time(part) or part in _COUNTS
    return name if is_amount(name) and not tells_itself else part


def is_amount(name: str) -> bool:
    """Whether a field of that name holds money."""
    return name in MICROS or name in CENTS or name.endswith(_AMOUNT_ENDS)


def is_time(name: str) -> bool:
    """Whether a field of that name holds a time."""
    return name in TIMES or name.endswith(_TIME_ENDS)


def _number(value: int, name: str) -> str:
    if is_time(name) and value >= _LEAST_TIME:
        return time_text(value)
    if name.endswith(_TIME_ENDS) and value == 0:
        return "never"
    if name in MICROS or name.endswith("_micros"):
        return micro_dollars(value)
    return dollars(value) if is_amount(name) else str(value)
