"""Money moved by two people: meter adjustments under a reason code, awards backed out.

A displayed amount falls only because it was won, to correct a malfunction or a voided round, above a posted limit, or
to recover seed money; funds that are not displayed may be booked as receipts. Each reason code says which way it moves
which account and where the other side is posted; nothing held for players can fall below zero. What lowers a displayed
amount waits until no round on the link is in play, except for money that was already paid out.
"""

from __future__ import annotations

from typing import ClassVar, Final, Literal, NamedTuple

from msgspec.structs import replace

from houseway.amounts import NO_MICROS, Cents, Micros, micros, whole_cents
from houseway.errors import Fault, InputError
from houseway.manager.core.change_answers import ChangeEffect
from houseway.manager.core.engine import Decision
from houseway.manager.core.house_entities import Proposal
from houseway.manager.core.ledger import HOUSE, MONEY, about, account
from houseway.manager.core.link_entities import Link
from houseway.manager.core.money import LARGEST_CENTS, cents_text, dollars
from houseway.manager.core.roles import OFFICE
from houseway.manager.core.signs import displayed
from houseway.manager.core.table_entities import UndoneAward
from houseway.manager.handlers.change_base import (
    Change,
    Moment,
    file_paper,
    find_level,
    find_link,
    level_of,
    put_on_meter,
    recover_seed,
    recoverable_seed,
    room_below_limit,
    seed_brought,
    signed,
    tell_table,
    text_fault,
)
from houseway.manager.handlers.past_awards import keep_past_award, mark_backed_out, past_award
from houseway.manager.handlers.slip_numbers import void_slips_of

Code = Literal[
    "won", "malfunction", "above-limit", "recover-seed", "book-receipts", "voided-round", "seed-added",
    "reserve-released", "overflow-released", "carried",
]  # fmt: skip
BACK_OUT: Final = "back-out-award"
"""The reason code of an award that is backed out; it is a change of its own because it names the award."""


class Reason(NamedTuple):
    """What a reason code may do."""

    meaning: str
    rises: bool
    falls: bool
    accounts: tuple[str, ...]
    other_side: str
    """The account on the other side: a kind of the link or level, `house`, or `receipts` of the named table."""
    table: Literal["none", "may", "must"] = "none"


REASONS: Final[dict[str, Reason]] = {
    "won": Reason("an award was paid without the controller", False, True, ("meter",), "paid"),
    "malfunction": Reason("equipment counted too much or too little", True, True, MONEY, "house", "may"),
    "above-limit": Reason("the amount above the posted limit", False, True, ("meter",), "overflow"),
    "recover-seed": Reason("the house takes its seed money back", False, True, ("meter",), "seed"),
    "book-receipts": Reason("funds not displayed are booked", False, True, ("reserve", "overflow"), "receipts", "must"),
    "voided-round": Reason("shares of a void round go back", False, True, MONEY, "receipts", "must"),
    "seed-added": Reason("the house advances more seed money", True, False, ("meter",), "seed"),
    "reserve-released": Reason("the reserve goes onto the meter", True, False, ("meter",), "reserve"),
    "overflow-released": Reason("the overflow goes onto the meter", True, False, ("meter",), "overflow"),
    "carried": Reason("players' money from elsewhere goes onto the meter", True, False, ("meter",), "house"),
}
"""The closed list of reason codes, beside `back-out-award`."""


class Adjustment(Change, frozen=True, tag="adjustment"):
    """A manual adjustment of a level: a signed amount in micros under a reason code."""

    link: str
    level: str
    code: Code
    micros: Micros
    reference: str
    """The paper that it rests on: incident, slip, report."""
    account: Literal["meter", "reserve", "overflow"] = "meter"
    table: str | None = None
    drain: bool = False

    @property
    def moment(self) -> Moment:
        """What lowers a displayed amount waits for the end of the rounds; what was paid out is gone already."""
        lowers = self.account == "meter" and self.micros < 0
        return "idle" if lowers and self.code != "won" else "now"

    def faults(self, decision: Decision) -> list[Fault]:
        """The reason must fit the amount, the account and the table, and the money must be there."""
        faults = text_fault(self.reference, "what.reference", "name the paper that the adjustment rests on")
        link = find_link(decision, self.link, faults)
        level = find_level(link, self.level, faults)
        faults += self._reason_faults(decision)
        if link is None or level is None or faults:
            return faults
        if link.status == "draft":
            message = f"{link.id} is not open yet: its opening amounts are given when it is opened"
            return [Fault("link-not-open", "what.link", message)]
        return self._money_faults(decision, link)

    def _reason_faults(self, decision: Decision) -> list[Fault]:
        reason = REASONS[self.code]
        faults = []
        if not (reason.rises if self.micros > 0 else reason.falls and self.micros < 0):
            direction = "below zero" if reason.falls and not reason.rises else "above zero"
            wanted = "not zero" if reason.rises and reason.falls else direction
            faults.append(Fault("wrong-direction", "what.micros", f"{self.code}: the amount must be {wanted}"))
        if abs(self.micros) > micros(LARGEST_CENTS):
            faults.append(Fault("out-of-range", "what.micros", f"at most {dollars(micros(LARGEST_CENTS))} at once"))
        if self.account not in reason.accounts:
            message = f"{self.code} moves {' or '.join(reason.accounts)}, not {self.account}"
            faults.append(Fault("wrong-account", "what.account", message))
        if self.table is None and reason.table == "must":
            message = f"{self.code} is booked to a table's receipts: name the table"
            faults.append(Fault("table-needed", "what.table", message))
        if self.table is not None and (reason.table == "none" or decision.tables.get(self.table) is None):
            unknown = f"there is no table {self.table[:40]}"
            message = f"{self.code} names no table" if reason.table == "none" else unknown
            faults.append(Fault("unknown-table", "what.table", message))
        return faults

    def _money_faults(self, decision: Decision, link: Link) -> list[Fault]:
        """The money must be there, and the reason's own bound must hold."""
        held, name = decision.books.held, account(self.account, link.id, self.level)
        if self.micros < 0 and held(name) + self.micros < 0:
            message = f"{name} holds {dollars(held(name))}: it cannot fall by {dollars(-self.micros)}"
            return [Fault("below-zero", "what.micros", message)]
        bound = self._bound(decision, link)
        if bound is not None and abs(self.micros) > bound[0]:
            message = f"{self.code} is possible up to {dollars(bound[0])} here: {bound[1]}"
            return [Fault("above-bound", "what.micros", message)]
        return []

    def _bound(self, decision: Decision, link: Link) -> tuple[Micros, str] | None:
        """The most that the reason lets move now, and why; None where only the account bounds it."""
        held, free = decision.books.held, room_below_limit(decision, link, self.level)
        match self.code:
            case "above-limit":
                limit = link.levels[self.level].limit
                meter = held(account("meter", link.id, self.level))
                over = max(NO_MICROS, meter - micros(limit)) if limit is not None else NO_MICROS
                return over, "this much is above the posted limit"
            case "recover-seed":
                return recoverable_seed(decision, link, self.level), "seed money that is still on the meter"
            case "reserve-released" | "overflow-released":
                source = held(account(REASONS[self.code].other_side, link.id, self.level))
                return source if free is None else min(source, free), "what is there and fits below the posted limit"
            case "seed-added" if free is not None:
                return free, "more would be above the posted limit"
        return None

    def effect(self, decision: Decision, papers: Proposal) -> ChangeEffect:
        """Post it and keep its paper."""
        link = decision.links[self.link]
        amount, subject = abs(self.micros), about("change", papers.id)
        mine, other = account(self.account, link.id, self.level), self._other_side()
        if self.code == "recover-seed":
            recover_seed(decision, link, self.level, amount, papers)
        elif self.micros < 0:
            decision.books.transfer(mine, other, amount, self.code, subject)
        elif self.account == "meter":
            put_on_meter(decision, link, self.level, other, amount, self.code, subject)
        else:
            decision.books.transfer(other, mine, amount, self.code, subject)
        self._count(decision, link)
        fields = signed(
            papers, self.reference, level=self.level, code=self.code, account=self.account, micros=self.micros
        )
        paper = file_paper(decision, "link-adjustment", link.id, fields)
        meter = decision.books.held(account("meter", link.id, self.level))
        return ChangeEffect(
            link=link.id, level=self.level, code=self.code, account=self.account, micros=self.micros,
            meter_micros=meter, paper=paper,
        )  # fmt: skip

    def _other_side(self) -> str:
        kind = REASONS[self.code].other_side
        if kind == "receipts" or (self.table is not None and kind == "house"):
            return account("receipts", self.table or "")
        if kind == "house":
            return HOUSE
        return account(kind, self.link) if kind == "paid" else account(kind, self.link, self.level)

    def _count(self, decision: Decision, link: Link) -> None:
        """Keep the level's counts: a win by hand is a win, added seed money can be recovered."""
        figures = level_of(decision, link.id, self.level)
        if self.code == "won":
            decision.levels.put(replace(figures, hits=figures.hits + 1, won_micros=figures.won_micros - self.micros))
        elif self.code == "seed-added":
            brought = seed_brought(figures, link.levels[self.level])
            decision.levels.put(replace(figures, seeded_micros=brought + self.micros, seeded_in=figures.generation))


# ---------------------------------------------------------------- a paid award


class BackOut(Change, frozen=True, tag="back-out"):
    """A paid award is backed out: its money goes back to where it came from, the house's advance to the house, once."""

    approvers: ClassVar[tuple[str, ...]] = OFFICE

    award: str
    reference: str
    recover_seed: bool | None = None
    """Whether the seed that restarted the level goes back to the house, as far as it is still on the meter.

    Must be said where the award has restarted its level and seed money is still there: neither outcome goes without
    saying.
    """

    @property
    def once_for(self) -> str:
        """An award is backed out once."""
        return "award"

    def faults(self, decision: Decision) -> list[Fault]:
        """The award must be on record as paid, and not backed out before."""
        faults = text_fault(self.reference, "what.reference", "name the paper that says why the award does not stand")
        found = paid_award(decision, self.award)
        if isinstance(found, Fault):
            return [*faults, found]
        if found.source == "meter":
            link = find_link(decision, found.link, faults)
            faults += self._choice_faults(decision, link, found) if link is not None else []
        elif self.recover_seed:
            message = f"{self.award} was paid by the {found.source}: no seed of a meter was drawn"
            faults.append(Fault("wrong-account", "what.recover_seed", message))
        return faults

    def _choice_faults(self, decision: Decision, link: Link, award: PaidAward) -> list[Fault]:
        """Ask what becomes of the reseed, with both outcomes, where that was not said."""
        level = award.level or ""
        seed = recoverable_seed(decision, link, level)
        if self.recover_seed is not None or award.percent != 100 or not seed:
            return []
        shown, back = displayed(decision, link)[level], micros(award.cents) - award.advanced_micros
        limit = link.levels[level].limit
        outcomes = (shown + back - seed, shown + back)
        recovered, kept = (_on_sign(each if limit is None else min(each, micros(limit))) for each in outcomes)
        message = (
            f"{award.id} restarted {link.id}/{level}: {dollars(seed)} of seed money is still on the sign, which "
            f"shows {_on_sign(shown)}. Say what becomes of it: recovered (--seed recover) it goes back to the house "
            f"and the sign shows {recovered}; kept (--seed keep) it stays with the players and the sign shows {kept}"
        )
        return [Fault("seed-choice", "what.recover_seed", message)]

    def effect(self, decision: Decision, papers: Proposal) -> ChangeEffect:
        """Turn the payment round; the award no longer keeps its round open."""
        award = paid_award(decision, self.award)
        if isinstance(award, Fault):
            raise InputError([award])
        link = decision.links[award.link]
        amount, paid = micros(award.cents), account("paid", award.link)
        before, seed = _meter(decision, award), NO_MICROS
        advanced = award.advanced_micros
        books, subject = decision.books, about("award", award.id)
        if award.source == "tray":
            tray, receipts = account("tray", award.table), account("receipts", award.table)
            books.transfer_any(tray, receipts, amount, "back-out", subject)
        elif award.source == "house":
            books.transfer_any(paid, account("prizes", award.link), amount, "back-out", subject)
        else:
            level = award.level or ""
            seed = recoverable_seed(decision, link, level) if self.recover_seed else NO_MICROS
            recover_seed(decision, link, level, seed, papers)
            # What the house advanced for the award never was players' money: it does not become that now.
            books.transfer_any(paid, account("seed", award.link, level), advanced, "back-out", subject)
            put_on_meter(decision, link, level, paid, amount - advanced, "back-out", subject)
            _uncount(decision, award)
        _forget(decision, award)
        void_slips_of(decision, award.id, papers.by, papers.approved_by or "", f"backed out: {self.reference.strip()}")
        undone = UndoneAward(
            award.id, decision.now, papers.by, papers.approved_by or "", self.reference.strip(), award.seat,
            award.hand, award.cents, award.source, award.link, award.level, seed,
        )  # fmt: skip
        tell_table(decision, award.table, undone)
        decision.row(
            "hit",
            award=award.id, link=award.link, level=award.level, table=award.table, round=award.id.rsplit("/", 1)[0],
            seat=award.seat, hand=award.hand, percent=award.percent, cents=award.cents, order=award.order,
            status="backed-out", at=decision.now, meter_before_micros=before,
            meter_after_micros=_meter(decision, award), seed_drawn_micros=-seed - advanced,
            reserve_drawn_micros=NO_MICROS,
        )  # fmt: skip
        fields = signed(
            papers, self.reference, award=award.id, code=BACK_OUT, cents=award.cents, seed_recovered_micros=seed,
            advance_returned_micros=advanced,
        )  # fmt: skip
        paper = file_paper(decision, "link-adjustment", award.link, fields)
        return ChangeEffect(
            link=award.link, level=award.level, award=award.id, code=BACK_OUT, cents=award.cents,
            seed_recovered_micros=seed, advance_returned_micros=advanced, source=award.source, paper=paper,
        )  # fmt: skip


def _on_sign(amount: Micros) -> str:
    """An amount as a sign shows it: whole cents."""
    return cents_text(whole_cents(amount))


class PaidAward(NamedTuple):
    """What backing out needs to know of an award that was paid."""

    id: str
    link: str
    level: str | None
    table: str
    seat: int
    hand: str
    cents: Cents
    source: Literal["meter", "tray", "house"]
    percent: int | None = None
    order: int | None = None
    round: str | None = None
    """Its round, as long as that is known."""
    advanced_micros: Micros = NO_MICROS
    """What of it the house had added so that each winner gets the full meter."""


def paid_award(decision: Decision, award_id: str) -> PaidAward | Fault:
    """A paid award: while its round is known, or later among the last of its level or table; else why it is none."""
    award = decision.awards.get(award_id)
    recorded = [(level.id, hit) for level in decision.levels.values() for hit in level.recent if hit.award == award_id]
    past = past_award(decision, award_id)
    if any(hit.backed_out_at is not None for _, hit in recorded) or (past and past[1].backed_out_at is not None):
        return Fault(
            "award-backed-out", "what.award", f"{award_id} was backed out before: it can only be backed out once"
        )
    if award is not None and award.status != "paid":
        message = f"{award_id} is {award.status}, not paid: take it back or reject it at the table"
        return Fault("award-not-paid", "what.award", message)
    if award is not None:
        return PaidAward(
            award.id, award.link, award.level, award.table, award.seat, award.hand, award.cents, award.source,
            award.percent, award.order, award.round, award.advanced_micros,
        )  # fmt: skip
    if recorded:
        id_, hit = recorded[-1]
        link, level = id_.split("/", 1)
        return PaidAward(
            award_id, link, level, hit.table, hit.seat, hit.hand, hit.cents, "meter", percent=hit.percent,
            advanced_micros=hit.advanced_micros,
        )  # fmt: skip
    if past is not None:
        table, kept = past
        return PaidAward(
            award_id, kept.link, kept.level, table, kept.seat, kept.hand, kept.cents, kept.source, kept.percent,
            kept.order,
        )  # fmt: skip
    message = (
        f"{award_id[:60]} cannot be backed out by its id: it was not paid, was taken back, or is older "
        "than the last ones of its level or table (houseway jackpot list has them). An older one off a meter is put "
        "right by an adjustment with the code malfunction; chips that come back to a tray show at its next count"
    )
    return Fault("no-such-award", "what.award", message)


def _meter(decision: Decision, award: PaidAward) -> Micros:
    """What the award's level holds on its meter; 0 where it was paid from elsewhere."""
    return (
        decision.books.held(account("meter", award.link, award.level or "")) if award.source == "meter" else NO_MICROS
    )


def _uncount(decision: Decision, award: PaidAward) -> None:
    """Mark the hit as backed out and take its amount out of what was won."""
    figures = level_of(decision, award.link, award.level or "")
    recent = tuple(replace(hit, backed_out_at=decision.now) if hit.award == award.id else hit for hit in figures.recent)
    decision.levels.put(replace(figures, won_micros=figures.won_micros - micros(award.cents), recent=recent))


def _forget(decision: Decision, award: PaidAward) -> None:
    """Let an award that is backed out go from its round, which may then be ended or voided; the mark stays."""
    if award.round is None:
        if award.source != "meter":
            mark_backed_out(decision, award.table, award.id)
        return
    keep_past_award(decision, decision.awards[award.id], backed_out_at=decision.now)
    decision.awards.drop(award.id)
    round_ = decision.rounds.get(award.round)
    if round_ is not None:
        decision.rounds.put(replace(round_, awards=tuple(id_ for id_ in round_.awards if id_ != award.id)))
