"""The way back from an award that was paid: which one there is, and taking back what a dealer paid without a badge.

A small fixed pay is made at HIT JACKPOT by the dealer alone, so that a slip there needs a way back at the table: the
dealer presses the same hand again within `slip_seconds`, later a supervisor's badge rejects it while its round is in
play. What a badge has paid is backed out by two people at the desk.
"""

from __future__ import annotations

from msgspec.structs import replace

from houseway.amounts import micros
from houseway.manager.core import settings
from houseway.manager.core.award_entities import Award
from houseway.manager.core.engine import Decision
from houseway.manager.core.ledger import about, account
from houseway.manager.handlers.change_base import level_of
from houseway.ranking.hand_names import hand_title

BACK_OUT_HINT = "only two people can back it out, at the desk (houseway jackpot back-out)"


def is_small(award: Award) -> bool:
    """Whether an award is one that the dealer paid without anybody's badge."""
    return award.status == "paid" and award.badge_role == "none"


def slip_seconds(decision: Decision) -> int:
    """For how long a dealer may put their own slip right alone."""
    return int(settings.value(decision.floor, "slip_seconds", decision.now))


def may_take_back_alone(decision: Decision, award: Award) -> bool:
    """Whether the actor made this payment just now, without a badge."""
    fresh = decision.now - award.paid_at <= slip_seconds(decision) * 1_000_000
    return is_small(award) and award.reference is None and award.paid_by == decision.actor and fresh


def way_back(award: Award) -> str:
    """How an award that stands is undone, for whoever was refused something else because of it."""
    if award.status == "pressed":
        return "press it again to take it off"
    if award.status == "hit":
        return "REJECT with a supervisor's badge takes it back"
    return "REJECT with a supervisor's badge takes it back" if is_small(award) else BACK_OUT_HINT


def standing(award: Award) -> str:
    """An award and how far it is, as a dealer says it.

    >>> award = Award("T1-1/1", "T1-1", "T1", "L1", "1", 5, "full-house", None, None, "tray", "paid", 600)
    >>> standing(award)
    "seat 5's full house is paid"
    """
    status = {"pressed": "pressed", "hit": "locked", "paid": "paid"}[award.status]
    return f"seat {award.seat}'s {hand_title(award.hand)} is {status}"


def unpay(decision: Decision, award: Award) -> Award:
    """Turn a payment that needed no badge round; the award is locked again, as it was before."""
    if award.source == "tray":
        accounts = account("tray", award.table), account("receipts", award.table)
    else:
        accounts = account("paid", award.link), account("locked", award.link, award.level or "")
    decision.books.transfer_any(*accounts, micros(award.cents), "take-back", about("award", award.id))
    if award.source == "meter" and award.level is not None:
        level = level_of(decision, award.link, award.level)
        recent = tuple(hit for hit in level.recent if hit.award != award.id)
        decision.levels.put(
            replace(level, hits=level.hits - 1, won_micros=level.won_micros - micros(award.cents), recent=recent)
        )
    locked = replace(award, status="hit", paid_at=0, paid_by=None, reference=None, under_key=False)
    decision.awards.put(locked)
    return locked
