"""Slips as others see them: numbers, prints, voids, and what a prize brings with it."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import asdict

from houseway.manager.core import settings
from houseway.manager.core.floor import Floor
from houseway.manager.core.slip_entities import FormEntry, HandOver, PrizeDuties, Slip, SlipPrint, SlipVoid
from houseway.manager.core.slip_marks import marks_of
from houseway.manager.views.view_base import FloorView

SlipKindName = Literal["win", "fill", "credit", "opener", "closer", "round"]


class SlipPrintView(FloorView, frozen=True, kw_only=True):
    """A print: who asked for it, when, which copy, and how the paper was marked."""

    copy: Literal["original", "duplicate"]
    by: str
    at: int
    reprint: int
    """0 for the first print of the copy; after it the reprints are counted."""
    reason: str
    marks: tuple[str, ...]


class SlipVoidView(FloorView, frozen=True, kw_only=True):
    """Why a slip does not count."""

    by: str
    second: str
    at: int
    reason: str
    replaced_by: str | None


class PrizeDutiesView(FloorView, frozen=True, kw_only=True):
    """What the payment of a prize brings with it, with the thresholds and the day on which they were looked up."""

    day: str
    """The UTC day by which the settings were taken."""
    wager_cents: int
    form_from_cents: int
    form_multiple: int
    form: bool
    """Whether a tax form is due."""
    withholding_above_cents: int
    withholding_percent: int
    withheld_cents: int
    """What is to be withheld; 0 where nothing is."""
    check_from_cents: int
    check: bool
    """Whether it is a large prize: paid by check, the hand and the deck kept."""
    check_by_at: int | None
    """Until when a large prize is handed over."""
    kept_until_at: int | None
    """Until when the hand and the deck of a large prize are kept."""


class HandOverView(FloorView, frozen=True, kw_only=True):
    """How a prize came into its winner's hands."""

    method: Literal["chips", "cash", "check"]
    by: str
    second: str
    at: int
    reference: str
    """The number of the check."""
    booth: str
    form: str
    """The reference of the tax form; never a tax number."""
    withheld_cents: int
    deck_count: int | None
    override: str


class FormEntryView(FloorView, frozen=True, kw_only=True):
    """A round that was finished on a paper form and entered later, by two people."""

    form: str
    round: str
    ended_at: int
    """The time on the paper."""
    by: str
    second: str
    at: int
    """When it was entered."""


class SlipView(FloorView, frozen=True, kw_only=True):
    """A slip: the paper of a paid award, of chips brought or taken away, or of a tray as its table opens or closes."""

    id: str
    kind: SlipKindName
    table: str
    game: str
    cents: int
    by: str
    second: str
    at: int
    chips: dict[str, int]
    """How many chips of each value in cents."""
    dealer: str
    shift: str
    deck: str
    award: str | None
    duties: PrizeDutiesView | None
    prints: tuple[SlipPrintView, ...]
    void: SlipVoidView | None
    handed: HandOverView | None
    """How the prize was handed over; null before, and for slips of other kinds."""
    entered: FormEntryView | None
    """The round that was entered from a form; null before, and for slips of other kinds."""


class HouseView(FloorView, frozen=True, kw_only=True):
    """Whose paper it is."""

    name: str
    licence: Literal["commercial", "tribal"]
    zone: str
    """The time zone of the property, by which times are printed."""


def slip_view(floor: Floor, slip: Slip) -> SlipView:
    """A slip as it stands."""
    table = floor.tables.get(slip.table)
    return SlipView(
        id=slip.id, kind=slip.kind, table=slip.table, game="" if table is None else table.game, cents=slip.cents,
        by=slip.by, second=slip.second, at=slip.at,
        chips=dict(sorted(slip.chips.items(), key=lambda each: -int(each[0]))), dealer=slip.dealer, shift=slip.shift,
        deck=slip.deck, award=slip.award or None, duties=None if slip.duties is None else duties_view(slip.duties),
        prints=tuple(_print(slip, each) for each in slip.prints),
        void=None if slip.void is None else _void(slip.void),
        handed=None if slip.handed is None else _handed(slip.handed),
        entered=None if slip.entered is None else entry_view(slip.entered),
    )  # fmt: skip


def entry_view(entry: FormEntry) -> FormEntryView:
    """What was entered from a form."""
    return FormEntryView(**asdict(entry))


def house_view(floor: Floor) -> HouseView:
    """The property, as it stands on its papers."""
    found = floor.properties["property"]
    return HouseView(name=found.name, licence=found.licence, zone=settings.value(floor, "time_zone", floor.last_at))


def names_of(floor: Floor, *ids: str | None) -> dict[str, str]:
    """The names of people by their ids; devices and whoever is not on the list have none."""
    return {id_: floor.people[id_].name for id_ in ids if id_ in floor.people}


def people_of(floor: Floor, slip: Slip) -> dict[str, str]:
    """The names of all who are named on a slip."""
    ids = [slip.by, slip.second, slip.dealer, *(each.by for each in slip.prints)]
    if slip.void is not None:
        ids += [slip.void.by, slip.void.second]
    if slip.handed is not None:
        ids += [slip.handed.by, slip.handed.second]
    if slip.entered is not None:
        ids += [slip.entered.by, slip.entered.second]
    return names_of(floor, *ids)


def duties_view(found: PrizeDuties) -> PrizeDutiesView:
    """What a prize brings with it."""
    return PrizeDutiesView(
        day=found.day, wager_cents=found.wager, form_from_cents=found.form_from, form_multiple=found.form_multiple,
        form=found.form, withholding_above_cents=found.withholding_above,
        withholding_percent=found.withholding_percent, withheld_cents=found.withheld,
        check_from_cents=found.check_from, check=found.check, check_by_at=found.check_by,
        kept_until_at=found.kept_until,
    )  # fmt: skip


def _print(slip: Slip, found: SlipPrint) -> SlipPrintView:
    # A paper that was printed before the slip was voided does not say VOID.
    is_void = slip.void is not None and slip.void.at <= found.at
    return SlipPrintView(
        copy=found.copy, by=found.by, at=found.at, reprint=found.reprint, reason=found.reason,
        marks=marks_of(is_void, found),
    )  # fmt: skip


def _void(found: SlipVoid) -> SlipVoidView:
    return SlipVoidView(
        by=found.by, second=found.second, at=found.at, reason=found.reason, replaced_by=found.replaced_by or None
    )


def _handed(found: HandOver) -> HandOverView:
    return HandOverView(
        method=found.method, by=found.by, second=found.second, at=found.at, reference=found.reference,
        booth=found.booth, form=found.form, withheld_cents=found.withheld, deck_count=found.deck_count,
        override=found.override,
    )  # fmt: skip
