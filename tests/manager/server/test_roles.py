"""Every cell of docs/reference/roles.md, tried at a running server: allowed or refused, as it is printed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from houseway.manager.commands import AUTHORITY, COMMANDS
from houseway.manager.commands.house_commands import ConfirmPerson
from houseway.manager.core import badges
from houseway.manager.core.engine import Engine, Envelope
from houseway.manager.core.house_entities import Device, Person, SignInRecord
from houseway.manager.core.roles import ROLES, Role
from houseway.manager.interface.async_client import AsyncManagerClient
from houseway.manager.interface.contract import RefusedError
from houseway.manager.interface.local import LocalManager
from houseway.manager.interface.requests import command_of
from houseway.manager.server.state_messages import TOPICS
from houseway.manager.store.keys import load_keys
from houseway.manager.views.floor_questions import QUESTIONS
from tests.manager.floors import ACCOUNTING, EXECUTIVE, PEOPLE, SURVEILLANCE, badge
from tests.manager.house.test_authority import NOW, plain, sample
from tests.manager.server.house import House, access, session, sessions
from tests.manager.server.raw import Raw, codes
from tests.manager.server.running import recorded, running

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "roles.md"
ADDED: dict[str, Role] = {"Manager 1": "manager", "Regulator 1": "regulator", "Player 1": "player"}
STAFF = {roles[0]: person for person, (_, roles) in PEOPLE.items()} | {role: person for person, role in ADDED.items()}
"""Somebody of every role, with no other."""
ENDING = ("person.sign-out", "session.revoke")
"""What ends the session of whoever sends it."""
UNREAD = {"bad-message", "weak-token", "token-misplaced", "unknown-command", "internal-error", "store-unavailable"}
"""Refusals of something that nobody decided on: they would say nothing about the role."""


def printed(first: str) -> Iterator[tuple[str, dict[str, bool]]]:
    """The rows of the printed tables whose first column has this title."""
    titles: list[str] = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith(f"| {first} |"):
            titles = cells
        elif not line.startswith("|"):
            titles = []
        elif titles and not line.startswith("| ---"):
            yield cells[0].strip("`"), {title: cell == "yes" for title, cell in zip(titles[1:], cells[1:], strict=True)}


COMMAND_CELLS = dict(printed("command"))
QUESTION_CELLS = dict(printed("question"))
TOPIC_CELLS = dict(printed("topic"))


def test_the_printed_tables_are_complete() -> None:
    assert set(COMMAND_CELLS) == set(COMMANDS)
    assert set(QUESTION_CELLS) == set(QUESTIONS)
    assert set(TOPIC_CELLS) == set(TOPICS)
    for cells in (*COMMAND_CELLS.values(), *QUESTION_CELLS.values(), *TOPIC_CELLS.values()):
        assert set(ROLES) <= set(cells)


def test_who_practises_may_nothing_and_a_regulator_changes_nothing() -> None:
    assert not any(cells["player"] for cells in (*COMMAND_CELLS.values(), *QUESTION_CELLS.values()))
    own = {kind for kind, cells in COMMAND_CELLS.items() if cells["regulator"]}
    assert own == set(ENDING)
    assert all(cells["regulator"] for cells in (*QUESTION_CELLS.values(), *TOPIC_CELLS.values()))


# ---------------------------------------------------------------- at a running server


@pytest.fixture
def staffed(house: House) -> House:
    """The property with somebody of every role."""
    with house.open() as manager:
        told = LocalManager(manager, load_keys(house.keys).fingerprint)
        for person, role in ADDED.items():
            department = "management" if role == "manager" else "outside"
            given = {"person": person, "name": person, "department": department, "roles": [role]}
            seconds = {"badge": badge(person), "second_badge": badge(ACCOUNTING)}
            told.send(command_of({"kind": "person.add", **given, **seconds}), actor=EXECUTIVE)
            told.send(ConfirmPerson(person, badge(person)), actor=SURVEILLANCE)
    return house


def a_command(kind: str, actor: str) -> dict[str, Any]:
    """A command in good form that this person might send; what it is about need not exist."""
    other = badge(ACCOUNTING if actor != ACCOUNTING else EXECUTIVE)
    do = {"kind": kind, **sample(COMMANDS[kind])}
    strong = {
        "secret": f"a secret of its own for {kind}",
        "session": f"a session of its own for {kind}",
        "pin": "482913",
    }
    tokens = {**strong, "badge": other, "second_badge": other}
    do |= {name: token for name, token in tokens.items() if name in do}
    return do | ({"person": actor} if kind in ENDING else {})


@pytest.mark.filterwarnings("error")
def test_every_command_of_every_role(staffed: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(badges, "DELAY_SECONDS", 0.0)
    monkeypatch.setattr(badges, "TRIES", 10**6)

    async def faults_of(client: AsyncManagerClient, actor: str, do: dict[str, Any]) -> set[str]:
        try:
            await client.send(command_of(do), actor=actor, key=f"{actor} {do['kind']}")
        except RefusedError as error:
            return {f"{fault.code} {fault.path}" for fault in error.faults}
        return set()

    async def check() -> dict[tuple[str, str], bool]:
        found: dict[tuple[str, str], bool] = {}
        async with running(staffed) as (_, port):
            client = AsyncManagerClient(access(port), sessions=sessions())
            await client.connect()
            for role, person in STAFF.items():
                if role in ADDED.values() and role != "player":
                    assert (await client.sign_in(badge(person))).roles == (role,)
                for kind in sorted(COMMANDS, key=ENDING.__contains__):
                    refused = await faults_of(client, person, a_command(kind, person))
                    assert not {fault.split()[0] for fault in refused} & UNREAD, (kind, refused)
                    # Nobody who practises has a session, so that nothing else is asked of them.
                    found[kind, role] = not refused & {"wrong-role actor", "not-signed-in actor"}
                    if kind in ENDING and not refused:
                        await client.sign_in(badge(person))
            with pytest.raises(RefusedError, match="badge"):
                await client.sign_in(badge(STAFF["player"]))
            await client.close()
        return found

    found = asyncio.run(check())
    differ = {(kind, role) for (kind, role), may in found.items() if COMMAND_CELLS[kind][role] != may}
    assert not differ
    assert len(found) == len(COMMANDS) * len(ROLES)
    tried = {fault["code"] for one in recorded(staffed) for fault in one["faults"]}
    assert "wrong-role" in tried, "who tries what they may not is on record"


@pytest.mark.parametrize("role", ROLES)
def test_the_decision_itself_asks_for_the_role(role: Role) -> None:
    """Behind the edge, with a session, also for those who never get one: the table and nothing else decides."""
    engine = Engine()
    engine.floor.put("person", "P1", Person("P1", "Somebody", "pit", (role,), ("badge-P1",)))
    engine.floor.put("device", "S1", Device("S1", "service", None, "s", signed_in={"P1": SignInRecord(NOW, "s")}))
    for kind in COMMANDS:
        about = {"person": "P1"} if kind in ENDING else {}
        try:
            engine.decide(Envelope("k", "P1", plain(kind, **about), "S1", "s"), NOW, bytes)
        except Exception as error:  # noqa: BLE001 - what the handler thinks of made-up content is another matter
            faults = {(fault.code, fault.path) for fault in getattr(error, "faults", ())}
        else:
            faults = set()
        assert (("wrong-role", "actor") not in faults) == COMMAND_CELLS[kind][role], kind


def test_devices_by_themselves_are_in_the_table_too() -> None:
    for kind, command in COMMANDS.items():
        by_itself = {device for device in ("controller", "service") if COMMAND_CELLS[kind][device]}
        assert by_itself == set(AUTHORITY[command].devices), kind
        assert COMMAND_CELLS[kind]["itself"] == AUTHORITY[command].manager


# ---------------------------------------------------------------- questions in a person's name

ARGUMENTS = {
    "table": {"table": "T1"},
    "link": {"link": "L1"},
    "round": {"round": "T1-1"},
    "drafts": {"table": "T1"},
    "key": {"key": "k"},
    "slip": {"slip": "F-1"},
    "win-page": {"award": "T1-1/1"},
}


def test_every_question_and_topic_of_every_role(staffed: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.manager.server.session.SUBSCRIBE_SECONDS", 0.0)
    tokens = {person: session(person) for person in STAFF.values()}

    async def signed_in(port: int) -> None:
        client = AsyncManagerClient(access(port), sessions=tokens)
        await client.connect()
        for role in ("manager", "regulator"):
            do = {"kind": "person.sign-in", "badge": badge(STAFF[role]), "session": tokens[STAFF[role]]}
            await client.send(command_of(do), actor="device:SVC-1", key=f"sign in {role}")
        await client.close()

    async def check() -> None:
        async with running(staffed) as (_, port):
            await signed_in(port)
            await asyncio.to_thread(ask_all, port)

    def ask_all(port: int) -> None:
        with Raw(port) as raw:
            raw.hello("SVC-1")
            for role, person in STAFF.items():
                who = {"actor": person, "session": tokens[person]}
                for name, cells in QUESTION_CELLS.items():
                    answer = raw.ask({"ask": name, **ARGUMENTS.get(name, {}), **who})
                    assert "error" not in answer or UNREAD.isdisjoint(codes(answer)), (name, role, answer)
                    assert may(answer) == cells[role], (name, role, answer)
                for topic, cells in TOPIC_CELLS.items():
                    answer = raw.ask({"subscribe": [topic], **who})
                    assert may(answer) == cells[role], (topic, role, answer)

    asyncio.run(check())


def may(answer: dict[str, Any]) -> bool:
    faults = answer.get("error", {}).get("faults", [])
    return not {(fault["code"], fault["path"]) for fault in faults} & {
        ("wrong-role", "actor"),
        ("not-signed-in", "actor"),
    }


def test_a_question_names_person_and_session_or_neither(staffed: House) -> None:
    async def check() -> None:
        async with running(staffed) as (_, port):
            await asyncio.to_thread(ask, port)

    def ask(port: int) -> None:
        with Raw(port) as raw:
            raw.hello("SVC-1")
            for wrong in ({"actor": EXECUTIVE}, {"session": session(EXECUTIVE)}, {"actor": 1, "session": "x"}):
                assert codes(raw.ask({"ask": "people", **wrong})) == ["bad-message"]
            stolen = {"actor": EXECUTIVE, "session": session(ACCOUNTING)}
            assert codes(raw.ask({"ask": "people", **stolen})) == ["not-signed-in"]
            assert codes(raw.ask({"ask": "people", "actor": "Nobody", "session": "x"})) == ["unknown-person"]
            assert raw.ask({"ask": "people"})["answer"]["people"], "a service asks by itself as well"

    asyncio.run(check())
