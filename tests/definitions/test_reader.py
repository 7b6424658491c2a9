"""A broken definition is refused with every fault at once, each with its line and what to do."""

from __future__ import annotations

from importlib.resources import files

import pytest

from houseway.definitions import FAULT_CODES, game, read_game
from houseway.errors import InputError

TEXT = files("houseway").joinpath("rules", "definitions", "commission-free-fortune.toml").read_text(encoding="utf-8")
POKER = files("houseway").joinpath("rules", "definitions", "six-card-poker.toml").read_text(encoding="utf-8")


def faults_of(text: str, stem: str = "commission-free-fortune") -> list[tuple[str, str]]:
    """Code and place of every fault."""
    with pytest.raises(InputError) as refused:
        read_game(text, "game.toml", stem)
    return [(fault.code, fault.path) for fault in refused.value.faults]


def line_of(text: str, wanted: str) -> str:
    """The place of a line as a fault names it."""
    return f"game.toml:{text[: text.index(wanted)].count(chr(10)) + 1}"


def test_a_shipped_definition_reads_as_the_game() -> None:
    assert read_game(TEXT, "game.toml", "commission-free-fortune") == game("commission-free-fortune")


@pytest.mark.parametrize(
    ("before", "after", "code", "wanted"),
    [
        ('title = "Commission Free', 'titel = "Commission Free', "game-unknown-key", "titel"),
        ("deck = 53", "deck = 54", "game-bad-value", "deck"),
        ("cards = 7", 'cards = "7"', "game-bad-type", 'cards = "7"'),
        ('hands = "nine-high"\nclause', 'hands = "nine high"\nclause', "game-bad-value", 'hands = "nine high"'),
        ('tie = "dealer"', 'tie = "house"', "game-bad-value", "tie"),
        ('kind = "bonus"', 'kind = "side"', "game-bad-value", 'kind = "side"'),
        ('at = "player-best"', 'at = "own-best"', "game-bad-value", "own-best"),
        ('line_order = ["main", "bank", ', 'line_order = ["main", ', "game-contradiction", "line_order"),
        ("envy_from = 500\n", "", "game-contradiction", "line_order"),
        ('parts = ["high", "low"]', 'parts = ["best"]', "game-contradiction", "[contest]"),
        ("seats = 6", "seats = 8", "game-contradiction", "[deal]"),
        ('name = "main"\nkind = "main"', 'name = "main"\nkind = "raise"', "game-contradiction", "[[wagers]]"),
    ],
)
def test_a_fault_is_named_with_its_line(before: str, after: str, code: str, wanted: str) -> None:
    assert before in TEXT
    text = TEXT.replace(before, after, 1)
    assert (code, line_of(text, wanted)) in faults_of(text)


def test_all_faults_are_told_at_once() -> None:
    text = (
        TEXT.replace("deck = 53", "deck = 54").replace('tie = "dealer"', 'tie = "house"').replace("envy_from", "envy")
    )
    assert {code for code, _ in faults_of(text)} >= {"game-bad-value", "game-unknown-key"}
    assert len(faults_of(text)) >= 3


def test_the_id_is_the_name_of_the_file() -> None:
    assert ("game-id", "game.toml:3") in faults_of(TEXT, "fortune")
    assert ("game-id", "game.toml:3") in faults_of(TEXT.replace('id = "commission', 'id = "Commission'))


def test_a_wager_that_needs_a_qualifier_asks_for_one() -> None:
    text = POKER.replace('qualifier = { part = "best", hands = "ace-king or better" }\n', "")
    assert "game-contradiction" in {code for code, _ in faults_of(text, "six-card-poker")}


def test_what_is_no_toml_is_told() -> None:
    assert faults_of("id = ", "x") == [("game-syntax", "game.toml:1")]


def test_every_code_is_documented() -> None:
    assert all(code.startswith("game-") and meaning for code, meaning in FAULT_CODES.items())
