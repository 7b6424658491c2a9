"""The long mode: seeds from one to another on several processes, stopped and gone on with, failures printed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from instruments.simulator import Failure, Report, long_mode


def test_a_range_of_seeds_runs_and_goes_on_where_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = str(tmp_path / "state.json")
    options = ["--state", state, "--processes", "2", "--steps", "5"]
    assert long_mode.main(["--to", "25", *options]) == 0
    assert "25 seeds, " in capsys.readouterr().out
    assert long_mode.main(["--to", "45", *options]) == 0
    told = capsys.readouterr()
    assert "going on after 25 seeds" in told.err
    assert "0 seeds failed" in told.out
    kept = json.loads(Path(state).read_text("utf-8"))
    assert (kept["seeds"], kept["below"], kept["beyond"]) == (45, 45, [])


def test_what_is_finished_is_not_run_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    progress = long_mode.Progress(0, 5, 0)
    progress.finish(range(20, 40), Report(seeds=20))
    assert progress.below == 0
    assert list(progress.chunks(60)) == [range(20), range(40, 60)]
    progress.finish(range(10), Report(seeds=10, failures=[Failure(3, "why")]))
    assert list(progress.chunks(45)) == [range(10, 20), range(40, 45)]
    progress.finish(range(10, 20), Report(seeds=10))
    assert progress.below == 40
    progress.save(tmp_path / "state.json")
    again = long_mode.Progress.load(tmp_path / "state.json")
    assert (again.below, again.report.seeds, again.report.failures) == (40, 40, [Failure(3, "why")])
    assert long_mode.main(["--to", "40", "--steps", "5", "--state", str(tmp_path / "state.json")]) == 1
    assert "seed 3 failed (scripts/simulate-floor --seed 3): why" in capsys.readouterr().out


def test_one_seed_is_told_command_by_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert long_mode.main(["--seed", "4", "--steps", "10"]) == 0
    told = capsys.readouterr().out
    assert '"kind": "property.create"' in told
    assert "seed 4 is fine; the journal ends with " in told


@pytest.mark.parametrize("arguments", [[], ["--to", "5", "--processes", "0"], ["--seed", "x"]])
def test_bad_options_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        long_mode.main(arguments)
    assert caught.value.code == 2
    assert "error:" in capsys.readouterr().err


def test_a_file_that_is_no_state_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = tmp_path / "state.json"
    state.write_text("something else", "utf-8")
    with pytest.raises(SystemExit) as caught:
        long_mode.main(["--to", "5", "--state", str(state)])
    assert caught.value.code == 2
    assert "is not a state of this program" in capsys.readouterr().err
    assert state.read_text("utf-8") == "something else"


def test_a_failed_seed_is_printed_with_the_way_to_see_it_again() -> None:
    report = Report(seeds=2, failures=[Failure(17, "CheckError: seed 17, step 3: something")])
    assert "scripts/simulate-floor --seed 17" in str(report)
