"""The kernel compiler: a clear word without numba, one announcement, and no stale code."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import houseway
from houseway.errors import MissingPartError

pytest.importorskip("numba")
from houseway.ranking import jit

pytestmark = pytest.mark.kernels


def run_python(program: str, cache: Path, **environment: str) -> list[str]:
    variables = os.environ | {"NUMBA_CACHE_DIR": str(cache)} | environment
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=variables)
    return done.stdout.splitlines()


@pytest.mark.parametrize("missing", ["numba", "numpy"])
@pytest.mark.parametrize("module", ["jit", "rank_kernels", "counting", "suit_classes"])
def test_without_the_optional_part_the_message_says_what_to_install(module: str, missing: str, tmp_path: Path) -> None:
    program = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "from houseway.errors import MissingPartError\n"
        f"try:\n    import houseway.ranking.{module}\nexcept MissingPartError as error:\n    print(error)\n"
    )
    (line,) = run_python(program, tmp_path)
    assert "pip install 'houseway[kernels]'" in line
    assert issubclass(MissingPartError, RuntimeError)


def test_both_ways_of_decorating() -> None:
    @jit.njit
    def plain(number: int) -> int:
        return number + 1

    @jit.njit(cache=False)
    def with_options(number: int) -> int:
        return plain(number) * 2

    assert plain(1) == 2
    assert with_options(1) == 4


ANNOUNCED = """
from houseway.ranking.jit import announce_compiling
announce_compiling(print)
from houseway.ranking.rank_kernels import value_of_one, value_of_two
print(value_of_one(51), value_of_two(51, 50))
"""


def test_compiling_is_announced_once_and_never_again(tmp_path: Path) -> None:
    assert run_python(ANNOUNCED, tmp_path) == [jit.COMPILING_MESSAGE, "192 460"]
    assert run_python(ANNOUNCED, tmp_path) == ["192 460"]


def test_a_change_in_another_file_of_the_package_makes_kernels_compile_anew(tmp_path: Path) -> None:
    """The constant of `rank_tables` that goes into the kernels stands in another file than they do."""
    copy = tmp_path / "src" / "houseway"
    shutil.copytree(Path(houseway.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    program = (
        "from houseway.ranking.rank_kernels import flush_lane, CARD_KEYS\n"
        "print(flush_lane(sum(int(CARD_KEYS[card]) for card in (1, 5, 9, 13, 17))))\n"
    )
    cache = tmp_path / "cache"
    assert run_python(program, cache, PYTHONPATH=str(copy.parent)) == ["16"]
    tables = copy / "ranking" / "rank_tables.py"
    text = tables.read_text(encoding="utf-8")
    assert "LANE_BITS: Final = 16" in text
    tables.write_text(text.replace("LANE_BITS: Final = 16", "LANE_BITS: Final = 15"), encoding="utf-8")
    assert run_python(program, cache, PYTHONPATH=str(copy.parent)) == ["15"]


def test_without_a_place_for_compiled_code_kernels_still_work(tmp_path: Path) -> None:
    """A function that stands in no file has no place to be kept in; it is compiled all the same."""
    program = "from houseway.ranking.jit import njit\nexec('def double(n): return 2 * n')\nprint(njit(double)(21))\n"
    assert run_python(program, tmp_path) == ["42"]


def imported_modules(path: Path) -> set[str]:
    """The modules, and names in modules, that a file imports anywhere."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
    return found


GIVEN_AS_ARGUMENTS = {"houseway.odds.six_card_poker.fold_rules"}
"""Facts of a definition: kernels get them as arguments, so that no compiled code holds them."""


def test_modules_with_kernels_take_nothing_from_modules_that_no_fingerprint_covers() -> None:
    """Of the odds package only modules with kernels are in the fingerprint: what they use must be among them."""
    root = Path(houseway.__file__).parent
    paths = list((root / "odds").rglob("*.py"))
    modules = {".".join(("houseway", *path.relative_to(root).with_suffix("").parts)): path for path in paths}
    with_kernels = {name for name, path in modules.items() if "houseway.ranking.jit" in path.read_text("utf-8")}
    assert len(with_kernels) > 5
    for name in with_kernels:
        assert imported_modules(modules[name]) & (modules.keys() - with_kernels - GIVEN_AS_ARGUMENTS) == set(), name


def test_a_change_below_changes_the_fingerprints_above() -> None:
    prints = [jit.kernel_fingerprint(package) for package in ("cards", "ranking", "houseways", "odds")]
    assert len(set(prints)) == 4
