"""Slips at START GAME: one wager more or one less, by itself.

Only the corrected wager moves. Giving all wagers of the sensor back and taking them anew would let them contribute a
second time where another table has won the first contributions meanwhile.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from msgspec.structs import replace

from houseway.manager.core.engine import Decision
from houseway.manager.core.entities import Link, Taken
from houseway.manager.core.ledger import Postings, account
from houseway.manager.core.money import micros, rate
from houseway.manager.handlers.meters import give_back, level_of, take_wagers


def add_seat(decision: Decision, table: str, link: Link, sensor: str, seat: int, old: Taken | None) -> Taken:
    """Take a wager that was missed at START GAME; those that were counted stay where they are."""
    new = take_wagers(decision, table, link, sensor, (seat,), old)
    if old is None:
        return new
    posted = Postings({})
    posted.add(old.posted)
    posted.add(new.posted)
    levels = {
        name: (old.levels[name][0] + to_level, old.levels[name][1] + to_reserve)
        for name, (to_level, to_reserve) in new.levels.items()
    }
    remainders = {name: _sums(old.remainders[name], new.remainders[name]) for name in new.remainders}
    seats = tuple(sorted((*old.seats, seat)))
    return replace(old, seats=seats, posted=tuple(posted.lines()), levels=levels, remainders=remainders)


def take_seat_out(decision: Decision, table: str, link: Link, seat: int, old: Taken) -> Taken | None:
    """Give one wager back that was never made; the others stay where they are. None if it was the only one."""
    if old.seats == (seat,):
        give_back(decision, table, link, old)
        return None
    own = _part_of_one(decision, table, link, seat, old)
    give_back(decision, table, link, own)
    posted = Postings({})
    posted.add(old.posted)
    posted.add((name, -amount) for name, amount in own.posted)
    levels = {
        name: (to_level - own.levels[name][0], to_reserve - own.levels[name][1])
        for name, (to_level, to_reserve) in old.levels.items()
    }
    remainders = {name: _sums(old.remainders[name], own.remainders[name], -1) for name in old.remainders}
    seats = tuple(each for each in old.seats if each != seat)
    return replace(old, seats=seats, posted=tuple(posted.lines()), levels=levels, remainders=remainders)


def _sums(one: tuple[str, str], other: tuple[str, str], sign: int = 1) -> tuple[str, str]:
    first, second = (str(Fraction(mine) + sign * Fraction(yours)) for mine, yours in zip(one, other, strict=True))
    return first, second


def _part_of_one(decision: Decision, table: str, link: Link, seat: int, old: Taken) -> Taken:
    """What one of several wagers put where, so that the level's total without it is again the exact share."""
    amount = micros(old.wager)
    posted = Postings({})
    posted.transfer(account("drop", table), account("receipts", table), amount)
    levels: dict[str, tuple[int, int]] = {}
    remainders: dict[str, tuple[str, str]] = {}
    for name, (to_level, to_reserve) in old.levels.items():
        level = level_of(decision, link.id, name)
        rates = old.rates[name]
        mine, rest = _undone_share(amount, rates[0], level.carried, to_level)
        reserve, reserve_rest = _undone_share(amount, rates[1], level.reserve_carried, to_reserve)
        overflow = min(mine, max(0, -dict(old.posted).get(account("overflow", link.id, name), 0)))
        for kind, part in (("meter", mine - overflow), ("overflow", overflow), ("reserve", reserve)):
            posted.transfer(account("receipts", table), account(kind, link.id, name), part)
        levels[name], remainders[name] = (mine, reserve), (rest, reserve_rest)
    return replace(old, seats=(seat,), posted=tuple(posted.lines()), levels=levels, remainders=remainders)


def _undone_share(amount: int, share_text: str, carried: str, most: int) -> tuple[int, str]:
    """The whole micros of a wager's share that go back, and what it takes out of the carried remainder."""
    exact = amount * rate(share_text)
    whole = min(most, max(0, ceil(exact - Fraction(carried))))
    return whole, str(exact - whole)
