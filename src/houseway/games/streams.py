"""Streams of rounds, settled in blocks: texts in, texts out, the same as each round read and settled alone.

What a line depends on repeats all the time: a stake, an outcome, the names of a hand. A round whose parts are all known
is therefore put together from lines that earlier rounds brought; whatever is new in it, or looks beyond the table (a
meter, a player who banks), makes it a round like any other, read and settled as `read_round` and `settle` do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from houseway.definitions import ENVY_SUFFIX, replaced_games
from houseway.errors import InputError
from houseway.games.batch import prepare_hands
from houseway.games.jackpots import WITHOUT_METER
from houseway.games.round_model import CheckedRound
from houseway.games.round_parts import RoundParts, take_apart
from houseway.games.settle import settle
from houseway.games.settlement_text import order_text, round_text, seat_text
from houseway.games.stream_hands import StreamHands
from houseway.games.stream_terms import SeatPlan, StreamTerms
from houseway.sources import outside

if TYPE_CHECKING:
    from houseway.definitions import Game
    from houseway.games.round_reader import RoundReader
    from houseway.houseways.evaluate import KernelEvaluator

_Results = dict[int, str | InputError]
_MOST_TERMS: Final = 100
_DEALER_AND_SEATS: Final = 2
_SEAT_AND_CARDS: Final = 2
"""The members whose texts hold no colons of their own, or are counted part by part."""


class _KnownRound(NamedTuple):
    """A round of which all parts but the cards are known."""

    place: int
    said: RoundParts
    plans: Sequence[SeatPlan]
    meters: str

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of its seats."""
        return tuple([seat.seat for seat in self.said.seats])


class StreamSettler:
    """Settles blocks of rounds, and keeps what they have in common."""

    def __init__(self, reader: RoundReader, parse: Callable[[bytes], Any], evaluator: KernelEvaluator) -> None:
        """`parse` reads JSON strictly, as everywhere."""
        self._reader = reader
        self._parse = parse
        self._evaluator = evaluator
        self._terms: dict[tuple[bytes, ...], StreamTerms | None] = {}
        """None for terms whose rounds are never put together here."""
        self._defined = _definitions()
        self._replaced: tuple[Game, ...] = replaced_games()
        """LineTexts, so that their identities stay theirs."""

    def settle(self, datas: Sequence[bytes]) -> list[str | InputError]:
        """The texts of the settlements, or why rounds were refused, in their order."""
        defined = _definitions()
        if defined != self._defined:
            # Games are defined otherwise now: nothing that was found before holds.
            self._defined, self._replaced = defined, replaced_games()
            self._terms.clear()
        alike: dict[StreamTerms, list[_KnownRound]] = {}
        for place, said in enumerate(take_apart(datas)):
            found = None if said is None else self._find(place, said, datas[place])
            if found is not None:
                alike.setdefault(found[0], []).append(found[1])
        results: _Results = {}
        for terms, rounds in alike.items():
            self._put_together(terms, rounds, datas, results)
        left = [place for place in range(len(datas)) if place not in results]
        results.update(zip(left, self._settle_each([datas[place] for place in left]), strict=True))
        return [results[place] for place in range(len(datas))]

    def _find(self, place: int, said: RoundParts, data: bytes) -> tuple[StreamTerms, _KnownRound] | None:
        """The terms of a round and what is known of it; None for a round that must be settled by itself."""
        key = said.terms
        terms = self._terms.get(key)
        plans = None if terms is None else terms.plans(said.seats)
        if terms is None or plans is None:
            terms = self._learn(key, said, data)
            plans = None if terms is None else terms.plans(said.seats)
            if terms is None or plans is None:
                return None
        meters, seeds = terms.levels(said.meters, "meters"), terms.levels(said.seeds, "seeds")
        if meters is None or seeds is None:
            return None
        colons = terms.colons + meters.colons + seeds.colons + _DEALER_AND_SEATS
        for seat, plan in zip(said.seats, plans, strict=True):
            colons += plan.colons + (_SEAT_AND_CARDS + 1 if len(seat.low) else _SEAT_AND_CARDS)
        # Fewer than the text has where a member was there twice.
        return (terms, _KnownRound(place, said, plans, meters.text)) if data.count(b":") == colons else None

    def _learn(self, key: tuple[bytes, ...], said: RoundParts, data: bytes) -> StreamTerms | None:
        """Read a round that has something new, and keep what it was found to say; None for a round of no use here."""
        if key in self._terms and self._terms[key] is None:
            return None
        try:
            round_ = self._reader.read(self._parse(data))
        except InputError:
            return None
        terms = self._terms.get(key)
        if terms is None:
            if len(self._terms) >= _MOST_TERMS:
                self._terms.clear()
            terms = self._terms[key] = StreamTerms(round_, said, self._parse) if StreamTerms.fit(round_) else None
        if terms is not None:
            terms.learn(said, round_)
        return terms

    def _put_together(
        self,
        terms: StreamTerms,
        rounds: list[_KnownRound],
        datas: Sequence[bytes],
        results: dict[int, str | InputError],
    ) -> None:
        """Settle rounds out of what is known; none that is not sound."""
        hands = StreamHands(terms, [known.said for known in rounds], self._parse, self._evaluator)
        for known, first, sound in zip(rounds, hands.firsts, hands.sound, strict=True):
            if sound:
                try:
                    results[known.place] = _text_of(known, first, hands, terms)
                except KeyError:
                    results[known.place] = self._settle_new(known, first, hands, terms, datas[known.place])

    def _settle_new(
        self, known: _KnownRound, first: int, hands: StreamHands, terms: StreamTerms, data: bytes
    ) -> str | InputError:
        """Settle a round with a line that was not met before, and keep what it brings."""
        try:
            round_ = self._reader.read(self._parse(data))
            (prepared,) = prepare_hands([round_], self._evaluator)
            settlement = settle(round_, self._evaluator, prepared)
        except InputError as error:
            return error
        terms.orders[known.numbers] = order_text(tuple(settlement.order))
        terms.qualifies[hands.opponents[first]] = settlement.qualifies
        triggers = _triggers(known, first, hands)
        for row, (plan, result) in enumerate(zip(known.plans, settlement.seats, strict=True), first + 1):
            lines = [line for line in result.lines if line.trigger is None]
            if plan.wagers == tuple([line.wager for line in lines]):
                for (kept, column), line in zip(plan.lines, lines, strict=True):
                    if line.source in WITHOUT_METER:
                        kept[hands.columns[column][row]] = line.text
            envy = {(line.wager, line.trigger): line.text for line in result.lines if line.trigger is not None}
            for _, wager, stake in plan.envied:
                for number, masks in triggers:
                    text = envy.get((wager + ENVY_SUFFIX, number), "")
                    terms.envy[wager, stake, number, number == result.seat, *masks] = text
        return settlement.text

    def _settle_each(self, datas: Sequence[bytes]) -> list[str | InputError]:
        """Settle rounds by themselves, with their hands put at once."""
        read: list[CheckedRound | InputError] = []
        for data in datas:
            try:
                read.append(self._reader.read(self._parse(data)))
            except InputError as error:
                read.append(error)
        prepared = iter(prepare_hands([round_ for round_ in read if isinstance(round_, CheckedRound)], self._evaluator))
        results: list[str | InputError] = []
        for round_ in read:
            if isinstance(round_, InputError):
                results.append(round_)
                continue
            try:
                results.append(settle(round_, self._evaluator, next(prepared)).text)
            except InputError as error:
                results.append(error)
        return results


def _definitions() -> tuple[object, ...]:
    """What tells whether games are defined as they were."""
    return (outside(), *map(id, replaced_games()))


def _text_of(known: _KnownRound, first: int, hands: StreamHands, terms: StreamTerms) -> str:
    """The text of a settlement; KeyError where something in it was not met before."""
    order, qualifies = terms.orders[known.numbers], terms.qualifies[hands.opponents[first]]
    columns, texts, fouled = hands.columns, hands.texts, hands.fouled
    triggers = _triggers(known, first, hands)
    seats = []
    for row, (seat, plan) in enumerate(zip(known.said.seats, known.plans, strict=True), first + 1):
        lines = [kept[columns[column][row]] for kept, column in plan.lines]
        if triggers:
            # From the last on, so that the places of the others stay what they are.
            for before, wager, stake in reversed(plan.envied):
                envy = [terms.envy[wager, stake, number, number == seat.seat, *masks] for number, masks in triggers]
                lines[before:before] = filter(None, envy)
        seats.append(seat_text(seat.seat, texts[row], lines, fouled=fouled[row]))
    return round_text(texts[first], qualifies, seats, order, known.meters)


def _triggers(known: _KnownRound, first: int, hands: StreamHands) -> list[tuple[int, tuple[int, int]]]:
    """The seats whose hands bring envy, as they are resolved, each with its masks of names."""
    rows = range(first + 1, first + 1 + len(known.plans))
    if True not in hands.envy[rows.start : rows.stop]:
        return []
    found = [(seat.seat, hands.masks[row]) for seat, row in zip(known.said.seats, rows, strict=True) if hands.envy[row]]
    return sorted(found, reverse=True)
