"""The application: every route on FastAPI, every error in the one envelope, the guard before all of it."""

from __future__ import annotations

import gzip
from importlib import resources
from typing import Final

import msgspec
from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from houseway.errors import InputError
from houseway.manager.http.command_routes import command_routes
from houseway.manager.http.error_answers import error_response
from houseway.manager.http.event_routes import event_routes
from houseway.manager.http.guard import DOCS_POLICY, Guard
from houseway.manager.http.openapi import description
from houseway.manager.http.operating_routes import operating_routes
from houseway.manager.http.question_routes import question_routes
from houseway.manager.http.route_base import JSON, Endpoint, Route
from houseway.manager.http.service import HttpService
from houseway.manager.http.session_routes import session_routes
from houseway.manager.interface.contract import ManagerAwayError

_PAGE: Final = "houseway.manager.http.docs_page"
DOCS_FILES: Final = {
    "/docs": ("index.html", "text/html; charset=utf-8"),
    "/docs/start.js": ("start.js", "text/javascript; charset=utf-8"),
    "/docs/swagger-ui.css": ("swagger-ui.css.gz", "text/css; charset=utf-8"),
    "/docs/swagger-ui-bundle.js": ("swagger-ui-bundle.js.gz", "text/javascript; charset=utf-8"),
}
"""The interactive description, from files of the package: nothing is fetched from elsewhere."""


def all_routes(service: HttpService) -> list[Route]:
    """Every route of the API."""
    return [
        *session_routes(service),
        *event_routes(service),
        *operating_routes(service),
        *question_routes(service),
        *command_routes(service),
    ]


def build_app(service: HttpService) -> ASGIApp:
    """The application of a service."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False)
    routes = all_routes(service)
    for route in routes:
        app.add_api_route(route.path, route.endpoint, methods=[route.method], response_model=None, name=route.name)
    described = msgspec.json.encode(description(routes))
    app.add_api_route("/openapi.json", _fixed(described, JSON), methods=["GET"], response_model=None)
    for path, (name, kind) in DOCS_FILES.items():
        app.add_api_route(path, _file(name, kind), methods=["GET"], response_model=None)
    for refused in (InputError, ManagerAwayError, HTTPException, Exception):
        app.add_exception_handler(refused, _told)
    return Guard(app, service.settings.hosts, has_tls=service.settings.has_tls)


async def _told(_: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException):
        return _http_refusal(error)
    return error_response(error)


def _http_refusal(error: HTTPException) -> Response:
    """What the framework refuses by itself: a path or a method that no route has."""
    if error.status_code == 405:
        fault = InputError.of("wrong-method", "", "this route takes another method: see /openapi.json")
        return error_response(fault, error.headers)
    return error_response(InputError.of("unknown-route", "", "there is nothing here: see /openapi.json"))


def _fixed(body: bytes, kind: str, headers: dict[str, str] | None = None) -> Endpoint:
    async def served(request: Request) -> Response:  # noqa: ARG001
        return Response(body, 200, headers, kind)

    return served


def _file(name: str, kind: str) -> Endpoint:
    found = resources.files(_PAGE).joinpath(name).read_bytes()
    packed = name.endswith(".gz")
    # Once: anybody may ask for it, and as often as they like.
    unpacked = gzip.decompress(found) if packed else found
    headers = {"Content-Security-Policy": DOCS_POLICY, "Cache-Control": "no-cache"}

    async def served(request: Request) -> Response:
        if not packed:
            return Response(found, 200, headers, kind)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(found, 200, {**headers, "Content-Encoding": "gzip", "Vary": "Accept-Encoding"}, kind)
        return Response(unpacked, 200, {**headers, "Vary": "Accept-Encoding"}, kind)

    return served
