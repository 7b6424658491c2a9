"""`houseway advise GAME --strategy`: the written strategy of a game and what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from houseway.api.advice_json import number_json
from houseway.api.arguments import Arguments
from houseway.cli.output import print_json, print_text
from houseway.definitions import Game
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
    told = {"game": known.id} | _strategy_json(known)
    print_json(told) if as_json else _print(told)
    return 0


def _strategy_json(game: Game) -> dict[str, Any]:
    """Rules and edges of any game."""
    if game.offers_fold:
        return _poker_json(game)
    from houseway.odds.strategies.shipped_strategies import open_edges, open_game, open_rules, strategy, strategy_path
    from houseway.odds.strategies.strategy_text import doubling_sentence

    if game.dealer_cards_up and game.id == open_game().id:
        best, house = open_edges()
        return _told(list(open_rules()), [], None, [(game.first_wager.name, best, best, house)])
    found = strategy(game.id)
    if found is None:
        raise MissingPartError(
            f"the strategy of {game.id} was made for other rules than the installed ones: install a release, or run "
            "scripts/write-strategies --solve in the sources"
        )
    rules = [found.way.why[rule.id] for rule in found.way.rules]
    doubling = [doubling_sentence(line) for line in found.doubling]
    edges = [(each.wagers, each.best, each.strategy, each.house_way) for each in found.edges]
    return _told(rules, doubling, str(strategy_path(game.id)), edges)


def _poker_json(game: Game) -> dict[str, Any]:
    from houseway.odds.pai_gow.split_games import contest_wagers
    from houseway.odds.six_card_poker.fold_rules import fold_or_play_game
    from houseway.odds.six_card_poker.strategy import strategy

    if game.id != fold_or_play_game().id:
        raise MissingPartError(f"there is no written strategy of {game.title}")

    found = strategy()
    edges = [(contest_wagers(game), found.game.edge - found.cost, found.game.edge, None)]
    return _told([rule.text for rule in found.rules], [], None, edges)


def _told(
    rules: list[str],
    doubling: list[str],
    file: str | None,
    edges: Sequence[tuple[str, Fraction, Fraction, Fraction | None]],
) -> dict[str, Any]:
    return {
        "rules": rules,
        "raise": doubling,
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
    for line in told["raise"]:
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
