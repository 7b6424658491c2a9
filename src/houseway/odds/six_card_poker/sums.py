"""Sums over classes of up cards and over pairs of hands, as Six Card Poker's whole game needs them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache

from houseway.odds.six_card_poker import six_card_pairs
from houseway.odds.six_card_poker.fold_kernels import COMPLETIONS, FOLD, OPTIMAL, PLAY, UP, folded_by_pattern
from houseway.odds.six_card_poker.fold_rules import PLAYED, least_qualifying
from houseway.odds.six_card_poker.game import names_key
from houseway.odds.six_card_poker.six_cards import (
    NAME_SET_COUNT,
    Ints,
    names_of_number,
    patterns,
    value_number,
    values_of_numbers,
)
from houseway.odds.six_card_poker.strategy import STRATEGIES, UpCardFacts, facts_of_value
from houseway.odds.six_card_poker.suit_walk import BELOW, COLUMNS, FOLDED, NOT_ABOVE, UNQUALIFIED

import numpy as np  # isort: skip  (after the check for the optional part in `jit`)

_COLUMN_OF_OUTCOME = {
    "win+win": six_card_pairs.WIN_QUALIFIED,
    "push+win": six_card_pairs.WIN_UNQUALIFIED,
    "push+push": six_card_pairs.TIE,
    "push+lose": six_card_pairs.LOSE_UNQUALIFIED,
    "lose+lose": six_card_pairs.LOSE_QUALIFIED,
}


def every_hand_played() -> dict[tuple[str, ...], Mapping[str, int]]:
    """Every deal by the player's names and the outcome when nobody ever folds."""
    # Each dealer's hand can lie in twenty ways, three cards up and three hidden.
    ways = 20
    sums = six_card_pairs.compare_all()
    return {
        names_of_number(number): {
            outcome: ways * int(sums[number, column]) for outcome, column in _COLUMN_OF_OUTCOME.items()
        }
        for number in range(NAME_SET_COUNT)
    }


def _qualifying() -> int:
    """The lowest value number with which the dealer qualifies."""
    return value_number(least_qualifying())


def outcomes_by_pattern(folded: Ints) -> Ints:
    """What playing the folded hands would have brought, pattern by pattern, in the order of `PLAYED`."""
    hands, below = folded[:, FOLDED], folded[:, BELOW]
    not_above, unqualified = folded[:, NOT_ABOVE], folded[:, UNQUALIFIED]
    all_completions = hands * COMPLETIONS
    # A hand below those that qualify beats only dealers who do not; any other hand beats all of these.
    low = patterns().values < _qualifying()
    return np.stack(
        [
            np.where(low, 0, below - unqualified),
            np.where(low, below, unqualified),
            not_above - below,
            np.where(low, unqualified - not_above, 0),
            np.where(low, all_completions - unqualified, all_completions - not_above),
        ],
        axis=1,
    )


def orders_for(strategy: str, up: Ints) -> Ints:
    """What a strategy does with each pattern against three up cards, as the kernel takes it."""
    known = patterns()
    if strategy not in STRATEGIES:
        return np.full(len(known.values), OPTIMAL, np.int64)
    facts = UpCardFacts.of(up.tolist())
    matches = np.count_nonzero(known.counts[:, sorted(set(facts.ranks))], axis=1)
    hands = facts_of_value(values_of_numbers(known.values), matches)
    rules = STRATEGIES[strategy]
    applies = [np.broadcast_to(np.asarray(rule.applies(hands, facts)), known.values.shape) for rule in rules]
    return np.select(applies, [PLAY if rule.action == "play" else FOLD for rule in rules]).astype(np.int64)


@cache
def strategy_fingerprint(strategy: str) -> str:
    """A hash over every decision of a strategy; the best play is decided by the rules of the game alone."""
    if strategy not in STRATEGIES:
        return strategy
    digest = hashlib.sha256()
    for up in six_card_pairs.shared_sets(UP)[0]:
        digest.update(orders_for(strategy, up).astype(np.uint8).tobytes())
    return digest.hexdigest()


def folded_deals(strategy: str, number: int, parts: int) -> dict[str, list[int]]:
    """The deals that a strategy folds against every so-manieth class of up cards, by the player's names."""
    classes, weights = six_card_pairs.shared_sets(UP)
    known, qualifying = patterns(), _qualifying()
    sums = np.zeros((NAME_SET_COUNT, len(PLAYED)), np.int64)
    for up, weight in zip(classes[number::parts], weights[number::parts], strict=True):
        folded = np.zeros((len(known.values), COLUMNS), np.int64)
        folded_by_pattern(up, qualifying, known.counts, known.values, orders_for(strategy, up), folded)
        np.add.at(sums, known.names, outcomes_by_pattern(folded) * int(weight))
    return {names_key(names_of_number(row)): sums[row].tolist() for row in np.flatnonzero(sums.any(axis=1)).tolist()}
