"""Counts that are made on the spot, for games that the shipped ones do not know.

Hands of up to three cards are dealt out one by one. Five-card hands are counted by their ranks and whether they are of
one suit, which is all that a name or a value depends on. A contest is counted where all its deals can be dealt out:
with one card a hand. What cannot be counted this way is refused by name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from typing import TYPE_CHECKING, Final, TypeAlias

from houseway.cards.card import DECK_53
from houseway.errors import MissingPartError
from houseway.games.contest import dealer_qualifies, decide
from houseway.games.hand_setting import names_of_own, put_hand, ranking_of
from houseway.games.round_model import CheckedRound, CheckedSeat, Contest, Hand
from houseway.games.table_settings import default_settings
from houseway.houseways.evaluate import TableEvaluator

if TYPE_CHECKING:
    from houseway.definitions import Game
    from houseway.paytables import PayTable

FEW_CARDS: Final = 3
"""Up to so many cards a hand, all hands are dealt out one by one: 22,100 of them at most."""
FIVE: Final = 5
_SUITS: Final = 4
_RANKS: Final = 13

Ranks: TypeAlias = tuple[int, ...]
"""The ranks of some cards, the lowest first."""
NamesByRanks: TypeAlias = Mapping[tuple[Ranks, bool], frozenset[str]]
"""The names that five cards fit, by their ranks and whether they are of one suit."""


@cache
def hands_by_names(game: Game, *, own: bool = False) -> Mapping[frozenset[str], int]:
    """How many hands of a game fit each set of names; with `own`, a seat's own cards without the community's."""
    cards = game.cards if own else game.hand_cards
    found: Counter[frozenset[str]] = Counter()
    if cards <= FEW_CARDS:
        for dealt in combinations(DECK_53[: game.deck], cards):
            found[names_of_own(game, dealt) if own and cards > 1 else hand_of(game, dealt).names] += 1
        return found
    for (ranks, suited), names in names_by_ranks(game).items():
        found[names] += suits_of(ranks, suited)
    return found


def hand_of(game: Game, cards: tuple[int, ...]) -> Hand:
    """Cards as a hand of a game whose hands are not split."""
    settings = default_settings(game)
    return put_hand(game, cards, None, None, ranking_of(game, settings), TableEvaluator())


def suits_of(ranks: Ranks, suited: bool) -> int:
    """How many hands have these ranks, and are of one suit or not.

    >>> suits_of((0, 0, 5, 7, 9), False), suits_of((0, 3, 5, 7, 9), True)
    (384, 4)
    """
    one_suit = _SUITS if len(set(ranks)) == len(ranks) else 0
    if suited:
        return one_suit
    return prod(comb(_SUITS, count) for count in Counter(ranks).values()) - one_suit


def multisets(size: int) -> Iterator[Ranks]:
    """The ranks that so many cards can have."""
    for ranks in combinations_with_replacement(range(_RANKS), size):
        if max(Counter(ranks).values()) <= _SUITS:
            yield ranks


@cache
def names_by_ranks(game: Game) -> NamesByRanks:
    """The names of every five-card hand, without those that name cards; MissingPartError for other hands."""
    if game.hand_cards != FIVE or game.has_joker:
        joker = " with a joker" if game.has_joker else ""
        raise MissingPartError(f"hands of {game.hand_cards} cards{joker}, as in {game.title}, are not counted")
    by_cards = {hand.name for hand in game.named_hands if hand.cards}
    found: dict[tuple[Ranks, bool], frozenset[str]] = {}
    for ranks in multisets(FIVE):
        found[ranks, False] = hand_of(game, _example(ranks)).names - by_cards
        if len(set(ranks)) == FIVE:
            found[ranks, True] = hand_of(game, tuple(rank * _SUITS for rank in ranks)).names - by_cards
    return found


def check_named(game: Game, table: PayTable) -> None:
    """Refuse a table with lines for hands that ranks and one suit do not decide: MissingPartError."""
    look = table.wager_in(game.id).look
    own = look is not None and look.at == "player-cards"
    if (game.cards if own else game.hand_cards) <= FEW_CARDS:
        return
    by_cards = {hand.name for hand in game.named_hands if hand.cards}
    uncounted = [name for line in table.lines for name in line.hands if name in by_cards]
    if uncounted:
        raise MissingPartError(f"{', '.join(uncounted)} among hands of {game.hand_cards} cards is not counted")


def _example(ranks: Ranks) -> tuple[int, ...]:
    """Five cards of these ranks that are not of one suit."""
    turned = {ranks[0]: 1}
    places = [ranks[:place].count(rank) + turned.get(rank, 0) for place, rank in enumerate(ranks)]
    return tuple(rank * _SUITS + suit % _SUITS for rank, suit in zip(ranks, places, strict=True))


@cache
def contest_by_hand(game: Game) -> Mapping[tuple[str, ...], Mapping[str, int]]:
    """How every deal of the first wager ends, by the names that the player's cards fit.

    MissingPartError where the deals cannot be dealt out, or a player's decisions come in between.
    """
    if game.raise_wager is not None or game.streets:
        raise MissingPartError(f"the deals of {game.title} are not counted: players decide between them")
    if game.hand_cards != 1 or not game.dealer_hand:
        raise MissingPartError(f"the deals of {game.title} are too many to be counted here")
    wager, deck = game.first_wager, DECK_53[: game.deck]
    hands = {card: hand_of(game, (card,)) for card in deck}
    found: dict[tuple[str, ...], Counter[str]] = {}
    for dealer_card, dealer in hands.items():
        contest = Contest(_round(game), dealer, dealer, {}, dealer_qualifies(game.contest, dealer))
        for card, hand in hands.items():
            if card != dealer_card:
                outcome, _ = decide(contest, wager, hand)
                found.setdefault(tuple(sorted(hand.names)), Counter())[outcome] += 1
    return found


def _round(game: Game) -> CheckedRound:
    seats: tuple[CheckedSeat, ...] = ()
    return CheckedRound(game, {}, None, default_settings(game), {}, {}, None, 0, (), seats)
