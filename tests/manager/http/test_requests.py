"""Requests that are not as they should be: refused in the one envelope, at little cost, with no secret left behind."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import httpx
import pytest

from houseway.manager.http import guard
from houseway.manager.http.http_app import build_app
from houseway.manager.interface.contract import ManagerAwayError
from tests.manager.floors import DEALER, SUPERVISOR, badge
from tests.manager.http.running_http import Served, serving
from tests.manager.server.house import House

START = "/v1/commands/round.start"
GOOD = b'{"table": "T1"}'
JSON = "application/json"
LAST = "Last-Event-ID"


def test_every_refusal_has_its_status_and_the_one_envelope(house: House) -> None:
    async def scenario() -> None:
        async with serving(house) as served:
            who = await served.sign_in(SUPERVISOR)
            keyed = {**who, "Idempotency-Key": "k"}
            raw = {**keyed, "Content-Type": JSON}
            post, get = served.http.post, served.http.get
            twice, text = {"table": "T1", "kind": "round.end"}, {**keyed, "Content-Type": "text/plain"}
            for answer, status, code, path in (
                (await get("/v1/table", headers=who), 422, "bad-message", "table"),
                (await get("/v1/table?table=T9", headers=who), 404, "unknown-table", "table"),
                (await get("/v1/table?table=T1&table=T2", headers=who), 422, "bad-message", "table"),
                (await get("/v1/tables?badge=x", headers=who), 422, "unknown-key", "badge"),
                (await get("/v1/events?after=-1", headers=who), 422, "bad-message", "after"),
                (await get("/v1/events?after=1e3", headers=who), 422, "bad-message", "after"),
                (await get("/v1/events?limit=" + "9" * 40, headers=who), 422, "bad-message", "limit"),
                (await get("/v1/states/stream?topics=weather", headers=who), 422, "unknown-topic", "topics"),
                (await get("/v1/states/stream?topics=", headers=who), 422, "bad-message", "topics"),
                (await get("/v1/states/stream?links=v", headers=who), 404, "unknown-link", "links"),
                (await get("/v1/states/stream?tables=T1,T9", headers=who), 404, "unknown-table", "tables"),
                (await get("/v1/states/stream?tables=T1,,T2", headers=who), 422, "bad-message", "tables"),
                (await get(f"/v1/states/stream?links={'L,' * 200}L", headers=who), 422, "bad-message", "links"),
                (await get("/v1/events/stream?after=-1", headers=who), 422, "bad-message", "after"),
                (await get("/v1/events/stream?after=x", headers={**who, LAST: "5"}), 422, "bad-message", "after"),
                (await get("/v1/events/stream?after=5", headers={**who, LAST: "-5"}), 422, "bad-message", LAST),
                (await get("/v1/nothing", headers=who), 404, "unknown-route", ""),
                (await get("/v1/tables/", headers=who), 404, "unknown-route", ""),
                (await served.http.options("/v1/tables"), 405, "wrong-method", ""),
                (await post(START, headers={**who, "Content-Type": JSON}), 422, "bad-message", "Idempotency-Key"),
                (await post(START, headers=text, content=GOOD), 415, "wrong-content", "Content-Type"),
                (await post(START, headers=raw, content=b"{"), 422, "bad-message", ""),
                (await post(START, headers=raw, content=b"[1]"), 422, "bad-message", ""),
                (await post(START, headers=raw, content=b"[" * 30_000), 422, "bad-message", ""),
                (await post(START, headers=keyed, json=twice), 422, "unknown-key", "kind"),
                (await post(START, headers=keyed, json={"table": "x" * 61_000}), 413, "line-too-long", ""),
                (await post(START, headers=keyed, json={"table": "x" * 30_000}), 413, "line-too-long", ""),
                (await get("/v1/tables", headers={**who, "Host": "evil.example"}), 421, "wrong-host", "Host"),
            ):  # fmt: skip
                fault = answer.json()["error"]["faults"][0]
                assert (answer.status_code, fault["code"], fault["path"]) == (status, code, path), answer.text
                assert answer.json().keys() == {"error"}
                assert answer.json()["error"]["retry"] is False
                assert answer.headers["x-content-type-options"] == "nosniff"
                assert answer.headers["cache-control"] == "no-store"
                assert "access-control-allow-origin" not in answer.headers
            # Commands of a desk may be longer; nothing of it broke the connection that all requests share.
            assert (await get("/v1/tables", headers=who)).status_code == 200

    asyncio.run(scenario())


def test_a_body_that_does_not_end_is_not_waited_for(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "BODY_SECONDS", 0.05)

    async def scenario() -> None:
        async with serving(house, listen=True) as served:
            who = (await served.sign_in(DEALER))["Authorization"]
            host, port = served.base.removeprefix("http://").split(":")
            reader, writer = await asyncio.open_connection(host, int(port))
            head = [f"POST {START} HTTP/1.1", f"Host: {host}", f"Authorization: {who}", f"Content-Type: {JSON}"]
            head += ["Idempotency-Key: k", "Content-Length: 500", "", '{"table": ']
            writer.write("\r\n".join(head).encode())
            answer = (await reader.readuntil(b"}]")).decode()
            assert answer.startswith("HTTP/1.1 408")
            assert '"code":"idle-timeout"' in answer
            writer.close()

    asyncio.run(scenario())


def test_a_manager_that_is_away_is_told_as_such_and_the_same_key_goes_through_later(house: House) -> None:
    async def scenario() -> None:
        async with serving(house) as served:
            who = await served.sign_in(DEALER)
            real = served.service._manager

            class Away:
                async def send(self, *_: Any, **__: Any) -> Any:
                    await real.send(*_, **__)  # type: ignore[union-attr]
                    raise ManagerAwayError("gone before it answered")

                async def ask(self, *_: Any, **__: Any) -> Any:
                    raise ManagerAwayError("gone")

            served.service._manager = Away()  # type: ignore[assignment]
            lost = await served.command("round.start", who, "one", table="T1")
            assert (lost.status_code, lost.json()["error"]["retry"]) == (503, True)
            assert lost.headers["retry-after"] == "1"
            assert (await served.http.get("/readyz")).status_code == 503
            assert (await served.http.get("/healthz")).status_code == 200
            served.service._manager = real
            again = await served.command("round.start", who, "one", table="T1")
            assert (again.status_code, again.json()["repeated"]) == (200, True)

    asyncio.run(scenario())


def test_an_internal_error_tells_nothing_of_itself(house: House, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        async with serving(house) as served:
            who = await served.sign_in(DEALER)

            def broken(*_: object) -> None:
                raise RuntimeError("the secret of the engine room")

            served.service.ask = broken  # type: ignore[method-assign, assignment]
            answer = await served.http.get("/v1/tables", headers=who)
            assert (answer.status_code, answer.json()["error"]["faults"][0]["code"]) == (500, "internal-error")
            assert "engine room" not in answer.text

    asyncio.run(scenario())
    assert "engine room" in caplog.text


def test_the_log_tells_no_token_badge_or_query(
    house: House, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG, logger="houseway")
    # A command that serves, called in this process before, leaves the log of access off.
    monkeypatch.setattr(guard.ACCESS, "disabled", False)
    monkeypatch.setattr(guard.ACCESS, "propagate", True)

    async def scenario() -> list[str]:
        async with serving(house) as served:
            who = await served.sign_in(DEALER)
            await served.http.get("/v1/table?table=T1&badge=a-badge-in-a-query", headers=who)
            await served.http.get("/v1/a-badge-in-a-path", headers=who)
            await served.command("round.start", who, "one", table="T1", sensors="a-badge-in-a-body")
            await served.http.post("/v1/session", json={"badge": "a-wrong-badge"})
            return [who["Authorization"].removeprefix("Bearer "), *served.service._sessions.values()]

    tokens = asyncio.run(scenario())
    lines = [record.getMessage() for record in caplog.records if record.name == "houseway.access"]
    access = [line for line in lines if line.startswith("event=http")]
    assert len(access) == 5
    assert any(f"what=POST /v1/commands/round.start actor={DEALER}" in line and "status=422" in line for line in access)
    told = "\n".join(record.getMessage() for record in caplog.records if record.name.startswith("houseway"))
    for hidden in (*tokens, badge(DEALER), "a-badge-in-a", "a-wrong-badge"):
        assert hidden not in told


def test_no_more_requests_wait_than_may(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.manager.http.service.MOST_WAITING", 2)

    async def scenario() -> None:
        async with serving(house) as served:
            who = await served.sign_in(DEALER)
            for _ in range(48):
                await served.service._turns.acquire()
            waiting = [asyncio.create_task(served.http.get("/v1/tables", headers=who)) for _ in range(2)]
            while served.service._waiting < 2:
                await asyncio.sleep(0.001)
            full = await served.http.get("/v1/tables", headers=who)
            assert full.status_code == 429
            for _ in range(48):
                served.service._turns.release()
            assert [one.status_code for one in await asyncio.gather(*waiting)] == [200, 200]

    asyncio.run(scenario())


def test_with_tls_browsers_are_told_to_stay_with_it(house: House) -> None:
    async def scenario() -> None:
        async with serving(house) as served:
            await _check_hsts(served)

    asyncio.run(scenario())


async def _check_hsts(served: Served) -> None:
    from dataclasses import replace

    plain = await served.http.get("/healthz")
    assert "strict-transport-security" not in plain.headers
    served.service.settings = replace(served.service.settings, has_tls=True)
    app = httpx.ASGITransport(build_app(served.service))
    async with httpx.AsyncClient(transport=app, base_url="https://testserver") as http:
        assert (await http.get("/healthz")).headers["strict-transport-security"] == "max-age=31536000"
