"""A journal grows out of what its anchor saw, or it is not the journal any more: another copy was played on.

Whoever has a copy of the database and the keys can play it on elsewhere, and put it in place of the journal; every
signature in it is true. The anchor tells: a journal that continues the one that the anchor has seen has the very event,
with the same hash, under the anchor's number. So no anchor is raised, and nothing signed, copied or reported, over a
journal that has another one there.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from houseway.manager.store.marks import Mark, read_anchor, write_anchor
from houseway.manager.store.reading import View
from houseway.manager.store.store_errors import JournalDamagedError
from houseway.manager.store.trust import Trust

HashAt = Callable[[int], str | None]
"""The hash of the event with a number, also of one that was archived; None if the journal has none there."""
_LOCK: Final = "anchor.lock"


def check_grown(anchor: Mark, hash_at: HashAt) -> None:
    """`JournalDamagedError` unless a journal has the event that an anchor saw, which was read before the journal."""
    found = hash_at(anchor.seq)
    if found is None:
        what = (
            f"the anchor saw event {anchor.seq}, which this journal does not have: its end was cut off, or another "
            "copy of it was played on"
        )
        raise JournalDamagedError(f"events[{anchor.seq}]", what)
    if found != anchor.hash:
        what = (
            f"the anchor saw another event {anchor.seq}, with the hash {anchor.hash}: two copies of the journal were "
            "played on, and this is not the one that the anchor saw"
        )
        raise JournalDamagedError(f"events[{anchor.seq}]", what)


def refuse_forked(view: View, trust: Trust, *, part: bool = False) -> None:
    """Refuse a journal that lacks what an anchor of those trusted saw.

    The anchors must have been read before the view was opened. With `part` the journal may end before them. What is on
    record as lost does not count here: that record may be part of a fork itself, and only an audit weighs it.
    """
    last = view.bounds()[1]
    for anchor in trust.anchors:
        if anchor.seq <= last or not part:
            check_grown(anchor, view.hash_at)


def raise_anchor(folder: Path, mark: Mark, hash_at: HashAt, own: Mark | None = None) -> None:
    """Note how far a journal has come, unless the anchor says that it had come further: it never goes back.

    `JournalDamagedError` if the journal did not grow out of what the anchor saw; the anchor then stays as it is. `own`
    is what the same process has noted last, which its journal is known to have.
    """
    with _alone(folder):
        noted = read_anchor(folder)
        if noted is not None and noted not in (own, mark):
            check_grown(noted, lambda seq: mark.hash if seq == mark.seq else hash_at(seq))
        if noted is None or noted.seq < mark.seq:
            write_anchor(folder, mark)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Let one process at a time compare the anchor and write it."""
    handle = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
