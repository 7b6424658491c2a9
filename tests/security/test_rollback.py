"""An old copy of the journal, with its old anchor, is noticed by whoever has seen more, and by the manager itself."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from houseway.cli.app import main
from houseway.errors import InputError
from houseway.manager.commands.house_commands import RecordIncident
from houseway.manager.commands.system_commands import RecoveryRecorded
from houseway.manager.core.house_entities import Recovery
from houseway.manager.interface.async_client import AsyncManagerClient
from houseway.manager.interface.client import ManagerClient
from houseway.manager.interface.client_memory import Memory
from houseway.manager.interface.contract import RefusedError
from houseway.manager.interface.requests import command_of
from houseway.manager.store.journal_audit import verify_database
from houseway.manager.store.manager import Manager
from houseway.manager.store.marks import Mark, read_anchor, write_anchor
from houseway.manager.store.past import JournalPast, judged
from houseway.manager.store.reading import open_view
from houseway.manager.store.state import read_state
from houseway.manager.store.store_errors import JournalDamagedError
from houseway.manager.store.trust import trust_in
from tests.manager.floors import ACCOUNTING, EXECUTIVE, OTHER_SUPERVISOR, SUPERVISOR, SURVEILLANCE, TECHNICIAN, badge
from tests.manager.server.house import House, access, built
from tests.manager.server.processes import Served
from tests.manager.store.acts import ACTOR, Put, do, moved, people
from tests.manager.store.stores import SqlStore


@pytest.fixture(scope="module")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> House:
    """The property that every test gets a copy of."""
    return built(tmp_path_factory.mktemp("pattern"))


def enter(client: ManagerClient, text: str) -> int:
    """Have something put on record."""
    do = RecordIncident("other", "T1", text=text, known_at=1)
    return client.send(do, actor=SURVEILLANCE).seq


def codes(refused: pytest.ExceptionInfo[RefusedError]) -> list[str]:
    return [fault.code for fault in refused.value.faults]


def recovery(mark: Mark, first: int, second: str, actor: str = EXECUTIVE) -> dict[str, Any]:
    fields = {"first": first, "last": mark.seq, "hash": mark.hash, "reason": "disk died, report 12"}
    return {"kind": "system.recovery", **fields, "badge": badge(actor), "second_badge": badge(second)}


def test_an_old_copy_is_refused_until_two_people_name_what_was_lost(
    pattern: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house = pattern.copied(tmp_path / "house")
    backup = house.copied(tmp_path / "backup")
    seen, anchor = tmp_path / "seen.json", tmp_path / "anchor.json"
    with Served(house) as served:
        with served.client(seen_file=seen) as client:
            first = enter(client, "before")
            enter(client, "seen, then lost")
        with served.client(seen_file=seen):
            pass
        served.end()
    assert main(["audit", "anchor", "--to", str(anchor), "--database", house.url]) == 0
    mark = Memory(seen).mark
    assert mark is not None
    assert mark.seq > first

    with Served(backup) as served, served.client() as fresh:
        # Nobody knows yet; whoever has seen more proves it, and everything stops.
        enter(fresh, "on the old copy")
        with pytest.raises(RefusedError) as refused:
            served.client(seen_file=seen)
        assert codes(refused) == ["history-lost"]
        assert str(mark.seq) in str(refused.value)
        with pytest.raises(RefusedError) as refused:
            enter(fresh, "while it is stopped")
        assert codes(refused) == ["history-lost"]
        assert refused.value.retry
        health = fresh.request({"ask": "health"})
        assert (health["state"], [fault["code"] for fault in health["faults"]]) == ("paused", ["history-lost"])
    options = ["audit", "verify", str(backup.folder / "house.db"), "--keys", str(backup.keys)]
    capsys.readouterr()
    assert main([*options, "--json"]) == 0, "by its own files it is clean"
    assert main([*options, "--anchor", str(anchor), "--json"]) == 1
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert {finding["problem"] for finding in told["findings"]} <= {"cut-off", "witness-differs"}

    with Served(backup) as served, served.client() as fresh:
        # It stays so after a restart.
        with pytest.raises(RefusedError) as refused:
            enter(fresh, "after a restart")
        assert codes(refused) == ["history-lost"]
        for wrong, code in (
            (recovery(mark, first, EXECUTIVE), "badge-refused"),
            (recovery(mark, first, ACCOUNTING), "badge-refused"),
            ({**recovery(mark, first, TECHNICIAN), "last": first}, "out-of-range"),
            ({**recovery(mark, first, TECHNICIAN), "hash": "0" * 64}, "bad-value"),
            ({**recovery(mark, first, TECHNICIAN), "reason": " "}, "reason-needed"),
        ):
            with pytest.raises(RefusedError) as refused:
                fresh.send(command_of(wrong), actor=EXECUTIVE)
            assert codes(refused) == [code]
        answer = fresh.send(command_of(recovery(mark, first, TECHNICIAN)), actor=EXECUTIVE).answer
        assert answer.recovered_by == (EXECUTIVE, TECHNICIAN)
        with served.client(seen_file=seen) as client:
            enter(client, "play goes on")
        assert fresh.request({"ask": "health"})["state"] == "serving"
    now = Memory(seen).mark
    assert now is not None
    assert now.at > mark.at
    capsys.readouterr()
    assert main([*options, "--anchor", str(anchor), "--json"]) == 0
    assert any("on record as lost" in note for note in json.loads(capsys.readouterr().out)["notes"])


def test_a_lying_device_stops_nobody(pattern: House, tmp_path: Path) -> None:
    house = pattern.copied(tmp_path / "house")
    with Served(house) as served, served.client() as client:
        enter(client, "before")
        mark = Mark(**client.request({"ask": "chain", "seq": 0})["mark"])
        lies = [
            replace(mark, seq=mark.seq + 1_000),
            replace(mark, hash="0" * 64),
            replace(mark, seq=mark.seq + 1, signature="00" * 64),
            replace(mark, journal="f" * 32, seq=mark.seq + 5),
        ]
        said = [client.request({"ask": "seen", "mark": lie.to_json()})["judged"] for lie in lies]
        assert said == ["not-signed", "not-signed", "not-signed", "another-journal"]
        assert client.request({"ask": "seen", "mark": mark.to_json()})["judged"] == "known"
        enter(client, "play goes on")
        with pytest.raises(RefusedError) as refused:
            client.request({"ask": "seen", "mark": {"seq": "all"}})
        assert codes(refused) == ["bad-message"]
        # A client whose own memory was forged works with nobody, and says which file it is.
        forged = Memory(tmp_path / "forged.json")
        forged.keep(lies[0], at_once=True)

        async def controller() -> None:
            await AsyncManagerClient(access(served.port, "C-T1"), memory=forged).connect()

        with pytest.raises(RefusedError) as refused:
            asyncio.run(controller())
        assert codes(refused) == ["history-lost"]
        assert "forged.json" in str(refused.value)
        enter(client, "play still goes on")


def test_one_department_does_not_forget_events(pattern: House, tmp_path: Path) -> None:
    house = pattern.copied(tmp_path / "house")
    with Served(house) as served, served.client() as client:
        enter(client, "before")
        mark = Mark(**client.request({"ask": "chain", "seq": 0})["mark"])
        with pytest.raises(RefusedError) as refused:
            client.send(command_of(recovery(mark, 1, SUPERVISOR, OTHER_SUPERVISOR)), actor=OTHER_SUPERVISOR)
        assert codes(refused) == ["badge-refused"]


def test_a_recovery_forgives_nothing_that_came_after_it() -> None:
    """Else a second old copy, from within the forgiven range, would be accepted by all who saw the new events."""
    told = Recovery(101, 180, "0" * 64, 5_000, "a", "b", "c", 180)
    past = JournalPast(1, None, (told,))
    assert past.has(150, "f" * 64, 4_999)
    assert not past.has(150, "f" * 64, 5_001)
    assert not past.has(181, "f" * 64, 4_999)


def test_a_copy_under_another_name_does_not_start_and_does_not_pass_an_audit(store: SqlStore) -> None:
    """The name is in every signature and on record with every start: a change in the table and the anchor is seen."""
    with store.manager() as manager:
        manager.call(people())
        ours = manager.journal_id
    anchor = read_anchor(store.keys_folder)
    assert anchor is not None
    store.tamper("UPDATE meta SET value = :other WHERE name = 'journal'", other="0" * 32)
    write_anchor(store.keys_folder, replace(anchor, journal="0" * 32))
    with pytest.raises(JournalDamagedError) as damaged:
        store.manager()
    assert damaged.value.row == "meta[journal]"
    assert ours in str(damaged.value)
    with open_view(store.url) as view:
        report = verify_database(view, trust_in(store.keys_folder))
        assert [(each.table, each.row, each.problem) for each in report.findings] == [("meta", "journal", "altered")]
    # Even where no start is on record that tells, no signature fits.
    journal = store.journal()
    with pytest.raises(JournalDamagedError) as damaged:
        read_state(journal, store.keys, "0" * 32)
    assert damaged.value.row.startswith("checkpoints[")


def test_a_signed_mark_is_proof_whatever_journal_it_names(store: SqlStore) -> None:
    with store.manager() as manager:
        manager.call(people())
        property_ = {"id": "property", "name": "Example Card Room", "licence": "commercial", "opened_at": 1}
        manager.call(do("property", Put([("property", property_)])))
        newest = manager.mark()
        assert newest is not None
        other = replace(newest, journal="0" * 32, seq=newest.seq + 500)
        signed = replace(other, signature=store.keys.sign(other.text()))
        assert manager.shown_mark(other, "SVC-1") == "another-journal", "anybody can claim that"
        manager.call(moved("goes on"))
        assert manager.shown_mark(signed, "SVC-1") == "lost"
        with pytest.raises(InputError) as refused:
            manager.call(moved("after the proof"))
        assert [fault.code for fault in refused.value.faults] == ["history-lost"]
        told = Recovery(1, signed.seq, signed.hash, signed.at + 1, "a", "b", "c", signed.seq)
        said = judged(signed, JournalPast(1, None, (told,)), manager.journal_id, store.keys)
        assert said == "another-journal", "on record as lost: the device only needs to know which journal counts"


def test_a_range_beyond_what_was_proved_silences_no_further_proof(store: SqlStore) -> None:
    """Two people name more than a mark has proved: who has seen more still stops play, and another range is named."""
    with store.manager() as manager:
        manager.call(people())
        property_ = {"id": "property", "name": "Example Card Room", "licence": "commercial", "opened_at": 1}
        manager.call(do("property", Put([("property", property_)])))
        newest = manager.mark()
        assert newest is not None
        seen = []
        for ahead in (500, 900):
            mark = replace(newest, seq=newest.seq + ahead)
            seen.append(replace(mark, signature=store.keys.sign(mark.text())))
        first = newest.seq + 1

        def recover(key: str, last: int, hash_: str) -> None:
            lost = RecoveryRecorded(first, last, hash_, "badge-1", "badge-2", "disk died")
            manager.call(do(key, lost, ACTOR))

        for number, mark in enumerate(seen):
            memory = Memory()
            memory.keep(mark)
            assert not memory.agrees(chain(manager, mark.seq)), "the client shows its mark"
            assert manager.shown_mark(mark, "SVC-1") == "lost"
            with pytest.raises(InputError, match="has seen event"):
                manager.call(moved(f"stopped-{number}"))
            recover(f"wide-{number}", 2**53, "0" * 64)
            assert manager.shown_mark(mark, "SVC-1") == "known"
            assert memory.agrees(chain(manager, mark.seq))
            manager.call(moved(f"goes-on-{number}"))


def chain(manager: Manager, seq: int) -> dict[str, Any]:
    """What a server answers a client that asks for an event."""
    past = manager.past(seq)
    recoveries = [to_builtins(recovery) for recovery in past.recoveries]
    told = {"journal": manager.journal_id, "first": past.first, "hash": past.hash, "recoveries": recoveries}
    return told | {"mark": None}
