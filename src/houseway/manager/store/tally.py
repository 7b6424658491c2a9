"""Refused attempts, counted: the first of each kind go on record in full, the rest as a number, and none is lost.

The journal is not for strangers to fill, and a flood must not hide what comes after it. So attempts are told apart by
their source, and within it by what was tried: each has a first few of its own, however many others there were. What is
only counted goes on record with its number when its time is over, or when the process ends.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from msgspec.structs import replace

from houseway.manager.commands.system_commands import AttemptRefused

WINDOW: Final = 600_000_000
"""Microseconds for which attempts of one kind are counted together."""
IN_FULL: Final = 5
"""Attempts of one kind that go on record one by one."""
IN_FULL_OF_SOURCE: Final = 50
"""Attempts of one source that do; a source that tries many kinds is counted for the rest of the time."""
MOST_KINDS: Final = 200
"""Kinds of attempts of one source that are told apart."""
MOST_SOURCES: Final = 1_000
"""Sources that are told apart; more of them can only be strangers at many addresses."""
OTHERS: Final = "*"

Kind = tuple[str, ...]


class _Count(NamedTuple):
    """Attempts of one kind from one source."""

    since: int
    full: int
    more: int
    last: AttemptRefused


class AttemptTally:
    """Counts by source and kind; immutable counts, so that a copy is as cheap as a dictionary."""

    def __init__(self) -> None:
        """Begin with none."""
        self._counts: dict[tuple[str, Kind], _Count] = {}
        self._of_source: dict[str, tuple[int, int]] = {}
        """Kinds and records in full by source."""

    def take(self, source: str, kind: Kind, tried: AttemptRefused, now: int) -> bool:
        """Count an attempt; whether it goes on record in full."""
        source, kind = self._place(source, kind)
        kinds, in_full = self._of_source.get(source, (0, 0))
        count = self._counts.get((source, kind))
        if count is None:
            count, kinds = _Count(now, 0, 0, tried), kinds + 1
        full = count.full < IN_FULL and in_full < IN_FULL_OF_SOURCE
        self._of_source[source] = kinds, in_full + full
        self._counts[source, kind] = _Count(count.since, count.full + full, count.more + (not full), tried)
        return full

    def _place(self, source: str, kind: Kind) -> tuple[str, Kind]:
        """Where an attempt is counted: on its own as long as there is room."""
        if source not in self._of_source and len(self._of_source) >= MOST_SOURCES:
            source = OTHERS
        if (source, kind) not in self._counts and self._of_source.get(source, (0, 0))[0] >= MOST_KINDS:
            kind = (OTHERS,)
        return source, kind

    def is_due(self, now: int) -> bool:
        """Whether the time of some attempts is over."""
        return any(not 0 <= now - count.since < WINDOW for count in self._counts.values())

    def due(self, now: int, *, every: bool = False) -> list[AttemptRefused]:
        """Records of what was only counted and whose time is over, or of everything; they are counted no more."""
        over = [place for place, count in self._counts.items() if every or not 0 <= now - count.since < WINDOW]
        found = []
        for source, kind in over:
            count = self._counts.pop((source, kind))
            kinds, in_full = self._of_source[source]
            self._of_source[source] = kinds - 1, in_full - count.full
            if kinds == 1:
                del self._of_source[source]
            if count.more:
                last = replace(count.last, times=count.more, since=count.since)
                found.append(last if kind != (OTHERS,) else replace(last, actor=OTHERS, kind_of=OTHERS))
        return found

    def copy(self) -> AttemptTally:
        """The same counts, to go back to."""
        other = AttemptTally()
        other._counts, other._of_source = dict(self._counts), dict(self._of_source)
        return other

    def __len__(self) -> int:
        """How many kinds of attempts are counted."""
        return len(self._counts)
