"""What all reports have in common: a head that says what was looked at, and tables of plain rows.

Amounts carry their unit in their names: `_cents`, or `_micros` for millionths of a dollar. Names of times end in `_at`;
they are microseconds since 1970 UTC.
"""

from __future__ import annotations

from typing import ClassVar, Literal, get_args, get_type_hints

import msgspec

from houseway.reading.json_values import JsonObject

Scalar = bool | int | str | None


class ReportRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of a report's table."""


class ReportHead(msgspec.Struct, frozen=True, kw_only=True):
    """What a report is about and what it rests on."""

    report: str
    """The name under which the report is asked for."""
    title: str
    property: str
    """The name of the property."""
    licence: Literal["commercial", "tribal"]
    first_day: str
    """The first gaming day, as a date."""
    last_day: str
    """The last gaming day; the same as the first one for a single day."""
    zone: str
    """The time zone of the property at the end."""
    cut_off_hour: int
    """The hour at which the first day began, by the clocks of the zone."""
    since_at: int
    until_at: int
    """The last microsecond that counts."""
    hours: int
    """Whole hours from the first to the last moment: 23 or 25 for a day on which clocks change."""
    preliminary: bool
    """Whether the last day had not ended when the report was made: its figures are not final then."""
    first_event: int | None
    """The number of the first event; none where nothing happened."""
    last_event: int | None
    journal: str | None
    """The id of the journal."""
    last_hash: str
    """The hash of the last event that counts, by which the journal proves what the report rests on."""
    checkpoint: int | None
    """The event whose signature vouches for it."""
    signed_by: str | None
    """The id of the key that signed."""
    prepared_by: str | None = None
    reviewed_by: str | None = None


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A report: its head, and tables of rows under the names of their fields."""

    head: ReportHead

    tables: ClassVar[dict[str, str]]
    """By the name of a field with rows: the caption of its table."""

    def to_json(self) -> JsonObject:
        """The report as JSON has it."""
        found: JsonObject = msgspec.json.decode(msgspec.json.encode(self))
        return found

    def rows_of(self, table: str) -> tuple[ReportRow, ...]:
        """The rows of one of its tables."""
        found: tuple[ReportRow, ...] = getattr(self, table)
        return found


def row_type(report: Report, table: str) -> type[ReportRow]:
    """The kind of the rows of one of a report's tables."""
    found: type[ReportRow] = get_args(get_type_hints(type(report))[table])[0]
    return found


def values_of_row(row: ReportRow) -> dict[str, Scalar]:
    """A row's values by the names of its fields."""
    return {name: getattr(row, name) for name in row.__struct_fields__}
