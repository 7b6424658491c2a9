"""Who is told what: found by topic and place, the same as if every client were asked."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any

from houseway.manager.core.entities import Table
from houseway.manager.core.floor import Floor
from houseway.manager.core.records import Event
from houseway.manager.server.audience import Audience
from houseway.manager.server.hub import Hub
from houseway.manager.server.mailbox import Mailbox
from houseway.manager.server.state_messages import Interests, PushedState
from houseway.manager.store.supervisor import Supervisor

TABLES, LINKS = ("T1", "T2", "T3"), ("L1", "L2")


def some(rng: random.Random, names: tuple[str, ...]) -> frozenset[str] | None:
    return None if rng.random() < 0.4 else frozenset(rng.sample(names, rng.randint(1, len(names))))


def interests(rng: random.Random) -> Interests:
    topics = frozenset(rng.sample(("meters", "tables", "awards", "events"), rng.randint(1, 4)))
    return Interests(topics, some(rng, TABLES), some(rng, LINKS))


def state(rng: random.Random) -> PushedState:
    topic = rng.choice(("meters", "tables", "awards"))
    table, link = rng.choice(TABLES), rng.choice(LINKS)
    if topic == "meters":
        return PushedState(topic, link, None, link=link)
    if topic == "tables":
        return PushedState(topic, table, None, table)
    return PushedState(topic, "A1", None) if rng.random() < 0.3 else PushedState(topic, "A1", None, table, link)


def test_those_who_want_a_state_are_those_who_would_say_so() -> None:
    rng = random.Random(7)
    audience: Audience[int] = Audience()
    wanted: dict[int, Interests] = {}
    for step in range(400):
        client = rng.randrange(12)
        if client not in audience:
            audience.enter(client, f"device {client}")
        elif rng.random() < 0.3:
            audience.leave(client)
            wanted.pop(client, None)
        else:
            wanted[client] = interests(rng)
            audience.subscribe(client, wanted[client])
        told = state(rng)
        found = list(audience.takers(told))
        assert sorted(found) == sorted(each for each, wants in wanted.items() if wants.takes(told)), (step, told)
        place = told.link if told.topic == "meters" else told.table
        assert audience.is_wanted(told.topic, place) or not found
        events = sorted(each for each, wants in wanted.items() if "events" in wants.topics)
        assert sorted(audience.takers_of_all("events")) == events
    for client in list(audience):
        audience.leave(client)
    assert not audience
    assert not any(audience.is_wanted(topic, None) for topic in ("meters", "tables", "awards", "events"))


class Client:
    """A client that only reads."""

    def __init__(self) -> None:
        self.mailbox = Mailbox()

    def device_changed(self, device: object) -> None:
        raise AssertionError(device)

    too_slow = end = device_changed

    async def lines(self) -> bytes:
        return await self.mailbox.take() if len(self.mailbox) else b""


def test_a_state_that_comes_back_while_nobody_listens_is_told_to_whoever_listens_next() -> None:
    floor = Floor()

    async def view(look: Callable[[int, Floor], Any]) -> Any:
        return look(1, floor)

    def now(dealer: str | None) -> list[Event]:
        table = Table("T1", "six-card-fortune", 6, {}, "nexus", "felt", None, {}, {}, dealer=dealer)
        floor.put("table", "T1", table)
        body = '{"do":{},"put":[["table","T1",{}]]}'
        return [Event(1, 1, "key", "", "D1", None, "dealer.in", body, "", "", "")]

    async def checking() -> None:
        hub, first, second = Hub(view, Supervisor()), Client(), Client()
        wanted = Interests(frozenset({"tables"}), frozenset({"T1"}))

        async def told(dealer: str | None) -> None:
            hub.events(now(dealer))
            await hub.tell()

        hub.clients.enter(first, "first")
        hub.subscribe(first, wanted)
        await told("D1")
        await told("D2")
        assert b'"D2"' in await first.lines()
        hub.clients.leave(first)
        await told("D3")
        hub.clients.enter(second, "second")
        hub.subscribe(second, wanted)
        await hub.tell()
        assert b'"D3"' in await second.lines()
        await told("D2")
        assert b'"D2"' in await second.lines()
        assert not await first.lines()

    asyncio.run(checking())
