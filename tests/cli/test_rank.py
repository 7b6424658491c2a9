from __future__ import annotations

import pytest

from tests.cli.runner import call


def test_five_cards_give_category_value_and_cards_in_descending_order() -> None:
    ranked = call("rank", "Tc As, Jc Kd Qh", "--json").json
    assert ranked["category"] == "straight"
    assert ranked["cards"] == ["As", "Kd", "Qh", "Jc", "Tc"]
    assert isinstance(ranked["value"], int)


def test_cards_may_be_given_as_separate_arguments() -> None:
    assert call("rank", "As", "Ks", "--json").json == call("rank", "As Ks", "--json").json


def test_seven_cards_are_worth_their_best_five_and_name_every_line_they_fit() -> None:
    ranked = call("rank", "9s 9d 9c 8h 7s 6d 5c", "--json").json
    assert ranked["category"] == "straight"
    assert ranked["cards"] == ["9s", "8h", "7s", "6d", "5c"]
    assert ranked["names"] == ["straight", "three-of-a-kind", "pair"]
    assert ranked["given"] == ["9s", "9d", "9c", "8h", "7s", "6d", "5c"]


def test_a_pair_of_aces_is_named_only_where_a_table_names_it() -> None:
    assert call("rank", "As Ad 9c 7h 4s", "--json").json["names"] == ["pair"]
    assert call("rank", "As Ad 9c 7h 4s", "--ranking", "standard", "--json").json["names"] == ["pair-of-aces", "pair"]


def test_the_joker_stands_first() -> None:
    assert call("rank", "2c Jk As Ad Ah", "--json").json["cards"] == ["Jk", "As", "Ah", "Ad", "2c"]


@pytest.mark.parametrize(
    ("cards", "category", "text"),
    [("Kd", "king-high", "king-high"), ("9c 9d", "pair", "pair of nines"), ("Jk Qd", "ace-high", "ace-high")],
)
def test_one_or_two_cards_are_a_low_hand(cards: str, category: str, text: str) -> None:
    ranked = call("rank", cards, "--json").json
    assert (ranked["category"], ranked["text"]) == (category, text)


def test_the_wheel_is_second_lowest_or_standard() -> None:
    def beats_king_high(*options: str) -> bool:
        wheel, king_high = (
            call("rank", cards, *options, "--json").json["value"] for cards in ("As 2d 3c 4h 5s", "Ks Qd Jc Th 9s")
        )
        return bool(wheel > king_high)

    assert beats_king_high()
    assert beats_king_high("--wheel", "second")
    assert not beats_king_high("--wheel", "lowest")
    assert not beats_king_high("--ranking", "standard")


def test_text_tells_the_hand_and_the_lines_it_fits() -> None:
    run = call("rank", "9s 9d 9c 8h 7s 6d 5c")
    assert run.code == 0
    assert "9s 8h 7s 6d 5c: straight" in run.out
    assert "three of a kind" in run.out


def test_every_fault_is_told_at_once() -> None:
    run = call("rank", "As As Xx", "--ranking", "bridge", "--wheel", "third", "--json")
    assert run.code == 2
    assert run.faults == [
        ("duplicate-card", "cards"),
        ("bad-card", "cards"),
        ("bad-choice", "ranking"),
        ("bad-choice", "wheel"),
    ]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["As Kd Qh"], "card-count"),
        (["Jk Kd Qh Jc Tc", "--ranking", "standard"], "joker-not-used"),
        (["As Kd", "--ranking", "standard", "--wheel", "second"], "setting-not-allowed"),
        ([], "missing-argument"),
        ([" , "], "missing-argument"),
    ],
)
def test_bad_input_is_refused(arguments: list[str], code: str) -> None:
    run = call("rank", *arguments, "--json")
    assert (run.code, run.codes) == (2, [code])
