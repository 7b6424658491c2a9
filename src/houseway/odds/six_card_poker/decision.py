"""Six Card Poker, one decision: play or fold, exactly, over everything that the dealer may turn over.

A player's six cards and three of the dealer's leave 12,341 ways to complete the dealer's hand, fewer when other cards
are seen. Each is ranked and settled as the rules say; the two values are fractions of one ante. Plain Python with the
shipped tables, since loading the compiled kernels alone takes several times as long as this count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from houseway.cards import Card, descending
from houseway.errors import Fault, InputError
from houseway.odds.six_card_poker.fold_rules import FOLDED, PLAYED, fold_or_play_game, result_of, rules_of
from houseway.ranking.fast import value_of_best
from houseway.ranking.reference import JOKER_INDEX, STANDARD

if TYPE_CHECKING:
    from houseway.definitions import Game

Action = Literal["play", "fold"]


@dataclass(frozen=True, slots=True)
class FoldDecision:
    """Play or fold with given cards: how every completion of the dealer's hand would settle."""

    cards: tuple[Card, ...]
    up: tuple[Card, ...]
    seen: tuple[Card, ...]
    counts: Mapping[str, int]
    """Completions by the outcome of ante and play, the hand being played."""

    @property
    def completions(self) -> int:
        """The ways to complete the dealer's hand."""
        return sum(self.counts.values())

    @property
    def play(self) -> Fraction:
        """The average result of playing, in antes."""
        return Fraction(sum(result_of(outcome) * count for outcome, count in self.counts.items()), self.completions)

    @property
    def fold(self) -> Fraction:
        """The result of folding, in antes: the ante is lost."""
        return Fraction(result_of(FOLDED))

    @property
    def values(self) -> dict[Action, Fraction]:
        """Both actions with their values, the better one first; of equal values, play."""
        both: list[tuple[Action, Fraction]] = [("play", self.play), ("fold", self.fold)]
        return dict(sorted(both, key=lambda action: -action[1]))

    @property
    def best(self) -> Action:
        """The better action; of equal values, play."""
        return "play" if self.play >= self.fold else "fold"


def decision(
    cards: Sequence[int], up: Sequence[int], seen: Sequence[int] = (), *, game: Game | None = None
) -> FoldDecision:
    """Both values for six cards against three up cards, given any other cards that are out of the deck.

    The game is Six Card Poker unless another of its kind is given. InputError names every card that appears twice,
    every joker, and a wrong number of cards.

    >>> from houseway.cards import parse_cards
    >>> close = decision(parse_cards("Ks Qd Jc 8h 6s 3d"), parse_cards("9h 7d 2s"))
    >>> close.completions, close.best, close.play
    (12341, 'fold', Fraction(-14524, 12341))
    """
    played = fold_or_play_game() if game is None else game
    rules = rules_of(played)
    check_cards(cards, up, seen, game=played)
    mine = value_of_best(cards, STANDARD)
    out = {*cards, *up, *seen}
    rest = [card for card in range(JOKER_INDEX) if card not in out]
    by_value = Counter(_completed_values(up, rest, played.cards - len(up)))
    counts = dict.fromkeys(PLAYED, 0)
    for value, ways in by_value.items():
        outcome = rules.outcome((mine > value) - (mine < value), rules.qualifies(value))
        counts[outcome] = counts.get(outcome, 0) + ways
    return FoldDecision(descending(cards), descending(up), descending(seen), MappingProxyType(counts))


def _completed_values(up: Sequence[int], rest: Sequence[int], hidden: int) -> Iterable[int]:
    """The value of the dealer's hand for every choice of hidden cards."""
    for others in combinations(rest, hidden):
        yield value_of_best((*up, *others), STANDARD)


def check_cards(cards: Sequence[int], up: Sequence[int], seen: Sequence[int] = (), *, game: Game | None = None) -> None:
    """Refuse what is not a decision of this game, with every fault."""
    played = fold_or_play_game() if game is None else game
    faults: list[Fault] = []
    for path, given, wanted in (("cards", cards, played.cards), ("up", up, played.dealer_cards_up)):
        if len(given) != wanted:
            faults.append(Fault("card-count", path, f"{len(given)} cards given: {played.title} needs {wanted} here"))
    most = played.deck - played.cards - played.cards
    if len(seen) > most:
        message = f"{len(seen)} cards given: at most {most} can be seen beside a player's and the dealer's hand"
        faults.append(Fault("card-count", "seen", message))
    known: set[int] = set()
    for path, given in (("cards", cards), ("up", up), ("seen", seen)):
        for card in given:
            if not 0 <= card <= JOKER_INDEX:
                faults.append(
                    Fault("bad-card", path, f"{card} is not a card: cards are numbers from 0 to {JOKER_INDEX}")
                )
            elif card == JOKER_INDEX:
                faults.append(
                    Fault("joker-not-used", path, f"{played.title} is dealt from {played.deck} cards without a joker")
                )
            elif card in known:
                message = f"{descending([card])[0]} appears twice: a deck holds each card once"
                faults.append(Fault("duplicate-card", path, message))
            known.add(card)
    if faults:
        raise InputError(faults)
