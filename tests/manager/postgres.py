"""A real PostgreSQL for tests: its own folder, a socket and no network, gone when the tests are done."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from itertools import count
from pathlib import Path

import psycopg

from houseway.manager.store import migrations

_SETTINGS = {
    "listen_addresses": "",
    "shared_buffers": "32MB",
    "max_connections": "200",
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "logging_collector": "off",
}
"""Tests kill processes, never the machine: what a process has written survives without fsync."""


def programs() -> Path:
    """The folder of initdb and postgres."""
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        if (folder / "initdb").exists():
            return folder
    found = shutil.which("initdb")
    assert found is not None, "tests of the stores need PostgreSQL's server programs: apt-get install postgresql"
    return Path(found).resolve().parent


def _base(*, durable: bool) -> str | None:
    """Where the data lies: in memory if there is room, since tests make many databases; on a disk if it counts."""
    memory = Path("/dev/shm")
    if durable or not os.access(memory, os.W_OK) or shutil.disk_usage(memory).free < 2**31:
        return None
    return str(memory)


class PostgresServer:
    """One server. `kill` ends it as a power cut would, `start` brings it back on the same data."""

    def __init__(self, *, own_session: bool = False, **settings: str) -> None:
        """Start it; in a session of its own, Ctrl-C in a terminal does not reach it."""
        # A socket's path may have about 100 characters only, so pytest's own folders are too deep.
        self.folder = Path(tempfile.mkdtemp(prefix="hw-pg-", dir=_base(durable=settings.get("fsync") == "on")))
        self._user: dict[str, str] = {"user": "postgres"} if os.geteuid() == 0 else {}
        self._name = "postgres" if self._user else pwd.getpwuid(os.geteuid()).pw_name
        if self._user:
            owner = pwd.getpwnam("postgres")
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
        self._settings = _SETTINGS | settings
        self._own_session = own_session
        self._numbers = count(1)
        self._template: str | None = None
        self._process: subprocess.Popen[bytes] | None = None
        options = ["--no-sync", "--auth=trust", "--locale=C", "--encoding=UTF8", "--no-instructions"]
        self._run([str(programs() / "initdb"), "-D", str(self.folder / "data"), "-U", self._name, *options])
        self.start()

    def _run(self, command: list[str]) -> None:
        subprocess.run(command, check=True, cwd="/", stdout=subprocess.DEVNULL, **self._user)  # type: ignore[call-overload]

    def start(self) -> None:
        """Start the server and wait until it answers."""
        settings = [part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")]
        command = [str(programs() / "postgres"), "-D", str(self.folder / "data"), "-k", str(self.folder), *settings]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(  # type: ignore[call-overload]
                command, cwd="/", stdout=log, stderr=log, start_new_session=self._own_session, **self._user
            )
        deadline = time.monotonic() + 60
        while True:
            try:
                psycopg.connect(self.url("postgres")).close()
            except psycopg.OperationalError:
                assert self._process.poll() is None, (self.folder / "log").read_text()
                assert time.monotonic() < deadline, (self.folder / "log").read_text()
                time.sleep(0.02)
            else:
                return

    def kill(self) -> None:
        """End the server at once, without a chance to tidy up, and wait until every part of it is gone."""
        self._end(signal.SIGQUIT)

    def stop(self) -> None:
        """Stop the server and throw its folder away; so there is nothing to tidy up."""
        self._end(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(timeout=60)
            self._process = None

    def url(self, database: str) -> str:
        """The URL of a database."""
        return f"postgresql://{self._name}@/{database}?host={self.folder}"

    def new_database(self, template: str = "template1") -> str:
        """The URL of a new, empty database."""
        name = f"house{next(self._numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}".encode())
        return self.url(name)

    def drop(self, url: str) -> None:
        """Throw a database away, whoever is still connected: each one takes several megabytes."""
        name = url.split("?", maxsplit=1)[0].rsplit("/", 1)[1]
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())

    def new_journal(self) -> str:
        """The URL of a new database with the tables of a journal; copied, which is quicker than making them."""
        if self._template is None:
            url = self.new_database()
            migrations.upgrade(url)
            self._template = url.split("?")[0].rsplit("/", 1)[1]
        return self.new_database(self._template)
