"""Who took part in an event: whom it names as having done something, whose cards were read for it, who proposed it.

Events hold cards as fingerprints. Whose they were follows from the people on record at that time: a card that went to
somebody else later still tells who held it then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from houseway.manager.core.engine import SYSTEM
from houseway.manager.core.floor import Floor
from houseway.manager.core.records import Body

CARDS: Final = ("card", "second_card")
"""Fields of commands that hold the fingerprint of somebody's card."""


class PersonPart(NamedTuple):
    """What a person had to do with an event: `paid_by`, `approved_by`, `card` for a card that was read, and so on."""

    role: str
    person: str

    def to_json(self) -> dict[str, str]:
        """The part as the command line prints it."""
        return {"as": self.role, "person": self.person}


class CardHolders:
    """Whose each card was, event by event."""

    def __init__(self) -> None:
        """Begin without people."""
        self._changes: dict[str, list[tuple[int, str | None]]] = {}
        self._cards: dict[str, frozenset[str]] = {}

    def restored(self, seq: int, floor: Floor) -> None:
        """Take over the people of a state, as they were behind an event."""
        for person in floor.people.values():
            self._put(seq, person.id, frozenset(person.cards))

    def follow(self, seq: int, body: Body) -> None:
        """Take over the people whom an event changes."""
        for kind, id_, value in body.put:
            if kind == "person":
                self._put(seq, id_, frozenset(() if value is None else value.get("cards", ())))

    def _put(self, seq: int, person: str, cards: frozenset[str]) -> None:
        before = self._cards.get(person, frozenset())
        self._cards[person] = cards
        for card in before - cards:
            self._changes.setdefault(card, []).append((seq, None))
        for card in cards - before:
            self._changes.setdefault(card, []).append((seq, person))

    def holder(self, card: str, seq: int) -> str | None:
        """Whose card it was when an event came; None if nobody's, as for a card that the event itself hands out."""
        held = [person for since, person in self._changes.get(card, ()) if since < seq]
        return held[-1] if held else None

    def cards_of(self, person: str) -> list[str]:
        """Every card that a person has ever had."""
        return sorted(card for card, changes in self._changes.items() if any(holder == person for _, holder in changes))


def parts_of(seq: int, body: Body, holders: CardHolders) -> tuple[PersonPart, ...]:
    """Everybody who took part in an event beside its actor, each part once; the actor where the event names him."""
    found = list(dict.fromkeys([*_named(body), *_proposals(body), *_tried(body)]))
    named = {part.person for part in found}
    do = body.do if isinstance(body.do, dict) else {}
    for field in CARDS:
        card = do.get(field)
        holder = holders.holder(card, seq) if isinstance(card, str) else None
        if holder is not None and holder not in named:
            found.append(PersonPart(field, holder))
    return tuple(found)


def _named(body: Body) -> Iterator[PersonPart]:
    """Whom the answer names: `paid_by`, `approved_by`, `counted_by` and their like."""
    for name, value in body.answer.items():
        if name in {"by", "second_person"} or name.endswith("_by"):
            yield from (PersonPart(name, person) for person in _texts(value))


def _proposals(body: Body) -> Iterator[PersonPart]:
    """Who proposed and who approved a change that the event decides on, or that takes effect in it."""
    for kind, _, value in body.put:
        if kind == "proposal" and value is not None:
            for role, field in (("proposed_by", "by"), ("approved_by", "approved_by")):
                yield from (PersonPart(role, person) for person in _texts(value.get(field)))


def _tried(body: Body) -> Iterator[PersonPart]:
    """In whose name something was tried that was refused."""
    if isinstance(body.do, dict) and body.do.get("kind") == "system.refused":
        actor = body.do.get("actor")
        if isinstance(actor, str) and actor != SYSTEM and not actor.startswith("device:"):
            yield PersonPart("tried_by", actor)


def _texts(value: Any) -> Iterable[str]:  # noqa: ANN401 - plain data
    values = value if isinstance(value, list) else [value]
    return [each for each in values if isinstance(each, str) and each]


def reference_of(body: Body) -> str | None:
    """Surveillance's reference that an event used or put on record."""
    do = body.do if isinstance(body.do, dict) else {}
    for found in (body.answer.get("reference"), do.get("reference")):
        if isinstance(found, str) and found:
            return found
    return None
