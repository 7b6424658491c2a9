"""One cache folder and one time zone for a whole test run, shared by its processes: tests never touch the user's own.

What a test wants said at the end of the run, it records as the property `tells`.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
import tempfile
import time
from collections import Counter
from pathlib import Path

import pytest

_VARIABLE = "HOUSEWAY_CACHE"
_folder: list[str] = []


def pytest_configure(config: pytest.Config) -> None:
    """Name a fresh folder before anything runs; workers of a parallel run inherit it."""
    if not hasattr(config, "workerinput"):
        _folder.append(tempfile.mkdtemp(prefix="houseway-tests-"))
        os.environ[_VARIABLE] = _folder[0]
        # Nobody's own desk is where tests send their commands.
        os.environ["XDG_CONFIG_HOME"] = str(Path(_folder[0]) / "config")
    # Times are shown in the time of the place: one place for all tests, and for the processes that they start.
    os.environ["TZ"] = "UTC"
    time.tzset()
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A shell starts what runs in its background deaf to interrupts; tests interrupt the programs that they start.
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that have long tests, so that no worker is left alone with one at the end of a run."""
    long = {item.path for item in items if item.get_closest_marker("slow") or item.get_closest_marker("full")}
    sizes = Counter(item.path for item in items)
    items.sort(key=lambda item: (item.path not in long, -sizes[item.path], str(item.path)))


def pytest_collection_finish() -> None:
    """Ten thousand collected tests stay until the end: whoever looks for garbage need not look at them each time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def pytest_unconfigure() -> None:
    """Tables of seven-card games take a gigabyte: they go when the run ends."""
    for folder in _folder:
        shutil.rmtree(folder, ignore_errors=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests have recorded for the reader, such as how far an exploration came."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in getattr(report, "user_properties", ()):
            if name == "tells" and report.when == "call":
                terminalreporter.write_line(str(value))
