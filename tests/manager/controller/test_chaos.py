"""Cuts, silence, killed servers and killed controllers at random moments of play: nothing doubled, nothing lost.

The test keeps its own count of what the devices were told was done and compares it with the journal at the end.
"""

from __future__ import annotations

import json
import random
import time
from typing import Any

import pytest

from houseway.manager.core.ledger import account
from tests.manager.controller.table import RefusedByControllerError, Table
from tests.manager.server.house import SEED, House
from tests.manager.server.processes import Served, Wire

SHARE = 200_000
"""Millionths of each wager that go onto the meter."""


class Player:
    """Plays rounds at a table and keeps count of what was said to be done."""

    def __init__(self, table: Table, luck: random.Random) -> None:
        self.table = table
        self.luck = luck
        self.started: set[str] = set()
        self.ended: set[str] = set()
        self.kills = 0

    def play(self) -> None:
        """One press that makes sense, whatever comes of it."""
        table = self.table
        table.look()
        # After a restart the sign speaks first; the display follows a moment later.
        if "display" not in table.last or not table.last.get("sign", {}).get("current"):
            time.sleep(0.05)
            return
        try:
            if "START GAME" in table.last["display"]["keys"]:
                table.send({"sensors": {"1": sorted(self.luck.sample(range(1, 7), self.luck.randint(0, 4)))}})
                self.started.add(table.press("START GAME")["answers"][0]["round"])
            elif "END GAME" in table.last["display"]["keys"] and self.luck.random() < 0.7:
                self.ended.add(table.press("END GAME")["answers"][0]["round"])
            elif "SPOT" in table.last["display"]["keys"]:
                # Twice: on and off again.
                table.press("HAND", spot=self.luck.randint(1, 6), hand="flush")
        except RefusedByControllerError as error:
            if not set(error.codes) <= ALLOWED:
                raise
        self.note_resolved()

    def note_resolved(self) -> None:
        """Take note of what was done without being asked for: presses in the dark, and what a return found out."""
        for line in self.table.seen:
            resolved = line.get("resolved")
            if resolved and resolved["outcome"] == "carried-out":
                self.note(resolved["answer"])
            for answer in line.get("done", {}).get("answers", ()):
                self.note(answer)
        self.table.seen.clear()

    def note(self, answer: dict[str, Any]) -> None:
        if "taken" in answer:
            self.started.add(answer["round"])
        elif "envy" in answer:
            self.ended.add(answer["round"])


ALLOWED = {"manager-away", "sensors-differ", "no-wager", "award-open", "round-in-play", "no-round", "no-such-round"}


def journal(house: House) -> tuple[list[Any], dict[str, int], Any]:
    """Events, balances and the table, read back by a fresh process with all its checks."""
    found: list[Any] = []
    with house.open() as manager:
        manager.subscribe(found.extend, after=0)
        balances, table = manager.view(lambda floor: (dict(floor.balances), floor.tables["T1"]))
    return found, balances, table


def check(house: House, player: Player) -> None:
    """Compare the journal with what was said to be done."""
    events, balances, table = journal(house)
    mine = [event for event in events if event.device == "C-T1"]
    answers = {
        event.key: json.loads(event.body)["answer"] for event in mine if event.kind in {"round.start", "round.end"}
    }
    started = [answers[event.key]["round"] for event in mine if event.kind == "round.start"]
    ended = [answers[event.key]["round"] for event in mine if event.kind == "round.end"]
    assert len(started) == len(set(started)) == table.rounds
    assert len(ended) == len(set(ended))
    # What was said to be done is there.
    assert player.started <= set(started)
    assert player.ended <= set(ended)
    # What nobody was told can only be a press whose controller was killed before it could say so.
    assert len(set(started) - player.started) <= player.kills
    wagers = sum(len(taken["seats"]) for event in mine if event.kind == "round.start"
                 for taken in answers[event.key]["taken"].values())  # fmt: skip
    assert -balances[account("meter", "L1", "main")] == SEED * 10_000 + wagers * SHARE
    assert balances.get(account("drop", "T1"), 0) == wagers * 1_000_000
    assert sum(balances.values()) == 0


def storm(house: House, seed: int, seconds: float) -> int:
    """Play under attack for so long, then in peace, and check; the number of rounds."""
    luck = random.Random(seed)
    served = Served(house)
    wire = Wire(served.port)
    try:
        with Table(house, wire.address) as table:
            table.wait_live()
            player = Player(table, luck)
            until, attack_at = time.monotonic() + seconds, time.monotonic() + 0.5
            while time.monotonic() < until:
                player.play()
                if time.monotonic() >= attack_at:
                    served = attack(luck, wire, player, served)
                    attack_at = time.monotonic() + luck.uniform(0.1, 1.2)
            table.wait_live(30)
            for _ in range(6):
                player.play()
            table.look(0.5)
            player.note_resolved()
        wire.close()
        assert served.end() == 0
        check(house, player)
    finally:
        wire.close()
        if served.process.poll() is None:
            served.kill()
        assert served.process.stdout is not None
        served.process.stdout.close()
    return len(player.started)


def attack(luck: random.Random, wire: Wire, player: Player, served: Served) -> Served:
    """One mishap."""
    table = player.table
    kind = luck.choice(["cut", "cut", "swallow-answers", "swallow-requests", "kill-controller", "kill-server"])
    if kind == "cut":
        wire.cut()
    elif kind.startswith("swallow"):
        setattr(wire, kind.replace("-", "_"), True)
        # A press in the dark.
        table._socket.sendall(json.dumps({"key": luck.choice(["START GAME", "END GAME"])}).encode() + b"\n")
        time.sleep(luck.uniform(0.05, 0.4))
        setattr(wire, kind.replace("-", "_"), False)
        wire.cut()
    elif kind == "kill-controller":
        table._socket.sendall(json.dumps({"key": luck.choice(["START GAME", "END GAME"])}).encode() + b"\n")
        time.sleep(luck.uniform(0.0, 0.03))
        table.look()
        player.note_resolved()
        player.kills += 1
        table.reboot()
    else:
        served.kill()
        served = Served(served.house)
        wire.target = served.port
    return served


@pytest.mark.slow
def test_nothing_is_doubled_or_lost_in_a_storm(house: House) -> None:
    assert storm(house, seed=20, seconds=12) > 5


@pytest.mark.full
@pytest.mark.parametrize("seed", range(10))
def test_nothing_is_doubled_or_lost_in_ten_long_storms(house: House, seed: int) -> None:
    assert storm(house, seed=seed, seconds=60) > 30
