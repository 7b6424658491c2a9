"""Small jobs for the tests of jobs and executors, in a module that worker processes can import."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from houseway.errors import MissingPartError
from houseway.odds.running.cache import Cache
from houseway.odds.running.jobs import JsonValue


@dataclass(frozen=True)
class Powers:
    """Numbers far beyond a machine word; every part that is run is written into a log."""

    log: Path
    parts: int = 6
    name: str = "powers"
    key: Mapping[str, str] = field(default_factory=lambda: {"base": "3"})

    def run_part(self, number: int, cache: Cache | None) -> JsonValue:
        with self.log.open("a") as log:
            log.write(f"{number}\n")
        return {"power": 3 ** (100 + number), "halves": [number / 2, (number, None)]}  # type: ignore[dict-item]

    def runs(self) -> list[int]:
        """The parts that were run so far, in the order in which they began."""
        return [int(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []


@dataclass(frozen=True)
class Gated(Powers):
    """Parts from `gate` on wait until a file is there."""

    gate: int = 3

    def run_part(self, number: int, cache: Cache | None) -> JsonValue:
        result = super().run_part(number, cache)
        while number >= self.gate and not self.log.with_name("go").exists():
            time.sleep(0.01)
        return result


@dataclass(frozen=True)
class Killed(Powers):
    """One part is ended from outside, as if memory had run out, after all others are kept."""

    victim: int = 4

    def run_part(self, number: int, cache: Cache | None) -> JsonValue:
        assert cache is not None
        result = super().run_part(number, cache)
        if number == self.victim:
            folder = cache.parts_folder(self.name, self.key)
            while len(list(folder.glob("*.json"))) < self.parts - 1:
                time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGKILL)
        return result


@dataclass(frozen=True)
class Failing(Powers):
    """Every part finds something missing."""

    def run_part(self, number: int, cache: Cache | None) -> JsonValue:
        raise MissingPartError("the weather is missing")


@dataclass(frozen=True)
class Tables(Powers):
    """Every part reads a table out of the cache, which one of them builds."""

    def run_part(self, number: int, cache: Cache | None) -> JsonValue:
        import numpy as np

        assert cache is not None

        def build() -> dict[str, np.ndarray]:
            super(Tables, self).run_part(number, cache)
            time.sleep(0.2)
            return {"squares": np.arange(1000) ** 2}

        # Workers of a cluster have a cache of their own: an entry of this job, not of an earlier one.
        return int(cache.arrays("squares", {"for": str(self.log)}, build)["squares"][number])
