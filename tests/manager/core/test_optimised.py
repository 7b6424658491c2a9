"""`python -O` leaves asserts out: the ledger and the handlers refuse the same transfers there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
TESTED = (
    "tests/manager/core/test_ledger.py",
    "tests/manager/rounds/test_awards.py",
    "tests/manager/rounds/test_seed_money.py",
    "tests/manager/rounds/test_slips.py",
    "tests/manager/rounds/test_take_back.py",
    "tests/manager/links/test_adjustments.py",
)


def optimised(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest under `python -O`; it rewrites the asserts of test modules, so that those are still carried out."""
    command = [sys.executable, "-O", "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"]
    ignored = ["-W", "ignore::pytest.PytestConfigWarning"]
    return subprocess.run([*command, *ignored, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def test_ledger_and_handlers_hold_under_python_o() -> None:
    done = optimised(*TESTED)
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
