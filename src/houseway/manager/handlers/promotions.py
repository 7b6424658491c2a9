"""Promotions that give the money of retired progressives back to players, and the time by which they must.

Two people from different departments record each payment. The last one takes all that is left: players get whole cents,
and the house adds the part of a cent that is lacking. Somebody is reminded before the time runs out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from msgspec.structs import replace

from houseway.amounts import MICROS_PER_CENT, NO_MICROS, Cents, Micros, micros
from houseway.errors import Fault, InputError
from houseway.manager.commands.link_answers import PayPromotionAnswer
from houseway.manager.commands.link_commands import PayPromotion
from houseway.manager.core import settings
from houseway.manager.core.engine import Decision, collect, handles
from houseway.manager.core.gaming_day import local_time
from houseway.manager.core.ledger import about, account
from houseway.manager.core.link_entities import Link, Promotion
from houseway.manager.core.money import cents_text, dollars
from houseway.manager.core.overlay import State
from houseway.manager.handlers.change_base import file_paper, find_level, text_fault
from houseway.manager.handlers.funds import DAY
from houseway.manager.handlers.links import BANKING, second_person
from houseway.manager.handlers.retirement import promotion_faults, with_promotion
from houseway.reading.json_values import JsonObject

PAYMENTS = "promotion-payment"
"""The register of what promotions have given back."""


class OpenPromotion(NamedTuple):
    """A promotion that still has money of players."""

    link: Link
    level: str
    promotion: Promotion
    left: Micros


class Reminder(NamedTuple):
    """What must be done by a time that comes near or has passed."""

    code: Literal["promotion-due", "promotion-overdue"]
    about: str
    message: str
    due_at: int


@handles(PayPromotion)
def pay_promotion(decision: Decision, command: PayPromotion) -> PayPromotionAnswer:
    """Record what a promotion has given back to players, with its paper, by two departments."""
    link = decision.links.get(command.link)
    if link is None:
        message = f"there is no link {command.link[:60]}: name one that has retired"
        raise InputError.of("unknown-link", "link", message)
    second = second_person(
        decision, command.badge, "paying a promotion", other_department=True, roles=BANKING
    )  # fmt: skip
    faults = text_fault(command.paper, "paper", "name the paper that says who got the money")
    if find_level(link, command.level, faults, "level") is not None:
        faults += promotion_faults(decision, link, command.level, "level")
    source, amount = account("promotion", link.id, command.level), micros(command.cents)
    left = decision.books.held(source)
    # Players get whole cents, and never less than is theirs.
    most = Cents(-(-left // MICROS_PER_CENT))
    if left and not 0 < command.cents <= most:
        message = (
            f"{cents_text(command.cents)}: a payment is above zero and at most {cents_text(most)}, which is left for "
            "the promotion"
        )
        faults.append(Fault("out-of-range", "cents", message))
    collect(faults)
    fields: JsonObject = {
        "level": command.level, "cents": command.cents, "reference": command.paper, "second_person": second.id,
    }  # fmt: skip
    paper = file_paper(decision, PAYMENTS, link.id, fields)
    subject, added = about("paper", paper), max(NO_MICROS, amount - left)
    decision.books.transfer_any(account("prizes", link.id), source, added, "promotion-rounded", subject)
    decision.books.transfer(source, account("paid", link.id), amount, "promotion-paid", subject)
    left, promotion = decision.books.held(source), link.promotions[command.level]
    if not left:
        promotion = replace(promotion, ended_at=decision.now)
        decision.links.put(with_promotion(link, command.level, promotion))
    return PayPromotionAnswer(
        link=link.id, level=command.level, promotion=promotion.name, cents=command.cents, added_micros=added,
        left_micros=left, return_by=promotion.return_by, second_person=second.id, paper=paper,
    )  # fmt: skip


def open_promotions(state: State) -> Iterator[OpenPromotion]:
    """The promotions that still have money of players, those whose time runs out first at the front."""
    found = [
        OpenPromotion(link, level, promotion, state.held(account("promotion", link.id, level)))
        for link in state.links.values()
        for level, promotion in link.promotions.items()
        if not promotion.ended_at
    ]
    return iter(sorted(found, key=lambda each: (each.promotion.return_by, each.link.id, each.level)))


def reminders(state: State, at: int) -> list[Reminder]:
    """Whom to remind of what: promotions whose time runs out within `retirement_reminder_days`, or has run out."""
    days: int = settings.value(state, "retirement_reminder_days", at)
    return [
        _reminder(state, each, at) for each in open_promotions(state) if each.promotion.return_by - at <= days * DAY
    ]


def _reminder(state: State, found: OpenPromotion, at: int) -> Reminder:
    link, level, promotion, left = found
    by = local_time(promotion.return_by, settings.value(state, "time_zone", at)).strftime("%Y-%m-%d %H:%M")
    overdue = promotion.return_by < at
    days = abs(promotion.return_by - at) // DAY
    when = f"{days} days ago" if overdue else f"in {days} days"
    message = (
        f"{dollars(left)} of {link.id}/{level} must be back with players by {by} ({when}): pay the promotion "
        f"{promotion.name!r} (houseway link pay-promotion), or let the money go onto another progressive "
        "(houseway change propose drop-promotion)"
    )
    code: Literal["promotion-due", "promotion-overdue"] = "promotion-overdue" if overdue else "promotion-due"
    return Reminder(code, f"{link.id}/{level}", message, promotion.return_by)
