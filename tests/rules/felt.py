"""Short words for building a round and reading its lines in tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from houseway.definitions import game as find_game
from houseway.errors import InputError
from houseway.games import Line, Settlement, read_round, settle
from houseway.games.table_settings import has_setting


def seat(number: int, cards: str, low: str | None = None, *, fold: bool | None = None, **wagers: int) -> dict[str, Any]:
    """A seat: its number, its cards as text, its low hand if the player set it, and its wagers in cents."""
    given: dict[str, Any] = {
        "seat": number,
        "cards": cards.split(),
        "low": None if low is None else low.split(),
        "wagers": wagers,
    }
    return given if fold is None else {**given, "fold": fold}


def round_of(game: str, dealer: str, *seats: dict[str, Any], **rest: object) -> dict[str, Any]:
    """A round as `settle` reads it; `rest` takes paytables, settings, meters, seeds, banker, way, dealer_stake.

    A paper allows every jackpot, so that the rules of jackpots can be shown at each game that can have one.
    """
    by_paper = {"jackpots_by_paper": True} if has_setting(find_game(game), "jackpots_by_paper") else {}
    settings = {**by_paper, **cast("dict[str, object]", rest.pop("settings", None) or {})}
    return {"game": game, "dealer": dealer.split(), "seats": list(seats), "settings": settings, **rest}


def play(game: str, dealer: str, *seats: dict[str, Any], **rest: object) -> Settlement:
    """Read and settle a round."""
    return settle(read_round(round_of(game, dealer, *seats, **rest)))


def lines(settlement: Settlement, number: int, wager: str) -> list[Line]:
    """The lines of a wager at a seat."""
    return [line for line in settlement.seat(number).lines if line.wager == wager]


def line(settlement: Settlement, number: int, wager: str) -> Line:
    """The only line of a wager at a seat."""
    found = lines(settlement, number, wager)
    assert len(found) == 1, f"seat {number} has {len(found)} lines for {wager}"
    return found[0]


def envy_of(settlement: Settlement, number: int, wager: str) -> dict[int | None, int]:
    """What a seat collects as envy for a wager: cents by the seat that brought it."""
    found = lines(settlement, number, f"{wager}_envy")
    by_trigger = {each.trigger: each.returned for each in found}
    assert len(by_trigger) == len(found), f"a hand brings seat {number} envy twice"
    return by_trigger


def refusals(game: str, dealer: str, *seats: dict[str, Any], **rest: object) -> set[str]:
    """The codes of the faults with which a round is refused; empty if it settles."""
    return _fault_codes(lambda: play(game, dealer, *seats, **rest))


def faults_read(game: str, dealer: str, *seats: dict[str, Any], **rest: object) -> set[str]:
    """The codes of the faults with which a round is refused as it is read, before anything is settled."""
    return _fault_codes(lambda: read_round(round_of(game, dealer, *seats, **rest)))


def _fault_codes(attempt: Callable[[], object]) -> set[str]:
    try:
        attempt()
    except InputError as error:
        return {fault.code for fault in error.faults}
    return set()
