"""The Merkle tree of a journal, computed again from the events: tiles and signed heads must be what the events make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from sqlalchemy import select

from houseway.errors import InputError
from houseway.manager.core.records import Event
from houseway.manager.store import schema
from houseway.manager.store.findings import AuditFindings
from houseway.manager.store.projections import Row
from houseway.manager.store.reading import View
from houseway.manager.store.store_errors import JournalDamagedError
from houseway.manager.store.tree_reading import StoredHead, TreeReader, read_leaf
from houseway.proofs.merkle import HASH_BYTES, tree_root
from houseway.proofs.notes import NoteKey
from houseway.proofs.tree_edge import TILE, TILE_LEVELS, Tile, TreeEdge
from houseway.proofs.tree_heads import SignedHead, read_head

_BEFORE: Final = 1_000
"""Heads before the first event that are checked against the tiles, the newest ones."""
_TILES_AT_ONCE: Final = 256


class TreeCheck:
    """Checks tiles and heads against the leaves of events as they pass."""

    def __init__(self, view: View, findings: AuditFindings, origin: str, keys: Sequence[NoteKey]) -> None:
        """Begin before the first event; `keys` are those that may sign heads of the log `origin`."""
        self._view = view
        self._findings = findings
        self._origin = origin
        self._keys = keys
        self._reader = TreeReader(view)
        self._edge: TreeEdge | None = TreeEdge()
        self._start = 0
        self._waiting: Iterator[StoredHead] = self._reader.heads()
        self._next = next(self._waiting, None)
        self._newest = self._newest_size()
        self._before = 0
        """The size of the head before."""
        self._is_taken = False
        """Whether the tree was taken from tiles that no signed head has confirmed yet."""
        self.counted: Counter[str] = Counter()
        self.notes: list[str] = []

    @property
    def size(self) -> int:
        """How many leaves have passed, or were taken from tiles."""
        return 0 if self._edge is None else self._edge.size

    def begin(self, seq: int) -> None:
        """Go on behind an event, from the tiles if the events before it have not passed."""
        if self._edge is not None and self._edge.size == seq:
            return
        self._start, self._is_taken = seq, True
        self._waiting = self._reader.heads(seq)
        self._next = next(self._waiting, None)
        try:
            self._edge = self._reader.edge_at(seq)
        except JournalDamagedError as error:
            self._edge = None
            message = f"the tree up to event {seq} cannot be put together: {error}"
            self._findings.note("tiles", _leaves_of(seq), "missing", message)
            return
        self._check_before()
        self._check_kept()

    def see(self, event: Event) -> None:
        """Take the leaf of the next event; one that has passed already is let by."""
        edge = self._edge
        if edge is None or event.seq <= edge.size:
            return
        if event.seq != edge.size + 1:
            self._give_up(event.seq)
            return
        try:
            made = edge.append(read_leaf(event.seq, event.leaf))
        except JournalDamagedError:
            self._give_up(event.seq)
            return
        for tile in made:
            self._compare(tile)
        while self._next is not None and self._next.size <= edge.size:
            self._follow(self._next)
            self._check_head(self._next, edge.root())
            self._next = next(self._waiting, None)

    def finish(self) -> None:
        """Look at what lies beyond the events."""
        edge = self._edge
        if edge is None:
            return
        self._compare_rows(edge.leaves())
        while self._next is not None:
            self._follow(self._next)
            if self._check_head(self._next, None):
                message = f"so many events were signed, and the journal has {edge.size}: its end is gone"
                self._findings.note("heads", self._next.size, "cut-off", message)
            self._next = next(self._waiting, None)
        self._check_strays(edge.size)
        self._check_archived()

    def _give_up(self, seq: int) -> None:
        """Behind a gap no root is known."""
        self.notes.append(f"tiles and signed heads from event {seq} on were not checked: the tree cannot be followed")
        self._edge = None

    # Tiles

    def _compare(self, tile: Tile) -> None:
        """Compare a whole tile with its rows; it must be there if a head covers it."""
        widths = self._compare_rows(tile)
        last = (tile.number + 1) << TILE_LEVELS * (tile.level + 1)
        if last <= self._newest and TILE not in widths:
            name = f"{tile.level}/{tile.number}"
            self._findings.note("tiles", name, "missing", f"the tile under the head of {self._newest} is not there")

    def _compare_rows(self, tile: Tile) -> list[int]:
        """Compare all rows of a tile with its hashes; returns how wide they are."""
        table, data, widths = schema.tiles, tile.data, list[int]()
        asked = select(table.c.width, table.c.root, table.c.hashes)
        for width, root, stored in self._view.rows(
            asked.where(table.c.level == tile.level, table.c.number == tile.number)
        ):
            self.counted["tiles"] += 1
            widths.append(width)
            wanted = tile.root if width == len(tile.hashes) == TILE else None
            found = (bytes(stored), None if root is None else bytes(root))
            if found != (data[: width * HASH_BYTES], wanted):
                name = f"{tile.level}/{tile.number}/{width}"
                self._findings.note("tiles", name, "altered", "its hashes are not those of the events")
        return widths

    def _check_kept(self) -> None:
        """Tiles of events that have not passed have the roots that stand above them, up to those of signed heads."""
        table, level = schema.tiles, 0
        while (end := self._start >> TILE_LEVELS * (level + 1)) > 0:
            low = 0
            while low < end:
                high = min(low + _TILES_AT_ONCE, end)
                asked = select(table).where(table.c.level == level, table.c.number >= low, table.c.number < high)
                rows = self._view.rows(asked.order_by(table.c.number, table.c.width.desc()))
                self._check_kept_rows(level, range(low, high), rows)
                low = high
            level += 1

    def _check_kept_rows(self, level: int, numbers: range, rows: Sequence[Row]) -> None:
        """Each of these tiles is there as a whole and fits; narrower rows, of earlier archives, begin it."""
        whole = dict[int, bytes]()
        for _, number, width, root, stored in rows:
            self.counted["tiles"] += 1
            hashes = bytes(stored)
            if width == TILE and len(hashes) == TILE * HASH_BYTES:
                whole[number], wanted = hashes, Tile.read(level, number, hashes).root
                fits = root is not None and bytes(root) == wanted == self._root_above(level, number)
            else:
                fits = root is None and 0 < width < TILE and whole.get(number, b"")[: width * HASH_BYTES] == hashes
            if not fits:
                message = "its hashes do not lead to what was signed above them"
                self._findings.note("tiles", f"{level}/{number}/{width}", "altered", message)
        covered = range(self._newest >> TILE_LEVELS * (level + 1))
        for number in numbers:
            if number not in whole and number in covered:
                message = f"the tile under the head of {self._newest} is not there"
                self._findings.note("tiles", f"{level}/{number}/{TILE}", "missing", message)

    def _root_above(self, level: int, number: int) -> bytes | None:
        """The root of a tile as the tile above it has it."""
        try:
            return self._reader.node(TILE_LEVELS * (level + 1), number)
        except JournalDamagedError:
            return None

    def _check_strays(self, size: int) -> None:
        """No tile lies beyond the events, or before the first."""
        table = schema.tiles
        for (level,) in self._view.rows(select(table.c.level).distinct()):
            end = size >> TILE_LEVELS * (level + 1) if level >= 0 else 0
            asked = select(table.c.number, table.c.width).where(table.c.level == level)
            outside = asked.where((table.c.number < 0) | (table.c.number >= end)).limit(20)
            for number, width in self._view.rows(outside):
                if level == 0 and number == end and width <= size % TILE:
                    continue  # leaves of events that were archived away
                name = f"{level}/{number}/{width}"
                self._findings.note("tiles", name, "extra", "no events account for this tile")

    def _check_archived(self) -> None:
        """The leaves of events that were archived away are kept."""
        up_to = self._view.archived_up_to()
        if not up_to:
            return
        table, (number, place) = schema.tiles, divmod(up_to - 1, TILE)
        kept = select(table.c.width).where(table.c.level == 0, table.c.number == number, table.c.width > place)
        if not self._view.rows(kept):
            message = f"no tile has the leaves up to event {up_to}, which was archived"
            self._findings.note("tiles", _leaves_of(up_to), "missing", message)

    # Heads

    def _newest_size(self) -> int:
        found = self._view.rows(select(schema.heads.c.size).order_by(schema.heads.c.size.desc()).limit(1))
        return int(found[0][0]) if found else 0

    def _check_before(self) -> None:
        """Check heads of events that have not passed against the tiles."""
        table = schema.heads
        newest = select(table).where(table.c.size <= self._start).order_by(table.c.size.desc()).limit(_BEFORE)
        found = [StoredHead(*row) for row in reversed(self._view.rows(newest))]
        # Those before the first of many are left alone.
        self._before = found[0].base if len(found) == _BEFORE else 0
        for stored in found:
            self._follow(stored)
            try:
                root = tree_root(stored.size, self._reader.node)
            except JournalDamagedError:
                continue
            self._check_head(stored, root)

    def _follow(self, stored: StoredHead) -> None:
        """Heads follow on each other, so that none can be left out."""
        before, self._before = self._before, stored.size
        if stored.base > before:
            message = f"head {stored.size} follows on head {stored.base}, which is not there: one is gone or altered"
            self._findings.note("heads", f"{stored.base} or {stored.size}", "missing", message)
        elif stored.base < before:
            self._findings.note("heads", stored.size, "altered", "it does not follow on the head before it")

    def _check_head(self, stored: StoredHead, root: bytes | None) -> bool:
        """Whether a head is signed as it must be; its root is compared with the one that is known."""
        self.counted["heads"] += 1
        signed = self._read(stored.size, stored.note)
        if signed is None:
            return False
        if root == signed.head.root:
            self._is_taken = False
        elif root is not None and self._is_taken:
            message = f"the leaves kept up to event {self._start} do not lead to the signed head {stored.size}"
            self._findings.note("tiles", _leaves_of(self._start), "altered", message)
        elif root is not None:
            message = "the root that was signed is not that of the events: something was altered, or made again"
            self._findings.note("heads", stored.size, "altered", message)
        return True

    def _read(self, size: int, note: str) -> SignedHead | None:
        """A head whose signature fits; findings else."""
        try:
            signed = read_head(note)
        except InputError as error:
            self._findings.note("heads", size, "unreadable", f"the head cannot be read: {error}")
            return None
        if (signed.head.origin, signed.head.size) != (self._origin, size):
            message = f"it is the head of {signed.head.size} events of {signed.head.origin[:64]}"
            self._findings.note("heads", size, "altered", message)
            return None
        known = {(key.name, key.id) for key in self._keys}
        if any((each.name, each.key_id) not in known for each in signed.note.signatures):
            self._findings.note("heads", size, "unknown-key", "it is signed with a key that is not known")
            return None
        try:
            signed.signers(self._keys)
        except InputError as error:
            self._findings.note("heads", size, "bad-signature", str(error))
            return None
        return signed


def _leaves_of(seq: int) -> str:
    """The row of a tile with the leaves up to an event."""
    number, place = divmod(seq - 1, TILE)
    return f"0/{number}/{place + 1}"
