"""docs/reference/http.md: every route of the HTTP API with its statuses and scopes, written from the routes."""

from __future__ import annotations

import asyncio
from typing import Final, NoReturn

from houseway.manager.core.badge_lanes import OF_UNKNOWN_NETWORK, OF_UNKNOWN_NETWORKS
from houseway.manager.http.callers import SCOPES
from houseway.manager.http.command_routes import LONGEST_KEY
from houseway.manager.http.entrance import MOST_KNOWN, MOST_OF_NETWORK, MOST_STRANGERS
from houseway.manager.http.error_answers import MEANINGS, STATUS_OF_CODE
from houseway.manager.http.event_streams import READ_SECONDS, STILL_HERE_SECONDS
from houseway.manager.http.guard import BODY_SECONDS, MOST_BODY
from houseway.manager.http.http_app import all_routes
from houseway.manager.http.http_connection import HEAD_SECONDS, MOST_HEAD
from houseway.manager.http.route_base import Route
from houseway.manager.http.service import MOST_STREAMS, MOST_STREAMS_OF_CALLER, HttpService, HttpSettings
from houseway.manager.http.webhooks import WAITS

HEAD: Final = """# HTTP routes

Every route of the HTTP API. This page is written from the program (`scripts/write-http-page`); a test holds them equal.
[The guide](../guides/http-api.md) says how to use it; a running service describes every field, with examples, at
`/openapi.json`, and for people at `/docs`. Fields of commands and their answers are in [commands](commands.md), those
of questions in [views](views.md).
"""


def routes() -> list[Route]:
    """The routes of a service that is connected to nothing."""

    async def listed() -> list[Route]:
        return all_routes(HttpService(_nowhere, HttpSettings("HTTP-1", frozenset())))

    return asyncio.run(listed())


async def _nowhere(_: object) -> NoReturn:
    raise ConnectionError


def _row(route: Route) -> str:
    arguments = ", ".join(f"`{one.name}`" for one in route.parameters if one.where == "query")
    needs = "" if route.is_open else "person" if route.method != "GET" or route.path == "/v1/key" else "person or key"
    statuses = " ".join(map(str, (route.status, *((304,) if route.has_etag else ()), *route.statuses)))
    return f"| `{route.method} {route.path}` | {arguments} | {needs} | {route.text.splitlines()[0]} | {statuses} |"


def _routes() -> str:
    head = ["## Routes", "", "| route | arguments | who | what | statuses |", "|---|---|---|---|---|"]
    return "\n".join([*head, *map(_row, routes()), ""])


def _statuses() -> str:
    rows = []
    for status, meaning in MEANINGS.items():
        codes = ", ".join(f"`{code}`" for code, found in sorted(STATUS_OF_CODE.items()) if found == status)
        rows.append(f"| {status} | {meaning} | {codes or 'every other code'} |")
    return "\n".join([_REFUSALS, *rows, ""])


_REFUSALS: Final = """## Refusals

Every refusal is `{"error": {"faults": [{"code", "path", "message"}], "retry"}}`, with every fault at once. With `retry`
the same request may go through later, under the same key.

| status | meaning | [codes](faults.md) |
|---|---|---|"""


def _limits() -> str:
    return f"""## Limits

- A body has at most {MOST_BODY:,} bytes, arrives within {BODY_SECONDS:g} seconds, and is no longer than the manager
  reads for its kind of command ([sizes](protocol.md#heartbeat-and-limits)).
- An `Idempotency-Key` has 1 to {LONGEST_KEY} visible ASCII characters.
- {OF_UNKNOWN_NETWORK.at_once} wrong badges from one address (of IPv6 from one /64) let it wait, as do
  {OF_UNKNOWN_NETWORKS.at_once} from all addresses together from which nobody has signed in before
  ([how guessing is bounded](../security.md#guessing-badges-over-http)).
- {MOST_STRANGERS:,} connections that have shown no token which counts, {MOST_OF_NETWORK} of one address; the oldest
  makes room. {MOST_KNOWN:,} of callers who are known. A head has {MOST_HEAD:,} bytes and {HEAD_SECONDS:g}
  seconds, HTTP/1.1.
- {MOST_STREAMS:,} streams, {MOST_STREAMS_OF_CALLER:,} of one caller. A reader who leaves what was sent unread for
  {READ_SECONDS:g} seconds is let go; a quiet stream says every {STILL_HERE_SECONDS:g} seconds that it is there.
- A letter of a webhook is tried {len(WAITS) + 1} times over {sum(WAITS) / 86_400:.1f} days.
"""


def _scopes() -> str:
    listed = ", ".join(f"`{scope}`" for scope in SCOPES)
    return f"""## Scopes

What an API key may open: {listed}.

`ask:*` is every question. A stream of events needs `ask:events`, one of states the questions of its topics. No scope
gives a command.
"""


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, _routes(), _statuses(), _scopes(), _limits()])
