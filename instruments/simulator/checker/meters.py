"""Money on and off the meters, from the documents: contributions, limits, awards, reseeds, and their reversal.

The independent part is how contributions are checked: not step by step, but by totals. What a level has been given
must at every wager be the exact share of all wagers that count, rounded down to the millionth, whatever remainders did
in between.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from math import floor as rounded_down

from instruments.simulator.checker.errors import require
from instruments.simulator.checker.state import MICROS_PER_CENT, Award, Floor, Level, Link, Round, Shares, TakenWagers


def take(floor: Floor, table: str, link: Link, seats: Iterable[int], like: TakenWagers | None = None) -> TakenWagers:
    """Take the wagers of these seats: into the drop, their shares onto the levels, the rest to the receipts.

    `like` gives the wager and the rates of the round's start: nothing that was changed since holds for it.
    """
    rates = {name: (level.rate, level.reserve_rate) for name, level in link.levels.items()}
    taken = TakenWagers(link.id, set(seats), link.wager, {}, rates, link.fixed_pays, link.order, dict(link.prizes))
    if like is not None:
        taken = replace(like, seats=set(seats), shares={})
    wager, rates = taken.wager, taken.rates
    amount = len(taken.seats) * wager * MICROS_PER_CENT
    floor.move(f"drop/{table}", f"receipts/{table}", amount)
    for level in link.levels.values():
        taken.shares[level.name] = _contribute(floor, table, link, level, amount, rates[level.name])
    return taken


def _contribute(
    floor: Floor, table: str, link: Link, level: Level, amount: int, rates: tuple[Fraction, Fraction]
) -> Shares:
    receipts, path = f"receipts/{table}", f"{link.id}/{level.name}"
    due, reserve_due = amount * rates[0], amount * rates[1]
    level.due += due
    level.reserve_due += reserve_due
    share = max(0, rounded_down(level.due) - level.posted)
    reserve = max(0, rounded_down(level.reserve_due) - level.reserve_posted)
    level.posted += share
    level.undone = 0
    level.reserve_posted += reserve
    meter = min(share, room(floor, link, level))
    floor.move(receipts, f"meter/{path}", meter)
    floor.move(receipts, f"overflow/{path}", share - meter)
    if share > meter:
        floor.note("a contribution above the limit went to the overflow")
    if level.due.denominator > 1:
        floor.note("a remainder below a millionth was carried")
    floor.move(receipts, f"reserve/{path}", reserve)
    return Shares(meter, share - meter, reserve, due, reserve_due)


def room(floor: Floor, link: Link, level: Level) -> int:
    """How much a meter can take before its posted limit."""
    if level.limit is None:
        return 10**30
    return max(0, level.limit * MICROS_PER_CENT - floor.meter(link.id, level.name))


def give_back(floor: Floor, table: str, taken: TakenWagers) -> None:
    """Take wagers back out of the books: to the players, and their shares off the levels."""
    link = floor.links[taken.link]
    floor.move(f"receipts/{table}", f"drop/{table}", len(taken.seats) * taken.wager * MICROS_PER_CENT)
    for name, shares in taken.shares.items():
        level = link.levels[name]
        level.due -= shares.due
        level.reserve_due -= shares.reserve_due
        level.posted -= shares.meter + shares.overflow
        level.reserve_posted -= shares.reserve
        level.undone += 1
        _take_off(floor, table, f"{link.id}/{name}", shares)


def correct(floor: Floor, table: str, link: Link, seat: int, old: TakenWagers | None) -> TakenWagers | None:
    """Put one wager in that was missed, or take one out that was never made; all others stay as they were taken.

    Afterwards a level has again been given the exact share of the wagers that count, rounded down.
    """
    if old is None or seat not in old.seats:
        new = take(floor, table, link, {seat}, old)
        if old is None:
            return new
        shares = {name: _together(each, new.shares[name], 1) for name, each in old.shares.items()}
        return replace(old, seats=old.seats | {seat}, shares=shares)
    if old.seats == {seat}:
        give_back(floor, table, old)
        return None
    amount = old.wager * MICROS_PER_CENT
    own = {name: _share_of_one(link.levels[name], amount, each, old.rates[name]) for name, each in old.shares.items()}
    give_back(floor, table, replace(old, seats={seat}, shares=own))
    shares = {name: _together(each, own[name], -1) for name, each in old.shares.items()}
    return replace(old, seats=old.seats - {seat}, shares=shares)


def _together(one: Shares, other: Shares, sign: int) -> Shares:
    return Shares(
        one.meter + sign * other.meter,
        one.overflow + sign * other.overflow,
        one.reserve + sign * other.reserve,
        one.due + sign * other.due,
        one.reserve_due + sign * other.reserve_due,
    )


def _share_of_one(level: Level, amount: int, of_all: Shares, rates: tuple[Fraction, Fraction]) -> Shares:
    """What goes back for one wager of several: what is posted beyond the share of those that are left."""
    due, reserve_due = amount * rates[0], amount * rates[1]
    total = min(of_all.meter + of_all.overflow, max(0, level.posted - rounded_down(level.due - due)))
    reserve = min(of_all.reserve, max(0, level.reserve_posted - rounded_down(level.reserve_due - reserve_due)))
    overflow = min(total, of_all.overflow)
    return Shares(total - overflow, overflow, reserve, due, reserve_due)


def hold_limits(floor: Floor, link: Link) -> None:
    """A posted limit holds whatever goes back onto a meter: what is above it is kept for later."""
    for level in link.levels.values():
        if level.limit is not None:
            path = f"{link.id}/{level.name}"
            above = max(0, floor.meter(link.id, level.name) - level.limit * MICROS_PER_CENT)
            floor.move(f"meter/{path}", f"overflow/{path}", above)
            if above:
                floor.note("what went back above a limit went to the overflow")


def _take_off(floor: Floor, table: str, path: str, shares: Shares) -> None:
    """Take shares off a level.

    A reseed since may have put reserve and overflow onto the meter, an award may have taken the meter away: then the
    level gives what it still has, and the house bears the rest.
    """
    wanted = shares.meter
    for kind, amount in (("overflow", shares.overflow), ("reserve", shares.reserve)):
        there = min(amount, floor.held(f"{kind}/{path}"))
        floor.move(f"{kind}/{path}", f"receipts/{table}", there)
        wanted += amount - there
    if wanted > floor.held(f"meter/{path}"):
        floor.note("a void bore by the house what an award had taken")
    floor.move(f"meter/{path}", f"receipts/{table}", min(wanted, floor.held(f"meter/{path}")))


def shared_base(floor: Floor, link: Link, level: str) -> int:
    """What an award is a share of: the meter, neither locked nor still hidden from the sign, up to a posted limit."""
    found, limit = floor.meter(link.id, level) - floor.hidden(link, level), link.levels[level].limit
    return max(0, found if limit is None else min(found, limit * MICROS_PER_CENT))


def lock(floor: Floor, link: Link, award: Award, full: dict[str, int]) -> None:
    """Lock an award at its amount; a level won at 100% restarts with its seed, its reserve and its overflow."""
    if award.source == "house":
        assert award.level is not None
        assert award.percent is not None
        prizes = floor.rounds[award.round].taken[award.sensor].prizes
        award.cents = prizes[award.level] * award.percent // 100
        floor.move(f"prizes/{link.id}", f"locked/{link.id}/{award.level}", award.cents * MICROS_PER_CENT)
    elif award.percent is None:
        assert award.pays is not None
        award.cents = award.pays * floor.rounds[award.round].taken[award.sensor].wager if award.wagered else 0
        if award.source == "meter":
            floor.move(
                f"meter/{link.id}/{award.level}", f"locked/{link.id}/{award.level}", award.cents * MICROS_PER_CENT
            )
    elif award.wagered:
        _lock_share(floor, link, award, full)
    award.status = "hit"
    award.hits += 1
    floor.locks += 1
    award.locked_as = floor.locks


def _lock_share(floor: Floor, link: Link, award: Award, full: dict[str, int]) -> None:
    assert award.level is not None
    assert award.percent is not None
    base = shared_base(floor, link, award.level)
    path = f"{link.id}/{award.level}"
    if floor.rounds[award.round].taken[award.sensor].order == "full-to-each":
        # Each winner gets the share of the meter as the first one found it; what the meter cannot pay, the house adds.
        award.cents = max(base, full[award.level]) * award.percent // 100 // MICROS_PER_CENT
    else:
        award.cents = base * award.percent // 100 // MICROS_PER_CENT
    amount = award.cents * MICROS_PER_CENT
    award.lent = max(0, amount - base)
    if award.lent:
        floor.note("the house added to the full meter for each")
    floor.move(f"seed/{path}", f"meter/{path}", award.lent)
    floor.move(f"meter/{path}", f"locked/{path}", amount)
    if award.percent == 100:
        _reseed(floor, link, award)


def _reseed(floor: Floor, link: Link, award: Award) -> None:
    level = link.levels[award.level or ""]
    path = f"{link.id}/{level.name}"
    # What an award leaves on the meter stays below the limit together with the seed.
    award.seed_drawn = min(level.seed * MICROS_PER_CENT, room(floor, link, level))
    floor.move(f"seed/{path}", f"meter/{path}", award.seed_drawn)
    award.reserve_drawn = min(floor.held(f"reserve/{path}"), room(floor, link, level))
    floor.move(f"reserve/{path}", f"meter/{path}", award.reserve_drawn)
    award.overflow_drawn = min(floor.held(f"overflow/{path}"), room(floor, link, level))
    floor.move(f"overflow/{path}", f"meter/{path}", award.overflow_drawn)
    level.generation += 1
    level.brought[level.generation] = award.seed_drawn
    level.recovered.pop(level.generation, None)
    award.generation = level.generation
    if award.reserve_drawn:
        floor.note("a reseed drew the reserve")
    if award.overflow_drawn:
        floor.note("a reseed drew the overflow")
    if floor.held(f"reserve/{path}") or floor.held(f"overflow/{path}"):
        floor.note("a reseed stopped at the limit")


def release(floor: Floor, link: Link, award: Award) -> None:
    """Undo a lock for good: the amount goes back to the meter.

    Seed and reserve that it had drawn go back too, as far as they are still on the meter; where a later award of
    the level has begun on them, it stands, and so do they.
    """
    level = link.levels.get(award.level or "")
    if award.percent == 100 and level is not None and award.source == "meter":
        if award.generation == level.generation:
            # What two people have recovered since is not taken off the players' money a second time.
            recovered = level.recovered.pop(level.generation, 0)
            award.seed_drawn = max(0, award.seed_drawn - max(0, recovered))
            _take_reseed_back(floor, link, award)
            level.generation -= 1
            # What they have added since stays, for the run that goes on.
            count_recovered(level, min(0, recovered))
            floor.note("a reseed was taken back")
        else:
            floor.note("a reseed stayed because a later award stands")
    _give_amount_back(floor, link, award)


def recover(floor: Floor, link: Link, level: Level, micros: int) -> None:
    """The house takes seed money back off a meter.

    What is then neither on the meter nor locked in an award that could still be rejected, winners have been paid: that
    seed money is gone, and later contributions do not bring it back.
    """
    path = f"{link.id}/{level.name}"
    floor.move(f"meter/{path}", f"seed/{path}", micros)
    count_recovered(level, micros)
    if not micros or level.generation not in level.brought:
        return
    locked = sum(
        each.cents * MICROS_PER_CENT - each.lent
        for each in floor.awards_on(link.id, level.name)
        if each.status == "hit" and each.source == "meter" and each.percent != 100
    )
    left = level.brought[level.generation] - level.recovered[level.generation]
    count_recovered(level, max(0, left - floor.held(f"meter/{path}") - locked))


def count_recovered(level: Level, micros: int) -> None:
    """Seed money of the present run has gone back to the house; below zero, the house has added some."""
    level.recovered[level.generation] = level.recovered.get(level.generation, 0) + micros


def _take_reseed_back(floor: Floor, link: Link, award: Award) -> None:
    path = f"{link.id}/{award.level}"
    for kind, drawn in (
        ("seed", award.seed_drawn),
        ("reserve", award.reserve_drawn),
        ("overflow", award.overflow_drawn),
    ):
        floor.move(f"meter/{path}", f"{kind}/{path}", min(drawn, floor.held(f"meter/{path}")))
    award.seed_drawn = award.reserve_drawn = award.overflow_drawn = 0


def _give_amount_back(floor: Floor, link: Link, award: Award) -> None:
    path, amount = f"{link.id}/{award.level}", award.cents * MICROS_PER_CENT
    if award.source == "house":
        floor.move(f"locked/{path}", f"prizes/{link.id}", amount)
    elif award.source == "meter":
        # What the house had added so that each winner gets the full meter was never on it: it goes back to the house.
        floor.move(f"locked/{path}", f"seed/{path}", award.lent)
        floor.move(f"locked/{path}", f"meter/{path}", amount - award.lent)
    award.status, award.cents, award.lent = "pressed", 0, 0


def release_all(floor: Floor, awards: Iterable[Award]) -> None:
    """Undo several locks, the latest first."""
    for award in sorted(awards, key=lambda each: -each.locked_as):
        release(floor, floor.links[award.link], award)


def worked_out_anew(floor: Floor, link: Link, mine: Iterable[Award]) -> list[Award]:
    """Which locked awards of a round on a link a further hit or rejection changes.

    An award is locked for its winner. Only among the winners of one round the order of seats decides, until one of
    them is paid; where somebody at another table has won from the level since, its awards stay as they are.
    """
    if any(each.status == "paid" and each.source == "meter" for each in mine):
        return []
    locked = [each for each in mine if each.status == "hit"]
    fixed = set()
    for name, level in link.levels.items():
        here = [each for each in locked if each.source == "meter" and each.level == name]
        if here and _others_won(floor, here, level):
            floor.note("awards stood because another table had won since")
            fixed.add(name)
    return [each for each in locked if each.source != "meter" or each.level not in fixed]


def _others_won(floor: Floor, here: list[Award], level: Level) -> bool:
    first, round_, link = min(each.locked_as for each in here), here[0].round, here[0].link
    in_play = (each for other in floor.rounds.values() for each in other.awards.values() if each.status == "hit")
    others = (each for each in (*in_play, *floor.paid_awards.values()) if each.source == "meter")
    since = [each for each in others if each.round != round_ and each.locked_as > first]
    if any((each.link, each.level) == (link, level.name) for each in since):
        return True
    # Somebody won in between whose award was rejected when it could no longer be undone: the level has moved on.
    restarts = {each.generation for each in here if each.percent == 100}
    return any(level.generation - number not in restarts for number in range(len(restarts)))


def lock_in_order(floor: Floor, round_: Round, link: Link, *, tray: bool) -> None:
    """Lock the awards of a round on a link from the highest seat down; those that do not stand yet, all of them again.

    `tray` lets the tray make a fixed pay that the meter cannot.
    """
    mine = sorted(
        (each for each in round_.awards.values() if each.link == link.id), key=lambda each: (-each.seat, each.sensor)
    )
    release_all(floor, worked_out_anew(floor, link, mine))
    full = {level: shared_base(floor, link, level) for level in link.levels}
    for award in mine:
        if award.status == "pressed":
            if not is_covered(floor, award):
                require(tray, f"{award.id} is refused where the meter cannot make it", "a refusal", "a lock")
                award.source, award.level = "tray", None
                floor.note("a fixed pay from the tray because the meter was short")
            lock(floor, link, award, full)
    hold_limits(floor, link)
    _note_several(floor, round_, mine)


def is_covered(floor: Floor, award: Award) -> bool:
    """Whether the meter holds a fixed pay that comes off it; every other award is as large as there is money."""
    if award.source != "meter" or award.percent is not None:
        return True
    wager = floor.rounds[award.round].taken[award.sensor].wager
    wanted = (award.pays or 0) * wager * MICROS_PER_CENT
    return wanted <= shared_base(floor, floor.links[award.link], award.level or "")


def _note_several(floor: Floor, round_: Round, mine: list[Award]) -> None:
    shares = [each for each in mine if each.status == "hit" and each.percent is not None]
    if len([each for each in shares if each.source == "meter"]) > 1:
        floor.note("several winners of a meter in one round")
    if len([each for each in shares if each.source == "house"]) > 1:
        floor.note("a house prize to each of several winners")
    if any(each.hits > 1 for each in shares):
        floor.note("awards of a round worked out again")
    levels = {(each.link, each.level) for each in shares if each.source == "meter"}
    others = (each for other in floor.rounds.values() if other is not round_ for each in other.awards.values())
    if any(each.status == "hit" and (each.link, each.level) in levels for each in others):
        floor.note("winners of one level at two tables at once")
