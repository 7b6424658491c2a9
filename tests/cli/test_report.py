"""`houseway report` as people and programs call it, on a database file with six days of play in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from houseway.manager.interface import reporting
from tests.cli.runner import call
from tests.manager.reports.stretch import Stretch, moment, play_stretch


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Stretch:
    folder = tmp_path_factory.mktemp("report")
    return play_stretch(f"sqlite:///{folder / 'house.db'}", folder)


@pytest.fixture(autouse=True)
def database(made: Stretch, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database named by the environment; the clock stands a while after the last day."""
    monkeypatch.setenv("HOUSEWAY_DATABASE", made.url)
    monkeypatch.setattr(reporting, "wall_micros", lambda: moment("2026-12-01T00:00"))


def test_a_report_as_json_and_csv(tmp_path: Path) -> None:
    run = call("report", "jackpots", "--day", "2026-10-30")
    assert run.code == 0
    assert (run.json["head"]["title"], len(run.json["entries"])) == ("Jackpot log", 6)
    target = tmp_path / "log.csv"
    assert call("report", "jackpots", "--day", "2026-10-30", "--format", "csv", "--out", str(target)).out == ""
    assert "entries,T1-5/1,hit,2026-10-30T11:00:07.000-07:00," in target.read_text(encoding="utf-8")


def test_the_last_ended_day_by_default() -> None:
    assert call("report", "pace").json["head"]["first_day"] == "2026-11-03"


def test_several_days() -> None:
    head = call("report", "deposits", "--day", "2026-10-29", "--through", "2026-11-03").json["head"]
    assert (head["first_day"], head["last_day"], head["hours"]) == ("2026-10-29", "2026-11-03", 143)


def test_a_day_that_has_not_ended_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reporting, "wall_micros", lambda: moment("2026-11-03T22:00"))
    run = call("report", "pace", "--day", "2026-11-03")
    assert run.json["head"]["preliminary"] is True
    assert "2026-11-03 has not ended: the report is preliminary" in run.err


def test_keys_of_the_manager(made: Stretch) -> None:
    run = call("report", "seed", "--day", "2026-10-30", "--keys", str(made.keys))
    assert run.json["head"]["signed_by"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["reconcilation", "--day", "2026-10-30"], "is not a report: did you mean reconciliation?"),
        (["pace", "--day", "yesterday"], "'yesterday' is not a date: write it as 2026-01-31"),
        (["pace", "--day", "2020-01-01"], "name a day from 2026-10-29 to 2026-11-03"),
        (["pace", "--through", "2026-10-30"], "name the first one with --day"),
        (["pace", "--format", "docx"], "docx"),
        (["pace", "--database", "no-such-file.db"], "is not there"),
        (["pace", "--reviewed-by", "Nobody"], "Nobody is nobody here"),
        (["pace", "--out", "no-such-folder/report.json"], "cannot be written"),
    ],
)
def test_what_is_refused(words: list[str], says: str) -> None:
    run = call("report", *words)
    assert run.code == 2
    assert says in run.err
    assert run.out == ""


def test_the_list_and_the_schema() -> None:
    listed = call("report", "list", "--json").json
    assert [row["name"] for row in listed] == [*reporting.REPORTS, "books"]
    text = call("report", "list").out
    assert all(row["title"] in text for row in listed)
    assert list(call("report", "schema").json["reports"]) == list(reporting.REPORTS)
    one = call("report", "schema", "slips")
    assert list(json.loads(one.out)["reports"]) == ["slips"]
    assert call("report", "schema", "no").code == 2
