"""`houseway odds`: edge, return, hit frequency and the whole distribution of any wager, with any pay table."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from houseway.api.odds import told_odds
from houseway.api.odds_arguments import OddsOptions
from houseway.cli.executor_options import DaskOption, RayOption, WorkersOption
from houseway.cli.kernel_notice import TERMINAL
from houseway.cli.options import CommissionOption, WheelOption
from houseway.cli.output import JsonFlag, print_json

_Texts = list[str] | None


def odds(
    game: Annotated[str, Parameter(help="The game's id; `houseway games` lists them.")],
    wager: Annotated[
        str | None,
        Parameter(help="A wager, or several with + between them; by default the game's first wager."),
    ] = None,
    /,
    *,
    paytable: Annotated[
        _Texts,
        Parameter(metavar="ID", negative="", help="The pay table of a bonus or jackpot wager; once for each."),
    ] = None,
    paytable_file: Annotated[
        str | None, Parameter(metavar="FILE", help="A pay table of your own, a TOML file, instead.")
    ] = None,
    reading: Annotated[
        _Texts,
        Parameter(
            metavar="NAME=VALUE",
            negative="",
            help="How to read an open point of a pay table, such as jackpot_joker=literal.",
        ),
    ] = None,
    allow_holes: Annotated[
        bool,
        Parameter(
            negative="", show_default=False, help="Accept your own table although it skips a hand between paid ones."
        ),
    ] = False,
    way: Annotated[
        str | None, Parameter(metavar="WAY", help="The dealer's house way: a name, or a way's file.")
    ] = None,
    player: Annotated[
        str | None,
        Parameter(metavar="HOW", help="house-way (the dealer's), optimal, another way's name, or a way's file."),
    ] = None,
    role: Annotated[
        str, Parameter(name="--as", metavar="ROLE", help="player, or banker where players may bank.")
    ] = "player",
    others: Annotated[
        str | None, Parameter(metavar="N", help="Other players in the round, for envy; by default 0.")
    ] = None,
    bet: Annotated[str | None, Parameter(metavar="CENTS", help="The size of each wager.")] = None,
    meter: Annotated[
        _Texts, Parameter(metavar="LEVEL=CENTS", negative="", help="What a meter shows; once for each level.")
    ] = None,
    contribution: Annotated[
        str | None, Parameter(metavar="RATE", help="The share of a wager that goes to the meter: 0.15 or 15%.")
    ] = None,
    seed_amount: Annotated[
        _Texts,
        Parameter(metavar="CENTS", negative="", help="What a meter restarts at; LEVEL=CENTS where there are several."),
    ] = None,
    advantage: Annotated[
        str | None, Parameter(metavar="RATE", help="The house advantage to plan for, instead of the printed one.")
    ] = None,
    wheel: WheelOption = None,
    commission: CommissionOption = None,
    seen_hands: Annotated[
        str | None,
        Parameter(metavar="N", help="How many other hands the player sees face up; the player then plays optimally."),
    ] = None,
    csv: Annotated[str | None, Parameter(metavar="FILE", help="Also write the distribution as CSV.")] = None,
    workers: WorkersOption = None,
    dask: DaskOption = None,
    ray: RayOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Show the exact odds of a wager, or of a sum of wagers, per unit of the first."""
    given = OddsOptions(
        paytable or (), paytable_file, allow_holes, way, player, wheel, role, commission, others, bet, meter or (),
        contribution, seed_amount or (), advantage, reading or (),
    )  # fmt: skip
    solving = {"workers": workers, "dask": dask, "ray": ray}
    if seen_hands is not None:
        from houseway.cli.odds_seen import tell_seen

        return tell_seen(game, wager, given, seen_hands, {"csv": csv, **solving}, as_json=as_json)
    told = told_odds(game, wager, given, solving, TERMINAL)
    if csv is not None:
        from houseway.cli.writing import write_whole

        write_whole(csv, told.csv_text(), "csv")
    from houseway.cli.odds_output import print_answer

    print_json(told.to_json()) if as_json else print_answer(told.answer, told.progressive)
    return 0
