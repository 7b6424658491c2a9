"""Routes of sessions: a badge is read, who is signed in, and out; and what a person had carried out under a key."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from houseway.errors import InputError
from houseway.manager.commands.house_answers import SetPinAnswer
from houseway.manager.commands.house_commands import SetPin, SignIn
from houseway.manager.http.command_routes import KEY_SCHEMA, body_schema, checked_key, read_object, sent_key
from houseway.manager.http.guard import read_body
from houseway.manager.http.question_routes import argument_parameters, asked_by
from houseway.manager.http.route_base import Route, giving, known_caller, told
from houseway.manager.http.service import HttpService
from houseway.manager.views.answers import KeyAnswer
from houseway.manager.views.floor_questions import KeyQuestion

DRAWN_HERE: Final = frozenset({"kind", "session", "address"})
"""Fields of a sign-in, or of a new PIN, that the service fills in itself."""


class NewSession(msgspec.Struct, frozen=True, kw_only=True):
    """A session that has begun: the token is told once."""

    token: str
    person: str
    roles: tuple[str, ...]
    until: int
    """When it ends by itself, in microseconds since 1970."""


class CallerView(msgspec.Struct, frozen=True, kw_only=True):
    """Who a token belongs to: a person with roles, or a key with scopes."""

    person: str | None
    key: str | None
    roles: tuple[str, ...]
    scopes: tuple[str, ...]
    until: int | None


def session_routes(service: HttpService) -> list[Route]:
    """The routes of sessions."""

    async def sign_in(request: Request) -> Response:
        fields = read_object(await read_body(request))
        _check_fields(fields)
        token, found = await service.sign_in(fields, _address(request))
        request.state.caller = found.person
        return told(NewSession(token=token, person=found.person, roles=tuple(sorted(found.roles)), until=found.until))

    async def set_pin(request: Request) -> Response:
        fields = read_object(await read_body(request))
        _check_fields(fields)
        return told(await service.set_pin(fields, _address(request)))

    async def who(request: Request) -> Response:
        caller = known_caller(service, request)
        found = caller.signed_in
        view = CallerView(
            person=None if found is None else found.person, key=caller.key or None,
            roles=() if found is None else tuple(sorted(found.roles)), scopes=tuple(sorted(caller.scopes)),
            until=None if found is None else found.until,
        )  # fmt: skip
        return told(view)

    async def sign_out(request: Request) -> Response:
        await service.sign_out(known_caller(service, request).person.person)
        return Response(None, 204)

    async def key(request: Request) -> Response:
        caller = known_caller(service, request)
        caller.check_ask(KeyQuestion)
        own = checked_key(asked_by(KeyQuestion, request).key, "key")
        found = await service.ask(KeyQuestion(key=sent_key(caller.person.person, own)), caller)
        return told(msgspec.structs.replace(found, key=own))

    return [
        giving(
            NewSession, "POST", "/v1/session", "sign_in", "session", sign_in, _SIGN_IN, is_open=True,
            takes=body_schema(SignIn, DRAWN_HERE), example_taken={"badge": "BADGE-TOKEN"}, refusals=(403, 409),
        ),
        giving(
            SetPinAnswer, "POST", "/v1/session/pin", "set_pin", "session", set_pin, _SET_PIN, is_open=True,
            takes=body_schema(SetPin, DRAWN_HERE), example_taken={"badge": "BADGE-TOKEN", "pin": "482915"},
            refusals=(403, 409),
        ),
        giving(CallerView, "GET", "/v1/session", "who_am_i", "session", who, "Who is signed in with this token."),
        Route("DELETE", "/v1/session", "sign_out", "session", sign_out, _SIGN_OUT, status=204, refusals=(409,)),
        giving(
            KeyAnswer, "GET", "/v1/key", "ask_key", "questions", key, _KEY,
            parameters=tuple(replace(one, schema=KEY_SCHEMA) for one in argument_parameters(KeyQuestion)),
        ),
    ]  # fmt: skip


def _check_fields(fields: dict[str, object]) -> None:
    for name in sorted(DRAWN_HERE & fields.keys()):
        raise InputError.of("unknown-key", name, "the service fills this in itself: leave it out")


def _address(request: Request) -> str:
    return request.client.host if request.client is not None else "unknown"


_SIGN_IN: Final = """Sign a person in with their badge.

The token that comes back goes with every request of that person, as `Authorization: Bearer TOKEN`. Another sign-in of
the same person at this service ends the session before. Wrong badges are counted by the network that they come from.
Where a PIN is asked for (`pin-needed`), it comes behind the badge in the same field, with the character U+001F between;
so it does in every field that holds a badge."""
_SET_PIN: Final = """Set the PIN that goes with a badge.

`badge` comes with the PIN so far, if there is one, as at a sign-in; `pin` is the new one."""
_SIGN_OUT: Final = """Sign the person out.

The token is worth nothing from then on."""
_KEY: Final = """What the person had carried out under an idempotency key.

Nulls for nothing. A person's keys are their own: another person's are not found."""
