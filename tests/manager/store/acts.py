"""Commands for tests of the store: each does one thing that a store must keep, and nothing else."""

from __future__ import annotations

from typing import Any, get_args

from houseway.errors import InputError
from houseway.manager.core.authority import AUTHORITY, Authority
from houseway.manager.core.command import AnyCommand, Command, CommandAnswer
from houseway.manager.core.engine import Decision, Envelope, handles
from houseway.manager.core.entities import COLLECTIONS
from houseway.manager.core.floor import entity_of
from houseway.manager.core.house_entities import Person
from houseway.manager.core.roles import Role

ACTOR = "Supervisor 1"


class PutAnswer(CommandAnswer, frozen=True, kw_only=True):
    put: int


class MoveAnswer(CommandAnswer, frozen=True, kw_only=True):
    of: tuple[str, str]
    balance: int


class PeekAnswer(CommandAnswer, frozen=True, kw_only=True):
    bytes: int


class Put(Command[PutAnswer], tag="test.put"):
    """Put entities, each as kind and plain fields."""

    entities: list[tuple[str, dict[str, Any]]]


class Move(Command[MoveAnswer], tag="test.move"):
    """Move money."""

    debit: str
    credit: str
    micros: int
    note: str = ""


class Hide(Command[CommandAnswer], tag="test.hide"):
    """Draw a seed for a round and seal it, or forget it."""

    round: str
    forget: bool = False


class Peek(Command[PeekAnswer], tag="test.peek"):
    """Refused unless the seed of a round is there; answers its hash."""

    round: str


class Write(Command[CommandAnswer], tag="test.write"):
    """Leave rows for searching."""

    rows: list[tuple[str, dict[str, Any]]]


class Fail(Command[CommandAnswer], tag="test.fail"):
    """Meet an internal error, or be refused."""

    refused: bool = False


ANYBODY = Authority(frozenset(get_args(Role)), frozenset({"controller"}), manager=True)
AUTHORITY.update(dict.fromkeys((Put, Move, Hide, Peek, Write, Fail), ANYBODY))


@handles(Put)
def put(decision: Decision, command: Put) -> PutAnswer:
    for kind, fields in command.entities:
        getattr(decision, COLLECTIONS[kind]).put(entity_of(kind, fields))
    return PutAnswer(put=len(command.entities))


@handles(Move)
def move(decision: Decision, command: Move) -> MoveAnswer:
    decision.books.transfer(command.debit, command.credit, command.micros, "float", "table:T1")
    return MoveAnswer(balance=decision.books.balance(command.debit), of=(command.debit, command.credit))


@handles(Hide)
def hide(decision: Decision, command: Hide) -> CommandAnswer:
    decision.secrets[command.round] = None if command.forget else decision.context.draw(32)
    return CommandAnswer()


@handles(Peek)
def peek(decision: Decision, command: Peek) -> PeekAnswer:
    seed = decision.context.secrets.get(command.round)
    if seed is None:
        raise InputError.of("seed-lost", "round", "no seed")
    return PeekAnswer(bytes=len(seed))


@handles(Write)
def write(decision: Decision, command: Write) -> CommandAnswer:
    for kind, columns in command.rows:
        decision.row(kind, **columns)
    return CommandAnswer()


@handles(Fail)
def fail(decision: Decision, command: Fail) -> CommandAnswer:
    if command.refused:
        raise InputError.of("out-of-range", "refused", "as asked")
    raise ZeroDivisionError


PEOPLE = [
    Person("Supervisor 1", "Supervisor 1", "pit", ("supervisor",), ("badge-1",)),
    Person("Technician 2", "Technician 2", "engineering", ("technician",), ("badge-2",)),
    Person("Dealer 3", "Dealer 3", "pit", ("dealer",), ("badge-3",)),
]


def people(key: str = "people") -> Envelope:
    """The command that brings the people."""
    import msgspec

    return Envelope(key, "system", Put([("person", msgspec.to_builtins(person)) for person in PEOPLE]))


def controllers(*ids: str) -> Envelope:
    """The command that brings devices which speak for themselves."""
    return Envelope(
        "controllers",
        "system",
        Put([("device", {"id": id_, "kind": "controller", "table": None, "secret": id_}) for id_ in ids]),
    )


def do(key: str, command: AnyCommand, actor: str = ACTOR, device: str | None = None) -> Envelope:
    """A command of somebody."""
    return Envelope(key, actor, command, device)


def moved(key: str, micros: int = 1, account: str = "tray/T1") -> Envelope:
    """A command that moves money from the house into an account."""
    return do(key, Move(account, "house", micros))
