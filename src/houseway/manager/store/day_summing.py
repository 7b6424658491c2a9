"""Making the sums of a stretch of events (`day_sums`) from its rows and bodies, each part by itself."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

import msgspec
from sqlalchemy import func, select

from houseway.manager.core.gaming_day import local_time
from houseway.manager.core.ledger import MONEY, kind_of_account
from houseway.manager.core.records import Event
from houseway.manager.store import schema
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
    Part,
    RateWagers,
    RoundBegun,
    RoundSums,
    SeatHourSums,
    SeatSums,
    StaffSums,
    TablePaces,
    WagerSums,
)
from houseway.manager.store.event_body import Body
from houseway.manager.store.reading import View
from houseway.manager.store.wagers_moved import KINDS, rounds_begun, wagers_moved

SLIPS: Final = ("fill", "credit", "fill-voided", "credit-voided")
CHIPS: Final = frozenset(("float", *SLIPS, "count"))
"""Reasons for which chips and counted money move between the house and a table."""
WAGERS: Final = frozenset(("receipt", "contribution", "reserve", "void", "correction"))
"""Reasons for which jackpot wagers and their shares move."""
LONGEST_PAUSE: Final = 15 * 60_000_000
"""Between rounds that are further apart nobody was dealing: such a pause is no time at play."""
_WINDOW: Final = 2_000
_BODY: Final = msgspec.json.Decoder(Body)
_QUARTER: Final = 15 * 60_000_000


def hour_of(at: int, zone: str) -> str:
    """The hour in which a time lies by the clocks of a zone, as in 2026-11-16T18-08:00.

    >>> hour_of(1_794_880_800_000_000, "America/Los_Angeles")
    '2026-11-16T18-08:00'
    """
    # No zone changes its clocks within a quarter of an hour.
    return _hour_of_quarter(at // _QUARTER, zone)


@lru_cache(maxsize=1 << 16)
def _hour_of_quarter(quarter: int, zone: str) -> str:
    return local_time(quarter * _QUARTER, zone).isoformat(timespec="hours")


def events_of_kinds(view: View, before: int, last: int, kinds: Sequence[str]) -> Iterator[Event]:
    """Events of some kinds in their order.

    The index of kinds gives their numbers first: left to itself, a database may read every event of the stretch.
    """
    events = schema.events
    for low in range(before, last, 10 * _WINDOW):
        high = min(low + 10 * _WINDOW, last)
        numbers = sorted(
            int(seq)
            for kind in kinds
            for (seq,) in view.rows(
                select(events.c.seq).where(events.c.kind == kind, events.c.seq > low, events.c.seq <= high)
            )
        )
        for place in range(0, len(numbers), 500):
            some = numbers[place : place + 500]
            found = view.rows(select(events).where(events.c.seq.in_(some)).order_by(events.c.seq))
            yield from (Event(*row) for row in found)


def sum_books(view: View, before: int, last: int) -> BookSums:
    """The sums of the transfers."""
    table = schema.transfers
    columns = (
        table.c.seq, table.c.debit, table.c.credit, table.c.micros, table.c.reason, table.c.subject,
        table.c.debit_balance, table.c.credit_balance,
    )  # fmt: skip
    moved: defaultdict[tuple[str, str, str], int] = defaultdict(int)
    chips, drops = list[tuple[Any, ...]](), _Drops()
    event, counted = 0, list[str]()
    for low in range(before, last, _WINDOW):
        within = select(*columns).where(table.c.seq > low, table.c.seq <= min(low + _WINDOW, last))
        rows = view.connection.execute(within.order_by(table.c.seq, table.c.line))
        for seq, debit, credit, micros, reason, subject, risen, fallen in rows:
            if seq != event:
                drops.counted(counted, event)
                event, counted = seq, []
            moved[debit, credit, reason] += micros
            if reason in CHIPS:
                chips.append((seq, debit, credit, micros, reason, subject))
            if reason in WAGERS:
                drops.wager(debit, credit, micros)
            if debit[:5] == "tray/":
                drops.at(debit[5:]).tray = risen
            if credit[:5] == "tray/":
                drops.at(credit[5:]).tray = fallen
            if reason == "count" and credit[:5] == "drop/":
                counted.append(credit[5:])
    drops.counted(counted, event)
    sums = sorted((*key, micros) for key, micros in moved.items())
    return BookSums(sums, _chip_moves(view, chips), drops.ended())


class _Drops:
    """The drop periods of all tables while the transfers pass."""

    def __init__(self) -> None:
        self._open: dict[str, DropMoney] = {}
        self._ended: list[DropMoney] = []

    def at(self, table: str) -> DropMoney:
        """The period in which a table is."""
        found = self._open.get(table)
        if found is None:
            found = self._open[table] = DropMoney(table, 0)
        return found

    def wager(self, debit: str, credit: str, micros: int) -> None:
        """A transfer for which a wager is the reason: what came into the drop, and what was put aside for players."""
        for name, other, signed in ((debit, credit, micros), (credit, debit, -micros)):
            kind, _, table = name.partition("/")
            if kind == "drop":
                self.at(table).coin_in += signed
            elif kind == "receipts" and kind_of_account(other) in MONEY:
                self.at(table).accrued += signed

    def counted(self, tables: Iterable[str], seq: int) -> None:
        """The drops of these tables were counted by an event, which ends their periods."""
        for table in dict.fromkeys(tables):
            period = self.at(table)
            period.count = seq
            self._ended.append(period)
            self._open[table] = DropMoney(table, 0, tray=period.tray)

    def ended(self) -> list[DropMoney]:
        """All periods by table."""
        found = [*self._ended, *self._open.values()]
        return sorted(found, key=lambda each: (each.table, each.count == 0, each.count))


def _chip_moves(view: View, chips: Sequence[tuple[Any, ...]]) -> list[ChipMove]:
    """Floats, fills, credits and counts, with who acted and when."""
    events, told = schema.events, dict[int, tuple[int, str]]()
    numbers = sorted({seq for seq, *_ in chips})
    for place in range(0, len(numbers), 500):
        some = select(events.c.seq, events.c.at, events.c.actor).where(events.c.seq.in_(numbers[place : place + 500]))
        told.update({seq: (at, actor) for seq, at, actor in view.rows(some)})
    found = []
    for seq, debit, credit, micros, reason, subject in chips:
        kind, _, table = (credit if debit == "house" else debit).partition("/")
        slip = subject.partition(":")[2] if reason in SLIPS else ""
        what = f"count-{kind}" if reason == "count" else reason
        found.append(ChipMove(seq, *told[seq], table, what, slip, micros))
    return found


def sum_wagers(view: View, before: int, last: int, zone: str) -> tuple[WagerSums, SeatSums]:
    """The sums of the jackpot wagers, by link and rate, and by seat and hour; bodies are read once for both."""
    links, rates, seats = dict[str, LinkWagers](), dict[Any, RateWagers](), _Seats(zone)
    carried, shares = dict[str, _Remainders](), set[str]()
    for event in events_of_kinds(view, before, last, KINDS):
        body, takes = _BODY.decode(event.body), False
        moves = list(wagers_moved(event, body))
        for moved in moves:
            link = links.setdefault(moved.link, LinkWagers(moved.link))
            if not moved.is_taken:
                link.returned += int(moved.micros)
                link.wagers_returned += len(moved.seats)
                continue
            takes = True
            link.taken += int(moved.micros)
            link.wagers += len(moved.seats)
            for level, (contribution, reserve) in moved.rates.items():
                key = moved.link, level, contribution, reserve
                rate = rates.get(key)
                if rate is None:
                    rate = rates[key] = RateWagers(*key, event.at)
                rate.wagers += len(moved.seats)
                rate.micros += int(moved.micros)
                shares.add(f"{moved.link}/{level}")
        seats.see(event, body, moves)
        for kind, id_, level in body.put:
            if kind == "level" and level is not None:
                now = level.get("carried", "0"), level.get("reserve_carried", "0")
                carried.setdefault(id_, _Remainders()).see(now, takes=takes and id_ in shares)
    return (
        WagerSums(
            [links[name] for name in sorted(links)],
            [rates[key] for key in sorted(rates, key=lambda key: (key[:2], rates[key].since, key))],
            [carried[id_].told(id_) for id_ in sorted(carried)],
        ),
        seats.told(),
    )


class _Remainders:
    """What is carried on below a millionth, followed from event to event."""

    def __init__(self) -> None:
        self._first: tuple[bool, tuple[str, str]] | None = None
        self._last = ("0", "0")
        self._change = [Fraction(0), Fraction(0)]

    def see(self, now: tuple[str, str], *, takes: bool) -> None:
        """An event tells the remainders; `takes` if it took wagers."""
        if self._first is None:
            self._first = takes, now
        elif takes and now != self._last:
            for place in (0, 1):
                self._change[place] += Fraction(now[place]) - Fraction(self._last[place])
        self._last = now

    def told(self, level: str) -> CarriedOn:
        """As it is stored."""
        is_taken, first = self._first or (False, self._last)
        return CarriedOn(level, is_taken, first, (str(self._change[0]), str(self._change[1])), self._last)


class _Seats:
    """Wagers by seat and hour."""

    def __init__(self, zone: str) -> None:
        self._zone = zone
        self._seats: dict[tuple[str, int, str], SeatHourSums] = {}
        self._rounds: Counter[tuple[str, str]] = Counter()

    def _at(self, table: str, seat: int, hour: str) -> SeatHourSums:
        key = table, seat, hour
        found = self._seats.get(key)
        if found is None:
            found = self._seats[key] = SeatHourSums(*key)
        return found

    def see(self, event: Event, body: Body, moves: Iterable[Any]) -> None:
        """Count what an event of a round says."""
        hour = hour_of(event.at, self._zone)
        for table, occupied in rounds_begun(event, body):
            self._rounds[table, hour] += 1
            for seat in occupied:
                self._at(table, seat, hour).rounds += 1
        seen = set()
        for moved in moves:
            for seat in moved.seats:
                place, each = self._at(moved.table, seat, hour), int(moved.micros) // len(moved.seats)
                if not moved.is_taken:
                    place.returned += each
                    continue
                place.taken += each
                place.wagers += 1
                if event.kind == "round.start" and (moved.round, seat) not in seen:
                    seen.add((moved.round, seat))
                    place.with_wager += 1

    def told(self) -> SeatSums:
        """As they are stored."""
        rounds = sorted((table, hour, count) for (table, hour), count in self._rounds.items())
        return SeatSums(self._zone, [self._seats[key] for key in sorted(self._seats)], rounds)


def sum_rounds(view: View, before: int, last: int, zone: str, chips: Iterable[ChipMove]) -> RoundSums:
    """The sums of the rows of rounds; counts of the drop, which end periods, are taken from the chips that moved."""
    counts: defaultdict[str, list[int]] = defaultdict(list)
    for move in chips:
        if move.kind == "count-drop" and move.seq not in counts[move.table]:
            counts[move.table].append(move.seq)
    table, reached = schema.rounds, _time_reached(view, before)
    ended, void, carried = (defaultdict[tuple[str, int], Any](kind) for kind in (set, set, dict))
    paces: dict[str, _Pace] = {}
    hours: Counter[tuple[str, str]] = Counter()
    columns = (table.c.seq, table.c.round, table.c.table, table.c.number, table.c.dealer, table.c.started_at)
    for low in range(before, last, _WINDOW):
        within = select(*columns, table.c.outcome).where(table.c.seq > low, table.c.seq <= min(low + _WINDOW, last))
        rows = view.connection.execute(within.order_by(table.c.seq, table.c.row_no))
        for seq, round_id, name, number, dealer, at, outcome in rows:
            mine = counts.get(name, ())
            place = bisect_left(mine, seq)
            period, is_ended = (name, mine[place] if place < len(mine) else 0), outcome in PLAYED
            is_old = at is None or at <= reached
            if is_old:
                known = carried[period].get(round_id)
                is_one = is_ended or (known is not None and known.is_ended)
                carried[period][round_id] = CarriedRound(round_id, number, is_one)
            else:
                (ended if is_ended else void)[period].add(round_id)
            if at is not None:
                counted = paces.setdefault(name, _Pace()).see(RoundBegun(round_id, at, dealer or ""), is_old=is_old)
                if counted:
                    hours[name, hour_of(at, zone)] += 1
    drops = [
        DropRounds(*key, len(ended[key]), len(void[key] - ended[key]), list(carried[key].values()))
        for key in sorted({*ended, *void, *carried}, key=lambda key: (key[0], key[1] == 0, key[1]))
    ]
    return RoundSums(
        zone,
        drops,
        [paces[name].told(name) for name in sorted(paces)],
        sorted((name, hour, count) for (name, hour), count in hours.items()),
    )


class _Pace:
    """The rounds of a table one after the other, as far as they do not depend on what was before this stretch."""

    def __init__(self) -> None:
        self._first: list[RoundBegun] = []
        self._dealers: dict[str, DealerTime] = {}
        self._last: RoundBegun | None = None
        self._seen: set[str] = set()
        """Rounds with a row: one that was set aside or opened again has another one, later and behind other rounds."""

    def see(self, begun: RoundBegun, *, is_old: bool) -> bool:
        """A row; whether it counts here rather than among the first."""
        if begun.round in self._seen:
            return False
        self._seen.add(begun.round)
        if self._last is None:
            self._first.append(begun)
            if not is_old:
                self._last = begun
            return False
        self._last = paced(self._last, begun, self._dealer)
        return True

    def _dealer(self, name: str) -> DealerTime:
        return self._dealers.setdefault(name, DealerTime(name))

    def told(self, table: str) -> TablePaces:
        """As it is stored."""
        return TablePaces(table, self._first, [self._dealers[name] for name in sorted(self._dealers)], self._last)


def paced(last: RoundBegun | None, begun: RoundBegun, dealer: Callable[[str], DealerTime]) -> RoundBegun:
    """Count a row of a round behind the one before; returns the round from which the next one is timed."""
    # A round that was opened again has two rows, and was begun once.
    if last is not None and last.round == begun.round:
        return last
    dealer(begun.dealer).rounds += 1
    if last is not None and 0 <= begun.at - last.at <= LONGEST_PAUSE:
        before = dealer(last.dealer)
        before.micros += begun.at - last.at
        before.timed += 1
    # One that was set aside ends long after it was begun.
    return begun if last is None or begun.at > last.at else last


def _time_reached(view: View, seq: int) -> int:
    """The latest time on record up to an event: that of the event, or of one before the clock was set back."""
    events = schema.events
    resets = select(events.c.seq).where(events.c.kind == "system.clock", events.c.seq <= seq)
    places = [seq, *(int(each) - 1 for (each,) in view.rows(resets))]
    found = view.rows(select(events.c.at).where(events.c.seq.in_(places)))
    return max((int(at) for (at,) in found), default=-1)


def sum_staff(view: View, before: int, last: int) -> StaffSums:
    """How often each person gave each command."""
    events, found = schema.events, Counter[tuple[str, str]]()
    for low in range(before, last, _WINDOW):
        within = events.c.seq > low, events.c.seq <= min(low + _WINDOW, last)
        counted = select(events.c.actor, events.c.kind, func.count()).where(*within)
        for actor, kind, times in view.rows(counted.group_by(events.c.actor, events.c.kind)):
            found[actor, kind] += times
    return StaffSums(sorted((*key, times) for key, times in found.items()))


def sum_parts(view: View, before: int, last: int, zone: str) -> dict[str, Part]:
    """All parts of a stretch."""
    books = sum_books(view, before, last)
    wagers, seats = sum_wagers(view, before, last, zone)
    return {
        "books": books,
        "rounds": sum_rounds(view, before, last, zone, books.chips),
        "seats": seats,
        "staff": sum_staff(view, before, last),
        "wagers": wagers,
    }
