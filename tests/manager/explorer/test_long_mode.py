"""The long mode: states and depth are told, a search goes on where it was stopped, a finding can be replayed."""

from __future__ import annotations

import json
import os
import signal
import threading
from pathlib import Path

import pytest

from houseway.manager.core import authority
from instruments.explorer import SCENARIOS, Exploration
from instruments.explorer.long_mode import main
from instruments.explorer.saving import load, save


def test_states_and_depth_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rounds", "--depth", "2", "--folder", str(tmp_path)]) == 0
    search = Exploration(SCENARIOS["rounds"])
    search.run(depth=2)
    told = capsys.readouterr().out
    assert f"rounds: {search.states:,} states, complete to depth 2" in told
    assert f"{search.steps:,} commands tried, {search.refused:,} refused" in told


def test_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rounds", "keys", "--depth", "1", "--json", "--folder", str(tmp_path)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["scenario"] for each in found] == ["rounds", "keys"]
    assert all(each["depth"] == 1 and each["states"] > 1 and each["findings"] == [] for each in found)


def test_a_stopped_search_goes_on_where_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = ["--folder", str(tmp_path)]
    assert main(["changes", "--states", "100", *folder]) == 0
    assert main(["changes", "--depth", "3", *folder]) == 0
    assert "going on after" in capsys.readouterr().err
    whole = Exploration(SCENARIOS["changes"])
    whole.run(depth=3)
    resumed = load(tmp_path / "changes.search")
    assert list(resumed.keys) == list(whole.keys)
    assert (resumed.steps, resumed.refused, resumed.expanded) == (whole.steps, whole.refused, whole.expanded)


def test_an_interruption_keeps_what_was_seen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    assert main(["changes", "house", "--minutes", "5", "--folder", str(tmp_path)]) == 130
    timer.join()
    assert "goes on from here" in capsys.readouterr().err
    kept = load(tmp_path / "changes.search")
    assert kept.states > 1
    kept.run(states=kept.states + 1)
    assert not (tmp_path / "house.search").exists()


@pytest.mark.parametrize("damage", [b"", b"{}\n", b"no search"])
def test_a_file_that_is_no_search_is_not_gone_on_with(
    damage: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rounds.search").write_bytes(damage)
    assert main(["rounds", "--depth", "1", "--folder", str(tmp_path)]) == 0
    assert "beginning again" in capsys.readouterr().err


def test_a_search_of_another_program_is_not_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    search = Exploration(SCENARIOS["rounds"])
    monkeypatch.setattr("instruments.explorer.saving.program", lambda: "another one")
    save(search, tmp_path / "rounds.search")
    monkeypatch.undo()
    assert main(["rounds", "--depth", "1", "--folder", str(tmp_path)]) == 0
    assert "the program has changed" in capsys.readouterr().err


def test_a_finding_can_be_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(authority, "refuse_own_badge", lambda *_: None)
    arguments = ["keys", "--depth", "3", "--folder", str(tmp_path)]
    assert main([*arguments, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)[0]["findings"]
    path = tmp_path / "finding.json"
    path.write_text(json.dumps(found[0]))
    assert main(["--replay", str(path)]) == 1
    assert f"BROKEN {found[0]['rule']}" in capsys.readouterr().out
    assert main(arguments) == 1, "the findings of a kept search are told again"
    assert f"BROKEN {found[0]['rule']}" in capsys.readouterr().out
    monkeypatch.undo()
    assert main(["--replay", str(path)]) == 0
    assert "refused: badge: this badge is" in capsys.readouterr().out


def test_bad_options_say_what_there_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["round"])
    assert "there is no scenario round: choose of rounds" in capsys.readouterr().err
    assert main(["--replay", str(tmp_path / "nothing.json")]) == 2
    assert main(["--list"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(SCENARIOS)
