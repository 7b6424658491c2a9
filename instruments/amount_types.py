"""What the type checker must refuse of amounts: where a line below is no longer an error, the check itself fails."""

from __future__ import annotations

from houseway.amounts import Cents, Micros, micros, whole_cents


def mixed_units(cents: Cents, millionths: Micros) -> None:
    """Amounts of two units neither add up nor compare, and one does not stand for the other."""
    millionths + cents  # type: ignore[operator]
    cents - millionths  # type: ignore[operator]
    if cents < millionths:  # type: ignore[operator]
        return
    micros(millionths)  # type: ignore[arg-type]
    whole_cents(cents)  # type: ignore[arg-type]


def bare_numbers(cents: Cents, number: int) -> Cents:
    """A number is not an amount until somebody says of what, and what it is added to is none any more."""
    micros(number)  # type: ignore[arg-type]
    return cents + number  # type: ignore[return-value]
