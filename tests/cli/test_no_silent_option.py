"""No option of a command that tells figures is ignored in silence: it changes the answer, is refused or explained."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.runner import call

HAND_6, HAND_7 = "Ks Qd Jc 8h 6s 3d", "Qs Qd Kc Jc 8s 7c 3c"
ECHOES = ("way", "player", "wheel", "as", "others", "bet", "seen", "cards", "up", "game", "seen_hands")
"""Keys that only repeat what was asked: that they differ is no answer."""

QUESTIONS: dict[str, list[str]] = {
    "main with commission": ["odds", "fortune"],
    "main without commission": ["odds", "face-up"],
    "six-card main": ["odds", "six-card-fortune"],
    "main and double down": ["odds", "six-card-fortune", "main+double_down"],
    "best play": ["odds", "fortune", "--player", "optimal"],
    "ante": ["odds", "six-card-poker"],
    "bonus": ["odds", "fortune", "fortune", "--paytable", "FPGP-1"],
    "bonus with envy": ["odds", "fortune", "fortune", "--paytable", "FPGP-2"],
    "bonus of two hands": ["odds", "commission-free-fortune", "tiger9"],
    "losing hand": ["odds", "six-card-poker", "bad_beat", "--paytable", "TWBB-001"],
    "jackpot": ["odds", "face-up", "progressive", "--paytable", "FUPGPP-07"],
    "jackpot by its meter": ["odds", "face-up", "progressive", "--paytable", "FUPGPP-07", "--meter", "500000"],
    "sum": ["odds", "fortune", "main+fortune", "--paytable", "FPGP-2"],
    "seen hands": ["odds", "fortune", "--seen-hands", "2"],
    "seen hands of the six-card game": ["odds", "six-card-fortune", "--seen-hands", "2"],
    "seen hands of Six Card Poker": ["odds", "six-card-poker", "--seen-hands", "2"],
}
OPTIONS: dict[str, list[str]] = {
    "paytable": ["FPGP-3"],
    "paytable-file": ["no-such-file.toml"],
    "allow-holes": [],
    "reading": ["jackpot_joker=literal"],
    "way": ["casino-real"],
    "player": ["casino-real"],
    "wheel": ["lowest"],
    "as": ["banker"],
    "commission": ["2"],
    "others": ["3"],
    "bet": ["2510"],
    "meter": ["main=700000"],
    "contribution": ["0.1"],
    "seed-amount": ["500000"],
    "advantage": ["0.2"],
    "seen-hands": ["5"],
    "csv": ["out.csv"],
    "workers": ["2"],
    "dask": ["localhost:1"],
    "ray": ["localhost:1"],
}
SOLVED = {("best play", "commission"), ("best play", "wheel"), ("best play", "way")}
"""What is solved again, for which this test has no time; other tests compare such results."""
SAME = {("bonus of two hands", "wheel")}
"""What was counted and comes out the same: no low hand hangs on the place of A-2-3-4-5."""

ADVICE: dict[str, list[str]] = {
    "open dealer": ["advise", "face-up", HAND_7, "--up", "Ah Jh Jd 6s 6c 5d 2h"],
    "open dealer's straight": ["advise", "face-up", "Ac 2d 3h 4s 5c Kd Qs", "--up", "Ks Qh Jd Tc 9s 2c 3c"],
    "three cards up": ["advise", "six-card-poker", HAND_6, "--up", "9h 7d 2s"],
    "strategy": ["advise", "fortune", "--strategy"],
    "strategy of Six Card Poker": ["advise", "six-card-poker", "--strategy"],
}
ADVICE_OPTIONS: dict[str, list[str]] = {
    "up": ["9h 7d 2s"],
    "seen": ["2c 3h"],
    "way": ["casino-real"],
    "way-file": ["no-such-file.toml"],
    "wheel": ["lowest"],
    "commission": ["2"],
    "strategy": [],
}
SAME_ADVICE = {("open dealer", "wheel"), ("open dealer's straight", "way")}
"""Hands that the option does not touch; the other question has one that it does."""


def figures(told: Any) -> str:
    """An answer without what only repeats the question."""
    return json.dumps({key: value for key, value in told.items() if key not in ECHOES})


def check(question: list[str], option: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr("houseway.odds.solved.solve", lambda *_, **__: pytest.fail("solved for this test"))
    given = call(*question, *option, "--json")
    if given.code:
        assert given.faults, given
        return
    plain = call(*question, "--json")
    assert figures(given.json) != figures(plain.json) or (folder / "out.csv").exists(), (
        f"{' '.join(option)} is ignored in silence"
    )


def pairs(
    questions: dict[str, list[str]], options: dict[str, list[str]], leaving: set[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Every question with every option that it does not hold already, but for those that are left out with a reason."""
    return [
        (question, option)
        for question, words in questions.items()
        for option in options
        if (question, option) not in leaving and f"--{option}" not in words
    ]


@pytest.mark.parametrize(("question", "option"), pairs(QUESTIONS, OPTIONS, SOLVED | SAME))
def test_odds(question: str, option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = QUESTIONS[question]
    value = ["second"] if option == "wheel" and "six-card-poker" in words else OPTIONS[option]
    check(words, [f"--{option}", *value], tmp_path, monkeypatch)


@pytest.mark.parametrize(("question", "option"), pairs(ADVICE, ADVICE_OPTIONS, SAME_ADVICE))
def test_advise(question: str, option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ADVICE[question]
    value = ["second"] if option == "wheel" and "six-card-poker" in words else ADVICE_OPTIONS[option]
    check(words, [f"--{option}", *value], tmp_path, monkeypatch)


@pytest.mark.parametrize(
    "option",
    [["--workers", "2"], ["--dask", "localhost:1"], ["--ray", "localhost:1"], ["--paytable", "TIGER9"]],
    ids=" ".join,
)
def test_verify(option: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check(["verify"], option, tmp_path, monkeypatch)


def test_every_option_is_tried() -> None:
    """An option that is added to a command must be added here."""
    import inspect

    from houseway.cli.advise import advise
    from houseway.cli.odds import odds

    for command, tried in ((odds, OPTIONS), (advise, ADVICE_OPTIONS)):
        named = {
            name.replace("_", "-")
            for name, parameter in inspect.signature(command).parameters.items()
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY
        }
        assert {"as" if name == "role" else name for name in named} - {"as-json"} == set(tried)


@pytest.mark.parametrize(
    ("option", "path"),
    [
        (["--meter", "main=5", "--meter", "main=6"], "meter"),
        (["--paytable", "fortune=FPGP-1", "--paytable", "Fortune=FPGP-2"], "paytable"),
    ],
    ids=" ".join,
)
@pytest.mark.kernels
def test_simulate_takes_a_repeated_option_once(option: list[str], path: str) -> None:
    pytest.importorskip("numba")
    run = call("simulate", "fortune", "--rounds", "10", *option, "--json")
    assert (run.code, run.faults) == (2, [("conflicting-options", path)])
