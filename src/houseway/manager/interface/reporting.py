"""Reports about a journal, for whoever has its database: which there are, how they are made and written."""

from __future__ import annotations

from houseway.manager.core.gaming_day import GamingDay
from houseway.manager.reports.books_export import DIALECTS, Dialect, book_lines
from houseway.manager.reports.csv_page import csv_text
from houseway.manager.reports.day_reading import (
    DaysRead,
    gaming_day_at,
    gaming_day_of,
    last_ended_day,
    opened_days,
    read_days,
)
from houseway.manager.reports.printed_page import html_text, pdf_bytes
from houseway.manager.reports.report_base import Report
from houseway.manager.reports.report_list import REPORTS, ReportKind, make_report, report_kind, report_schema
from houseway.manager.store.clock import wall_micros

__all__ = [
    "DIALECTS",
    "REPORTS",
    "DaysRead",
    "Dialect",
    "GamingDay",
    "Report",
    "ReportKind",
    "book_lines",
    "csv_text",
    "gaming_day_at",
    "gaming_day_of",
    "html_text",
    "last_ended_day",
    "make_report",
    "opened_days",
    "pdf_bytes",
    "read_days",
    "report_kind",
    "report_schema",
    "wall_micros",
]
