"""The routes are those of the questions and commands there are, and the description tells all of them truly."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from houseway.manager.commands import AUTHORITY, COMMANDS
from houseway.manager.http.command_routes import offered
from houseway.manager.http.error_answers import MEANINGS, STATUS_OF_CODE
from houseway.manager.http.http_app import DOCS_FILES, all_routes
from houseway.manager.http.openapi import description
from houseway.manager.http.route_base import Route
from houseway.manager.http.service import HttpService
from houseway.manager.views.floor_questions import QUESTIONS
from tests.manager.floors import EXECUTIVE, SUPERVISOR
from tests.manager.http.running_http import SETTINGS, serving
from tests.manager.server.house import House

FAULTS = Path(__file__).parents[3] / "docs" / "reference" / "faults.md"


async def _nobody(_: object) -> Any:
    raise ConnectionError


def routes() -> list[Route]:
    async def listed() -> list[Route]:
        return all_routes(HttpService(_nobody, SETTINGS))

    return asyncio.run(listed())


def test_every_question_and_every_command_of_people_has_a_route() -> None:
    found = {(route.method, route.path) for route in routes()}
    assert {("GET", f"/v1/{name}") for name in QUESTIONS} <= found
    commands = {path.removeprefix("/v1/commands/") for method, path in found if path.startswith("/v1/commands/")}
    assert commands == set(offered())
    # The rest nobody may give over HTTP: the manager's own, a controller's, and the sign-in, which begins a session.
    left = {kind: AUTHORITY[COMMANDS[kind]] for kind in COMMANDS.keys() - commands}
    assert all(not authority.roles for authority in left.values())
    assert {kind for kind, authority in left.items() if "service" in authority.devices} == {
        "person.sign-in",
        "person.pin",
    }
    assert len({route.name for route in routes()}) == len(routes())


def test_the_description_names_every_type_status_and_code() -> None:
    found: Any = description(routes())
    text = msgspec.json.encode(found).decode()
    named = set(re.findall(r'"#/components/(schemas|responses)/(\w+)"', text))
    assert all(name in found["components"][kind] for kind, name in named)
    assert {*STATUS_OF_CODE.values(), 409} == set(MEANINGS)
    listed = set(re.findall(r"`([a-z0-9-]+)`", FAULTS.read_text(encoding="utf-8")))
    assert set(STATUS_OF_CODE) <= listed, "a code that no fault has"
    for path, methods in found["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"], (path, method)
            assert {"422", "503"} <= operation["responses"].keys(), path
            assert "security" in operation or {"401", "403"} <= operation["responses"].keys(), path


@pytest.mark.parametrize("route", [route for route in routes() if route.types], ids=lambda route: route.name)
def test_every_example_is_one_of_its_type(route: Route) -> None:
    if route.takes is not None and route.path.startswith("/v1/commands/"):
        kind = route.path.removeprefix("/v1/commands/")
        assert isinstance(route.example_taken, dict)
        msgspec.convert({"kind": kind, **route.example_taken}, COMMANDS[kind])
        assert isinstance(route.example_given, dict)
        msgspec.convert(route.example_given["answer"], route.types[1])
    elif route.example_given is not None:
        msgspec.convert(route.example_given, route.types[0])


def test_nothing_is_open_but_the_sign_in_the_description_and_whether_it_is_well(house: House) -> None:
    async def scenario() -> None:
        async with serving(house) as served:
            described = (await served.http.get("/openapi.json")).json()
            is_open = {
                (method, path)
                for path, methods in described["paths"].items()
                for method, operation in methods.items()
                if operation.get("security") == []
            }
            assert is_open == {
                ("post", "/v1/session"), ("post", "/v1/session/pin"), ("get", "/healthz"), ("get", "/readyz"),
            }  # fmt: skip
            for path, methods in described["paths"].items():
                for method in methods:
                    for wrong in ({}, {"Authorization": "Bearer hws_wrong"}, {"Authorization": "Basic YTpi"}):
                        if (method, path) not in is_open:
                            answer = await served.http.request(method, path, headers=wrong)
                            assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer"), path
            for path in (*DOCS_FILES, "/healthz", "/readyz"):
                answer = await served.http.get(path)
                assert answer.status_code == 200
                assert "http" not in answer.headers["content-security-policy"]
            page = (await served.http.get("/docs")).text
            assert not re.search(r"(src|href)=\"(?!/docs/|data:,)", page), "the page fetches something from elsewhere"

    asyncio.run(scenario())


def test_answers_are_the_views_and_a_tag_spares_what_has_not_changed(house: House) -> None:
    async def scenario() -> None:
        async with serving(house) as served:
            who = await served.sign_in(EXECUTIVE)
            arguments = {
                "table": {"table": "T1"},
                "link": {"link": "L1"},
                "drafts": {"table": "T1"},
                "key": {"key": "k"},
                "slip": {"slip": "OPEN-000001"},
            }
            for name, kind in QUESTIONS.items():
                if name in ("round", "events", "win-page"):
                    continue
                answer = await served.http.get(f"/v1/{name}", params=arguments.get(name, {}), headers=who)
                assert answer.status_code == 200, (name, answer.text)
                msgspec.json.decode(answer.content, type=kind.answer)
            first = await served.http.get("/v1/tables", headers=who)
            same = {**who, "If-None-Match": f'W/"1-1", {first.headers["etag"]}'}
            again = await served.http.get("/v1/tables", headers=same)
            assert (again.status_code, again.content) == (304, b"")
            boss = await served.sign_in(SUPERVISOR)
            done = await served.command("table.deck", boss, "deck", table="T1", deck="A-2", counted=53)
            assert done.status_code == 200, done.text
            assert (await served.http.get("/v1/tables", headers=same)).status_code == 200

    asyncio.run(scenario())
