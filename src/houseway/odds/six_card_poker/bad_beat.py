"""Bad Beat, exactly: how often a pair of aces or better loses, on either side, over every pair of hands.

Player and dealer both have a pair of aces or better and do not tie; the table pays by the losing hand, its first line
from the top that the losing cards fit. The deals are kept by all the names that the losing cards fit, so that any
table's lines can be counted in its own order. The counts ship as data; `count_losing_hands` makes them again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import comb
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from houseway.odds.contest_facts import look_text
from houseway.odds.shipped import DATA, content_of, fingerprint_of
from houseway.odds.six_card_poker.fold_rules import deal_inputs, losing_looks

if TYPE_CHECKING:
    from houseway.odds.six_card_poker.six_card_pairs import Progress

DATA_PATH: Final = DATA / "bad-beat.json"
FORMAT: Final = 1
DEALS: Final = comb(52, 6) * comb(46, 6)
"""Every hand of the player with every hand of the dealer."""
LINES: Final = (
    "straight-flush",
    "four-of-a-kind",
    "full-house",
    "flush",
    "straight",
    "three-of-a-kind",
    "two-pair",
    "pair-of-aces",
)
"""The losing hands that the printed tables name, in their order."""

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


def by_first_line(losing: LosingHands, lines: Sequence[str]) -> dict[str, int]:
    """The winning deals by the first of the lines that the losing cards fit."""
    counts = dict.fromkeys(lines, 0)
    for names, deals in losing.items():
        first = next((line for line in lines if line in names), None)
        if first is not None:
            counts[first] += deals
    return counts


def count_inputs() -> dict[str, Any]:
    """All that decides the counts."""
    return deal_inputs() | {"looks": sorted({look_text(look) for look in losing_looks()}), "deals": DEALS}


def to_json(losing: LosingHands) -> dict[str, Any]:
    """The data file."""
    inputs = count_inputs()
    counts = {"+".join(names): deals for names, deals in losing.items()}
    return {
        "format": FORMAT,
        "name": DATA_PATH.stem,
        "inputs": inputs,
        "fingerprint": fingerprint_of(inputs),
        "counts": counts,
    }


@cache
def _document() -> dict[str, Any]:
    """The data file as it lies there."""
    return content_of(DATA_PATH)


def losing_hands() -> LosingHands | None:
    """The shipped counts; None if they were made for other rules than the installed ones."""
    document = _document()
    if document["format"] != FORMAT or document["fingerprint"] != fingerprint_of(count_inputs()):
        return None
    return MappingProxyType({tuple(names.split("+")): deals for names, deals in document["counts"].items()})


def shipped_counts(lines: Sequence[str] = LINES) -> tuple[dict[str, int], int] | None:
    """The shipped winning deals by line, in the order of a table's lines, and all deals.

    >>> winning, deals = shipped_counts()
    >>> winning["straight-flush"], deals
    (1967920, 190694571947880)
    """
    losing = losing_hands()
    return None if losing is None else (by_first_line(losing, lines), DEALS)
