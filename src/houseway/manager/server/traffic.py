"""What passes a server: counted for its metrics and, where somebody wants it, written into a log of access.

An entry says who sent what kind of thing from where, and how it ended: never a badge, a secret, a session or the
content. The numbers of kinds and codes are bounded: both are closed lists.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from houseway.errors import InputError
from houseway.manager.server.metrics_text import Histogram
from houseway.manager.store.writer import Answer

ACCESS: Final = logging.getLogger("houseway.access")
"""Nothing is put together for it unless it is enabled (`logs.log_access`)."""
SECONDS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
UNREAD: Final = "unread"
"""The kind of a command that was refused before it was read."""


class Traffic:
    """Counts of one server, kept by its event loop."""

    def __init__(self) -> None:
        """Begin at nothing."""
        self.commands: Counter[tuple[str, str]] = Counter()
        """By kind and outcome: done, repeated, refused, failed."""
        self.refusals: Counter[str] = Counter()
        """By the code of each fault."""
        self.questions: Counter[str] = Counter()
        self.greetings: Counter[str] = Counter()
        """Connections that proved themselves, by the kind of their device."""
        self.endings: Counter[str] = Counter()
        """Connections that the server ended, by the code of its reason."""
        self.seconds = Histogram(SECONDS)
        """From reading a command to its answer."""

    def connected(self, device: str, kind: str, address: str) -> None:
        """A device has proved itself."""
        self.greetings[kind] += 1
        _note("connected", device, address)

    def ended(self, device: str, address: str, error: InputError) -> None:
        """The server ended a connection."""
        codes = [fault.code for fault in error.faults]
        self.endings.update(codes)
        _note("ended", device, address, codes=codes)

    def left(self, device: str, address: str) -> None:
        """The connection of a device is over."""
        _note("left", device, address)

    def asked(self, device: str, address: str, question: str) -> None:
        """A question was answered."""
        self.questions[question] += 1
        _note("question", device, address, what=question)

    def command(
        self, device: str, address: str, kind: str, actor: str, began: float, outcome: Answer | BaseException
    ) -> None:
        """A command was answered; `began` is the steady time at which it was read."""
        seconds = time.monotonic() - began
        self.seconds.add(seconds)
        more: dict[str, Any] = {}
        if isinstance(outcome, Answer):
            how, more = "repeated" if outcome.repeated else "done", {"seq": outcome.seq}
        elif isinstance(outcome, InputError):
            codes = [fault.code for fault in outcome.faults]
            how, more = "refused", {"codes": codes}
            self.refusals.update(codes)
        else:
            how = "failed"
        self.commands[kind, how] += 1
        if ACCESS.isEnabledFor(logging.INFO):
            _note("command", device, address, what=kind, actor=actor, outcome=how, ms=round(seconds * 1000, 3), **more)


def _note(event: str, device: str, address: str, **more: object) -> None:
    """Write an entry into the log of access, if there is one."""
    if not ACCESS.isEnabledFor(logging.INFO):
        return
    entry: Mapping[str, object] = {"event": event, "device": device, "address": address, **more}
    words = " ".join(f"{name}={_word(value)}" for name, value in entry.items())
    ACCESS.info("%s", words, extra={"entry": entry})


def _word(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
