"""The parts of a house way: conditions, rules, and the questions that are asked in order.

A hand belongs to the first question whose conditions it meets; of that question's rules exactly one must hold. A rule
says which cards go in front (the low hand). The lists of places that a front may name and of hands that a rule may keep
in back are closed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from houseway.houseways.facts import FACTS

PLACES: Final[dict[str, tuple[Literal["set", "single"], int]]] = {
    "top-set": ("set", 0),
    "second-set": ("set", 1),
    "third-set": ("set", 2),
    "top-single": ("single", 0),
    "second-single": ("single", 1),
    "third-single": ("single", 2),
}
"""Where a card of the front may come from, by the names of the rank facts."""

HIGHEST: Final = "highest"
"""Instead of places: the highest front of those that keep what the rule says."""

KEEPS: Final[dict[str, str]] = {
    "complete": "a straight, flush, straight flush or royal flush",
    "best": "a hand of the best category that the cards hold",
    "all-cards": "what all the cards form together: a straight, a flush, or a straight flush",
}
"""What a rule may keep in back, and what that means."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A fact and the values it may have, as a bit mask over the fact's values."""

    fact: int
    mask: int

    def __str__(self) -> str:
        """The condition in words, e.g. "top-set is 7 to 10"."""
        fact = FACTS[self.fact]
        allowed = [value for place, value in enumerate(fact.values) if self.mask >> place & 1]
        if fact.kind == "flag":
            return fact.name if allowed == ["true"] else f"not {fact.name}"
        if fact.kind == "rank" and len(allowed) > 2 and "none" not in allowed and _is_unbroken(self.mask):
            return f"{fact.name} is {allowed[0]} to {allowed[-1]}"
        return f"{fact.name} is {' or '.join(allowed)}"


def _is_unbroken(mask: int) -> bool:
    filled = mask // (mask & -mask)
    return filled & (filled + 1) == 0


Conditions = tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: when it holds, which cards go in front, and one sentence that says why.

    `front` names one place (six cards) or two (seven cards), or is empty for the highest front. `keep` is a key of
    KEEPS or None. An `otherwise` rule holds when no other rule of its question does.
    """

    id: str
    why: str
    when: Conditions
    otherwise: bool
    front: tuple[str, ...]
    keep: str | None


@dataclass(frozen=True, slots=True)
class WayQuestion:
    """A question of the way: which hands it takes, and the rules for them."""

    id: str
    asks: str
    when: Conditions
    rules: tuple[Rule, ...]
