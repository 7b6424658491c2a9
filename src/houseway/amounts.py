"""Amounts of money and their units: cents at the table, millionths of a dollar on meters.

Both are plain whole numbers when the program runs. To the type checker they are types of their own: adding, comparing
or handing over one for the other is an error there, and only `micros` and `whole_cents` lead from one to the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, Literal, TypeVar

if TYPE_CHECKING:
    from typing import Self

    class _Amount(int):
        """What amounts of one unit can do; numbers of pieces and rates are plain numbers."""

        def __add__(self, other: Self, /) -> Self: ...  # type: ignore[override]
        def __sub__(self, other: Self, /) -> Self: ...  # type: ignore[override]
        def __radd__(self, other: Self, /) -> Self: ...  # type: ignore[override]
        def __rsub__(self, other: Self, /) -> Self: ...  # type: ignore[override]
        def __mul__(self, other: int, /) -> Self: ...
        def __rmul__(self, other: int, /) -> Self: ...
        def __floordiv__(self, other: int, /) -> Self: ...
        def __mod__(self, other: int, /) -> Self: ...
        def __neg__(self) -> Self: ...
        def __abs__(self) -> Self: ...
        def __lt__(self, other: Self | Literal[0], /) -> bool: ...  # type: ignore[override]
        def __le__(self, other: Self | Literal[0], /) -> bool: ...  # type: ignore[override]
        def __gt__(self, other: Self | Literal[0], /) -> bool: ...  # type: ignore[override]
        def __ge__(self, other: Self | Literal[0], /) -> bool: ...  # type: ignore[override]

    class Cents(_Amount):
        """An amount in cents."""

    class Micros(_Amount):
        """An amount in millionths of a dollar."""
else:
    Cents = Micros = int

AmountT = TypeVar("AmountT", Cents, Micros)

MICROS_PER_CENT: Final = 10_000
NO_CENTS: Final = Cents(0)
NO_MICROS: Final = Micros(0)


def micros(cents: Cents) -> Micros:
    """Cents as millionths of a dollar.

    >>> micros(Cents(100))
    1000000
    """
    return Micros(cents * MICROS_PER_CENT)


def whole_cents(amount: Micros) -> Cents:
    """The whole cents in an amount of millionths; the rest stays where it is.

    >>> whole_cents(Micros(12_349_999))
    1234
    """
    return Cents(amount // MICROS_PER_CENT)


def total(amounts: Iterable[AmountT]) -> AmountT:
    """The sum of amounts of one unit; nothing where there are none.

    >>> total([Cents(5), Cents(7)]), total([])
    (12, 0)
    """
    return sum(amounts)  # type: ignore[arg-type, return-value]
