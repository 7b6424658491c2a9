"""A player who banks: the others' main wagers, and the dealer's hand for a house stake, play against that seat."""

from __future__ import annotations

from houseway.definitions import BANK
from houseway.games.contest import commission_on, decide
from houseway.games.round_model import Contest, Line, Outcome, Source, pushed


def returned_main(contest: Contest, stake: int) -> Line:
    """The line of a main wager on the banker's own spot: nothing plays against it, so it goes back."""
    game = contest.round.game
    return pushed(game.first_wager.name, stake, contest.opponent.high_name, game.contest.bank_clause)


def dealer_against_banker(contest: Contest) -> Outcome:
    """The dealer's hand plays against the bank like one more player's."""
    return decide(contest, contest.round.game.first_wager, contest.dealer)[0]


def bank_line(contest: Contest, by_seat: dict[int, list[Line]], dealer_outcome: Outcome) -> Line:
    """The banker's line: what the bank won less what it paid, less commission on a net win where the game takes one."""
    game = contest.round.game
    name = game.first_wager.name
    mains = [line for lines in by_seat.values() for line in lines if line.wager == name]
    stakes = [(line.outcome, line.stake) for line in mains]
    stakes.append((dealer_outcome, contest.round.dealer_stake))
    net = sum(stake if outcome == "lose" else -stake for outcome, stake in stakes if outcome != "push")
    outcome: Outcome = "win" if net > 0 else "lose" if net < 0 else "push"
    source: Source | None = "banker" if net > 0 else None
    commission = commission_on(contest, net) if game.commission is not None and net > 0 else None
    hand, clause = contest.opponent.high_name, game.contest.bank_clause
    return Line(BANK, outcome, 0, net - (commission or 0), hand, clause, source, commission)
