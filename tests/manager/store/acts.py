"""Commands for tests of the store: each does one thing that a store must keep, and nothing else."""

from __future__ import annotations

from typing import Any, get_args

from houseway.manager.commands.round_commands import Command
from houseway.manager.core.authority import AUTHORITY, Authority
from houseway.manager.core.engine import Decision, Envelope, handles, refuse
from houseway.manager.core.entities import COLLECTIONS, Person, Role
from houseway.manager.core.floor import entity_of

ACTOR = "Supervisor 1"


class Put(Command, tag="test.put"):
    """Put entities, each as kind and plain fields."""

    entities: list[tuple[str, dict[str, Any]]]


class Move(Command, tag="test.move"):
    """Move money."""

    debit: str
    credit: str
    micros: int
    note: str = ""


class Hide(Command, tag="test.hide"):
    """Draw a seed for a round and seal it, or forget it."""

    round: str
    forget: bool = False


class Peek(Command, tag="test.peek"):
    """Refused unless the seed of a round is there; answers its hash."""

    round: str


class Write(Command, tag="test.write"):
    """Leave rows for searching."""

    rows: list[tuple[str, dict[str, Any]]]


class Fail(Command, tag="test.fail"):
    """Meet a fault of the program, or be refused."""

    refused: bool = False


ANYBODY = Authority(frozenset(get_args(Role)), frozenset({"controller"}), manager=True)
AUTHORITY.update(dict.fromkeys((Put, Move, Hide, Peek, Write, Fail), ANYBODY))


@handles(Put)
def put(decision: Decision, command: Put) -> None:
    for kind, fields in command.entities:
        getattr(decision, COLLECTIONS[kind]).put(entity_of(kind, fields))
    decision.answer = {"put": len(command.entities)}


@handles(Move)
def move(decision: Decision, command: Move) -> None:
    decision.books.transfer(command.debit, command.credit, command.micros, "float", "table:T1")
    decision.answer = {"balance": decision.books.balance(command.debit), "of": (command.debit, command.credit)}


@handles(Hide)
def hide(decision: Decision, command: Hide) -> None:
    decision.secrets[command.round] = None if command.forget else decision.context.draw(32)


@handles(Peek)
def peek(decision: Decision, command: Peek) -> None:
    seed = decision.context.secrets.get(command.round)
    if seed is None:
        raise refuse("seed-lost", "round", "no seed")
    decision.answer = {"bytes": len(seed)}


@handles(Write)
def write(decision: Decision, command: Write) -> None:
    for kind, columns in command.rows:
        decision.row(kind, **columns)


@handles(Fail)
def fail(decision: Decision, command: Fail) -> None:
    if command.refused:
        raise refuse("out-of-range", "refused", "as asked")
    raise ZeroDivisionError


PEOPLE = [
    Person("Supervisor 1", "Supervisor 1", "pit", ("supervisor",), ("card-1",)),
    Person("Technician 2", "Technician 2", "engineering", ("technician",), ("card-2",)),
    Person("Dealer 3", "Dealer 3", "pit", ("dealer",), ("card-3",)),
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


def do(key: str, command: Command, actor: str = ACTOR, device: str | None = None) -> Envelope:
    """A command of somebody."""
    return Envelope(key, actor, command, device)


def moved(key: str, micros: int = 1, account: str = "tray/T1") -> Envelope:
    """A command that moves money from the house into an account."""
    return do(key, Move(account, "house", micros))
