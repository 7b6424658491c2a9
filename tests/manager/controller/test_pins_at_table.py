"""Badge and PIN from a reader that types like a keyboard: at the table's controls and at the command line's prompt."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.runner import call
from tests.manager.controller.table import Table
from tests.manager.floors import SUPERVISOR, badge
from tests.manager.server.house import House, secret
from tests.manager.server.processes import Served
from tests.manager.server.test_pins import PIN, set_values


@pytest.fixture(scope="module")
def served(pattern: House, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A property that asks for a PIN at sign-in and at PAY JACKPOT."""
    house = pattern.copied(tmp_path_factory.mktemp("pins") / "house")
    set_values(house, pin_at_pay="on", pin_at_sign_in="on")
    with Served(house) as found:
        yield found


def where(served: Served) -> list[str]:
    file = served.house.folder / "SVC-1.secret"
    file.touch(mode=0o600)
    file.write_text(secret("SVC-1"))
    return ["--manager", served.address, "--device", "SVC-1", "--secret-file", str(file)]


def in_terminal(words: list[str], folder: Path, *answers: tuple[bytes, str]) -> str:
    """What a command prints in a terminal where each question is answered with a line, as a reader types it."""
    mine, theirs = pty.openpty()
    environment = {**os.environ, "XDG_STATE_HOME": str(folder)}
    command = [sys.executable, "-m", "houseway", *words]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    seen, read, until, waiting = b"", 0, time.monotonic() + 60, list(answers)
    while time.monotonic() < until:
        if waiting and waiting[0][0] in seen[read:]:
            read = len(seen)
            os.write(mine, waiting.pop(0)[1].encode() + b"\n")
        if select.select([mine], [], [], 0.05)[0]:
            try:
                seen += os.read(mine, 65536)
            except OSError:
                break
    process.wait(30)
    os.close(mine)
    assert not waiting, seen
    return seen.decode()


def typed(table: Table, text: str) -> dict[str, Any]:
    """What comes of a line that is no message."""
    table._socket.sendall(text.encode() + b"\n")
    return table._until(lambda line: "done" in line or "error" in line, 20.0)


def test_badge_and_pin_at_the_prompt_and_at_the_table(served: Served, tmp_path: Path) -> None:
    at = where(served)
    shown = in_terminal(
        ["staff", "pin", *at],
        tmp_path,
        (b"badge: ", badge(SUPERVISOR)),
        (b"so far", ""),
        (b"new PIN: ", PIN),
        (b"again: ", PIN),
    )
    assert f"the PIN of {SUPERVISOR} is set" in shown
    signed_in = in_terminal(
        ["manager", "do", json.dumps({"kind": "incident.record", "code": "other", "device": "T1", "text": "seen"}),
         "--actor", SUPERVISOR, "--sign-in", "?", *at],
        tmp_path, (b"sign-in: ", badge(SUPERVISOR)), (b"PIN", PIN),
    )  # fmt: skip
    assert "event " in signed_in, signed_in
    for screen in (shown, signed_in):
        assert PIN not in screen
        assert badge(SUPERVISOR) not in screen

    with Table(served.house, served.address) as table:
        table.wait_live()
        table.lay(2)
        table.press("START GAME")
        table.press("HAND", hand="royal-flush", spot=2)
        table.press("HIT JACKPOT")
        table.press("PAY JACKPOT")
        assert table.display["asks"] == "badge"
        assert "error" in typed(table, badge(SUPERVISOR)), "a keypad is no reader: a line of it is a message"
        table.send({"hello": {"protocol": 1, "parts": ["reader", "keypad", "sensors"]}})
        asked = typed(table, badge(SUPERVISOR))
        assert [fault["code"] for fault in asked["error"]["faults"]] == ["pin-needed"]
        display = table.display
        assert (display["asks"], display["keys"]) == ("pin", ["CANCEL"])
        wrong = typed(table, "000000")
        assert [fault["code"] for fault in wrong["error"]["faults"]] == ["badge-refused"]
        assert table.display["asks"] == "pin", "another try"
        assert table.send({"pin": PIN})["answers"][0]["paid_by"] == SUPERVISOR
        assert table.display["asks"] is None
        told = json.dumps(table.seen) + table.log.read_text()
    kept = b"".join(path.read_bytes() for path in served.house.folder.rglob("*") if path.is_file())
    assert PIN not in told
    assert PIN.encode() not in kept, "neither outbox nor journal nor log"


def test_no_pin_stands_on_a_command_line_or_comes_from_elsewhere(served: Served) -> None:
    at = where(served)
    do = json.dumps({"kind": "person.pin", "pin": PIN, "badge": "?"})
    refused = call("manager", "do", do, "--actor", "device:SVC-1", *at)
    assert refused.code == 2
    assert "token-in-command" in refused.err
    assert PIN not in refused.err
    assert "in a terminal" in call("staff", "pin", *at).err
    assert "--manager" in call("staff", "pin", "--database", "x.db", "--keys", "k").err
