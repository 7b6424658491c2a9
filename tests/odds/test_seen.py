"""Face-up dealing: the sampler against a game that can be counted, the games against the advice, and what ships."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib.resources import files
from itertools import pairwise, permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("numba")

import numpy as np

from houseway.cards.card import ALL_CARDS
from houseway.definitions.clauses import clause
from houseway.games import game, game_ids
from houseway.houseways import house_way
from houseway.odds.pai_gow.setting_advice import advise
from houseway.odds.running.cache import Cache
from houseway.odds.running.executors import InProcessExecutor
from houseway.odds.running.jobs import run_job
from houseway.odds.seen.face_up_page import filled
from houseway.odds.seen.face_up_report import face_up_report
from houseway.odds.seen.gains import SeenJob, gains_of, others_at, shipped_gains, shipped_jobs
from houseway.odds.seen.games import PaiGow, SeenGame, SeenQuestion, fold_or_play_deal, split_deal
from houseway.odds.six_card_poker.decision import decision
from tests.odds.dealers import whole_tables

FOLD_OR_PLAY, SIX_CARD = fold_or_play_deal(), split_deal(6)
pytestmark = pytest.mark.kernels


# -------------------------------------------------------------------- a game that can be counted by hand


@dataclass(frozen=True)
class HigherCard:
    """A toy: six cards, one each for player and dealer; the player bets on the higher or the lower card."""

    name: str = "higher-card"
    questions: tuple[SeenQuestion, ...] = (SeenQuestion("toy", "bet"),)
    deck: int = 6
    own: int = 1
    open: int = 0
    hidden: int = 1
    fingerprint: str = "1"

    def ready(self, cache: Cache | None) -> None:
        """Nothing to prepare."""

    def payoffs(self, own: Sequence[int], open_cards: Sequence[int], decks: Any) -> list[Any]:
        """One for a right bet, minus one for a wrong one, summed over the dealer's cards."""
        higher = np.where(decks < own[0], 1, -1).sum(axis=1)
        return [np.stack([higher, -higher], axis=1)]


def counted_gain(others: int) -> Fraction:
    """The toy's gain over every deal."""
    gains = []
    for own, *seen in permutations(range(6), 1 + others):
        alone = sum(1 if card < own else -1 for card in range(6) if card != own)
        informed = sum(1 if card < own else -1 for card in range(6) if card not in (own, *seen))
        chosen = informed if alone >= 0 else -informed
        gains.append(Fraction(abs(informed) - chosen, 6 - 1 - others))
    return sum(gains, Fraction(0)) / len(gains)


def test_the_sampled_gain_is_the_counted_one() -> None:
    job = SeenJob(HigherCard(), parts=4, hands=2000, draws={2: 3, 4: 2}, seed=11)
    for gain in gains_of(job, run_job(job, executor=InProcessExecutor(), cache=None)):
        counted = counted_gain(gain.others)
        assert counted > 0
        assert gain.error < 0.02
        assert abs(gain.gain - counted) < 5 * gain.error


def test_the_error_is_that_of_a_mean_over_hands() -> None:
    job = SeenJob(HigherCard(), parts=50, hands=1, draws={3: 2}, seed=5)
    results = run_job(job, executor=InProcessExecutor(), cache=None)
    (gain,) = gains_of(job, results)
    each = np.array([part[0]["gain"] for part in results], float) / gain.unit
    assert gain.hands == 50
    assert float(gain.gain) == pytest.approx(each.mean())
    assert gain.error == pytest.approx(each.std(ddof=1) / 50**0.5)


def test_every_part_draws_its_own_numbers_and_always_the_same() -> None:
    job = SeenJob(HigherCard(), parts=6, hands=40, draws={2: 3}, seed=3)
    parts = [json.dumps(job.run_part(number, None)) for number in range(6)]
    assert len(set(parts)) > 3
    assert parts == [json.dumps(job.run_part(number, None)) for number in range(6)]
    assert parts != [json.dumps(replace(job, seed=4).run_part(number, None)) for number in range(6)]


def test_an_interrupted_run_goes_on(tmp_path: Path) -> None:
    job = SeenJob(HigherCard(), parts=6, hands=40, draws={2: 3}, seed=3)
    cache = Cache(tmp_path)
    for number in (0, 3):
        cache.keep_part(job.name, job.key, number, job.run_part(number, None))
    steps: list[int] = []
    kept = run_job(job, executor=InProcessExecutor(), cache=cache, progress=lambda done, _: steps.append(done))
    assert steps[0] == 2
    assert kept == run_job(job, executor=InProcessExecutor(), cache=None)
    assert job.key != replace(job, hands=41).key


# -------------------------------------------------------------------- the games


def dealt(played: SeenGame, number: int, others: int) -> tuple[list[int], list[int], list[int], list[int]]:
    """Own cards, open cards, other players' cards, and the rest."""
    cards = Random(number).sample(range(played.deck), played.deck)
    first, second = played.own, played.own + played.open
    third = second + others * played.own
    return cards[:first], cards[first:second], cards[second:third], sorted(cards[third:])


@pytest.mark.parametrize("others", [0, 2, 5])
def test_six_card_poker_pays_as_a_single_decision_does(others: int) -> None:
    best = set()
    for number in range(25):
        own, up, seen, deck = dealt(FOLD_OR_PLAY, number, others)
        ((fold, play),) = FOLD_OR_PLAY.payoffs(own, up, np.array([deck]))[0].tolist()
        found = decision(own, up, seen)
        assert (Fraction(fold, found.completions), Fraction(play, found.completions)) == (found.fold, found.play)
        best.add(found.best)
    assert best == {"play", "fold"}


@pytest.mark.parametrize("others", [2, 5])
def test_the_six_card_game_pays_as_the_advice_says(others: int) -> None:
    SIX_CARD.ready(Cache())
    for number in range(4):
        own, _, seen, deck = dealt(SIX_CARD, number, others)
        main, doubled = (totals[0].tolist() for totals in SIX_CARD.payoffs(own, [], np.array([deck])))
        cards = [ALL_CARDS[card] for card in own]
        advice = advise(
            game("six-card-fortune"), cards, house_way("six-card"), whole_tables("six-card"), seen=set(seen)
        )
        assert Fraction(max(main), advice.deals) == advice.options[0].value
        assert Fraction(max(doubled), advice.deals) == advice.best_whole.whole_value
        assert set(main) <= {option.value * advice.deals for option in advice.options}


def test_every_commission_is_weighed_by_its_own_payoffs() -> None:
    """A win is worth less under a commission: the totals differ by that part of the wins, setting by setting."""
    questions = (SeenQuestion("fortune", "main", commission=5), SeenQuestion("fortune", "main", commission=4))
    played = PaiGow("six-card", "six-card", (SeenQuestion("six-card-fortune", "main"), *questions))
    played.ready(Cache())
    own, _, _, deck = dealt(played, 3, 5)
    answers = played.payoffs(own, [], np.array([deck]))
    assert answers is not None
    free, five, four = (totals[0] for totals in answers)
    wins = 100 * free - four
    assert (wins % 4 == 0).all()
    assert (100 * free - five == wins // 4 * 5).all()
    assert wins.any()


def test_other_cards_change_nothing_against_an_open_dealer() -> None:
    """The proof of the gain 0: the outcome of a setting is a function of the player's and the dealer's cards alone."""
    for others in others_at("face-up"):
        (gain,) = (each for each in shipped_gains() if (each.game, each.others) == ("face-up", others))
        assert (gain.gain, gain.error, gain.hands) == (0, 0.0, 0)
    assert game("face-up").dealer_cards_up == game("face-up").cards
    assert not [wager for wager in game("face-up").wagers if wager.kind == "raise"]


# -------------------------------------------------------------------- what ships


def shipped_file() -> dict[str, Any]:
    return json.loads((files("houseway.odds") / "data" / "seen.json").read_text(encoding="utf-8"))


def test_the_shipped_sample_was_made_under_the_installed_rules() -> None:
    assert shipped_file()["inputs"] == {job.name: job.key for job in shipped_jobs()}
    asked = {(gain.game, gain.wagers, gain.commission, gain.others) for gain in shipped_gains()}
    games = {
        (question.game, question.wagers, question.commission)
        for job in shipped_jobs()
        for question in job.game.questions
    }
    assert asked == {
        (*played, others) for played in games | {("face-up", "main", 0)} for others in others_at(played[0])
    }
    assert {played[0] for played in asked} == set(game_ids())
    assert {gain.commission for gain in shipped_gains() if gain.game == "fortune"} == {0, 5}
    assert [len(others_at(name)) for name in ("fortune", "six-card-poker")] == [5, 6]


@pytest.mark.parametrize(
    "job",
    [pytest.param(job, marks=pytest.mark.slow if job.game.name == "seven-card" else ()) for job in shipped_jobs()],
    ids=lambda job: job.name,
)
def test_a_part_of_the_shipped_sample_is_reproduced(job: SeenJob) -> None:
    cache = Cache()
    if job.game.name != "six-card-poker":
        job.game.ready(cache)
    assert job.run_part(0, cache) == shipped_file()["first_parts"][job.name]


def test_errors_are_small_and_more_hands_gain_more() -> None:
    for gain in shipped_gains():
        assert gain.error < 0.0006
        assert gain.hands == 0 or gain.gain > 0
    asked = {(gain.game, gain.wagers, gain.commission) for gain in shipped_gains()} - {("face-up", "main", 0)}
    for name, wagers, commission in asked:
        asked_for = (name, wagers, commission)
        gains = [gain for gain in shipped_gains() if (gain.game, gain.wagers, gain.commission) == asked_for]
        assert [gain.others for gain in gains] == list(others_at(name))
        for fewer, more in pairwise(gains):
            assert more.gain > fewer.gain
        two, five = gains[1], gains[4]
        assert five.gain - two.gain > 5 * (five.error + two.error)


# -------------------------------------------------------------------- the report


def test_the_report_names_its_games_once_and_cites_clauses() -> None:
    report = face_up_report()
    assert (len(report.games), report.players, report.seen_hands) == (11, 3, 2)
    assert len({reported.id for reported in report.games}) == 11
    for reported in report.games:
        assert clause(reported.clause).id == reported.clause
        assert reported.game is None or reported.game in game_ids()
        assert reported.title.split()[0] in clause(reported.clause).text


def test_the_report_s_spots() -> None:
    spots = {reported.title: reported.spots for reported in face_up_report().games if reported.spots}
    assert spots == {
        "Caribbean Stud Poker": 5,
        "DJ Wild Stud Poker": 4,
        "I Luv Suits Poker": 5,
        "Mississippi Stud": 4,
    }
    for game_id in ("fortune", "face-up"):
        about = face_up_report().about(game_id)
        assert about is not None
        assert about.called_not_beatable
    assert face_up_report().about("six-card-poker") is None


def test_the_page_shows_what_ships() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "face-up.md"
    text = page.read_text(encoding="utf-8")
    assert filled(text) == text, "run scripts/write-face-up-page"
    for reported in face_up_report().games:
        assert f"| {reported.title} | {reported.spots or 'not beatable'} |" in text


def test_the_page_names_the_sample_sizes() -> None:
    text = (Path(__file__).resolve().parents[2] / "docs" / "face-up.md").read_text(encoding="utf-8")
    for job in shipped_jobs():
        hands = f"{job.parts * job.hands:,}"
        row = next(line for line in text.splitlines() if line.startswith(f"| {job.game.questions[0].game}"))
        assert row.endswith(f"| {hands} | {', '.join(str(draws) for draws in job.draws.values())} |")
