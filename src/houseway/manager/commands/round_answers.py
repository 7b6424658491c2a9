"""What the commands of a round are answered."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from houseway.amounts import Cents
from houseway.manager.commands.house_answers import FaultNote
from houseway.manager.commands.settled_hands import OpenDealerHand, OpenSeat
from houseway.manager.core.change_answers import ChangeOutcome
from houseway.manager.core.command import CommandAnswer
from houseway.manager.core.slip_entities import PrizeDuties
from houseway.manager.core.table_entities import ShownCards
from houseway.reading.json_values import JsonObject


class SensorWagers(Struct, frozen=True):
    """The wagers on one sensor."""

    link: str
    seats: tuple[int, ...]
    cents: Cents


class AwardState(Struct, frozen=True):
    """An award: who gets how much, and what its payment needs."""

    award: str
    seat: int
    sensor: str
    hand: str
    link: str
    level: str | None
    percent: int | None
    cents: Cents
    source: Literal["meter", "tray", "house"]
    status: Literal["pressed", "hit", "paid"]
    badge_role: Literal["none", "supervisor", "executive"]
    """Whose badge pays it."""
    envy: Cents | None
    reference_needed: bool
    """Whether surveillance verifies it first."""


class EnvyPayment(Struct, frozen=True):
    """What another player's hand has brought a seat."""

    seat: int
    cents: Cents


class RevealedSeat(Struct, frozen=True):
    """A seat as it was played: its cards as dealt, its low hand where the player chose it, its wagers."""

    seat: int
    cards: tuple[str, ...]
    low: tuple[str, ...] | None
    fold: bool
    wagers: dict[str, Cents]


class UnoccupiedSeat(Struct, frozen=True):
    """Cards that were dealt to a seat where nobody played."""

    seat: int
    cards: tuple[str, ...]


class Reveal(Struct, frozen=True, kw_only=True):
    """A deal with its seed, as `houseway replay` and `houseway settle` read it.

    Of a voided deal whose seed is lost only the commitment is told, and that there is no seed.
    """

    commitment: str
    seed: str | None
    game: str | UnsetType = UNSET
    paytables: dict[str, str] | UnsetType = UNSET
    way: str | UnsetType | None = UNSET
    settings: JsonObject | UnsetType = UNSET
    dealer: tuple[str, ...] | UnsetType = UNSET
    seats: tuple[RevealedSeat, ...] | UnsetType = UNSET
    mode: str | UnsetType = UNSET
    machine_mode: str | UnsetType | None = UNSET
    numbering: tuple[int, ...] | UnsetType | None = UNSET
    start_position: int | UnsetType | None = UNSET
    up: tuple[str, ...] | UnsetType | None = UNSET
    unoccupied: tuple[UnoccupiedSeat, ...] | UnsetType = UNSET
    leftover: tuple[str, ...] | UnsetType = UNSET
    player_entropy: tuple[str, ...] | UnsetType = UNSET
    banker: int | UnsetType = UNSET
    """The seat that banked, if one did."""


class SetSensorAnswer(CommandAnswer, frozen=True, kw_only=True):
    """Which seats are lit, by sensor."""

    table: str
    lit: dict[str, list[int]]


class DeclareSeatAnswer(CommandAnswer, frozen=True, kw_only=True):
    """Which seats are declared, and which play in the round."""

    table: str
    declared: tuple[int, ...]
    occupied: tuple[int, ...] | None
    """Null: no round is in play."""


class DeclareBankerAnswer(CommandAnswer, frozen=True, kw_only=True):
    """Which seat banks the next round, and the paper by which it may."""

    table: str
    banker: int | None
    paper: str | None


class AcknowledgeUndoneAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The awards and rounds whose undoing the table knows of now."""

    table: str
    acknowledged: tuple[str, ...]


class StartRoundAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The round and what it took, by sensor."""

    round: str
    taken: dict[str, SensorWagers]
    occupied: tuple[int, ...]
    attested: dict[str, str]
    """Seats whose regular wager was attested, and by whom."""


class DealRoundAnswer(CommandAnswer, frozen=True, kw_only=True):
    """What may be known of the deal before it is revealed."""

    mode: str
    commitment: str
    committed_at: int
    machine_mode: str | None
    start_position: int | None
    numbering: tuple[int, ...] | None
    occupied: tuple[int, ...]
    next_commitment: str | None
    """That of the table's next deal."""


class SetHandAnswer(CommandAnswer, frozen=True, kw_only=True):
    """How the hand was set, and which seats are left to set."""

    round: str
    seat: int
    by: Literal["player", "house-way"]
    not_set: tuple[int, ...]


class DoubleDownAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The wagers of the seat as they are now, and what the game calls the raise."""

    round: str
    seat: int
    title: str
    wagers: dict[str, Cents]


class ShowPlayerWayAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The hand set the house way, where the system knows its cards."""

    round: str
    seat: int
    hand: ShownCards | None = None


class ShowDealerWayAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The dealer's hand; where the system has dealt, all hands with their settlement, and the buttons to press."""

    round: str
    hand: ShownCards | None = None
    """Of cards that were typed in."""
    dealer: OpenDealerHand | None = None
    seats: tuple[OpenSeat, ...] | None = None
    order: tuple[int, ...] = ()
    untold: dict[str, dict[str, str]] | None = None
    """Seats whose wagers were not entered: what their hands make of each wager against the dealer."""
    proposed: dict[str, str] | None = None
    """Buttons to press: "SENSOR/SEAT" to hand."""


class PressHandAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The award of the button and whether it is on; of a small one that was paid already, what was taken back."""

    award: str
    on: bool
    seat: int
    hand: str
    sensor: str | None = None
    taken_back_cents: Cents | None = None
    source: Literal["meter", "tray", "house"] | None = None
    awards: tuple[AwardState, ...] | None = None


class HitJackpotAnswer(CommandAnswer, frozen=True, kw_only=True):
    """All awards of the round, and which of them are new."""

    round: str
    awards: tuple[AwardState, ...]
    new: tuple[str, ...]
    slip_seconds: int
    """For how long the dealer alone may take a small one back."""
    changes: tuple[ChangeOutcome, ...] = ()
    warnings: tuple[FaultNote, ...] = ()
    """New awards of more than the tray holds by the books."""


class TurnKeyAnswer(CommandAnswer, frozen=True, kw_only=True):
    """Where the key stands, and who turned it."""

    round: str
    key: Literal["jph", "run"]
    by: str


class PayJackpotAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The award that was paid, and by whom."""

    award: str
    seat: int
    sensor: str
    hand: str
    cents: Cents
    source: Literal["meter", "tray", "house"]
    paid_by: str
    reference: str | None
    """Surveillance's."""
    slip: str | None = None
    """The number of its slip; null where the dealer paid alone, or there was nothing to pay."""
    duties: PrizeDuties | None = None
    """What the payment brings with it; null where nothing is due."""
    changes: tuple[ChangeOutcome, ...] = ()


class RejectJackpotAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The award that did not stand, and the others of the round as they are now."""

    award: str
    seat: int
    sensor: str
    hand: str
    rejected_by: str
    awards: tuple[AwardState, ...]
    taken_back_cents: Cents | None = None
    """What a small one had been paid."""
    source: Literal["meter", "tray", "house"] | None = None


class AddReferenceAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The payout that was verified."""

    round: str
    payout: str
    seat: int
    hand: str | None
    cents: Cents
    reference: str


class EndRoundAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The envy that was paid, and the deal where the system has dealt."""

    round: str
    envy: tuple[EnvyPayment, ...]
    reveal: Reveal | None = None
    changes: tuple[ChangeOutcome, ...] = ()
    warnings: tuple[FaultNote, ...] = ()
    """Envy of more than the tray holds by the books."""


class MisdealRoundAnswer(CommandAnswer, frozen=True, kw_only=True):
    """What went back, what was on record of the cause, and what comes before the next round."""

    round: str
    returned: dict[str, SensorWagers]
    approved_by: str | None
    """Whose badge approved it; null where the dealer needed none."""
    incident: str
    report_due_at: int | None
    """Until when the incident must be reported to the commission; null where it need not be."""
    reveal: Reveal | None = None
    changes: tuple[ChangeOutcome, ...] = ()
    next: tuple[str, ...] = ()


class EnterRoundAnswer(CommandAnswer, frozen=True, kw_only=True):
    """What was entered from a form, and whether the round is over or waits for payments."""

    round: str
    form: str
    ended: bool
    awards: tuple[AwardState, ...]
    new: tuple[str, ...]
    envy: tuple[EnvyPayment, ...]
    warnings: tuple[FaultNote, ...] = ()
    changes: tuple[ChangeOutcome, ...] = ()
    next: tuple[str, ...] = ()


class VoidRoundAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The wagers that went back, by sensor, and the deal where the system has dealt."""

    round: str
    returned: dict[str, SensorWagers]
    approved_by: str
    reveal: Reveal | None = None
    changes: tuple[ChangeOutcome, ...] = ()


class CorrectWagerAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The wagers of the round as they are now, by sensor."""

    round: str
    taken: dict[str, SensorWagers]
    changes: tuple[ChangeOutcome, ...] = ()


class ReopenRoundAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The round that is in play again."""

    round: str
    envy_taken_back: Cents


class HoldRoundAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The round that was set aside, and by whom."""

    round: str
    held_by: str
    changes: tuple[ChangeOutcome, ...] = ()


class DecideRoundAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The decision; of a round that is void, the wagers that went back and the deal."""

    round: str
    decision: Literal["resume", "void"]
    returned: dict[str, SensorWagers] | None = None
    reveal: Reveal | None = None
    changes: tuple[ChangeOutcome, ...] = ()
