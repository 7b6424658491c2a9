"""The state of the floor and its place in the chain, read from a journal and led on by its events, each one checked.

Reading is also the self-check at the start: the newest snapshot must be the one that the chain names, every event after
it must follow the one before and be signed with its group, its rows in the ledger must be there, the records of
archives must be those of the state, and the books must balance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import msgspec

from houseway.manager.core.engine import Engine
from houseway.manager.core.floor import Floor, FloorSnapshot
from houseway.manager.core.ledger import UnbalancedError, check_balanced
from houseway.manager.core.records import Event
from houseway.manager.store.archive_records import archive_rows, check_archives
from houseway.manager.store.covered import covered
from houseway.manager.store.event_body import Body
from houseway.manager.store.journal import Checkpoint, Journal
from houseway.manager.store.keys import Keys
from houseway.manager.store.projections import Balances, Row, rows_of
from houseway.manager.store.seeds import OpenSeeds, opened
from houseway.manager.store.signing_order import SigningOrder
from houseway.manager.store.store_errors import JournalDamagedError

_BODY: Final = msgspec.json.Decoder(Body)


class FloorAt(NamedTuple):
    """The floor as a commit left it, with the number and the hash of its last event; it may be kept for ever."""

    seq: int
    hash: str
    floor: FloorSnapshot


@dataclass
class JournalState:
    """The engine, its open seeds, and where the newest snapshot stands."""

    engine: Engine
    seeds: OpenSeeds
    snapshot_seq: int = 0
    signed: Checkpoint | None = None
    """The checkpoint of the last event, verified or made here; None where nobody signs."""
    order: SigningOrder = field(default_factory=SigningOrder)
    """Which key signs here, and which did."""

    @property
    def place(self) -> tuple[int, str]:
        """Number and hash of the last event that is in the state."""
        return self.engine.seq, self.engine.head

    def published(self) -> FloorAt:
        """What readers get to see: to be taken only where all of it is committed."""
        return FloorAt(self.engine.seq, self.engine.head, self.engine.floor.frozen())

    def follow(self, groups: Iterable[Sequence[Event]]) -> list[Event]:
        """Let the state follow groups of events that were `covered`."""
        followed = list[Event]()
        for group in groups:
            for event in group:
                self.follow_one(event)
            followed += group
        if followed:
            self.seeds.forget()
        return followed

    def follow_one(self, event: Event) -> list[Balances]:
        """Let the state follow one event that was `covered`; returns both balances after each of its transfers."""
        engine = self.engine
        try:
            balances = engine.apply(event)
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            # The hash fits, so somebody has chained a body that no manager writes.
            what = f"the body cannot be read ({type(error).__name__}: {error})"
            raise JournalDamagedError(f"events[{event.seq}]", what) from error
        if event.kind == "system.snapshot":
            self.snapshot_seq = event.seq - 1
        return balances


def read_state(
    journal: Journal, keys: Keys | None, journal_id: str, on_event: Callable[[Event], None] | None = None
) -> JournalState:
    """The state that a journal leads to, read within a transaction; `JournalDamagedError` names a wrong row.

    `on_event` hears of every event that was read, once it was verified.
    """
    state = _restored(journal, keys)
    begin, rows = state.engine.seq, list[Row]()
    state.order = SigningOrder(state.engine.floor.signing_keys.values())
    for event in signed_after(journal, state.place, keys, journal_id, state.order, within=begin > 0):
        balances = state.follow_one(event)
        if on_event is not None:
            on_event(event)
        try:
            rows += rows_of(event, event.seq, balances).transfers
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            what = f"its rows cannot be read ({type(error).__name__}: {error})"
            raise JournalDamagedError(f"events[{event.seq}]", what) from error
    _check_transfers(rows, journal.transfers_after(begin))
    check_archives(archive_rows(state.engine.floor), journal.archives_kept())
    state.signed = journal.latest_checkpoint()
    check_head(state.signed, keys, state.engine)
    return state


def signed_after(
    journal: Journal,
    place: tuple[int, str],
    keys: Keys | None,
    journal_id: str,
    order: SigningOrder,
    *,
    within: bool = False,
) -> Iterator[Event]:
    """The events of a journal behind a place, each with its group once that was verified (`covered`)."""
    seq, _ = place
    verifies = None if keys is None else keys.verifies
    events, checkpoints = journal.events_after(seq), journal.checkpoints_after(seq)
    for group in covered(place, events, checkpoints, journal_id, verifies, order, within=within):
        yield from group


def check_place(journal: Journal, place: tuple[int, str]) -> None:
    """A journal that is read again must still hold the event that was its last: else it is not the same journal."""
    seq, head = place
    event = next(iter(journal.events_after(seq - 1, 1)), None) if seq else None
    if seq and (event is None or (event.seq, event.hash) != (seq, head)):
        raise JournalDamagedError(f"events[{seq}]", "the event that was the last one is not there any more")


def _restored(journal: Journal, keys: Keys | None) -> JournalState:
    """The state where the newest snapshot stands."""
    snapshot = journal.latest_snapshot()
    if snapshot is None:
        engine, seq = Engine(), 0
    else:
        seq = snapshot.seq
        named = next(iter(journal.events_after(seq, 1)), None)
        if named is None or named.kind != "system.snapshot" or _digest_in(named) != snapshot.digest:
            raise JournalDamagedError(f"snapshots[{snapshot.digest}]", f"event {seq + 1} does not name this snapshot")
        try:
            engine = Engine(Floor.restored(snapshot.state), seq, snapshot.hash)
        except ValueError as error:
            what = f"the stored state cannot be read ({error})"
            raise JournalDamagedError(f"snapshots[{snapshot.digest}]", what) from error
    seeds = OpenSeeds(lambda: opened(journal.secrets(), engine.floor, keys))
    engine.secrets = seeds
    return JournalState(engine, seeds, seq)


def _digest_in(event: Event) -> object:
    """The digest that the event of a snapshot names; None if it cannot be read."""
    try:
        do = _BODY.decode(event.body).do
    except msgspec.DecodeError:
        return None
    return do.get("digest") if isinstance(do, dict) else None


def _check_transfers(expected: list[Row], stored: Iterable[Row]) -> None:
    """The ledger's rows are those that the events say."""
    found = [tuple(row) for row in stored]
    if found == expected:
        return
    for row, other in zip(expected, found, strict=False):
        if row != other:
            seq, line = min(row[:2], other[:2])
            raise JournalDamagedError(f"transfers[{seq}, {line}]", "the row is not the one that the event says")
    shorter, longer = sorted((expected, found), key=len)
    seq, line = longer[len(shorter)][:2]
    raise JournalDamagedError(f"transfers[{seq}, {line}]", "the row is missing, or no event accounts for it")


def check_head(found: Checkpoint | None, keys: Keys | None, engine: Engine) -> None:
    """The books balance, and the last checkpoint, which was verified with its group, signs the last event."""
    try:
        check_balanced(engine.floor.balances)
    except UnbalancedError as error:
        raise JournalDamagedError(f"events[{engine.seq}]", str(error)) from error
    if keys is None or engine.seq == 0:
        return
    if found is None or (found.seq, found.hash) != (engine.seq, engine.head):
        where = "no checkpoint" if found is None else f"the last checkpoint signs event {found.seq}"
        raise JournalDamagedError(f"events[{engine.seq}]", f"the last event is not signed ({where})")
