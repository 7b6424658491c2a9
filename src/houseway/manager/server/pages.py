"""Answers in pages: what people and devices enter over the years is told a page at a time, so that no line is too long.

A page names where it ended in `next`; the same question with that as `after` brings the next page.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import msgspec

MOST_ON_PAGE: Final = 100
MOST_BYTES: Final = 1024 * 1024
"""Bytes on a page, unless a single entry has more."""

T = TypeVar("T")


def page(name: str, among: Mapping[str, T], view: Callable[[T], object], after: str) -> dict[str, Any]:
    """The entries after the one that the question names, in the order of their names, as many as fit on a page.

    >>> page("letters", {"a": 1, "b": 2, "c": 3}, lambda number: {"is": number}, "a")
    {'letters': ({'is': 2}, {'is': 3}), 'next': None}
    """
    ids = heapq.nsmallest(MOST_ON_PAGE + 1, (id_ for id_ in among if id_ > after))
    entries: list[object] = []
    size = 0
    for id_ in ids[:MOST_ON_PAGE]:
        entry = view(among[id_])
        size += len(msgspec.json.encode(entry))
        if entries and size > MOST_BYTES:
            break
        entries.append(entry)
    is_last = len(entries) == len(ids)
    return {name: tuple(entries), "next": None if is_last else ids[len(entries) - 1]}
