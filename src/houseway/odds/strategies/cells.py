"""The exact outcomes of every action of a strategy's topics, cell by cell, over all deals: a job in parts.

A cell is one combination of the facts that a topic's rules may look at, such as two pair of kings and fives beside a
queen. Only the hands of topics with a choice are counted, and only the settings that the actions and the house way make
of them; the count itself is that of the main games.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias, cast

from houseway.houseways import HouseWay, house_way, load_house_way
from houseway.houseways.facts import FACT_INDEX, FACTS
from houseway.odds.pai_gow.dealer_tables import dealer_tables, rules_fingerprint
from houseway.odds.pai_gow.split_games import seven_card_games, six_card_qualifier
from houseway.odds.running.cache import Cache, JsonValue
from houseway.odds.strategies.strategy_text import toml_action, toml_when
from houseway.odds.strategies.topics import HOUSE_WAY, Action, Frame, Topic
from houseway.ranking.hand_names import CATEGORY_SHIFT, Category
from houseway.ranking.reference import JOKER_INDEX, PAI_GOW

from houseway.houseways.compiled import CompiledWay, SetHands  # isort: skip
from houseway.odds.pai_gow.player_classes import class_table, classes_of  # isort: skip
from houseway.odds.pai_gow.layouts import DECK  # isort: skip
from houseway.odds.pai_gow.main_counts import counts_at  # isort: skip
from houseway.odds.pai_gow.summary_kernels import ALL_LOWS  # isort: skip
from houseway.ranking.suit_classes import SuitClasses  # isort: skip
import numpy as np  # isort: skip  (after the check for the optional part in `compiled`)
import numpy.typing as npt  # isort: skip

Ints: TypeAlias = npt.NDArray[np.int64]

METHOD: Final = 1
"""Raised when a change of the method changes what a part returns."""
_LAST_VALUE: Final = (Category.FIVE_ACES + 1) << CATEGORY_SHIFT
_ACE: Final = 12


@dataclass(frozen=True)
class StrategyCells:
    """The job: every topic with a choice, every action, against the dealer's way."""

    frame: Frame
    parts: int = 2

    @property
    def name(self) -> str:
        """The job's name for files."""
        return f"strategy-{self.frame.cards}"

    @property
    def key(self) -> Mapping[str, str]:
        """All that decides the result; games of one size that look at the same topics share it."""
        topics = [[topic.id, dict(topic.when), list(topic.facts), topic.actions] for topic in self.frame.topics]
        actions = [[action.id, action.front, action.keep] for action in self.frame.actions.values()]
        return {
            "dealer": house_way(self.frame.dealer).fingerprint,
            "topics": json.dumps([topics, actions]),
            "parts": str(self.parts),
            "method": str(METHOD),
            "rules": rules_fingerprint(),
        }

    def run_part(self, number: int, cache: Cache | None) -> JsonValue:
        """The outcomes of every cell, of one share of the hands."""
        size = self.frame.cards
        every = classes_of(size)
        topic_of = topics_of(self.frame, every.cards())
        chosen = [place for place, topic in enumerate(self.frame.topics) if len(topic.actions) > 1]
        rows = np.flatnonzero(np.isin(topic_of, chosen))[number :: self.parts]
        counter = Counter.of(house_way(self.frame.dealer), rows, cache)
        places = {place: np.flatnonzero(topic_of[rows] == place) for place in chosen}
        settings = _settings(self.frame, counter.hands.cards(), places)
        outcomes = counter.outcomes(settings)
        if size == 6:
            outcomes = doubled(outcomes, outcomes[..., 0] > outcomes[..., 2])
        return cast(
            "JsonValue",
            {
                self.frame.topics[place].id: _cells_of(
                    self.frame, self.frame.topics[place], counter.hands, mine, settings, outcomes
                )
                for place, mine in places.items()
            },
        )


def _settings(frame: Frame, hands: npt.NDArray[Any], places: Mapping[int, Ints]) -> list[SetHands]:
    """The n-th action of its topic on every hand, and at last the house way; fewer actions are filled up by that."""
    house = CompiledWay(house_way(frame.dealer)).set_hands(hands)
    rows = max(len(frame.topics[place].actions) for place in places)
    settings = [
        SetHands(house.status.copy(), house.rule.copy(), house.low.copy(), house.high_value.copy()) for _ in range(rows)
    ]
    for place, mine in places.items():
        for row, action in enumerate(frame.topics[place].actions):
            made = CompiledWay(action_way(frame.actions[action], frame.cards)).set_hands(hands[mine])
            settings[row].status[mine] = made.status
            settings[row].low[mine] = made.low
            settings[row].high_value[mine] = made.high_value
    return [*settings, house]


def _cells_of(
    frame: Frame, topic: Topic, classes: SuitClasses, mine: Ints, settings: Sequence[SetHands], outcomes: Ints
) -> dict[str, Any]:
    """The outcomes of a topic's actions by cell, and at last the number of hands that the action does not fit."""
    hands = classes.cards()[mine]
    weights = classes.weights[mine].astype(np.int64)
    facts = [facts_of(fact, frame.cards, hands) for fact in topic.facts]
    cells, cell_of = np.unique(np.stack([*facts, np.zeros(len(hands), np.uint8)], axis=1), axis=0, return_inverse=True)
    sizes = np.zeros(len(cells), np.int64)
    np.add.at(sizes, cell_of, weights)
    result: list[dict[str, Any]] = [{"hands": int(size)} for size in sizes]
    for row, name in zip((*range(len(topic.actions)), -1), (*topic.actions, HOUSE_WAY), strict=True):
        total = np.zeros((len(cells), outcomes.shape[2] + 1), np.int64)
        unfit = settings[row].status[mine] != 0
        np.add.at(total, cell_of, np.column_stack([outcomes[row, mine], unfit]) * weights[:, None])
        for cell in range(len(cells)):
            result[cell][name] = [int(count) for count in total[cell]]
    keys = [",".join(str(value) for value in cell[:-1]) for cell in cells]
    return dict(zip(keys, result, strict=True))


# -------------------------------------------------------------------- asking the compiled interpreter


def _loaded(text: str) -> HouseWay:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "way.toml"
        path.write_text(text, encoding="utf-8")
        return load_house_way(path)


def _way(cards: int, rules: Sequence[tuple[str, str]]) -> HouseWay:
    """A way that is only asked which of its rules holds: conditions and action of each, as TOML."""
    lines = ['id = "asked"', 'title = "Asked"', f"cards = {cards}", "[[question]]", 'id = "all"', 'asks = "All"']
    for number, (when, what) in enumerate(rules):
        lines += ["[[question.rule]]", f'id = "rule-{number}"', 'why = "Asked."', when, what]
    return _loaded("\n".join(lines) + "\n")


def _any_front(cards: int) -> str:
    return 'front = ["top-single"]' if cards == 6 else 'front = ["top-single", "second-single"]'


def action_way(action: Action, cards: int) -> HouseWay:
    """The way that does the same with every hand."""
    return _way(cards, [("otherwise = true", "\n".join(toml_action(action)))])


def facts_of(fact: str, cards: int, hands: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """A fact of many hands, as the number of its value."""
    known = FACTS[FACT_INDEX[fact]]
    values: list[str | bool] = [value == "true" if known.kind == "flag" else value for value in known.values]
    way = _way(cards, [(toml_when({fact: value}), _any_front(cards)) for value in values])
    return CompiledWay(way).set_hands(hands).rule


def topics_of(frame: Frame, hands: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """The place of the topic of many hands; 255 for a hand of none."""
    way = _way(frame.cards, [(toml_when(topic.when), _any_front(frame.cards)) for topic in frame.topics])
    return CompiledWay(way).set_hands(hands).rule


# -------------------------------------------------------------------- counting


@dataclass(frozen=True)
class Counter:
    """Counts the deals that settings of some classes of hands win and lose against a dealer's way."""

    dealer: HouseWay
    rows: Ints
    """Which of all classes."""
    hands: SuitClasses
    cache: Cache | None

    @classmethod
    def of(cls, dealer: HouseWay, rows: Ints, cache: Cache | None) -> Counter:
        """The counter for these classes."""
        every = classes_of(dealer.cards)
        return cls(dealer, rows, SuitClasses(every.size, every.keys[rows], every.weights[rows]), cache)

    def outcomes(self, settings: Sequence[SetHands]) -> Ints:
        """By setting and class, the counts of one hand's deals: see `_six_card_outcomes` and `_seven_card_outcomes`.

        A setting that does not fit a hand is counted as the last one.
        """
        tables = dealer_tables(self.dealer, PAI_GOW, self.cache)
        below = np.searchsorted(tables.values, np.arange(_LAST_VALUE + 1)).astype(np.int64)
        high_count = len(tables.values)
        highs, lows = self._ranks(settings, below)
        first_of = _first_alike(highs, lows)
        counted = np.stack([first_of[row] == row for row in range(len(settings))])
        shared, each = self._points(highs, lows, high_count, int(below[six_card_qualifier()]))
        sizes = shared.shape[1] + each.shape[2] * counted.sum(axis=0)
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        points = np.zeros(starts[-1], np.uint32)
        places = starts[:-1] + shared.shape[1] + each.shape[2] * (np.cumsum(counted, axis=0) - counted)
        for point in range(shared.shape[1]):
            points[starts[:-1] + point] = shared[:, point]
        for row in range(len(settings)):
            for point in range(each.shape[2]):
                points[places[row][counted[row]] + point] = each[row, counted[row], point]
        sums = self._sums(starts, points)
        weights = self.hands.weights.astype(np.int64)
        of_class = np.stack([sums[starts[:-1] + point] // weights for point in range(shared.shape[1])])
        deals = comb(DECK - self.dealer.cards, self.dealer.cards)
        results = []
        for row in range(len(settings)):
            at = places[first_of[row], np.arange(len(weights))]
            of_setting = np.stack([sums[at + point] // weights for point in range(each.shape[2])])
            if self.dealer.cards == 6:
                results.append(_six_card_outcomes(of_class, of_setting, deals))
            else:
                results.append(_seven_card_outcomes(of_class, of_setting, lows[row], deals))
        return np.stack(results)

    def _ranks(self, settings: Sequence[SetHands], below: Ints) -> tuple[Ints, Ints]:
        """High and low rank of each setting, as the points of the count take them."""
        highs = np.zeros((len(settings), len(self.rows)), np.int64)
        lows = np.zeros_like(highs)
        for row in range(len(settings) - 1, -1, -1):
            setting = settings[row]
            fits = setting.status == 0
            highs[row] = np.where(fits, below[np.where(fits, setting.high_value, 0)], highs[-1])
            lows[row] = np.where(fits, low_ranks(setting.low), lows[-1])
        return highs, lows

    def _points(
        self, highs: Ints, lows: Ints, high_count: int, qualifying: int
    ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
        """The points of a class as a whole, and of each of its settings."""
        if self.dealer.cards == 6:
            at_most = np.minimum(highs, qualifying)
            pairs: tuple[tuple[Ints | int, Ints | int], ...] = (
                (highs, lows),
                (highs, ALL_LOWS),
                (high_count, lows),
                (at_most, lows),
                (at_most, ALL_LOWS),
                (qualifying, lows),
            )
            whole: tuple[tuple[int, int], ...] = ((qualifying, ALL_LOWS),)
        else:
            push = seven_card_games().low_push
            pairs = (
                (highs, lows),
                (highs, ALL_LOWS),
                (high_count, lows),
                (highs, push.stop),
                (highs, push.start),
            )
            whole = ((high_count, push.stop), (high_count, push.start))
        each = np.stack(
            [np.broadcast_to(np.asarray(high) << 8 | np.asarray(low), highs.shape) for high, low in pairs], axis=2
        )
        shared = np.tile(np.array([high << 8 | low for high, low in whole]), (highs.shape[1], 1))
        return shared.astype(np.uint32), each.astype(np.uint32)

    def _sums(self, starts: Ints, points: npt.NDArray[np.uint32]) -> Ints:
        """The counts at the points, each multiplied by the weight of its class."""
        size = self.dealer.cards
        places = np.full(len(classes_of(size)), -1, np.int32)
        places[self.rows] = np.arange(len(self.rows))
        class_of = places[np.asarray(class_table(size, self.cache))]
        tables = dealer_tables(self.dealer, PAI_GOW, self.cache)
        return counts_at(tables, class_of, self.hands, (0, len(self.rows)), starts, points)


def low_ranks(low: npt.NDArray[np.uint8]) -> Ints:
    """The ranks of player's low hands, as in `layouts.low_rank`."""
    ranks = np.minimum(low >> 2, _ACE).astype(np.int64)
    if low.shape[1] == 1:
        ranks[low == JOKER_INDEX] = _ACE + 1
    high: Ints = ranks.max(axis=1)
    if low.shape[1] == 1:
        return high
    rest = ranks.min(axis=1)
    pairs: Ints = np.where(high == rest, 78 + high, high * (high - 1) // 2 + rest)
    return pairs


def _first_alike(highs: Ints, lows: Ints) -> Ints:
    """For each setting of each class the first one that is the same."""
    first = np.tile(np.arange(len(highs))[:, None], (1, highs.shape[1]))
    for row in range(len(highs)):
        for before in range(row - 1, -1, -1):
            alike = (highs[row] == highs[before]) & (lows[row] == lows[before])
            first[row] = np.where(alike, first[before], first[row])
    return first


def _six_card_outcomes(of_class: Ints, of_setting: Ints, deals: int) -> Ints:
    """Deals won and lost against a dealer who qualifies and against one who does not, in this order, and pushes."""
    both, above, beside, won_in_vain, above_in_vain, beside_in_vain = of_setting
    lost = deals - above - beside + both
    lost_in_vain = of_class[0] - above_in_vain - beside_in_vain + won_in_vain
    counts = (both - won_in_vain, won_in_vain, lost - lost_in_vain, lost_in_vain, deals - both - lost)
    return np.stack(counts, axis=-1)


def doubled(counts: Ints, doubles: npt.NDArray[np.bool_]) -> Ints:
    """The eight outcomes of main wager and double down in the order of `main_games.DOUBLED`."""
    won, won_in_vain, lost, lost_in_vain, pushed = np.moveaxis(counts, -1, 0)
    with_it = (won, won_in_vain, lost, lost_in_vain, pushed)
    without = (won + won_in_vain, lost + lost_in_vain, pushed)
    return np.stack([count * doubles for count in with_it] + [count * ~doubles for count in without], axis=-1)


def _seven_card_outcomes(of_class: Ints, of_setting: Ints, lows: Ints, deals: int) -> Ints:
    """Won and lost deals of the game without pushes, then of the one in which some low hands of the dealer push."""
    both, above, beside, nine_end, nine_first = of_setting
    low_end, low_first = of_class
    won = _without_pushes(lows, both, nine_end, nine_first)
    lost = deals - (low_end - low_first) - (above - (nine_end - nine_first))
    lost = lost - _without_pushes(lows, beside, low_end, low_first) + won
    return np.stack([both, deals - above - beside + both, won, lost], axis=1)


def _without_pushes(lows: Ints, at_low: Ints, at_end: Ints, at_first: Ints) -> Ints:
    """A count below a low rank, less the low hands below it that push."""
    push = seven_card_games().low_push
    return np.where(lows >= push.stop, at_low - (at_end - at_first), np.where(lows > push.start, at_first, at_low))
