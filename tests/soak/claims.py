"""What the clients of an endurance run say: every command they sent, and what they were answered.

The journal is held against these claims. They are kept in memory for the checks, and in a file for whoever has to find
out what went wrong.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any


class Failure(AssertionError):  # noqa: N818 - it is what an endurance run reports
    """Something that must never happen has happened."""


def compact(value: Any) -> bytes:
    """A value as short as JSON can say it, the same for equal values."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


@dataclass(slots=True)
class Claim:
    """One command of a client."""

    key: str
    actor: str
    device: str | None
    do: bytes
    """As it was sent, cards in clear."""
    tokens: bool = True
    """Whether cards are tokens; false where they are fingerprints already."""
    state: str = "sent"
    """sent, acknowledged, refused, or withdrawn."""
    seq: int = 0
    at: int = 0
    hash: str = ""
    answer: bytes = b""


class Claims:
    """All claims, and what devices of controllers were told."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", encoding="utf-8")
        self.by_key: dict[str, Claim] = {}
        self.acknowledged: list[Claim] = []
        self.closed: list[Claim] = []
        """Refused and withdrawn ones."""
        self.told: list[tuple[str, str, bytes]] = []
        """Device, kind and answer of every press that a controller answered."""
        self.doubtful_there = 0
        self.doubtful_gone = 0

    def _note(self, **what: Any) -> None:
        self._file.write(json.dumps({"t": round(time.time(), 4), **what}) + "\n")

    def sent(self, key: str, actor: str, device: str | None, do: dict[str, Any], *, tokens: bool = True) -> Claim:
        """A command goes out."""
        claim = self.by_key[key] = Claim(key, actor, device, compact(do), tokens)
        self._note(sent=key, actor=actor, device=device, do=do)
        return claim

    def answered(self, claim: Claim, seq: int, at: int, hash_: str, answer: dict[str, Any], *, doubt: bool) -> None:
        """The command was acknowledged."""
        claim.state, claim.seq, claim.at, claim.hash, claim.answer = "acknowledged", seq, at, hash_, compact(answer)
        self.acknowledged.append(claim)
        self._note(acknowledged=claim.key, seq=seq, at=at, hash=hash_, answer=answer, doubt=doubt)

    def doubted(self, *, there: bool) -> None:
        """A command without an answer was repeated: it had been written, or it had not."""
        if there:
            self.doubtful_there += 1
        else:
            self.doubtful_gone += 1

    def ended(self, claim: Claim, state: str, why: str) -> None:
        """The command was refused or taken back."""
        claim.state = state
        self.closed.append(claim)
        self._note(ended=claim.key, state=state, why=why)

    def device_told(self, device: str, kind: str, answer: dict[str, Any]) -> None:
        """A controller answered a press."""
        self.told.append((device, kind, compact(answer)))
        self._note(told=device, kind=kind, answer=answer)

    def note(self, **what: Any) -> None:
        """Something else that helps to understand a failure."""
        self._note(**what)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
