"""Sessions at a service or a controller: whose token goes with which command."""

from __future__ import annotations

import secrets
from typing import Any, Final, Protocol

from houseway.manager.commands.house_answers import DealerInAnswer, SignInAnswer, SignOutAnswer
from houseway.manager.core.command import CommandAnswer

NO_SESSION: Final = "none"
"""What a question says in the name of somebody who is not signed in here: it is refused, as it should be."""


def new_session() -> str:
    """A fresh token for a sign-in or a dealer's swipe: 192 bits that nobody guesses."""
    return secrets.token_urlsafe(24)


class Sessions(Protocol):
    """The tokens of those who signed in at a service, or swiped in at a controller, by person; a dict is one."""

    def get(self, person: str, /) -> str | None:
        """The token of a person's sign-in, if it was made here."""

    def __setitem__(self, person: str, token: str, /) -> None:
        """Keep the token of a sign-in."""

    def pop(self, person: str, default: None, /) -> str | None:
        """Forget the token of a sign-in that has ended."""


def with_session(message: dict[str, Any], sessions: Sessions) -> dict[str, Any]:
    """A command with the token of its actor's session.

    A dealer's swipe that a controller tells by itself begins a new one; at a service a swipe begins none.
    """
    do = message["do"]
    if is_badge_read(message) and do.get("session") is None:
        message = {**message, "do": {**do, "session": new_session()}}
    known = sessions.get(message["actor"])
    return message if known is None or "session" in message else {**message, "session": known}


def is_badge_read(message: dict[str, Any]) -> bool:
    """Whether a device says by itself that a badge was read there, which begins a session."""
    return message["do"].get("kind") in ("person.sign-in", "dealer.in") and message["actor"].startswith("device:")


def keep_session(message: dict[str, Any], answer: CommandAnswer, sessions: Sessions) -> None:
    """Keep the token of a sign-in or a swipe that was carried out, and forget the one of a sign-out."""
    if isinstance(answer, SignOutAnswer):
        sessions.pop(answer.person, None)
    elif is_badge_read(message) and isinstance(answer, SignInAnswer | DealerInAnswer):
        who = answer.person if isinstance(answer, SignInAnswer) else answer.dealer
        sessions[who] = message["do"]["session"]
