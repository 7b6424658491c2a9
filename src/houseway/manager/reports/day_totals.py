"""The sums of the days of a report, added up from those of single days: books, wagers, rounds, staff."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from sqlalchemy import select

from houseway.amounts import NO_MICROS, Micros
from houseway.manager.core.floor import Floor
from houseway.manager.core.money import rate
from houseway.manager.store import schema
from houseway.manager.store.day_sum_keeping import stretches
from houseway.manager.store.day_summing import hour_of, paced
from houseway.manager.store.day_sums import (
    PLAYED,
    BookSums,
    CarriedOn,
    CarriedRound,
    ChipMove,
    DealerTime,
    DropMoney,
    DropRounds,
    LinkWagers,
    RateWagers,
    RoundBegun,
    RoundSums,
    StaffSums,
    TablePaces,
    WagerSums,
)
from houseway.manager.store.reading import View


@dataclass
class DropPeriod:
    """The money of a table from one count of its drop to the next."""

    begun: int
    """The event behind which it begins."""
    count: int = 0
    """The event with the count that ends it; 0 where it had not ended."""
    coin_in: int = 0
    accrued: int = 0
    tray: int | None = None
    """What the tray held at its last transfer in these days up to the end of the period."""


@dataclass
class RoundsPlayed:
    """Rounds of a table in a drop period."""

    rounds: int = 0
    """Those that ended."""
    voids: int = 0
    """Those that did not end otherwise."""


class BookTotals:
    """What the transfers of all days say."""

    def __init__(self, view: View, before: int, last: int, zone: str) -> None:
        """Add up the days."""
        sums: defaultdict[tuple[str, str, str], int] = defaultdict(int)
        self.chips: list[ChipMove] = []
        self._periods: dict[str, list[DropPeriod]] = {}
        self._before = before
        for _, _, part in stretches(view, BookSums, before, last, zone):
            for debit, credit, reason, micros in part.moved:
                sums[debit, credit, reason] += micros
            self.chips += part.chips
            for each in part.drops:
                self._add_drop(each)
        self.moved = _by_account(sums)

    def periods(self, table: str) -> list[DropPeriod]:
        """The drop periods of a table in their order; the last one has not ended."""
        return self._periods.setdefault(table, [DropPeriod(self._before)])

    def _add_drop(self, added: DropMoney) -> None:
        periods = self.periods(added.table)
        period = periods[-1]
        period.coin_in += added.coin_in
        period.accrued += added.accrued
        period.tray = period.tray if added.tray is None else added.tray
        if added.count:
            period.count = added.count
            periods.append(DropPeriod(added.count, tray=period.tray))


def _by_account(sums: dict[tuple[str, str, str], int]) -> dict[str, dict[str, Micros]]:
    """By account and reason: what moved, with its sign in the books."""
    found: dict[str, dict[str, Micros]] = {}
    for (debit, credit, reason), micros in sums.items():
        for name, signed in ((debit, Micros(micros)), (credit, Micros(-micros))):
            reasons = found.setdefault(name, {})
            reasons[reason] = reasons.get(reason, NO_MICROS) + signed
    return found


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
    """The wagers of all days."""

    links: dict[str, LinkWagers] = field(default_factory=dict)
    rates: dict[tuple[str, str, str, str], RateWagers] = field(default_factory=dict)
    """By link, level, and the shares for meter and reserve."""
    shares: dict[tuple[str, str], ShareTotals] = field(default_factory=dict)

    def of(self, link: str) -> LinkWagers:
        """The wagers on a link."""
        return self.links.setdefault(link, LinkWagers(link))

    def add(self, part: WagerSums) -> None:
        """Add the wagers of some events."""
        for each in part.links:
            link = self.of(each.link)
            link.taken += each.taken
            link.returned += each.returned
            link.wagers += each.wagers
            link.wagers_returned += each.wagers_returned
        for row in part.rates:
            key = row.link, row.level, row.contribution, row.reserve
            known = self.rates.setdefault(key, RateWagers(*key, row.since))
            known.wagers += row.wagers
            known.micros += row.micros
            share = self.shares.setdefault(key[:2], ShareTotals())
            share.contribution += row.micros * rate(row.contribution)
            share.reserve += row.micros * rate(row.reserve)


def wager_totals(view: View, before: int, last: int, zone: str, opening: Floor) -> WagerTotals:
    """All wagers of the days; remainders that are carried on are followed from event to event, from the opening on."""
    found = WagerTotals()
    carried = {id_: (Fraction(level.carried), Fraction(level.reserve_carried)) for id_, level in opening.levels.items()}
    for _, _, part in stretches(view, WagerSums, before, last, zone):
        found.add(part)
        for each in part.carried:
            was = carried.get(each.level, (Fraction(0), Fraction(0)))
            carried[each.level] = Fraction(each.last[0]), Fraction(each.last[1])
            link, _, level = each.level.partition("/")
            if (link, level) in found.shares:
                _add_carried(found.shares[link, level], each, was)
    return found


def _add_carried(shares: ShareTotals, moved: CarriedOn, was: tuple[Fraction, Fraction]) -> None:
    shares.carried += Fraction(moved.change[0])
    shares.reserve_carried += Fraction(moved.change[1])
    if moved.is_first_taken:
        shares.carried += Fraction(moved.first[0]) - was[0]
        shares.reserve_carried += Fraction(moved.first[1]) - was[1]


class RoundTotals:
    """The rounds of all days: how many in each drop period, and their pace."""

    def __init__(self, view: View, before: int, last: int, zone: str, counts: Mapping[str, Sequence[int]]) -> None:
        """Add up the days; `counts` are the events that ended a drop period, by table."""
        self._view = view
        self._zone = zone
        self._before = before
        self._counts = counts
        self.played: dict[tuple[str, int], RoundsPlayed] = defaultdict(RoundsPlayed)
        """By table and the place of the drop period, from 0 on."""
        self.dealers: dict[tuple[str, str], DealerTime] = {}
        """By table and dealer."""
        self.hours: Counter[tuple[str, str]] = Counter()
        self._last: dict[str, RoundBegun] = {}
        for low, high, part in stretches(view, RoundSums, before, last, zone):
            for drop in part.drops:
                self._add_drop(drop, low, high)
            for pace in part.paces:
                self._add_pace(pace)
            for table, hour, count in part.hours:
                self.hours[table, hour] += count

    def _add_pace(self, pace: TablePaces) -> None:
        for begun in pace.first:
            last = self._last.get(pace.table)
            if last is None or last.round != begun.round:
                self.hours[pace.table, hour_of(begun.at, self._zone)] += 1
            self._last[pace.table] = paced(last, begun, lambda name: self._dealer(pace.table, name))
        for each in pace.dealers:
            dealer = self._dealer(pace.table, each.dealer)
            dealer.rounds += each.rounds
            dealer.timed += each.timed
            dealer.micros += each.micros
        if pace.last is not None:
            self._last[pace.table] = pace.last

    def _dealer(self, table: str, name: str) -> DealerTime:
        return self.dealers.setdefault((table, name), DealerTime(name))

    def _add_drop(self, added: DropRounds, low: int, high: int) -> None:
        counts = self._counts.get(added.table, ())
        place = bisect_left(counts, added.count) if added.count else bisect_right(counts, high)
        begun = counts[place - 1] if place else self._before
        played = self.played[added.table, place]
        played.rounds += added.rounds
        played.voids += added.voids
        for each in added.carried:
            # It may have been counted in this period before: its earlier rows say so.
            outcomes = self._outcomes(each, added.table, begun, low)
            was_ended, was_void = bool(outcomes & PLAYED), bool(outcomes - PLAYED)
            is_ended = was_ended or each.is_ended
            played.rounds += is_ended - was_ended
            played.voids += (not is_ended) - (was_void and not was_ended)

    def _outcomes(self, round_: CarriedRound, table: str, begun: int, low: int) -> set[str | None]:
        """What became of a round in its earlier rows of a drop period."""
        if begun >= low:
            return set()
        rows = schema.rounds
        asked = select(rows.c.outcome).where(rows.c.number == round_.number, rows.c.table == table)
        asked = asked.where(rows.c.round == round_.round, rows.c.seq > begun, rows.c.seq <= low)
        return {outcome for (outcome,) in self._view.rows(asked)}


def staff_totals(view: View, before: int, last: int, zone: str) -> Counter[tuple[str, str]]:
    """How often each person gave each command, by actor and kind."""
    found: Counter[tuple[str, str]] = Counter()
    for _, _, part in stretches(view, StaffSums, before, last, zone):
        for actor, kind, times in part.counts:
            found[actor, kind] += times
    return found
