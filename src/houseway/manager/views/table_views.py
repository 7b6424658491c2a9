"""Tables and rounds as others see them: cards only where they lie open, of a deal its commitment."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import asdict

from houseway.manager.core.award_entities import Award
from houseway.manager.core.floor import Floor
from houseway.manager.core.link_entities import Link
from houseway.manager.core.table_entities import (
    DealRecord,
    Display,
    MisdealCause,
    Reference,
    Round,
    SeatSetting,
    ShownCards,
    Table,
    Undone,
    UndoneRound,
)
from houseway.manager.core.table_facts import before_play
from houseway.manager.core.twins import table_paytable
from houseway.manager.views.jackpot_views import AwardView, LinkKind, LinkStatus, award_view
from houseway.manager.views.slip_views import FormEntryView, entry_view
from houseway.manager.views.view_base import FloorView, Value, values_of


class SensorLink(FloorView, frozen=True, kw_only=True):
    """What a table's controls need of the link on a sensor: its state, its wager, its hand buttons."""

    link: str
    kind: LinkKind
    status: LinkStatus
    wager_cents: int
    paytable: str
    hands: tuple[str, ...]
    pays_cents: dict[str, int]
    """What a hand with a fixed pay wins."""
    envy_hands: tuple[str, ...]
    """Hands that bring envy to the other wagers, also from a seat without one."""


class DealView(FloorView, frozen=True, kw_only=True):
    """What may be known of a deal."""

    mode: str
    commitment: str
    """Published before the bets; the seed that it commits to follows with the reveal."""
    start_position: int | None
    occupied: tuple[int, ...]
    committed_at: int
    shuffle: int
    player_entropy: tuple[str, ...]
    revealed_seed: str | None
    """From the reveal on, when anybody may deal the round again."""
    numbering: tuple[int, ...] | None


class SetView(FloorView, frozen=True, kw_only=True):
    """How a seat's hand was set: places of the low cards in the packet, never the cards."""

    by: Literal["player", "house-way"]
    low: tuple[int, ...] | None
    at: int
    actor: str


class OpenHand(FloorView, frozen=True, kw_only=True):
    """Cards that lie open."""

    cards: tuple[str, ...]
    high: tuple[str, ...]
    low: tuple[str, ...]
    rule: str | None
    fouled: bool


class DisplayUse(FloorView, frozen=True, kw_only=True):
    """A use of the house-way display."""

    of: str
    by: str
    device: str | None
    at: int


class ReferenceView(FloorView, frozen=True, kw_only=True):
    """Surveillance's verification of one payout."""

    text: str
    by: str
    hand: str | None
    cents: int


class SettledLine(FloorView, frozen=True, kw_only=True):
    """What one of the other wagers came to."""

    seat: int
    wager: str
    hand: str | None
    outcome: str
    stake_cents: int
    returned_cents: int
    source: str | None
    clause: str | None
    link: str | None
    award: str | None


class RoundView(FloorView, frozen=True, kw_only=True):
    """A round in play, on hold, or just ended, with its awards in the order in which they are paid."""

    id: str
    table: str
    game: str
    number: int
    started_at: int
    dealer: str
    reliefs: tuple[str, ...]
    """Who dealt it after the dealer who began it, and has left since."""
    phase: Literal["playing", "held", "ended"]
    taken: dict[str, tuple[int, ...]]
    """Seats whose jackpot wager was taken, by sensor."""
    wagers_cents: dict[str, dict[str, int]]
    """Other wagers by seat, where they are entered."""
    occupied: tuple[int, ...]
    attested: dict[str, str]
    folds: tuple[int, ...]
    deal: DealView | None
    sets: dict[str, SetView]
    shown: dict[str, OpenHand]
    dealer_shown: bool
    displays: tuple[DisplayUse, ...]
    awards: tuple[AwardView, ...]
    presses: int
    envy_paid_cents: int
    proposed: dict[str, str]
    """Buttons that the system proposes once the cards are shown: "SENSOR/SEAT" to hand."""
    key_turned: bool
    references: dict[str, ReferenceView]
    hold: dict[str, Value] | None
    corrections: int
    reopened: bool
    lines: tuple[SettledLine, ...]
    rules: str
    """The hash of the rules with the room's choices that were in force at START GAME."""
    banker: int | None
    """The seat that banks."""
    paper: FormEntryView | None
    """The form from which two people entered it; null for a round that the keys have ended."""


class UndoneAwardView(FloorView, frozen=True, kw_only=True, tag="award", tag_field="what"):
    """A paid award that two people have backed out away from its table."""

    id: str
    at: int
    proposed_by: str
    approved_by: str
    reference: str
    seat: int
    hand: str
    cents: int
    source: Literal["meter", "tray", "house"]
    link: str
    level: str | None
    seed_recovered_micros: int


class UndoneRoundView(FloorView, frozen=True, kw_only=True, tag="round", tag_field="what"):
    """A round on hold that two people have decided as void away from its table."""

    id: str
    at: int
    proposed_by: str
    approved_by: str
    reference: str
    seats: dict[str, tuple[int, ...]]
    """Seats whose jackpot wager goes back, by sensor."""
    wagers_cents: dict[str, int]
    """What one wager was, by sensor."""


UndoneView = UndoneAwardView | UndoneRoundView


class DeckDueView(FloorView, frozen=True, kw_only=True):
    """A misdeal after which no deck was counted down yet."""

    round: str
    cause: MisdealCause
    incident: str


class TableView(FloorView, frozen=True, kw_only=True):
    """A table with its round, the awards of that round, what its sensors are joined to, and what it still needs."""

    id: str
    game: str
    seats: int
    sensors: dict[str, str]
    """Sensor number ("1", "2") to link."""
    vocabulary: Literal["aquarius", "nexus", "nexus-2"]
    cards: Literal["felt", "known"]
    way: str | None
    paytables: dict[str, str]
    settings: dict[str, Value]
    status: Literal["closed", "open"]
    dealer: str | None
    round: str | None
    lit: dict[str, tuple[int, ...]]
    declared: tuple[int, ...]
    banker: int | None
    """The seat that banks the next round, as it was declared for it."""
    rounds: int
    last_round: str | None
    deck: str | None
    deck_due: DeckDueView | None
    """The misdeal after which a deck must be counted down before the next round."""
    shift: str | None
    deal_mode: Literal["shuffler", "shoe"]
    face_up: bool
    next_commitment: str | None
    next_committed_at: int
    shuffles: int
    links: dict[str, SensorLink]
    in_play: RoundView | None
    next: tuple[str, ...]
    """What is still to be done before it plays."""
    held: tuple[str, ...]
    """Rounds on hold."""
    edition: str
    """The day of the sheet's edition under which it was opened."""
    rules: str
    """The hash of the rules with the room's choices under which it was opened, or its last round began."""
    undone: tuple[UndoneView, ...]
    """What was undone away from it since its last START GAME and is not acknowledged at it."""


def table_view(floor: Floor, table: Table) -> TableView:
    """A table as it stands."""
    round_ = floor.rounds.get(table.round or "")
    joined = {sensor: floor.links.get(link) for sensor, link in table.sensors.items()}
    return TableView(
        id=table.id, game=table.game, seats=table.seats, sensors=dict(table.sensors), vocabulary=table.vocabulary,
        cards=table.cards, way=table.way, paytables=dict(table.paytables), settings=values_of(table.settings),
        status=table.status, dealer=table.dealer, round=table.round,
        lit={sensor: tuple(seats) for sensor, seats in table.lit.items()}, declared=table.declared, banker=table.banker,
        rounds=table.rounds, last_round=table.last_round, deck=table.deck,
        deck_due=None if table.deck_due is None else DeckDueView(**asdict(table.deck_due)), shift=table.shift,
        deal_mode=table.deal_mode, face_up=table.face_up, next_commitment=table.next_commitment,
        next_committed_at=table.next_committed_at, shuffles=table.shuffles,
        links={sensor: _sensor_link(link, table.game) for sensor, link in joined.items() if link is not None},
        in_play=None if round_ is None else round_view(floor, round_), next=tuple(before_play(table)),
        held=floor.held_rounds().get(table.id, ()), edition=table.edition, rules=table.rules,
        undone=tuple(map(_undone, table.undone)),
    )  # fmt: skip


def _undone(undone: Undone) -> UndoneView:
    if isinstance(undone, UndoneRound):
        return UndoneRoundView(
            id=undone.id, at=undone.at, proposed_by=undone.proposed_by, approved_by=undone.approved_by,
            reference=undone.reference, seats=dict(undone.seats), wagers_cents=dict(undone.wagers),
        )  # fmt: skip
    return UndoneAwardView(
        id=undone.id, at=undone.at, proposed_by=undone.proposed_by, approved_by=undone.approved_by,
        reference=undone.reference, seat=undone.seat, hand=undone.hand, cents=undone.cents, source=undone.source,
        link=undone.link, level=undone.level, seed_recovered_micros=undone.seed_recovered_micros,
    )  # fmt: skip


def _sensor_link(link: Link, game: str) -> SensorLink:
    pays = table_paytable(link, game)
    return SensorLink(
        link=link.id, kind=link.kind, status=link.status, wager_cents=link.wager, paytable=pays.id,
        hands=tuple(hand for line in pays.lines for hand in line.hands),
        pays_cents={line.hand: line.pays * link.wager for line in pays.lines if line.pays},
        envy_hands=tuple(hand for line in pays.lines if line.envy for hand in line.hands),
    )  # fmt: skip


def round_view(floor: Floor, round_: Round) -> RoundView:
    """A round as it stands. Where the wagers' money went is the ledger's business; tables need the seats."""
    awards = sorted((floor.awards[id_] for id_ in round_.awards if id_ in floor.awards), key=_turn)
    return RoundView(
        id=round_.id, table=round_.table, game=round_.game, number=round_.number, started_at=round_.started_at,
        dealer=round_.dealer, reliefs=round_.reliefs, phase=round_.phase,
        taken={taken.sensor: taken.seats for taken in round_.taken},
        wagers_cents={seat: dict(wagers) for seat, wagers in round_.wagers.items()}, occupied=round_.occupied,
        attested=dict(round_.attested), folds=round_.folds, deal=_deal(round_.deal),
        sets={seat: _set(found) for seat, found in round_.sets.items()},
        shown={place: _open_hand(found) for place, found in round_.shown.items()}, dealer_shown=round_.dealer_shown,
        displays=tuple(_display_use(use) for use in round_.displays),
        awards=tuple(award_view(floor, award) for award in awards), presses=round_.presses,
        envy_paid_cents=round_.envy_paid, proposed=dict(round_.proposed), key_turned=round_.key_turned,
        references={payout: _reference(found) for payout, found in round_.references.items()},
        hold=None if round_.hold is None else values_of(round_.hold), corrections=round_.corrections,
        reopened=round_.reopened, lines=tuple(msgspec.convert(line, SettledLine) for line in round_.lines),
        rules=round_.rules, banker=round_.banker, paper=None if round_.paper is None else entry_view(round_.paper),
    )  # fmt: skip


def _turn(award: Award) -> tuple[int, str, str]:
    """From the dealer's far right: the highest seat first."""
    return (-award.seat, award.sensor, award.id)


def _deal(deal: DealRecord | None) -> DealView | None:
    if deal is None:
        return None
    return DealView(
        mode=deal.mode, commitment=deal.commitment, start_position=deal.start_position, occupied=deal.occupied,
        committed_at=deal.committed_at, shuffle=deal.shuffle, player_entropy=deal.player_entropy,
        revealed_seed=deal.seed, numbering=deal.numbering,
    )  # fmt: skip


def _set(found: SeatSetting) -> SetView:
    return SetView(by=found.by, low=found.low, at=found.at, actor=found.actor)


def _open_hand(found: ShownCards) -> OpenHand:
    return OpenHand(cards=found.cards, high=found.high, low=found.low, rule=found.rule, fouled=found.fouled)


def _display_use(use: Display) -> DisplayUse:
    return DisplayUse(of=use.of, by=use.by, device=use.device, at=use.at)


def _reference(found: Reference) -> ReferenceView:
    return ReferenceView(text=found.text, by=found.by, hand=found.hand, cents=found.cents)
