"""The record of a start: whatever of the program changes, it changes too."""

from __future__ import annotations

from pathlib import Path

import pytest

import houseway
from houseway.manager.store import powerup

PACKAGE = Path(houseway.__file__).parent


def test_every_part_of_the_package_is_in_it() -> None:
    parts = {entry.name for entry in PACKAGE.iterdir() if entry.name != "__pycache__"}
    told = {name.removeprefix("software/") for name in powerup.start_fingerprints() if name.startswith("software/")}
    assert told == parts
    assert {"cards", "ranking", "definitions", "reading", "odds", "rules", "amounts.py"} <= told


@pytest.mark.parametrize(
    "file",
    [
        "cards/shuffler.py",
        "ranking/tables.bin",
        "definitions/reader.py",
        "odds/shipped/a.json",
        "amounts.py",
        "py.typed",
    ],
)
def test_a_change_of_any_file_shows_in_its_part_alone(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (file, "manager/core/engine.py", "games/__init__.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("before")
    (tmp_path / "games" / "__pycache__").mkdir()
    monkeypatch.setattr(powerup, "files", lambda _: tmp_path)
    before = dict(powerup._software.__wrapped__())
    (tmp_path / "games" / "__pycache__" / "x.pyc").write_text("made by Python")
    assert powerup._software.__wrapped__() == before
    (tmp_path / file).write_text("after")
    after = powerup._software.__wrapped__()
    assert [part for part in before if before[part] != after[part]] == [file.partition("/")[0]]
