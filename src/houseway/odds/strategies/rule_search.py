"""From the exact values of every cell to few rules: which action for which ranks.

Every topic begins as one rule. As long as a cut of some rule's ranks saves enough, the cut that saves most is made; a
cut may need a second one to pay, so two at once are tried as well. Of the actions that are left the most frequent one
becomes what is done otherwise, and the rules of the others are widened as far as nothing is lost by it, so that they
can be said in few words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from houseway.houseways.facts import FACT_INDEX, FACTS, NO_RANK
from houseway.odds.strategies.topics import HOUSE_WAY, FoundRule, Frame, Topic, least_gain, worth

from houseway.ranking import jit as _jit  # noqa: F401  # isort: skip  (checks for the optional part)
import numpy as np  # isort: skip
import numpy.typing as npt  # isort: skip

Box: TypeAlias = tuple[tuple[int, int], ...]
"""A range, from and before, of the place of every fact that a topic looks at."""
Ints: TypeAlias = npt.NDArray[np.int64]

MOST_RULES: Final = 8
"""How many ranges a topic is cut into at most."""
_UNFIT: Final = 10**15
"""More than any gain: an action that does not fit a cell is never taken there."""


def place_of(fact: str, value: int) -> int:
    """The place of a fact's value in its order: a hand without such a card comes before the twos."""
    return (0 if value == NO_RANK else value + 1) if FACTS[FACT_INDEX[fact]].kind == "rank" else value


class _Cells:
    """A topic's cells as an array of gains over the house way, by action and by place of every fact."""

    def __init__(self, frame: Frame, topic: Topic, cells: Mapping[str, Any]) -> None:
        self.topic = topic
        self.by_place = {
            tuple(place_of(fact, int(value)) for fact, value in zip(topic.facts, key.split(","), strict=True))
            if topic.facts
            else (0,): cell
            for key, cell in cells.items()
        }
        sizes = [1 + max(places) for places in zip(*self.by_place, strict=True)]
        self.gains = np.zeros((len(topic.actions), *sizes), np.int64)
        self.hands = np.zeros(sizes, np.int64)
        for places, cell in self.by_place.items():
            self.hands[places] = cell["hands"]
            house = worth(frame, cell[HOUSE_WAY])
            for row, action in enumerate(topic.actions):
                unfit = cell[action][-1]
                self.gains[(row, *places)] = -_UNFIT if unfit else worth(frame, cell[action]) - house

    @property
    def whole(self) -> Box:
        """The box of all cells."""
        lowest = [min(places) for places in zip(*self.by_place, strict=True)]
        return tuple(zip(lowest, self.hands.shape, strict=True))

    def of(self, box: Box) -> Ints:
        """The gain of every action over the hands of a box."""
        inside = self.gains[(slice(None), *(slice(*side) for side in box))]
        gains: Ints = inside.reshape(len(self.gains), -1).sum(axis=1)
        return gains

    def best(self, box: Box) -> int:
        """The gain of a box's best action."""
        return int(self.of(box).max())

    def count(self, box: Box) -> int:
        """The hands of a box."""
        return int(self.hands[tuple(slice(*side) for side in box)].sum())

    def cuts(self, box: Box) -> Iterator[tuple[int, Box, Box]]:
        """Every way to cut a box in two, with the gain of the two best actions."""
        inside = self.gains[(slice(None), *(slice(*side) for side in box))]
        for axis, (start, end) in enumerate(box):
            others = tuple(other + 1 for other in range(len(box)) if other != axis)
            below = np.cumsum(inside.sum(axis=others), axis=1)
            gains = below[:, :-1].max(axis=0) + (below[:, -1:] - below[:, :-1]).max(axis=0)
            for place in range(start + 1, end):
                left, right = (start, place), (place, end)
                yield (
                    int(gains[place - start - 1]),
                    (*box[:axis], left, *box[axis + 1 :]),
                    (*box[:axis], right, *box[axis + 1 :]),
                )


def find_rules(frame: Frame, topic: Topic, cells: Mapping[str, Any]) -> tuple[FoundRule, ...]:
    """The rules of a topic; the last one holds otherwise."""
    table = _Cells(frame, topic, cells)
    by_action: dict[int, list[Box]] = {}
    for box in _grown(table, least_gain(frame)):
        by_action.setdefault(int(np.argmax(table.of(box))), []).append(box)
    usual = max(by_action, key=lambda row: (len(by_action[row]), sum(map(table.count, by_action[row]))))
    stated = [(row, box) for row, boxes in by_action.items() if row != usual for box in boxes]
    wide = _widened(table, usual, stated)
    free = set(table.by_place)
    found = []
    for row, box in sorted(wide, key=lambda rule: rule[1], reverse=True):
        places = {place for place in free if _holds(box, place)}
        free -= places
        found.append(_rule(table, row, _ranges(table, box), places))
    return (*found, _rule(table, usual, None, free))


def _ranges(table: _Cells, box: Box) -> dict[str, tuple[int, int]]:
    """The first and last place of every fact that a box restricts; an end that no hand passes is left open."""
    ranges = {}
    for fact, (start, end), (first, last) in zip(table.topic.facts, box, table.whole, strict=False):
        if (start, end) != (first, last):
            known = FACTS[FACT_INDEX[fact]]
            lowest = min(first, 1) if known.kind == "rank" else 0
            ranges[fact] = (lowest if start == first else start, len(known.values) - 1 if end == last else end - 1)
    return ranges


def _rule(
    table: _Cells, row: int, ranges: Mapping[str, tuple[int, int]] | None, places: set[tuple[int, ...]]
) -> FoundRule:
    """A rule with its hands and with what every action that fits them would come to."""
    cells = [table.by_place[place] for place in sorted(places)]
    counts = {}
    for action in (*table.topic.actions, HOUSE_WAY):
        total = [sum(column) for column in zip(*(cell[action] for cell in cells), strict=True)]
        if not total[-1]:
            counts[action] = tuple(total[:-1])
    return FoundRule(table.topic.actions[row], ranges, sum(cell["hands"] for cell in cells), counts)


def _grown(table: _Cells, least: int) -> list[Box]:
    """The whole cut into boxes as long as a cut saves enough."""
    boxes = [table.whole]
    while len(boxes) < MOST_RULES:
        gain, cut, parts = max((_best_cut(table, box) for box in boxes), key=lambda choice: choice[0])
        if gain < least:
            break
        boxes.remove(cut)
        boxes += parts
    return boxes


def _best_cut(table: _Cells, box: Box) -> tuple[int, Box, list[Box]]:
    """The cut of a box that saves most for each rule that it adds, of one cut and of two at once."""
    before = table.best(box)
    best: tuple[int, Box, list[Box]] = (0, box, [box])
    for gain, left, right in table.cuts(box):
        if gain - before > best[0]:
            best = (gain - before, box, [left, right])
        for again, other in ((left, right), (right, left)):
            second = max(table.cuts(again), key=lambda cut: cut[0], default=None)
            if second is not None and (second[0] + table.best(other) - before) // 2 > best[0]:
                best = ((second[0] + table.best(other) - before) // 2, box, [second[1], second[2], other])
    return best


def _holds(box: Box, place: tuple[int, ...]) -> bool:
    return all(start <= at < end for (start, end), at in zip(box, place, strict=True))


def _widened(table: _Cells, usual: int, stated: list[tuple[int, Box]]) -> list[tuple[int, Box]]:
    """The boxes with every bound left out that saves nothing, none of them reaching into another."""
    done = list(stated)
    for number, (row, _) in enumerate(stated):
        for axis, (first, last) in enumerate(table.whole):
            for side in (0, 1):
                box = done[number][1]
                start, end = box[axis]
                wider = (first, end) if side == 0 else (start, last)
                added = (first, start) if side == 0 else (end, last)
                reach: Box = (*box[:axis], added, *box[axis + 1 :])
                taken = any(_meet(table, reach, other) for place, (_, other) in enumerate(done) if place != number)
                gains = table.of(reach)
                if not taken and gains[row] >= gains[usual]:
                    done[number] = (row, (*box[:axis], wider, *box[axis + 1 :]))
    return done


def _meet(table: _Cells, one: Box, other: Box) -> bool:
    """Whether two boxes have hands in common."""
    common: Box = tuple((max(a[0], b[0]), min(a[1], b[1])) for a, b in zip(one, other, strict=True))
    return all(start < end for start, end in common) and table.count(common) > 0
