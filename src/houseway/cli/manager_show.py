"""`houseway manager show` as text: meters, tables, links, people, devices, papers, health."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from houseway.cli.output import to_line
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


def devices(answer: Answer) -> Table:
    """Devices, and who is signed in at each."""
    grid = _grid("id", "kind", "table", "signed in", "in use")
    for device in answer["devices"]:
        present = ", ".join(f"{person} since {_moment(since)}" for person, since in device["signed_in"].items())
        in_use = "yes" if device["active"] else "no"
        grid.add_row(device["id"], device["kind"], device["table"] or "-", present or "-", in_use)
    return grid


def papers(answer: Answer) -> Table:
    """The registers: every paper with its time, also of those that hold no more."""
    grid = _grid("paper", "register", "subject", "since", "until", "entered by")
    for paper in answer["papers"]:
        until = "-" if paper["until"] is None else _moment(paper["until"])
        grid.add_row(paper["id"], paper["register"], paper["subject"], _moment(paper["since"]), until, paper["by"])
    return grid


def in_words(name: str, value: object) -> str:
    """A value of an answer for people: a time as one, an amount as dollars, everything else as its JSON.

    >>> in_words("until", 1_763_200_001_234_567), in_words("cents", 12_345), in_words("link", None)
    ('2025-11-15 09:46:41 UTC', '$123.45', 'null')
    """
    if type(value) is int and (name in {"at", "since", "until"} or name.endswith("_at")):
        return _moment(value)
    if type(value) is int and (name == "cents" or name.endswith("_cents")):
        return dollars(value * MICROS_PER_CENT)
    return value if isinstance(value, str) else to_line(value)


def _moment(micros: int) -> str:
    return datetime.fromtimestamp(micros / 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def health(answer: Answer) -> Table:
    """Everything that the answer tells, a line each."""
    grid = _grid("", "")
    for name, value in answer.items():
        if name in {"at", "now", "started_at"}:
            grid.add_row(name, _moment(value))
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
    "devices": devices,
    "papers": papers,
    "health": health,
}
