"""A strategy in words and as a file in the language of house ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from houseway.houseways.facts import FACT_INDEX, FACTS, RANK_VALUES
from houseway.odds.strategies.doubling import KIND_SHIFT, NEVER, DoublingLine
from houseway.odds.strategies.topics import Action, FoundRule, Frame, Topic
from houseway.ranking.hand_names import CATEGORY_SHIFT, RANK_PLURALS, RANK_WORDS, Category

_JOKER: Final = 13
_HEADER: Final = """\
# Written by scripts/write-strategies from the exact solution of the game: do not edit by hand.
# How it was found and what it costs: docs/strategy.md.
"""


def _article(rank: int) -> str:
    return f"{'an' if RANK_WORDS[rank] in ('eight', 'ace') else 'a'} {RANK_WORDS[rank]}"


def ranks_in_words(first: int, last: int, *, plural: bool) -> str:
    """A range of ranks.

    >>> ranks_in_words(0, 9, plural=False), ranks_in_words(10, 11, plural=True), ranks_in_words(4, 6, plural=True)
    ('a jack or lower', 'queens or kings', 'sixes to eights')
    """
    one = RANK_PLURALS if plural else tuple(_article(rank) for rank in range(len(RANK_WORDS)))
    if first == last:
        return one[first]
    if last == len(RANK_WORDS) - 1:
        return f"{one[first]} or higher"
    if first <= 0:
        return f"{one[last]} or lower"
    return f"{one[first]} {'or' if last == first + 1 else 'to'} {one[last]}"


def condition_in_words(topic: Topic, fact: str, first: int, last: int) -> str:
    """One condition of a rule."""
    words = topic.facts[fact]
    if FACTS[FACT_INDEX[fact]].kind == "flag":
        return words.split("|")[0 if first else 1]
    return words.format(ranks_in_words(first - 1, last - 1, plural=fact.endswith("set")))


def sentence(frame: Frame, topic: Topic, rule: FoundRule, *, alone: bool) -> str:
    """A rule in one sentence."""
    conditions = [condition_in_words(topic, fact, *places) for fact, places in (rule.ranges or {}).items()]
    said = f"with {in_a_row(conditions)}, " if conditions else "" if alone else "otherwise "
    return f"{topic.asks}: {said}{frame.actions[rule.action].words}."


def in_a_row(words: Sequence[str]) -> str:
    """Some things, one after the other."""
    return words[-1] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def rule_ids(topic: Topic, rules: Sequence[FoundRule]) -> list[str]:
    """The ids of a topic's rules."""
    return [f"{topic.id}-{number}" for number in range(1, len(rules))] + [
        f"{topic.id}-otherwise" if len(rules) > 1 else topic.id
    ]


def strategy_toml(frame: Frame, rules: Mapping[str, Sequence[FoundRule]]) -> str:
    """The strategy as a way file; a topic without a choice has its only action."""
    lines = [_HEADER.rstrip(), f'id = "{frame.id}"', f'title = "{frame.title}"']
    lines.append(f'extends = "{frame.dealer}"' if frame.extends else f"cards = {frame.cards}")
    for topic in frame.topics:
        lines += ["", "[[question]]", f'id = "{topic.id}"', f'asks = "{topic.asks}"', toml_when(topic.when)]
        if frame.extends and topic.before:
            lines.append(f'before = "{topic.before}"')
        found = rules.get(topic.id) or (FoundRule(topic.actions[0], None, 0, {}),)
        for rule_id, rule in zip(rule_ids(topic, found), found, strict=True):
            why = sentence(frame, topic, rule, alone=len(found) == 1)
            lines += ["", "[[question.rule]]", f'id = "{rule_id}"', f'why = "{why}"']
            lines.append("otherwise = true" if rule.ranges is None else _when(rule.ranges))
            lines += toml_action(frame.actions[rule.action])
    return "\n".join(lines) + "\n"


def toml_when(when: Mapping[str, str | bool]) -> str:
    """Conditions as they are written in a way file."""
    values = {fact: str(value).lower() if isinstance(value, bool) else f'"{value}"' for fact, value in when.items()}
    return "when = { " + ", ".join(f"{fact} = {value}" for fact, value in values.items()) + " }"


def toml_action(action: Action) -> list[str]:
    """What a rule does, as it is written in a way file."""
    places = ", ".join(f'"{place}"' for place in action.front)
    front = f"front = [{places}]" if action.front else 'front = "highest"'
    return [front, *([f'keep = "{action.keep}"'] if action.keep else [])]


def _when(ranges: Mapping[str, tuple[int, int]]) -> str:
    values = {fact: _toml_range(fact, first, last) for fact, (first, last) in ranges.items()}
    return "when = { " + ", ".join(f"{fact} = {value}" for fact, value in values.items()) + " }"


def _toml_range(fact: str, first: int, last: int) -> str:
    if FACTS[FACT_INDEX[fact]].kind == "flag":
        return "true" if first else "false"
    low, high = RANK_VALUES[max(first, 1) - 1], RANK_VALUES[last - 1]
    ranks = f'"{low}"' if low == high else f'"{low}-{high}"'
    return ranks if first else f'[{ranks}, "none"]'


# -------------------------------------------------------------------- doubling down


def doubling_sentence(line: DoublingLine) -> str:
    """One line of the doubling table in words."""
    low = _low_cards(line.first, line.last)
    if line.kind == NEVER:
        return f"With {low} low: do not double."
    return f"With {low} low: double with {kind_in_words(line.kind)} or better."


def _low_cards(first: int, last: int) -> str:
    if first == _JOKER:
        return "the joker"
    if last == _JOKER and first == _JOKER - 1:
        return "an ace or the joker"
    return ranks_in_words(first, min(last, _JOKER - 1), plural=False)


def kind_in_words(kind: int) -> str:
    """A kind of high hand.

    >>> kind_in_words((Category.PAIR << CATEGORY_SHIFT >> KIND_SHIFT) + 11)
    'a pair of kings'
    """
    category, rank = Category((kind << KIND_SHIFT) >> CATEGORY_SHIFT), kind & 15
    match category:
        case Category.HIGH_CARD:
            return f"{RANK_WORDS[rank]}-high"
        case Category.PAIR:
            return f"a pair of {RANK_PLURALS[rank]}"
        case Category.TWO_PAIR:
            return f"two pair, {RANK_PLURALS[rank]} up,"
        case Category.THREE_OF_A_KIND:
            return f"three {RANK_PLURALS[rank]}"
        case Category.FLUSH:
            return f"{_article(rank)}-high flush"
        case Category.FOUR_OF_A_KIND:
            return f"four {RANK_PLURALS[rank]}"
        case _:
            return f"a {category.name.lower().replace('_', ' ')}"
