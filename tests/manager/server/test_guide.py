"""docs/guides/run-a-floor.md: its commands lead to what it says, and docs/reference/protocol.md names what there is."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from houseway.manager.controller import sign
from houseway.manager.controller.devices import LONGEST_LINE, PARTS
from houseway.manager.controller.key_words import COMMON_WORDS, OWN_WORDS
from houseway.manager.server.asks import OF_THE_PROTOCOL
from houseway.manager.server.mailbox import MOST_EVENTS
from houseway.manager.server.session import MOST_OUTSTANDING
from houseway.manager.server.sizes import (
    LONG_COMMANDS,
    MOST_IN_COMMAND,
    MOST_IN_LONG_COMMAND,
    MOST_IN_OTHERS,
    MOST_IN_SUBSCRIPTION,
    SHORT,
)
from houseway.manager.server.state_messages import TOPICS
from houseway.manager.server.wire import LONGEST_REQUEST, MOST_TOLD, PROTOCOL
from houseway.manager.views.floor_questions import QUESTIONS
from tests.cli.runner import call

DOCS = Path(__file__).resolve().parents[3] / "docs"
PROTOCOL_PAGE = (DOCS / "reference" / "protocol.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_guide_leads_to_a_paid_jackpot(tmp_path: Path) -> None:
    text = (DOCS / "guides" / "run-a-floor.md").read_text(encoding="utf-8")
    script = "\n".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    # The program of this very environment, under the name that the guide uses.
    program = tmp_path / "bin" / "houseway"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m houseway "$@"\n')
    program.chmod(0o755)
    environment = {**os.environ, "PORT": str(port), "PATH": f"{program.parent}:{os.environ['PATH']}"}
    ends = 'trap "kill $(cat server.pid) 2>/dev/null || true" EXIT\n'
    run = subprocess.run(
        ["bash", "-eu", "-o", "pipefail", "-c", script.replace("until grep", ends + "until grep", 1)],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    told = (tmp_path / "T1.out").read_text() if (tmp_path / "T1.out").exists() else ""
    assert run.returncode == 0, run.stdout + run.stderr + told
    answers = [json.loads(line) for line in told.splitlines()]
    paid = [a for line in answers for a in line.get("done", {}).get("answers", ()) if "paid_by" in a]
    assert [(one["hand"], one["paid_by"]) for one in paid] == [("five-aces", "S3")]
    hits = [a for line in answers for done in line.get("done", {}).get("answers", ()) for a in done.get("awards", ())]
    assert [one["reference_needed"] for one in hits] == [True]
    assert any(line.get("display", {}).get("role") == "supervisor" for line in answers)
    assert not [line for line in answers if "error" in line]
    closed, opened = ((tmp_path / name).read_text() for name in ("closed.out", "opened.out"))
    assert re.search(r"over: \$0\.00", closed), closed
    assert "count a deck down" in opened
    # Nobody is left signed in anywhere, since the table was closed, and no badge in the shell.
    where = ["--database", str(tmp_path / "house.db"), "--keys", str(tmp_path / "keys"), "--json"]
    devices = call("manager", "show", "devices", *where).json["devices"]
    assert {one["id"]: list(one["signed_in"]) for one in devices} == {"C-T1": [], "DESK": [], "EYE": []}
    assert re.findall(r"export (\w+)", script) == ["HOUSEWAY_DESK"]
    # Nobody types JSON but the hardware behind the controller.
    assert re.findall(r"houseway .*'\{", script) == []
    assert "ended in order" in (tmp_path / "server.log").read_text()


def test_the_page_names_every_question_topic_key_part_and_state() -> None:
    words = {*QUESTIONS, *OF_THE_PROTOCOL, *TOPICS, *PARTS, *COMMON_WORDS}
    words |= {word for own in OWN_WORDS.values() for word in own} | set(OWN_WORDS)
    words |= {sign.LIVE, sign.PENDING, sign.PAUSED, sign.NO_NEWS, sign.LINK_LOST, sign.REFUSED}
    assert [word for word in sorted(words) if f"`{word}`" not in PROTOCOL_PAGE and word not in OWN_WORDS] == []
    assert [name for name in OWN_WORDS if name not in PROTOCOL_PAGE] == []


def test_the_page_names_the_limits() -> None:
    limits: tuple[str, ...] = (
        f"version **{PROTOCOL}**",
        f"{LONGEST_REQUEST:,} bytes",
        f"{LONGEST_LINE:,} bytes",
        f"{MOST_EVENTS:,}",
    )
    limits = (*limits, f"{SHORT:,} bytes", f"holds at most {MOST_IN_COMMAND:,}", f"those five {MOST_IN_LONG_COMMAND:,}")
    limits = (*limits, f"subscription {MOST_IN_SUBSCRIPTION:,}", f"request {MOST_IN_OTHERS}", f"{MOST_TOLD} faults")
    limits = (*limits, *(f"`{kind}`" for kind in LONG_COMMANDS))
    assert [limit for limit in limits if limit not in PROTOCOL_PAGE] == []
    assert f"With {MOST_OUTSTANDING} requests" in PROTOCOL_PAGE
