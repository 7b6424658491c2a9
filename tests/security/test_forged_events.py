"""Whoever can write to the database and has no key adds nothing: no event counts before its signature was verified."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import astuple, replace

from houseway.manager.core.house_entities import Property, Recovery
from houseway.manager.core.records import Event, canonical, digest
from houseway.manager.interface.client_memory import Memory
from houseway.manager.store import schema, urls
from houseway.manager.store.journal import Checkpoint, signed_text
from houseway.manager.store.keys import Keys, create_keys
from houseway.manager.store.manager import Manager
from houseway.manager.store.marks import Mark
from houseway.manager.store.powerup import look
from houseway.manager.store.reading import open_view
from houseway.manager.store.store_errors import JournalDamagedError
from tests.manager.store.acts import moved, people
from tests.manager.store.stores import SqlStore

STOLEN = 7_000_000
MOVED = ("paid/L1", "prizes/L1", STOLEN, "back-out", "award:T1-1/1")
"""A transfer that every guard of the ledger takes."""
FORGIVEN = Recovery(1, 10_000, "0" * 64, 2**60, "nobody", "nobody else", "forged")


Rows = list[tuple[str, tuple[Any, ...]]]


def forged(store: SqlStore, before: Event | None = None) -> Event:
    """An event that fits the chain, as anybody can make it: it moves money and forgives every lost event."""
    property_ = replace(Property("property", "Example Card Room", "commercial", 1), recoveries=(FORGIVEN,))
    put = [["property", "property", msgspec.to_builtins(property_)]]
    body = {"do": {"kind": "system.recovery"}, "put": put, "post": [[*MOVED]]}
    seq, head = store.journal().head() if before is None else (before.seq, before.hash)
    key, text = f"forged {seq}", canonical(body).decode()
    event = Event(seq + 1, store.clock(), key, digest(b""), "system", None, "system.recovery", text, "0" * 64, "", "")
    return event.chained(head)


def rows_of(store: SqlStore, *events: Event) -> Rows:
    """Events with their rows in the ledger."""
    found: Rows = [("events", astuple(event)) for event in events]
    debit, credit, micros, *_ = MOVED
    risen = fallen = 0
    for event in events:
        risen, fallen = risen + micros, fallen - micros
        found.append(("transfers", (event.seq, 1, debit, credit, *MOVED[2:], risen, fallen)))
    return found


def checkpoint(store: SqlStore, event: Event, keys: Keys, signature: str | None = None) -> tuple[str, tuple[Any, ...]]:
    """A checkpoint of one event."""
    signed = signature or keys.sign(
        signed_text(store.journal().meta()["journal"], event.seq, event.seq, event.hash, event.at)
    )
    return "checkpoints", astuple(Checkpoint(event.seq, event.seq, event.hash, event.at, keys.key_id, signed))


def insert(store: SqlStore, rows: Rows) -> None:
    """Put rows into the database behind the manager's back, in one transaction."""
    with urls.engine_at(store.url).begin() as connection:
        for table, row in rows:
            connection.execute(schema.metadata.tables[table].insert().values(row))


def no_checkpoint(store: SqlStore, _: Path) -> str:
    event = forged(store)
    insert(store, rows_of(store, event))
    return f"events[{event.seq}]"


def own_key(store: SqlStore, folder: Path) -> str:
    event = forged(store)
    insert(store, [*rows_of(store, event), checkpoint(store, event, create_keys(folder / "forger"))])
    return f"checkpoints[{event.seq}]"


def copied_signature(store: SqlStore, _: Path) -> str:
    event = forged(store)
    ((old,),) = store.sql("SELECT signature FROM checkpoints ORDER BY seq DESC LIMIT 1")
    insert(store, [*rows_of(store, event), checkpoint(store, event, store.keys, old)])
    return f"checkpoints[{event.seq}]"


def built_upon(store: SqlStore, _: Path) -> str:
    """The property's own signature, over an event that follows on one that nobody signed."""
    first = forged(store)
    event = forged(store, first)
    insert(store, [*rows_of(store, first, event), checkpoint(store, event, store.keys)])
    return f"checkpoints[{event.seq}]"


FORGERIES = [no_checkpoint, own_key, copied_signature, built_upon]


def played(store: SqlStore) -> Manager:
    manager = store.manager(snapshot_every=6)
    manager.call(people())
    for number in range(6):
        manager.call(moved(f"k{number}", number + 1))
    return manager


@pytest.mark.parametrize("forge", FORGERIES)
def test_a_running_manager_carries_out_no_event_that_nobody_signed(store: SqlStore, tmp_path: Path, forge: Any) -> None:
    manager = played(store)
    head, balances = manager.health()["seq"], manager.view(lambda floor: dict(floor.balances))
    told: list[Event] = []
    manager.subscribe(told.extend)
    seen = Mark("", head + 500, "f" * 64, 1, 1, "", "")
    row = forge(store, tmp_path)
    forgeries = store.journal().head()[0]
    for number in range(2):
        with pytest.raises(JournalDamagedError) as damaged:
            manager.call(moved(f"behind it {number}", 1))
        assert damaged.value.row == row
    health = manager.health()
    assert (health["state"], health["seq"]) == ("damaged", head)
    assert [fault["code"] for fault in health["faults"]] == ["journal-damaged"]
    assert manager.last_known(lambda _, floor: dict(floor.balances)) == balances
    # The forged recovery forgives nothing, and the forged event is none that anybody has seen.
    memory = Memory()
    memory.keep(replace(seen, journal=manager.journal_id))
    for seq in (seen.seq, head + 1):
        past = manager.past(seq)
        assert (past.hash, past.recoveries) == (None, ())
        recoveries = [msgspec.to_builtins(each) for each in past.recoveries]
        answer = {"journal": manager.journal_id, "first": past.first, "hash": past.hash, "recoveries": recoveries}
        assert not memory.agrees(answer)
    manager.close()
    assert told == []
    assert store.journal().head()[0] == forgeries, "nothing was built on it"


@pytest.mark.parametrize("forge", FORGERIES)
def test_no_start_and_no_reader_takes_an_event_that_nobody_signed(store: SqlStore, tmp_path: Path, forge: Any) -> None:
    played(store).close()
    row = forge(store, tmp_path)
    for _ in range(2):
        with pytest.raises(JournalDamagedError) as damaged:
            store.manager()
        assert damaged.value.row == row
    with pytest.raises(JournalDamagedError) as damaged:
        look(store.url, store.keys)
    assert damaged.value.row == row
    with open_view(store.url) as view, pytest.raises(JournalDamagedError) as damaged:
        view.state_at(view.bounds()[1])
    assert damaged.value.row == row


def test_a_second_process_verifies_one_signature_a_group(store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = store.writer(), store.writer()
    first.carry_out([people()])
    second.catch_up()
    for number in range(3):
        first.carry_out([moved(f"{number} {each}", 1) for each in range(5)])
    verified, verifies = [], Keys.verifies

    def counted(self: Keys, key_id: str, signature: str, text: bytes) -> bool:
        if found := verifies(self, key_id, signature, text):
            verified.append(signature)
        return found

    monkeypatch.setattr(Keys, "verifies", counted)
    assert len(second.catch_up()) == 15
    assert len(verified) == 3
    assert second.engine.head == first.engine.head
