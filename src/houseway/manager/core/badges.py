"""Guessing badges: what counts as a wrong badge, what its bearer is told, and when a reader takes no more of them.

Every command that takes a badge is a way to guess one, not only the sign-in. So all of them are answered the same,
whether the badge is nobody's, of somebody off duty, without the role, or of a person who may not be the second one. Who
it was and why goes on record, and nowhere else.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from houseway.errors import Fault, InputError
from houseway.manager.core.authority import AUTHORITY, BADGE_FIELDS
from houseway.manager.core.command import AnyCommand, kind_of
from houseway.manager.core.floor import Floor

TRIES_SETTING: Final = "badge_tries"
"""The property's setting: so many wrong badges within `WINDOW` close the reader of a device."""
TRIES: Final = 5
LOCK_SETTING: Final = "badge_lock_minutes"
"""The property's setting: for so many minutes it then stays closed."""
LOCK_MINUTES: Final = 5
WINDOW: Final = 600_000_000
"""Microseconds within which wrong badges are counted together."""
MINUTE: Final = 60_000_000
DELAY_SECONDS: Final = 0.5
"""How long a wrong badge waits for its answer, and the next badge of the same device with it."""

NO_GUESS: Final = frozenset({"badge-not-asked", "own-device", "badge-unconfirmed"})
"""Refusals that only the badge of somebody on duty gets: told like every refused badge, as late, and yet no guess.

It came before it was asked for, its bearer took part in registering the device, or nobody has confirmed it yet.
"""
TELLS_NOTHING: Final = frozenset(
    {"badge-needed", "bad-message", "nothing-to-change", "dealer-elsewhere", "weak-token", "pin-needed", "pin-ended"}
)
"""Faults about a badge that say nothing about whose it is, or that only its rightful bearer gets to hear."""
_TOLD: Final = (
    "this badge is not accepted here: it must belong to somebody on duty who has the role asked for, does not take "
    "part already, and has not registered this device, or the table's controller, in the shift that still lasts; a new "
    "badge must have been confirmed by a third person"
)
_TOLD_OF_NEW: Final = "; a new badge must be one that nobody has"
_OF_PINS: Final = frozenset({"pin-wrong", "pin-locked"})
_TOLD_WITH_PIN: Final = (
    "this badge is not accepted with this PIN: one of them is wrong, or too many wrong ones have locked the PIN for a "
    "while; two people reset a PIN that is forgotten"
)
_TOLD_AT_SWIPE: Final = (
    "this badge is not accepted now: a dealer's badge signs a dealer in, a new one once a third person has confirmed "
    "it; for anything else press the key first; the display then says whose badge"
)


@cache
def _fields_of(command: type[AnyCommand]) -> tuple[str, ...]:
    """The fields of a command that hold a token."""
    return tuple(name for name in (*BADGE_FIELDS, "secret", "session", "pin") if name in command.__struct_fields__)


def shows_token(command: AnyCommand) -> bool:
    """Whether a command holds a badge or a secret, by which somebody could learn whether it is one."""
    return any(getattr(command, name) is not None for name in _fields_of(type(command)))


def address_of(command: AnyCommand) -> str | None:
    """Where a badge was shown that a service passes on from the network; None at a reader."""
    address = getattr(command, "address", None)
    return address if isinstance(address, str) and address else None


def is_about_card(fault: Fault) -> bool:
    """Whether a fault says something about whose badge was shown."""
    return fault.path.rpartition(".")[2] in BADGE_FIELDS and fault.code not in TELLS_NOTHING


def is_refused_badge(error: InputError) -> bool:
    """Whether a refusal is about whose badge was shown, so that its bearer hears the one answer to all of them."""
    return any(map(is_about_card, error.faults))


def is_wrong_badge(command: AnyCommand, error: InputError) -> bool:
    """Whether a refusal counts as a try at a badge.

    A used key with another badge is one too: the right badge would be answered as a repeat. Where the key was used for
    a command of another kind nobody has looked at the badge, and no badge would be answered.
    """
    if any(is_about_card(fault) and fault.code not in NO_GUESS for fault in error.faults):
        return True
    return shows_token(command) and any(map(_tells_of_token, error.faults))


def _tells_of_token(fault: Fault) -> bool:
    """Whether a fault depends on the badge or secret that was shown, though it does not name it."""
    return fault.code == "secret-taken" or (fault.code == "key-reused" and fault.path == "do")


def told(command: AnyCommand, error: InputError) -> InputError:
    """The refusal as the bearer hears it: for each command one answer to everything that is wrong with a badge."""
    if not is_refused_badge(error):
        return error
    if kind_of(command) == "dealer.in":
        return InputError.of("badge-refused", "badge", _TOLD_AT_SWIPE)
    if any(fault.code in _OF_PINS for fault in error.faults):
        return InputError.of("badge-refused", "badge", _TOLD_WITH_PIN)
    authority = AUTHORITY.get(type(command))
    gives_new = authority is not None and "new" in authority.badges.values()
    return InputError.of("badge-refused", "badge", _TOLD + (_TOLD_OF_NEW if gives_new else ""))


def tries_allowed(floor: Floor, now: int) -> int:
    """How many wrong badges close a reader."""
    return floor.number_at(TRIES_SETTING, now, TRIES)


def lock_micros(floor: Floor, now: int) -> int:
    """For how long."""
    return floor.number_at(LOCK_SETTING, now, LOCK_MINUTES) * MINUTE


def locked(until: int, now: int, clock: str, *, at_table: bool) -> InputError:
    """The refusal of a badge while the reader is closed, whosever it is, with what to do instead.

    `clock` is what the property's clocks show when it opens again.
    """
    left = max(1, -(-(until - now) // 1_000_000))
    instead = (
        "The round in play goes on without one; what needs a badge now is done at a desk, by somebody signed in there"
        if at_table
        else "Wait until then, or use another desk or the reader at a table"
    )
    message = (
        f"too many wrong badges were shown here: no badge is taken before {clock} (for another {left // 60} min "
        f"{left % 60} s). {instead}"
    )
    return InputError.of("badges-locked", "badge", message)
