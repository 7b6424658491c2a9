"""The daily reconciliation: every account's opening, movements and closing, computed from postings alone.

It is independent of the manager: nothing is taken from its state but the parameters of links and the awards on record,
which the books are then held against. Balances are sums of postings, never the stored ones, which must agree with them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import case, func, or_, select

from houseway.errors import InputError
from houseway.manager.core.entities import Link
from houseway.manager.core.floor import Floor
from houseway.manager.core.ledger import account, kind_of_account, shown_balance
from houseway.manager.core.money import MICROS_PER_CENT, dollars, rate
from houseway.manager.core.records import Body
from houseway.manager.handlers.settings import day_of
from houseway.manager.store import schema
from houseway.manager.store.clock import wall_micros
from houseway.manager.store.reading import View

GIVEN_BACK: Final = ("round.void", "round.decide")
_GROUPS: Final = {
    "round.start": "taken",
    "round.correct": "taken",
    "round.void": "given-back",
    "round.decide": "given-back",
    "jackpot": "jackpots",
    "hand.press": "jackpots",
    "link": "opened",
    "change": "adjusted",
}
"""What a movement of a meter is, by the kind of its command or the part before the dot."""
WITH_CHANGE: Final = " with a change"
"""Behind the kind of a command that let an approved change take effect; its movements count as the change's."""
_BODY: Final = msgspec.json.Decoder(Body)


class Account(NamedTuple):
    """An account over a period, in micros as people read it: what is owed is positive."""

    name: str
    opening: int
    moved: dict[str, int]
    """By the kind of command."""
    closing: int


class Check(NamedTuple):
    """Something that must agree, and whether it does."""

    what: str
    expected: str
    found: str
    agrees: bool


class Level(NamedTuple):
    """The meter of a level over a period, in micros: the opening and all that follows make the closing."""

    link: str
    level: str
    opening: int
    contributions: int
    """Shares of wagers that went onto the meter, corrections included."""
    voided: int
    """What voided rounds took back: their shares, less awards that were locked for them."""
    won: int
    """What awards took off the meter, less what was rejected: a negative amount."""
    seeded: int
    """Reseeds by the house after awards, less reversed ones."""
    released: int
    """Reserve and overflow that went onto the meter after awards, less reversed ones."""
    opened: int
    """Opening amounts, and money moved at a retirement."""
    adjusted: int
    """Changes by two people, with all that moved in the events in which they took effect."""
    closing: int


class Reconciliation(NamedTuple):
    """The books of a period, and what they were held against."""

    since: int
    until: int
    first: int
    last: int
    """The events of the period; `last` is before `first` if there are none."""
    accounts: list[Account]
    levels: list[Level]
    checks: list[Check]

    @property
    def agrees(self) -> bool:
        """Whether everything does."""
        return all(check.agrees for check in self.checks)

    def to_json(self) -> dict[str, Any]:
        """The reconciliation as the command line prints it."""
        return {
            "agrees": self.agrees,
            "since": self.since,
            "until": self.until,
            "events": [self.first, self.last] if self.first <= self.last else None,
            "accounts": [row._asdict() for row in self.accounts],
            "levels": [row._asdict() for row in self.levels],
            "checks": [row._asdict() for row in self.checks],
        }


def reconcile(view: View, since: int, until: int) -> Reconciliation:
    """Reconcile the events from one time to another, both included."""
    before, last = view.seq_at(since - 1), view.seq_at(until)
    lowest, highest = view.bounds()
    if until < _time_of(view, lowest) and lowest == 1:
        message = f"the journal begins later, on {day_of(_time_of(view, lowest))}: name a day from then on"
        raise InputError.of("no-events", "day", message)
    if since > max(_time_of(view, highest), wall_micros()):
        message = f"that time has not come yet: the last event is of {day_of(_time_of(view, highest))}"
        raise InputError.of("no-events", "day", message)
    if before < lowest - 1:
        if since <= _time_of(view, lowest) and lowest > 1:
            message = "events of that time lie in an archive: only what is in the database can be reconciled"
            raise InputError.of("archived", "day", message)
        before = lowest - 1
    return _Books(view, before, max(last, before)).reconciled(since, until)


def _time_of(view: View, seq: int) -> int:
    event = view.event(seq)
    return 0 if event is None else event.at


class _Books:
    """The postings of one period."""

    def __init__(self, view: View, before: int, last: int) -> None:
        self.view = view
        self.before = before
        self.last = last
        self.opening = self._sums_before()
        self.moved = self._moved()
        self.checks: list[Check] = []

    def _sums_before(self) -> dict[str, int]:
        """Balances before the period: the sums of all postings here, on top of what archived ones had left."""
        postings = schema.postings
        archived = self.view.archived_up_to()
        start = self.view.state_before(archived + 1).floor.balances if archived else {}
        sums = select(postings.c.account, func.sum(postings.c.micros)).where(postings.c.seq <= self.before)
        found = defaultdict(int, start)
        for name, total in self.view.rows(sums.group_by(postings.c.account)):
            found[name] += int(total)
        return dict(found)

    def _moved(self) -> dict[str, dict[str, int]]:
        """By account: what commands of each kind moved in the period; those that let a change take effect apart."""
        postings, events = schema.postings, schema.events
        changing = self._changing()
        sums = (
            select(postings.c.account, events.c.kind, func.sum(postings.c.micros))
            .join(events, events.c.seq == postings.c.seq)
            .where(postings.c.seq > self.before, postings.c.seq <= self.last, postings.c.seq.not_in(list(changing)))
            .group_by(postings.c.account, events.c.kind)
        )
        found: dict[str, dict[str, int]] = {}
        for name, kind, total in self.view.rows(sums):
            found.setdefault(name, {})[kind] = int(total)
        for seq, kind in changing.items():
            for _, _, name, micros, _ in self.view.window(postings, seq - 1, seq):
                moved = found.setdefault(name, {})
                moved[kind] = moved.get(kind, 0) + micros
        return found

    def _changing(self) -> dict[int, str]:
        """Events of other kinds in which a change by two people, approved before, took effect."""
        found = {}
        events = schema.events
        others = events.c.body.contains('["proposal",'), events.c.kind.not_like("change.%")
        for event in self.view.events(self.before, self.last, *others):
            if any(kind == "proposal" for kind, _, _ in _BODY.decode(event.body).put):
                found[event.seq] = f"{event.kind}{WITH_CHANGE}"
        return found

    def closing(self, name: str) -> int:
        """The balance after the period."""
        return self.opening.get(name, 0) + sum(self.moved.get(name, {}).values())

    def by(self, name: str, kinds: Iterable[str] | None = None) -> int:
        """What commands of some kinds (of all by default) moved on an account, with its sign in the books."""
        moved = self.moved.get(name, {})
        return sum(moved.values() if kinds is None else (moved.get(kind, 0) for kind in kinds))

    @property
    def names(self) -> list[str]:
        """All accounts, in order."""
        return sorted({*self.opening, *self.moved})

    def reconciled(self, since: int, until: int) -> Reconciliation:
        """The books and all checks."""
        self._check_sums()
        state = self.view.state_at(self.last).floor
        levels = [
            self._level(link, level)
            for link, level in sorted(
                {(name.split("/")[1], name.split("/")[2]) for name in self.names if _is_level(name)}
            )
        ]
        self._check_links(levels)
        self._check_awards(state)
        self._check_paid()
        self._check_contributions()
        accounts = [self._account(name) for name in self.names]
        return Reconciliation(since, until, self.before + 1, self.last, accounts, levels, self.checks)

    def _account(self, name: str) -> Account:
        moved = {kind: shown_balance(name, total) for kind, total in sorted(self.moved.get(name, {}).items())}
        opening, closing = (shown_balance(name, each) for each in (self.opening.get(name, 0), self.closing(name)))
        return Account(name, opening, moved, closing)

    def _agree(self, what: str, expected: int, found: int) -> None:
        self.checks.append(Check(what, dollars(expected), dollars(found), expected == found))

    def _check_sums(self) -> None:
        """All accounts sum to zero, and the balances stored with the postings are the sums of the postings."""
        self._agree("all accounts sum to zero", 0, sum(self.closing(name) for name in self.names))
        postings = schema.postings
        for name in sorted(self.moved):
            newest = (
                select(postings.c.balance)
                .where(postings.c.account == name, postings.c.seq <= self.last)
                .order_by(postings.c.seq.desc(), postings.c.line.desc())
                .limit(1)
            )
            ((stored,),) = self.view.rows(newest)
            self._agree(f"{name}: stored balance", self.closing(name), stored)

    def _level(self, link: str, level: str) -> Level:
        """The meter of a level, its movements told apart by the commands that made them."""
        meter = account("meter", link, level)
        by_group: dict[str, int] = defaultdict(int)
        for kind, total in self.moved.get(meter, {}).items():
            by_group[_group(kind)] -= total
        seeded = self.by_jackpots(account("seed", link, level))
        released = sum(self.by_jackpots(account(kind, link, level)) for kind in ("reserve", "overflow"))
        row = Level(
            link, level, -self.opening.get(meter, 0), by_group["taken"], by_group["given-back"],
            by_group["jackpots"] - seeded - released, seeded, released, by_group["opened"], by_group["adjusted"],
            -self.closing(meter),
        )  # fmt: skip
        self._agree(f"{link}/{level}: opening and movements make the closing meter", sum(row[2:-1]), row.closing)
        for kind in ("meter", "reserve", "overflow", "locked"):
            name = account(kind, link, level)
            if self.closing(name) > 0:
                self._agree(f"{name}: never below zero", 0, shown_balance(name, self.closing(name)))
        return row

    def by_jackpots(self, name: str) -> int:
        """What awards moved on an account, with its sign in the books."""
        return sum(total for kind, total in self.moved.get(name, {}).items() if _group(kind) == "jackpots")

    def _check_links(self, levels: list[Level]) -> None:
        """What awards took off a link's meters is what was locked or paid for winners."""
        for link in sorted({level.link for level in levels}):
            won = -sum(level.won for level in levels if level.link == link)
            names = [account("locked", link, level.level) for level in levels if level.link == link]
            found = -sum(self.by_jackpots(name) for name in (*names, account("paid", link)))
            self._agree(f"{link}: what awards took off the meters was locked or paid", won, found)

    def _check_awards(self, state: Floor) -> None:
        """What is locked is what the awards on record say that is not paid yet."""
        waiting: dict[str, int] = defaultdict(int)
        for award in state.award.values():
            if award.status == "hit" and award.source != "tray":
                waiting[account("locked", award.link, award.level or "")] += award.cents * MICROS_PER_CENT
        for name in sorted({*waiting, *(name for name in self.names if kind_of_account(name) == "locked")}):
            self._agree(f"{name}: awards that wait for payment", waiting.get(name, 0), -self.closing(name))

    def _check_paid(self) -> None:
        """What the accounts say was paid is what the rows of the awards say."""
        hits = schema.hits
        # Taken back at the table the payment has not been; backed out by two people it has, and is adjusted.
        amount = case((hits.c.status == "paid", hits.c.cents), else_=-hits.c.cents)
        paid = (
            select(hits.c.link, func.sum(amount))
            .where(
                hits.c.status.in_(("paid", "taken-back")), hits.c.seq > self.before, hits.c.seq <= self.last,
                hits.c.level.is_not(None),
            )
            .group_by(hits.c.link)
        )  # fmt: skip
        by_link = {link: int(cents) * MICROS_PER_CENT for link, cents in self.view.rows(paid)}
        for name in sorted({*(account("paid", link) for link in by_link), *self.moved}):
            if kind_of_account(name) == "paid":
                kinds = [kind for kind in self.moved.get(name, {}) if kind.startswith(("jackpot.", "hand.press"))]
                found = -self.by(name, kinds)
                self._agree(f"{name}: awards paid", by_link.get(name.split("/")[1], 0), found)

    def _check_contributions(self) -> None:
        """Wagers put onto each level what its share says, to within the remainder below a millionth that is carried."""
        due: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
        posted: dict[tuple[str, str], int] = defaultdict(int)
        links = dict(self.view.state_at(self.before).floor.link)
        # Parameters change by the command that lets them take effect, which may be any: the end of a round, a payment.
        events = schema.events
        telling = or_(events.c.kind == "round.start", events.c.body.contains('["link",'))
        for event in self.view.events(self.before, self.last, telling):
            body = _BODY.decode(event.body)
            if event.kind == "round.start":
                _add_round(body, links, due, posted)
            _follow_links(body, links)
        for (link, level), wanted in sorted(due.items()):
            found = posted[link, level]
            # A remainder below a millionth is carried into the period, and another out of it.
            agrees = abs(found - wanted) < 2 + self._voids(link)
            what = f"{link}/{level}: contributions by the share in force"
            self.checks.append(Check(what, dollars(int(wanted)), dollars(found), agrees))

    def _voids(self, link: str) -> int:
        """How many times wagers of a link were given back, each of which moves its remainder too."""
        events, postings = schema.events, schema.postings
        found = (
            select(func.count(func.distinct(events.c.seq)))
            .join(postings, postings.c.seq == events.c.seq)
            .where(
                events.c.seq > self.before, events.c.seq <= self.last, events.c.kind.in_((*GIVEN_BACK, "round.correct"))
            )
            .where(postings.c.account.startswith(f"meter/{link}/", autoescape=True))
        )
        return int(self.view.rows(found)[0][0])


def _group(kind: str) -> str:
    """What a movement is; `other` for commands that have no business with a meter."""
    if kind.endswith(WITH_CHANGE):
        return "adjusted"
    return _GROUPS.get(kind) or _GROUPS.get(kind.split(".", maxsplit=1)[0], "other")


def _is_level(name: str) -> bool:
    return kind_of_account(name) == "meter"


def _follow_links(body: Body, links: dict[str, Link]) -> None:
    """Keep the links as an event leaves them."""
    for kind, id_, value in body.put:
        if kind == "link" and value is not None:
            links[id_] = msgspec.convert(value, Link)


def _add_round(
    body: Body, links: Mapping[str, Link], due: dict[tuple[str, str], Fraction], posted: dict[tuple[str, str], int]
) -> None:
    """Add what a round's wagers should have put onto levels, and what they did."""
    for kind, _, value in body.put:
        if kind != "round" or value is None:
            continue
        for taken in value["taken"]:
            link = links.get(taken["link"])
            if link is None or link.kind != "progressive":
                continue
            amount = len(taken["seats"]) * taken["wager"] * MICROS_PER_CENT
            for level, parameters in link.levels.items():
                due[link.id, level] += amount * rate(parameters.contribution)
                posted[link.id, level] -= sum(
                    micros
                    for name, micros in taken["posted"]
                    if name in (account("meter", link.id, level), account("overflow", link.id, level))
                )
