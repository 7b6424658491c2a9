"""A progressive that leaves play: the players' money goes onto other progressives, or is put aside for a promotion.

Awards and disputes are settled first. Money for a promotion stays in the link's bank account until the promotion has
given it back to players (`promotions`), within the time that the property's rules allow; what a promotion does not need
may still go onto another progressive. Both are changes of two people.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct, field, to_builtins
from msgspec.structs import replace

from houseway.amounts import NO_MICROS, Micros, total
from houseway.errors import Fault
from houseway.manager.commands.bounds import MOST_NAMED
from houseway.manager.core import settings
from houseway.manager.core.change_answers import ChangeEffect, MovedLevel
from houseway.manager.core.engine import Decision
from houseway.manager.core.house_entities import Proposal
from houseway.manager.core.ledger import HOUSE, MONEY, about, account
from houseway.manager.core.link_entities import Link, Promotion
from houseway.manager.core.money import dollars
from houseway.manager.handlers.change_base import (
    Change,
    Moment,
    file_paper,
    find_level,
    find_link,
    put_on_meter,
    recover_seed,
    recoverable_seed,
    signed,
    text_fault,
)
from houseway.manager.handlers.funds import DAY
from houseway.manager.handlers.parameters import open_award_faults


class Destination(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a level's money goes."""

    link: str
    level: str


class Retirement(Change, frozen=True, tag="retire"):
    """A progressive leaves play for good: the players' money goes onto other open progressives or into a promotion."""

    link: str
    paper: str
    to: Annotated[dict[str, Destination], Meta(max_length=MOST_NAMED)] = field(default_factory=dict)
    """By level: the level of another progressive in play that takes its money."""
    promotions: Annotated[dict[str, str], Meta(max_length=MOST_NAMED)] = field(default_factory=dict)
    """By level: the promotion that gives its money back to players, within `retirement_days`."""
    recover_seed: bool = False
    drain: bool = True

    @property
    def moment(self) -> Moment:
        """Between rounds."""
        return "idle"

    @property
    def once_for(self) -> str:
        """A link retires once."""
        return "link"

    def faults(self, decision: Decision) -> list[Fault]:
        """Awards are settled first, and every level with money names where it goes."""
        faults = text_fault(self.paper, "what.paper", "name the paper of the retirement")
        link = find_link(decision, self.link, faults)
        if link is None:
            return faults
        faults += open_award_faults(decision, link)
        for name in ("to", "promotions"):
            for level in getattr(self, name):
                find_level(link, level, faults, f"what.{name}.{level[:40]}")
        for level in link.levels:
            faults += self._destination_faults(decision, link, level)
        return faults

    def _destination_faults(self, decision: Decision, link: Link, level: str) -> list[Fault]:
        destination, promotion = self.to.get(level), self.promotions.get(level)
        if destination is not None and promotion is not None:
            message = f"{level} goes onto another progressive or into a promotion, not both: leave one of them out"
            return [Fault("bad-destination", f"what.promotions.{level}", message)]
        if promotion is not None:
            return text_fault(promotion, f"what.promotions.{level}", "name the promotion")
        if destination is not None:
            return _taker_faults(decision, link, destination, f"what.to.{level}")
        there = held_for_players(decision, link, level)
        if self.recover_seed:
            there -= recoverable_seed(decision, link, level)
        if not there:
            return []
        message = (
            f"{level} holds {dollars(there)} of the players' money: name the progressive that takes it, or the "
            "promotion that gives it back"
        )
        return [Fault("destination-needed", f"what.to.{level}", message)]

    def effect(self, decision: Decision, papers: Proposal) -> ChangeEffect:
        """Recover the seed if asked, move the money and the bank balance, take the link out of play."""
        link = decision.links[self.link]
        moved: dict[str, MovedLevel] = {}
        into: dict[str, Micros] = {}
        aside: dict[str, Promotion] = {}
        for level in link.levels:
            seed = recoverable_seed(decision, link, level) if self.recover_seed else NO_MICROS
            recover_seed(decision, link, level, seed, papers)
            amount = held_for_players(decision, link, level)
            moved[level] = MovedLevel(seed, amount)
            destination, promotion = self.to.get(level), self.promotions.get(level)
            if destination is not None and amount:
                _move(decision, link, level, destination, MONEY, papers)
                into[destination.link] = into.get(destination.link, NO_MICROS) + amount
                moved[level] = MovedLevel(seed, amount, destination.link, destination.level)
            elif promotion is not None and amount:
                aside[level] = _put_aside(decision, link, level, promotion.strip(), papers)
                kept = aside[level]
                moved[level] = MovedLevel(seed, amount, promotion=kept.name, return_by=kept.return_by)
        _move_bank(decision, link, into, papers)
        retired = replace(
            link, status="retired", status_reason=f"retired: {papers.reason}", version=link.version + 1,
            promotions=aside,
        )  # fmt: skip
        decision.links.put(retired)
        paper = file_paper(decision, "link-retirement", link.id, signed(papers, self.paper, moved=to_builtins(moved)))
        return ChangeEffect(link=link.id, link_status="retired", moved=moved, paper=paper)


class DroppedPromotion(Change, frozen=True, tag="drop-promotion"):
    """What a promotion has not given back to players goes onto another open progressive."""

    link: str
    level: str
    to_link: str
    """The progressive in play that takes the money."""
    to_level: str
    """Its level."""
    paper: str

    @property
    def _to(self) -> Destination:
        return Destination(self.to_link, self.to_level)

    def faults(self, decision: Decision) -> list[Fault]:
        """The promotion must still have money, and another progressive must take it."""
        faults = text_fault(self.paper, "what.paper", "name the paper that drops the promotion")
        link = decision.links.get(self.link)
        if link is None:
            fault = Fault("unknown-link", "what.link", f"there is no link {self.link[:60]}: name one that has retired")
            return [*faults, fault]
        if find_level(link, self.level, faults) is not None:
            faults += promotion_faults(decision, link, self.level, "what.level")
        return faults + _taker_faults(decision, link, self._to, "what.to_link", "what.to_level")

    def effect(self, decision: Decision, papers: Proposal) -> ChangeEffect:
        """Move what is left and the bank balance behind it; the promotion is over."""
        link = decision.links[self.link]
        amount = decision.books.held(account("promotion", link.id, self.level))
        _move(decision, link, self.level, self._to, ("promotion",), papers)
        _move_bank(decision, link, {self.to_link: amount}, papers)
        decision.links.put(
            with_promotion(link, self.level, replace(link.promotions[self.level], ended_at=decision.now))
        )
        moved = {self.level: MovedLevel(NO_MICROS, amount, self.to_link, self.to_level)}
        paper = file_paper(decision, "link-retirement", link.id, signed(papers, self.paper, moved=to_builtins(moved)))
        return ChangeEffect(link=link.id, link_status=link.status, level=self.level, moved=moved, paper=paper)


def promotion_faults(decision: Decision, link: Link, level: str, path: str) -> list[Fault]:
    """A fault where no money of a level waits for a promotion."""
    if decision.books.held(account("promotion", link.id, level)):
        return []
    message = f"no money of {link.id}/{level} waits for a promotion (houseway link list says what does)"
    return [Fault("no-promotion", path, message)]


def with_promotion(link: Link, level: str, promotion: Promotion) -> Link:
    """The link with another state of one of its promotions."""
    return replace(link, promotions={**link.promotions, level: promotion})


def held_for_players(decision: Decision, link: Link, level: str) -> Micros:
    """What a level holds that nobody has won yet."""
    return total(decision.books.held(account(kind, link.id, level)) for kind in MONEY)


def _taker_faults(
    decision: Decision, link: Link, destination: Destination, path: str, level_path: str | None = None
) -> list[Fault]:
    other = decision.links.get(destination.link)
    if other is None or other.id == link.id or not _is_in_play(other):
        message = f"{destination.link[:60]} is not another progressive in play: the players' money goes onto one"
        return [Fault("bad-destination", path, message)]
    faults: list[Fault] = []
    find_level(other, destination.level, faults, level_path or path)
    return faults


def _is_in_play(link: Link) -> bool:
    return link.kind == "progressive" and link.status in ("open", "draining")


def _move(
    decision: Decision, link: Link, level: str, destination: Destination, kinds: tuple[str, ...], papers: Proposal
) -> None:
    other = decision.links[destination.link]
    subject = about("change", papers.id)
    for kind in kinds:
        source = account(kind, link.id, level)
        amount = decision.books.held(source)
        put_on_meter(decision, other, destination.level, source, amount, "retirement", subject)


def _put_aside(decision: Decision, link: Link, level: str, name: str, papers: Proposal) -> Promotion:
    """Put a level's money aside for a promotion, with the time by which players have it back."""
    books, subject, amount = decision.books, about("change", papers.id), held_for_players(decision, link, level)
    for kind in MONEY:
        source = account(kind, link.id, level)
        books.transfer_any(source, account("promotion", link.id, level), books.held(source), "promotion", subject)
    days: int = settings.value(decision, "retirement_days", decision.now)
    return Promotion(name, amount, decision.now, decision.now + days * DAY)


def _move_bank(decision: Decision, link: Link, into: dict[str, Micros], papers: Proposal) -> None:
    """The bank account follows the money; what it held beyond that, and beyond promotions, is the house's again."""
    mine, books, subject = account("bank", link.id), decision.books, about("change", papers.id)
    for other, amount in into.items():
        there = min(amount, max(NO_MICROS, books.balance(mine)))
        books.transfer_any(account("bank", other), mine, there, "retirement", subject)
    kept = total(books.held(account("promotion", link.id, level)) for level in link.levels)
    books.transfer_any(HOUSE, mine, max(NO_MICROS, books.balance(mine) - kept), "retirement", subject)
