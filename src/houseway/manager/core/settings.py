"""The settings of the property: a closed list of names, what a value may be, and what holds where nothing was entered.

Every number that a rule of the state, a tax rule or a sheet names is a setting with dates here, never a constant. A
property enters its own values by proposal and approval (`change.propose`); until then the default of the date and the
licence holds, and `basis` says what it rests on. Dates are UTC days.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Final, Literal, TypedDict, overload
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from houseway.amounts import Cents
from houseway.cards.modes import NUMBERING, SIX_CARD_PACKETS, numbering_faults
from houseway.errors import Fault, InputError
from houseway.games import game_ids
from houseway.games.wager_limits import LICENCES, limits_on
from houseway.manager.core import pins
from houseway.manager.core.badges import LOCK_MINUTES, LOCK_SETTING, TRIES, TRIES_SETTING
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import DatedValue
from houseway.manager.core.money import LARGEST_CENTS
from houseway.manager.core.overlay import State
from houseway.manager.core.presence import SIGN_IN_HOURS, SIGN_IN_SETTING
from houseway.reading.faults import Faults
from houseway.reading.json_values import Json
from houseway.wording import suggestion

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

Check = Callable[[Faults, object, str], None]


@dataclass(frozen=True, slots=True)
class Default:
    """What holds where the property has entered nothing, and on which basis."""

    value: Json
    basis: str


class SettingInForce(TypedDict):
    """A setting as people and reports see it."""

    value: Json
    meaning: str
    basis: str


@dataclass(frozen=True, slots=True)
class Definition:
    """One setting: its name, what it means, what a value may be, and its default by licence and day."""

    name: str
    meaning: str
    check: Check
    default: Callable[[str, date], Default]


def _amount(faults: Faults, value: object, path: str) -> None:
    faults.integer(value, path, 1, LARGEST_CENTS)


def _amount_or_none(faults: Faults, value: object, path: str) -> None:
    if value is not None:
        _amount(faults, value, path)


def _number(least: int, most: int) -> Check:
    def check(faults: Faults, value: object, path: str) -> None:
        faults.integer(value, path, least, most)

    return check


def _one_of(*choices: str) -> Check:
    def check(faults: Faults, value: object, path: str) -> None:
        faults.choice(value, choices, path, "bad-value")

    return check


def _number_or_none(least: int, most: int) -> Check:
    def check(faults: Faults, value: object, path: str) -> None:
        if value is not None:
            faults.integer(value, path, least, most)

    return check


def _spots(faults: Faults, value: object, path: str) -> None:
    """Games with the most spots that are dealt face up."""
    given = faults.mapping(value, path)
    faults.keys(given, game_ids(), path)
    for name, spots in given.items():
        faults.integer(spots, f"{path}.{name}", 1, 7)


def _numbering(faults: Faults, value: object, path: str) -> None:
    """The place of every position of a table with six seats, each once."""
    places = [faults.integer(item, f"{path}[{index}]", 0, 6) for index, item in enumerate(faults.sequence(value, path))]
    found = [place for place in places if place is not None]
    if isinstance(value, list) and len(found) == len(value):
        for fault in numbering_faults(SIX_CARD_PACKETS, found, path):
            faults.note(fault)


def _zone(faults: Faults, value: object, path: str) -> None:
    """The name of a time zone that this machine knows."""
    try:
        known = isinstance(value, str) and "/" in value and bool(ZoneInfo(value).key)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        known = False
    if not known:
        faults.add("bad-value", path, f"{str(value)[:40]!r} is not a time zone: write one as America/Los_Angeles")


def _highest_wager(licence: str, day: date) -> Default:
    limits = limits_on(day, licence)
    return Default(limits.highest_wager, "; ".join(limits.basis) or _NOTHING)


def _separate_games(licence: str, day: date) -> Default:
    limits = limits_on(day, licence)
    return Default(limits.separate_games, "; ".join(limits.basis) or _NOTHING)


def _tax_form(_licence: str, day: date) -> Default:
    if day < TAX_CHANGE:
        return Default(600_00, "federal instructions for gambling winnings before 2026")
    return Default(2_000_00, "draft federal instructions for 2026")


def _always(value: Json, basis: str) -> Callable[[str, date], Default]:
    default = Default(value, basis)
    return lambda _licence, _day: default


TAX_CHANGE: Final = date(2026, 1, 1)
_NOTHING: Final = "no document names a number for this day and licence"
_RULES: Final = "card room rules of the state, as read for docs/compliance.md"
_AS_PRINTED: Final = "the sheets ask for a badge and no more"
_STANDARD: Final = "usual standards for progressive controllers, as read for docs/compliance.md"

DEFINITIONS: Final[dict[str, Definition]] = {
    definition.name: definition
    for definition in (
        Definition(
            "highest_wager",
            "the highest single wager in cents; none: the documents name none for this licence",
            _amount_or_none,
            _highest_wager,
        ),
        Definition(
            "separate_games",
            "on how many separate games a player may bet in one hand; none: no number is set",
            _number_or_none(1, 20),
            _separate_games,
        ),
        Definition(
            "surveillance_threshold",
            "payouts above this amount in cents need a surveillance reference before they are paid",
            _amount,
            _always(3_000_00, _RULES),
        ),
        Definition(
            "executive_from",
            "awards from this amount in cents need an executive's badge where their level names no amount; none: none",
            _amount_or_none,
            _always(None, "the sheets leave the amount to the room"),
        ),
        Definition(
            "slip_seconds",
            "for how many seconds after START GAME the dealer alone may correct a wager that was missed or miscounted",
            _number(0, 600),
            _always(20, "our choice: the sheets say nothing of it"),
        ),
        Definition(
            "count_reason_above",
            "a count of tray or drop further than this amount in cents from the books needs a reason",
            _amount,
            _always(10_000_00, "our choice: more than a table wins or loses on most days, less than a digit too many"),
        ),
        Definition(
            SIGN_IN_SETTING,
            "for how many hours a badge read at a service counts",
            _number(1, 24),
            _always(SIGN_IN_HOURS, "our choice: longer than any shift, shorter than a day"),
        ),
        Definition(
            TRIES_SETTING,
            "how many wrong badges within ten minutes close a device's reader",
            _number(1, 20),
            _always(TRIES, "our choice: slips pass, guessing does not"),
        ),
        Definition(
            LOCK_SETTING,
            "for how many minutes such a closed reader takes no badge",
            _number(1, 60),
            _always(LOCK_MINUTES, "our choice: too long for guessing, short for a table"),
        ),
        Definition(
            pins.AT_SIGN_IN,
            "whether a sign-in at a service asks for the PIN beside the badge: `on` or `off`",
            _one_of("on", "off"),
            _always("off", _AS_PRINTED),
        ),
        Definition(
            pins.AT_PAY,
            "whether PAY JACKPOT asks for the PIN beside the badge that pays: `on` or `off`",
            _one_of("on", "off"),
            _always("off", _AS_PRINTED),
        ),
        Definition(
            pins.SECOND_FROM,
            "from which amount in cents on a second person's badge comes with a PIN; changes, and registering people "
            "or devices, ask for one as soon as any setting does; none: never",
            _amount_or_none,
            _always(None, _AS_PRINTED),
        ),
        Definition(
            pins.DIGITS_SETTING,
            "how many digits a new PIN has at least",
            _number(4, 12),
            _always(pins.DIGITS, "our choice: with the lock, too many to guess"),
        ),
        Definition(
            pins.TRIES_SETTING,
            "how many wrong PINs in a row lock a PIN, wherever they are tried",
            _number(1, 10),
            _always(pins.TRIES, "our choice: slips pass, guessing does not"),
        ),
        Definition(
            pins.LOCK_SETTING,
            "for how many minutes a PIN is locked then; two people reset it sooner",
            _number(1, 1_440),
            _always(pins.LOCK_MINUTES, "our choice: a month of guessing tries less than one PIN in a hundred"),
        ),
        Definition(
            pins.DAYS_SETTING,
            "after how many days a PIN must be set again; none: it holds until it is changed",
            _number_or_none(1, 3_660),
            _always(None, "our choice: PINs that change often are written down"),
        ),
        Definition(
            pins.HOURS_SETTING,
            "for how many hours after a badge was given or a PIN reset its bearer may set one by the badge alone",
            _number(1, 168),
            _always(pins.HOURS, "our choice: the next shift"),
        ),
        Definition(
            "tax_form_cents",
            "a tax form is due from winnings of this amount in cents",
            _amount,
            _tax_form,
        ),
        Definition(
            "tax_form_multiple",
            "a tax form is due only if the winnings are at least this many times the wager",
            _number(1, 100_000),
            _always(300, "federal instructions for gambling winnings"),
        ),
        Definition(
            "withholding_above",
            "tax is withheld from winnings above this amount in cents",
            _amount,
            _always(5_000_00, "federal instructions for gambling winnings"),
        ),
        Definition(
            "withholding_percent",
            "how much of such winnings is withheld, in percent",
            _number(0, 100),
            _always(24, "federal instructions for gambling winnings"),
        ),
        Definition(
            "largest_contribution",
            "a single contribution to a level above this amount in cents is unreasonable and is refused",
            _amount,
            _always(1_000_00, "our choice, far above any round: the standards ask for a threshold and name no number"),
        ),
        Definition(
            "rarest_jackpot",
            "no jackpot may be rarer than one in this many hands",
            _number(1, 10**12),
            _always(100_000_000, _STANDARD),
        ),
        Definition(
            "aggregate_odds",
            "an aggregate limit is never below the highest wager times the odds, up to this many to 1",
            _number(1, 100_000),
            _always(50, _RULES),
        ),
        Definition(
            "face_up_spots",
            "the most spots that are dealt face up, by game; a game that is not named has no number",
            _spots,
            _always({}, "report attached to the letter of July 7, 2020: it names no number for the games dealt here"),
        ),
        Definition(
            "position_numbering",
            "which place each number of the shuffler's display means, from 1 on: 0 the dealer, else a seat",
            _numbering,
            _always(list(NUMBERING), "usual numbering; the sheet says that it can change from casino to casino"),
        ),
        Definition(
            "double_down_until",
            "until when a player may raise by choice: the dealer's hand is shown, or the player's own hand is set",
            _one_of("dealer-shown", "hand-set"),
            _always("dealer-shown", "the sheet allows it on any hand after viewing and names no end"),
        ),
        Definition(
            "malfunction_report_hours",
            "within how many hours of becoming known a malfunction is reported to the commission",
            _number(1, 10_000),
            _always(72, _RULES),
        ),
        Definition(
            "deposit_days",
            "at least every how many days the accruals of a progressive are deposited",
            _number(1, 366),
            _always(7, _RULES),
        ),
        Definition(
            "short_account",
            "what follows when the bank account of a progressive is short for longer than that: `stop` or `warn`",
            _one_of("stop", "warn"),
            _always("stop", _RULES),
        ),
        Definition(
            "retirement_days",
            "within how many days the players' money of a progressive taken out of play goes back to players",
            _number(1, 3_660),
            _always(60, "from memory, not checked: enter what the rules in force say"),
        ),
        Definition(
            "retirement_reminder_days",
            "from how many days before that time on somebody is reminded of money that a promotion has not given back",
            _number(1, 3_660),
            _always(14, "our choice: time enough to hold a drawing"),
        ),
        Definition(
            "large_prize_cents",
            "prizes from this amount in cents are paid by check, and hand and deck are kept",
            _amount,
            _always(3_000_00, "our choice: the surveillance threshold"),
        ),
        Definition(
            "large_prize_hours",
            "within how many hours a large prize is paid",
            _number(1, 10_000),
            _always(24, f"{_RULES}; a rule for player-supported jackpots, good practice here"),
        ),
        Definition(
            "hand_kept_days",
            "for how many days the hand and the deck of a large prize are kept",
            _number(1, 3_660),
            _always(7, "our choice: the rules read here say that they are kept, and not for how long"),
        ),
        Definition(
            "time_zone",
            "the time zone of the property, by whose clocks gaming days begin, as in America/Los_Angeles",
            _zone,
            _always("America/Los_Angeles", "the zone of the state whose sheets these are"),
        ),
        Definition(
            "cut_off_hour",
            "the hour of the property's clocks at which a gaming day ends and the next one begins",
            _number(0, 23),
            _always(6, "our choice: the sheets name none"),
        ),
        Definition(
            "retention_years",
            "how many years records are kept",
            _number(1, 100),
            _always(5, _STANDARD),
        ),
        Definition(
            "win_display_seconds",
            "within how many seconds a win is on the display",
            _number(1, 3_600),
            _always(30, _STANDARD),
        ),
        Definition(
            "stale_display_seconds",
            "after how many seconds without news a display says so",
            _number(1, 3_600),
            _always(5, _STANDARD),
        ),
    )
}  # fmt: skip


def day_of(at: int) -> date:
    """The UTC day of a time in microseconds since 1970.

    >>> day_of(1_690_848_000_000_000)
    datetime.date(2023, 8, 1)
    """
    return _day(at // _MICROS_A_DAY)


@lru_cache(maxsize=64)
def _day(number: int) -> date:
    """The day so many days after the first; kept, since every round asks for the day's settings several times."""
    return EPOCH.date() + timedelta(days=number)


_MICROS_A_DAY: Final = 86_400_000_000


def micros_of_day(day: date) -> int:
    """The first microsecond of a UTC day.

    >>> micros_of_day(date(2023, 8, 1))
    1690848000000000
    """
    return (day - EPOCH.date()).days * 86_400_000_000


Amount = Literal[
    "surveillance_threshold", "tax_form_cents", "withholding_above", "largest_contribution", "large_prize_cents",
    "count_reason_above",
]  # fmt: skip
AmountOrNone = Literal["highest_wager", "executive_from", "pin_second_from"]
Number = Literal[
    "slip_seconds", "sign_in_hours", "badge_tries", "badge_lock_minutes", "tax_form_multiple", "rarest_jackpot",
    "aggregate_odds", "malfunction_report_hours", "deposit_days", "retirement_days", "retirement_reminder_days",
    "large_prize_hours", "retention_years", "win_display_seconds", "stale_display_seconds", "cut_off_hour",
    "pin_digits", "pin_tries", "pin_lock_minutes", "pin_set_hours", "withholding_percent", "hand_kept_days",
]  # fmt: skip
Word = Literal["double_down_until", "short_account", "time_zone", "pin_at_sign_in", "pin_at_pay"]


@overload
def value(state: State, name: Amount, at: int) -> Cents: ...
@overload
def value(state: State, name: AmountOrNone, at: int) -> Cents | None: ...
@overload
def value(state: State, name: Number, at: int) -> int: ...
@overload
def value(state: State, name: Literal["separate_games", "pin_days"], at: int) -> int | None: ...
@overload
def value(state: State, name: Word, at: int) -> str: ...
@overload
def value(state: State, name: Literal["face_up_spots"], at: int) -> dict[str, int]: ...
@overload
def value(state: State, name: Literal["position_numbering"], at: int) -> list[int]: ...
@overload
def value(state: State, name: str, at: int) -> Json: ...
def value(state: State, name: str, at: int) -> Json:
    """What holds at a time: the property's own value, else the default of the day and the licence.

    KeyError where the code asks for a name that is not on the list.
    """
    definition = DEFINITIONS[name]
    own = _entered(state, name, at)
    return own.value if own else definition.default(licence_of(state), day_of(at)).value


def basis(state: State, name: str, at: int) -> str:
    """What the value at a time rests on, in words."""
    definition = DEFINITIONS[name]
    own = _entered(state, name, at)
    if own is None:
        return definition.default(licence_of(state), day_of(at)).basis
    approved = f", approved by {own.approved_by}" if own.approved_by else ""
    return f"entered by {own.by}{approved}: {own.reason}"


def in_force(floor: Floor, at: int) -> dict[str, SettingInForce]:
    """All settings at a time with meaning and basis, for people and reports."""
    return {
        name: {"value": value(floor, name, at), "meaning": definition.meaning, "basis": basis(floor, name, at)}
        for name, definition in DEFINITIONS.items()
    }


def check_setting(name: str, proposed: object) -> list[Fault]:
    """The faults of a proposed value: an unknown name, or a value that the setting cannot have."""
    definition = DEFINITIONS.get(name)
    if definition is None:
        hint = suggestion(name[:40], DEFINITIONS)
        return [Fault("unknown-setting", "name", f"{name[:40]!r} is not a setting of the property: {hint}")]
    faults = Faults()
    definition.check(faults, proposed, "value")
    return found_in(faults)


def found_in(faults: Faults) -> list[Fault]:
    """The faults gathered so far, as a list."""
    try:
        faults.refuse_if_any()
    except InputError as error:
        return list(error.faults)
    return []


def licence_of(state: State) -> str:
    """The licence type of the property; before there is one, a commercial room's."""
    found = state.properties.get("property")
    return found.licence if found else LICENCES[0]


def _entered(state: State, name: str, at: int) -> DatedValue | None:
    """The property's own value at a time, if it entered one by then."""
    own = state.settings.get(name)
    if own is None:
        return None
    entered = [dated for dated in own.values if dated.since <= at]
    return entered[-1] if entered else None
