"""What both databases have in common: the statements, compiled once from the tables, and the reading of a journal."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from sqlalchemy import Dialect, Table, bindparam, delete, func, insert, literal_column, select

from houseway.manager.core.records import GENESIS, Event, SentKey, digest
from houseway.manager.store import schema
from houseway.manager.store.archive_records import check_archives
from houseway.manager.store.guarding import check_guards
from houseway.manager.store.journal import Batch, Checkpoint, SealedSeed, Snapshot, Tail
from houseway.manager.store.store_errors import JournalDamagedError, StoreRefusedError
from houseway.proofs.tree_edge import TILE, Tile

_READ_AT_ONCE: Final = 1_000
ROOM: Final = 256 * 1024
"""Bytes that a large group of commands takes."""


@dataclass(frozen=True)
class Statements:
    """SQL with positional parameters, as one database writes it."""

    head: str
    first: str
    """The number of the oldest event."""
    after: str
    """Events beyond a number, so many at most."""
    start: str
    """Events from a number on."""
    events: str
    """All events: a condition is put behind it."""
    of_kind: str
    secrets: str
    snapshot: str
    snapshot_at: str
    """The snapshot behind an event."""
    checkpoint: str
    checkpoints: str
    """Those of events beyond a number."""
    transfers: str
    meta: str
    archives: str
    """All records of archives."""
    forget: str
    """Delete the secret of a round."""
    insert: dict[str, str]
    summed: str
    """The last event whose sums are kept."""
    head_size: str
    """The size of the newest signed head."""
    head_note: str
    """The signed head of a size."""
    part: str
    """Whether a tile of a width is kept."""
    leaves: str
    """Kept tiles of leaves from one number up to another."""


def statements(dialect: Dialect, mark: str, namespace: schema.Namespace) -> Statements:
    """The statements for a dialect with positional parameters, which `mark` stands for."""

    def sql(statement: Any) -> str:  # noqa: ANN401 - any statement of SQLAlchemy
        named = {"schema_translate_map": namespace.translated, "render_schema_translate": True}
        return str(statement.compile(dialect=dialect, **(named if namespace.name else {})))

    def newest(table: Table, *columns: Any) -> str:  # noqa: ANN401 - columns of SQLAlchemy
        return f"{sql(select(*columns or (table,)).order_by(table.c.seq.desc()))} LIMIT 1"

    tiles, heads = schema.tiles, schema.heads
    events, transfers, secrets, signed = schema.events, schema.transfers, schema.secrets, schema.checkpoints
    beyond = sql(select(events).where(events.c.seq > bindparam("seq")).order_by(events.c.seq))
    return Statements(
        head=newest(events, events.c.seq, events.c.hash),
        first=sql(select(func.min(events.c.seq))),
        after=f"{beyond} LIMIT {mark}",
        start=sql(select(events).where(events.c.seq >= bindparam("seq")).order_by(events.c.seq)),
        events=sql(select(events)),
        of_kind=sql(select(events).where(events.c.kind == bindparam("kind")).order_by(events.c.seq)),
        secrets=sql(select(secrets)),
        snapshot=newest(schema.snapshots),
        snapshot_at=sql(select(schema.snapshots.c.digest).where(schema.snapshots.c.seq == bindparam("seq"))),
        checkpoint=newest(signed),
        checkpoints=sql(select(signed).where(signed.c.seq > bindparam("seq")).order_by(signed.c.seq)),
        transfers=sql(
            select(transfers).where(transfers.c.seq > bindparam("seq")).order_by(transfers.c.seq, transfers.c.line)
        ),
        meta=sql(select(schema.meta)),
        archives=sql(select(schema.archives).order_by(schema.archives.c.up_to)),
        forget=sql(delete(secrets).where(secrets.c.round == bindparam("round_id"))),
        insert={name: sql(insert(schema.metadata.tables[name])) for name in schema.TABLES},
        summed=sql(select(func.max(schema.day_sums.c.seq))),
        head_size=sql(select(func.max(heads.c.size))),
        head_note=sql(select(heads.c.note).where(heads.c.size == bindparam("size"))),
        part=sql(
            select(tiles.c.width).where(
                tiles.c.level == bindparam("level"),
                tiles.c.number == bindparam("number"),
                tiles.c.width >= bindparam("width"),
            )
        ),
        leaves=sql(
            select(tiles.c.number, tiles.c.hashes)
            .where(
                tiles.c.level == literal_column("0"),
                tiles.c.number >= bindparam("low"),
                tiles.c.number < bindparam("high"),
            )
            .order_by(tiles.c.number, tiles.c.width)
        ),
    )


def tail_of(seq: int, rows: Sequence[Sequence[Any]]) -> Tail:
    """What the rows of the events from number `seq` on say about its tail."""
    if len(rows) == 1 and rows[0][0] == seq:
        return rows[0][-1], ()
    events = [Event(*row) for row in rows]
    if seq == 0:
        return GENESIS, events
    if not events or events[0].seq != seq:
        return None, events
    return events[0].hash, events[1:]


class SqlJournal(ABC):
    """A journal in a database: reading it is the same everywhere, transactions and writing are the database's own."""

    durable = True

    def __init__(self, statements_: Statements, namespace: schema.Namespace) -> None:
        """Read with these statements, which are for the tables of this schema."""
        self._sql = statements_
        self._namespace = namespace
        self._guarded_as: object = None
        """The stamp of the guards (`guarding`) as they were last found in order."""

    @abstractmethod
    def begin(self) -> None:
        """Wait for the writer's lock and begin a transaction."""

    def begin_group(self, seq: int, keys: Sequence[SentKey]) -> tuple[Tail, dict[SentKey, Event]]:
        """Begin a transaction, and read what a group needs of the journal."""
        self.begin()
        return self.tail(seq), self.by_keys(keys) if keys else {}

    @abstractmethod
    def commit(self) -> None:
        """Make the transaction last."""

    @abstractmethod
    def rollback(self) -> None:
        """Leave the transaction without a trace."""

    @abstractmethod
    def close(self) -> None:
        """Let the database go."""

    @abstractmethod
    def by_keys(self, keys: Sequence[SentKey]) -> dict[SentKey, Event]:
        """The events that were written under these keys of their senders."""

    @abstractmethod
    def append(self, batch: Batch) -> None:
        """Write a batch within the transaction."""

    @abstractmethod
    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """All rows that a statement finds."""

    @abstractmethod
    def _do(self, sql: str, values: Sequence[Any] = ()) -> None:
        """Carry out a statement that finds no rows."""

    @abstractmethod
    def _delete_up_to(self, table: str, seq: int) -> None:
        """Delete the rows of events up to a number."""

    def check_guards(self) -> None:
        """`JournalDamagedError` names what stands between the journal and its rows and does not belong there."""
        check_guards(self._namespace, self._rows)

    def _check_written(self, batch: Batch, counts: Mapping[str, int], head: Sequence[Any] | None) -> None:
        """Within the transaction that wrote a batch: all of it is there.

        `counts` are the rows that the database says it took, and `head` the last event as it is read back. A database
        that says yes and keeps nothing must not be believed: nothing is answered then.
        """
        last = batch.events[-1]
        for table, count in counts.items():
            wanted = batch.count(table)
            if count != wanted:
                what = f"the database took {count} of {wanted} rows and reported no fault: something drops them"
                raise JournalDamagedError(f"{table}[{last.seq}]", what)
        if head is None or tuple(head) != (last.seq, last.hash):
            what = "the event was written and is not there: something drops it or puts another in its place"
            raise JournalDamagedError(f"events[{last.seq}]", what)

    def _look(self, batch: Batch, stamp: object, archives: Sequence[Sequence[Any]]) -> None:
        """Within the transaction: nobody has put anything between the journal and its rows.

        `stamp` is that of the guards; `archives` are the records by which the guards let rows go.
        """
        if stamp != self._guarded_as:
            self.check_guards()
            self._guarded_as = stamp
        check_archives(batch.on_record, archives)

    def head(self) -> tuple[int, str]:
        """Number and hash of the last event; 0 and `GENESIS` on an empty journal."""
        rows = self._rows(self._sql.head)
        return (rows[0][0], rows[0][1]) if rows else (0, GENESIS)

    def first(self) -> int:
        """The number of the oldest event; 1 on an empty journal."""
        return self._rows(self._sql.first)[0][0] or 1

    def events_after(self, seq: int, limit: int | None = None) -> Iterator[Event]:
        """Events with a greater number, in order."""
        left = limit
        while left is None or left > 0:
            count = _READ_AT_ONCE if left is None else min(left, _READ_AT_ONCE)
            rows = self._rows(self._sql.after, (seq, count))
            yield from (Event(*row) for row in rows)
            if len(rows) < count:
                return
            seq = rows[-1][0]
            left = None if left is None else left - count

    def next_event(self, seq: int) -> Event | None:
        """The first event from a number on."""
        return next(self.events_after(seq - 1, 1), None)

    def tail(self, seq: int) -> Tail:
        """The hash stored for event `seq` (None if it is not there), and the events after it."""
        return tail_of(seq, self._rows(self._sql.start, (seq,)))

    def secrets(self) -> dict[str, SealedSeed]:
        """Sealed seeds by round."""
        return {
            name: SealedSeed(seq, number, published, bytes(sealed))
            for name, seq, number, published, sealed in self._rows(self._sql.secrets)
        }

    def latest_snapshot(self) -> Snapshot | None:
        """The newest snapshot; `JournalDamagedError` if its state does not have its digest."""
        for digest_, seq, hash_, state in self._rows(self._sql.snapshot):
            if digest(bytes(state)) != digest_:
                raise JournalDamagedError(f"snapshots[{digest_}]", "the stored state does not have its digest")
            try:
                return Snapshot(seq, hash_, msgspec.json.decode(state), digest_)
            except (msgspec.DecodeError, UnicodeDecodeError):
                raise JournalDamagedError(f"snapshots[{digest_}]", "the stored state is not JSON") from None
        return None

    def checkpoints_after(self, seq: int) -> list[Checkpoint]:
        """Checkpoints of events with a greater number, in order."""
        return [Checkpoint(*row) for row in self._rows(self._sql.checkpoints, (seq,))]

    def latest_checkpoint(self) -> Checkpoint | None:
        """The newest checkpoint."""
        rows = self._rows(self._sql.checkpoint)
        return Checkpoint(*rows[0]) if rows else None

    def of_kind(self, kind: str) -> list[Event]:
        """All events of a kind, in order."""
        return [Event(*row) for row in self._rows(self._sql.of_kind, (kind,))]

    def archives_kept(self) -> list[Any]:
        """The records of archives, in the order of their numbers."""
        return self._rows(self._sql.archives)

    def transfers_after(self, seq: int) -> list[Any]:
        """Rows of the ledger beyond an event, in order."""
        return self._rows(self._sql.transfers, (seq,))

    def try_room(self) -> None:
        """See whether a whole group of commands would fit: its pages are asked for and given back."""
        self.begin()
        try:
            self._do(self._sql.insert["secrets"], ("no round", 0, 0, "", bytes(ROOM)))
        finally:
            self.rollback()

    def shortage(self) -> str | None:
        """Why nothing should be written although the store is there; a database server watches its own disk."""
        return None

    def meta(self) -> dict[str, str]:
        """What is noted about the journal itself."""
        return dict(self._rows(self._sql.meta))

    def note(self, name: str, value: str) -> None:
        """Note something about the journal itself, once and for all."""
        self._do(self._sql.insert["meta"], (name, value))

    def newest_size(self) -> int:
        """How many events the newest signed head covers; 0 without one."""
        return int(self._rows(self._sql.head_size)[0][0] or 0)

    def kept_leaves(self, low: int, high: int) -> list[tuple[int, bytes]]:
        """Kept tiles of leaves from one number up to another: number and hashes, of each number the widest last."""
        return [(number, bytes(hashes)) for number, hashes in self._rows(self._sql.leaves, (low, high))]

    def keep_head(self, size: int, base: int, note: str, tiles: Sequence[Tile]) -> None:
        """Store a signed head within the transaction, with the tiles that are whole since the one of size `base`."""
        for tile in tiles:
            self._keep(tile)
        self._do(self._sql.insert["heads"], (size, base, note))
        if [tuple(row) for row in self._rows(self._sql.head_note, (size,))] != [(note,)]:
            raise JournalDamagedError(f"heads[{size}]", "the head was written and is not there: something drops it")

    def summed_up_to(self) -> int:
        """The last event of the last gaming day whose sums are kept; 0 without one."""
        return int(self._rows(self._sql.summed)[0][0] or 0)

    def keep_sums(self, rows: Sequence[Sequence[Any]]) -> None:
        """Store the sums of a gaming day within the transaction."""
        for row in rows:
            self._do(self._sql.insert["day_sums"], row)

    def keep_part(self, tile: Tile) -> None:
        """Store the leaves of a tile that is not whole within the transaction, unless they are stored already."""
        if tile.hashes and not self._covers(tile):
            self._keep(tile)
            if not self._covers(tile):
                what = "the tile was written and is not there: something drops it"
                raise JournalDamagedError(f"tiles[0/{tile.number}]", what)

    def _covers(self, tile: Tile) -> bool:
        return bool(self._rows(self._sql.part, (tile.level, tile.number, len(tile.hashes))))

    def _keep(self, tile: Tile) -> None:
        root = tile.root if len(tile.hashes) == TILE else None
        values = (tile.level, tile.number, len(tile.hashes), root, tile.data)
        self._do(self._sql.insert["tiles"], values)

    def prune(self, up_to: int, at_once: int | None = None) -> bool:
        """Remove the rows of archived events; the database refuses what no archive is recorded for.

        The state after event `up_to` must be stored: it stays, and what is left begins there. With `at_once` only so
        many events go, the oldest first; returns whether all are gone.
        """
        self.check_guards()
        if not self._rows(self._sql.snapshot_at, (up_to,)):
            raise StoreRefusedError.of(
                "out-of-range", "up_to", f"no snapshot was taken at event {up_to}: it stays here"
            )
        number, place = divmod(up_to - 1, TILE)
        if not self._rows(self._sql.part, (0, number, place + 1)):
            message = f"the leaves up to event {up_to} are in no tile: no proof could be made of them any more"
            raise StoreRefusedError.of("out-of-range", "up_to", message)
        first = self._rows(self._sql.first)[0][0]
        last = up_to if at_once is None or first is None else min(up_to, first + at_once - 1)
        for table in reversed(schema.ARCHIVED_TABLES):
            self._delete_up_to(table, min(last, up_to - 1) if table == "snapshots" else last)
        return last == up_to
