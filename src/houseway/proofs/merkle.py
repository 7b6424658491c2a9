"""The Merkle tree of RFC 6962 over hashes of leaves: roots, paths that prove a leaf or growth, and checking them.

Paths are made from whole subtrees, which a `NodeSource` gives; whoever checks a path needs nothing but hashes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Final

HASH_BYTES: Final = 32
EMPTY_ROOT: Final = sha256(b"").digest()
"""The root of a tree without leaves."""
_NODE: Final = b"\x01"
"""Before the children of an inner node: no leaf can pass for one."""

NodeSource = Callable[[int, int], bytes]
"""From level and place to the root of the whole subtree of 2**level leaves that begins at leaf place * 2**level."""


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node."""
    return sha256(_NODE + left + right).digest()


def subtree_root(hashes: Sequence[bytes]) -> bytes:
    """The root over hashes of one level, as many as a power of two."""
    row = list(hashes)
    while len(row) > 1:
        row = [node_hash(row[place], row[place + 1]) for place in range(0, len(row), 2)]
    return row[0]


def tree_root(size: int, node: NodeSource) -> bytes:
    """The root of the tree of the first `size` leaves.

    >>> leaves = [sha256(bytes([0, number])).digest() for number in range(3)]
    >>> root = tree_root(3, node_source(leaves))
    >>> root == node_hash(node_hash(leaves[0], leaves[1]), leaves[2])
    True
    """
    return _range_root(0, size, node) if size else EMPTY_ROOT


def inclusion_path(index: int, size: int, node: NodeSource) -> list[bytes]:
    """The hashes that lead from leaf `index` to the root of the first `size` leaves, the leaf's sibling first."""
    low, high, path = 0, size, list[bytes]()
    while high - low > 1:
        middle = low + _left_part(high - low)
        if index < middle:
            path.append(_range_root(middle, high, node))
            high = middle
        else:
            path.append(_range_root(low, middle, node))
            low = middle
    return path[::-1]


def consistency_path(old: int, new: int, node: NodeSource) -> list[bytes]:
    """The hashes that prove that the tree of the first `new` leaves begins with that of the first `old`."""
    if old in (0, new):
        return []
    low, high, path, is_old_root = 0, new, list[bytes](), True
    while old < high:
        middle = low + _left_part(high - low)
        if old <= middle:
            path.append(_range_root(middle, high, node))
            high = middle
        else:
            path.append(_range_root(low, middle, node))
            low, is_old_root = middle, False
    # Whoever checks knows the old root; any other subtree that ends with it is told.
    return ([] if is_old_root else [_range_root(low, high, node)]) + path[::-1]


def root_from_path(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """The root to which a path leads from a leaf; None if a path of this length cannot lead there."""
    if not 0 <= index < size:
        return None
    place, last, root = index, size - 1, leaf
    for hash_ in path:
        if last == 0:
            return None
        if place & 1 or place == last:
            root = node_hash(hash_, root)
            while place and not place & 1:
                place, last = place >> 1, last >> 1
        else:
            root = node_hash(root, hash_)
        place, last = place >> 1, last >> 1
    return root if last == 0 else None


def is_consistent(old: int, old_root: bytes, new: int, new_root: bytes, path: Sequence[bytes]) -> bool:
    """Whether a path proves that the tree of `new` leaves has grown out of that of `old`."""
    if not 0 <= old <= new:
        return False
    if old == 0:
        return not path and old_root == EMPTY_ROOT and (new > 0 or new_root == EMPTY_ROOT)
    if old == new:
        return not path and old_root == new_root
    hashes = [old_root, *path] if old & (old - 1) == 0 else list(path)
    if not hashes:
        return False
    place, last = old - 1, new - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    first = second = hashes[0]
    for hash_ in hashes[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            first, second = node_hash(hash_, first), node_hash(hash_, second)
            while place and not place & 1:
                place, last = place >> 1, last >> 1
        else:
            second = node_hash(second, hash_)
        place, last = place >> 1, last >> 1
    return last == 0 and first == old_root and second == new_root


def node_source(leaves: Sequence[bytes]) -> NodeSource:
    """Subtrees over leaves that are all at hand."""
    return lambda level, place: subtree_root(leaves[place << level : (place + 1) << level])


def _left_part(size: int) -> int:
    """How many of several leaves lie in the left subtree: the largest power of two below their number."""
    return 1 << (size - 1).bit_length() - 1


def _range_root(low: int, high: int, node: NodeSource) -> bytes:
    """The root over some leaves of a tree, which begin where a subtree does."""
    size = high - low
    if size & (size - 1) == 0:
        level = size.bit_length() - 1
        return node(level, low >> level)
    middle = low + _left_part(size)
    return node_hash(_range_root(low, middle, node), _range_root(middle, high, node))
