"""Commands of a round: sensors, START GAME to END GAME, awards, the house-way display, slips, disputes."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from houseway.amounts import Cents
from houseway.manager.commands.bounds import (
    MOST_NAMED,
    MOST_SEATS,
    MOST_WAGERS,
    Cards,
    Places,
    Seats,
    SeatsBySensor,
)
from houseway.manager.commands.round_answers import (
    AcknowledgeUndoneAnswer,
    AddReferenceAnswer,
    CorrectWagerAnswer,
    DealRoundAnswer,
    DecideRoundAnswer,
    DeclareBankerAnswer,
    DeclareSeatAnswer,
    DoubleDownAnswer,
    EndRoundAnswer,
    EnterRoundAnswer,
    HitJackpotAnswer,
    HoldRoundAnswer,
    MisdealRoundAnswer,
    PayJackpotAnswer,
    PressHandAnswer,
    RejectJackpotAnswer,
    ReopenRoundAnswer,
    SetHandAnswer,
    SetSensorAnswer,
    ShowDealerWayAnswer,
    ShowPlayerWayAnswer,
    StartRoundAnswer,
    TurnKeyAnswer,
    VoidRoundAnswer,
)
from houseway.manager.core.command import Command
from houseway.manager.core.table_entities import MisdealCause


class SetSensor(Command[SetSensorAnswer], tag="sensor.set", frozen=True):
    """A wager lies on a sensor, or was taken off it before START GAME; the sensor lights or goes dark."""

    table: str
    sensor: str
    seat: int
    lit: bool


class DeclareSeat(Command[DeclareSeatAnswer], tag="seat.declare", frozen=True):
    """Somebody plays at a seat, whether or not a wager lies on its sensor, or nobody does any more.

    It holds from round to round. A seat that is declared during a round plays in it; one that is taken back still plays
    the round in which it was declared.
    """

    table: str
    seat: int
    plays: bool


class DeclareBanker(Command[DeclareBankerAnswer], tag="seat.bank", frozen=True):
    """A player banks the next round, before START GAME, where the game and internal controls offer it; or nobody does.

    It holds for one round. The banker's hand is set the house way.
    """

    table: str
    seat: int | None = None
    """The seat that banks; left out, nobody does."""


class AcknowledgeUndone(Command[AcknowledgeUndoneAnswer], tag="undone.acknowledge", frozen=True):
    """The dealer has read what was undone away from the table and done with the chips what the display says.

    The next START GAME acknowledges it as well.
    """

    table: str


class StartRound(Command[StartRoundAnswer], tag="round.start", frozen=True):
    """START GAME (COIN IN): wagers on lit sensors are taken and contributions posted.

    `sensors` repeats which seats are lit by sensor, as the controller sees them: it must agree with the manager; a
    controller without single sensor messages says all by it. `wagers` tells the other wagers by seat, if known.
    `occupied` tells the seats that play, beside those with a wager, in place of what `seat.declare` has told. Where the
    other wagers are not told, whoever presses attests that each seat with a jackpot wager has made its regular one.
    """

    table: str
    sensors: SeatsBySensor | None = None
    wagers: Annotated[
        dict[str, Annotated[dict[str, Cents], Meta(max_length=MOST_WAGERS)]], Meta(max_length=MOST_SEATS)
    ] = {}
    occupied: Seats | None = None


class DealRound(Command[DealRoundAnswer], tag="round.deal", frozen=True):
    """The system's shuffler deals: a seed is drawn and sealed, its commitment is published."""

    round: str
    player_entropy: Annotated[list[str], Meta(max_length=MOST_SEATS)] = []


class SetHand(Command[SetHandAnswer], tag="hand.set", frozen=True):
    """A player has set the hand; with known cards `low` gives the places (from 0) of the low cards in the packet.

    `house_way` leaves the setting to the house way, unseen until the hands are shown. `raised` is what the player
    has raised by after looking at the hand, 0 takes it back; left out, it stays as it is.
    """

    round: str
    seat: int
    low: Places | None = None
    fold: bool = False
    house_way: bool = False
    raised: Cents | None = None


class DoubleDown(Command[DoubleDownAnswer], tag="hand.double", frozen=True):
    """A player raises by choice after looking at the hand, also once it is set; 0 takes it back.

    The setting `double_down_until` says when that closes: with the dealer's hand, or with the player's own setting.
    """

    round: str
    seat: int
    cents: Cents


class ShowPlayerWay(Command[ShowPlayerWayAnswer], tag="display.player", frozen=True):
    """The house-way display sets a player's hand: only once all other players have set theirs.

    `cards` are those on the felt, typed in by the dealer, from which the display sets the hand; none where the system
    dealt them, or where a display of the maker's own sets it.
    """

    round: str
    seat: int
    cards: Cards | None = None


class ShowDealerWay(Command[ShowDealerWayAnswer], tag="display.dealer", frozen=True):
    """The house-way display shows the dealer's hand: only once every player's hand is set.

    `cards` are the dealer's on the felt, typed in, as for a player's hand.
    """

    round: str
    cards: Cards | None = None


class PressHand(Command[PressHandAnswer], tag="hand.press", frozen=True):
    """A hand button for a spot: pressed once it is on, pressed again it is off. `override` is a reason where the system
    proposed another button; it needs a supervisor's badge.
    """

    round: str
    seat: int
    hand: str
    sensor: str = "1"
    override: str | None = None
    badge: str | None = None


class HitJackpot(Command[HitJackpotAnswer], tag="jackpot.hit", frozen=True):
    """HIT JACKPOT (or the call for a supervisor): the pressed awards of the round are locked, in seat order.

    `fixed_from` lets the tray pay a fixed award that the meter cannot.
    """

    round: str
    fixed_from: Literal["tray"] | None = None


class TurnKey(Command[TurnKeyAnswer], tag="key.turn", frozen=True):
    """First generation: the supervisor's key to JPH, or back to Run, which lets the table go on and the meter fall."""

    round: str
    to: Literal["jph", "run"]
    badge: str


class PayJackpot(Command[PayJackpotAnswer], tag="jackpot.pay", frozen=True):
    """PAY JACKPOT with a badge: the prize is logged, and only a manual adjustment backs it out."""

    award: str
    badge: str | None = None
    reference: str | None = None
    """Surveillance's, as it stands on record; may be left out, and any other is refused."""


class RejectJackpot(Command[RejectJackpotAnswer], tag="jackpot.reject", frozen=True):
    """The award did not stand verification: what it had locked goes back."""

    award: str
    badge: str
    reason: str


class AddReference(Command[AddReferenceAnswer], tag="surveillance.reference", frozen=True):
    """Surveillance has verified one payout on camera: the hand and the amount that it stands for, and where to find it.

    `payout` is the id of an award that is hit, or SEAT/WAGER (3/fortune) for another wager whose cards are known.
    """

    round: str
    payout: str
    hand: str | None
    cents: Cents
    reference: str


class EndRound(Command[EndRoundAnswer], tag="round.end", frozen=True):
    """END GAME (GAME OVER): only when every award is settled; envy is paid and the table is ready.

    `override` is the reason for which a button that the system proposed stays unpressed; it needs a supervisor's badge.
    """

    round: str
    override: str | None = None
    badge: str | None = None


class VoidRound(Command[VoidRoundAnswer], tag="round.void", frozen=True):
    """The round does not count: wagers and contributions go back in one event."""

    round: str
    badge: str
    reason: str


class MisdealRound(Command[MisdealRoundAnswer], tag="round.misdeal", frozen=True):
    """The deal cannot stand: every wager goes back as by a void, an incident goes on record, and the deck is due.

    No round begins at the table until a whole deck was counted down (`table.deck`). The dealer says so alone as long as
    the round has taken no wager and dealt, shown and awarded nothing here; else it needs a supervisor's badge.
    """

    round: str
    cause: MisdealCause
    """What went wrong with the cards."""
    note: str = ""
    """More about it, in a few words."""
    badge: str | None = None


class EnterRound(Command[EnterRoundAnswer], tag="round.enter", frozen=True):
    """A round in play that was finished on a paper form while the manager could not be reached: two people enter it.

    Its winning hands are pressed and hit, small pays go through as at HIT JACKPOT, and where nothing is left open the
    round ends, with the time on the paper. A share of a meter is locked now, as the meter stands, and is paid like any
    other award; so is everything that needs a badge. The round then ends by END GAME.
    """

    round: str
    form: str
    """The number of the form (`slip.form`), which is used once."""
    ended_at: int
    """The time on the paper at which the round was over."""
    badge: str
    won: Annotated[dict[str, str], Meta(max_length=MOST_SEATS)] = {}
    """Winning hands by SENSOR/SEAT, as in "1/3": "full-house"."""
    fixed_from: Literal["tray"] | None = None
    """Lets the tray pay a fixed award that the meter cannot."""


class CorrectWager(Command[CorrectWagerAnswer], tag="round.correct", frozen=True):
    """A slip at START GAME: a wager was missed, or counted where there was none; put right on record.

    The dealer may do it alone for a moment after START GAME, as long as nothing else has happened; later it needs a
    supervisor's badge.
    """

    round: str
    sensor: str
    seat: int
    made: bool
    reason: str
    badge: str | None = None


class ReopenRound(Command[ReopenRoundAnswer], tag="round.reopen", frozen=True):
    """END GAME was pressed too early: the table's last round is opened again for a missed winner."""

    table: str
    badge: str
    reason: str


class HoldRound(Command[HoldRoundAnswer], tag="round.hold", frozen=True):
    """A dispute: the round is set aside with its cards and evidence, and the table may go on."""

    round: str
    badge: str
    reason: str
    evidence: Annotated[dict[str, str], Meta(max_length=MOST_NAMED)] = {}


class DecideRound(Command[DecideRoundAnswer], tag="round.decide", frozen=True):
    """The decision on a held round: it resumes at its table, or it is void."""

    round: str
    badge: str
    decision: Literal["resume", "void"]
    reason: str
    reference: str


ROUND_COMMANDS = (
    SetSensor, DeclareSeat, DeclareBanker, AcknowledgeUndone, StartRound, DealRound, SetHand, DoubleDown, ShowPlayerWay,
    ShowDealerWay, PressHand, HitJackpot, TurnKey, PayJackpot, RejectJackpot, AddReference, EndRound, VoidRound,
    MisdealRound, EnterRound, CorrectWager, ReopenRound, HoldRound, DecideRound,
)  # fmt: skip
