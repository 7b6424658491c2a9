"""Reads the values of a condition: ranks and ranges of ranks, names, true and false, into a bit mask.

>>> from houseway.houseways.facts import FACT_INDEX, FACTS
>>> top_set = FACTS[FACT_INDEX["top-set"]]
>>> bin(parse_condition(top_set, "7-10")), bin(parse_condition(top_set, ["A", "none"]))
('0b111100000', '0b11000000000000')
"""

from __future__ import annotations

from typing import Final

from houseway.houseways.facts import RANK_VALUES, Fact

_RANKS: Final = {name: rank for rank, name in enumerate(RANK_VALUES)} | {"T": RANK_VALUES.index("10")}


def parse_condition(fact: Fact, value: object) -> int:
    """The mask of the values that a condition allows; ValueError says what is wrong with it."""
    if fact.kind == "flag":
        if not isinstance(value, bool):
            raise ValueError(f"{fact.name} is true or false")
        return 1 << value
    items = value if isinstance(value, list) else [value]
    if not items:
        raise ValueError(f"{fact.name} allows no value at all: leave the condition out, or name a value")
    mask = 0
    for item in items:
        mask |= _item_mask(fact, item)
    return mask


def _item_mask(fact: Fact, item: object) -> int:
    """The mask of one name, rank or range of ranks."""
    if not isinstance(item, str):
        raise ValueError(f'{fact.name} takes texts, e.g. {fact.name} = "{_example(fact)}"')  # noqa: TRY004
    if fact.kind == "choice" or item == "none":
        if item not in fact.values:
            raise ValueError(f"{item[:40]!r} is not a value of {fact.name}: use {', '.join(fact.values)}")
        return 1 << fact.values.index(item)
    first, dash, last = item.partition("-")
    low, high = _RANKS.get(first), _RANKS.get(last if dash else first)
    if low is None or high is None:
        raise ValueError(f'{item[:40]!r} is not a rank: write "A", a range such as "7-10", or "none"')
    if low > high:
        raise ValueError(f'the range {item!r} runs downwards: write the lower rank first, as in "7-10"')
    return (2 << high) - (1 << low)


def _example(fact: Fact) -> str:
    return fact.values[0] if fact.kind == "choice" else "7-10"
