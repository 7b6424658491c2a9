"""What a route is: where it is, what it takes and gives, and what does it; the description is written from the same."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from houseway.errors import InputError
from houseway.manager.http.callers import Caller
from houseway.manager.http.service import HttpService
from houseway.manager.http.type_examples import example_of

Endpoint = Callable[[Request], Awaitable[Response]]
Schema = dict[str, Any]
"""A schema as JSON has it."""
JSON: Final = "application/json"
_READING: Final = (401, 403, 405, 421, 422, 429, 503)
_WRITING: Final = (*_READING, 408, 413, 415)


@dataclass(frozen=True)
class Parameter:
    """An argument in the query, the path or a header."""

    name: str
    schema: Mapping[str, Any]
    description: str
    where: str = "query"
    is_required: bool = False
    example: object = None
    is_list: bool = False
    """Whether it is several values with commas between."""


@dataclass(frozen=True)
class Route:
    """One route."""

    method: str
    path: str
    name: str
    """The id of the operation."""
    tag: str
    endpoint: Endpoint
    text: str
    """What it does, as its docstring says: the first line is its summary."""
    parameters: tuple[Parameter, ...] = ()
    takes: Schema | None = None
    """The schema of the body; its types stand in `types`."""
    gives: Schema | None = None
    """The schema of the answer; none for one without a body."""
    types: tuple[type, ...] = ()
    """Types that the schemas refer to."""
    example_taken: object = None
    example_given: object = None
    content: str = JSON
    status: int = 200
    refusals: tuple[int, ...] = ()
    """Statuses of refusals beside those that every route has."""
    has_etag: bool = False
    is_open: bool = False
    """Whether nobody has to be signed in."""

    @property
    def statuses(self) -> tuple[int, ...]:
        """All statuses of refusals."""
        common = _READING if self.takes is None else _WRITING
        closed = () if not self.is_open else (401, 403)
        return tuple(sorted({*common, *self.refusals} - {*closed} | {*self.refusals}))


def ref(kind: type) -> Schema:
    """The schema of a type, by its name."""
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


def giving(
    kind: type, method: str, path: str, name: str, tag: str, endpoint: Endpoint, text: str, **more: Any  # noqa: ANN401
) -> Route:  # fmt: skip
    """A route whose answer is of a type."""
    example = example_of(kind)
    return Route(method, path, name, tag, endpoint, text, gives=ref(kind), types=(kind,), example_given=example, **more)


def known_caller(service: HttpService, request: Request) -> Caller:
    """Who a request is from; it is noted for the log."""
    caller = service.caller(request.headers.get("authorization"))
    request.state.caller = caller.name
    return caller


def told(answer: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """An answer as JSON."""
    return Response(msgspec.json.encode(answer), status, headers, JSON)


def single_arguments(request: Request, taken: frozenset[str]) -> dict[str, str]:
    """The arguments of a query, each once and none that the route does not take."""
    found: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name not in taken:
            takes = ", ".join(sorted(taken)) or "no argument"
            raise InputError.of("unknown-key", name[:60], f"this route takes {takes}")
        if name in found:
            raise InputError.of("bad-message", name, "name it once")
        found[name] = value
    return found


def whole_number(name: str, text: str) -> int:
    """An argument that is a whole number."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 18):
        raise InputError.of("bad-message", name, "name it as a whole number")
    return int(text)


def summary_and_text(docstring: str | None) -> str:
    """A docstring without the indentation of its source."""
    return "\n".join(line.strip() for line in (docstring or "").strip().splitlines())
