"""The hands of many rounds put in one compiled call, with the results of `put_hand` for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from houseway.games.hand_setting import FOULS, ranking_of
from houseway.games.round_model import CheckedRound, Hand
from houseway.houseways.way_kernels import NONE, RULE_SHIFT
from houseway.ranking.fast import names_of_mask

if TYPE_CHECKING:
    from houseway.definitions import Game
    from houseway.houseways.evaluate import KernelEvaluator
    from houseway.houseways.way import HouseWay
    from houseway.ranking.reference import Ranking

_UNSPLIT_CARDS: Final = 6
"""The size of hands without a low hand that the compiled code lays."""


def prepare_hands(rounds: Sequence[CheckedRound], evaluator: KernelEvaluator) -> list[Sequence[Hand]]:
    """The hands of each round, the dealer's first.

    There are none for a round with a hand that its house way refuses, or with hands of a size that the compiled code
    does not know.
    """
    prepared: list[Sequence[Hand]] = [()] * len(rounds)
    alike: dict[tuple[int, int, str], list[int]] = {}
    for place, round_ in enumerate(rounds):
        game = round_.game
        if is_known_size(game, round_.way):
            # Rounds with equal games that are different objects are put apart: that costs time and nothing else.
            key = (id(game), id(round_.way), ranking_of(game, round_.settings).id)
            alike.setdefault(key, []).append(place)
    for places in alike.values():
        first = rounds[places[0]]
        cards: list[tuple[int, ...]] = []
        lows: list[Sequence[int] | None] = []
        for place in places:
            round_ = rounds[place]
            cards.append(round_.dealer)
            lows.append(None)
            for seat in round_.seats:
                cards.append(seat.cards)
                lows.append(seat.low)
        hands = _put_all(first.game, cards, lows, first.way, ranking_of(first.game, first.settings), evaluator)
        start = 0
        for place in places:
            end = start + 1 + len(rounds[place].seats)
            whole = [hand for hand in hands[start:end] if hand is not None]
            prepared[place] = whole if len(whole) == end - start else ()
            start = end
    return prepared


def is_known_size(game: Game, way: HouseWay | None) -> bool:
    """Whether the compiled code lays hands of this size; a way for hands of another size refuses each by itself."""
    if game.streets or game.named_hands or game.looks_at_own_cards:
        return False
    if not game.low_cards:
        return game.cards == _UNSPLIT_CARDS
    return way is not None and game.cards == way.cards == game.low_cards + 5


def _put_all(
    game: Game,
    cards: list[tuple[int, ...]],
    lows: list[Sequence[int] | None],
    way: HouseWay | None,
    ranking: Ranking,
    evaluator: KernelEvaluator,
) -> list[Hand | None]:
    low_cards = game.low_cards
    found, rules = evaluator.appraise(way if low_cards else None, cards, lows, low_cards, ranking)
    hands: list[Hand | None] = []
    if not low_cards:
        for dealt, row, best, names, natural, *_ in zip(cards, *found, strict=True):
            hands.append(Hand(dealt, tuple(row[:5]), (), best, 0, best, names_of_mask(names), names_of_mask(natural)))
        return hands
    is_fouled = FOULS[low_cards]
    for dealt, own, row, best, names, natural, high_value, low_value, packed in zip(cards, lows, *found, strict=True):
        if high_value < 0:
            hands.append(None)
            continue
        low = tuple(row[5:]) if own is None else tuple(sorted(own, reverse=True))
        hands.append(
            Hand(
                dealt, tuple(row[:5]), low, high_value, low_value, best,
                names_of_mask(names), names_of_mask(natural),
                rules[packed >> RULE_SHIFT & NONE] if own is None else None,
                own is not None and is_fouled(high_value, low_value),
            )
        )  # fmt: skip
    return hands
