"""In whose name a question is asked or a subscription made: a person who is signed in at the device, or the device.

A device asks what its kind may. A question that names a person (`actor` with the `session` of the sign-in, as with
commands) is answered only if that person's roles may ask it too; what docs/reference/roles.md prints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from houseway.errors import InputError
from houseway.manager.core.authority import need_role
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Device
from houseway.manager.core.presence import check_presence, is_in_session, live_sessions

FIELDS: Final = frozenset({"actor", "session"})
"""Beside the question: who asks, and the token of that person's session."""
LONGEST: Final = 500


class Asker(NamedTuple):
    """A person who asks."""

    person: str
    session: str
    """The fingerprint of the session's token."""

    def is_still_at(self, device: Device) -> bool:
        """Whether the session still counts at the device, as far as the device tells."""
        return device.active and is_in_session(device, self.person, self.session)


def read_asker(message: dict[str, Any], fingerprint: Callable[[str], str]) -> Asker | None:
    """Who asks by name; None where the device asks by itself."""
    if FIELDS.isdisjoint(message):
        return None
    for name in sorted(FIELDS):
        value = message.get(name)
        if not isinstance(value, str) or not 0 < len(value) <= LONGEST:
            text = "a question in a person's name has actor and session: both texts, as a command has them"
            raise InputError.of("bad-message", name, text)
    return Asker(message["actor"], fingerprint(message["session"]))


def check_reader(floor: Floor, device: str, asker: Asker, roles: Iterable[str], what: str, now: int) -> int | None:
    """Refuse who is not signed in there, or may not ask; until when the sign-in lasts by itself."""
    person = floor.people.get(asker.person)
    if person is None or not person.active:
        raise InputError.of("unknown-person", "actor", f"{asker.person[:60]} is not on duty here")
    check_presence(floor, device, person.id, asker.session, now)
    need_role(person, tuple(roles), "actor", what)
    return next(
        (one.until for one in live_sessions(floor, now) if (one.person, one.device.id) == (person.id, device)), None
    )
