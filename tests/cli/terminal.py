"""A program at a terminal of its own: what it asks is waited for, what is answered is typed."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self


class TypedProgram:
    """`houseway` with a person at the keyboard."""

    def __init__(self, *words: str, cwd: Path, environment: dict[str, str] | None = None) -> None:
        """Start it."""
        ours, theirs = pty.openpty()
        self._end = ours
        self.said = ""
        self._seen = 0
        self._process = subprocess.Popen(
            [sys.executable, "-m", "houseway", *words], cwd=cwd, stdin=theirs, stdout=theirs, stderr=theirs,
            env={**os.environ, "COLUMNS": "200", **(environment or {})}, start_new_session=True,
        )  # fmt: skip
        os.close(theirs)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._end)

    def _read(self, seconds: float) -> bool:
        if not select.select([self._end], [], [], seconds)[0]:
            return True
        try:
            found = os.read(self._end, 65_536)
        except OSError:
            return False
        self.said += found.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(found)

    def expect(self, *texts: str, seconds: float = 60.0) -> str:
        """Wait for the first of these texts behind what was waited for before; what came."""
        return self.expect_like("|".join(map(re.escape, texts)), seconds)

    def expect_like(self, texts: str, seconds: float = 60.0) -> str:
        """As `expect`, for a pattern."""
        pattern = re.compile(texts, re.MULTILINE)
        until = time.monotonic() + seconds
        while True:
            found = pattern.search(self.said, self._seen)
            if found:
                self._seen = found.end()
                return found[0]
            if time.monotonic() > until or not self._read(0.5):
                raise AssertionError(f"{texts} did not come:\n{self.said}")

    def type(self, text: str) -> None:
        """Type a line."""
        os.write(self._end, f"{text}\n".encode())

    def answer(self, question: str, text: str) -> None:
        """Wait for a question, and answer it."""
        self.expect(question)
        self.type(text)

    def ends(self, seconds: float = 60.0) -> int:
        """Wait for the end; the exit code."""
        until = time.monotonic() + seconds
        while self._read(0.2) and self._process.poll() is None and time.monotonic() < until:
            pass
        while self._read(0.0) and select.select([self._end], [], [], 0.1)[0]:
            pass
        return self._process.wait(max(0.1, until - time.monotonic()))
