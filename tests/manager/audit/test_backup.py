"""Backups under load, restored and moved elsewhere: the same chain, audited, and the floor plays on."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import select

from houseway.errors import InputError
from houseway.manager.commands.round_commands import EndRound, HitJackpot, PressHand
from houseway.manager.reports.day_reading import gaming_day_at, read_days
from houseway.manager.store import backup, migrations, row_copy, schema, sqlite
from houseway.manager.store.backup import Manifest, check_backup, make_backup, read_manifest
from houseway.manager.store.export import digest_of_file
from houseway.manager.store.journal_audit import verify_database
from houseway.manager.store.keys import create_keys, load_keys
from houseway.manager.store.marks import read_anchor
from houseway.manager.store.reading import open_view
from houseway.manager.store.restore import copy_database, restore_backup
from houseway.manager.store.row_copy import Progress
from houseway.manager.store.store_errors import JournalDamagedError
from houseway.manager.store.trust import Trust, trust_in
from houseway.manager.store.upgrade import upgrade_tables
from tests.manager.audit.house import FELT, House
from tests.manager.audit.play import Played
from tests.manager.floors import DEALER


def contents(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table."""
    with open_view(url) as view:
        return {name: sorted(view.rows(select(table)), key=str) for name, table in schema.metadata.tables.items()}


def codes(error: pytest.ExceptionInfo[InputError]) -> list[str]:
    return [fault.code for fault in error.value.faults]


@pytest.fixture(scope="module")
def backups(played: Played, tmp_path_factory: pytest.TempPathFactory) -> tuple[Played, Path]:
    """A backup of the play on each store. Tests leave it as it is."""
    folder = tmp_path_factory.mktemp("backups") / "monday"
    make_backup(played.url, played.keys, folder)
    return played, folder


# ---------------------------------------------------------------- what a backup is


def test_a_backup_holds_every_row_and_is_signed(backups: tuple[Played, Path]) -> None:
    played, folder = backups
    manifest = read_manifest(folder)
    rows = contents(played.url)
    assert contents(str(folder / "journal.db")) == rows
    assert manifest.rows == {name: len(of_table) for name, of_table in rows.items()}
    assert manifest.first == played.archived.up_to + 1
    last = max(rows["events"])
    assert (manifest.mark.seq, manifest.mark.hash) == (last[0], last[-1])
    keys = load_keys(played.keys)
    assert keys.verifies(manifest.key_id, manifest.signature, manifest.signed_text())
    assert {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()} == {
        "journal.db": 0o600,
        "manifest.json": 0o600,
    }
    report = check_backup(folder, played.trust)
    assert (report.found, report.hash) == (0, manifest.mark.hash)
    assert sorted(path.name for path in folder.iterdir()) == ["journal.db", "manifest.json"], "a check leaves nothing"


def test_a_backup_is_restored_on_either_store(backups: tuple[Played, Path], empty_url: str, tmp_path: Path) -> None:
    played, folder = backups
    restored = restore_backup(folder, empty_url, played.trust)
    assert (restored.report.found, restored.lost, restored.marks) == (0, None, 1)
    assert contents(empty_url) == contents(played.url)
    if empty_url.startswith("sqlite"):
        assert [path.name for path in tmp_path.iterdir()] == ["house.db"]
        assert (tmp_path / "house.db").stat().st_mode & 0o777 == 0o600
    with pytest.raises(InputError) as refused:
        restore_backup(folder, empty_url, played.trust)
    assert codes(refused) == ["journal-exists"], "nothing is overwritten"


def test_a_journal_moves_to_postgresql_and_back_with_the_same_hash(
    on_sqlite: Played, postgres_url: str, tmp_path: Path
) -> None:
    there = copy_database(on_sqlite.url, postgres_url, on_sqlite.trust)
    back = copy_database(postgres_url, f"sqlite:///{tmp_path / 'back.db'}", on_sqlite.trust)
    with open_view(on_sqlite.url) as view:
        hashes = {verify_database(view, on_sqlite.trust).hash, there.report.hash, back.report.hash}
    assert hashes == {there.copied.hash}
    assert contents(str(tmp_path / "back.db")) == contents(postgres_url) == contents(on_sqlite.url)


# ---------------------------------------------------------------- under load


class Floor:
    """A floor that plays in a thread of its own while something else is done with its database."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.rounds = 0
        self._more = threading.Condition()
        self._ending = False
        self._thread = threading.Thread(target=self._play)

    def _play(self) -> None:
        while not self._ending:
            self.house.play_felt()
            with self._more:
                self.rounds += 1
                self._more.notify_all()

    def wait_for(self, rounds: int) -> None:
        """Wait until so many more rounds were played."""
        with self._more:
            wanted = self.rounds + rounds
            assert self._more.wait_for(lambda: self.rounds >= wanted, 60)

    def __enter__(self) -> Floor:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending = True
        self._thread.join()


def slowly(wait: Callable[[], None]) -> backup.Stage:
    """Stages in which something happens after every step of the copying."""

    @contextmanager
    def stage(name: str) -> Iterator[Progress | None]:
        yield (lambda _done, _all: wait()) if name == "copying" else None

    return stage


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup, "_PAGES", 15)
    monkeypatch.setattr(row_copy, "WINDOW", 15)


@pytest.mark.usefixtures("small_steps")
def test_a_floor_plays_on_through_its_backup_and_from_its_backup(empty_url: str, tmp_path: Path) -> None:
    house = House(empty_url, tmp_path / "keys", snapshot_every=50)
    house.set_up()
    house.play_known()
    with Floor(house) as floor:
        floor.wait_for(2)
        begun, steps = floor.rounds, []
        made = make_backup(
            house.url, house.keys, tmp_path / "noon", stage=slowly(lambda: steps.append(floor.wait_for(1)))
        )
        assert floor.rounds >= begun + len(steps)
        assert len(steps) > 2
    house.close()
    newest = read_anchor(house.keys)
    assert newest is not None
    assert newest.seq > made.manifest.mark.seq, "the floor has played on"
    with open_view(house.url) as view:
        at_backup = view.event(made.manifest.mark.seq)
        assert verify_database(view, trust_in(house.keys)).is_clean
    assert at_backup is not None
    assert at_backup.hash == made.manifest.mark.hash

    # Restored elsewhere it is known what is missing, and nothing starts before people have seen it.
    elsewhere = f"sqlite:///{tmp_path / 'elsewhere.db'}"
    restored = restore_backup(tmp_path / "noon", elsewhere, trust_in(house.keys))
    assert restored.report.is_clean
    assert restored.lost is not None
    assert restored.lost == (made.manifest.mark.seq + 1, newest.seq, newest.hash)
    with pytest.raises(JournalDamagedError, match="its end is gone"):
        House(elsewhere, house.keys, now=house.now)
    (house.keys / "anchor.json").rename(tmp_path / "evidence.json")
    again = House(elsewhere, house.keys, now=house.now)
    in_play = again.floor().tables[FELT].round
    if in_play is not None:
        again.do(DEALER, EndRound(in_play))
    again.play_felt({5: "seven-card-straight-flush"})
    again.play_known()
    again.close()
    with open_view(elsewhere) as view:
        assert verify_database(view, trust_in(house.keys)).is_clean


# ---------------------------------------------------------------- interrupted


def ending_after(steps: int) -> backup.Stage:
    """Ctrl-C after some steps of the copying."""
    count = 0

    def end() -> None:
        nonlocal count
        count += 1
        if count == steps:
            raise KeyboardInterrupt

    return slowly(end)


@pytest.mark.usefixtures("small_steps")
def test_an_interrupted_backup_leaves_nothing_or_goes_on(played: Played, tmp_path: Path) -> None:
    target = tmp_path / "monday"
    with pytest.raises(KeyboardInterrupt):
        make_backup(played.url, played.keys, target, stage=ending_after(2))
    is_sqlite = played.url.startswith("sqlite")
    assert [path.name for path in tmp_path.iterdir()] == ([] if is_sqlite else [".monday.part"])
    steps: list[int] = []
    made = make_backup(played.url, played.keys, target, stage=slowly(lambda: steps.append(1)))
    assert [path.name for path in tmp_path.iterdir()] == ["monday"]
    assert contents(str(target / "journal.db")) == contents(played.url)
    if not is_sqlite:
        assert len(steps) == -(-(made.manifest.rows["events"] - 30) // 15), "what was there was not copied again"


@pytest.mark.usefixtures("small_steps")
def test_an_interrupted_copy_is_served_by_nobody_and_goes_on_with_a_journal_that_has_grown(
    empty_url: str, on_sqlite: Played, tmp_path: Path
) -> None:
    house = House(f"sqlite:///{tmp_path / 'source.db'}", tmp_path / "keys", snapshot_every=50)
    house.set_up()
    house.play_felt()
    with pytest.raises(KeyboardInterrupt):
        copy_database(house.url, empty_url, Trust(), stage=ending_after(1))
    with pytest.raises(InputError) as refused:
        House(empty_url, house.keys)
    assert codes(refused) == ["copy-unfinished"]
    with pytest.raises(InputError) as refused:
        copy_database(on_sqlite.url, empty_url, Trust())
    assert codes(refused) == ["journal-exists"], "of another journal"
    house.play_felt({2: "straight-flush"})
    house.play_known()
    house.close()
    done = copy_database(house.url, empty_url, trust_in(house.keys))
    assert done.copied.resumed_behind == 15
    assert contents(empty_url) == contents(house.url)
    with pytest.raises(InputError) as refused:
        copy_database(house.url, empty_url, trust_in(house.keys))
    assert codes(refused) == ["journal-exists"]


def test_of_two_backups_into_one_folder_one_is_refused(on_sqlite: Played, tmp_path: Path) -> None:
    def second() -> None:
        with pytest.raises(InputError) as refused:
            make_backup(on_sqlite.url, on_sqlite.keys, tmp_path / "monday")
        assert codes(refused) == ["backup-running"]

    make_backup(on_sqlite.url, on_sqlite.keys, tmp_path / "monday", stage=slowly(second))
    with pytest.raises(InputError) as refused:
        make_backup(on_sqlite.url, on_sqlite.keys, tmp_path / "monday")
    assert codes(refused) == ["unwritable-file"]
    with pytest.raises(InputError) as refused:
        make_backup(on_sqlite.url, on_sqlite.keys, tmp_path / "no" / "folder")
    assert codes(refused) == ["unwritable-file"]


# ---------------------------------------------------------------- altered and foreign


@pytest.fixture
def copied(backups: tuple[Played, Path], tmp_path: Path) -> tuple[Played, Path]:
    """A backup to change."""
    played, folder = backups
    shutil.copytree(folder, tmp_path / "backup")
    return played, tmp_path / "backup"


def resigned(manifest: Manifest, keys: Path) -> bytes:
    """A manifest signed by somebody."""
    found = load_keys(keys)
    named = msgspec.structs.replace(manifest, key_id=found.key_id)
    return msgspec.json.encode(msgspec.structs.replace(named, signature=found.sign(named.signed_text())))


def test_an_altered_backup_is_neither_clean_nor_restored(copied: tuple[Played, Path], tmp_path: Path) -> None:
    played, folder = copied
    file, manifest = folder / "journal.db", read_manifest(folder)
    whole = file.read_bytes()
    create_keys(tmp_path / "foreign")

    def refused() -> str:
        assert not check_backup(folder, played.trust).is_clean
        with pytest.raises(JournalDamagedError, match="nothing was restored") as error:
            restore_backup(folder, f"sqlite:///{tmp_path / 'new.db'}", played.trust)
        assert not (tmp_path / "new.db").exists()
        return error.value.row

    # One bit of the file, its end cut off, another file.
    for changed in (_flipped(whole, len(whole) // 2), whole[:-4096], b""):
        file.write_bytes(changed)
        assert refused() == "file[journal.db]"
    file.write_bytes(whole)
    # Every word of the manifest is signed.
    for field, value in (("made_at", 1), ("first", 1), ("software", "9"), ("revision", "v1_0002"), ("rows", {})):
        (folder / "manifest.json").write_bytes(msgspec.json.encode(msgspec.structs.replace(manifest, **{field: value})))
        assert refused() == "manifest[manifest.json]"
    (folder / "manifest.json").write_bytes(resigned(manifest, tmp_path / "foreign"))
    assert refused() == "manifest[manifest.json]"
    # Rows that were altered by somebody who has the signing key as well are found by the audit.
    altered = _with_another_amount(file)
    said = msgspec.structs.replace(manifest, sha256=altered, size=file.stat().st_size)
    (folder / "manifest.json").write_bytes(resigned(said, played.keys))
    assert refused().startswith("transfers[")


def _flipped(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


def _with_another_amount(file: Path) -> str:
    """One transfer of another amount, behind the guards' back; returns the new checksum."""
    connection = sqlite.driver().connect(str(file))
    ((made,),) = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'transfers_no_update'").fetchall()
    connection.executescript(
        "DROP TRIGGER transfers_no_update; UPDATE transfers SET micros = micros + 1 WHERE line = 1; " + made
    )
    connection.close()
    return digest_of_file(file)


def test_a_journal_that_lacks_what_the_anchor_saw_is_neither_backed_up_nor_copied_nor_reported(tmp_path: Path) -> None:
    house = House(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "keys")
    house.set_up()
    house.play_felt()
    house.close()
    shutil.copyfile(tmp_path / "house.db", tmp_path / "old.db")
    (tmp_path / "old.db").chmod(0o600)
    house = House(house.url, house.keys, now=house.now)
    house.play_felt({2: "straight-flush"})
    house.close()
    old, new = f"sqlite:///{tmp_path / 'old.db'}", f"sqlite:///{tmp_path / 'new.db'}"
    for check in (True, False):
        with pytest.raises(JournalDamagedError, match="its end was cut off"):
            make_backup(old, house.keys, tmp_path / "monday", check=check)
    with pytest.raises(JournalDamagedError, match="its end was cut off"):
        copy_database(old, new, trust_in(house.keys))
    assert not [path.name for path in tmp_path.iterdir() if "monday" in path.name or path.name == "new.db"]
    with open_view(old) as view:
        day = gaming_day_at(view, house.now)
        with pytest.raises(JournalDamagedError, match="its end was cut off"):
            read_days(view, day, day, house.now, trust_in(house.keys))
        assert read_days(view, day, day, house.now).is_preliminary, "without the anchor nobody can know"
    with open_view(house.url) as view:
        assert read_days(view, day, day, house.now, trust_in(house.keys)).is_preliminary
    assert make_backup(house.url, house.keys, tmp_path / "monday").report is not None, "the whole one is"


def test_what_is_no_backup_and_keys_that_are_missing(copied: tuple[Played, Path], tmp_path: Path) -> None:
    played, folder = copied
    target = f"sqlite:///{tmp_path / 'new.db'}"
    with pytest.raises(InputError) as refused:
        restore_backup(folder, target, Trust())
    assert codes(refused) == ["missing-argument"]
    (tmp_path / "new.db-wal").touch()
    with pytest.raises(InputError) as refused:
        restore_backup(folder, target, played.trust)
    assert codes(refused) == ["journal-exists"], "a log that lies there would become its log"
    for text in ("", "{}", '{"houseway": "backup"}'):
        (folder / "manifest.json").write_text(text)
        with pytest.raises(InputError) as refused:
            check_backup(folder, played.trust)
        assert codes(refused) == ["no-backup"]


# ---------------------------------------------------------------- older tables


@pytest.mark.parametrize("revision", migrations.revisions()[:-1])
def test_a_backup_of_older_tables_is_checked_and_restored_as_those_of_this_software(
    revision: str, empty_url: str, tmp_path: Path
) -> None:
    house = House(empty_url, tmp_path / "keys")
    house.set_up()
    house.play_felt({2: "straight-flush"})
    house.close()
    whole = contents(empty_url)
    migrations.downgrade(empty_url, revision)
    made = make_backup(empty_url, house.keys, tmp_path / "old")
    assert (made.manifest.revision, migrations.current(empty_url)) == (revision, revision)
    trust = trust_in(house.keys)
    assert check_backup(tmp_path / "old", trust).is_clean
    restored = restore_backup(tmp_path / "old", f"sqlite:///{tmp_path / 'new.db'}", trust)
    assert restored.report.is_clean
    assert contents(str(tmp_path / "new.db")) == whole


def test_an_open_award_outlives_the_way_back_and_the_upgrade(empty_url: str, tmp_path: Path) -> None:
    house = House(empty_url, tmp_path / "keys")
    house.set_up()
    house.deal()
    round_id = house.start(FELT)
    house.do(DEALER, PressHand(round_id, 5, "seven-card-straight-flush"))
    house.do(DEALER, HitJackpot(round_id))
    locked = {award.id: (award.status, award.cents) for award in house.floor().awards.values()}
    assert [status for status, _ in locked.values()] == ["hit"]
    house.close()
    oldest, newest = migrations.revisions()[0], migrations.revisions()[-1]
    down = upgrade_tables(empty_url, house.keys, tmp_path / "down", oldest)
    up = upgrade_tables(empty_url, house.keys, tmp_path / "up")
    assert (down.before, down.after, up.before, up.after) == (newest, oldest, oldest, newest)
    assert up.report is not None
    assert up.report.is_clean
    again = House(empty_url, house.keys, now=house.now)
    assert {award.id: (award.status, award.cents) for award in again.floor().awards.values()} == locked
    again.settle(round_id, reject=False)
    again.do(DEALER, EndRound(round_id))
    again.close()
    with open_view(empty_url) as view:
        assert verify_database(view, trust_in(house.keys)).is_clean
