"""Questions about wagers and sums: joint outcomes against their margins, commission, banking, and what is not known."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from houseway.errors import MissingPartError
from houseway.games import game
from houseway.odds.distribution import Distribution
from houseway.odds.questions import OddsAnswer, OddsQuestion, answer
from houseway.odds.solved import solved
from houseway.odds.solved_game import SolvedGame
from houseway.odds.wagers import Sides
from houseway.paytables import paytable

SIX = Sides("six-card", "six-card")


def six_card(*wagers: str, **tables: str) -> OddsQuestion:
    return OddsQuestion(
        game("six-card-fortune"), wagers, {name: paytable(table) for name, table in tables.items()}, SIX
    )


def made(outcomes: Mapping[str, int], by_hand: Mapping[tuple[str, ...], Mapping[str, int]] | None = None) -> SolvedGame:
    """A small solved game, as a solver would give it."""
    return SolvedGame("fortune", "foxwoods", "foxwoods", "second", sum(outcomes.values()), outcomes, by_hand or {})


def fortune(commission: Fraction = Fraction(5, 100), **options: object) -> OddsQuestion:
    return OddsQuestion(game("fortune"), ("main",), {}, Sides("foxwoods", "foxwoods"), commission=commission, **options)  # type: ignore[arg-type]


def solve_small(question: OddsQuestion) -> SolvedGame:
    return made({"win": 30, "push": 40, "lose": 30})


def distribution_of(found: OddsAnswer) -> Distribution:
    assert found.distribution is not None
    return found.distribution


def test_the_main_wager_of_the_six_card_game() -> None:
    found = distribution_of(answer(six_card("main")))
    assert found.deals == 246_507_617_396_040
    assert found.win == Fraction(57_893_887_360_048, found.deals)
    assert found.edge == Fraction(73_202_004_616_656 - 57_893_887_360_048, found.deals)


def test_a_sum_with_the_main_wager_has_its_margins() -> None:
    """Main and Fortune together: leaving out either gives the other's own distribution back."""
    together = answer(six_card("main", "fortune", fortune="6CFPGP-1"))
    main, fortune_alone = answer(six_card("main")), answer(six_card("fortune", fortune="6CFPGP-1"))
    assert together.edge == (main.edge or 0) + (fortune_alone.edge or 0)
    assert distribution_of(together).edge == together.edge
    by_main: dict[str, int] = {}
    by_line: dict[str, int] = {}
    for outcome in distribution_of(together).outcomes:
        won, line = outcome.name.split(", ")
        by_main[won] = by_main.get(won, 0) + outcome.deals
        by_line[line] = by_line.get(line, 0) + outcome.deals
    assert by_main == {outcome.name: outcome.deals for outcome in distribution_of(main).outcomes}
    dealer_hands = distribution_of(main).deals // distribution_of(fortune_alone).deals
    assert by_line == {
        outcome.name: outcome.deals * dealer_hands for outcome in distribution_of(fortune_alone).outcomes
    }
    assert distribution_of(together).average_wager == 2


def test_the_double_down_is_a_part_of_what_is_solved_with_it() -> None:
    both, raised = answer(six_card("main", "double_down")), answer(six_card("double_down"))
    shipped = solved("six-card-fortune", "six-card", "six-card", wagers="main+double_down")
    assert shipped is not None
    doubled = sum(deals for key, deals in shipped.outcomes.items() if not key.endswith("none"))
    assert distribution_of(both).average_wager == 1 + Fraction(doubled, shipped.deals)
    assert distribution_of(raised).average_wager == Fraction(doubled, shipped.deals)
    gained = sum(deals * {"win": 1, "lose": -1}.get(key.split("+")[1], 0) for key, deals in shipped.outcomes.items())
    assert raised.edge == Fraction(-gained, shipped.deals)


def test_two_bonus_wagers_together_need_no_main_game() -> None:
    together = distribution_of(answer(six_card("fortune", "insurance", fortune="6CFPGP-3", insurance="6CFPGP-INS")))
    assert together.deals == 22_957_480
    # No hand wins both: less than a pair against three of a kind or better.
    assert together.hit_frequency == Fraction(261_314, 2_869_685) + sum(
        outcome.deals
        for outcome in distribution_of(answer(six_card("insurance", insurance="6CFPGP-INS"))).outcomes[:-1]
    ) / Fraction(22_957_480)


def test_commission_is_taken_from_wins() -> None:
    assert distribution_of(answer(fortune(), solve_small)).edge == Fraction(30, 100) * Fraction(5, 100)
    assert distribution_of(answer(fortune(Fraction(0)), solve_small)).edge == 0


@pytest.mark.parametrize(("bet", "kept"), [(2500, 125), (99, 4), (19, 0)])
def test_commission_on_a_known_bet_is_rounded_down_to_the_cent(bet: int, kept: int) -> None:
    found = distribution_of(answer(fortune(bet=bet), solve_small))
    assert found.outcomes[0].net == 1 - Fraction(kept, bet)


@pytest.mark.parametrize(
    ("bet", "told"),
    [
        (None, "A win pays even money less 5% commission."),
        (2500, "A win of $25.00 pays 5% commission, rounded down to the cent: $1.25."),
        (10, "$0.00, which is 0% of the bet; the edge is that of this bet."),
        (99, "$0.04, which is 4.04% of the bet; the edge is that of this bet."),
    ],
)
def test_a_note_says_which_commission_a_bet_really_pays(bet: int | None, told: str) -> None:
    assert any(note.endswith(told) for note in answer(fortune(bet=bet), solve_small).notes)


def test_outcomes_with_a_wager_that_need_not_be_made_are_told_in_words() -> None:
    both, raised = (
        distribution_of(answer(six_card(*wagers))) for wagers in (("main", "double_down"), ("double_down",))
    )
    labels = {outcome.name: outcome.label for outcome in both.outcomes}
    assert labels["win+none"] == "main wins, double down is not made"
    # What differs in the main wager only is one outcome where nobody asks for that.
    assert {outcome.name: outcome.label for outcome in raised.outcomes} == {
        "win": "double down wins",
        "push": "double down pushes",
        "lose": "double down loses",
        "none": "double down is not made",
    }
    assert len(raised.outcomes) == 4
    assert raised.deals == both.deals
    assert not any(outcome.label for outcome in distribution_of(answer(fortune(), solve_small)).outcomes)


def test_a_bank_wins_what_the_player_loses_less_commission() -> None:
    def lopsided(question: OddsQuestion) -> SolvedGame:
        return made({"win": 20, "push": 40, "lose": 40})

    found = distribution_of(answer(fortune(banker=True), lopsided))
    assert (found.win, found.lose) == (Fraction(40, 100), Fraction(20, 100))
    assert found.edge == Fraction(20, 100) - Fraction(40, 100) * Fraction(95, 100)


def test_without_a_split_by_hand_a_sum_has_its_edge_only() -> None:
    question = OddsQuestion(
        game("fortune"), ("main", "fortune"), {"fortune": paytable("FPGP-1")}, Sides("foxwoods", "foxwoods")
    )
    found = answer(question, solve_small)
    assert found.distribution is None
    assert found.edge == sum((part.edge or 0 for part in found.parts), Fraction(0))
    assert any("not known together" in note for note in found.notes)


def test_a_meter_that_is_not_given_leaves_the_edge_open() -> None:
    found = answer(six_card("progressive", progressive="6CFPGPP-2"))
    assert (found.edge, found.distribution) == (None, None)
    assert any("--meter main=CENTS" in note for note in found.notes)


def test_what_is_not_shipped_is_a_missing_part() -> None:
    with pytest.raises(MissingPartError, match="not among the shipped results"):
        answer(OddsQuestion(game("six-card-fortune"), ("main",), {}, Sides("six-card", "somebody's own")))


def test_ante_and_play_are_settled_together() -> None:
    """A tenth folds; a win against a dealer without a hand pays the play wager only."""
    counts = {"lose+none": 10, "win+win": 30, "push+win": 20, "push+push": 5, "push+lose": 5, "lose+lose": 30}

    def small(question: OddsQuestion) -> SolvedGame:
        return SolvedGame("six-card-poker", "", "optimal", "lowest", 100, counts, {})

    question = OddsQuestion(game("six-card-poker"), ("ante", "play"), sides=Sides("", "optimal", "lowest"))
    found = distribution_of(answer(question, small))
    assert found.edge == Fraction(10 - 60 - 20 + 5 + 60, 100)
    assert found.average_wager == Fraction(190, 100)
    assert (found.win, found.push, found.lose) == (Fraction(1, 2), Fraction(1, 20), Fraction(45, 100))
    play = distribution_of(answer(OddsQuestion(game("six-card-poker"), ("play",), sides=question.sides), small))
    assert (play.edge, play.average_wager) == (Fraction(35 - 50, 100), Fraction(90, 100))
