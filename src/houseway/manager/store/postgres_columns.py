"""The values of a column as one parameter of a statement, from which PostgreSQL takes them apart again.

One parameter for all of them costs a fraction of an array that is put together value by value.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from struct import Struct, error
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import psycopg

BETWEEN: Final = "\x1f"
NOTHING: Final = "\x1e"
"""What stands between the texts of a column, and in place of one that is null."""
_WHOLE: Final = frozenset({int})
_BIGINTS: Final = 1016
_BIGINT: Final = 20
"""PostgreSQL's numbers for the types `bigint[]` and `bigint`."""


class WholeNumbers(bytes):
    """An array of 64-bit numbers as PostgreSQL has it on the wire."""


def joined(column: Sequence[Any], *, is_text: bool) -> str | WholeNumbers | None:
    r"""The values of a column in one parameter; None where PostgreSQL could not take them apart.

    >>> joined(("a", None), is_text=True), joined((1, None, 3), is_text=False)
    ('a\x1f\x1e', '{1,NULL,3}')
    >>> joined((5,), is_text=False).hex(" ", 4)
    '00000001 00000000 00000014 00000001 00000001 00000008 00000000 00000005'
    >>> joined(("a\x1fb", "c"), is_text=True), joined(("",), is_text=True), joined(("1",), is_text=False)
    (None, None, None)
    """
    if not is_text:
        return _numbers(column)
    missing = column.count(None)
    try:
        text = BETWEEN.join([NOTHING if value is None else value for value in column] if missing else column)
    except TypeError:
        return None
    is_apart = text.count(BETWEEN) == len(column) - 1 and text.count(NOTHING) == missing
    return text if text and is_apart else None


def _numbers(column: Sequence[Any]) -> str | WholeNumbers | None:
    kinds = set(map(type, column))
    if kinds == _WHOLE:
        count = len(column)
        # The length in bytes stands before every number.
        told = [8] * (2 * count)
        told[1::2] = column
        try:
            return WholeNumbers(_array_of(count).pack(1, 0, _BIGINT, count, 1, *told))
        except error:
            return None
    if kinds <= {int, type(None)}:
        return f"{{{','.join(map(str, column))}}}".replace("None", "NULL")
    return None


@lru_cache(maxsize=512)
def _array_of(count: int) -> Struct:
    """So many numbers behind the head of an array: its dimensions, whether it has nulls, type, length, first index."""
    return Struct(f">iiiii{'iq' * count}")


def take_whole_numbers(connection: psycopg.Connection[Any]) -> None:
    """Let a connection take `WholeNumbers` as values."""
    connection.adapters.register_dumper(WholeNumbers, _dumper())


@lru_cache
def _dumper() -> type[psycopg.adapt.Dumper]:
    # The driver is loaded where a database is opened, never before.
    from psycopg.adapt import Buffer, Dumper
    from psycopg.pq import Format

    class WholeNumbersDumper(Dumper):
        """Hands over what is in the right form already."""

        format = Format.BINARY
        oid = _BIGINTS

        def dump(self, obj: WholeNumbers) -> Buffer:
            return obj

    return WholeNumbersDumper
