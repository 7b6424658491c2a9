"""Six Card Poker, one decision: play or fold, exactly, over everything that the dealer may turn over.

A player's six cards and three of the dealer's leave 12,341 ways to complete the dealer's hand, fewer when other cards
are seen. Each is ranked and settled as the rules say; the two values are fractions of one ante. Plain Python with the
shipped tables, since loading the compiled kernels alone takes several times as long as this count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

from houseway.cards import Card, descending
from houseway.errors import Fault, InputError
from houseway.odds.shipped import order_of_hands
from houseway.ranking.fast import value_of_best
from houseway.ranking.hands import Category
from houseway.ranking.reference import JOKER_INDEX, STANDARD, pack

if TYPE_CHECKING:
    from houseway.odds.solved import Solved

Action = Literal["play", "fold"]

FOLDED: Final = "lose+none"
PLAYED: Final = ("win+win", "push+win", "push+push", "push+lose", "lose+lose")
OUTCOMES: Final = (FOLDED, *PLAYED)
"""Every outcome of ante and play; `lose+none` is a fold."""

RESULTS: Final[Mapping[str, int]] = MappingProxyType(
    {"lose+none": -1, "win+win": 2, "push+win": 1, "push+push": 0, "push+lose": -1, "lose+lose": -2}
)
"""What each outcome wins, in antes."""

# The game's module says the same (a test holds them together), but takes as long to load as this whole count.
CARDS: Final = 6
UP: Final = 3
QUALIFYING: Final = pack(Category.HIGH_CARD, (12, 11))
"""The lowest value with which the dealer qualifies: ace-king."""


@dataclass(frozen=True, slots=True)
class Decision:
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
        return Fraction(sum(RESULTS[outcome] * count for outcome, count in self.counts.items()), self.completions)

    @property
    def fold(self) -> Fraction:
        """The result of folding, in antes: the ante is lost."""
        return Fraction(RESULTS[FOLDED])

    @property
    def values(self) -> dict[Action, Fraction]:
        """Both actions with their values, the better one first; of equal values, play."""
        both: list[tuple[Action, Fraction]] = [("play", self.play), ("fold", self.fold)]
        return dict(sorted(both, key=lambda action: -action[1]))

    @property
    def best(self) -> Action:
        """The better action; of equal values, play."""
        return "play" if self.play >= self.fold else "fold"


def decision(cards: Sequence[int], up: Sequence[int], seen: Sequence[int] = ()) -> Decision:
    """Both values for six cards against three up cards, given any other cards that are out of the deck.

    InputError names every card that is there twice, every joker, and a wrong number of cards.

    >>> from houseway.cards import parse_cards
    >>> close = decision(parse_cards("Ks Qd Jc 8h 6s 3d"), parse_cards("9h 7d 2s"))
    >>> close.completions, close.best, close.play
    (12341, 'fold', Fraction(-14524, 12341))
    """
    check_cards(cards, up, seen)
    mine = value_of_best(cards, STANDARD)
    out = {*cards, *up, *seen}
    rest = [card for card in range(JOKER_INDEX) if card not in out]
    below = equal = above = below_unqualified = above_unqualified = 0
    for value in _completed_values(up, rest):
        if value < mine:
            below += 1
            below_unqualified += value < QUALIFYING
        elif value > mine:
            above += 1
            above_unqualified += value < QUALIFYING
        else:
            equal += 1
    counts = (below - below_unqualified, below_unqualified, equal, above_unqualified, above - above_unqualified)
    return Decision(
        descending(cards),
        descending(up),
        descending(seen),
        MappingProxyType(dict(zip(PLAYED, counts, strict=True))),
    )


def _completed_values(up: Sequence[int], rest: Sequence[int]) -> Iterable[int]:
    """The value of the dealer's hand for every choice of hidden cards."""
    for first, a in enumerate(rest):
        for second, b in enumerate(rest[first + 1 :], first + 1):
            for c in rest[second + 1 :]:
                yield value_of_best((*up, a, b, c), STANDARD)


def check_cards(cards: Sequence[int], up: Sequence[int], seen: Sequence[int] = ()) -> None:
    """Refuse what is no decision of this game, with every fault."""
    faults: list[Fault] = []
    for path, given, wanted in (("cards", cards, CARDS), ("up", up, UP)):
        if len(given) != wanted:
            faults.append(Fault("card-count", path, f"{len(given)} cards given: Six Card Poker needs {wanted} here"))
    most = JOKER_INDEX - CARDS - CARDS
    if len(seen) > most:
        message = f"{len(seen)} cards given: at most {most} can be seen beside a player's and the dealer's hand"
        faults.append(Fault("card-count", "seen", message))
    known: set[int] = set()
    for path, given in (("cards", cards), ("up", up), ("seen", seen)):
        for card in given:
            if not 0 <= card <= JOKER_INDEX:
                faults.append(Fault("bad-card", path, f"{card} is no card: cards are numbers from 0 to {JOKER_INDEX}"))
            elif card == JOKER_INDEX:
                faults.append(Fault("joker-not-used", path, "Six Card Poker is dealt from 52 cards without a joker"))
            elif card in known:
                message = f"{descending([card])[0]} is there twice: a deck holds each card once"
                faults.append(Fault("duplicate-card", path, message))
            known.add(card)
    if faults:
        raise InputError(faults)


def rule_inputs() -> dict[str, Any]:
    """All that decides the counts of this game, as it is written into the files of shipped results."""
    return {
        "deck": JOKER_INDEX,
        "cards": CARDS,
        "up": UP,
        "qualifying": QUALIFYING,
        "results": dict(RESULTS),
        "wheel": STANDARD.wheel,
        "order of hands": order_of_hands(),
    }


def solved_game() -> Solved | None:
    """The shipped solution of the whole game; None if it was made for other rules than the installed ones."""
    from houseway.odds.six_card_poker.game import OPTIMAL, shipped, whole_game
    from houseway.odds.solved import Solved

    if shipped() is None:
        return None
    whole = whole_game(OPTIMAL)
    return Solved("six-card-poker", "", OPTIMAL, STANDARD.wheel, whole.deals, whole.outcomes, whole.by_hand)
