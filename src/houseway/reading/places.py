"""Where a value stands: the one notion of a place that all faults have.

In JSON a place is written as a path, `seats[2].wagers.main`; an argument's place is its name. In a file it is found by
its line, so there it is a `Place`: its way through the document, and what a sentence calls it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

Parts: TypeAlias = tuple[str | int, ...]
"""A way into a document, by keys of objects and indexes of lists: `("lines", 2, "pays")`."""

LONGEST_SHOWN: Final = 40
"""Characters of a word from the input that a message repeats."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file, and its name in a sentence: `"pays" of line 3`."""

    parts: Parts
    name: str

    def key(self, key: str) -> Place:
        """The place of a key of the table that stands here."""
        return Place((*self.parts, key), f'"{excerpt(key)}" of {self.name}')

    def element(self, index: int, name: str = "") -> Place:
        """The place of an element of the list that stands here; sentences count from 1."""
        return Place((*self.parts, index), name or f"element {index + 1} of {self.name}")

    def __str__(self) -> str:
        """The place as a path."""
        return path_of(self.parts)


AnyPlace: TypeAlias = str | Place


def path_of(parts: Parts) -> str:
    """A way into a document as a path.

    >>> path_of(("seats", 2, "wagers", "main"))
    'seats[2].wagers.main'
    """
    path = ""
    for part in parts:
        path = f"{path}[{part}]" if isinstance(part, int) else below(path, part)
    return path


def below(path: str, key: str) -> str:
    """The path of a key of the object at a path.

    >>> below("", "seats"), below("do", "round")
    ('seats', 'do.round')
    """
    return f"{path}.{key}" if path else key


def key_of(place: AnyPlace, key: str) -> AnyPlace:
    """The place of a key of the object or table at a place."""
    return below(place, excerpt(key)) if isinstance(place, str) else place.key(key)


def element_of(place: AnyPlace, index: int) -> AnyPlace:
    """The place of an element of the list at a place."""
    return f"{place}[{index}]" if isinstance(place, str) else place.element(index)


def excerpt(text: str) -> str:
    r"""A word from the input, short and printable enough for a message.

    >>> excerpt("a\x1b[2J" + "b" * 50)
    'a?[2Jbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb...'
    """
    # Only what is shown is looked at: an input may be a text of a megabyte.
    cut = text[:LONGEST_SHOWN]
    clean = cut if cut.isprintable() else "".join(one if one.isprintable() else "?" for one in cut)
    return f"{clean}..." if len(text) > LONGEST_SHOWN else clean
