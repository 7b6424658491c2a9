"""Every example runs as a user runs it, and prints what lies in examples/output."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples"
PROGRAMS = sorted(FOLDER.glob("*.py"))
NEED_KERNELS = {"simulate_rounds"}


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(path, id=path.stem, marks=[pytest.mark.kernels] if path.stem in NEED_KERNELS else [])
        for path in PROGRAMS
    ],
)
def test_an_example_prints_what_it_should(program: Path, tmp_path: Path) -> None:
    if program.stem in NEED_KERNELS:
        pytest.importorskip("numba")
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "HOUSEWAY_D"))}
    done = subprocess.run(
        [sys.executable, program], cwd=tmp_path, env=plain, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (FOLDER / "output" / f"{program.stem}.txt").read_text(encoding="utf-8")
    assert list(tmp_path.iterdir()) == [], "an example leaves nothing behind"


def test_the_page_lists_every_example_and_no_output_is_left_over() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"\]\((\w+)\.py\)", page)) == [path.stem for path in PROGRAMS]
    assert {path.stem for path in (FOLDER / "output").iterdir()} == {path.stem for path in PROGRAMS}
