"""The main wagers of the Pai Gow games over every deal, in parts: house ways and best settings in one pass.

One job holds a dealer's way and any number of players' ways. A part is a range of the suit classes of the player's hand
with the sums of its outcomes; the parts of a job add up to all deals, C(53,7) x C(46,7) or C(53,6) x C(47,6). For
seven cards a job answers for three games at once, as they differ only in which dealer hands push: Fortune (with its
commission when the best setting is chosen), Commission Free Fortune and Face Up; Tiger 9 and Pai Gow'd come out of the
same counts. For six cards it answers for the main wager alone and with the double down.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, Final, cast

from houseway.houseways.way import HouseWay
from houseway.odds.pai_gow.dealer_tables import dealer_tables, rules_fingerprint
from houseway.odds.pai_gow.split_games import contest_facts
from houseway.odds.running.cache import Cache, JsonValue
from houseway.ranking.hand_names import HIGH_NAMES
from houseway.ranking.reference import PAI_GOW, PAI_GOW_LOW_WHEEL, Ranking

METHOD: Final = 1
"""Raised when a change of the method changes what a part returns."""
SEVEN_CARD_PARTS: Final = 8
SIX_CARD_PARTS: Final = 2
COMMISSION: Final = Fraction(5, 100)
"""What a room keeps of the wins of a game with commission, unless it says otherwise."""
DECK: Final = 53
PAI_GOW_NAMES: Final = HIGH_NAMES[7:]
"""What seven cards of less than a pair can be."""
DOUBLED: Final = (
    "win+win",
    "win+push",
    "lose+lose",
    "lose+push",
    "push+push",
    "win+none",
    "lose+none",
    "push+none",
)
"""The outcomes of main wager and double down, in the order of the counts."""
RANKINGS: Final[Mapping[str, Ranking]] = {"second": PAI_GOW, "lowest": PAI_GOW_LOW_WHEEL}

Counts = dict[str, Any]


def deals_of(cards: int) -> int:
    """The number of ways to deal a player's and a dealer's hand.

    >>> deals_of(6), deals_of(7)
    (246507617396040, 8250459031214400)
    """
    return comb(DECK, cards) * comb(DECK - cards, cards)


@dataclass(frozen=True)
class MainGames:
    """The job: a dealer's way against players' ways and against the best setting of every hand."""

    dealer: HouseWay
    players: tuple[HouseWay, ...]
    wheel: str = "second"
    commission: Fraction = COMMISSION
    parts: int = SEVEN_CARD_PARTS

    def __post_init__(self) -> None:
        """Refuse what no caller may ask for."""
        assert all(player.cards == self.dealer.cards for player in self.players), "both sides play the same game"
        assert len({player.id for player in self.players}) == len(self.players), "players' ways have different names"
        assert self.wheel in RANKINGS

    @property
    def name(self) -> str:
        """The job's name for files."""
        return f"main-{self.dealer.cards}"

    @property
    def key(self) -> Mapping[str, str]:
        """All that decides the result."""
        return {
            "dealer": self.dealer.fingerprint,
            "players": " ".join(f"{way.id}={way.fingerprint}" for way in self.players),
            "wheel": self.wheel,
            "commission": str(self.commission),
            "parts": str(self.parts),
            "method": str(METHOD),
            "rules": rules_fingerprint(),
            **{f"contest {game}": facts for game, facts in contest_facts(self.dealer.cards).items()},
        }

    @property
    def ranking(self) -> Ranking:
        """The order of hands."""
        return RANKINGS[self.wheel]

    def run_part(self, number: int, cache: Cache | None) -> JsonValue:
        """The outcomes of one range of player hands."""
        from houseway.odds.pai_gow.main_counts import count_range
        from houseway.odds.pai_gow.player_classes import class_table, classes_of

        classes = classes_of(self.dealer.cards)
        edges = [len(classes) * part // self.parts for part in range(self.parts + 1)]
        counted = count_range(
            self,
            dealer_tables(self.dealer, self.ranking, cache),
            class_table(self.dealer.cards, cache),
            classes,
            edges[number],
            edges[number + 1],
        )
        return cast("JsonValue", counted)


def add_up(results: Iterable[JsonValue]) -> Counts:
    """The sum of parts: every integer at the same place added, what is missing counts nothing."""
    total: Counts = {}
    for result in results:
        _add(total, cast("Counts", result))
    return total


def _add(total: Counts, more: Counts) -> None:
    for key, value in more.items():
        if isinstance(value, dict):
            _add(total.setdefault(key, {}), value)
        elif isinstance(value, list):
            before = total.get(key) or [0] * len(value)
            total[key] = [one + other for one, other in zip(before, value, strict=True)]
        else:
            total[key] = total.get(key, 0) + value
