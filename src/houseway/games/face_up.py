"""Face Up Pai Gow Poker: the dealer's hand is face up and set first; an ace-high dealer hand pushes; no commission.

The documents hold only the tables that link its jackpot with Fortune Pai Gow Poker. The base rules are those published
for the game and cite `base/face-up/...`; a room that plays it needs the game's own approved sheet.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from houseway.games import fortune
from houseway.games.fortune import SEVEN_CARD_WAYS
from houseway.games.model import Contest, Game, Hand, Line, Outcome, Seat, Wager
from houseway.games.pai_gow import JACKPOT_2023, is_ace_high, main_line

ACE_HIGH_PUSH: Final = "base/face-up/ace-high-push"


def ace_high_push(contest: Contest) -> bool:
    """Whether all main wagers push because the dealer's high hand is ace-high."""
    return is_ace_high(contest.opponent)


def contest_outcome(contest: Contest, hand: Hand) -> Outcome:
    """Win, lose or push; a foul loses before the ace-high push is looked at."""
    if not hand.fouled and ace_high_push(contest):
        return "push"
    return fortune.contest_outcome(contest, hand)


def settle_contest(contest: Contest, seat: Seat, hand: Hand) -> list[Line]:
    """The line of the main wager."""
    clauses = replace(fortune.MAIN, push=ACE_HIGH_PUSH) if ace_high_push(contest) else fortune.MAIN
    return [main_line(contest, seat.wagers["main"], hand, contest_outcome(contest, hand), clauses)]


GAME: Final = Game(
    id="face-up",
    title="Face Up Pai Gow Poker",
    cards=7,
    low_cards=2,
    max_seats=6,
    deck=53,
    shuffler_mode="seven-card-packets",
    wagers=(
        Wager("main", "main", "Main wager"),
        Wager("progressive", "jackpot", "Jackpot, first sensor", JACKPOT_2023),
        Wager("progressive2", "jackpot", "Jackpot, second sensor", JACKPOT_2023),
    ),
    line_order=("main", "progressive", "progressive2"),
    ways=SEVEN_CARD_WAYS,
    sheets=("fpgpp", "fpgpj", "base"),
    contest=settle_contest,
    dealer_cards_up=7,
    notes=("The documents hold only this game's link tables: its base rules are those published for the game.",),
)
