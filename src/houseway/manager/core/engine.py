"""From a command to an event: who may do it, what it does, what is written, and how the state follows.

`Engine.decide` checks a command against the state and returns a `Decision` without changing anything, or refuses with
every fault. `Engine.record` makes the event of it, chained to the one before. `Engine.apply` lets the state follow an
event, whether it was just decided here or read from the journal: the state is always what the journal says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from houseway.amounts import Micros
from houseway.errors import Fault, InputError
from houseway.manager.core.authority import AUTHORITY, SYSTEM, check_actor, check_second_people, kind_of, need_role
from houseway.manager.core.entities import COLLECTIONS, Entity, Person
from houseway.manager.core.floor import Floor, entity_of
from houseway.manager.core.ledger import Books, Transfer, check_overdraft, check_transfer, shown_balance, sum_of
from houseway.manager.core.overlay import Overlay
from houseway.manager.core.records import (
    GENESIS,
    SALT_BYTES,
    Body,
    Event,
    SentKey,
    canonical,
    chain_hash,
    digest,
    leaf_hash,
    page_of,
    rest_hash,
)

__all__ = [
    "HANDLERS", "SYSTEM", "Context", "Decision", "Engine", "Envelope", "Handler", "collect", "handles", "need_role",
    "person_of_card", "refuse",
]  # fmt: skip


class Envelope(msgspec.Struct, frozen=True):
    """A command on its way: who wants what, from which device, under which idempotency key."""

    key: str
    actor: str
    do: Any
    """A command struct of `houseway.manager.commands`."""
    device: str | None = None
    """The device that proved itself and sent this; None: somebody at the machine of the database, with its keys."""
    session: str | None = None
    """The fingerprint of the actor's session at the device: shows that this comes from where the card was read."""

    @property
    def sent_key(self) -> SentKey:
        """The key as it counts: that of this sender."""
        return SentKey(self.device, self.key)

    @property
    def input_hash(self) -> str:
        """The hash of what is asked; a key that returns with another hash is refused.

        The session is no part of it, as it is none of the event: it shows who asks, not what.
        """
        return digest(canonical([self.actor, self.device, self.do]))

    @property
    def sender(self) -> str:
        """By what whoever repeats the command is known as its sender; empty without a session.

        The key goes into it, so that nobody reads off the journal which commands came in one session.
        """
        return "" if self.session is None else digest(canonical([self.key, self.session]))


@dataclass(frozen=True)
class Context:
    """What a decision may use from outside: the time, randomness, and the sealed secrets of open rounds."""

    now: int
    draw: Callable[[int], bytes]
    """Cryptographically strong bytes."""
    secrets: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    """Seeds by round id."""
    seq: int = 0
    """The number that the event will have: the order of hits."""


class Decision:
    """What a command does, gathered by its handler; nothing of it has happened yet.

    Entities are read and put by kind, with this command's own changes in them: `decision.rounds[id]`.
    """

    def __init__(self, floor: Floor, envelope: Envelope, context: Context) -> None:
        """Begin with nothing."""
        self.floor = floor
        self.envelope = envelope
        self.context = context
        self.now = context.now
        self.actor = envelope.actor
        self.books = Books(floor.balances)
        self.properties = Overlay(floor.properties)
        self.people = Overlay(floor.people)
        self.devices = Overlay(floor.devices)
        self.settings = Overlay(floor.settings)
        self.papers = Overlay(floor.papers)
        self.slips = Overlay(floor.slips)
        self.links = Overlay(floor.links)
        self.levels = Overlay(floor.levels)
        self.tables = Overlay(floor.tables)
        self.rounds = Overlay(floor.rounds)
        self.awards = Overlay(floor.awards)
        self.paid = Overlay(floor.paid)
        self.proposals = Overlay(floor.proposals)
        self.rows: list[tuple[str, dict[str, Any]]] = []
        self.answer: dict[str, Any] = {}
        self.secrets: dict[str, bytes | None] = {}
        """Seeds to seal by round id, or None to forget one that was revealed. Never in the event."""
        self._body: Body | None = None

    def held(self, name: str) -> Micros:
        """The balance of an account as people read it, with this command's transfers in it, in micros."""
        return shown_balance(name, self.books.balance(name))

    def changes(self) -> Iterator[tuple[str, str, Entity | None]]:
        """Every entity that the command changes: its kind, its id, and the entity after it, or None."""
        for kind, name in COLLECTIONS.items():
            overlay: Overlay[Entity] = getattr(self, name)
            for id_, entity in overlay.changed.items():
                yield kind, id_, entity

    def row(self, kind: str, **columns: Any) -> None:
        """Add a row for searching."""
        self.rows.append((kind, columns))

    def body(self) -> Body:
        """The event's body; made once, when the handler is done."""
        if self._body is None:
            asked = self.envelope
            put = list(self.changes())
            self._body = Body(asked.do, put, self.books.transfers, self.rows, self.answer, asked.sender)
        return self._body


Handler = Callable[[Decision, Any], None]


HANDLERS: dict[type[msgspec.Struct], Handler] = {}


def handles(command: type[msgspec.Struct]) -> Callable[[Handler], Handler]:
    """Register a command's handler; who may give the command, `AUTHORITY` says."""

    def register(handler: Handler) -> Handler:
        if command in HANDLERS:
            raise TypeError(f"{command.__name__} has a handler already")
        HANDLERS[command] = handler
        return handler

    return register


def refuse(code: str, path: str, message: str) -> InputError:
    """The refusal with one fault, for the caller to raise."""
    return InputError.of(code, path, message)


def person_of_card(decision: Decision, fingerprint: str, path: str = "card") -> Person:
    """The person whose card was swiped; refused if it is nobody's or the person is no longer active."""
    floor = decision.floor
    person = floor.people.get(floor.cards.get(fingerprint, ""))
    if person is None or not person.active:
        raise refuse("unknown-card", path, "this card belongs to nobody on duty: use another, or have it registered")
    return person


def lost_history(floor: Floor) -> Fault | None:
    """What stands against every command while it is proved that events are missing, and not yet said which."""
    found = next(iter(floor.properties.values()), None)
    if found is None or found.rollback is None:
        return None
    lost = found.rollback
    message = (
        f"{lost.device} has seen event {lost.seq} with the hash {lost.hash[:16]}, which this journal lacks: an old "
        "copy is served. Stop play, restore the newest copy; if there is none, two people of different departments "
        "name the lost events (system.recovery, docs/operations.md)"
    )
    return Fault("history-lost", "", message)


class Engine:
    """The state machine with its place in the chain."""

    def __init__(self, floor: Floor | None = None, seq: int = 0, head: str = GENESIS) -> None:
        """Begin on an empty journal, or where a snapshot stands."""
        self.floor = floor or Floor()
        self.seq = seq
        self.head = head
        self.secrets: MutableMapping[str, bytes] = {}

    def decide(self, envelope: Envelope, now: int, draw: Callable[[int], bytes]) -> Decision:
        """What a command would do now; InputError with every fault if it is refused."""
        handler, authority = HANDLERS.get(type(envelope.do)), AUTHORITY.get(type(envelope.do))
        if handler is None or authority is None:
            raise refuse("unknown-command", "do.kind", f"there is no command {type(envelope.do).__name__}")
        check_actor(self.floor, envelope, authority, now)
        check_second_people(self.floor, envelope, authority, now)
        fault = None if authority.always or envelope.actor == SYSTEM else lost_history(self.floor)
        if fault is not None:
            raise InputError([fault])
        decision = Decision(self.floor, envelope, Context(now, draw, self.secrets, self.seq + 1))
        handler(decision, envelope.do)
        return decision

    def record(self, decision: Decision, at: int | None = None, input_hash: str | None = None) -> Event:
        """The event of a decision, chained to the head; nothing has changed yet."""
        envelope = decision.envelope
        content = decision.body()
        body = canonical(content).decode()
        seq = self.seq + 1
        when = decision.now if at is None else at
        kind = kind_of(envelope.do)
        input_hash = input_hash or envelope.input_hash
        key, actor, device = envelope.key, envelope.actor, envelope.device
        draw = decision.context.draw
        salt = (draw(SALT_BYTES) + draw(SALT_BYTES)).hex()
        rest = rest_hash(salt, key, input_hash, actor, device, body)
        leaf = leaf_hash(page_of(salt, seq, when, kind, content.post, content.rows, rest))
        chained = chain_hash(self.head, leaf)
        return Event(seq, when, key, input_hash, actor, device, kind, body, salt, leaf, chained)

    def apply_decision(self, decision: Decision, event: Event) -> list[tuple[Micros, Micros]]:
        """Let the state follow an event that was just decided; returns both balances after each transfer."""
        # Seeds first: where they are read from the store only now, they must fit the floor as it was.
        for round_id, seed in decision.secrets.items():
            if seed is None:
                self.secrets.pop(round_id, None)
            else:
                self.secrets[round_id] = seed
        body = decision.body()
        for kind, id_, entity in body.put:
            self.floor.put(kind, id_, entity)
        return self._advance(event, body.post)

    def apply(self, event: Event) -> list[tuple[Micros, Micros]]:
        """Let the state follow an event from the journal; returns both balances after each transfer.

        The caller keeps `secrets` in step from the store: seeds are not in events. `LedgerError` for a transfer that
        no manager writes.
        """
        body = msgspec.json.decode(event.body, type=Body)
        for transfer in body.post:
            check_transfer(*transfer)
        for kind, id_, value in body.put:
            self.floor.put(kind, id_, entity_of(kind, value))
        balances = self._advance(event, body.post)
        for transfer, (risen, _) in zip(body.post, balances, strict=True):
            check_overdraft(transfer[0], risen)
        return balances

    def _advance(self, event: Event, post: list[Transfer]) -> list[tuple[Micros, Micros]]:
        transfer = self.floor.transfer
        balances = [transfer(debit, credit, micros) for debit, credit, micros, _, _ in post]
        self.floor.last_at = event.at
        self.seq, self.head = event.seq, event.hash
        return balances

    def is_balanced(self) -> bool:
        """Whether all balances sum to zero, as they must."""
        return sum_of(self.floor.balances.values()) == 0


def collect(faults: list[Fault]) -> None:
    """Refuse with all faults gathered, if there are any."""
    if faults:
        raise InputError(faults)
