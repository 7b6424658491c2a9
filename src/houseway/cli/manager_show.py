"""`houseway manager show` as text: meters, tables, links, people, health."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from houseway.manager.core.money import MICROS_PER_CENT, dollars

if TYPE_CHECKING:
    from rich.table import Table

Answer = dict[str, Any]


def _grid(*titles: str, right: tuple[int, ...] = ()) -> Table:
    from rich.table import Table

    grid = Table(box=None, pad_edge=False, header_style="none", show_edge=False)
    for place, title in enumerate(titles):
        grid.add_column(title, justify="right" if place in right else "left")
    return grid


def meters(answer: Answer) -> Table:
    """What the signs show, and what lies behind it."""
    grid = _grid("link", "level", "shown", "meter", "locked", "reserve", "overflow", "status", right=(2, 3, 4, 5, 6))
    for link in answer["meters"]:
        pending = f", {len(link['pending'])} pending" if link["pending"] else ""
        for name, level in link["levels"].items():
            amounts = [dollars(level[kind]) for kind in ("displayed", "meter", "locked", "reserve", "overflow")]
            grid.add_row(link["link"], name, *amounts, f"{link['status']}{pending}")
    return grid


def tables(answer: Answer) -> Table:
    """Tables with their dealers and rounds."""
    grid = _grid("table", "game", "controls", "status", "dealer", "round", "awards", "held")
    for table in answer["tables"]:
        awards = [_award(award) for award in (table["in_play"] or {"awards": []})["awards"]]
        cells = [table[name] or "-" for name in ("id", "game", "vocabulary", "status", "dealer", "round")]
        grid.add_row(*cells, ", ".join(awards) or "-", ", ".join(table["held"]) or "-")
    return grid


def _award(award: Answer) -> str:
    amount = dollars(award["cents"] * MICROS_PER_CENT)
    return f"seat {award['seat']} {award['hand']} {award['status']} {amount}"


def links(answer: Answer) -> Table:
    """Links with their pay tables and tables."""
    grid = _grid("link", "kind", "paytable", "wager", "status", "tables", right=(3,))
    for link in answer["links"]:
        wager = dollars(link["wager"] * MICROS_PER_CENT)
        reason = f" ({link['status_reason']})" if link["status_reason"] else ""
        grid.add_row(
            link["id"], link["kind"], link["paytable"], wager, f"{link['status']}{reason}", ", ".join(link["tables"])
        )
    return grid


def people(answer: Answer) -> Table:
    """Staff; of the cards only how many."""
    grid = _grid("id", "name", "department", "roles", "cards", "on duty", right=(4,))
    for person in answer["people"]:
        duty = "yes" if person["active"] else "no"
        roles = ", ".join(person["roles"])
        grid.add_row(person["id"], person["name"], person["department"], roles, str(person["cards"]), duty)
    return grid


def health(answer: Answer) -> Table:
    """Everything that the answer tells, a line each."""
    grid = _grid("", "")
    for name, value in answer.items():
        if name in {"at", "now", "started_at"}:
            moment = datetime.fromtimestamp(value / 1_000_000, UTC)
            grid.add_row(name, moment.strftime("%Y-%m-%d %H:%M:%S UTC"))
        elif isinstance(value, dict):
            for inner, text in value.items():
                grid.add_row(f"{name}.{inner}", str(text))
        else:
            grid.add_row(name, str(value))
    return grid


SHOWN: Final[dict[str, Callable[[Answer], Table]]] = {
    "meters": meters,
    "tables": tables,
    "links": links,
    "people": people,
    "health": health,
}
