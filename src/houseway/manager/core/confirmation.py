"""Whether a badge counts: only once a third person has confirmed it, beside the two who issued it.

Two people issue a badge or reset a PIN, and either of them may have kept what was meant for its bearer. Beside such a
badge one of them would be both people. So it counts for nothing until somebody who had no hand in it has seen its
bearer show it (`person.confirm`). Where the house has no such person, it counts after `WAIT`.
"""

from __future__ import annotations

from typing import Final

from houseway.errors import InputError
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Person
from houseway.manager.core.presence import HOUR
from houseway.manager.core.roles import BY_TWO, WITH_AUTHORITY

WAIT_HOURS: Final = 24
WAIT: Final = WAIT_HOURS * HOUR
"""After so long an unconfirmed badge counts in a house where nobody could confirm it."""
MOST_NAMED: Final = 5


def needs_confirmation(person: Person) -> bool:
    """Whether a person has a part in what takes two, by a badge that no third person has confirmed."""
    return bool(person.unconfirmed) and not BY_TWO.isdisjoint(person.roles)


def badge_counts(floor: Floor, person: Person, now: int) -> bool:
    """Whether a person acts, pays, approves or seconds anything by the badge they have."""
    if not needs_confirmation(person):
        return True
    return now - person.issued_at >= WAIT and not confirmers(floor, person)


def confirmers(floor: Floor, person: Person) -> list[str]:
    """Who can confirm a person: with authority, confirmed themselves, and without a hand in the badge."""
    return sorted(
        each.id
        for each in floor.people.values()
        if each.active and each.badges and is_third(each, person) and not WITH_AUTHORITY.isdisjoint(each.roles)
    )


def is_third(who: Person, person: Person) -> bool:
    """Whether somebody had no hand in a person's badge, and is surely not one who did under another name."""
    return who.id != person.id and who.id not in person.unconfirmed and not who.unconfirmed


def check_badge_counts(floor: Floor, person: Person, path: str, now: int) -> None:
    """Refuse a person whose badge no third person has confirmed yet."""
    if not badge_counts(floor, person, now):
        raise InputError.of("badge-unconfirmed", path, f"{person.id}'s badge does not count yet: {how(floor, person)}")


def how(floor: Floor, person: Person) -> str:
    """What makes a new badge count."""
    able = confirmers(floor, person)
    if not able:
        return f"nobody here could confirm it, so it counts {WAIT_HOURS} hours after it was issued"
    named = ", ".join(able[:MOST_NAMED]) + (f" or {len(able) - MOST_NAMED} more" if len(able) > MOST_NAMED else "")
    return (
        f"{' and '.join(person.unconfirmed)} had a hand in it, so a third person confirms it, to whom {person.id} "
        f"shows it (houseway staff confirm): {named}"
    )
