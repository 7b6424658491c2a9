"""What a hand is worth, and how a house way sets it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from houseway.api.arguments import WHEELS, Arguments, CardsLike
from houseway.cards.card import Card, card_texts, descending
from houseway.errors import present
from houseway.ranking.hand_names import (
    HAND_NAMES,
    PAIR_OF_ACES,
    describe_low,
    describe_value,
    name_of_low,
    name_of_value,
)
from houseway.ranking.reference import (
    PAI_GOW,
    PAI_GOW_LOW_WHEEL,
    STANDARD,
    Ranking,
    best_five,
    check_rankable,
    names_fitted,
    value_of_one,
    value_of_two,
)

if TYPE_CHECKING:
    from houseway.definitions import Game
    from houseway.houseways import HouseWay

_RANKINGS: Final = ("pai-gow", "standard")


@dataclass(frozen=True, slots=True)
class RankedHand:
    """What a hand is worth. Values compare within one ranking and one kind of hand: the higher wins."""

    given: tuple[Card, ...]
    cards: tuple[Card, ...]
    """The cards that count: the best five, or the low hand."""
    category: str
    value: int
    text: str
    names: tuple[str, ...]
    """The hand names of pay tables that the cards fit, the highest first."""
    ranking: str

    def to_json(self) -> dict[str, Any]:
        """The hand as `houseway rank --json` prints it."""
        return {
            "category": self.category,
            "value": self.value,
            "cards": card_texts(self.cards),
            "text": self.text,
            "names": list(self.names),
            "given": card_texts(self.given),
            "ranking": self.ranking,
        }


def rank(cards: CardsLike, *, ranking: str = "pai-gow", wheel: str | None = None) -> RankedHand:
    """Show what a hand is worth: five to seven cards by their best five, one or two cards as a low hand.

    `ranking` is pai-gow, or standard: the order of Six Card Poker. `wheel` is the place of A-2-3-4-5 in pai-gow:
    second (the default) or lowest.

    >>> rank("As Kd Th 9c Jk").text
    'pair of aces'
    >>> rank("Ks Kd Qs 9h 4c").value < rank("As Ad 4c 3d 2s").value
    True
    """
    arguments = Arguments()
    held = arguments.cards(cards)
    order = _ranking(arguments, ranking, wheel)
    if held is not None and order is not None:
        arguments.read(lambda: check_rankable(held, order))
    arguments.refuse_if_any()
    hand, chosen = present(held, "hand"), present(order, "order of hands")
    return _ranked_low(hand, chosen) if len(hand) <= 2 else _ranked_high(hand, chosen)


def _ranking(arguments: Arguments, name: str, wheel: str | None) -> Ranking | None:
    """The declared order that the two options name."""
    chosen = arguments.choice(name, _RANKINGS, "ranking")
    place = arguments.choice(wheel, WHEELS, "wheel")
    if chosen == "standard":
        if place == "second":
            arguments.add("setting-not-allowed", "wheel", "the standard order has A-2-3-4-5 as the lowest straight")
        return STANDARD
    return None if chosen is None else pai_gow(place)


def pai_gow(wheel: str | None) -> Ranking:
    """The order of the Pai Gow games with A-2-3-4-5 in that place."""
    return PAI_GOW_LOW_WHEEL if wheel == "lowest" else PAI_GOW


def _ranked_high(cards: tuple[Card, ...], order: Ranking) -> RankedHand:
    value, five = best_five(cards, order)
    fitted = names_fitted(cards, order)
    if order.joker:
        # Only tables of Six Card Poker have a line for it.
        fitted -= {PAIR_OF_ACES}
    names = tuple(name for name in HAND_NAMES if name in fitted)
    return RankedHand(cards, descending(five), name_of_value(value), value, describe_value(value), names, order.id)


def _ranked_low(cards: tuple[Card, ...], order: Ranking) -> RankedHand:
    value = value_of_two(cards) if len(cards) == 2 else value_of_one(cards[0])
    name = name_of_low(value)
    return RankedHand(cards, descending(cards), name, value, describe_low(value), (name,), order.id)


@dataclass(frozen=True, slots=True)
class HandSetting:
    """A hand as a house way sets it: both hands, the rule that did it, and why in one sentence."""

    high: tuple[Card, ...]
    low: tuple[Card, ...]
    high_hand: str
    low_hand: str
    high_text: str
    low_text: str
    rule: str
    why: str
    game: str
    way: str

    def to_json(self) -> dict[str, Any]:
        """The hand as `houseway set --json` prints it."""
        return {
            "high": card_texts(self.high),
            "low": card_texts(self.low),
            "high_hand": self.high_hand,
            "low_hand": self.low_hand,
            "rule": self.rule,
            "why": self.why,
            "high_text": self.high_text,
            "low_text": self.low_text,
            "game": self.game,
            "way": self.way,
        }


def set_hand(
    game: str, cards: CardsLike, *, way: str | None = None, way_file: str | None = None, wheel: str | None = None
) -> HandSetting:
    """Set a hand the house way, and say which rule decided and why.

    `way` names a house way of the game instead of its default; `way_file` is a room's own, a TOML file.

    >>> hand = set_hand("fortune", "As Kd Th 9c 9d 4s 4h")
    >>> hand.low, hand.rule
    ((As, Kd), 'two-pair-7-10-ace-kept')
    """
    arguments = Arguments()
    played = arguments.game(game)
    held = arguments.cards(cards)
    place = arguments.choice(wheel, WHEELS, "wheel")
    chosen = None
    if played is not None:
        chosen = house_way_of(arguments, played, way, way_file)
        _check_hand(arguments, played, held)
        check_wheel(arguments, played, place)
    arguments.refuse_if_any()
    played, chosen = present(played, "game"), present(chosen, "house way")
    setting = chosen.set(descending(present(held, "hand")), pai_gow(place))
    return HandSetting(
        setting.high,
        setting.low,
        name_of_value(setting.high_value),
        name_of_low(setting.low_value),
        describe_value(setting.high_value),
        describe_low(setting.low_value),
        setting.rule,
        setting.why,
        played.id,
        chosen.id,
    )


def house_way_of(arguments: Arguments, game: Game, name: str | None, file: str | None) -> HouseWay | None:
    """The house way that the options name, or the game's default."""
    from houseway.houseways import house_way, load_house_way

    if not game.ways:
        arguments.add("no-house-way", "game", f"{game.title} has no house way: its hands are not split")
        return None
    if name is not None and file is not None:
        arguments.add("conflicting-options", "way", "give --way or --way-file, not both")
        return None
    if file is not None:
        return arguments.read(lambda: load_house_way(file))
    chosen = arguments.choice(name, game.ways, "way", code="unknown-way")
    if chosen is None and name is not None:
        return None
    return house_way(chosen or game.ways[0])


def _check_hand(arguments: Arguments, game: Game, cards: tuple[Card, ...] | None) -> None:
    if cards is None or not game.ways:
        return
    if len(cards) != game.cards:
        arguments.add("card-count", "cards", f"{len(cards)} cards: a hand of {game.title} has {game.cards}")


def check_wheel(arguments: Arguments, game: Game, wheel: str | None) -> None:
    """Hold the place of A-2-3-4-5 where the game's sheet fixes it."""
    if wheel in WHEELS and game.fixed_wheel not in (None, wheel):
        arguments.add("setting-not-allowed", "wheel", f"the sheet of {game.title} fixes it: {game.fixed_wheel}")
