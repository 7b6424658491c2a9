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
    "closer": "Table closer", "round": "Round on paper",
}  # fmt: skip
_SUMMARIES: Final = {
    "win": "A jackpot award was paid", "fill": "Chips from the cage to the table",
    "credit": "Chips from the table to the cage", "opener": "Chips in the tray as the table opens",
    "closer": "Chips counted in the tray as the table closes",
    "round": "A round that is finished while the Game Manager cannot be reached, at",
}  # fmt: skip
_SIGNING: Final = {
    "win": ("Winner", "Dealer", "Supervisor", "Cashier"),
    "fill": ("Requester", "Cashier", "Runner", "Dealer", "Supervisor", "Accounting"),
    "credit": ("Requester", "Cashier", "Runner", "Dealer", "Supervisor", "Accounting"),
    "opener": ("Dealer", "Supervisor", "Cashier"),
    "closer": ("Dealer", "Supervisor", "Cashier"),
    "round": ("Dealer", "Supervisor", "Entered by", "Second person"),
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
        amount=dollars(slip.cents) if slip.kind != "round" else slip.table,
        amount_label="Total" if slip.kind != "round" else "Table",
        summary=f"{_SUMMARIES[slip.kind]} {slip.table}",
        blocks=(*_blocks(slip, house, names), _prints(slip, house, names)),
        tables=(_chips(slip) if slip.kind != "round" else _hands(),),
        signatures=_SIGNING[slip.kind],
        proof=(),
        code=None,
        foot=_foot(slip, printed),
    )


def _blocks(slip: SlipView, house: HouseView, names: Mapping[str, str]) -> tuple[FormBlock, ...]:
    return (_about(slip, house), _people(slip, names)) if slip.kind != "round" else (_round(slip, house, names),)


def _round(slip: SlipView, house: HouseView, names: Mapping[str, str]) -> FormBlock:
    """What is written down of a round by hand; once it is entered, what was."""
    entered = slip.entered
    if entered is not None:
        return FormBlock(
            "Entered late",
            (
                FormField("Round", entered.round, "strong"),
                FormField("Over at", when(entered.ended_at, house.zone), "strong"),
                FormField("Entered", when(entered.at, house.zone)),
                FormField("By", f"{person(entered.by, names)}, {person(entered.second, names)}"),
            ),
        )
    labels = ("Round (from the display)", "Date", "Manager lost at", "Round over at", "Jackpot wagers at seats", "Why")
    return FormBlock("To be written by hand", (told("Game", slip.game), *(FormField(label, "") for label in labels)))


def _hands() -> FormTable:
    columns = ("Seat", "Sensor", "Hand", "Paid from the tray", "Kept until it is entered")
    return FormTable("Winning hands on jackpot wagers", columns, (("",) * len(columns),) * _WRITTEN_ROWS)


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
    if slip.kind == "round" and printed is not None and slip.entered is None:
        return (
            "Pay nothing from a meter and nothing that needs a badge: keep the hand and the player's name until the "
            f"form is entered. Print on record: {printed.by}, {', '.join(printed.marks).lower()}."
        )
    if printed is None:
        return "Not a slip: printed slips are on record with a number, a copy and whoever printed them."
    return f"Print on record: {printed.by}, {', '.join(printed.marks).lower()}."
