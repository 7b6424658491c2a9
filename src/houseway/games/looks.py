"""What a pay-table wager sees: the names to read its table with, and whether it is in action."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from houseway.games.contest import compare_part
from houseway.ranking.hand_names import name_of_low, name_of_value, place_of_name

if TYPE_CHECKING:
    from houseway.definitions import HandPart, Look
    from houseway.games.round_model import Contest, Hand


class Sight(NamedTuple):
    """What a pay-table wager sees: the names to read its table with, the name to show, whether it is in action."""

    names: frozenset[str]
    hand: str
    alive: bool = True


def see(look: Look, contest: Contest, hand: Hand) -> Sight:
    """What a wager of the player with this hand sees."""
    match look.at:
        case "player-best":
            # How the hand was set, or fouled, does not matter.
            return Sight(hand.names, hand.best_name, look.hands is None or hand.best_value in look.hands)
        case "player-cards":
            # The names from the best down, as a layout lists them; a hand without any is told by its top card.
            best = min(hand.own_names, key=place_of_name)
            return Sight(hand.own_names, best)
        case "losing-hand":
            return _losing_hand(look, contest.dealer, hand)
        case "dealer-best":
            dealer = contest.looked_at_beside(hand)
            alive = _is_among(look, dealer.best_value) and is_beaten(look, contest, hand, dealer)
            return Sight(dealer.names, dealer.best_name, alive)
        case "dealer-low":
            dealer = contest.looked_at_beside(hand)
            name = name_of_low(dealer.low_value)
            alive = _is_among(look, dealer.low_value) and is_beaten(look, contest, hand, dealer)
            return Sight(frozenset({name}) if alive else frozenset(), name, alive)


class LookQuestions(NamedTuple):
    """What `see` asks of the hands: nothing else decides what a wager sees."""

    own: bool
    """The names of the player's hand and its best five cards."""
    dealer: Literal["best", "low"] | None = None
    """The names of the dealer's hand and its best five cards, or its low hand."""
    compared: tuple[HandPart, ...] = ()
    """The parts in which the player's hand is compared with the dealer's; a foul counts here too."""


def asked_by(look: Look) -> LookQuestions:
    """What a wager's look asks of the hands."""
    match look.at:
        case "player-best" | "player-cards":
            return LookQuestions(own=True)
        case "losing-hand":
            return LookQuestions(own=True, dealer="best", compared=("best",))
        case "dealer-best" | "dealer-low":
            part: Literal["best", "low"] = "best" if look.at == "dealer-best" else "low"
            return LookQuestions(own=False, dealer=part, compared=() if look.beaten_by is None else (look.beaten_by,))


def _losing_hand(look: Look, dealer: Hand, hand: Hand) -> Sight:
    """A wager on the lesser of the two hands, which must not tie."""
    losing = hand if hand.best_value <= dealer.best_value else dealer
    alive = _is_among(look, losing.best_value) and hand.best_value != dealer.best_value
    return Sight(losing.names, name_of_value(losing.best_value), alive)


def _is_among(look: Look, value: int) -> bool:
    return look.hands is None or value in look.hands


def is_beaten(look: Look, contest: Contest, hand: Hand, dealer: Hand) -> bool:
    """Whether the player beats the dealer's hand in the part that the wager asks for; a fouled hand beats nothing."""
    if look.beaten_by is None:
        return True
    return not hand.fouled and compare_part(contest.round.game.contest, look.beaten_by, hand, dealer) > 0
