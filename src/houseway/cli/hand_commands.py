"""`houseway rank` and `houseway set`: what a hand is worth, and how the house way splits it."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from houseway.api import hands
from houseway.cards.card import card_texts
from houseway.cli.options import WayFileOption, WheelOption
from houseway.cli.output import JsonFlag, print_json, print_text
from houseway.ranking.hand_names import hand_title

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
    """Show what a hand is worth: five to seven cards by their best five, one or two cards as a low hand.

    The higher value wins; values compare within one ranking and one kind of hand.
    """
    ranked = hands.rank(" ".join(cards), ranking=ranking, wheel=wheel)
    if as_json:
        print_json(ranked.to_json())
        return 0
    shown = " ".join(card_texts(ranked.cards))
    print_text(f"{shown}: {ranked.text} (value {ranked.value}, {ranked.ranking} order)")
    if len(ranked.names) > 1:
        print_text("fits the pay table lines: " + ", ".join(hand_title(name) for name in ranked.names))
    return 0


def set_hand(
    game: Annotated[str, Parameter(help="The game's id; `houseway games` lists them.")],
    /,
    *cards: Cards,
    way: Annotated[str | None, Parameter(metavar="WAY", help="A house way of the game instead of its default.")] = None,
    way_file: WayFileOption = None,
    wheel: WheelOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Set a hand the house way, and say which rule decided and why."""
    found = hands.set_hand(game, " ".join(cards), way=way, way_file=way_file, wheel=wheel)
    if as_json:
        print_json(found.to_json())
    else:
        print_text(
            f"high  {' '.join(card_texts(found.high)):<20} {found.high_text}",
            f"low   {' '.join(card_texts(found.low)):<20} {found.low_text}",
            f"rule  {found.way}/{found.rule}: {found.why}",
        )
    return 0
