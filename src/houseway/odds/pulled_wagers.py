"""Wagers that a player may take back between streets: what each is worth at its street, and its odds with best play.

Each such wager is decided on by itself: what the player has seen decides, and what the others win does not. So the best
decision keeps it where all cards that can still come return at least the stake on average. Counted are games whose
hands have five cards and pay tables that read their names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb, prod
from typing import TYPE_CHECKING, Final

from houseway.errors import MissingPartError, present
from houseway.odds.distribution import Distribution, Outcome
from houseway.odds.small_counts import FIVE, Ranks, check_named, multisets, names_by_ranks, suits_of
from houseway.odds.wagers import bonus_outcome

if TYPE_CHECKING:
    from houseway.definitions import Game
    from houseway.paytables import PayLine, PayTable

PULLED: Final = "pulled"
"""The name of the outcome in which the wager is taken back."""
_SUITS: Final = 4


@dataclass(frozen=True, slots=True)
class SeenStreet:
    """What is known at the decision about a wager: how many of the five cards, and after which street."""

    title: str
    seen: int


def street_of(game: Game, wager: str) -> SeenStreet | None:
    """The street at which a wager may be taken back, with the number of cards that its player knows by then."""
    place = game.pull_street(wager)
    if place is None:
        return None
    dealt = game.streets[: place + 1]
    return SeenStreet(game.streets[place].title, sum(street.seat + street.community for street in dealt))


def net_of(line: PayLine | None) -> int:
    """What a line of a "to 1" table wins of one unit."""
    return -1 if line is None else line.pays or 0


def kept_distribution(game: Game, wager: str, table: PayTable) -> Distribution:
    """The outcomes of a wager whose player decides best about it: taken back, or paid by a line."""
    check_counted(game, table)
    street = present(street_of(game, wager), f"street at which {wager} may be taken back")
    found: Counter[PayLine | None] = Counter()
    pulled = 0
    for ranks, suited, ways in _seen_hands(street.seen):
        coming = completions(game, table, ranks, suited)
        if worth(coming) >= 0:
            for line, deals in coming.items():
                found[line] += deals * ways
        else:
            pulled += sum(coming.values()) * ways
    outcomes = [bonus_outcome(line, found[line]) for line in (*table.lines, None)]
    return Distribution.of([*outcomes, Outcome(PULLED, pulled, Fraction(0), staked=Fraction(0))])


def _seen_hands(cards: int) -> Iterator[tuple[Ranks, bool, int]]:
    for ranks in multisets(cards):
        for suited in (False, True):
            ways = suits_of(ranks, suited)
            if ways:
                yield ranks, suited, ways


def completions(game: Game, table: PayTable, ranks: Ranks, suited: bool) -> Mapping[PayLine | None, int]:
    """How many ways to complete some seen cards to a hand each line of a table pays."""
    names = names_by_ranks(game)
    found: Counter[PayLine | None] = Counter()
    left = Counter(dict.fromkeys(range(13), _SUITS)) - Counter(ranks)
    missing = FIVE - len(ranks)
    for further in multisets(missing):
        ways = prod(comb(left[rank], count) for rank, count in Counter(further).items())
        if not ways:
            continue
        whole = tuple(sorted((*ranks, *further)))
        flushes = int(suited and len(set(whole)) == FIVE)
        found[table.line_for(names[whole, False])] += ways - flushes
        if flushes:
            found[table.line_for(names[whole, True])] += flushes
    return found


def worth(coming: Mapping[PayLine | None, int]) -> Fraction:
    """What one unit wins on average over all that can come."""
    return Fraction(sum(net_of(line) * ways for line, ways in coming.items()), sum(coming.values()))


@cache
def keeps(game: Game, table: PayTable, ranks: Ranks, suited: bool) -> bool:
    """Whether the best player keeps a wager after seeing cards of these ranks, of one suit or not."""
    return worth(completions(game, table, ranks, suited)) >= 0


def keeps_cards(game: Game, table: PayTable, cards: tuple[int, ...]) -> bool:
    """Whether the best player keeps a wager after seeing these cards."""
    ranks = tuple(sorted(card >> 2 for card in cards))
    return keeps(game, table, ranks, len({card & 3 for card in cards}) == 1)


def check_counted(game: Game, table: PayTable) -> None:
    """Refuse what is not counted here: MissingPartError."""
    look = present(table.wager_in(game.id).look, "look of a wager with a table")
    if not look.is_plain or table.levels:
        raise MissingPartError(f"what {table.wager} of {game.title} is worth at a street is not counted")
    check_named(game, table)
