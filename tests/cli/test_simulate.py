"""`houseway simulate`: its figures, its faults, and that it goes on where it was."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numba")

from houseway.games import game, game_ids
from houseway.odds.running.cache import Cache
from houseway.odds.running.executors import InProcessExecutor, LocalProcesses
from houseway.odds.running.jobs import run_job
from houseway.odds.simulation.job import ROUNDS_A_PART, Simulation, default_tables
from tests.cli.runner import call

pytestmark = pytest.mark.kernels

SMALL = ("--rounds", "2000", "--rng-seed", "11", "--workers", "1")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSEWAY_CACHE", str(tmp_path / "cache"))


def rows(report: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {row["wager"]: row for row in report["wagers"]}


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_is_simulated_with_every_wager(game_id: str) -> None:
    run = call("simulate", game_id, *SMALL, "--json")
    assert run.code == 0
    report = run.json
    offered = next(row for row in call("games", "--json").json["games"] if row["id"] == game_id)["wagers"]
    assert [row["wager"] for row in report["wagers"]] == [*(wager["name"] for wager in offered), "all"]
    assert (report["rounds"], report["rng_seed"]) == (2000, 11)
    for row in report["wagers"]:
        assert row["handle"] > 0
        assert row["edge"] == pytest.approx(row["hold"] / row["handle"])
        low, high = row["confidence_95"]
        assert low < row["edge"] < high
        if row["exact_edge"] is None:
            assert high - row["edge"] == pytest.approx(1.959964 * row["standard_error"])
        else:
            assert (low <= row["exact_edge"] <= high) == row["within_limits"]
        numerator, denominator = map(int, row["edge_fraction"].split("/"))
        assert numerator / denominator == row["edge"]
        if row["wager"] != "all":
            assert row["made"] == row["win"] + row["push"] + row["lose"] > 0
            assert row["handle"] == row["made"] * row["stake"]


def test_the_limits_of_hold_lie_around_the_theoretical_one() -> None:
    main = rows(call("simulate", "fortune", *SMALL, "--json").json)["main"]
    assert main["exact_edge"] == pytest.approx(0.02721126, abs=1e-8)
    low, high = main["hold_limits_95"]
    assert main["theoretical_hold"] == round(main["exact_edge"] * main["handle"])
    assert low + high == pytest.approx(2 * main["theoretical_hold"], rel=1e-3)
    assert (high - low) / 2 == pytest.approx(1.959964 * main["standard_error"] * main["handle"], rel=1e-3)
    assert main["within_limits"] == (low <= main["hold"] <= high)


def test_the_same_seed_gives_the_same_report_on_any_number_of_workers() -> None:
    arguments = ("simulate", "six-card-poker", "--rounds", "300000", "--seats", "2", "--rng-seed", "3", "--json")
    one = call(*arguments, "--workers", "1")
    assert one.code == 0
    assert call(*arguments, "--workers", "3").out == one.out


def test_options_change_what_is_played() -> None:
    plain = call("simulate", "fortune", *SMALL, "--json").json
    for option in (
        ("--seats", "3"),
        ("--way", "trump-plaza"),
        ("--paytable", "fortune=FPGP-3"),
        ("--meter", "minor=5"),
        ("--paytable", "fortune=FPGP-3", "--paytable", "progressive=FPGPP-WA07"),
    ):
        run = call("simulate", "fortune", *SMALL, *option, "--json")
        assert run.code == 0
        assert run.json != plain


def test_without_a_seed_one_is_drawn_and_told() -> None:
    first, second = (call("simulate", "face-up", "--rounds", "100", "--workers", "1", "--json").json for _ in range(2))
    assert first["rng_seed"] != second["rng_seed"]
    seed = str(first["rng_seed"])
    again = call("simulate", "face-up", "--rounds", "100", "--workers", "1", "--rng-seed", seed, "--json").json
    assert again == first


def test_the_text_tells_what_the_figures_rest_on() -> None:
    run = call("simulate", "six-card-poker", *SMALL)
    assert run.code == 0
    for told in ("--rng-seed 11", "fold", "contributions are not posted", "95% limits", "aces_up", "SCP-01"):
        assert told in run.out


def test_a_single_round_has_no_error_but_where_the_distribution_is_known() -> None:
    run = call("simulate", "fortune", "--rounds", "1", "--workers", "1", "--json")
    assert run.code == 0
    assert all((row["standard_error"] is None) == (row["exact_edge"] is None) for row in run.json["wagers"])
    assert rows(run.json)["all"]["standard_error"] is None
    assert call("simulate", "fortune", "--rounds", "1", "--workers", "1").code == 0


def test_every_fault_is_told_at_once() -> None:
    run = call(
        "simulate", "fortune", "--rounds", "0", "--seats", "9", "--rng-seed", "-3", "--paytable", "fortune=FPGP-9",
        "--paytable", "fortune=SCP-01", "--paytable", "main=FPGP-1", "--paytable", "nothing", "--way", "six-card",
        "--meter", "moon=1", "--meter", "main=x", "--workers", "0", "--dask", "a:1", "--json",
    )  # fmt: skip
    assert run.code == 2
    assert sorted(run.faults) == sorted(
        [
            ("out-of-range", "workers"),
            ("conflicting-options", "dask"),
            ("unknown-way", "way"),
            ("out-of-range", "rounds"),
            ("out-of-range", "seats"),
            ("out-of-range", "rng_seed"),
            ("unknown-paytable", "paytable"),
            ("wrong-paytable", "paytable"),
            ("unknown-wager", "paytable"),
            ("bad-argument", "paytable"),
            ("no-meter", "meter"),
            ("not-an-integer", "meter"),
        ]
    )


def test_an_unknown_game_and_a_way_where_none_is_played() -> None:
    assert call("simulate", "checkers", "--json").codes == ["unknown-game"]
    assert call("simulate", "six-card-poker", "--way", "foxwoods", "--json").codes == ["no-house-way"]


@pytest.mark.parametrize("option", ["--dask", "--ray"])
def test_an_unreachable_cluster_is_bad_input(option: str) -> None:
    pytest.importorskip("distributed")
    pytest.importorskip("ray")
    run = call("simulate", "fortune", "--rounds", "10", option, "127.0.0.1:1", "--json")
    assert run.code == 2
    assert run.faults == [("unreachable-cluster", option.strip("-"))]


def test_a_cache_that_cannot_be_written_is_a_missing_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("HOUSEWAY_CACHE", str(tmp_path / "file"))
    run = call("simulate", "fortune", *SMALL, "--json")
    assert run.code == 3
    assert run.codes == ["missing-part"]
    assert "HOUSEWAY_CACHE" in run.out


def test_nothing_stays_in_the_cache_when_all_is_done(tmp_path: Path) -> None:
    assert call("simulate", "fortune", *SMALL, "--json").code == 0
    assert json.loads(call("cache", "--json").out)["entries"] == []
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


@pytest.mark.slow
def test_a_run_that_is_told_to_end_leaves_nothing_behind(tmp_path: Path) -> None:
    """Neither workers nor semaphores, of which Python would warn: it ends as after Ctrl-C, however often it is told."""
    arguments = ("simulate", "six-card-poker", "--rounds", str(400 * ROUNDS_A_PART), "--seats", "1", "--rng-seed", "9")
    process = subprocess.Popen(
        [sys.executable, "-m", "houseway", *arguments, "--workers", "2", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    kept = tmp_path / "cache" / "jobs"
    for _ in range(6000):
        if len(list(kept.glob("*/*.json"))) >= 2:
            break
        time.sleep(0.01)
    for _ in range(2000):
        process.send_signal(signal.SIGTERM)
        if process.poll() is not None:
            break
        time.sleep(0.005)
    # The tracker that would warn holds standard error open until it is done.
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (143, "")
    assert "leaked" not in err
    assert "--rng-seed 9 goes on" in err


@pytest.mark.slow
def test_an_interrupted_run_tells_how_to_go_on_and_does(tmp_path: Path) -> None:
    parts = 40
    rounds = str(parts * ROUNDS_A_PART)
    arguments = ("simulate", "six-card-poker", "--rounds", rounds, "--seats", "1", "--rng-seed", "9", "--workers", "1")
    process = subprocess.Popen(
        [sys.executable, "-m", "houseway", *arguments, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    kept = tmp_path / "cache" / "jobs"
    for _ in range(6000):
        if len(list(kept.glob("*/*.json"))) >= 2:
            break
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert "--rng-seed 9 goes on" in err
    done = len(list(kept.glob("*/*.json")))
    assert 2 <= done < parts
    steps: list[tuple[int, int]] = []
    simulation = Simulation(
        "six-card-poker", int(rounds), 1, 9, tuple(default_tables(game("six-card-poker")).items()), None
    )
    resumed = run_job(
        simulation,
        executor=InProcessExecutor(),
        cache=Cache(),
        progress=lambda done, parts: steps.append((done, parts)),
    )
    assert steps[0] == (done, parts)
    assert resumed == run_job(simulation, executor=LocalProcesses(2), cache=None)
