from __future__ import annotations

import json
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

from houseway.cards.card import ALL_CARDS
from houseway.games import game
from tests.cli.runner import call
from tests.cli.test_startup import HEAVY, imported_by

SEVEN = "As Kd Th 9c 9d 4s 4h"
DEALER = "Ac Ad 3h 2c 8c 7d Qd"
SIX = "As Kd Th 9c 9d Jk"
POKER = ["six-card-poker", "Ks Qd Jc 8h 6s 3d", "--up", "9h 7d 2s"]


def test_six_card_poker_is_played_or_folded() -> None:
    shown = call("advise", *POKER, "--json").json
    fold, play = shown["options"]
    assert (fold["action"], fold["value_fraction"], fold["value"]) == ("fold", "-1/1", -1.0)
    assert (play["action"], play["value_fraction"]) == ("play", "-14524/12341")
    assert sum(play["outcomes"].values()) == shown["deals"] == comb(43, 3)
    assert (shown["house_way"], shown["cost"], shown["up"]) == (None, None, ["9h", "7d", "2s"])


def test_seen_cards_change_the_decision() -> None:
    """With the dealer's outs in other hands, a hand that folds is played."""
    seen = "9s 9d 9c 7s 7h 7c 2h 2d 2c As Ah Ad Ac Kh Kd Kc Qs Qh"
    shown = call("advise", *POKER, "--seen", seen, "--json").json
    assert shown["options"][0]["action"] == "play"
    assert shown["deals"] == comb(43 - 18, 3)


def test_an_open_dealer() -> None:
    shown = call("advise", "face-up", SEVEN, "--up", DEALER, "--json").json
    assert [option["value"] for option in shown["options"]] == sorted(
        (option["value"] for option in shown["options"]), reverse=True
    )
    assert {option["value_fraction"] for option in shown["options"]} == {"1/1", "0/1", "-1/1"}
    assert (shown["house_way"]["low"], shown["house_way"]["rule"]) == (["As", "Kd"], "two-pair-7-10-ace-kept")
    assert (shown["cost"], shown["cost_fraction"], shown["deals"]) == (0.0, "0/1", 1)


def test_what_others_show_changes_nothing_against_an_open_dealer() -> None:
    alone = call("advise", "face-up", SEVEN, "--up", DEALER, "--json").json
    seen = call("advise", "face-up", SEVEN, "--up", DEALER, "--seen", "Ks Kc Kh", "--json").json
    assert alone["options"] == seen["options"]


@pytest.mark.kernels
def test_every_setting_of_a_six_card_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In an empty cache: that the tables are laid first is said, once."""
    pytest.importorskip("numba")
    monkeypatch.setenv("HOUSEWAY_CACHE", str(tmp_path))
    run = call("advise", "six-card-fortune", SIX, "--json")
    shown = run.json
    assert shown["deals"] == comb(47, 6)
    for option in shown["options"]:
        assert option["win"] + option["push"] + option["lose"] == shown["deals"]
        assert Fraction(option["value_fraction"]) == Fraction(option["win"] - option["lose"], shown["deals"])
        assert option["value"] == float(Fraction(option["value_fraction"]))
        double = option["double_down"]
        assert double["double"] == (Fraction(double["value_fraction"]) > 0)
    best, house = shown["options"][0], shown["house_way"]
    assert (best["low"], house["low"]) == (["Jk"], ["Kd"])
    cost = Fraction(best["value_fraction"]) - Fraction(house["value_fraction"])
    assert Fraction(shown["cost_fraction"]) == cost
    assert (shown["double_down"]["low"], shown["double_down"]["double"]) == (["Kd"], True)
    assert "happens once" in run.err


@pytest.mark.kernels
def test_a_seen_card_is_out_of_the_deck() -> None:
    pytest.importorskip("numba")
    asked = ("advise", "six-card-fortune", SIX, "--seen", "2c, 3c", "--json")
    call(*asked)
    # The tables are there by now: nothing is said of laying them.
    run = call(*asked)
    assert run.json["deals"] == comb(45, 6)
    assert run.json["seen"] == ["3c", "2c"]
    assert run.err == ""


@pytest.mark.kernels
def test_text() -> None:
    pytest.importorskip("numba")
    run = call("advise", "six-card-fortune", SIX)
    assert run.code == 0
    assert run.out.splitlines()[0].split()[:7] == ["+63.9483%", "As", "Kd", "Th", "9d", "9c", "Jk"]
    assert "house way six-card/6b: low Kd, costs 5.9095%" in run.out
    assert "low Kd and double down" in run.out
    assert "fold" in call("advise", *POKER).out


@pytest.mark.slow
@pytest.mark.kernels
def test_a_seven_card_hand_with_its_commission() -> None:
    pytest.importorskip("numba")
    shown = call("advise", "fortune", SEVEN, "--json").json
    none = call("advise", "fortune", SEVEN, "--commission", "0", "--json").json
    for option, free in zip(shown["options"], none["options"], strict=True):
        assert option["win"] + option["push"] + option["lose"] == shown["deals"] == comb(46, 7)
        assert Fraction(option["value_fraction"]) == (Fraction(95, 100) * option["win"] - option["lose"]) / Fraction(
            shown["deals"]
        )
        assert Fraction(free["value_fraction"]) == Fraction(free["win"] - free["lose"], shown["deals"])
    assert (shown["commission_fraction"], none["commission_fraction"]) == ("1/20", "0/1")
    odd = call("advise", "fortune", SEVEN, "--commission", "2.5", "--json").json
    assert odd["commission_fraction"] == "1/40"


@pytest.mark.parametrize(
    ("arguments", "faults"),
    [
        (["bridge", "As"], [("unknown-game", "game")]),
        (["fortune"], [("missing-argument", "cards")]),
        (["fortune", "As Kd"], [("card-count", "cards")]),
        (["fortune", SEVEN, "--up", "2c"], [("no-up-cards", "up")]),
        (["face-up", SEVEN], [("missing-argument", "up")]),
        (["face-up", SEVEN, "--up", "2c 3c"], [("card-count", "up")]),
        (["six-card-poker", "Ks Qd Jc 8h 6s 3d"], [("missing-argument", "up")]),
        (["six-card-poker", "Ks Qd Jc 8h 6s Jk", "--up", "9h 7d 2s"], [("joker-not-used", "cards")]),
        (["six-card-poker", "Ks Qd Jc 8h 6s 3d", "--up", "9h 7d Ks"], [("duplicate-card", "up")]),
        ([*POKER, "--seen", "9h Jk"], [("duplicate-card", "seen"), ("joker-not-used", "seen")]),
        ([*POKER, "--way", "foxwoods"], [("no-house-way", "game")]),
        ([*POKER, "--wheel", "second"], [("setting-not-allowed", "wheel")]),
        ([*POKER, "--commission", "5"], [("setting-not-allowed", "commission")]),
        (["fortune", SEVEN, "--seen", "As 2c 2c"], [("duplicate-card", "seen")]),
        (["fortune", SEVEN, "--seen", "2c As"], [("duplicate-card", "seen")]),
        (["fortune", SEVEN, "--commission", "101"], [("out-of-range", "commission")]),
        (["fortune", SEVEN, "--commission", "five"], [("bad-argument", "commission")]),
        (["commission-free-fortune", SEVEN, "--commission", "5"], [("setting-not-allowed", "commission")]),
        (["six-card-fortune", SIX, "--wheel", "lowest"], [("setting-not-allowed", "wheel")]),
        (["fortune", SEVEN, "--way", "six-card"], [("unknown-way", "way")]),
        (["fortune", SEVEN, "--way", "foxwoods", "--way-file", "x"], [("conflicting-options", "way")]),
        (
            ["fortune", "As Xx", "--up", "2c", "--seen", "3c 3c", "--way", "mine", "--wheel", "x", "--commission", "x"],
            [
                ("bad-card", "cards"),
                ("duplicate-card", "seen"),
                ("bad-choice", "wheel"),
                ("bad-argument", "commission"),
                ("unknown-way", "way"),
                ("no-up-cards", "up"),
            ],
        ),
    ],
)
def test_bad_input_is_refused_with_every_fault(arguments: list[str], faults: list[tuple[str, str]]) -> None:
    run = call("advise", *arguments, "--json")
    assert (run.code, run.faults) == (2, faults)


@pytest.mark.parametrize(
    ("game_id", "most", "more"), [("fortune", 39, []), ("six-card-fortune", 41, []), ("six-card-poker", 40, ["--up"])]
)
def test_seen_cards_must_leave_the_dealer_a_hand(game_id: str, most: int, more: list[str]) -> None:
    played = game(game_id)
    deck = [str(card) for card in ALL_CARDS[: played.deck]]
    own, up, rest = deck[: played.cards], deck[played.cards : played.cards + 3], deck[played.cards + 3 :]
    given = [*more, " ".join(up)] if more else []
    rest = rest if more else [*up, *rest]
    run = call("advise", game_id, " ".join(own), *given, "--seen", " ".join(rest[: most + 1]), "--json")
    assert run.faults == [("too-many-seen", "seen")]
    assert f"at most {most}" in run.json["error"]["faults"][0]["message"]


def test_a_way_for_hands_of_another_size_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('id = "own"\ntitle = "Ours"\nsource = "house"\nextends = "six-card"\n', encoding="utf-8")
    run = call("advise", "fortune", SEVEN, "--way-file", str(file), "--json")
    assert run.faults == [("card-count", "way_file")]


@pytest.mark.parametrize("arguments", [POKER, ["face-up", SEVEN, "--up", DEALER]], ids=["six-card-poker", "face-up"])
def test_an_answer_that_needs_no_kernel_loads_none(arguments: list[str]) -> None:
    assert not imported_by(["advise", *arguments, "--json"]) & HEAVY


def test_six_card_poker_does_not_wait_for_the_other_games() -> None:
    assert "houseway.games" not in imported_by(["advise", *POKER, "--json"])


def test_json_is_one_line_that_any_reader_takes() -> None:
    out = call("advise", *POKER, "--json").out
    assert out.isascii()
    assert json.loads(out)["game"] == "six-card-poker"
