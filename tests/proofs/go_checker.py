"""Go's own packages for transparency logs as a second opinion: one small program, built once for all runs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SOURCES = Path(__file__).parent / "go"
PACKAGES = Path("/usr/share/gocode")
"""Where Debian's packages of Go put their sources."""
MISSING = (
    "proofs are checked with Go as well, and {} is not there: run scripts/setup, or install golang-go and "
    "golang-golang-x-mod-dev"
)


@cache
def program() -> Path:
    """The checker; Go builds it again only if something has changed."""
    go = shutil.which("go")
    assert go is not None, MISSING.format("the go command")
    assert (PACKAGES / "src/golang.org/x/mod/sumdb/note").is_dir(), MISSING.format("golang.org/x/mod")
    built = ROOT / "build" / "go"
    built.mkdir(parents=True, exist_ok=True)
    settings = {"GO111MODULE": "off", "CGO_ENABLED": "0", "GOFLAGS": "", "GOTOOLCHAIN": "local"}
    environment = {**os.environ, **settings, "GOPATH": str(PACKAGES), "GOCACHE": str(built / "cache")}
    target = built / f"checker-{os.getpid()}"
    subprocess.run([go, "build", "-o", str(target), "."], cwd=SOURCES, env=environment, check=True)
    final = built / "checker"
    target.replace(final)
    return final


def answers(cases: Iterable[dict[str, Any]]) -> list[str]:
    """What Go says of each case: ok, or why not."""
    text = "".join(json.dumps({"At": -1, **case}) + "\n" for case in cases)
    run = subprocess.run([str(program())], input=text, capture_output=True, text=True, check=True, timeout=60)
    return run.stdout.splitlines()
