"""Dealer's tables for tests, and rounds settled by the product itself to hold counts against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from math import comb
from random import Random

import numpy as np

from houseway.cards.card import ALL_CARDS, Card, card_texts
from houseway.games import game, settle_json
from houseway.houseways import house_way
from houseway.houseways.compiled import CompiledWay
from houseway.odds.pai_gow.dealer_tables import DealerTables, dealer_tables
from houseway.odds.pai_gow.splits import low_rank_of
from houseway.odds.running.cache import Cache
from houseway.ranking.reference import PAI_GOW, Ranking


@cache
def whole_tables(way: str) -> DealerTables:
    """The tables of a way over its whole deck, laid once in a test run."""
    return dealer_tables(house_way(way), PAI_GOW, Cache())


def place_of(cards: Iterable[int]) -> int:
    """A hand's place in the tables."""
    return sum(comb(card, number) for number, card in enumerate(sorted(cards), 1))


def laid_without(tables: DealerTables, taken: Iterable[int]) -> np.ndarray:
    """How many dealer hands without these cards have each high hand (row) and low rank: every one of them looked up."""
    free = [card for card in range(53) if card not in taken]
    places = np.zeros(1, np.int64)
    for held in range(1, tables.cards):
        # The hands below a top card are the first ones of the hands with a card less.
        places = np.concatenate([places[: comb(n, held - 1)] + comb(top, held) for n, top in enumerate(free)])
    counts = np.zeros(len(tables.values) << 7, np.int64)
    for n, top in enumerate(free):
        hands = places[: comb(n, tables.cards - 1)] + comb(top, tables.cards)
        laid = tables.highs[hands].astype(np.int64) << 7 | tables.lows[hands]
        counts += np.bincount(laid, minlength=len(counts))
    assert counts.sum() == comb(len(free), tables.cards)
    return counts.reshape(len(tables.values), 128)


def tables_of_deck(way: str, deck: Sequence[int], ranking: Ranking = PAI_GOW) -> DealerTables:
    """Tables that hold only the hands out of a small deck, at their places; laid one by one."""
    chosen = house_way(way)
    hands = [tuple(sorted(hand)) for hand in combinations(deck, chosen.cards)]
    laid = CompiledWay(chosen).set_hands(hands, ranking)
    values = np.unique(laid.high_value)
    highs = np.zeros(comb(53, chosen.cards), np.uint16)
    lows = np.zeros(comb(53, chosen.cards), np.uint8)
    for hand, value, low in zip(hands, laid.high_value, laid.low, strict=True):
        place = place_of(hand)
        highs[place] = np.searchsorted(values, value)
        # A dealer's joker alone in the low hand is an ace.
        lows[place] = min(low_rank_of([ALL_CARDS[card] for card in low]), 12 if len(low) == 1 else 90)
    return DealerTables(chosen.cards, highs, lows, values)


def small_deal(game_id: str, number: int, left: int) -> tuple[tuple[Card, ...], list[Card], list[Card]]:
    """A player's hand, the cards left for the dealer, and all others, which were seen."""
    played = game(game_id)
    cards = list(ALL_CARDS[: played.deck])
    Random(number).shuffle(cards)
    return tuple(cards[: played.cards]), cards[played.cards : played.cards + left], cards[played.cards + left :]


def settled(
    game_id: str, cards: Sequence[Card], low: Sequence[Card], dealer: Sequence[Card], **more: object
) -> list[str]:
    """The outcomes of a seat's wagers when the product settles the round: the main wager, then the double down."""
    wagers = {"main": 2000} | ({"double_down": 2000} if game_id == "six-card-fortune" else {})
    seat = {"seat": 1, "cards": card_texts(cards), "low": card_texts(low), "wagers": wagers}
    round_ = {"game": game_id, "dealer": card_texts(dealer), "seats": [seat]} | more
    return [line["outcome"] for line in settle_json(round_)["seats"][0]["lines"]]


def settled_against_all(
    game_id: str, cards: Sequence[Card], low: Sequence[Card], deck: Iterable[Card], **more: object
) -> list[Counter[str]]:
    """How often each wager wins, pushes and loses against every hand out of a deck, one settled round a hand."""
    outcomes = [settled(game_id, cards, low, hand, **more) for hand in combinations(deck, len(cards))]
    return [Counter(column) for column in zip(*outcomes, strict=True)]
