"""The win page of an award as others see it: everything that its paper shows, with the proof beside it."""

from __future__ import annotations

from typing import Literal

from houseway.manager.views.slip_views import HouseView, PrizeDutiesView, SlipView
from houseway.manager.views.view_base import FloorView


class WonMeter(FloorView, frozen=True, kw_only=True):
    """What the win did to the meter of its level."""

    before_micros: int
    percent: int | None
    """The share that the hand wins; null for a fixed pay."""
    advanced_micros: int
    """What the house added so that each of several winners gets the full meter."""
    reseeded_micros: int
    """The house's seed that restarted the level."""
    released_micros: int
    """What came onto the meter from reserve and overflow."""
    after_micros: int
    """Before, less the award, with what restarted the level."""
    at_payment_micros: int
    """On the meter when the award was paid, with what others had wagered since; the proof covers it."""


class ProofView(FloorView, frozen=True, kw_only=True):
    """Where the win stands in the journal, and what proves it to anybody."""

    event: int
    """The last event that says what became of the award."""
    kind: str
    at: int
    hash: str
    checkpoint: int
    """The event whose signature vouches for it."""
    signed_by: str
    """The id of the key that signed the checkpoint."""
    head: int | None
    """How many events the signed head has under which it is proved; null before there is such a head."""
    text: str | None
    """The proof with the values that it proves, for a QR code: complete for whoever has the log's key."""


class WinPageView(FloorView, frozen=True, kw_only=True):
    """The win page of a paid award."""

    house: HouseView
    award: str
    status: Literal["paid", "backed-out"]
    slip: SlipView | None
    """The newest slip of the award; null where the dealer paid it alone."""
    game: str
    game_title: str
    table: str
    seat: int
    round: str
    link: str
    link_kind: Literal["progressive", "house"]
    level: str | None
    paytable: str
    hand: str
    hand_title: str
    hand_cards: tuple[str, ...] | None
    """The cards of the seat, where the system dealt them and they lay open; else people write them onto the page."""
    clause: str
    wager_cents: int
    cents: int
    source: Literal["meter", "tray", "house"]
    hit_at: int
    paid_at: int
    order: int
    """Rank among all hits of the link."""
    place: int
    """The place among the winners of its round on this link, from the dealer's far right."""
    winners: int
    meter: WonMeter | None
    """Null where no meter paid."""
    dealer: str
    reliefs: tuple[str, ...]
    pressed_by: str
    prepared_by: str
    """Who sent the payment."""
    verified_by: str
    """Whose badge paid it."""
    surveillance_reference: str | None
    surveillance_by: str | None
    people: dict[str, str]
    """Names of those who are named here by their ids."""
    override: str | None
    deck: str | None
    deck_size: int
    duties: PrizeDutiesView
    proof: ProofView
