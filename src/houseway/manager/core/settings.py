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
from typing import Any, Final

from houseway.cards.modes import NUMBERING, SIX_CARD_PACKETS, numbering_faults
from houseway.errors import Fault, InputError
from houseway.games import game_ids
from houseway.games.wager_limits import LICENCES, limits_on
from houseway.manager.core.badges import LOCK_MINUTES, LOCK_SETTING, TRIES, TRIES_SETTING
from houseway.manager.core.entities import DatedValue
from houseway.manager.core.floor import Floor
from houseway.manager.core.money import LARGEST_CENTS
from houseway.manager.core.overlay import State
from houseway.manager.core.presence import SIGN_IN_HOURS, SIGN_IN_SETTING
from houseway.reading.faults import Faults
from houseway.wording import suggestion

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

Check = Callable[[Faults, object, str], None]


@dataclass(frozen=True, slots=True)
class Default:
    """What holds where the property has entered nothing, and on which basis."""

    value: Any
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


def _always(value: object, basis: str) -> Callable[[str, date], Default]:
    return lambda _licence, _day: Default(value, basis)


TAX_CHANGE: Final = date(2026, 1, 1)
_NOTHING: Final = "no document names a number for this day and licence"
_RULES: Final = "card room rules of the state, as read for docs/compliance.md"
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
            "awards from this amount in cents need an executive's card where their level names no amount; none: none",
            _amount_or_none,
            _always(None, "the sheets leave the amount to the room"),
        ),
        Definition(
            "slip_seconds",
            "for so many seconds after START GAME the dealer alone may correct a wager that was missed or miscounted",
            _number(0, 600),
            _always(20, "our choice: the sheets say nothing of it"),
        ),
        Definition(
            SIGN_IN_SETTING,
            "a card that was read at a service counts for so many hours",
            _number(1, 24),
            _always(SIGN_IN_HOURS, "our choice: longer than any shift, shorter than a day"),
        ),
        Definition(
            TRIES_SETTING,
            "so many wrong badges within ten minutes close the reader of a device",
            _number(1, 20),
            _always(TRIES, "our choice: slips pass, guessing does not"),
        ),
        Definition(
            LOCK_SETTING,
            "a reader that was closed so takes no badge for so many minutes",
            _number(1, 60),
            _always(LOCK_MINUTES, "our choice: too long for guessing, short for a table"),
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
            "an aggregate limit is never below the highest wager times the odds, up to so many to 1",
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
            "until when a player may double down: the dealer's hand is shown, or the player's own hand is set",
            _one_of("dealer-shown", "hand-set"),
            _always("dealer-shown", "the sheet allows it on any hand after viewing and names no end"),
        ),
        Definition(
            "malfunction_report_hours",
            "a malfunction is reported to the commission within so many hours of being known",
            _number(1, 10_000),
            _always(72, _RULES),
        ),
        Definition(
            "deposit_days",
            "accruals of a progressive are deposited at least every so many days",
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
            "players' money of a progressive taken out of play goes back to players within so many days",
            _number(1, 3_660),
            _always(60, "from memory, not checked: enter what the rules in force say"),
        ),
        Definition(
            "large_prize_cents",
            "prizes from this amount in cents are paid by check, and hand and deck are kept",
            _amount,
            _always(3_000_00, "our choice: the surveillance threshold"),
        ),
        Definition(
            "large_prize_hours",
            "a large prize is paid within so many hours",
            _number(1, 10_000),
            _always(24, f"{_RULES}; a rule for player-supported jackpots, good practice here"),
        ),
        Definition(
            "retention_years",
            "records are kept so many years",
            _number(1, 100),
            _always(5, _STANDARD),
        ),
        Definition(
            "win_display_seconds",
            "a win is on the display within so many seconds",
            _number(1, 3_600),
            _always(30, _STANDARD),
        ),
        Definition(
            "stale_display_seconds",
            "a display without news for so many seconds says so",
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


def value(state: State, name: str, at: int) -> Any:
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


def in_force(floor: Floor, at: int) -> dict[str, dict[str, Any]]:
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
        return [Fault("unknown-setting", "name", f"{name[:40]!r} is no setting of the property: {hint}")]
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
    entered = [dated for dated in own.values if dated.since <= at] if own else []
    return entered[-1] if entered else None
