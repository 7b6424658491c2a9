"""Who has signed in over HTTP: opaque tokens for the sessions of people, ended at once when the manager ends them.

The token that the manager knows of a sign-in never leaves this process. What a person's program gets is another one,
good at this service and nowhere else: whoever steals it can neither speak at the manager's port nor outlive this
process, and it is kept as a digest. A person has one session at a service: another sign-in ends the one before.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

PREFIX: Final = "hws_"


@dataclass(frozen=True)
class SignedIn:
    """A person who is signed in at this service."""

    person: str
    roles: frozenset[str]
    since: int
    until: int
    """When the session ends by itself, in microseconds since 1970."""
    seq: int
    """The event of the sign-in, which tells one session of a person from the next."""


def digest_of(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


class Bearers:
    """The sessions of one service, for the life of its process."""

    def __init__(self) -> None:
        """Nobody is signed in."""
        self._found: dict[str, SignedIn] = {}
        self._token_of: dict[str, str] = {}

    def begin(self, signed_in: SignedIn) -> str | None:
        """Begin a session, which ends the person's one before; the token is told once.

        None where the person has begun a later one, whose answer came first.
        """
        before = self._found.get(self._token_of.get(signed_in.person, ""))
        if before is not None and before.seq > signed_in.seq:
            return None
        self.end(signed_in.person)
        token = PREFIX + secrets.token_urlsafe(32)
        digest = digest_of(token)
        self._found[digest] = signed_in
        self._token_of[signed_in.person] = digest
        return token

    def find(self, token: str, now: int) -> SignedIn | None:
        """Whose token this is; None for nobody's, and for one that has run out."""
        found = self._found.get(digest_of(token))
        if found is not None and now >= found.until:
            self.end(found.person)
            return None
        return found

    def is_current(self, signed_in: SignedIn, now: int) -> bool:
        """Whether a session still lasts, for whoever was let in with it before."""
        digest = self._token_of.get(signed_in.person, "")
        found = self._found.get(digest)
        return found is not None and found.seq == signed_in.seq and now < found.until

    def end(self, person: str) -> None:
        """End a person's session, if there is one."""
        digest = self._token_of.pop(person, None)
        if digest is not None:
            del self._found[digest]

    def follow(self, present: Mapping[str, int], roles: Mapping[str, frozenset[str]], up_to: int) -> list[str]:
        """Take over who is signed in at the service by the manager's word, and with which roles; who was let go.

        That word holds up to an event. It says nothing of sessions that have begun since.
        """
        gone = []
        for digest, found in list(self._found.items()):
            if found.seq > up_to:
                continue
            if present.get(found.person) != found.since:
                gone.append(found.person)
                self.end(found.person)
            else:
                self._found[digest] = replace(found, roles=roles.get(found.person, frozenset()))
        return gone

    @property
    def people(self) -> tuple[str, ...]:
        """Who is signed in here."""
        return tuple(self._token_of)
