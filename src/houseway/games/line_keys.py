"""What decides a line, as a number: seats with the same wager and the same number get the same line.

Of a hand by itself settlement sees its names and whether it is among the hands that the definition asks for; of two
hands, which is the better one, part by part. The numbers stand for just that, for all hands of a block at once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, Any, Final

from houseway.games.contest import asked_of_opponent
from houseway.games.looks import asked_by
from houseway.ranking.hand_names import name_of_low, name_of_value
from houseway.ranking.reference import JOKER_INDEX

import numpy as np  # isort: skip
import numpy.typing as npt  # isort: skip

if TYPE_CHECKING:
    from houseway.definitions import Game, HandPart, Look

Numbers = npt.NDArray[np.int64]
_PART_BITS: Final = 2
_CODE_BITS: Final = 16
"""Room for what a hand is beside the dealer's: two flags, and two bits for each of three parts."""


class Numbering(dict[Any, int]):
    """Numbers for values: the same for values of which the same can be told."""

    def __init__(self, tell: Callable[[Any], Hashable]) -> None:
        """`tell` gives all that matters of a value."""
        super().__init__()
        self._tell = tell
        self._numbers: dict[Hashable, int] = {}

    def __missing__(self, value: Hashable) -> int:
        """The number of a value that was not met before."""
        number = self[value] = self._numbers.setdefault(self._tell(value), len(self._numbers))
        return number

    def column(self, values: Iterable[Any]) -> Numbers:
        """The numbers of many values."""
        return np.fromiter(map(self.__getitem__, values), np.int64)


class LaidHands:
    """The hands of a block of rounds, a row each, the dealer's first in every round."""

    def __init__(self, cards: npt.NDArray[np.uint8], results: Numbers, dealers: Numbers, fouled: Numbers) -> None:
        """`cards` and `results` as `appraise_rows` gives them; `dealers` has the dealer's row for each row."""
        self.values: dict[HandPart, Numbers] = {"best": results[:, 0], "high": results[:, 3], "low": results[:, 4]}
        self.names = results[:, 1].tolist()
        self.natural = results[:, 2].tolist()
        self.dealers = dealers
        # The last card is the low hand where that has one card, and else tells a little more than is asked for.
        self._flags = fouled << 1 | (cards[:, -1] == JOKER_INDEX)

    def beside_dealers(self, parts: Iterable[HandPart]) -> Numbers:
        """How each hand stands beside its dealer's in these parts, and whether it fouls or ends with the joker."""
        code: Numbers = self._flags
        for part in parts:
            values = self.values[part]
            code = code << _PART_BITS | (np.sign(values - values[self.dealers]) + 1)
        return code


class LineKeys:
    """The numbers for hands of one game."""

    def __init__(self, game: Game) -> None:
        """Note what the definition asks of hands."""
        self._rules = game.contest
        self._asked = asked_of_opponent(game.contest)
        spans = [wager.look.hands for wager in game.wagers if wager.look is not None and wager.look.hands is not None]
        self._opponents = Numbering(
            lambda values: tuple([value in span for value, (_, span) in zip(values, self._asked, strict=True)])
        )
        self._highs = Numbering(name_of_value)
        self._lows = Numbering(lambda value: (name_of_low(value), *[value in span for span in spans]))
        self._bests = Numbering(lambda hand: (*hand[:2], name_of_value(hand[2]), *[hand[2] in span for span in spans]))

    def columns(self, laid: LaidHands, looks: Iterable[Look | None]) -> list[list[int]]:
        """For each look the numbers that decide the lines of its wagers, a number a row; None is the contest."""
        best = self._bests.column(zip(laid.names, laid.natural, laid.values["best"].tolist(), strict=True))
        return [(self._contest(laid) if look is None else self._look(look, laid, best)).tolist() for look in looks]

    def opponents(self, laid: LaidHands) -> Numbers:
        """What the contest asks of each hand's opponent by itself, a number a row."""
        values = [laid.values[part][laid.dealers].tolist() for part, _ in self._asked]
        return self._opponents.column(zip(*values, strict=True)) if values else np.zeros_like(laid.dealers)

    def _contest(self, laid: LaidHands) -> Numbers:
        number = self._highs.column(laid.values["high"].tolist()) << _CODE_BITS | self.opponents(laid)
        return number << _CODE_BITS | laid.beside_dealers(self._rules.parts)

    def _look(self, look: Look, laid: LaidHands, best: Numbers) -> Numbers:
        asked = asked_by(look)
        number = np.zeros_like(best)
        if asked.own:
            number = best
        if asked.dealer == "best":
            number = number << _CODE_BITS | best[laid.dealers]
        elif asked.dealer == "low":
            number = number << _CODE_BITS | self._lows.column(laid.values["low"].tolist())[laid.dealers]
        return number << _CODE_BITS | laid.beside_dealers(asked.compared) if asked.compared else number
