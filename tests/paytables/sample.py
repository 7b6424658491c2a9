"""A small good table, and a way to break it, for the loader's tests."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from houseway.errors import InputError
from houseway.paytables import PayTable, parse_paytable

# A busy machine is no fault of a table: examples may take as long as they need.
UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

GOOD = """\
id = "ROOM-1"
title = "A room's own jackpot"
wager = "progressive"
games = ["six-card-fortune"]
unit = "for-1"
approved = false
not_approved_because = "a design study"
levels = ["main"]
fixed_from_meter = false
lines = [
  { hand = "five-aces", pays = 2000, envy_dollars = 50 },
  { hand = "royal-flush", percent = 100, level = "main" },
  { hand = "straight-flush", pays = 100 },
]
notes = ["made for a test"]

[source]
document = "design study"
section = "page 1"
edition = "first draft"

[printed]
house_advantage = "20.5%"
"""


def parse(text: str | bytes, name: str = "ROOM-1.toml") -> PayTable:
    return parse_paytable(text if isinstance(text, bytes) else text.encode(), name)


def faults_of(text: str | bytes, name: str = "ROOM-1.toml") -> list[tuple[str, int, str]]:
    """Every fault of a broken table: code, line, message. The file's name is checked on the way."""
    with pytest.raises(InputError) as refused:
        parse(text, name)
    found = []
    for fault in refused.value.faults:
        file, _, line = fault.path.rpartition(":")
        assert file == name
        found.append((fault.code, int(line), fault.message))
    return found


def changed(old: str, new: str) -> str:
    assert GOOD.count(old) == 1, f"{old!r} stands {GOOD.count(old)} times in the sample"
    return GOOD.replace(old, new)


def line_with(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.split("\n"), 1) if part in line)
