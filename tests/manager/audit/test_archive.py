"""Old events move into files: never lost in between, still one chain, and an altered file is found."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError

from houseway.errors import InputError
from houseway.manager.core.records import canonical
from houseway.manager.store import archive as archiving
from houseway.manager.store import schema, urls
from houseway.manager.store.archive import archive_before
from houseway.manager.store.journal_audit import AuditReport, verify_database, verify_file
from houseway.manager.store.reading import open_view
from houseway.manager.store.trust import trust_in
from tests.manager.audit.house import House
from tests.manager.audit.play import Played
from tests.manager.floors import AUDITOR, DAY
from tests.manager.store.stores import intruder
from tests.manager.store.test_manager import until


@pytest.fixture
def house(empty_url: str, tmp_path: Path) -> Iterator[House]:
    """A house with a day of play, followed two months later by another round."""
    made = House(empty_url, tmp_path / "keys", snapshot_every=20)
    made.set_up()
    made.play_felt()
    made.play_felt({5: "seven-card-straight-flush"})
    made.play_known()
    made.pass_days(60)
    made.play_felt()
    yield made
    made.close()


def archive(house: House, target: Path, days_ago: int = 40, by: str = AUDITOR) -> archiving.ArchiveResult:
    return archive_before(house.url, house.keys, house.now - days_ago * DAY, target, by, clock=lambda: house.now)


def audit(house: House, *archives: Path) -> AuditReport:
    trust = trust_in(house.keys)
    with open_view(house.url) as view:
        return verify_database(view, trust, archives=archives)


def told(report: AuditReport) -> list[tuple[str, str, str]]:
    return [(finding.table, finding.row, finding.problem) for finding in report.findings]


def test_events_move_and_everything_still_verifies(house: House, tmp_path: Path) -> None:
    before = house.floor()
    target = tmp_path / "old.jsonl.gz"
    archived = archive(house, target)
    # Another process has recorded it: the running manager follows a moment later.
    until(lambda: house.manager.seen().seq >= archived.seq)
    entities = house.floor().snapshot()["entities"]
    assert set(entities.pop("archive")) == {str(archived.up_to)}
    known = before.snapshot()["entities"]
    assert known.pop("archive") == {}
    assert canonical(entities) == canonical(known)
    assert house.floor().balances == before.balances
    house.play_felt({5: "royal-flush-royal-match"})
    house.restart()
    house.play_known()
    with open_view(house.url) as view:
        assert view.bounds()[0] == archived.up_to + 1
        for name in ("events", "transfers", "rounds", "lines", "hits", "checkpoints"):
            table = schema.metadata.tables[name]
            assert view.rows(select(table).where(table.c.seq <= archived.up_to)) == []
    alone = audit(house)
    assert (alone.found, len(alone.notes)) == (0, 1)
    both = audit(house, target)
    assert (both.found, both.notes) == (0, [])
    assert verify_file(target, trust_in(house.keys)).is_clean
    house.close()


def test_a_second_archive_follows_on_the_first(house: House, tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl.gz"
    first = archive(house, one)
    for _ in range(12):
        house.play_felt({5: "royal-flush"})
    house.pass_days(60)
    second = archive(house, two)
    assert second.first == first.up_to + 1
    assert second.up_to > first.seq, "the record of the first archive is archived itself"
    assert (audit(house, two, one).found, audit(house, two, one).notes) == (0, [])
    assert audit(house).found == 0
    assert [note for note in audit(house, two).notes if "was not given" in note] != []
    house.close()


def test_an_altered_archive_is_found(played: Played, tmp_path: Path) -> None:
    data = gzip.decompress(played.archive.read_bytes())
    changes = {
        "packed again": data,
        "altered": data.replace(b'"actor":"Dealer 17"', b'"actor":"Dealer 18"', 1),
        "cut off": data[: len(data) // 2],
    }
    for name, changed in changes.items():
        path = tmp_path / f"{name}.jsonl"
        path.write_bytes(changed)
        with open_view(played.url) as view:
            report = verify_database(view, played.trust, archives=[path])
        found = {(finding.table, finding.problem, finding.file) for finding in report.findings}
        assert ("archives", "wrong-archive", str(path)) in found, name
        assert (len(found) > 1) == (name != "packed again"), name


def test_an_archive_of_another_house_is_found(played: Played, house: House, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    archive(house, other)
    house.close()
    with open_view(played.url) as view:
        report = verify_database(view, played.trust, archives=[other])
    assert ("archives", "wrong-archive") in {(finding.table, finding.problem) for finding in report.findings}


class KilledError(Exception):
    """The run ends here."""


@pytest.mark.parametrize("step", ["written", "recorded", "half removed"])
def test_an_interrupted_run_is_finished_by_the_same_call(
    house: House, tmp_path: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "old.jsonl.gz"

    def die(*_: object) -> None:
        raise KilledError

    def die_half_way(url: str, up_to: int, _: int) -> None:
        journal = urls.journal_at(url)
        journal.begin()
        assert not journal.prune(up_to, 10)
        journal.commit()
        journal.close()
        raise KilledError

    with monkeypatch.context() as patch:
        name = "_record" if step == "written" else "_prune"
        patch.setattr(archiving, name, die_half_way if step == "half removed" else die)
        with pytest.raises(KilledError):
            archive(house, target)
    house.play_felt()
    if step == "half removed":
        assert {finding.problem for finding in audit(house, target).findings} == {"left-over"}
    else:
        assert audit(house, *([] if step == "written" else [target])).found == 0
    if step == "written":
        # Nothing is on record yet: the file is only an export, and the run begins again with another name.
        target = tmp_path / "again.jsonl.gz"
    else:
        with pytest.raises(InputError, match="was begun and not finished"):
            archive(house, tmp_path / "another.jsonl.gz")
    archived = archive(house, target)
    report = audit(house, target)
    assert (report.found, report.notes, report.first) == (0, [], archived.up_to + 1)
    house.close()


def test_tables_play_on_while_rows_leave(house: House, tmp_path: Path) -> None:
    stop = threading.Event()
    played: list[str] = []

    def play() -> None:
        while not stop.is_set():
            played.append(house.play_felt())

    thread = threading.Thread(target=play)
    thread.start()
    try:
        target = tmp_path / "old.jsonl.gz"
        archive_before(house.url, house.keys, house.now - 40 * DAY, target, AUDITOR, clock=lambda: house.now, at_once=3)
    finally:
        stop.set()
        thread.join()
    assert played
    assert (audit(house, target).found, audit(house, target).notes) == (0, [])
    house.close()


def test_what_is_refused(house: House, tmp_path: Path) -> None:
    def refusal(days_ago: int, by: str = AUDITOR) -> str:
        with pytest.raises(InputError) as caught:
            archive(house, tmp_path / "old.jsonl", days_ago, by)
        (fault,) = caught.value.faults
        return fault.code

    assert refusal(29) == "too-young"
    assert refusal(70) == "nothing-to-archive"
    assert not (tmp_path / "old.jsonl").exists()
    assert refusal(40, by="Nobody 1") == "unknown-person"
    assert not (tmp_path / "old.jsonl").exists(), "who has it done is asked before anything is written"
    assert audit(house).found == 0
    archive(house, tmp_path / "old.jsonl")
    assert refusal(40) == "nothing-to-archive"
    house.close()


def test_a_damaged_journal_is_not_archived(house: House, tmp_path: Path) -> None:
    house.close()
    with intruder(house.url).begin() as connection:
        if connection.dialect.name == "sqlite":
            connection.execute(text("DROP TRIGGER events_no_update"))
        else:
            connection.execute(text("ALTER TABLE events DISABLE TRIGGER events_no_update"))
        connection.execute(text("UPDATE events SET actor = 'Dealer 99' WHERE seq = 7"))
    with pytest.raises(InputError, match="nothing was archived"):
        archive(house, tmp_path / "old.jsonl")
    assert not (tmp_path / "old.jsonl").exists()


def test_rows_that_are_not_archived_cannot_be_removed(house: House, tmp_path: Path) -> None:
    archived = archive(house, tmp_path / "old.jsonl")
    for _ in range(4):
        house.play_felt({5: "royal-flush"})
    house.close()
    for table in ("events", "transfers", "rounds", "lines", "hits", "checkpoints", "snapshots", "archives", "meta"):
        where = "" if table in ("archives", "meta") else f" WHERE seq > {archived.up_to}"
        with pytest.raises(DBAPIError, match="never"), intruder(house.url).begin() as connection:
            connection.execute(text(f"DELETE FROM {table}{where}"))
