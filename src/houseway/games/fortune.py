"""Fortune Pai Gow Poker: seven cards, 5% commission, Fortune Bonus with Envy, Pai Gow'd and up to two jackpots.

The sheet adds its bonus wagers to standard Pai Gow Poker and leaves the base game to the published rules: the contest,
copies, fouls, commission and player banking cite those (`base/pai-gow/...`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from houseway.games.model import Clauses, Contest, Game, Hand, Line, Outcome, Seat, Wager
from houseway.games.pai_gow import (
    JACKPOT_WAGERS,
    MainClauses,
    high_hand_wins,
    look_at_own_best,
    look_at_pai_gow,
    low_hand_wins,
    main_line,
    outcome_of,
)

SEVEN_CARD_WAYS: Final = ("foxwoods", "trump-plaza", "sixes-together", "casino-real")

MAIN: Final = MainClauses(
    win="base/pai-gow/win", lose="base/pai-gow/lose", push="base/pai-gow/push", foul="base/pai-gow/foul"
)
FORTUNE: Final = Clauses(win="fpgp/rules/6.a", lose="fpgp/rules/6.b", push="fpgp/rules/6.a", envy="fpgp/rules/7")
PAIGOWD: Final = Clauses(win="pgd/rules/3", lose="pgd/rules/3")


def contest_outcome(contest: Contest, hand: Hand) -> Outcome:
    """Win, lose or push of the player's two hands against the dealer's or the banker's."""
    if hand.fouled:
        return "lose"
    return outcome_of(high_hand_wins(hand, contest.opponent) + low_hand_wins(hand, contest.opponent))


def settle_contest(contest: Contest, seat: Seat, hand: Hand) -> list[Line]:
    """The line of the main wager."""
    return [main_line(contest, seat.wagers["main"], hand, contest_outcome(contest, hand), MAIN)]


def settle_with_push(contest: Contest, seat: Seat, hand: Hand, clause: str) -> list[Line]:
    """The line of the main wager where the dealer's hand pushes them all by a clause; a foul loses before that."""
    outcome: Outcome = "lose" if hand.fouled else "push"
    return [main_line(contest, seat.wagers["main"], hand, outcome, replace(MAIN, push=clause))]


GAME: Final = Game(
    id="fortune",
    title="Fortune Pai Gow Poker",
    cards=7,
    low_cards=2,
    max_seats=6,
    deck=53,
    shuffler_mode="seven-card-packets",
    wagers=(
        Wager("main", "main", "Main wager"),
        Wager("fortune", "bonus", "Fortune Bonus", FORTUNE, look_at_own_best),
        Wager("paigowd", "bonus", "Pai Gow'd", PAIGOWD, look_at_pai_gow),
        *JACKPOT_WAGERS,
    ),
    line_order=("main", "bank", "fortune", "paigowd", "progressive", "progressive2", "fortune_envy"),
    ways=SEVEN_CARD_WAYS,
    sheets=("fpgp", "pgd", "fpgpp", "fpgpj", "base"),
    contest=settle_contest,
    offers_banker=True,
    commission=True,
    aggregate_clause="fpgp/rules/6.a.i",
)
