"""What a link may be configured to, and the changes of parameters: a level, a limit, the link itself, house prizes.

One check serves the drawing up of a link and every later change: the link as it would be is built and looked at whole.
Every change raises the link's version; its warnings are computed again.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, UnsetType, field
from msgspec.structs import replace

from houseway.amounts import MICROS_PER_CENT, NO_CENTS, NO_MICROS, Cents, Micros, micros, whole_cents
from houseway.errors import Fault
from houseway.manager.commands.bounds import MOST_NAMED
from houseway.manager.core import settings
from houseway.manager.core.change_answers import ChangeEffect
from houseway.manager.core.engine import Decision
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Proposal
from houseway.manager.core.ledger import about, account
from houseway.manager.core.link_entities import LevelParameters, Link, Terms
from houseway.manager.core.money import LARGEST_CENTS, cents_text, dollars, rate
from houseway.manager.core.signs import displayed
from houseway.manager.handlers.change_base import (
    Change,
    Moment,
    file_paper,
    find_level,
    find_link,
    level_of,
    put_on_meter,
    recoverable_seed,
    release_overflow,
    seed_brought,
    signed,
    text_fault,
)
from houseway.manager.handlers.link_rules import DECKS_OF_A_GAME, checked_paytable, jackpot_chances, rounds_on
from houseway.manager.handlers.presets import is_rate, put_aside, warnings_of
from houseway.odds.distribution import decimal_text
from houseway.paytables import PayTable
from houseway.ranking.hand_names import hand_title

_NO_RATE: Final = "{} is not a share from 0 to 1: write it as 3/20, 0.15 or 15%"


def configuration_faults(floor: Floor, link: Link, at: int) -> list[Fault]:
    """Everything that is wrong with a link's configuration."""
    table, faults = checked_paytable(link.paytable, link.readings)
    if link.decks != DECKS_OF_A_GAME:
        message = f"the games here are dealt from {DECKS_OF_A_GAME} deck, not {link.decks}"
        faults.append(Fault("link-decks", "decks", message))
    faults += _wager_faults(floor, link, at)
    _check_amount(link.fixed_supervisor_from, "fixed_supervisor_from", NO_CENTS, faults)
    if table is not None:
        faults += _fixed_award_faults(link, table)
        faults += _house_faults(link, table) if link.kind == "house" else _progressive_faults(floor, link, table, at)
        faults += _odds_faults(floor, table, at)
    return faults


def _check_amount(cents: Cents, path: str, least: Cents, faults: list[Fault]) -> bool:
    if least <= cents <= LARGEST_CENTS:
        return True
    range_ = f"{cents_text(least)} to {cents_text(LARGEST_CENTS)}"
    faults.append(Fault("out-of-range", path, f"{cents_text(cents)}: expected {range_}, written in cents"))
    return False


def _wager_faults(floor: Floor, link: Link, at: int) -> list[Fault]:
    faults: list[Fault] = []
    highest = settings.value(floor, "highest_wager", at)
    if _check_amount(link.wager, "wager", Cents(1), faults) and highest is not None and link.wager > highest:
        wager = cents_text(link.wager)
        message = f"the fixed wager of {wager} is above the highest single wager of {cents_text(highest)}"
        faults.append(Fault("over-limit", "wager", message))
    return faults


def _fixed_award_faults(link: Link, table: PayTable) -> list[Fault]:
    """The largest fixed award must be an amount that the books can hold."""
    largest = max((line.pays or 0 for line in table.lines), default=0) * link.wager
    if largest <= LARGEST_CENTS:
        return []
    wager, wins, most = (cents_text(cents) for cents in (link.wager, largest, LARGEST_CENTS))
    message = f"a wager of {wager} would win {wins} by a fixed pay, above {most}: lower it"
    return [Fault("out-of-range", "wager", message)]


def _house_faults(link: Link, table: PayTable) -> list[Fault]:
    """A house jackpot has a posted prize for every level and nothing that a meter has."""
    faults: list[Fault] = []
    if link.levels:
        message = "a house jackpot has no meter: it takes prizes, not levels with seed and contribution"
        faults.append(Fault("link-levels", "levels", message))
    if link.fixed_pays != "tray":
        message = "a house jackpot has no meter to take fixed pays from: they come from the tray"
        faults.append(Fault("setting-not-allowed", "fixed_pays", message))
    _check_names(link.prizes, table, "prizes", faults)
    for level, cents in link.prizes.items():
        _check_amount(cents, f"prizes.{level}", Cents(1), faults)
    return faults


def _check_names(given: Mapping[str, object], table: PayTable, path: str, faults: list[Fault]) -> None:
    if set(given) != set(table.levels):
        message = f"{table.id} has the levels {', '.join(table.levels)}: give exactly these"
        faults.append(Fault("link-levels", path, message))


def _progressive_faults(floor: Floor, link: Link, table: PayTable, at: int) -> list[Fault]:
    faults: list[Fault] = []
    if link.prizes:
        message = "a progressive shows its meters: posted prizes belong to a house jackpot"
        faults.append(Fault("link-levels", "prizes", message))
    if link.fixed_pays == "meter" and not table.fixed_from_meter:
        message = f"the sheet of {table.id} pays fixed awards from the tray only: leave fixed_pays at tray"
        faults.append(Fault("setting-not-allowed", "fixed_pays", message))
    _check_names(dict(link.levels), table, "levels", faults)
    rates_are_read = True
    for name, level in link.levels.items():
        found = _level_faults(f"levels.{name}", level)
        rates_are_read = rates_are_read and not any(fault.code == "bad-rate" for fault in found)
        faults += found
    if rates_are_read:
        faults += _share_faults(floor, link, at)
    return faults


def _level_faults(path: str, level: LevelParameters) -> list[Fault]:
    """What is wrong with the parameters of one level by themselves."""
    faults = [
        Fault("bad-rate", f"{path}.{name}", _NO_RATE.format(repr(text[:40])))
        for name, text in (("contribution", level.contribution), ("reserve", level.reserve))
        if not is_rate(text)
    ]
    _check_amount(level.seed, f"{path}.seed", NO_CENTS, faults)
    limited = level.limit is not None and _check_amount(level.limit, f"{path}.limit", Cents(1), faults)
    if limited and level.limit is not None and level.limit < level.seed:
        limit, seed = cents_text(level.limit), cents_text(level.seed)
        message = f"a limit of {limit} cannot hold the seed of {seed}: raise it or lower the seed"
        faults.append(Fault("limit-too-low", f"{path}.limit", message))
    if level.executive_from is not None:
        _check_amount(level.executive_from, f"{path}.executive_from", NO_CENTS, faults)
    return faults


def _share_faults(floor: Floor, link: Link, at: int) -> list[Fault]:
    """Shares of all levels together are at most the wager, and a single contribution is reasonable."""
    faults = []
    total = put_aside(link)
    if total > 1:
        message = f"contributions and reserves of all levels are {total} of a wager, more than all of it: lower them"
        faults.append(Fault("rates-over-one", "levels", message))
    largest = settings.value(floor, "largest_contribution", at)
    for name, level in link.levels.items():
        cents = Fraction(link.wager) * rate(level.contribution)
        if cents > largest:
            put, most = dollars(Micros(int(cents * MICROS_PER_CENT))), cents_text(largest)
            message = f"one wager would put {put} on {name}; above {most} the property calls it unreasonable"
            faults.append(Fault("contribution-unreasonable", f"levels.{name}.contribution", message))
    return faults


def _odds_faults(floor: Floor, table: PayTable, at: int) -> list[Fault]:
    """No jackpot may be rarer than the property's dated setting allows."""
    rarest = settings.value(floor, "rarest_jackpot", at)
    faults = []
    for level, chance in jackpot_chances(table).items():
        if chance * rarest < 1:
            odds = f"1 in {decimal_text(1 / chance, 12)}" if chance else "never"
            message = f"100% of {level} is won {odds} hands, rarer than 1 in {rarest}: choose another pay table"
            faults.append(Fault("jackpot-too-rare", "paytable", message))
    return faults


def _in_change(faults: list[Fault], level: str | None = None) -> list[Fault]:
    """Faults of a whole configuration with the places that a proposal has."""
    own = f"levels.{level}."
    return [Fault(each.code, f"what.{each.path.removeprefix(own)}", each.message) for each in faults]


def reconfigured(decision: Decision, link: Link) -> Link:
    """A link with changed parameters: the next version, with its warnings and the terms that kept rounds stay on."""
    earlier = earlier_terms(decision, decision.links[link.id], link)
    changed = replace(link, version=link.version + 1, changed_at=decision.now, earlier=earlier)
    changed = replace(changed, warnings=warnings_of(decision.floor, changed, decision.now))
    decision.links.put(changed)
    return changed


def earlier_terms(decision: Decision, old: Link, new: Link) -> tuple[Terms, ...]:
    """The terms that rounds still kept were begun under: such a round is won on them when it is opened again."""
    terms = old.earlier
    if (old.fixed_pays, old.order, old.prizes) != (new.fixed_pays, new.order, new.prizes):
        terms = (*terms, Terms(old.version, old.fixed_pays, old.order, old.prizes))
    if not terms:
        return ()
    begun = [each.version for round_ in rounds_on(decision, old.id) for each in round_.taken if each.link == old.id]
    return tuple(each for each in terms if any(version <= each.until for version in begun))


def changed_link(link: Link) -> ChangeEffect:
    """What is told of a link whose parameters changed."""
    return ChangeEffect(link=link.id, version=link.version, warnings=link.warnings)


# ---------------------------------------------------------------- a level


class LevelChange(Change, frozen=True, tag="level"):
    """Seed, rates or cards of one level; with `when` "won" only once the level is won at 100%."""

    link: str
    level: str
    seed: int | None = None
    contribution: str | None = None
    reserve: str | None = None
    executive_from: int | UnsetType | None = UNSET
    when: Literal["idle", "won"] = "idle"
    drain: bool = False

    @property
    def moment(self) -> Moment:
        """Between rounds, or when the level is won."""
        return self.when

    def changed(self, level: LevelParameters) -> LevelParameters:
        """The parameters with this change in them."""
        names = ("seed", "contribution", "reserve")
        new = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        if self.executive_from is not UNSET:
            new["executive_from"] = self.executive_from
        return replace(level, **new)

    def faults(self, decision: Decision) -> list[Fault]:
        """The link with the changed level must be a possible one."""
        faults: list[Fault] = []
        link = find_link(decision, self.link, faults)
        level = find_level(link, self.level, faults)
        if self.when == "won" and self.drain:
            message = "a change that waits for a win cannot drain the link: without wagers nothing is won"
            faults.append(Fault("drain-until-won", "what.drain", message))
        if link is None or level is None:
            return faults
        if self.changed(level) == level:
            return [*faults, nothing_changes()]
        candidate = replace(link, levels={**link.levels, self.level: self.changed(level)})
        return faults + _in_change(configuration_faults(decision.floor, candidate, decision.now), self.level)

    def effect(self, decision: Decision, papers: Proposal) -> ChangeEffect:
        """Put the parameters into force; what the present run brought of seed money stays what it was."""
        link = decision.links[self.link]
        old = link.levels[self.level]
        new = self.changed(old)
        figures = level_of(decision, link.id, self.level)
        owed = max(NO_MICROS, decision.books.balance(account("seed", link.id, self.level)))
        seeded = min(seed_brought(figures, old), owed)
        decision.levels.put(replace(figures, seeded_micros=seeded, seeded_in=figures.generation))
        link = reconfigured(decision, replace(link, levels={**link.levels, self.level: new}))
        if self.when == "won" and link.status != "draft":
            _restart_at(decision, link, self.level, micros(new.seed - old.seed), papers)
        file_paper(decision, "link-parameters", link.id, signed(papers, "", version=link.version, level=self.level))
        return changed_link(link)


def _restart_at(decision: Decision, link: Link, level: str, difference: Micros, papers: Proposal) -> None:
    """A level that was just won restarts at its new seed: the house adds the difference, or takes it back."""
    seed, meter = account("seed", link.id, level), account("meter", link.id, level)
    subject = about("change", papers.id)
    if difference >= 0:
        put_on_meter(decision, link, level, seed, difference, "seed-changed", subject)
        change = difference
    else:
        change = -min(-difference, recoverable_seed(decision, link, level))
        decision.books.transfer_any(meter, seed, -change, "seed-changed", subject)
    figures = level_of(decision, link.id, level)
    decision.levels.put(replace(figures, seeded_micros=figures.seeded_micros + change))


def nothing_changes() -> Fault:
    """The fault of a change that changes nothing."""
    return Fault("nothing-to-change", "what", "this is what is in force already: name something that changes")


# ---------------------------------------------------------------- a posted limit


def least_limit(decision: Decision, link: Link, level: str) -> Micros:
    """What a posted limit must hold: the amount displayed, and what the meter holds behind it already."""
    return max(displayed(decision, link)[level], decision.held(account("meter", link.id, level)))


class LimitChange(Change, frozen=True, tag="limit"):
    """A posted limit of a level is set, changed or lifted (null): never below the amount displayed now."""

    link: str
    level: str
    limit: Cents | None
    posted: str
    """Where and how the limit is posted."""
    drain: bool = False

    @property
    def moment(self) -> Moment:
        """Between rounds."""
        return "idle"

    def faults(self, decision: Decision) -> list[Fault]:
        """The limit must hold what is displayed, and the seed."""
        faults = text_fault(self.posted, "what.posted", "say where the limit is posted")
        link = find_link(decision, self.link, faults)
        level = find_level(link, self.level, faults)
        if link is None or level is None:
            return faults
        if level.limit == self.limit:
            return [*faults, nothing_changes()]
        candidate = replace(link, levels={**link.levels, self.level: replace(level, limit=self.limit)})
        faults += _in_change(configuration_faults(decision.floor, candidate, decision.now), self.level)
        if self.limit is not None and (level.limit is None or self.limit < level.limit):
            faults += held_round_faults(decision, link)
        shown = least_limit(decision, link, self.level)
        if self.limit is not None and micros(self.limit) < shown:
            least = -whole_cents(-shown)
            on_sign = cents_text(whole_cents(shown))
            message = f"{self.level} shows {on_sign}: a limit is at least that, {cents_text(least)} or more"
            faults.append(Fault("limit-too-low", "what.limit", message))
        return faults

    def effect(self, decision: Decision, papers: Proposal) -> ChangeEffect:
        """Put the limit into force; overflow that it now has room for goes onto the meter."""
        link = decision.links[self.link]
        level = replace(link.levels[self.level], limit=self.limit)
        link = reconfigured(decision, replace(link, levels={**link.levels, self.level: level}))
        released = release_overflow(decision, link, self.level, papers)
        fields = signed(papers, self.posted, level=self.level, limit=self.limit, released_micros=released)
        paper = file_paper(decision, "link-limit", link.id, fields)
        return replace(changed_link(link), limit=self.limit, released_micros=released, paper=paper)


# ---------------------------------------------------------------- the link itself


class LinkChange(Change, frozen=True, tag="link"):
    """The fixed wager, where fixed pays come from, how the sign shows amounts, the order of simultaneous awards."""

    link: str
    wager: int | None = None
    fixed_pays: Literal["tray", "meter"] | None = None
    display_falls: Literal["at-payment", "at-hit"] | None = None
    shows_contributions: Literal["at-start", "at-end"] | None = None
    order: Literal["seat-order", "full-to-each"] | None = None
    fixed_supervisor_from: int | None = None
    drain: bool = False

    @property
    def moment(self) -> Moment:
        """Between rounds."""
        return "idle"

    def changed(self, link: Link) -> Link:
        """The link with this change in it."""
        names = ("wager", "fixed_pays", "display_falls", "shows_contributions", "order", "fixed_supervisor_from")
        return replace(link, **{name: getattr(self, name) for name in names if getattr(self, name) is not None})

    def faults(self, decision: Decision) -> list[Fault]:
        """The changed link must be a possible one."""
        faults: list[Fault] = []
        known = decision.links.get(self.link)
        link = find_link(decision, self.link, faults, known.kind if known else "progressive")
        if link is None:
            return faults
        candidate = self.changed(link)
        if candidate == link:
            return [nothing_changes()]
        if (candidate.wager, candidate.fixed_pays) != (link.wager, link.fixed_pays):
            faults += held_round_faults(decision, link)
        return faults + _in_change(configuration_faults(decision.floor, candidate, decision.now))

    def effect(self, decision: Decision, papers: Proposal) -> ChangeEffect:
        """Put the parameters into force."""
        link = reconfigured(decision, self.changed(decision.links[self.link]))
        file_paper(decision, "link-parameters", link.id, signed(papers, "", version=link.version))
        return changed_link(link)


# ---------------------------------------------------------------- house prizes


class PrizeChange(Change, frozen=True, tag="prizes"):
    """Posted prizes of a house jackpot, or its withdrawal: without notice, but only between rounds."""

    link: str
    prizes: Annotated[dict[str, int], Meta(max_length=MOST_NAMED)] = field(default_factory=dict)
    withdraw: bool = False
    posted: str = ""
    drain: bool = False

    @property
    def moment(self) -> Moment:
        """Between rounds."""
        return "idle"

    def faults(self, decision: Decision) -> list[Fault]:
        """Prizes must be those of the pay table's levels; a withdrawal leaves no award open."""
        faults = text_fault(self.posted, "what.posted", "say how players are told at the tables")
        link = find_link(decision, self.link, faults, "house")
        if link is None:
            return faults
        if self.withdraw == bool(self.prizes):
            message = "give new prizes by level, or withdraw the jackpot: one of the two"
            return [*faults, Fault("conflicting-change", "what.prizes", message)]
        if self.withdraw:
            return faults + open_award_faults(decision, link)
        faults += held_round_faults(decision, link)
        candidate = replace(link, prizes={**link.prizes, **self.prizes})
        if candidate == link:
            return [*faults, nothing_changes()]
        return faults + _in_change(configuration_faults(decision.floor, candidate, decision.now))

    def effect(self, decision: Decision, papers: Proposal) -> ChangeEffect:
        """Post the prizes, or take the jackpot out of play."""
        link = decision.links[self.link]
        if self.withdraw:
            link = replace(link, status="retired", status_reason=f"withdrawn: {papers.reason}")
        link = reconfigured(decision, replace(link, prizes={**link.prizes, **self.prizes}))
        fields = signed(papers, self.posted, prizes=link.prizes, withdrawn=self.withdraw)
        paper = file_paper(decision, "link-prizes", link.id, fields)
        return replace(changed_link(link), prizes=link.prizes, link_status=link.status, paper=paper)


def open_award_faults(decision: Decision, link: Link) -> list[Fault]:
    """Awards of a link that are not settled, and rounds set aside: they come first."""
    faults = []
    for id_ in decision.floor.awards:
        award = decision.awards.get(id_)
        if award is not None and award.link == link.id and award.status != "paid":
            message = f"{award.id}, {hand_title(award.hand)} at {award.table}, is {award.status}: settle it first"
            faults.append(Fault("award-open", "what.link", message))
    return faults + held_round_faults(decision, link)


def held_round_faults(decision: Decision, link: Link) -> list[Fault]:
    """Rounds set aside for a decision: what their wagers can win may not change meanwhile."""
    return [
        Fault("round-held", "what.link", f"round {round_.id} is set aside for a decision: decide it first")
        for round_ in rounds_on(decision, link.id)
        if round_.phase == "held"
    ]
