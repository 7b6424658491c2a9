"""A key is its sender's own: whoever knows a controller's next keys uses none of them up from another device."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from houseway.manager.commands.round_commands import StartRound
from houseway.manager.controller.outbox import Outbox, OutboxMessage
from tests.manager.controller.table import Table
from tests.manager.floors import DEALER, badge
from tests.manager.server.house import House, built
from tests.manager.server.processes import Served, Wire
from tests.manager.server.raw import Raw
from tests.manager.server.running import recorded

INCIDENT: Final = {"kind": "incident.record", "code": "other", "text": "nothing at all", "known_at": 0}
Thief = Callable[[str], dict[str, Any]]


class Tapped(Wire):
    """A link on which somebody reads the key of every command, and is quicker than the command."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.thief: Thief | None = None
        self.is_cut_by_next = False
        """The next command does not arrive, and the link breaks with it."""
        self.keys: list[str] = []

    def _passes(self, data: bytes) -> bool:
        commands = [json.loads(line) for line in data.splitlines() if b'"command"' in line]
        for message in commands:
            key = message["command"]["key"]
            if self.thief is not None and key not in self.keys:
                self.keys.append(key)
                assert "answer" in self.thief(key)
        if commands and self.is_cut_by_next:
            self.is_cut_by_next = False
            self.cut()
            return False
        return True


@pytest.fixture(scope="module")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> House:
    """The property that every test gets a copy of."""
    return built(tmp_path_factory.mktemp("pattern"))


@pytest.fixture
def served(pattern: House, tmp_path: Path) -> Iterator[Served]:
    """A server; a dealer has swiped in at every table's controller."""
    with Served(pattern.copied(tmp_path / "house")) as found:
        yield found


@pytest.fixture
def wire(served: Served) -> Iterator[Tapped]:
    """The link of T1's controller."""
    found = Tapped(served.port)
    yield found
    found.close()


@pytest.fixture
def table(served: Served, wire: Tapped) -> Iterator[Table]:
    """T1, at the end of that link."""
    with Table(served.house, wire.address) as found:
        found.wait_live()
        yield found


def using(raw: Raw, device: str, do: dict[str, Any]) -> Thief:
    """Who has the secret of a device and sends something harmless under a key of another's."""
    return lambda key: raw.ask({"command": {"key": key, "actor": f"device:{device}", "do": do}})


@pytest.fixture(params=["SVC-1", "C-T2"])
def thief(request: pytest.FixtureRequest, served: Served) -> Iterator[Thief]:
    """A service's secret, with incidents; another table's, with messages that it takes back."""
    withdraw = {"kind": "message.withdraw", "table": "T2", "kind_of": "round.start"}
    with Raw(served.port) as raw:
        raw.hello(request.param)
        yield using(raw, request.param, INCIDENT | {"device": "SVC-1"} if request.param == "SVC-1" else withdraw)


# ---------------------------------------------------------------- another device's secret


def test_presses_are_carried_out_though_another_device_has_used_their_keys(
    table: Table, wire: Tapped, thief: Thief
) -> None:
    wire.thief = thief
    assert table.press("START GAME")["answers"][0]["round"] == "T1-1"
    assert table.press("END GAME")["answers"][0]["round"] == "T1-1"
    assert len(wire.keys) == 2


def test_a_press_in_the_middle_of_a_cut_is_found_out_though_its_key_was_used(
    table: Table, wire: Tapped, thief: Thief
) -> None:
    table.press("START GAME")
    wire.thief, wire.is_cut_by_next = thief, True
    with pytest.raises(Exception, match="manager-away"):
        table.press("END GAME")
    resolved = table.wait("resolved", lambda resolved: True)
    assert (resolved["kind"], resolved["outcome"], resolved["key"]) == ("round.end", "carried-out", wire.keys[0])
    table.wait_live()
    assert table.press("START GAME")["answers"][0]["round"] == "T1-2"


def test_no_used_key_closes_the_reader_for_honest_swipes(
    served: Served, table: Table, wire: Tapped, thief: Thief
) -> None:
    wire.thief = thief
    for _ in range(6):
        table.swipe(badge(DEALER))
    assert len(wire.keys) == 6
    assert recorded(served.house, "system.locked") == []


# ---------------------------------------------------------------- a client's own secret


def test_a_press_whose_key_its_own_device_has_used_is_settled_as_refused(
    served: Served, table: Table, wire: Tapped
) -> None:
    """Who has the controller's secret stops its table for a moment, and the dealer is told; it does not stay so."""
    table.press("START GAME")
    wire.is_cut_by_next = wire.refusing = True
    with pytest.raises(Exception, match="manager-away"):
        table.press("END GAME")
    (entry,) = waiting(table)
    until = time.monotonic() + 10
    while True:
        with Raw(served.port) as raw:
            if "welcome" in raw.hello("C-T1"):
                assert "answer" in using(raw, "C-T1", INCIDENT | {"device": "C-T1"})(entry)
                break
        assert time.monotonic() < until
        time.sleep(0.05)
    table.boot()
    wire.refusing = False
    resolved = table.wait("resolved", lambda resolved: True)
    assert (resolved["kind"], resolved["outcome"]) == ("round.end", "refused")
    table.wait_live()
    assert "another command on record in its place" in table.display["text"]
    assert "key" not in table.display["text"]
    assert table.press("END GAME")["answers"][0]["round"] == "T1-1"


def waiting(table: Table) -> list[str]:
    """The keys of the commands in a controller's outbox; the controller is down meanwhile."""
    table.kill()
    outbox = Outbox.open(table.outbox, table.table, table.secret_file.read_text())
    try:
        return [entry.key for entry in outbox.waiting()]
    finally:
        outbox.close()


# ---------------------------------------------------------------- nobody foresees a key


def test_no_key_of_a_controller_can_be_foreseen(tmp_path: Path) -> None:
    outbox = Outbox.open(tmp_path / "outbox", "T1", "a secret")
    keys = [outbox.add(OutboxMessage("Dealer 17", StartRound("T1")), 0.0).key for _ in range(50)]
    outbox.close()
    ends = [key.rpartition(":")[2] for key in keys]
    assert len(set(ends)) == 50
    assert {len(bytes.fromhex(end)) for end in ends} == {12}
    assert [key.partition(":")[0] for key in keys] == ["T1"] * 50
