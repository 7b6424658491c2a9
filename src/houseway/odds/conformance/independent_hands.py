"""Two hands drawn independently from the full deck: a convention that explains the print of Pai Gow'd.

No deal is like that: player and dealer draw from one deck, and a copy goes to the dealer. Yet a simpler count that lets
both hands come from a full deck of their own, and gives half of the copies to the player, has every figure that the
sheet prints for Pai Gow'd. The count stands beside the exact figure as what explains the print, never in its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any, Final

from houseway.houseways import HouseWay, house_way
from houseway.houseways.check import incomplete
from houseway.odds.pai_gow.main_games import PAI_GOW_NAMES
from houseway.odds.shipped import DATA, content_of, head_of, is_current, order_of_hands
from houseway.ranking.fast import names_of_mask
from houseway.ranking.hand_names import CATEGORY_SHIFT, Category

FILE: Final = DATA / "independent-hands.json"
FORMAT: Final = 1
WAYS: Final = ("foxwoods", "trump-plaza", "sixes-together", "casino-real")
PAIRS: Final = comb(53, 7) ** 2
"""The number of ways to draw two hands of seven cards independently."""


def wins_by_hand(way: str) -> Mapping[str, Fraction] | None:
    """How many of all pairs of hands win Pai Gow'd, by the dealer's top card, a copy as half a win.

    Both hands are set by the way, with A-2-3-4-5 as the second-highest straight. None where that does not ship.
    """
    halves = _shipped().get(way)
    return None if halves is None else {name: Fraction(count, 2) for name, count in halves.items()}


@cache
def _shipped() -> Mapping[str, Mapping[str, int]]:
    """The half wins that ship, by way; nothing where they were made under other rules."""
    if not FILE.is_file():
        return {}
    content = content_of(FILE)
    if not is_current(content, FORMAT, _inputs()):
        return {}
    counts: Mapping[str, Mapping[str, int]] = content["counts"]
    return counts


def _inputs() -> dict[str, Any]:
    return {"ways": {way: house_way(way).fingerprint for way in WAYS}, "order of hands": order_of_hands()}


def file_content(counts: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """The content of the shipped file."""
    return {
        **head_of("independent-hands", FORMAT, _inputs()),
        "counts": {way: dict(counts[way]) for way in WAYS},
    }


def is_as_shipped(way: str) -> bool:
    """Whether the pairs, counted again, are what ships for a way."""
    return _shipped().get(way) == count_half_wins(house_way(way))


def count_half_wins(way: HouseWay) -> dict[str, int]:
    """Count the pairs again: two for every win and one for every copy. Some seconds; needs the `kernels` extra."""
    from houseway.houseways.way_kernels import program_array
    from houseway.odds.pai_gow.player_classes import classes_of
    from houseway.odds.pai_gow.setting_kernels import way_settings
    from houseway.ranking.rank_kernels import VALUES_OF_ENTRY, WHEEL_SECOND, names_of_hands

    import numpy as np  # isort: skip  (after the check for the optional part in `rank_kernels`)

    classes = classes_of(7)
    values = np.unique(VALUES_OF_ENTRY[WHEEL_SECOND])
    last = (Category.FIVE_ACES + 1) << CATEGORY_SHIFT
    places = np.searchsorted(values, np.arange(last + 1)).astype(np.uint16)
    highs, lows = np.zeros(len(classes), np.uint16), np.zeros(len(classes), np.uint8)
    if not way_settings(classes.keys, 7, program_array(way), WHEEL_SECOND, places, highs, lows):
        raise incomplete(way)
    players = np.zeros(len(values), np.int64)
    np.add.at(players, highs, classes.weights)
    better = players.sum() - np.cumsum(players)
    half_wins = 2 * better + players
    masks = names_of_hands(classes.cards())
    found = {}
    for mask in np.unique(masks).tolist():
        names = names_of_mask(mask)
        if len(names) == 1 and (name := min(names)) in PAI_GOW_NAMES:
            rows = masks == mask
            found[name] = int((half_wins[highs[rows]] * classes.weights[rows]).sum())
    return {name: found[name] for name in PAI_GOW_NAMES}
