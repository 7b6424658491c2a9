"""A place at the table in words: its seat, and its sensor where the table has two."""

from __future__ import annotations

from houseway.manager.views.table_views import TableView


def place_text(view: TableView | None, seat: int | str, sensor: str | None) -> str:
    """The place of an award or a wager: its seat, and its sensor where the table has two.

    >>> place_text(None, 2, "1")
    'seat 2'
    """
    two = view is not None and len(view.links) > 1
    return f"seat {seat} (sensor {sensor})" if two else f"seat {seat}"
