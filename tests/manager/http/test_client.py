"""A client generated from the description works with the server: typed requests, typed answers, typed refusals."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.manager.floors import DEALER, EXECUTIVE, badge
from tests.manager.http.running_http import Background
from tests.manager.server.house import House


@pytest.mark.slow
def test_a_client_is_generated_from_the_description_and_plays_a_round(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import httpx

    with Background(house) as served, ExitStack() as stack:
        described = tmp_path / "openapi.json"
        described.write_text(json.dumps(httpx.get(f"{served.base}/openapi.json").json()))
        words = ["generate", "--path", str(described), "--meta", "none", "--output-path", str(tmp_path / "room_client")]
        tool = Path(sys.executable).with_name("openapi-python-client")
        done = subprocess.run([tool, *words], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert "warning" not in (done.stdout + done.stderr).lower()
        monkeypatch.syspath_prepend(tmp_path)

        def module(name: str) -> Any:
            return importlib.import_module(f"room_client.{name}")

        models, api = module("models"), module("client")

        def signed_in(person: str, role: str) -> Any:
            with api.Client(base_url=served.base) as stranger:
                body = models.SignInBody(badge=badge(person))
                begun = module("api.session.sign_in").sync(client=stranger, body=body)
            assert (type(begun).__name__, begun.person, begun.roles) == ("NewSession", person, [role])
            return stack.enter_context(api.AuthenticatedClient(base_url=served.base, token=begun.token))

        client = signed_in(DEALER, "dealer")
        sensors = models.RoundStartBodySensorsType0.from_dict({"1": [1, 2]})
        body = models.RoundStartBody(table="T1", sensors=sensors)
        start = module("api.commands_round.round_start").sync
        started = start(client=client, body=body, idempotency_key="one")
        assert (type(started).__name__, started.answer.round_) == ("StartRoundResult", "T1-1")
        assert start(client=client, body=body, idempotency_key="one").repeated
        refused = start(client=client, body=body, idempotency_key="two")
        assert (type(refused).__name__, refused.error.faults[0].code) == ("ErrorEnvelope", "round-in-play")
        table = module("api.questions.ask_table").sync(client=client, table="T1").table
        assert (table.round_, table.dealer) == ("T1-1", DEALER)
        ask_events = module("api.events.ask_events").sync
        closed = ask_events(client=client, after=started.seq - 1, limit=1)
        assert (type(closed).__name__, closed.error.faults[0].code) == ("ErrorEnvelope", "wrong-role")
        page = ask_events(client=signed_in(EXECUTIVE, "executive"), after=started.seq - 1, limit=1)
        assert (page.events[0].data.kind, page.events[0].sequence) == ("round.start", f"{started.seq:016d}")
    for name in [name for name in sys.modules if name.split(".")[0] == "room_client"]:
        del sys.modules[name]
