"""What is said in two places says the same: games, pay tables, shuffler modes and house ways."""

from __future__ import annotations

import pytest

from houseway.cards.modes import shuffler_mode
from houseway.definitions.clauses import clause, clauses
from houseway.games import Game, games
from houseway.houseways import house_way
from houseway.paytables import paytable, paytables


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_a_game_fits_its_shuffler_mode(game: Game) -> None:
    mode = shuffler_mode(game.shuffler_mode)
    assert (mode.packet_size, len(mode.deck), mode.seats) == (game.cards, game.deck, game.max_seats)
    if game.id == "six-card-poker":
        assert mode.dealer_cards_up == game.dealer_cards_up


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_a_game_fits_its_house_ways(game: Game) -> None:
    for way_id in game.ways:
        way = house_way(way_id)
        assert (way.cards, way.low_cards) == (game.cards, game.low_cards)


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_every_table_wager_has_tables_and_defaults_to_its_own(game: Game) -> None:
    for wager in game.wagers:
        if wager.needs_table:
            assert [table for table in paytables() if table.wager == wager.paid_by and game.id in table.games]
            if wager.default_table:
                assert paytable(wager.default_table).wager == wager.name


def test_every_table_belongs_to_a_wager_that_its_games_offer() -> None:
    for table in paytables():
        for game in games():
            if game.id in table.games:
                assert game.wager(table.wager) is not None, table.id


def test_a_sheet_that_pays_fixed_awards_from_the_meter_says_so_in_game_and_table() -> None:
    for table in paytables():
        if table.wager == "progressive":
            allowed = {game.fixed_pays_from_meter for game in games() if game.id in table.games}
            assert allowed == {table.fixed_from_meter}, table.id


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_every_line_of_a_game_has_a_place_in_its_order(game: Game) -> None:
    named = {wager.name for wager in game.wagers} | ({"bank"} if game.offers_banker else set())
    named |= {f"{table.wager}_envy" for table in paytables() if game.id in table.games and table.has_envy}
    assert set(game.line_order) == named


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_a_game_names_the_sheets_of_the_clauses_it_cites(game: Game) -> None:
    for wager in game.wagers:
        if wager.clauses is not None:
            cited = [wager.clauses.win, wager.clauses.lose, wager.clauses.push, wager.clauses.envy, wager.clauses.fixed]
            assert {clause(cite).sheet for cite in cited if cite} <= set(game.sheets)


def test_the_sheets_of_the_games_are_in_the_register() -> None:
    sheets = {entry.sheet for entry in clauses()}
    for game in games():
        assert set(game.sheets) <= sheets
