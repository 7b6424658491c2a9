"""The approved games: wagers, legal settings, order of resolution, settlement."""

from houseway.definitions import Game, Wager, game, game_ids, games
from houseway.games.model import Hand, Line, Round, Seat, SeatResult, Settlement
from houseway.games.rounds import read_round
from houseway.games.settings import Settings
from houseway.games.settle import settle, settle_json

__all__ = [
    "Game",
    "Hand",
    "Line",
    "Round",
    "Seat",
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
