"""Webhooks: letters arrive signed, are tried again, die in the end, and outlast the process."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from houseway.errors import InputError
from houseway.manager.http import webhooks
from houseway.manager.http.own_book import OwnBook
from houseway.manager.http.webhooks import WAITS, WebhookSender, check_address
from tests.manager.floors import EXECUTIVE, SUPERVISOR
from tests.manager.http.running_http import DEVICE, Served, serving
from tests.manager.server.house import House, secret


class Receiver:
    """An address that takes letters, and answers what it is told to."""

    def __init__(self) -> None:
        self.status = 204
        self.got: list[tuple[dict[str, str], bytes]] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(receiver.status)
                if receiver.status == 302:
                    self.send_header("Location", "http://127.0.0.1:1/elsewhere")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook?token=of-the-owner"


@contextmanager
def receiving() -> Iterator[Receiver]:
    receiver = Receiver()
    thread = threading.Thread(target=receiver.server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.server.shutdown()
        receiver.server.server_close()
        thread.join()


async def decks(served: Served, first: int, count: int) -> int:
    boss = await served.sign_in(SUPERVISOR)
    for number in range(first, first + count):
        done = await served.command("table.deck", boss, f"deck-{number}", table="T1", deck=f"A-{number}", counted=53)
        assert done.status_code == 200, done.text
    return int(done.json()["seq"])


async def until(met: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not met():
            await asyncio.sleep(0.01)


def test_letters_arrive_signed_also_those_of_while_the_service_was_away(house: House, tmp_path: Path) -> None:
    book = OwnBook.open(tmp_path / "http.book", secret(DEVICE))
    with receiving() as receiver:
        whsec = book.add_webhook("books", receiver.url, ["table.deck", "jackpot.*"], 0)

        async def scenario(first: int) -> None:
            async with serving(house, book=tmp_path / "http.book") as served:
                last = await decks(served, first, 2)
                await until(lambda: any(json.loads(body)["id"] == str(last) for _, body in receiver.got))
                who = await served.sign_in(EXECUTIVE)
                listed = (await served.http.get("/v1/webhooks", headers=who)).json()["webhooks"]
                assert (listed[0]["host"], listed[0]["dead"], listed[0]["stopped"]) == ("127.0.0.1", 0, None)
                assert "of-the-owner" not in json.dumps(listed)

        asyncio.run(scenario(0))
        before = {json.loads(body)["id"] for _, body in receiver.got}
        with house.open() as manager:
            # Written while nobody tells: told when the service is back.
            manager.close()
        asyncio.run(scenario(2))
    events = [json.loads(body) for _, body in receiver.got]
    assert len({event["id"] for event in events}) == len(events), "a letter came twice"
    assert before < {event["id"] for event in events}
    assert {event["type"] for event in events} == {"houseway.table.deck"}
    verifier = Webhook(whsec)
    for headers, body in receiver.got:
        assert verifier.verify(body, headers)["specversion"] == "1.0"
        with pytest.raises(WebhookVerificationError):
            verifier.verify(body.replace(b"table.deck", b"table.open"), headers)
        with pytest.raises(WebhookVerificationError):
            verifier.verify(body, {**headers, "webhook-id": "books.1"})
    assert whsec.encode() not in (tmp_path / "http.book").read_bytes()
    book.close()


class Feed:
    """Events as the feed has them, without a manager."""

    def __init__(self, events: list[Any]) -> None:
        self._events = events

    async def events(self, after: int) -> list[Any]:
        return [event for event in self._events if event.seq > after]


def event(seq: int, kind: str = "jackpot.pay") -> Any:
    from houseway.manager.views.answers import EventMessage

    return EventMessage(seq=seq, at=1_763_200_001_234_567, kind=kind, actor="S3", device=None, hash="5f" * 32)


class Post:
    """What is sent, what it is answered, and a clock that only the test moves."""

    def __init__(self, book: OwnBook, events: list[Any]) -> None:
        self.now, self.status, self.sent = 1_000_000.0, 500, 0
        self.error: Exception | None = None
        self._book = book
        self._sender = WebhookSender(book, Feed(events), "urn:x", send=self._post, clock=lambda: self.now)  # type: ignore[arg-type]

    def _post(self, url: str, body: bytes, headers: dict[str, str]) -> int:
        self.sent += 1
        if self.error is not None:
            raise self.error
        return self.status

    def go(self) -> None:
        """Write what is new, and send what is due."""
        (found,) = self._book.webhooks()
        asyncio.run(self._go(found))

    async def _go(self, found: Any) -> None:
        await self._sender._write(found)
        await self._sender._send_due(found)


@pytest.fixture
def book(tmp_path: Path) -> Iterator[OwnBook]:
    found = OwnBook.open(tmp_path / "http.book", "a secret of the device")
    found.add_webhook("books", "https://books.example/", ["jackpot.*"], 0)
    yield found
    found.close()


def test_a_letter_that_does_not_arrive_is_tried_again_dies_and_is_resumed(book: OwnBook) -> None:
    post = Post(book, [event(1), event(2, "round.start"), event(3)])
    post.go()
    assert (post.sent, book.waiting("books")) == (2, (2, 0))
    post.go()
    assert post.sent == 2, "not before its time"
    for number, wait in enumerate(WAITS):
        post.error = OSError("no route to host") if number % 2 else None
        post.now += wait
        post.go()
        assert post.sent == 2 * (number + 2)
    assert book.waiting("books") == (0, 2)
    dead = book.dead("books")
    assert [(letter.seq, letter.tries) for letter in dead] == [(1, 10), (3, 10)]
    assert dead[0].problem in ("answered 500", "OSError: no route to host")
    assert sum(WAITS) > 3 * 86_400
    post.status, post.error = 200, None
    assert book.try_again("books") == 2
    post.go()
    assert (book.waiting("books"), book.dead()) == ((0, 0), [])


def test_one_letter_holds_up_no_other_and_an_address_that_is_gone_is_left_alone(book: OwnBook) -> None:
    events = [event(1)]
    post = Post(book, events)
    post.go()
    post.status = 200
    events.append(event(2))
    post.go()
    assert (post.sent, book.waiting("books")) == (2, (1, 0)), "the second went through while the first waits"
    post.status, post.now = 410, post.now + WAITS[0]
    post.go()
    (found,) = book.webhooks()
    assert found.stopped is not None
    assert book.waiting("books") == (0, 1)
    assert book.remove_webhook("books")
    assert book.dead() == []


def test_no_redirect_is_followed(book: OwnBook) -> None:
    with receiving() as receiver:
        receiver.status = 302
        assert webhooks.post(receiver.url, b"{}", {}) == 302
        assert len(receiver.got) == 1


@pytest.mark.parametrize(
    "url",
    ["http://books.example/", "ftp://books.example/", "books.example", "https://", "http://10.0.0.1/", "https://h:x/"],
)
def test_letters_go_by_tls_or_stay_on_this_machine(url: str) -> None:
    with pytest.raises(InputError) as caught:
        check_address(url)
    assert caught.value.faults[0].code == "bad-address"


def test_a_book_of_another_secret_signs_nothing(book: OwnBook, tmp_path: Path) -> None:
    other = OwnBook.open(tmp_path / "http.book", "another secret")
    with pytest.raises(InputError) as caught:
        other.signing_secret("books")
    assert caught.value.faults[0].code == "wrong-secret"
    other.close()
