"""What the manager knows: people, links, levels, tables, rounds, awards, proposals: values never changed in place.

An event carries the whole of every entity that it changed, so the state at any date is read off the journal without
running old code. Amounts have the type of their unit; the name of one in millionths of a dollar ends in `_micros`.
Times are microseconds since 1970 UTC.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

from msgspec import Struct

from houseway.amounts import NO_CENTS, NO_MICROS, Cents, Micros

Role = Literal["dealer", "supervisor", "executive", "surveillance", "cage", "accounting", "technician", "auditor"]
Department = Literal["pit", "surveillance", "cage", "accounting", "engineering", "management"]


DEALER_PAYS_BELOW: Final = Cents(100_00)
"""Fixed pays below this amount are the dealer's own where a link names no other one (docs/decisions.md)."""


class Rollback(Struct, frozen=True):
    """A client showed a signed mark that the journal does not have: an old copy was put in place of the journal."""

    seq: int
    hash: str
    at: int
    """When the mark was signed."""
    device: str
    noticed_at: int


class Recovery(Struct, frozen=True):
    """Two people have put on record which events of the journal were lost."""

    first: int
    last: int
    hash: str
    """That of the last lost event."""
    at: int
    by: str
    second: str
    reason: str

    def covers(self, seq: int, at: int) -> bool:
        """Whether an event that was signed at a time is one of the lost: later ones are of the journal as it is."""
        return self.first <= seq <= self.last and at <= self.at


class Property(Struct, frozen=True):
    """The card room or casino. There is one, under the id "property"."""

    id: str
    name: str
    licence: Literal["commercial", "tribal"]
    opened_at: int
    rollback: Rollback | None = None
    """Proof that events are missing, until two people have named the range; nothing is accepted meanwhile."""
    recoveries: tuple[Recovery, ...] = ()


class Person(Struct, frozen=True):
    """A member of staff, known by an id; cards are kept as fingerprints."""

    id: str
    name: str
    department: Department
    roles: tuple[Role, ...]
    cards: tuple[str, ...] = ()
    active: bool = True
    issued_by: tuple[str, ...] = ()
    """Who issued the badge: one person, or the two whom a role with authority asks for; the first people's came with
    the journal (`system`)."""


class SignInRecord(Struct, frozen=True):
    """Somebody whose card was read at a service, or the dealer whose card was read at a controller."""

    since: int
    session: str
    """The fingerprint of the token that the sign-in was made with: who lacks it does not act for this person."""


class Device(Struct, frozen=True):
    """A controller or server that may send commands; it proves itself with a secret whose fingerprint is kept."""

    id: str
    kind: Literal["controller", "display", "service"]
    table: str | None
    secret: str
    active: bool = True
    signed_in: dict[str, SignInRecord] = {}
    """People whose card was read there. A service: for how long that counts, the property has set. A controller: the
    dealer, until another one swipes in or the dealer leaves the table."""
    locked_until: int = 0
    """Until when no badge is taken there, because too many wrong ones were shown."""
    registered_by: tuple[str, ...] = ()
    """Who took part in registering it, and so may know its secret."""
    registered_at: int = 0
    shift_over: bool = False
    """A controller: whether its table was closed and counted since."""


class DatedValue(Struct, frozen=True):
    """A value of a setting and when it began to hold."""

    since: int
    value: Any
    by: str
    approved_by: str | None = None
    reason: str = ""


class PropertySetting(Struct, frozen=True):
    """A setting of the property with all its values, the oldest first."""

    id: str
    values: tuple[DatedValue, ...]


class Paper(Struct, frozen=True):
    """An entry of a register: an approval of a game, internal controls, a licence, a piece of equipment, a notice."""

    id: str
    register: str
    subject: str
    fields: dict[str, Any]
    since: int
    until: int | None
    by: str
    entered_at: int = 0
    """When it was put on record, whenever it begins to hold."""


INCIDENTS = "incident"
"""The register that `incident.record` writes; no paper is entered into it by hand."""


def is_open_incident(paper: Paper) -> bool:
    """Whether a paper is an incident whose cause was not yet declared repaired."""
    return paper.register == INCIDENTS and paper.until is None


def word_of(paper: Paper) -> str:
    """On whose word a paper rests: a device (`device:ID`), whoever acted there, or the person who entered it."""
    sent_by: str | None = paper.fields.get("sent_by") if paper.register == INCIDENTS else None
    return paper.by if sent_by is None else f"device:{sent_by}"


class Slip(Struct, frozen=True):
    """A fill or credit slip; its number is used once in the property."""

    id: str
    table: str
    direction: Literal["fill", "credit"]
    cents: Cents
    by: str
    second: str
    at: int


class LevelParameters(Struct, frozen=True, forbid_unknown_fields=True):
    """What is configured for one level of a progressive. Shares are exact fractions "n/d"."""

    seed: Cents
    contribution: str
    reserve: str = "0"
    limit: Cents | None = None
    executive_from: Cents | None = None
    """Awards from this amount need an executive's card."""


class Terms(Struct, frozen=True):
    """What the wagers of a link could win up to one of its versions."""

    until: int
    fixed_pays: Literal["tray", "meter"]
    order: Literal["seat-order", "full-to-each"]
    prizes: dict[str, Cents]


class Link(Struct, frozen=True):
    """Tables joined to one pay table: a progressive with its levels, or a house jackpot with posted prizes."""

    id: str
    kind: Literal["progressive", "house"]
    paytable: str
    wager: Cents
    """The fixed wager; fixed pays are multiplied by it."""
    decks: int
    fixed_pays: Literal["tray", "meter"]
    levels: dict[str, LevelParameters]
    prizes: dict[str, Cents]
    """House jackpot: the posted prize by level."""
    display_falls: Literal["at-payment", "at-hit"]
    shows_contributions: Literal["at-start", "at-end"]
    order: Literal["seat-order", "full-to-each"]
    """Simultaneous awards: one after the other from the far right, or the full meter to each where controls say so."""
    status: Literal["draft", "open", "draining", "stopped", "retired"]
    version: int
    status_reason: str = ""
    fixed_supervisor_from: Cents = DEALER_PAYS_BELOW
    """Fixed pays from this amount need a supervisor's card; below it the dealer pays them."""
    readings: dict[str, bool | str] = {}
    """Readings of the pay table that differ from the default, by the name of their setting (docs/decisions.md)."""
    warnings: tuple[dict[str, Any], ...] = ()
    """What the sheets advise against in the parameters in force, each with its reason."""
    funded_at: int = 0
    """When its bank account last held all that it should."""
    changed_at: int = 0
    """When its parameters last changed."""
    earlier: tuple[Terms, ...] = ()
    """Terms that were changed, the oldest first, while rounds taken under them can still be opened again or resumed."""


class Hit(Struct, frozen=True):
    """An award that was paid off a level."""

    award: str
    table: str
    seat: int
    hand: str
    cents: Cents
    percent: int | None
    locked_as: int
    """The rank of its lock among all locks."""
    advanced_micros: Micros
    """What the house had added to it so that each winner gets the full meter."""
    at: int
    paid_by: str | None
    envy: Cents | None
    new_base_micros: Micros
    """What the meter held once it was paid."""
    backed_out_at: int | None = None


class Level(Struct, frozen=True):
    """The running figures of one level; its money is in the ledger. The id is "LINK/LEVEL"."""

    id: str
    generation: int = 0
    """How often it was won at 100% and reseeded."""
    carried: str = "0"
    """The remainder of its contributions below a millionth."""
    reserve_carried: str = "0"
    wagered_micros: Micros = NO_MICROS
    """What was wagered on it so far."""
    hits: int = 0
    won_micros: Micros = NO_MICROS
    """What was won from it so far."""
    recent: tuple[Hit, ...] = ()
    """The last 25 hits, the newest last."""
    seeded_micros: Micros = NO_MICROS
    """Seed money on the meter that the house may still recover, if `seeded_in` is the generation; else all of its
    reseed."""
    seeded_in: int = -1


class Table(Struct, frozen=True):
    """A table and what stands on it right now."""

    id: str
    game: str
    seats: int
    sensors: dict[str, str]
    """Sensor number ("1", "2") to link."""
    vocabulary: Literal["aquarius", "nexus", "nexus-2"]
    cards: Literal["felt", "known"]
    """Whether the cards are on the felt, or dealt by the system's shuffler."""
    way: str | None
    paytables: dict[str, str]
    """Pay tables of the other wagers, for settling rounds whose cards are known."""
    settings: dict[str, Any]
    """Settlement settings of the game (docs/games.md)."""
    status: Literal["closed", "open"] = "closed"
    dealer: str | None = None
    round: str | None = None
    lit: dict[str, list[int]] = {}
    """Seats whose sensor is lit, by sensor."""
    declared: tuple[int, ...] = ()
    """Seats where somebody plays, as the keypad has told it: those that no sensor shows."""
    rounds: int = 0
    last_round: str | None = None
    deck: str | None = None
    shift: str | None = None
    deal_mode: Literal["shuffler", "shoe"] = "shuffler"
    face_up: bool = False
    next_commitment: str | None = None
    """The commitment of the next deal's seed, published before the bets; the seed is sealed under "next:TABLE"."""
    next_committed_at: int = 0
    shuffles: int = 0
    """How many seeds were drawn for this table: the number of the last one, which its seal and its deal carry too."""
    edition: str = ""
    """The day of the sheet's edition under which it was opened; empty for a sheet without a date."""


class Shares(NamedTuple):
    """What wagers have put onto one level."""

    meter_micros: Micros
    overflow_micros: Micros
    reserve_micros: Micros

    @property
    def contributed_micros(self) -> Micros:
        """What their contribution was, whether the meter had room for it or not."""
        return self.meter_micros + self.overflow_micros


class TakenWagers(Struct, frozen=True):
    """The wagers that a round took on one sensor, and where their money went: what a void gives back."""

    sensor: str
    link: str
    version: int
    seats: tuple[int, ...]
    wager: Cents
    shares: dict[str, Shares]
    """By level: where the shares of these wagers went."""
    remainders: dict[str, tuple[str, str]] = {}
    """By level: what these wagers added to the carried remainders of contribution and reserve."""
    rates: dict[str, tuple[str, str]] = {}
    """By level: contribution and reserve as they were at START GAME, which hold for corrections too."""


class SeatSetting(Struct, frozen=True):
    """How a seat's hand was set: by the player, or the house way on the display."""

    by: Literal["player", "house-way"]
    low: tuple[int, ...] | None = None
    """Places of the low cards in the packet as dealt, never the cards themselves; None: the house way."""
    at: int = 0
    actor: str = ""


class DealRecord(Struct, frozen=True):
    """What may be known of a deal before it is revealed; seed and cards are kept apart, sealed."""

    mode: str
    commitment: str
    start_position: int | None
    occupied: tuple[int, ...]
    committed_at: int = 0
    """When the commitment was published: before the round's start, unless none was there in time."""
    shuffle: int = 0
    """The number of its seed among those of its table."""
    player_entropy: tuple[str, ...] = ()
    seed: str | None = None
    """In hexadecimal digits, from the reveal on."""
    numbering: tuple[int, ...] | None = None
    """The place of each position (0 the dealer) as the room numbered them at the deal; None without positions."""


class Display(Struct, frozen=True):
    """A use of the house-way display, for surveillance: whose hand, who asked, from which device, when."""

    of: str
    """A seat ("1" to "7"), or "dealer"."""
    by: str
    device: str | None
    at: int


class ShownCards(Struct, frozen=True):
    """Cards that were revealed: of a seat ("1" to "7"), or of the dealer ("dealer")."""

    cards: tuple[str, ...]
    high: tuple[str, ...] = ()
    low: tuple[str, ...] = ()
    rule: str | None = None
    fouled: bool = False


class Reference(Struct, frozen=True):
    """Surveillance's verification of one payout: what it saw on camera, and under which reference that can be found."""

    text: str
    by: str
    hand: str | None
    cents: Cents


class Round(Struct, frozen=True):
    """A round in play, or set aside for a decision."""

    id: str
    table: str
    game: str
    number: int
    started_at: int
    dealer: str
    phase: Literal["playing", "held", "ended"]
    """An ended round stays until the table's next one begins, so that it can be opened again for a missed winner."""
    taken: tuple[TakenWagers, ...]
    wagers: dict[str, dict[str, Cents]]
    """Other wagers by seat, where they are told to the system."""
    occupied: tuple[int, ...] = ()
    """The seats that play: with a wager on a sensor, with a wager told, or declared."""
    attested: dict[str, str] = {}
    """Seats with a jackpot wager whose regular wager was not told, and who attested that it lies there."""
    folds: tuple[int, ...] = ()
    deal: DealRecord | None = None
    sets: dict[str, SeatSetting] = {}
    shown: dict[str, ShownCards] = {}
    dealer_shown: bool = False
    displays: tuple[Display, ...] = ()
    """Uses of the house-way display, the oldest first."""
    awards: tuple[str, ...] = ()
    """Ids of its awards, in the order of their pressing."""
    presses: int = 0
    """Hand buttons pressed so far: numbers the awards."""
    envy_paid: Cents = NO_CENTS
    """Progressive envy that END GAME paid."""
    proposed: dict[str, str] = {}
    """Buttons the system proposes once the cards are shown: "SENSOR/SEAT" to hand."""
    key_turned: bool = False
    """First generation: the supervisor's key stands at JPH."""
    references: dict[str, Reference] = {}
    """What surveillance has verified, by payout: an award's id, or SEAT/WAGER for another wager."""
    hold: dict[str, Any] | None = None
    corrections: int = 0
    reopened: bool = False
    """Whether it had ended and was opened again: its contributions have been on the sign."""
    reliefs: tuple[str, ...] = ()
    """Who dealt it after the dealer who began it, and has left since: their cards pay nothing of it either."""
    lines: tuple[dict[str, Any], ...] = ()
    """Settlement of the other wagers, once the dealer's hand is shown."""


class Award(Struct, frozen=True):
    """A jackpot award from the press of its hand button to its payment or rejection."""

    id: str
    round: str
    table: str
    link: str
    sensor: str
    seat: int
    hand: str
    percent: int | None
    level: str | None
    """The level that pays; None where the tray pays."""
    source: Literal["meter", "tray", "house"]
    status: Literal["pressed", "hit", "paid"]
    cents: Cents = NO_CENTS
    """Fixed from the hit on; recomputed in seat order until the first award of the round is paid or another table wins
    from the level."""
    card: Literal["none", "supervisor", "executive"] = "none"
    pressed_at: int = 0
    hit_at: int = 0
    order: int = 0
    """Rank among all hits of the link."""
    locked_as: int = 0
    """The rank of its lock among all locks: they are undone the latest first."""
    seed_drawn_micros: Micros = NO_MICROS
    """The house's money that it drew: the seed of a restart, and what was advanced."""
    advanced_micros: Micros = NO_MICROS
    """Of it, what the house added to the award itself so that each winner gets the full meter."""
    reserve_drawn_micros: Micros = NO_MICROS
    overflow_drawn_micros: Micros = NO_MICROS
    generation: int = 0
    """The level's generation that a 100% award began."""
    seeded_before_micros: Micros | None = None
    """Seed money that the run before its restart began with: what that run returns to if it is rejected."""
    meter_before_micros: Micros = NO_MICROS
    envy: Cents | None = None
    """What each other seat with the wager on this sensor wins from this hand."""
    wagered: bool = True
    """False for a hand without a wager of its own that still brings envy to the others."""
    override: str | None = None
    pressed_by: str = ""
    reference: str | None = None
    paid_at: int = 0
    paid_by: str | None = None
    under_key: bool = False
    """First generation: paid while the supervisor's key still stands at JPH, so the sign has not fallen yet."""


class PastAward(Struct, frozen=True):
    """An award that tray or house paid and whose round is over: what is needed to back it out."""

    id: str
    link: str
    level: str | None
    seat: int
    hand: str
    cents: Cents
    source: Literal["tray", "house"]
    percent: int | None
    order: int
    small: bool
    """Whether it was paid without anybody's card."""
    paid_at: int
    paid_by: str
    envy: Cents | None
    """What its hand has brought each of the others."""
    backed_out_at: int | None = None


class PaidAwards(Struct, frozen=True):
    """The last awards of a table that tray or house paid, the oldest first. The id is the table's."""

    id: str
    awards: tuple[PastAward, ...]


class Proposal(Struct, frozen=True):
    """A change that needs a second person."""

    id: str
    what: Any
    reason: str
    by: str
    made_at: int
    content_hash: str
    approvers: tuple[str, ...]
    """Roles of which the approver needs one."""
    moment: Literal["now", "idle", "won"]
    """When it is made once it is approved: at once, when no round on its link is in play, or when its level is won."""
    status: Literal["open", "approved", "lapsed"] = "open"
    """Approved ones wait for their moment: no round on the link, or the level won. One that could not be carried out
    when its moment came has lapsed."""
    approved_by: str | None = None
    lapsed_because: str | None = None


Entity = (
    Property
    | Person
    | Device
    | PropertySetting
    | Paper
    | Slip
    | Link
    | Level
    | Table
    | Round
    | Award
    | PaidAwards
    | Proposal
)
ENTITY_TYPES: dict[str, type[Struct]] = {
    "property": Property,
    "person": Person,
    "device": Device,
    "setting": PropertySetting,
    "paper": Paper,
    "slip": Slip,
    "link": Link,
    "level": Level,
    "table": Table,
    "round": Round,
    "award": Award,
    "paid": PaidAwards,
    "proposal": Proposal,
}

COLLECTIONS: Final[dict[str, str]] = {
    "property": "properties",
    "person": "people",
    "device": "devices",
    "setting": "settings",
    "paper": "papers",
    "slip": "slips",
    "link": "links",
    "level": "levels",
    "table": "tables",
    "round": "rounds",
    "award": "awards",
    "paid": "paid",
    "proposal": "proposals",
}
"""By kind of entity, as the journal names it: the collection that the floor and a decision keep it in."""
