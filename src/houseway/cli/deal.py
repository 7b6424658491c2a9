"""`houseway deal`: one round from a seed, as an input for `houseway settle`; with wagers it is a complete one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from houseway.api import deal_and_replay
from houseway.api.arguments import Arguments
from houseway.api.deal_wagers import Bets
from houseway.cli.output import JsonFlag, print_json, print_text
from houseway.errors import InputError, present

if TYPE_CHECKING:
    from houseway.definitions import Game


def deal(
    game: Annotated[str, Parameter(help="The game's id; `houseway games` lists them.")],
    /,
    *,
    seats: Annotated[
        str | None, Parameter(metavar="LIST", help="The occupied seats, such as 1,2,5; by default all.")
    ] = None,
    seed: Annotated[
        str | None,
        Parameter(metavar="HEX", help="64 hexadecimal digits, to deal a round again; by default drawn at random."),
    ] = None,
    player_entropy: Annotated[
        tuple[str, ...],
        Parameter(
            metavar="TEXT",
            negative="",
            show_default=False,
            help="A player's contribution to the shuffle; may be repeated.",
        ),
    ] = (),
    mode: Annotated[
        str | None,
        Parameter(metavar="NAME", help="What the sheet calls the shuffler's setting, or shoe-... for a deal by hand."),
    ] = None,
    start: Annotated[
        str | None,
        Parameter(metavar="N", help="The start position of a deal from a shoe, as the house's procedure gives it."),
    ] = None,
    numbering: Annotated[
        str | None,
        Parameter(
            metavar="LIST",
            help="How the room numbers its positions: the seat of position 1, 2, ... and 0 for the dealer.",
        ),
    ] = None,
    wager: Annotated[
        list[str] | None,
        Parameter(
            metavar="WAGER=CENTS[:TABLE]",
            negative="",
            help="What every seat bets, with the pay table of a bonus or jackpot wager; once for each wager.",
        ),
    ] = None,
    paytable_file: Annotated[
        str | None,
        Parameter(metavar="FILE", help="A pay table of your own (TOML), for the wager it fits; settle needs it too."),
    ] = None,
    meter: Annotated[
        list[str] | None,
        Parameter(metavar="LEVEL=CENTS", negative="", help="What a jackpot's meter shows; once for each level."),
    ] = None,
    seed_amount: Annotated[
        list[str] | None,
        Parameter(
            metavar="LEVEL=CENTS",
            negative="",
            help="What a level restarts with after a 100% award; once for each level.",
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> int:
    """Shuffle and deal one round, ready for settle, with the seed that deals it again.

    With wagers the round is complete: `houseway deal fortune --wager main=2500 | houseway settle -` settles it. In a
    pipe or a file such a round is JSON, as with --json. A round that is paid by a table of your own names it by its id;
    give the file to both commands.
    """
    arguments = Arguments()
    played = arguments.game(game)
    occupied = arguments.seats(seats)
    started = None if start is None else arguments.whole_number(start, "start", 1, 7)
    numbered = None if numbering is None else arguments.read(lambda: _numbering(numbering))
    drawn = deal_and_replay.fresh_seed() if seed is None else arguments.read(lambda: deal_and_replay.seed_bytes(seed))
    entropy = arguments.read(lambda: deal_and_replay.entropy_bytes(player_entropy))
    own = arguments.read(lambda: deal_and_replay.own_table_of(paytable_file, bool(wager)))
    bets = None
    dealt = None
    if played is not None:
        bets = Bets(arguments, played, wager or (), meter or (), seed_amount or (), own)
        dealt = deal_and_replay.deal_round(arguments, played, drawn, occupied, entropy, mode, started, numbered)
    arguments.refuse_if_any()
    played, bets, (found, machine_mode) = present(played, "game"), present(bets, "bets"), present(dealt, "deal")
    shown = deal_and_replay.deal_json(played, found, machine_mode)
    if player_entropy:
        shown["player_entropy"] = list(player_entropy)
    if wager:
        bets.add_to(shown)
        deal_and_replay.check_round(shown, own)
    if as_json or (wager and not sys.stdout.isatty()):
        print_json(shown)
    else:
        _print_deal(played, shown)
    return 0


def _numbering(text: str) -> tuple[int, ...]:
    """The places of the positions in a list such as 0,6,5,4,3,2,1; whether they are all there is asked at the deal."""
    words = text.replace(",", " ").split()
    if not all(word.isascii() and word.isdigit() and len(word) == 1 for word in words):
        message = f"{text[:40]!r} is not a list of places, as in 0,6,5,4,3,2,1: 0 for the dealer and the seats"
        raise InputError.of("bad-numbering", "numbering", message)
    return tuple(int(word) for word in words)


def _print_deal(game: Game, shown: dict[str, Any]) -> None:
    print_text(game.title, f"commitment  {shown['commitment']}", f"seed        {shown['seed']}")
    if shown.get("player_entropy"):
        print_text(f"players     {', '.join(shown['player_entropy'])}")
    if shown["machine_mode"] is not None:
        print_text(f"shuffler    set to {shown['machine_mode']}")
    if shown["start_position"] is not None:
        place = shown["numbering"][shown["start_position"] - 1]
        where = f"seat {place}" if place else "the dealer"
        print_text(f"starts at   position {shown['start_position']} ({where})")
    for name in ("dealer", "community"):
        if name in shown:
            print_text(f"{name:<12}{' '.join(shown[name])}")
    if shown["up"] is not None:
        print_text(f"face up     {' '.join(shown['up'])}")
    for seat in shown["seats"]:
        print_text(f"seat {seat['seat']}      {' '.join(seat['cards'])}")
    for seat in shown["unoccupied"]:
        print_text(f"seat {seat['seat']}      {' '.join(seat['cards'])} (nobody plays it)")
    print_text(f"left over   {' '.join(shown['leftover'])}")
