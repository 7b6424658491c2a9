"""A server with a fault built in, to see that the endurance run finds it: answers go out before their commit.

python -m tests.soak.sabotage manager serve ...
"""

from __future__ import annotations

from typing import Any

from houseway.cli import command
from houseway.manager.store.sqlite import SqliteJournal

_begin, _commit, _rollback = SqliteJournal.begin, SqliteJournal.commit, SqliteJournal.rollback
_late: set[int] = set()


def _begin_after_the_late_one(self: Any) -> None:
    """Commit what was answered long ago, and only then begin."""
    if id(self) in _late:
        _late.discard(id(self))
        _commit(self)
    _begin(self)


def _commit_later(self: Any) -> None:
    _late.add(id(self))


def _rollback_what_is_not_late(self: Any) -> None:
    if id(self) not in _late:
        _rollback(self)


if __name__ == "__main__":
    SqliteJournal.begin = _begin_after_the_late_one  # type: ignore[method-assign]
    SqliteJournal.commit = _commit_later  # type: ignore[method-assign]
    SqliteJournal.rollback = _rollback_what_is_not_late  # type: ignore[method-assign]
    command()
