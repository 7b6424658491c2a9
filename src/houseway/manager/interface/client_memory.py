"""What a client remembers of its manager: the highest signed mark it was told, and its own highest answer.

A manager that lacks an event which this client has seen serves an old copy of the journal, or another one. The client
then does not work with it, shows it the mark as proof, and says what has happened. It goes on as soon as the event is
there again, or two people have put the lost range on record. An answer carries no signature, so it proves nothing to
others; but this client was told that its command was done, and works with nobody who does not know of it.
"""

from __future__ import annotations

import contextlib
import threading
import time
from pathlib import Path
from typing import Any, Final

import msgspec

from houseway.errors import InputError, present
from houseway.manager.core.house_entities import Recovery
from houseway.manager.core.records import canonical
from houseway.manager.store.marks import Mark, mark_from, read_as, write_whole
from houseway.manager.store.past import JournalPast

WRITE_SECONDS: Final = 1.0
"""How often something newer is written at most; the rest follows with a heartbeat, or when the client leaves."""


class SeenEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The event of an answer that this client got."""

    journal: str
    seq: int
    hash: str
    at: int


class MemoryContents(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that a client remembers, as its file holds it."""

    mark: Mark | None = None
    """The newest signed mark that it was told."""
    answered: SeenEvent | None = None
    """Its own highest answer, where that is beyond the mark."""

    @property
    def highest(self) -> SeenEvent | None:
        """What is asked for: a journal that has it has all before it."""
        mark = self.mark
        if self.answered is not None or mark is None:
            return self.answered
        return SeenEvent(mark.journal, mark.seq, mark.hash, mark.at)


class Memory:
    """What one client has seen, in a file, or for the life of the process."""

    def __init__(self, path: Path | None = None) -> None:
        """Read what the file holds; `InputError` if it is nothing of this kind."""
        self._path = path
        self._lock = threading.Lock()
        self._written_at = 0.0
        self._journal: str | None = None
        """The journal of the manager that was last found to agree."""
        self._known = (None if path is None else read_as(MemoryContents, path)) or MemoryContents()
        self._written = self._known

    @property
    def mark(self) -> Mark | None:
        """The newest signed mark."""
        return self._known.mark

    @property
    def answered(self) -> SeenEvent | None:
        """The highest event of an answer that this client got, where that is beyond the mark."""
        return self._known.answered

    @property
    def where(self) -> str:
        """Where it is kept, in words."""
        return "this program" if self._path is None else str(self._path)

    def question(self) -> dict[str, Any]:
        """What to ask a manager before anything else."""
        highest = self._known.highest
        return {"ask": "chain", "seq": 0 if highest is None else highest.seq}

    def agrees(self, answer: dict[str, Any]) -> bool:
        """Whether the manager has what was seen; if so its newest mark is kept."""
        told = mark_from(answer.get("mark"))
        if self._known.highest is not None and not self._has(answer):
            return False
        journal = answer.get("journal")
        self._journal = journal if isinstance(journal, str) else None
        if told is not None:
            self._keep(MemoryContents(told), at_once=True)
        return True

    def _has(self, answer: dict[str, Any]) -> bool:
        highest = present(self._known.highest, "event to be compared")
        try:
            past = JournalPast(
                int(answer["first"]),
                answer["hash"],
                msgspec.convert(answer["recoveries"], tuple[Recovery, ...]),
            )
        except (KeyError, TypeError, ValueError):
            return False
        if answer.get("journal") != highest.journal:
            return False
        return past.holds(highest.hash) or self._is_forgiven(past)

    def _is_forgiven(self, past: JournalPast) -> bool:
        """Whether all that was seen is on record as lost: an answer by its range, a signed mark only with its proof."""
        mark, answered = self.mark, self.answered
        if answered is None:
            return mark is not None and past.forgives(mark.seq, mark.at)
        # A mark before the range is not lost.
        knows_mark = mark is None or not past.covers(mark.seq, mark.at) or past.forgives(mark.seq, mark.at)
        return past.covers(answered.seq, answered.at) and knows_mark

    def proof(self) -> dict[str, Any] | None:
        """The mark, as it is shown to a manager that lacks what was seen; None where only answers were."""
        return None if self.mark is None else {"ask": "seen", "mark": self.mark.to_json()}

    def accepts(self, judged: str | None) -> bool:
        """Whether the manager's proof is enough: an answer to this client beyond the mark must be there as well."""
        return judged == "known" and self.answered is None

    def keep(self, mark: Mark, *, at_once: bool = False) -> None:
        """Keep a mark, now or when the last one was written a while ago; a disk that is full takes nothing from it."""
        answered = self.answered if self.answered is not None and self.answered.seq > mark.seq else None
        self._keep(MemoryContents(mark, answered), at_once=at_once)

    def answer(self, seq: int, hash_: str, at: int) -> None:
        """Keep that the manager has answered a command with this event."""
        highest = self._known.highest
        if self._journal is not None and (highest is None or highest.seq < seq):
            self._keep(MemoryContents(self.mark, SeenEvent(self._journal, seq, hash_, at)))

    def hear(self, heartbeat: dict[str, Any]) -> None:
        """Keep what a heartbeat tells, as long as it goes on from what was seen."""
        mark = mark_from(heartbeat.get("mark"))
        if mark is not None and (self.mark is None or mark.seq > self.mark.seq):
            self.keep(mark)
        else:
            self._keep(self._known)

    def flush(self) -> None:
        """Write what is not written yet."""
        self._keep(self._known, at_once=True)

    def _keep(self, known: MemoryContents, *, at_once: bool = False) -> None:
        with self._lock:
            self._known = known
            now = time.monotonic()
            if self._path is None or known == self._written or not (at_once or now - self._written_at >= WRITE_SECONDS):
                return
            self._written_at = now
            with contextlib.suppress(OSError):
                write_whole(self._path, canonical(known) + b"\n")
                self._written = known

    def refusal(self, judged: str | None) -> dict[str, Any]:
        """Why this client does not work with the manager, in the form of a refusal; it may be tried again."""
        highest = present(self._known.highest, "event to be told")
        seen = f"event {highest.seq} with the hash {highest.hash}"
        texts = {
            "another-journal": f"{self.where} has seen {seen} of the journal {highest.journal}, and this manager "
            "serves another journal: name the right manager; if the change is meant, remove that file",
            "not-signed": f"{self.where} says that it has seen {seen}, which this manager lacks and whose signature is "
            "not the property's: the file was altered; look into the manager's record, then remove the file",
        }
        answered = ", its own answer," if self.answered is not None else ""
        lost = (
            f"this manager lacks {seen}, which was seen before{answered} ({self.where}): an old copy of the journal is "
            "served. Stop play and restore the newest copy; if there is none, two people from different departments "
            "name the lost events (houseway system recovery, docs/operations.md)"
        )
        fault = InputError.of("history-lost", "manager", texts.get(judged or "", lost)).faults[0]
        return {"faults": [fault.to_json()], "retry": True}
