"""The self-check at power-up: whatever was changed behind the manager's back, it does not serve, and says which row."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from houseway.errors import InputError
from houseway.manager.store.keys import load_keys
from houseway.manager.store.marks import read_anchor, write_anchor
from houseway.manager.store.store_errors import JournalDamagedError, StoreRefusedError
from tests.manager.store.acts import Hide, Peek, do, moved, people
from tests.manager.store.stores import SqlStore


@pytest.fixture
def played(store: SqlStore) -> SqlStore:
    """A journal of twelve moves with snapshots, a sealed seed, and an anchor at its end."""
    with store.manager(snapshot_every=5) as manager:
        manager.call(people())
        for number in range(12):
            manager.call(moved(f"k{number}", number + 1))
        manager.call(do("hide", Hide("T1-1")))
    assert store.journal().latest_snapshot() is not None
    return store


def refused_as(store: SqlStore) -> str:
    """The row that is named when a manager is opened, twice: an error survives a restart."""
    rows = []
    for _ in range(2):
        with pytest.raises(JournalDamagedError) as damaged:
            store.manager()
        assert damaged.value.faults[0].code == "journal-damaged"
        assert "until this is repaired" in str(damaged.value)
        rows.append(damaged.value.row)
    assert rows[0] == rows[1]
    return rows[0]


def last(store: SqlStore) -> int:
    return int(store.sql("SELECT max(seq) FROM events")[0][0])


DAMAGES: dict[str, tuple[str, Callable[[int], str]]] = {
    "an altered body": (
        "UPDATE events SET body = replace(body, '12', '13') WHERE key = 'k11'",
        lambda end: f"events[{end - 1}]",
    ),
    "an altered actor": ("UPDATE events SET actor = 'Dealer 3' WHERE key = 'hide'", lambda end: f"events[{end}]"),
    "an altered time": ("UPDATE events SET at = at + 1 WHERE key = 'hide'", lambda end: f"events[{end}]"),
    "an altered hash": ("UPDATE events SET hash = input_hash WHERE key = 'k11'", lambda end: f"events[{end - 1}]"),
    "another side": (
        "UPDATE transfers SET credit = 'bank/L1' WHERE seq = (SELECT seq FROM events WHERE key = 'k11')",
        lambda end: f"transfers[{end - 1}, 1]",
    ),
    "a missing transfer": (
        "DELETE FROM transfers WHERE line = 1 AND seq = (SELECT seq FROM events WHERE key = 'k11')",
        lambda end: f"transfers[{end - 1}, 1]",
    ),
    "an altered transfer": (
        "UPDATE transfers SET micros = micros + 1 WHERE line = 1 AND seq = (SELECT seq FROM events WHERE key = 'k11')",
        lambda end: f"transfers[{end - 1}, 1]",
    ),
    "an altered balance": (
        "UPDATE transfers SET credit_balance = 0 WHERE seq = (SELECT seq FROM events WHERE key = 'k11')",
        lambda end: f"transfers[{end - 1}, 1]",
    ),
    "an extra transfer": (
        "INSERT INTO transfers SELECT seq, 1, 'house', 'drop/T', 1, 'c', 's', 1, 1 FROM events WHERE key = 'hide'",
        lambda end: f"transfers[{end}, 1]",
    ),
    "a forged signature": (
        "UPDATE checkpoints SET signature = hash || hash WHERE seq = (SELECT max(seq) FROM checkpoints)",
        lambda end: f"checkpoints[{end}]",
    ),
    "another key's signature": (
        "UPDATE checkpoints SET key_id = 'ffff' WHERE seq = (SELECT max(seq) FROM checkpoints)",
        lambda end: f"checkpoints[{end}]",
    ),
    "a missing signature": (
        "DELETE FROM checkpoints WHERE seq = (SELECT max(seq) FROM events)",
        lambda end: f"events[{end}]",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_found_and_named(played: SqlStore, damage: str) -> None:
    statement, row = DAMAGES[damage]
    end = last(played)
    played.tamper(statement)
    assert refused_as(played) == row(end)


def test_a_moved_seed_is_no_seed_and_stops_nobody_else(played: SqlStore) -> None:
    played.tamper("UPDATE secrets SET round = 'T1-2'")
    with played.manager() as manager:
        for round_id in ("T1-1", "T1-2"):
            with pytest.raises(InputError) as refused:
                manager.call(do(f"peek {round_id}", Peek(round_id)))
            assert refused.value.faults[0].code == "seed-lost"
        assert manager.call(moved("another table plays on")).answer["balance"]


def test_an_event_cut_out_of_the_middle(played: SqlStore) -> None:
    end = last(played)
    played.tamper("DELETE FROM events WHERE key = 'k11'")
    assert refused_as(played) == f"events[{end - 1}]"


@pytest.mark.parametrize("column", ["state", "digest"])
def test_an_altered_snapshot(played: SqlStore, column: str) -> None:
    snapshot = played.journal().latest_snapshot()
    assert snapshot is not None
    if column == "state":
        state = played.sql("SELECT state FROM snapshots WHERE digest = :digest", digest=snapshot.digest)[0][0]
        played.tamper(
            "UPDATE snapshots SET state = :state WHERE digest = :digest",
            state=bytes(state).replace(b"house", b"hause"),
            digest=snapshot.digest,
        )
        assert refused_as(played) == f"snapshots[{snapshot.digest}]"
    else:
        played.tamper(
            "UPDATE snapshots SET digest = :other WHERE digest = :digest", other="0" * 64, digest=snapshot.digest
        )
        assert refused_as(played) == f"snapshots[{'0' * 64}]"


def test_a_snapshot_of_another_state(played: SqlStore) -> None:
    """With a digest that fits its text, but is not the one in the chain."""
    import json

    from houseway.manager.core.records import canonical, digest

    snapshot = played.journal().latest_snapshot()
    assert snapshot is not None
    richer = json.loads(canonical(snapshot.state))
    richer["balances"]["tray/T1"] += 1_000_000
    richer["balances"]["house"] -= 1_000_000
    text = canonical(richer)
    played.tamper(
        "UPDATE snapshots SET state = :state, digest = :other WHERE digest = :digest",
        state=text,
        other=digest(text),
        digest=snapshot.digest,
    )
    assert refused_as(played) == f"snapshots[{digest(text)}]"


def test_an_end_that_was_cut_off_cleanly(played: SqlStore) -> None:
    """The last group goes with all that belongs to it: only the anchor knows."""
    end = last(played)
    for table in ("transfers", "checkpoints", "events"):
        played.tamper(f"DELETE FROM {table} WHERE seq = {end}")
    played.tamper("DELETE FROM secrets")
    assert refused_as(played) == f"events[{end}]"
    (played.keys_folder / "anchor.json").unlink()
    assert played.manager().health()["seq"] == end


def test_an_event_that_is_not_the_anchors(played: SqlStore) -> None:
    anchor = read_anchor(played.keys_folder)
    assert anchor is not None
    other = replace(anchor, hash="f" * 64)
    write_anchor(played.keys_folder, replace(other, signature=load_keys(played.keys_folder).sign(other.text())))
    assert refused_as(played) == f"events[{anchor.seq}]"


def test_an_anchor_that_nobody_signed(played: SqlStore) -> None:
    anchor = read_anchor(played.keys_folder)
    assert anchor is not None
    write_anchor(played.keys_folder, replace(anchor, seq=1))
    with pytest.raises(StoreRefusedError) as refused:
        played.manager()
    assert refused.value.faults[0].code == "anchor-damaged"


def test_an_anchor_that_cannot_be_read(played: SqlStore) -> None:
    (played.keys_folder / "anchor.json").write_text("{")
    with pytest.raises(StoreRefusedError) as refused:
        played.manager()
    assert refused.value.faults[0].code == "anchor-damaged"


@pytest.mark.parametrize(
    ("revision", "code"),
    [
        ("v1_9999", "schema-newer"),
        ("v1_0001", "schema-older"),
        # Development versions had these: what they made is neither older nor newer, and nobody is sent for software.
        ("0001", "schema-foreign"),
        ("0002", "schema-foreign"),
        ("0003", "schema-foreign"),
    ],
)
def test_tables_of_another_revision_are_refused(played: SqlStore, revision: str, code: str) -> None:
    played.sql("UPDATE alembic_version SET version_num = :revision", revision=revision)
    with pytest.raises(StoreRefusedError) as refused:
        played.manager()
    assert refused.value.faults[0].code == code
    assert revision in str(refused.value)
    assert ("use the newer software" in str(refused.value)) == (code == "schema-newer")


def test_what_is_repaired_serves_again(played: SqlStore) -> None:
    played.tamper("UPDATE events SET actor = 'Dealer 3' WHERE key = 'hide'")
    refused_as(played)
    played.tamper("UPDATE events SET actor = 'Supervisor 1' WHERE key = 'hide'")
    assert played.manager().call(moved("again")).answer["balance"] == 79


class TestWhileItRuns:
    def test_an_altered_last_event_stops_it(self, store: SqlStore) -> None:
        manager = store.manager()
        manager.call(people())
        end = manager.call(moved("k")).seq
        store.tamper("UPDATE events SET hash = input_hash WHERE key = 'k'")
        with pytest.raises(JournalDamagedError) as damaged:
            manager.call(moved("next"))
        assert damaged.value.row == f"events[{end}]"
        with pytest.raises(JournalDamagedError):
            manager.call(moved("next"))
        with pytest.raises(JournalDamagedError):
            manager.view(lambda floor: floor.balances)
        assert manager.health()["state"] == "damaged"
        assert last(store) == end

    def test_a_last_event_that_is_gone_stops_it(self, store: SqlStore) -> None:
        manager = store.manager()
        manager.call(people())
        end = manager.call(moved("k")).seq
        for table in ("transfers", "checkpoints", "events"):
            store.tamper(f"DELETE FROM {table} WHERE seq = {end}")
        with pytest.raises(JournalDamagedError, match="gone"):
            manager.call(moved("next"))

    def test_a_forged_event_of_another_process_stops_it(self, store: SqlStore) -> None:
        manager = store.manager()
        end = manager.call(people()).seq
        store.tamper(
            "INSERT INTO events SELECT seq + 1, at, 'forged', input_hash, actor, device, kind, body, salt, leaf, hash "
            f"FROM events WHERE seq = {end}"
        )
        with pytest.raises(InputError, match="do not fit"):
            manager.call(moved("next"))
        assert manager.health()["state"] == "damaged"


def test_a_mark_names_the_journal_that_was_signed(store: SqlStore) -> None:
    keys = load_keys(store.keys_folder)
    with store.manager() as manager:
        mark = manager.mark()
        assert mark is not None
        assert mark.journal == manager.journal_id
        assert keys.verifies(mark.key_id, mark.signature, mark.text())
        assert not keys.verifies(mark.key_id, mark.signature, replace(mark, journal="0" * 32).text())
