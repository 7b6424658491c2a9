"""An archive that was altered is read by nobody: no search, story, statement, date or proof shows what it says."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import update

from houseway.cli.app import main
from houseway.errors import InputError
from houseway.manager.store import schema
from houseway.manager.store.account_statements import account_statement
from houseway.manager.store.event_proving import prove_award
from houseway.manager.store.event_search import EventQuery, find_events
from houseway.manager.store.export import digest_of_file, write_journal
from houseway.manager.store.history import as_of
from houseway.manager.store.reading import View, open_view
from houseway.manager.store.round_search import RoundQuery, find_rounds
from houseway.manager.store.round_stories import round_story
from tests.manager.audit.play import Played, play
from tests.manager.audit.tampering import forging
from tests.manager.floors import START

READERS: dict[str, Callable[[View, Played, list[Path]], object]] = {
    "rounds": lambda view, _, files: find_rounds(view, RoundQuery(), files),
    "round": lambda view, played, files: round_story(view, played.old_rounds[0], files),
    "events": lambda view, _, files: find_events(view, EventQuery(limit=1000), files),
    "account": lambda view, _, files: account_statement(view, "meter/L1/main", archives=files),
    "date": lambda view, _, files: as_of(view, START + 60_000_000, files),
    "proof": lambda view, played, files: prove_award(view, f"{played.old_rounds[1]}/1", archives=files),
}
"""Everybody who reads archives beside an audit, which names what was altered."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A house with an archived part."""
    folder = tmp_path_factory.mktemp("played")
    return play(f"sqlite:///{folder / 'house.db'}", folder)


def altered(played: Played, folder: Path) -> Path:
    """The archive with another dealer in it."""
    data = gzip.decompress(played.archive.read_bytes())
    changed = data.replace(b'"actor":"Dealer 17"', b'"actor":"Dealer 18"')
    assert changed != data
    path = folder / "old.jsonl"
    path.write_bytes(changed)
    return path


def refused(reader: str, played: Played, path: Path) -> str:
    with open_view(played.url) as view, pytest.raises(InputError) as told:
        READERS[reader](view, played, [path])
    assert [fault.code for fault in told.value.faults] == ["wrong-archive"]
    return str(told.value)


@pytest.mark.parametrize("reader", READERS)
def test_an_altered_archive_is_read_by_nobody(reader: str, played: Played, tmp_path: Path) -> None:
    with open_view(played.url) as view:
        assert READERS[reader](view, played, [played.archive]), "the true one is"
    assert "it was altered" in refused(reader, played, altered(played, tmp_path))


def test_the_row_of_a_table_does_not_make_a_forged_archive_good(played: Played, tmp_path: Path) -> None:
    path = altered(played, tmp_path)
    with forging(played) as forger:
        forger.run(update(schema.archives).values(file_digest=digest_of_file(path)))
        with pytest.raises(InputError, match="it was altered"):
            find_rounds(View(forger.connection, "forged"), RoundQuery(), [path])


def test_what_was_never_archived_or_elsewhere_is_no_archive(played: Played, tmp_path: Path) -> None:
    export, other = tmp_path / "export.jsonl", play(f"sqlite:///{tmp_path / 'house.db'}", tmp_path)
    with open_view(played.url) as view:
        write_journal(view, export, {}, view.bounds()[0])
    assert "records no archive" in refused("rounds", played, export)
    assert "another journal" in refused("rounds", played, other.archive)


def test_the_command_line_shows_nothing_of_an_altered_archive(
    played: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = altered(played, tmp_path)
    database = played.url.removeprefix("sqlite:///")
    moment = datetime.fromtimestamp(START / 1e6 + 60, UTC).astimezone()
    for command in (
        ["rounds"],
        ["events"],
        ["round", played.old_rounds[0]],
        ["account", "meter/L1/main"],
        ["as-of", moment.strftime("%Y-%m-%dT%H:%M")],
    ):
        code = main(["audit", *command, "--archive", str(path), "--database", database])
        told = capsys.readouterr()
        assert (code, told.out) == (2, ""), command
        assert "wrong-archive" in told.err
