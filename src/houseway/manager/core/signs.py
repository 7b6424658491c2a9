"""What signs show: worked out of the state alone, for those who decide and those who look."""

from __future__ import annotations

from houseway.amounts import NO_MICROS, Micros, micros, total
from houseway.manager.core.award_entities import Award
from houseway.manager.core.floor import Floor
from houseway.manager.core.ledger import account
from houseway.manager.core.link_entities import Link
from houseway.manager.core.overlay import State


def displayed(state: State, link: Link) -> dict[str, Micros]:
    """What the sign shows for each level, in micros; for a house jackpot the posted prizes."""
    if link.kind == "house":
        return {level: micros(cents) for level, cents in link.prizes.items()}
    shown = {
        level: state.held(account("meter", link.id, level)) - hidden_contributions(state, link, level)
        for level in link.levels
    }
    if link.display_falls == "at-payment":
        for award in state.awards.values():
            if award.link == link.id and award.level in shown and _still_on_the_sign(award):
                drawn = award.seed_drawn_micros + award.reserve_drawn_micros + award.overflow_drawn_micros
                shown[award.level] += micros(award.cents) - drawn
    return {level: as_posted(link, level, amount) for level, amount in shown.items()}


def _still_on_the_sign(award: Award) -> bool:
    """Whether an award has not come off the sign yet: it is locked, or paid while the key still stands at JPH."""
    return award.source == "meter" and (award.status == "hit" or award.under_key)


def pending(floor: Floor, link: str) -> list[Award]:
    """Awards of a link that wait for their payment, in the order of their hits and seats."""
    waiting = [award for award in floor.awards.values() if award.link == link and award.status == "hit"]
    return sorted(waiting, key=lambda award: (award.order, -award.seat))


def hidden_contributions(state: State, link: Link, level: str) -> Micros:
    """Contributions of rounds in play that the sign does not show yet, where it shows them at the end of the round.

    Those of a round that was opened again have been on it: a sign does not fall for that.
    """
    if link.shows_contributions == "at-start":
        return NO_MICROS
    return total(
        taken.shares[level].meter_micros
        for round_ in state.rounds.values()
        if round_.phase != "ended" and not round_.reopened
        for taken in round_.taken
        if taken.link == link.id and level in taken.shares
    )


def as_posted(link: Link, level: str, amount: Micros) -> Micros:
    """An amount as a sign shows it: not below zero, and not above a posted limit."""
    limit = link.levels[level].limit
    return max(NO_MICROS, amount if limit is None else min(micros(limit), amount))
