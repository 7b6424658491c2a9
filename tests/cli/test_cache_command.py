"""`houseway cache`: lists, verifies and prunes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest.importorskip("numpy")

import numpy as np

from houseway.odds.running.cache import Cache
from tests.cli.runner import call

pytestmark = pytest.mark.kernels


@pytest.fixture
def filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cache:
    """A cache with a table of two arrays and three parts of a job."""
    monkeypatch.setenv("HOUSEWAY_CACHE", str(tmp_path / "cache"))
    cache = Cache()
    cache.arrays("tables-of-six", {"way": "six-card"}, lambda: {"a": np.arange(5000), "b": np.zeros(3)})
    for number in range(3):
        cache.keep_part("a-job", {"rules": "new"}, number, 2**80 + number)
    return cache


def table_file(cache: Cache) -> Path:
    (path,) = cache.folder.rglob("*.table")
    return path


def test_listing(filled: Cache) -> None:
    listed = call("cache", "--json").json
    assert listed == call("cache", "list", "--json").json
    assert listed["folder"] == str(filled.folder)
    tables, job = listed["entries"]
    assert (tables["kind"], tables["name"], tables["key"]) == ("tables", "tables-of-six", {"way": "six-card"})
    assert tables["bytes"] == table_file(filled).stat().st_size
    assert (job["kind"], job["name"], job["key"], job["parts"]) == ("job", "a-job", {"rules": "new"}, 3)
    assert listed["bytes"] == tables["bytes"] + job["bytes"]
    text = call("cache").out
    for told in ("tables-of-six", "way: six-card", "a-job, 3 parts", "2 entries"):
        assert told in text


def test_an_empty_cache_is_listed_verified_and_pruned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSEWAY_CACHE", str(tmp_path / "none"))
    for action in ("list", "verify", "prune"):
        run = call("cache", action, "--json")
        assert (run.code, run.json["entries"]) == (0, [])
        assert "0 entries" in call("cache", action).out
    assert not (tmp_path / "none").exists()


def test_verifying_finds_damage(filled: Cache) -> None:
    assert call("cache", "verify", "--json").json["damaged"] == []
    assert call("cache", "verify").code == 0
    content = bytearray(table_file(filled).read_bytes())
    content[5000] ^= 1
    table_file(filled).write_bytes(content)
    part = next(filled.folder.rglob("1.json"))
    part.write_text(part.read_text().replace(str(2**80 + 1), str(2**80 + 2)))
    run = call("cache", "verify", "--json")
    assert run.code == 1
    about_table, about_part = run.json["damaged"]
    assert str(table_file(filled)) in about_table
    assert str(part) in about_part
    text = call("cache", "verify")
    assert text.code == 1
    assert "2 damaged" in text.out


def test_a_file_that_cannot_be_read_is_listed_and_pruned(filled: Cache) -> None:
    table_file(filled).write_bytes(b"something else")
    problems = {entry["name"]: entry["problem"] for entry in call("cache", "--json").json["entries"]}
    assert problems["tables-of-six"]
    assert problems["a-job"] is None
    removed = call("cache", "prune", "--json").json
    assert [entry["name"] for entry in removed["entries"]] == ["tables-of-six"]
    assert [entry["name"] for entry in call("cache", "--json").json["entries"]] == ["a-job"]


def test_pruning_by_age_and_everything(filled: Cache) -> None:
    os.utime(table_file(filled), (0, 0))
    dry = call("cache", "prune", "--unused-days", "30", "--dry-run", "--json").json
    assert [entry["name"] for entry in dry["entries"]] == ["tables-of-six"]
    assert dry["removed"] is False
    assert table_file(filled).exists()
    assert call("cache", "prune", "--unused-days", "30").code == 0
    assert [entry["name"] for entry in call("cache", "--json").json["entries"]] == ["a-job"]
    assert call("cache", "prune", "--json").json["entries"] == []
    assert call("cache", "prune", "--all", "--json").json["removed"] is True
    assert call("cache", "--json").json["entries"] == []


def test_using_a_table_makes_it_young(filled: Cache) -> None:
    os.utime(table_file(filled), (0, 0))
    filled.arrays("tables-of-six", {"way": "six-card"}, dict)
    assert call("cache", "prune", "--unused-days", "1", "--json").json["entries"] == []


def test_faults() -> None:
    assert call("cache", "burn", "--json").codes == ["bad-choice"]
    assert call("cache", "list", "--all", "--json").codes == ["conflicting-options"]
    run = call("cache", "prune", "--all", "--unused-days", "soon", "--json")
    assert sorted(run.codes) == ["conflicting-options", "not-an-integer"]
