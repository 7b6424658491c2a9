"""Money in every state: sums of zero, nothing overdrawn, what players put in still there, nobody paid twice.

What a link owes to its players is counted here from the wagers alone: the exact share of each, as rates stood at its
START GAME. Meters, reserves, overflow, locked and paid amounts, less the seeds that the house has advanced, must be
that very sum, to the last fraction of a millionth that is carried.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from houseway.manager.commands.link_commands import Propose, Withdraw
from houseway.manager.commands.round_commands import (
    CorrectWager,
    DecideRound,
    MisdealRound,
    PressHand,
    RejectJackpot,
    StartRound,
    VoidRound,
)
from houseway.manager.core.engine import Envelope
from houseway.manager.core.floor import Floor
from houseway.manager.core.link_entities import Link
from instruments.explorer.history import History, RoundHistory, Stake, dealers_of

HELD: Final = ("meter", "reserve", "overflow", "locked", "promotion")
FROM_OUTSIDE: Final = ("malfunction", "book-receipts", "voided-round", "carried")
"""Reasons of adjustments whose other side is not an account of the link."""

Broken = tuple[str, str]
"""A rule that does not hold, and how."""


def held_for(floor: Floor, link: str) -> Fraction:
    """All that a link has of its players' money, paid out or not, with the fractions that it carries."""
    get = floor.balances.get
    total = -get(f"paid/{link}", 0)
    carried = Fraction(0)
    for level in floor.links[link].levels:
        total -= sum(get(f"{kind}/{link}/{level}", 0) for kind in (*HELD, "seed"))
        figures = floor.levels[f"{link}/{level}"]
        carried += _rate(figures.carried) + _rate(figures.reserve_carried)
    return total + carried


def broken_books(floor: Floor) -> Iterator[Broken]:
    """What is wrong with the books of a state by itself."""
    total = sum(map(int, floor.balances.values()))
    if total:
        yield "zero-sum", f"all accounts together hold {total} micros, not 0"
    for name, balance in floor.balances.items():
        if balance > 0 and name.split("/", 1)[0] in HELD:
            yield "overdraft", f"{name} is overdrawn by {balance} micros"
    for link in floor.links.values():
        for level, parameters in link.levels.items():
            open_ = sum(
                int(award.cents) * 10_000
                for award in floor.awards.values()
                if (award.link, award.level, award.status, award.source) == (link.id, level, "hit", "meter")
            )
            locked = floor.held(f"locked/{link.id}/{level}")
            if locked != open_:
                yield "locked", f"{link.id}/{level} has {locked} micros locked, its open awards are {open_}"
            meter = floor.held(f"meter/{link.id}/{level}")
            if parameters.limit is not None and meter > int(parameters.limit) * 10_000:
                yield "limit", f"the meter of {link.id}/{level} holds {meter} micros, above its posted limit"
    yield from _paid_alone(floor)


def _paid_alone(floor: Floor) -> Iterator[Broken]:
    """No dealer pays without a badge, in one round, what a supervisor would have to confirm as one award."""
    for round_ in floor.rounds.values():
        mine = [floor.awards[id_] for id_ in round_.awards if id_ in floor.awards]
        alone = [award for award in mine if (award.status, award.badge_role) == ("paid", "none")]
        if not alone or round_.corrections:  # a supervisor who puts a wager in makes the envy more
            continue
        seats = {taken.sensor: set(taken.seats) for taken in round_.taken}
        envy = sum(int(award.envy or 0) * len(seats.get(award.sensor, set()) - {award.seat}) for award in alone)
        paid = sum(int(award.cents) for award in alone) + envy
        least = max(int(floor.links[award.link].fixed_supervisor_from) for award in alone)
        if paid >= least:
            yield "alone", f"{paid} cents of {round_.id} were paid without a badge, which is needed from {least} on"


def follow_books(history: History, before: Floor, after: Floor, envelope: Envelope) -> tuple[History, list[Broken]]:
    """The players' money after a command that was carried out, and what is wrong with it."""
    broken: list[Broken] = []
    owed, back = dict(history.owed), dict[str, Fraction]()
    rounds = _follow_rounds(history, before, after, envelope, owed, back)
    changes, made = _follow_changes(history, after, envelope)
    handed_out = dict.fromkeys(history.owed, 0)
    for what in made:
        _follow_change(what, before, after, owed, handed_out)
    paid = _follow_paid(history, before, after, envelope.do, made, handed_out, broken)
    borne = dict(history.borne)
    touched = after.balances is not before.balances or after.levels is not before.levels or owed != history.owed
    for link, should in owed.items() if touched else ():
        over = held_for(after, link) - borne.get(link, Fraction(0)) - should
        if over and 0 <= over <= back.get(link, 0) and link in history.rounds[getattr(envelope.do, "round", "")].drawn:
            borne[link] = borne.get(link, Fraction(0)) + over
        elif over:
            broken.append(("conservation", f"{link} holds {over} micros more of players' money than was put in"))
        moved = after.held(f"paid/{link}") - before.held(f"paid/{link}")
        if moved != handed_out[link]:
            broken.append(("paid", f"{moved} micros were paid for {link}, its awards are {handed_out[link]}"))
    return replace(history, rounds=rounds, owed=owed, borne=borne, changes=changes, paid=paid), broken


def _follow_rounds(
    history: History,
    before: Floor,
    after: Floor,
    envelope: Envelope,
    owed: dict[str, Fraction],
    back: dict[str, Fraction],
) -> dict[str, RoundHistory]:
    """Dealers and stakes of all rounds; `owed` follows, `back` says what a round gives back at most."""
    rounds = {id_: each for id_, each in history.rounds.items() if id_ in after.rounds}
    do = envelope.do
    if isinstance(do, StartRound):
        (new,) = after.rounds.keys() - before.rounds.keys()
        lit = before.tables[do.table].lit if do.sensors is None else do.sensors
        stakes = {sensor: _stake(before, do.table, sensor, seats) for sensor, seats in lit.items() if seats}
        rounds[new] = RoundHistory(0, stakes)
        _owe(owed, stakes, 1)
    elif isinstance(do, VoidRound | MisdealRound) or (isinstance(do, DecideRound) and do.decision == "void"):
        stakes = history.rounds[do.round].stakes
        _owe(owed, stakes, -1)
        _owe(back, stakes, 1)
    elif isinstance(do, CorrectWager):
        rounds[do.round] = _corrected(rounds[do.round], do, before, owed, back)
    else:
        _note_draws(rounds, before, after)
    for id_, dealt in rounds.items():
        round_ = after.rounds[id_]
        if after.tables[round_.table].round == id_:
            dealers = dealt.dealers | dealers_of(history.custody, after, round_.table)
            if dealers != dealt.dealers:
                rounds[id_] = replace(dealt, dealers=dealers)
    return rounds


def _note_draws(rounds: dict[str, RoundHistory], before: Floor, after: Floor) -> None:
    """Let every round know from which links something was taken."""
    if after.balances is before.balances:
        return
    drawn = frozenset(
        name.split("/")[1]
        for name, balance in after.balances.items()
        if balance > before.balances.get(name, 0) and name.split("/", 1)[0] in HELD
    )
    for id_, dealt in rounds.items():
        if drawn - dealt.drawn:
            rounds[id_] = replace(dealt, drawn=dealt.drawn | drawn)


def _stake(floor: Floor, table: str, sensor: str, seats: list[int]) -> Stake:
    link: Link = floor.links[floor.tables[table].sensors[sensor]]
    share = sum((_rate(each.contribution) + _rate(each.reserve) for each in link.levels.values()), Fraction(0))
    return Stake(link.id, link.wager, share, tuple(sorted(set(seats))))


@lru_cache(maxsize=4096)
def _rate(text: str) -> Fraction:
    return Fraction(text.removesuffix("%")) / 100 if text.endswith("%") else Fraction(text)


def _owe(owed: dict[str, Fraction], stakes: dict[str, Stake], sign: int) -> None:
    for stake in stakes.values():
        owed[stake.link] = owed.get(stake.link, Fraction(0)) + sign * stake.owed


def _corrected(
    dealt: RoundHistory, do: CorrectWager, before: Floor, owed: dict[str, Fraction], back: dict[str, Fraction]
) -> RoundHistory:
    table = before.rounds[do.round].table
    old = dealt.stakes.get(do.sensor) or replace(_stake(before, table, do.sensor, []), seats=())
    one = replace(old, seats=(do.seat,))
    seats = {*old.seats, do.seat} if do.made else {*old.seats} - {do.seat}
    _owe(owed, {do.sensor: one}, 1 if do.made else -1)
    if not do.made:
        # Of several wagers, one alone may have shared a millionth's fraction with the others.
        back[one.link] = one.owed + 1
    return replace(dealt, stakes={**dealt.stakes, do.sensor: replace(old, seats=tuple(sorted(seats)))})


# ---------------------------------------------------------------- changes by two people, and payments


def _follow_changes(
    history: History, after: Floor, envelope: Envelope
) -> tuple[dict[str, dict[str, Any]], list[dict[str, Any]]]:
    """Proposals that are still to be made, and the changes that this command has made."""
    changes = dict(history.changes)
    do = envelope.do
    if isinstance(do, Propose):
        changes |= {id_: dict(each.what) for id_, each in after.proposals.items() if id_ not in changes}
    gone = [id_ for id_ in changes if id_ not in after.proposals]
    withdrawn = do.proposal if isinstance(do, Withdraw) else None
    made = [what for id_ in gone if (what := changes.pop(id_)) and id_ != withdrawn]
    return changes, made


def _follow_change(
    what: dict[str, Any], before: Floor, after: Floor, owed: dict[str, Fraction], handed_out: dict[str, int]
) -> None:
    """What a change that was made puts into a link, takes out of it, or hands out."""
    if what["change"] == "adjustment":
        if what["code"] in FROM_OUTSIDE:
            owed[what["link"]] += what["micros"]
        elif what["code"] == "won":
            handed_out[what["link"]] -= what["micros"]
    elif what["change"] == "retire":
        for destination in what.get("to", {}).values():
            # Whatever arrives on the other link has left this one.
            place = f"{destination['link']}/{destination['level']}"
            moved = sum(int(after.held(f"{kind}/{place}") - before.held(f"{kind}/{place}")) for kind in HELD)
            owed[what["link"]] -= moved
            owed[destination["link"]] += moved


def _follow_paid(
    history: History,
    before: Floor,
    after: Floor,
    do: object,
    made: list[dict[str, Any]],
    handed_out: dict[str, int],
    broken: list[Broken],
) -> frozenset[tuple[str, str, int]]:
    """Whose award has been paid; whoever is paid again is named."""
    paid = set(history.paid)
    for what in made:
        if what["change"] == "back-out":
            _back_out(what["award"], before, paid, handed_out)
    if isinstance(do, PressHand | RejectJackpot):
        # Only what was paid without a badge goes back at the table.
        for id_ in before.awards.keys() - after.awards.keys():
            if (before.awards[id_].status, before.awards[id_].badge_role) == ("paid", "none"):
                _back_out(id_, before, paid, handed_out)
    for id_, award in after.awards.items():
        was = before.awards.get(id_)
        if award.status == "paid" and (was is None or was.status != "paid"):
            place = (award.round, award.sensor, award.seat)
            if place in paid:
                broken.append(("double-pay", f"seat {award.seat} of {award.round} is paid a second time"))
            paid.add(place)
            if award.source == "meter":
                handed_out[award.link] += award.cents * 10_000
    return frozenset(place for place in paid if place[0] in after.rounds)


def _back_out(award_id: str, before: Floor, paid: set[tuple[str, str, int]], handed_out: dict[str, int]) -> None:
    award = before.awards.get(award_id)
    if award is not None:
        paid.discard((award.round, award.sensor, award.seat))
        if award.source == "meter":
            handed_out[award.link] -= award.cents * 10_000
        return
    for level in before.levels.values():
        for hit in level.recent:
            if hit.award == award_id:
                handed_out[level.id.split("/", 1)[0]] -= hit.cents * 10_000
