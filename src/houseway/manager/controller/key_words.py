"""The words on the keys: three generations of controls, each a table from a key to what it does.

A key that another generation has is refused with the word that stands for it here. Keys without a word in the documents
(rejecting an award, voiding a round, the house-way display) are the same in all three.
"""

from __future__ import annotations

from typing import Final

from houseway.errors import InputError

START, HIT, PAY, END = "start", "hit", "pay", "end"
KEY_TO_JPH, KEY_TO_RUN = "key-to-jph", "key-to-run"
SPOT, HAND, REASON = "spot", "hand", "reason"
TRAY_PAYS = "tray-pays"

OWN_WORDS: Final[dict[str, dict[str, str]]] = {
    "aquarius": {
        "COIN IN": START,
        "CALL": HIT,
        "KEY JPH": KEY_TO_JPH,
        "J-POT": PAY,
        "KEY RUN": KEY_TO_RUN,
        "GAME OVER": END,
    },
    "nexus": {"START GAME": START, "CALL": HIT, "CONFIRM": PAY, "END GAME": END},
    "nexus-2": {"START GAME": START, "HIT JACKPOT": HIT, "PAY JACKPOT": PAY, "END GAME": END},
}
"""Keys that are named by their generation."""

COMMON_WORDS: Final[dict[str, str]] = {
    "SPOT": SPOT,
    "HAND": HAND,
    "CANCEL": "cancel",
    "REASON": REASON,
    "TRAY PAYS": TRAY_PAYS,
    "REJECT": "reject",
    "VOID": "void",
    "MISDEAL": "misdeal",
    "CORRECT": "correct",
    "REOPEN": "reopen",
    "SEEN": "seen",
    "HOLD": "hold",
    "DEALER OUT": "dealer-out",
    "PLAYS": "plays",
    "BANKS": "banks",
    "SET": "set",
    "ALL SET": "all-set",
    "DOUBLE": "double",
    "SHOW PLAYER": "show-player",
    "SHOW DEALER": "show-dealer",
}
"""Keys that all generations have."""

INSTEAD: Final[dict[tuple[str, str], str]] = {
    ("nexus", KEY_TO_JPH): "press CALL, then CONFIRM and swipe the badge",
    ("nexus", KEY_TO_RUN): "press END GAME when all is settled",
    ("nexus-2", KEY_TO_JPH): "press HIT JACKPOT, then PAY JACKPOT and swipe the badge",
    ("nexus-2", KEY_TO_RUN): "press END GAME when all is settled",
}
"""What to do where a generation has no single key for what another one's key does."""

OF_COMMANDS: Final[dict[str, str]] = {
    "round.start": START,
    "round.end": END,
    "round.void": "void",
    "round.misdeal": "misdeal",
    "round.hold": "hold",
    "round.reopen": "reopen",
    "round.correct": "correct",
    "undone.acknowledge": "seen",
    "hand.press": HAND,
    "hand.set": "set",
    "seat.declare": "plays",
    "seat.bank": "banks",
    "hand.double": "double",
    "jackpot.hit": HIT,
    "jackpot.pay": PAY,
    "jackpot.reject": "reject",
    "dealer.out": "dealer-out",
    "display.player": "show-player",
    "display.dealer": "show-dealer",
}
"""The key that stands for a command, where there is one."""

OTHER_COMMANDS: Final[dict[str, str]] = {
    "dealer.in": "the dealer's badge",
    "key.turn": "the key",
    "round.deal": "the shuffler's deal",
    "sensor.set": "a wager on a sensor",
}
"""Commands that come from something else than a key of the pad."""


def action_of(vocabulary: str, key: str) -> str:
    """What a key does at a table; refused with what to press instead if it is another generation's.

    >>> action_of("nexus-2", "START GAME")
    'start'
    """
    word = " ".join(key.upper().split())
    own = OWN_WORDS[vocabulary]
    found = own.get(word) or COMMON_WORDS.get(word)
    if found is not None:
        return found
    meant = next((words[word] for words in OWN_WORDS.values() if word in words), None)
    if meant is None:
        known = ", ".join([*own, *COMMON_WORDS])
        raise InputError.of("unknown-button", "key", f"{key[:40]!r} is not a key of a table: there are {known}")
    instead = INSTEAD.get((vocabulary, meant)) or f"press {word_for(vocabulary, meant)}"
    raise InputError.of("wrong-button-here", "key", f"this table has no {word}: {instead}")


def word_for(vocabulary: str, action: str) -> str:
    """The word on the key for an action.

    >>> word_for("aquarius", END)
    'GAME OVER'
    """
    words = {**COMMON_WORDS, **OWN_WORDS[vocabulary]}
    return next((word for word, does in words.items() if does == action), action.upper())


def word_of_command(vocabulary: str, kind: str) -> str:
    """What a dealer calls a command: the word on its key.

    >>> word_of_command("nexus", "jackpot.pay")
    'CONFIRM'
    """
    return word_for(vocabulary, OF_COMMANDS[kind]) if kind in OF_COMMANDS else OTHER_COMMANDS.get(kind, kind)


def in_own_words(vocabulary: str, text: str) -> str:
    """A text of the manager, which speaks of the newest generation's keys, in the words of a table's own keys.

    >>> in_own_words("aquarius", "press HIT JACKPOT before END GAME")
    'press CALL before GAME OVER'
    """
    for word, action in OWN_WORDS["nexus-2"].items():
        text = text.replace(word, word_for(vocabulary, action))
    return text
