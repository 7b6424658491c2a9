"""Who may ask what over HTTP: people by their roles, programs by the scopes of their keys; nobody else anything.

A key never gives a command: what changes the floor is a person's, whose badge was read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from houseway.errors import InputError
from houseway.manager.http.bearers import SignedIn
from houseway.manager.views.floor_questions import QUESTIONS, KeyQuestion, Question
from houseway.manager.views.view_base import FloorView

EVERY_QUESTION: Final = "ask:*"
WEBHOOKS: Final = "webhooks"
_OF_PEOPLE: Final = frozenset({KeyQuestion})
"""Questions about what a person has had carried out, which no key has."""


def scope_of(kind: type[Question[FloorView]]) -> str:
    """The scope that a key needs for a question."""
    return f"ask:{kind.__struct_config__.tag}"


SCOPES: Final = (
    EVERY_QUESTION,
    *(scope_of(kind) for kind in QUESTIONS.values() if kind not in _OF_PEOPLE),
    WEBHOOKS,
)
"""All that a key may be given."""


def read_scopes(named: list[str]) -> tuple[str, ...]:
    """The scopes of a new key; refused where there is none of that name."""
    unknown = [scope for scope in named if scope not in SCOPES]
    if unknown or not named:
        what = f"{unknown[0][:60]!r} is not a scope" if unknown else "a key without a scope opens nothing"
        raise InputError.of("unknown-scope", "scope", f"{what}: choose from {', '.join(SCOPES)}")
    return tuple(dict.fromkeys(named))


@dataclass(frozen=True)
class Caller:
    """Who has sent a request: a person who is signed in, or a program with a key."""

    signed_in: SignedIn | None = None
    key: str = ""
    scopes: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """Who it is, for the log."""
        return f"key:{self.key}" if self.signed_in is None else self.signed_in.person

    @property
    def person(self) -> SignedIn:
        """The person; a program has none, and is refused."""
        if self.signed_in is None:
            message = "a person does this: sign in (POST /v1/session) and send that token, not a key"
            raise InputError.of("wrong-scope", "Authorization", message)
        return self.signed_in

    def check_ask(self, kind: type[Question[FloorView]]) -> None:
        """Refuse a question that is not for this caller."""
        if self.signed_in is not None:
            if self.signed_in.roles.isdisjoint(kind.readers):
                message = f"no role of {self.signed_in.person} may ask {kind.__struct_config__.tag}"
                raise InputError.of("wrong-role", "Authorization", message)
            return
        if kind in _OF_PEOPLE:
            self.person  # noqa: B018 - refuses
        self._check_scope(EVERY_QUESTION, scope_of(kind))

    def check_webhooks(self) -> None:
        """Refuse a look at webhooks that is not for this caller."""
        if self.signed_in is None:
            self._check_scope(WEBHOOKS)

    def _check_scope(self, *one_of: str) -> None:
        if not self.scopes.intersection(one_of):
            message = f"this key lacks the scope {one_of[-1]}: have the operator make one that has it"
            raise InputError.of("wrong-scope", "Authorization", message)
