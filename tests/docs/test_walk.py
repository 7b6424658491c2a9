"""docs/architecture.md walks a round and a jackpot through the modules as the program does today."""

from __future__ import annotations

import subprocess
from pathlib import Path

from instruments.walk import SOURCE, jackpot_walk, round_walk

SCRIPT = Path(__file__).parents[2] / "scripts" / "write-walk"


def test_the_page_walks_as_the_program_does() -> None:
    """Traced in a process of its own: what other tests have loaded and kept would take hops away."""
    run = subprocess.run([SCRIPT, "--check"], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_a_walk_goes_from_the_front_door_to_the_money() -> None:
    settled = [hop.module for _, hops in round_walk() for hop in hops]
    assert settled[0] == "api/settling"
    assert settled.index("games/settle") < settled.index("games/jackpots") < settled.index("games/shares")
    won = [hop.module for _, hops in jackpot_walk() for hop in hops]
    assert won[0] == "api/room"
    assert won.index("manager/store/writer") < won.index("manager/core/ledger") < won.index("games/shares")


def test_every_module_says_what_it_adds_in_one_line() -> None:
    """The walks, like any reader, take a module's first line for what it is about."""
    first_lines = {path: path.read_text(encoding="utf-8").split("\n", 1)[0] for path in sorted(SOURCE.rglob("*.py"))}
    unfinished = [path for path, line in first_lines.items() if line and not line.removesuffix('"""').endswith(".")]
    assert unfinished == []
