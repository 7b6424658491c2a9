"""`houseway demo`: one commented round of every game, with every wager that the game offers.

It uses nothing but the data of the games, so a new game appears here by itself: the wagers are the game's, the pay
tables the first approved ones, the meters made up.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter

from houseway.api.arguments import Arguments
from houseway.api.catalogue import tables_of
from houseway.api.deal_and_replay import deal_json, fresh_seed
from houseway.cards.modes import shuffler_mode
from houseway.cards.shuffler import deal as deal_round
from houseway.cards.stream import parse_seed
from houseway.cli.output import JsonFlag, console, print_json
from houseway.wording import dollars

if TYPE_CHECKING:
    from rich.console import Console

    from houseway.games import Game, Settlement, Wager

EVERY_WAGER_SEAT: Final = 2
SECOND_SEAT: Final = 5
_STAKES: Final = {"main": 2500, "raise": 2500, "bonus": 500, "jackpot": 100}
_METER: Final = 1_234_567
_SEED_SHARE: Final = 10
"""The made-up restart amount of a meter is its tenth."""


def demo(
    *,
    seed: Annotated[
        str | None,
        Parameter(
            metavar="HEX", help="64 hexadecimal digits, to see the same rounds again; by default drawn at random."
        ),
    ] = None,
    game: Annotated[str | None, Parameter(metavar="GAME", help="The id of one game instead of all.")] = None,
    as_json: JsonFlag = False,
) -> int:
    """Deal and settle one commented round of every game, with every wager it offers."""
    from houseway.games import games

    arguments = Arguments()
    given = fresh_seed() if seed is None else arguments.read(lambda: parse_seed(seed))
    one = None if game is None else arguments.game(game)
    arguments.refuse_if_any()
    assert given is not None
    chosen = games() if one is None else (one,)
    if as_json:
        rounds = [demo_round(each, given) for each in chosen]
        print_json({"seed": given.hex(), "rounds": [_json_of(round_) for round_ in rounds]})
        return 0
    out = console()
    for each in chosen:
        _show(out, each, demo_round(each, given))
    again = f"houseway demo --seed {given.hex()}" + ("" if one is None else f" --game {one.id}")
    out.print(f"The same again: {again}", soft_wrap=True)
    return 0


def demo_round(game: Game, seed: bytes) -> dict[str, Any]:
    """A dealt round of a game with all wagers that its sheet offers: an input for settle."""
    own_seed = hashlib.sha256(seed + game.id.encode()).digest()
    seats = (EVERY_WAGER_SEAT, SECOND_SEAT)
    round_ = deal_json(game, deal_round(shuffler_mode(game.shuffler_mode), own_seed, seats=seats))
    round_["paytables"] = _tables(game)
    meters = _meters(round_["paytables"])
    if meters:
        round_["meters"] = meters
        round_["seeds"] = {
            table: {level: cents // _SEED_SHARE for level, cents in levels.items()} for table, levels in meters.items()
        }
    for seat in round_["seats"]:
        seat["wagers"] = {
            wager.name: _STAKES[wager.kind]
            for wager in game.offered_wagers
            if seat["seat"] == EVERY_WAGER_SEAT or wager.kind != "jackpot"
        }
        if game.offers_fold and seat["seat"] != EVERY_WAGER_SEAT and not _worth_playing(game, seat["cards"]):
            seat["fold"] = True
            seat["wagers"] = {
                wager.name: _STAKES[wager.kind] for wager in game.offered_wagers if wager.kind in ("main", "bonus")
            }
    return round_


def _tables(game: Game) -> dict[str, str]:
    """A pay table for every wager that needs one; the second sensor gets another one than the first."""
    chosen: dict[str, str] = {}
    for wager in game.offered_wagers:
        tables = tables_of(game, wager)
        if tables:
            chosen[wager.name] = _first_unused(wager, tables, chosen)
    return chosen


def _first_unused(wager: Wager, tables: list[str], chosen: dict[str, str]) -> str:
    if wager.default_table is not None:
        return wager.default_table
    return next((table for table in tables if table not in chosen.values()), tables[0])


def _meters(tables: dict[str, str]) -> dict[str, dict[str, int]]:
    """Made-up meters for every level of the tables that have meters."""
    from houseway.paytables import paytable

    levels = {table: paytable(table).levels for table in tables.values()}
    return {
        table: {level: _METER // (place + 1) for place, level in enumerate(names)}
        for table, names in levels.items()
        if names
    }


def _worth_playing(game: Game, cards: list[str]) -> bool:
    """Whether a hand is at least what the dealer needs to qualify: enough for an example, no advice."""
    from houseway.cards.card import parse_cards
    from houseway.ranking.reference import STANDARD, value_of_best

    qualifier = game.contest.qualifier
    return qualifier is None or value_of_best(parse_cards(" ".join(cards)), STANDARD) in qualifier.hands


def _settled(round_: dict[str, Any]) -> Settlement:
    from houseway.games import read_round, settle

    return settle(read_round(round_))


def _json_of(round_: dict[str, Any]) -> dict[str, Any]:
    return {"round": round_, "settlement": _settled(round_).to_json()}


def _show(out: Console, game: Game, round_: dict[str, Any]) -> None:
    """One round, told in the order of the table: commitment, bets, deal, settlement, seed."""
    from rich.rule import Rule
    from rich.table import Table

    from houseway.cli.render import settlement_parts

    out.print(Rule(game.title, style="green", align="left"))
    out.print(f"The shuffler's seed is sealed before the bets by its hash {round_['commitment']}", soft_wrap=True)
    told = Table.grid(padding=(0, 2, 0, 0))
    told.add_column(style="dim", no_wrap=True)
    for heading, text in _before(game, round_):
        told.add_row(heading, text)
    out.print(told)
    out.print()
    for part in settlement_parts(_settled(round_)):
        out.print(part)
    seats = ",".join(str(seat["seat"]) for seat in round_["seats"])
    out.print()
    out.print("After the round the seed is shown, and anyone can deal it again:", style="dim")
    out.print(f"  houseway deal {game.id} --seats {seats} --seed {round_['seed']}", soft_wrap=True)
    out.print()


def _before(game: Game, round_: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What is settled before the hands are: bets, pay tables, the deal."""
    for seat in round_["seats"]:
        wagers = ", ".join(f"{name} {dollars(cents)}" for name, cents in seat["wagers"].items())
        yield f"Seat {seat['seat']} bets", f"{wagers}{'; folds' if seat['fold'] else ''}"
    yield "Pay tables", ", ".join(f"{wager} {table}" for wager, table in round_["paytables"].items())
    yield "Deal", _deal(game, round_)


def _deal(game: Game, round_: dict[str, Any]) -> str:
    from houseway.cards.card import parse_cards
    from houseway.cli.render import cards_text

    start = round_["start_position"]
    told = f"packets of {game.cards} from {game.deck} cards"
    told += ", clockwise from seat 1, the dealer last" if start is None else f", the first one to position {start}"
    if round_["up"]:
        told += f"; dealer's cards face up: {cards_text(parse_cards(' '.join(round_['up']))).plain}"
    return told
