"""The floor as the documents see it: people with badges, links with levels, tables, rounds, awards, and the books.

Nothing here comes from the manager's own state. It is built up from the commands that were carried out, by the rules of
the documents and the readings of docs/decisions.md; the books are kept in the same accounts as the ledger's published
chart, so that the two can be compared line by line.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, NamedTuple

from instruments.simulator.checker.papers import TITLES, PrintedTable, printed_tables

HOUR: Final = 3_600_000_000
SIGN_IN_HOURS: Final = 12
"""How long a badge that was shown at a service counts, unless the property has set another time."""

MICROS_PER_CENT: Final = 10_000
SURVEILLANCE_THRESHOLD: Final = 300_000
"""Payouts above 3,000 dollars are verified by camera, unless the property has set another amount."""
SLIP_SECONDS: Final = 20
"""How long after START GAME a dealer may put a slip right alone, unless the property has set another time."""


@dataclass
class Staff:
    """A member of staff."""

    id: str
    department: str
    roles: frozenset[str]
    badge: str | None
    active: bool = True
    by_two: bool = True
    """Whether two people issued the badge."""
    has_pin: bool = False
    hands: frozenset[str] = frozenset()
    """Who had a hand in the badge or the PIN since a third person confirmed it."""

    @property
    def counts(self) -> bool:
        """Whether the badge counts: nobody has a part in what takes two people before a third one has confirmed it."""
        return not self.hands or self.roles <= {"auditor"}


@dataclass
class Level:
    """One level of a progressive: its parameters in force, and the exact sums of what was put on it."""

    name: str
    seed: int
    rate: Fraction
    reserve_rate: Fraction
    limit: int | None
    executive_from: int | None
    due: Fraction = Fraction(0)
    """The exact share of all wagers that count, in micros."""
    posted: int = 0
    """What was posted of it: the whole part of `due` after every wager."""
    reserve_due: Fraction = Fraction(0)
    reserve_posted: int = 0
    undone: int = 0
    """Wagers that were given back since the last one that counts."""
    generation: int = 0
    brought: dict[int, int] = field(default_factory=dict)
    """Seed money with which each run began."""
    recovered: dict[int, int] = field(default_factory=dict)
    """Seed money that the house can take back no more, by run: it has done so. Below zero: it has added some."""


@dataclass
class Link:
    """Tables joined to one pay table."""

    id: str
    kind: str
    printed: PrintedTable
    wager: int
    fixed_pays: str
    levels: dict[str, Level]
    prizes: dict[str, int]
    display_falls: str
    shows_contributions: str
    order: str
    fixed_supervisor_from: int
    status: str = "draft"
    decks: int = 1
    cause: str = ""
    hits: int = 0
    changed_at: int = 0
    raw: dict[str, Any] = field(default_factory=dict)


@dataclass
class Shares:
    """Where the wagers of one sensor in one round went, on one level."""

    meter: int
    overflow: int
    reserve: int
    due: Fraction
    reserve_due: Fraction


@dataclass
class TakenWagers:
    """The wagers of one sensor in one round."""

    link: str
    seats: set[int]
    wager: int
    shares: dict[str, Shares]
    rates: dict[str, tuple[Fraction, Fraction]]
    """Contribution and reserve by level, as they were at START GAME."""
    fixed_pays: str
    """What the wagers can win is what was posted when they were laid, whenever the round is settled."""
    order: str
    prizes: dict[str, int]


@dataclass
class Award:
    """An award from the press of its button on."""

    id: str
    round: str
    table: str
    link: str
    sensor: str
    seat: int
    hand: str
    percent: int | None
    pays: int | None
    level: str | None
    envy: int | None
    source: str
    wagered: bool
    pressed_by: str
    status: str = "pressed"
    cents: int = 0
    badge_role: str = "none"
    locked_as: int = 0
    """The number of its lock among all: locks are undone in the reverse order."""
    hits: int = 0
    """How often it was locked: more than once where the awards of its round were worked out again."""
    generation: int = 0
    seed_drawn: int = 0
    reserve_drawn: int = 0
    overflow_drawn: int = 0
    lent: int = 0
    """What the house added so that each winner gets the full meter."""
    paid_at: int = 0
    paid_by: str = ""
    referred: bool = False
    """Paid with a reference that surveillance had given."""
    under_key: bool = False
    """First generation: paid, and off the sign only when the key goes back to Run."""


class SurveillanceNote(NamedTuple):
    """What surveillance saw of an award: under which reference, who it was, the hand and the amount."""

    reference: str
    by: str
    hand: str
    cents: int


@dataclass
class Round:
    """A round from START GAME on."""

    id: str
    table: str
    dealers: set[str]
    """Who began it and who took it over: none of them is the second person at it."""
    started_at: int
    taken: dict[str, TakenWagers]
    wagers: dict[str, dict[str, int]]
    occupied: set[int] = field(default_factory=set)
    """Who plays: every seat with a wager, and those that were declared. Nobody leaves before the end."""
    attested: dict[str, str] = field(default_factory=dict)
    phase: str = "playing"
    awards: dict[str, Award] = field(default_factory=dict)
    references: dict[str, SurveillanceNote] = field(default_factory=dict)
    """What surveillance has verified, by award."""
    key_at_jph: bool = False
    touched: bool = False
    """Whether anything has happened since START GAME but corrections."""
    reopened: bool = False
    counted_out: bool = False
    """Whether its table was closed and counted since it ended."""
    envy: list[tuple[int, int]] = field(default_factory=list)
    taken_back: int = 0
    """Cents that a dealer paid alone and took back alone."""
    held_by: str | None = None
    deal: dict[str, Any] | None = None
    sets: dict[int, str] = field(default_factory=dict)
    folds: set[int] = field(default_factory=set)
    lows: dict[int, list[int] | None] = field(default_factory=dict)
    dealer_shown: bool = False
    displayed: bool = False
    """Whether a player's hand was shown the house way."""
    open_cards: set[str] = field(default_factory=set)
    banker: int | None = None
    on_paper: int | None = None
    """The time on the form from which it was entered."""


BANKED = ("fortune", "commission-free-fortune")
CONTROLS_PAPER = "internal-controls"
APPROVED_WAGER = 40_000
"""The highest wager of the documents from August 2023 on, in cents."""


@dataclass
class Table:
    """A table."""

    id: str
    game: str
    seats: int
    vocabulary: str
    cards: str
    sensors: dict[str, str] = field(default_factory=dict)
    status: str = "closed"
    dealer: str | None = None
    session: str | None = None
    """What the controller drew when the dealer swiped in there; None where the badge was read elsewhere."""
    round: str | None = None
    last_round: str | None = None
    lit: dict[str, set[int]] = field(default_factory=dict)
    declared: set[int] = field(default_factory=set)
    undone: list[str] = field(default_factory=list)
    """Awards and rounds that were undone away from it since its last start, and are not acknowledged."""
    deck_due: bool = False
    """Whether a round of it was a misdeal since a deck was last counted down."""
    banker: int | None = None
    rounds: int = 0
    commitment: str | None = None
    face_up: bool = False
    edition: str = ""
    """The day of the sheet under which it was opened."""
    rules: str | None = None
    """The hash on the record of its last round; None before the first since it was opened."""
    chosen: dict[str, Any] = field(default_factory=dict)
    """What the room had chosen there when it was opened, or its last round began."""
    raw: dict[str, Any] = field(default_factory=dict)


@dataclass
class Slip:
    """A slip as the checker knows it."""

    id: str
    kind: str
    table: str
    cents: int
    at: int
    award: str = ""
    wager: int = 0
    prints: Counter[str] = field(default_factory=Counter)
    void: bool = False
    handed: bool = False
    printed_at: int = 0
    """When a copy of it was first printed."""
    entered: bool = False
    """Of a form: whether a round was entered from it."""


class Floor:
    """Everything the checker knows."""

    def __init__(self) -> None:
        """A floor on which nothing has happened."""
        self.property: str | None = None
        self.people: dict[str, Staff] = {}
        self.devices: dict[str, dict[str, Any]] = {}
        self.links: dict[str, Link] = {}
        self.tables: dict[str, Table] = {}
        self.rounds: dict[str, Round] = {}
        self.papers: dict[str, dict[str, Any]] = {}
        self.proposals: dict[str, dict[str, Any]] = {}
        self.settings: dict[str, list[tuple[int, Any]]] = {}
        self.slips: dict[str, Slip] = {}
        self.numbers: Counter[str] = Counter()
        """The last number of each series of slips that the manager numbers."""
        self.book: dict[str, int] = {}
        self.before: dict[str, int] = {}
        """The books before the entry that is being followed."""
        self.seeds: dict[str, bytes] = {}
        """Seeds that were drawn, by their commitment."""
        self.seen: Counter[str] = Counter()
        """Situations that were met, for the count of what a run has covered."""
        self.locks = 0
        self.paid_awards: dict[str, Award] = {}
        self.printed = printed_tables()

    def close_proposals(self, person: str) -> None:
        """What a person proposed and nobody approved lapses with the badge, the duty or a role of that person."""
        for proposal in self.proposals.values():
            if proposal["by"] == person and proposal["status"] == "open":
                proposal["status"] = "lapsed"

    def papers_held(self, register: str, game: str, now: int) -> list[dict[str, Any]]:
        """The papers of a register about a game that are in force."""
        return [
            paper
            for paper in self.papers.values()
            if paper["register"] == register and paper["subject"] == game
            if paper["since"] <= now and (paper.get("until") is None or now < paper["until"])
        ]

    def face_up_spots(self, table: Table, now: int) -> int:
        """On how many spots a table may be dealt face up: by the latest permission that names its game and whose
        internal controls hold, three if it says no number; none without such a permission.
        """
        controls = {
            name
            for subject in (table.game, "property")
            for paper in self.papers_held("internal-controls", subject, now)
            for name in (paper["paper"], paper["fields"]["reference"])
        }
        wanted = {TITLES[table.game], *([f"{TITLES[table.game]} Progressive"] if table.sensors else ())}
        held = [
            paper
            for paper in self.papers_held("face-up-permission", table.game, now)
            if wanted <= set(paper["fields"]["games"]) and paper["fields"]["internal_controls"] in controls
        ]
        latest = max(held, key=lambda paper: (paper["since"], paper["paper"]), default=None)
        return 0 if latest is None else int(latest["fields"].get("spots", 3))

    def offers_banking(self, table: Table, now: int) -> bool:
        """Whether a player may bank: in the two games whose sheets say so, where internal controls offer it."""
        held = [
            paper for subject in (table.game, "property") for paper in self.papers_held(CONTROLS_PAPER, subject, now)
        ]
        return table.game in BANKED and any(paper["fields"].get("player_banking") for paper in held)

    def may_play_jackpots(self, table: Table, now: int) -> bool:
        """Whether a sheet or a paper in force allows the jackpots that stand on a table.

        The sheets of Commission Free offer none, those of the six-card games none of the house's own.
        """
        if not table.sensors:
            return True
        is_house = any(self.links[link].kind == "house" for link in table.sensors.values())
        needed = {"jackpots"} if table.game == "commission-free-fortune" else set[str]()
        if is_house and table.game not in ("fortune", "face-up"):
            needed.add("house-jackpots")
        papers = self.papers_held("jackpot-approval", table.game, now)
        return needed <= {word for paper in papers for word in paper["fields"]["allows"]}

    def choices(self, table: Table, now: int) -> dict[str, Any]:
        """What the room has chosen at a table otherwise than the sheets say by themselves, by name."""
        own = {"order": "seat-order", "fixed_pays": "tray", "shows_contributions": "at-start"}
        found = {
            f"{name}/{sensor}": getattr(self.links[link], name)
            for sensor, link in table.sensors.items()
            for name, value in own.items()
            if getattr(self.links[link], name) != value
        }
        highest = self.setting("highest_wager", now, APPROVED_WAGER)
        return found | ({"highest_wager": highest} if highest > APPROVED_WAGER else {})

    def covering(self, table: Table, now: int) -> set[str]:
        """The hashes that papers in force give to the rules with the room's choices at a table.

        That every winner gets the full meter stands in internal controls or nowhere.
        """
        chosen = self.choices(table, now)
        papers = self.papers_held("internal-controls", table.game, now)
        if "full-to-each" not in chosen.values():
            papers += self.papers_held("game-approval", table.game, now)
        named = [paper["fields"] for paper in papers if "hash" in paper["fields"]]
        return {fields["hash"] for fields in named if fields.get("choices", {}) == chosen}

    def needs_cover(self, table: Table, now: int) -> bool:
        """Whether a paper is asked for at START GAME: not where all was the sheet's own at the opening, and is."""
        return bool(self.choices(table, now) or table.chosen)

    def note(self, situation: str) -> None:
        """Count a situation that was met."""
        self.seen[situation] += 1

    # The books: a debit makes an account rise, a credit makes it fall; what is held for others stands below zero.

    def move(self, debit: str, credit: str, micros: int) -> None:
        """Move an amount between two accounts."""
        assert micros >= 0, (debit, credit, micros)
        self.book[debit] = self.book.get(debit, 0) + micros
        self.book[credit] = self.book.get(credit, 0) - micros

    def held(self, account: str) -> int:
        """What is held in an account of other people's money."""
        return -self.book.get(account, 0)

    def meter(self, link: str, level: str) -> int:
        """What is on a meter and not locked, in micros."""
        return self.held(f"meter/{link}/{level}")

    # People

    def person_of_badge(self, badge: str | None) -> Staff | None:
        """Whose badge it is, if the person is on duty and the badge counts."""
        person = self.bearer_of_badge(badge)
        return person if person is not None and person.counts else None

    def bearer_of_badge(self, badge: str | None) -> Staff | None:
        """Whose badge it is, if the person is on duty, even if it does not count yet."""
        if badge is None:
            return None
        return next((who for who in self.people.values() if who.badge == badge and who.active), None)

    def hands_in(self, actor: str, device: str | None, badge: str | None, now: int) -> frozenset[str]:
        """Who may have made what is made: who acts, the second person, and who registered the device, in its shift."""
        second = self.person_of_badge(badge)
        hands = {actor} | ({second.id} if second else set())
        found = self.devices.get(device or "")
        if found is not None and self.first_shift(found, now) > 0:
            hands |= found["registered_by"]
        return frozenset(hands)

    def first_shift(self, device: dict[str, Any], now: int) -> int:
        """How long the first shift of a device still lasts, in microseconds; of a controller, whether it does."""
        if device["kind_of"] == "controller":
            return int(not device["shift_over"]) * HOUR
        lasts: int = self.setting("sign_in_hours", now, SIGN_IN_HOURS) * HOUR
        return int(device["at"]) + lasts - now

    def has_role(self, person: str, *roles: str) -> bool:
        """Whether a person on duty has one of the roles."""
        who = self.people.get(person)
        return who is not None and who.active and bool(who.roles & set(roles))

    def setting(self, name: str, at: int, default: object) -> Any:  # noqa: ANN401 - a value of any type
        """The value of a setting at a time."""
        value = default
        for since, entered in self.settings.get(name, ()):
            if since <= at:
                value = entered
        return value

    # Rounds

    def round_in_play(self, round_id: str) -> Round | None:
        """A round in play: neither over nor set aside."""
        found = self.rounds.get(round_id)
        return found if found is not None and found.phase == "playing" else None

    def award(self, award_id: str) -> Award | None:
        """An award of a round that is not over."""
        for round_ in self.rounds.values():
            if award_id in round_.awards:
                return round_.awards[award_id]
        return None

    def awards_on(self, link: str, level: str | None = None) -> list[Award]:
        """All awards of a link (or one of its levels) that are locked and not paid."""
        return [
            award
            for round_ in self.rounds.values()
            for award in round_.awards.values()
            if award.link == link and (level is None or award.level == level)
        ]

    def busy(self, link: str) -> bool:
        """Whether a round in play has a wager on a link."""
        return any(
            round_.phase == "playing" and any(taken.link == link and taken.seats for taken in round_.taken.values())
            for round_ in self.rounds.values()
        )

    # What the sign shows

    def hidden(self, link: Link, level: str) -> int:
        """Contributions of rounds in play, where the sign shows them at the end of the round.

        A round that is opened again has been on the sign: nothing allows an amount to fall for that.
        """
        if link.shows_contributions != "at-end":
            return 0
        return sum(
            taken.shares[level].meter
            for round_ in self.rounds.values()
            if round_.phase in ("playing", "held") and not round_.reopened
            for taken in round_.taken.values()
            if taken.link == link.id and level in taken.shares
        )

    def shown(self, link: Link, level: str) -> int:
        """What the sign of a link shows for a level, in micros."""
        if link.kind == "house":
            return link.prizes[level] * MICROS_PER_CENT
        on_sign = sum(
            award.cents * MICROS_PER_CENT - award.seed_drawn - award.reserve_drawn - award.overflow_drawn - award.lent
            for award in self.awards_on(link.id, level)
            if award.source == "meter" and (award.status == "hit" or award.under_key)
        )
        if link.display_falls == "at-hit":
            on_sign = 0
        if on_sign:
            self.note("a sign that still shows what is locked")
        if self.hidden(link, level):
            self.note("a sign that does not show a round's contributions yet")
        found, limit = self.meter(link.id, level) + on_sign - self.hidden(link, level), link.levels[level].limit
        if limit is not None and found > limit * MICROS_PER_CENT:
            self.note("a sign that stopped at its limit while an award waited")
            found = limit * MICROS_PER_CENT
        return max(0, found)
