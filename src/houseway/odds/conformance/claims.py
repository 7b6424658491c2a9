"""What the report on face-up dealing claims about games of ours, with the findings of the face-up solution beside it.

The report calls Fortune Pai Gow Poker and Face Up Pai Gow Poker not beatable, and names no number of spots above which
that would end. The claim is checked against every number of hands that a player can see, from one to those of a full
table, under the usual commission and without: it holds where a player who sees them, and plays perfectly, still faces
an edge of the house.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any, Final, Literal, TypeAlias

from houseway.definitions.clauses import clause
from houseway.errors import MissingPartError
from houseway.games import game
from houseway.odds.distribution import fraction_text
from houseway.odds.questions import OddsQuestion, answer
from houseway.odds.seen.face_up_report import face_up_report
from houseway.odds.seen.gains import shipped_gains
from houseway.odds.wagers import Sides

Finding: TypeAlias = Literal["holds", "fails", "open"]
ClaimVerdict: TypeAlias = Literal["holds", "holds-in-part", "fails", "open"]
_ERRORS: Final = 5
"""How many standard errors an edge must be away from zero before it decides a claim."""


@dataclass(frozen=True, slots=True)
class SeenGain:
    """What a player gains who sees other hands and plays perfectly, and the edge that remains; both have one error."""

    game: str
    wagers: str
    hands: int
    gain: float
    error: float
    before: Fraction
    """The exact edge of the best play without seeing other hands."""
    commission: int = 0
    """What the house keeps of a win, in percent."""

    @property
    def edge(self) -> float:
        """The edge that remains."""
        return float(self.before) - self.gain

    @property
    def spots(self) -> int:
        """How many hands lie face up, the player's own among them."""
        return self.hands + 1

    @property
    def verdict(self) -> Finding:
        """Whether the remaining edge is clearly the house's, or clearly the player's, or open."""
        margin = _ERRORS * self.error
        if self.edge > margin:
            return "holds"
        return "fails" if self.edge < -margin else "open"

    def to_json(self) -> dict[str, Any]:
        """The finding as the command line prints it."""
        return {
            "game": self.game,
            "wagers": self.wagers,
            "commission": self.commission,
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
    findings: tuple[SeenGain, ...]
    """One for each commission and number of seen hands, the usual commission first and few hands before many."""
    assumed_hands: int = 2
    """How many other hands the report takes a player to see."""

    @property
    def verdict(self) -> ClaimVerdict:
        """Whether the claim holds everywhere, in part, or not even as the report assumes."""
        found = {finding.verdict for finding in self.findings}
        if not found or found == {"open"}:
            return "open"
        if found == {"holds"}:
            return "holds"
        if any(finding.verdict == "fails" for finding in self._as_assumed):
            return "fails"
        return "holds-in-part" if "fails" in found else "open"

    @property
    def _as_assumed(self) -> list[SeenGain]:
        """The finding under the usual commission at the number of hands that the report assumes."""
        return [found for found in self.findings if found.hands == self.assumed_hands][:1]

    @property
    def note(self) -> str:
        """The findings in words: where it holds, and where not."""
        if not self.findings:
            return "The solution with seen hands is not shipped: the claim is neither shown nor refuted here."
        rates = [list(found) for _, found in groupby(self.findings, key=lambda finding: finding.commission)]
        return " ".join(_note_of(found, game(self.game).commission is not None) for found in rates)

    def to_json(self) -> dict[str, Any]:
        """The claim as the command line prints it."""
        return {
            "game": self.game,
            "document": self.document,
            "clause": self.clause,
            "claim": self.text,
            "findings": [{**found.to_json(), "verdict": found.verdict} for found in self.findings],
            "verdict": self.verdict,
            "note": self.note,
        }


def _note_of(found: Sequence[SeenGain], has_commission: bool) -> str:
    """What was found under one commission, at all numbers of spots."""
    rate = found[0].commission
    under = f"With {rate}% commission it" if rate else "Without commission it" if has_commission else "It"
    parts = [f"{_WORDS[verdict]} at {_spots(found, verdict)}" for verdict in _WORDS if _at(found, verdict)]
    least = min(found, key=lambda finding: (finding.edge, -finding.hands))
    whose = f"an edge of {least.edge:.4%}" if least.edge >= 0 else f"an advantage of {-least.edge:.4%}"
    verb = "still faces" if least.edge >= 0 else "has"
    return (
        f"{under} {' and '.join(parts)}: a player who sees {least.hands} other hands and plays perfectly gains "
        f"{least.gain:.4%} and {verb} {whose} (standard error {least.error:.4%})."
    )


_WORDS: Final[dict[Finding, str]] = {"holds": "holds", "open": "is open", "fails": "fails"}


def _at(found: Iterable[SeenGain], verdict: Finding) -> list[int]:
    return [finding.spots for finding in found if finding.verdict == verdict]


def _spots(found: Sequence[SeenGain], verdict: Finding) -> str:
    spots = _at(found, verdict)
    if len(spots) == len(found):
        return f"every number of spots, {spots[0]} to {spots[-1]}"
    return f"{', '.join(map(str, spots))} spots"


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
    first = next((gain.wagers for gain in shipped_gains() if gain.game == game_id), None)
    asked = sorted((-rate, seen) for seen, wagers, rate in seen_choices(game_id) if wagers == first)
    findings = (seen_result(game_id, seen, first, -rate) for rate, seen in asked)
    return Claim(
        game_id, cited.document, clause_id, cited.text, tuple(found for found in findings if found is not None), hands
    )


def seen_result(game_id: str, hands: int, wagers: str | None = None, commission: int | None = None) -> SeenGain | None:
    """The finding for a player who sees that many other hands, or None where gain or edge is not shipped.

    Without `wagers` it is for the first wagers that the gains list, without `commission` under the usual one.
    """
    for entry in _gains():
        if (entry["game"], entry["seen_hands"]) != (game_id, hands):
            continue
        if wagers in (None, entry["wagers"]) and commission in (None, entry["commission"]):
            before = _edge_unseen(game_id, entry["wagers"], entry["commission"])
            if before is None:
                return None
            return SeenGain(game_id, entry["wagers"], hands, entry["gain"], entry["error"], before, entry["commission"])
    return None


def seen_choices(game_id: str) -> tuple[tuple[int, str, int], ...]:
    """For which numbers of seen hands, wagers and commissions a gain of a game is shipped."""
    return tuple(
        (entry["seen_hands"], entry["wagers"], entry["commission"]) for entry in _gains() if entry["game"] == game_id
    )


def _edge_unseen(game_id: str, wagers: str, commission: int) -> Fraction | None:
    """The exact edge of the best play, against the default house way, of a player who sees no other hand."""
    played = game(game_id)
    question = OddsQuestion(
        played,
        tuple(wagers.split("+")),
        sides=Sides(played.ways[0] if played.ways else "", "optimal", played.fixed_wheel or "second"),
        commission=Fraction(commission, 100),
    )
    try:
        return answer(question).edge
    except MissingPartError:
        return None


def _gains() -> tuple[dict[str, Any], ...]:
    """The gains that `houseway.odds.seen.gains` ships."""
    return tuple(gain.to_json() for gain in shipped_gains())
