"""The report on dealing games face up: which games it speaks of, and how many spots it recommends, as data.

The texts are our own wording; the numbers are the report's. Games that Houseway does not deal are listed as well, so
that whoever analyses them finds the claim to compare the result with.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from functools import cache as kept
from importlib.resources import files
from typing import Final

DATA: Final = "face-up-report.json"


@dataclass(frozen=True, slots=True)
class ReportedGame:
    """What the report says about one game."""

    id: str
    title: str
    game: str | None
    """The id of our game, where it is one."""
    spots: int | None
    """The most spots that it recommends to deal face up; None where it calls the game not beatable."""
    clause: str
    gain_at_most: Fraction | None
    """What it puts the gain at, at most, where it names a figure."""
    per: str | None
    """What that figure is a share of."""
    basis: str | None
    finding: str | None

    @property
    def called_not_beatable(self) -> bool:
        """Whether the report sets no highest number of spots because the game cannot be beaten."""
        return self.spots is None


@dataclass(frozen=True, slots=True)
class FaceUpReport:
    """The report as a whole."""

    document: str
    players: int
    """How many players it assumes at most."""
    seen_hands: int
    """How many other hands a player then sees."""
    allowed: tuple[str, ...]
    """The games that the letter allows to be dealt face up."""
    games: tuple[ReportedGame, ...]

    def about(self, game: str) -> ReportedGame | None:
        """What it says about a game of ours, or None.

        >>> found = face_up_report().about("fortune")
        >>> found.title, found.called_not_beatable
        ('Fortune Pai Gow Poker', True)
        """
        return next((reported for reported in self.games if reported.game == game), None)


@kept
def face_up_report() -> FaceUpReport:
    """The report out of the package's data."""
    content = json.loads((files("houseway.odds") / "data" / DATA).read_text(encoding="utf-8"))
    games = tuple(
        ReportedGame(
            entry["id"],
            entry["title"],
            entry["game"],
            entry["spots"],
            entry["clause"],
            None if entry["gain_at_most"] is None else Fraction(entry["gain_at_most"]),
            entry["per"],
            entry["basis"],
            entry["finding"],
        )
        for entry in content["games"]
    )
    assumed = content["assumes"]
    return FaceUpReport(
        content["document"], assumed["players"], assumed["seen_hands"], tuple(content["allowed"]), games
    )
