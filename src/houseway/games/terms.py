"""What the rounds of one table share: read and checked once, however many rounds a stream holds."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from houseway.definitions import replaced_games

if TYPE_CHECKING:
    from houseway.definitions import Game
    from houseway.games.round_model import Line
    from houseway.games.table_settings import Settings
    from houseway.houseways import HouseWay
    from houseway.paytables import PayTable

TERMS_KEYS: Final = ("settings", "paytables", "way")
"""The parts of a round that, with its game, make its terms."""
_MOST_TERMS: Final = 100
_MOST_LEVELS: Final = 100
_MOST_KEPT: Final = 20_000
_LONGEST_KEY: Final = 5_000


@dataclass(slots=True)
class RoundTerms:
    """The terms of rounds that were found sound: whoever brings the same again need not be checked again."""

    game: Game
    replaced: tuple[Game, ...]
    """The games that were defined otherwise then; kept, so that their identities stay theirs."""
    settings: Settings
    settings_notes: tuple[str, ...]
    tables: dict[str, PayTable]
    way: HouseWay | None
    notes: dict[frozenset[str], tuple[str, ...]] = field(default_factory=dict)
    """By the wagers made in a round: what there is to say about its tables and its way."""
    wagers: set[Hashable] = field(default_factory=set)
    """Wagers of a seat that fit the game and the settings, as `wagers_key` gives them."""
    levels: dict[str, dict[str, dict[str, int]]] = field(default_factory=dict)
    """Meters and seeds that fit the game, by what a round said; nobody changes them."""
    lines: dict[Hashable, Line] = field(default_factory=dict)

    def knows(self, key: Hashable) -> bool:
        """Whether a seat's wagers are among those found sound."""
        return key is not None and key in self.wagers

    def keep_levels(self, said: str, levels: dict[str, dict[str, int]]) -> None:
        """Keep meters or seeds; meters that change all the time push each other out."""
        if len(said) <= _LONGEST_KEY:
            if len(self.levels) >= _MOST_LEVELS:
                self.levels.clear()
            self.levels[said] = levels

    def keep(self, wagers: Iterable[Hashable], made: frozenset[str], notes: tuple[str, ...]) -> None:
        """Keep what a sound round was found to be; a stream of ever other stakes must not fill the memory."""
        for kept in (self.wagers, self.lines, self.notes):
            if len(kept) > _MOST_KEPT:
                kept.clear()
        self.wagers.update(wagers)
        self.notes[made] = notes


class TermsCache:
    """The terms that one reader of rounds has met."""

    def __init__(self) -> None:
        """Begin with none."""
        self._by_key: dict[Hashable, RoundTerms] = {}

    def key(self, game: Game, data: dict[str, Any]) -> Hashable:
        """What tells terms apart: the definitions themselves, and the texts of what the round says; None if too long.

        A text tells true from 1 and 1.0, which are equal as keys.
        """
        said = repr([data.get(name) for name in TERMS_KEYS])
        replaced = tuple([id(other) for other in replaced_games()])
        return None if len(said) > _LONGEST_KEY else (id(game), replaced, said)

    def find(self, key: Hashable) -> RoundTerms | None:
        """The terms with this key, if a sound round had them."""
        return self._by_key.get(key)

    def add(self, key: Hashable, terms: RoundTerms) -> None:
        """Keep the terms of a sound round."""
        if key is None:
            return
        if len(self._by_key) >= _MOST_TERMS:
            self._by_key.clear()
        self._by_key[key] = terms


def wagers_key(wagers: object, *, fold: bool, is_banker: bool) -> Hashable:
    """Wagers as they were handed in, for `RoundTerms.wagers`; None for those that no sound round has."""
    if type(wagers) is not dict or not _INTEGERS.issuperset(map(type, wagers.values())):
        return None
    return (*wagers.items(), fold, is_banker)


_INTEGERS: Final = frozenset({int})
