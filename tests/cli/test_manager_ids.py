"""Ids as people type them at the command line: any case, nothing doubtful, and a hint who there is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from houseway.cli.manager_ids import KnownIds
from houseway.errors import InputError
from houseway.reading.typed_ids import known_id
from tests.cli.runner import Run, call
from tests.manager.floors import DEALER, SUPERVISOR
from tests.manager.server.house import House, built
from tests.manager.server.processes import Served


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    return built(tmp_path_factory.mktemp("house"))


def at(house: House, *words: str, **do: Any) -> Run:
    where = ("--database", str(house.folder / "house.db"), "--keys", str(house.keys), "--json")
    return call(*words, *((json.dumps(do),) if do else ()), *where)


def test_tables_rounds_and_people_are_found_in_any_case(house: House) -> None:
    begun = at(house, "manager", "do", "--actor", DEALER.lower(), kind="round.start", table="t1")
    assert begun.json["answer"]["round"] == "T1-1"
    assert at(house, "manager", "do", "--actor", DEALER.upper(), kind="round.end", round="t1-1").code == 0
    assert at(house, "papers", "drafts", "t1").code == 0
    database = ("--database", str(house.folder / "house.db"), "--json")
    assert call("audit", "round", "t1-1", *database).json["round"] == "T1-1"
    (found,) = call("audit", "rounds", "--table", "t1", "--dealer", DEALER.lower(), *database).json["rounds"]
    assert found["round"] == "T1-1"
    assert call("audit", "events", "--actor", DEALER.lower(), *database).json["events"]
    assert call("audit", "account", "METER/l1/MAIN", *database).json["account"] == "meter/L1/main"


def test_a_new_id_stays_as_it_is_typed_and_a_hint_says_who_is_signed_in(house: House) -> None:
    with Served(house) as served, served.client() as client:
        ids = KnownIds(client)
        for kind, field in (("table.create", "table"), ("link.create", "link"), ("person.add", "person")):
            assert ids.in_command({"kind": kind, field: "t1"}) == {"kind": kind, field: "t1"}
        typed = {"kind": "device.add", "device": "c-t1", "table": "t1"}
        assert ids.in_command(typed) == {"kind": "device.add", "device": "c-t1", "table": "T1"}
        proposed = ids.in_command({"kind": "change.propose", "what": {"change": "limit", "link": "l1"}})
        assert proposed["what"]["link"] == "L1"
        with pytest.raises(InputError, match=rf"signed in at SVC-1: .*{SUPERVISOR}"):
            ids.actor("Supervizor 3", "SVC-1")
        assert ids.actor(SUPERVISOR.upper(), "SVC-1") == SUPERVISOR
        assert ids.actor("device:SVC-1", "SVC-1") == "device:SVC-1"


def test_an_id_that_may_be_several_is_refused() -> None:
    with pytest.raises(InputError, match="'t1a' may be T1A or T1a: write it as it is registered"):
        known_id("t1a", ["T1A", "T1a", "T2"], "table")
    assert known_id("T1a", ["T1A", "T1a"], "table") == "T1a"


@pytest.mark.parametrize("command", ["do", "back-out"])
def test_an_actor_whom_nobody_knows_gets_a_hint(house: House, command: str) -> None:
    if command == "do":
        run = at(house, "manager", "do", "--actor", "Supervizor 3", kind="round.start", table="T1")
    else:
        run = at(house, "jackpot", command, "T1-1/1", "--actor", "Supervizor 3", "--reason", "x", "--reference", "y")
    assert (run.code, run.codes) == (2, ["unknown-person"])
    assert (
        "nobody here has the id 'Supervizor 3': did you mean Supervisor 3?" in run.json["error"]["faults"][0]["message"]
    )
