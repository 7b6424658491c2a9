"""The second person of what two departments do together: somebody with authority, from another department."""

from __future__ import annotations

from houseway.errors import InputError
from houseway.manager.core.engine import Decision, person_of_badge
from houseway.manager.core.house_entities import Person
from houseway.manager.core.roles import WITH_AUTHORITY


def second_person(decision: Decision, badge: str | None, path: str, what: str, concerned: str | None = None) -> Person:
    """A second person with authority, from another department than the actor's, and not the one concerned."""
    if badge is None:
        raise InputError.of(
            "badge-needed", path, f"{what} by two people: swipe the badge of someone from another department"
        )
    second = person_of_badge(decision, badge, path)
    actor = decision.floor.people[decision.actor]
    if second.id == concerned or not WITH_AUTHORITY & set(second.roles):
        message = "the second badge must be of a person with authority, and not of the person whom it is about"
        raise InputError.of("second-person", path, message)
    if second.department == actor.department:
        message = (
            f"{actor.id} and {second.id} are both from {actor.department}: the second must be from another department"
        )
        raise InputError.of("same-department", path, message)
    return second
