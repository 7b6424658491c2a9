"""Which badge pays an award, and what a dealer pays without one: bounded by award and by round.

`fixed_supervisor_from` of a link says from which amount on a supervisor confirms a fixed pay. It bounds what one person
can pay out alone, so it holds for the round as well: small pays and the envy that hands bring, over all links, with
what was paid and taken back again. Once they reach the amount together, each of them that is still to be paid waits for
the badge.
"""

from __future__ import annotations

from typing import Literal

from houseway.amounts import NO_CENTS, Cents, micros, total
from houseway.manager.core import settings
from houseway.manager.core.award_entities import Award
from houseway.manager.core.engine import Decision
from houseway.manager.core.link_entities import Link
from houseway.manager.core.money import dollars
from houseway.manager.core.table_entities import Round
from houseway.manager.handlers.common import the_link
from houseway.manager.handlers.link_rules import first_level
from houseway.manager.handlers.rounds import awards_of

BadgeRole = Literal["none", "supervisor", "executive"]


def badge_role_for(decision: Decision, link: Link, award: Award) -> BadgeRole:
    """Which badge pays an award: by its amount, or by what its round lets the dealer pay alone.

    A share of a meter or a house prize always needs one.
    """
    own = _own_role(decision, link, award)
    if own == "none" and paid_alone(decision, decision.rounds[award.round]) >= link.fixed_supervisor_from:
        return "supervisor"
    return own


def why_together(decision: Decision, award: Award) -> str:
    """Why a supervisor confirms an award that is small by itself; nothing for one that is not."""
    link = the_link(decision, award.link)
    if award.badge_role != "supervisor" or _own_role(decision, link, award) != "none":
        return ""
    return f" (small pays of a round need it together from {dollars(micros(link.fixed_supervisor_from))} on)"


def paid_alone(decision: Decision, round_: Round) -> Cents:
    """What a dealer has paid of a round, or would pay, without anybody's badge; taken back it still counts."""
    amounts = (brought(decision, each) for each in awards_of(decision, round_) if _is_alone(decision, each))
    return round_.taken_back + total(amounts)


def _is_alone(decision: Decision, award: Award) -> bool:
    """Whether an award asks for no badge by itself; one that is paid, whether it was paid without one."""
    if award.status == "paid":
        return award.badge_role == "none"
    return _own_role(decision, the_link(decision, award.link), award) == "none"


def _own_role(decision: Decision, link: Link, award: Award) -> BadgeRole:
    """Which badge an award would need if it were the only one of its round."""
    if award.wagered:
        parameters = link.levels.get(award.level or first_level(link))
        executive_from = parameters.executive_from if parameters else None
        if executive_from is None:
            executive_from = settings.value(decision.floor, "executive_from", decision.now)
        if executive_from is not None and award.cents >= executive_from:
            return "executive"
        if award.percent is not None:
            return "supervisor"
    return "supervisor" if brought(decision, award) >= link.fixed_supervisor_from else "none"


def brought(decision: Decision, award: Award) -> Cents:
    """What a hand has paid: to its own seat, and as envy to all other seats with the wager on its sensor."""
    round_ = decision.rounds[award.round]
    seats = {seat for taken in round_.taken if taken.sensor == award.sensor for seat in taken.seats}
    return award.cents + (award.envy or NO_CENTS) * len(seats - {award.seat})
