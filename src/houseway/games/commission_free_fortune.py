"""Commission Free Fortune Pai Gow Poker: even money without commission, a push when the dealer plays nine-high low.

The push holds against a player who banks as well. Tiger 9 wins when the dealer plays nine-high low and the player's low
hand beats it, also while a player banks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from houseway.games import fortune
from houseway.games.model import Clauses, Contest, Hand, Line, Seat, Wager
from houseway.games.pai_gow import JACKPOT_WAGERS, look_at_own_best, look_at_tiger_nine, plays_nine_high

NINE_HIGH_PUSH: Final = "cffpgp/intro/4"
BANKER_NINE_HIGH_PUSH: Final = "cffpgp/intro/3"
FORTUNE: Final = Clauses(win="cffpgp/rules/3", lose="cffpgp/rules/4", push="cffpgp/rules/3", envy="cffpgp/rules/6")
TIGER9: Final = Clauses(win="cffpgp/intro/6", lose="cffpgp/intro/6")


def nine_high_push(contest: Contest) -> bool:
    """Whether all main wagers push because the dealer, or the banker, plays nine-high in the low hand."""
    return plays_nine_high(contest.opponent)


def settle_contest(contest: Contest, seat: Seat, hand: Hand) -> list[Line]:
    """The line of the main wager."""
    if nine_high_push(contest):
        clause = NINE_HIGH_PUSH if contest.round.banker is None else BANKER_NINE_HIGH_PUSH
        return fortune.settle_with_push(contest, seat, hand, clause)
    return fortune.settle_contest(contest, seat, hand)


GAME: Final = replace(
    fortune.GAME,
    id="commission-free-fortune",
    title="Commission Free Fortune Pai Gow Poker",
    wagers=(
        Wager("main", "main", "Main wager"),
        Wager("fortune", "bonus", "Fortune Bonus", FORTUNE, look_at_own_best),
        Wager("tiger9", "bonus", "Tiger 9", TIGER9, look_at_tiger_nine, default_table="TIGER9"),
        *JACKPOT_WAGERS,
    ),
    line_order=("main", "bank", "fortune", "tiger9", "progressive", "progressive2", "fortune_envy"),
    sheets=("cffpgp", "fpgpp", "fpgpj", "base"),
    contest=settle_contest,
    commission=False,
    aggregate_clause="cffpgp/rules/3.a",
)
