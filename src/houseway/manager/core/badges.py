"""Guessing badges: what counts as a wrong badge, what its bearer is told, and when a reader takes no more of them.

Every command that takes a card is a way to guess one, not only the sign-in. So all of them are answered the same,
whether the card is nobody's, of somebody off duty, without the role, or of a person who may not be the second one. Who
it was and why goes on record, and nowhere else.
"""

from __future__ import annotations

from typing import Any, Final

from houseway.errors import Fault, InputError
from houseway.manager.core.authority import AUTHORITY, CARD_FIELDS
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

NOT_ASKED: Final = "card-not-asked"
"""The card of somebody on duty came before it was asked for: told like every refused card, and yet no guess."""
TELLS_NOTHING: Final = frozenset(
    {"card-needed", "bad-message", "nothing-to-change", "dealer-elsewhere", "weak-token", NOT_ASKED}
)
"""Faults about a card that say nothing about whose it is, or that only its rightful bearer gets to hear."""
_TOLD: Final = (
    "this card is not accepted here: it must be of somebody on duty with the role that is asked for, and of another "
    "person than those who take part already"
)
_TOLD_OF_NEW: Final = "; a new card must be one that nobody has"
_TOLD_AT_SWIPE: Final = (
    "this card is not taken now: a dealer's card signs a dealer in; for anything else press the key first, the display "
    "then says whose card"
)


def carries_card(command: Any) -> bool:
    """Whether a command shows a card."""
    return any(getattr(command, name, None) is not None for name in CARD_FIELDS)


def shows_token(command: Any) -> bool:
    """Whether a command holds a card or a secret, by which somebody could learn whether it is one."""
    return carries_card(command) or any(getattr(command, name, None) is not None for name in ("secret", "session"))


def is_about_card(fault: Fault) -> bool:
    """Whether a fault says something about whose card was shown."""
    return fault.path.rpartition(".")[2] in CARD_FIELDS and fault.code not in TELLS_NOTHING


def is_wrong_badge(command: Any, error: InputError) -> bool:
    """Whether a refusal counts as a try at a badge.

    A used key with another card is one too: the right card would be answered as a repeat. Where the key was used for
    a command of another kind nobody has looked at the card, and no card would be answered.
    """
    if any(map(is_about_card, error.faults)):
        return True
    return shows_token(command) and any(map(_tells_of_token, error.faults))


def _tells_of_token(fault: Fault) -> bool:
    """Whether a fault depends on the card or secret that was shown, though it does not name it."""
    return fault.code == "secret-taken" or (fault.code == "key-reused" and fault.path == "do")


def told(command: Any, error: InputError) -> InputError:
    """The refusal as the bearer hears it: for each command one answer to everything that is wrong with a card."""
    if not any(is_about_card(fault) or fault.code == NOT_ASKED for fault in error.faults):
        return error
    if command.__struct_config__.tag == "dealer.in":
        return InputError.of("card-refused", "card", _TOLD_AT_SWIPE)
    authority = AUTHORITY.get(type(command))
    gives_new = authority is not None and "new" in authority.cards.values()
    return InputError.of("card-refused", "card", _TOLD + (_TOLD_OF_NEW if gives_new else ""))


def tries_allowed(floor: Floor, now: int) -> int:
    """How many wrong badges close a reader."""
    return int(floor.setting_at(TRIES_SETTING, now, TRIES))


def lock_micros(floor: Floor, now: int) -> int:
    """For how long."""
    return int(floor.setting_at(LOCK_SETTING, now, LOCK_MINUTES)) * MINUTE


def locked(until: int, now: int) -> InputError:
    """The refusal of a card while the reader is closed, whosever it is."""
    left = max(1, -(-(until - now) // 1_000_000))
    message = (
        f"too many wrong badges were shown here: no badge is taken for another {left // 60} min {left % 60} s. The "
        "round in play goes on without one; what needs a badge now is done at a service, by somebody signed in there"
    )
    return InputError.of("badges-locked", "card", message)
