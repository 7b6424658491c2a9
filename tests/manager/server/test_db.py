"""`houseway db`: backup, restore, check, upgrade and copy by the command line, on a floor that is served."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from houseway.manager.commands.house_commands import ChangeDeck
from houseway.manager.interface.requests import command_of
from houseway.manager.store import migrations
from houseway.manager.store.marks import read_anchor
from tests.cli.runner import call
from tests.manager.floors import EXECUTIVE, SUPERVISOR, TECHNICIAN, badge
from tests.manager.server.house import House
from tests.manager.server.processes import Served


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest, house: House) -> House:
    """The property on either store."""
    if request.param == "sqlite":
        return house
    url = request.getfixturevalue("postgres_url")
    moved = call("db", "copy", house.url, "--to", url, "--keys", str(house.keys), "--json").json
    assert moved["checked"]
    return House(house.folder, url)


def test_a_served_floor_is_backed_up_restored_elsewhere_and_plays_on(either: House, tmp_path: Path) -> None:
    house, folder, keys = either, str(tmp_path / "noon"), str(either.keys)
    with Served(house) as served, served.client() as client:
        client.send(ChangeDeck("T1", "first", counted=53), actor=SUPERVISOR)
        made = call("db", "backup", house.url, "--to", folder, "--keys", keys, "--json").json
        after = client.send(ChangeDeck("T1", "second", counted=53), actor=SUPERVISOR)
        assert after.seq > made["last"]
        assert call("db", "check", house.url, "--keys", keys, "--json").json["clean"]
        served.end()
    checked = call("db", "check", folder, "--keys", keys, "--json")
    assert (checked.code, checked.json["clean"], checked.json["hash"]) == (0, True, made["hash"])

    new = House(tmp_path / "elsewhere")
    new.folder.mkdir()
    shutil.copytree(house.keys, new.keys)
    restored = call("db", "restore", folder, "--to", str(new.folder / "house.db"), "--keys", keys, "--json").json
    anchor = read_anchor(house.keys)
    assert anchor is not None
    assert restored["lost"] == {"first": made["last"] + 1, "last": anchor.seq, "hash": anchor.hash}
    assert (restored["hash"], restored["journal"]) == (made["hash"], made["journal"])
    # The steps that it names are enough.
    (new.keys / "anchor.json").unlink()
    (step,) = (step for step in restored["next"] if "system.recovery" in step)
    badges = {"badge": badge(EXECUTIVE), "second_badge": badge(TECHNICIAN)}
    recovery = json.loads(step[step.index("{") :]) | badges | {"reason": "the disk broke"}
    with Served(new) as served, served.client() as client:
        client.send(command_of(recovery), actor=EXECUTIVE)
        client.send(ChangeDeck("T1", "third", counted=53), actor=SUPERVISOR)
        served.end()
    verified = call("audit", "verify", str(new.folder / "house.db"), "--keys", str(new.keys), "--json")
    assert (verified.code, verified.json["clean"]) == (0, True)


def test_what_people_read(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, keys = str(tmp_path / "monday"), str(house.keys)
    assert call("db", "backup", "--to", folder, "--keys", keys, "--json").codes == ["missing-argument"]
    monkeypatch.setenv("HOUSEWAY_DATABASE", str(house.folder / "house.db"))
    made = call("db", "backup", "--to", folder, "--keys", keys, "--no-check")
    assert made.code == 0
    assert "SHA-256" in made.out
    assert f"houseway db check {folder}" in made.out.replace("\n", "")
    public = next(house.keys.glob("*.pub"))
    checked = call("db", "check", folder, "--public-key", str(public))
    assert checked.code == 0
    restored = call("db", "restore", folder, "--to", str(tmp_path / "new.db"), "--public-key", str(public))
    assert restored.code == 0
    assert "no anchor was given" in restored.out.replace("\n", " ")
    again = call("db", "restore", folder, "--to", str(tmp_path / "new.db"), "--public-key", str(public))
    assert (again.code, "never overwritten" in again.err) == (2, True)
    moved = call("db", "copy", str(house.folder / "house.db"), "--to", str(tmp_path / "copy.db"), "--keys", keys)
    assert moved.code == 0
    assert "Serve one of the two only" in moved.out.replace("\n", " ")
    (Path(folder) / "journal.db").write_bytes(b"")
    damaged = call("db", "check", folder, "--keys", keys)
    assert (damaged.code, "SHA-256" in damaged.out) == (1, True)
    assert call("db", "check", str(tmp_path), "--keys", keys, "--json").codes == ["no-backup"]
    assert call("db", "restore", folder, "--to", "x.db", "--json").codes == ["missing-argument"]


def test_tables_go_back_and_forth_with_a_backup_before(either: House, tmp_path: Path) -> None:
    house, keys, oldest, newest = either, str(either.keys), migrations.revisions()[0], migrations.revisions()[-1]

    def upgrade(*more: str) -> list[str]:
        return ["db", "upgrade", house.url, "--keys", keys, *more, "--json"]

    assert call(*upgrade()).json == {
        "before": newest, "after": newest, "checked": False, "backup": None, "way_back": []
    }  # fmt: skip
    assert call(*upgrade("--to", oldest)).codes == ["missing-argument"]
    back = call(*upgrade("--to", oldest, "--backup-to", str(tmp_path / "down"))).json
    assert (back["before"], back["after"]) == (newest, oldest)
    where = ["--database", house.url, "--keys", keys]
    assert call("manager", "show", "people", *where, "--json").codes == ["schema-older"]
    # Both the backup of before and the one of the older tables are whole.
    done = call(*upgrade("--backup-to", str(tmp_path / "up"))).json
    assert (done["before"], done["after"], done["checked"], done["backup"]) == (
        oldest, newest, True, str(tmp_path / "up"),
    )  # fmt: skip
    assert any(f"--to {oldest}" in way for way in done["way_back"])
    for folder in ("down", "up"):
        assert call("db", "check", str(tmp_path / folder), "--keys", keys).code == 0
    assert call(*upgrade("--to", "0099")).codes == ["unknown-revision"]
    assert call(*upgrade("--to", "base", "--backup-to", str(tmp_path / "no"))).codes == ["data-would-be-lost"]
    with Served(house):
        served = call(*upgrade("--to", oldest, "--backup-to", str(tmp_path / "no")))
        assert served.codes == ["database-served"]
    assert not (tmp_path / "no").exists()


def test_tables_of_another_format_are_not_touched(house: House, tmp_path: Path) -> None:
    with closing(sqlite3.connect(house.folder / "house.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0003'")
    upgrade = ["db", "upgrade", str(house.folder / "house.db"), "--keys", str(house.keys), "--json"]
    assert call(*upgrade, "--backup-to", str(tmp_path / "no")).codes == ["schema-foreign"]
    assert call("db", "upgrade", str(tmp_path / "none.db"), "--keys", str(house.keys), "--json").code == 2


def test_a_disk_without_room_is_told_and_leaves_nothing(house: House, tmp_path: Path) -> None:
    """The system refuses files of more than some hundred kilobytes, as a full disk does."""
    words = ["db", "backup", house.url, "--to", str(tmp_path / "monday"), "--keys", str(house.keys), "--json"]
    limited = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000)); "
        "from houseway.cli.app import main; sys.exit(main(sys.argv[1:]))"
    )
    run = subprocess.run([sys.executable, "-c", limited, *words], capture_output=True, text=True, check=False)
    assert run.returncode == 3, run.stdout + run.stderr
    assert "could not be written" in run.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["house"]
