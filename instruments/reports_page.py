"""docs/reference/reports.md: every report with every field, written from the types of the reports."""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Final, get_args, get_type_hints

import msgspec

from houseway.manager.reports.report_base import ReportHead, ReportRow
from houseway.manager.reports.report_list import REPORTS, ReportKind

HEAD: Final = """# Reports

What `houseway report NAME` gives, field by field. This page is written from the program
(`scripts/write-reports-page`); a test holds them equal. `houseway report schema` prints the JSON schema of all
reports. [The guide](../guides/reports.md) says what they are for.

In JSON, amounts carry their unit in their name: `_cents`, or `_micros` for millionths of a dollar; `cents` and
`micros` alone are amounts as well. Times (`at`, `_at`) are microseconds since 1970 UTC. CSV and HTML have amounts in
dollars, to the last digit, and times by the clocks of the property.

## Gaming days

A gaming day begins at the property's cut-off hour by the clocks of its time zone and is called by the date on which
it begins. It ends where the next one begins. Hour and zone are [settings](house.md#settings) with dates
(`cut_off_hour`, `time_zone`); of a day those count that are in force when the date begins in UTC. So a day on which
clocks change has 23 or 25 hours, and the day before a new cut-off hour is as long as that makes it. An hour that the
clocks skip is the one after it; of an hour that comes twice the first counts. Every event belongs to one day. Where
two people have accepted an earlier time (`system.clock`), what follows belongs to the day that was reached before.

## Limits that hold at every look

A usual 95% interval is right for one look after a number of wagers that was fixed beforehand. Somebody who looks
every day finds it broken sooner or later though nothing is wrong. The limits of the reconciliation are of another
kind: with a chance of 95% the hits stay within them at every look, however often and whenever somebody looks.

They come from bets against the exact odds. One unit of money is staked on rates near the exact one and on all others,
half each, and is multiplied after each wager by how much better these rates foretold the outcome than the exact odds
did. If the odds are true, the money is worth 1 on average at every time, and so reaches 20 ever with a chance of at
most 1/20. The limits are the numbers of hits at which it would be worth less than 20; `agrees` says that it is. The
exact odds are the shipped counts of hands. Hands of one round come from one deck and count as if they came from decks
of their own.

## Head

What stands at the top of each report.
"""


def _notes(kind: type) -> dict[str, str]:
    """The docstrings of a struct's fields."""
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(body, ast.ClassDef)
    found, last = dict[str, str](), ""
    for node in body.body:
        match node:
            case ast.AnnAssign(target=ast.Name(id=name)):
                last = name
            case ast.Expr(value=ast.Constant(value=str(text))) if last:
                found[last] = " ".join(text.split())
                last = ""
            case _:
                last = ""
    return found


def _in_words(field: str, hint: object) -> str:
    parts = [part for part in get_args(hint) or (hint,) if part is not type(None)]
    empty = " or null" if type(None) in get_args(hint) else ""
    if field == "at" or field.endswith("_at"):
        return f"time{empty}"
    if field in ("micros", "cents") or field.endswith(("_micros", "_cents")):
        return f"amount{empty}"
    names = {str: "text", int: "whole number", bool: "true or false"}
    if all(isinstance(part, str) for part in parts):
        return " or ".join(f"`{part}`" for part in parts) + empty
    return " or ".join(names[part] for part in parts if isinstance(part, type) and part in names) + empty


def _fields(kind: type[msgspec.Struct]) -> str:
    hints, notes = get_type_hints(kind), _notes(kind)
    rows = [f"| `{name}` | {_in_words(name, hints[name])} | {notes.get(name, '')} |" for name in kind.__struct_fields__]
    return "\n".join(("| field | what | |", "|---|---|---|", *rows, ""))


def _report(kind: ReportKind) -> str:
    about = " ".join((kind.struct.__doc__ or "").split())
    hints, notes = get_type_hints(kind.struct), _notes(kind.struct)
    parts = [f"## {kind.name}\n", f"{kind.title}: {about[0].lower()}{about[1:]}\n"]
    for name in kind.struct.__struct_fields__:
        if name == "head":
            continue
        if name not in kind.struct.tables:
            parts.append(f"`{name}`: {_in_words(name, hints[name])}. {notes.get(name, '')}\n")
            continue
        row: type[ReportRow] = get_args(hints[name])[0]
        what = " ".join((row.__doc__ or "").split())
        parts += [f"### {kind.name}: {name}\n", f"{kind.struct.tables[name]}. {what}\n", _fields(row)]
    return "\n".join(parts)


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, _fields(ReportHead), *map(_report, REPORTS.values())]).rstrip() + "\n"
