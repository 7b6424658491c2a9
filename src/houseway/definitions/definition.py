"""What a game is: the facts of its rule sheet, as plain data.

Everything else derives from these values: which rounds are legal and how they are settled, which pay tables fit, how
the game is simulated, counted and played best, what the command line offers, what stands on a table of the Game
Manager. Amounts are integer cents.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import asdict, astuple, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal

from houseway.definitions.hand_spans import HandSpan

if TYPE_CHECKING:
    from fractions import Fraction

HandPart = Literal["best", "high", "low"]
"""Which part of a hand: the best five of all its cards, the five-card hand as set, the low hand as set."""
WagerKind = Literal["main", "raise", "bonus", "jackpot"]
LookedAt = Literal["player-best", "player-cards", "dealer-best", "dealer-low", "losing-hand"]
"""What a pay table is read with: the best of the player's hand with the community's cards, the player's own cards
alone, or a hand of the dealer's or of whoever lost."""
Order = Literal["high-card", "five-card"]
"""What beats what: of one card its rank, else the best five of all cards as poker ranks them."""
Unit = Literal["to-1", "for-1"]
Wheel = Literal["second", "lowest"]
AS_OF: Final = "@"
"""Between the id of a game and a day: the game as its sheet had it on that day, `fortune@2021-05-01`."""


@dataclass(frozen=True, slots=True)
class Clauses:
    """Which clause of the sheet a line of a wager cites, by what became of it; empty where it cannot happen."""

    win: str
    lose: str
    push: str = ""
    foul: str = ""
    fold: str = ""
    unqualified: str = ""
    """The dealer does not qualify, and the wager goes back for it."""
    envy: str = ""
    fixed: str = ""
    """For jackpot wagers: the clause of pays that are not a share of the meter; `win` is the share's clause."""
    house: str = ""
    """For jackpot wagers: the clause of a prize that the house has posted."""
    pull: str = ""
    """The player takes the wager back at a street."""
    joker: str = ""
    """For jackpot wagers: the clause by which the joker is an ace in five aces only, where a table reads it so."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a pay-table wager looks at, and when it is in action."""

    at: LookedAt
    hands: HandSpan | None = None
    """The hands at which it is in action; None for any."""
    beaten_by: HandPart | None = None
    """The part of the player's hand that must beat the same part of the dealer's; a fold or a foul beats nothing."""
    tie: Literal["lose", "push"] = "lose"
    """What becomes of it where these parts are equal."""

    @property
    def is_plain(self) -> bool:
        """Whether it looks at the whole of the player's hand, whatever that is and whatever the dealer holds."""
        return self == _PLAIN_LOOK


_PLAIN_LOOK: Final = Look("player-best")


@dataclass(frozen=True, slots=True)
class Raise:
    """A wager that a player adds to another after seeing cards."""

    of: str
    """The wager that it raises."""
    instead_of_fold: bool = False
    """Whether a player makes it to stay in, and folds otherwise; else it is a choice."""
    may_be_less: bool = False
    """Whether a room may let players raise by less than the wager that is raised."""
    times: tuple[int, ...] = (1,)
    """By how many times that wager, where streets let a player choose."""


@dataclass(frozen=True, slots=True)
class Wager:
    """A wager that a game offers.

    `main` and `raise` wagers are decided by the contest with the dealer, `bonus` wagers by a pay table and a look at
    some hand, `jackpot` wagers by a pay table with meters.
    """

    name: str
    kind: WagerKind
    title: str
    clauses: Clauses
    look: Look | None = None
    """What its pay table is read with; None for wagers that the contest decides."""
    table_wager: str = ""
    """The word by which pay tables name this wager: its own name, if nothing else is said."""
    default_table: str | None = None
    lines_may_push: bool = False
    envy_from: int | None = None
    """The least stake that earns envy, where lines of its tables may bring envy; None where they may not."""
    raises: Raise | None = None
    needs_qualifier: bool = False
    """Whether it goes back where the dealer does not qualify."""
    equals: str = ""
    """The wager whose stake it has; every player makes both."""

    @property
    def needs_table(self) -> bool:
        """Whether the wager is paid by a pay table."""
        return self.look is not None

    @property
    def paid_by(self) -> str:
        """The word by which pay tables name this wager; both jackpot sensors share one."""
        return self.table_wager or self.name

    @property
    def unit(self) -> Unit:
        """The unit of its tables: the stake of a jackpot wager is part of its pay, any other comes back beside it."""
        return "for-1" if self.kind == "jackpot" else "to-1"

    @property
    def is_separate_game(self) -> bool:
        """Whether it counts towards the number of games a player may bet on: a raise belongs to its main wager."""
        return self.kind != "raise"

    @property
    def has_envy(self) -> bool:
        """Whether lines of its tables may bring the others envy."""
        return self.envy_from is not None


@dataclass(frozen=True, slots=True)
class DealerPush:
    """A hand of the dealer that makes every main wager push."""

    part: HandPart
    hands: HandSpan
    clause: str
    banked_clause: str = ""
    """The clause where a player banks, if it is another one."""


@dataclass(frozen=True, slots=True)
class Qualifier:
    """What the dealer must hold for wagers that need it to be in action."""

    part: HandPart
    hands: HandSpan


@dataclass(frozen=True, slots=True)
class NamedHand:
    """Hands for which a game has a name of its own: those of a span, or those that hold certain cards."""

    name: str
    hands: HandSpan | None = None
    cards: tuple[frozenset[int], ...] = ()
    """Sets of cards of which a hand must hold one whole."""

    def fits(self, cards: AbstractSet[int], value: int | None = None) -> bool:
        """Whether cards are such a hand; a span asks for the value of the whole hand."""
        if self.hands is not None:
            return value is not None and value in self.hands
        return any(wanted <= cards for wanted in self.cards)


@dataclass(frozen=True, slots=True)
class Street:
    """One step of the deal: which cards are dealt, and which wagers a player may take back after seeing them."""

    title: str
    seat: int = 0
    """Cards to every seat, and as many to the dealer where there is a dealer's hand."""
    community: int = 0
    """Cards to the middle, which belong to every hand."""
    pulls: tuple[str, ...] = ()
    keep: HandSpan | None = None
    """How simulated players decide, where only some hands of the cards so far keep the wager; else by its value."""


@dataclass(frozen=True, slots=True)
class ContestRules:
    """How a player's hand meets the dealer's.

    Each part is compared with the same part of the dealer's hand; more parts won than lost is a win, as many a push.
    """

    parts: tuple[HandPart, ...]
    tie: Literal["dealer", "push"]
    """To whom an identical part goes."""
    joker_low_wins: bool = False
    """Whether the joker alone as a player's low hand beats every low hand of the dealer."""
    dealer_push: DealerPush | None = None
    qualifier: Qualifier | None = None
    bank_clause: str = ""
    """The clause by which a player may bank; empty where nobody may."""


@dataclass(frozen=True, slots=True)
class Commission:
    """What a room keeps of a won main wager."""

    percent: int
    minimum: int = 0


@dataclass(frozen=True, slots=True)
class RaiseRule:
    """When a simulated player raises: beside which low card, or against which cards shown, with which least hand."""

    against: str
    least: HandSpan


@dataclass(frozen=True, slots=True)
class Controls:
    """A generation of table controls that a sheet knows, and where it prints the rules of play with them."""

    name: str
    section: str
    """The section of the register of clauses, as 6cfpgpp/nexus."""


@dataclass(frozen=True, slots=True)
class JackpotOffer:
    """Which jackpots a sheet, or a paper beside it, offers."""

    sensors: int
    """How many jackpot wagers a player may make, one a sensor."""
    house_jackpots: bool
    """Whether a jackpot may be the room's own posted prize instead of a progressive."""


@dataclass(frozen=True, slots=True)
class Edition:
    """An edition of a game's sheet, and what it offers of what later ones, or a paper, may."""

    date: str
    """The day of its letter, as 2023-06-14; empty for a sheet without a date, which then is the only one."""
    sensors: int
    """How many jackpot wagers a player may make, one a sensor."""
    house_jackpots: bool
    """Whether a jackpot may be the room's own posted prize instead of a progressive."""
    by_paper: JackpotOffer | None = None
    """What a paper of the commission may allow beyond the sheet; None where nothing more is known."""
    document: str = ""
    """The sheet by its name, under which its approved equipment is listed."""
    controls: tuple[Controls, ...] = ()
    """The generations of controls that it knows, the oldest first; none where it says nothing of them."""

    @property
    def text(self) -> str:
        """The edition in words."""
        return f"the sheet of {self.date}" if self.date else "the undated sheet"

    def offer(self, *, with_paper: bool = False) -> JackpotOffer:
        """The jackpots that it offers by itself, or with a paper that allows more."""
        by_itself = JackpotOffer(self.sensors, self.house_jackpots)
        return self.by_paper if with_paper and self.by_paper is not None else by_itself

    def knows(self, controls: str) -> bool:
        """Whether its rules are played with these controls; a sheet that names none leaves them open."""
        return not self.controls or any(each.name == controls for each in self.controls)

    def __hash__(self) -> int:
        """By its day: editions are looked up for every line of every round, and few are of one day."""
        return hash(self.date)

    def section_with(self, controls: str) -> str:
        """Where the rules of play with these controls stand: the newest ones' where it does not know them."""
        of_theirs = [each.section for each in self.controls if each.name == controls]
        return (of_theirs or [self.controls[-1].section])[0] if self.controls else ""


@dataclass(frozen=True)
class Game:
    """An approved game."""

    id: str
    title: str
    sheets: tuple[str, ...]
    deck: int
    """52 cards, or 53 with the joker."""
    cards: int
    low_cards: int
    """How many cards of a hand are its low hand; 0 where hands are not split."""
    max_seats: int
    shuffler_mode: str
    wagers: tuple[Wager, ...]
    """The first is the one that every player must make."""
    line_order: tuple[str, ...]
    """The order in which the sheet resolves a seat's wagers and envy payments."""
    contest: ContestRules
    ways: tuple[str, ...] = ()
    """The house ways that fit, the default first."""
    fixed_wheel: Wheel | None = None
    """Where the sheet itself fixes the place of A-2-3-4-5."""
    dealer_cards_up: int = 0
    commission: Commission | None = None
    fixed_pays_from_meter: bool = False
    aggregate_clause: str = ""
    """The clause that lets a room cap what bonus wagers win, where the sheet has one."""
    raise_rules: tuple[RaiseRule, ...] = ()
    """How simulated players raise, where the game has a raise."""
    notes: tuple[str, ...] = ()
    dealer_hand: bool = True
    """Whether the dealer has a hand; without one, pay tables decide every wager."""
    streets: tuple[Street, ...] = ()
    """The steps of a deal in which players decide between them; none where all cards are dealt at once."""
    named_hands: tuple[NamedHand, ...] = ()
    """Hands that pay tables of the game may name beside those that every game knows."""
    machine_names: tuple[str, ...] = ()
    """What the sheet tells the dealer to set the shuffler to, the first choice first; none where it names none."""
    listed: int = 0
    """Its place where games are listed, which is not a rule; 0 for behind those that have one, by its id."""
    editions: tuple[Edition, ...] = ()
    """The editions of the sheet, the oldest first; none where a definition tells of none, and all is offered."""
    earlier: tuple[Game, ...] = ()
    """The game as earlier editions have it, each under its day (`as_of`), where facts beside their offers differ."""
    as_of: str = ""
    """The day of the edition whose facts these are; empty for the newest."""

    def __hash__(self) -> int:
        """By its reference: games are looked up for every line of every round, and few have one reference."""
        return hash(self.reference)

    @cached_property
    def reference(self) -> str:
        """What the game is found by: its id, with the day of the edition behind it for an earlier one."""
        return f"{self.id}{AS_OF}{self.as_of}" if self.as_of else self.id

    def on(self, day: str) -> Game:
        """The game as its sheet had it on a day: the first edition before that, as nothing older is on file."""
        if not self.editions:
            return self
        edition = self.edition_on(day) or self.editions[0]
        return self if edition == self.newest_edition else self._in_editions[edition.date]

    @cached_property
    def _in_editions(self) -> Mapping[str, Game]:
        """The game by the day of each edition."""
        told = {each.as_of: each for each in self.earlier}
        return {day: told.get(day) or replace(self, as_of=day) for day in (each.date for each in self.editions)}

    def edition_on(self, day: str) -> Edition | None:
        """The edition in force on a day: the newest that is not later, None before the first.

        Without editions, all that the game has is offered on any day.
        """
        every = self.editions or (self._whole_offer,)
        return next((edition for edition in reversed(every) if edition.date <= day), None)

    @property
    def _whole_offer(self) -> Edition:
        return Edition("", len(self.jackpots), house_jackpots=True)

    @property
    def offered_wagers(self) -> tuple[Wager, ...]:
        """The wagers that the newest edition offers by itself: no jackpot for which a paper would be needed."""
        unoffered = self.jackpots[self.newest_edition.offer().sensors :]
        return tuple(wager for wager in self.wagers if wager not in unoffered)

    @property
    def newest_edition(self) -> Edition:
        """The edition that holds where no day is given; without any, one that offers all that the game has."""
        if self.as_of:
            return next(edition for edition in self.editions if edition.date == self.as_of)
        return self.editions[-1] if self.editions else self._whole_offer

    def cited(self, clause: str, edition: Edition, controls: str = "") -> str:
        """A clause that the definition cites, as the edition prints it in its rules of play with the controls.

        Wagers cite the newest edition's rules with its newest controls; the other sections of rules of play have the
        same numbers for what a line can cite.
        """
        section, _, number = clause.rpartition("/")
        sections = {each.section for other in self.editions for each in other.controls}
        own = edition.section_with(controls)
        return f"{own}/{number}" if own and section in sections else clause

    @cached_property
    def community_cards(self) -> int:
        """How many cards lie in the middle and belong to every hand."""
        return sum(street.community for street in self.streets)

    @property
    def hand_cards(self) -> int:
        """Of how many cards a hand is made: a seat's own and the community's."""
        return self.cards + self.community_cards

    @cached_property
    def order(self) -> Order:
        """What beats what."""
        return "high-card" if self.hand_cards == 1 else "five-card"

    @cached_property
    def looks_at_own_cards(self) -> bool:
        """Whether a wager looks at the player's own cards without the community's."""
        return any(wager.look is not None and wager.look.at == "player-cards" for wager in self.wagers)

    def pull_street(self, wager: str) -> int | None:
        """The place of the street after which a wager may be taken back; None where it may not."""
        return next((place for place, street in enumerate(self.streets) if wager in street.pulls), None)

    def wager(self, name: str) -> Wager | None:
        """The wager of that name, if the game offers it."""
        return next((wager for wager in self.wagers if wager.name == name), None)

    @cached_property
    def contest_wagers(self) -> tuple[Wager, ...]:
        """The wagers that the contest decides: the main wager and its raises."""
        return tuple(wager for wager in self.wagers if not wager.needs_table)

    @cached_property
    def line_places(self) -> Mapping[str, int]:
        """The place of each line in the order in which the sheet resolves them."""
        return {name: place for place, name in enumerate(self.line_order)}

    @property
    def first_wager(self) -> Wager:
        """The wager that every player must make."""
        return self.wagers[0]

    @property
    def raise_wager(self) -> Wager | None:
        """The wager that raises another, where there is one."""
        return next((wager for wager in self.wagers if wager.kind == "raise"), None)

    @cached_property
    def jackpots(self) -> tuple[Wager, ...]:
        """The jackpot wagers, one a sensor."""
        return tuple(wager for wager in self.wagers if wager.kind == "jackpot")

    @property
    def has_joker(self) -> bool:
        """Whether the deck holds the joker."""
        return self.deck == 53

    @property
    def offers_banker(self) -> bool:
        """Whether a player may bank."""
        return bool(self.contest.bank_clause)

    @property
    def offers_fold(self) -> bool:
        """Whether a player who does not raise folds."""
        return any(wager.raises is not None and wager.raises.instead_of_fold for wager in self.wagers)

    @property
    def commission_rate(self) -> Fraction:
        """What a room keeps of a win, as a share of it: 0 in a game without commission."""
        # Imported here because it is slow to import and only the odds need it.
        from fractions import Fraction

        return Fraction(0 if self.commission is None else self.commission.percent, 100)

    def wager_of_table(self, word: str) -> Wager | None:
        """The wager whose pay tables use that word, if the game offers one."""
        return next((wager for wager in self.wagers if wager.needs_table and wager.paid_by == word), None)

    @property
    def cited_clauses(self) -> Iterator[str]:
        """The clauses that lines of the game can cite, by its definition."""
        push = self.contest.dealer_push
        further = () if push is None else (push.clause, push.banked_clause)
        of_wagers = (clause for wager in self.wagers for clause in astuple(wager.clauses))
        yield from filter(None, (*of_wagers, *further, self.contest.bank_clause, self.aggregate_clause))
        for each in self.earlier:
            yield from each.cited_clauses

    @cached_property
    def fingerprint(self) -> str:
        """The SHA-256 of the definition as JSON: it changes if and only if a fact does."""
        facts = asdict(replace(self, listed=0, as_of="", earlier=()))
        del facts["as_of"], facts["earlier"]
        if self.earlier:
            facts["earlier"] = [each.fingerprint for each in self.earlier]
        canonical = json.dumps(facts, sort_keys=True, separators=(",", ":"), default=sorted)
        return hashlib.sha256(canonical.encode()).hexdigest()
