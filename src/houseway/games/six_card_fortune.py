"""6 Card Fortune Pai Gow Poker and its Progressive.

Six cards make a five-card high hand and a one-card low hand. No commission, no player banking. A joker in the player's
low hand beats every dealer low hand. The double down is in action only when the dealer's high hand is a pair of eights
or better.
"""

from __future__ import annotations

from typing import Final

from houseway.games.model import Clauses, Contest, Game, Hand, Line, Outcome, Seat, Wager, lost, pushed, won
from houseway.games.pai_gow import (
    MainClauses,
    high_hand_wins,
    look_at_own_best,
    low_hand_wins,
    main_line,
    outcome_of,
)
from houseway.ranking.hands import CATEGORY_SHIFT, RANK_SHIFTS, Category
from houseway.ranking.reference import JOKER_INDEX

_PAIR_OF_EIGHTS: Final = (Category.PAIR << CATEGORY_SHIFT) + (6 << RANK_SHIFTS[0])

MAIN: Final = MainClauses(
    win="6cfpgp/rules/7.b", lose="6cfpgp/rules/7.c", push="6cfpgp/overview/4", foul="6cfpgp/rules/5"
)
DOUBLE_DOWN: Final = Clauses(
    win="6cfpgp/bonus/double-down.3", lose="6cfpgp/bonus/double-down.3", push="6cfpgp/bonus/double-down.3"
)
FORTUNE: Final = Clauses(win="6cfpgp/bonus/fortune.1", lose="6cfpgp/bonus/fortune.1", envy="6cfpgp/rules/2.a")
INSURANCE: Final = Clauses(win="6cfpgp/bonus/insurance.1", lose="6cfpgp/bonus/insurance.1")
PROGRESSIVE: Final = Clauses(
    win="6cfpgpp/nexus/8.a",
    fixed="6cfpgpp/nexus/8.b",
    lose="6cfpgpp/nexus/2",
    envy="6cfpgpp/nexus/9.a",
    house="base/jackpot/house",
)


def joker_low_wins(player: Hand) -> bool:
    """Whether the player's low hand is the joker, which beats every dealer low hand, an ace or joker included."""
    return player.low == (JOKER_INDEX,)


def dealer_qualifies(dealer: Hand) -> bool:
    """Whether the dealer's high hand, as set, is a pair of eights or better."""
    return dealer.high_value >= _PAIR_OF_EIGHTS


def contest_outcome(contest: Contest, hand: Hand) -> Outcome:
    """Win, lose or push of the player's two hands against the dealer's."""
    if hand.fouled:
        return "lose"
    low_wins = joker_low_wins(hand) or low_hand_wins(hand, contest.opponent)
    return outcome_of(high_hand_wins(hand, contest.opponent) + low_wins)


def settle_contest(contest: Contest, seat: Seat, hand: Hand) -> list[Line]:
    """The lines of the main wager and of the double down."""
    outcome = contest_outcome(contest, hand)
    lines = [main_line(contest, seat.wagers["main"], hand, outcome, MAIN)]
    stake = seat.wagers.get("double_down")
    if stake is not None:
        lines.append(_double_down_line(contest, stake, hand, outcome))
    return lines


def _double_down_line(contest: Contest, stake: int, hand: Hand, outcome: Outcome) -> Line:
    """The double down: judged like the main wager once the dealer qualifies, else a push, even for a fouled hand."""
    name = "double_down"
    if not contest.qualifies:
        return pushed(name, stake, hand.high_name, DOUBLE_DOWN.push)
    if outcome == "lose":
        return lost(name, stake, hand.high_name, MAIN.foul if hand.fouled else DOUBLE_DOWN.lose)
    if outcome == "push":
        return pushed(name, stake, hand.high_name, MAIN.push)
    return won(name, stake, stake, hand.high_name, DOUBLE_DOWN.win)


GAME: Final = Game(
    id="six-card-fortune",
    title="6 Card Fortune Pai Gow Poker",
    cards=6,
    low_cards=1,
    max_seats=6,
    deck=53,
    shuffler_mode="six-card-packets",
    wagers=(
        Wager("main", "main", "Main wager"),
        Wager("double_down", "raise", "Double Down"),
        Wager("fortune", "bonus", "Fortune", FORTUNE, look_at_own_best),
        Wager("insurance", "bonus", "Insurance", INSURANCE, look_at_own_best, default_table="6CFPGP-INS"),
        Wager("progressive", "jackpot", "Progressive", PROGRESSIVE),
    ),
    line_order=("main", "double_down", "fortune", "fortune_envy", "insurance", "progressive", "progressive_envy"),
    ways=("six-card",),
    sheets=("6cfpgp", "6cfpgpp", "base"),
    contest=settle_contest,
    fixed_pays_from_meter=True,
    fixed_wheel="second",
    qualify=dealer_qualifies,
    notes=("The sheet at hand is the older one: a letter of June 14, 2023 lists this game among those amended later.",),
)
