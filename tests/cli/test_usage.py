"""How a run ends: exit codes, the error envelope, and never a traceback."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from houseway import __version__
from houseway.cli import app, main
from houseway.errors import MissingPartError
from houseway.wording import dollars
from tests.cli.runner import call, spawn


def test_version() -> None:
    run = spawn("--version")
    assert (run.code, run.out) == (0, f"{__version__}\n")


def test_help_lists_every_command() -> None:
    run = spawn("--help")
    assert run.code == 0
    for command in ("games", "clauses", "paytable", "rank", "set", "ways", "deal", "settle", "demo"):
        assert f" {command} " in run.out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["nonsense"], "unknown-command"),
        (["rank", "As", "--nonsense"], "unknown-option"),
        (["settle", "--nonsense"], "unknown-option"),
        (["set"], "missing-argument"),
        (["rank", "As", "--ranking"], "missing-argument"),
        (["settle", "one.json", "two.json"], "bad-argument"),
        (["games", "fortune", "face-up"], "bad-argument"),
        (["rank", "As", "--json=perhaps"], "bad-argument"),
    ],
)
def test_mistakes_in_the_arguments_are_faults(arguments: list[str], code: str) -> None:
    run = call(*arguments, "--json") if "--json=perhaps" not in arguments else call(*arguments)
    assert (run.code, run.codes) == (2, [code])
    assert not run.err


def test_without_json_faults_go_to_standard_error() -> None:
    run = spawn("rank", "Xx")
    assert (run.code, run.out) == (2, "")
    assert "'Xx' is not a card" in run.err
    assert "[bad-card]" in run.err


def test_echoed_input_cannot_steer_the_terminal() -> None:
    run = call("rank", "\x1b[2J")
    assert run.code == 2
    assert "\x1b" not in run.err


def test_a_missing_part_ends_with_3(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacks(card: int) -> int:
        raise MissingPartError("numba is not installed")

    monkeypatch.setattr("houseway.api.hands.value_of_one", lacks)
    run = call("rank", "As", "--json")
    assert (run.code, run.codes) == (3, ["missing-part"])


def test_a_bug_is_told_as_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(card: int) -> int:
        raise ZeroDivisionError("a bug")

    monkeypatch.delenv("HOUSEWAY_TRACEBACK", raising=False)
    monkeypatch.setattr("houseway.api.hands.value_of_one", breaks)
    run = call("rank", "As", "--json")
    assert (run.code, run.codes) == (app.EXIT_INTERNAL, ["internal-error"])
    monkeypatch.setenv("HOUSEWAY_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        call("rank", "As")


def test_a_reader_that_stops_early_is_no_error_message() -> None:
    command = [sys.executable, "-m", "houseway", "clauses", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() in (0, app.EXIT_BROKEN_PIPE)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_told() -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "houseway", "games", "--json"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 3
    assert b"could not be written" in done.stderr
    assert b"Traceback" not in done.stderr


def test_an_interrupt_ends_with_130_and_says_nothing() -> None:
    command = [sys.executable, "-m", "houseway", "settle", "-", "--json"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        # The answer to a first line shows that the command waits for the next one.
        process.stdin.write(b"{}\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith(b'{"line": 1')
        process.send_signal(signal.SIGINT)
        _, told = process.communicate()
    assert (process.returncode, told) == (130, b"")


@pytest.mark.parametrize(
    ("cents", "text"), [(0, "$0.00"), (5, "$0.05"), (123456789, "$1,234,567.89"), (-250, "-$2.50")]
)
def test_amounts_for_people(cents: int, text: str) -> None:
    assert dollars(cents) == text


@pytest.mark.parametrize("arguments", [["games"], ["games", "--json"], ["bogus"], ["rank", "Xx", "--json"]])
def test_a_closed_standard_output_is_told(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    err = io.StringIO()
    monkeypatch.setattr("sys.stdout", None)
    monkeypatch.setattr("sys.stderr", err)
    assert main(arguments) == 3
    assert "standard output is closed" in err.getvalue()
