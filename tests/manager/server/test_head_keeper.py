"""A server signs heads by itself; a witness follows it, and sees a journal that was written again with all keys."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from houseway.errors import InputError
from houseway.manager.interface.proving import journal_keys, make_head, open_view, prove_award, prove_growth
from houseway.manager.server.head_keeper import HeadKeeper
from houseway.manager.store.head_making import HeadBook
from houseway.manager.store.journal_audit import verify_database
from houseway.manager.store.keys import load_keys
from houseway.manager.store.trust import trust_in
from houseway.manager.views.floor_questions import HeadQuestion
from houseway.witness.cosigner import Cosigner
from houseway.witness.witness_files import begin_witness
from tests.cli.runner import Run, call
from tests.manager.audit.house import House as PlayedHouse
from tests.manager.server.house import House, secret
from tests.manager.server.processes import Served


def test_a_payment_gets_a_head_at_once_and_a_server_its_last_one(tmp_path: Path) -> None:
    house = PlayedHouse(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "keys")
    house.set_up()
    book = HeadBook(house.url, load_keys(house.keys))
    keeper = HeadKeeper(house.manager, book, seconds=600)
    try:
        round_id = house.play_felt({5: "seven-card-straight-flush"})
        until, proved = time.monotonic() + 20, None
        while proved is None:
            assert time.monotonic() < until, "no head covers the payment"
            with open_view(house.url) as view, contextlib.suppress(InputError):
                proved = prove_award(view, f"{round_id}/1", status="paid")
            time.sleep(0.05)
        assert proved.page.hits[0]["status"] == "paid"
        house.play_felt()
    finally:
        keeper.close()
    update = book.update(0)
    assert update is not None
    assert update.signed.head.size == house.manager.health()["seq"]
    house.close()


def test_a_witness_follows_a_server(house: House, tmp_path: Path) -> None:
    with open_view(house.url) as view:
        key = journal_keys(view)[0].text
    folder, kept, shown = str(tmp_path / "witness"), str(tmp_path / "head"), tmp_path / "secret"
    assert call("witness", "init", folder, "--name", "regulator.example/w", "--log", key).code == 0
    shown.write_text(f"{secret('SVC-1')}\n")
    shown.chmod(0o600)
    with Served(house) as served:
        follow = (
            "witness", "follow", folder, "--manager", served.address, "--device", "SVC-1", "--secret-file", str(shown),
            "--once", "--to", kept, "--json",
        )  # fmt: skip
        until = time.monotonic() + 20
        while (first := call(*follow)).out == "":
            assert (first.code, time.monotonic() < until) == (0, True), first.err
            time.sleep(0.1)
        with served.client() as client:
            answer = client.ask(HeadQuestion(old=first.json["size"]))
            assert (answer.head is not None, answer.path) == (True, ())
            with pytest.raises(InputError):
                client.ask(HeadQuestion(old=-1))
        assert served.end() == 0
    assert call(*follow).code == 3, "nobody serves there any more"
    make_head(house.url, house.keys)
    second = call("witness", "follow", folder, "--database", str(house.folder / "house.db"), "--keys", str(house.keys),
                  "--once", "--to", kept, "--json")  # fmt: skip
    assert second.json["size"] >= first.json["size"]
    assert Path(kept).read_text(encoding="utf-8") == second.json["note"]


def test_a_journal_written_again_with_all_keys_is_caught_by_a_witness(tmp_path: Path) -> None:
    """An old backup, keys and anchor with it, played on in another way: every audit is clean, the witness sees it."""
    (tmp_path / "true").mkdir()
    house = PlayedHouse(f"sqlite:///{tmp_path / 'true' / 'house.db'}", tmp_path / "true" / "keys")
    house.set_up()
    house.close()
    shutil.copytree(tmp_path / "true", tmp_path / "false")
    house.restart()
    house.play_felt({5: "seven-card-straight-flush"})
    house.close()
    make_head(house.url, house.keys)
    with open_view(house.url) as view:
        begin_witness(tmp_path / "witness", "regulator.example/w", journal_keys(view))
        first = prove_growth(view, 0)
    cosigner = Cosigner(tmp_path / "witness", lambda: 1_700_000_000)
    cosigner.cosign(first.written())

    false = PlayedHouse(f"sqlite:///{tmp_path / 'false' / 'house.db'}", tmp_path / "false" / "keys", now=house.now)
    false.close()
    make_head(false.url, false.keys)
    with open_view(false.url) as view:
        shorter = prove_growth(view, 0)
    with pytest.raises(InputError) as refused:
        cosigner.cosign(shorter.written())
    assert refused.value.faults[0].code == "head-older", "an old head alone proves nothing"

    false.restart()
    for _ in range(6):
        false.play_felt()
    false.close()
    assert make_head(false.url, false.keys).head.size > first.signed.head.size
    with open_view(false.url) as view:
        assert verify_database(view, trust_in(false.keys)).is_clean
        longer = prove_growth(view, first.signed.head.size)
    with pytest.raises(InputError) as refused:
        cosigner.cosign(longer.written())
    assert refused.value.faults[0].code == "history-rewritten"
    assert [alarm.code for alarm in cosigner.seen.alarms()] == ["history-rewritten"]
    cosigner.seen.close()


def test_a_witness_of_two_properties_follows_each_by_itself(tmp_path: Path) -> None:
    """One has more events than the other, and later another history: the other is cosigned all the same."""
    houses, keys = [], []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        house = PlayedHouse(f"sqlite:///{tmp_path / name / 'house.db'}", tmp_path / name / "keys")
        house.set_up()
        houses.append(house)
    one, two = houses
    two.close()
    shutil.copytree(tmp_path / "two", tmp_path / "false")
    for _ in range(5):
        one.play_felt()
    one.close()
    two.restart()
    old = make_head(two.url, two.keys)
    two.play_felt()
    two.close()
    for house in houses:
        make_head(house.url, house.keys)
        with open_view(house.url) as view:
            keys.append(journal_keys(view)[0])
    folder = str(tmp_path / "witness")
    begin_witness(tmp_path / "witness", "regulator.example/w", keys)

    def follow(name: str) -> Run:
        database, key_folder = str(tmp_path / name / "house.db"), str(tmp_path / name / "keys")
        return call("witness", "follow", folder, "--database", database, "--keys", key_folder, "--once", "--json")

    for _ in range(2):
        assert [follow(name).code for name in ("one", "two")] == [0, 0]
    # An old head, handed in by anybody, is held to the newest one as soon as the log is asked again.
    assert call("witness", "cosign", folder, "-", "--json", stdin=old.note.written().encode()).codes == ["head-older"]
    assert [head["size"] for head in call("witness", "show", folder, "--json").json["older"]] == [old.head.size]
    assert [follow("two").code for _ in range(2)] == [0, 0]
    shown = call("witness", "show", folder, "--json")
    assert (shown.code, shown.json["older"], shown.json["alarms"]) == (0, [], [])

    false = PlayedHouse(f"sqlite:///{tmp_path / 'false' / 'house.db'}", tmp_path / "false" / "keys", now=two.now)
    for _ in range(6):
        false.play_felt()
    false.close()
    make_head(false.url, false.keys)
    assert follow("false").code == 1
    one.restart()
    one.close()
    make_head(one.url, one.keys)
    followed = follow("one")
    assert (followed.code, followed.json["new"]) == (0, True)
    assert [alarm["origin"] for alarm in call("witness", "show", folder, "--json").json["alarms"]] == [keys[1].name]
    assert [call("witness", "show", folder, "--log", key.name).code for key in keys] == [0, 1]
    # Without --once it tells the alarm and goes on asking.
    options = ["--database", str(tmp_path / "false" / "house.db"), "--keys", str(tmp_path / "false" / "keys")]
    command = [sys.executable, "-m", "houseway", "witness", "follow", folder, *options, "--every", "1"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as following:
        assert following.stderr is not None
        told = 0
        for line in following.stderr:
            told += "ALARM" in line
            if told == 2:
                break
        assert told == 2
        following.terminate()
