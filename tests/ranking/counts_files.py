"""Reads the count tables under tests/counts: comments, three facts about the domain, then a name and a count a line."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from houseway.ranking.reference import RANKINGS, Ranking

COUNTS_FOLDER = Path(__file__).parents[1] / "counts"
LESS = "less"
"""The line for the hands that fit none of the names above it."""


class CountsFile(NamedTuple):
    name: str
    source: str
    ranking: Ranking
    cards: int
    hands: int
    counts: dict[str, int]


def read_counts(path: Path) -> CountsFile:
    lines = path.read_text(encoding="utf-8").splitlines()
    comment = " ".join(line.lstrip("# ") for line in lines if line.startswith("#"))
    fields = dict(line.split() for line in lines if not line.startswith("#"))
    return CountsFile(
        path.stem,
        comment.partition("Source: ")[2],
        RANKINGS[fields.pop("order")],
        int(fields.pop("cards")),
        int(fields.pop("hands")),
        {name: int(count) for name, count in fields.items()},
    )


def all_counts_files() -> list[CountsFile]:
    return [read_counts(path) for path in sorted(COUNTS_FOLDER.glob("*.counts"))]
