"""Switches and builders that the cases of the two six-card games share; there are no cases in here.

A switch puts one piece of a rule out of force: a number, a line of a pay table, a rule of the house way, a mode of the
shuffler, or the one function that carries the rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest

from houseway.cards import ALL_CARDS, JOKER, modes
from houseway.cards.shuffler import Deal, deal
from houseway.errors import InputError
from houseway.games import Game, Hand, Line, Seat, Settings, game, read_round
from houseway.games.bonus import envy_lines, envy_triggers
from houseway.games.hands import put_hand
from houseway.games.jackpots import Meters, _fixed_line
from houseway.games.limits import DatedLimits
from houseway.games.model import Contest, Wager
from houseway.games.reading import Faults
from houseway.games.registry import find_game
from houseway.houseways import HouseWay, house_way
from houseway.houseways.evaluate import Evaluator, ReferenceEvaluator
from houseway.paytables import PayTable, paytable
from houseway.ranking.reference import Ranking
from tests.rules.felt import round_of
from tests.rules.harness import Switch, replaced

HANDS = {
    "five-aces": "As Ah Ad Ac Jk 2c",
    "royal-flush": "Ah Kh Qh Jh Th 2c",
    "straight-flush": "9h 8h 7h 6h 5h 2c",
    "four-of-a-kind": "9s 9h 9d 9c 5h 2c",
    "full-house": "9s 9h 9d 5c 5h 2c",
    "flush": "Kh Jh 9h 5h 3h 2c",
    "straight": "9s 8h 7h 6h 5h 2c",
    "three-of-a-kind": "9s 9h 9d Kc 5h 2c",
    "two-pair": "9s 9h 5c 5h Kc 2c",
    "pair-of-aces": "As Ah 9h 7c 5h 2c",
}
"""A hand of every name, each with the deuce of clubs: two of them never meet in a round."""

QUEEN_HIGH = "Qs Ts 7s 6c 4s 3d"
"""A dealer's hand that shares no card with HANDS. Set the house way: Q-7-6-4-3 high, the ten low."""

ONLOOKER = "Kd Jd 8d 4c 3c Qc"
"""A king-high player's hand that shares no card with HANDS or QUEEN_HIGH."""


def faults_read(game_id: str, dealer: str, *seats: dict[str, Any], **rest: object) -> set[str]:
    """The codes of the faults with which a round is refused as it is read, before anything is settled."""
    try:
        read_round(round_of(game_id, dealer, *seats, **rest))
    except InputError as error:
        return {fault.code for fault in error.faults}
    return set()


def deal_of(game_id: str, number: int, *seats: int, **rest: object) -> Deal:
    """A round of the game as its shuffler deals it, from a seed made of a number."""
    mode = modes.shuffler_mode(game(game_id).shuffler_mode)
    return deal(mode, number.to_bytes(32, "big"), seats=seats, **rest)


def in_settle(name: str, value: object) -> Switch:
    """A switch in the module of `settle`, which the function of that name hides in its package."""

    def throw(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(import_module("houseway.games.settle"), name, value)

    return throw


def changed_game(game_id: str, **changes: object) -> Switch:
    """The game with other data, wherever it is looked up."""

    def find(asked: str) -> Game | None:
        found = find_game(asked)
        return replace(found, **changes) if found is not None and asked == game_id else found

    def throw(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("houseway.games.rounds.find_game", find)
        monkeypatch.setattr("houseway.games.registry.find_game", find)

    return throw


def resolved_last(game_id: str, name: str) -> Switch:
    """The game with the lines of one wager, or its envy, after all others."""
    order = game(game_id).line_order
    return changed_game(game_id, line_order=(*(other for other in order if other != name), name))


def changed_wager(game_id: str, name: str, **changes: object) -> Switch:
    """The game with one wager of other data."""
    wagers = game(game_id).wagers
    return changed_game(
        game_id, wagers=tuple(replace(wager, **changes) if wager.name == name else wager for wager in wagers)
    )


def without_wager(game_id: str, name: str) -> Switch:
    """The game without one of its wagers."""
    return changed_game(game_id, wagers=tuple(wager for wager in game(game_id).wagers if wager.name != name))


def changed_table(table_id: str, **changes: object) -> Switch:
    """A pay table with other data."""

    def find(asked: str) -> PayTable:
        return replace(paytable(asked), **changes) if asked == table_id else paytable(asked)

    return replaced("houseway.games.tables.paytable", find)


def changed_line(table_id: str, hand: str, **changes: object) -> Switch:
    """A pay table with one line of other data."""
    lines = paytable(table_id).lines
    return changed_table(
        table_id, lines=tuple(replace(line, **changes) if line.hand == hand else line for line in lines)
    )


def without_line(table_id: str, hand: str) -> Switch:
    """A pay table without one of its lines."""
    return changed_table(table_id, lines=tuple(line for line in paytable(table_id).lines if line.hand != hand))


def changed_way(rule_id: str, **changes: object) -> Switch:
    """A house way that carries out one rule differently."""

    def find(way_id: str) -> HouseWay:
        way = house_way(way_id)
        questions = [
            replace(
                asked, rules=tuple(replace(rule, **changes) if rule.id == rule_id else rule for rule in asked.rules)
            )
            for asked in way.questions
        ]
        return replace(way, questions=tuple(questions))

    return replaced("houseway.games.rounds.house_way", find)


def way_without(question_id: str) -> Switch:
    """A house way that does not ask one of its questions."""

    def find(way_id: str) -> HouseWay:
        way = house_way(way_id)
        return replace(way, questions=tuple(asked for asked in way.questions if asked.id != question_id))

    return replaced("houseway.games.rounds.house_way", find)


def changed_mode(mode_id: str, **changes: object) -> Switch:
    """A shuffler mode with other data."""
    changed = tuple(replace(mode, **changes) if mode.id == mode_id else mode for mode in modes.MODES)
    return replaced("houseway.cards.modes.MODES", changed)


def compulsory(name: str) -> Switch:
    """A wager that every player must make."""

    def check(seat: Seat, path: str, played: Game, settings: Settings, is_banker: bool, faults: Faults) -> None:
        if name not in seat.wagers:
            faults.add("missing-wager", path, f"{name} is missing")

    return replaced("houseway.games.rounds._check_wagers", check)


WAGERS_UNCHECKED = replaced("houseway.games.rounds._check_wagers", lambda *_: None)
RAISES_UNCHECKED = replaced("houseway.games.rounds._check_raise", lambda *_: None)
LIMITS_UNCHECKED = replaced("houseway.games.rounds._check_limits", lambda *_: None)
HIGHEST_WAGER_UNKNOWN = replaced("houseway.games.settings.limits_on", lambda *_: DatedLimits())


class JokerAs(ReferenceEvaluator):
    """An evaluator whose joker is simply one of some cards, whatever it completes."""

    def __init__(self, stands_for: Sequence[int]) -> None:
        self.stands_for = stands_for

    def value_of_best(self, cards: Sequence[int], ranking: Ranking) -> int:
        return max(super(JokerAs, self).value_of_best(held, ranking) for held in self._held(cards))

    def names_fitted(self, cards: Sequence[int], ranking: Ranking) -> frozenset[str]:
        best = max(self._held(cards), key=lambda held: super(JokerAs, self).value_of_best(held, ranking))
        return super().names_fitted(best, ranking)

    def _held(self, cards: Sequence[int]) -> list[Sequence[int]]:
        naturals = [card for card in cards if card != JOKER]
        if len(naturals) == len(cards):
            return [cards]
        return [[*naturals, card] for card in self.stands_for if card not in naturals]


JOKER_IS_WILD = in_settle("TableEvaluator", lambda: JokerAs(ALL_CARDS[:52]))
JOKER_IS_ONLY_AN_ACE = in_settle("TableEvaluator", lambda: JokerAs(ALL_CARDS[48:52]))


def _put_as_set(
    played: Game, cards: tuple[int, ...], low: tuple[int, ...] | None, way: HouseWay, ranking: Ranking, by: Evaluator
) -> Hand:
    hand = put_hand(played, cards, low, way, ranking, by)
    return replace(hand, names=by.names_fitted(hand.high, ranking))


HAND_AS_SET_COUNTS = in_settle("put_hand", _put_as_set)
"""Pay tables look at the five cards that the player put in the high hand."""


def _put_first_five(
    played: Game, cards: tuple[int, ...], low: tuple[int, ...] | None, way: HouseWay, ranking: Ranking, by: Evaluator
) -> Hand:
    return put_hand(played, cards[:5], low, way, ranking, by)


FIRST_FIVE_CARDS_COUNT = in_settle("put_hand", _put_first_five)
"""The sixth card is not looked at."""


Triggers = list[tuple[int, int, str]]


def _envy_of_oneself(contest: Contest, wager: Wager, seat: Seat, triggers: Triggers) -> list[Line]:
    return envy_lines(contest, wager, replace(seat, number=0), triggers)


def _triggers_with_dealer(contest: Contest, wager: Wager) -> Triggers:
    return envy_triggers(replace(contest, hands={**contest.hands, 0: contest.dealer}), wager)


OWN_HAND_PAYS_ENVY = in_settle("envy_lines", _envy_of_oneself)
DEALER_PAYS_ENVY = in_settle("envy_triggers", _triggers_with_dealer)
ENVY_IS_PAID_ONCE = in_settle("envy_triggers", lambda contest, wager: envy_triggers(contest, wager)[:1])


def _share_for_good(meters: Meters, key: str, level: str, percent: int) -> int:
    shown = meters.shown[key][level]
    meters.shown[key][level] = shown - shown * percent // 100
    return shown * percent // 100


def _share_restarting_all(meters: Meters, key: str, level: str, percent: int) -> int:
    award = SHARE(meters, key, level, percent)
    if percent == 100:
        meters.shown[key].update(meters._seeds[key])
    return award


def _share_left_on_meter(meters: Meters, key: str, level: str, percent: int) -> int:
    return meters.shown[key][level] * percent // 100


SHARE: Callable[[Meters, str, str, int], int] = Meters.share
METER_DOES_NOT_RESTART = replaced("houseway.games.jackpots.Meters.share", _share_for_good)
ALL_METERS_RESTART = replaced("houseway.games.jackpots.Meters.share", _share_restarting_all)
SHARE_STAYS_ON_METER = replaced("houseway.games.jackpots.Meters.share", _share_left_on_meter)
FIXED_PAY_STAYS_ON_METER = replaced("houseway.games.jackpots.Meters.take", lambda *_: None)
LOWEST_SEAT_IS_PAID_FIRST = replaced("houseway.games.jackpots.resolution_order", lambda contest: sorted(contest.hands))


def _fixed_and_stake(wager: Wager, stake: int, *rest: object) -> Line:
    line = _fixed_line(wager, stake, *rest)
    return replace(line, returned=line.returned + stake)


STAKE_COMES_BACK_TOO = replaced("houseway.games.jackpots._fixed_line", _fixed_and_stake)
JACKPOTS_LEFT_OUT = in_settle("settle_jackpots", lambda *_: {})
