"""The page on house ways lists every rule with its number of hands and its sentence."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from houseway.houseways import HouseWay, house_way, house_ways

PAGE = Path(__file__).parents[2] / "docs" / "houseways.md"
COUNTS = Path(__file__).parent


def rows_of(way: HouseWay) -> dict[str, list[str]]:
    """The table rows of a way's part of the page, by rule."""
    text = PAGE.read_text(encoding="utf-8").split("## The rules")[1].split("## Where the prose was open")[0]
    part = text.split(f"### {way.id}\n")[1].split("###")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if "`" in line]
    return {row[1].strip("`"): row for row in rows}


@pytest.mark.parametrize("way", house_ways(), ids=lambda way: way.id)
def test_every_rule_is_on_the_page(way: HouseWay) -> None:
    lines = (COUNTS / f"{way.id}.counts").read_text(encoding="utf-8").splitlines()
    counts = dict(line.split() for line in lines if not line.startswith("#"))
    inherited = house_way("foxwoods").questions if way.id != "foxwoods" else ()
    rows = rows_of(way)
    expected = {
        rule.id: (question.id, f"{int(counts[rule.id]):,}", rule.why)
        for question in way.questions
        if question not in inherited
        for rule in question.rules
    }
    assert {rule: (row[0], row[3], row[4]) for rule, row in rows.items()} == expected


@pytest.mark.slow
@pytest.mark.kernels
def test_the_page_says_how_many_hands_two_ways_set_differently() -> None:
    pytest.importorskip("numba")
    from houseway.houseways.compiled import CompiledWay
    from houseway.ranking.suit_classes import suit_classes

    table = PAGE.read_text(encoding="utf-8").split("## How much the ways differ")[1].splitlines()
    head, *rows = [
        [cell.strip() for cell in line[1:-1].split("|")] for line in table if line[:3] in ("| |", "| f", "| t", "| s")
    ]
    said = {(row[0], other): cell for row in rows for other, cell in zip(head[1:], row[1:], strict=True) if cell}
    classes = suit_classes(7)
    hands, weights = classes.cards(), classes.weights.astype(int)
    ways = [way for way in house_ways() if way.cards == 7]
    fronts = {way.id: CompiledWay(way).set_hands(hands).low for way in ways}
    found = {}
    for one, other in combinations(fronts, 2):
        count = int(weights[(fronts[one] != fronts[other]).any(axis=1)].sum())
        found[one, other] = f"{count:,} ({count / 154_143_080:.2%})"
    assert said == found
