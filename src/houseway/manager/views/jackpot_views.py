"""Meters, links and awards as others see them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from houseway.amounts import Micros, whole_cents
from houseway.manager.core import settings
from houseway.manager.core.award_entities import Award
from houseway.manager.core.floor import Floor
from houseway.manager.core.ledger import account
from houseway.manager.core.link_entities import Link, LinkWarning
from houseway.manager.core.prize_duties import prize_duties
from houseway.manager.core.signs import displayed, pending
from houseway.manager.core.table_facts import counting_reference
from houseway.manager.views.slip_views import PrizeDutiesView, duties_view
from houseway.manager.views.view_base import FloorView

LinkKind = Literal["progressive", "house"]
LinkStatus = Literal["draft", "open", "draining", "stopped", "retired"]


class AwardView(FloorView, frozen=True, kw_only=True):
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
    """The level that pays; null where the tray pays."""
    source: Literal["meter", "tray", "house"]
    status: Literal["pressed", "hit", "paid"]
    cents: int
    """Fixed from the hit on."""
    badge_role: Literal["none", "supervisor", "executive"]
    """Whose badge its payment needs."""
    reference_missing: bool
    """Whether surveillance has yet to verify it."""
    tray_short_cents: int
    """How much more it is than the tray that pays it holds by the books; 0 once it is paid."""
    pressed_at: int
    pressed_by: str
    hit_at: int
    order: int
    """Rank among all hits of the link."""
    meter_before_micros: int
    envy_cents: int | None
    """What each other seat with the wager on this sensor wins from this hand."""
    wagered: bool
    """False for a hand without a wager of its own that still brings envy to the others."""
    override: str | None
    reference: str | None
    paid_at: int
    paid_by: str | None
    under_key: bool
    """First generation: paid while the supervisor's key still stands at JPH."""
    duties: PrizeDutiesView | None
    """What its payment brings with it, by the settings of now until it is paid; null where nothing is due."""


class RecentAward(FloorView, frozen=True, kw_only=True):
    """An award that was paid, of a round that is over."""

    award: str
    link: str
    level: str | None
    table: str
    seat: int
    hand: str
    cents: int
    source: Literal["meter", "tray", "house"]
    paid_at: int
    paid_by: str | None
    envy_cents: int | None
    backed_out_at: int | None


class LevelMeter(FloorView, frozen=True, kw_only=True):
    """One level: what the sign shows, what is on the meter, and what is put aside, locked or owed to the house."""

    displayed_micros: int
    meter_micros: int
    reserve_micros: int
    overflow_micros: int
    locked_micros: int
    seed_micros: int
    limit_cents: int | None
    hits: int


class MetersView(FloorView, frozen=True, kw_only=True):
    """What the signs of a link show, and the awards that wait for their payment."""

    link: str
    kind: LinkKind
    status: LinkStatus
    reason: str
    wager_cents: int
    levels: dict[str, LevelMeter]
    pending: tuple[AwardView, ...]


class LevelTerms(FloorView, frozen=True, kw_only=True):
    """What is configured for one level. Shares are exact fractions "n/d"."""

    seed_cents: int
    contribution: str
    reserve: str
    limit_cents: int | None
    executive_from_cents: int | None
    """Awards from this amount need an executive's badge."""


class LevelFigures(FloorView, frozen=True, kw_only=True):
    """The running figures of one level."""

    generation: int
    """How often it was won at 100% and reseeded."""
    hits: int
    wagered_micros: int
    won_micros: int


class LinkWarningView(FloorView, frozen=True, kw_only=True):
    """What the sheets advise against in the parameters in force, and the clause that does, if one is."""

    code: str
    level: str | None
    message: str
    clause: str


class PromotionView(FloorView, frozen=True, kw_only=True):
    """The promotion that gives the money of a retired level back to players."""

    promotion: str
    put_aside_micros: int
    left_micros: int
    since: int
    return_by: int
    """By when players must have all of it back."""
    ended_at: int | None
    """When nothing of it was left."""


class LinkView(FloorView, frozen=True, kw_only=True):
    """A link with its parameters, its meters, the tables on it, and the running figures of its levels."""

    id: str
    kind: LinkKind
    status: LinkStatus
    status_reason: str
    version: int
    paytable: str
    readings: dict[str, bool | str]
    """Readings of the pay table that differ from the default, by the name of their setting."""
    wager_cents: int
    decks: int
    fixed_pays: Literal["tray", "meter"]
    fixed_supervisor_from_cents: int
    levels: dict[str, LevelTerms]
    prizes_cents: dict[str, int]
    """House jackpot: the posted prize by level."""
    display_falls: Literal["at-payment", "at-hit"]
    shows_contributions: Literal["at-start", "at-end"]
    order: Literal["seat-order", "full-to-each"]
    warnings: tuple[LinkWarningView, ...]
    funded_at: int
    changed_at: int
    meters: MetersView
    tables: tuple[str, ...]
    figures: dict[str, LevelFigures]
    promotions: dict[str, PromotionView]
    """By level of a retired progressive."""


def award_view(floor: Floor, award: Award) -> AwardView:
    """An award as it stands, with whether it still waits for surveillance's reference."""
    return AwardView(
        id=award.id, round=award.round, table=award.table, link=award.link, sensor=award.sensor, seat=award.seat,
        hand=award.hand, percent=award.percent, level=award.level, source=award.source, status=award.status,
        cents=award.cents, badge_role=award.badge_role, reference_missing=_reference_missing(floor, award),
        tray_short_cents=_tray_short(floor, award),
        pressed_at=award.pressed_at, pressed_by=award.pressed_by, hit_at=award.hit_at, order=award.order,
        meter_before_micros=award.meter_before_micros, envy_cents=award.envy, wagered=award.wagered,
        override=award.override,
        reference=award.reference, paid_at=award.paid_at, paid_by=award.paid_by, under_key=award.under_key,
        duties=_duties(floor, award),
    )  # fmt: skip


def _duties(floor: Floor, award: Award) -> PrizeDutiesView | None:
    """What the payment of an award brings with it; nothing before its amount is locked."""
    round_ = floor.rounds.get(award.round)
    taken = next((each for each in round_.taken if each.sensor == award.sensor), None) if round_ is not None else None
    if award.status == "pressed" or not award.wagered or taken is None:
        return None
    found = prize_duties(floor, award.cents, taken.wager, award.paid_at or floor.last_at)
    return duties_view(found) if found.is_any_due else None


def _reference_missing(floor: Floor, award: Award) -> bool:
    """Whether surveillance must verify the award and has not done so as it stands."""
    if award.cents <= settings.value(floor, "surveillance_threshold", floor.last_at):
        return False
    round_, table = floor.rounds.get(award.round), floor.tables.get(award.table)
    if round_ is None or table is None:
        return True
    return counting_reference(round_, table, award.id, award.hand, award.cents) is None


def _tray_short(floor: Floor, award: Award) -> int:
    """How much a tray lacks by the books for an award that it is to pay."""
    if award.source != "tray" or award.status == "paid":
        return 0
    return max(0, award.cents - max(0, whole_cents(Micros(floor.balances.get(account("tray", award.table), 0)))))


def recent_awards(floor: Floor) -> list[RecentAward]:
    """The last awards that were paid off each level, or from tray or house at each table, the oldest first."""
    found = [
        RecentAward(
            award=hit.award, link=id_.split("/", 1)[0], level=id_.split("/", 1)[1], table=hit.table,
            seat=hit.seat, hand=hit.hand, cents=hit.cents, source="meter", paid_at=hit.at,
            paid_by=hit.paid_by, envy_cents=hit.envy, backed_out_at=hit.backed_out_at,
        )
        for id_, level in floor.levels.items()
        for hit in level.recent
        if hit.award not in floor.awards
    ]  # fmt: skip
    found += [
        RecentAward(
            award=past.id, link=past.link, level=past.level, table=table, seat=past.seat, hand=past.hand,
            cents=past.cents, source=past.source, paid_at=past.paid_at, paid_by=past.paid_by, envy_cents=past.envy,
            backed_out_at=past.backed_out_at,
        )
        for table, paid in floor.paid.items()
        for past in paid.awards
    ]  # fmt: skip
    return sorted(found, key=lambda each: (each.paid_at, each.award))


def meters_view(floor: Floor, link: Link) -> MetersView:
    """What a link's signs show: each level's displayed amount and what lies behind it, and the awards that wait."""
    levels = {name: _level_meter(floor, link, name, amount) for name, amount in displayed(floor, link).items()}
    return MetersView(
        link=link.id, kind=link.kind, status=link.status, reason=link.status_reason, wager_cents=link.wager,
        levels=levels, pending=tuple(award_view(floor, award) for award in pending(floor, link.id)),
    )  # fmt: skip


def displayed_by_link(meters: Iterable[MetersView]) -> dict[str, dict[str, int]]:
    """What signs show, by link and level, in millionths of a dollar."""
    return {each.link: {name: level.displayed_micros for name, level in each.levels.items()} for each in meters}


def _level_meter(floor: Floor, link: Link, level: str, shown: int) -> LevelMeter:
    figures, parameters = floor.levels.get(f"{link.id}/{level}"), link.levels.get(level)
    meter, reserve, overflow, locked, seed = (
        floor.held(account(kind, link.id, level)) for kind in ("meter", "reserve", "overflow", "locked", "seed")
    )
    return LevelMeter(
        displayed_micros=shown, meter_micros=meter, reserve_micros=reserve, overflow_micros=overflow,
        locked_micros=locked, seed_micros=seed, limit_cents=parameters.limit if parameters else None,
        hits=figures.hits if figures else 0,
    )  # fmt: skip


def link_view(floor: Floor, link: Link) -> LinkView:
    """A link with its parameters, its meters, the tables on it, and the running figures of its levels."""
    terms = {
        name: LevelTerms(
            seed_cents=level.seed, contribution=level.contribution, reserve=level.reserve, limit_cents=level.limit,
            executive_from_cents=level.executive_from,
        )
        for name, level in link.levels.items()
    }  # fmt: skip
    return LinkView(
        id=link.id, kind=link.kind, status=link.status, status_reason=link.status_reason, version=link.version,
        paytable=link.paytable, readings=dict(link.readings), wager_cents=link.wager, decks=link.decks,
        fixed_pays=link.fixed_pays, fixed_supervisor_from_cents=link.fixed_supervisor_from, levels=terms,
        prizes_cents=dict(link.prizes), display_falls=link.display_falls,
        shows_contributions=link.shows_contributions, order=link.order,
        warnings=tuple(_warning(each) for each in link.warnings), funded_at=link.funded_at,
        changed_at=link.changed_at, meters=meters_view(floor, link),
        tables=tuple(sorted(table.id for table in floor.tables.values() if link.id in table.sensors.values())),
        figures={name: _figures(floor, link, name) for name in link.levels},
        promotions={name: _promotion(floor, link, name) for name in link.promotions},
    )  # fmt: skip


def _promotion(floor: Floor, link: Link, level: str) -> PromotionView:
    kept = link.promotions[level]
    return PromotionView(
        promotion=kept.name, put_aside_micros=kept.put_aside_micros,
        left_micros=floor.held(account("promotion", link.id, level)), since=kept.since, return_by=kept.return_by,
        ended_at=kept.ended_at or None,
    )  # fmt: skip


def _figures(floor: Floor, link: Link, level: str) -> LevelFigures:
    found = floor.levels.get(f"{link.id}/{level}")
    if found is None:
        return LevelFigures(generation=0, hits=0, wagered_micros=0, won_micros=0)
    return LevelFigures(
        generation=found.generation, hits=found.hits, wagered_micros=found.wagered_micros, won_micros=found.won_micros
    )


def _warning(found: LinkWarning) -> LinkWarningView:
    return LinkWarningView(code=found.code, level=found.level, message=found.message, clause=found.clause)
