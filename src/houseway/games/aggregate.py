"""The aggregate limit: the most that the odds-paid bonus wagers of one hand, or of the whole round, may win."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from houseway.games.round_model import Line
    from houseway.games.table_settings import AggregateLimit


def apply_aggregate_limit(
    limit: AggregateLimit, by_seat: dict[int, list[Line]], wagers: set[str], clause: str = ""
) -> None:
    """Cut what bonus wagers won to the posted limit of each hand, or of the round; lines that are cut cite `clause`.

    Envy payments and jackpots stay outside. A round's limit is shared between seats in proportion to what they won; odd
    cents go to the highest seat. Within a seat the first line of the order of resolution takes the odd cents.
    """
    from_far_right = [by_seat[number] for number in sorted(by_seat, reverse=True)]
    won_at = [
        [place for place, line in enumerate(lines) if line.wager in wagers and line.outcome == "win"]
        for lines in from_far_right
    ]
    claims = [
        [lines[place].returned - lines[place].stake for place in places]
        for lines, places in zip(from_far_right, won_at, strict=True)
    ]
    winnings = [sum(claimed) for claimed in claims]
    if limit.per == "hand":
        allowed = [min(amount, limit.cents) for amount in winnings]
    else:
        allowed = share_out(limit.cents, winnings)
    for lines, places, claimed, most in zip(from_far_right, won_at, claims, allowed, strict=True):
        for place, part in zip(places, share_out(most, claimed), strict=True):
            line = lines[place]
            if line.stake + part != line.returned:
                lines[place] = line._replace(
                    returned=line.stake + part, before_limit=line.returned, clause=clause or line.clause
                )


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
