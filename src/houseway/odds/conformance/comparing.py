"""What an exact figure makes of a print: equal to its digits by rounding, by truncation only, or not at all."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, TypeAlias

from houseway.paytables import PrintedFigure

Comparison: TypeAlias = Literal["matches", "matches-truncated", "discrepancy"]


def compare(exact: Fraction, printed: PrintedFigure) -> Comparison:
    """Whether rounding, or only truncation, of an exact share to the printed digits gives the print."""
    digits = len(printed.percent_text.removesuffix("%").partition(".")[2])
    scale = 100 * 10**digits
    shown, scaled = printed.fraction * scale, exact * scale
    # Half a printed digit may be rounded either way: nothing says which way a sheet goes.
    if abs(scaled - shown) <= Fraction(1, 2):
        return "matches"
    return "matches-truncated" if int(scaled) == shown else "discrepancy"


def gives(exact: Fraction, printed: PrintedFigure) -> bool:
    """Whether a figure gives the print in either way."""
    return compare(exact, printed) != "discrepancy"
