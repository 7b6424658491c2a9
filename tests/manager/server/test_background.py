"""What runs beside the commands: a fault in it is seen in health, holds up nobody else, and is over by itself."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from typing import Any, Final

import msgspec
import pytest

from houseway.errors import StateError
from houseway.manager.commands.round_commands import EndRound, StartRound
from houseway.manager.core.records import Event, SentKey
from houseway.manager.interface.async_client import AsyncManagerClient
from houseway.manager.interface.contract import ChangeMessage
from houseway.manager.server import hub, server, server_process, state_messages
from houseway.manager.server.attempts import Attempts
from houseway.manager.server.door import Door
from houseway.manager.server.hub import Hub
from houseway.manager.server.metrics import Metrics
from houseway.manager.server.server import Server
from houseway.manager.server.watch_port import WatchPort
from houseway.manager.store import supervisor
from houseway.manager.store.keys import load_keys
from houseway.manager.store.manager import Manager
from houseway.manager.store.sqlite import SqliteJournal
from houseway.manager.store.subscriptions import Subscriptions
from houseway.manager.views.answers import TableMessage
from houseway.manager.views.health_view import HeartbeatView
from tests.manager.floors import DEALER, OTHER_DEALER
from tests.manager.server.house import House, access, sessions
from tests.manager.server.processes import Served
from tests.manager.server.running import running

SECONDS: Final = 60.0
"""How long a test waits for what must come; nothing takes nearly as long."""


class Listening:
    """A service that subscribed to everything, and keeps what it hears."""

    def __init__(self, port: int) -> None:
        self.heard: list[ChangeMessage] = []
        self.beats: list[HeartbeatView] = []
        self.client = AsyncManagerClient(
            access(port), sessions=sessions(), on_change=self.heard.append, on_heartbeat=self.beats.append
        )

    @classmethod
    async def at(cls, port: int) -> Listening:
        found = cls(port)
        await found.client.connect()
        await found.client.subscribe("meters", "tables", "awards", "events")
        await found.until(lambda message: _topic(message, "meters", 0))
        return found

    async def play(self, table: str = "T1", dealer: str = DEALER) -> int:
        """A round with a jackpot wager, and the number of its event."""
        do = StartRound(table, {"1": [1, 3]})
        return (await self.client.send(do, actor=dealer, key=secrets.token_hex(8))).seq

    async def until(self, what: Callable[[ChangeMessage], bool]) -> ChangeMessage:
        async with asyncio.timeout(SECONDS):
            while True:
                for message in self.heard:
                    if what(message):
                        return message
                await asyncio.sleep(0.01)

    async def told_of(self, seq: int, table: str = "T1", link: str = "L1") -> None:
        """The event came, and the states that it left behind."""
        await self.until(lambda message: _topic(message, "events", seq))
        await self.until(lambda message: _topic(message, "meters", seq) and message.meters.link == link)
        await self.until(lambda message: _topic(message, "tables", seq) and message.table.id == table)

    async def health(self, task: str) -> dict[str, Any]:
        """Health as soon as it tells of a task."""
        async with asyncio.timeout(SECONDS):
            while True:
                told = await self.client.request({"ask": "health"})
                if task in [fault["path"] for fault in told["faults"]]:
                    return told
                await asyncio.sleep(0.01)


def _topic(message: ChangeMessage, topic: str, seq: int) -> bool:
    return message.topic == topic and message.seq >= seq


def in_server(house: House, check: Callable[[Server, Listening], Any]) -> None:
    async def checking() -> None:
        async with running(house) as (served, port):
            listening = await Listening.at(port)
            try:
                await check(served, listening)
            finally:
                await listening.client.close()

    asyncio.run(checking())


def test_a_round_with_a_wager_reaches_subscribers(house: House) -> None:
    with (
        Served(house) as served,
        served.client() as watching,
        served.client() as acting,
        served.client("SIGN-1") as sign,
    ):
        watched = watching.subscribe("meters", "tables", "events")
        shown = sign.subscribe("meters")
        list(shown.changes(0.3))
        start = StartRound("T1", {"1": [1, 3]})
        seq = acting.send(start, actor=DEALER).seq
        end = acting.send(EndRound("T1-1"), actor=DEALER).seq
        topics: dict[str, int] = {}
        for change in watched.changes(SECONDS):
            topics[change.topic] = change.seq
            if len(topics) == 3 and min(topics.values()) >= seq and topics["events"] == end:
                break
        assert set(topics) == {"meters", "tables", "events"}
        assert min(topics.values()) >= seq
        assert any(change.seq >= seq for change in shown.changes(SECONDS))
        health = acting.request({"ask": "health"})
        assert (health["state"], health["faults"]) == ("serving", [])


def test_an_event_that_cannot_be_read_leaves_the_others_served_and_health_at_fault(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    async def check(served: Server, listening: Listening) -> None:
        seq = await listening.play()
        await listening.told_of(seq)
        found = await asyncio.to_thread(served.manager.find, SentKey(None, "poison"))
        assert found is None
        real = Event(seq, 0, "poison", "", "x", None, "round.start", "{}", "", "", "")
        poisoned = msgspec.structs.replace(real, body='{"post":[["meter/L1/main",5]]}')
        listening.heard.clear()
        served._heard([poisoned])
        told = await listening.health("hub")
        assert (told["state"], [fault["code"] for fault in told["faults"]]) == ("impaired", ["task-failed"])
        assert f"event {seq}" in told["faults"][0]["message"]
        seq = await listening.play("T2", OTHER_DEALER)
        await listening.told_of(seq, "T2")

    with caplog.at_level(logging.CRITICAL):
        in_server(house, check)
    assert [record.levelname for record in caplog.records] == ["CRITICAL"]


def test_what_an_unreadable_event_changed_is_told_all_the_same(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can say what it changed, so everything is looked at."""
    note = hub.TouchedIds.note

    def unreadable(self: Any, event: Event) -> None:
        if event.kind == "round.start":
            raise ValueError(event.kind)
        note(self, event)

    async def check(served: Server, listening: Listening) -> None:
        monkeypatch.setattr(hub.TouchedIds, "note", unreadable)
        await listening.told_of(await listening.play())
        assert (await listening.health("hub"))["state"] == "impaired"

    in_server(house, check)


def test_a_state_that_cannot_be_made_holds_up_no_other(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    table_view = state_messages.table_view

    def broken(floor: Any, table: Any) -> Any:
        if table.id == "T2":
            raise KeyError(table.id)
        return table_view(floor, table)

    async def check(served: Server, listening: Listening) -> None:
        monkeypatch.setattr(state_messages, "table_view", broken)
        await listening.play("T2", OTHER_DEALER)
        await listening.told_of(await listening.play())
        assert "tables T2" in (await listening.health("hub"))["faults"][0]["message"]
        other = await Listening.at(listening.client._writer.get_extra_info("peername")[1])  # type: ignore[union-attr]
        await other.until(lambda message: isinstance(message, TableMessage) and message.table.id == "T3")
        await other.client.close()

    in_server(house, check)


def _once(monkeypatch: pytest.MonkeyPatch, owner: type, name: str) -> Callable[[Manager], None]:
    """Let a method raise once at a manager or its server, from when it is told to."""
    method, armed = getattr(owner, name), list[Manager]()

    def failing(self: Any, *arguments: Any, **more: Any) -> Any:
        if armed and _is_part(self, armed[0]):
            armed.clear()
            raise ArithmeticError(name)
        return method(self, *arguments, **more)

    monkeypatch.setattr(owner, name, failing)
    return armed.append


def _is_part(found: Any, manager: Manager) -> bool:
    """Whether something belongs to a manager: those of other tests may still run in threads of this process."""
    if isinstance(found, SqliteJournal):
        return found.path == manager._journal.path  # type: ignore[attr-defined]
    return not isinstance(found, Manager) or found is manager


TASKS: Final = {
    "hub": (Hub, "tell"),
    "heartbeat": (Attempts, "write_counted"),
    "door": (Door, "_taken"),
    "connections": (Door, "_make_room"),
    "alerts": (server.Alerts, "event"),
    "writer": (Manager, "_look_for_room"),
    "subscriptions": (Subscriptions, "_hand_over"),
    "anchor": (Manager, "_note_anchor"),
    "feed": (SqliteJournal, "data_version"),
}


@pytest.mark.parametrize("task", TASKS)
def test_whatever_runs_beside_the_commands_is_seen_in_health_and_goes_on(
    task: str, house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(server, "HEARTBEAT_SECONDS", 0.1)
    fail = _once(monkeypatch, *TASKS[task])

    async def check(served: Server, listening: Listening) -> None:
        await listening.told_of(await listening.play())
        assert (await listening.client.request({"ask": "health"}))["state"] == "serving"
        fail(served.manager)
        _, port = listening.client._writer.get_extra_info("peername")  # type: ignore[union-attr]
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.close()
        if task not in ("hub", "subscriptions", "alerts"):
            told = await listening.health(task)
        await listening.play("T2", OTHER_DEALER)
        told = await listening.health(task)
        assert told["state"] == "impaired"
        assert [fault["code"] for fault in told["faults"]] == ["task-failed"]
        # It runs again: what comes now is told, and who comes now is served.
        other = await Listening.at(port)
        seq = await other.play("T3", "Dealer 19")
        await other.told_of(seq, "T3")
        await listening.told_of(seq, "T3")
        other.beats.clear()
        async with asyncio.timeout(SECONDS):
            while not any(beat.state == "impaired" for beat in other.beats):
                await asyncio.sleep(0.01)
        await other.client.close()

    with caplog.at_level(logging.CRITICAL):
        in_server(house, check)
    assert [(record.levelname, task in record.getMessage()) for record in caplog.records] == [("CRITICAL", True)]


def test_a_task_that_ends_again_and_again_ends_the_server_in_order(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "FIRST_PAUSE_SECONDS", 0.001)

    async def hopeless(self: Hub) -> None:
        raise ArithmeticError("always")

    monkeypatch.setattr(Hub, "run", hopeless)
    with house.open() as manager:
        serving = Server(manager, "test", load_keys(house.keys).fingerprint)
        setup = server_process.ServerSetup(house.url, house.keys, "127.0.0.1", 0)
        with pytest.raises(StateError, match="the task hub"):
            asyncio.run(server_process._serve(serving, WatchPort(Metrics(serving)), setup, lambda *_: None, None))
        assert serving.closing
        assert manager.health()["state"] == "impaired"


def test_a_writer_that_fails_while_it_ends_lets_the_manager_close(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = house.open()
    fail = _once(monkeypatch, Manager, "_gathered")
    fail(manager)
    manager.close()
    assert manager.health()["state"] == "closed"
