"""The manager runs where numpy and numba are not installed: on a small machine without 250 MB for them."""

from __future__ import annotations

import json
import subprocess
import sys

PROGRAM = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"numpy", "numba", "llvmlite", "psycopg"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
from houseway.cli.app import main
sys.exit(main(["demo-floor", "--rounds", "6", "--json"]))
"""


def test_a_floor_plays_without_numpy_numba_and_psycopg() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["audit"]["clean"] is True
