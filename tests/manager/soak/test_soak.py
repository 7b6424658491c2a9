"""A tenth of the endurance run: servers, databases and controllers killed while a floor plays, and nothing lost."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from houseway.manager.store.sqlite import driver
from tests.manager.postgres import PostgresServer
from tests.soak.books import Books
from tests.soak.check import Checker
from tests.soak.claims import Claims, Failure
from tests.soak.floor import build, tables
from tests.soak.run import main, report, soak
from tests.soak.world import Figures, Size

SEED = 20_260_101
SMALL = Size(direct=8, controlled=2, pace=0.1)


@pytest.fixture
def folder(request: pytest.FixtureRequest) -> Iterator[Path]:
    """A folder with a short path, because sockets lie in it; it stays when the test fails."""
    found = Path(tempfile.mkdtemp(prefix="hw-soak-"))
    failed = request.session.testsfailed
    yield found
    if request.session.testsfailed == failed:
        shutil.rmtree(found)


def run(store: str, kills: int, folder: Path, **more: Any) -> Figures:
    try:
        figures, early = soak(store, kills, folder / "run", SEED, **{"size": SMALL} | more)
    except Exception as error:
        raise AssertionError(f"seed {SEED}, everything is kept in {folder}: {error}") from error
    assert not early
    print(report(figures))
    return figures


def check_figures(figures: Figures) -> None:
    """Something was really played, killed and resumed."""
    found = figures.found
    assert found["rounds"] > 20
    assert found["awards locked"] > 0
    assert found["unanswered, written"] + found["unanswered, not written"] > 0
    assert found["tables found as they were"] >= SMALL.direct * figures.killed // 2
    assert found["controllers cut off"] + found["controllers killed"] > 0


@pytest.mark.slow
def test_ten_kills_on_sqlite_lose_nothing(folder: Path) -> None:
    figures = run("sqlite", 10, folder)
    assert figures.killed >= 10
    assert {"load", "commit", "start", "group", "both"} <= figures.kills.keys()
    check_figures(figures)


@pytest.mark.slow
def test_five_kills_and_a_killed_database_lose_nothing_on_postgres(folder: Path) -> None:
    server = PostgresServer()
    try:
        figures = run("postgres", 5, folder, postgres=server)
    finally:
        server.stop()
    assert figures.killed >= 5
    assert figures.database["quit"] >= 1
    check_figures(figures)


@pytest.mark.slow
def test_a_server_that_answers_before_its_commit_is_found_out(folder: Path) -> None:
    # An answered command that is lost shows itself in the journal, or by what the table can no longer do.
    signs = r"is not in the journal|which is not there|its end is gone|was refused in the state|no record of it"
    with pytest.raises(Failure, match=signs):
        soak("sqlite", 3, folder / "run", SEED, size=Size(8, 0, 0.02), program="tests.soak.sabotage")


# ---------------------------------------------------------------- the check itself


@pytest.fixture
def checked(tmp_path: Path) -> tuple[Checker, Claims, Path]:
    """A small floor that was set up and checked, for a second look after something was done to it."""
    url, keys, planned = f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "keys", tables(3, 0)
    claims = Claims(tmp_path / "claims.jsonl")
    for envelope, answer in build(url, keys, planned):
        claim = claims.sent(envelope.key, envelope.actor, None, msgspec.to_builtins(envelope.do), tokens=False)
        claims.answered(claim, answer.seq, answer.at, answer.hash, answer.answer, doubt=False)
    claims.close()
    checker = Checker(Books(url), keys, claims, planned)
    return checker, claims, tmp_path / "house.db"


def test_a_floor_as_it_was_set_up_passes(checked: tuple[Checker, Claims, Path]) -> None:
    checker, claims, _ = checked
    assert checker.follow(books=True) >= len(claims.acknowledged)
    checker.finish()


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ("DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)", "belong to no event|not in the journal"),
        ("DELETE FROM events WHERE seq = 7", "gap"),
        ("UPDATE events SET actor = 'Dealer 9' WHERE seq = 7", "its leaf"),
        ("DELETE FROM transfers WHERE seq = (SELECT max(seq) FROM transfers)", "its transfers are"),
        ("UPDATE transfers SET debit_balance = debit_balance + 1 WHERE line = 1", "its transfers are"),
        (
            "INSERT INTO transfers VALUES (999999, 1, 'tray/T1', 'house', 5, 'float', 'table:T1', 5, -5)",
            "belong to no event",
        ),
        ("DELETE FROM checkpoints WHERE seq = (SELECT max(seq) FROM checkpoints)", "the last signature"),
        ("DELETE FROM secrets", "sealed seeds"),
    ],
)
def test_a_row_that_is_missing_changed_or_too_many_is_found(
    checked: tuple[Checker, Claims, Path], change: str, finding: str
) -> None:
    checker, _, path = checked
    connection = driver().connect(path)
    connection.execute("PRAGMA foreign_keys = OFF")
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute(change)
    connection.commit()
    connection.close()
    with pytest.raises(Failure, match=finding):
        checker.follow(books=True)


def test_a_claim_that_the_journal_does_not_bear_out_is_found(checked: tuple[Checker, Claims, Path]) -> None:
    checker, claims, _ = checked
    claims.acknowledged[10].answer = b'{"other":1}'
    with pytest.raises(Failure, match="was answered"):
        checker.follow()


def test_a_command_that_the_journal_has_and_nobody_sent_is_found(checked: tuple[Checker, Claims, Path]) -> None:
    checker, claims, _ = checked
    del claims.by_key[list(claims.by_key)[11]]
    with pytest.raises(Failure, match="nobody sent"):
        checker.follow()


def test_a_refused_command_that_is_in_the_journal_is_found(checked: tuple[Checker, Claims, Path]) -> None:
    checker, claims, _ = checked
    claims.closed.append(claims.acknowledged.pop())
    claims.closed[0].state = "refused"
    with pytest.raises(Failure, match="was refused, and is in the journal"):
        checker.follow()


# ---------------------------------------------------------------- the command


@pytest.mark.parametrize(
    "arguments", [["--kills", "0"], ["--minutes", "-1"], ["--store", "paper"], ["--keep", "x" * 90]]
)
def test_what_makes_no_sense_is_refused_before_anything_runs(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2


def test_a_folder_of_an_earlier_run_is_left_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "sqlite").mkdir()
    assert main(["--store", "sqlite", "--kills", "1", "--keep", str(folder)]) == 1
    assert "is there already" in capsys.readouterr().err
    assert list((folder / "sqlite").iterdir()) == []
