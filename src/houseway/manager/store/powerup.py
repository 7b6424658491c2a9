"""Before a journal is served: its tables must be there, its keys the right ones, its end not cut off.

The chain itself is checked by the `Writer` when it reads the state. Whatever is wrong is found again at every start,
until it has been repaired.
"""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from houseway.manager.handlers.registers import fingerprints
from houseway.manager.store import migrations, urls
from houseway.manager.store.anchoring import check_grown
from houseway.manager.store.archived_hashes import hash_at
from houseway.manager.store.keys import Keys
from houseway.manager.store.marks import ANCHOR, Mark, read_anchor
from houseway.manager.store.reading import fingerprints_of
from houseway.manager.store.sql import SqlJournal
from houseway.manager.store.state import JournalState, read_state
from houseway.manager.store.store_errors import JournalDamagedError, StoreRefusedError

_HEADER: Final = b"SQLite format 3\0"


def check_is_database(path: Path) -> None:
    """Refuse a file that never was a database, before SQLite takes it for a damaged one."""
    try:
        with path.open("rb") as file:
            begins = file.read(len(_HEADER))
    except OSError:
        return  # SQLite says why it cannot be opened
    if begins not in (b"", _HEADER):
        message = f"{path} is not a database: name the journal's own file; if this is it, restore the backup"
        raise StoreRefusedError.of("no-journal", "database", message)


def prepare(url: str, keys: Keys, *, create: bool) -> None:
    """See that the journal's tables are there, as this software needs them."""
    anchor = read_anchor(keys.folder)
    path = urls.sqlite_path(url) if urls.is_sqlite(url) else None
    if path is not None:
        check_is_database(path)
    there = (path is None or path.exists()) and migrations.check_revision(url)
    if there:
        return
    if anchor is not None:
        raise StoreRefusedError.of(
            "journal-missing",
            "database",
            f"these keys belong to a journal that had come to event {anchor.seq}, and this database holds none: "
            "name the right database, restore the backup, or take new keys for a new journal",
        )
    if not create:
        raise StoreRefusedError.of("journal-missing", "database", "this database holds no journal: create one first")
    if path is not None and not path.parent.is_dir():
        raise StoreRefusedError.of("journal-missing", "database", f"there is no folder {path.parent}: make it first")
    migrations.upgrade(url)


def look(url: str, keys: Keys) -> JournalState:
    """The state of a journal at rest, with all checks of a start; nothing is written, not even that somebody looked."""
    prepare(url, keys, create=False)
    journal = urls.journal_at(url)
    try:
        journal_id = identify(journal, keys)
        journal.begin()
        try:
            return read_state(journal, keys, journal_id)
        finally:
            journal.rollback()
    finally:
        journal.close()


def identify(journal: SqlJournal, keys: Keys) -> str:
    """The journal's id, given to it once.

    Refused if something foreign stands between the journal and its rows, if the keys or the anchor are another
    journal's, or if the end of the journal is gone.
    """
    journal.begin()
    try:
        journal.check_guards()
        known = journal.meta()
        if not known:
            known = {"journal": secrets.token_hex(16), "keys": keys.check_value()}
            for name, value in known.items():
                journal.note(name, value)
            if journal.meta() != known:
                raise JournalDamagedError("meta", "what was noted about the journal itself is not there")
            journal.commit()
        for name in ("journal", "keys"):
            if name not in known:
                raise JournalDamagedError(f"meta[{name}]", "what is noted about the journal itself is gone")
        _check_starts(journal, known["journal"])
        anchor = read_anchor(keys.folder)
        if known["keys"] != keys.check_value():
            raise StoreRefusedError.of(
                "wrong-keys", "keys", "this journal was begun with other keys: name the folder that holds them"
            )
        if anchor is not None:
            _check_anchor(journal, anchor, known["journal"], keys)
    finally:
        journal.rollback()
    return known["journal"]


def _check_starts(journal: SqlJournal, journal_id: str) -> None:
    """Every start is on record with the journal's id: a copy that was given another name is none."""
    for event in journal.of_kind("system.started"):
        named = fingerprints_of(event).get("journal")
        if named is not None and named != journal_id:
            what = f"it says {journal_id[:64]}, and the start in event {event.seq} has {named[:64]} on record"
            raise JournalDamagedError("meta[journal]", what)


def _check_anchor(journal: SqlJournal, anchor: Mark, journal_id: str, keys: Keys) -> None:
    if anchor.journal != journal_id:
        raise StoreRefusedError.of(
            "wrong-journal", "keys", "these keys belong to another journal: name the database that they were made for"
        )
    if not keys.verifies(anchor.key_id, anchor.signature, anchor.text()):
        message = "it is not signed by these keys: verify the journal with another mark, then remove this file"
        raise StoreRefusedError.of("anchor-damaged", str(keys.folder / ANCHOR), message)
    seq, _ = journal.head()
    if seq < anchor.seq:
        raise JournalDamagedError(
            f"events[{seq + 1}]", f"the journal ends at event {seq}, and it had come to {anchor.seq}: its end is gone"
        )
    check_grown(anchor, lambda seq: hash_at(seq, journal.next_event, journal.kept_leaves))
    if anchor.key_id == keys.key_id:
        # The folder's own key was in force there already, whatever the rows say: no other one has signed since.
        for checkpoint in journal.checkpoints_after(anchor.seq):
            if checkpoint.key_id != keys.key_id:
                what = f"it is signed with the key {checkpoint.key_id[:80]}, and {keys.key_id} is in force"
                raise JournalDamagedError(f"checkpoints[{checkpoint.seq}]", what)


@cache
def _software() -> Mapping[str, str]:
    """The hash of every part of the program as it is installed here: a folder or a file of the package each."""
    parts: defaultdict[str, list[tuple[str, bytes]]] = defaultdict(list)
    for name, content in _contents(files("houseway"), ""):
        parts[name.partition("/")[0]].append((name, content))
    return {part: _fingerprint(of_part) for part, of_part in sorted(parts.items())}


def start_fingerprints() -> dict[str, str]:
    """What is on record of every start, whoever starts: each part of the program, and the rules in force.

    `software/PART` is the hash of all files of a part, so that no change of the program leaves the record as it was;
    `paytables` and `game/GAME` are what approvals and `health` name.
    """
    return {f"software/{part}": value for part, value in _software().items()} | fingerprints()


def _fingerprint(contents: Iterable[tuple[str, bytes]]) -> str:
    total = sha256()
    for name, content in sorted(contents):
        total.update(f"{name}\0{len(content)}\0".encode() + content)
    return total.hexdigest()


def _contents(folder: Traversable, above: str) -> Iterator[tuple[str, bytes]]:
    """The files of a folder with their names; what Python itself makes of them is left out."""
    for entry in folder.iterdir():
        name = f"{above}{entry.name}"
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _contents(entry, f"{name}/")
        elif not entry.name.endswith((".pyc", ".nbi", ".nbc")):
            yield name, entry.read_bytes()
