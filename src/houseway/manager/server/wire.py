"""The lines on the wire: JSON objects one to a line, the versions of the protocol, and the form of a refusal.

docs/reference/protocol.md describes what is said; this module is what both ends share of it, without any socket.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

import msgspec

from houseway.errors import Fault, InputError, present
from houseway.reading.codes import Codes
from houseway.reading.described import as_described
from houseway.reading.faults import Faults

PROTOCOL: Final = 1
"""The version that this program speaks."""
OLDEST_PROTOCOL: Final = 1
"""The oldest version that a server of this program still answers."""

LONGEST_REQUEST: Final = 64 * 1024
"""Bytes of the longest line that a server reads, one of a service; `server.sizes` says who may send how much."""
MOST_TOLD: Final = 50
"""Faults of a refusal that go over the wire."""
LONGEST_TOLD: Final = 16 * 1024
"""Characters of all faults of a refusal together, but for the first, which is always told."""
LONGEST_ANSWER: Final = 32 * 1024 * 1024
"""Bytes of a line that a client reads: the state of a whole floor."""

HEARTBEAT_SECONDS: Final = 2.0
"""How often a server says that it is there."""
NEWS_SECONDS: Final = 4.5
"""Without a line from the manager for so long, its news is old: a sign says so within 5 seconds."""


class Greeting(msgspec.Struct, frozen=True):
    """Who connects to a server, under `hello`."""

    protocol: int
    device: str
    secret: str
    software: str = "unknown"


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder()


def to_line(message: dict[str, Any]) -> bytes:
    r"""A message as a line.

    >>> to_line({"id": 1, "ask": "health"})
    b'{"id":1,"ask":"health"}\n'
    """
    return _ENCODER.encode(message) + b"\n"


def from_line(line: bytes) -> dict[str, Any]:
    r"""The message of a line; InputError (`bad-message`) if it is not a JSON object.

    >>> from_line(b'{"ping": 7}\n')
    {'ping': 7}
    """
    try:
        message = _DECODER.decode(line)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise InputError.of("bad-message", "", f"not a line of JSON: {error}") from None
    if not isinstance(message, dict):
        raise InputError.of("bad-message", "", "a message is one JSON object on a line of its own")
    return message


def refusal(error: InputError, request: object = None, *, retry: bool = False) -> dict[str, Any]:
    """The message that refuses a request; `retry` says that the same request may succeed later, under the same key."""
    body: dict[str, Any] = {"faults": [fault.to_json() for fault in _told(error)]}
    if retry:
        body["retry"] = True
    return {"error": body} if request is None else {"id": request, "error": body}


def _told(error: InputError) -> list[Fault]:
    """The faults of a refusal as far as anybody reads them, and whether there are more."""
    told: list[Fault] = []
    room = LONGEST_TOLD
    for fault in error.faults:
        room -= len(fault.path) + len(fault.message)
        if told and (room < 0 or len(told) == MOST_TOLD):
            return [*told, Fault("too-many-faults", "", f"there are more faults than these {len(told)}")]
        told.append(fault)
    return told


class _WireFault(msgspec.Struct):
    """A fault as it comes over the wire."""

    code: str
    path: str
    message: str


class _Refusal(msgspec.Struct):
    faults: list[_WireFault]


def faults_of(error: object) -> list[Fault]:
    """The faults of a refusal that came over the wire; a broken refusal is a fault as well."""
    try:
        listed = msgspec.convert(error, _Refusal).faults
    except msgspec.ValidationError:
        return [_ODD]
    return [Fault(one.code, one.path, one.message) for one in listed] or [_ODD]


_ODD: Final = Fault("bad-message", "", "the manager refused without saying why: look into its log")


GreetingT = TypeVar("GreetingT", bound=msgspec.Struct)


def read_greeting(hello: object, kind: type[GreetingT], called: str) -> GreetingT:
    """What a first line says under `hello`; InputError with every fault, or with a version that nobody speaks here."""
    spoken = hello.get("protocol") if isinstance(hello, dict) else None
    if type(spoken) is int:
        # First: another version may greet in another form.
        check_protocol(spoken)
    faults = Faults(Codes.only("bad-message"))
    read = as_described(hello, kind, "hello", faults, called)
    faults.refuse_if_any()
    return present(read, "greeting without faults")


def check_protocol(spoken: int) -> None:
    """Refuse a version of the protocol that this program does not speak, and say what to do about it.

    >>> check_protocol(PROTOCOL)
    """
    here = f"version {PROTOCOL}" if OLDEST_PROTOCOL == PROTOCOL else f"versions {OLDEST_PROTOCOL} to {PROTOCOL}"
    if spoken < OLDEST_PROTOCOL:
        message = f"the device speaks version {spoken}, this manager {here}: update the device's software first"
        raise InputError.of("protocol-too-old", "hello.protocol", message)
    if spoken > PROTOCOL:
        message = f"the device speaks version {spoken}, this manager {here}: update the manager before its devices"
        raise InputError.of("protocol-too-new", "hello.protocol", message)
