"""Conventions that explain a print which no exact count gives: shown beside the exact figure, never as it.

A convention is a way of counting that is not the game's: hands from two decks, copies shared, two sides that set by
different ways. One is shown where its own exact count gives the print, so that a reader sees where the print may come
from; whether the sheet's author counted so, nobody says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from houseway.games import game
from houseway.odds.conformance.comparing import gives
from houseway.odds.conformance.independent_hands import PAIRS, wins_by_hand
from houseway.odds.distribution import fraction_text, percent_text
from houseway.odds.wagers import Sides, bonus_distribution, hit_frequency, line_counts
from houseway.paytables import PayTable, PrintedFigure

INDEPENDENT: Final = "two hands drawn independently from the full deck, both set by the house way, copies counted half"


@dataclass(frozen=True, slots=True)
class Explanation:
    """A convention and the figure that it gives."""

    convention: str
    value: Fraction

    @property
    def text(self) -> str:
        """The explanation in words."""
        return f"{self.convention}: {percent_text(self.value)}"

    def to_json(self) -> dict[str, Any]:
        """The explanation as the command line prints it."""
        return {
            "convention": self.convention,
            "percent": float(self.value * 100),
            "fraction": fraction_text(self.value),
        }


def explanations(table: PayTable, printed: PrintedFigure) -> tuple[Explanation, ...]:
    """The conventions that give a printed figure which depends on two hands."""
    candidates = [*_independent(table, printed), *_two_ways(table, printed)]
    return tuple(found for found in candidates if gives(found.value, printed))


def _independent(table: PayTable, printed: PrintedFigure) -> Iterator[Explanation]:
    """A wager on a beaten dealer's best hand with hands from two full decks."""
    wins = wins_by_hand(game(table.games[0]).ways[0]) if table.looks_at == "dealer-best" else None
    if wins is None:
        return
    if printed.figure == "hit_frequency":
        yield Explanation(INDEPENDENT, sum(wins.values(), Fraction(0)) / PAIRS)
        return
    returned = Fraction(0)
    for name, count in wins.items():
        line = table.line_for({name})
        if line is not None:
            returned += count * ((line.pays or 0) + 1) / PAIRS
    yield Explanation(INDEPENDENT, 1 - returned)


def _two_ways(table: PayTable, printed: PrintedFigure) -> Iterator[Explanation]:
    """The two sides set by different house ways; players' ways that give one figure stand together."""
    ways = game(table.games[0]).ways
    for dealer in ways:
        players: dict[Fraction, list[str]] = {}
        for player in ways:
            counts = None if player == dealer else line_counts(table, table.games[0], Sides(dealer, player))
            if counts is not None:
                share = hit_frequency(counts) if printed.figure == "hit_frequency" else bonus_distribution(counts).edge
                players.setdefault(share, []).append(player)
        for share, names in players.items():
            yield Explanation(f"dealer by {dealer}, player by {' or '.join(names)}", share)
