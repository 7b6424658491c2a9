"""Seeds of open rounds in memory, read from the store only when a decision asks for one.

Other processes seal and reveal seeds too, and events never carry them. After their events were followed, what is known
here may be old: it is read anew at the next question, and not at every event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping


class OpenSeeds(MutableMapping[str, bytes]):
    """Seeds by round id; `forget` makes the next use read them again."""

    def __init__(self, read: Callable[[], dict[str, bytes]]) -> None:
        """Read by this function when they are first asked for."""
        self._read = read
        self._known: dict[str, bytes] | None = None

    def forget(self) -> None:
        """What is known may be old."""
        self._known = None

    def ready(self) -> None:
        """Read them now, if that is still to be done."""
        self._seeds()

    def _seeds(self) -> dict[str, bytes]:
        if self._known is None:
            self._known = self._read()
        return self._known

    def __getitem__(self, round_id: str) -> bytes:
        return self._seeds()[round_id]

    def __setitem__(self, round_id: str, seed: bytes) -> None:
        self._seeds()[round_id] = seed

    def __delitem__(self, round_id: str) -> None:
        del self._seeds()[round_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._seeds())

    def __len__(self) -> int:
        return len(self._seeds())

    def __repr__(self) -> str:
        """Never the seeds themselves: a representation ends up in logs."""
        return "<OpenSeeds>"
