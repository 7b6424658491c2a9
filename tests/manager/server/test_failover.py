"""Two servers on one PostgreSQL: one dies or stands still, the other goes on, and nothing is written twice."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest

from tests.manager.floors import DEALER
from tests.manager.server.house import House, built, session
from tests.manager.server.processes import Served
from tests.manager.server.raw import Raw, codes

START = {"kind": "round.start", "table": "T1", "sensors": {"1": [1, 3]}}
END = {"kind": "round.end", "round": "T1-1"}


@pytest.fixture
def house(tmp_path: Path, postgres_url: str) -> House:
    """A property on PostgreSQL."""
    return built(tmp_path, postgres_url)


def command(key: str, do: dict[str, Any]) -> dict[str, Any]:
    return {"command": {"key": key, "actor": DEALER, "session": session(DEALER), "do": do}}


def kinds(house: House) -> list[str]:
    """The kinds of all events of rounds, in order; opening the journal checks the chain."""
    found: list[Any] = []
    with house.open() as manager:
        manager.subscribe(found.extend, after=0)
    return [event.kind for event in found if event.kind.startswith("round.")]


def test_a_round_goes_on_at_the_second_server_when_the_first_is_killed(house: House) -> None:
    with Served(house) as first, Served(house) as second:
        with Raw(first.port) as raw:
            raw.hello()
            started = raw.ask(command("start", START))["answer"]
            first.kill()
        with Raw(second.port) as raw:
            raw.hello()
            # The client does not know whether its last command was carried out, and repeats it under its key.
            again = raw.ask(command("start", START))["answer"]
            assert (again["seq"], again["repeated"]) == (started["seq"], True)
            assert raw.ask(command("end", END))["answer"]["seq"] > started["seq"]
        assert second.end() == 0
    assert kinds(house) == ["round.start", "round.end"]


def test_a_server_that_stood_still_decides_on_what_was_written_meanwhile(house: House) -> None:
    with Served(house) as first, Served(house) as second, Raw(first.port) as old, Raw(second.port) as new:
        old.hello()
        new.hello()
        first.process.send_signal(signal.SIGSTOP)
        # They lie before the frozen server, which answers them when it wakes.
        old.send({"id": 1, **command("start", START)})
        old.send({"id": 2, **command("another start", START)})
        started = new.ask(command("start", START))["answer"]
        first.process.send_signal(signal.SIGCONT)
        answers = {}
        while len(answers) < 2:
            message = old.read()
            assert message
            if message.get("id") in (1, 2):
                answers[message["id"]] = message
        assert (answers[1]["answer"]["seq"], answers[1]["answer"]["repeated"]) == (started["seq"], True)
        assert codes(answers[2]) == ["round-in-play"]
        assert new.ask(command("end", END))["answer"]["seq"] > started["seq"]
        assert (first.end(), second.end()) == (0, 0)
    assert kinds(house) == ["round.start", "round.end"]
