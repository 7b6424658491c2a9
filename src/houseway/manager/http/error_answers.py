"""Why a request is refused: one envelope for every error, and the status that goes with each code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec
from starlette.responses import Response

from houseway.errors import Fault, InputError
from houseway.manager.interface.contract import ManagerAwayError, RefusedError

CONFLICT: Final = 409

_CODES: Final[dict[int, frozenset[str]]] = {
    401: frozenset({"not-signed-in"}),
    403: frozenset({
        "wrong-role", "wrong-scope", "wrong-device", "own-device", "not-the-dealer", "second-person", "badge-refused",
        "unknown-badge", "badge-needed", "badge-by-one", "badge-unconfirmed",
        "pin-needed", "pin-ended", "pin-closed",
    }),
    404: frozenset({
        "unknown-route", "unknown-table", "unknown-link", "unknown-round", "unknown-person", "unknown-device",
        "unknown-register", "unknown-level", "unknown-account", "unknown-sensor", "unknown-slip", "unknown-subject",
        "unknown-webhook",
        "no-such-award",
        "no-such-hand", "no-such-payout", "no-such-proposal", "no-such-round", "no-such-seat", "no-such-sensor",
    }),
    405: frozenset({"wrong-method"}),
    408: frozenset({"idle-timeout"}),
    410: frozenset({"archived"}),
    413: frozenset({"line-too-long"}),
    415: frozenset({"wrong-content"}),
    421: frozenset({"wrong-host"}),
    422: frozenset({
        "bad-message", "bad-value", "bad-amount", "bad-chips", "chips-differ", "tax-number",
        "bad-change", "bad-dates", "bad-id", "bad-rate", "bad-text",
        "bad-time", "bad-card", "bad-seat", "bad-places", "bad-entropy", "card-count", "duplicate-card",
        "not-an-integer", "out-of-range",
        "reason-needed", "text-too-long", "token-misplaced", "too-many-faults", "unknown-ask", "unknown-change",
        "unknown-game", "unknown-key", "unknown-paytable", "unknown-setting", "unknown-topic", "unknown-wager",
        "weak-token", "wrong-type",
    }),
    429: frozenset({"badges-locked", "too-many-clients", "too-slow"}),
    500: frozenset({"internal-error"}),
    503: frozenset({
        "manager-away", "server-ending", "store-unavailable", "journal-damaged", "history-lost", "clock-jumped",
        "clock-went-back", "wrong-secret", "only-read",
    }),
}  # fmt: skip
STATUS_OF_CODE: Final[Mapping[str, int]] = {code: status for status, codes in _CODES.items() for code in codes}
"""The status of a refusal by its code; of any other code it is 409: the floor is not in a state for the command."""
MEANINGS: Final[Mapping[int, str]] = {
    401: "Nobody is signed in: no token, an unknown one, or a session or key that has ended.",
    403: "The person's role, the key's scopes or the badge do not allow it.",
    404: "What was asked for, or what the command names, is not there.",
    405: "The route takes another method.",
    408: "The request did not arrive in time.",
    409: "The floor is not in a state for it, or the idempotency key was used for another command.",
    410: "The events were archived.",
    413: "The request is larger than a command of its kind may be.",
    415: "The body is not JSON.",
    421: "The request names a host that this service does not answer for.",
    422: "Something in the request is wrong: every fault with its place.",
    429: "Too many tries, connections or streams: wait for as long as `Retry-After` says.",
    500: "An internal error; nothing was carried out by halves. Its cause is in the service's log.",
    503: "The manager cannot be reached or cannot write; with `retry` send the same request again, under the same key.",
}
_FIRST: Final = (500, 503, 421, 401, 403, 429, 413, 415, 408, 405, 410, 422, 404, 409)
"""Of several faults the status that says most about what to do."""
RETRY_SECONDS: Final = {429: 30, 503: 1}


class ErrorFault(msgspec.Struct, frozen=True):
    """One reason for a refusal."""

    code: str
    """A code of docs/reference/faults.md."""
    path: str
    """The place in the request: a field of the body, an argument or a header; empty for all of it."""
    message: str


class ErrorDetails(msgspec.Struct, frozen=True):
    """Every reason for a refusal, and whether the same request may go through later."""

    faults: tuple[ErrorFault, ...]
    retry: bool


class ErrorEnvelope(msgspec.Struct, frozen=True):
    """What every error is answered with."""

    error: ErrorDetails


def status_of(faults: Iterable[Fault], *, retry: bool) -> int:
    """The status of a refusal.

    >>> status_of([Fault("unknown-table", "table", "..."), Fault("wrong-role", "actor", "...")], retry=False)
    403
    """
    if retry:
        return 503
    found = {STATUS_OF_CODE.get(fault.code, CONFLICT) for fault in faults}
    return next((status for status in _FIRST if status in found), CONFLICT)


def refusal_of(error: Exception) -> tuple[tuple[Fault, ...], bool]:
    """The faults of an error, and whether to try again; an unknown one is told as such and nothing of it quoted."""
    if isinstance(error, RefusedError):
        return tuple(_told(fault) for fault in error.faults), error.retry
    if isinstance(error, InputError):
        return tuple(_told(fault) for fault in error.faults), False
    if isinstance(error, ManagerAwayError):
        return (Fault("manager-away", "", "the manager cannot be reached now: send the same request again"),), True
    return (Fault("internal-error", "", "an internal error: its cause is in the service's log"),), False


def _told(fault: Fault) -> Fault:
    """A fault with its place in the body, which is what a command does (`do.` on the wire)."""
    path = "" if fault.path == "do" else fault.path.removeprefix("do.")
    return fault if path == fault.path else Fault(fault.code, path, fault.message)


def error_response(error: Exception, headers: Mapping[str, str] | None = None) -> Response:
    """An error as it is answered."""
    faults, retry = refusal_of(error)
    status = status_of(faults, retry=retry)
    body = ErrorEnvelope(ErrorDetails(tuple(ErrorFault(one.code, one.path, one.message) for one in faults), retry))
    more = dict(headers or {})
    if status in RETRY_SECONDS:
        more.setdefault("Retry-After", str(RETRY_SECONDS[status]))
    if status == 401:
        more["WWW-Authenticate"] = "Bearer"
    return Response(msgspec.json.encode(body), status, more, "application/json")
