"""`houseway deal`: one round from a seed, as an input for `houseway settle` that only lacks the wagers."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from houseway.cards.card import card_texts
from houseway.cards.modes import shuffler_mode
from houseway.cards.shuffler import Deal
from houseway.cards.shuffler import deal as deal_round
from houseway.cards.stream import SEED_BYTES_LEAST, check_fresh_seed, parse_seed
from houseway.cli.arguments import Arguments
from houseway.cli.output import JsonFlag, print_json, print_text
from houseway.errors import Fault, InputError

if TYPE_CHECKING:
    from houseway.games.model import Game


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
    as_json: JsonFlag = False,
) -> int:
    """Shuffle and deal one round: a settle input without wagers, with the seed to deal it again."""
    arguments = Arguments()
    played = arguments.game(game)
    occupied = arguments.seats(seats)
    drawn = fresh_seed() if seed is None else arguments.read(lambda: parse_seed(seed))
    entropy = arguments.read(lambda: _entropy(player_entropy))
    if played is not None:
        # With a stand-in for a faulty seed, so that faults of the seats are told in the same run.
        dealt = arguments.read(
            lambda: deal_round(
                shuffler_mode(played.shuffler_mode),
                drawn or bytes(SEED_BYTES_LEAST),
                seats=occupied,
                player_entropy=entropy or (),
            )
        )
    arguments.refuse_if_any()
    assert played is not None
    assert dealt is not None
    shown = deal_json(played, dealt)
    if player_entropy:
        shown["player_entropy"] = list(player_entropy)
    if as_json:
        print_json(shown)
    else:
        _print_deal(played, shown)
    return 0


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


def deal_json(game: Game, dealt: Deal) -> dict[str, Any]:
    """A deal as an input for settle, with what is needed to deal it again and what nobody played."""
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
    if shown["start_position"] is not None:
        print_text(f"starts at   position {shown['start_position']}")
    print_text(f"dealer      {' '.join(shown['dealer'])}")
    if shown["up"] is not None:
        print_text(f"face up     {' '.join(shown['up'])}")
    for seat in shown["seats"]:
        print_text(f"seat {seat['seat']}      {' '.join(seat['cards'])}")
    for seat in shown["unoccupied"]:
        print_text(f"seat {seat['seat']}      {' '.join(seat['cards'])} (nobody plays it)")
    print_text(f"left over   {' '.join(shown['leftover'])}")
