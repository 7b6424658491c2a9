"""What stands before every route: the host that was called, time and size of a request, headers, the log of access."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import MutableMapping
from typing import Any, Final

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from houseway.errors import InputError
from houseway.manager.http.error_answers import error_response

LOG: Final = logging.getLogger("houseway.manager.http")
ACCESS: Final = logging.getLogger("houseway.access")
"""The log of access: nothing is put together for it unless it is wanted."""
MOST_BODY: Final = 60_000
"""Bytes of a body; the manager reads lines of 65,536 with the rest of the message in them."""
BODY_SECONDS: Final = 10.0
_API_POLICY: Final = "default-src 'none'; frame-ancestors 'none'"
DOCS_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Content-Security-Policy": _API_POLICY,
}
_YEAR: Final = "max-age=31536000"


class Guard:
    """An application behind its guard."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str], *, has_tls: bool) -> None:
        """Answer for these hosts only; with TLS browsers are told never to come without."""
        self._app = app
        self._hosts = hosts
        more = {"Strict-Transport-Security": _YEAR} if has_tls else {}
        self._headers = [(name.lower().encode(), value.encode()) for name, value in {**_HEADERS, **more}.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request; whatever happens in it, it is answered."""
        if scope["type"] != "http":
            return
        began = time.perf_counter()
        told: dict[str, Any] = {}

        async def sending(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                told["status"] = message["status"]
                message["headers"] = self._with_headers(message["headers"])
            await send(message)

        try:
            if self._is_called_by_name(scope):
                await self._app(scope, receive, sending)
            else:
                error = InputError.of("wrong-host", "Host", "this service does not answer for that host")
                await error_response(error)(scope, receive, sending)
        except asyncio.CancelledError:
            raise
        except Exception as error:
            LOG.exception("a request hit an internal error")
            if "status" not in told:
                await error_response(error)(scope, receive, sending)
        finally:
            _log(scope, told.get("status"), began)

    def _is_called_by_name(self, scope: Scope) -> bool:
        named = [value for name, value in scope["headers"] if name == b"host"]
        if len(named) > 1:
            return False
        host = named[0].decode("latin-1").lower() if named else str((scope.get("server") or ("",))[0])
        return (host if host.endswith("]") else host.rpartition(":")[0] or host) in self._hosts

    def _with_headers(self, headers: Any) -> list[tuple[bytes, bytes]]:  # noqa: ANN401 - as ASGI has them
        given = [(bytes(name).lower(), bytes(value)) for name, value in headers]
        names = {name for name, _ in given}
        return [*given, *(one for one in self._headers if one[0] not in names)]


def _log(scope: Scope, status: int | None, began: float) -> None:
    """One line for a request: its route and never its query, body or tokens, which may hold what nobody should read."""
    if not ACCESS.isEnabledFor(logging.INFO):
        return
    entry = {
        "event": "http",
        "what": f"{scope['method']} {getattr(scope.get('route'), 'path', '(no route)')}",
        "actor": scope.get("state", {}).get("caller", "-"),
        "address": (scope.get("client") or ("-",))[0],
        "status": status or 0,
        "ms": round((time.perf_counter() - began) * 1_000, 3),
    }
    ACCESS.info("%s", " ".join(f"{name}={value}" for name, value in entry.items()), extra={"entry": entry})


async def read_body(request: Request) -> bytes:
    """The body of a request, within its bounds of size and time."""
    if not request.headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json":
        raise InputError.of("wrong-content", "Content-Type", "send the body as JSON, as application/json")
    length = request.headers.get("content-length", "")
    if length.isdecimal() and len(length) < 20 and int(length) > MOST_BODY:
        raise _too_long()
    body = b""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MOST_BODY:
                    raise _too_long()
    except TimeoutError:
        message = f"the body did not arrive within {BODY_SECONDS:g} seconds"
        raise InputError.of("idle-timeout", "", message) from None
    return body


def _too_long() -> InputError:
    return InputError.of("line-too-long", "", f"a body has at most {MOST_BODY} bytes here")
