"""Whatever is typed or piped in: a documented exit code, the envelope where it is due, never a traceback."""

from __future__ import annotations

import copy
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from houseway.cards.card import CARD_TEXTS
from houseway.games import game_ids
from houseway.games.examples import EXAMPLE_ROUND
from houseway.paytables import paytable_ids
from tests.cli.runner import OWN_WAY, Run, call

COMMANDS = ("games", "clauses", "paytable", "rank", "set", "ways", "deal", "settle", "demo")
OPTIONS = (
    "--json", "--ranking", "--wheel", "--way", "--way-file", "--file", "--seats", "--seed", "--player-entropy",
    "--sheet", "--kind", "--game", "--evaluator", "--help", "--version", "--", "-", "-h",
)  # fmt: skip
VALUES = (*game_ids(), "pai-gow", "standard", "second", "lowest", "foxwoods", "6cfpgp", "tables", "1,2", "00" * 32)

words = st.one_of(
    st.sampled_from(COMMANDS),
    st.sampled_from(OPTIONS),
    st.sampled_from(VALUES),
    st.sampled_from(CARD_TEXTS),
    st.lists(st.sampled_from(CARD_TEXTS), min_size=1, max_size=8).map(" ".join),
    st.text(max_size=12),
)


@pytest.fixture(autouse=True)
def away_from_the_sources(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words may be taken for file names: let them find nothing. Bugs show where they happened."""
    monkeypatch.chdir(tmp_path_factory.mktemp("empty"))
    monkeypatch.setenv("HOUSEWAY_TRACEBACK", "1")


def check(run: Run) -> None:
    """What holds for every run."""
    assert run.code in (0, 1, 2, 3)
    assert "Traceback" not in run.out + run.err
    if run.code == 0:
        assert run.err == ""
    if run.code == 2:
        assert run.out or run.err


def check_json(run: Run) -> None:
    check(run)
    assert run.err == ""
    if run.code == 2:
        for fault in run.json["error"]["faults"]:
            assert fault.keys() == {"code", "path", "message"}
            assert fault["code"]
            assert fault["message"]


@given(st.lists(words, max_size=6))
@example(["rank", "\x00"])
@example(["settle", "\x00"])
@example(["set", "fortune", "\ud800"])
@example(["deal", "fortune", "--player-entropy", "\udcff"])
@example(["paytable", "--file", "\x00"])
@example(["ways", "--file", "\x00.toml"])
@settings(max_examples=300)
def test_any_words(arguments: list[str]) -> None:
    check(call(*arguments))


@given(st.sampled_from(COMMANDS), st.lists(words, max_size=5))
@settings(max_examples=300)
def test_any_arguments_of_a_command_with_json(command: str, arguments: list[str]) -> None:
    known = [word for word in arguments if word not in ("--help", "-h", "--version", "--")]
    run = call(command, *known, "--json")
    check(run)
    if run.code == 2:
        check_json(run)


@given(st.text(max_size=60))
def test_any_text_as_cards(text: str) -> None:
    check_json(call("rank", "--json", "--", text))
    check_json(call("set", "--json", "fortune", "--", text))


@given(
    st.lists(st.sampled_from(CARD_TEXTS), unique=True, min_size=1, max_size=8), st.sampled_from(("pai-gow", "standard"))
)
def test_any_cards(cards: list[str], ranking: str) -> None:
    run = call("rank", *cards, "--ranking", ranking, "--json")
    check_json(run)
    rankable = len(cards) in (1, 2, 5, 6, 7) and not (ranking == "standard" and "Jk" in cards)
    assert (run.code == 0) == rankable


@given(st.text(max_size=200) | st.text(max_size=40).map(lambda text: OWN_WAY + text))
def test_any_text_as_a_way_file(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "way.toml"
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
        check_json(call("set", "fortune", "As Kd Qh 9c 9d 4s 4h", "--way-file", str(file), "--json"))
        check_json(call("ways", "--file", str(file), "--json"))


@given(st.binary(max_size=300))
def test_any_bytes_as_files(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "X.toml"
        file.write_bytes(data)
        check_json(call("ways", "--file", str(file), "--json"))
        check_json(call("paytable", "--file", str(file), "--json"))
        check(call("settle", str(file), "--json"))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(CARD_TEXTS),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
KEYS = (
    "game", "paytables", "way", "settings", "meters", "seeds", "banker", "dealer_stake", "dealer", "seats", "wagers",
    "cards", "low", "fold", "seat", "seed", "up",
)  # fmt: skip


@st.composite
def broken_rounds(draw: st.DrawFn) -> dict[str, Any]:
    """A good round in which one or two places hold something else."""
    round_ = copy.deepcopy(EXAMPLE_ROUND)
    for _ in range(draw(st.integers(1, 2))):
        places = [round_, *round_.get("seats", [])] if isinstance(round_.get("seats"), list) else [round_]
        place = draw(st.sampled_from([each for each in places if isinstance(each, dict)]))
        value = json_values | st.sampled_from((*game_ids(), *paytable_ids()))
        place[draw(st.sampled_from(KEYS))] = draw(value)
    return round_


lines = st.one_of(
    st.binary(max_size=60).map(lambda data: data.replace(b"\n", b" ")),
    json_values.map(lambda value: json.dumps(value).encode()),
    broken_rounds().map(lambda value: json.dumps(value).encode()),
    st.just(json.dumps(EXAMPLE_ROUND).encode()),
)


@given(st.lists(lines, min_size=1, max_size=5))
@settings(max_examples=300)
def test_any_lines_to_settle(sent: list[bytes]) -> None:
    run = call("settle", "-", "--json", stdin=b"\n".join(sent))
    check(run)
    assert run.err == ""
    results = run.json_lines
    refused = [result for result in results if "error" in result]
    assert (run.code == 2) == bool(refused)
    if len(results) > 1:
        assert all(result["line"] == result["error"]["line"] for result in refused)


@given(broken_rounds())
@settings(max_examples=200)
def test_a_broken_round_is_refused_or_settled_exactly(round_: dict[str, Any]) -> None:
    run = call("settle", "-", "--json", stdin=json.dumps(round_, indent=1).encode())
    check_json(run)
    if run.code == 0:
        for given_seat, seat in zip(round_["seats"], run.json["seats"], strict=True):
            wagers = [line["wager"] for line in seat["lines"] if line["stake"]]
            assert sorted(wagers) == sorted(given_seat["wagers"])


@given(broken_rounds())
def test_text_is_printed_for_whatever_settles(round_: dict[str, Any]) -> None:
    check(call("settle", "-", stdin=json.dumps(round_).encode()))
