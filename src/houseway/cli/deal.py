"""`houseway deal`: one round from a seed, as an input for `houseway settle`; with wagers it is a complete one."""

from __future__ import annotations

import secrets
import sys
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from houseway.cards.card import card_texts
from houseway.cards.modes import NUMBERING, named_mode, shuffler_mode
from houseway.cards.shuffler import Deal
from houseway.cards.shuffler import deal as deal_round
from houseway.cards.stream import SEED_BYTES_LEAST, check_fresh_seed, parse_seed
from houseway.cli.arguments import Arguments
from houseway.cli.deal_wagers import Bets
from houseway.cli.output import JsonFlag, print_json, print_text
from houseway.errors import Fault, InputError

if TYPE_CHECKING:
    from houseway.definitions import Game


def deal(
    game: Annotated[str, Parameter(help="The game's id; `houseway games` lists them.")],
    /,
    *,
    seats: Annotated[
        str | None, Parameter(metavar="LIST", help="The occupied seats, as in 1,2,5; all of them by default.")
    ] = None,
    seed: Annotated[
        str | None,
        Parameter(metavar="HEX", help="64 hexadecimal digits, to deal a round again; drawn at random by default."),
    ] = None,
    player_entropy: Annotated[
        tuple[str, ...],
        Parameter(
            metavar="TEXT",
            negative="",
            show_default=False,
            help="A player's contribution to the shuffle; may be given repeatedly.",
        ),
    ] = (),
    mode: Annotated[
        str | None,
        Parameter(
            metavar="NAME", help="What the shuffler is set to, as in 'Rabbit Hunter', or shoe-... for a deal by hand."
        ),
    ] = None,
    start: Annotated[
        str | None, Parameter(metavar="N", help="The start position of a deal from a shoe, by the house's procedure.")
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
    """Shuffle and deal one round: a settle input, with the seed to deal it again.

    With wagers the round is complete: `houseway deal fortune --wager main=2500 | houseway settle -` settles it. Into a
    pipe or file such a round is written as JSON, as with --json.
    """
    arguments = Arguments()
    played = arguments.game(game)
    occupied = arguments.seats(seats)
    started = None if start is None else arguments.whole_number(start, "start", 1, 7)
    numbered = None if numbering is None else arguments.read(lambda: _numbering(numbering))
    drawn = fresh_seed() if seed is None else arguments.read(lambda: parse_seed(seed))
    entropy = arguments.read(lambda: _entropy(player_entropy))
    bets = None
    if played is not None:
        bets = Bets(arguments, played, wager or (), meter or (), seed_amount or ())
        # With a stand-in for a faulty seed, so that faults of the seats are told in the same run.
        usual = shuffler_mode(played.shuffler_mode)
        chosen = arguments.read(lambda: named_mode(mode or usual.id, usual))
        if numbering is not None and chosen is not None and not chosen[0].every_position:
            message = "leave out the numbering: this deal has no positions, it starts with the lowest occupied seat"
            arguments.add("bad-numbering", "numbering", message)
        dealt = arguments.read(
            lambda: deal_round(
                chosen[0] if chosen else usual,
                drawn or bytes(SEED_BYTES_LEAST),
                seats=occupied,
                player_entropy=entropy or (),
                start_position=started,
                numbering=numbered or NUMBERING,
            )
        )
    arguments.refuse_if_any()
    assert played is not None
    assert dealt is not None
    assert chosen is not None
    shown = deal_json(played, dealt, chosen[1])
    if player_entropy:
        shown["player_entropy"] = list(player_entropy)
    if wager and bets is not None:
        bets.add_to(shown)
        _check_round(shown)
    if as_json or (wager and not sys.stdout.isatty()):
        print_json(shown)
    else:
        _print_deal(played, shown)
    return 0


def _check_round(shown: dict[str, Any]) -> None:
    """Refuse wagers that settlement would refuse."""
    from houseway.games import read_round

    read_round(shown)


def fresh_seed() -> bytes:
    """A seed from the system's generator; a stuck generator is refused and no round is dealt."""
    seed = secrets.token_bytes(SEED_BYTES_LEAST)
    check_fresh_seed(seed)
    return seed


def _entropy(texts: tuple[str, ...]) -> tuple[bytes, ...]:
    """The players' contributions as bytes: the text in UTF-8."""
    try:
        return tuple(text.encode("utf-8") for text in texts)
    except UnicodeEncodeError as error:
        raise InputError([Fault("not-utf8", "player_entropy", "a contribution is not UTF-8 text")]) from error


def _numbering(text: str) -> tuple[int, ...]:
    """The places of the positions in a list such as 0,6,5,4,3,2,1; whether they are all there is asked at the deal."""
    words = text.replace(",", " ").split()
    if not all(word.isascii() and word.isdigit() and len(word) == 1 for word in words):
        message = f"{text[:40]!r} is no list of places, as in 0,6,5,4,3,2,1: 0 for the dealer and the seats"
        raise InputError.of("bad-numbering", "numbering", message)
    return tuple(int(word) for word in words)


def deal_json(game: Game, dealt: Deal, machine_mode: str | None = None) -> dict[str, Any]:
    """A deal as an input for settle, with what is needed to deal it again and what nobody played.

    `machine_mode` is what the machine was set to, where the sheet names more than one setting.
    """
    assert dealt.seed is not None
    players = dealt.players
    return {
        "game": game.id,
        "dealer": card_texts(dealt.dealer),
        "seats": [
            {"seat": seat, "cards": card_texts(cards), "low": None, "fold": False, "wagers": {}}
            for seat, cards in players.items()
        ],
        "seed": dealt.seed.hex(),
        "commitment": dealt.commitment,
        "mode": dealt.mode.id,
        "machine_mode": machine_mode or next(iter(dealt.mode.machine_names), None),
        "numbering": list(dealt.numbering) if dealt.mode.every_position else None,
        "start_position": dealt.start_position,
        "up": card_texts(dealt.dealer[: game.dealer_cards_up]) if game.dealer_cards_up else None,
        "unoccupied": [
            {"seat": seat, "cards": card_texts(cards)} for seat, cards in dealt.seats.items() if seat not in players
        ],
        "leftover": card_texts(dealt.leftover),
    }


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
    print_text(f"dealer      {' '.join(shown['dealer'])}")
    if shown["up"] is not None:
        print_text(f"face up     {' '.join(shown['up'])}")
    for seat in shown["seats"]:
        print_text(f"seat {seat['seat']}      {' '.join(seat['cards'])}")
    for seat in shown["unoccupied"]:
        print_text(f"seat {seat['seat']}      {' '.join(seat['cards'])} (nobody plays it)")
    print_text(f"left over   {' '.join(shown['leftover'])}")
