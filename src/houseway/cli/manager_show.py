"""`houseway manager show` as text: meters, tables, links, awards, proposals, people, devices, papers, health."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from houseway.cli.times import time_text
from houseway.cli.words import said
from houseway.manager.core.money import cents_text, dollars
from houseway.ranking.hand_names import hand_title

if TYPE_CHECKING:
    from rich.table import Table

Answer = dict[str, Any]


def _grid(*titles: str, right: tuple[int, ...] = ()) -> Table:
    from rich.table import Table

    grid = Table(box=None, pad_edge=False, header_style="none", show_edge=False)
    for place, title in enumerate(titles):
        # What a row is about is never broken: it is what one copies.
        grid.add_column(title, justify="right" if place in right else "left", no_wrap=place == 0)
    return grid


def meters(answer: Answer) -> Table:
    """What the signs show, and what lies behind it."""
    grid = _grid("link", "level", "shown", "meter", "locked", "reserve", "overflow", "status", right=(2, 3, 4, 5, 6))
    for link in answer["meters"]:
        pending = f", {len(link['pending'])} pending" if link["pending"] else ""
        for name, level in link["levels"].items():
            amounts = [
                dollars(level[f"{kind}_micros"]) for kind in ("displayed", "meter", "locked", "reserve", "overflow")
            ]
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
    return f"seat {award['seat']} {award['hand']} {award['status']} {cents_text(award['cents'])}"


def links(answer: Answer) -> Table:
    """Links with their pay tables and tables."""
    grid = _grid("link", "kind", "paytable", "wager", "status", "tables", right=(3,))
    for link in answer["links"]:
        wager = cents_text(link["wager_cents"])
        reason = f" ({link['status_reason']})" if link["status_reason"] else ""
        grid.add_row(
            link["id"], link["kind"], link["paytable"], wager, f"{link['status']}{reason}", ", ".join(link["tables"])
        )
    return grid


def people(answer: Answer) -> Table:
    """Staff; of the badges only how many."""
    grid = _grid("id", "name", "department", "roles", "badges", "on duty", right=(4,))
    for person in answer["people"]:
        duty = "yes" if person["active"] else "no"
        roles = ", ".join(person["roles"])
        grid.add_row(person["id"], person["name"], person["department"], roles, str(person["badges"]), duty)
    return grid


def devices(answer: Answer) -> Table:
    """Devices, and who is signed in at each."""
    grid = _grid("id", "kind", "table", "signed in", "in use")
    for device in answer["devices"]:
        present = ", ".join(f"{person} since {time_text(since)}" for person, since in device["signed_in"].items())
        in_use = "yes" if device["active"] else "no"
        grid.add_row(device["id"], device["kind"], device["table"] or "-", present or "-", in_use)
    return grid


def papers(answer: Answer) -> Table:
    """The registers: every paper with its time, also of those that hold no more."""
    grid = _grid("paper", "register", "subject", "since", "until", "entered by")
    for paper in answer["papers"]:
        until = "-" if paper["until"] is None else time_text(paper["until"])
        grid.add_row(paper["id"], paper["register"], paper["subject"], time_text(paper["since"]), until, paper["by"])
    return grid


def awards(answer: Answer) -> Table:
    """Awards of rounds that are not over with what they wait for, and the last ones that were paid, in time order."""
    grid = _grid("award", "seat", "hand", "amount", "from", "state", "waits for", "time", right=(1, 3))
    rows: list[tuple[int, tuple[str, ...]]] = []
    for award in answer["awards"]:
        source = f"{award['link']}/{award['level']}" if award["source"] == "meter" else award["source"]
        state, since = {
            "pressed": ("pressed", award["pressed_at"]),
            "hit": ("locked", award["hit_at"]),
            "paid": (f"paid by {award['paid_by']}", award["paid_at"]),
        }[award["status"]]
        waits = {"pressed": "HIT JACKPOT", "hit": _locked_waits(award), "paid": "-"}[award["status"]]
        amount = "-" if award["status"] == "pressed" else cents_text(award["cents"])
        cells = (str(award["id"]), str(award["seat"]), hand_title(award["hand"]), amount, source, state, waits)
        rows.append((since, cells))
    for hit in answer["recent"]:
        undone = hit["backed_out_at"]
        state = f"paid by {hit['paid_by']}" if undone is None else f"BACKED OUT {time_text(undone)}"
        source = f"{hit['link']}/{hit['level']}" if hit["source"] == "meter" else hit["source"]
        amount = cents_text(hit["cents"])
        cells = (str(hit["award"]), str(hit["seat"]), hand_title(hit["hand"]), amount, source, state, "-")
        rows.append((hit["paid_at"], cells))
    for at, row in sorted(rows):
        grid.add_row(*row, time_text(at))
    return grid


def _locked_waits(award: Answer) -> str:
    """What must still happen before a locked award can be paid: first surveillance, then the card."""
    card = f"card: {award['card']}"
    return f"surveillance's reference, then {card}" if award["reference_missing"] else card


_MOMENTS: Final = {"now": "at once", "idle": "between rounds", "won": "when the level is won"}


def proposals(answer: Answer) -> Table:
    """Changes that wait for a second person or for their moment; `manager approve` takes the number."""
    grid = _grid("number", "status", "change", "reason", "proposed by", "when", "approved by", "is made")
    for proposal in answer["proposals"]:
        what = f"{proposal['what']['change']}: {said(proposal['what'], 'change')}"
        by = proposal["approved_by"] or f"needs {' or '.join(proposal['approvers'])}"
        status = proposal["status"]
        if proposal["lapsed_because"]:
            status = f"lapsed: {proposal['lapsed_because']}"
        made = _MOMENTS[proposal["moment"]]
        when = time_text(proposal["made_at"])
        grid.add_row(proposal["id"], status, what, proposal["reason"], proposal["by"], when, by, made)
    return grid


def health(answer: Answer) -> Table:
    """Everything that the answer tells, a line each."""
    grid = _grid("", "")
    for name, value in answer.items():
        if name in {"at", "now", "started_at"}:
            grid.add_row(name, time_text(value))
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
    "awards": awards,
    "proposals": proposals,
    "people": people,
    "devices": devices,
    "papers": papers,
    "health": health,
}
