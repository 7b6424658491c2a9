"""Runs the command inside the test process or as a process of its own, and keeps what it printed."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from typing import Any
from unittest import mock

from houseway.cli import main

OWN_WAY = 'id = "own"\ntitle = "Our way"\nsource = "house procedures"\nextends = "foxwoods"\n'
"""A room's own house way that changes nothing."""


@dataclass(frozen=True)
class Run:
    """How a run ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON value on standard output."""
        assert self.out.count("\n") == 1, f"expected one line, got {self.out!r}, {self.err!r}"
        return json.loads(self.out)

    @property
    def json_lines(self) -> list[Any]:
        """The JSON values on standard output, one a line."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def codes(self) -> list[str]:
        """The fault codes of the error envelope."""
        return [fault["code"] for fault in self.json["error"]["faults"]]

    @property
    def faults(self) -> list[tuple[str, str]]:
        """Code and path of every fault of the error envelope."""
        return [(fault["code"], fault["path"]) for fault in self.json["error"]["faults"]]


def call(*arguments: str, stdin: bytes = b"") -> Run:
    """Run the command in this process."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    source = io.TextIOWrapper(io.BytesIO(stdin))
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        mock.patch.object(sys, "stdin", source),
        mock.patch.dict(os.environ),
    ):
        # Text is as wide as without a terminal, whatever runs the tests.
        os.environ.pop("COLUMNS", None)
        code = main(arguments)
    run = Run(code, _written(out), _written(err))
    if leak := _leak(run, " ".join(arguments) + stdin.decode("utf-8", "replace")):
        raise AssertionError(f"Python shows through in {' '.join(arguments)[:200]}: {leak}")
    return run


_PYTHON = r"\('|\['|\{'|<\w+\.\w+: |<[\w.]+ object|Fraction\(|frozenset|dict_keys|\bNone\b|\bTrue\b"
_LEAK = re.compile(rf".{{0,60}}({_PYTHON}).{{0,60}}")
"""How Python would write its own values: tuples, enums, objects, None. None of it belongs into a message."""


def _leak(run: Run, given: str) -> str | None:
    """A message that shows Python's own way to write a value, unless somebody typed it."""
    for text in (run.err, run.out):
        found = _LEAK.search(text)
        # What was typed is shown in quotation marks.
        if found is not None and found[1].rstrip("'") not in given:
            return found[0]
    return None


def _written(stream: io.TextIOWrapper) -> str:
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8")


def spawn(*arguments: str, stdin: bytes = b"", **variables: str) -> Run:
    """Run the command as a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "houseway", *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        env={**{name: value for name, value in os.environ.items() if name != "COLUMNS"}, **variables},
    )
    return Run(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))
