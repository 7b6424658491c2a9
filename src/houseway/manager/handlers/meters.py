"""Meters: what a wager puts on them, what an award takes off them, and what the sign shows meanwhile.

All of it works on the transfers of one decision. The ledger follows a hit at once: the award moves from the meter to
the locked account and the level is reseeded. The sign may follow later (`display_falls`): what it shows is computed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from houseway.amounts import MICROS_PER_CENT, NO_MICROS, Micros, micros, whole_cents
from houseway.errors import InputError, present
from houseway.games.shares import Pot, win
from houseway.manager.core.award_entities import Award
from houseway.manager.core.engine import Decision
from houseway.manager.core.ledger import Books, about, account
from houseway.manager.core.link_entities import LevelParameters, Link
from houseway.manager.core.money import cents_text, rate, remainder_of, share
from houseway.manager.core.signs import as_posted, hidden_contributions
from houseway.manager.core.table_entities import Shares, TakenWagers
from houseway.manager.handlers.change_base import level_of, recoverable_seed, room_below_limit, seed_brought
from houseway.ranking.hand_names import hand_title

if TYPE_CHECKING:
    pass


def take_wagers(
    decision: Decision,
    round_id: str,
    table: str,
    link: Link,
    sensor: str,
    seats: tuple[int, ...],
    like: TakenWagers | None = None,
) -> TakenWagers:
    """Take the wagers of these seats on one sensor: into the drop, and their shares onto the meters.

    `like`: the wagers of the round's start that are corrected; what the link's wager and rates became since is not for
    this round.
    """
    wager, version = (link.wager, link.version) if like is None else (like.wager, like.version)
    amount = micros(wager) * len(seats)
    receipts, subject = account("receipts", table), about("round", round_id)
    decision.books.transfer_any(account("drop", table), receipts, amount, "receipt", subject)
    shares: dict[str, Shares] = {}
    remainders: dict[str, tuple[str, str]] = {}
    rates = {name: (level.contribution, level.reserve) for name, level in link.levels.items()}
    if like is not None:
        rates |= like.rates
    for name, level in link.levels.items() if link.kind == "progressive" else ():
        contribution, reserve = rates[name]
        parameters = level if like is None else replace(level, contribution=contribution, reserve=reserve)
        shares[name], remainders[name] = _contribute(decision, subject, receipts, link, name, parameters, amount)
    return TakenWagers(sensor, link.id, version, seats, wager, shares, remainders, rates)


def _contribute(
    decision: Decision, subject: str, receipts: str, link: Link, name: str, parameters: LevelParameters, amount: Micros
) -> tuple[Shares, tuple[str, str]]:
    """Put the shares of an amount onto one level: the meter up to its limit, the overflow, the reserve."""
    level = level_of(decision, link.id, name)
    to_level, carried = share(amount, rate(parameters.contribution), level.carried)
    to_reserve, reserve_carried = share(amount, rate(parameters.reserve), level.reserve_carried)
    room = room_below_limit(decision, link, name)
    to_meter = to_level if room is None else min(to_level, room)
    put = Shares(to_meter, to_level - to_meter, to_reserve)
    transfer = decision.books.transfer_any
    transfer(receipts, account("meter", link.id, name), put.meter_micros, "contribution", subject)
    transfer(receipts, account("overflow", link.id, name), put.overflow_micros, "contribution", subject)
    transfer(receipts, account("reserve", link.id, name), put.reserve_micros, "reserve", subject)
    changed = replace(
        level, carried=carried, reserve_carried=reserve_carried, wagered_micros=level.wagered_micros + amount
    )
    decision.levels.put(changed)
    added = remainder_of(level.carried, carried), remainder_of(level.reserve_carried, reserve_carried)
    return put, added


def hold_limits(decision: Decision, link: Link, round_id: str) -> None:
    """Move what has come to lie above a posted limit into the overflow: contributions came while an award was locked.

    Called once everything else of a round's decision has found its place, so that nothing leaves a meter that still has
    room.
    """
    for name, parameters in link.levels.items():
        if parameters.limit is not None:
            meter, overflow = account("meter", link.id, name), account("overflow", link.id, name)
            above = max(NO_MICROS, decision.books.held(meter) - micros(parameters.limit))
            decision.books.transfer_any(meter, overflow, above, "limit", about("round", round_id))


def give_back(
    decision: Decision, round_id: str, table: str, link: Link, taken: TakenWagers, reason: Literal["void", "correction"]
) -> None:
    """Take a sensor's wagers back out of the books: wagers to the players, shares off the meters.

    Where an award has taken a share off its level since, the level gives what it still has, from its meter if the
    reserve is empty, and the house bears the rest out of the table's receipts.
    """
    books, subject = decision.books, about("round", round_id)
    receipts = account("receipts", table)

    for name, put in taken.shares.items():
        meter, overflow, reserve = (account(kind, link.id, name) for kind in ("meter", "overflow", "reserve"))
        missing = _draw(books, overflow, receipts, put.overflow_micros, reason, subject)
        missing += _draw(books, reserve, receipts, put.reserve_micros, reason, subject)
        _draw(books, meter, receipts, put.meter_micros + missing, reason, subject)
        _uncarry(decision, link, taken, name)
    books.transfer_any(receipts, account("drop", table), micros(taken.wager) * len(taken.seats), reason, subject)


def _draw(
    books: Books, source: str, receipts: str, wanted: Micros, reason: Literal["void", "correction"], subject: str
) -> Micros:
    """Take an amount off a held account back to the receipts, as far as it is there; returns what is missing."""
    found = min(wanted, books.held(source))
    books.transfer_any(source, receipts, found, reason, subject)
    return wanted - found


def _uncarry(decision: Decision, link: Link, taken: TakenWagers, name: str) -> None:
    """Take the remainders of wagers that are given back out of the level's carry: what they posted goes back whole."""
    level = level_of(decision, link.id, name)
    contribution, reserve = taken.remainders[name]
    changed = replace(
        level,
        carried=str(Fraction(level.carried) - Fraction(contribution)),
        reserve_carried=str(Fraction(level.reserve_carried) - Fraction(reserve)),
        wagered_micros=level.wagered_micros - micros(taken.wager) * len(taken.seats),
    )
    decision.levels.put(changed)


def awardable(decision: Decision, link: Link, level: str) -> Micros:
    """What an award is a share of: the meter without what is locked or not yet shown, and no more than is posted."""
    held = decision.books.held(account("meter", link.id, level))
    return as_posted(link, level, held - hidden_contributions(decision, link, level))


def level_won(award: Award) -> str:
    """The level of an award that comes off one; an award without is an internal error."""
    return present(award.level, f"level that pays {award.id}")


def lock_share(decision: Decision, link: Link, award: Award, at_least: Micros = NO_MICROS) -> Award:
    """Lock a percentage award; at 100% the level is reseeded. `at_least`: the full meter that each winner gets."""
    level, percent = level_won(award), percent_of(award)
    parameters, books, subject = link.levels[level], decision.books, about("award", award.id)
    accounts = {kind: account(kind, link.id, level) for kind in ("meter", "locked", "seed", "reserve", "overflow")}
    held, shown = books.held(accounts["meter"]), awardable(decision, link, level)
    limit = None if parameters.limit is None else micros(parameters.limit)
    pot = Pot(
        shown, held - shown, micros(parameters.seed), books.held(accounts["reserve"]),
        books.held(accounts["overflow"]), limit,
    )  # fmt: skip
    won = win(pot, percent, cent=MICROS_PER_CENT, at_least=at_least)
    locked_micros, advanced, seed, reserve, overflow, _ = (Micros(amount) for amount in won)
    # Only the policy of the full meter to each can ask for more than is there: the house advances it like a seed.
    books.transfer_any(accounts["seed"], accounts["meter"], advanced, "advance", subject)
    books.transfer_any(accounts["meter"], accounts["locked"], locked_micros, "award", subject)
    books.transfer_any(accounts["seed"], accounts["meter"], seed, "reseed", subject)
    books.transfer_any(accounts["reserve"], accounts["meter"], reserve, "release", subject)
    books.transfer_any(accounts["overflow"], accounts["meter"], overflow, "release", subject)
    locked = replace(
        award, cents=whole_cents(locked_micros), meter_before_micros=max(shown, at_least),
        seed_drawn_micros=advanced + seed, advanced_micros=advanced, reserve_drawn_micros=reserve,
        overflow_drawn_micros=overflow,
    )  # fmt: skip
    return _restarted(decision, parameters, locked, level, seed) if percent == 100 else locked


def percent_of(award: Award) -> int:
    """The percentage that an award is; an award without is an internal error."""
    return present(award.percent, f"percentage of {award.id}")


def _restarted(decision: Decision, parameters: LevelParameters, award: Award, name: str, seeded: Micros) -> Award:
    """A level that was won begins a new run."""
    level = level_of(decision, award.link, name)
    begun = level.generation + 1
    decision.levels.put(replace(level, generation=begun, seeded_micros=seeded, seeded_in=begun))
    return replace(award, generation=begun, seeded_before_micros=seed_brought(level, parameters))


def is_covered(decision: Decision, link: Link, award: Award) -> bool:
    """Whether the meter can pay a fixed award."""
    return awardable(decision, link, award.level or "") >= micros(award.cents)


def lock_fixed(decision: Decision, link: Link, award: Award) -> Award:
    """Lock a fixed award that comes off the meter, which may not fall below zero."""
    level = level_won(award)
    basis = awardable(decision, link, level)
    if basis < micros(award.cents):
        there, wins = cents_text(whole_cents(basis)), cents_text(award.cents)
        message = (
            f"seat {award.seat}'s {hand_title(award.hand)} wins {wins}, and the meter {link.id}/{level} holds {there}: "
            f"nothing is locked. If the tray pays it (TRAY PAYS), {wins} leaves the tray and the meter "
            f"keeps its {there}; if not, the hand waits as it is pressed, and is taken off by pressing it again"
        )
        raise InputError.of("meter-short", "fixed_from", message)
    meter, locked = account("meter", link.id, level), account("locked", link.id, level)
    decision.books.transfer_any(meter, locked, micros(award.cents), "award", about("award", award.id))
    return replace(award, meter_before_micros=basis)


def release(decision: Decision, link: Link, award: Award, reason: Literal["rejection", "reordering"]) -> None:
    """Undo a lock: the award goes back to the meter, and its reseed goes back as far as no later award has taken that.

    The meter may then stand above its limit until `hold_limits`: what is locked again comes off it again.
    """
    if award.source == "tray":
        return
    level = level_won(award)
    books, locked, subject = decision.books, account("locked", link.id, level), about("award", award.id)
    if award.source == "house":
        books.transfer_any(locked, account("prizes", link.id), micros(award.cents), reason, subject)
        return
    if award.generation:
        _take_reseed_back(decision, link, award, level)
    meter, seed = account("meter", link.id, level), account("seed", link.id, level)
    books.transfer_any(locked, meter, micros(award.cents), reason, subject)
    # What the house advanced never was the players' money: it does not stay on the meter now.
    books.transfer_any(meter, seed, award.advanced_micros, "advance-returned", subject)


def _take_reseed_back(decision: Decision, link: Link, award: Award, name: str) -> None:
    """Give seed, reserve and overflow of the level's last reseed back, as far as they are still on the meter."""
    level = level_of(decision, link.id, name)
    if level.generation != award.generation:
        return
    books, meter = decision.books, account("meter", link.id, name)
    # Seed money that two people have recovered since is not taken off the players' money a second time.
    recoverable = recoverable_seed(decision, link, name)
    seed = min(award.seed_drawn_micros - award.advanced_micros, recoverable)
    returned: tuple[tuple[str, Micros, Literal["reseed-returned", "release-returned"]], ...] = (
        ("seed", seed, "reseed-returned"),
        ("reserve", award.reserve_drawn_micros, "release-returned"),
        ("overflow", award.overflow_drawn_micros, "release-returned"),
    )
    for kind, amount, reason in returned:
        there = min(amount, books.held(meter))
        books.transfer_any(meter, account(kind, link.id, name), there, reason, about("award", award.id))
    before = replace(level, generation=level.generation - 1)
    if award.seeded_before_micros is not None:
        # The run before goes on with its own seed, and with seed money that two people have added since.
        before = replace(
            before, seeded_micros=award.seeded_before_micros + recoverable - seed, seeded_in=before.generation
        )
    decision.levels.put(before)
