"""The description of the API, OpenAPI 3.1: written from the routes and the types of what they take and give."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, Final

import msgspec

from houseway import __version__
from houseway.manager.http.error_answers import MEANINGS, STATUS_OF_CODE, ErrorEnvelope
from houseway.manager.http.route_base import JSON, Parameter, Route, Schema

_LICENCE: Final = {"name": "Apache-2.0", "identifier": "Apache-2.0"}
_ABOUT: Final = """Questions, commands and events of a Houseway Game Manager.

Amounts are whole cents (`_cents`) or millionths of a dollar (`_micros`), times are microseconds since 1970. Every error
has the one envelope, with codes of the closed list in docs/reference/faults.md. The manager decides; this service adds
no rule."""


def description(routes: Iterable[Route]) -> Schema:
    """The whole description."""
    listed = list(routes)
    kinds = list(dict.fromkeys([ErrorEnvelope, *(kind for route in listed for kind in route.types)]))
    _, defined = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    schemas: dict[str, Any] = {name: _without_indents(schema) for name, schema in defined.items()}
    paths: dict[str, Any] = {}
    for route in listed:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Houseway", "version": __version__, "description": _ABOUT, "license": _LICENCE},
        "servers": [{"url": "/"}],
        "tags": [{"name": tag} for tag in dict.fromkeys(route.tag for route in listed)],
        "security": [{"bearer": []}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": {_response_name(status): _refusal(status) for status in MEANINGS},
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "description": "The token of a session, or an API key."}
            },
        },
    }  # fmt: skip


def _without_indents(schema: Any) -> Any:  # noqa: ANN401 - as JSON has it
    if isinstance(schema, dict) and isinstance(schema.get("description"), str):
        text = "\n".join(line.strip() for line in schema["description"].splitlines())
        return {**schema, "description": text}
    return schema


def _operation(route: Route, schemas: dict[str, Any]) -> Schema:
    summary, _, more = route.text.partition("\n")
    found: dict[str, Any] = {
        "operationId": route.name,
        "tags": [route.tag],
        "summary": summary.strip(),
        "description": more.strip() or summary.strip(),
        "responses": {
            str(route.status): _answer(route, schemas),
            **(
                {"304": {"description": "No event was written since: what you have still holds."}}
                if route.has_etag
                else {}
            ),
            **{str(status): {"$ref": f"#/components/responses/{_response_name(status)}"} for status in route.statuses},
        },
    }
    parameters = [_parameter(one) for one in (*route.parameters, *((_IF_NONE_MATCH,) if route.has_etag else ()))]
    if parameters:
        found["parameters"] = parameters
    if route.takes is not None:
        name = f"{_title(route.name)}Body"
        schemas[name] = {**route.takes, "title": name}
        body = {"schema": {"$ref": f"#/components/schemas/{name}"}, "example": route.example_taken}
        found["requestBody"] = {"required": True, "content": {JSON: body}}
    if route.is_open:
        found["security"] = []
    return found


_IF_NONE_MATCH: Final = Parameter(
    "If-None-Match", {"type": "string"}, "The `ETag` of an answer that you have.", where="header"
)


def _answer(route: Route, schemas: dict[str, Any]) -> Schema:
    found: dict[str, Any] = {"description": "Done."}
    if route.gives is not None:
        schema: Any = route.gives
        if "title" in route.gives:
            schemas[str(route.gives["title"])] = route.gives
            schema = {"$ref": f"#/components/schemas/{route.gives['title']}"}
        example = {} if route.example_given is None else {"example": route.example_given}
        found["content"] = {route.content: {"schema": schema, **example}}
    if route.has_etag:
        text = "Changes with every event that is written."
        found["headers"] = {"ETag": {"schema": {"type": "string"}, "description": text}}
    return found


def _parameter(one: Parameter) -> Schema:
    found: dict[str, Any] = {
        "name": one.name,
        "in": one.where,
        "required": one.is_required,
        "schema": dict(one.schema),
        "description": one.description,
    }
    if one.example is not None:
        found["example"] = one.example
    if one.is_list:
        found |= {"style": "form", "explode": False}
    return found


def _response_name(status: int) -> str:
    return HTTPStatus(status).phrase.replace(" ", "").replace("-", "")


def _refusal(status: int) -> Schema:
    codes = sorted(code for code, found in STATUS_OF_CODE.items() if found == status)
    listed = (
        f" Codes: {', '.join(f'`{code}`' for code in codes)}." if codes else " Every code that has no other status."
    )
    fault = {"code": codes[0] if codes else "round-in-play", "path": "", "message": "what is wrong, and what to do"}
    example = {"error": {"faults": [fault], "retry": status == 503}}
    return {
        "description": MEANINGS[status] + listed,
        "content": {JSON: {"schema": {"$ref": "#/components/schemas/ErrorEnvelope"}, "example": example}},
    }


def _title(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))
