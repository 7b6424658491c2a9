"""docs/guides/http-api.md: its commands and its Python run as they stand, one after the other, on a small property."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.manager.floors import ACCOUNTING, DEALER, SUPERVISOR, TECHNICIAN, badge
from tests.manager.http.running_http import free_port
from tests.manager.server.house import House

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "guides" / "http-api.md"


@pytest.mark.slow
def test_the_guide_runs_as_it_stands(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = house.folder
    program = folder / "bin" / "houseway"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m houseway "$@"\n')
    program.chmod(0o755)
    (folder / "sign-in.json").write_text(json.dumps({"badge": badge(SUPERVISOR)}))
    port = free_port()
    environment = {
        **os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "ME": TECHNICIAN, "PORT": str(free_port()),
        "HTTP_PORT": str(port), "HOUSEWAY_BADGE": badge(ACCOUNTING),
    }  # fmt: skip
    monkeypatch.chdir(folder)
    names: dict[str, Any] = {"base": f"http://127.0.0.1:{port}"}
    said = io.StringIO()
    try:
        for kind, block in re.findall(r"```(sh|python)\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL):
            if kind == "python":
                with contextlib.redirect_stdout(said):
                    exec(compile(block, str(GUIDE), "exec"), names)
                continue
            done = subprocess.run(
                ["bash", "-eu", "-o", "pipefail", "-c", block], cwd=folder, env=environment, capture_output=True,
                text=True, check=False, timeout=120,
            )  # fmt: skip
            assert done.returncode == 0, block + done.stdout + done.stderr
            said.write(done.stdout)
    finally:
        if "room" in names:
            names["room"].close()
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            pid = int((folder / "server.pid").read_text())
            os.kill(pid, 15)
            for _ in range(200):
                os.kill(pid, 0)
                time.sleep(0.05)
    told = said.getvalue()
    assert f"T1-1 {DEALER}" in told
    assert "200 T1-1" in told
    assert re.search(rf"\d+ houseway\.round\.end {SUPERVISOR}", told)
    assert "hwk_" in (folder / "key.txt").read_text()
    assert "whsec_" in (folder / "webhook.txt").read_text()
