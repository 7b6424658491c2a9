"""The results that ship: complete, consistent with themselves and with each other, and never used with other rules."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from math import comb

import pytest

from houseway.definitions import Look, defined_as, span_of
from houseway.definitions import game as definition
from houseway.houseways import house_way
from houseway.odds import solved as shipped
from houseway.odds.hand_counts import hand_counts
from houseway.odds.pai_gow.main_games import deals_of
from houseway.odds.pai_gow.split_games import split_games
from houseway.odds.shipped import fingerprint_of
from houseway.odds.solve_main_games import shipped_questions
from houseway.ranking.hand_names import HIGH_NAMES

QUESTIONS = shipped_questions()
COMMISSION = Fraction(5, 100)


def content(dealer: str, wheel: str, commission: Fraction = COMMISSION) -> dict:
    path = shipped.data_path(dealer, wheel, house_way(dealer).cards, commission)
    return json.loads(path.read_text(encoding="utf-8"))


def edge(solved: shipped.SolvedGame | None, commission: Fraction = Fraction(0)) -> Fraction:
    assert solved is not None
    return (solved.outcomes["lose"] - solved.outcomes["win"] * (1 - commission)) / Fraction(solved.deals)


def look_of(game: str, wager: str) -> Look:
    offered = definition(game).wager(wager)
    assert offered is not None
    assert offered.look is not None
    return offered.look


def percent(share: Fraction) -> str:
    return f"{round(share * 1_000_000) / 10_000:.4f}"


def test_every_way_is_a_dealer_with_both_places_of_the_wheel() -> None:
    assert len(QUESTIONS) == 10
    files = {path.name for path in shipped.DATA.glob("main-*.json")}
    assert files == {shipped.data_path(way, wheel, house_way(way).cards, rate).name for way, wheel, rate in QUESTIONS}


@pytest.mark.parametrize(("dealer", "wheel", "commission"), QUESTIONS)
def test_a_file_was_made_with_the_installed_rules_and_its_parts_add_up(
    dealer: str, wheel: str, commission: Fraction
) -> None:
    kept = content(dealer, wheel, commission)
    job = shipped.shipped_job(house_way(dealer), wheel, commission)
    assert kept["inputs"] == shipped.inputs_of(job)
    assert kept["fingerprint"] == fingerprint_of(kept["inputs"])
    assert len(kept["parts"]) == job.parts
    for wagers, players in kept["counts"]["outcomes"].items():
        for player, by_hand in players.items():
            whole = [sum(column) for column in zip(*by_hand.values(), strict=True)]
            assert whole == [
                sum(column) for column in zip(*(part[wagers][player] for part in kept["parts"]), strict=True)
            ]
            assert sum(whole) == deals_of(job.dealer.cards)


@pytest.mark.parametrize(("dealer", "wheel", "commission"), QUESTIONS)
def test_the_hands_of_a_result_are_all_hands(dealer: str, wheel: str, commission: Fraction) -> None:
    cards = house_way(dealer).cards
    by_names = hand_counts(cards, 53).by_names
    for players in content(dealer, wheel, commission)["counts"]["outcomes"].values():
        for by_hand in players.values():
            found = {frozenset(names.split("+")): sum(row) for names, row in by_hand.items()}
            assert found == {names: count * comb(53 - cards, cards) for names, count in by_names.items()}


@pytest.mark.parametrize(("dealer", "wheel"), [asked[:2] for asked in QUESTIONS if asked.commission == COMMISSION])
def test_nobody_beats_the_best_setting(dealer: str, wheel: str) -> None:
    for game in (played.id for played in split_games(house_way(dealer).cards)):
        commission = COMMISSION if game == "fortune" else Fraction(0)
        players = content(dealer, wheel)["inputs"]["players"]
        best = edge(shipped.solved(game, dealer, "optimal", wheel), commission)
        assert all(best < edge(shipped.solved(game, dealer, way, wheel), commission) for way in players)


def test_without_commission_other_settings_are_best() -> None:
    """Each optimum beats the other's settings under its own commission, by little, and no way beats either."""
    free, usual = (
        shipped.solved("fortune", "foxwoods", "optimal", commission=rate) for rate in (Fraction(0), COMMISSION)
    )
    assert edge(free) < edge(usual) < edge(free) + Fraction(1, 10_000)
    assert edge(usual, COMMISSION) < edge(free, COMMISSION) < edge(usual, COMMISSION) + Fraction(1, 10_000)
    assert all(edge(free) < edge(shipped.solved("fortune", "foxwoods", way)) for way in ("foxwoods", "trump-plaza"))
    assert shipped.solved("fortune", "foxwoods", "optimal", commission=Fraction(3, 100)) is None
    assert shipped.solved("fortune", "foxwoods", "foxwoods", commission=Fraction(3, 100)) is not None
    for other in ("commission-free-fortune", "face-up"):
        assert shipped.solved(other, "foxwoods", "optimal", commission=Fraction(0)) is not None


def test_the_published_figures() -> None:
    """Published: 2.7212% and 40.4958% pushes; trump-plaza 2.73%; nine-high push 2.51%."""
    foxwoods = shipped.solved("fortune", "foxwoods", "foxwoods", "lowest")
    assert foxwoods is not None
    assert dict(foxwoods.outcomes) == {
        "win": 2_402_491_783_820_756,
        "push": 3_341_087_256_920_524,
        "lose": 2_506_879_990_473_120,
    }
    assert percent(edge(foxwoods, COMMISSION)) == "2.7212"
    assert percent(Fraction(foxwoods.outcomes["push"], foxwoods.deals)) == "40.4958"
    assert percent(edge(shipped.solved("fortune", "trump-plaza", "trump-plaza"), COMMISSION)) == "2.7262"
    assert percent(edge(shipped.solved("commission-free-fortune", "trump-plaza", "trump-plaza"))) == "2.5076"
    assert percent(edge(shipped.solved("face-up", "trump-plaza", "optimal"))) == "1.7982"


def test_six_cards_by_another_sum() -> None:
    """The same integers come from histograms of both sides (tests/odds/test_contest.py)."""
    six = shipped.solved("six-card-fortune", "six-card", "six-card")
    assert six is not None
    assert dict(six.outcomes) == {"win": 57_893_887_360_048, "push": 115_411_725_419_336, "lose": 73_202_004_616_656}
    with_double = shipped.solved("six-card-fortune", "six-card", "six-card", wagers="main+double_down")
    assert with_double is not None
    for outcome, deals in six.outcomes.items():
        assert sum(count for key, count in with_double.outcomes.items() if key.startswith(outcome)) == deals


def test_the_side_wagers_win_no_more_often_than_the_dealer_has_the_hand() -> None:
    seven = hand_counts(7, 53)
    looks = look_of("fortune", "paigowd"), look_of("commission-free-fortune", "tiger9")
    for dealer, wheel in {asked[:2] for asked in QUESTIONS[1:]}:
        found, nine = (shipped.beaten_hands(look, dealer, dealer, wheel) for look in looks)
        assert found is not None
        for name, wins in found[0].items():
            dealt = sum(count for names, count in seven.by_names.items() if names == {name}) * comb(46, 7)
            assert name in HIGH_NAMES
            assert 0 < wins < dealt
        assert nine is not None
        assert nine[1] == found[1] == deals_of(7)


def test_a_result_of_other_rules_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shipped.solved("fortune", "foxwoods", "optimal") is not None
    monkeypatch.setattr(shipped, "METHOD", shipped.METHOD + 1)
    assert shipped.solved("fortune", "foxwoods", "optimal") is None
    assert shipped.beaten_hands(look_of("commission-free-fortune", "tiger9"), "foxwoods", "foxwoods") is None


def test_a_result_is_not_used_under_another_definition() -> None:
    played = definition("commission-free-fortune")
    push = played.contest.dealer_push
    assert push is not None
    eight_high = replace(played.contest, dealer_push=replace(push, hands=span_of("eight-high", 2)))
    with defined_as(replace(played, contest=eight_high)):
        assert shipped.solved(played.id, "foxwoods", "optimal") is None
    assert shipped.solved(played.id, "foxwoods", "optimal") is not None


def test_what_does_not_ship_is_none() -> None:
    assert shipped.solved("fortune", "corner-room", "optimal") is None
    assert shipped.solved("fortune", "foxwoods", "six-card") is None
    assert shipped.solved("fortune", "foxwoods", "optimal", wagers="main+double_down") is None
    assert shipped.solved("six-card-poker", "", "house-way", "lowest", "ante+play") is None
