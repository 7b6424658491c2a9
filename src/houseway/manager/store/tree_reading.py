"""The Merkle tree of a journal as its database holds it: tiles, and the leaves of events that no whole tile has yet.

Nothing that is read here is believed: whoever uses it checks the root against a signed head, or the leaves against
the signed chain.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from sqlalchemy import select

from houseway.errors import InputError, present
from houseway.manager.store import schema
from houseway.manager.store.reading import WINDOW, View
from houseway.manager.store.store_errors import JournalDamagedError
from houseway.manager.store.trust import Trust
from houseway.proofs.merkle import HASH_BYTES, subtree_root
from houseway.proofs.notes import LOG_KEY, NoteKey
from houseway.proofs.tree_edge import TILE, TILE_LEVELS, Tile, TreeEdge
from houseway.proofs.tree_heads import SignedHead, read_head

ORIGIN: Final = "houseway/"
"""How the name of a journal's log begins; the first digits of its id follow."""
_DIGITS: Final = 16
_CACHED: Final = 64


class StoredHead(NamedTuple):
    """A head as it is stored: its size, the size of the one before it, and its text."""

    size: int
    base: int
    note: str


def origin_of(journal_id: str) -> str:
    """The name under which a journal signs heads.

    >>> origin_of("00112233445566778899aabbccddeeff")
    'houseway/0011223344556677'
    """
    return f"{ORIGIN}{journal_id[:_DIGITS]}"


def log_keys(trust: Trust, origin: str) -> list[NoteKey]:
    """The keys that sign the heads of a journal."""
    return [NoteKey(origin, LOG_KEY, key.public_bytes_raw()) for key in trust.public.values()]


class TreeReader:
    """The tree as a view of the database has it."""

    def __init__(self, view: View) -> None:
        """Read from a view, which sees one moment of the journal."""
        self._view = view
        self._tiles: dict[tuple[int, int], tuple[bytes, ...]] = {}

    @property
    def origin(self) -> str:
        """The name of the log."""
        return origin_of(present(self._view.journal_id(), "id of the journal"))

    # Heads

    def newest_head(self) -> SignedHead | None:
        """The stored head with the most events."""
        found = self._view.rows(select(schema.heads.c.note).order_by(schema.heads.c.size.desc()).limit(1))
        return read_stored(found[0][0]) if found else None

    def head_at(self, size: int) -> SignedHead | None:
        """The stored head of so many events."""
        found = self._view.rows(select(schema.heads.c.note).where(schema.heads.c.size == size))
        return read_stored(found[0][0]) if found else None

    def heads(self, low: int = 0, high: int | None = None) -> Iterator[StoredHead]:
        """The stored heads of more than `low` events, up to `high`, in order."""
        table = schema.heads
        while True:
            statement = select(table).where(table.c.size > low).order_by(table.c.size).limit(WINDOW)
            found = self._view.rows(statement if high is None else statement.where(table.c.size <= high))
            yield from (StoredHead(*row) for row in found)
            if len(found) < WINDOW:
                return
            low = found[-1][0]

    # Hashes

    def edge_at(self, size: int) -> TreeEdge:
        """The growing edge behind so many events."""
        levels, count, level = [], size, 0
        while count:
            number, width = divmod(count, TILE)
            levels.append(self._part(level, number, 0, width) if width else ())
            count, level = number, level + 1
        return TreeEdge(levels)

    def node(self, level: int, place: int) -> bytes:
        """The root of a whole subtree (a `NodeSource`)."""
        tile_level, inner = divmod(level, TILE_LEVELS)
        number, offset = divmod(place << inner, TILE)
        return subtree_root(self._part(tile_level, number, offset, offset + (1 << inner)))

    def stored_tiles(self, level: int, number: int) -> list[Tile]:
        """The rows of a tile, the widest last; what was archived away may have left one that is not whole."""
        table = schema.tiles
        asked = select(table.c.hashes).where(table.c.level == level, table.c.number == number).order_by(table.c.width)
        return [Tile.read(level, number, bytes(data)) for (data,) in self._view.rows(asked)]

    def _part(self, level: int, number: int, low: int, high: int) -> tuple[bytes, ...]:
        """Some hashes of a tile; `JournalDamagedError` if they are not there."""
        hashes = self._tile(level, number)[low:high]
        if len(hashes) < high - low:
            message = "neither this tile nor the events under it are there: verify the journal"
            raise JournalDamagedError(f"tiles[{level}/{number}]", message)
        return hashes

    def _tile(self, level: int, number: int) -> tuple[bytes, ...]:
        """The hashes of a tile, as many as there are."""
        found = self._tiles.get((level, number))
        if found is None:
            stored = self.stored_tiles(level, number)
            found = stored[-1].hashes if stored else ()
            if len(found) < TILE:
                found = self._leaves(number, found) if level == 0 else self._roots(level - 1, number)
            while len(self._tiles) >= _CACHED:
                self._tiles.pop(next(iter(self._tiles)))
            self._tiles[level, number] = found
        return found

    def _leaves(self, number: int, known: tuple[bytes, ...]) -> tuple[bytes, ...]:
        """Known leaves of a tile and those of the events behind them."""
        low, table = number * TILE + len(known), schema.events
        asked = select(table.c.seq, table.c.leaf).where(table.c.seq > low, table.c.seq <= (number + 1) * TILE)
        leaves = list(known)
        for seq, leaf in self._view.rows(asked.order_by(table.c.seq)):
            if seq != number * TILE + len(leaves) + 1:
                break
            leaves.append(read_leaf(seq, leaf))
        return tuple(leaves)

    def _roots(self, level: int, above: int) -> tuple[bytes, ...]:
        """The roots of the whole tiles under a tile of the next level."""
        table, first = schema.tiles, above * TILE
        asked = select(table.c.number, table.c.root).where(
            table.c.level == level, table.c.width == TILE, table.c.number >= first, table.c.number < first + TILE
        )
        stored: dict[int, bytes] = {number: bytes(root) for number, root in self._view.rows(asked) if root is not None}
        roots = []
        for number in range(first, first + TILE):
            root = stored.get(number)
            if root is None:
                # Not kept yet: as long as the events are there, they have it.
                hashes = self._tile(level, number)
                if len(hashes) < TILE:
                    break
                root = subtree_root(hashes)
            roots.append(root)
        return tuple(roots)


def read_leaf(seq: int, digits: str) -> bytes:
    """The leaf of an event; `JournalDamagedError` if it is none."""
    try:
        leaf = bytes.fromhex(digits)
    except ValueError:
        leaf = b""
    if len(leaf) != HASH_BYTES:
        raise JournalDamagedError(f"events[{seq}]", "its leaf is no hash")
    return leaf


def read_stored(note: str) -> SignedHead:
    """A head as it is stored; `JournalDamagedError` if it cannot be read."""
    try:
        return read_head(note)
    except InputError as error:
        raise JournalDamagedError("heads", f"a stored head cannot be read: {error}") from None
