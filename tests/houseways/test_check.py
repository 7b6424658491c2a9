"""The check of a house way finds every kind of slip and says what it is."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from houseway.cards import card_texts, parse_cards
from houseway.errors import InputError
from houseway.houseways import HouseWay, check, house_way, interpreted_sweep, load_house_way
from houseway.houseways.check import check_house_way, require_complete
from houseway.houseways.interpret import Status
from houseway.houseways.interpreted_sweep import suit_class_hands, sweep_by_interpreter
from houseway.ranking.reference import PAI_GOW
from tests.houseways.room_files import HANDS, RARE_SLIPS, SLIPS, broken_way, rare_slip, way_without_a_question

RULES = {
    "unset": (),
    "ambiguous": ("three-pair-high", "three-pair-low"),
    "impossible": ("trips-second-set",),
    "fouled": ("no-pair-highest",),
}
SUBSETS = {
    # Three pair of three ranks out of the twelve below the ace, the joker beside them or one of 40 other cards: no hand
    # of these has a pair of aces. C(12,3) * 6**3 * (40 + 1).
    "unset": 220 * 216 * 41,
    # Jacks with two lower pairs of nine ranks: C(9,2) * 6**3 * (40 + 1).
    "ambiguous": 36 * 216 * 41,
    "fouled": 24_780_420,
}
"""How many hands a slip touches, counted by hand; no pair and nothing complete is the count of high-card hands."""


@pytest.mark.parametrize("slip", SLIPS)
def test_a_hand_that_a_slip_touches_is_refused(slip: str, tmp_path: Path) -> None:
    way = broken_way(slip, tmp_path)
    cards = parse_cards(HANDS[slip])
    outcome = way.outcome(cards)
    assert (outcome.status, tuple(rule.id for rule in outcome.rules)) == (Status[slip.upper()], RULES[slip])
    with pytest.raises(InputError) as refused:
        way.set(cards)
    [fault] = refused.value.faults
    assert fault.code == f"hand-{slip}"
    assert " ".join(card_texts(cards)) in fault.message
    assert all(rule in fault.message for rule in RULES[slip])
    assert way.set(parse_cards("Kd Ks Qh 9c 7d 4s 2h")).rule == "pair-kept"


@pytest.mark.kernels
@pytest.mark.parametrize("slip", SLIPS)
def test_the_check_finds_the_slip(slip: str, tmp_path: Path) -> None:
    pytest.importorskip("numba")
    way = broken_way(slip, tmp_path)
    report = check_house_way(way)
    assert not report.passed
    [problem] = report.problems
    assert problem.status is Status[slip.upper()]
    assert problem.question == SLIPS[slip][0]
    assert problem.rules == RULES[slip]
    assert problem.hands + sum(report.set_by.values()) == report.hands == 154_143_080
    if slip in SUBSETS:
        assert problem.hands == SUBSETS[slip]
    assert len(problem.examples) == 3
    assert all(way.outcome(cards).status is problem.status for cards in problem.examples)
    assert f"- {slip}, {problem.hands:,} hands: {problem.reason}" in str(report)
    assert f"    e.g. {' '.join(card_texts(problem.examples[0]))}" in str(report)
    assert report.to_json()["problems"][0]["kind"] == slip


@pytest.mark.kernels
def test_hands_that_no_question_takes(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    report = check_house_way(way_without_a_question(tmp_path))
    [problem] = report.problems
    assert (problem.status, problem.question, problem.rules) == (Status.UNSET, None, ())
    assert problem.reason == "no question takes these hands"
    assert problem.hands == 154_143_080 - report.set_by["split"]


@pytest.mark.kernels
def test_a_passed_check_reads_well_and_names_idle_rules(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    path = tmp_path / "idle.toml"
    path.write_text(
        """
        id = "idle"
        title = "Idle"
        extends = "six-card"
        [[question]]
        id = "three-pair"
        asks = "Three pair"
        when = { shape = "three-pair" }
        [[question.rule]]
        id = "of-twos"
        why = "There is no three pair with twos on top."
        when = { top-set = "2" }
        front = ["top-set"]
        [[question.rule]]
        id = "6d"
        why = "All others."
        otherwise = true
        front = ["top-set"]
        """,
        encoding="utf-8",
    )
    report = check_house_way(load_house_way(path))
    assert report.passed
    assert str(report).splitlines() == [
        (
            "House way idle: 22,957,480 hands of 6 cards checked "
            "(one hand of every suit class, counted with the size of its class)."
        ),
        "Passed: every hand is set by exactly one rule, and none is fouled.",
        "Rules that set no hand: of-twos",
    ]


@pytest.mark.parametrize(("size", "classes", "hands"), [(1, 14, 53), (2, 182, 1_378), (3, 1_755 + 169, 23_426)])
def test_suit_classes_in_plain_python(size: int, classes: int, hands: int) -> None:
    found = list(suit_class_hands(size))
    assert (len(found), sum(weight for _, weight in found)) == (classes, hands)
    assert all(len(set(cards)) == size for cards, _ in found)


def test_without_kernels_the_interpreter_checks_and_shows_progress(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = Random(20231)
    hands = [(tuple(draw.sample(range(53), 7)), draw.randrange(1, 25)) for _ in range(2_500)]
    monkeypatch.setattr(interpreted_sweep, "suit_class_hands", lambda _size: iter(hands))
    monkeypatch.setattr(interpreted_sweep, "_PROGRESS_EVERY", 1_000)
    monkeypatch.setattr(check, "find_spec", lambda _name: None)
    steps: list[tuple[int, int]] = []
    way = broken_way("fouled", tmp_path)
    report = check_house_way(way, progress=lambda done, total: steps.append((done, total)))
    assert report.method == "interpreter"
    assert "without compiled kernels" in str(report)
    weights = [weight for _, weight in hands]
    assert sum(report.set_by.values()) + sum(problem.hands for problem in report.problems) == sum(weights)
    assert len(steps) == 2
    assert steps[0] == (sum(weights[:1_000]), 154_143_080)
    fouled = sum(weight for cards, weight in hands if way.outcome(cards).status is Status.FOULED)
    assert fouled > 0
    assert [(problem.rules, problem.hands) for problem in report.problems] == [(("no-pair-highest",), fouled)]


@pytest.mark.full
@pytest.mark.kernels
def test_interpreter_and_kernels_report_the_same_on_the_whole_six_card_domain() -> None:
    pytest.importorskip("numba")
    way = house_way("six-card")
    found = {way.rules[finding.rules[0]].id: finding.hands for finding in sweep_by_interpreter(way, PAI_GOW)}
    assert found == check_house_way(way).set_by


def loaded(text: str, folder: Path) -> HouseWay:
    path = folder / "room.toml"
    path.write_text(text, encoding="utf-8")
    return load_house_way(path)


@pytest.mark.kernels
@pytest.mark.parametrize("cards", [6, 7])
@pytest.mark.parametrize("slip", RARE_SLIPS)
def test_a_way_is_required_to_set_every_hand_rare_ones_too(slip: str, cards: int, tmp_path: Path) -> None:
    pytest.importorskip("numba")
    way = loaded(rare_slip(slip, cards), tmp_path)
    with pytest.raises(InputError) as refused:
        require_complete(way, PAI_GOW, "player")
    [fault] = refused.value.faults
    assert (fault.code, fault.path) == ("way-incomplete", "player")
    [problem] = check_house_way(way).problems
    assert problem.reason in fault.message


@pytest.mark.parametrize("slip", ["unset", "impossible", "fouled"])
def test_a_gross_slip_is_found_without_kernels(slip: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling or loading kernels would take longer than the answer may."""
    monkeypatch.setattr(check, "find_spec", lambda _: pytest.fail("the sample should have found it"))
    with pytest.raises(InputError, match="has not one legal setting"):
        require_complete(broken_way(slip, tmp_path))


@pytest.mark.kernels
@pytest.mark.parametrize("way", ["six-card", "foxwoods"])
def test_a_way_that_sets_every_hand_is_taken(way: str) -> None:
    pytest.importorskip("numba")
    require_complete(house_way(way))


def test_without_kernels_the_interpreter_goes_on_to_the_first_bad_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "find_spec", lambda _: None)
    monkeypatch.setattr(check, "sample_by_interpreter", lambda *_: [])
    with pytest.raises(InputError, match="no question takes these hands"):
        require_complete(way_without_a_question(tmp_path))
