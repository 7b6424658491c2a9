"""`houseway tour`: what Houseway does, in a minute: a commented round, the edges, a floor that plays, what to try."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter
from cyclopts.validators import Number

from houseway.cli.output import console

if TYPE_CHECKING:
    from rich.console import Console

    from houseway.definitions import Game

_SHOWN_GAME: Final = "fortune"
_TRY: Final = (
    "{} deal fortune --seats 1,3 --wager main=2500 --wager fortune=500:FPGP-3 | {} settle -",
    '{} set fortune "Ks Kd Kh Ac Qc 8d 3s"',
    "{} odds six-card-fortune main+double_down --player optimal",
)
"""Commands that need nothing but what the tour needs."""


def tour(
    *,
    rounds: Annotated[int, Parameter(validator=Number(gte=3, lte=100_000), help="Rounds that the floor plays.")] = 20,
    seed: Annotated[int | None, Parameter(help="The seed of the players' choices; cards are always fresh.")] = None,
    pause: Annotated[
        float, Parameter(validator=Number(gte=0, lte=10), help="Seconds to wait between rounds, for watching.")
    ] = 0.1,
    folder: Annotated[
        Path | None,
        Parameter(help="A new folder in which to keep the floor's database and keys; without it they are removed."),
    ] = None,
) -> int:
    """Show a commented round, the edges of the games, a floor that plays by itself, and three commands to try."""
    from houseway.cli.demo import demo
    from houseway.cli.demo_floor import demo_floor

    out = console()
    _head(out, "One round, from the sealed seed to the last cent")
    demo(game=_SHOWN_GAME)
    _head(out, "What the house keeps, by exact count over every deal")
    _show_edges(out)
    _head(out, "A floor with four tables and two progressives")
    code = demo_floor(rounds=rounds, seed=seed, pause=pause, folder=folder)
    _head(out, "Try")
    for command in _TRY:
        out.print("  " + command.replace("{}", _own_name()), highlight=False, soft_wrap=True)
    return code


def _head(out: Console, text: str) -> None:
    from rich.rule import Rule

    out.print()
    out.print(Rule(text, style="green", align="left"))


def _own_name() -> str:
    """How this command is called from where the user is."""
    if shutil.which("houseway"):
        return "houseway"
    own = Path(sys.argv[0]).resolve()
    return str(own.relative_to(Path.cwd())) if own.is_relative_to(Path.cwd()) else str(own)


def _show_edges(out: Console) -> None:
    """The edge of every wager that needs no meter, by the house way; the first one also by best play."""
    from rich.table import Table

    shown = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("game", "wager", "pay table", "by the house way", "best play"):
        shown.add_column(name, justify="right" if name in ("by the house way", "best play") else "left", no_wrap=True)
    for row in edges():
        shown.add_row(*row)
    out.print(shown)


def edges() -> Iterator[tuple[str, ...]]:
    """Game, wager, pay table, the exact edge of a player by the house way, and of one who plays best."""
    from houseway.api.catalogue import tables_of
    from houseway.games import games

    for game in games():
        first = game.first_wager.name
        house = _edge(game, first, None, game.ways[0]) if game.ways else ""
        yield game.id, first, "", house, _edge(game, first, None, "optimal")
        for wager in game.wagers:
            if wager.kind == "bonus":
                table = wager.default_table or tables_of(game, wager)[0]
                yield "", wager.name, table, _edge(game, wager.name, table, (*game.ways, "")[0]), ""


def _edge(game: Game, wager: str, table: str | None, player: str) -> str:
    """The edge of a wager from the shipped results, as a percentage."""
    from houseway.odds.distribution import percent_text
    from houseway.odds.questions import OddsQuestion, answer
    from houseway.odds.wagers import Sides
    from houseway.paytables import paytable

    raised = game.raise_wager if game.offers_fold and wager == game.first_wager.name else None
    wagers = (wager,) if raised is None else (wager, raised.name)
    question = OddsQuestion(
        game,
        wagers,
        {} if table is None else {wager: paytable(table)},
        Sides((*game.ways, "")[0], player, game.fixed_wheel or "second"),
        commission=game.commission_rate,
    )
    edge = answer(question).edge
    return "" if edge is None else percent_text(edge)
