"""What a written strategy decides: the topics of each game, and the actions between which the solution chooses.

A topic is a kind of hand for which more than one setting is worth a thought. Which of its actions is best for which
ranks is not written here: `strategy_rules` reads that off the exact values. A strategy is a way in the language of
house ways, so its conditions are facts of that language and anybody can set hands by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from houseway.definitions import Game
from houseway.odds.pai_gow.main_games import DOUBLED, deals_of
from houseway.odds.pai_gow.split_games import seven_card_games, split_games

Value = str | bool
HOUSE_WAY: Final = "house-way"
"""The name under which the house way's own setting stands beside the actions."""


@dataclass(frozen=True)
class Action:
    """One way to set a hand, in the words of the way language and in words for a player."""

    id: str
    front: tuple[str, ...]
    """Places, or nothing for the highest front that leaves what is kept."""
    keep: str | None
    words: str


@dataclass(frozen=True)
class Topic:
    """A kind of hand: which hands it takes, what the choice may look at, and the actions to choose from."""

    id: str
    asks: str
    when: Mapping[str, Value]
    actions: tuple[str, ...]
    facts: Mapping[str, str] = field(default_factory=dict)
    """The facts that a rule may look at, with the words for each; ranks stand for the braces."""
    before: str | None = None
    """In a strategy that extends a way: the question before which this is asked; None replaces the one of its id."""


@dataclass(frozen=True)
class Frame:
    """All that makes a strategy of one game."""

    played: Game
    extends: bool
    """Whether the strategy says only what differs from the dealer's way."""
    actions: Mapping[str, Action]
    topics: tuple[Topic, ...]
    worth: tuple[int, ...]
    """What each counted outcome is worth in whole units."""
    unit: int
    """How many of these units the first wager is."""
    least: Fraction
    """What a further rule must save, as a part of the wager; what saves less is not worth remembering."""

    @property
    def game(self) -> str:
        """The game's id."""
        return self.played.id

    @property
    def dealer(self) -> str:
        """The dealer's way, with which the strategy is compared: the game's usual one."""
        return self.played.ways[0]

    @property
    def cards(self) -> int:
        """How many cards a hand has."""
        return self.played.cards

    @property
    def title(self) -> str:
        """The title of the strategy as a way."""
        return f"Strategy for {self.played.title}"

    @property
    def id(self) -> str:
        """The id of the strategy as a way."""
        return f"{self.game}-strategy"


@dataclass(frozen=True, slots=True)
class FoundRule:
    """A rule as the values give it."""

    action: str
    ranges: Mapping[str, tuple[int, int]] | None
    """First and last place (as `strategy_rules.place_of`) of each fact that decides; None: what is done otherwise."""
    hands: int
    counts: Mapping[str, tuple[int, ...]]
    """The outcomes over all its hands of every action that fits them all, and of the house way."""


def worth(frame: Frame, counts: Sequence[int]) -> int:
    """What counted outcomes are worth, in whole units; further numbers behind the outcomes count nothing."""
    return sum(weight * count for weight, count in zip(frame.worth, counts, strict=False))


def _actions(*actions: Action) -> dict[str, Action]:
    return {action.id: action for action in actions}


_SIX: Final = _actions(
    Action("kept", (), "best", "keep the best hand, and the highest card outside it goes low"),
    Action("complete", (), "complete", "keep a straight or flush, and the highest card that it can spare goes low"),
    Action("split-pair", ("top-set",), None, "one card of the pair goes low"),
    Action("split-higher-pair", ("top-set",), None, "one card of the higher pair goes low"),
    Action("split-highest-pair", ("top-set",), None, "one card of the highest pair goes low"),
    Action("split-three", ("top-set",), None, "one of the three goes low, and a pair stays high"),
    Action("split-higher-three", ("top-set",), None, "one of the higher three goes low, and a full house stays high"),
    Action("split-full-house", ("top-set",), None, "one of the three goes low, and two pair stay high"),
    Action("split-small-pair", ("second-set",), None, "one of the pair goes low, and the three stay high"),
    Action("split-four", ("top-set",), None, "one of the four goes low, and three stay high"),
    Action("split-five", ("top-set",), None, "one ace goes low, the joker first"),
    Action(
        "top-card",
        ("top-single",),
        None,
        "break the straight or flush and keep the pair: the highest single card goes low",
    ),
    Action("pair-card", ("top-set",), None, "break both and lay one card of the pair low"),
    Action("second", ("second-single",), None, "the second-highest card goes low"),
)

_SIX_TOPICS: Final = (
    Topic("no-pair", "No pair, no straight, no flush", {"shape": "no-pair", "complete": False}, ("second",)),
    Topic(
        "complete", "A straight or flush without a pair", {"shape": "no-pair", "complete": True}, ("complete", "kept")
    ),
    Topic(
        "pair",
        "One pair",
        {"shape": "pair", "complete": False},
        ("kept", "split-pair"),
        {"top-set": "a pair of {}", "top-single": "{} as the highest single card"},
    ),
    Topic(
        "pair-complete",
        "One pair, and a straight or flush",
        {"shape": "pair", "complete": True},
        ("complete", "top-card", "pair-card"),
        {
            "top-set": "a pair of {}",
            "top-single": "{} as the highest single card",
            "singles-beat-complete": "only lower cards to spare|a card as high to spare",
        },
    ),
    Topic(
        "two-pair",
        "Two pair",
        {"shape": "two-pair", "complete": False},
        ("kept", "split-higher-pair"),
        {"top-set": "{} up", "second-set": "{} as the lower pair", "top-single": "{} as the highest single card"},
    ),
    Topic(
        "two-pair-complete",
        "Two pair, and a straight or flush",
        {"shape": "two-pair", "complete": True},
        ("complete", "split-higher-pair"),
    ),
    Topic("three-pair", "Three pair", {"shape": "three-pair"}, ("split-highest-pair",)),
    Topic(
        "trips",
        "Three of a kind",
        {"shape": "trips", "complete": False},
        ("kept", "split-three"),
        {"top-set": "three {}", "top-single": "{} as the highest single card"},
    ),
    Topic(
        "trips-complete",
        "Three of a kind, and a straight or flush",
        {"shape": "trips", "complete": True},
        ("complete", "split-three"),
    ),
    Topic(
        "full-house",
        "Full house",
        {"shape": "full-house"},
        ("kept", "split-full-house", "split-small-pair"),
        {"top-set": "three {}", "second-set": "a pair of {}", "top-single": "{} as the single card"},
    ),
    Topic("two-trips", "Two threes of a kind", {"shape": "two-trips"}, ("split-higher-three",)),
    Topic("quads", "Four of a kind", {"shape": "quads"}, ("kept", "split-four"), {"top-set": "four {}"}),
    Topic("five-aces", "Five aces", {"shape": "five-aces"}, ("kept", "split-five")),
)

_SEVEN: Final = _actions(
    Action("singles", ("top-single", "second-single"), None, "the two highest single cards go in front"),
    Action("small-pair", ("second-set", "second-set"), None, "split them: the small pair goes in front"),
    Action(
        "complete",
        (),
        "complete",
        "keep the straight or flush, and the highest two cards that it can spare go in front",
    ),
    Action("one-and-single", ("top-set", "top-single"), None, "one of the three and the highest single go in front"),
)

_SEVEN_TOPICS: Final = (
    Topic(
        "two-pair",
        "Two pair",
        {"shape": "two-pair", "complete": False},
        ("small-pair", "singles"),
        {"top-set": "{} up", "second-set": "{} as the lower pair", "top-single": "{} as the highest single card"},
    ),
    Topic(
        "two-pair-complete",
        "Two pair, and a straight or flush",
        {"shape": "two-pair", "complete": True},
        ("complete", "small-pair", "singles"),
        {"top-set": "{} up", "second-set": "{} as the lower pair", "top-single": "{} as the highest single card"},
        before="two-pair",
    ),
    Topic(
        "trips",
        "Three of a kind",
        {"shape": "trips", "complete": False},
        ("singles", "one-and-single"),
        {"top-set": "three {}", "top-single": "{} as the highest single card"},
    ),
    Topic(
        "trips-complete",
        "Three of a kind, and a straight or flush",
        {"shape": "trips", "complete": True},
        ("complete", "singles"),
        before="trips",
    ),
    Topic(
        "pair-complete",
        "One pair, and a straight or flush",
        {"shape": "pair", "complete": True},
        ("complete", "singles"),
        {
            "set-leaves-complete": "the pair to spare|no pair to spare",
            "singles-beat-complete": "only a lower front to spare|a front as high to spare",
            "top-set": "a pair of {}",
            "top-single": "{} as the highest single card",
        },
        before="pair",
    ),
    Topic("pair", "One pair", {"shape": "pair", "complete": False}, ("singles",)),
)

_DOUBLED_WORTH: Final = {"win+win": 2, "win+push": 1, "lose+lose": -2, "lose+push": -1, "win+none": 1, "lose+none": -1}


def six_card_frame() -> Frame:
    """The strategy of the game of six cards, with its raise."""
    return Frame(
        split_games(6)[0],
        extends=False,
        actions=_SIX,
        topics=_SIX_TOPICS,
        worth=tuple(_DOUBLED_WORTH.get(outcome, 0) for outcome in DOUBLED),
        unit=1,
        least=Fraction(4, 100_000),
    )


def _seven_card_frame(game: Game, place: int) -> Frame:
    """The strategy of a game of seven cards, whose won and lost deals are counted from a place on."""
    rate = game.commission_rate
    worth = [0, 0, 0, 0]
    worth[place : place + 2] = [rate.denominator - rate.numerator, -rate.denominator]
    return Frame(
        game,
        extends=True,
        actions=_SEVEN,
        topics=_SEVEN_TOPICS,
        worth=tuple(worth),
        unit=rate.denominator,
        least=Fraction(1, 100_000),
    )


def frames() -> Mapping[str, Frame]:
    """The strategies by game: those of the games whose dealer's hand is hidden."""
    seven = seven_card_games()
    found = (six_card_frame(), _seven_card_frame(seven.plain, 0), _seven_card_frame(seven.pushing_low, 2))
    return {frame.game: frame for frame in found}


def least_gain(frame: Frame) -> int:
    """What a further rule must save, in the units of the frame's worth."""
    return int(frame.least * deals_of(frame.cards) * frame.unit)
