"""How long somebody may be kept waiting in a test, on a machine that has other work too."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

SECONDS = 2.0
"""What most answers take at most, by far."""
HICCUP = 15.0
"""What one of them may take on a busy machine; whoever is held up waits longer, until a time runs out."""


def assert_prompt(took: Sequence[float]) -> None:
    """Nobody was held up: most answers came soon, and none was held back."""
    assert median(took) < SECONDS, took
    assert max(took) < HICCUP, took
