"""Archives are read only as they were recorded: byte for byte the files that the journal names, or not at all.

Whoever keeps an archive can change it, and nothing in a file protects it but its digest, which the journal had put on
record before the rows left. The record is the one in the state, to which signed events lead, not the row of a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from houseway.errors import InputError
from houseway.manager.store.export import JournalFile, open_journal_file
from houseway.manager.store.reading import View


@contextmanager
def open_archive(view: View, path: Path) -> Iterator[JournalFile]:
    """An archive of the journal that a view reads; refused unless the journal has this very file on record."""
    with open_journal_file(path, "archive") as file:
        header = file.header
        recorded = view.archives_on_record.get(header.last - 1)
        if header.journal != view.journal_id():
            raise _wrong(path, "it is the archive of another journal")
        if recorded is None:
            raise _wrong(path, f"the journal records no archive of the events up to {header.last - 1}")
        if file.digest() != recorded.file_digest:
            what = f"its SHA-256 is not {recorded.file_digest}, which event {recorded.seq} has on record"
            raise _wrong(path, f"{what}: it was altered")
        yield file


def in_order(view: View, paths: Sequence[Path]) -> list[Path]:
    """Archives in the order of their events, each once; refused if one of them is not on record."""
    found: dict[int, Path] = {}
    for path in paths:
        with open_archive(view, path) as file:
            found.setdefault(file.header.first, path)
    return [found[first] for first in sorted(found)]


def _wrong(path: Path, what: str) -> InputError:
    message = (
        f"{path} is not read: {what}. Name the file as it was archived (houseway audit verify --archive tells more)"
    )
    return InputError.of("wrong-archive", "archive", message)
