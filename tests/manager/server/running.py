"""A server in the test's own process, so that its limits can be short and its insides looked at."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from houseway.manager.core.records import Event
from houseway.manager.server.server import Server
from houseway.manager.store.keys import load_keys
from tests.manager.server.house import House


@asynccontextmanager
async def running(house: House) -> AsyncIterator[tuple[Server, int]]:
    """A server and its port."""
    manager = house.open()
    server = Server(manager, "test", load_keys(house.keys).fingerprint)
    _, port = await server.start("127.0.0.1", 0)
    try:
        yield server, port
    finally:
        await server.close()
        manager.close()


def recorded(house: House, kind: str = "system.refused") -> list[dict[str, Any]]:
    """What events of a kind say, in order; the server must have ended."""
    found: list[Event] = []
    with house.open() as manager:
        manager.subscribe(found.extend, after=0)
    return [json.loads(event.body)["do"] for event in found if event.kind == kind]
