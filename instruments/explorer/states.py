"""One state of an exploration: the floor, forked at every step, the history beside it, and the key of both.

Entities are values, so a fork copies only the dictionaries that a command changed. Two states are one where they differ
in nothing that a later command can see: numbers of events and presses, and the moments of things done, are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

import msgspec
from msgspec.structs import replace

import houseway.manager.handlers  # noqa: F401 - registers every handler
from houseway.manager.core.award_entities import Award, PaidAwards
from houseway.manager.core.command import AnyCommand
from houseway.manager.core.engine import Decision, Engine, Envelope
from houseway.manager.core.entities import COLLECTIONS
from houseway.manager.core.floor import Floor
from houseway.manager.core.link_entities import Level
from houseway.manager.core.table_entities import Round
from instruments.explorer.history import History

SECOND: Final = 1_000_000
TICK: Final = 30 * SECOND
"""How long a `Wait` takes: longer than a dealer may correct a slip alone."""
SELDOM: Final = ("person", "device", "setting", "slip", "series", "link", "paper")
"""Kinds that most commands leave alone: their text is kept as long as forks share them."""
_ENCODER: Final = msgspec.msgpack.Encoder(order="sorted")


class Wait(AnyCommand, tag="wait", frozen=True):
    """Nobody does anything for half a minute."""


@dataclass(frozen=True, slots=True)
class State:
    """A floor and who has brought it about."""

    floor: Floor
    seq: int
    now: int
    history: History

    def decide(self, envelope: Envelope) -> Decision:
        """What the manager says to a command now; InputError if it refuses it."""
        return Engine(self.floor, self.seq).decide(envelope, self.now, _draw)

    def after(self, decision: Decision) -> tuple[Floor, int]:
        """The floor once a decision has been carried out, and the number of its event."""
        body = decision.body()
        floor, post = self.floor.branched(), body.post
        for kind, id_, entity in body.put:
            floor.put(kind, id_, entity)
        for debit, credit, micros, _, _ in post:
            floor.transfer(debit, credit, micros)
        floor.last_at = self.now
        return floor, self.seq + 1


def _draw(size: int) -> bytes:
    """Randomness is not part of an exploration: its tables have their cards on the felt."""
    return bytes(range(size))


def key_of(state: State) -> bytes:
    """Sixteen bytes that two states share if and only if they are the same to every later command."""
    floor = state.floor
    digest = blake2b(digest_size=16)
    for kind in SELDOM:
        digest.update(_text(kind, getattr(floor, COLLECTIONS[kind])))
    digest.update(_ENCODER.encode([floor.tables, {name: each for name, each in floor.balances.items() if each}]))
    digest.update(_ENCODER.encode(_in_play(floor)))
    digest.update(state.history.text())
    digest.update(state.now.to_bytes(8, "big"))
    return digest.digest()


_texts: dict[int, tuple[dict[str, Any], bytes]] = {}
MOST_TEXTS: Final = 10_000


def _text(kind: str, entities: dict[str, Any]) -> bytes:
    """The text of all entities of a kind, made once for all forks that share them."""
    known = _texts.get(id(entities))
    if known is not None and known[0] is entities:
        return known[1]
    plain: Any = entities
    if kind == "paper":
        plain = [(each.register, each.subject, _plain_paper(each.fields)) for each in entities.values()]
    text = _ENCODER.encode(plain)
    if len(_texts) >= MOST_TEXTS:
        _texts.clear()
    _texts[id(entities)] = (entities, text)
    return text


def _plain_paper(fields: dict[str, Any]) -> dict[str, Any]:
    """A paper without the number of the proposal that it came from."""
    return {name: value for name, value in fields.items() if name != "proposal"}


def _in_play(floor: Floor) -> list[Any]:
    """Rounds, awards, levels, past awards and proposals, with ranks in place of the numbers of events."""
    awards = sorted(floor.awards.values(), key=lambda award: (award.round, award.sensor, award.seat))
    ranks = _ranks(
        *(award.locked_as for award in awards),
        *(award.order for award in awards),
        *(hit.locked_as for level in floor.levels.values() for hit in level.recent),
    )
    return [
        [_plain_round(round_) for _, round_ in sorted(floor.rounds.items())],
        [_plain_award(award, ranks) for award in awards],
        [_plain_level(level, ranks) for _, level in sorted(floor.levels.items())],
        [_plain_paid(paid) for _, paid in sorted(floor.paid.items())],
        sorted(
            _ENCODER.encode([each.what, each.by, each.status, each.approved_by]) for each in floor.proposals.values()
        ),
    ]


def _ranks(*numbers: int) -> dict[int, int]:
    return {number: rank for rank, number in enumerate(sorted({0, *numbers}))}


def _plain_round(round_: Round) -> Round:
    return replace(round_, presses=min(1, round_.presses), corrections=0, awards=(), lines=())


def _plain_award(award: Award, ranks: dict[int, int]) -> Award:
    return replace(
        award,
        id="",
        pressed_at=0,
        hit_at=0,
        paid_at=0,
        paid_by=None,
        locked_as=ranks[award.locked_as],
        order=ranks[award.order],
    )


def _plain_paid(paid: PaidAwards) -> PaidAwards:
    """A table's past awards without numbers and moments, which no later command looks at."""
    awards = (
        replace(
            award, id=award.id.rsplit("/", 1)[0], order=0, paid_at=0,
            backed_out_at=None if award.backed_out_at is None else 0,
        )
        for award in paid.awards
    )  # fmt: skip
    return replace(paid, awards=tuple(awards))


def _plain_level(level: Level, ranks: dict[int, int]) -> Level:
    recent = tuple(
        replace(
            hit,
            award=hit.award.rsplit("/", 1)[0],
            at=0,
            locked_as=ranks[hit.locked_as],
            backed_out_at=None if hit.backed_out_at is None else 0,
        )
        for hit in level.recent
    )
    return replace(level, recent=recent)
