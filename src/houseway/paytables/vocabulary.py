"""The closed lists of words that a pay table file may use, and what follows from them.

A word outside these lists is a fault and not a guess: a misspelt wager would otherwise be a table that is never paid.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from houseway.ranking.hands import (
    PAIR_OF_ACES,
    ROYAL_FLUSH_ROYAL_MATCH,
    SEVEN_CARD_STRAIGHT_FLUSH,
    SEVEN_CARD_STRAIGHT_FLUSH_JOKER,
    THREE_PAIR,
)

CARDS_DEALT: Final[Mapping[str, int]] = {
    "six-card-fortune": 6,
    "fortune": 7,
    "commission-free-fortune": 7,
    "face-up": 7,
    "six-card-poker": 6,
}
"""How many cards a hand of each game has."""

GAMES_WITHOUT_JOKER: Final[tuple[str, ...]] = ("six-card-poker",)

GAME_IDS: Final[tuple[str, ...]] = tuple(CARDS_DEALT)
"""The games that a table may be for."""

LOOKS_AT: Final[Mapping[str, str]] = {
    "fortune": "player-best",
    "insurance": "player-best",
    "progressive": "player-best",
    "aces_up": "player-best",
    "paigowd": "dealer-best",
    "tiger9": "dealer-low",
    "bad_beat": "losing-hand",
}
"""The hand that a wager's lines name: the best of all cards, the dealer's low hand as set, or the hand that lost."""

WAGERS: Final[tuple[str, ...]] = tuple(LOOKS_AT)
"""The wagers that are paid by a table; both jackpot sensors use tables of the wager `progressive`."""

JACKPOT_WAGER: Final = "progressive"
"""The one wager that may be paid from meters, and whose stake is never handed back."""


class Offer(NamedTuple):
    """What the sheet of a game gives a wager: whether its lines may pay envy to others, and may push."""

    envy: bool = False
    push: bool = False


OFFERS: Final[Mapping[tuple[str, str], Offer]] = {
    ("six-card-fortune", "fortune"): Offer(envy=True),
    ("six-card-fortune", "insurance"): Offer(),
    ("six-card-fortune", "progressive"): Offer(envy=True),
    ("fortune", "fortune"): Offer(envy=True, push=True),
    ("fortune", "paigowd"): Offer(),
    ("fortune", "progressive"): Offer(),
    ("commission-free-fortune", "fortune"): Offer(envy=True, push=True),
    ("commission-free-fortune", "tiger9"): Offer(),
    ("commission-free-fortune", "progressive"): Offer(),
    ("face-up", "progressive"): Offer(),
    ("six-card-poker", "aces_up"): Offer(),
    ("six-card-poker", "bad_beat"): Offer(),
    ("six-card-poker", "progressive"): Offer(envy=True),
}
"""The wagers that each game offers, by game and wager: a table pays nothing that its games have no clause for."""

UNITS: Final[tuple[str, ...]] = ("to-1", "for-1")
"""`to-1`: the stake comes back beside the pay. `for-1`: the pay includes the stake. The wager decides which it is."""

FIGURES: Final[tuple[str, ...]] = (
    "edge_max_envy",
    "edge_no_envy",
    "house_advantage",
    "hit_frequency",
    "expected_hold",
)
"""The figures that a sheet may print under a table."""

_KIND_OF_STRAIGHT_FLUSH: Final = ("straight-flush", "flush", "straight")

LESSER_HANDS: Final[Mapping[str, tuple[str, ...]]] = {
    SEVEN_CARD_STRAIGHT_FLUSH: _KIND_OF_STRAIGHT_FLUSH,
    SEVEN_CARD_STRAIGHT_FLUSH_JOKER: _KIND_OF_STRAIGHT_FLUSH,
    ROYAL_FLUSH_ROYAL_MATCH: ("royal-flush", *_KIND_OF_STRAIGHT_FLUSH),
    "royal-flush": _KIND_OF_STRAIGHT_FLUSH,
    "straight-flush": ("flush", "straight"),
    "five-aces": ("four-of-a-kind", "three-of-a-kind", PAIR_OF_ACES, "pair"),
    "four-of-a-kind": ("three-of-a-kind", "pair"),
    "full-house": ("three-of-a-kind", "two-pair", "pair"),
    "three-of-a-kind": ("pair",),
    THREE_PAIR: ("two-pair", "pair"),
    "two-pair": ("pair",),
    PAIR_OF_ACES: ("pair",),
}
"""The names that every hand of a name fits as well: a line for one of them that stands above takes the whole line."""

FAULT_CODES: Final[Mapping[str, str]] = {
    "unknown-paytable": "there is no table with this id",
    "paytable-unreadable": "the file cannot be read, is too large or is not UTF-8 text",
    "paytable-syntax": "the file is not TOML",
    "paytable-id": "the id is not well formed or is not the file's name",
    "paytable-missing-key": "a required key is absent",
    "paytable-unknown-key": "a key that pay tables do not have",
    "paytable-bad-type": "a value of the wrong kind: text where a number belongs, a fraction, true or false",
    "paytable-bad-value": "a value outside its range or closed list, or one that does not belong to the wager",
    "paytable-hand-twice": "a hand stands on two lines",
    "paytable-dead-line": "a line that no deal can reach",
    "paytable-pay": "a line does not pay in exactly one way, or in a way its table cannot pay",
    "paytable-level": "meter levels and percentage pays do not belong together",
    "paytable-envy": "envy where the sheet of a game has none",
}
"""Every fault code of this package, with its meaning."""


def wagers_of(game: str) -> tuple[str, ...]:
    """The wagers of a game that are paid by a table.

    >>> wagers_of("face-up")
    ('progressive',)
    """
    return tuple(wager for offering, wager in OFFERS if offering == game)


def unit_of(wager: str) -> str:
    """The unit of a wager's tables: settlement keeps the stake of a jackpot wager and returns that of any other."""
    return "for-1" if wager == JACKPOT_WAGER else "to-1"


def never_dealt(hand: str, game: str) -> str | None:
    """Why a hand can never be dealt in a game, or None if it can."""
    cards = CARDS_DEALT[game]
    if hand in (SEVEN_CARD_STRAIGHT_FLUSH, ROYAL_FLUSH_ROYAL_MATCH, SEVEN_CARD_STRAIGHT_FLUSH_JOKER) and cards < 7:
        return f"it needs seven cards, and {game} deals {cards}"
    if hand in ("five-aces", SEVEN_CARD_STRAIGHT_FLUSH_JOKER) and game in GAMES_WITHOUT_JOKER:
        return f"it needs a joker, and {game} has none"
    return None
