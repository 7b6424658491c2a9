"""Coverage is measured over everything but what numba compiles, and told by package."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from tests.packaging.lockfile import ROOT

SCRIPT = ROOT / "scripts" / "show-coverage"


def shown(content: object, folder: Path) -> list[list[str]]:
    file = folder / "coverage.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    done = subprocess.run([sys.executable, SCRIPT, file], capture_output=True, text=True, check=True)
    return [line.split() for line in done.stdout.splitlines()[1:]]


def test_only_modules_that_numba_compiles_are_left_out() -> None:
    script = (ROOT / "scripts" / "test").read_text(encoding="utf-8")
    found = re.search(r"(?m)^compiled=\$\((.*)\)$", script)
    assert found is not None
    done = subprocess.run(["bash", "-c", found[1]], cwd=ROOT, capture_output=True, text=True, check=True)
    left_out = done.stdout.strip().split(",")
    assert "src/houseway/ranking/rank_kernels.py" in left_out
    for path in (ROOT / "src").rglob("*.py"):
        names = {node.id for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Name)}
        compiles = "njit" in names and path.name != "jit.py"
        assert not compiles or path.relative_to(ROOT).as_posix() in left_out, path


def test_shares_are_told_by_package_and_together(tmp_path: Path) -> None:
    def lines(ran: int, missed: int) -> dict[str, list[int]]:
        return {"executed_lines": list(range(ran)), "missing_lines": list(range(missed))}

    files = {
        "src/houseway/errors.py": lines(3, 0),
        "src/houseway/cards/card.py": lines(9, 1),
        "src/houseway/cards/modes.py": lines(8, 2),
        "src/houseway/manager/store/sql.py": lines(1999, 1),
        "src/houseway/manager/store/migrations/env.py": lines(0, 0),
        "src/houseway/manager/core/money.py": lines(0, 5),
    }
    assert shown({"files": files}, tmp_path) == [
        ["(top)", "3", "0", "100.0%"],
        ["cards", "20", "3", "85.0%"],
        ["manager/core", "5", "5", "0.0%"],
        ["manager/store", "2,000", "1", "99.9%"],
        ["total", "2,028", "9", "99.5%"],
    ]


def test_a_measured_run_sees_the_lines_of_its_workers_and_passes_failures_on(tmp_path: Path) -> None:
    test = tmp_path / "test_sample.py"
    test.write_text(
        "from houseway.cards import parse_card\n\n\n"
        "def test_reading():\n    assert str(parse_card('Ks')) == 'Ks'\n\n\n"
        "def test_failing():\n    assert not parse_card('Ks')\n"
    )
    # This run may be measured itself.
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("SLIPCOVER", "PYTEST"))}
    measured = ["--source", "src/houseway/cards", "--out", tmp_path / "out.json"]
    command = [sys.executable, "-m", "slipcover", *measured, "-m", "pytest"]
    options = ["-W", "ignore::pytest.PytestAssertRewriteWarning", "-q", "-n", "1", "-c", ROOT / "pyproject.toml"]
    done = subprocess.run([*command, *options, test], cwd=ROOT, env=plain, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed, 1 passed" in done.stdout
    files = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["files"]
    assert len(files["src/houseway/cards/card.py"]["executed_lines"]) > 20
    assert len(files["src/houseway/cards/deckcheck.py"]["missing_lines"]) > 5, "what no test imports counts too"
