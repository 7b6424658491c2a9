"""What the loader knows about games, below the games themselves, is what the games say."""

from __future__ import annotations

import pytest

from houseway.games import Game, Wager, game, games
from houseway.paytables.vocabulary import CARDS_DEALT, GAME_IDS, GAMES_WITHOUT_JOKER, JACKPOT_WAGER, OFFERS, wagers_of


def paid_by(wager: Wager) -> str:
    """The wager that a table names: both sensors of a jackpot use tables of the same."""
    return JACKPOT_WAGER if wager.kind == "jackpot" else wager.name


def test_the_games_are_the_same() -> None:
    assert set(GAME_IDS) == {each.id for each in games()} == {offering for offering, _ in OFFERS}


@pytest.mark.parametrize("each", games(), ids=lambda each: each.id)
def test_a_game_offers_the_wagers_that_its_tables_may_be_for(each: Game) -> None:
    assert set(wagers_of(each.id)) == {paid_by(wager) for wager in each.wagers if wager.needs_table}


@pytest.mark.parametrize(("offering", "wager_name"), OFFERS)
def test_envy_and_pushes_are_allowed_exactly_where_the_game_has_a_clause(offering: str, wager_name: str) -> None:
    allowed, each = OFFERS[offering, wager_name], game(offering)
    wagers = [wager for wager in each.wagers if wager.needs_table and paid_by(wager) == wager_name]
    assert wagers
    for wager in wagers:
        assert wager.clauses is not None
        assert allowed.envy == (f"{wager.name}_envy" in each.line_order) == bool(wager.clauses.envy)
        assert allowed.push == bool(wager.clauses.push)


def test_hands_are_dealt_alike() -> None:
    assert {each.id: each.cards for each in games()} == CARDS_DEALT
    assert {each.id for each in games() if each.deck == 52} == set(GAMES_WITHOUT_JOKER)
    assert {each.deck for each in games()} == {52, 53}
