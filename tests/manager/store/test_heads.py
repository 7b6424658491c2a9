"""Signed heads on both stores: they grow out of each other, cover what the chain vouches for, and outlive archives."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from houseway.errors import InputError
from houseway.manager.commands.system_commands import RowsArchived
from houseway.manager.core.engine import SYSTEM, Envelope
from houseway.manager.store import head_making
from houseway.manager.store.event_proving import prove_event
from houseway.manager.store.head_making import HeadBook, update_since
from houseway.manager.store.journal_audit import verify_database
from houseway.manager.store.reading import open_view
from houseway.manager.store.store_errors import JournalDamagedError
from houseway.manager.store.tree_reading import TreeReader, log_keys
from houseway.manager.store.trust import Trust
from houseway.proofs.merkle import inclusion_path, node_source, root_from_path, tree_root
from houseway.proofs.tree_heads import SignedHead, check_growth
from tests.manager.store.acts import moved, people
from tests.manager.store.stores import SqlStore

COUNT = 600
"""More than two whole tiles."""


@pytest.fixture
def filled(store: SqlStore) -> SqlStore:
    return fill(store)


def fill(store: SqlStore) -> SqlStore:
    writer = store.writer(snapshot_every=500)
    writer.carry_out([people()])
    for start in range(0, COUNT, 200):
        writer.carry_out([moved(f"k{start + number}", 1) for number in range(200)])
    return store


def leaves(store: SqlStore) -> list[bytes]:
    return [bytes.fromhex(event.leaf) for event in store.events()]


def renewed(store: SqlStore) -> SignedHead:
    found = HeadBook(store.url, store.keys).renew()
    assert found is not None
    return found


def trust(store: SqlStore) -> Trust:
    return Trust(store.keys.trusted, is_given=True)


def test_a_head_covers_every_event_and_grows_with_them(filled: SqlStore) -> None:
    book = HeadBook(filled.url, filled.keys)
    first, before = renewed(filled), leaves(filled)
    assert first.head.size == len(before) > COUNT
    assert first.head.root == tree_root(len(before), node_source(before))
    assert book.renew() == first, "nothing was written since"
    assert filled.sql("SELECT level, number, width FROM tiles ORDER BY number") == [(0, 0, 256), (0, 1, 256)]
    filled.writer().carry_out([moved("one more")])
    second = renewed(filled)
    assert second.head.size == first.head.size + 1
    with open_view(filled.url) as view:
        reader, update = TreeReader(view), update_since(view, first.head.size)
        assert update is not None
        check_growth(first.head, update.signed.head, update.path)
        for size in (1, 255, 256, 257, 512, 600, second.head.size):
            known = leaves(filled)[:size]
            assert tree_root(size, reader.node) == reader.edge_at(size).root() == tree_root(size, node_source(known))
        for index in (0, 255, 256, 511, 512, 600):
            path = inclusion_path(index, second.head.size, reader.node)
            assert root_from_path(leaves(filled)[index], index, second.head.size, path) == second.head.root
        second.signers(log_keys(trust(filled), reader.origin))
        report = verify_database(view, trust(filled))
    assert [str(finding) for finding in report.findings] == []
    assert (report.rows["heads"], report.rows["tiles"]) == (2, 2)


def test_a_journal_without_events_has_no_head(store: SqlStore) -> None:
    store.writer()
    assert HeadBook(store.url, store.keys).renew() is None
    with open_view(store.url) as view:
        assert update_since(view, 0) is None


def test_a_long_journal_gets_several_heads(filled: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those who begin late read no more at once than they must."""
    monkeypatch.setattr(head_making, "AT_ONCE", 250)
    last = renewed(filled)
    assert last.head.size == len(leaves(filled))
    sizes = [size for (size,) in filled.sql("SELECT size FROM heads ORDER BY size")]
    assert len(sizes) >= 3
    assert filled.sql("SELECT base FROM heads ORDER BY size") == [(base,) for base in (0, *sizes[:-1])]


def test_several_processes_agree_on_one_row_of_heads(filled: SqlStore) -> None:
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: renewed(filled), range(4)))
    assert len({each.head for each in found}) == 1
    assert len(filled.sql("SELECT size FROM heads")) == 1


@pytest.mark.parametrize(
    ("harm", "where"),
    [
        ("UPDATE events SET leaf = hash WHERE seq = 604", "events"),
        ("UPDATE events SET leaf = hash WHERE seq = 590", "heads"),
        ("UPDATE tiles SET hashes = zeroblob(8192), root = zeroblob(32) WHERE number = 1", "heads"),
        ("UPDATE heads SET note = replace(note, 'houseway', 'otherway')", "heads"),
        ("UPDATE checkpoints SET signature = hash WHERE seq = (SELECT max(seq) FROM checkpoints)", "checkpoints"),
        ("DELETE FROM events WHERE seq > 590", "tiles"),
    ],
)
def test_nothing_is_signed_that_does_not_fit(sqlite_store: SqlStore, harm: str, where: str) -> None:
    filled = fill(sqlite_store)
    assert renewed(filled).head.size == 602
    writer = filled.writer()
    for number in range(3):
        writer.carry_out([moved(f"later{number}")])
    for table in ("events", "tiles", "heads", "checkpoints"):
        for guard in ("no_update", "no_delete"):
            filled.sql(f"DROP TRIGGER {table}_{guard}")
    if "seq > 590" in harm:
        filled.sql("DELETE FROM checkpoints WHERE seq > 590")
    filled.sql(harm)
    with pytest.raises(JournalDamagedError) as refused:
        HeadBook(filled.url, filled.keys).renew()
    assert refused.value.faults[0].path.startswith(where)
    with open_view(filled.url) as view:
        assert not verify_database(view, trust(filled)).is_clean


def test_proofs_outlive_the_rows_of_archived_events(filled: SqlStore) -> None:
    """The rows go, the leaves stay: the same head, the same paths."""
    before, known, events = renewed(filled), leaves(filled), filled.events()
    journal = filled.journal()
    (up_to,) = (seq for (seq,) in filled.sql("SELECT max(seq) FROM snapshots"))
    snapshot = next(event for event in events if event.seq == up_to)
    assert 512 < up_to < before.head.size
    filled.writer().carry_out([Envelope("archive", SYSTEM, RowsArchived(up_to, "d" * 64, snapshot.hash))])
    with pytest.raises(InputError, match="in no tile"):
        journal.prune(up_to)
    HeadBook(filled.url, filled.keys).keep_leaves(up_to)
    HeadBook(filled.url, filled.keys).keep_leaves(up_to)
    journal.begin()
    assert journal.prune(up_to)
    journal.commit()
    writer = filled.writer()
    writer.carry_out([moved(f"after{number}") for number in range(300)])
    after = renewed(filled)
    with open_view(filled.url) as view:
        reader = TreeReader(view)
        assert tree_root(before.head.size, reader.node) == before.head.root
        update = update_since(view, before.head.size)
        assert update is not None
        check_growth(before.head, after.head, update.path)
        for event in (events[0], events[up_to - 1], events[up_to], events[-1]):
            proof = prove_event(view, event).proof
            proof.check(known[event.seq - 1], log_keys(trust(filled), reader.origin))
        report = verify_database(view, trust(filled))
    assert [str(each) for each in report.findings if each.table in ("tiles", "heads")] == []


def test_leaves_are_kept_only_of_what_is_there(filled: SqlStore) -> None:
    with pytest.raises(InputError, match="up to the last event"):
        HeadBook(filled.url, filled.keys).keep_leaves(10**6)
