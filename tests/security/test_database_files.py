"""The files of a journal on SQLite: what SQLite would play back over it, links, and files that others may write."""

from __future__ import annotations

import os
import shutil
import struct
from pathlib import Path

import pytest

from houseway.errors import InputError
from houseway.manager.store import migrations, sqlite, urls
from houseway.manager.store.keys import create_keys, load_keys
from houseway.manager.store.reading import open_view
from houseway.manager.store.store_errors import JournalDamagedError, StoreRefusedError
from tests.manager.store.acts import moved, people
from tests.manager.store.stores import SqlStore

MAGIC = bytes.fromhex("d9d505f920a163d7")
SECTOR, PAGE, NONCE = 512, 4096, 7


def hot_journal(old: bytes) -> bytes:
    """A rollback journal that SQLite plays back at the next opening: it puts an old database in place of the file."""
    pages = [old[place : place + PAGE] for place in range(0, len(old), PAGE)]
    head = MAGIC + struct.pack(">5I", len(pages), NONCE, len(pages), SECTOR, PAGE)
    records = [
        struct.pack(">I", number)
        + page
        + struct.pack(">I", (NONCE + sum(page[i] for i in range(PAGE - 200, 0, -200))) % 2**32)
        for number, page in enumerate(pages, 1)
    ]
    return head.ljust(SECTOR, b"\0") + b"".join(records)


def beside(store: SqlStore, end: str) -> Path:
    return Path(f"{urls.sqlite_path(store.url)}{end}")


def refusals(store: SqlStore) -> list[tuple[str, str]]:
    with pytest.raises(StoreRefusedError) as refused:
        store.manager()
    return [(fault.code, fault.path) for fault in refused.value.faults]


@pytest.fixture
def played(sqlite_store: SqlStore) -> SqlStore:
    with sqlite_store.manager() as manager:
        manager.call(people())
    return sqlite_store


def test_a_rollback_journal_is_not_played_back(played: SqlStore) -> None:
    path, anchor = urls.sqlite_path(played.url), played.keys_folder / "anchor.json"
    old, noted = path.read_bytes(), anchor.read_bytes()
    with played.manager() as manager:
        manager.call(moved("a payment"))
    now = path.read_bytes()
    assert now != old
    # The old anchor with it, so that nothing else speaks against the old state.
    anchor.write_bytes(noted)
    beside(played, "-journal").write_bytes(hot_journal(old))
    assert refusals(played) == [("database-open", str(beside(played, "-journal")))]
    with pytest.raises(InputError, match="rollback journal"), open_view(played.url):
        pass
    assert path.read_bytes() == now
    beside(played, "-journal").unlink()
    with played.manager() as manager:
        assert manager.call(moved("a payment")).repeated


@pytest.mark.parametrize("end", ["", "-wal", "-shm"])
def test_a_file_that_others_may_change_is_refused(played: SqlStore, end: str) -> None:
    path = beside(played, end)
    path.touch()
    for mode in (0o620, 0o602, 0o666):
        path.chmod(mode)
        assert refusals(played) == [("database-open", str(path))]
    path.chmod(0o600)
    if os.geteuid() == 0:
        os.chown(path, 12_345, -1)
        assert refusals(played) == [("database-open", str(path))]
        os.chown(path, 0, -1)
    elsewhere = path.with_name("elsewhere")
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    assert refusals(played) == [("database-open", str(path))]
    path.unlink()
    elsewhere.rename(path)
    with played.manager() as manager:
        manager.call(moved("goes on"))


def test_a_folder_in_which_everybody_exchanges_files_is_refused(played: SqlStore) -> None:
    folder = urls.sqlite_path(played.url).parent
    mode = folder.stat().st_mode
    folder.chmod(0o777)
    try:
        assert refusals(played) == [("database-open", str(folder))]
        folder.chmod(0o1777)
        played.manager()
    finally:
        folder.chmod(mode)


def test_nothing_is_made_behind_a_link(tmp_path: Path) -> None:
    (tmp_path / "house.db").symlink_to(tmp_path / "elsewhere.db")
    with pytest.raises(StoreRefusedError, match="it is a link"):
        sqlite.connect(tmp_path / "house.db", create=True)
    assert not (tmp_path / "elsewhere.db").exists()


def test_a_link_is_no_key(tmp_path: Path) -> None:
    folder = create_keys(tmp_path / "keys").folder
    for name in ("signing.pem", "sealing.key", "pepper.key", next(folder.glob("*.pub")).name):
        shutil.move(folder / name, tmp_path / name)
        (folder / name).symlink_to(tmp_path / name)
        with pytest.raises(StoreRefusedError) as refused:
            load_keys(folder)
        assert [(fault.code, fault.path) for fault in refused.value.faults] == [("keys-open", str(folder / name))]
        (folder / name).unlink()
        shutil.move(tmp_path / name, folder / name)
    load_keys(folder)


def test_a_log_of_another_time_or_journal_is_not_served(played: SqlStore, tmp_path: Path) -> None:
    """SQLite takes any log that lies there for the database's own: what then stands there must pass the start."""
    path = urls.sqlite_path(played.url)
    backup = path.read_bytes()
    with played.manager() as manager:
        for number in range(40):
            manager.call(moved(f"k{number}"))
    other = tmp_path / "other.db"
    migrations.upgrade(f"sqlite:///{other}")
    logs = []
    for store in (played, SqlStore(f"sqlite:///{other}", tmp_path / "other-keys")):
        with store.manager() as manager:
            manager.call(people("more people"))
            logs.append(beside(store, "-wal").read_bytes())
    for log in logs:
        path.write_bytes(backup)
        beside(played, "-wal").touch(mode=0o600)
        beside(played, "-wal").write_bytes(log)
        with pytest.raises((JournalDamagedError, StoreRefusedError)):
            played.manager()
