"""Face Up Pai Gow Poker: the dealer's hand is face up and set first; an ace-high dealer hand pushes; no commission.

The documents hold only the tables that link its jackpot with Fortune Pai Gow Poker. The base rules are those published
for the game and cite `base/face-up/...`; a room that plays it needs the game's own approved sheet.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from houseway.games import fortune
from houseway.games.model import Contest, Hand, Line, Seat, Wager
from houseway.games.pai_gow import JACKPOT_WAGERS, is_ace_high

ACE_HIGH_PUSH: Final = "base/face-up/ace-high-push"


def ace_high_push(contest: Contest) -> bool:
    """Whether all main wagers push because the dealer's high hand is ace-high."""
    return is_ace_high(contest.opponent)


def settle_contest(contest: Contest, seat: Seat, hand: Hand) -> list[Line]:
    """The line of the main wager."""
    if ace_high_push(contest):
        return fortune.settle_with_push(contest, seat, hand, ACE_HIGH_PUSH)
    return fortune.settle_contest(contest, seat, hand)


GAME: Final = replace(
    fortune.GAME,
    id="face-up",
    title="Face Up Pai Gow Poker",
    wagers=(Wager("main", "main", "Main wager"), *JACKPOT_WAGERS),
    line_order=("main", "progressive", "progressive2"),
    sheets=("fpgpp", "fpgpj", "base"),
    contest=settle_contest,
    offers_banker=False,
    commission=False,
    aggregate_clause="",
    dealer_cards_up=7,
    notes=("The documents hold only this game's link tables: its base rules are those published for the game.",),
)
