"""Many seeds: what went wrong, by seed, and what all of them together have met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from instruments.simulator.coverage import missing
from instruments.simulator.runner import STEPS, run_seed


@dataclass(frozen=True)
class Failure:
    """A seed that failed, and why."""

    seed: int
    why: str

    def __str__(self) -> str:
        """How to see it again."""
        return f"seed {self.seed} failed (scripts/simulate-floor --seed {self.seed}): {self.why}"


@dataclass
class Report:
    """What became of some seeds."""

    seeds: int = 0
    failures: list[Failure] = field(default_factory=list)
    accepted: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    seen: Counter[str] = field(default_factory=Counter)

    def add(self, other: Report) -> None:
        """Put another report's figures on top."""
        self.seeds += other.seeds
        self.failures += other.failures
        self.accepted += other.accepted
        self.refused += other.refused
        self.seen += other.seen

    @property
    def missing(self) -> list[str]:
        """What was never met."""
        return missing(self.accepted, self.refused, self.seen)

    def __str__(self) -> str:
        """The figures in a line, and every failure in its own."""
        carried_out, refused = sum(self.accepted.values()), sum(self.refused.values())
        figures = f"{self.seeds} seeds, {carried_out} commands carried out, {refused} refused"
        return "\n".join([f"{figures}, {len(self.failures)} seeds failed", *map(str, self.failures)])


def run_seeds(seeds: Iterable[int], steps: int = STEPS) -> Report:
    """Run seeds one after the other; one that fails does not stop the others."""
    report = Report()
    for seed in seeds:
        report.seeds += 1
        try:
            outcome = run_seed(seed, steps)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong is this seed's failure
            report.failures.append(Failure(seed, f"{type(error).__name__}: {error}"))
            continue
        report.accepted += outcome.accepted
        report.refused += outcome.refused
        report.seen += outcome.seen
    return report
