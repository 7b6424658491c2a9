"""What a definition says is honoured by whatever computes with it, or refused by name: nothing is passed over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

from houseway.definitions import Clauses, DealerPush, Game, Look, Wager, defined_as, game, read_game, span_of
from houseway.errors import InputError, MissingPartError
from houseway.odds.questions import OddsQuestion, answer
from houseway.paytables import paytable

FORTUNE = files("houseway").joinpath("rules", "definitions", "fortune.toml").read_text(encoding="utf-8")
POKER = files("houseway").joinpath("rules", "definitions", "six-card-poker.toml").read_text(encoding="utf-8")
OWN = 'look = { at = "player-best" }\n'
"""What the bonus wagers of both look at; the first is that of Fortune and of Aces Up."""
BEATEN = 'look = { at = "dealer-best", hands = "less than a pair", beaten_by = "high" }'
JACKPOT = 'title = "Jackpot, first sensor"\n' + OWN


def messages_of(text: str, stem: str) -> str:
    """All that is said about a definition that is refused."""
    with pytest.raises(InputError) as refused:
        read_game(text, "game.toml", stem)
    assert {fault.code for fault in refused.value.faults} == {"game-contradiction"}
    return "\n".join(fault.message for fault in refused.value.faults)


@pytest.mark.parametrize(
    ("look", "says"),
    [
        ('{ at = "player-cards", hands = "pair or better" }', "`hands` are whole hands, not a seat's own cards"),
        ('{ at = "player-cards", beaten_by = "best" }', "player-cards takes no `beaten_by`"),
        ('{ at = "losing-hand", beaten_by = "best" }', "losing-hand takes no `beaten_by`"),
        ('{ at = "player-best", beaten_by = "low" }', "hands are not split, so no low hand can be beaten"),
        ('{ at = "dealer-low" }', "hands are not split, so the dealer has no low hand"),
        ('{ at = "player-best", tie = "push" }', "without `beaten_by` there is no tie"),
        ('{ at = "player-best", beaten_by = "best", tie = "push" }', "a tie pushes, and there is no clause of `push`"),
    ],
)
def test_a_look_that_no_settlement_honours_is_refused(look: str, says: str) -> None:
    text = POKER.replace(OWN, f"look = {look}\n", 1)
    assert f"aces_up: {says}" in messages_of(text, "six-card-poker")


@pytest.mark.parametrize("look", ['{ at = "dealer-best" }', '{ at = "player-best", hands = "pair or better" }'])
def test_jackpots_and_envy_look_at_every_hand_of_the_player(look: str) -> None:
    jackpot = FORTUNE.replace(JACKPOT, JACKPOT.replace(OWN, f"look = {look}\n"))
    assert "progressive: a jackpot looks at `player-best`, and at every hand" in messages_of(jackpot, "fortune")
    envy = FORTUNE.replace(OWN, f"look = {look}\n", 1)
    assert "fortune: a wager that earns envy looks at `player-best`, and at every hand" in messages_of(envy, "fortune")


def test_wagers_with_the_same_tables_look_at_the_same() -> None:
    shared = POKER.replace('title = "Bad Beat"\n', 'title = "Bad Beat"\ntable_wager = "aces_up"\n')
    assert "aces_up, bad_beat are paid by the tables of 'aces_up'" in messages_of(shared, "six-card-poker")


@pytest.mark.parametrize(
    ("stem", "before", "after", "says"),
    [
        ("fortune", BEATEN, BEATEN.replace(" }", ', tie = "push" }'), "ties go to the dealer by [contest]"),
        ("six-card-poker", 'fixed_wheel = "lowest"', 'fixed_wheel = "second"', "A-2-3-4-5 is the lowest straight"),
        ("six-card-poker", OWN, f"{OWN}needs_qualifier = true\n", "needs a qualifier, and its table decides it"),
        ("six-card-poker", OWN, f"{OWN}lines_may_push = true\n", "may push, and it has no clause of `push`"),
        ("fortune", JACKPOT, f"{JACKPOT}lines_may_push = true\n", "may push, and no line of a jackpot does"),
    ],
)
def test_other_facts_that_nothing_honours_are_refused(stem: str, before: str, after: str, says: str) -> None:
    text = {"fortune": FORTUNE, "six-card-poker": POKER}[stem]
    assert before in text
    assert says in messages_of(text.replace(before, after, 1), stem)


RIDE = (Path(__file__).parents[2] / "examples/games/let-it-ride/definitions/let-it-ride.toml").read_text(
    encoding="utf-8"
)
"""A game whose dealer has no hand."""


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("[deal]", "[commission]\npercent = 5\n\n[deal]", "a pay table decides the main one"),
        (OWN, 'look = { at = "player-best", beaten_by = "best" }\n', "one: the dealer has no hand to be beaten"),
    ],
)
def test_without_a_dealers_hand_nothing_asks_for_it(before: str, after: str, says: str) -> None:
    assert says in messages_of(RIDE.replace(before, after, 1), "let-it-ride")


def of_six_cards(seats: int) -> str:
    """The same with all six cards of a hand dealt to its seat."""
    text = RIDE.replace("cards = 3\n", "cards = 6\n").replace("seats = 7\n", f"seats = {seats}\n")
    return text.replace("seat = 3\n", "seat = 6\n").replace("community = 1\n", "")


def test_a_dealer_without_a_hand_takes_no_cards() -> None:
    """Eight hands of six cards take 48 of the 52; one more for a dealer would not be there."""
    assert read_game(of_six_cards(8), "game.toml", "let-it-ride").max_seats == 8
    with_dealer = POKER.replace("seats = 7\n", "seats = 8\n").replace('shuffler_mode = "six-card-poker"\n', "")
    assert "8 players and the dealer need 54 cards of 52" in messages_of(with_dealer, "six-card-poker")


def with_contest(**changes: object) -> Callable[[Game], Game]:
    """A change of the contest."""
    return lambda played: replace(played, contest=replace(played.contest, **changes))


def with_bonus(look: Look) -> Callable[[Game], Game]:
    """One more bonus wager, on another look."""
    clauses = Clauses("base/pai-gow/win", "base/pai-gow/lose", "base/pai-gow/push")
    wager = Wager("blind", "bonus", "Blind", clauses, look, table_wager="fortune")
    return lambda played: replace(played, wagers=(*played.wagers, wager), line_order=(*played.line_order, "blind"))


CHANGES = {
    "copies push": with_contest(tie="push"),
    "the low hand alone is compared": with_contest(parts=("low",)),
    "a dealer's best hand pushes": with_contest(dealer_push=DealerPush("best", span_of("pair"), "base/pai-gow/push")),
    "a bonus on some of the player's hands": with_bonus(Look("player-best", span_of("three of a kind or better"))),
    "a bonus on hands that win": with_bonus(Look("player-best", beaten_by="high")),
    "a bonus on the lesser hand": with_bonus(Look("losing-hand")),
    "a bonus on a dealer's best hand that is beaten": with_bonus(Look("dealer-best", beaten_by="best")),
}


@pytest.mark.kernels
@pytest.mark.parametrize("change", CHANGES)
def test_what_the_kernels_do_not_know_is_settled_round_by_round(change: str) -> None:
    """The simulation of a changed game is that of its settlement, and no answer for the game as it ships."""
    pytest.importorskip("numba")
    from houseway.odds.simulation.job import Simulation, default_tables, felt_of, kernels_play
    from houseway.odds.simulation.settled_rounds import play_settled

    played = game("fortune")
    changed = CHANGES[change](played)
    assert kernels_play(played)
    with defined_as(changed):
        assert not kernels_play(changed)
        job = Simulation("fortune", 60, 6, 7, tuple(default_tables(changed).items()), changed.ways[0])
        with pytest.raises(MissingPartError, match="Fortune Pai Gow Poker"):
            felt_of(job)
        followed = dict(zip(job.wagers, job.play(0, 60), strict=False))
    assert all(sum(row[:3]) == 360 for row in followed.values())
    usual = dict(zip(job.wagers, play_settled(job, 0, 60), strict=False))
    asked, like = ("blind", "fortune") if "bonus" in change else ("main", "main")
    assert followed[asked] != usual[like]
    assert all(followed[name] == row for name, row in usual.items() if name != asked)


def test_odds_of_hands_that_must_win_are_refused_by_name() -> None:
    played = game("fortune")
    fortune = played.wager("fortune")
    assert fortune is not None
    other = replace(fortune, look=Look("player-best", beaten_by="high"))
    changed = replace(played, wagers=tuple(other if wager is fortune else wager for wager in played.wagers))
    with defined_as(changed), pytest.raises(MissingPartError, match="Fortune Bonus of Fortune Pai Gow Poker is not"):
        answer(OddsQuestion(changed, ("fortune",), {"fortune": paytable("FPGP-3")}))


@pytest.mark.parametrize("change", ["copies push", "the low hand alone is compared"])
def test_advice_about_another_contest_is_refused_by_name(change: str) -> None:
    from houseway.odds.pai_gow.outcomes import CellRules

    with pytest.raises(MissingPartError, match="Fortune Pai Gow Poker is not counted with"):
        CellRules.of(CHANGES[change](game("fortune")))
    joker = replace(game("six-card-fortune"), contest=replace(game("six-card-fortune").contest, joker_low_wins=False))
    with pytest.raises(MissingPartError, match="joker"):
        CellRules.of(joker)
