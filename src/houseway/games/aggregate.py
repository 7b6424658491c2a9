"""The aggregate limit: the most that the odds-paid bonus wagers of one hand, or of the whole round, may win."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from houseway.games.model import SeatResult
    from houseway.games.settings import AggregateLimit


def apply_aggregate_limit(limit: AggregateLimit, results: list[SeatResult], wagers: set[str]) -> None:
    """Cut what bonus wagers won to the posted limit of each hand, or of the round.

    Envy payments and jackpots stay outside. A round's limit is shared between seats in proportion to what they won; odd
    cents go to the highest seat. Within a seat the first line of the order of resolution takes the odd cents.
    """
    won_lines = {
        result.seat: [line for line in result.lines if line.wager in wagers and line.outcome == "win"]
        for result in sorted(results, key=lambda result: -result.seat)
    }
    winnings = {seat: sum(line.returned - line.stake for line in lines) for seat, lines in won_lines.items()}
    if limit.per == "hand":
        allowed = {seat: min(amount, limit.cents) for seat, amount in winnings.items()}
    else:
        shares = share_out(limit.cents, list(winnings.values()))
        allowed = dict(zip(winnings, shares, strict=True))
    for seat, lines in won_lines.items():
        parts = share_out(allowed[seat], [line.returned - line.stake for line in lines])
        for line, part in zip(lines, parts, strict=True):
            if line.stake + part != line.returned:
                line.before_limit = line.returned
                line.returned = line.stake + part


def share_out(limit: int, claims: list[int]) -> list[int]:
    """Share a limit between claims in proportion, each rounded down; odd cents go to the first claims with room.

    >>> share_out(100, [300, 300, 0])
    [50, 50, 0]
    >>> share_out(100, [0, 200, 100])
    [0, 67, 33]
    >>> share_out(1500, [1, 1000, 1000])
    [1, 750, 749]
    >>> share_out(500, [300, 100])
    [300, 100]
    """
    total = sum(claims)
    if total <= limit:
        return list(claims)
    shares = [limit * claim // total for claim in claims]
    odd = limit - sum(shares)
    for index, claim in enumerate(claims):
        given = min(odd, claim - shares[index])
        shares[index] += given
        odd -= given
    return shares
