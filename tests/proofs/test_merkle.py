"""The tree against a plain recursive one, as RFC 6962 writes it down; every proof holds, and no other one does."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.proofs.merkle import (
    EMPTY_ROOT,
    consistency_path,
    inclusion_path,
    is_consistent,
    node_source,
    root_from_path,
    subtree_root,
    tree_root,
)
from houseway.proofs.tree_edge import TILE, Tile, TreeEdge

LEAVES = [sha256(b"\x00" + number.to_bytes(4, "big")).digest() for number in range(2_000)]
NODES = node_source(LEAVES)


# The reference: sections 2.1, 2.1.1 and 2.1.2 of RFC 6962, word for word.


def plain_root(leaves: list[bytes]) -> bytes:
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    k = split(len(leaves))
    return sha256(b"\x01" + plain_root(leaves[:k]) + plain_root(leaves[k:])).digest()


def plain_path(m: int, leaves: list[bytes]) -> list[bytes]:
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    if m < k:
        return [*plain_path(m, leaves[:k]), plain_root(leaves[k:])]
    return [*plain_path(m - k, leaves[k:]), plain_root(leaves[:k])]


def plain_subproof(m: int, leaves: list[bytes], is_whole: bool) -> list[bytes]:
    if m == len(leaves):
        return [] if is_whole else [plain_root(leaves)]
    k = split(len(leaves))
    if m <= k:
        return [*plain_subproof(m, leaves[:k], is_whole), plain_root(leaves[k:])]
    return [*plain_subproof(m - k, leaves[k:], False), plain_root(leaves[:k])]


def split(size: int) -> int:
    k = 1
    while 2 * k < size:
        k *= 2
    return k


def flipped(data: bytes, bit: int) -> bytes:
    return (int.from_bytes(data, "big") ^ (1 << bit % (8 * len(data)))).to_bytes(len(data), "big")


SIZES = st.integers(1, 300)
BITS = st.integers(0, 255)


def test_every_root_of_the_first_leaves_is_the_plain_one() -> None:
    edge = TreeEdge()
    assert edge.root() == tree_root(0, NODES) == plain_root([]) == EMPTY_ROOT
    for size in range(1, 300):
        edge.append(LEAVES[size - 1])
        assert edge.size == size
        assert edge.root() == tree_root(size, NODES) == plain_root(LEAVES[:size])


@given(SIZES, st.data())
@settings(max_examples=150)
def test_a_path_leads_from_its_leaf_to_the_root_and_from_nothing_else(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    path, root = inclusion_path(index, size, NODES), plain_root(LEAVES[:size])
    assert path == plain_path(index, LEAVES[:size])
    assert root_from_path(LEAVES[index], index, size, path) == root
    assert root_from_path(flipped(LEAVES[index], data.draw(BITS)), index, size, path) != root
    assert root_from_path(LEAVES[index], index, size, [*path, LEAVES[0]]) is None
    other_index, other_size = data.draw(st.integers(0, 400)), data.draw(st.integers(0, 400))
    # A path fixes place and size only together with the root that is signed for that size.
    if other_index != index and other_index < size:
        assert root_from_path(LEAVES[index], other_index, size, path) != root
    if other_size != size and other_index == index:
        assert other_size > index or root_from_path(LEAVES[index], index, other_size, path) is None
    if path:
        place = data.draw(st.integers(0, len(path) - 1))
        altered = [*path[:place], flipped(path[place], data.draw(BITS)), *path[place + 1 :]]
        assert root_from_path(LEAVES[index], index, size, altered) != root
        assert root_from_path(LEAVES[index], index, size, path[:-1]) is None


@given(SIZES, st.data())
@settings(max_examples=150)
def test_growth_is_proved_between_any_two_sizes_and_only_by_their_path(new: int, data: st.DataObject) -> None:
    old = data.draw(st.integers(1, new))
    path = consistency_path(old, new, NODES)
    old_root, new_root = plain_root(LEAVES[:old]), plain_root(LEAVES[:new])
    assert path == plain_subproof(old, LEAVES[:new], True)
    assert is_consistent(old, old_root, new, new_root, path)
    bit = data.draw(BITS)
    assert not is_consistent(old, flipped(old_root, bit), new, new_root, path)
    assert not is_consistent(old, old_root, new, flipped(new_root, bit), path)
    assert not is_consistent(old, old_root, new, new_root, [*path, new_root])
    if path:
        place = data.draw(st.integers(0, len(path) - 1))
        altered = [*path[:place], flipped(path[place], bit), *path[place + 1 :]]
        assert not is_consistent(old, old_root, new, new_root, altered)
        assert not is_consistent(old, old_root, new, new_root, path[:-1])
        assert not is_consistent(new, new_root, old, old_root, path)


@given(SIZES, st.data())
@settings(max_examples=100)
def test_no_path_leads_to_a_history_that_was_written_again(new: int, data: st.DataObject) -> None:
    """Whoever changes a leaf that was there before finds no path, though he makes it from the changed leaves."""
    old = data.draw(st.integers(1, new))
    changed = data.draw(st.integers(0, old - 1))
    again = [*LEAVES[:changed], flipped(LEAVES[changed], data.draw(BITS)), *LEAVES[changed + 1 : new]]
    path = consistency_path(old, new, node_source(again))
    assert not is_consistent(old, plain_root(LEAVES[:old]), new, plain_root(again), path)


def test_an_empty_log_grows_into_any() -> None:
    assert is_consistent(0, EMPTY_ROOT, 0, EMPTY_ROOT, [])
    assert is_consistent(0, EMPTY_ROOT, 5, plain_root(LEAVES[:5]), [])
    assert not is_consistent(0, LEAVES[0], 5, plain_root(LEAVES[:5]), [])
    assert not is_consistent(0, EMPTY_ROOT, 0, LEAVES[0], [])
    assert not is_consistent(0, EMPTY_ROOT, 5, plain_root(LEAVES[:5]), [LEAVES[0]])
    assert not is_consistent(3, plain_root(LEAVES[:3]), 5, plain_root(LEAVES[:5]), [])
    assert root_from_path(LEAVES[0], 5, 5, []) is root_from_path(LEAVES[0], -1, 5, []) is None


# Tiles


def test_tiles_of_two_levels_hold_what_the_edge_has_let_go() -> None:
    """70,000 leaves: 273 whole tiles of leaves, and one of the level above."""
    leaves = [sha256(number.to_bytes(4, "big")).digest() for number in range(70_000)]
    edge, tiles = TreeEdge(), dict[tuple[int, int], Tile]()
    for leaf in leaves:
        tiles.update(((tile.level, tile.number), tile) for tile in edge.append(leaf))
    assert [len([1 for level, _ in tiles if level == each]) for each in (0, 1, 2)] == [273, 1, 0]
    assert tiles[1, 0].hashes == tuple(tiles[0, number].root for number in range(TILE))
    assert b"".join(tiles[0, number].data for number in range(273)) == b"".join(leaves[: 273 * TILE])
    assert Tile.read(0, 7, tiles[0, 7].data) == tiles[0, 7]
    assert edge.leaves() == Tile(0, 273, tuple(leaves[273 * TILE :]))
    assert edge.root() == tree_root(70_000, node_source(leaves))


@pytest.mark.parametrize("size", [255, 256, 257, 511, 512, 1_000])
def test_an_edge_goes_on_where_another_one_stood(size: int) -> None:
    whole, made = TreeEdge(), list[Tile]()
    for leaf in LEAVES[:size]:
        made += whole.append(leaf)
    again = TreeEdge([whole.leaves().hashes, [tile.root for tile in made if tile.level == 0]])
    for leaf in LEAVES[size : size + 300]:
        assert whole.append(leaf) == again.append(leaf)
    assert whole.root() == again.root() == tree_root(size + 300, NODES)


def test_a_subtree_is_a_tree() -> None:
    assert subtree_root(LEAVES[:8]) == plain_root(LEAVES[:8])
