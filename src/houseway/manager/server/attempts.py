"""What was refused at the edge, on record: strangers who greet, devices that act for others, badges at a closed reader.

Strangers are told apart by their address, devices by their name, and a name that no device has is not a name: whoever
makes up a thousand of them is one stranger, and cannot hide who comes after. All of them are in the log.
"""

from __future__ import annotations

import logging
import secrets
from typing import Any, Final

from houseway.errors import InputError
from houseway.manager.commands import COMMANDS, Envelope
from houseway.manager.commands.system_commands import AttemptRefused, attempt
from houseway.manager.core.engine import SYSTEM
from houseway.manager.core.networks import network_of
from houseway.manager.core.texts import on_record
from houseway.manager.store.clock import wall_micros
from houseway.manager.store.deciding import RESERVED
from houseway.manager.store.manager import Manager
from houseway.manager.store.tally import AttemptTally

LOG: Final = logging.getLogger("houseway.manager.server")
LONGEST_NAME: Final = 100


class Attempts:
    """Refusals at the edge of one server."""

    def __init__(self, manager: Manager) -> None:
        """Record them in this manager's journal."""
        self._manager = manager
        self._tally = AttemptTally()

    def greeting(self, address: str, device: object, error: InputError, *, known: bool) -> None:
        """Somebody could not prove to be the device whose name was given; `known` if there is such a device."""
        tried = attempt(f"device:{_word(device, 'unknown')}", None, "hello", error, network_of(address))
        self._record(f"from {tried.address}", (str(device) if known else "", "hello", _codes(tried)), tried)

    def replaced(self, address: str, device: str, error: InputError) -> None:
        """A controller's connection that did not answer is ended, and one from this address has its place."""
        tried = attempt(f"device:{device}", None, "connection", error, network_of(address))
        self._record(f"from {tried.address}", (device, "connection", _codes(tried)), tried)

    def command(self, device: str, message: object, error: InputError) -> None:
        """A device sent what it may not, perhaps in somebody's name; of the message only kind and actor are kept."""
        told: dict[str, Any] = message if isinstance(message, dict) else {}
        do = told.get("do")
        kind = _word(do.get("kind") if isinstance(do, dict) else None, "command")
        self.at_device(device, _word(told.get("actor"), f"device:{device}"), kind, error)

    def at_device(self, device: str, actor: str, kind: str, error: InputError, address: str | None = None) -> None:
        """Something was refused at a device before the manager decided on it; it may name where that came from."""
        tried = attempt(actor, device, kind, error, network_of(address) if address else "")
        # Whoever has many addresses is one source, and hides nothing that is tried at the device itself.
        source = f"{device} from elsewhere" if address else device
        self._record(source, (tried.kind_of if tried.kind_of in COMMANDS else "", _codes(tried), tried.address), tried)

    def write_counted(self, *, every: bool = False) -> None:
        """Put on record what was only counted, as far as its time is over."""
        for tried in self._tally.due(wall_micros(), every=every):
            self._submit(tried)

    def _record(self, source: str, kind: tuple[str, ...], tried: AttemptRefused) -> None:
        by = f"{tried.actor} at {tried.device}" if tried.device else f"{tried.actor} {source}"
        if self._tally.take(source, kind, tried, wall_micros()):
            # What is only counted is not told one by one in the log either: a flood of lines fills no disk.
            LOG.warning("%s: %s refused: %s", by, tried.kind_of, _codes(tried))
            self._submit(tried)

    def _submit(self, tried: AttemptRefused) -> None:
        self._manager.submit(Envelope(f"{RESERVED}refused/{secrets.token_hex(8)}", SYSTEM, tried))


def _codes(tried: AttemptRefused) -> str:
    return ",".join(str(fault["code"]) for fault in tried.faults)


def _word(value: object, otherwise: str) -> str:
    """A name as a stranger gave it, in the form in which it can stand on record."""
    return on_record(value, LONGEST_NAME) if isinstance(value, str) and value else otherwise
