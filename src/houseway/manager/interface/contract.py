"""What a Game Manager can be told and asked, wherever it is: the interface, sync and async, and what comes back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from types import TracebackType
from typing import Generic, Protocol, Self

import msgspec

from houseway.errors import Fault, InputError
from houseway.manager.commands import Command
from houseway.manager.core.command import AnswerT_co
from houseway.manager.views.answers import AwardMessage, EventMessage, MetersMessage, TableMessage
from houseway.manager.views.floor_questions import A_co, Question

ChangeMessage = MetersMessage | TableMessage | AwardMessage | EventMessage
"""What a subscription tells."""


class ManagerAwayError(ConnectionError):
    """The manager cannot be reached, went away before it answered, or was left."""


class RefusedError(InputError):
    """The manager refused; `retry` says that the same command may go through later, under the same key."""

    def __init__(self, faults: Sequence[Fault], *, retry: bool = False) -> None:
        """Keep why, and whether to try again."""
        super().__init__(list(faults))
        self.retry = retry

    @property
    def code(self) -> str:
        """The first fault's code."""
        return self.faults[0].code


class CommandResult(msgspec.Struct, Generic[AnswerT_co], frozen=True):
    """A command that was carried out: its place in the journal, and the answer that belongs to it."""

    seq: int
    at: int
    hash: str
    answer: AnswerT_co
    """Of the type that the command names (docs/reference/commands.md)."""
    repeated: bool = False


class SignedInPerson(msgspec.Struct, frozen=True):
    """Whose badge was read."""

    person: str
    roles: tuple[str, ...]


class Subscription(Protocol):
    """Changes as they come: first everything as it is, then each new state, and every event where those are wanted."""

    def changes(self, seconds: float | None = None) -> Iterator[ChangeMessage]:
        """What is told; ends after that many seconds, when the subscription is closed or replaced, or never.

        ManagerAwayError if the connection is lost: subscribe again, which begins with everything as it is.
        """

    def close(self) -> None:
        """Hear no more."""


class AsyncSubscription(Protocol):
    """As `Subscription`, for asyncio."""

    def changes(self, seconds: float | None = None) -> AsyncIterator[ChangeMessage]:
        """What is told; ends after that many seconds, when the subscription is closed or replaced, or never."""

    async def close(self) -> None:
        """Hear no more."""


class ManagerInterface(Protocol):
    """A Game Manager for programs that do one thing after the other; not for several threads at once.

    Whatever is refused is a `RefusedError` with all faults, and nothing has changed.
    """

    def send(self, command: Command[AnswerT_co], *, actor: str, key: str | None = None) -> CommandResult[AnswerT_co]:
        """Have a command carried out, with tokens in it where the manager keeps fingerprints.

        ManagerAwayError leaves open whether it was: send it again under the same key, and it happens once.
        """

    def ask(self, asked: Question[A_co], /) -> A_co:
        """The answer to a question; of one that is answered in pages, a page."""

    def subscribe(
        self, *topics: str, tables: Sequence[str] | None = None, links: Sequence[str] | None = None
    ) -> Subscription:
        """Have changes told from now on, of all tables and links or of those that are named.

        There is one subscription at a time: another one ends the one before.
        """

    def sign_in(self, badge: str) -> SignedInPerson:
        """Read a person's badge: from now on that person may act here.

        Whoever holds database and keys acts for anybody: there this tells whose badge it is.
        """

    def sign_out(self, person: str) -> None:
        """Let a person leave."""

    def close(self) -> None:
        """Leave; what is on a database or at a server stays as it is. Afterwards every call is a ManagerAwayError."""

    def __enter__(self) -> Self:
        """Use it in a `with`, which closes it."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Close."""


class AsyncManagerInterface(Protocol):
    """As `ManagerInterface`, for asyncio: several requests may be under way at once."""

    async def send(
        self, command: Command[AnswerT_co], *, actor: str, key: str | None = None
    ) -> CommandResult[AnswerT_co]:
        """Have a command carried out."""

    async def ask(self, asked: Question[A_co], /, *, actor: str | None = None) -> A_co:
        """The answer to a question; of one that is answered in pages, a page.

        With `actor` in the name of a person who is signed in here: refused where the session has ended, or no role of
        theirs may ask it. A program with users of its own asks so.
        """

    async def subscribe(
        self, *topics: str, tables: Sequence[str] | None = None, links: Sequence[str] | None = None
    ) -> AsyncSubscription:
        """Have changes told from now on; another subscription ends the one before."""

    async def sign_in(self, badge: str) -> SignedInPerson:
        """Read a person's badge: from now on that person may act here."""

    async def sign_out(self, person: str) -> None:
        """Let a person leave."""

    async def close(self) -> None:
        """Leave; afterwards every call is a ManagerAwayError."""

    async def __aenter__(self) -> Self:
        """Use it in an `async with`, which closes it."""

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Close."""
