"""The separate bank account of a progressive: what it should hold, what is due, and when a short account stops it.

It should hold all that the link holds for players: meters, reserves, overflow, awards not yet paid and money put aside
for a promotion, the seed that the house has put on a meter included, because a displayed amount can be won at any time.
Accruals are deposited at least every `deposit_days`; an account that was not made whole for longer is overdue.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from houseway.amounts import NO_MICROS, Micros, total
from houseway.manager.commands.link_answers import AccountState
from houseway.manager.core import settings
from houseway.manager.core.engine import Decision
from houseway.manager.core.ledger import FOR_PLAYERS, account
from houseway.manager.core.link_entities import Link, LinkWarning
from houseway.manager.core.money import dollars
from houseway.manager.core.overlay import State

HOUR: Final = 3_600_000_000
DAY: Final = 24 * HOUR
"""A day in microseconds."""


def should_hold(state: State, link: Link) -> Micros:
    """What the account should hold, in micros."""
    return total(state.held(account(kind, link.id, level)) for level in link.levels for kind in FOR_PLAYERS)


def bank_balance(state: State, link: Link) -> Micros:
    """What the account holds by the deposits on record, in micros."""
    return state.held(account("bank", link.id))


def funds_due(state: State, link: Link) -> Micros:
    """What the separate bank account should hold and does not, in micros."""
    return max(NO_MICROS, should_hold(state, link) - bank_balance(state, link))


def is_overdue(state: State, link: Link, at: int) -> bool:
    """Whether money is due and the account was not whole for longer than accruals may wait."""
    if at - link.funded_at <= DAY or link.status == "draft":
        # They may always wait a day, whatever the property has entered: every round asks.
        return False
    days: int = settings.value(state, "deposit_days", at)
    return at - link.funded_at > days * DAY and funds_due(state, link) > 0


def must_stop(state: State, link: Link, at: int) -> bool:
    """Whether the property's policy stops the link because its account is short."""
    return is_overdue(state, link, at) and settings.value(state, "short_account", at) == "stop"


def note_whole(decision: Decision, link: Link) -> Link:
    """The link before it takes wagers, with the time on it if its account is whole: from now on accruals wait.

    Once an hour is enough, and keeps the link out of most events.
    """
    late = decision.now - link.funded_at >= HOUR
    if link.kind == "progressive" and late and not funds_due(decision, link):
        link = replace(link, funded_at=decision.now)
        decision.links.put(link)
    return link


def funds(state: State, link: Link, at: int) -> AccountState:
    """The state of the account, for answers and screens."""
    due, overdue = funds_due(state, link), is_overdue(state, link, at)
    message = f"{dollars(due)} of {link.id} is not in its bank account: deposit it"
    warnings = (LinkWarning("account-overdue" if overdue else "deposit-due", None, message, ""),) if due else ()
    return AccountState(should_hold(state, link), bank_balance(state, link), due, link.funded_at, overdue, warnings)
