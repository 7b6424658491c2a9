"""`houseway advise`: what every setting or decision is worth, the best first, and what the house way costs."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from houseway.api.advice import weigh
from houseway.cli.advise_output import print_advice
from houseway.cli.hand_commands import Cards
from houseway.cli.kernel_notice import TERMINAL
from houseway.cli.options import CommissionOption, WayFileOption, WheelOption
from houseway.cli.output import JsonFlag, print_json
from houseway.definitions import game as definition


def advise(
    game: Annotated[str, Parameter(help="The game's id; `houseway games` lists them.")],
    /,
    *cards: Cards,
    up: Annotated[
        str | None,
        Parameter(metavar="CARDS", help="The dealer's cards that lie open, in a game that shows some."),
    ] = None,
    seen: Annotated[
        str | None, Parameter(metavar="CARDS", help="Other players' face-up cards, as many as you know.")
    ] = None,
    way: Annotated[
        str | None, Parameter(metavar="WAY", help="The dealer's house way instead of the game's default.")
    ] = None,
    way_file: WayFileOption = None,
    wheel: WheelOption = None,
    commission: CommissionOption = None,
    strategy: Annotated[
        bool,
        Parameter(
            negative="", show_default=False, help="Show the game's written strategy and its cost; takes no cards."
        ),
    ] = False,
    as_json: JsonFlag = False,
) -> int:
    """Weigh every setting of a hand, or playing against folding, by an exact count of all hands the dealer can have.

    Values are in units of the first wager: 0.25 means that a wager of $100 gains $25 on average.
    """
    options = (way, way_file, wheel, commission)
    if strategy:
        from houseway.cli.advise_strategy import tell_strategy

        return tell_strategy(game, (*cards, up, seen, *options), as_json=as_json)
    told = weigh(game, " ".join(cards), up, seen, *options, TERMINAL).to_json()
    print_json(told) if as_json else print_advice(told, definition(told["game"]))
    return 0
