"""The contest between a player's hand and the dealer's, or the banker's: main wagers and their raises.

What is compared, who gets ties, what pushes and what qualifies are facts of the game's definition. The order of the
questions is the same for all: a fold ends it, then a dealer who does not qualify, then a foul, then a dealer's hand
that pushes, and at last the hands themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from houseway.games.round_model import CheckedSeat, Contest, Hand, Line, Outcome, Source, lost, pushed, won
from houseway.ranking.reference import JOKER_INDEX

if TYPE_CHECKING:
    from houseway.definitions import ContestRules, HandPart, HandSpan, Wager

_OUTCOMES: Final[tuple[Outcome, Outcome, Outcome]] = ("push", "win", "lose")
"""By the sign of the parts won less those lost: 0, 1, -1."""
_VALUE_OF_PART: Final[dict[HandPart, str]] = {"high": "high_value", "low": "low_value", "best": "best_value"}


def value_of_part(hand: Hand, part: HandPart) -> int:
    """What a part of a hand is worth."""
    value: int = getattr(hand, _VALUE_OF_PART[part])
    return value


def compare_part(rules: ContestRules, part: HandPart, player: Hand, opponent: Hand) -> int:
    """1 where the player's part wins, -1 where it loses, 0 where it ties and a tie pushes."""
    if rules.joker_low_wins and part == "low" and player.low == (JOKER_INDEX,):
        return 1
    name = _VALUE_OF_PART[part]
    own, other = getattr(player, name), getattr(opponent, name)
    if own == other:
        return -1 if rules.tie == "dealer" else 0
    return 1 if own > other else -1


def outcome_of(parts_won: int) -> Outcome:
    """What the parts won less those lost make of a wager."""
    return _OUTCOMES[(parts_won > 0) - (parts_won < 0)]


def compare_hands(rules: ContestRules, player: Hand, opponent: Hand) -> Outcome:
    """Win, lose or push of a player's hand by its parts."""
    parts_won = 0
    for part in rules.parts:
        parts_won += compare_part(rules, part, player, opponent)
    return outcome_of(parts_won)


def dealer_qualifies(rules: ContestRules, dealer: Hand) -> bool | None:
    """Whether the dealer's hand qualifies; None where the game has no such rule."""
    qualifier = rules.qualifier
    return None if qualifier is None else value_of_part(dealer, qualifier.part) in qualifier.hands


def asked_of_opponent(rules: ContestRules) -> list[tuple[HandPart, HandSpan]]:
    """The hands of the dealer, or the banker, that decide wagers by themselves: those that push, those that qualify."""
    asked = (rules.dealer_push, rules.qualifier)
    return [(each.part, each.hands) for each in asked if each is not None]


def push_clause(contest: Contest) -> str:
    """The clause by which the dealer's hand, or the banker's, makes every main wager push; empty where none does."""
    push = contest.round.game.contest.dealer_push
    if push is None or value_of_part(contest.opponent, push.part) not in push.hands:
        return ""
    return push.clause if contest.round.banker is None else push.banked_clause or push.clause


def decide(contest: Contest, wager: Wager, hand: Hand, *, folded: bool = False) -> tuple[Outcome, str]:
    """What becomes of a main wager or a raise, and the clause that decides it."""
    clauses = wager.clauses
    if folded:
        return "lose", clauses.fold
    if wager.needs_qualifier and not contest.qualifies:
        return "push", clauses.unqualified
    if hand.fouled:
        return "lose", clauses.foul
    clause = contest.push_clause
    if clause is None:
        clause = contest.push_clause = push_clause(contest)
    if clause:
        return "push", clause
    outcome = compare_hands(contest.round.game.contest, hand, contest.opponent)
    return outcome, clauses.win if outcome == "win" else clauses.lose if outcome == "lose" else clauses.push


def contest_lines(contest: Contest, seat: CheckedSeat, hand: Hand) -> list[Line]:
    """The lines of a seat's main wager and its raises."""
    lines: list[Line] = []
    for wager in contest.round.game.contest_wagers:
        stake = seat.wagers.get(wager.name)
        if wager.name in seat.pulled and stake is not None:
            lines.append(pushed(wager.name, stake, hand.high_name, wager.clauses.pull))
        elif stake is not None:
            outcome, clause = decide(contest, wager, hand, folded=seat.fold)
            lines.append(even_money_line(contest, wager, stake, hand, outcome, clause))
    return lines


def even_money_line(contest: Contest, wager: Wager, stake: int, hand: Hand, outcome: Outcome, clause: str) -> Line:
    """The line of a wager that pays 1 to 1, less the room's commission where the game takes one."""
    source: Source = "tray" if contest.round.banker is None else "banker"
    name = hand.high_name
    decided_by = (wager.name, stake, name, outcome, clause, source)
    line = contest.round.lines.get(decided_by)
    if line is None:
        line = contest.round.lines[decided_by] = _even_money_line(contest, wager, stake, name, outcome, clause, source)
    return line


def _even_money_line(
    contest: Contest, wager: Wager, stake: int, hand: str, outcome: Outcome, clause: str, source: Source
) -> Line:
    if outcome == "lose":
        return lost(wager.name, stake, hand, clause)
    if outcome == "push":
        return pushed(wager.name, stake, hand, clause)
    line = won(wager.name, stake, stake, hand, clause, source)
    if wager.kind == "main" and contest.round.game.commission is not None:
        commission = commission_on(contest, stake)
        return line._replace(commission=commission, returned=line.returned - commission)
    return line


def commission_on(contest: Contest, winnings: int) -> int:
    """The room's commission on an amount won: rounded down to the cent, never more than the winnings."""
    settings = contest.round.settings
    return min(winnings, max(winnings * settings.commission_percent // 100, settings.commission_minimum))
