"""What the report on face-up dealing claims about games of ours, with the finding of the face-up solution beside it.

The report calls Fortune Pai Gow Poker and Face Up Pai Gow Poker not beatable when three hands lie face up. The claim
holds if a player who sees the two other hands, and plays perfectly, still faces an edge of the house.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal, TypeAlias

from houseway.errors import MissingPartError
from houseway.games import game
from houseway.games.clauses import clause
from houseway.odds.distribution import fraction_text
from houseway.odds.questions import Question, answer
from houseway.odds.seen.face_up_report import face_up_report
from houseway.odds.seen.gains import shipped_gains
from houseway.odds.wagers import Sides

ClaimVerdict: TypeAlias = Literal["holds", "fails", "open"]
_ERRORS: Final = 5
"""How many standard errors an edge must be away from zero before it decides a claim."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a player gains who sees other hands and plays perfectly, and the edge that remains; both have one error."""

    game: str
    wagers: str
    hands: int
    gain: float
    error: float
    before: Fraction
    """The exact edge of the best play without seeing other hands."""

    @property
    def edge(self) -> float:
        """The edge that remains."""
        return float(self.before) - self.gain

    def to_json(self) -> dict[str, Any]:
        """The finding as the command line prints it."""
        return {
            "game": self.game,
            "wagers": self.wagers,
            "seen_hands": self.hands,
            "gain": self.gain,
            "error": self.error,
            "edge": self.edge,
            "edge_unseen": float(self.before),
            "edge_unseen_fraction": fraction_text(self.before),
        }


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of the report, and what is found about it."""

    game: str
    document: str
    clause: str
    text: str
    finding: Seen | None

    @property
    def verdict(self) -> ClaimVerdict:
        """Whether the claim holds: the remaining edge is clearly the house's, or clearly the player's, or open."""
        if self.finding is None:
            return "open"
        margin = _ERRORS * self.finding.error
        if self.finding.edge > margin:
            return "holds"
        return "fails" if self.finding.edge < -margin else "open"

    @property
    def note(self) -> str:
        """The finding in words."""
        found = self.finding
        if found is None:
            return "The solution with seen hands is not shipped: the claim is neither shown nor refuted here."
        return (
            f"A player who sees {found.hands} other hands and plays perfectly gains {found.gain:.4%} and still faces "
            f"an edge of {found.edge:.4%} (standard error {found.error:.4%})."
        )

    def to_json(self) -> dict[str, Any]:
        """The claim as the command line prints it."""
        found = self.finding
        return {
            "game": self.game,
            "document": self.document,
            "clause": self.clause,
            "claim": self.text,
            "finding": None if found is None else found.to_json(),
            "verdict": self.verdict,
            "note": self.note,
        }


def claims() -> tuple[Claim, ...]:
    """The report's statements about games of ours: each is called not beatable."""
    report = face_up_report()
    return tuple(
        _claim(found.game, found.clause, report.seen_hands)
        for found in report.games
        if found.game is not None and found.called_not_beatable
    )


def _claim(game_id: str, clause_id: str, hands: int) -> Claim:
    cited = clause(clause_id)
    return Claim(game_id, cited.document, clause_id, cited.text, seen_result(game_id, hands))


def seen_result(game_id: str, hands: int, wagers: str | None = None) -> Seen | None:
    """The finding for a player who sees that many other hands, or None where gain or edge is not shipped.

    Without `wagers` it is for the first wagers that the gains list.
    """
    for entry in _gains():
        if (entry["game"], entry["seen_hands"]) == (game_id, hands) and wagers in (None, entry["wagers"]):
            before = _edge_unseen(game_id, entry["wagers"])
            if before is None:
                return None
            return Seen(game_id, entry["wagers"], hands, entry["gain"], entry["error"], before)
    return None


def seen_choices(game_id: str) -> tuple[tuple[int, str], ...]:
    """For which numbers of seen hands and which wagers a gain of a game is shipped."""
    return tuple((entry["seen_hands"], entry["wagers"]) for entry in _gains() if entry["game"] == game_id)


def _edge_unseen(game_id: str, wagers: str) -> Fraction | None:
    """The exact edge of the best play, against the default house way, of a player who sees no other hand."""
    played = game(game_id)
    question = Question(
        played,
        tuple(wagers.split("+")),
        sides=Sides(played.ways[0] if played.ways else "", "optimal", played.fixed_wheel or "second"),
        commission=Fraction(5, 100) if played.commission else Fraction(0),
    )
    try:
        return answer(question).edge
    except MissingPartError:
        return None


def _gains() -> tuple[dict[str, Any], ...]:
    """The gains that `houseway.odds.seen.gains` ships."""
    return tuple(gain.to_json() for gain in shipped_gains())
