"""Meters: what a wager puts on them, what an award takes off them, and what the sign shows meanwhile.

All of it works on the transfers of one decision. The ledger follows a hit at once: the award moves from the meter to
the locked account and the level is reseeded. The sign may follow later (`display_falls`): what it shows is computed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec.structs import replace

from houseway.manager.core.engine import Decision, refuse
from houseway.manager.core.entities import Award, Level, LevelParameters, Link, Round, Taken
from houseway.manager.core.ledger import Postings, account
from houseway.manager.core.money import MICROS_PER_CENT, cents_text, dollars, micros, rate, remainder_of, share
from houseway.manager.handlers.change_base import recoverable_seed, seed_brought
from houseway.ranking.hands import hand_title

if TYPE_CHECKING:
    from houseway.manager.core.floor import Floor


def level_id(link: str, level: str) -> str:
    """The id of a level's running figures."""
    return f"{link}/{level}"


def level_of(decision: Decision, link: str, level: str) -> Level:
    """The running figures of a level, new ones where there are none yet."""
    found: Level | None = decision.get("level", level_id(link, level))
    return found or Level(level_id(link, level))


def take_wagers(
    decision: Decision, table: str, link: Link, sensor: str, seats: tuple[int, ...], like: Taken | None = None
) -> Taken:
    """Take the wagers of these seats on one sensor: into the drop, and their shares onto the meters.

    `like`: the wagers of the round's start that are corrected; what the link's wager and rates became since is not for
    this round.
    """
    wager, version = (link.wager, link.version) if like is None else (like.wager, like.version)
    amount = micros(wager) * len(seats)
    mine = Postings({})
    mine.transfer(account("drop", table), account("receipts", table), amount)
    levels: dict[str, tuple[int, int]] = {}
    remainders: dict[str, tuple[str, str]] = {}
    rates = {name: (level.contribution, level.reserve) for name, level in link.levels.items()}
    rates |= like.rates if like is not None else {}
    for name, level in link.levels.items() if link.kind == "progressive" else ():
        parameters = replace(level, contribution=rates[name][0], reserve=rates[name][1])
        levels[name], remainders[name] = _contribute(decision, mine, table, link, name, parameters, amount)
    posted = tuple(mine.lines())
    decision.postings.add(posted)
    return Taken(sensor, link.id, version, seats, wager, posted, levels, remainders, rates)


def _contribute(
    decision: Decision, mine: Postings, table: str, link: Link, name: str, parameters: LevelParameters, amount: int
) -> tuple[tuple[int, int], tuple[str, str]]:
    """Put the shares of an amount onto one level: the meter up to its limit, the overflow, the reserve."""
    level = level_of(decision, link.id, name)
    to_level, carried = share(amount, rate(parameters.contribution), level.carried)
    to_reserve, reserve_carried = share(amount, rate(parameters.reserve), level.reserve_carried)
    meter, receipts = account("meter", link.id, name), account("receipts", table)
    to_meter = min(to_level, room_below_limit(decision, link.id, name, parameters))
    mine.transfer(receipts, meter, to_meter)
    mine.transfer(receipts, account("overflow", link.id, name), to_level - to_meter)
    mine.transfer(receipts, account("reserve", link.id, name), to_reserve)
    changed = replace(level, carried=carried, reserve_carried=reserve_carried, wagered=level.wagered + amount)
    decision.put("level", changed)
    added = remainder_of(level.carried, carried), remainder_of(level.reserve_carried, reserve_carried)
    return (to_level, to_reserve), added


def room_below_limit(decision: Decision, link: str, name: str, parameters: LevelParameters) -> int:
    """How much a level's meter can still take before its posted limit."""
    held = decision.postings.held(account("meter", link, name))
    return 10**18 if parameters.limit is None else max(0, micros(parameters.limit) - held)


def hold_limits(decision: Decision, link: Link) -> None:
    """Move what has come to lie above a posted limit into the overflow: contributions came while an award was locked.

    Called once everything else of a decision has found its place, so that nothing leaves a meter that still has room.
    """
    for name, parameters in link.levels.items():
        if parameters.limit is not None:
            meter = account("meter", link.id, name)
            above = max(0, decision.postings.held(meter) - micros(parameters.limit))
            decision.postings.transfer(meter, account("overflow", link.id, name), above)


def give_back(decision: Decision, table: str, link: Link, taken: Taken) -> None:
    """Take a sensor's wagers back out of the books: wagers to the players, shares off the meters.

    Where an award has taken a share off its level since, the level gives what it still has, from its meter if the
    reserve is empty, and the house bears the rest out of the table's receipts.
    """
    postings = decision.postings
    amount = micros(taken.wager) * len(taken.seats)
    receipts = account("receipts", table)
    for name, (to_level, to_reserve) in taken.levels.items():
        accounts = {kind: account(kind, link.id, name) for kind in ("overflow", "meter", "reserve")}
        overflow = min(to_level, -dict(taken.posted).get(accounts["overflow"], 0))
        missing = _draw(postings, accounts["overflow"], receipts, overflow)
        missing += _draw(postings, accounts["reserve"], receipts, to_reserve)
        _draw(postings, accounts["meter"], receipts, to_level - overflow + missing)
        _uncarry(decision, link, taken, name)
    postings.transfer(receipts, account("drop", table), amount)


def _draw(postings: Postings, source: str, receipts: str, wanted: int) -> int:
    """Take an amount off a held account back to the receipts, as far as it is there; return what is missing."""
    found = min(wanted, postings.held(source))
    postings.transfer(source, receipts, found)
    return wanted - found


def _uncarry(decision: Decision, link: Link, taken: Taken, name: str) -> None:
    """Take the remainders of wagers that are given back out of the level's carry: what they posted goes back whole."""
    level = level_of(decision, link.id, name)
    contribution, reserve = taken.remainders[name]
    changed = replace(
        level,
        carried=str(Fraction(level.carried) - Fraction(contribution)),
        reserve_carried=str(Fraction(level.reserve_carried) - Fraction(reserve)),
        wagered=level.wagered - micros(taken.wager) * len(taken.seats),
    )
    decision.put("level", changed)


def hidden_contributions(decision_or_floor: Decision | Floor, link: Link, level: str) -> int:
    """Contributions of rounds in play that the sign does not show yet, where it shows them at the end of the round.

    Those of a round that was opened again have been on it: a sign does not fall for that.
    """
    if link.shows_contributions == "at-start":
        return 0
    floor = decision_or_floor.floor if isinstance(decision_or_floor, Decision) else decision_or_floor
    hidden = 0
    for id_ in floor.round:
        found: Round | None = (
            decision_or_floor.get("round", id_)
            if isinstance(decision_or_floor, Decision)
            else decision_or_floor.round[id_]
        )
        if found is not None and found.phase != "ended" and not found.reopened:
            hidden += sum(-dict(t.posted).get(account("meter", link.id, level), 0) for t in found.taken)
    return hidden


def awardable(decision: Decision, link: Link, level: str) -> int:
    """What an award is a share of: the meter without what is locked or not yet shown, and no more than is posted."""
    held = decision.postings.held(account("meter", link.id, level))
    return _as_posted(link, level, held - hidden_contributions(decision, link, level))


def _as_posted(link: Link, level: str, amount: int) -> int:
    """An amount as a sign shows it: not below zero, and not above a posted limit."""
    limit = link.levels[level].limit
    return max(0, amount if limit is None else min(micros(limit), amount))


def lock_share(decision: Decision, link: Link, award: Award, at_least: int | None = None) -> Award:
    """Lock a percentage award; at 100% the level is reseeded. `at_least`: the full meter that each winner gets."""
    assert award.percent is not None
    assert award.level is not None
    basis = awardable(decision, link, award.level)
    full = basis if at_least is None else max(basis, at_least)
    cents = full * award.percent // (100 * MICROS_PER_CENT)
    meter = account("meter", link.id, award.level)
    # Only the policy of the full meter to each can ask for more than is there: the house advances it like a seed.
    advanced = max(0, micros(cents) - basis)
    decision.postings.transfer(account("seed", link.id, award.level), meter, advanced)
    decision.postings.transfer(meter, account("locked", link.id, award.level), micros(cents))
    locked = replace(award, cents=cents, meter_before=full, seed_drawn=advanced, advanced=advanced)
    return _reseed(decision, link, locked) if award.percent == 100 else locked


def _reseed(decision: Decision, link: Link, award: Award) -> Award:
    """Restart a level that was won: seed from the house, reserve, overflow, each as far as the limit lets.

    What an award leaves on the meter (below a cent, or not shown yet) is there already: beside it a seed as high as the
    limit would not fit whole.
    """
    assert award.level is not None
    parameters = link.levels[award.level]
    postings, meter = decision.postings, account("meter", link.id, award.level)
    drawn = {}
    available = {"seed": micros(parameters.seed)}
    available |= {kind: postings.held(account(kind, link.id, award.level)) for kind in ("reserve", "overflow")}
    for kind, there in available.items():
        drawn[kind] = min(there, room_below_limit(decision, link.id, award.level, parameters))
        postings.transfer(account(kind, link.id, award.level), meter, drawn[kind])
    level = level_of(decision, link.id, award.level)
    begun = level.generation + 1
    decision.put("level", replace(level, generation=begun, seeded=drawn["seed"], seeded_in=begun))
    return replace(
        award,
        seed_drawn=award.seed_drawn + drawn["seed"],
        reserve_drawn=drawn["reserve"],
        overflow_drawn=drawn["overflow"],
        generation=begun,
        seeded_before=seed_brought(level, parameters),
    )


def is_covered(decision: Decision, link: Link, award: Award) -> bool:
    """Whether the meter can pay a fixed award."""
    return awardable(decision, link, award.level or "") >= micros(award.cents)


def lock_fixed(decision: Decision, link: Link, award: Award) -> Award:
    """Lock a fixed award that comes off the meter, which may not fall below zero."""
    assert award.level is not None
    basis = awardable(decision, link, award.level)
    if basis < micros(award.cents):
        message = (
            f"the meter holds {dollars(basis)}, seat {award.seat}'s {hand_title(award.hand)} wins "
            f"{cents_text(award.cents)}: hit again and let the tray pay it"
        )
        raise refuse("meter-short", "fixed_from", message)
    meter, locked = account("meter", link.id, award.level), account("locked", link.id, award.level)
    decision.postings.transfer(meter, locked, micros(award.cents))
    return replace(award, meter_before=basis)


def release(decision: Decision, link: Link, award: Award) -> None:
    """Undo a lock: the award goes back to the meter, and its reseed goes back as far as no later award has taken that.

    The meter may then stand above its limit until `hold_limits`: what is locked anew comes off it again.
    """
    if award.source == "tray":
        return
    assert award.level is not None
    postings, locked = decision.postings, account("locked", link.id, award.level)
    if award.source == "house":
        postings.transfer(locked, account("prizes", link.id), micros(award.cents))
        return
    if award.generation:
        _take_reseed_back(decision, link, award)
    # What the house advanced never was on the meter: it does not go there now.
    postings.transfer(locked, account("seed", link.id, award.level), award.advanced)
    postings.transfer(locked, account("meter", link.id, award.level), micros(award.cents) - award.advanced)


def _take_reseed_back(decision: Decision, link: Link, award: Award) -> None:
    """Give seed, reserve and overflow of the level's last reseed back, as far as they are still on the meter."""
    assert award.level is not None
    level = level_of(decision, link.id, award.level)
    if level.generation != award.generation:
        return
    postings, meter = decision.postings, account("meter", link.id, award.level)
    # Seed money that two people have recovered since is not taken off the players' money a second time.
    recoverable = recoverable_seed(decision, link, award.level)
    seed = min(award.seed_drawn - award.advanced, recoverable)
    for kind, amount in (("seed", seed), ("reserve", award.reserve_drawn), ("overflow", award.overflow_drawn)):
        there = min(amount, postings.held(meter))
        postings.transfer(meter, account(kind, link.id, award.level), there)
    before = replace(level, generation=level.generation - 1)
    if award.seeded_before is not None:
        # The run before goes on with its own seed, and with seed money that two people have added since.
        before = replace(before, seeded=award.seeded_before + recoverable - seed, seeded_in=before.generation)
    decision.put("level", before)


def displayed(floor: Floor, link: Link) -> dict[str, int]:
    """What the sign shows for each level, in micros; for a house jackpot the posted prizes."""
    if link.kind == "house":
        return {level: micros(cents) for level, cents in link.prizes.items()}
    shown = {
        level: floor.held(account("meter", link.id, level)) - hidden_contributions(floor, link, level)
        for level in link.levels
    }
    if link.display_falls == "at-payment":
        for award in floor.award.values():
            if award.link == link.id and award.level in shown and _still_on_the_sign(award):
                drawn = award.seed_drawn + award.reserve_drawn + award.overflow_drawn
                shown[award.level] += micros(award.cents) - drawn
    return {level: _as_posted(link, level, amount) for level, amount in shown.items()}


def _still_on_the_sign(award: Award) -> bool:
    """Whether an award has not come off the sign yet: it is locked, or paid while the key still stands at JPH."""
    return award.source == "meter" and (award.status == "hit" or award.under_key)


def pending(floor: Floor, link: str) -> list[Award]:
    """Awards of a link that wait for their payment, in the order of their hits and seats."""
    waiting = [award for award in floor.award.values() if award.link == link and award.status == "hit"]
    return sorted(waiting, key=lambda award: (award.order, -award.seat))
