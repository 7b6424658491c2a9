"""What the games are: one declarative definition each, from which everything else derives."""

from houseway.definitions.definition import (
    Clauses,
    Commission,
    ContestRules,
    DealerPush,
    Edition,
    Game,
    HandPart,
    Look,
    Qualifier,
    Raise,
    RaiseRule,
    Wager,
)
from houseway.definitions.hand_spans import HandSpan, low_ranks_of, low_values, span_of
from houseway.definitions.reader import BANK, ENVY_SUFFIX, FAULT_CODES, read_game
from houseway.definitions.registry import defined_as, find_game, game, game_ids, games, replaced_games

__all__ = [
    "BANK",
    "ENVY_SUFFIX",
    "FAULT_CODES",
    "Clauses",
    "Commission",
    "ContestRules",
    "DealerPush",
    "Edition",
    "Game",
    "HandPart",
    "HandSpan",
    "Look",
    "Qualifier",
    "Raise",
    "RaiseRule",
    "Wager",
    "defined_as",
    "find_game",
    "game",
    "game_ids",
    "games",
    "low_ranks_of",
    "low_values",
    "read_game",
    "replaced_games",
    "span_of",
]
