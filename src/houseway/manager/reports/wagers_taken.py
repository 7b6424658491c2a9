"""Jackpot wagers as the events of rounds tell them: taken at START GAME, corrected, given back, and at which rates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, NamedTuple

from houseway.amounts import MICROS_PER_CENT, NO_MICROS, Micros, total
from houseway.manager.core.floor import Floor
from houseway.manager.core.money import rate
from houseway.manager.core.records import Event
from houseway.manager.reports.day_reading import DaysRead
from houseway.manager.store.event_body import Body

KINDS: Final = ("round.start", "round.correct", "round.void", "round.misdeal", "round.decide")
"""Commands that take jackpot wagers or give them back."""


class WagersMoved(NamedTuple):
    """Wagers of one sensor that an event took, or gave back."""

    at: int
    round: str
    table: str
    link: str
    seats: tuple[int, ...]
    micros: Micros
    """All of them together."""
    is_taken: bool
    rates: dict[str, tuple[str, str]]
    """By level: the shares for meter and reserve that hold for them; empty where they are given back."""
    occupied: tuple[int, ...]
    """The seats that play, at START GAME; empty for what comes later."""


def wagers_moved(event: Event, body: Body) -> Iterator[WagersMoved]:
    """The wagers that an event of a round takes or gives back."""
    do: dict[str, Any] = body.do
    if event.kind == "round.start":
        yield from _started(event, body)
    elif event.kind == "round.correct":
        yield from _corrected(event, body, do)
    else:
        # A decision that lets a held round resume gives nothing back.
        round_id = str(do["round"])
        for sensor, back in sorted((body.answer.get("returned") or {}).items()):
            del sensor
            seats, micros = tuple(back["seats"]), Micros(back["cents"] * MICROS_PER_CENT)
            table = round_id.rpartition("-")[0]
            yield WagersMoved(event.at, round_id, table, back["link"], seats, micros, False, {}, ())


def _started(event: Event, body: Body) -> Iterator[WagersMoved]:
    for kind, id_, round_ in body.put:
        if kind == "round" and round_ is not None and round_["phase"] == "playing":
            for taken in round_["taken"]:
                micros = Micros(len(taken["seats"]) * taken["wager"] * MICROS_PER_CENT)
                yield WagersMoved(
                    event.at, id_, round_["table"], taken["link"], tuple(taken["seats"]), micros, True,
                    _rates(taken), tuple(round_.get("occupied", ())),
                )  # fmt: skip


def _corrected(event: Event, body: Body, do: dict[str, Any]) -> Iterator[WagersMoved]:
    round_id, made = str(do["round"]), bool(do["made"])
    table = round_id.rpartition("-")[0]
    moved = total(each[2] for each in body.post if (each[0] if made else each[1]).startswith("drop/"))
    taken = next(
        (
            each
            for kind, id_, round_ in body.put
            if kind == "round" and id_ == round_id and round_ is not None
            for each in round_["taken"]
            if each["sensor"] == do["sensor"]
        ),
        None,
    )
    link = taken["link"] if taken is not None else _link_in(body)
    rates = _rates(taken) if made and taken is not None else {}
    yield WagersMoved(event.at, round_id, table, link, (int(do["seat"]),), moved, made, rates, ())


def _link_in(body: Body) -> str:
    """The link of the only wager of a sensor that was taken out again: its shares name it."""
    names = (name for debit, credit, *_ in body.post for name in (debit, credit))
    return next((name.split("/")[1] for name in names if name.startswith(("meter/", "overflow/", "reserve/"))), "")


def _rates(taken: dict[str, Any]) -> dict[str, tuple[str, str]]:
    return {level: (meter, reserve) for level, (meter, reserve) in taken.get("rates", {}).items()}


class RateKey(NamedTuple):
    """A level with the shares that were in force there."""

    link: str
    level: str
    contribution: str
    reserve: str


@dataclass
class RateTotals:
    """What was wagered at the same rates."""

    since: int
    wagers: int = 0
    micros: Micros = NO_MICROS


@dataclass
class ShareTotals:
    """What wagers should have put onto one level, exactly."""

    contribution: Fraction = Fraction(0)
    reserve: Fraction = Fraction(0)
    carried: Fraction = Fraction(0)
    """By how much taking wagers changed the remainder of the contributions that is carried on."""
    reserve_carried: Fraction = Fraction(0)


@dataclass
class WagerTotals:
    """The wagers of some days, added up event by event."""

    taken: Counter[str] = field(default_factory=Counter)
    """Micros by link."""
    returned: Counter[str] = field(default_factory=Counter)
    wagers: Counter[str] = field(default_factory=Counter)
    wagers_returned: Counter[str] = field(default_factory=Counter)
    rates: dict[RateKey, RateTotals] = field(default_factory=dict)
    shares: dict[tuple[str, str], ShareTotals] = field(default_factory=dict)

    def add(self, moved: WagersMoved) -> None:
        """Count the wagers of one event."""
        if not moved.is_taken:
            self.returned[moved.link] += int(moved.micros)
            self.wagers_returned[moved.link] += len(moved.seats)
            return
        self.taken[moved.link] += int(moved.micros)
        self.wagers[moved.link] += len(moved.seats)
        for level, (contribution, reserve) in moved.rates.items():
            key = RateKey(moved.link, level, contribution, reserve)
            totals = self.rates.setdefault(key, RateTotals(moved.at))
            totals.wagers += len(moved.seats)
            totals.micros += moved.micros
            shares = self.shares.setdefault((moved.link, level), ShareTotals())
            shares.contribution += int(moved.micros) * rate(contribution)
            shares.reserve += int(moved.micros) * rate(reserve)


def wager_totals(days: DaysRead) -> WagerTotals:
    """All wagers of some days; remainders that are carried on are followed from event to event."""
    found = WagerTotals()
    carried = _carried_in(days.opening)
    for event, body in days.events(*KINDS):
        takes = False
        for moved in wagers_moved(event, body):
            found.add(moved)
            takes = takes or moved.is_taken
        for kind, id_, level in body.put:
            if kind == "level" and level is not None:
                now = Fraction(level.get("carried", "0")), Fraction(level.get("reserve_carried", "0"))
                was = carried.get(id_, (Fraction(0), Fraction(0)))
                carried[id_] = now
                link, _, name = id_.partition("/")
                if takes and (link, name) in found.shares:
                    shares = found.shares[link, name]
                    shares.carried += now[0] - was[0]
                    shares.reserve_carried += now[1] - was[1]
    return found


def _carried_in(floor: Floor) -> dict[str, tuple[Fraction, Fraction]]:
    return {id_: (Fraction(level.carried), Fraction(level.reserve_carried)) for id_, level in floor.levels.items()}
