"""A refusal as a dealer reads it: without the places, types and names that the programs have for things.

Devices and logs get the fault as it is; the words here are for the keypad's display alone.
"""

from __future__ import annotations

import re
from typing import Final

from houseway.errors import Fault

_SEAT: Final = re.compile(r"(?:do\.)?wagers\.(?P<seat>[1-9]\d?)(?:\.|$)")
_AT_THE_DESK: Final = re.compile(r"\(houseway [^()]*\)")
"""How messages name the command of the desk that helps."""
_UNREADABLE: Final = "what the keypad sent cannot be read: press again, and call a technician if that does not help"
_KEY_TAKEN: Final = (
    "the manager has another command on record in its place, and this one was not carried out: press again if you "
    "still want to, and call a technician if that happens once more"
)
NOT_READ: Final = {
    "key": _UNREADABLE,
    "shuffler": "what the shuffler sent cannot be read: deal again, and call a technician if that does not help",
    "badge": "no badge was read: swipe it again",
    "pin": "no PIN was typed: type it again",
    "typed": "nothing was read: swipe the badge again, or type its PIN",
}
"""What a dealer reads where the line of a device has nothing readable for what it sends."""
_FIELDS: Final = {
    "wagers": "a wager is an amount of money for a seat: give it again",
    "sensors": "the sensors' report of the chips is not readable: wait a moment, and call a technician if it stays so",
    "occupied": "the seats that play are not readable: give their numbers",
    "low": "name the low cards by their places in the packet, as numbers",
    "house_way": "is it set the house way? Say yes or no",
    "fold": "does the player fold? Say yes or no",
    "raised": "the raise is not readable: give its amount",
    "cents": "the amount is not readable: give it again",
    "cards": "the cards are not readable: type them as in Ks Kd 9h",
    "player_entropy": "the players' part of the shuffle is not readable: deal without it, or give it again",
    "evidence": "what is kept for the dispute is not readable: give a name and a text for each piece",
    "fixed_from": "a fixed pay comes from the tray or off the meter: say which",
    "reference": "surveillance's reference is not readable: give its words again",
    "reason": "the reason is not readable: give its number",
    "hand": "which hand? Press the button of a hand",
}
"""What a dealer reads where a field of a command cannot be read."""


def plain(fault: Fault) -> str:
    """The words of one fault.

    >>> plain(Fault("bad-message", "do.low[0]", "expected a whole number, found text"))
    'name the low cards by their places in the packet, as numbers'
    >>> plain(Fault("bad-message", "badge", "expected text, found a whole number"))
    'no badge was read: swipe it again'
    >>> plain(Fault("missing-first-wager", "wagers.4", "every player makes the main wager: it is missing"))
    'seat 4: every player makes the main wager: it is missing'
    """
    found = _SEAT.match(fault.path)
    message = at_the_desk(_message(fault))
    return message if found is None or "seat" in message else f"seat {found['seat']}: {message}"


def at_the_desk(text: str) -> str:
    """A text without the commands that only the desk has.

    >>> at_the_desk("count a deck down and record it (houseway table deck)")
    'count a deck down and record it at the desk'
    """
    return _AT_THE_DESK.sub("at the desk", text)


def _message(fault: Fault) -> str:
    if fault.code == "bad-message" and fault.path in NOT_READ:
        return NOT_READ[fault.path]
    if fault.code == "bad-message" and (fault.path == "" or fault.path.startswith("do")):
        field = re.split(r"[.\[]", fault.path.removeprefix("do."))[0]
        return _FIELDS.get(field, _UNREADABLE)
    if fault.code == "key-reused":
        return _KEY_TAKEN
    if fault.code == "unknown-wager":
        # The list behind it names the wagers as files do.
        return fault.message.partition(": ")[0].replace("_", " ")
    if fault.code == "out-of-range" and _SEAT.match(fault.path) and "outside" in fault.message:
        return "a wager is more than nothing, and no more than the table takes"
    return fault.message
