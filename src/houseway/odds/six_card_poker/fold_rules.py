"""The rules of a game in which a player sees some of the dealer's cards and folds or raises, out of its definition.

A decision follows any such definition. The compiled counts over all deals are made for six cards of 52 with three of
the dealer's open: a definition that asks for more is refused by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from houseway.definitions import Game, HandSpan, Look, Wager, shipped_games
from houseway.errors import MissingPartError
from houseway.odds.contest_facts import contest_texts, raise_texts
from houseway.odds.shipped import order_of_hands
from houseway.ranking.reference import JOKER_INDEX, STANDARD

if TYPE_CHECKING:
    from collections.abc import Iterable

FOLDED: Final = "lose+none"
PLAYED: Final = ("win+win", "push+win", "push+push", "push+lose", "lose+lose")
OUTCOMES: Final = (FOLDED, *PLAYED)
"""Every outcome of the first wager and the raise that the compiled counts know; `lose+none` is a fold."""

_WORTH: Final = {"win": 1, "lose": -1}
_SIGNS: Final = {1: "win", 0: "push", -1: "lose"}
_COUNTED_CARDS: Final = (JOKER_INDEX, 6, 3)
"""Deck, cards of a hand and open cards for which the kernels are built."""


def result_of(outcome: str) -> int:
    """What an outcome wins, in units of the first wager.

    >>> result_of("push+win"), result_of("lose+none")
    (1, -1)
    """
    return sum(_WORTH.get(end, 0) for end in outcome.split("+"))


RESULTS: Final[Mapping[str, int]] = MappingProxyType({outcome: result_of(outcome) for outcome in OUTCOMES})
"""What each outcome wins, in units of the first wager."""


@dataclass(frozen=True, slots=True)
class FoldOrPlay:
    """The facts of a game that decide between folding and playing."""

    game: Game
    first: Wager
    raised: Wager
    qualifying: HandSpan | None
    """The dealer's hands that qualify; None where all do."""

    def outcome(self, compared: int, qualifies: bool) -> str:
        """How both wagers of a player end who plays, by the sign of the comparison with the dealer's hand."""
        if compared == 0 and self.game.contest.tie == "dealer":
            compared = -1
        return "+".join(
            "push" if wager.needs_qualifier and not qualifies else _SIGNS[compared]
            for wager in (self.first, self.raised)
        )

    def qualifies(self, value: int) -> bool:
        """Whether the dealer qualifies with a hand of that value."""
        return self.qualifying is None or value in self.qualifying


def fold_or_play_game() -> Game:
    """The game that the shipped counts are about; MissingPartError where there is none or more than one."""
    found = [game for game in shipped_games() if _is_fold_or_play(game)]
    if len(found) != 1:
        names = ", ".join(game.id for game in found) or "none"
        raise MissingPartError(f"one game of folding or playing is counted over all deals, and there is {names}")
    return found[0]


def _is_fold_or_play(game: Game) -> bool:
    return game.offers_fold and game.contest.parts == ("best",)


def rules_of(game: Game) -> FoldOrPlay:
    """What decides between folding and playing; MissingPartError where the game is of another kind."""
    raised, qualifier = game.raise_wager, game.contest.qualifier
    if raised is None or not _is_fold_or_play(game):
        raise MissingPartError(f"nobody folds or plays in {game.title}: there is no such decision to weigh")
    for amiss, what in (
        (bool(game.streets), "cards dealt in streets"),
        (raised.raises is not None and raised.raises.times != (1,), "a raise by several times the wager"),
        (game.deck != JOKER_INDEX, f"a deck of {game.deck} cards"),
        (game.fixed_wheel != STANDARD.wheel, "A-2-3-4-5 elsewhere than below all other straights"),
        (game.contest.dealer_push is not None, "a dealer's hand that pushes"),
        (qualifier is not None and qualifier.part != "best", "a qualifier for a part of the hand"),
    ):
        if amiss:
            raise MissingPartError(f"the decision to fold or play is not weighed with {what}, as {game.title} has it")
    return FoldOrPlay(game, game.first_wager, raised, None if qualifier is None else qualifier.hands)


def counted_rules() -> FoldOrPlay:
    """The rules of the game that is counted over all deals; MissingPartError where the kernels do not know one."""
    rules = rules_of(fold_or_play_game())
    game = rules.game
    for amiss, what in (
        ((game.deck, game.cards, game.dealer_cards_up) != _COUNTED_CARDS, "other numbers of cards"),
        (game.contest.tie != "push", "ties that do not push"),
        (not rules.first.needs_qualifier, f"a {rules.first.name} that needs no dealer who qualifies"),
        (rules.raised.needs_qualifier, f"a {rules.raised.name} that needs a dealer who qualifies"),
        (rules.qualifying is None or not rules.qualifying.is_open_above, "no least hand that qualifies"),
    ):
        if amiss:
            raise MissingPartError(f"{game.title} is not counted over all deals with {what}, as it is defined")
    return rules


def least_qualifying() -> int:
    """The lowest value with which the dealer of the counted game qualifies."""
    qualifying = counted_rules().qualifying
    return 0 if qualifying is None else qualifying.start


def losing_looks() -> tuple[Look, ...]:
    """What wagers of the counted game look at that depend on the lesser of both hands."""
    looks = (wager.look for wager in fold_or_play_game().wagers)
    return tuple(look for look in looks if look is not None and look.at == "losing-hand")


def least_losing(looks: Iterable[Look]) -> int:
    """The lowest value of a losing hand that wins such a wager; MissingPartError where it is not a least hand."""
    found = {look.hands for look in looks}
    hands = next(iter(found), None)
    if len(found) != 1 or hands is None or not hands.is_open_above:
        raise MissingPartError("losing hands are counted from one least hand upwards, and no wager looks at them so")
    return hands.start


def deal_inputs() -> dict[str, Any]:
    """The cards and their order, as they are written into the files of shipped results."""
    game = fold_or_play_game()
    return {"deck": game.deck, "cards": game.cards, "wheel": STANDARD.wheel, "order of hands": order_of_hands()}


def rule_inputs() -> dict[str, Any]:
    """All that decides the counts of this game, as it is written into the files of shipped results."""
    game = fold_or_play_game()
    facts = {"up": game.dealer_cards_up, "contest": "; ".join([*contest_texts(game), *raise_texts(game)])}
    return deal_inputs() | facts | {"results": dict(RESULTS)}
