"""One part of the main games: the settings and points of a range of classes, their counts, and what follows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, Any, Final

from houseway.houseways.check import incomplete
from houseway.houseways.way_kernels import program_array
from houseway.odds.pai_gow.disjoint_pairs import shared_sets
from houseway.odds.pai_gow.layouts import DECK
from houseway.odds.pai_gow.player_classes import classes_of
from houseway.odds.pai_gow.probe_kernels import Classes, add_own_terms, add_terms
from houseway.odds.pai_gow.setting_kernels import list_settings, way_settings
from houseway.odds.pai_gow.split_games import contest_wagers, seven_card_games, six_card_qualifier, split_games
from houseway.odds.pai_gow.summary_kernels import (
    BOUNDS,
    SEVEN_EACH,
    SEVEN_FIRST,
    SIX_EACH,
    SIX_FIRST,
    seven_card_points,
    six_card_points,
    summarize_seven,
    summarize_six,
)
from houseway.ranking.fast import names_of_mask
from houseway.ranking.hand_names import CATEGORY_SHIFT, RANK_SHIFTS, Category
from houseway.ranking.rank_kernels import names_of_hands, wheel_of
from houseway.ranking.suit_classes import SuitClasses

import numpy as np  # isort: skip  (after the check for the optional part in `jit`)
import numpy.typing as npt  # isort: skip

if TYPE_CHECKING:
    from houseway.odds.pai_gow.dealer_tables import DealerTables
    from houseway.odds.pai_gow.main_games import MainGames

_LAST_VALUE: Final = (Category.FIVE_ACES + 1) << CATEGORY_SHIFT
_NINE: Final = 7
_ACE: Final = 12
_TWO_PAIRS_ONLY: Final = frozenset({"pair", "two-pair"})

SharedSets = Callable[[int], tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]
"""Gives one set of each suit class of that many cards, and the weights."""


@dataclass(frozen=True)
class _Settings:
    """The settings of a range of classes."""

    starts: npt.NDArray[np.int64]
    best: npt.NDArray[np.uint8]
    of_way: npt.NDArray[np.uint8]
    highs: npt.NDArray[np.uint16]
    lows: npt.NDArray[np.uint8]


def count_range(
    job: MainGames,
    tables: DealerTables,
    class_of: Classes,
    classes: SuitClasses,
    first: int,
    last: int,
    sets_of: SharedSets = shared_sets,
) -> dict[str, Any]:
    """The outcomes of the classes from `first` to before `last`.

    `sets_of` may leave out shared sets that no hand of these classes contains.
    """
    size = job.dealer.cards
    below = np.searchsorted(tables.values, np.arange(_LAST_VALUE + 1)).astype(np.uint16)
    settings = _settings(job, classes.keys[first:last], below)
    high_count = len(tables.values)
    bounds = _bounds(below) if size == 7 else np.zeros(0, np.int64)
    qualifying = int(below[six_card_qualifier()]) if size == 6 else 0
    starts, points = _points(size, settings, high_count, bounds, qualifying)
    sums = counts_at(tables, class_of, classes, (first, last), starts, points, sets_of)
    hands = SuitClasses(size, classes.keys[first:last], classes.weights[first:last])
    if size == 7:
        return _seven_card_result(job, hands, settings, sums, bounds)
    return _six_card_result(job, hands, settings, sums)


def _bounds(below: npt.NDArray[np.uint16]) -> npt.NDArray[np.int64]:
    """Where the rules of the seven-card games tell the dealer's hands apart, in the columns of `summary_kernels`."""
    rules = seven_card_games()
    highs = [(_NINE + top) << RANK_SHIFTS[0] for top in range(BOUNDS)]
    highs += [rules.high_push.start, rules.high_push.stop]
    lows = [rules.low_push.start, rules.low_push.stop, rules.low_look.start, rules.low_look.stop]
    return np.array([*below[highs], *lows], np.int64)


def _settings(job: MainGames, keys: npt.NDArray[np.int64], below: npt.NDArray[np.uint16]) -> _Settings:
    size, wheel, count = job.dealer.cards, wheel_of(job.ranking), len(keys)
    way_highs = np.zeros((len(job.players), count), np.uint16)
    way_lows = np.zeros((len(job.players), count), np.uint8)
    for row, way in enumerate(job.players):
        if not way_settings(keys, size, program_array(way), wheel, below, way_highs[row], way_lows[row]):
            raise incomplete(way)
    starts, best = np.zeros(count + 1, np.int64), np.zeros(count, np.uint8)
    of_way = np.zeros((len(job.players), count), np.uint8)
    none_high, none_low = np.zeros(0, np.uint16), np.zeros(0, np.uint8)
    list_settings(keys, size, wheel, below, way_highs, way_lows, starts, best, of_way, none_high, none_low)
    highs, lows = np.zeros(starts[-1], np.uint16), np.zeros(starts[-1], np.uint8)
    list_settings(keys, size, wheel, below, way_highs, way_lows, starts, best, of_way, highs, lows)
    return _Settings(starts, best, of_way, highs, lows)


def _points(
    size: int, settings: _Settings, high_count: int, bounds: npt.NDArray[np.int64], qualifying: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32]]:
    """Where the points of each class begin, and the points."""
    counts = np.diff(settings.starts)
    each = SEVEN_FIRST + SEVEN_EACH * counts + settings.best if size == 7 else SIX_FIRST + SIX_EACH * counts
    starts = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(each, out=starts[1:])
    points = np.zeros(starts[-1], np.uint32)
    if size == 7:
        seven_card_points(settings.starts, settings.best, settings.highs, settings.lows, high_count, bounds, points)
    else:
        six_card_points(settings.starts, settings.highs, settings.lows, high_count, qualifying, points)
    return starts, points


def counts_at(
    tables: DealerTables,
    class_of: Classes,
    classes: SuitClasses,
    ends: tuple[int, int],
    starts: npt.NDArray[np.int64],
    points: npt.NDArray[np.uint32],
    sets_of: SharedSets = shared_sets,
) -> npt.NDArray[np.int64]:
    """The counts at all points of a range of classes, each multiplied by the weight of its class.

    `class_of` gives every hand's place in `classes`, which may be some classes only; other hands are at -1.
    """
    size = tables.cards
    sums = np.zeros(len(points), np.int64)
    dealers = (np.asarray(tables.highs), np.asarray(tables.lows))
    hands = np.asarray(class_of)
    for shared in range(size):
        sets, weights = sets_of(shared)
        # With no shared card the hands visited are the classes themselves.
        room = len(classes_of(size)) if not shared else comb(DECK - shared, size - shared)
        signed = weights * (-1) ** shared
        add_terms(sets, signed, size, dealers, len(tables.values), hands, *ends, starts, points, sums, room)
    add_own_terms(classes.keys, classes.weights, (-1) ** size, dealers, *ends, starts, points, sums)
    return sums


def _groups(hands: SuitClasses) -> tuple[npt.NDArray[np.uint8], list[str]]:
    """The classes grouped by the hand names that they fit, and what the groups are called."""
    masks, groups = np.unique(names_of_hands(hands.cards()), return_inverse=True)
    assert len(masks) <= 256
    return groups.astype(np.uint8), [group_name(int(mask)) for mask in masks]


def group_name(mask: int) -> str:
    """How a set of hand names is written as one key of the results."""
    return "+".join(sorted(names_of_mask(mask)))


def _two_pair_cells(hands: SuitClasses, groups: npt.NDArray[np.uint8], names: list[str]) -> npt.NDArray[np.int16]:
    """Which two pairs a class is, with its highest single card: higher x 169 + lower x 13 + single; -1 for others."""
    wanted = [place for place, name in enumerate(names) if frozenset(name.split("+")) == _TWO_PAIRS_ONLY]
    cells = np.full(len(groups), -1, np.int16)
    rows = np.flatnonzero(np.isin(groups, wanted))
    ranks = np.minimum(hands.cards()[rows] >> 2, _ACE).astype(np.int64)
    counts = np.zeros((len(rows), 13), np.int64)
    for place in range(hands.size):
        counts[np.arange(len(rows)), ranks[:, place]] += 1
    pairs, singles = counts == 2, counts == 1
    higher = 12 - np.argmax(pairs[:, ::-1], axis=1)
    lower = np.argmax(pairs, axis=1)
    single = 12 - np.argmax(singles[:, ::-1], axis=1)
    cells[rows] = higher * 169 + lower * 13 + single
    return cells


def _seven_card_result(
    job: MainGames,
    hands: SuitClasses,
    settings: _Settings,
    sums: npt.NDArray[np.int64],
    bounds: npt.NDArray[np.int64],
) -> dict[str, Any]:
    groups, names = _groups(hands)
    players = len(job.players)
    results = np.zeros((3, players + 1, len(names), 2), np.int64)
    nine, pai_gow = np.zeros(players, np.int64), np.zeros((players, BOUNDS - 1), np.int64)
    two_pairs = np.zeros((2, 13**3, 2), np.int64)
    kept = job.commission.denominator - job.commission.numerator
    deals = comb(DECK - 7, 7)
    faulty = summarize_seven(
        hands.weights,
        groups,
        settings.starts,
        settings.best,
        settings.of_way,
        settings.highs,
        settings.lows,
        sums,
        deals,
        bounds,
        kept,
        job.commission.denominator,
        _two_pair_cells(hands, groups, names),
        results,
        nine,
        pai_gow,
        two_pairs,
    )
    assert not faulty, "every count of a class is a multiple of its weight"
    of_group = np.bincount(groups, hands.weights, len(names)).astype(np.int64)
    ids = ["optimal", *(way.id for way in job.players)]
    games = seven_card_games().ids
    return {
        "outcomes": {
            game: {
                player: {
                    name: _with_pushes(results[number, row, group], int(of_group[group]) * deals)
                    for group, name in enumerate(names)
                }
                for row, player in enumerate(ids)
            }
            for number, game in enumerate(games)
        },
        "dealer-low": {way.id: int(nine[row]) for row, way in enumerate(job.players)},
        "dealer-best": {way.id: [int(count) for count in pai_gow[row]] for row, way in enumerate(job.players)},
        "two_pairs": {
            game: {
                str(cell): [int(value) for value in two_pairs[number, cell]]
                for cell in np.flatnonzero(two_pairs[number].any(axis=1))
            }
            for number, game in enumerate(games[:2])
        },
    }


def _with_pushes(counts: npt.NDArray[np.int64], deals: int) -> list[int]:
    """Won, pushed and lost deals."""
    won, lost = (int(count) for count in counts)
    return [won, deals - won - lost, lost]


def _six_card_result(
    job: MainGames, hands: SuitClasses, settings: _Settings, sums: npt.NDArray[np.int64]
) -> dict[str, Any]:
    groups, names = _groups(hands)
    players = len(job.players)
    main = np.zeros((players + 1, len(names), 2), np.int64)
    doubled = np.zeros((players + 1, len(names), 8), np.int64)
    deals = comb(DECK - 6, 6)
    faulty = summarize_six(hands.weights, groups, settings.starts, settings.of_way, sums, deals, main, doubled)
    assert not faulty, "every count of a class is a multiple of its weight"
    of_group = np.bincount(groups, hands.weights, len(names)).astype(np.int64)
    ids = ["optimal", *(way.id for way in job.players)]
    played = split_games(6)[0]
    return {
        "outcomes": {
            contest_wagers(played, raised=False): {
                player: {
                    name: _with_pushes(main[row, group], int(of_group[group]) * deals)
                    for group, name in enumerate(names)
                }
                for row, player in enumerate(ids)
            },
            contest_wagers(played): {
                player: {name: [int(count) for count in doubled[row, group]] for group, name in enumerate(names)}
                for row, player in enumerate(ids)
            },
        }
    }
