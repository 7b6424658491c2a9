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
    tied: bool = False
    """Whether it is out of action because of a tie, and goes back."""


def see(look: Look, contest: Contest, hand: Hand, *, folded: bool = False) -> Sight:
    """What a wager of the player with this hand sees."""
    match look.at:
        case "player-best":
            # How the hand was set, or fouled, does not matter unless it must beat the dealer's.
            among = _is_among(look, hand.best_value)
            return _in_contest(look, contest, hand, Sight(hand.names, hand.best_name, among), folded=folded)
        case "player-cards":
            # The names from the best down, as a layout lists them; a hand without any is told by its top card.
            best = min(hand.own_names, key=place_of_name)
            return Sight(hand.own_names, best)
        case "losing-hand":
            return _losing_hand(look, contest.dealer, hand)
        case "dealer-best":
            dealer = contest.looked_at_beside(hand)
            among = _is_among(look, dealer.best_value)
            return _in_contest(look, contest, hand, Sight(dealer.names, dealer.best_name, among), folded=folded)
        case "dealer-low":
            dealer = contest.looked_at_beside(hand)
            name = name_of_low(dealer.low_value)
            among = _is_among(look, dealer.low_value)
            return _in_contest(look, contest, hand, Sight(frozenset({name}), name, among), folded=folded)


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
    compared = () if look.beaten_by is None else (look.beaten_by,)
    match look.at:
        case "player-best":
            return LookQuestions(own=True, compared=compared)
        case "player-cards":
            return LookQuestions(own=True)
        case "losing-hand":
            return LookQuestions(own=True, dealer="best", compared=("best",))
        case "dealer-best" | "dealer-low":
            part: Literal["best", "low"] = "best" if look.at == "dealer-best" else "low"
            return LookQuestions(own=False, dealer=part, compared=compared)


def _losing_hand(look: Look, dealer: Hand, hand: Hand) -> Sight:
    """A wager on the lesser of the two hands, which must not tie."""
    losing = hand if hand.best_value <= dealer.best_value else dealer
    alive = _is_among(look, losing.best_value) and hand.best_value != dealer.best_value
    return Sight(losing.names, name_of_value(losing.best_value), alive)


def _is_among(look: Look, value: int) -> bool:
    return look.hands is None or value in look.hands


def _in_contest(look: Look, contest: Contest, hand: Hand, sight: Sight, *, folded: bool) -> Sight:
    """What is seen, in action where the player beats the dealer in the part that the wager asks for.

    A hand that is folded or fouled beats nothing and ties with nothing.
    """
    if look.beaten_by is None or not sight.alive:
        return sight
    if folded or hand.fouled:
        return sight._replace(alive=False)
    rules = contest.round.game.contest
    compared = compare_part(rules, look.beaten_by, hand, contest.looked_at_beside(hand))
    return sight._replace(alive=compared > 0, tied=compared == 0 and look.tie == "push")
