"""Commitments and reveals, followed through a journal: what was published is dealt, once, and its seed fits it.

Every commitment ever published is kept in mind as 24 bytes, so that one which comes up a second time is found however
long ago the first was.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from houseway.cards.stream import commitment
from houseway.errors import InputError
from houseway.manager.core.floor import Floor
from houseway.manager.core.records import Event
from houseway.manager.core.table_entities import Round, Table
from houseway.manager.store.digest_register import DigestRegister
from houseway.manager.store.event_body import Body
from houseway.manager.store.findings import AuditFindings


class Reveals:
    """Holds each event's deals against what was published before it, and its seeds against their commitments."""

    def __init__(self, findings: AuditFindings, seen: DigestRegister | None = None) -> None:
        """Note what is wrong here; `seen` are the commitments of earlier events, where they were looked at."""
        self._findings = findings
        self.seen = DigestRegister() if seen is None else seen

    def begin(self, floor: Floor, seq: int) -> None:
        """Keep the commitments of a state that an audit begins with."""
        for table in floor.tables.values():
            if table.next_commitment is not None:
                self.seen.add(table.next_commitment, seq)
        for round_ in floor.rounds.values():
            if round_.deal is not None:
                self.seen.add(round_.deal.commitment, seq)

    def see(self, event: Event, body: Body, before: Floor, put: list[tuple[str, str, Any]]) -> None:
        """Hold an event that puts these entities against the floor before it."""
        for kind, id_, entity in put:
            if kind == "round":
                self._round(event.seq, before, before.rounds.get(id_), entity)
        for kind, id_, entity in put:
            if kind == "table":
                self._table(event.seq, before.tables.get(id_), entity)
        self._answer(event.seq, body, before, put)

    def _round(self, seq: int, before: Floor, old: Round | None, new: Round | None) -> None:
        """A deal is the one that its table had published."""
        if new is None or new.deal is None:
            return
        deal = new.deal
        if old is None or old.deal is None:
            table = before.tables.get(new.table)
            wanted = None if table is None else table.next_commitment
            if wanted is None:
                self._first(seq, new.id, deal.commitment)
            elif (deal.commitment, deal.shuffle) != (wanted, table.shuffles if table else 0):
                message = f"{new.id} was dealt with the commitment {deal.commitment}, and {wanted} was published"
                self._note(seq, "wrong-deal", message)
                self._first(seq, new.id, deal.commitment)
        elif (deal.commitment, deal.shuffle) != (old.deal.commitment, old.deal.shuffle):
            self._note(seq, "wrong-deal", f"{new.id} has another commitment than it was dealt with")
        if deal.seed is not None:
            self._fits(seq, new.id, deal.seed, deal.commitment)

    def _table(self, seq: int, old: Table | None, new: Table | None) -> None:
        """Every commitment that a table publishes is a new one, with a number of its own."""
        if new is None or new.next_commitment is None:
            return
        if old is not None and new.next_commitment == old.next_commitment:
            return
        self._first(seq, new.id, new.next_commitment)
        if old is not None and new.shuffles <= old.shuffles:
            self._note(seq, "wrong-deal", f"shuffle {new.shuffles} of {new.id} is published after {old.shuffles}")

    def _answer(self, seq: int, body: Body, before: Floor, put: list[tuple[str, str, Any]]) -> None:
        """A seed that is disclosed fits the commitment of a round that the event is about."""
        reveal = body.answer.get("reveal")
        if not isinstance(reveal, dict) or reveal.get("seed") is None:
            return
        said, seed = str(reveal.get("commitment")), str(reveal["seed"])
        deals = {deal.commitment for deal in _deals(before, put)}
        if said not in deals:
            self._note(seq, "wrong-deal", f"the commitment {said} is revealed, which is that of no round in the event")
        self._fits(seq, "the reveal", seed, said)

    def _first(self, seq: int, whose: str, digits: str) -> None:
        earlier = self.seen.add(digits, seq)
        if earlier is not None:
            self._note(seq, "seed-used-twice", f"the commitment {digits} of {whose} was there before: event {earlier}")

    def _fits(self, seq: int, whose: str, seed: str, said: str) -> None:
        try:
            fits = commitment(bytes.fromhex(seed)) == said
        except (ValueError, InputError):
            fits = False
        if not fits:
            self._note(seq, "wrong-deal", f"the seed of {whose} does not fit the commitment {said} that was published")

    def _note(self, seq: int, problem: str, message: str) -> None:
        self._findings.note("events", seq, problem, message)


def _deals(before: Floor, put: list[tuple[str, str, Any]]) -> Iterator[Any]:
    """The deals of the rounds that an event puts, before it and after it."""
    for kind, id_, entity in put:
        if kind == "round":
            yield from (
                one.deal for one in (before.rounds.get(id_), entity) if one is not None and one.deal is not None
            )
