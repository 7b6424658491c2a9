"""The lock pins everything with hashes and names no package index."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from itertools import chain

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.packaging.lockfile import LOCK, ROOT, needed, pinned

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCKED_GROUPS = ("test", "lint", "build", "docs")


def declared() -> list[Requirement]:
    extras = PROJECT["project"]["optional-dependencies"].values()
    groups = (PROJECT["dependency-groups"][name] for name in LOCKED_GROUPS)
    texts = chain(PROJECT["project"]["dependencies"], *extras, *groups, PROJECT["build-system"]["requires"])
    return [Requirement(text) for text in texts]


def test_everything_declared_is_pinned_to_a_version_that_fits() -> None:
    blocks = pinned()
    for requirement in declared():
        block = blocks[canonicalize_name(requirement.name)]
        version = re.match(r"[^=]+==([^ ;\\]+)", block)
        assert version is not None
        assert requirement.specifier.contains(version[1], prereleases=True), f"{requirement} is pinned to {version[1]}"


def test_everything_that_is_needed_is_pinned() -> None:
    blocks = pinned()
    missing = needed(str(requirement) for requirement in declared()) - blocks.keys()
    assert not missing


def test_every_package_has_hashes() -> None:
    for name, block in pinned().items():
        assert "--hash=sha256:" in block, name


def test_the_lock_names_no_index_and_no_place() -> None:
    text = LOCK.read_text(encoding="utf-8")
    for word in ("://", "--index-url", "--extra-index-url", "--find-links", " @ "):
        assert word not in text


def test_what_is_installed_for_running_is_what_the_package_needs() -> None:
    """Neither compiled kernels nor clusters, tests or checks: a demonstration needs a seventh of the whole."""
    script = ROOT / "scripts" / "locked-for-running"
    told = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True).stdout
    listed = {canonicalize_name(name) for name in re.findall(r"(?m)^([A-Za-z0-9._-]+)==", told)}
    wanted = [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]]
    assert needed(wanted) <= listed
    assert not listed & {"numba", "numpy", "ray", "dask", "distributed", "pytest", "mypy", "ruff", "psycopg"}
    blocks = pinned()
    assert all(told.count(blocks[name]) == 1 for name in listed), "with all hashes"
