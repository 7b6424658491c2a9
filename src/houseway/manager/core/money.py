"""Millionths of a dollar, and shares of a wager as exact fractions with their remainder carried.

Meters count in millionths because a share of a dollar is seldom a whole cent. A share such as 1/3 of a dollar is no
whole number of millionths either: what is posted is the whole part, and the rest is carried to the next wager of the
same level, so that after any number of wagers the posted total is the exact share of all of them, rounded down.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from re import compile as pattern
from typing import Final

from houseway.amounts import Cents, Micros, micros
from houseway.wording import micro_dollars

LARGEST_CENTS: Final = Cents(10**12)
"""Ten thousand million dollars: amounts above it are slips, and all sums stay far below 64 bits."""
dollars: Final[Callable[[Micros], str]] = micro_dollars
"""An amount for people: the manager counts in millionths."""
_RATE: Final = pattern(r"[0-9]{1,18}(/[0-9]{1,18})?|[0-9]{0,3}\.[0-9]{1,18}")
"""How a share is written. Without bounds a text such as 1e-999999999 would keep a machine busy for hours."""


@lru_cache(maxsize=1024)
def rate(text: str) -> Fraction:
    """A share written as "n/d", "0.215" or "21.5%"; ValueError if it is none or lies outside 0 to 1.

    >>> rate("21.5%"), rate("1/3")
    (Fraction(43, 200), Fraction(1, 3))
    """
    stripped = text.strip()
    digits = stripped.removesuffix("%").strip()
    if not _RATE.fullmatch(digits):
        raise ValueError(f"{text[:40]!r} is not a share")
    found = Fraction(digits) / 100 if stripped.endswith("%") else Fraction(digits)
    if not 0 <= found <= 1:
        raise ValueError(f"{text} is not between 0 and 1")
    return found


def share(amount: Micros, of: Fraction, carried: str) -> tuple[Micros, str]:
    """What a share of an amount posts, and the remainder to carry: exact in sum, never negative in one step.

    >>> share(1_000_000, Fraction(1, 3), "0")
    (333333, '1/3')
    >>> share(1_000_000, Fraction(1, 3), "2/3")
    (333334, '0')
    """
    over, wagered = of.denominator, int(amount)
    if carried == "0":
        due = wagered * of.numerator
    else:
        above, _, below = carried.partition("/")
        if (below or "1") != str(over):
            # The rate has changed since: seldom enough for the long way.
            total = wagered * of + Fraction(carried)
            due, over = total.numerator, total.denominator
        else:
            due = wagered * of.numerator + int(above)
    posted = max(0, due // over)
    rest = due - posted * over
    return Micros(posted), f"{rest}/{over}" if rest else "0"


def remainder_of(before: str, after: str) -> str:
    """How much was added to a carried remainder."""
    return "0" if before == after else str(Fraction(after) - Fraction(before))


def cents_text(cents: Cents) -> str:
    """Cents as dollars and cents for people.

    >>> cents_text(123_450)
    '$1,234.50'
    """
    return dollars(micros(cents))
