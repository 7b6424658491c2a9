"""Who took part in an event: whom it names as having done something, whose badges were read for it, who proposed it.

Events hold badges as fingerprints. Whose they were follows from the people on record at that time: a badge that went to
somebody else later still tells who held it then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from houseway.manager.core.engine import SYSTEM
from houseway.manager.core.floor import Floor
from houseway.manager.store.event_body import Body

BADGES: Final = ("badge", "second_badge")
"""Fields of commands that hold the fingerprint of somebody's badge."""


class PersonPart(NamedTuple):
    """What a person had to do with an event: `paid_by`, `approved_by`, `badge` for a badge that was read, and so on."""

    role: str
    person: str

    def to_json(self) -> dict[str, str]:
        """The part as the command line prints it."""
        return {"as": self.role, "person": self.person}


class BadgeHolders:
    """Whose each badge was, event by event."""

    def __init__(self) -> None:
        """Begin without people."""
        self._changes: dict[str, list[tuple[int, str | None]]] = {}
        self._badges: dict[str, frozenset[str]] = {}

    def restored(self, seq: int, floor: Floor) -> None:
        """Take over the people of a state, as they were behind an event."""
        for person in floor.people.values():
            self._put(seq, person.id, frozenset(person.badges))

    def follow(self, seq: int, body: Body) -> None:
        """Take over the people whom an event changes."""
        for kind, id_, value in body.put:
            if kind == "person":
                self._put(seq, id_, frozenset(() if value is None else value.get("badges", ())))

    def _put(self, seq: int, person: str, badges: frozenset[str]) -> None:
        before = self._badges.get(person, frozenset())
        self._badges[person] = badges
        for badge in before - badges:
            self._changes.setdefault(badge, []).append((seq, None))
        for badge in badges - before:
            self._changes.setdefault(badge, []).append((seq, person))

    def holder(self, badge: str, seq: int) -> str | None:
        """Whose badge it was when an event came; None if nobody's, as for a badge that the event itself hands out."""
        held = [person for since, person in self._changes.get(badge, ()) if since < seq]
        return held[-1] if held else None

    def badges_of(self, person: str) -> list[str]:
        """Every badge that a person has ever had."""
        return sorted(
            badge for badge, changes in self._changes.items() if any(holder == person for _, holder in changes)
        )


def parts_of(seq: int, body: Body, holders: BadgeHolders) -> tuple[PersonPart, ...]:
    """Everybody who took part in an event beside its actor, each part once; the actor where the event names him."""
    found = list(dict.fromkeys([*_named(body), *_proposals(body), *_tried(body)]))
    named = {part.person for part in found}
    do = body.do if isinstance(body.do, dict) else {}
    for field in BADGES:
        badge = do.get(field)
        holder = holders.holder(badge, seq) if isinstance(badge, str) else None
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
