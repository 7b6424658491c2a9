"""Switches that put one rule out of force: other data for a game, a wager, a pay table, a house way or the shuffler, or
a function that leaves its check out.

Switches on what a hand is worth are in `evaluators`, those on bonus and jackpot payments in `money`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

from houseway.cards import modes
from houseway.definitions import ContestRules, HandPart, Look, registry, span_of
from houseway.games import CheckedSeat, Game, Hand, Settings, game
from houseway.games.contest import compare_part, value_of_part
from houseway.games.looks import Sight, see
from houseway.games.round_model import CheckedRound, Contest, Outcome, won
from houseway.games.round_wagers import check_wagers
from houseway.games.settle import _open_contest
from houseway.games.wager_limits import DatedLimits
from houseway.houseways import HouseWay, house_way
from houseway.houseways.evaluate import Evaluator
from houseway.paytables import PayTable, paytable
from houseway.reading.faults import Faults
from tests.rules.harness import Switch, replaced


def _one_changed(items: Iterable[Any], attribute: str, wanted: str, changes: dict[str, object]) -> tuple[Any, ...]:
    """The items, the one with this attribute having other data."""
    return tuple(replace(item, **changes) if getattr(item, attribute) == wanted else item for item in items)


def _one_left_out(items: Iterable[Any], attribute: str, unwanted: str) -> tuple[Any, ...]:
    """The items but for the one with this attribute."""
    return tuple(item for item in items if getattr(item, attribute) != unwanted)


# Games and wagers


def game_with(game_id: str, **changes: object) -> Switch:
    """The game with other data, wherever it is looked up."""

    def throw(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(registry._replaced, game_id, replace(game(game_id), **changes))

    return throw


def contest_with(game_id: str, **changes: object) -> Switch:
    """The game with other facts of its contest."""
    return game_with(game_id, contest=replace(game(game_id).contest, **changes))


def qualifying_with(game_id: str, hands: str) -> Switch:
    """The game with another hand with which the dealer qualifies."""
    qualifier = game(game_id).contest.qualifier
    assert qualifier is not None
    return contest_with(game_id, qualifier=replace(qualifier, hands=span_of(hands)))


def wager_with(game_id: str, name: str, **changes: object) -> Switch:
    """The game with other data for one of its wagers."""
    return game_with(game_id, wagers=_one_changed(game(game_id).wagers, "name", name, changes))


def look_with(game_id: str, name: str, **changes: object) -> Switch:
    """The game with other facts of what one of its wagers looks at."""
    look = _look_of(game_id, name)
    return wager_with(game_id, name, look=replace(look, **changes))


def seen_by(game_id: str, name: str, sight: Callable[[Contest, Hand], Sight]) -> Switch:
    """A wager of a game sees something else."""
    look = _look_of(game_id, name)
    return replaced(
        "houseway.games.bonus.see",
        lambda asked, contest, hand, **how: sight(contest, hand) if asked == look else see(asked, contest, hand, **how),
    )


def _look_of(game_id: str, name: str) -> Look:
    wager = game(game_id).wager(name)
    assert wager is not None
    assert wager.look is not None
    return wager.look


def without_wager(game_id: str, name: str) -> Switch:
    """The game without one of its wagers."""
    return game_with(game_id, wagers=_one_left_out(game(game_id).wagers, "name", name))


def resolved_last(game_id: str, name: str) -> Switch:
    """The game with the lines of one wager after all others and after envy."""
    order = game(game_id).line_order
    return game_with(game_id, line_order=(*(other for other in order if other != name), name))


def compulsory(name: str) -> Switch:
    """One more wager that every player must make."""

    def check(seat: CheckedSeat, path: str, played: Game, settings: Settings, is_banker: bool, faults: Faults) -> None:
        check_wagers(seat, path, played, settings, is_banker, faults)
        if name not in seat.wagers and not is_banker:
            faults.add("missing-wager", path, f"{name} is missing")

    return replaced("houseway.games.round_reader.check_wagers", check)


WAGERS_UNCHECKED = replaced("houseway.games.round_reader.check_wagers", lambda *_: None)
RAISES_UNCHECKED = replaced("houseway.games.round_wagers._check_raise", lambda *_: None)
LIMITS_UNCHECKED = replaced("houseway.games.round_wagers._check_limits", lambda *_: None)
NO_DATED_LIMIT = replaced("houseway.games.table_settings.limits_on", lambda *_: DatedLimits())
NO_NUMBER_OF_GAMES = replaced("houseway.games.table_settings.Settings.games_allowed", property(lambda settings: None))
OWN_LIMITS_ARE_IGNORED = replaced("houseway.games.wager_limits.Limits.ranges", lambda limits, wager: (limits.any,))


# Pay tables


def table_with(table_id: str, **changes: object) -> Switch:
    """A pay table with other data."""

    def find(asked: str) -> PayTable:
        return replace(paytable(asked), **changes) if asked == table_id else paytable(asked)

    return replaced("houseway.games.round_tables.paytable", find)


def line_with(table_id: str, hand: str, **changes: object) -> Switch:
    """A pay table with other data for one of its lines."""
    return table_with(table_id, lines=_one_changed(paytable(table_id).lines, "hand", hand, changes))


def without_line(table_id: str, hand: str) -> Switch:
    """A pay table without one of its lines."""
    return table_with(table_id, lines=_one_left_out(paytable(table_id).lines, "hand", hand))


# House ways


def _way_asking(change: Callable[[tuple[Any, ...]], Iterable[Any]]) -> Switch:
    """Every house way with its questions changed."""

    def find(way_id: str) -> HouseWay:
        way = house_way(way_id)
        return replace(way, questions=tuple(change(way.questions)))

    return replaced("houseway.games.round_reader.house_way", find)


def house_rule_with(rule_id: str, **changes: object) -> Switch:
    """A house way that carries out one of its rules differently."""
    return _way_asking(
        lambda questions: (
            replace(asked, rules=_one_changed(asked.rules, "id", rule_id, changes)) for asked in questions
        )
    )


def without_question(question_id: str) -> Switch:
    """A house way that does not ask one of its questions."""
    return _way_asking(lambda questions: _one_left_out(questions, "id", question_id))


OTHER_HOUSE_WAY = replaced("houseway.games.round_reader.house_way", lambda _: house_way("sixes-together"))
BANKER_UNCHECKED = replaced("houseway.games.round_reader._read_banker", lambda number, *_: number)


# The contest


def opponent(choose: Callable[[Contest], Hand]) -> Switch:
    """The players' wagers face another hand."""

    def open_contest(round_: CheckedRound, evaluator: Evaluator, *prepared: object) -> Contest:
        contest = _open_contest(round_, evaluator, *prepared)
        return replace(contest, opponent=choose(contest))

    return replaced("houseway.games.settle._open_contest", open_contest)


BANKERS_HAND_IS_LOOKED_AT = replaced(
    "houseway.games.round_model.Contest.looked_at_beside", lambda contest, hand: contest.opponent
)
"""Pai Gow'd and Tiger 9 look at the hand that the main wager faces."""


def matchups(won_both: Outcome = "win", one_each: Outcome = "push", lost_both: Outcome = "lose") -> Switch:
    """The number of matchups won has another meaning for the main wager."""
    return replaced("houseway.games.contest._OUTCOMES", (one_each, won_both, lost_both))


PAID_TWO_TO_ONE = replaced(
    "houseway.games.contest.won", lambda name, stake, winnings, *rest: won(name, stake, 2 * winnings, *rest)
)
"""The wagers that are settled at even money win twice as much."""


def parts_compared(compare: Callable[[HandPart, Hand, Hand], bool | None], *, by_looks: bool = False) -> Switch:
    """Parts of hands are compared in another way: True where the player wins, None for the rule as it is."""

    def changed(rules: ContestRules, part: HandPart, player: Hand, other: Hand) -> int:
        wins = compare(part, player, other)
        return compare_part(rules, part, player, other) if wins is None else 1 if wins else -1

    return replaced(f"houseway.games.{'looks' if by_looks else 'contest'}.compare_part", changed)


COPIES_WIN = parts_compared(lambda part, player, other: value_of_part(player, part) >= value_of_part(other, part))
NOTHING_FOULS = replaced("houseway.games.hand_setting.FOULS", dict.fromkeys((1, 2), lambda high, low: False))


# The deal


def mode_with(mode_id: str, **changes: object) -> Switch:
    """A shuffler mode with other data."""
    return replaced("houseway.cards.modes.MODES", _one_changed(modes.MODES, "id", mode_id, changes))


def places_in_order(order: Callable[..., list[int]]) -> Switch:
    """Packets go to other places, by the mode, the occupied seats, the start position and the numbering."""
    return replaced("houseway.cards.modes.ShufflerMode.places", order)


NO_SHUFFLE = replaced("houseway.cards.shuffler.shuffle", lambda order, stream: None)
NO_SHOE = replaced("houseway.cards.modes.shoe", lambda mode: mode)
ONLY_THE_SEATED = places_in_order(lambda mode, occupied, *_: [*occupied, 0])
