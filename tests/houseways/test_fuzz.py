"""Way files of every kind: never anything but a way or an InputError, and both interpreters agree on any way."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.errors import InputError
from houseway.houseways import HouseWay, load_house_way
from houseway.houseways.facts import FACTS, RANK_VALUES, Fact
from houseway.houseways.rules import KEEPS, PLACES
from tests.houseways.room_files import ROOM

names = st.sampled_from([fact.name for fact in FACTS])
ids = st.from_regex(r"[a-z]{1,3}(-[a-z0-9]{1,2})?", fullmatch=True)


def load_text(text: str) -> HouseWay | None:
    """The way, or None if it was refused with faults that name the file."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "room.toml"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            return load_house_way(path)
        except InputError as error:
            faults = error.faults
    assert all(fault.path.startswith("room.toml") for fault in faults)
    assert all(fault.code.startswith("way-") and fault.message for fault in faults)
    return None


@given(st.text(max_size=300))
def test_any_text(text: str) -> None:
    load_text(text)


@settings(max_examples=300)
@given(st.integers(0, len(ROOM)), st.integers(0, 40), st.text(max_size=12))
def test_a_good_file_with_a_piece_replaced(start: int, length: int, piece: str) -> None:
    load_text(ROOM[:start] + piece + ROOM[start + length :])


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | names | ids,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names | ids, inner, max_size=3),
    max_leaves=8,
)
KEYS = [
    "id",
    "title",
    "cards",
    "extends",
    "source",
    "question",
    "asks",
    "when",
    "rule",
    "why",
    "front",
    "keep",
    "before",
]


@given(st.dictionaries(st.sampled_from(KEYS), json_values, max_size=8), st.dictionaries(ids, json_values, max_size=2))
def test_any_values_under_the_known_keys(known: dict[str, Any], more: dict[str, Any]) -> None:
    load_text("\n".join(f"{key} = {toml(value)}" for key, value in (known | more).items()))


def toml(value: object) -> str:
    """A value as inline TOML."""
    match value:
        case None:
            return '""'
        case bool():
            return str(value).lower()
        case int():
            return str(value)
        case list():
            return f"[{', '.join(map(toml, value))}]"
        case dict():
            return "{" + ", ".join(f"{json.dumps(key)} = {toml(inner)}" for key, inner in value.items()) + "}"
        case _:
            return json.dumps(value)


def values_of(fact: Fact) -> st.SearchStrategy[Any]:
    if fact.kind == "flag":
        return st.booleans()
    if fact.kind == "choice":
        return st.lists(st.sampled_from(fact.values), min_size=1, max_size=4)
    ranges = st.tuples(st.integers(0, 12), st.integers(0, 12)).map(
        lambda ends: f"{RANK_VALUES[min(ends)]}-{RANK_VALUES[max(ends)]}"
    )
    return ranges | st.just("none") | st.tuples(ranges, st.just("none")).map(list)


conditions = st.lists(
    st.sampled_from(FACTS).flatmap(lambda fact: st.tuples(st.just(fact.name), values_of(fact))), max_size=3
).map(dict)


@st.composite
def ways(draw: st.DrawFn) -> dict[str, Any]:
    """A well-formed way with rules at random: most of them leave hands unset, ambiguous, impossible or fouled."""
    cards = draw(st.sampled_from([6, 7]))
    places = st.lists(st.sampled_from(list(PLACES)), min_size=cards - 5, max_size=cards - 5)
    questions = []
    for question in range(draw(st.integers(1, 3))):
        rules: list[dict[str, Any]] = []
        for rule in range(draw(st.integers(1, 3))):
            last = {"otherwise": True} if rule == 2 else {"when": draw(conditions)}
            keep = draw(st.sampled_from([None, *KEEPS]))
            front = draw(st.just("highest") | places)
            rules.append({"id": f"r{question}-{rule}", "why": "x", "front": front} | last)
            if keep:
                rules[-1]["keep"] = keep
        questions.append({"id": f"q{question}", "asks": "x", "when": draw(conditions), "rule": rules})
    return {"id": "drawn", "title": "x", "cards": cards, "question": questions}


hands = st.lists(st.integers(0, 52), min_size=7, max_size=7, unique=True)
# Close ranks and few suits, so that straights and flushes turn up.
close_hands = st.lists(st.integers(0, 5).flatmap(lambda rank: st.sampled_from([4 * rank, 4 * rank + 1])), min_size=6,
                       max_size=6, unique=True).map(lambda cards: [*cards, 52])  # fmt: skip


@pytest.mark.kernels
@settings(max_examples=200, deadline=None)
@given(ways(), st.lists(hands | close_hands, min_size=10, max_size=10))
def test_both_interpreters_agree_on_any_way(data: dict[str, Any], drawn: list[list[int]]) -> None:
    pytest.importorskip("numba")
    import numpy as np

    from tests.houseways.comparison import differences

    way = load_text("\n".join(f"{key} = {toml(value)}" for key, value in data.items()))
    assert way is not None
    chosen = np.array([cards[7 - way.cards :] for cards in drawn], dtype=np.uint8)
    from houseway.ranking.reference import PAI_GOW, PAI_GOW_LOW_WHEEL

    for ranking in (PAI_GOW, PAI_GOW_LOW_WHEEL):
        assert differences(way, chosen, ranking) == []
