"""An audit of a journal that is being written sees one moment of it, and stops nobody."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from sqlalchemy.exc import DBAPIError

from houseway.errors import InputError
from houseway.manager.store import migrations
from houseway.manager.store.journal_audit import verify_database
from houseway.manager.store.reading import is_database, open_view, read_only_address
from houseway.manager.store.trust import trust_in
from tests.manager.audit.house import House
from tests.manager.audit.play import Played


def test_audits_during_play_find_nothing(empty_url: str, tmp_path: Path) -> None:
    house = House(empty_url, tmp_path / "keys", snapshot_every=30)
    house.set_up()
    stop = threading.Event()

    def play() -> None:
        while not stop.is_set():
            house.play_felt({5: "seven-card-straight-flush"})
            house.play_known()

    thread = threading.Thread(target=play)
    thread.start()
    lasts = []
    try:
        for _ in range(6):
            # The anchor is read before the view is opened: it must not be ahead of it.
            trust = trust_in(tmp_path / "keys")
            with open_view(empty_url) as view:
                report = verify_database(view, trust)
                again = verify_database(view, trust)
            assert (report.found, [str(finding) for finding in report.findings]) == (0, [])
            assert again.last == report.last, "the view sees one moment"
            lasts.append(report.last)
    finally:
        stop.set()
        thread.join()
    house.close()
    assert lasts[0] < lasts[-1]


def test_a_view_cannot_write(played: Played) -> None:
    with open_view(played.url) as view, pytest.raises(DBAPIError, match=r"read.?only"):
        view.connection.exec_driver_sql(f"INSERT INTO {view.namespace.of('meta')} (name, value) VALUES ('a', 'b')")


def test_since_a_number_begins_at_a_stored_state(played: Played) -> None:
    with open_view(played.url) as view:
        first, last = view.bounds()
        report = verify_database(view, played.trust, since=last - 3)
        assert report.is_clean
        assert first < report.first <= last - 3
        assert verify_database(view, played.trust, since=1).first == first


def test_what_is_no_journal(tmp_path: Path, postgres_url: str) -> None:
    import sqlite3

    empty = tmp_path / "empty.db"
    with sqlite3.connect(empty) as connection:
        connection.execute("CREATE TABLE t (a)")
    connection.close()
    (tmp_path / "text").write_text("no database")
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(b"SQLite format 3\0" + bytes(4000))
    for address, code in (
        (str(empty), "no-journal"),
        (f"sqlite:///{empty}", "no-journal"),
        (postgres_url, "no-journal"),
        (str(tmp_path / "nothing.db"), "unreadable-file"),
        (str(damaged), "unreadable-database"),
        ("postgresql://nobody@127.0.0.1:1/none", "unreadable-database"),
        ("mysql://x/y", "bad-url"),
    ):
        with pytest.raises(InputError) as caught, open_view(address):
            pass
        assert {fault.code for fault in caught.value.faults} == {code}, address
    assert is_database(str(empty))
    assert not is_database(str(tmp_path / "text"))
    assert not (tmp_path / "nothing.db").exists()


def test_a_password_is_never_told() -> None:
    with pytest.raises(InputError) as caught, open_view("postgresql://house:geheim@127.0.0.1:1/none"):
        pass
    assert "geheim" not in str(caught.value)


def test_an_empty_journal(empty_url: str, tmp_path: Path) -> None:
    migrations.upgrade(empty_url)
    from houseway.manager.store.trust import Trust

    with open_view(empty_url) as view:
        report = verify_database(view, Trust())
    assert (report.found, report.first, report.last) == (0, 1, 0)


def test_a_copy_on_a_medium_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "house.db"
    assert read_only_address(path).endswith("?mode=ro")
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert read_only_address(path).endswith("?mode=ro&immutable=1")
    (tmp_path / "house.db-wal").touch()
    assert read_only_address(path).endswith("?mode=ro")
