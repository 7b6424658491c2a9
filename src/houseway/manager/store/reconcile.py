"""The daily reconciliation: every account's opening, movements and closing, computed from transfers alone.

It is independent of the manager: nothing is taken from its state but the parameters of links and the awards on record,
with which the books are then compared. Balances are sums of transfers; the stored ones must agree with them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import case, func, or_, select

from houseway.amounts import MICROS_PER_CENT, NO_MICROS, Cents, Micros, micros, total
from houseway.errors import InputError
from houseway.manager.core.floor import Floor
from houseway.manager.core.ledger import FOR_PLAYERS, Reason, account, kind_of_account, shown_balance
from houseway.manager.core.link_entities import Link
from houseway.manager.core.money import dollars, rate
from houseway.manager.core.settings import day_of
from houseway.manager.handlers.promotions import PAYMENTS
from houseway.manager.store import schema
from houseway.manager.store.clock import wall_micros
from houseway.manager.store.event_body import Body
from houseway.manager.store.reading import View
from houseway.manager.store.transfer_sums import by_account, transfer_sums

COLUMNS: Final[dict[str, tuple[Reason, ...]]] = {
    "contributions": ("contribution", "correction"),
    "voided": ("void",),
    "won": ("award", "rejection", "reordering"),
    "seeded": ("reseed", "reseed-returned", "advance", "advance-returned"),
    "released": ("release", "release-returned", "limit"),
    "opened": ("opening",),
    "adjusted": (
        "won", "malfunction", "above-limit", "recover-seed", "voided-round", "seed-added", "reserve-released",
        "overflow-released", "carried", "seed-changed", "retirement", "promotion", "back-out",
    ),
}  # fmt: skip
"""What moves a meter, by the column of `LevelBooks`: the reasons of its transfers."""
BY_AWARDS: Final[tuple[Reason, ...]] = ("award", "rejection", "reordering", "payment", "take-back")
"""Reasons by which awards move what is locked and paid."""
_BODY: Final = msgspec.json.Decoder(Body)


class Account(NamedTuple):
    """An account over a period, in micros as people read it: what is owed is positive."""

    name: str
    opening: Micros
    moved: dict[str, Micros]
    """By the reason of the transfers."""
    closing: Micros


class Check(NamedTuple):
    """Something that must agree, and whether it does."""

    what: str
    expected: str
    found: str
    agrees: bool


class LevelBooks(NamedTuple):
    """The meter of a level over a period, in micros: the opening and all that follows make the closing."""

    link: str
    level: str
    opening: Micros
    contributions: Micros
    """Shares of wagers that went onto the meter, corrections included."""
    voided: Micros
    """What void rounds took back of their shares."""
    won: Micros
    """What awards took off the meter, less what was rejected: a negative amount."""
    seeded: Micros
    """Reseeds and advances of the house for awards, less reversed ones."""
    released: Micros
    """Reserve and overflow that went onto the meter after awards, less reversed ones and what lay above a limit."""
    opened: Micros
    """Opening amounts."""
    adjusted: Micros
    """Changes by two people, retirements and awards that were backed out among them."""
    closing: Micros


class Reconciliation(NamedTuple):
    """The books of a period, and what they were compared with."""

    since: int
    until: int
    first: int
    last: int
    """The events of the period; `last` is before `first` if there are none."""
    accounts: list[Account]
    levels: list[LevelBooks]
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
    now = max(_time_of(view, highest), wall_micros())
    if since > now:
        message = f"that time has not come yet: the last event is of {day_of(_time_of(view, highest))}"
        raise InputError.of("no-events", "day", message)
    # Of a day that still runs the books are those so far.
    until = min(until, now)
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
    """The transfers of one period."""

    def __init__(self, view: View, before: int, last: int) -> None:
        self.view = view
        self.before = before
        self.last = last
        self.opening = self._sums_before()
        self.moved = by_account(transfer_sums(view, before, last))
        self.checks: list[Check] = []

    def _sums_before(self) -> dict[str, Micros]:
        """Balances before the period: the sums of all transfers here, on top of what archived ones had left."""
        archived = self.view.archived_up_to()
        start = self.view.state_before(archived + 1).floor.balances if archived else {}
        found = dict(start)
        for name, moved in by_account(transfer_sums(self.view, archived, self.before)).items():
            found[name] = found.get(name, NO_MICROS) + total(moved.values())
        return found

    def closing(self, name: str) -> Micros:
        """The balance after the period."""
        return self.opening.get(name, NO_MICROS) + total(self.moved.get(name, {}).values())

    def by(self, name: str, reasons: Iterable[str]) -> Micros:
        """What moved on an account for some reasons, with its sign in the books."""
        moved = self.moved.get(name, {})
        return total(moved.get(reason, NO_MICROS) for reason in reasons)

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
        self._check_promotions(state)
        self._check_paid()
        self._check_contributions()
        accounts = [self._account(name) for name in self.names]
        return Reconciliation(since, until, self.before + 1, self.last, accounts, levels, self.checks)

    def _account(self, name: str) -> Account:
        moved = {reason: shown_balance(name, sum_) for reason, sum_ in sorted(self.moved.get(name, {}).items())}
        opening, closing = (
            shown_balance(name, each) for each in (self.opening.get(name, NO_MICROS), self.closing(name))
        )
        return Account(name, opening, moved, closing)

    def _agree(self, what: str, expected: Micros, found: Micros) -> None:
        self.checks.append(Check(what, dollars(expected), dollars(found), expected == found))

    def _check_sums(self) -> None:
        """All accounts sum to zero, and the balances stored with the transfers are the sums of the transfers."""
        self._agree("all accounts sum to zero", NO_MICROS, total(self.closing(name) for name in self.names))
        stored = self._stored()
        for name in sorted(self.moved):
            self._agree(f"{name}: stored balance", self.closing(name), stored[name])

    def _stored(self) -> dict[str, Micros]:
        """The balance that was stored with the last transfer of each account that moved in the period."""
        transfers, found = schema.transfers, dict[str, tuple[int, int, Micros]]()
        for side, balance in (
            (transfers.c.debit, transfers.c.debit_balance),
            (transfers.c.credit, transfers.c.credit_balance),
        ):
            within = transfers.c.seq > self.before, transfers.c.seq <= self.last
            newest = select(side.label("account"), func.max(transfers.c.seq).label("seq")).where(*within)
            last = newest.group_by(side).subquery()
            rows = select(side, transfers.c.seq, transfers.c.line, balance).join(
                last, (side == last.c.account) & (transfers.c.seq == last.c.seq)
            )
            for name, *row in self.view.rows(rows):
                found[name] = max(found.get(name, (0, 0, NO_MICROS)), tuple(row))
        return {name: Micros(stored) for name, (_, _, stored) in found.items()}

    def _level(self, link: str, level: str) -> LevelBooks:
        """The meter of a level, its movements told apart by their reasons."""
        meter = account("meter", link, level)
        columns = {name: -self.by(meter, reasons) for name, reasons in COLUMNS.items()}
        row = LevelBooks(link, level, -self.opening.get(meter, NO_MICROS), **columns, closing=-self.closing(meter))
        self._agree(f"{link}/{level}: opening and movements make the closing meter", total(row[2:-1]), row.closing)
        for kind in FOR_PLAYERS:
            name = account(kind, link, level)
            if self.closing(name) > 0:
                self._agree(f"{name}: never below zero", NO_MICROS, shown_balance(name, self.closing(name)))
        return row

    def _check_links(self, levels: list[LevelBooks]) -> None:
        """What awards took off a link's meters is what was locked or paid for winners."""
        for link in sorted({level.link for level in levels}):
            won = -total(level.won for level in levels if level.link == link)
            names = [account("locked", link, level.level) for level in levels if level.link == link]
            found = -total(self.by(name, BY_AWARDS) for name in (*names, account("paid", link)))
            self._agree(f"{link}: what awards took off the meters was locked or paid", won, found)

    def _check_awards(self, state: Floor) -> None:
        """What is locked is what the awards on record say that is not paid yet."""
        waiting: dict[str, Micros] = defaultdict(Micros)
        for award in state.awards.values():
            if award.status == "hit" and award.source != "tray":
                waiting[account("locked", award.link, award.level or "")] += micros(award.cents)
        for name in sorted({*waiting, *(name for name in self.names if kind_of_account(name) == "locked")}):
            self._agree(f"{name}: awards that wait for payment", waiting.get(name, NO_MICROS), -self.closing(name))

    def _check_promotions(self, state: Floor) -> None:
        """What promotions gave back is what their papers say, and nothing waits for one that is over or unknown."""
        paid = _promotion_payments(state)
        for name, before in _promotion_payments(self.view.state_at(self.before).floor).items():
            paid[name] = paid.get(name, NO_MICROS) - before
        ended = {
            account("promotion", link.id, level): promotion.ended_at != 0
            for link in state.links.values()
            for level, promotion in link.promotions.items()
        }
        for name in sorted({*paid, *ended, *(each for each in self.names if kind_of_account(each) == "promotion")}):
            found = self.by(name, ("promotion-paid",))
            self._agree(f"{name}: payments to players by their papers", paid.get(name, NO_MICROS), found)
            if ended.get(name, True):
                self._agree(f"{name}: nothing waits once it is over", NO_MICROS, -self.closing(name))

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
        by_link = {link: micros(Cents(cents)) for link, cents in self.view.rows(paid)}
        for name in sorted({*(account("paid", link) for link in by_link), *self.moved}):
            if kind_of_account(name) == "paid":
                found = -self.by(name, ("payment", "take-back"))
                self._agree(f"{name}: awards paid", by_link.get(name.split("/")[1], NO_MICROS), found)

    def _check_contributions(self) -> None:
        """Wagers put onto each level what its share says, to within the remainder below a millionth that is carried."""
        due: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
        posted: dict[tuple[str, str], Micros] = defaultdict(Micros)
        links = dict(self.view.state_at(self.before).floor.links)
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
            self.checks.append(Check(what, dollars(Micros(wanted)), dollars(found), agrees))

    def _voids(self, link: str) -> int:
        """How many times wagers of a link were corrected or given back, each of which moves its remainder too."""
        events, transfers = schema.events, schema.transfers
        meter = f"meter/{link}/"
        found = (
            select(func.count(func.distinct(events.c.seq)))
            .join(transfers, transfers.c.seq == events.c.seq)
            .where(events.c.seq > self.before, events.c.seq <= self.last, events.c.kind != "round.start")
            .where(transfers.c.reason.in_(("void", "correction", "contribution")))
            .where(
                or_(
                    transfers.c.debit.startswith(meter, autoescape=True),
                    transfers.c.credit.startswith(meter, autoescape=True),
                )
            )
        )
        return int(self.view.rows(found)[0][0])


def _promotion_payments(state: Floor) -> dict[str, Micros]:
    """What promotions have given back to players so far, by their papers."""
    found: dict[str, Micros] = {}
    for paper in state.papers_of(PAYMENTS):
        name = account("promotion", paper.subject, paper.text("level"))
        found[name] = found.get(name, NO_MICROS) + micros(Cents(paper.number("cents") or 0))
    return found


def _is_level(name: str) -> bool:
    return kind_of_account(name) == "meter"


def _follow_links(body: Body, links: dict[str, Link]) -> None:
    """Keep the links as an event leaves them."""
    for kind, id_, value in body.put:
        if kind == "link" and value is not None:
            links[id_] = msgspec.convert(value, Link)


def _add_round(
    body: Body, links: Mapping[str, Link], due: dict[tuple[str, str], Fraction], posted: dict[tuple[str, str], Micros]
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
    for _, credit, moved, reason, _ in body.post:
        if reason == "contribution":
            _, link_id, level = credit.split("/")
            posted[link_id, level] += moved
