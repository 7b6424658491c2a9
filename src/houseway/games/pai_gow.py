"""The contest that all Pai Gow games share: high hand against high hand, low hand against low hand.

Win both and the wager wins, lose both and it loses, one each and it pushes. A copy, an identical hand, goes to the
house or to the player who banks. A fouled hand loses before anything else is looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from houseway.games.model import Clauses, Contest, Hand, Line, Look, Outcome, Source, Wager, lost, pushed, won
from houseway.ranking.hands import CATEGORY_SHIFT, HIGH_NAMES, Category, name_of_low

_PAIR_VALUE: Final = 1 << 8
_OUTCOMES: Final[tuple[Outcome, Outcome, Outcome]] = ("lose", "push", "win")


def beats(player_value: int, opponent_value: int) -> bool:
    """Whether the player wins a matchup: a copy goes to the opponent."""
    return player_value > opponent_value


def high_hand_wins(player: Hand, opponent: Hand) -> bool:
    """The matchup of the five-card hands."""
    return beats(player.high_value, opponent.high_value)


def low_hand_wins(player: Hand, opponent: Hand) -> bool:
    """The matchup of the low hands."""
    return beats(player.low_value, opponent.low_value)


def outcome_of(matchups_won: int) -> Outcome:
    """What winning none, one or both of the two matchups makes of the wager."""
    return _OUTCOMES[matchups_won]


def plays_nine_high(hand: Hand) -> bool:
    """Whether the two-card low hand is nine-high: no pair, the higher card a nine."""
    return hand.low_value < _PAIR_VALUE and hand.low_value >> 4 == 7


def is_ace_high(hand: Hand) -> bool:
    """Whether the five-card hand is less than a pair, with an ace (or the joker) on top."""
    return hand.high_value >> 16 == 12


@dataclass(frozen=True, slots=True)
class MainClauses:
    """The clauses that a main wager cites."""

    win: str
    lose: str
    push: str
    foul: str


def main_line(contest: Contest, stake: int, hand: Hand, outcome: Outcome, clauses: MainClauses) -> Line:
    """The line of a main wager at even money, with the room's commission where the game takes one."""
    name = contest.round.game.first_wager.name
    if outcome == "lose":
        return lost(name, stake, hand.high_name, clauses.foul if hand.fouled else clauses.lose)
    if outcome == "push":
        return pushed(name, stake, hand.high_name, clauses.push)
    source: Source = "tray" if contest.round.banker is None else "banker"
    line = won(name, stake, stake, hand.high_name, clauses.win, source)
    if contest.round.game.commission:
        take_commission(contest, line, stake)
    return line


def take_commission(contest: Contest, line: Line, winnings: int) -> None:
    """Net the room's commission on winnings from a line: rounded down to the cent, never more than the winnings."""
    line.commission = commission_on(contest, winnings)
    line.returned -= line.commission


def commission_on(contest: Contest, winnings: int) -> int:
    """The room's commission on an amount won."""
    settings = contest.round.settings
    return min(winnings, max(winnings * settings.commission_percent // 100, settings.commission_minimum))


def look_at_own_best(_contest: Contest, hand: Hand) -> Look:
    """A wager on the best hand among all the player's own cards; how they were set, or fouled, does not matter."""
    return Look(hand.names, hand.best_name)


def look_at_pai_gow(contest: Contest, hand: Hand) -> Look:
    """Pai Gow'd: the dealer's seven cards hold less than a pair, and the player's high hand beats the dealer's."""
    dealer = contest.looked_at_beside(hand)
    alive = dealer.best_value >> CATEGORY_SHIFT == Category.HIGH_CARD
    return Look(dealer.names, dealer.best_name, alive and not hand.fouled and high_hand_wins(hand, dealer))


def look_at_tiger_nine(contest: Contest, hand: Hand) -> Look:
    """Tiger 9: the dealer plays nine-high low and the player's low hand beats it."""
    dealer = contest.looked_at_beside(hand)
    alive = plays_nine_high(dealer) and not hand.fouled and low_hand_wins(hand, dealer)
    return Look(frozenset({HIGH_NAMES[7]}) if alive else frozenset(), name_of_low(dealer.low_value), alive)


JACKPOT_2023: Final = Clauses(
    win="fpgpj/rules/9.a",
    fixed="fpgpj/rules/9.b",
    lose="fpgpj/rules/2",
    house="fpgpj/jackpots/6",
    joker="fpgpj/rules/3.note",
)
"""The clauses that a jackpot wager of the seven-card games cites: the edition of June 14, 2023."""

JACKPOT_WAGERS: Final = (
    Wager("progressive", "jackpot", "Jackpot, first sensor", JACKPOT_2023),
    Wager("progressive2", "jackpot", "Jackpot, second sensor", JACKPOT_2023),
)
"""The two jackpot wagers of the seven-card games."""
