"""A report as CSV: every table in turn, the first column naming it, amounts in dollars and times of the property."""

from __future__ import annotations

import csv
import io

from houseway.manager.core.gaming_day import local_time
from houseway.manager.reports.report_base import Report, Scalar, row_type, values_of_row

_MICROS, _CENTS = "_micros", "_cents"
_DANGEROUS = ("=", "+", "-", "@", "\t", "\r")


def csv_text(report: Report) -> str:
    """The whole report, with the head as its first table; lines end as RFC 4180 has it."""
    target = io.StringIO()
    writer = csv.writer(target)
    head = {name: getattr(report.head, name) for name in report.head.__struct_fields__}
    zone = report.head.zone
    singles = {
        name: getattr(report, name) for name in report.__struct_fields__ if name != "head" and name not in report.tables
    }
    writer.writerow(["section", "field", "value"])
    for name, value in {**head, **singles}.items():
        writer.writerow(["head", column_name(name), _cell(name, value, zone)])
    for table in report.tables:
        writer.writerow([])
        writer.writerow(["section", *map(column_name, row_type(report, table).__struct_fields__)])
        for row in report.rows_of(table):
            writer.writerow([table, *(_cell(name, value, zone) for name, value in values_of_row(row).items())])
    return target.getvalue()


def column_name(field: str) -> str:
    """The name of a column: an amount without its unit, since it is written in dollars."""
    if field in ("micros", "cents"):
        return "amount"
    return field.removesuffix(_MICROS).removesuffix(_CENTS)


def shown(field: str, value: Scalar, zone: str) -> str:
    """A value as people read it: amounts in dollars to the last digit, times by the clocks of the property."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        if field.endswith(_MICROS) or field == "micros":
            return decimal(value, 6)
        if field.endswith(_CENTS) or field == "cents":
            return decimal(value, 2)
        if field.endswith("_at") or field == "at":
            return local_time(value, zone).isoformat(timespec="milliseconds")
    return str(value)


def decimal(amount: int, places: int) -> str:
    """A whole number of small units as a decimal number.

    >>> decimal(-1_333_333, 6), decimal(5, 2)
    ('-1.333333', '0.05')
    """
    whole, rest = divmod(abs(amount), 10**places)
    return f"{'-' if amount < 0 else ''}{whole}.{rest:0{places}d}"


def _cell(name: str, value: Scalar, zone: str) -> str:
    """A cell that no spreadsheet takes for a formula: names of people and papers are anybody's to choose."""
    text = shown(name, value, zone)
    return f"'{text}" if isinstance(value, str) and text.startswith(_DANGEROUS) else text
