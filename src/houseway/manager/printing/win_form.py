"""The win page of an award as a form."""

from __future__ import annotations

from houseway.manager.printing.forms import Form, FormBlock, FormCode, FormField
from houseway.manager.printing.page_texts import (
    LICENCES,
    card,
    grouped,
    marks_on_paper,
    millionths,
    money,
    person,
    told,
    when,
)
from houseway.manager.printing.qr_codes import qr_svg
from houseway.manager.views.slip_views import PrizeDutiesView, SlipPrintView
from houseway.manager.views.win_page_view import WinPageView
from houseway.wording import dollars

_SOURCES = {"meter": "Progressive meter", "tray": "Table tray", "house": "House prize"}


def win_form(page: WinPageView, printed: SlipPrintView | None) -> Form:
    """The page of an award, marked as the print that it is; without one it is no slip, and says so."""
    slip = page.slip
    is_void = page.status == "backed-out" or (slip is not None and slip.void is not None)
    return Form(
        house=page.house.name,
        licence=LICENCES[page.house.licence],
        title="Jackpot win page",
        number="no slip" if slip is None else slip.id,
        marks=marks_on_paper(is_void, printed),
        amount=dollars(page.cents),
        amount_label="Amount won",
        summary=f"{page.hand_title}, seat {page.seat} at table {page.table}, {page.game_title}",
        blocks=(_identity(page), _win(page), _meter(page), _payment(page), _tax(page), _people(page)),
        tables=(),
        signatures=(
            "Winner", "Dealer", "Supervisor or executive", "Cashier", "Surveillance", "Accounting",
        ),
        proof=_proof(page, printed),
        code=_code(page),
        foot=_foot(page, printed),
    )  # fmt: skip


def _identity(page: WinPageView) -> FormBlock:
    winner = f"{page.place} of {page.winners}" + (" from the far right" if page.winners > 1 else "")
    return FormBlock(
        "Identity",
        (
            FormField("Award", page.award, "strong"),
            FormField("Game", page.game_title),
            FormField("Table, seat", f"{page.table}, seat {page.seat}"),
            FormField("Round", page.round),
            FormField("Link, level", f"{page.link}, {page.level}" if page.level else page.link),
            FormField("Pay table", page.paytable),
            FormField("Winner", winner),
        ),
    )


def _win(page: WinPageView) -> FormBlock:
    zone = page.house.zone
    cards = "" if page.hand_cards is None else "  ".join(map(card, page.hand_cards))
    return FormBlock(
        "Win",
        (
            FormField("Hand", page.hand_title, "strong"),
            FormField("Cards", cards),
            FormField("Clause", page.clause),
            money("Wager", page.wager_cents),
            FormField("Hit", when(page.hit_at, zone)),
            FormField("Paid", when(page.paid_at, zone)),
            told("Override", page.override),
        ),
    )


def _meter(page: WinPageView) -> FormBlock:
    meter = page.meter
    if meter is None:
        source = "a posted prize of the house" if page.source == "house" else "a fixed pay from the table's tray"
        return FormBlock("Meter", (FormField("Paid from", f"{source}; no meter moved"), money("Award", page.cents)))
    share = "Fixed pay" if meter.percent is None else f"{meter.percent}% of the meter"
    return FormBlock(
        "Meter",
        (
            millionths("Before the win", meter.before_micros),
            FormField("Share", share),
            money("Award", page.cents, "strong"),
            *((millionths("Advanced by the house", meter.advanced_micros),) if meter.advanced_micros else ()),
            millionths("Reseed", meter.reseeded_micros),
            *((millionths("From reserve", meter.released_micros),) if meter.released_micros else ()),
            millionths("After the win", meter.after_micros),
            millionths("At payment", meter.at_payment_micros),
        ),
    )


def _payment(page: WinPageView) -> FormBlock:
    zone, duties = page.house.zone, page.duties
    handed = None if page.slip is None else page.slip.handed
    asked = (
        FormField("Large prize", f"yes, from {dollars(duties.check_from_cents)}: check", "warn")
        if duties.check
        else FormField("Large prize", f"no, below {dollars(duties.check_from_cents)}")
    )
    if handed is None:
        by = when(duties.check_by_at, zone) if duties.check else "at the table"
        return FormBlock(
            "Payment",
            (
                FormField("Paid from", _SOURCES[page.source]),
                asked,
                FormField("Due by", by),
                FormField("Method", ""),
                FormField("Check number", ""),
                FormField("Booth", ""),
            ),
        )
    return FormBlock(
        "Payment",
        (
            FormField("Paid from", _SOURCES[page.source]),
            asked,
            FormField("Method", handed.method.capitalize(), "strong"),
            told("Check number", handed.reference),
            told("Booth", handed.booth),
            FormField("Handed over", when(handed.at, zone)),
            *((FormField("Override", handed.override, "warn"),) if handed.override else ()),
        ),
    )


def _tax(page: WinPageView) -> FormBlock:
    duties = page.duties
    handed = None if page.slip is None else page.slip.handed
    return FormBlock(
        "Tax, boxes of the form",
        (
            FormField("Form", "due" if duties.form else "not due", "warn" if duties.form else "plain"),
            FormField("Threshold", _threshold(duties)),
            FormField("Withholding", _withholding(duties), "warn" if duties.withheld_cents else "plain"),
            FormField("Form reference", ("" if duties.form else "none") if handed is None else handed.form or "none"),
            money("1 Winnings", page.cents),
            FormField("2 Date won", when(page.hit_at, page.house.zone)[:10]),
            FormField("3 Wager", f"{page.game_title}, {page.link}"),
            money("4 Withheld", duties.withheld_cents if handed is None else handed.withheld_cents),
            FormField("5 Transaction", page.award),
        ),
    )


def _threshold(duties: PrizeDutiesView) -> str:
    return f"{dollars(duties.form_from_cents)} and {duties.form_multiple} x wager, {duties.day}"


def _withholding(duties: PrizeDutiesView) -> str:
    above = dollars(duties.withholding_above_cents)
    if duties.withheld_cents:
        return f"{duties.withholding_percent}% above {above}"
    return f"none up to {above}"


def _people(page: WinPageView) -> FormBlock:
    names, zone = page.people, page.house.zone
    dealers = ", ".join(person(each, names) for each in (page.dealer, *page.reliefs))
    handed = None if page.slip is None else page.slip.handed
    counted = "" if handed is None or handed.deck_count is None else f"{handed.deck_count} cards"
    reference = f"{page.surveillance_reference}, {person(page.surveillance_by, names)}"
    return FormBlock(
        "People and cards",
        (
            FormField("Dealer", dealers),
            FormField("Prepared by", person(page.prepared_by, names)),
            FormField("Verified by", person(page.verified_by, names)),
            told("Surveillance", reference if page.surveillance_reference else None, "no reference needed"),
            FormField("Deck", f"{page.deck or 'not named'}, {page.deck_size} cards"),
            FormField("Deck counted", counted or ("" if page.duties.check else "not needed")),
            told("Cards kept until", when(page.duties.kept_until_at, zone), "not kept"),
        ),
    )


def _proof(page: WinPageView, printed: SlipPrintView | None) -> tuple[FormField, ...]:
    proof, zone = page.proof, page.house.zone
    head = "none yet" if proof.head is None else f"{proof.head} events"
    return (
        FormField("Event", f"{proof.event} ({proof.kind})"),
        FormField("Recorded", when(proof.at, zone)),
        FormField("Hash", grouped(proof.hash)),
        FormField("Checkpoint", f"event {proof.checkpoint}, key {proof.signed_by[:16]}"),
        FormField("Signed head", head),
        FormField("Print", _print(page, printed)),
    )


def _print(page: WinPageView, printed: SlipPrintView | None) -> str:
    if printed is None:
        return "not on record: for the screen only"
    why = f", {printed.reason}" if printed.reason else ""
    by, at = person(printed.by, page.people), when(printed.at, page.house.zone)
    return f"{', '.join(printed.marks).lower()} by {by}, {at}{why}"


def _code(page: WinPageView) -> FormCode | None:
    svg = None if page.proof.text is None else qr_svg(page.proof.text)
    if svg is None:
        return None
    about = (
        "This code proves that the award's event, with its amounts, stood in the property's journal when its head was "
        "signed. Check it with the property's published key and verify_proof.py, without a connection."
    )
    return FormCode(svg, about)


def _foot(page: WinPageView, printed: SlipPrintView | None) -> str:
    void = None if page.slip is None else page.slip.void
    if void is not None:
        instead = f" Slip {void.replaced_by} counts instead." if void.replaced_by else ""
        return f"VOID by {void.by} and {void.second}: {void.reason}.{instead}"
    if page.status == "backed-out":
        return "VOID: the award was backed out by two people."
    if printed is None:
        return "Not a slip: printed slips are on record with a number, a copy and whoever printed them."
    return "No tax number belongs on this page or in the journal."
