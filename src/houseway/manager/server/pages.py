"""Answers in pages: what people and devices enter over the years is told a page at a time, so that no line is too long.

A page names where it ended in `next`; the same question with that as `after` brings the next page.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol, TypeVar

import msgspec

from houseway.errors import InputError

MOST_ON_PAGE: Final = 100
MOST_BYTES: Final = 1024 * 1024
"""Bytes on a page, unless a single entry has more."""
PAGED: Final = ("people", "devices", "papers", "incidents", "proposals")
"""Questions that are answered in pages."""

T = TypeVar("T")


class Asker(Protocol):
    """How a question is asked."""

    def __call__(self, what: str, **arguments: object) -> dict[str, Any]:
        """Ask it."""


def page(
    name: str, among: Mapping[str, T], view: Callable[[T], object], arguments: Mapping[str, Any]
) -> dict[str, Any]:
    """The entries after the one that the question names, in the order of their names, as many as fit on a page.

    >>> page("letters", {"a": 1, "b": 2, "c": 3}, lambda number: {"is": number}, {"after": "a"})
    {'letters': ({'is': 2}, {'is': 3}), 'next': None}
    """
    after = arguments.get("after", "")
    if not isinstance(after, str):
        raise InputError.of("bad-message", "after", "name the `next` of the page before, or leave it out")
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


def all_pages(ask: Asker, what: str, **arguments: object) -> dict[str, Any]:
    """The answer to a question with all its pages; the event up to which it holds is the first page's."""
    answer = ask(what, **arguments)
    following = answer.pop("next", None) if what in PAGED else None
    while following is not None:
        further = ask(what, **arguments, after=following)
        answer[what] += further[what]
        following = further["next"]
    return answer
