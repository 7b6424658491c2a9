"""`python -O` leaves asserts out: what decides about money has none, and its tests hold there too."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
TESTED = ("tests/manager/core", "tests/manager/rounds", "tests/manager/links")
"""The ledger, rounds with their awards, and links with their meters; those of this file apart."""
WITHOUT_ASSERTS = ("manager", "games", "definitions", "paytables", "amounts.py", "errors.py")
"""Where wagers, awards, meters and accounts are decided."""


def optimised(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest under `python -O`; it rewrites the asserts of test modules, so that those are still carried out."""
    command = [sys.executable, "-O", "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"]
    ignored = ["-W", "ignore::pytest.PytestConfigWarning"]
    return subprocess.run([*command, *ignored, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def left_out(source: str) -> list[int]:
    """The lines of a module that `python -O` leaves out."""
    found = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Assert | ast.Name)]
    return [node.lineno for node in found if isinstance(node, ast.Assert) or node.id == "__debug__"]


def test_what_decides_about_money_has_no_line_that_python_o_leaves_out() -> None:
    places = [ROOT / "src" / "houseway" / name for name in WITHOUT_ASSERTS]
    files = [file for place in places for file in (place.rglob("*.py") if place.is_dir() else [place])]
    assert len(files) > 200
    found = {str(file.relative_to(ROOT)): lines for file in files if (lines := left_out(file.read_text("utf-8")))}
    assert found == {}
    assert sorted(left_out("if __debug__:\n    check()\nassert 1\n")) == [1, 3]


def test_ledger_and_handlers_hold_under_python_o() -> None:
    done = optimised(*TESTED, "--ignore", str(Path(__file__).relative_to(ROOT)))
    assert done.returncode == 0, done.stdout[-3_000:]
    assert " passed" in done.stdout


def test_such_a_run_can_fail(tmp_path: Path) -> None:
    """What is asserted in a test is carried out, while an assert of the product is not: that must not guard money."""
    (tmp_path / "product.py").write_text("def guarded():\n    assert False\n    return 1\n")
    test = tmp_path / "test_canary.py"
    test.write_text(
        "import sys\n\n\ndef test_optimised():\n    assert sys.flags.optimize == 1\n\n\n"
        "def test_product():\n    from product import guarded\n\n    assert guarded() == 1\n\n\n"
        "def test_wrong():\n    assert 1 == 2\n"
    )
    done = optimised("-o", "addopts=", "-o", f"pythonpath={tmp_path}", "--rootdir", str(tmp_path), str(test))
    assert done.returncode == 1
    assert "1 failed, 2 passed" in done.stdout, done.stdout
