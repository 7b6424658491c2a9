"""Metrics as text: families of samples in the exposition format that Prometheus and most others read.

An amount of money is written as an exact decimal number: it never passes through a float here.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


class Sample(NamedTuple):
    """One figure of a family."""

    value: int | float | str
    """A text is written as it stands: an exact decimal number."""
    labels: Mapping[str, str] = {}
    suffix: str = ""
    """Behind the family's name: the parts of a histogram have one."""


@dataclass(frozen=True)
class MetricFamily:
    """Figures of one meaning, told apart by labels."""

    name: str
    kind: Literal["counter", "gauge", "histogram"]
    about: str
    samples: Sequence[Sample]


class Histogram:
    """How many of what was measured lay below each of some bounds. One thread at a time may add to it."""

    def __init__(self, bounds: Sequence[float]) -> None:
        """Take the upper bounds in order; what lies above all of them is counted, too."""
        self._bounds = tuple(bounds)
        self._counts = [0] * (len(self._bounds) + 1)
        self._sum = 0.0

    def add(self, value: float) -> None:
        """Count one value."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def samples(self) -> list[Sample]:
        """The counts as Prometheus wants them: each with all below."""
        found, below = [], 0
        for bound, count in zip((*self._bounds, math.inf), self._counts, strict=True):
            below += count
            found.append(Sample(below, {"le": _number(bound)}, "_bucket"))
        return [*found, Sample(self._sum, {}, "_sum"), Sample(below, {}, "_count")]


def exposition(families: Iterable[MetricFamily]) -> bytes:
    """All families as text."""
    lines = []
    for family in families:
        lines += [f"# HELP {family.name} {_in_line(family.about)}", f"# TYPE {family.name} {family.kind}"]
        for sample in family.samples:
            labels = ",".join(f'{name}="{_quoted(value)}"' for name, value in sample.labels.items())
            shown = f"{{{labels}}}" if labels else ""
            lines.append(f"{family.name}{sample.suffix}{shown} {_number(sample.value)}")
    return ("\n".join(lines) + "\n").encode()


def decimal_dollars(micros: int) -> str:
    """Millionths of a dollar as an exact decimal number.

    >>> decimal_dollars(1_234_567_890), decimal_dollars(-500_000)
    ('1234.567890', '-0.500000')
    """
    whole, rest = divmod(abs(micros), 1_000_000)
    return f"{'-' if micros < 0 else ''}{whole}.{rest:06d}"


def _number(value: float | str) -> str:
    if isinstance(value, float):
        return "+Inf" if value == math.inf else repr(value)
    return str(value)


def _in_line(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def _quoted(text: str) -> str:
    return _in_line(text).replace('"', '\\"')
