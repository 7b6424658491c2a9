"""What a client remembers of its manager: the highest signed mark it was ever told, and what to do when it is gone.

A manager that lacks an event which this client has seen serves an old copy of the journal, or another one. The client
then does not work with it, shows it the mark as proof, and says what has happened. It goes on as soon as the event is
there again, or two people have put the lost range on record.
"""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import Any, Final

import msgspec

from houseway.errors import InputError, present
from houseway.manager.core.entities import Recovery
from houseway.manager.store.marks import Mark, mark_from, read_mark, write_mark
from houseway.manager.store.past import Past

WRITE_SECONDS: Final = 1.0
"""How often a newer mark is written at most."""


class Memory:
    """The highest mark of one client, in a file, or for the life of the process."""

    def __init__(self, path: Path | None = None) -> None:
        """Read what the file holds; `InputError` if it is no mark."""
        self._path = path
        self._written_at = 0.0
        self.mark = None if path is None else read_mark(path)

    @property
    def where(self) -> str:
        """Where it is kept, in words."""
        return "this program" if self._path is None else str(self._path)

    def question(self) -> dict[str, Any]:
        """What to ask a manager before anything else."""
        return {"ask": "chain", "seq": 0 if self.mark is None else self.mark.seq}

    def agrees(self, answer: dict[str, Any]) -> bool:
        """Whether the manager has what was seen; if so its newest mark is kept."""
        told = mark_from(answer.get("mark"))
        if self.mark is not None and not self._has(answer):
            return False
        if told is not None:
            self.keep(told, at_once=True)
        return True

    def _has(self, answer: dict[str, Any]) -> bool:
        mark = present(self.mark, "mark to be compared")
        try:
            past = Past(
                int(answer["first"]),
                answer["hash"],
                msgspec.convert(answer["recoveries"], tuple[Recovery, ...]),
            )
        except (KeyError, TypeError, ValueError):
            return False
        return answer.get("journal") == mark.journal and past.has(mark.seq, mark.hash, mark.at)

    def proof(self) -> dict[str, Any]:
        """The mark, as it is shown to a manager that does not have it."""
        return {"ask": "seen", "mark": present(self.mark, "mark to be shown").to_json()}

    def keep(self, mark: Mark, *, at_once: bool = False) -> None:
        """Keep a mark, now or when the last one was written a while ago; a disk that is full takes nothing from it."""
        if mark == self.mark:
            return
        self.mark = mark
        now = time.monotonic()
        if self._path is not None and (at_once or now - self._written_at >= WRITE_SECONDS):
            self._written_at = now
            with contextlib.suppress(OSError):
                write_mark(self._path, mark)

    def hear(self, heartbeat: dict[str, Any]) -> None:
        """Keep what a heartbeat tells, as long as it goes on from what was seen."""
        mark = mark_from(heartbeat.get("mark"))
        if mark is not None and (self.mark is None or mark.seq > self.mark.seq):
            self.keep(mark)

    def refusal(self, judged: str) -> dict[str, Any]:
        """Why this client does not work with the manager, in the form of a refusal; it may be tried again."""
        mark = present(self.mark, "mark to be told")
        seen = f"event {mark.seq} with the hash {mark.hash[:16]}"
        texts = {
            "another-journal": f"{self.where} has seen {seen} of the journal {mark.journal}, and this manager serves "
            "another journal: name the right manager; if the change is meant, remove that file",
            "not-signed": f"{self.where} says that it has seen {seen}, which this manager lacks and whose signature is "
            "not the property's: the file was altered; look into the manager's record, then remove the file",
        }
        lost = (
            f"this manager lacks {seen}, which was seen before ({self.where}): an old copy of the journal is served. "
            "Stop play and restore the newest copy; if there is none, two people of different departments name the "
            "lost events (system.recovery, docs/operations.md)"
        )
        fault = InputError.of("history-lost", "manager", texts.get(judged, lost)).faults[0]
        return {"faults": [fault.to_json()], "retry": True}
