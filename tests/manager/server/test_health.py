"""Whoever asks how the manager is gets in and is told, most of all when it cannot serve."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from houseway.cli.app import main
from houseway.manager.commands.house_commands import RecordIncident
from houseway.manager.interface.access import ManagerAccess
from houseway.manager.interface.contract import RefusedError
from tests.manager.floors import SURVEILLANCE
from tests.manager.server.house import House, secret
from tests.manager.server.processes import Served


def test_health_is_told_while_the_store_is_away(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    file = tmp_path / "secret"
    file.write_text(secret("SVC-1"))
    file.chmod(0o600)
    database = house.folder / "house.db"
    with Served(house) as served:
        options = ["--manager", served.address, "--device", "SVC-1", "--secret-file", str(file), "--json"]
        with served.client() as client:
            database.rename(database.with_suffix(".away"))
            do = RecordIncident("other", "T1", text="smoke", known_at=1)
            with pytest.raises(RefusedError) as refused:
                client.send(do, actor=SURVEILLANCE)
            assert refused.value.code == "store-unavailable"
            assert refused.value.retry
        capsys.readouterr()
        assert main(["manager", "show", "health", *options]) == 0
        told = json.loads(capsys.readouterr().out)
        assert told["state"] == "paused"
        assert [fault["code"] for fault in told["faults"]] == ["store-unavailable"]
        with pytest.raises(RefusedError) as wrong, served.client(recall=False) as client:
            client.request({"ask": "tables"})
        assert wrong.value.code == "store-unavailable"
        with pytest.raises(RefusedError) as stranger:
            type(client).connect(ManagerAccess.at(served.address, "SVC-1", "another secret of it", recall=False))
        assert stranger.value.code == "wrong-secret", "being away lets nobody in who cannot prove it"
        database.with_suffix(".away").rename(database)
