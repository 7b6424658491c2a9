"""Bad Beat, exactly: how often a pair of aces or better loses, on either side, over every pair of hands.

Player and dealer both have a pair of aces or better and do not tie; the table pays by the losing hand, its first line
from the top that the losing cards fit. The deals are kept by all the names that the losing cards fit, so that any
table's lines can be counted in its own order. The counts ship as data; `count_losing_hands` makes them again.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import comb
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from houseway.odds.contest_facts import look_text
from houseway.odds.shipped import DATA, content_of, head_of, is_current
from houseway.odds.six_card_poker.fold_rules import deal_inputs, losing_looks

if TYPE_CHECKING:
    from houseway.odds.six_card_poker.six_card_pairs import Progress

DATA_PATH: Final = DATA / "bad-beat.json"
FORMAT: Final = 1
DEALS: Final = comb(52, 6) * comb(46, 6)
"""Every hand of the player with every hand of the dealer."""

LosingHands: TypeAlias = Mapping[tuple[str, ...], int]
"""Winning deals by the names that the losing cards fit."""


def count_losing_hands(*, threads: int = 2, progress: Progress | None = None) -> dict[tuple[str, ...], int]:
    """Compare every pair of hands; a few seconds."""
    from houseway.odds.six_card_poker.six_card_pairs import LOSE_COUNTED, compare_all
    from houseway.odds.six_card_poker.six_cards import names_of_number

    sums = compare_all(threads=threads, progress=progress)
    # Who is called the player makes no difference, so the dealer's hand is the losing one just as often.
    losing = {names_of_number(number): 2 * int(row[LOSE_COUNTED]) for number, row in enumerate(sums)}
    return {names: deals for names, deals in losing.items() if deals}


def count_inputs() -> dict[str, Any]:
    """All that decides the counts."""
    return deal_inputs() | {"looks": sorted({look_text(look) for look in losing_looks()}), "deals": DEALS}


def to_json(losing: LosingHands) -> dict[str, Any]:
    """The data file."""
    counts = {"+".join(names): deals for names, deals in losing.items()}
    return {**head_of(DATA_PATH.stem, FORMAT, count_inputs()), "counts": counts}


@cache
def _document() -> dict[str, Any]:
    """The data file as it lies there."""
    return content_of(DATA_PATH)


def losing_hands() -> LosingHands | None:
    """The shipped counts; None if they were made for other rules than the installed ones."""
    document = _document()
    if not is_current(document, FORMAT, count_inputs()):
        return None
    return MappingProxyType({tuple(names.split("+")): deals for names, deals in document["counts"].items()})
