"""The page on house ways lists every rule with its number of hands and its sentence."""

from __future__ import annotations

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
