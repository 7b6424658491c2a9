"""Damage to rows that follow from events is repaired from the events, on record; damage to events is not touched."""

from __future__ import annotations

import json

import pytest

from houseway.cli.app import main
from houseway.errors import InputError
from houseway.manager.store import repair as repairs
from houseway.manager.store import schema
from houseway.manager.store.repair import repair
from houseway.manager.store.store_errors import JournalDamagedError
from tests.manager.store.acts import Hide, Write, do, moved, people
from tests.manager.store.stores import SqlStore, check_chain, check_ledger
from tests.manager.store.test_migrations import ROWS, contents, guards

DERIVED = ("transfers", "rounds", "lines", "hits", "snapshots")


@pytest.fixture
def played(store: SqlStore) -> SqlStore:
    """A journal with something in every table."""
    with store.manager(snapshot_every=5) as manager:
        manager.call(people())
        for number in range(12):
            manager.call(moved(f"k{number}", number + 1))
        manager.call(do("rows", Write(ROWS)))
        manager.call(do("hide", Hide("T1-1")))
    return store


@pytest.mark.parametrize(
    ("damage", "table"),
    [
        ("UPDATE transfers SET micros = micros + 1, debit_balance = 0 WHERE line = 1", "transfers"),
        ("DELETE FROM transfers", "transfers"),
        ("INSERT INTO transfers VALUES (1, 7, 'tray/T1', 'house', 5, 'float', 'table:T1', 5, -5)", "transfers"),
        ("INSERT INTO transfers VALUES (0, 7, 'tray/T1', 'house', 5, 'float', 'table:T1', 5, -5)", "transfers"),
        ("INSERT INTO transfers VALUES (99, 7, 'tray/T1', 'house', 5, 'float', 'table:T1', 5, -5)", "transfers"),
        ("UPDATE rounds SET held = 1", "rounds"),
        ("DELETE FROM lines", "lines"),
        ("UPDATE hits SET cents = cents + 1", "hits"),
        ("UPDATE snapshots SET hash = digest", "snapshots"),
        ("DELETE FROM snapshots", "snapshots"),
    ],
)
def test_derived_rows_are_made_anew(played: SqlStore, damage: str, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repairs, "_WINDOW", 4)
    before = contents(played)
    played.tamper(damage)
    assert contents(played)[table] != before[table]
    changed = repair(played.url, played.keys_folder, by="Technician 2", reason="a bad sector")
    assert list(changed) == [table]
    after = contents(played)
    assert {name: after[name] for name in DERIVED} == {name: before[name] for name in DERIVED}
    last = played.events()[-1]
    assert last.kind == "system.rebuilt"
    told = json.loads(last.body)["do"]
    assert (told["by"], told["reason"], told["tables"]) == ("Technician 2", "a bad sector", changed)
    check_chain(played.events())
    check_ledger(played.transfers())
    assert played.manager(clock=None).call(moved("again")).answer["balance"] == 79


def test_guards_that_are_gone_are_put_back(played: SqlStore) -> None:
    wanted = guards(played)
    if played.is_sqlite:
        played.sql("DROP TRIGGER events_no_delete")
    else:
        played.sql("DROP TRIGGER events_no_delete ON events")
    assert repair(played.url, played.keys_folder, by="Technician 2", reason="a guard was gone") == {}
    assert (
        guards(played) == wanted == set(schema.guards(schema.Namespace("sqlite" if played.is_sqlite else "postgresql")))
    )


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE events SET actor = 'Dealer 3' WHERE key = 'k3'",
        "UPDATE checkpoints SET signature = hash || hash WHERE seq = (SELECT max(seq) FROM checkpoints)",
    ],
)
def test_a_damaged_record_is_left_as_it_is(played: SqlStore, damage: str) -> None:
    played.tamper(damage)
    played.tamper("DELETE FROM transfers")
    before, wanted = contents(played), guards(played)
    with pytest.raises(JournalDamagedError):
        repair(played.url, played.keys_folder, by="Technician 2", reason="a bad sector")
    assert contents(played) == before
    assert guards(played) == wanted


@pytest.mark.parametrize(("by", "reason"), [("", "a reason"), ("Technician 2", " ")])
def test_who_and_why_must_be_said(sqlite_store: SqlStore, by: str, reason: str) -> None:
    with pytest.raises(InputError, match="on record"):
        repair(sqlite_store.url, sqlite_store.keys_folder, by=by, reason=reason)


def test_who_has_it_done_is_a_person_on_duty(played: SqlStore) -> None:
    played.tamper("DELETE FROM transfers")
    before = contents(played)
    with pytest.raises(InputError, match=r"'Technicien 2' is not on duty here: .*; did you mean Technician 2"):
        repair(played.url, played.keys_folder, by="Technicien 2", reason="a bad sector")
    assert contents(played) == before


def test_from_the_command_line(sqlite_store: SqlStore, capsys: pytest.CaptureFixture[str]) -> None:
    with sqlite_store.manager() as manager:
        manager.call(people())
        manager.call(moved("k"))
    sqlite_store.tamper("DELETE FROM transfers")
    told = [
        "audit", "repair", "--database", sqlite_store.url, "--keys", str(sqlite_store.keys_folder),
        "--by", "Technician 2", "--reason", "a bad sector",
    ]  # fmt: skip
    assert main(told) == 0
    assert capsys.readouterr().out == "rows that differed: 1 in transfers\n"
    assert json.loads(sqlite_store.events()[-1].body)["do"]["by"] == "Technician 2"
    sqlite_store.tamper("UPDATE events SET actor = 'Dealer 3' WHERE key = 'k'")
    assert main(told) != 0
    assert "events[3]" in capsys.readouterr().err
