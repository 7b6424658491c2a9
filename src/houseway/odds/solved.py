"""Solved games: exact outcome counts over all deals, as they ship with the package or as a job returns them.

Each file in `data` says which ways, which order of hands and which method it was made with, and a fingerprint over all
of it. A file whose inputs are no longer those of the installed rules is not used: a question then has to be solved
again. `scripts/solve` writes the files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache as kept
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from houseway.definitions import Game, Look, low_ranks_of, shipped_games
from houseway.definitions import game as game_of
from houseway.definitions.definition import LookedAt
from houseway.errors import MissingPartError
from houseway.houseways import HouseWay, house_way, house_ways
from houseway.houseways.check import require_complete
from houseway.odds.contest_facts import look_text
from houseway.odds.distribution import decimal_text
from houseway.odds.pai_gow.main_games import (
    COMMISSION,
    DOUBLED,
    METHOD,
    PAI_GOW_NAMES,
    RANKINGS,
    SEVEN_CARD_PARTS,
    SIX_CARD_PARTS,
    MainGames,
    add_up,
    deals_of,
)
from houseway.odds.pai_gow.split_games import NO_PAIR, contest_facts, contest_wagers, names_of_lows, seven_card_games
from houseway.odds.running.jobs import run_job
from houseway.odds.shipped import DATA, content_of, head_of, is_current, order_of_hands
from houseway.odds.six_card_poker.game import shipped, whole_game
from houseway.odds.small_counts import contest_by_hand
from houseway.odds.solved_game import OPTIMAL, SolvedGame
from houseway.ranking.reference import STANDARD

if TYPE_CHECKING:
    from houseway.odds.running.cache import Cache
    from houseway.odds.running.executors import Executor
    from houseway.odds.running.jobs import Progress

FORMAT: Final = 1
_MAIN: Final = ("win", "push", "lose")
LOW_CARDS: Final = 2
"""The low hands at which the results look are those of seven cards."""
BEATEN_HANDS: Final[tuple[LookedAt, ...]] = ("dealer-best", "dealer-low")
"""The dealer's hands that a wager may look at and that the player must beat."""


def solved(
    game: str,
    dealer: str,
    player: str,
    wheel: str = "second",
    wagers: str | None = None,
    commission: Fraction = COMMISSION,
) -> SolvedGame | None:
    """A shipped result of the first wager, or of others joined by a plus sign; None if none fits the installed rules.

    The commission of Fortune decides which setting is best; a house way sets as it does.

    >>> solved("six-card-fortune", "six-card", "six-card").outcomes["win"]
    57893887360048
    """
    played = game_of(game)
    if game not in {each.id for each in shipped_games()}:
        return _counted_here(played)
    if not played.low_cards:
        return _fold_or_play(played) if player == OPTIMAL else None
    decides = played.commission is not None and player == OPTIMAL
    content = _main_file(dealer, wheel, commission if decides else COMMISSION)
    return None if content is None else _solved_of(content["counts"], game, dealer, player, wheel, wagers)


def _fold_or_play(game: Game) -> SolvedGame | None:
    """The shipped solution of the game in which a player folds or plays; None if it was made for other rules."""
    if shipped() is None:
        return None
    whole = whole_game(OPTIMAL)
    return SolvedGame(game.id, "", OPTIMAL, STANDARD.wheel, whole.deals, whole.outcomes, whole.by_hand)


def _counted_here(game: Game) -> SolvedGame | None:
    """The result of a game from outside whose deals can be dealt out; None where there are too many."""
    try:
        by_hand = contest_by_hand(game)
    except MissingPartError:
        return None
    outcomes = {key: sum(row.get(key, 0) for row in by_hand.values()) for key in _MAIN}
    return SolvedGame(game.id, "", OPTIMAL, game.fixed_wheel or "second", sum(outcomes.values()), outcomes, by_hand)


def _solved_of(
    counts: Mapping[str, Any], game: str, dealer: str, player: str, wheel: str, asked: str | None
) -> SolvedGame | None:
    """One player's result out of a job's counts."""
    wagers = asked or contest_wagers(game_of(game), raised=False)
    raises = game_of(game).raise_wager is not None
    tables = counts["outcomes"].get(wagers if raises else game, {})
    if player not in tables or (not raises and "+" in wagers):
        return None
    keys = DOUBLED if "+" in wagers else _MAIN
    by_hand = {tuple(names.split("+")): dict(zip(keys, row, strict=True)) for names, row in tables[player].items()}
    outcomes = {key: sum(row[key] for row in by_hand.values()) for key in keys}
    looks = {at: found for at in BEATEN_HANDS if (found := _looked_at(counts, at, player)) is not None}
    return SolvedGame(game, dealer, player, wheel, sum(outcomes.values()), outcomes, by_hand, looks)


def _looked_at(counts: Mapping[str, Any], at: LookedAt, player: str) -> Mapping[str, int] | None:
    """The deals in which a player wins a wager on a beaten dealer's hand, by that hand; None where not counted."""
    found = counts.get(at, {}).get(player)
    if found is None:
        return None
    if at == "dealer-best":
        return dict(zip(PAI_GOW_NAMES, found, strict=True))
    names = names_of_lows(seven_card_games().low_look, LOW_CARDS)
    return {names[0]: found} if len(names) == 1 else None


def check_counted(look: Look) -> None:
    """Refuse a look at a dealer's hand that the results do not count: MissingPartError."""
    lows = seven_card_games().low_look
    counted = {
        "dealer-best": look.hands == NO_PAIR and look.beaten_by == "high",
        "dealer-low": look.beaten_by == "low"
        and (look.hands is not None and low_ranks_of(look.hands, LOW_CARDS) == lows)
        and len(names_of_lows(lows, LOW_CARDS)) == 1,
    }
    if not counted.get(look.at, False) or look.tie != "lose":
        raise MissingPartError(f"a {look_text(look)}, is not counted")


def beaten_hands(look: Look, dealer: str, player: str, wheel: str = "second") -> tuple[Mapping[str, int], int] | None:
    """The deals that win a wager on a beaten dealer's hand, by that hand, and all deals; None where none is shipped."""
    content = _main_file(dealer, wheel)
    if content is None:
        return None
    check_counted(look)
    found = _looked_at(content["counts"], look.at, player)
    return None if found is None else (found, deals_of(7))


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
    return {
        **head_of(_name(job.dealer.id, job.wheel, job.dealer.cards, job.commission), FORMAT, inputs_of(job)),
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
    if content is None:
        return None
    inputs = inputs_of(shipped_job(house_way(dealer), wheel, commission))
    return content if is_current(content, FORMAT, inputs) else None


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
    wagers: str | None = None,
    commission: Fraction = COMMISSION,
    progress: Progress | None = None,
) -> SolvedGame:
    """Solve a game over all deals; `player` None sets every hand best. Minutes for seven cards, seconds for six."""
    for way in {way.fingerprint: way for way in (dealer, player) if way is not None}.values():
        require_complete(way, RANKINGS[wheel])
    job = MainGames(dealer, () if player is None else (player,), wheel, commission, parts_of(dealer))
    counts = add_up(run_job(job, executor=executor, cache=cache, progress=progress))
    name = OPTIMAL if player is None else player.id
    result = _solved_of(counts, game, dealer.id, name, wheel, wagers)
    if result is None:
        raise MissingPartError(f"there is no solver for {wagers or 'the first wager'} of {game}")
    return result


def comes_out_as_shipped(
    dealer: str, wheel: str, *, executor: Executor, cache: Cache | None, progress: Progress | None = None
) -> bool:
    """Whether the games of a dealer's way, solved again over all deals, give the integers that ship."""
    job = shipped_job(house_way(dealer), wheel)
    # Kept only until all parts are there: the next time everything is counted again as well.
    parts = run_job(job, executor=executor, cache=cache, progress=progress, keep=False)
    return file_content(job, parts) == _main_file(dealer, wheel)
