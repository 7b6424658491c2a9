"""The growing edge of a tree: leaves come in, whole tiles of 256 hashes go out, the root is known at any time.

A tile of level 0 holds 256 leaves, one of level 1 the roots of 256 tiles of level 0, and so on. Kept tiles are enough
for every proof; the edge itself is at most 255 hashes a level, however large the tree is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from houseway.proofs.merkle import EMPTY_ROOT, HASH_BYTES, node_hash, subtree_root

TILE_LEVELS: Final = 8
TILE: Final = 1 << TILE_LEVELS
"""Hashes of a whole tile."""


@dataclass(frozen=True)
class Tile:
    """Some hashes of one level, from a multiple of 256 on; whole if there are 256 of them."""

    level: int
    number: int
    hashes: tuple[bytes, ...]

    @property
    def data(self) -> bytes:
        """The hashes as they are kept."""
        return b"".join(self.hashes)

    @classmethod
    def read(cls, level: int, number: int, data: bytes) -> Tile:
        """A tile from what was kept of it."""
        return cls(level, number, split_hashes(data))

    @cached_property
    def root(self) -> bytes:
        """The root of a whole tile."""
        return subtree_root(self.hashes)


def split_hashes(data: bytes) -> tuple[bytes, ...]:
    """Hashes that stand one behind the other."""
    return tuple(data[place : place + HASH_BYTES] for place in range(0, len(data), HASH_BYTES))


class TreeEdge:
    """The hashes of a tree that belong to no whole tile yet."""

    def __init__(self, levels: Iterable[Sequence[bytes]] = ()) -> None:
        """Go on from the hashes of each level, those of leaves first."""
        self._levels = [list(level) for level in levels]
        # Each entry of a level stands for 256 times as many leaves as one below; whole tiles are counted further up.
        self.size = sum(len(hashes) << TILE_LEVELS * level for level, hashes in enumerate(self._levels))
        """How many leaves the tree has."""

    def append(self, leaf: bytes) -> list[Tile]:
        """Take the next leaf; returns the tiles that it completes, the lowest first."""
        made, number, hash_ = list[Tile](), self.size >> TILE_LEVELS, leaf
        self.size += 1
        for level in range(len(self._levels) + 1):
            if level == len(self._levels):
                self._levels.append([])
            hashes = self._levels[level]
            hashes.append(hash_)
            if len(hashes) < TILE:
                return made
            tile = Tile(level, number, tuple(hashes))
            made.append(tile)
            hashes.clear()
            number, hash_ = number >> TILE_LEVELS, tile.root
        return made

    def leaves(self) -> Tile:
        """The last leaves, as many as make no whole tile."""
        return Tile(0, self.size >> TILE_LEVELS, tuple(self._levels[0]) if self._levels else ())

    def root(self) -> bytes:
        """The root of the tree as it stands."""
        root: bytes | None = None
        for hashes in self._levels:
            end, part = len(hashes), 1
            # From the right to the left, the smallest whole subtree first.
            while end:
                if end & part:
                    subtree = subtree_root(hashes[end - part : end])
                    root = subtree if root is None else node_hash(subtree, root)
                    end -= part
                part <<= 1
        return EMPTY_ROOT if root is None else root
