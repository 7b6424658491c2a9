"""Programs of the system that single tests need; scripts/setup installs them where it may."""

from __future__ import annotations

import os
import shutil

import pytest


def installed(package: str, *names: str) -> str:
    """The path of a program by one of its names; without it the test is skipped, in CI it fails: all are there."""
    found = next(filter(None, map(shutil.which, names or (package,))), None)
    if found is None:
        message = f"{package} is not installed: run scripts/setup, or sudo apt-get install {package}"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return found
