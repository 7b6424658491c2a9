"""The closed lists of words that a pay table file may use, and what follows from them.

Games and wagers are those of the definitions. A word outside these lists is a fault and not a guess: a misspelt wager
would otherwise be a table that is never paid.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from houseway.definitions import Wager, game, games
from houseway.ranking.hand_names import (
    HAND_NAMES,
    HIGH_NAMES,
    PAIR_OF_ACES,
    ROYAL_FLUSH_ROYAL_MATCH,
    SEVEN_CARD_STRAIGHT_FLUSH,
    SEVEN_CARD_STRAIGHT_FLUSH_JOKER,
    THREE_PAIR,
)

ENVY_READINGS: Final = ("shared_envy",)
"""The settings by which a room may take the envy from a table whose sheet leaves open whether it has any."""
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

_FIVE: Final = 5
_OF_FEW_CARDS: Final[Mapping[int, tuple[str, ...]]] = {
    2: ("pair", PAIR_OF_ACES),
    3: ("pair", PAIR_OF_ACES, "three-of-a-kind", "straight", "flush", "straight-flush"),
    4: ("pair", PAIR_OF_ACES, "two-pair", "three-of-a-kind", "four-of-a-kind", "straight", "flush", "straight-flush"),
}
"""By their number: what so few cards can be beside nothing better than their highest."""
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


def wager_words() -> tuple[str, ...]:
    """The words by which pay tables name the wagers of all games."""
    return tuple(dict.fromkeys(word for game in games() for word in wagers_of(game.id)))


def wagers_of(game_id: str) -> tuple[str, ...]:
    """The words of the wagers of a game that are paid by a table.

    >>> wagers_of("face-up")
    ('progressive',)
    """
    return tuple(dict.fromkeys(wager.paid_by for wager in game(game_id).wagers if wager.needs_table))


def wager_of(game_id: str, word: str) -> Wager | None:
    """The wager of a game whose tables use a word: a table pays nothing that its games have no clause for."""
    return game(game_id).wager_of_table(word)


def first_wager_of(word: str, game_ids: Iterable[str] = ()) -> Wager:
    """The wager that the first game offers under a word: of these games, or of all if none of them offers it.

    Its unit and what it looks at are the same in all games.
    """
    named = (found for game_id in game_ids if (found := wager_of(game_id, word)) is not None)
    found = next(named, None)
    if found is None:
        # All games are read only here.
        found = next((each.wager_of_table(word) for each in games() if each.wager_of_table(word)), None)
    if found is None:
        raise KeyError(word)
    return found


def hand_names_of(game_ids: Iterable[str]) -> tuple[str, ...]:
    """The names of hands that a table of these games may use: those that every game knows, and their own."""
    own = (hand.name for game_id in game_ids for hand in game(game_id).named_hands)
    return (*HAND_NAMES, *dict.fromkeys(own))


def never_dealt(hand: str, game_id: str, word: str = "") -> str | None:
    """Why a hand can never be dealt in a game to what a wager looks at, or None if it can."""
    dealt = game(game_id)
    named = {each.name for each in dealt.named_hands}
    if hand not in HAND_NAMES:
        return None if hand in named else f"{game_id} has no name for it"
    wager = wager_of(game_id, word)
    own = wager is not None and wager.look is not None and wager.look.at == "player-cards"
    few = dealt.cards if own else dealt.hand_cards
    if few < _FIVE and hand not in (*HIGH_NAMES, *_OF_FEW_CARDS.get(few, ())):
        return f"it needs more cards than the {few} that the wager looks at in {game_id}"
    if (
        hand in (SEVEN_CARD_STRAIGHT_FLUSH, ROYAL_FLUSH_ROYAL_MATCH, SEVEN_CARD_STRAIGHT_FLUSH_JOKER)
        and dealt.cards < 7
    ):
        return f"it needs seven cards, and {game_id} deals {dealt.cards}"
    if hand in ("five-aces", SEVEN_CARD_STRAIGHT_FLUSH_JOKER) and not dealt.has_joker:
        return f"it needs a joker, and {game_id} has none"
    return None
