"""Wager limits and the number of games a player may bet on: dated settings, never constants of the code."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any, Final

LICENCES: Final = ("commercial", "tribal")


@dataclass(frozen=True, slots=True)
class WagerRange:
    """The least and the most that may be bet on a wager, in cents; None where no bound is set."""

    least: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits in force at a table: `any` for every wager, and ranges of single wagers."""

    any: WagerRange = field(default_factory=WagerRange)
    wagers: dict[str, WagerRange] = field(default_factory=dict)
    separate_games: int | None = None
    as_of: date | None = None
    """The day whose limits these are, where one was given: the sheet's edition of that day holds too."""

    def ranges(self, wager: str) -> tuple[WagerRange, ...]:
        """The ranges that a wager must keep."""
        own = self.wagers.get(wager)
        return (self.any,) if own is None else (self.any, own)


@dataclass(frozen=True, slots=True)
class DatedLimits:
    """What held on a day for a kind of licence, and on which basis."""

    highest_wager: int | None = None
    separate_games: int | None = None
    basis: tuple[str, ...] = ()
    day: date | None = None
    """The day, as far as it was read."""


@cache
def _entries() -> tuple[dict[str, Any], ...]:
    text = files("houseway.games").joinpath("data/limits.toml").read_text(encoding="utf-8")
    return tuple(sorted(tomllib.loads(text)["limit"], key=lambda entry: entry["from"]))


def limits_on(day: date, licence: str = "commercial") -> DatedLimits:
    """The limits that the documents set on a day for a licence type.

    >>> limits_on(date(2022, 5, 1)).highest_wager, limits_on(date(2024, 5, 1)).highest_wager
    (30000, 40000)
    >>> limits_on(date(2022, 5, 1)).separate_games, limits_on(date(2024, 5, 1)).separate_games
    (4, None)
    """
    highest: int | None = None
    games: int | None = None
    basis: dict[str, str] = {}
    for entry in _entries():
        if entry["licence"] != licence or entry["from"] > day:
            continue
        if "highest_wager" in entry:
            highest = entry["highest_wager"]
            basis["highest_wager"] = entry["basis"]
        if "separate_games" in entry:
            games = entry["separate_games"] or None
            basis["separate_games"] = entry["basis"]
    return DatedLimits(highest, games, tuple(basis.values()))
