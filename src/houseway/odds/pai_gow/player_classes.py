"""The suit classes of the player's hands, and which class every hand belongs to."""

from __future__ import annotations

from functools import cache as kept
from math import comb
from typing import Any

from houseway.odds.pai_gow.dealer_tables import rules_fingerprint
from houseway.odds.pai_gow.layouts import DECK
from houseway.odds.pai_gow.probe_kernels import Classes, number_hands
from houseway.odds.running.cache import Cache
from houseway.ranking.suit_classes import SuitClasses, suit_classes

import numpy as np  # isort: skip  (after the check for the optional part in `probe_kernels`)


@kept
def classes_of(size: int) -> SuitClasses:
    """The classes of hands of that many cards, with the joker."""
    return suit_classes(size)


def class_table(size: int, cache: Cache | None) -> Classes:
    """The number of the class of every hand, by the hand's place in the combinatorial order."""

    def build() -> dict[str, Any]:
        classes = classes_of(size)
        class_of = np.zeros(comb(DECK, size), np.int32)
        number_hands(classes.keys, class_of)
        return {"class_of": class_of}

    arrays = build() if cache is None else cache.arrays(f"classes-{size}", {"rules": rules_fingerprint()}, build)
    table: Classes = arrays["class_of"]
    return table
