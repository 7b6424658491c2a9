"""A route for every command that a person may give: fields as the body, the key as a header, the answer as its struct.

Which commands those are stands in the table of authority. A sign-in is a session's route; what only devices or the
manager itself say has none.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from houseway.errors import InputError
from houseway.manager.commands import AUTHORITY, COMMAND_ANSWERS, COMMANDS, AnyCommand, read_fields
from houseway.manager.http.guard import read_body
from houseway.manager.http.route_base import (
    Endpoint,
    Parameter,
    Route,
    Schema,
    known_caller,
    ref,
    summary_and_text,
    told,
)
from houseway.manager.http.service import HttpService
from houseway.manager.http.type_examples import example_of
from houseway.manager.interface.contract import RefusedError

LONGEST_KEY: Final = 100
_KEY: Final = re.compile(rf"[!-~]{{1,{LONGEST_KEY}}}")
_KEY_FORM: Final = f"1 to {LONGEST_KEY} visible ASCII characters"
_HEADER: Final = "Idempotency-Key"
KEY_SCHEMA: Final = {"type": "string", "pattern": rf"^[!-~]{{1,{LONGEST_KEY}}}$"}
KEY_PARAMETER: Final = Parameter(
    _HEADER,
    KEY_SCHEMA,
    "Made once for this command by its sender. Sent again with the same body, the command is answered as before and "
    "happens once; with another body it is refused (`key-reused`).",
    where="header",
    is_required=True,
    example="6f1d2a6c-3a8e-4f0e-9f57-0b8a4f6f2b11",
)


def offered() -> dict[str, type[AnyCommand]]:
    """The commands that people may give, by kind."""
    return {kind: command for kind, command in COMMANDS.items() if AUTHORITY[command].roles}


def command_routes(service: HttpService) -> list[Route]:
    """The routes of all commands that people may give."""
    return [_route(service, kind, command) for kind, command in offered().items()]


def sent_key(person: str, key: str) -> str:
    """The key of a person's command at the manager: no person uses up the keys of another."""
    return f"http:{person}:{key}"


def read_key(request: Request) -> str:
    """The idempotency key of a request."""
    key = request.headers.get(_HEADER)
    if key is None:
        message = f"every command needs the header {_HEADER}: {_KEY_FORM}, made for it"
        raise InputError.of("bad-message", _HEADER, message)
    return checked_key(key, _HEADER)


def checked_key(key: str, place: str) -> str:
    """A key in the form that every command's has; refused otherwise, since nothing can be found under another one."""
    if _KEY.fullmatch(key) is None:
        raise InputError.of("bad-message", place, f"an idempotency key has {_KEY_FORM}")
    return key


def body_schema(command: type[AnyCommand], left_out: frozenset[str] = frozenset({"kind"})) -> Schema:
    """The schema of a command's body: its fields without the kind, which the path names."""
    _, defined = msgspec.json.schema_components([command], ref_template="#/components/schemas/{name}")
    schema: Schema = dict(defined[command.__name__])
    schema["properties"] = {name: one for name, one in schema["properties"].items() if name not in left_out}
    schema["required"] = [name for name in schema["required"] if name not in left_out]
    schema["description"] = summary_and_text(command.__doc__)
    return schema


def _result_schema(kind: str) -> Schema:
    integer = {"type": "integer"}
    return {
        "title": f"{COMMANDS[kind].__name__}Result",
        "description": "The command was carried out: its place in the journal, and its answer.",
        "type": "object",
        "properties": {
            "seq": integer, "at": integer, "hash": {"type": "string"}, "answer": ref(COMMAND_ANSWERS[kind]),
            "repeated": {"type": "boolean", "default": False},
        },
        "required": ["seq", "at", "hash", "answer"],
    }  # fmt: skip


def _route(service: HttpService, kind: str, command: type[AnyCommand]) -> Route:
    taken = {name: value for name, value in _required(command).items() if name != "kind"}
    result = {
        "seq": 813, "at": 1_763_200_001_234_567, "hash": "5f" * 32, "answer": example_of(COMMAND_ANSWERS[kind]),
        "repeated": False,
    }  # fmt: skip
    return Route(
        "POST", f"/v1/commands/{kind}", kind.replace(".", "_").replace("-", "_"), f"commands: {kind.partition('.')[0]}",
        _endpoint(service, kind), summary_and_text(command.__doc__), parameters=(KEY_PARAMETER,),
        takes=body_schema(command), gives=_result_schema(kind), types=(command, COMMAND_ANSWERS[kind]),
        example_taken=taken, example_given=result, refusals=(404, 409),
    )  # fmt: skip


def _required(command: type[AnyCommand]) -> dict[str, object]:
    found = example_of(command, only_required=True)
    return found if isinstance(found, dict) else {}


def _endpoint(service: HttpService, kind: str) -> Endpoint:
    async def carried_out(request: Request) -> Response:
        person = known_caller(service, request).person
        key = read_key(request)
        do = read_object(await read_body(request))
        if "kind" in do:
            raise InputError.of("unknown-key", "kind", f"the path names the command, {kind}: leave it out of the body")
        command = read_fields({"kind": kind, **do})
        try:
            result = await service.send(command, actor=person.person, key=sent_key(person.person, key))
        except RefusedError as error:
            service.let_go_if_out(person, error)
            raise
        return told(result)

    return carried_out


def read_object(body: bytes) -> dict[str, object]:
    """The JSON object of a body."""
    try:
        found = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise InputError.of("bad-message", "", f"the body is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise InputError.of("bad-message", "", "the body is one JSON object")
    return found
