"""What the hosting platform and pre-commit read: valid, pinned, and calling the scripts that everybody runs."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.packaging.lockfile import ROOT

BIN = Path(sys.executable).parent
GITHUB = ROOT / ".github"
FORMS = sorted(path for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")
SCHEMAS = {
    "vendor.github-workflows": sorted((GITHUB / "workflows").glob("*.yml")),
    "custom.github-workflows-require-timeout": sorted((GITHUB / "workflows").glob("*.yml")),
    "vendor.github-issue-forms": FORMS,
    "vendor.github-issue-config": [GITHUB / "ISSUE_TEMPLATE" / "config.yml"],
    "vendor.dependabot": [GITHUB / "dependabot.yml"],
}
PINNED_ACTION = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}")


def lint(schema: str, *files: Path) -> subprocess.CompletedProcess[str]:
    command = [BIN / "check-jsonschema", "--builtin-schema", schema, *files]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def read(path: Path) -> Any:
    """YAML with every plain value as text: else `on` is a truth value and 3.10 a number."""
    return yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)


@pytest.fixture(scope="module")
def job() -> dict[str, Any]:
    """The one job of the workflow that tests."""
    (found,) = read(GITHUB / "workflows" / "test.yml")["jobs"].values()
    return found


@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_file_of_the_platform_fits_its_schema(schema: str) -> None:
    assert SCHEMAS[schema]
    done = lint(schema, *SCHEMAS[schema])
    assert done.returncode == 0, done.stdout


def test_the_check_of_workflows_finds_a_fault(tmp_path: Path) -> None:
    broken = (GITHUB / "workflows" / "test.yml").read_text(encoding="utf-8").replace("runs-on:", "runs_on:")
    (tmp_path / "test.yml").write_text(broken, encoding="utf-8")
    assert lint("vendor.github-workflows", tmp_path / "test.yml").returncode == 1


def test_the_workflow_tests_every_python_that_is_promised(job: dict[str, Any]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    promised = [found[1] for each in project["classifiers"] if (found := re.fullmatch(r".*Python :: (3\.\d+)", each))]
    assert job["strategy"]["matrix"]["python"] == promised
    assert project["requires-python"] == f">={promised[0]}"
    (chosen,) = [step["with"]["python-version"] for step in job["steps"] if "setup-python" in step.get("uses", "")]
    assert chosen == "${{ matrix.python }}"


def test_the_workflow_runs_the_scripts_that_everybody_runs(job: dict[str, Any]) -> None:
    assert [step["run"] for step in job["steps"] if "run" in step] == ["scripts/setup", "scripts/test"]


def test_actions_are_pinned_to_a_commit_and_may_only_read(job: dict[str, Any]) -> None:
    used = [step["uses"] for step in job["steps"] if "uses" in step]
    assert used
    assert all(map(PINNED_ACTION.fullmatch, used))
    assert read(GITHUB / "workflows" / "test.yml")["permissions"] == {"contents": "read"}


def test_the_checks_before_a_commit_are_valid_and_fetch_nothing() -> None:
    config = ROOT / ".pre-commit-config.yaml"
    subprocess.run([BIN / "pre-commit", "validate-config", config], check=True)
    hooks = [(repository["repo"], hook) for repository in read(config)["repos"] for hook in repository["hooks"]]
    for repository, hook in hooks:
        assert (repository, hook["language"]) == ("local", "system"), hook["id"]
        program, *_ = hook["entry"].split()
        assert program.startswith(".venv/bin/")
        assert (BIN / Path(program).name).exists(), f"scripts/setup installs no {program}"


def test_the_checks_before_a_commit_are_those_of_the_test_script() -> None:
    steps = re.findall(r'(?m)^step "[^"]+" (\S+)', (ROOT / "scripts" / "test").read_text(encoding="utf-8"))
    checks = {
        Path(hook["entry"].split()[0]).name for hook in read(ROOT / ".pre-commit-config.yaml")["repos"][0]["hooks"]
    }
    assert {"ruff", "mypy", "lint-imports"} <= checks & set(steps)
