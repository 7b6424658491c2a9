"""`import houseway as hw`: the names and signatures that programs rely on, and what the import costs."""

from __future__ import annotations

import dataclasses
import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import houseway as hw

ROOT = Path(__file__).parents[2]
NAMES = Path(__file__).with_name("names.txt")
MADE_BY_USERS = {"Seat"}
PROMISED = {
    "Settlement": ("seats", "seat", "lines", "dealer", "qualifies", "order", "meters", "to_json"),
    "Line": (
        "wager",
        "outcome",
        "stake",
        "returned",
        "hand",
        "clause",
        "source",
        "commission",
        "paytable",
        "pays",
        "trigger",
        "before_limit",
        "to_json",
    ),
    "PayTable": ("id", "title", "wager", "games", "unit", "approved", "lines", "source", "levels", "notes", "to_json"),
    "CommandResult": ("seq", "at", "hash", "answer", "repeated"),
    "Fault": ("code", "path", "message", "to_json"),
}
HEAVY = {"numpy", "numba", "tomllib", "msgspec", "sqlalchemy", "cryptography", "cyclopts", "rich"}


def run(code: str, folder: Path | None = None) -> str:
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def described(name: str) -> list[str]:
    """A name with its signature; of a class the public attributes and methods, and how it is made if users make it."""
    thing = getattr(hw, name)
    if not inspect.isclass(thing):
        return [f"{name}{inspect.signature(thing)}"]
    if issubclass(thing, BaseException):
        return [f"{name}({', '.join(base.__name__ for base in thing.__bases__)})"]
    lines = [f"{name}{inspect.signature(thing)}" if name in MADE_BY_USERS else name]
    if not thing.__module__.startswith("houseway.api."):
        # What is made below the door has more than is promised here; `PROMISED` says what is.
        return lines
    fields = {field.name for field in dataclasses.fields(thing)} if dataclasses.is_dataclass(thing) else set()
    for member in sorted(fields.union(*(vars(base) for base in thing.__mro__[:-1]))):
        value = inspect.getattr_static(thing, member, None)
        if member.startswith("_"):
            continue
        if isinstance(value, classmethod | staticmethod) or inspect.isfunction(value):
            lines.append(f"  {name}.{member}{inspect.signature(getattr(thing, member))}")
        else:
            lines.append(f"  {name}.{member}")
    return lines


def test_names_and_signatures_are_pinned() -> None:
    """A change here is a change for every program that uses the package: write it into the file on purpose."""
    found = "".join(f"{line}\n" for name in hw.__all__ for line in described(name))
    assert found == NAMES.read_text(encoding="utf-8")


def test_what_is_made_below_the_door_has_what_is_promised() -> None:
    lacking = [
        f"{name}.{member}"
        for name, members in PROMISED.items()
        for member in members
        if not hasattr(getattr(hw, name), member) and member not in getattr(hw, name).__annotations__
    ]
    assert lacking == []


def test_every_name_is_in_one_list_and_has_a_home() -> None:
    assert hw.__all__ == sorted(hw.__all__)
    assert sorted(hw._HOME_OF) == hw.__all__
    assert set(dir(hw)) == {*hw.__all__, "__version__"}


def test_the_import_loads_nothing_of_weight() -> None:
    loaded = json.loads(run("import json, sys, houseway; print(json.dumps(sorted(sys.modules)))"))
    assert not {name.partition(".")[0] for name in loaded} & HEAVY
    assert [name for name in loaded if name.startswith("houseway.")] == []


def test_ranking_a_hand_reads_no_game() -> None:
    loaded = json.loads(
        run("import json, sys, houseway as hw; hw.rank('As Ks'); print(json.dumps(sorted(sys.modules)))")
    )
    assert not {name.partition(".")[0] for name in loaded} & HEAVY
    assert "houseway.definitions" not in loaded


@pytest.mark.parametrize("before", ["", "import houseway.odds.questions, houseway.games.settle\n"])
def test_a_function_and_the_package_of_its_name_are_both_there(before: str) -> None:
    code = f"""{before}import houseway as hw, inspect
print(len(hw.games()), len(hw.paytables()), hw.odds('fortune', 'fortune', paytables={{'fortune': 'FPGP-1'}}).edge)
import houseway.odds.questions as questions, houseway.games as games
print(houseway.odds.questions.answer is questions.answer, hasattr(games, 'read_round'), callable(games))
print(list(inspect.signature(hw.games).parameters), list(inspect.signature(hw.odds).parameters)[:2])
""".replace("import houseway as hw", "import houseway, houseway as hw")
    assert run(code).splitlines() == ["5 36 220226/2752555", "True True True", "[] ['game', 'wager']"]


def test_an_unknown_name_is_told_as_python_tells_it() -> None:
    with pytest.raises(AttributeError, match="module 'houseway' has no attribute 'setle'"):
        hw.setle  # noqa: B018


@pytest.mark.slow
def test_type_checkers_see_what_the_names_are(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "from fractions import Fraction\n"
        "import houseway as hw\n"
        "edge: Fraction | None = hw.odds('fortune', 'main').edge\n"
        "value: int = hw.rank('As Ks').value\n"
        "wrong: str = hw.rank('As Ks').value\n"
        "hw.settle('fortune', dealr='As')\n"
        "reveal_type(hw.games()[0].id)\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", program],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    told = [
        line.partition(": ")[0].rpartition(":")[2] + ": " + line.partition(": ")[2] for line in done.stdout.splitlines()
    ]
    assert any(line.startswith("5: error: Incompatible types in assignment") for line in told), done.stdout
    assert any(line.startswith("6: error:") for line in told)
    assert '7: note: Revealed type is "str"' in [line.replace("builtins.", "") for line in told]
    assert not any(line.startswith(("3:", "4:")) for line in told)


UNGUARDED = """
from pathlib import Path
import sys
from houseway.odds.running.executors import LocalProcesses
from houseway.odds.running.jobs import run_job
from tests.odds.sample_jobs import Powers
print("begins", flush=True)
print(run_job(Powers(Path(sys.argv[1])), executor=LocalProcesses(2), cache=None)[:3])
"""


def test_workers_do_not_run_a_script_without_a_main_guard_again(tmp_path: Path) -> None:
    script = tmp_path / "study.py"
    script.write_text(UNGUARDED, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}"}
    done = subprocess.run(
        [sys.executable, script, tmp_path / "log"], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == "begins"
    assert len(done.stdout.splitlines()) == 2


@pytest.mark.slow
@pytest.mark.kernels
def test_a_script_without_a_main_guard_simulates_in_several_processes(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    script = tmp_path / "study.py"
    script.write_text(
        "import houseway as hw\n"
        "print('begins')\n"
        "print(hw.simulate('six-card-fortune', rounds=140_000, seats=1, seed=7, workers=2).wagers['main'].made)\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "begins\n140000\n")
