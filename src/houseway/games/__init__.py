"""The approved games: wagers, legal settings, order of resolution, settlement."""

from houseway.definitions import Game, Wager, game, game_ids, games
from houseway.games.round_model import CheckedRound, CheckedSeat, Hand, Line, SeatResult, Settlement
from houseway.games.round_reader import read_round
from houseway.games.settle import settle, settle_json
from houseway.games.table_settings import Settings

__all__ = [
    "CheckedRound",
    "CheckedSeat",
    "Game",
    "Hand",
    "Line",
    "SeatResult",
    "Settings",
    "Settlement",
    "Wager",
    "game",
    "game_ids",
    "games",
    "read_round",
    "settle",
    "settle_json",
]
