"""What every sweep of a house way reports, compiled or not: outcomes with the number of hands and a few examples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from houseway.houseways.interpret import Status

Progress = Callable[[int, int], None]
"""Called now and then with the number of hands done and the number of all hands."""

EXAMPLES: Final = 3
"""How many hands are shown of each outcome."""


class SweepFinding(NamedTuple):
    """Hands with one outcome: the places of the question and of up to two rules in the way, how many, and some."""

    status: Status
    question: int | None
    rules: tuple[int, ...]
    hands: int
    examples: tuple[tuple[int, ...], ...]
