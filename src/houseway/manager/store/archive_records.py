"""The records of archives, as the state has them: the rows of the table `archives` are held to these.

Up to the highest of these rows the guards let events go. The event that recorded one is archived itself one day, so the
rows cannot be held to the events that are left; the state has all of them, and its digest stands in the chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from houseway.manager.core.floor import Floor
from houseway.manager.store import schema
from houseway.manager.store.projections import Row
from houseway.manager.store.store_errors import JournalDamagedError

_COLUMNS = tuple(column.name for column in schema.archives.columns)


class WrongArchive(NamedTuple):
    """A row of the table `archives` that is not what the state says."""

    up_to: int
    problem: str
    """`altered`, `missing` or `extra`."""
    message: str


def archive_rows(floor: Floor) -> list[Row]:
    """The rows that a state stands for, in the order of their numbers."""
    archives = sorted(floor.archives.values(), key=lambda archive: archive.up_to)
    return [tuple(getattr(archive, name) for name in _COLUMNS) for archive in archives]


def wrong_archives(expected: Iterable[Row], stored: Iterable[Sequence[object]]) -> Iterator[WrongArchive]:
    """Every row that was altered or added, and every record whose row is gone."""
    wanted = {row[0]: row for row in expected}
    for row in map(tuple, stored):
        want = wanted.pop(row[0], None)
        if want is None:
            yield WrongArchive(int(str(row[0])), "extra", "no event records this archive")
        elif row != want:
            pairs = zip(_COLUMNS, row, want, strict=True)
            what = "; ".join(
                f"{name} is {found!r} and must be {must!r}" for name, found, must in pairs if found != must
            )
            yield WrongArchive(want[0], "altered", what)
    for up_to, row in wanted.items():
        yield WrongArchive(up_to, "missing", f"event {row[1]} records this archive")


def check_archives(expected: Iterable[Row], stored: Iterable[Sequence[object]]) -> None:
    """`JournalDamagedError` names the first row that is wrong: by it events could be deleted unseen."""
    for wrong in wrong_archives(expected, stored):
        what = f"the record of an archive is {wrong.problem} ({wrong.message}): the repair makes it again"
        raise JournalDamagedError(f"archives[{wrong.up_to}]", what)
