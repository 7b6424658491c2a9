"""Solved games: exact outcome counts over all deals, as they ship with the package or as a job returns them.

Each file in `data` says which ways, which order of hands and which method it was made with, and a fingerprint over all
of it. A file whose inputs are no longer those of the installed rules is not used: a question then has to be solved
anew. `scripts/solve` writes the files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache as kept
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from houseway.definitions import game as game_of
from houseway.errors import MissingPartError
from houseway.houseways import HouseWay, house_way, house_ways
from houseway.odds.distribution import decimal_text
from houseway.odds.pai_gow.main_games import (
    COMMISSION,
    DOUBLED,
    METHOD,
    PAI_GOW_NAMES,
    RANKINGS,
    MainGames,
    add_up,
    deals_of,
)
from houseway.odds.pai_gow.split_games import contest_facts
from houseway.odds.shipped import DATA, content_of, fingerprint_of, order_of_hands
from houseway.odds.wagers import OPTIMAL

if TYPE_CHECKING:
    from houseway.odds.running.cache import Cache
    from houseway.odds.running.executors import Executor
    from houseway.odds.running.jobs import Progress

FORMAT: Final = 1
_MAIN: Final = ("win", "push", "lose")


@dataclass(frozen=True, slots=True)
class Solved:
    """How every deal of a game ends for one player's way of playing against one dealer's way."""

    game: str
    dealer: str
    player: str
    wheel: str
    deals: int
    outcomes: Mapping[str, int]
    """Deals by outcome; with several wagers their outcomes are joined by a plus sign."""
    by_hand: Mapping[tuple[str, ...], Mapping[str, int]]
    """The same, split by the set of names that the player's own cards fit."""
    tiger_nine: int | None = None
    """The deals in which Tiger 9 wins, where it was counted."""
    pai_gowd: Mapping[str, int] | None = None
    """The deals in which Pai Gow'd wins, by the dealer's best hand, where it was counted."""


def solved(
    game: str,
    dealer: str,
    player: str,
    wheel: str = "second",
    wagers: str = "main",
    commission: Fraction = COMMISSION,
) -> Solved | None:
    """A shipped result, or None if there is none that fits the installed rules.

    The commission of Fortune decides which setting is best; a house way sets as it does.

    >>> solved("six-card-fortune", "six-card", "six-card").outcomes["win"]
    57893887360048
    """
    played = game_of(game)
    if not played.low_cards:
        from houseway.odds.six_card_poker.decision import solved_game

        return solved_game() if player == OPTIMAL else None
    decides = played.commission is not None and player == OPTIMAL
    content = _main_file(dealer, wheel, commission if decides else COMMISSION)
    return None if content is None else _solved_of(content["counts"], game, dealer, player, wheel, wagers)


def _solved_of(
    counts: Mapping[str, Any], game: str, dealer: str, player: str, wheel: str, wagers: str
) -> Solved | None:
    """One player's result out of a job's counts."""
    raises = game_of(game).raise_wager is not None
    tables = counts["outcomes"].get(wagers if raises else game, {})
    if player not in tables or (not raises and "+" in wagers):
        return None
    keys = DOUBLED if "+" in wagers else _MAIN
    by_hand = {tuple(names.split("+")): dict(zip(keys, row, strict=True)) for names, row in tables[player].items()}
    outcomes = {key: sum(row[key] for row in by_hand.values()) for key in keys}
    nine, beaten = counts.get("tiger9", {}).get(player), counts.get("paigowd", {}).get(player)
    by_dealer = None if beaten is None else dict(zip(PAI_GOW_NAMES, beaten, strict=True))
    return Solved(game, dealer, player, wheel, sum(outcomes.values()), outcomes, by_hand, nine, by_dealer)


def tiger_nine(dealer: str, player: str, wheel: str = "second") -> tuple[int, int] | None:
    """The deals in which Tiger 9 wins, and all deals."""
    content = _main_file(dealer, wheel)
    if content is None or player not in content["counts"].get("tiger9", {}):
        return None
    return content["counts"]["tiger9"][player], deals_of(7)


def pai_gowd(dealer: str, player: str, wheel: str = "second") -> tuple[Mapping[str, int], int] | None:
    """The deals in which Pai Gow'd wins, by the dealer's best hand, and all deals."""
    content = _main_file(dealer, wheel)
    if content is None or player not in content["counts"].get("paigowd", {}):
        return None
    return dict(zip(PAI_GOW_NAMES, content["counts"]["paigowd"][player], strict=True)), deals_of(7)


def shipped_job(dealer: HouseWay, wheel: str, commission: Fraction = COMMISSION) -> MainGames:
    """The job whose result ships for a dealer's way: every way of its size as a player.

    Under another commission it is for the best setting alone, the only one that depends on it.
    """
    if commission != COMMISSION:
        return MainGames(dealer, (), wheel, commission, parts_of(dealer))
    return MainGames(
        dealer, tuple(way for way in house_ways() if way.cards == dealer.cards), wheel, parts=parts_of(dealer)
    )


def parts_of(dealer: HouseWay) -> int:
    """Into how many parts a job is cut."""
    from houseway.odds.pai_gow.main_games import SEVEN_CARD_PARTS, SIX_CARD_PARTS

    return SEVEN_CARD_PARTS if dealer.cards == 7 else SIX_CARD_PARTS


def inputs_of(job: MainGames) -> dict[str, Any]:
    """All that decides a job's result, as it is written into a file."""
    return {
        "dealer": {"way": job.dealer.id, "fingerprint": job.dealer.fingerprint},
        "players": {way.id: way.fingerprint for way in job.players},
        "wheel": job.wheel,
        "commission": str(job.commission),
        "parts": job.parts,
        "method": METHOD,
        "order of hands": order_of_hands(),
        "contests": contest_facts(job.dealer.cards),
    }


def data_path(dealer: str, wheel: str, cards: int, commission: Fraction = COMMISSION) -> Path:
    """Where the result for a dealer's way ships."""
    return DATA / f"{_name(dealer, wheel, cards, commission)}.json"


def _name(dealer: str, wheel: str, cards: int, commission: Fraction) -> str:
    rate = "" if commission == COMMISSION else f"-commission-{decimal_text(commission * 100)}"
    return f"main-{cards}-{dealer}-{wheel}{rate}"


def file_content(job: MainGames, parts: Iterable[Any]) -> dict[str, Any]:
    """The content of a shipped file: the whole, and the sums of each part without the split by hands."""
    results = list(parts)
    inputs = inputs_of(job)
    return {
        "format": FORMAT,
        "name": _name(job.dealer.id, job.wheel, job.dealer.cards, job.commission),
        "inputs": inputs,
        "fingerprint": fingerprint_of(inputs),
        "counts": add_up(results),
        "parts": [part_totals(result) for result in results],
    }


def part_totals(result: Mapping[str, Any]) -> dict[str, Any]:
    """A part's outcomes without the split by hands."""
    return {
        game: {player: [sum(column) for column in zip(*rows.values(), strict=True)] for player, rows in players.items()}
        for game, players in result["outcomes"].items()
    }


def _main_file(dealer: str, wheel: str, commission: Fraction = COMMISSION) -> dict[str, Any] | None:
    """A shipped file if it is there and was made with the installed rules."""
    if dealer not in {way.id for way in house_ways()}:
        return None
    content = _file(dealer, wheel, commission)
    if content is None or content.get("format") != FORMAT:
        return None
    inputs = inputs_of(shipped_job(house_way(dealer), wheel, commission))
    return content if content.get("fingerprint") == fingerprint_of(inputs) else None


@kept
def _file(dealer: str, wheel: str, commission: Fraction) -> dict[str, Any] | None:
    """A shipped file as it lies there."""
    path = data_path(dealer, wheel, house_way(dealer).cards, commission)
    return content_of(path) if path.is_file() else None


def solve(
    game: str,
    dealer: HouseWay,
    player: HouseWay | None,
    *,
    executor: Executor,
    cache: Cache | None,
    wheel: str = "second",
    wagers: str = "main",
    commission: Fraction = COMMISSION,
    progress: Progress | None = None,
) -> Solved:
    """Solve a game over all deals; `player` None sets every hand best. Minutes for seven cards, seconds for six."""
    from houseway.houseways.check import require_complete
    from houseway.odds.running.jobs import run_job

    for way in {way.fingerprint: way for way in (dealer, player) if way is not None}.values():
        require_complete(way, RANKINGS[wheel])
    job = MainGames(dealer, () if player is None else (player,), wheel, commission, parts_of(dealer))
    counts = add_up(run_job(job, executor=executor, cache=cache, progress=progress))
    name = OPTIMAL if player is None else player.id
    result = _solved_of(counts, game, dealer.id, name, wheel, wagers)
    if result is None:
        raise MissingPartError(f"there is no solver for {wagers} of {game}")
    return result


def comes_out_as_shipped(
    dealer: str, wheel: str, *, executor: Executor, cache: Cache | None, progress: Progress | None = None
) -> bool:
    """Whether the games of a dealer's way, solved anew over all deals, give the integers that ship."""
    from houseway.odds.running.jobs import run_job

    job = shipped_job(house_way(dealer), wheel)
    # Kept only until all parts are there: the next time everything is counted anew as well.
    parts = run_job(job, executor=executor, cache=cache, progress=progress, keep=False)
    return file_content(job, parts) == _main_file(dealer, wheel)
