"""Reasons at the keypad: a short closed list for each key that asks why, each a number, a code and words.

Nobody types a sentence at a table. The number or the code is given, and both code and words go on record; who wants to
say more writes it into the report that the last one names.
"""

from __future__ import annotations

from typing import Final

from houseway.errors import InputError

OTHER: Final = ("other", "see the supervisor's report")

MISDEAL: Final = "misdeal"
"""The one list whose codes are the command's own causes."""

COUNT_WAGER, TAKE_WAGER_OUT = "count-wager", "take-wager-out"
"""The two directions of CORRECT: what explains one cannot explain the other."""

WHICH_WAY, MADE = "which-way", "made"
"""What CORRECT asks before the reason, and the answer that counts the wager."""

REASONS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "reject": (
        ("wrong-hand", "the hand is not the one that was pressed"),
        ("wrong-spot", "the hand belongs to another spot"),
        ("not-verified", "surveillance did not verify it"),
        ("bad-cards", "the cards or the deal were not in order"),
        OTHER,
    ),
    "void": (
        ("wrong-wagers", "wagers were taken wrongly"),
        ("equipment", "a device failed"),
        OTHER,
    ),
    MISDEAL: (
        ("wrong-deal", "the cards were dealt wrongly"),
        ("exposed-card", "a card was seen that should not have been"),
        ("missing-card", "a card is missing"),
        ("extra-card", "there is a card too many"),
        ("short-deck", "the deck has too few cards for the round"),
        ("shuffler-jam", "the shuffler jammed"),
    ),
    "hold": (
        ("disputed-hand", "a player disputes a hand"),
        ("disputed-wager", "a player disputes a wager"),
        ("disputed-payment", "a player disputes a payment"),
        ("equipment", "a device failed"),
        OTHER,
    ),
    "reopen": (
        ("missed-winner", "a winner was missed"),
        ("wrong-payment", "a payment was wrong"),
        ("early-end", "the round was ended by mistake"),
        OTHER,
    ),
    WHICH_WAY: (
        (MADE, "a wager was made: count it"),
        ("not-made", "no wager was made: take it out"),
    ),
    COUNT_WAGER: (
        ("chip-beside", "the chip lay beside the sensor"),
        ("equipment", "the sensor failed"),
        OTHER,
    ),
    TAKE_WAGER_OUT: (
        ("no-chip", "no chip lay on the sensor"),
        ("equipment", "the sensor failed"),
        OTHER,
    ),
    "override": (
        ("misread-cards", "the system took a card for another one"),
        ("player-left", "the player has left"),
        ("player-declines", "the player does not claim it"),
        OTHER,
    ),
}
"""By what is done: the reasons in the order of their numbers, as code and words."""


def choices(action: str) -> dict[str, str]:
    """The reasons of an action by number, as the display shows them.

    >>> choices("reopen")["1"]
    'missed-winner: a winner was missed'
    """
    return {str(number): _recorded(*reason) for number, reason in enumerate(REASONS[action], 1)}


def recorded_reason(action: str, given: object) -> str:
    """What goes on record for a reason that was given by its number or its code: code and words.

    >>> recorded_reason("void", 1), recorded_reason("void", "Equipment")
    ('wrong-wagers: wagers were taken wrongly', 'equipment: a device failed')
    """
    wanted = str(given).strip().lower() if isinstance(given, str | int) else ""
    for number, reason in enumerate(REASONS[action], 1):
        if wanted in {str(number), reason[0], said(reason[0])}:
            return _recorded(*reason)
    listed = ", ".join(f"{number} {said(code)}" for number, (code, _) in enumerate(REASONS[action], 1))
    named = f"{wanted[:40]!r}" if wanted else "this"
    message = f"{named} is not one of the reasons here: give the number of {listed}"
    raise InputError.of("unknown-reason", "reason", message)


def said(code: str) -> str:
    """A code as people say it.

    >>> said("exposed-card")
    'exposed card'
    """
    return code.replace("-", " ")


def _recorded(code: str, words: str) -> str:
    return f"{code}: {words}"
