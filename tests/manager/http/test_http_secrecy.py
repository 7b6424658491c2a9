"""Nothing that comes out of the HTTP API shows a card or a seed before its reveal, nor ever a badge, secret or token.

The spy of `tests/manager/test_secrecy.py` plays through the API and reads every response with its headers, both
streams, the letters of a webhook, and the log.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from houseway.errors import Fault
from houseway.manager.commands import AnyCommand, kind_of
from houseway.manager.commands.house_commands import AddDevice
from houseway.manager.http import service as http_service
from houseway.manager.http.http_app import build_app
from houseway.manager.http.own_book import OwnBook
from houseway.manager.http.service import HttpService, HttpSettings
from houseway.manager.interface.access import ManagerAccess
from houseway.manager.interface.async_connection import AsyncManagerConnection
from houseway.manager.interface.contract import CommandResult, RefusedError
from houseway.manager.interface.requests import command_result
from houseway.manager.interface.sessions import Sessions
from houseway.manager.server import session as server_session
from houseway.manager.views.floor_questions import QUESTIONS
from tests.manager.floors import ACCOUNTING, EXECUTIVE, PEOPLE, START, TECHNICIAN, badge
from tests.manager.spy import Spy
from tests.manager.test_secrecy import WireDoor, open_table, play_rounds

DEVICE, SECRET = "WEB", "secret of device WEB"
SETTINGS = HttpSettings(DEVICE, frozenset({"testserver"}), stream_seconds=0.02)


class HttpDoor(WireDoor):
    """The manager behind its HTTP API, for everybody who is signed in there."""

    def __init__(self, spy: Spy, folder: Path) -> None:
        super().__init__(spy, folder)
        self.texts: list[str] = []
        self.who: dict[str, dict[str, str]] = {}
        self.book = OwnBook.open(folder / "http.book", SECRET)
        self.signing = self.book.add_webhook("all", "http://127.0.0.1:1/", ["*"], 0)

    def connect(self) -> None:
        """Let the service in, and sign everybody in there."""
        added = AddDevice(DEVICE, "service", SECRET, None, badge(ACCOUNTING))
        assert self.send(TECHNICIAN, added) is not None, self.refusal
        self._run(self._begin())

    async def _begin(self) -> None:
        async def connect(sessions: Sessions) -> Any:
            access = ManagerAccess.in_process(self.server.door.socket_within, DEVICE, SECRET)
            return await AsyncManagerConnection(access, sessions=sessions).open()

        self.service = HttpService(connect, SETTINGS, self.book)
        await self.service.__aenter__()
        await self.service.feed.reached.wait()
        app = httpx.ASGITransport(build_app(self.service))
        self.http = httpx.AsyncClient(transport=app, base_url="http://testserver")
        for person in PEOPLE:
            answer = await self.http.post("/v1/session", json={"badge": badge(person)})
            self.who[person] = {"Authorization": f"Bearer {answer.json()['token']}"}

    def carry_out(self, actor: str, command: AnyCommand) -> CommandResult[Any]:
        if not self.who:
            return super().carry_out(actor, command)
        self.count += 1
        kind, body = kind_of(command), msgspec.to_builtins(command)
        headers = {**self.who[actor], "Idempotency-Key": f"k{self.count}"}
        del body["kind"]
        answer = self._run(self.http.post(f"/v1/commands/{kind}", json=body, headers=headers))
        self._read(answer, f"the response to {command!r}", getattr(command, "round", None), answered=False)
        if answer.status_code != 200:
            raise RefusedError([Fault(**fault) for fault in answer.json()["error"]["faults"]])
        return command_result(command, msgspec.convert(answer.json(), type=Any))

    def read_event(self, seq: int, command: AnyCommand, round_id: str | None) -> None:
        super().read_event(seq, command, round_id)
        if not self.who:
            return
        about = round_id or self.floor.tables["T1"].round
        paths = [f"/v1/{name}" for name, kind in QUESTIONS.items() if not _needs_more(kind)]
        paths += ["/v1/table?table=T1", f"/v1/events?after={seq - 1}", f"/v1/events/stream?after={seq - 1}"]
        paths += ["/v1/states/stream", "/v1/webhooks", "/v1/webhooks/dead-letters", "/v1/session"]
        if about is not None and about in self.floor.rounds:
            paths.append(f"/v1/round?round={about}")
        for path in paths:
            answer = self._run(self.http.get(path, headers=self.who[EXECUTIVE]))
            assert answer.status_code in (200, 304), (path, answer.text)
            self._read(answer, f"{path} after {command!r}", about)
        for letter in self.book.due("all", 1e18, 1_000):
            self.spy.read(letter.body, f"the letter of event {letter.seq}", about)
            self.texts.append(letter.body.decode())

    def _read(self, answer: httpx.Response, where: str, about: str | None, *, answered: bool = True) -> None:
        text = f"{dict(answer.headers)} {answer.text}"
        if answered:
            self.spy.read(text, where, about)
        self.texts.append(text)

    def close(self) -> None:
        if self.who:
            self._run(self.http.aclose())
            self._run(self.service.__aexit__())
        super().close()


def _needs_more(kind: type[msgspec.Struct]) -> bool:
    """Whether a question is only asked with arguments."""
    return any(field.required for field in msgspec.structs.fields(kind))


@pytest.mark.parametrize("game", ["fortune"])
def test_nobody_is_told_anything_over_http_either(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # The manager's clock in these tests stands at its own time.
    monkeypatch.setattr(http_service, "now_micros", lambda: START)
    monkeypatch.setattr(server_session, "wall_micros", lambda: START)
    caplog.set_level("DEBUG", logger="houseway")
    with Spy(f"http {game}") as spy, closing(HttpDoor(spy, tmp_path)) as door:
        open_table(door, game)
        door.connect()
        player = play_rounds(door, game, 3, rounds=2)
        told = "\n".join([*door.texts, caplog.text])
        hidden = [*map(badge, PEOPLE), SECRET, door.signing, *door.service._sessions.values()]
        hidden += [who["Authorization"].removeprefix("Bearer ") for who in door.who.values()]
        hidden += [door.keys.fingerprint(one) for one in hidden]
    assert player.done["round.start"] >= 2
    assert len(door.texts) > 200
    assert not [one for one in hidden if one in told]
    for file in tmp_path.glob("http.book*"):
        assert not [one for one in hidden if one.encode() in file.read_bytes()]
