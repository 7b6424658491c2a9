"""Fill and credit slips, openers and closers as forms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from houseway.manager.printing.forms import Form, FormBlock, FormField, FormTable
from houseway.manager.printing.page_texts import LICENCES, marks_on_paper, money, person, told, when
from houseway.manager.views.slip_views import HouseView, SlipPrintView, SlipView
from houseway.wording import dollars

_TITLES: Final = {
    "win": "Jackpot win slip", "fill": "Fill slip", "credit": "Credit slip", "opener": "Table opener",
    "closer": "Table closer",
}  # fmt: skip
_SUMMARIES: Final = {
    "win": "A jackpot award was paid", "fill": "Chips from the cage to the table",
    "credit": "Chips from the table to the cage", "opener": "Chips in the tray as the table opens",
    "closer": "Chips counted in the tray as the table closes",
}  # fmt: skip
_SIGNING: Final = {
    "win": ("Winner", "Dealer", "Supervisor", "Cashier"),
    "fill": ("Requester", "Cashier", "Runner", "Dealer", "Supervisor", "Accounting"),
    "credit": ("Requester", "Cashier", "Runner", "Dealer", "Supervisor", "Accounting"),
    "opener": ("Dealer", "Supervisor", "Cashier"),
    "closer": ("Dealer", "Supervisor", "Cashier"),
}
_WRITTEN_ROWS: Final = 6
"""Empty lines of a slip whose chips were not entered, to be written by hand."""


def slip_form(slip: SlipView, house: HouseView, names: Mapping[str, str], printed: SlipPrintView | None) -> Form:
    """A slip, marked as the print that it is; without one it is no slip, and says so."""
    return Form(
        house=house.name,
        licence=LICENCES[house.licence],
        title=_TITLES[slip.kind],
        number=slip.id,
        marks=marks_on_paper(slip.void is not None, printed),
        amount=dollars(slip.cents),
        amount_label="Total",
        summary=f"{_SUMMARIES[slip.kind]} {slip.table}",
        blocks=(_about(slip, house), _people(slip, names), _prints(slip, house, names)),
        tables=(_chips(slip),),
        signatures=_SIGNING[slip.kind],
        proof=(),
        code=None,
        foot=_foot(slip, printed),
    )


def _about(slip: SlipView, house: HouseView) -> FormBlock:
    moment = when(slip.at, house.zone)
    return FormBlock(
        "Slip",
        (
            FormField("Number", slip.id, "strong"),
            FormField("Date", moment[:10]),
            FormField("Time", moment[11:]),
            told("Shift", slip.shift, "not named"),
            FormField("Table", slip.table, "strong"),
            told("Game", slip.game),
            *((told("Award", slip.award),) if slip.award else ()),
            money("Amount", slip.cents, "strong"),
        ),
    )


def _people(slip: SlipView, names: Mapping[str, str]) -> FormBlock:
    return FormBlock(
        "People",
        (
            FormField("Sent by", person(slip.by, names)),
            FormField("Second signature", person(slip.second, names)),
            told("Dealer", person(slip.dealer, names), "nobody signed in"),
        ),
    )


def _prints(slip: SlipView, house: HouseView, names: Mapping[str, str]) -> FormBlock:
    fields = tuple(
        FormField(_told_print(each), f"{person(each.by, names)}, {when(each.at, house.zone)}")
        for each in slip.prints[-5:]
    )
    return FormBlock("Prints on record", fields or (FormField("Prints", "none"),))


def _told_print(each: SlipPrintView) -> str:
    """A print as other papers of the slip tell of it: only the original itself has that word on it."""
    return ", ".join("first print" if mark == "ORIGINAL" else mark.lower() for mark in each.marks)


def _chips(slip: SlipView) -> FormTable:
    rows = tuple(
        (dollars(int(value)), f"{count:,}", dollars(int(value) * count)) for value, count in slip.chips.items()
    )
    return FormTable(
        "Denominations",
        ("Chip", "Number", "Amount"),
        rows or (("", "", ""),) * _WRITTEN_ROWS,
        ("Total", f"{sum(slip.chips.values()):,}" if rows else "", dollars(slip.cents)),
    )


def _foot(slip: SlipView, printed: SlipPrintView | None) -> str:
    if slip.void is not None:
        instead = f" Slip {slip.void.replaced_by} counts instead." if slip.void.replaced_by else ""
        return f"VOID by {slip.void.by} and {slip.void.second}: {slip.void.reason}.{instead}"
    if printed is None:
        return "Not a slip: printed slips are on record with a number, a copy and whoever printed them."
    return f"Print on record: {printed.by}, {', '.join(printed.marks).lower()}."
