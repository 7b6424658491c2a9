"""Six Card Poker as a whole: what ante and play come to over every deal, for a player who plays as well as possible.

If every hand were played, all pairs of hands compared would give the outcomes; how they split into up cards and hidden
ones makes no difference. From these the deals are taken out in which the player folds: for each of the 1,755 classes of
three up cards, all hands that are better folded. That is the job here, in parts of whole classes. Every figure is an
integer over all C(52,6) x C(46,3) x C(43,3) deals, kept by the names that the player's cards fit, so that sums with
wagers on these names can be counted too. The result ships as data; `solve_six_card_poker` computes it again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from houseway.errors import MissingPartError
from houseway.odds.running.jobs import run_job
from houseway.odds.shipped import DATA, content_of, fingerprint_of, head_of, is_current
from houseway.odds.six_card_poker.fold_rules import FOLDED, OUTCOMES, PLAYED, RESULTS, fold_or_play_game, rule_inputs
from houseway.odds.solved_game import OPTIMAL

if TYPE_CHECKING:
    from houseway.odds.running.cache import Cache, JsonValue
    from houseway.odds.running.executors import Executor
    from houseway.odds.running.jobs import Progress

DATA_PATH: Final = DATA / "six-card-poker.json"
FORMAT: Final = 1
PARTS: Final = 45
"""Into how many parts the classes of up cards are cut, 39 each."""

Names: TypeAlias = tuple[str, ...]
Counts: TypeAlias = Mapping[Names, Mapping[str, int]]
"""Deals by the names that the player's cards fit, in the order of HAND_NAMES, and by the outcome of ante and play."""


@dataclass(frozen=True, slots=True)
class WholeGame:
    """Every deal of Six Card Poker settled under one strategy; all figures are for one ante."""

    strategy: str
    by_hand: Counts

    @property
    def outcomes(self) -> dict[str, int]:
        """The number of deals by the outcome of ante and play."""
        return {outcome: sum(counts[outcome] for counts in self.by_hand.values()) for outcome in OUTCOMES}

    @property
    def deals(self) -> int:
        """The number of all deals: hands of the player, up cards and hidden cards."""
        return sum(self.outcomes.values())

    @property
    def edge(self) -> Fraction:
        """What the house wins of an ante on average."""
        won = sum(RESULTS[outcome] * count for outcome, count in self.outcomes.items())
        return Fraction(-won, self.deals)

    @property
    def fold_rate(self) -> Fraction:
        """The share of deals in which the player folds."""
        return Fraction(self.outcomes[FOLDED], self.deals)

    @property
    def average_bet(self) -> Fraction:
        """Ante and play together, on average."""
        return 2 - self.fold_rate


@dataclass(frozen=True, slots=True)
class FoldedDeals:
    """The job: the deals that a strategy folds, by the player's names and by how playing would have ended."""

    strategy: str = OPTIMAL

    @property
    def name(self) -> str:
        """A name for files."""
        return f"{DATA_PATH.stem}-{self.strategy}"

    @property
    def key(self) -> Mapping[str, str]:
        """The rules and tables, the strategy's own rules, and how the parts are cut."""
        from houseway.odds.six_card_poker.sums import strategy_fingerprint

        return {
            "rules": fingerprint_of(game_inputs()),
            "strategy": strategy_fingerprint(self.strategy),
            "parts": str(PARTS),
        }

    @property
    def parts(self) -> int:
        """How many parts there are."""
        return PARTS

    def run_part(self, number: int, cache: Cache | None = None) -> JsonValue:  # noqa: ARG002  (no tables to keep)
        """The sums over every 45th class of up cards: five counts in the order of `PLAYED` for each set of names."""
        from houseway.odds.six_card_poker.sums import folded_deals

        return cast("JsonValue", folded_deals(self.strategy, number, PARTS))


def names_key(names: Names) -> str:
    """A set of names as the data file writes it."""
    return "+".join(names)


def combine(strategy: str, everything: Counts, parts: list[Mapping[str, list[int]]]) -> WholeGame:
    """Take the folded deals out of the ones in which every hand is played."""
    by_hand: dict[Names, dict[str, int]] = {}
    for names, played in everything.items():
        counts = dict.fromkeys(OUTCOMES, 0) | dict(played)
        for part in parts:
            for outcome, folded in zip(PLAYED, part.get(names_key(names), ()), strict=False):
                counts[outcome] -= folded
                counts[FOLDED] += folded
        by_hand[names] = counts
    solved = WholeGame(strategy, by_hand)
    assert solved.deals == comb(52, 6) * comb(46, 3) * comb(43, 3)
    assert min(min(counts.values()) for counts in by_hand.values()) >= 0
    return solved


def solve(
    strategy: str = OPTIMAL,
    *,
    executor: Executor,
    cache: Cache | None = None,
    progress: Progress | None = None,
) -> tuple[WholeGame, list[Mapping[str, list[int]]]]:
    """Count the whole game again, and the sums of its parts."""
    from houseway.odds.six_card_poker.sums import every_hand_played

    parts = cast(
        "list[Mapping[str, list[int]]]",
        run_job(FoldedDeals(strategy), executor=executor, cache=cache, progress=progress),
    )
    return combine(strategy, every_hand_played(), parts), parts


def game_inputs() -> dict[str, Any]:
    """All that decides the counts of the best play."""
    return rule_inputs() | {"parts": PARTS}


def to_json(solved: Mapping[str, tuple[WholeGame, list[Mapping[str, list[int]]]]]) -> dict[str, Any]:
    """The data file of one or more solved strategies."""
    from houseway.odds.six_card_poker.sums import strategy_fingerprint

    counts = {
        strategy: {
            "decisions": strategy_fingerprint(strategy),
            "deals": whole.deals,
            "outcomes": whole.outcomes,
            "by_hand": {names_key(names): dict(count) for names, count in whole.by_hand.items()},
            "folded_by_part": parts,
        }
        for strategy, (whole, parts) in solved.items()
    }
    return {**head_of(DATA_PATH.stem, FORMAT, game_inputs()), "counts": counts}


@cache
def _document() -> dict[str, Any]:
    """The data file as it lies there."""
    return content_of(DATA_PATH)


def shipped() -> Mapping[str, Any] | None:
    """The data file's counts by strategy; None if they were made for other rules than the installed ones."""
    document = _document()
    return document["counts"] if is_current(document, FORMAT, game_inputs()) else None


def whole_game(strategy: str = OPTIMAL) -> WholeGame:
    """The shipped solution of a strategy: `optimal`, `simple` or `short`.

    >>> best = whole_game()
    >>> f"{float(best.edge):.4%}", f"{float(best.average_bet):.4f}", f"{float(best.fold_rate):.2%}"
    ('1.2717%', '1.6987', '30.13%')
    """
    counts = shipped()
    if counts is None:
        raise MissingPartError(
            f"the shipped solution of {fold_or_play_game().title} was made for other rules than the installed ones: "
            "count it again with houseway.odds.six_card_poker.game.solve, or install the package again"
        )
    by_hand = {tuple(names.split("+")): dict(count) for names, count in counts[strategy]["by_hand"].items()}
    return WholeGame(strategy, by_hand)
