"""Tables and their rounds: wagers taken, hands set and shown, deals, references and disputes."""

from __future__ import annotations

from typing import Literal, NamedTuple, NotRequired, TypedDict

from msgspec import Struct

from houseway.amounts import NO_CENTS, Cents, Micros
from houseway.manager.core.slip_entities import FormEntry
from houseway.reading.json_values import JsonObject


class UndoneAward(Struct, frozen=True, tag="award", tag_field="what"):
    """A paid award of a table that two people have backed out away from it."""

    id: str
    at: int
    proposed_by: str
    approved_by: str
    reference: str
    """The paper that it rests on."""
    seat: int
    hand: str
    cents: Cents
    source: Literal["meter", "tray", "house"]
    link: str
    level: str | None
    seed_recovered_micros: Micros


class UndoneRound(Struct, frozen=True, tag="round", tag_field="what"):
    """A round of a table that was on hold and that two people have decided as void away from it."""

    id: str
    at: int
    proposed_by: str
    approved_by: str
    reference: str
    seats: dict[str, tuple[int, ...]]
    """Seats whose jackpot wager goes back, by sensor."""
    wagers: dict[str, Cents]
    """What one wager was, by sensor."""


Undone = UndoneAward | UndoneRound

MisdealCause = Literal["wrong-deal", "exposed-card", "missing-card", "extra-card", "short-deck", "shuffler-jam"]
"""Why a deal cannot stand."""


class DeckDue(Struct, frozen=True):
    """A misdeal took the deck off the table: a whole one is counted down before the next round."""

    round: str
    cause: MisdealCause
    incident: str
    """The record of it in the register of incidents."""


class Table(Struct, frozen=True, omit_defaults=True):
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
    settings: JsonObject
    """Settlement settings of the game (docs/games.md)."""
    status: Literal["closed", "open"] = "closed"
    dealer: str | None = None
    round: str | None = None
    lit: dict[str, list[int]] = {}
    """Seats whose sensor is lit, by sensor."""
    declared: tuple[int, ...] = ()
    """Seats where somebody plays, as the keypad has told it: those that no sensor shows."""
    banker: int | None = None
    """The seat that banks the next round, as it was declared for it."""
    rounds: int = 0
    last_round: str | None = None
    deck: str | None = None
    deck_due: DeckDue | None = None
    """The misdeal after which no deck was counted down yet: no round begins."""
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
    rules: str = ""
    """The hash of the rules with the room's choices under which it was opened, or its last round began."""
    undone: tuple[Undone, ...] = ()
    """What was undone away from the table since its last START GAME and is not acknowledged at it, the oldest first."""


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


class Hold(Struct, frozen=True, omit_defaults=True):
    """Why a round was set aside and, once that is decided, by whom and how."""

    by: str
    at: int
    reason: str
    evidence: dict[str, str]
    decision: Literal["resume", "void"] | None = None
    decided_by: tuple[str, ...] = ()
    decided_at: int | None = None
    why: str | None = None
    reference: str | None = None


class LostWagers(TypedDict):
    """Wagers on one sensor that are all lost alike, as those of most rounds are: a line for each of the seats."""

    seats: tuple[int, ...]
    wager: str
    stake_cents: Cents
    clause: str
    link: str


class RoundLine(TypedDict):
    """What one wager, or one envy payment, of a round came to; the columns by which it is found again.

    Every line is in the journal: what there is nothing to say about may be left out.
    """

    seat: int
    wager: str
    outcome: str
    stake_cents: Cents
    returned_cents: Cents
    hand: NotRequired[str | None]
    source: NotRequired[str | None]
    clause: NotRequired[str | None]
    link: NotRequired[str | None]
    award: NotRequired[str | None]


class Round(Struct, frozen=True, omit_defaults=True):
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
    """Other wagers by seat, where they are entered."""
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
    taken_back: Cents = NO_CENTS
    """What its dealers paid without a badge and took back themselves."""
    proposed: dict[str, str] = {}
    """Buttons the system proposes once the cards are shown: "SENSOR/SEAT" to hand."""
    key_turned: bool = False
    """First generation: the supervisor's key stands at JPH."""
    references: dict[str, Reference] = {}
    """What surveillance has verified, by payout: an award's id, or SEAT/WAGER for another wager."""
    hold: Hold | None = None
    corrections: int = 0
    reopened: bool = False
    """Whether it had ended and was opened again: its contributions have been on the sign."""
    reliefs: tuple[str, ...] = ()
    """Who dealt it after the dealer who began it, and has left since: their cards pay nothing of it either."""
    lines: tuple[RoundLine, ...] = ()
    """Settlement of the other wagers, once the dealer's hand is shown."""
    rules: str = ""
    """The hash of the rules with the room's choices that were in force at START GAME."""
    raised: bool = False
    """Whether a raise was told, or taken back, by itself since START GAME."""
    changed_at: int = 0
    """When a wager of it was last corrected, or it was opened again."""
    banker: int | None = None
    """The seat that banks, as it was declared before START GAME."""
    paper: FormEntry | None = None
    """The form on which it was finished while the manager could not be reached."""
