"""`houseway verify`: the report in every form, its exit codes, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from houseway.cli import writing
from houseway.odds import hand_counts
from tests.cli.runner import call, spawn
from tests.cli.test_startup import HEAVY, imported_by


def test_the_whole_report() -> None:
    run = call("verify", "--json")
    assert run.code == 0
    assert len(run.json["rows"]) == 39
    assert sorted(claim["game"] for claim in run.json["claims"]) == ["face-up", "fortune"]


def test_one_table() -> None:
    run = call("verify", "--paytable", "6CFPGP-1", "--json")
    assert [(row["figure"], row["verdict"]) for row in run.json["rows"]] == [
        ("house_advantage", "discrepancy"),
        ("hit_frequency", "matches"),
    ]
    assert run.json["rows"][0]["exact"] == "14589/409955"
    assert (run.code, run.json["claims"]) == (0, [])


def test_a_table_that_prints_nothing_has_no_rows() -> None:
    assert call("verify", "--paytable", "SCP-LAYOUT", "--json").json["rows"] == []


def test_text_names_every_table_and_the_discrepancies() -> None:
    run = call("verify")
    assert run.code == 0
    told = "12 matches, 10 matches-truncated, 2 discrepancy, 4 depends, 7 no-shipped-way, 4 not-an-edge"
    assert f"39 printed figures: {told}" in " ".join(run.out.split())
    assert "Explained by: two hands drawn independently" in run.out
    assert "12.1291%" in run.out


def test_an_unknown_table_is_bad_input() -> None:
    run = call("verify", "--paytable", "FPGP-5", "--json")
    assert (run.code, run.faults) == (2, [("unknown-paytable", "paytable")])


def test_the_pages_are_written(tmp_path: Path) -> None:
    html, markdown = tmp_path / "report.html", tmp_path / "report.md"
    run = call("verify", "--html", str(html), "--markdown", str(markdown))
    assert run.code == 0
    assert html.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert markdown.read_text(encoding="utf-8").startswith("# Printed figures")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.html", "report.md"]


def test_a_page_that_cannot_be_written_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    run = call("verify", "--html", str(tmp_path / "nowhere" / "report.html"), "--json")
    assert (run.code, run.faults) == (2, [("unwritable-file", "html")])
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_the_old_page(tmp_path: Path) -> None:
    """/dev/full is a disk without room that every Linux has."""
    run = call("verify", "--html", "/dev/full", "--json")
    assert (run.code, run.codes) == (3, ["missing-part"])
    page = tmp_path / "report.html"
    page.write_text("the old page", encoding="utf-8")

    def no_room(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing.os, "fsync", no_room)
        run = call("verify", "--html", str(page), "--json")
    assert (run.code, run.codes) == (3, ["missing-part"])
    assert page.read_text(encoding="utf-8") == "the old page"
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


@pytest.mark.kernels
def test_counting_anew_gives_the_same_report() -> None:
    """The figures of one domain; those that depend on house ways are solved by other tests."""
    shipped, fresh = (
        call("verify", "--paytable", "6CFPGP-1", "--json"),
        call("verify", "--paytable", "6CFPGP-1", "--recompute", "--json"),
    )
    assert fresh.json == shipped.json
    assert fresh.code == 0
    assert "1 domains counted again in" in fresh.err


@pytest.mark.kernels
def test_counting_anew_finds_a_wrong_shipped_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = json.loads(hand_counts.DATA.read_text(encoding="utf-8"))
    shipped["counts"]["6-of-53"]["pair"] -= 1
    shipped["counts"]["6-of-53"]["flush"] += 1
    other = tmp_path / "hand-counts.json"
    other.write_text(json.dumps(shipped), encoding="utf-8")
    monkeypatch.setattr(hand_counts, "DATA", other)
    for kept in (hand_counts._shipped, hand_counts.hand_counts):
        kept.cache_clear()
    try:
        run = call("verify", "--paytable", "6CFPGP-1", "--recompute", "--json")
    finally:
        for kept in (hand_counts._shipped, hand_counts.hand_counts):
            kept.cache_clear()
    assert run.code == 1
    assert "differ from the shipped ones" in run.err
    assert run.json["rows"][0]["exact"] == "14589/409955"


def test_nothing_heavy_is_imported() -> None:
    assert not imported_by(["verify", "--json"]) & HEAVY


def test_a_damaged_data_file_is_told_and_gives_no_figure(tmp_path: Path) -> None:
    folder = tmp_path / "houseway"
    import shutil

    shutil.copytree(Path(hand_counts.__file__).parents[1], folder, ignore=shutil.ignore_patterns("__pycache__"))
    data = folder / "odds" / "data" / "hand-counts.json"
    data.write_bytes(data.read_bytes()[:1000])
    run = spawn("verify", "--json", PYTHONPATH=str(tmp_path))
    assert (run.code, run.codes) == (3, ["missing-part"])
