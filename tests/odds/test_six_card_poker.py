"""Six Card Poker: one decision against the game's own settlement, the shipped solution, and the strategies."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path

import pytest

from houseway.cards import DECK_52, JOKER, card_texts, parse_cards
from houseway.errors import InputError, MissingPartError
from houseway.games import settle_json
from houseway.odds.six_card_poker import game as six_card_poker_game
from houseway.odds.six_card_poker.decision import decision
from houseway.odds.six_card_poker.fold_rules import OUTCOMES
from houseway.odds.six_card_poker.game import shipped, whole_game
from houseway.odds.six_card_poker.strategy import STRATEGIES, UpCardFacts, in_words, strategy
from houseway.odds.solved import solved

DEALS = comb(52, 6) * comb(46, 3) * comb(43, 3)


def settled(cards: tuple[int, ...], dealer: tuple[int, ...]) -> str:
    """The outcome of ante and play as the game settles a played hand."""
    seat = {"seat": 1, "cards": card_texts(cards), "fold": False, "wagers": {"ante": 500, "play": 500}}
    result = settle_json({"game": "six-card-poker", "dealer": card_texts(dealer), "seats": [seat]})
    lines = {line["wager"]: line["outcome"] for line in result["seats"][0]["lines"]}
    return f"{lines['ante']}+{lines['play']}"


@pytest.mark.parametrize(
    ("cards", "up", "left"),
    [
        ("Ks Qd Jc 8h 6s 3d", "9h 7d 2s", "Ah Kd Qc 9c 5s 4d 3c 2h 8d"),
        ("As Kd Jc 8h 6s 3d", "Kh Td 2s", "Ah Ac Qc Jd 9c 5s 4d 8c 8d"),
        ("2c 2d 9s 7h 6s 4d", "Ah Qd 9h", "2h 2s Ts Jc Kc 5c 5d 8c Qs"),
        ("7c 6d 5s 4h 3s 2d", "7h 6h 5h", "4c 3c 8c 9c 4s 3h Ac Kh 2h"),
    ],
)
def test_a_decision_counts_what_the_game_settles(cards: str, up: str, left: str) -> None:
    """With nine cards left for the dealer, all 84 completions are settled as whole rounds."""
    mine, shown, rest = parse_cards(cards), parse_cards(up), parse_cards(left)
    seen = [card for card in DECK_52 if card not in {*mine, *shown, *rest}]
    found = decision(mine, shown, seen)
    expected = Counter(settled(mine, (*shown, *hidden)) for hidden in combinations(rest, 3))
    assert {outcome: count for outcome, count in found.counts.items() if count} == expected
    results = {"win+win": 2, "push+win": 1, "push+push": 0, "push+lose": -1, "lose+lose": -2}
    assert found.play == Fraction(sum(results[outcome] * count for outcome, count in expected.items()), 84)
    assert found.fold == -1


def test_a_decision_without_seen_cards() -> None:
    found = decision(parse_cards("As Ks Qd 9h 6c 2s"), parse_cards("Jh 8d 4c"))
    assert found.completions == comb(43, 3) == 12_341
    assert list(found.values) == ["play", "fold"]
    assert found.best == "play"
    assert found.play > found.fold == -1


def test_seen_cards_change_the_value() -> None:
    """Three queens gone elsewhere make a dealer's queen-high board harmless."""
    cards, up = parse_cards("As Jd 9c 7h 4s 3d"), parse_cards("Qh 8d 5s")
    plain, seen = decision(cards, up), decision(cards, up, parse_cards("Qs Qd Qc 8c 8h 8s 5h 5d 5c"))
    assert seen.completions == comb(34, 3)
    assert (plain.best, seen.best) == ("fold", "play")


def test_of_equal_values_play_is_the_better() -> None:
    """One completion is left, and it loses both wagers against a dealer who does not qualify: one ante either way."""
    cards, up, hidden = parse_cards("7s 5d 4c 3h 2s 8d"), parse_cards("Ts 9d 6c"), parse_cards("Kh 3d 2c")
    seen = [card for card in DECK_52 if card not in {*cards, *up, *hidden}]
    found = decision(cards, up, seen)
    assert found.completions == found.counts["push+lose"] == 1
    assert (found.play, found.fold, found.best) == (-1, -1, "play")


def test_every_fault_at_once() -> None:
    with pytest.raises(InputError) as refused:
        decision([*parse_cards("As Ks Qs 9h 6c"), JOKER, 60], parse_cards("As 8d"), parse_cards("8d"))
    assert [(fault.code, fault.path) for fault in refused.value.faults] == [
        ("card-count", "cards"),
        ("card-count", "up"),
        ("joker-not-used", "cards"),
        ("bad-card", "cards"),
        ("duplicate-card", "up"),
        ("duplicate-card", "seen"),
    ]
    with pytest.raises(InputError, match="at most 40"):
        decision(DECK_52[:6], DECK_52[6:9], DECK_52[9:50])


def test_a_decision_needs_no_kernels() -> None:
    program = (
        "import sys; sys.modules['numba'] = sys.modules['numpy'] = None\n"
        "from houseway.odds.six_card_poker.decision import decision\n"
        "from houseway.odds.six_card_poker.strategy import strategy\n"
        "from houseway.odds.six_card_poker.bad_beat import losing_hands\n"
        "print(decision(range(6), range(6, 9)).completions, strategy().id, losing_hands() is not None)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["12341", "simple", "True"]


# ------------------------------------------------------------------ what ships


def test_the_published_figures() -> None:
    """Published: 1.2717% of the ante, 1.6987 antes wagered on average, 30.13% folded."""
    whole = whole_game()
    assert whole.deals == DEALS
    assert f"{float(whole.edge):.4%}" == "1.2717%"
    assert f"{float(whole.average_bet):.4f}" == "1.6987"
    assert f"{float(whole.fold_rate):.2%}" == "30.13%"


def test_the_solved_game_is_the_shipped_one() -> None:
    found = solved("six-card-poker", "", "optimal")
    assert found is not None
    assert (found.game, found.player, found.wheel, found.deals) == ("six-card-poker", "optimal", "lowest", DEALS)
    assert tuple(found.outcomes) == OUTCOMES
    assert found.outcomes == whole_game().outcomes
    assert sum(sum(counts.values()) for counts in found.by_hand.values()) == DEALS
    assert found.by_hand["flush",]["lose+none"] == 0


def test_shipped_outcomes_are_the_sum_over_the_hands() -> None:
    counts = shipped()
    assert counts is not None
    assert set(counts) == {"optimal", *STRATEGIES}
    for name in counts:
        assert counts[name]["outcomes"] == whole_game(name).outcomes
        folded = sum(sum(row) for part in counts[name]["folded_by_part"] for row in part.values())
        assert whole_game(name).outcomes["lose+none"] == folded


def test_results_made_for_other_rules_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = json.loads(six_card_poker_game.DATA_PATH.read_text())
    changed = tmp_path / "six-card-poker.json"
    changed.write_text(json.dumps(document | {"fingerprint": "0" * 64}))
    monkeypatch.setattr(six_card_poker_game, "DATA_PATH", changed)
    six_card_poker_game._document.cache_clear()
    try:
        assert solved("six-card-poker", "", "optimal") is None
        with pytest.raises(MissingPartError, match="other rules"):
            whole_game()
    finally:
        six_card_poker_game._document.cache_clear()


# ------------------------------------------------------------------ strategies


@pytest.mark.parametrize(("name", "cost"), [("simple", "0.0609%"), ("short", "0.1162%")])
def test_what_a_strategy_costs(name: str, cost: str) -> None:
    chosen = strategy(name)
    assert f"{float(chosen.cost):.4%}" == cost
    assert chosen.cost == chosen.game.edge - whole_game().edge
    words = in_words(chosen)
    assert len(words) == len(chosen.rules) + 1
    assert cost in words[-1]


def test_an_unknown_strategy() -> None:
    with pytest.raises(InputError, match="simple, short"):
        strategy("wild")


@pytest.mark.parametrize(
    ("cards", "up", "rule"),
    [
        ("As Ks Kd Kh 3c 2d", "9s 9d 9c", "three-up"),
        ("As Ah Ks Kh 3c 2d", "9s 9d 9c", "three-up-else"),
        ("Ts Th 8s 5h 3c 2d", "9s 9d 2c", "pair-up"),
        ("9h 9c Qs 5h 3c 2d", "9s 9d Jc", "pair-up-same"),
        ("9h 9c Qs 5h 3c 2h", "9s 9d Kc", "pair-up-else"),
        ("2h 2c Qs 5h 4c 7d", "As Jd 9c", "pair"),
        ("Ah Qc Js 5h 3c 2d", "Qs Jd Tc", "threat"),
        ("Ah Kc 8s 5h 3c 2d", "Qs Jd Tc", "threat-else"),
        ("Ah Jc 8s 5h 3c 2d", "9s 7d 2c", "ace-high"),
        ("Ah Jc 8s 5h 3c 2d", "Js 9d 2c", "else"),
        ("Ah Kc Ts 5h 3c 2d", "As Td 2c", "ace-high"),
        ("Kh Qc Ts 5h 3c 2d", "7s 5d 2c", "else"),
    ],
)
def test_which_rule_decides(cards: str, up: str, rule: str) -> None:
    assert strategy().rule_for(parse_cards(cards), parse_cards(up)).id == rule


@pytest.mark.parametrize(
    ("up", "threatens"),
    [("6s 4d 2c", True), ("7s 4d 2c", False), ("As 5d 2c", True), ("As 6d 2c", False), ("Ks 9s 2s", True)],
)
def test_when_up_cards_threaten(up: str, threatens: bool) -> None:
    assert UpCardFacts.of(parse_cards(up)).threatens == threatens
