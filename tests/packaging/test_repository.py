"""The repository as somebody finds it: scripts that run, links that lead somewhere."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.packaging.lockfile import ROOT

SCRIPTS = ("scripts/setup", "scripts/test", "scripts/run", "scripts/docs", ".ci/run")
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").glob("*.md")])


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_can_be_run(name: str) -> None:
    script = ROOT / name
    assert os.access(script, os.X_OK)
    subprocess.run(["bash", "-n", str(script)], check=True)
    assert "set -euo pipefail" in script.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["scripts/setup", "scripts/test", "scripts/docs"])
def test_a_script_tells_its_options_and_refuses_others(name: str, tmp_path: Path) -> None:
    told = subprocess.run([ROOT / name, "--help"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert f"{name} --" in told.stdout
    refused = subprocess.run([ROOT / name, "--nonsense"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "--nonsense" in refused.stderr


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text)
    broken = [target for target in targets if "://" not in target and not (page.parent / target).exists()]
    assert broken == []


def test_the_licence_is_the_apache_licence() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License" in text
    assert "Version 2.0, January 2004" in text
