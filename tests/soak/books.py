"""Reading a journal's database with plain SQL, past everything that the manager brings along for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg

from houseway.manager.store.sqlite import driver

Query = Callable[[str], Sequence[tuple[Any, ...]]]


class Books:
    """A database that is looked at, never written."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.path = Path(url.removeprefix("sqlite:///")) if url.startswith("sqlite:///") else None

    @contextmanager
    def opened(self) -> Iterator[Query]:
        """One consistent look."""
        if self.path is not None:
            # The connection may be the first after a kill: it then recovers the log itself, which needs writing.
            connection = driver().connect(f"file:{self.path}?mode=rw", uri=True, isolation_level=None, timeout=20)
            with closing(connection):
                connection.execute("PRAGMA query_only = ON")
                connection.execute("BEGIN")
                yield lambda sql: connection.execute(sql).fetchall()
            return
        with psycopg.connect(self.url, autocommit=True) as other:
            other.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield lambda sql: other.execute(sql.encode()).fetchall()
            other.execute("ROLLBACK")


class CommitWatch:
    """Tells the moment at which somebody has committed: for killing a server between its commit and its answer."""

    def __init__(self, url: str) -> None:
        books = Books(url)
        self._sqlite = None
        self._postgres = None
        if books.path is not None:
            self._sqlite = driver().connect(
                f"file:{books.path}?mode=rw", uri=True, isolation_level=None, check_same_thread=False
            )
            self._known = self._version()
        else:
            self._postgres = psycopg.connect(url, autocommit=True)
            self._postgres.execute("LISTEN houseway_events")

    def _version(self) -> int:
        assert self._sqlite is not None
        return int(self._sqlite.execute("PRAGMA data_version").fetchone()[0])

    def wait(self, until: Callable[[], bool]) -> bool:
        """Wait for the next commit; false when there was none in time."""
        while not until():
            if self._postgres is not None:
                if any(True for _ in self._postgres.notifies(timeout=0.1, stop_after=1)):
                    return True
            elif (version := self._version()) != self._known:
                self._known = version
                return True
        return False

    def close(self) -> None:
        """Let the database go."""
        for connection in (self._sqlite, self._postgres):
            if connection is not None:
                connection.close()
