"""`houseway demo-floor`: plays, hits, pays, reconciles and audits by itself; the same with a folder that is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from houseway.cli.app import main


def test_a_floor_plays_by_itself_and_its_books_are_sound(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    kept = tmp_path / "floor"
    assert main(["demo-floor", "--rounds", "9", "--seed", "5", "--folder", str(kept), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["seed"], told["scenes"]["hit"], told["scenes"]["paid"]) == (5, 1, 1)
    assert told["audit"]["clean"] is True
    assert told["audit"]["rows"]["rounds"] == 9
    assert told["reconciliation"]["agrees"] is True
    tables = told["tables"]
    assert sum(table["rounds"] for table in tables.values()) == 9
    assert told["scenes"]["cards"] == sum(tables[name]["rounds"] for name in ("T2", "T3", "T4"))
    assert all(tables[name]["drop"] >= 5000 * tables[name]["rounds"] for name in ("T2", "T3", "T4"))
    assert tables["T1"]["drop"] == 0, "on the felt only jackpot coins are seen"
    assert tables["T1"]["awards"] > 2_000_000
    # The jackpot was won: its meter restarted from the seed.
    assert 10_000_000_000 < told["meters"]["Fortune"]["main"] < 10_100_000_000
    assert main(["audit", "verify", str(kept / "floor.db"), "--keys", str(kept / "keys")]) == 0
    assert main(["demo-floor", "--folder", str(kept), "--json"]) == 2
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["error"]["faults"][0]["code"] == "folder-in-use"


def test_it_can_be_watched(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "floor"
    assert main(["demo-floor", "--rounds", "4", "--seed", "1", "--pause", "0", "--folder", str(folder)]) == 0
    shown = capsys.readouterr().out
    # What it says about looking further can be done as it stands.
    further = "".join(shown.partition("Look further: houseway ")[2].splitlines())
    assert main([*further.split(), "--json"]) == 0
    assert '"T1-1"' in capsys.readouterr().out
    for words in (
        "opens",
        "locked, needs the executive's badge",
        "plays on",
        "paid by Executive 1",
        "audit chain verifies",
    ):
        assert words in shown
