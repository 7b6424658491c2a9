"""What a table in play asks of the games: whether wagers may be made on its terms, and what a deal brings its seats.

A table knows its terms before a card is dealt, and some seats tell no wagers. So wagers are checked without cards, and
a seat that has told none is settled with its hand alone: it brings envy to others and has no lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from houseway.definitions import Game, game
from houseway.errors import Fault
from houseway.games.contest import decide
from houseway.games.hand_setting import names_of_cards, put_hand, ranking_of
from houseway.games.round_model import CheckedRound, CheckedSeat, Contest, Hand, Outcome, Settlement
from houseway.games.round_reader import read_way
from houseway.games.round_tables import read_tables
from houseway.games.round_wagers import check_wagers, read_wagers
from houseway.games.settle import settle
from houseway.games.table_settings import Settings, read_settings
from houseway.houseways.evaluate import TableEvaluator
from houseway.reading.faults import Faults

if TYPE_CHECKING:
    from houseway.houseways import HouseWay

_EVALUATOR: Final = TableEvaluator()


@dataclass(frozen=True, slots=True)
class TableTerms:
    """On what terms a table plays."""

    game: Game
    settings: Settings
    way: HouseWay | None
    paytables: Mapping[str, str]
    """The ids of the pay tables by wager; a wager with one table only need not be named."""


class DealtSeat(NamedTuple):
    """A seat with the packet that it was dealt."""

    number: int
    cards: tuple[int, ...]
    low: tuple[int, ...] | None
    """The cards of the low hand as its player set it; None: the house way."""
    fold: bool
    wagers: Mapping[str, int] | None
    """None where they were not told."""


def table_terms(
    game_id: str, settings: Mapping[str, object], way: str | None, paytables: Mapping[str, str]
) -> TableTerms:
    """The terms of a table; InputError with every fault of settings and way."""
    faults = Faults()
    terms = _read_terms(game_id, settings, way, paytables, faults)
    faults.refuse_if_any()
    return terms


def _read_terms(
    game_id: str, settings: Mapping[str, object], way: str | None, paytables: Mapping[str, str], faults: Faults
) -> TableTerms:
    played = game(game_id)
    read = read_settings(dict(settings), played, faults, [])
    return TableTerms(played, read, read_way(way, played, faults), dict(paytables))


def wager_faults(
    game_id: str,
    settings: Mapping[str, object],
    way: str | None,
    paytables: Mapping[str, str],
    told: Mapping[str, Mapping[str, int]],
    banker: str | None = None,
) -> list[Fault]:
    """What the rules and the terms of a table say against the wagers of some seats, by the place where they were told.

    `banker` is the place of the seat that banks, which needs no wager of its own.

    The path of a fault begins with that place, or with `table` where the terms are at fault: a pay table that a wager
    needs is not set. A seat that may still fold or raise has no fault for not having done so.
    """
    of_terms, faults = Faults(), Faults()
    terms = _read_terms(game_id, settings, way, paytables, of_terms)
    made = {name for wagers in told.values() for name in wagers}
    read_tables(terms.paytables, terms.game, made, terms.settings, of_terms)
    faults.note_all(replace(fault, path=f"table.{fault.path}") for fault in of_terms.found())
    for place, wagers in told.items():
        _check_seat(terms, wagers, place, faults, is_banker=place == banker)
    return faults.found()


def _check_seat(terms: TableTerms, wagers: Mapping[str, int], place: str, faults: Faults, *, is_banker: bool) -> None:
    played = terms.game
    read = read_wagers(dict(wagers), place, played, faults)
    raised = any(wager.name in read for wager in played.wagers if wager.kind == "raise")
    seat = CheckedSeat(0, (), None, fold=played.offers_fold and not raised, wagers=read)
    check_wagers(seat, place, played, terms.settings, is_banker, faults)


def settle_seats(
    terms: TableTerms, dealer: tuple[int, ...], seats: Sequence[DealtSeat], banker: int | None = None
) -> Settlement:
    """Settle the told wagers of all seats against the dealer, or against the seat that banks.

    InputError where a wager's pay table is not set.
    """
    faults = Faults()
    made = {name for seat in seats for name in seat.wagers or ()}
    tables = read_tables(terms.paytables, terms.game, made, terms.settings, faults)
    faults.refuse_if_any()
    checked = tuple(
        CheckedSeat(seat.number, seat.cards, seat.low, seat.fold, dict(seat.wagers or {})) for seat in seats
    )
    round_ = CheckedRound(
        game=terms.game,
        tables=tables,
        way=terms.way,
        settings=terms.settings,
        meters={},
        seeds={},
        banker=banker,
        dealer_stake=0 if banker is None else terms.settings.dealer_stake,
        dealer=dealer,
        seats=checked,
    )
    return settle(round_, _EVALUATOR)


def outcomes_of_hand(settled: Settlement, seat: int) -> dict[str, Outcome]:
    """What the hand of a seat makes of each wager against the dealer, made or not: for wagers that nobody told."""
    round_ = settled.round
    if not round_.game.dealer_hand:
        return {}
    opponent = settled.dealer if round_.banker is None else settled.seat(round_.banker).hand
    contest = Contest(round_, settled.dealer, opponent, {}, settled.qualifies)
    folded = next(each.fold for each in round_.seats if each.number == seat)
    hand = settled.seat(seat).hand
    return {wager.name: decide(contest, wager, hand, folded=folded)[0] for wager in round_.game.contest_wagers}


def house_way_hand(terms: TableTerms, cards: tuple[int, ...]) -> Hand:
    """A hand set the house way, or as it plays where hands are not split."""
    return put_hand(terms.game, cards, None, terms.way, ranking_of(terms.game, terms.settings), _EVALUATOR)


def fitted_names(terms: TableTerms, cards: tuple[int, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """Every hand name that cards fit with the joker an ace anywhere, and those that they fit without it."""
    return names_of_cards(terms.game, cards, ranking_of(terms.game, terms.settings), _EVALUATOR)
