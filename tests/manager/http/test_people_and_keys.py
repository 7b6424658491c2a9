"""Who gets in over HTTP: sessions of people that end at once, keys that only look, and guesses that wait."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from houseway.errors import InputError
from houseway.manager.commands import AnyCommand
from houseway.manager.http import service as http_service
from houseway.manager.http.callers import SCOPES, Caller, read_scopes
from houseway.manager.http.own_book import KEY_PREFIX, OwnBook
from houseway.manager.interface.contract import AsyncManagerInterface, CommandResult, RefusedError
from houseway.manager.interface.whole_answers import ask_all_async
from houseway.manager.views.floor_questions import A_co, Question, TablesQuestion
from tests.manager.floors import ACCOUNTING, CAGE, DEALER, EXECUTIVE, SUPERVISOR, badge
from tests.manager.http.running_http import DEVICE, Served, serving
from tests.manager.server.house import House, secret, session
from tests.manager.server.running import recorded

START = {"table": "T1", "sensors": {"1": [1, 2]}}


async def codes(answer: object) -> list[str]:
    return [fault["code"] for fault in answer.json()["error"]["faults"]]  # type: ignore[attr-defined]


async def reads(served: Served, who: dict[str, str]) -> int:
    return (await served.http.get("/v1/tables", headers=who)).status_code


async def until_refused(served: Served, who: dict[str, str]) -> None:
    async with asyncio.timeout(60):
        while await reads(served, who) != 401:
            await asyncio.sleep(0.005)


def test_a_person_acts_in_their_own_session_and_in_nobody_else_s(house: House) -> None:
    async def scenario() -> None:
        async with serving(house) as served:
            dealer = await served.sign_in(DEALER)
            me = (await served.http.get("/v1/session", headers=dealer)).json()
            assert (me["person"], me["roles"], me["key"]) == (DEALER, ["dealer"], None)
            started = await served.command("round.start", dealer, "one", **START)
            again = await served.command("round.start", dealer, "one", **START)
            assert (again.json()["seq"], again.json()["repeated"]) == (started.json()["seq"], True)
            other = await served.command("round.start", dealer, "one", table="T1")
            assert (other.status_code, await codes(other)) == (409, ["key-reused"])
            # The same key is another person's own.
            boss = await served.sign_in(SUPERVISOR)
            deck = await served.command("table.deck", boss, "one", table="T2", deck="A-2", counted=53)
            assert deck.status_code != 409 or await codes(deck) != ["key-reused"]
            mine = (await served.http.get("/v1/key", params={"key": "one"}, headers=dealer)).json()
            assert (mine["kind"], mine["seq"], mine["key"]) == ("round.start", started.json()["seq"], "one")
            # Nobody names another actor: there is no field for one.
            odd = await served.command("round.end", dealer, "two", round="T1-1", actor=SUPERVISOR)
            assert (odd.status_code, odd.json()["error"]["faults"][0]["path"]) == (422, "actor")
            wrong_role = await served.command("device.retire", dealer, "three", device="SIGN-1", badge=badge(EXECUTIVE))
            assert (wrong_role.status_code, await codes(wrong_role)) == (403, ["wrong-role"])

    asyncio.run(scenario())


def test_a_session_ends_at_once_when_the_manager_ends_it(house: House) -> None:
    async def scenario() -> None:
        async with serving(house) as served:
            first = await served.sign_in(DEALER)
            second = await served.sign_in(DEALER)
            assert await reads(served, first) == 401, "another sign-in ends the one before"
            assert await reads(served, second) == 200
            assert (await served.http.delete("/v1/session", headers=second)).status_code == 204
            assert await reads(served, second) == 401
            # Off duty, by two others: the one who only looks is out as well.
            third = await served.sign_in(CAGE)
            boss = await served.sign_in(EXECUTIVE)
            gone = await served.command(
                "person.change", boss, "off", person=CAGE, active=False, second_badge=badge(ACCOUNTING)
            )
            assert gone.status_code == 200, gone.text
            await until_refused(served, third)
            # The same person at the same service, by the manager's own port: the session here is over.
            manager = served.service._reached()
            await manager.sign_in(badge(EXECUTIVE))
            await until_refused(served, boss)

    asyncio.run(scenario())


def test_an_old_look_at_who_is_present_ends_no_session_that_has_begun_since(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with serving(house) as served:
            looked, goes_on = asyncio.Event(), asyncio.Event()

            async def late(manager: AsyncManagerInterface, asked: Question[A_co]) -> A_co:
                answer = await ask_all_async(manager, asked)
                looked.set()
                await goes_on.wait()
                return answer

            monkeypatch.setattr(http_service, "ask_all_async", late)
            boss = await served.sign_in(EXECUTIVE)
            await asyncio.wait_for(looked.wait(), 5)
            dealer = await served.sign_in(DEALER)
            goes_on.set()
            looking = served.service._looking
            assert looking is not None
            await asyncio.wait_for(looking, 5)
            assert (await reads(served, boss), await reads(served, dealer)) == (200, 200)

    asyncio.run(scenario())


def test_a_late_refusal_of_an_old_session_does_not_end_the_next_one(house: House) -> None:
    async def scenario() -> None:
        async with serving(house) as served:
            service = served.service
            _, before = await service.sign_in({"badge": badge(DEALER)}, "10.0.0.9")
            old = service._sessions[DEALER]
            second = await served.sign_in(DEALER)
            new = service._sessions[DEALER]
            # A question of the session before that was on its way when the next one began.
            service._sessions[DEALER] = old
            with pytest.raises(RefusedError) as refused:
                await service.ask(TablesQuestion(), Caller(before))
            assert refused.value.code == "not-signed-in"
            service._sessions[DEALER] = new
            assert await reads(served, second) == 200

    asyncio.run(scenario())


def test_a_session_that_ended_before_it_was_known_here_is_let_go(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        async with serving(house) as served:
            service = served.service
            say = service._say

            async def ended_meanwhile(command: AnyCommand, address: str) -> CommandResult[Any]:
                carried = await say(command, address)
                await service._reached().sign_out(DEALER)
                while service.feed.head <= carried.seq:
                    await asyncio.sleep(0.001)
                return carried

            monkeypatch.setattr(service, "_say", ended_meanwhile)
            async with asyncio.timeout(60):
                await service.sign_in({"badge": badge(DEALER)}, "10.0.0.9")
                while service.bearers.people:
                    await asyncio.sleep(0.005)

    asyncio.run(scenario())


def test_a_session_runs_out_and_its_token_is_not_the_manager_s(house: House) -> None:
    async def scenario() -> None:
        async with serving(house) as served:
            who = await served.sign_in(DEALER)
            token = who["Authorization"].removeprefix("Bearer ")
            assert token not in served.service._sessions.values()
            assert session(DEALER) not in served.service._sessions.values()
            stored = repr(vars(served.service.bearers))
            assert token not in stored
            # What the manager's port would take is nothing here, and the other way round.
            theirs = {"Authorization": f"Bearer {served.service._sessions[DEALER]}"}
            assert await reads(served, theirs) == 401
            bearers = served.service.bearers
            digest, found = next(iter(bearers._found.items()))
            bearers._found[digest] = replace(found, until=time.time_ns() // 1000)
            assert await reads(served, who) == 401

    asyncio.run(scenario())


def test_a_pin_is_set_and_then_goes_with_the_badge(house: House) -> None:
    async def scenario() -> None:
        async with serving(house) as served:
            done = await served.http.post("/v1/session/pin", json={"badge": badge(DEALER), "pin": "482915"})
            assert (done.status_code, done.json().get("person")) == (200, DEALER), done.text
            wrong = await served.http.post("/v1/session", json={"badge": f"{badge(DEALER)}\x1f482916"})
            assert (wrong.status_code, await codes(wrong)) == (403, ["badge-refused"])
            right = await served.http.post("/v1/session", json={"badge": f"{badge(DEALER)}\x1f482915"})
            assert (right.status_code, right.json()["person"]) == (200, DEALER)
            again = await served.http.post("/v1/session/pin", json={"badge": badge(DEALER), "pin": "482917"})
            assert again.status_code == 403

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "body",
    [{}, {"badge": 5}, {"badge": "x", "session": "mine"}, {"badge": "x", "kind": "round.start"}, {"bagde": "x"}, []],
)
def test_a_sign_in_that_is_none_is_refused_before_anybody_counts(house: House, body: object) -> None:
    async def scenario() -> None:
        async with serving(house) as served:
            answer = await served.http.post("/v1/session", json=body)
            assert answer.status_code == 422

    asyncio.run(scenario())
    assert recorded(house) == []


def test_a_key_opens_what_its_scopes_name_until_it_is_ended(house: House, tmp_path: Path) -> None:
    book = tmp_path / "http.book"
    made = OwnBook.open(book, secret(DEVICE))
    now = time.time_ns() // 1000
    signs = made.add_key("signs", ["ask:meters"], None)
    everything = made.add_key("reports", ["ask:*"], now + 3_600_000_000)
    old = made.add_key("old", ["ask:*"], now - 1)
    assert signs.startswith(KEY_PREFIX)
    assert (book.stat().st_mode & 0o777) == 0o600
    with pytest.raises(InputError, match="already"):
        made.add_key("signs", ["ask:*"], None)

    async def scenario() -> None:
        async with serving(house, book=book) as served:

            async def status(token: str, path: str) -> int:
                who = {"Authorization": f"Bearer {token}"}
                return (await served.http.get(path, headers=who)).status_code

            assert [await status(signs, path) for path in ("/v1/meters", "/v1/people", "/v1/events")] == [200, 403, 403]
            assert await status(everything, "/v1/people") == 200
            assert await status(everything, "/v1/events") == 200
            assert await status(everything, "/v1/webhooks") == 403
            assert await status(everything, "/v1/key?key=k") == 403
            assert await status(old, "/v1/meters") == 401
            # No key gives a command, whatever its scopes.
            who = {"Authorization": f"Bearer {everything}"}
            refused = await served.command("round.start", who, "k", **START)
            assert (refused.status_code, await codes(refused)) == (403, ["wrong-scope"])
            assert (await served.http.delete("/v1/session", headers=who)).status_code == 403
            assert made.remove_key("reports")
            assert not made.remove_key("reports")
            assert await status(everything, "/v1/people") == 401

    asyncio.run(scenario())
    made.close()
    for token in (signs, everything, old):
        for file in tmp_path.glob("http.book*"):
            assert token.encode() not in file.read_bytes()


def test_a_look_names_a_key_that_a_command_may_have_and_a_webhook_that_is_there(house: House, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(house, book=tmp_path / "http.book") as served:
            who = await served.sign_in(EXECUTIVE)

            async def told(path: str) -> tuple[int, list[str]]:
                answer = await served.http.get(path, headers=who)
                return answer.status_code, [] if answer.status_code == 200 else await codes(answer)

            assert await told("/v1/key?key=k") == (200, [])
            for wrong in ("", "%20", "%C3%A9", "k" * 101):
                assert await told(f"/v1/key?key={wrong}") == (422, ["bad-message"]), wrong
            letters = "/v1/webhooks/dead-letters"
            assert await told(letters) == (200, [])
            assert await told(f"{letters}?after=-1") == (422, ["bad-message"])
            for wrong in ("", "books"):
                assert await told(f"{letters}?webhook={wrong}") == (404, ["unknown-webhook"]), wrong

    asyncio.run(scenario())


def test_scopes_are_a_closed_list() -> None:
    assert read_scopes(["ask:meters", "webhooks", "ask:meters"]) == ("ask:meters", "webhooks")
    assert not any(scope.startswith("do:") for scope in SCOPES)
    for wrong in ([], ["ask:key"], ["do:round.start"], ["*"]):
        with pytest.raises(InputError) as caught:
            read_scopes(wrong)
        assert caught.value.faults[0].code == "unknown-scope"
