"""From a command to an event: who may do it, what it does, what is written, and how the state follows.

`Engine.decide` checks a command against the state and returns a `Decision` without changing anything, or refuses with
every fault. `Engine.record` makes the event of it, chained to the one before. `Engine.apply` lets the state follow an
event, whether it was just decided here or read from the journal: the state is always what the journal says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from typing import Final, Generic, TypeVar, cast

import msgspec

from houseway.amounts import Micros
from houseway.errors import Fault, InputError
from houseway.manager.core.authority import AUTHORITY, SYSTEM, check_actor, check_second_people, need_role
from houseway.manager.core.award_entities import Award, PaidAwards
from houseway.manager.core.change_answers import ChangeOutcome
from houseway.manager.core.command import AnyCommand, Command, CommandAnswer, kind_of
from houseway.manager.core.confirmation import check_badge_counts
from houseway.manager.core.entities import COLLECTIONS, Entity
from houseway.manager.core.floor import Floor, entity_of
from houseway.manager.core.house_entities import (
    Archive,
    Device,
    Paper,
    Person,
    Property,
    PropertySetting,
    Proposal,
    SigningKey,
)
from houseway.manager.core.ledger import Books, Transfer, check_overdraft, check_transfer, shown_balance
from houseway.manager.core.link_entities import Level, Link
from houseway.manager.core.overlay import EntityT, Overlay
from houseway.manager.core.pins import check_pins
from houseway.manager.core.records import (
    GENESIS,
    Columns,
    Event,
    SaltSource,
    Scalar,
    SentKey,
    canonical,
    chain_hash,
    digest,
    leaf_hash,
    page_of,
    rest_hash,
)
from houseway.manager.core.slip_entities import Slip, SlipSeries
from houseway.manager.core.table_entities import Round, Table
from houseway.reading.json_values import JsonObject

__all__ = [
    "HANDLERS", "SYSTEM", "Context", "Decision", "Engine", "Envelope", "Handler", "bearer_of_badge", "collect",
    "handles", "need_role", "person_of_badge",
]  # fmt: skip


class Envelope(msgspec.Struct, frozen=True):
    """A command on its way: who wants what, from which device, under which idempotency key."""

    key: str
    actor: str
    do: AnyCommand
    device: str | None = None
    """The device that proved itself and sent this; None: somebody at the machine of the database, with its keys."""
    session: str | None = None
    """The fingerprint of the actor's session at the device: shows that this comes from where the badge was read."""
    proved: frozenset[str] = frozenset()
    """Fields with a badge whose PIN came along and is right; like the session none of the event."""

    @property
    def sent_key(self) -> SentKey:
        """The key as it counts: that of this sender."""
        return SentKey(self.device, self.key)

    @property
    def input_hash(self) -> str:
        """The hash of what is asked; a key that returns with another hash is refused.

        The session is not part of it, as it is none of the event: it shows who asks, not what.
        """
        return digest(canonical([self.actor, self.device, self.do]))

    @property
    def sender(self) -> str:
        """By what whoever repeats the command is known as its sender; empty without a session.

        The key goes into it, so that nobody reads off the journal which commands came in one session.
        """
        return "" if self.session is None else digest(canonical([self.key, self.session]))


class Context(msgspec.Struct, frozen=True):
    """What a decision may use from outside: the time, randomness, and the sealed secrets of open rounds."""

    now: int
    draw: Callable[[int], bytes]
    """Cryptographically strong bytes."""
    secrets: Mapping[str, bytes] = {}
    """Seeds by round id."""
    seq: int = 0
    """The number that the event will have: the order of hits."""

    def __repr__(self) -> str:
        """Without the seeds."""
        return f"Context(now={self.now}, seq={self.seq})"


class _Laid(Generic[EntityT]):
    """The entities of one kind in a decision, laid over the floor's when a handler first asks for them."""

    __slots__ = ("_name",)

    def __set_name__(self, _: type, name: str) -> None:
        self._name = name

    def __get__(self, decision: Decision, _: type | None = None) -> Overlay[EntityT]:
        name, laid = self._name, decision.laid
        found = laid.get(name)
        if found is None:
            found = laid[name] = Overlay(getattr(decision.floor, name))
        return found  # type: ignore[return-value] # the collection of this name holds entities of this kind


class DecidedBody(msgspec.Struct, omit_defaults=True):
    """What a new event holds; the journal keeps its JSON."""

    do: AnyCommand
    """The command as it was carried out (badges of people as fingerprints, never in clear)."""
    put: list[tuple[str, str, Entity | None]] = []
    """Entities after the event: kind, id, and the whole entity, or null where it is gone."""
    post: list[Transfer] = []
    """Transfers in their order: debit, credit, millionths above zero, reason, subject."""
    rows: list[tuple[str, Columns]] = []
    """Rows for searching: kind (`round`, `line`, `hit`) and columns."""
    answer: msgspec.Raw | None = None
    """What the command was answered, and is answered again when it is repeated: its canonical JSON."""
    sender: str = ""
    """By what the command's sender is known again: a hash over its key and its session, empty where it had none."""


class _RecordedChanges(msgspec.Struct):
    """The parts of a recorded body that the state follows."""

    put: list[tuple[str, str, JsonObject | None]] = []
    post: list[Transfer] = []


_RECORDED: Final = msgspec.json.Decoder(_RecordedChanges)
_PLACED: Final = {name: (place, kind) for place, (kind, name) in enumerate(COLLECTIONS.items())}
"""By collection: where its kind of entity stands in a body, and what the journal calls it."""


class Decision:
    """What a command does, gathered by its handler; nothing of it has happened yet.

    Entities are read and put by kind, with this command's own changes in them: `decision.rounds[id]`.
    """

    __slots__ = (
        "_body", "actor", "answer", "books", "context", "envelope", "floor", "laid", "now", "outcomes", "rows",
        "secrets",
    )  # fmt: skip

    properties = _Laid[Property]()
    people = _Laid[Person]()
    devices = _Laid[Device]()
    settings = _Laid[PropertySetting]()
    papers = _Laid[Paper]()
    slips = _Laid[Slip]()
    series = _Laid[SlipSeries]()
    links = _Laid[Link]()
    levels = _Laid[Level]()
    tables = _Laid[Table]()
    rounds = _Laid[Round]()
    awards = _Laid[Award]()
    paid = _Laid[PaidAwards]()
    proposals = _Laid[Proposal]()
    archives = _Laid[Archive]()
    signing_keys = _Laid[SigningKey]()

    def __init__(self, floor: Floor, envelope: Envelope, context: Context) -> None:
        """Begin with nothing."""
        self.floor = floor
        self.envelope = envelope
        self.context = context
        self.now = context.now
        self.actor = envelope.actor
        self.books = Books(floor.balances)
        self.laid: dict[str, Overlay[Entity]] = {}
        """The kinds of entities that were asked for, by the name of their collection."""
        self.rows: list[tuple[str, Columns]] = []
        self.answer: CommandAnswer | None = None
        """What the handler has returned."""
        self.outcomes: tuple[ChangeOutcome, ...] = ()
        """Changes by two people whose moment came within this command."""
        self.secrets: dict[str, bytes | None] = {}
        """Seeds to seal by round id, or None to forget one that was revealed. Never in the event."""
        self._body: DecidedBody | None = None

    def held(self, name: str) -> Micros:
        """The balance of an account as people read it, with this command's transfers in it, in micros."""
        return shown_balance(name, self.books.balance(name))

    def changes(self) -> list[tuple[str, str, Entity | None]]:
        """Every entity that the command changes: its kind, its id, and the entity after it, or None."""
        found = [(*_PLACED[name], laid.changed) for name, laid in self.laid.items() if laid.changed]
        # In the order of the kinds, in whichever order the handler has asked for them.
        found.sort()
        return [(kind, id_, entity) for _, kind, changed in found for id_, entity in changed.items()]

    def row(self, kind: str, **columns: Scalar) -> None:
        """Add a row for searching."""
        self.rows.append((kind, columns))

    def body(self) -> DecidedBody:
        """The event's body; made once, when the handler is done."""
        if self._body is None:
            asked = self.envelope
            put, post = self.changes(), self.books.transfers
            answer = None if self.answer is None else msgspec.Raw(canonical(self.answer))
            self._body = DecidedBody(asked.do, put, post, self.rows, answer, asked.sender)
        return self._body


Handler = Callable[[Decision, AnyCommand], CommandAnswer]
CommandT_co = TypeVar("CommandT_co", bound=AnyCommand, covariant=True)
AnswerT = TypeVar("AnswerT", bound=CommandAnswer)

HANDLERS: dict[type[AnyCommand], Handler] = {}


class handles(Generic[CommandT_co]):  # noqa: N801 - a decorator
    """Register a command's handler, which returns the command's own answer; who may give it, `AUTHORITY` says."""

    def __init__(self, command: type[CommandT_co]) -> None:
        """For a command that has no handler yet."""
        if command in HANDLERS:
            raise TypeError(f"{command.__name__} has a handler already")
        self._command = command

    def __call__(
        self: handles[Command[AnswerT]], handler: Callable[[Decision, CommandT_co], AnswerT]
    ) -> Callable[[Decision, CommandT_co], AnswerT]:
        """The handler as it is."""
        # `decide` looks a handler up by the type of the command that it hands over, so that it gets its own.
        HANDLERS[self._command] = cast(Handler, handler)
        return handler


def person_of_badge(decision: Decision, fingerprint: str, path: str = "badge") -> Person:
    """The person whose badge was swiped; refused if it is nobody's on duty, or no third person has confirmed it."""
    person = bearer_of_badge(decision, fingerprint, path)
    check_badge_counts(decision.floor, person, path, decision.now)
    return person


def bearer_of_badge(decision: Decision, fingerprint: str, path: str = "badge") -> Person:
    """The person whose badge was swiped, even if it counts for nothing yet; refused if it is nobody's on duty."""
    floor = decision.floor
    person = floor.people.get(floor.badges.get(fingerprint, ""))
    if person is None or not person.active:
        raise InputError.of(
            "unknown-badge", path, "this badge belongs to nobody on duty: use another, or have it registered"
        )
    return person


def lost_history(floor: Floor) -> Fault | None:
    """What stands against every command while it is proved that events are missing, and not yet said which."""
    for found in floor.properties.values():
        lost = found.rollback
        break
    else:
        return None
    if lost is None:
        return None
    message = (
        f"{lost.device} has seen event {lost.seq} with the hash {lost.hash}, which this journal lacks: an old "
        "copy is served. Stop play, restore the newest copy; if there is none, two people from different departments "
        "name the lost events (houseway system recovery, docs/operations.md)"
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
        do, floor = envelope.do, self.floor
        command = type(do)
        handler, authority = HANDLERS.get(command), AUTHORITY.get(command)
        if handler is None or authority is None:
            raise InputError.of("unknown-command", "do.kind", f"there is no command {command.__name__}")
        check_actor(floor, envelope, authority, now)
        if authority.badges:
            check_pins(floor, envelope, authority, now)
        if authority.badges or authority.actor_is_second:
            check_second_people(floor, envelope, authority, now)
        fault = None if authority.always or envelope.actor == SYSTEM else lost_history(floor)
        if fault is not None:
            raise InputError([fault])
        decision = Decision(floor, envelope, Context(now, draw, self.secrets, self.seq + 1))
        decision.answer = handler(decision, do)
        return decision

    def record(
        self, decision: Decision, at: int | None = None, input_hash: str | None = None, salt: str | None = None
    ) -> Event:
        """The event of a decision, chained to the head; nothing has changed yet. Without a salt, one is drawn."""
        envelope = decision.envelope
        content = decision.body()
        body = canonical(content)
        seq = self.seq + 1
        when = decision.now if at is None else at
        kind = kind_of(envelope.do)
        input_hash = input_hash or envelope.input_hash
        key, actor, device = envelope.key, envelope.actor, envelope.device
        salt = salt or SaltSource(decision.context.draw, 1).next_salt()
        rest = rest_hash(salt, key, input_hash, actor, device, body)
        leaf = leaf_hash(page_of(salt, seq, when, kind, content.post, content.rows, rest))
        chained = chain_hash(self.head, leaf)
        return Event(seq, when, key, input_hash, actor, device, kind, body.decode(), salt, leaf, chained)

    def apply_decision(self, decision: Decision, event: Event) -> list[tuple[Micros, Micros]]:
        """Let the state follow an event that was just decided; returns both balances after each transfer."""
        # Seeds first: where they are read from the store only now, they must fit the floor as it was.
        for round_id, seed in decision.secrets.items():
            if seed is None:
                self.secrets.pop(round_id, None)
            else:
                self.secrets[round_id] = seed
        body, put = decision.body(), self.floor.put
        for kind, id_, entity in body.put:
            put(kind, id_, entity)
        return self._advance(event, body.post)

    def apply(self, event: Event) -> list[tuple[Micros, Micros]]:
        """Let the state follow an event from the journal; returns both balances after each transfer.

        The caller keeps `secrets` in step from the store: seeds are not in events. `LedgerError` for a transfer that
        no manager writes.
        """
        body = _RECORDED.decode(event.body)
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


def collect(faults: list[Fault]) -> None:
    """Refuse with all faults gathered, if there are any."""
    if faults:
        raise InputError(faults)
