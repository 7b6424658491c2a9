"""Face-up dealing: what a player gains who sees other players' cards before deciding, and decides perfectly.

Hands are sampled; for each hand, and each sample of the others' cards, every decision is weighed exactly, by all ways
in which the hidden cards can fall. The gain is paired: the best decision with the others' cards known, less the
decision that is best without them, both on the deck that is left. So its error is small, and it is never negative.
The sums are integers, so that a run gives the same result on any machine.

In Face Up Pai Gow Poker the gain is exactly 0: the dealer's seven cards are open before the player sets the hand, the
outcome follows from them and the player's own cards alone, and no wager can be raised.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cache as kept
from math import comb, sqrt
from typing import TYPE_CHECKING, Any, Final, cast

from houseway.definitions import game, shipped_games
from houseway.odds.running.jobs import run_job
from houseway.odds.seen.games import SeenGame, fold_or_play_deal, split_deal
from houseway.odds.shipped import DATA, content_of, head_of, is_current

if TYPE_CHECKING:
    from houseway.odds.pai_gow.layouts import Ints
    from houseway.odds.running.cache import Cache
    from houseway.odds.running.executors import Executor
    from houseway.odds.running.jobs import JsonValue, Progress

FILE: Final = DATA / "seen.json"
FORMAT: Final = 2
_NO_DOUBT: Final = 8
"""By how many standard errors a decision must be ahead to be the best without a further count."""


@dataclass(frozen=True, slots=True)
class SeenJob:
    """The sampling for one kind of deal as a job in parts; every part draws its own numbers from the seed."""

    game: SeenGame
    parts: int
    hands: int
    """How many hands a part deals."""
    draws: Mapping[int, int]
    """How often other hands are dealt beside each hand, by their number."""
    seed: int

    @property
    def name(self) -> str:
        """The job's name."""
        return f"seen-{self.game.name}"

    @property
    def key(self) -> Mapping[str, str]:
        """Everything that decides the result."""
        return {
            "game": self.game.name,
            "payoffs": self.game.fingerprint,
            "questions": " ".join(f"{asked.game}:{asked.wagers}:{asked.commission}" for asked in self.game.questions),
            "parts": str(self.parts),
            "hands": str(self.hands),
            "draws": json.dumps(dict(self.draws), sort_keys=True),
            "seed": str(self.seed),
        }

    def run_part(self, number: int, cache: Cache | None) -> JsonValue:
        """For every question and number of others: the sum of the gains of a part's hands, and of their squares."""
        import numpy as np

        played = self.game
        played.ready(cache)
        random = np.random.Philox(np.random.SeedSequence([self.seed, number]))
        sums = {(question, others): [0, 0] for question in range(len(played.questions)) for others in self.draws}
        for _ in range(self.hands):
            for (question, others), gain in _gains_of_hand(played, self.draws, random).items():
                sums[question, others][0] += gain
                sums[question, others][1] += gain * gain
        return [
            {"question": question, "others": others, "gain": gain, "squares": squares}
            for (question, others), (gain, squares) in sums.items()
        ]


def _shuffled(random: Any, rows: int, cards: int) -> Ints:  # noqa: ANN401 - numpy is typed only once it is loaded
    """Permutations of that many cards, one a row: the order of 64-bit numbers straight from the generator."""
    import numpy as np

    order: Ints = np.argsort(random.random_raw(rows * cards).reshape(rows, cards), axis=1, kind="stable")
    return order


def _gains_of_hand(played: SeenGame, draws: Mapping[int, int], random: Any) -> dict[tuple[int, int], int]:  # noqa: ANN401
    """The gains of one hand, added up over the draws of other hands, by question and number of others."""
    import numpy as np

    order = _shuffled(random, 1, played.deck)[0]
    own = [int(card) for card in order[: played.own]]
    open_cards = [int(card) for card in order[played.own : played.own + played.open]]
    rest = np.sort(order[played.own + played.open :])
    informed: dict[int, list[Ints]] = {}
    for others, rows in draws.items():
        picks = np.sort(_shuffled(random, rows, len(rest))[:, others * played.own :], axis=1)
        totals = played.payoffs(own, open_cards, np.ascontiguousarray(rest[picks]))
        if totals is not None:
            informed[others] = totals
    if not informed:
        return {}
    best = _best_on_average(informed[max(draws, key=draws.__getitem__)])
    if best is None:
        alone = played.payoffs(own, open_cards, rest.reshape(1, -1))
        assert alone is not None
        best = [int(totals[0].argmax()) for totals in alone]
    return {
        (question, others): int((totals.max(axis=1) - totals[:, best[question]]).sum())
        for others, answers in informed.items()
        for question, totals in enumerate(answers)
    }


def _best_on_average(answers: list[Ints]) -> list[int] | None:
    """The best decision without seeing, for every question, where the draws leave no doubt about it; else None.

    What a decision gains on average over the draws estimates what it gains without seeing. If the best one is ahead of
    every other by eight standard errors, counting all hidden cards could not change the choice, and is spared.
    """
    best = []
    for totals in answers:
        rows = len(totals)
        first = int(totals.sum(axis=0).argmax())
        for other in range(totals.shape[1]):
            ahead = totals[:, first] - totals[:, other]
            total, squares = int(ahead.sum()), sum(int(lead) ** 2 for lead in ahead)
            doubtful = total**2 * (rows - 1) <= _NO_DOUBT**2 * (rows * squares - total**2)
            if other != first and (total == 0 or doubtful):
                return None
        best.append(first)
    return best


@dataclass(frozen=True, slots=True)
class Gain:
    """What a player gains by seeing other hands, per unit of the first wager: sums of integers over sampled hands."""

    game: str
    wagers: str
    commission: int
    """What the house keeps of a win, in percent."""
    others: int
    hands: int
    """How many of the player's hands were sampled; 0 where the gain is known without a sample."""
    draws: int
    """How often other hands were dealt beside each of them."""
    unit: int
    """The gain of one hand is a whole number of this part of the wager."""
    total: int
    squares: int
    """The sum of the squares of the hands' gains."""

    @property
    def gain(self) -> Fraction:
        """The mean gain of the sample."""
        return Fraction(self.total, self.hands * self.unit) if self.hands else Fraction(0)

    @property
    def error(self) -> float:
        """The standard error of the mean over independent hands; 0 where nothing was sampled."""
        if not self.hands:
            return 0.0
        # One quotient of integers until the last step.
        spread = Fraction(self.squares * self.hands - self.total**2, self.hands**2 * (self.hands - 1))
        return sqrt(spread) / self.unit

    def to_json(self) -> dict[str, Any]:
        """The gain as programs read it."""
        return {
            "game": self.game,
            "wagers": self.wagers,
            "commission": self.commission,
            "seen_hands": self.others,
            "gain": float(self.gain),
            "error": self.error,
            "hands": self.hands,
            "draws": self.draws,
        }


def gains_of(job: SeenJob, results: Sequence[JsonValue]) -> list[Gain]:
    """The gains out of the results of all parts."""
    played = job.game
    sums: dict[tuple[int, int], list[int]] = {}
    for part in cast("Sequence[Sequence[Mapping[str, int]]]", results):
        for entry in part:
            found = sums.setdefault((entry["question"], entry["others"]), [0, 0])
            found[0] += entry["gain"]
            found[1] += entry["squares"]
    gains = []
    for (number, others), (total, squares) in sums.items():
        question, draws = played.questions[number], job.draws[others]
        left = played.deck - played.own * (others + 1) - played.open
        unit = question.unit * comb(left, played.hidden) * draws
        asked = (question.game, question.wagers, question.commission)
        gains.append(Gain(*asked, others, job.parts * job.hands, draws, unit, total, squares))
    return gains


# -------------------------------------------------------------------- what ships

SEED: Final = 20200707


def shipped_jobs() -> tuple[SeenJob, ...]:
    """The samples whose results ship, from one other hand to those of a full table: twenty minutes on two cores."""
    return (
        SeenJob(fold_or_play_deal(), parts=60, hands=1500, draws={1: 2, 2: 4, 3: 8, 4: 16, 5: 32, 6: 32}, seed=SEED),
        SeenJob(split_deal(6), parts=60, hands=25, draws={1: 2, 2: 4, 3: 8, 4: 16, 5: 64}, seed=SEED),
        SeenJob(split_deal(7), parts=100, hands=25, draws={1: 1, 2: 1, 3: 4, 4: 32, 5: 500}, seed=SEED),
    )


def sample_all(*, executor: Executor, cache: Cache | None, progress: Progress | None = None) -> dict[str, Any]:
    """Run the jobs whose results ship, and return the content of their file."""
    return file_content(
        {job.name: run_job(job, executor=executor, cache=cache, progress=progress) for job in shipped_jobs()}
    )


def file_content(results: Mapping[str, Sequence[JsonValue]]) -> dict[str, Any]:
    """The content of the shipped file, out of the jobs' results by name; the first parts are for a test."""
    inputs = {job.name: dict(job.key) for job in shipped_jobs()}
    return {
        **head_of("seen", FORMAT, inputs),
        "counts": [asdict(gain) for job in shipped_jobs() for gain in gains_of(job, results[job.name])],
        "first_parts": {job.name: results[job.name][0] for job in shipped_jobs()},
    }


def others_at(game_id: str) -> range:
    """How many other hands a player can see: from one to those of a full table."""
    return range(1, game(game_id).max_seats)


@kept
def _content() -> dict[str, Any] | None:
    """The shipped file as it lies there."""
    return content_of(FILE) if FILE.is_file() else None


def shipped_gains() -> tuple[Gain, ...]:
    """The gains that are known: those sampled under the installed rules, which ship, and the open dealer's."""
    open_dealer = tuple(
        Gain(played.id, played.first_wager.name, 0, others, 0, 0, 1, 0, 0)
        for played in shipped_games()
        if played.dealer_cards_up == played.cards and played.raise_wager is None
        for others in others_at(played.id)
    )
    content = _content()
    if content is None:
        return open_dealer
    inputs = {job.name: dict(job.key) for job in shipped_jobs()}
    if not is_current(content, FORMAT, inputs):
        return open_dealer
    return tuple(Gain(**entry) for entry in content["counts"]) + open_dealer
