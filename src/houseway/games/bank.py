"""A player who banks: the others' main wagers, and the dealer's hand for a house stake, play against that seat."""

from __future__ import annotations

from typing import Final

from houseway.games.model import Contest, Hand, Line, Outcome, SeatResult, pushed
from houseway.games.pai_gow import commission_on

BANK: Final = "base/pai-gow/banker"


def returned_main(stake: int, hand: Hand) -> Line:
    """The line of a main wager on the banker's own spot: nothing plays against it, so it goes back."""
    return pushed("main", stake, hand.high_name, BANK)


def bank_line(contest: Contest, results: list[SeatResult], dealer_outcome: Outcome) -> Line:
    """The banker's line: what the bank won less what it paid, less commission on a net win where the game takes one."""
    name = contest.round.game.first_wager.name
    mains = [line for result in results for line in result.lines if line.wager == name]
    stakes = [(line.outcome, line.stake) for line in mains]
    stakes.append((dealer_outcome, contest.round.dealer_stake))
    net = sum(stake if outcome == "lose" else -stake for outcome, stake in stakes if outcome != "push")
    outcome: Outcome = "win" if net > 0 else "lose" if net < 0 else "push"
    line = Line("bank", outcome, 0, net, contest.opponent.high_name, BANK, "banker" if net > 0 else None)
    if contest.round.game.commission and net > 0:
        line.commission = commission_on(contest, net)
        line.returned -= line.commission
    return line
