"""The written strategies that ship: their rules, and exactly what following them costs.

A strategy of a Pai Gow game is a way in the language of house ways, found by `scripts/write-strategies` in the exact
solution. Its outcomes over all deals ship beside it; a file that was made for other rules than the installed ones is
not used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache as kept
from pathlib import Path
from typing import Any, Final

from houseway.definitions import Game
from houseway.errors import MissingPartError
from houseway.houseways import HouseWay, house_way, load_house_way
from houseway.odds.pai_gow.main_games import COMMISSION, DOUBLED, MainGames
from houseway.odds.pai_gow.split_games import contest_wagers, seven_card_games
from houseway.odds.shipped import DATA, content_of, fingerprint_of
from houseway.odds.solved import FORMAT, inputs_of, parts_of, solved
from houseway.odds.solved_game import OPTIMAL
from houseway.odds.strategies.doubling import DoublingLine
from houseway.odds.strategies.topics import HOUSE_WAY, FoundRule, Frame, frames, worth

FOLDER: Final = DATA / "strategies"
RESULTS: Final = DATA / "strategies.json"
MAIN: Final = ("win", "push", "lose")


def open_game() -> Game:
    """The game whose dealer's cards lie open before the player sets: what to do can be seen, nothing is to learn."""
    return seven_card_games().pushing_high


def open_rules() -> tuple[str, ...]:
    """How to play the game with the open dealer's hand."""
    return (
        "Look at both of the dealer's hands. If a setting beats both, take it.",
        "Otherwise take a setting that beats one of them, which is a push.",
        f"Against {seven_card_games().high_push.text} every legal setting is a push.",
    )


@dataclass(frozen=True, slots=True)
class Edges:
    """The house edge of some wagers for the best play, for the strategy and for the house way."""

    wagers: str
    best: Fraction
    strategy: Fraction
    house_way: Fraction

    @property
    def cost(self) -> Fraction:
        """What the strategy gives away against the best play, as a part of the main wager."""
        return self.strategy - self.best


@dataclass(frozen=True, slots=True)
class Strategy:
    """A strategy with its rules and its outcomes over all deals."""

    game: str
    way: HouseWay
    outcomes: Mapping[str, int]
    """Deals by the outcome of the wagers, for 6 Card Fortune of main wager and double down."""
    rules: Mapping[str, tuple[FoundRule, ...]]
    """By topic: what was chosen, and the counts of the actions between which the choice was."""
    doubling: tuple[DoublingLine, ...]

    @property
    def frame(self) -> Frame:
        """The topics and actions of the game."""
        return frames()[self.game]

    @property
    def edges(self) -> tuple[Edges, ...]:
        """The edges of the main wager, and of main wager and double down together."""
        played = self.frame.played
        every = dict.fromkeys([contest_wagers(played, raised=False), contest_wagers(played)])
        return tuple(_edges(self.frame, wagers, self.outcomes) for wagers in every)


def strategy(game: str) -> Strategy | None:
    """The shipped strategy of a Pai Gow game; None if there is none that was made for the installed rules.

    >>> six = strategy("six-card-fortune")
    >>> print(f"{float(six.edges[-1].cost):.2%}")
    0.13%
    """
    content = shipped_results().get(game)
    if content is None or not strategy_path(game).is_file():
        return None
    way = load_house_way(strategy_path(game))
    if content["fingerprint"] != fingerprint_of(strategy_inputs(frames()[game], way)):
        return None
    return Strategy(
        game,
        way,
        content["outcomes"],
        {topic: tuple(rule_from_json(rule) for rule in rules) for topic, rules in content["rules"].items()},
        tuple(DoublingLine(*line) for line in content["doubling"]),
    )


def strategy_path(game: str) -> Path:
    """The way file of a game's strategy."""
    return FOLDER / f"{game}.toml"


def strategy_job(frame: Frame, way: HouseWay) -> MainGames:
    """The job that counts the strategy as one more player's way."""
    dealer = house_way(frame.dealer)
    rate = frame.played.commission_rate if frame.played.commission is not None else COMMISSION
    return MainGames(dealer, (way,), commission=rate, parts=parts_of(dealer))


def strategy_inputs(frame: Frame, way: HouseWay) -> dict[str, Any]:
    """All that decides what a strategy comes to."""
    return inputs_of(strategy_job(frame, way))


@kept
def shipped_results() -> dict[str, Any]:
    """The content of the shipped file, by game; empty if there is none of this format."""
    if not RESULTS.is_file():
        return {}
    content = content_of(RESULTS)
    games: dict[str, Any] = content["games"] if content.get("format") == FORMAT else {}
    return games


def rule_to_json(rule: FoundRule) -> dict[str, Any]:
    """A rule as it is written into the file."""
    ranges = None if rule.ranges is None else {fact: list(places) for fact, places in rule.ranges.items()}
    counts = {action: list(row) for action, row in rule.counts.items()}
    return {"action": rule.action, "ranges": ranges, "hands": rule.hands, "counts": counts}


def rule_from_json(rule: Mapping[str, Any]) -> FoundRule:
    """A rule as it was written into the file."""
    ranges = rule["ranges"]
    return FoundRule(
        rule["action"],
        None if ranges is None else {fact: (first, last) for fact, (first, last) in ranges.items()},
        rule["hands"],
        {action: tuple(row) for action, row in rule["counts"].items()},
    )


def saved_by(frame: Frame, rule: FoundRule) -> int:
    """What a rule gains over the house way, in the units of the frame's worth."""
    return worth(frame, rule.counts[rule.action]) - worth(frame, rule.counts[HOUSE_WAY])


def seven_card_outcomes(frame: Frame, rules: Mapping[str, Sequence[FoundRule]]) -> dict[str, int]:
    """The outcomes of a seven-card strategy: those of the house way, and what its rules change about them."""
    house = solved(frame.game, frame.dealer, frame.dealer)
    assert house is not None, "the house way against itself is solved first"
    at = next(place for place, weight in enumerate(frame.worth) if weight)
    won, lost = house.outcomes["win"], house.outcomes["lose"]
    for rule in (rule for found in rules.values() for rule in found):
        won += rule.counts[rule.action][at] - rule.counts[HOUSE_WAY][at]
        lost += rule.counts[rule.action][at + 1] - rule.counts[HOUSE_WAY][at + 1]
    return {"win": won, "push": house.deals - won - lost, "lose": lost}


def main_outcomes(outcomes: Mapping[str, int]) -> dict[str, int]:
    """The outcomes of the main wager alone."""
    total = dict.fromkeys(MAIN, 0)
    for outcome, count in outcomes.items():
        total[outcome.partition("+")[0]] += count
    return total


def edge_of(frame: Frame, wagers: str, outcomes: Mapping[str, int]) -> Fraction:
    """The house edge of wagers, as a part of the main wager."""
    if "+" in wagers:
        return -Fraction(worth(frame, [outcomes[outcome] for outcome in DOUBLED]), sum(outcomes.values()))
    total = main_outcomes(outcomes)
    kept_of_win = 1 - frame.played.commission_rate
    return -Fraction(total["win"] * kept_of_win - total["lose"]) / sum(total.values())


def _edges(frame: Frame, wagers: str, outcomes: Mapping[str, int]) -> Edges:
    found = [solved(frame.game, frame.dealer, player, wagers=wagers) for player in (OPTIMAL, frame.dealer)]
    best, house = (edge_of(frame, wagers, each.outcomes) for each in found if each is not None)
    return Edges(wagers, best, edge_of(frame, wagers, outcomes), house)


def open_edges() -> tuple[Fraction, Fraction]:
    """The edge of the game with the open dealer's hand: for the best play, which its rules are, and the house way."""
    played, edges = open_game(), []
    for player in (OPTIMAL, played.ways[0]):
        found = solved(played.id, played.ways[0], player)
        if found is None:
            raise MissingPartError(f"{played.id} is not among the shipped results for the installed rules")
        edges.append(Fraction(found.outcomes["lose"] - found.outcomes["win"], found.deals))
    return edges[0], edges[1]
