"""Six Card Poker with Aces Up, Bad Beat and Progressive.

The best five of six cards from a 52-card deck. The player sees three dealer cards and folds or plays for one ante. The
dealer qualifies with ace-king; without it the ante is refunded and the play wager still has full action. Aces Up, Bad
Beat and the progressive live on after a fold.
"""

from __future__ import annotations

from typing import Final

from houseway.games.model import Clauses, Contest, Game, Hand, Line, Look, Outcome, Seat, Wager, lost, pushed, won
from houseway.games.pai_gow import look_at_own_best
from houseway.ranking.hands import CATEGORY_SHIFT, RANK_SHIFTS, Category, name_of_value

ACE_KING: Final = (12 << RANK_SHIFTS[0]) + (11 << RANK_SHIFTS[1])
"""The value that a dealer must reach to qualify."""
_PAIR_OF_ACES: Final = (Category.PAIR << CATEGORY_SHIFT) + (12 << RANK_SHIFTS[0])

FOLD: Final = "scp/rules/5.a"
REFUND: Final = "scp/rules/8"
CONTEST: Final = Clauses(win="scp/rules/10", lose="scp/rules/11", push="scp/rules/12")
ACES_UP: Final = Clauses(win="scp/rules/13", lose="scp/rules/13")
BAD_BEAT: Final = Clauses(win="scp/rules/14", lose="scp/rules/14")
PROGRESSIVE: Final = Clauses(
    win="scpp/nexus/8.a",
    fixed="scpp/nexus/8.b",
    lose="scpp/nexus/2",
    envy="scpp/nexus/9.a",
    house="base/jackpot/house",
)


def dealer_qualifies(dealer: Hand) -> bool:
    """Whether the dealer has ace-king high or better."""
    return dealer.best_value >= ACE_KING


def compare(player: Hand, dealer: Hand) -> Outcome:
    """The player's best five against the dealer's; a tie pushes."""
    if player.best_value == dealer.best_value:
        return "push"
    return "win" if player.best_value > dealer.best_value else "lose"


def settle_contest(contest: Contest, seat: Seat, hand: Hand) -> list[Line]:
    """The lines of ante and play."""
    ante, name = seat.wagers["ante"], hand.best_name
    if seat.fold:
        return [lost("ante", ante, name, FOLD)]
    outcome = compare(hand, contest.dealer)
    ante_line = _even_money("ante", ante, name, outcome) if contest.qualifies else pushed("ante", ante, name, REFUND)
    return [ante_line, _even_money("play", seat.wagers["play"], name, outcome)]


def _even_money(wager: str, stake: int, name: str, outcome: Outcome) -> Line:
    """The line of a wager that pays 1 to 1."""
    if outcome == "win":
        return won(wager, stake, stake, name, CONTEST.win)
    if outcome == "lose":
        return lost(wager, stake, name, CONTEST.lose)
    return pushed(wager, stake, name, CONTEST.push)


def look_at_bad_beat(contest: Contest, hand: Hand) -> Look:
    """Bad Beat: player and dealer both have a pair of aces or better and do not tie; the losing hand is paid."""
    losing = hand if hand.best_value <= contest.dealer.best_value else contest.dealer
    alive = losing.best_value >= _PAIR_OF_ACES and hand.best_value != contest.dealer.best_value
    return Look(losing.names, name_of_value(losing.best_value), alive)


GAME: Final = Game(
    id="six-card-poker",
    title="Six Card Poker",
    cards=6,
    low_cards=0,
    max_seats=7,
    deck=52,
    shuffler_mode="six-card-poker",
    wagers=(
        Wager("ante", "main", "Ante"),
        Wager("play", "raise", "Play"),
        Wager("aces_up", "bonus", "Aces Up", ACES_UP, look_at_own_best),
        Wager("bad_beat", "bonus", "Bad Beat", BAD_BEAT, look_at_bad_beat),
        Wager("progressive", "jackpot", "Progressive", PROGRESSIVE),
    ),
    line_order=("ante", "play", "aces_up", "bad_beat", "progressive", "progressive_envy"),
    ways=(),
    sheets=("scp", "scpp", "base"),
    contest=settle_contest,
    offers_fold=True,
    fixed_pays_from_meter=True,
    fixed_wheel="lowest",
    dealer_cards_up=3,
    qualify=dealer_qualifies,
    notes=("The sheet at hand is the older one: a letter of June 14, 2023 lists this game among those amended later.",),
)
