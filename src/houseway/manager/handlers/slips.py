"""Slips at START GAME: one wager more or one less, by itself.

Only the corrected wager moves. Giving all wagers of the sensor back and taking them again would let them contribute a
second time where another table has won the first contributions meanwhile.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from msgspec.structs import replace

from houseway.amounts import NO_MICROS, Micros, micros
from houseway.manager.core.engine import Decision
from houseway.manager.core.link_entities import Link
from houseway.manager.core.money import rate
from houseway.manager.core.table_entities import Round, Shares, TakenWagers
from houseway.manager.handlers.change_base import level_of
from houseway.manager.handlers.meters import give_back, take_wagers


def add_seat(
    decision: Decision, round_: Round, link: Link, sensor: str, seat: int, old: TakenWagers | None
) -> TakenWagers:
    """Take a wager that was missed at START GAME; those that were counted stay where they are."""
    new = take_wagers(decision, round_.id, round_.table, link, sensor, (seat,), old)
    if old is None:
        return new
    shares = {name: _with(old.shares[name], put) for name, put in new.shares.items()}
    remainders = {name: _sums(old.remainders[name], new.remainders[name]) for name in new.remainders}
    seats = tuple(sorted((*old.seats, seat)))
    return replace(old, seats=seats, shares=shares, remainders=remainders)


def take_seat_out(decision: Decision, round_: Round, link: Link, seat: int, old: TakenWagers) -> TakenWagers | None:
    """Give one wager back that was never made; the others stay where they are. None if it was the only one."""
    if old.seats == (seat,):
        give_back(decision, round_.id, round_.table, link, old, "correction")
        return None
    own = _part_of_one(decision, link, seat, old)
    give_back(decision, round_.id, round_.table, link, own, "correction")
    shares = {name: _with(put, own.shares[name], -1) for name, put in old.shares.items()}
    remainders = {name: _sums(old.remainders[name], own.remainders[name], -1) for name in old.remainders}
    seats = tuple(each for each in old.seats if each != seat)
    return replace(old, seats=seats, shares=shares, remainders=remainders)


def _with(one: Shares, other: Shares, sign: int = 1) -> Shares:
    return Shares(*(mine + yours * sign for mine, yours in zip(one, other, strict=True)))


def _sums(one: tuple[str, str], other: tuple[str, str], sign: int = 1) -> tuple[str, str]:
    first, second = (str(Fraction(mine) + sign * Fraction(yours)) for mine, yours in zip(one, other, strict=True))
    return first, second


def _part_of_one(decision: Decision, link: Link, seat: int, old: TakenWagers) -> TakenWagers:
    """What one of several wagers put where, so that the level's total without it is again the exact share."""
    amount = micros(old.wager)
    shares: dict[str, Shares] = {}
    remainders: dict[str, tuple[str, str]] = {}
    for name, put in old.shares.items():
        level = level_of(decision, link.id, name)
        rates = old.rates[name]
        mine, rest = _undone_share(amount, rates[0], level.carried, put.contributed_micros)
        reserve, reserve_rest = _undone_share(amount, rates[1], level.reserve_carried, put.reserve_micros)
        overflow = min(mine, put.overflow_micros)
        shares[name], remainders[name] = Shares(mine - overflow, overflow, reserve), (rest, reserve_rest)
    return replace(old, seats=(seat,), shares=shares, remainders=remainders)


def _undone_share(amount: Micros, share_text: str, carried: str, most: Micros) -> tuple[Micros, str]:
    """The whole micros of a wager's share that go back, and what it takes out of the carried remainder."""
    exact = int(amount) * rate(share_text)
    whole = min(most, max(NO_MICROS, Micros(ceil(exact - Fraction(carried)))))
    return whole, str(exact - whole)
