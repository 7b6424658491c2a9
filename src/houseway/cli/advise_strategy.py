"""`houseway advise GAME --strategy`: the written strategy of a game and what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from houseway.api.advice_json import number_json
from houseway.api.arguments import Arguments
from houseway.cli.output import print_json, print_text
from houseway.errors import MissingPartError


def tell_strategy(game: str, others: tuple[object, ...], *, as_json: bool) -> int:
    """Print the strategy of a game; nothing else can be asked for with it."""
    arguments = Arguments()
    known = arguments.game(game)
    if any(others):
        message = "--strategy shows the rules for all hands: leave the cards and the other options out"
        arguments.add("conflicting-options", "strategy", message)
    arguments.refuse_if_any()
    assert known is not None
    told = {"game": known.id} | _strategy_json(known.id)
    print_json(told) if as_json else _print(told)
    return 0


def _strategy_json(game: str) -> dict[str, Any]:
    """Rules and edges of any game."""
    if game == "six-card-poker":
        return _poker_json()
    from houseway.odds.strategies.catalog import OPEN_GAME, OPEN_RULES, open_edges, strategy, strategy_path
    from houseway.odds.strategies.text import doubling_sentence

    if game == OPEN_GAME:
        best, house = open_edges()
        return _told(list(OPEN_RULES), [], None, [("main", best, best, house)])
    found = strategy(game)
    if found is None:
        raise MissingPartError(
            f"the strategy of {game} was made for other rules than the installed ones: install a release, or run "
            "scripts/write-strategies --solve in the sources"
        )
    rules = [found.way.why[rule.id] for rule in found.way.rules]
    doubling = [doubling_sentence(line) for line in found.doubling]
    edges = [(each.wagers, each.best, each.strategy, each.house_way) for each in found.edges]
    return _told(rules, doubling, str(strategy_path(game)), edges)


def _poker_json() -> dict[str, Any]:
    from houseway.odds.six_card_poker.strategy import strategy

    found = strategy()
    edges = [("ante+play", found.game.edge - found.cost, found.game.edge, None)]
    return _told([rule.text for rule in found.rules], [], None, edges)


def _told(
    rules: list[str],
    doubling: list[str],
    file: str | None,
    edges: Sequence[tuple[str, Fraction, Fraction, Fraction | None]],
) -> dict[str, Any]:
    return {
        "rules": rules,
        "double_down": doubling,
        "file": file,
        "edges": [
            {
                "wagers": wagers,
                **number_json("best", best),
                **number_json("strategy", edge),
                **number_json("cost", edge - best),
                **({} if house is None else number_json("house_way", house)),
            }
            for wagers, best, edge, house in edges
        ],
    }


def _print(told: dict[str, Any]) -> None:
    for number, rule in enumerate(told["rules"], 1):
        print_text(f"{number:2}. {rule}")
    for line in told["double_down"]:
        print_text(f"    {line}")
    print_text("")
    for row in told["edges"]:
        house = f", house way {row['house_way']:.4%}" if "house_way" in row else ""
        print_text(
            f"{row['wagers']}: house edge {row['strategy']:.4%} with this strategy, {row['cost']:.4%} more than with "
            f"the best play ({row['best']:.4%}){house}"
        )
    if told["file"]:
        print_text(f"as a way file: {told['file']}")
