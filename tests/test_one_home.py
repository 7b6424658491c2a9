"""What every layer needs stands once: the handler of SIGTERM, and amounts of money in words."""

from __future__ import annotations

import ast
import signal
from pathlib import Path

import houseway
from houseway import wording
from houseway.errors import terminate
from houseway.manager.core import money
from houseway.odds.running import executors


def test_whoever_ends_by_sigterm_does_so_in_one_way() -> None:
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        with executors._orderly_end():
            assert signal.getsignal(signal.SIGTERM) is terminate
    finally:
        signal.signal(signal.SIGTERM, before)
    folder = Path(houseway.__file__).parent
    raising = [path for path in folder.rglob("*.py") if "raise TerminatedError" in path.read_text("utf-8")]
    assert [path.name for path in raising] == ["errors.py"]


def test_amounts_are_put_into_words_in_one_place() -> None:
    assert money.dollars is wording.micro_dollars
    folder = Path(houseway.__file__).parent
    defining = [
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name in ("dollars", "micro_dollars")
    ]
    assert defining == ["wording.py", "wording.py"]
    for cents in (0, 5, -5, 123_450, -(10**9)):
        assert wording.dollars(cents) == money.dollars(money.micros(cents))
