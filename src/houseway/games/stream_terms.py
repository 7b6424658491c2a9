"""What a stream has said so far: by the texts of its rounds' parts, what they were found to mean.

A part is known after a round with it was read and found sound. Nothing here checks a rule: texts that were not met
before go to the reader of rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from houseway.definitions import ENVY_SUFFIX
from houseway.errors import InputError
from houseway.games.batch import is_known_size
from houseway.games.bonus import envy_of
from houseway.games.hand_setting import ranking_of
from houseway.games.line_keys import LineKeys
from houseway.games.round_parts import RoundParts, SeatParts, colons_of
from houseway.games.round_tables import idle_meters, read_levels
from houseway.games.settlement_text import levels_text
from houseway.ranking.fast import names_of_mask
from houseway.reading.faults import Faults

if TYPE_CHECKING:
    from msgspec import Raw

    from houseway.definitions import Look
    from houseway.games.round_model import CheckedRound, CheckedSeat
    from houseway.paytables import PayTable

_MOST_KEPT: Final = 20_000
_MOST_LEVELS: Final = 100

LineTexts = dict[int, str]
"""The texts of the lines of a wager and its stake, by the numbers that decide them."""


EnvyKey = tuple[str, int, int, bool, int, int]
"""A wager and its stake; the seat whose hand brings envy, whether it is the bettor's own, and its masks of names."""


class SeatPlan(NamedTuple):
    """What becomes of a seat's wagers, in the order of their lines."""

    wagers: tuple[str, ...]
    lines: tuple[tuple[LineTexts, int], ...]
    """For each wager: its lines so far, and the column with the numbers that decide them."""
    envied: tuple[tuple[int, str, int], ...]
    """The wagers whose tables bring envy: before which line their envy payments stand, their names and stakes."""
    colons: int


class LevelsText(NamedTuple):
    """The meters or seeds of a round."""

    text: str
    colons: int


class _EnvyBringers(dict[tuple[int, int], bool]):
    """Whether a hand brings the others envy under one of some tables, by its masks of names."""

    def __init__(self, tables: Iterable[PayTable]) -> None:
        super().__init__()
        self._tables = tuple(tables)

    def __missing__(self, masks: tuple[int, int]) -> bool:
        names, natural = map(names_of_mask, masks)
        found = self[masks] = any(envy_of(table, table.names_of(names, natural))[0] for table in self._tables)
        return found


class StreamTerms:
    """The terms of rounds of a stream: their game, tables and settings, and what they were found to bring."""

    def __init__(self, round_: CheckedRound, said: RoundParts, parse: Callable[[bytes], Any]) -> None:
        """Take the terms of a sound round."""
        self.game = round_.game
        self.way = round_.way if round_.game.low_cards else None
        self.ranking = ranking_of(round_.game, round_.settings)
        self.colons = colons_of(*said.terms)
        self.keys = LineKeys(round_.game)
        looks = dict.fromkeys(wager.look for wager in round_.game.wagers)
        self.looks: list[Look | None] = [None, *[look for look in looks if look is not None]]
        """What decides lines, a column each; None is the contest with the dealer."""
        self.orders: dict[tuple[int, ...], str] = {}
        """By the numbers of the seats: the text of the order in which they are resolved."""
        self.qualifies: dict[int, bool | None] = {}
        """By what the contest asks of the dealer's hand: whether it qualifies."""
        self._parse = parse
        self._tables = round_.tables
        self._plans: dict[tuple[bytes, bool | None], SeatPlan] = {}
        self._lines: dict[tuple[str, int, bool], LineTexts] = {}
        self.envy: dict[EnvyKey, str] = {}
        """The texts of envy payments; empty where there is none."""
        self._levels: dict[tuple[str, bytes], LevelsText | None] = {}
        self.bringers = _EnvyBringers(table for table in round_.tables.values() if table.has_envy)

    @staticmethod
    def fit(round_: CheckedRound) -> bool:
        """Whether the lines of such a round come from each seat's wagers and hand and the dealer's hand alone.

        Envy comes from other seats and some awards from meters; whoever settles looks for them round by round.
        """
        return (
            round_.banker is None
            and not round_.notes
            and round_.settings.aggregate_limit is None
            and is_known_size(round_.game, round_.way)
        )

    def learn(self, said: RoundParts, round_: CheckedRound) -> None:
        """Keep what the wagers of a sound round on these terms are."""
        if len(self._plans) >= _MOST_KEPT:
            self._plans.clear()
            self._lines.clear()
            self.envy.clear()
        for seat_said, seat in zip(said.seats, round_.seats, strict=True):
            key = bytes(seat_said.wagers), seat_said.fold
            if key not in self._plans:
                colons = colons_of(seat_said.wagers) + (seat_said.fold is not None)
                self._plans[key] = self._plan_of(seat, colons)

    def plans(self, seats: Iterable[SeatParts]) -> list[SeatPlan] | None:
        """The plans for the wagers of seats, if all are known."""
        try:
            return [self._plans[bytes(seat.wagers), seat.fold] for seat in seats]
        except KeyError:
            return None

    def levels(self, raw: Raw, path: Literal["meters", "seeds"]) -> LevelsText | None:
        """Meters or seeds; None if something is wrong with them, or there is something to say about them."""
        key = path, bytes(raw)
        if key not in self._levels:
            if len(self._levels) >= _MOST_LEVELS:
                self._levels.clear()
            self._levels[key] = self._read_levels(bytes(raw), path)
        return self._levels[key]

    def _plan_of(self, seat: CheckedSeat, colons: int) -> SeatPlan:
        places = self.game.line_places
        made = sorted(
            (wager for wager in self.game.wagers if wager.name in seat.wagers), key=lambda wager: places[wager.name]
        )
        lines = [
            (self._lines.setdefault((wager.name, seat.wagers[wager.name], seat.fold), {}), self.looks.index(wager.look))
            for wager in made
        ]
        envied = []
        for wager in made:
            place = places.get(wager.name + ENVY_SUFFIX)
            if place is not None and wager.name in self._tables and self._tables[wager.name].has_envy:
                before = sum(places[other.name] < place for other in made)
                envied.append((before, wager.name, seat.wagers[wager.name]))
        return SeatPlan(tuple([wager.name for wager in made]), tuple(lines), tuple(envied), colons)

    def _read_levels(self, data: bytes, path: Literal["meters", "seeds"]) -> LevelsText | None:
        faults = Faults()
        try:
            found = read_levels(self._parse(data) if data else None, path, self.game, faults)
        except InputError:
            return None
        if faults.any or (path == "meters" and idle_meters(found, self._tables)):
            return None
        return LevelsText(levels_text(found), colons_of(data))
