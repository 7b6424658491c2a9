"""`houseway rank` and `houseway set`: what a hand is worth, and how the house way splits it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter

from houseway.cards.card import Card, card_texts, descending
from houseway.cli.arguments import WHEELS, Arguments
from houseway.cli.options import WayFileOption, WheelOption
from houseway.cli.output import JsonFlag, print_json, print_text
from houseway.ranking.hands import (
    HAND_NAMES,
    PAIR_OF_ACES,
    describe_low,
    describe_value,
    hand_title,
    name_of_low,
    name_of_value,
)
from houseway.ranking.reference import (
    PAI_GOW,
    PAI_GOW_LOW_WHEEL,
    STANDARD,
    Ranking,
    best_five,
    check_rankable,
    names_fitted,
    value_of_one,
    value_of_two,
)

if TYPE_CHECKING:
    from houseway.definitions import Game
    from houseway.houseways import HouseWay

_RANKINGS: Final = ("pai-gow", "standard")
Cards = Annotated[str, Parameter(help='The cards, for example "As Kd Th 9c Jk".')]


def rank(
    *cards: Cards,
    ranking: Annotated[
        str, Parameter(metavar="ORDER", help="pai-gow, or standard: the order of Six Card Poker.")
    ] = "pai-gow",
    wheel: Annotated[
        str | None, Parameter(metavar="PLACE", help="Place of A-2-3-4-5 in pai-gow: second (the default) or lowest.")
    ] = None,
    as_json: JsonFlag = False,
) -> int:
    """Tell what a hand is worth: five to seven cards by their best five, one or two cards as a low hand.

    The higher value wins; values compare within one ranking and one kind of hand.
    """
    arguments = Arguments()
    held = arguments.cards(cards)
    order = _ranking(arguments, ranking, wheel)
    if held is not None and order is not None:
        arguments.read(lambda: check_rankable(held, order))
    arguments.refuse_if_any()
    assert held is not None
    assert order is not None
    ranked = _ranked_low(held) if len(held) <= 2 else _ranked_high(held, order)
    ranked |= {"given": card_texts(held), "ranking": order.id}
    if as_json:
        print_json(ranked)
    else:
        print_text(f"{' '.join(ranked['cards'])}: {ranked['text']} (value {ranked['value']}, {order.id} order)")
        if len(ranked["names"]) > 1:
            print_text("fits the pay table lines: " + ", ".join(hand_title(name) for name in ranked["names"]))
    return 0


def _ranking(arguments: Arguments, name: str, wheel: str | None) -> Ranking | None:
    """The declared order that the two options name."""
    chosen = arguments.choice(name, _RANKINGS, "ranking")
    place = arguments.choice(wheel, WHEELS, "wheel")
    if chosen == "standard":
        if place == "second":
            arguments.add("setting-not-allowed", "wheel", "the standard order has A-2-3-4-5 as the lowest straight")
        return STANDARD
    return None if chosen is None else _pai_gow(place)


def _pai_gow(wheel: str | None) -> Ranking:
    return PAI_GOW_LOW_WHEEL if wheel == "lowest" else PAI_GOW


def _ranked_high(cards: tuple[Card, ...], order: Ranking) -> dict[str, Any]:
    value, five = best_five(cards, order)
    fitted = names_fitted(cards, order)
    if order.joker:
        # Only tables of Six Card Poker have a line for it.
        fitted -= {PAIR_OF_ACES}
    return {
        "category": name_of_value(value),
        "value": value,
        "cards": card_texts(five),
        "text": describe_value(value),
        "names": [name for name in HAND_NAMES if name in fitted],
    }


def _ranked_low(cards: tuple[Card, ...]) -> dict[str, Any]:
    value = value_of_two(cards) if len(cards) == 2 else value_of_one(cards[0])
    name = name_of_low(value)
    return {
        "category": name,
        "value": value,
        "cards": card_texts(cards),
        "text": describe_low(value),
        "names": [name],
    }


def set_hand(
    game: Annotated[str, Parameter(help="The game's id; `houseway games` lists them.")],
    /,
    *cards: Cards,
    way: Annotated[str | None, Parameter(metavar="WAY", help="A house way of the game instead of its default.")] = None,
    way_file: WayFileOption = None,
    wheel: WheelOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Set a hand the house way, and say which rule did it and why."""
    arguments = Arguments()
    played = arguments.game(game)
    held = arguments.cards(cards)
    wheel = arguments.choice(wheel, WHEELS, "wheel")
    chosen = None
    if played is not None:
        chosen = house_way_of(arguments, played, way, way_file)
        _check_hand(arguments, played, held)
        check_wheel(arguments, played, wheel)
    arguments.refuse_if_any()
    assert played is not None
    assert held is not None
    assert chosen is not None
    setting = chosen.set(descending(held), _pai_gow(wheel))
    shown = {
        "high": card_texts(setting.high),
        "low": card_texts(setting.low),
        "high_hand": name_of_value(setting.high_value),
        "low_hand": name_of_low(setting.low_value),
        "rule": setting.rule,
        "why": setting.why,
        "high_text": describe_value(setting.high_value),
        "low_text": describe_low(setting.low_value),
        "game": played.id,
        "way": chosen.id,
    }
    if as_json:
        print_json(shown)
    else:
        print_text(
            f"high  {' '.join(shown['high']):<20} {shown['high_text']}",
            f"low   {' '.join(shown['low']):<20} {shown['low_text']}",
            f"rule  {chosen.id}/{setting.rule}: {setting.why}",
        )
    return 0


def house_way_of(arguments: Arguments, game: Game, name: str | None, file: str | None) -> HouseWay | None:
    """The house way that the options name, or the game's default."""
    from houseway.houseways import house_way, load_house_way

    if not game.ways:
        arguments.add("no-house-way", "game", f"{game.title} has no house way: its hands are not split")
        return None
    if name is not None and file is not None:
        arguments.add("conflicting-options", "way", "give --way or --way-file, not both")
        return None
    if file is not None:
        return arguments.read(lambda: load_house_way(file))
    chosen = arguments.choice(name, game.ways, "way", code="unknown-way")
    if chosen is None and name is not None:
        return None
    return house_way(chosen or game.ways[0])


def _check_hand(arguments: Arguments, game: Game, cards: tuple[Card, ...] | None) -> None:
    if cards is None or not game.ways:
        return
    if len(cards) != game.cards:
        arguments.add("card-count", "cards", f"{len(cards)} cards: a hand of {game.title} has {game.cards}")


def check_wheel(arguments: Arguments, game: Game, wheel: str | None) -> None:
    """Hold the place of A-2-3-4-5 where the game's sheet fixes it."""
    if wheel in WHEELS and game.fixed_wheel not in (None, wheel):
        arguments.add("setting-not-allowed", "wheel", f"the sheet of {game.title} fixes it: {game.fixed_wheel}")
