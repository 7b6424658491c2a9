"""Streams: every event once and in order whatever breaks, states as they are, and an end with the session."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from houseway.manager.http import event_feed, event_streams
from tests.manager.floors import DEALER, EXECUTIVE, SUPERVISOR
from tests.manager.http.running_http import SETTINGS, Served, serving
from tests.manager.server.house import House

DECKS = 6


class Reader:
    """Messages of a stream as they come."""

    def __init__(self, lines: AsyncIterator[str]) -> None:
        self._lines = lines

    async def message(self) -> dict[str, Any]:
        """The next message: id, event and data; comments are passed over."""
        found: dict[str, Any] = {}
        async with asyncio.timeout(60):
            async for line in self._lines:
                name, _, value = line.partition(": ")
                if not line and "data" in found:
                    return found
                if name in ("id", "event"):
                    found[name] = value
                elif name == "data":
                    found["data"] = json.loads(value)
        return {}

    async def numbers(self, until: int) -> list[int]:
        """The numbers of the events that come, up to one."""
        found: list[int] = []
        while not found or found[-1] < until:
            message = await self.message()
            assert int(message["id"]) == message["data"]["data"]["seq"] == int(message["data"]["sequence"])
            found.append(int(message["id"]))
        return found


@asynccontextmanager
async def reading(served: Served, path: str, headers: dict[str, str]) -> AsyncIterator[Reader]:
    async with served.http.stream("GET", path, headers=headers) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield Reader(answer.aiter_lines())


async def decks(served: Served, boss: dict[str, str], first: int) -> int:
    """Write some events; the number of the last. While the manager is away a command is sent again under its key."""
    for number in range(first, first + DECKS):
        fields = {"table": "T1", "deck": f"A-{number}", "counted": 53}
        async with asyncio.timeout(30):
            while (done := await served.command("table.deck", boss, f"deck-{number}", **fields)).status_code == 503:
                await asyncio.sleep(0.01)
        assert done.status_code == 200, done.text
    return int(done.json()["seq"])


def test_every_event_comes_once_and_in_order_though_connections_break(house: House) -> None:
    async def scenario() -> None:
        async with serving(house, listen=True) as served:
            who, boss = await served.sign_in(EXECUTIVE), await served.sign_in(SUPERVISOR)
            async with reading(served, "/v1/events/stream?after=0", who) as reader:
                last = await decks(served, boss, 0)
                seen = await reader.numbers(last)
            assert seen == list(range(1, last + 1))
            # Written while nobody reads here, and while the feed itself has lost the manager.
            for session in list(served.server._sessions):
                session.end()
            last = await decks(served, boss, DECKS)
            async with reading(served, "/v1/events/stream", {**who, "Last-Event-ID": str(seen[-1])}) as reader:
                seen += await reader.numbers(last)
            assert seen == list(range(1, last + 1))
            pulled: list[int] = []
            while True:
                page = (await served.http.get(f"/v1/events?after={len(pulled)}&limit=40", headers=who)).json()
                pulled += [event["data"]["seq"] for event in page["events"]]
                if page["next"] is None:
                    break
            assert pulled[: len(seen)] == seen
            event = page["events"][-1]
            assert (event["specversion"], event["type"][:9], event["id"]) == ("1.0", "houseway.", str(pulled[-1]))
            assert event["data"].keys() == {"topic", "seq", "at", "kind", "actor", "device", "hash"}
            ahead = await served.http.get("/v1/events/stream?after=900000", headers=who)
            assert (ahead.status_code, ahead.json()["error"]["faults"][0]["code"]) == (409, "no-events")

    asyncio.run(scenario())


def test_a_reader_that_is_far_behind_reads_from_the_journal(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_feed, "KEPT", 2)
    monkeypatch.setattr(event_feed, "AT_ONCE", 3)

    async def scenario() -> None:
        async with serving(house, listen=True) as served:
            who, boss = await served.sign_in(EXECUTIVE), await served.sign_in(SUPERVISOR)
            last = await decks(served, boss, 0)
            async with reading(served, "/v1/events/stream?after=1", who) as reader:
                assert await reader.numbers(last) == list(range(2, last + 1))
            assert len(served.service.feed._events) <= 4

    asyncio.run(scenario())


def test_states_come_as_they_are_and_as_they_change(house: House) -> None:
    async def scenario() -> None:
        async with serving(house, listen=True) as served:
            who = await served.sign_in(DEALER)
            async with reading(served, "/v1/states/stream?topics=tables,meters&tables=T1&links=L1", who) as reader:
                found = [await reader.message() for _ in range(3)]
                told = {one["event"]: one["data"] for one in found}
                assert told["manager"] == {"reached": True}
                assert (told["tables"]["table"]["id"], told["meters"]["meters"]["link"]) == ("T1", "L1")
                before = told["meters"]["meters"]["levels"]["main"]["displayed_micros"]
                await served.command("round.start", who, "one", table="T1", sensors={"1": [1, 2]})
                after = before
                while after == before:
                    message = await reader.message()
                    assert message["event"] in ("tables", "meters")
                    if message["event"] == "meters":
                        after = message["data"]["meters"]["levels"]["main"]["displayed_micros"]
                assert after > before
                # The manager goes: whoever watches is told, and sees the state again when it is back.
                for session in list(served.server._sessions):
                    session.end()
                reach = []
                while len(reach) < 2:
                    message = await reader.message()
                    if message["event"] == "manager":
                        reach.append(message["data"]["reached"])
                assert reach == [False, True]

    asyncio.run(scenario())


@pytest.mark.parametrize("path", ["/v1/events/stream?after=0", "/v1/states/stream"])
def test_a_stream_ends_with_its_session(house: House, path: str) -> None:
    async def scenario() -> None:
        async with serving(house, listen=True) as served:
            who = await served.sign_in(EXECUTIVE)
            async with reading(served, path, who) as reader:
                await reader.message()
                await served.http.delete("/v1/session", headers=who)
                while (message := await reader.message()).get("event") != "ended":
                    assert message, "the stream ended without a word"
                assert message["data"] == {"code": "not-signed-in"}
            assert not served.service._streams

    asyncio.run(scenario())


def test_a_stream_lasts_for_its_time_and_there_are_only_so_many(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.manager.http.service.MOST_STREAMS_OF_CALLER", 1)

    async def scenario() -> None:
        async with serving(house, listen=True, settings=replace(SETTINGS, stream_seconds=1.5)) as served:
            who = await served.sign_in(EXECUTIVE)
            async with reading(served, "/v1/events/stream", who) as reader:
                second = await served.http.get("/v1/events/stream", headers=who)
                assert (second.status_code, second.json()["error"]["faults"][0]["code"]) == (429, "too-many-clients")
                # The sign-in itself may come as an event.
                while message := await reader.message():
                    assert message["data"]["data"]["kind"] == "person.sign-in"
            assert (await served.http.get("/v1/events/stream", headers=who)).status_code == 200

    asyncio.run(scenario())


def test_a_reader_who_does_not_read_is_let_go(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_streams, "READ_SECONDS", 0.3)

    async def scenario() -> None:
        async with serving(house, listen=True) as served:
            who, boss = await served.sign_in(EXECUTIVE), await served.sign_in(SUPERVISOR)
            host, port = served.base.removeprefix("http://").split(":")
            reader, writer = await asyncio.open_connection(host, int(port), limit=1024)
            head = ["GET /v1/events/stream HTTP/1.1", f"Host: {host}", f"Authorization: {who['Authorization']}", "", ""]
            writer.write("\r\n".join(head).encode())
            await reader.readline()
            while not served.service._streams:
                await asyncio.sleep(0.01)
            # Enough to fill what lies between: sockets, and the server's own buffer.
            text = served.service.feed.text

            async def much(after: int) -> tuple[int, bytes]:
                return after, b": much\n" * 100_000

            served.service.feed.text = much  # type: ignore[method-assign]
            await decks(served, boss, 0)
            async with asyncio.timeout(60):
                while served.service._streams:
                    await asyncio.sleep(0.02)
            served.service.feed.text = text  # type: ignore[method-assign]
            assert (await served.http.get("/v1/tables", headers=who)).status_code == 200
            writer.close()

    asyncio.run(scenario())
