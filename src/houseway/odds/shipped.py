"""What the files of shipped results have in common: where they lie, and the fingerprint of what made them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from houseway.ranking.tables import TABLE_PATH

DATA: Final = Path(__file__).parent / "data"


def fingerprint_of(inputs: Mapping[str, Any]) -> str:
    """The hash over a result's inputs that it carries, so that it is never used for other rules."""
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()


@cache
def order_of_hands() -> str:
    """The hash of the ranking tables, an input of every result."""
    return hashlib.sha256(TABLE_PATH.read_bytes()).hexdigest()
