from __future__ import annotations

from pathlib import Path

import pytest

from houseway.houseways import house_way
from tests.cli.runner import OWN_WAY, call


def test_a_seven_card_hand_is_set_by_foxwoods() -> None:
    shown = call("set", "fortune", "4h As Kd Qh 9c 9d 4s", "--json").json
    assert shown["high"] == ["Qh", "9d", "9c", "4s", "4h"]
    assert shown["low"] == ["As", "Kd"]
    assert (shown["high_hand"], shown["low_hand"], shown["way"]) == ("two-pair", "ace-high", "foxwoods")
    assert shown["why"] == house_way("foxwoods").why[shown["rule"]]


def test_a_six_card_hand_is_set_by_the_six_card_way() -> None:
    shown = call("set", "six-card-fortune", "Kd", "Ks", "Qh", "9c", "7d", "4s", "--json").json
    assert (shown["low"], shown["rule"], shown["way"]) == (["Qh"], "6b", "six-card")


def test_another_way_sets_another_hand() -> None:
    cards = "Jd Jc 6h 6c As 9s 3h"
    kept = call("set", "fortune", cards, "--way", "casino-real", "--json").json
    split = call("set", "fortune", cards, "--way", "foxwoods", "--json").json
    assert (kept["low"], split["low"]) == (["As", "9s"], ["6h", "6c"])


def test_text() -> None:
    run = call("set", "face-up", "As Kd Qh 9c 9d 4s 4h")
    assert run.code == 0
    assert "low   As Kd" in run.out
    assert "rule  foxwoods/" in run.out


def test_a_rooms_own_file(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(OWN_WAY, encoding="utf-8")
    shown = call("set", "fortune", "As Kd Qh 9c 9d 4s 4h", "--way-file", str(file), "--json").json
    assert shown["way"] == "own"


@pytest.mark.parametrize(
    ("arguments", "codes"),
    [
        (["six-card-poker", "As Kd Qh 9c 9d 4s"], ["no-house-way"]),
        (["six-card-poker", "As Kd Qh 9c 9d 4s", "--way", "foxwoods"], ["no-house-way"]),
        (["bridge", "As"], ["unknown-game"]),
        (["fortune", "As Kd"], ["card-count"]),
        (["fortune"], ["missing-argument"]),
        (["fortune", "As Kd Qh 9c 9d 4s 4h", "--way", "six-card"], ["unknown-way"]),
        (["fortune", "As Kd Qh 9c 9d 4s 4h", "--way", "foxwoods", "--way-file", "x"], ["conflicting-options"]),
        (["six-card-fortune", "As Kd Qh 9c 9d 4s", "--wheel", "lowest"], ["setting-not-allowed"]),
        (
            ["fortune", "As As Xx", "--way", "mine", "--wheel", "x"],
            ["duplicate-card", "bad-card", "bad-choice", "unknown-way"],
        ),
        (["fortune", "As Kd Qh 9c 9d 4s 4h", "--way-file", "/does/not/exist.toml"], ["way-file"]),
    ],
)
def test_bad_input_is_refused(arguments: list[str], codes: list[str]) -> None:
    run = call("set", *arguments, "--json")
    assert (run.code, run.codes) == (2, codes)


def test_a_way_for_hands_of_another_size_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('id = "own"\ntitle = "Ours"\nsource = "house"\nextends = "six-card"\n', encoding="utf-8")
    run = call("set", "fortune", "As Kd Qh 9c 9d 4s 4h", "--way-file", str(file), "--json")
    assert (run.code, run.codes) == (2, ["card-count"])
