"""What a table answers: the line of a hand, its JSON, its fingerprint."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.cards import DECK_53, parse_cards
from houseway.definitions import games
from houseway.paytables import PayTable, PrintedFigure, paytable, paytables
from houseway.paytables.vocabulary import LESSER_HANDS, never_dealt
from houseway.ranking.hand_names import HAND_NAMES
from houseway.ranking.reference import PAI_GOW, STANDARD, names_fitted
from tests.paytables.sample import GOOD, UNHURRIED, parse


@pytest.mark.parametrize(
    ("table_id", "cards", "hand"),
    [
        ("FPGP-1", "9s 9d 9c 8h 7s 6d 5c", "three-of-a-kind"),
        ("6CFPGP-1", "9s 9d 9c 8h 7s 6d", "three-of-a-kind"),
        ("6CFPGP-1", "9s 9d Jk 8h 7s 6d", "straight"),
        ("FPGP-1", "Ks Kd Qs Qd 7c 7h 2s", "three-pair"),
        ("FPGP-2", "Ks Kd Qs Qd 7c 7h 2s", None),
        ("FPGP-1", "As Ks Qs Js Ts Kd Qd", "royal-flush-royal-match"),
        ("FPGPP-WA07", "As Ks Qs Js Ts Kd Qd", "royal-flush"),
        ("FPGP-1", "9s 8s 7s 6s 5s 4s Jk", "seven-card-straight-flush-joker"),
        ("FPGPP-WA03", "9s 8s 7s 6s 5s 4s Jk", "seven-card-straight-flush"),
        ("FPGPP-WA07", "9s 8s 7s 6s 5s 4s Jk", "straight-flush"),
        ("FPGPP-WA01", "9s 8s 7s 6s 5s 4s 3s", "seven-card-straight-flush"),
        ("PGD-01", "Ks Jd 9c 7h 5s 3d 2c", "king-high"),
        ("PGD-01", "Ks Kd 9c 7h 5s 3d 2c", None),
        ("6CFPGP-INS", "9s 7d 6c 4h 3s 2d", "nine-high"),
        ("6CFPGP-INS", "Jk 7d 6c 4h 3s 9d", None),
    ],
)
def test_the_first_line_from_the_top_takes_the_hand(table_id: str, cards: str, hand: str | None) -> None:
    line = paytable(table_id).line_for(names_fitted(parse_cards(cards)))
    assert (line.hand if line else None) == hand


def test_six_card_poker_pays_a_pair_of_aces_and_no_other_pair() -> None:
    aces, kings = (names_fitted(parse_cards(f"{pair} 9c 7h 5s 3d"), STANDARD) for pair in ("As Ad", "Ks Kd"))
    line = paytable("SCP-01").line_for(aces)
    assert line is not None
    assert (line.hand, line.pays) == ("pair-of-aces", 1)
    assert paytable("SCP-01").line_for(kings) is None


def test_the_narrow_reading_takes_only_the_named_hand() -> None:
    names = names_fitted(parse_cards("9s 8s 7s 6s 5s 4s Jk"))
    wide = paytable("FPGPP-ML2")
    narrow = wide.without_also()
    assert wide.line_for(names) is wide.lines[0]
    assert narrow.line_for(names) is narrow.lines[3]
    assert narrow.fingerprint != wide.fingerprint


def check_lesser_hands(names: frozenset[str]) -> None:
    for name in names:
        for lesser in LESSER_HANDS.get(name, ()):
            assert lesser in names, (name, lesser)


@UNHURRIED
@given(st.sets(st.sampled_from(DECK_53), min_size=6, max_size=7))
def test_a_hand_fits_the_lesser_names_too(cards: set[int]) -> None:
    check_lesser_hands(names_fitted(sorted(cards), PAI_GOW))


@pytest.mark.parametrize(
    "cards",
    [
        "As Ks Qs Js Ts Kd Qd", "9s 8s 7s 6s 5s 4s 3s", "9s 8s 7s 6s 5s 4s Jk", "As Ah Ad Ac Jk 2s 3d",
        "5s 4s 3s 2s As 9d 9h", "7s 7h 7d 7c 2s 3d 4h", "7s 7h 7d 2c 2s 3d 4h", "7s 7h 2c 2s 3d 3h As",
        "As Ad 2c 4h 6s 8d Th", "Ks Qs Js Ts 9s 2d 3h",
    ],
)  # fmt: skip
def test_rare_hands_fit_the_lesser_names_too(cards: str) -> None:
    check_lesser_hands(names_fitted(parse_cards(cards), PAI_GOW))


def test_what_cannot_be_dealt() -> None:
    dead = {(hand, game) for hand in HAND_NAMES for game in (each.id for each in games()) if never_dealt(hand, game)}
    seven_only = {"seven-card-straight-flush", "seven-card-straight-flush-joker", "royal-flush-royal-match"}
    six_card_games = {each.id for each in games() if each.cards == 6}
    assert dead == {(hand, game) for hand in seven_only for game in six_card_games} | {
        ("five-aces", game) for game in (each.id for each in games() if each.deck == 52)
    }


@pytest.mark.parametrize("table", paytables(), ids=lambda table: table.id)
def test_json_has_the_keys_of_the_contract(table: PayTable) -> None:
    data = json.loads(json.dumps(table.to_json()))
    assert {"id", "wager", "unit", "approved", "lines", "source", "printed"} <= set(data)
    assert set(data["source"]) >= {"document", "section", "edition"}
    assert data["looks_at"] in ("player-best", "dealer-best", "dealer-low", "losing-hand")
    assert len(data["lines"]) == len(table.lines)
    for line in data["lines"]:
        assert {"hand", "push", "envy"} <= set(line)
        assert ("pays" in line) != ("percent" in line)
        assert ("percent" in line) == ("level" in line)
        assert line["envy"] is None or line["envy"] % 100 == 0


def test_json_of_a_push_a_share_and_an_envy() -> None:
    push = paytable("FPGP-1").to_json()["lines"][-1]
    assert (push["push"], push["pays"]) == (True, 0)
    share = paytable("6CFPGPP-3").to_json()["lines"][0]
    assert (share["percent"], share["level"], share["envy"]) == (100, "five_aces", 10000)
    assert paytable("6CFPGP-1").to_json()["printed"] == {"house_advantage": "4.56%", "hit_frequency": "9.11%"}


@pytest.mark.parametrize(
    ("wager", "looks_at"),
    [("TIGER9", "dealer-low"), ("PGD-02", "dealer-best"), ("TWBB-001", "losing-hand"), ("SCP-01", "player-best")],
)
def test_which_hand_a_table_looks_at(wager: str, looks_at: str) -> None:
    assert paytable(wager).looks_at == looks_at


def test_the_fingerprint_follows_the_rules_and_not_the_words() -> None:
    table = parse(GOOD)
    assert parse(GOOD.replace("made for a test", "another note")).fingerprint == table.fingerprint
    assert replace(table, title="another title").fingerprint == table.fingerprint
    for old, new in [
        ("pays = 100 ", "pays = 101 "),
        ("= 50", "= 51"),
        ("20.5%", "20.6%"),
        ("percent = 100", "percent = 99"),
    ]:
        assert old in GOOD
        assert parse(GOOD.replace(old, new)).fingerprint != table.fingerprint


def test_printed_figures_stay_text_and_give_exact_shares() -> None:
    assert PrintedFigure("house_advantage", "4.56%").fraction == Fraction(57, 1250)
    assert paytable("6CFPGP-1").printed_figure("expected_hold") is None
