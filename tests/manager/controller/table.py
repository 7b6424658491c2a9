"""A table of a real floor: `houseway controller` as a process, and all its devices played by the test."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.manager.server.house import House, secret


class RefusedByControllerError(Exception):
    """The controller refused what a device sent."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(str(error))
        self.faults = error["faults"]
        self.codes = [fault["code"] for fault in error["faults"]]
        self.message = error["faults"][0]["message"]


class Table:
    """The controller of a table and its devices; ends with the `with`."""

    def __init__(self, house: House, address: str, table: str = "T1", *, reporting: bool = True) -> None:
        self.house = house
        self.table = table
        self.address = address
        # A socket's path may have about 100 characters only, so pytest's own folders are too deep.
        self._folder = tempfile.TemporaryDirectory(prefix="hw-")
        self.socket_path = Path(self._folder.name) / "devices"
        self.secret_file = house.folder / f"{table}.secret"
        if not self.secret_file.exists():
            self.secret_file.touch(mode=0o600)
            self.secret_file.write_text(secret(f"C-{table}"))
        self.log = house.folder / f"{table}.log"
        self.seen: list[dict[str, Any]] = []
        """Every line that the controller told its devices."""
        self.last: dict[str, Any] = {}
        self.lying: set[tuple[str, int]] = set()
        """Sensor and seat of every wager that lies there."""
        self.boot(reporting=reporting)

    @property
    def outbox(self) -> Path:
        return self.house.folder / f"{self.table}.outbox"

    def boot(self, *, reporting: bool = True) -> None:
        """Start the process and connect as its devices; the sensors report what lies on them."""
        self.socket_path.unlink(missing_ok=True)
        command = [
            sys.executable, "-m", "houseway", "controller", "--table", self.table, "--manager", self.address,
            "--secret-file", str(self.secret_file), "--devices", f"unix:{self.socket_path}",
            "--outbox", str(self.outbox),
        ]  # fmt: skip
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        until = time.monotonic() + 30
        while True:
            self._socket = socket.socket(socket.AF_UNIX)
            try:
                self._socket.connect(str(self.socket_path))
                break
            except OSError:
                self._socket.close()
                assert self.process.poll() is None, self.log.read_text()
                assert time.monotonic() < until
                time.sleep(0.02)
        self._read = b""
        self._requests = 0
        if reporting:
            self.report()

    def kill(self) -> None:
        """A power cut of the controller."""
        self.process.kill()
        self.process.wait()
        self._socket.close()

    def reboot(self, *, reporting: bool = True) -> None:
        self.kill()
        self.last = {}
        self.boot(reporting=reporting)

    def __enter__(self) -> Table:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.kill()
        self._socket.close()
        self._folder.cleanup()
        if error is not None:
            sys.stderr.write(self.log.read_text())

    # ---------------------------------------------------------------- what the devices do

    def send(self, message: dict[str, Any], seconds: float = 20.0) -> Any:
        """Send a line as a device and wait for what came of it."""
        self._requests += 1
        request = self._requests
        self._socket.sendall(json.dumps({"id": request, **message}).encode() + b"\n")
        answer = self._until(lambda line: line.get("id") == request, seconds)
        if "error" in answer:
            raise RefusedByControllerError(answer["error"])
        self._note_wagers(message)
        return answer["done"]

    def report(self) -> None:
        """The sensors report everything that lies on them."""
        lying = {name: sorted(seat for one, seat in self.lying if one == name) for name, _ in sorted(self.lying)}
        self.send({"sensors": lying})

    def press(self, key: str, **fields: Any) -> Any:
        """Press a key."""
        return self.send({"key": key, **fields})

    def swipe(self, token: str) -> Any:
        return self.send({"badge": token})

    def lay(self, *seats: int, sensor: str = "1") -> None:
        """Lay wagers on sensors, and wait until they light."""
        for seat in seats:
            self.send({"sensor": {"sensor": sensor, "seat": seat, "on": True}})
        self.wait("lights", lambda lit: set(seats) <= set(lit.get(sensor, ())))
        # The light comes with the news; let the controller's own question be answered too.
        self.look(0.2)

    def take_up(self, *seats: int, sensor: str = "1") -> None:
        """Take wagers off the sensors, as the dealer does after START GAME."""
        for seat in seats:
            self.send({"sensor": {"sensor": sensor, "seat": seat, "on": False}})

    def _note_wagers(self, message: dict[str, Any]) -> None:
        """Keep in mind what lies on the sensors, for the report after a restart."""
        if "key" in message:
            return
        if "sensors" in message:
            self.lying = {(sensor, seat) for sensor, seats in message["sensors"].items() for seat in seats}
        elif "sensor" in message:
            place = (message["sensor"]["sensor"], message["sensor"]["seat"])
            self.lying = self.lying | {place} if message["sensor"]["on"] else self.lying - {place}

    # ---------------------------------------------------------------- what they are told

    def wait(self, what: str, fits: Callable[[Any], bool], seconds: float = 15.0) -> Any:
        """Wait until something is shown that fits."""
        if what in self.last and fits(self.last[what]):
            return self.last[what]
        return self._until(lambda line: what in line and fits(line[what]), seconds)[what]

    def wait_live(self, seconds: float = 15.0) -> None:
        self.wait("sign", lambda sign: sign["state"] in {"live", "pending"}, seconds)

    def look(self, seconds: float = 0.0) -> None:
        """Read what has come, and what comes in so many seconds."""
        try:
            self._until(lambda line: False, seconds)
        except TimeoutError:
            return

    @property
    def sign(self) -> dict[str, Any]:
        self.look()
        return dict(self.last["sign"])

    @property
    def display(self) -> dict[str, Any]:
        self.look()
        return dict(self.last["display"])

    def _until(self, fits: Callable[[dict[str, Any]], bool], seconds: float) -> dict[str, Any]:
        until = time.monotonic() + seconds
        while True:
            while b"\n" in self._read:
                line, _, self._read = self._read.partition(b"\n")
                message = json.loads(line)
                self.seen.append(message)
                if "id" not in message:
                    self.last.update(message)
                if fits(message):
                    return message
            left = until - time.monotonic()
            self._socket.settimeout(max(left, 0.001))
            try:
                data = self._socket.recv(65536)
            except TimeoutError:
                if left <= 0:
                    raise
                continue
            if not data:
                raise ConnectionError("the controller is gone")
            self._read += data
