"""Charts as inline SVG: bars and limits, each with a title and a description for those who cannot see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

WIDTH: Final = 720
_LABELS: Final = 190
_VALUES: Final = 130
_ROW: Final = 22
_MOST: Final = 60
"""Bars of one chart; more are left to the table."""


class Bar(NamedTuple):
    """A bar: what it stands for, how long it is, and the number in words."""

    label: str
    value: int
    text: str


class Shape(NamedTuple):
    """A rectangle of a chart."""

    x: float
    y: float
    width: float
    height: float
    style: str


class Caption(NamedTuple):
    """A text of a chart."""

    x: float
    y: float
    text: str
    anchor: str


class Chart(NamedTuple):
    """A chart that a template draws."""

    title: str
    about: str
    """The same in words, for screen readers."""
    height: int
    shapes: tuple[Shape, ...]
    captions: tuple[Caption, ...]

    @property
    def width(self) -> int:
        """All charts are equally wide."""
        return WIDTH


def bar_chart(title: str, bars: Sequence[Bar]) -> Chart | None:
    """Horizontal bars from one line on, negative ones to the left of it; None where there is nothing to draw."""
    shown = bars[:_MOST]
    if not any(bar.value for bar in shown):
        return None
    low, high = min(0, *(bar.value for bar in shown)), max(0, *(bar.value for bar in shown))
    scale = (WIDTH - _LABELS - _VALUES) / (high - low)
    zero = _LABELS - low * scale
    shapes = [Shape(zero, 0, 1, len(shown) * _ROW, "axis")]
    captions = []
    for place, bar in enumerate(shown):
        top, length = place * _ROW, abs(bar.value) * scale
        left = zero if bar.value >= 0 else zero - length
        shapes.append(Shape(round(left, 1), top + 3, round(length, 1), _ROW - 8, "up" if bar.value >= 0 else "down"))
        captions.append(Caption(_LABELS - 8, top + 15, bar.label, "end"))
        captions.append(Caption(WIDTH, top + 15, bar.text, "end"))
    about = "; ".join(f"{bar.label}: {bar.text}" for bar in shown)
    return Chart(title, about, len(shown) * _ROW, tuple(shapes), tuple(captions))


class LimitBar(NamedTuple):
    """What was found, and between which limits it should lie."""

    label: str
    found: int
    lowest: int
    highest: int
    text: str


def limit_chart(title: str, bars: Sequence[LimitBar]) -> Chart | None:
    """Limits as wide bars and what was found as a mark in them; None where there is nothing to draw."""
    shown = bars[:_MOST]
    if not shown:
        return None
    most = max(1, *(max(bar.found, bar.highest) for bar in shown)) + 1
    scale = (WIDTH - _LABELS - _VALUES - 6) / most
    shapes, captions = [], []
    for place, bar in enumerate(shown):
        top = place * _ROW
        left = _LABELS + bar.lowest * scale
        within = bar.lowest <= bar.found <= bar.highest
        width = max(4.0, (bar.highest - bar.lowest) * scale)
        shapes.append(Shape(round(left, 1), top + 5, round(width, 1), _ROW - 12, "band"))
        mark = _LABELS + bar.found * scale
        shapes.append(Shape(round(mark, 1), top + 1, 4, _ROW - 4, "up" if within else "down"))
        captions.append(Caption(_LABELS - 8, top + 15, bar.label, "end"))
        captions.append(Caption(WIDTH, top + 15, bar.text, "end"))
    about = "; ".join(f"{bar.label}: {bar.text}, limits {bar.lowest} to {bar.highest}" for bar in shown)
    return Chart(title, about, len(shown) * _ROW, tuple(shapes), tuple(captions))
