"""Awards of rounds that are over and were paid from a tray or by the house: what backing one out needs to know of them.

Awards off a meter stand among the last hits of their level. These have no level, so each table keeps its own: the last
ones that needed a badge and, apart from them, the last small ones, which would otherwise push out the large ones within
an hour.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from houseway.manager.core.award_entities import Award, PaidAwards, PastAward
from houseway.manager.core.engine import Decision

MOST_KEPT: Final = 25
"""Of each table: so many that a badge has paid, and so many small ones."""


def keep_past_award(decision: Decision, award: Award, backed_out_at: int | None = None) -> None:
    """Keep an award whose round is forgotten, or which leaves its round because it is backed out."""
    if award.status != "paid" or award.source == "meter" or not award.cents:
        return
    past = PastAward(
        award.id, award.link, award.level, award.seat, award.hand, award.cents, award.source, award.percent,
        award.order, award.badge_role == "none", award.paid_at, award.paid_by or "", award.envy, backed_out_at,
    )  # fmt: skip
    kept: PaidAwards = decision.paid.get(award.table) or PaidAwards(award.table, ())
    alike = [each.id for each in (*kept.awards, past) if each.small == past.small]
    gone = set(alike[:-MOST_KEPT])
    decision.paid.put(replace(kept, awards=tuple(each for each in (*kept.awards, past) if each.id not in gone)))


def past_award(decision: Decision, award_id: str) -> tuple[str, PastAward] | None:
    """A past award and its table, if it is still kept."""
    for table in decision.floor.tables:
        kept = decision.paid.get(table)
        for award in kept.awards if kept is not None else ():
            if award.id == award_id:
                return table, award
    return None


def mark_backed_out(decision: Decision, table: str, award_id: str) -> None:
    """Say of a past award that it was backed out, so that it never is again."""
    kept = decision.paid[table]
    awards = tuple(replace(each, backed_out_at=decision.now) if each.id == award_id else each for each in kept.awards)
    decision.paid.put(replace(kept, awards=awards))
