"""SQLite as a store: only a repaired version, safe settings, a full disk, a file that is taken away."""

from __future__ import annotations

import resource
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from houseway.errors import MissingPartError
from houseway.manager.core.engine import Envelope
from houseway.manager.store import sqlite, urls
from houseway.manager.store.manager import Manager
from houseway.manager.store.sqlite import SqliteJournal
from houseway.manager.store.store_errors import JournalDamagedError, RowRefusedError, StoreUnavailableError
from houseway.manager.store.writer import Writer
from tests.manager.store.acts import Move, do, moved, people
from tests.manager.store.stores import SqlStore, check_chain, check_ledger
from tests.manager.store.test_manager import until


class TestVersion:
    @pytest.mark.parametrize(
        ("version", "repaired"),
        [
            ("3.40.1", False),
            ("3.44.5", False),
            ("3.44.6", True),
            ("3.45.9", False),
            ("3.50.6", False),
            ("3.50.7", True),
            ("3.51.2", False),
            ("3.51.3", True),
            ("3.51", False),
            ("3.52.0", True),
            ("3.53.4", True),
            ("4.0.0", True),
        ],
    )
    def test_with_the_repair_or_not(self, version: str, *, repaired: bool) -> None:
        assert sqlite.is_repaired(version) == repaired

    @pytest.fixture(autouse=True)
    def _fresh(self) -> None:
        sqlite.driver.cache_clear()

    def test_the_one_in_use_here_has_it(self) -> None:
        assert sqlite.is_repaired(sqlite.driver().sqlite_version)

    def test_the_own_one_is_used_if_it_is_good(self, monkeypatch: pytest.MonkeyPatch) -> None:
        good = SimpleNamespace(__name__="sqlite3", sqlite_version="3.52.0")
        monkeypatch.setitem(sys.modules, "pysqlite3", None)
        monkeypatch.setitem(sys.modules, "sqlite3", good)
        assert sqlite.driver() is good
        sqlite.driver.cache_clear()

    def test_else_it_is_refused_with_what_to_do(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "pysqlite3", None)
        monkeypatch.setitem(sys.modules, "sqlite3", SimpleNamespace(__name__="sqlite3", sqlite_version="3.40.1"))
        with pytest.raises(MissingPartError, match=r"3\.51\.3.*3\.40\.1.*pip install pysqlite3"):
            sqlite.driver()


def test_settings_are_the_safe_ones(sqlite_store: SqlStore) -> None:
    connection = sqlite.connect(urls.sqlite_path(sqlite_store.url))
    found = {
        name: connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous", "foreign_keys", "mmap_size", "trusted_schema", "recursive_triggers")
    }
    connection.close()
    assert found == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "mmap_size": 0,
        "trusted_schema": 0,
        "recursive_triggers": 1,
    }


def test_another_writer_is_waited_for_and_then_named(sqlite_store: SqlStore) -> None:
    path = urls.sqlite_path(sqlite_store.url)
    holding = SqliteJournal(path)
    holding.begin()
    waiting = SqliteJournal(path, busy_milliseconds=50)
    with pytest.raises(StoreUnavailableError, match="another process"):
        waiting.begin()
    holding.rollback()
    waiting.begin()
    waiting.close()
    holding.close()


def test_rows_that_do_not_fit_are_told_from_a_store_that_is_away(sqlite_store: SqlStore) -> None:
    journal = sqlite_store.journal()
    journal.note("once", "a")
    with pytest.raises(RowRefusedError):
        journal.note("once", "b")


def long_move(number: int) -> Envelope:
    return do(f"k{number}", Move("tray/T1", "house", 1, "x" * 3000))


def fill(press: Callable[[int], object]) -> tuple[int, StoreUnavailableError]:
    """Press until the store refuses: how many went through, and what was said."""
    for number in range(10_000):
        try:
            press(number)
        except StoreUnavailableError as error:
            return number, error
    raise AssertionError("it was never full")


class TestFullDisk:
    def limit(self, manager: Manager, pages: int) -> None:
        manager._journal._connection.execute(f"PRAGMA max_page_count = {pages}")  # type: ignore[attr-defined]

    def test_nothing_is_lost_and_it_goes_on_when_there_is_room(self, sqlite_store: SqlStore) -> None:
        manager = sqlite_store.manager()
        manager.call(people())
        self.limit(manager, 1)
        acknowledged, full = fill(lambda number: manager.call(long_move(number)))
        assert "disk is full: free some space" in str(full)
        assert "repeating the command under the same key is safe" in str(full)
        assert not full.in_doubt
        self.limit(manager, 2**30)
        until(lambda: manager.health()["state"] == "serving")
        assert manager.view(lambda floor: floor.balances.get("tray/T1", 0)) == acknowledged
        answer = manager.call(long_move(acknowledged))
        assert (answer.answer["balance"], answer.repeated) == (acknowledged + 1, False)
        check_chain(sqlite_store.events())
        assert check_ledger(sqlite_store.transfers())["tray/T1"] == acknowledged + 1

    def test_a_file_that_cannot_grow_any_more(self, sqlite_store: SqlStore) -> None:
        """The operating system itself refuses the write, in the middle of a commit or of what goes before it."""
        writer = sqlite_store.writer()
        writer.carry_out([people()])
        ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        wal = Path(f"{urls.sqlite_path(sqlite_store.url)}-wal")
        resource.setrlimit(resource.RLIMIT_FSIZE, (wal.stat().st_size + 60_000, hard))
        try:
            acknowledged, _ = fill(lambda number: writer.carry_out([long_move(number)]))
            with pytest.raises(StoreUnavailableError):
                writer.carry_out([do("big", Move("tray/T1", "house", 1, "x" * 100_000))])
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            signal.signal(signal.SIGXFSZ, ignored)
        assert acknowledged > 0
        (again,) = writer.carry_out([long_move(acknowledged)])
        assert getattr(again, "answer", None) is not None
        check_chain(sqlite_store.events())
        assert check_ledger(sqlite_store.transfers())["tray/T1"] == acknowledged + 1


class TestFileTakenAway:
    def test_it_is_noticed_before_anything_is_written_into_nowhere(self, sqlite_store: SqlStore) -> None:
        manager = sqlite_store.manager()
        manager.call(people())
        path = urls.sqlite_path(sqlite_store.url)
        path.rename(path.with_suffix(".away"))
        with pytest.raises(StoreUnavailableError, match="moved or replaced"):
            manager.call(moved("k"))
        until(lambda: manager.health()["state"] == "paused")
        path.with_suffix(".away").rename(path)
        until(lambda: manager.health()["state"] == "serving")
        assert manager.call(moved("k")).answer["balance"] == 1

    def test_another_file_in_its_place_is_not_written_to(self, sqlite_store: SqlStore, tmp_path: Path) -> None:
        path = urls.sqlite_path(sqlite_store.url)
        shutil.copy(path, tmp_path / "empty.db")
        writer: Writer = sqlite_store.writer()
        writer.carry_out([people()])
        (tmp_path / "empty.db").replace(path)
        for beside in ("-wal", "-shm"):
            Path(f"{path}{beside}").unlink()
        with pytest.raises(StoreUnavailableError, match="moved or replaced"):
            writer.carry_out([moved("k")])
        for _ in range(2):
            with pytest.raises(JournalDamagedError, match="not there any more"):
                writer.carry_out([moved("k")])
