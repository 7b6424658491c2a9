"""Settlement: a round in, lines out. A pure function of the round; nothing is read, kept or changed elsewhere.

The order of work is the documents': hands are set, the contest with the dealer (or banker) is decided, then bonus
wagers, then jackpots from the far right, and envy payments last.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from houseway.errors import InputError, present
from houseway.games.aggregate import apply_aggregate_limit
from houseway.games.bank import bank_line, dealer_against_banker, returned_main
from houseway.games.bonus import bonus_line, envy_lines, envy_triggers, pulled_line, resolution_order
from houseway.games.contest import contest_lines, dealer_qualifies
from houseway.games.hand_setting import put_hand, ranking_of
from houseway.games.jackpots import Meters, settle_jackpots
from houseway.games.round_model import NO_HAND, CheckedRound, Contest, Hand, Line, SeatResult, Settlement
from houseway.games.round_reader import read_round
from houseway.houseways.evaluate import TableEvaluator
from houseway.reading.faults import Faults

if TYPE_CHECKING:
    from houseway.houseways import HouseWay
    from houseway.houseways.evaluate import Evaluator


def settle(round_: CheckedRound, evaluator: Evaluator | None = None, prepared: Sequence[Hand] = ()) -> Settlement:
    """Settle a checked round; InputError if a hit needs a meter or seed that was not handed in.

    `prepared` are the hands, the dealer's first, if they were put together with those of other rounds
    (`batch.prepare_hands`); where there are none they are put here.

    >>> from houseway.games.round_reader import read_round
    >>> from houseway.games.examples import EXAMPLE_ROUND
    >>> settlement = settle(read_round(EXAMPLE_ROUND))
    >>> [(line.wager, line.outcome, line.returned) for line in settlement.seat(3).lines]
    [('main', 'win', 4875), ('fortune', 'win', 2000)]
    """
    contest = _open_contest(round_, evaluator or TableEvaluator(), prepared)
    faults = Faults()
    by_seat: dict[int, list[Line]] = {seat.number: [] for seat in round_.seats}
    _settle_contests(contest, by_seat)
    _settle_tables(contest, by_seat)
    meters = Meters(contest, faults)
    for wager in round_.game.wagers:
        if wager.kind == "jackpot" and wager.name in round_.tables:
            for number, line in settle_jackpots(contest, wager, meters).items():
                by_seat[number].append(line)
    faults.refuse_if_any()
    _finish(contest, by_seat)
    results = tuple([SeatResult(number, contest.hands[number], tuple(lines)) for number, lines in by_seat.items()])
    return Settlement(
        round_, contest.dealer, contest.qualifies, results, tuple(resolution_order(contest)), meters.shown
    )


def settle_json(value: object, evaluator: Evaluator | None = None, way: HouseWay | None = None) -> dict[str, Any]:
    """Read, settle and show one round, from decoded JSON to JSON; InputError with every fault."""
    return settle(read_round(value, way), evaluator).to_json()


def _open_contest(round_: CheckedRound, evaluator: Evaluator, prepared: Sequence[Hand] = ()) -> Contest:
    """Set every hand and put them side by side; a way that cannot set a hand is named with the hand's place."""
    game = round_.game
    if prepared:
        numbers = [seat.number for seat in round_.seats]
        return _contest(round_, prepared[0], dict(zip(numbers, prepared[1:], strict=True)))
    ranking = ranking_of(game, round_.settings)
    faults = Faults()

    def put(cards: tuple[int, ...], low: tuple[int, ...] | None, path: str) -> Hand | None:
        try:
            return put_hand(game, cards + round_.community, low, round_.way, ranking, evaluator)
        except InputError as error:
            for fault in error.faults:
                faults.add(fault.code, path, fault.message)
            return None

    dealer = put(round_.dealer, None, "dealer") if game.dealer_hand else NO_HAND
    hands = {
        seat.number: hand
        for index, seat in enumerate(round_.seats)
        if (hand := put(seat.cards, seat.low, f"seats[{index}].cards")) is not None
    }
    faults.refuse_if_any()
    return _contest(round_, present(dealer, "hand of the dealer though nothing was refused"), hands)


def _contest(round_: CheckedRound, dealer: Hand, hands: dict[int, Hand]) -> Contest:
    opponent = dealer if round_.banker is None else hands[round_.banker]
    return Contest(round_, dealer, opponent, hands, dealer_qualifies(round_.game.contest, dealer))


def _settle_contests(contest: Contest, by_seat: dict[int, list[Line]]) -> None:
    """The main wagers and their raises; with a player who banks, the bank's line too."""
    round_ = contest.round
    for seat in round_.seats:
        if seat.number != round_.banker:
            by_seat[seat.number].extend(contest_lines(contest, seat, contest.hands[seat.number]))
    if round_.banker is None:
        return
    own = by_seat[round_.banker]
    own.append(bank_line(contest, by_seat, dealer_against_banker(contest)))
    banker = next(seat for seat in round_.seats if seat.number == round_.banker)
    stake = banker.wagers.get(round_.game.first_wager.name)
    if stake is not None:
        own.append(returned_main(contest, stake))


def _settle_tables(contest: Contest, by_seat: dict[int, list[Line]]) -> None:
    """The bonus wagers and the envy payments of every seat."""
    round_ = contest.round
    for wager in round_.game.wagers:
        if wager.name not in round_.tables:
            continue
        bettors = [seat for seat in round_.seats if wager.name in seat.wagers]
        triggers = envy_triggers(contest, wager) if bettors and round_.tables[wager.name].has_envy else []
        for seat in bettors:
            lines, stake, hand = by_seat[seat.number], seat.wagers[wager.name], contest.hands[seat.number]
            if wager.name in seat.pulled:
                lines.append(pulled_line(wager, stake, hand))
            elif wager.kind != "jackpot":
                lines.append(bonus_line(contest, wager, stake, hand, folded=seat.fold))
            if triggers:
                lines.extend(envy_lines(contest, wager, seat, triggers))


def _finish(contest: Contest, by_seat: dict[int, list[Line]]) -> None:
    """Put the lines in the sheet's order, then hold the posted limit."""
    game, limit = contest.round.game, contest.round.settings.aggregate_limit
    places = game.line_places
    for lines in by_seat.values():
        lines.sort(key=lambda line: places[line.wager])
    if limit is not None:
        bonus = {wager.name for wager in game.wagers if wager.kind == "bonus"}
        apply_aggregate_limit(limit, by_seat, bonus, game.aggregate_clause)
