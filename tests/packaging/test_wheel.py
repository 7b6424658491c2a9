"""The wheel as a user gets it: built from the source archive, installed from the lock in a clean environment."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.packaging.lockfile import ROOT, needed, pinned

pytestmark = pytest.mark.slow

ROUND = {
    "game": "fortune",
    "paytables": {"fortune": "FPGP-3"},
    "dealer": ["Ah", "Qd", "Jc", "9s", "7d", "5h", "4c"],
    "seats": [
        {"seat": 3, "cards": ["Ks", "Kd", "Kh", "Ac", "Qc", "8d", "3s"], "wagers": {"main": 2500, "fortune": 500}}
    ],
}


def run(command: list[str], cwd: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command away from the sources, without anything that would let it find them."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "HOUSEWAY", "VIRTUAL"))}
    done = subprocess.run(command, cwd=cwd, env=kept, input=stdin, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done


def dependencies() -> list[str]:
    """The names of what the package needs by itself, without extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [Requirement(each).name for each in project["dependencies"]]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the source archive and the wheel made from it."""
    folder = tmp_path_factory.mktemp("dist")
    run([sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)], folder)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (found,) = built.glob("*.whl")
    return found


class Environment:
    """A clean environment with the wheel and the locked versions of what it needs, and nothing else."""

    def __init__(self, folder: Path, wheel: Path, requirements: list[str]) -> None:
        self.folder = folder
        self.bin = folder / "env" / "bin"
        uv = shutil.which("uv")
        venv.create(folder / "env", with_pip=uv is None)
        self.install(uv, wheel, requirements)

    def install(self, uv: str | None, wheel: Path, requirements: list[str]) -> None:
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        blocks = pinned()
        locked = "".join(blocks[name] for name in sorted(needed(requirements)))
        listed = self.folder / "requirements.txt"
        listed.write_text(f"{locked}houseway @ {wheel.as_uri()} --hash=sha256:{digest}\n", encoding="utf-8")
        python = str(self.bin / "python")
        tool = [uv, "pip", "install", "-q", "--python", python] if uv else [python, "-m", "pip", "install", "-q"]
        run([*tool, "--require-hashes", "--no-deps", "-r", str(listed)], self.folder)

    def python(self, code: str) -> str:
        return run([str(self.bin / "python"), "-I", "-c", code], self.folder).stdout

    def houseway(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return run([str(self.bin / "houseway"), *arguments], self.folder, stdin)


@pytest.fixture(scope="module")
def plain(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Without the `kernels` extra."""
    return Environment(tmp_path_factory.mktemp("plain"), wheel, dependencies())


@pytest.fixture(scope="module")
def with_kernels(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """With the `kernels` extra."""
    return Environment(tmp_path_factory.mktemp("kernels"), wheel, [*dependencies(), "numba", "numpy"])


def test_the_wheel_holds_every_module_and_data_file(wheel: Path) -> None:
    sources = ROOT / "src"
    expected = {
        path.relative_to(sources).as_posix()
        for path in (sources / "houseway").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
        licences = [name for name in archive.namelist() if name.endswith("/LICENSE")]
    assert held == expected
    assert licences


def test_the_source_archive_holds_what_is_needed_to_check_it(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as held:
        names = {name.split("/", 1)[1] for name in held.getnames() if "/" in name}
    for expected in (
        "LICENSE",
        "README.md",
        "pyproject.toml",
        "requirements.lock",
        "scripts/test",
        "scripts/setup",
        "instruments/simulator/runner.py",
    ):
        assert expected in names
    assert not [name for name in names if name.startswith((".venv", ".git/", "dist/"))]


IMPORT_ALL = """
import importlib, importlib.util, json, pkgutil, houseway
from houseway.errors import MissingPartError
assert importlib.util.find_spec("numba") is None and importlib.util.find_spec("numpy") is None
assert "site-packages" in houseway.__file__
found, refused = [], []
for module in pkgutil.walk_packages(houseway.__path__, "houseway."):
    if module.name.endswith("__main__"):
        continue
    found.append(module.name)
    try:
        importlib.import_module(module.name)
    except (MissingPartError, ModuleNotFoundError) as error:
        refused.append(module.name)
print(json.dumps([found, refused]))
"""
KERNEL_IMPORT = re.compile(
    r"^ *(?:import|from) "
    r"(?:numpy|numba|houseway\.(?:ranking\.jit|houseways\.way_kernels|games\.batch|odds\.pai_gow\.layouts|odds\.simulation\.job))\b",
    re.MULTILINE,
)


def test_every_module_but_the_kernels_imports_without_numba(plain: Environment) -> None:
    found, refused = json.loads(plain.python(IMPORT_ALL))
    assert {"houseway.games.settle", "houseway.cli.demo", "houseway.ranking.fast"} <= set(found) - set(refused)
    sources = {name: (ROOT / "src" / name.replace(".", "/")).with_suffix(".py").read_text("utf-8") for name in refused}
    of_web = {name for name in refused if name.startswith("houseway.manager.http.")}
    assert of_web, "the HTTP API needs the extra web"
    hidden = {name for name, source in sources.items() if not KERNEL_IMPORT.search(source)} - of_web
    assert hidden - {"houseway.ranking.jit"} == set(), "they need numba without being kernel modules"


def test_the_installed_command_lists_games_and_tables(plain: Environment) -> None:
    games = json.loads(plain.houseway("games", "--json").stdout)["games"]
    assert [game["id"] for game in games] == [
        "six-card-fortune",
        "fortune",
        "commission-free-fortune",
        "face-up",
        "six-card-poker",
    ]
    assert all(wager["tables"] for game in games for wager in game["wagers"] if wager["kind"] in ("bonus", "jackpot"))
    assert len(json.loads(plain.houseway("clauses", "--json").stdout)["clauses"]) > 100


def test_the_installed_command_settles_and_deals(plain: Environment) -> None:
    settled = json.loads(plain.houseway("settle", "-", "--json", stdin=json.dumps(ROUND)).stdout)
    (seat,) = settled["seats"]
    assert [(line["wager"], line["returned"]) for line in seat["lines"]] == [("main", 4875), ("fortune", 2000)]
    assert "Fortune Pai Gow Poker" in plain.houseway("demo").stdout


def test_the_kernels_settle_the_same(plain: Environment, with_kernels: Environment) -> None:
    stdin = json.dumps(ROUND)
    by_tables = plain.houseway("settle", "-", "--json", stdin=stdin).stdout
    first = with_kernels.houseway("settle", "-", "--json", "--evaluator", "kernels", stdin=stdin)
    assert first.stdout == by_tables
    assert "Compiling" in first.stderr, "the wait for the first use of the kernels is announced"
    again = with_kernels.houseway("settle", "-", "--json", "--evaluator", "kernels", stdin=stdin)
    assert (again.stdout, again.stderr) == (by_tables, "")


def test_without_the_web_extra_the_http_api_is_a_missing_part(plain: Environment, tmp_path: Path) -> None:
    secret = tmp_path / "http.secret"
    secret.touch(mode=0o600)
    secret.write_text("a secret of this device")
    words = ["http", "serve", "--manager", "127.0.0.1:1", "--device", "HTTP-1", "--secret-file", str(secret), "--json"]
    done = subprocess.run([str(plain.bin / "houseway"), *words], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "houseway[web]" in done.stdout + done.stderr


def test_without_numba_the_kernels_are_a_missing_part(plain: Environment) -> None:
    command = [str(plain.bin / "houseway"), "settle", "-", "--json", "--evaluator", "kernels"]
    done = subprocess.run(command, input=json.dumps(ROUND), capture_output=True, text=True, check=False)
    assert done.returncode == 3
    (fault,) = json.loads(done.stdout)["error"]["faults"]
    assert fault["code"] == "missing-part"
    assert "houseway[kernels]" in fault["message"]
