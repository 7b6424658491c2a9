"""A database that is only read, whether it is served or not: questions are answered, nothing is written."""

# ruff: noqa: ARG002 - what is refused is refused whatever it says

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, Self

from houseway.errors import Fault
from houseway.manager.commands import AnyCommand
from houseway.manager.interface.contract import ManagerAwayError, RefusedError
from houseway.manager.interface.local import own_health, told_as_refusal
from houseway.manager.server.asks import answer_ask
from houseway.manager.server.head_answers import answer_head
from houseway.manager.server.win_pages import answer_win_page
from houseway.manager.store.clock import wall_micros
from houseway.manager.store.head_making import HeadBook
from houseway.manager.store.keys import load_keys
from houseway.manager.store.powerup import look
from houseway.manager.views.floor_questions import (
    A_co,
    EventsQuestion,
    HeadQuestion,
    HealthQuestion,
    KeyQuestion,
    Question,
    WinPageQuestion,
)
from houseway.manager.views.view_base import FloorView


class RestingManager:
    """The journal of a database as it was when it was opened, with all checks of a start."""

    def __init__(self, url: str, keys: Path) -> None:
        """Read and check the journal; it stays as it is."""
        own = load_keys(keys)
        self._engine = look(url, own).engine
        self._heads = HeadBook(url, own)
        self._closed = False

    def ask(self, asked: Question[A_co], /) -> A_co:
        """The answer to a question; of one that is answered in pages, a page."""
        if self._closed:
            raise ManagerAwayError("this database was closed")
        with told_as_refusal():
            answer: Any = self._answer_to(asked)
        return answer  # type: ignore[no-any-return]

    def _answer_to(self, asked: Question[FloorView]) -> FloorView:
        engine = self._engine
        if isinstance(asked, HealthQuestion):
            known = {"state": "at rest", "seq": engine.seq, "hash": engine.head, "faults": []}
            return own_health(known, engine.floor)
        if isinstance(asked, KeyQuestion):
            raise _only_read("key", "only an open manager can say what was carried out under a key")
        if isinstance(asked, EventsQuestion):
            raise _only_read("events", "only an open manager tells single events; houseway audit lists them")
        if isinstance(asked, HeadQuestion):
            return answer_head(self._heads, asked)
        if isinstance(asked, WinPageQuestion):
            return answer_win_page(self._heads, engine.seq, engine.floor, asked, wall_micros(), may_sign=False)
        return answer_ask(engine.seq, engine.floor, asked, wall_micros())

    def send(self, command: AnyCommand, *, actor: str, key: str | None = None) -> NoReturn:
        """Refuse: nothing is written here."""
        raise _only_read("command", "open it to have commands carried out")

    def subscribe(
        self, *topics: str, tables: Sequence[str] | None = None, links: Sequence[str] | None = None
    ) -> NoReturn:
        """Refuse: nothing changes here."""
        raise _only_read("subscribe", "nothing changes in what was read; subscribe at an open manager or a server")

    def sign_in(self, badge: str) -> NoReturn:
        """Refuse: nobody acts here."""
        raise _only_read("badge", "nobody acts here")

    def sign_out(self, person: str) -> NoReturn:
        """Refuse: nobody acts here."""
        raise _only_read("person", "nobody acts here")

    def close(self) -> None:
        """Forget what was read."""
        self._closed = True

    def __enter__(self) -> Self:
        """Use it in a `with`, which closes it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()


def _only_read(path: str, message: str) -> RefusedError:
    return RefusedError([Fault("only-read", path, f"this database is only read: {message}")])
