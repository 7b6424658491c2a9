"""PINs: where one is asked for beside a badge, how long it must be, when it is locked and when it ends.

All of that is settings of the property; as they come, no PIN is asked for anywhere, and procedures are as the sheets
print them. A command says by `Envelope.proved` for which of its badges the edge has compared the PIN: whether one was
needed is decided here, with everything else, by whoever decides on the command. Whether it is asked for never depends
on whose badge it is, so that nobody learns anything by leaving it out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from houseway.errors import InputError
from houseway.manager.core.command import AnyCommand, kind_of
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Person, PinRecord

if TYPE_CHECKING:
    from houseway.manager.core.authority import Authority
    from houseway.manager.core.engine import Envelope

DIGITS_SETTING: Final = "pin_digits"
"""The property's setting: so many digits a new PIN has at least."""
DIGITS: Final = 6
TRIES_SETTING: Final = "pin_tries"
"""The property's setting: so many wrong PINs in a row lock the PIN, wherever they were tried."""
TRIES: Final = 5
LOCK_SETTING: Final = "pin_lock_minutes"
"""The property's setting: for so many minutes."""
LOCK_MINUTES: Final = 30
DAYS_SETTING: Final = "pin_days"
"""The property's setting: after so many days a PIN must be set again; none: never."""
HOURS_SETTING: Final = "pin_set_hours"
"""The property's setting: for so many hours after two people gave a badge, or reset a PIN, its bearer sets one."""
HOURS: Final = 24
AT_SIGN_IN: Final = "pin_at_sign_in"
"""The property's setting: whether a sign-in at a service asks for a PIN."""
AT_PAY: Final = "pin_at_pay"
"""The property's setting: whether the badge that pays a jackpot comes with a PIN."""
SECOND_FROM: Final = "pin_second_from"
"""The property's setting: from which amount on a second person's badge comes with a PIN; none: never."""
BESIDE: Final = "\x1f"
"""Stands between a badge and the PIN that comes with it; neither holds one."""
WORTH_ANYTHING: Final = frozenset(
    {"change.approve", "person.add", "person.change", "person.confirm", "device.add", "system.clock", "system.recovery"}
)
"""Changes, who may act and from where, the time and the lost events: they ask for the PIN of everybody who signs, as
soon as any setting asks for one. With a badge alone, whoever found it would end that setting, make the very person who
has badge and PIN, or set the clock to a day on which no setting asks."""
MINUTE: Final = 60_000_000
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR
KIND: Final = "$argon2id$"
"""How a kept PIN begins."""


def beside(badge: str, pin: str) -> str:
    """A badge and its PIN as one text, as they are sent."""
    return f"{badge}{BESIDE}{pin}"


def check_pins(floor: Floor, envelope: Envelope, authority: Authority, now: int) -> None:
    """Refuse a command with a badge whose PIN is asked for and did not come; not at the machine of the database."""
    if envelope.device is None:
        return
    for name in asked_fields(floor, envelope.do, authority, now):
        if name not in envelope.proved:
            message = f"{kind_of(envelope.do)} asks for the PIN that goes with this badge: give both"
            raise InputError.of("pin-needed", name, message)


def asked_fields(floor: Floor, do: AnyCommand, authority: Authority, now: int) -> list[str]:
    """The badges of a command with which a PIN must come."""
    shown = [name for name, use in authority.badges.items() if use != "new" and getattr(do, name) is not None]
    if not shown:
        return []
    kind = kind_of(do)
    if kind == "person.sign-in":
        return shown if floor.setting_at(AT_SIGN_IN, now) == "on" else []
    if kind == "jackpot.pay" and floor.setting_at(AT_PAY, now) == "on":
        return shown
    seconds = [name for name in shown if authority.badges[name] in ("second", "first", "confirmed")]
    if kind in WORTH_ANYTHING:
        return seconds if is_asked_anywhere(floor, now) else []
    least = floor.setting_at(SECOND_FROM, now)
    return seconds if isinstance(least, int) and seconds and amount_of(floor, do) >= least else []


def amount_of(floor: Floor, do: AnyCommand) -> int:
    """The cents that a command moves."""
    opening = getattr(do, "opening", None)
    if isinstance(opening, dict):
        return sum(cents for level in opening.values() for cents in level.values())
    award = floor.awards.get(getattr(do, "award", ""))
    if award is not None:
        return award.cents
    amounts = (getattr(do, name, 0) for name in ("cents", "float_cents", "tray_cents", "drop_cents"))
    return sum(amount for amount in amounts if isinstance(amount, int))


def is_asked_anywhere(floor: Floor, now: int) -> bool:
    """Whether any setting asks for a PIN."""
    on = "on" in (floor.setting_at(AT_SIGN_IN, now), floor.setting_at(AT_PAY, now))
    return on or isinstance(floor.setting_at(SECOND_FROM, now), int)


def may_set_first(floor: Floor, person: Person, now: int) -> bool:
    """Whether the bearer of a badge may set a first PIN by the badge alone.

    Either nothing asks for PINs, so that the badge is all there is anyway, or two people have opened the time for it.
    """
    return not is_asked_anywhere(floor, now) or now < person.pin_open_until


def open_until(floor: Floor, now: int) -> int:
    """Until when a first PIN may be set, from now on."""
    return now + floor.number_at(HOURS_SETTING, now, HOURS) * HOUR


def is_locked(floor: Floor, kept: PinRecord, now: int) -> bool:
    """Whether a PIN is locked; a time that a clock which was ahead has set does not count."""
    return 0 < kept.locked_until - now <= floor.number_at(LOCK_SETTING, now, LOCK_MINUTES) * MINUTE


def has_ended(floor: Floor, kept: PinRecord, now: int) -> bool:
    """Whether a PIN must be set again."""
    days = floor.setting_at(DAYS_SETTING, now)
    return isinstance(days, int) and now - kept.set_at >= days * DAY


def after_try(floor: Floor, kept: PinRecord, *, right: bool, now: int) -> PinRecord:
    """A kept PIN after somebody tried it: wrong ones in a row lock it, a right one forgets them."""
    if right:
        return PinRecord(kept.hash, kept.set_at)
    wrong = kept.wrong + 1
    if wrong < floor.number_at(TRIES_SETTING, now, TRIES):
        return PinRecord(kept.hash, kept.set_at, wrong, kept.locked_until)
    until = now + floor.number_at(LOCK_SETTING, now, LOCK_MINUTES) * MINUTE
    return PinRecord(kept.hash, kept.set_at, 0, until)
