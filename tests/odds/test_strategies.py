"""The strategies that ship: legal everywhere, found in the values, and exactly as good as their page says."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from houseway.cards.card import card_texts, parse_cards
from houseway.odds.pai_gow.main_games import DOUBLED, deals_of
from houseway.odds.solved import data_path
from houseway.odds.strategies import shipped_strategies as strategies
from houseway.odds.strategies import write as write_strategies
from houseway.odds.strategies.doubling import NEVER, DoublingLine, doubles, find_lines, outcomes_of
from houseway.odds.strategies.shipped_strategies import edge_of, main_outcomes, saved_by, seven_card_outcomes, strategy
from houseway.odds.strategies.strategy_text import doubling_sentence, ranks_in_words, rule_ids, sentence
from houseway.odds.strategies.topics import HOUSE_WAY, FoundRule, frames, least_gain, six_card_frame, worth

PAGE = Path("docs/strategy.md")
SEVEN_CARD_GAMES = ("fortune", "commission-free-fortune")
FRAMES, SIX_CARD_FRAME = frames(), six_card_frame()


@pytest.mark.parametrize("game", FRAMES)
def test_every_game_has_a_strategy_for_the_installed_rules(game: str) -> None:
    found = strategy(game)
    assert found is not None
    assert sum(found.outcomes.values()) == deals_of(found.frame.cards)
    for edges in found.edges:
        assert edges.best < edges.strategy < edges.house_way
        assert edges.cost == edges.strategy - edges.best


@pytest.mark.parametrize("game", FRAMES)
def test_every_rule_does_what_the_counts_say_is_best(game: str) -> None:
    found = strategy(game)
    assert found is not None
    for topic in found.frame.topics:
        rules = found.rules.get(topic.id)
        assert (rules is None) == (len(topic.actions) == 1)
        for rule in rules or ():
            values = {action: worth(found.frame, counts) for action, counts in rule.counts.items()}
            best = max(value for action, value in values.items() if action != HOUSE_WAY)
            assert values[rule.action] == best, (topic.id, rule)
        assert rules is None or rules[-1].ranges is None


def test_a_rule_of_its_own_saves_enough() -> None:
    """Every rule with conditions is worth remembering, against doing what is done otherwise."""
    for game in FRAMES:
        found = strategy(game)
        assert found is not None
        for rules in found.rules.values():
            usual = rules[-1].action
            for rule in rules[:-1]:
                if usual in rule.counts:
                    saved = worth(found.frame, rule.counts[rule.action]) - worth(found.frame, rule.counts[usual])
                    assert saved >= least_gain(found.frame), (game, rule)


@pytest.mark.parametrize("game", SEVEN_CARD_GAMES)
def test_two_pair_rules_follow_the_shipped_table_of_two_pairs(game: str) -> None:
    """The solution's own table of keeping and splitting, made by other code, says the same over each rule's cells."""
    found = strategy(game)
    assert found is not None
    table = json.loads(data_path("foxwoods", "second", 7).read_text())["counts"]["two_pairs"][game]
    rest = {divmod(int(cell), 169): values for cell, values in table.items()}
    for rule in found.rules["two-pair"]:
        sums = [0, 0]
        for (higher, below), values in list(rest.items()):
            lower, single = divmod(below, 13)
            places = {"top-set": higher + 1, "second-set": lower + 1, "top-single": single + 1}
            if all(first <= places[fact] <= last for fact, (first, last) in (rule.ranges or {}).items()):
                del rest[higher, below]
                sums = [total + value for total, value in zip(sums, values, strict=True)]
        assert rule.action == ("small-pair" if sums[1] > sums[0] else "singles"), rule
    assert not rest


@pytest.mark.parametrize("game", SEVEN_CARD_GAMES)
def test_seven_card_outcomes_are_the_house_ways_and_what_the_rules_change(game: str) -> None:
    found = strategy(game)
    assert found is not None
    assert found.outcomes == seven_card_outcomes(found.frame, found.rules)
    saved = sum(saved_by(found.frame, rule) for rules in found.rules.values() for rule in rules)
    edges = found.edges[0]
    assert edges.house_way - edges.strategy == Fraction(saved, deals_of(7) * found.frame.unit)


def test_the_files_and_the_page_are_current() -> None:
    said: list[str] = []
    assert write_strategies.main(PAGE, ["--check"], said.append) == 0, said


def test_the_check_finds_a_stale_page(tmp_path: Path) -> None:
    page = tmp_path / "strategy.md"
    page.write_text(PAGE.read_text(encoding="utf-8").replace("aces", "kings", 1), encoding="utf-8")
    said: list[str] = []
    assert write_strategies.main(page, ["--check"], said.append) == 1
    assert "strategy.md" in said[0]
    assert write_strategies.main(page, ["--chekc"], said.append) == 2
    assert "--chekc" in said[1]
    assert write_strategies.main(page, [], said.append) == 0
    assert page.read_text(encoding="utf-8") == PAGE.read_text(encoding="utf-8")


def test_a_strategy_of_other_rules_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = strategies.strategy_path("six-card-fortune").read_text(encoding="utf-8")
    assert 'top-single = "2-J"' in text
    (tmp_path / "six-card-fortune.toml").write_text(text.replace('top-single = "2-J"', 'top-single = "2-10"'))
    monkeypatch.setattr(strategies, "FOLDER", tmp_path)
    assert strategy("six-card-fortune") is None
    assert strategy("fortune") is None


def test_hands_set_by_the_six_card_strategy() -> None:
    found = strategy("six-card-fortune")
    assert found is not None
    hands = {
        "As Ah Qs Qd 9c 6c": "Ac Ad As Ah",
        "As Ah 9s 7d 6h 4h": "As Ah",
        "As Ah Ks 7d 6h 4h": "Ks",
        "Jk As Ah 6s 4s 2h": "Jk",
        "Ks Kh Qs Qd 5s 2d": "Ks Kh",
        "9s 9h 5s 5d Ac 2d": "Ac",
    }
    for cards, lows in hands.items():
        assert card_texts(found.way.set(parse_cards(cards)).low)[0] in lows.split(), cards


# -------------------------------------------------------------------- finding rules


def row(value: int, unfit: int = 0) -> list[int]:
    """The counted outcomes of a cell that are worth so much in the six-card game."""
    counts = {"win+none": max(value, 0), "lose+none": max(-value, 0)}
    return [counts.get(outcome, 0) for outcome in DOUBLED] + [unfit]


def test_rules_are_ranges_of_ranks_and_what_is_done_otherwise() -> None:
    pytest.importorskip("numba")
    from houseway.odds.strategies.rule_search import find_rules

    topic = next(topic for topic in SIX_CARD_FRAME.topics if topic.id == "pair")
    big = 10 * least_gain(SIX_CARD_FRAME)
    cells = {}
    for pair in range(13):
        for single in range(3, 13):
            splits = pair >= 11 and single <= 8
            cells[f"{pair},{single}"] = {
                "hands": 100,
                "kept": row(0),
                "split-pair": row(big if splits else -big),
                HOUSE_WAY: row(0),
            }
    special, usual = find_rules(SIX_CARD_FRAME, topic, cells)
    assert (special.action, special.ranges) == ("split-pair", {"top-set": (12, 13), "top-single": (1, 9)})
    assert special.hands == 1200
    assert special.counts["split-pair"][DOUBLED.index("win+none")] == 12 * big
    assert (usual.action, usual.ranges, usual.hands) == ("kept", None, 11800)
    said = sentence(SIX_CARD_FRAME, topic, special, alone=False)
    assert said == (
        "One pair: with a pair of kings or higher and a ten or lower as the highest single card, "
        "one card of the pair goes low."
    )


def test_an_action_that_does_not_fit_is_not_taken_however_good_it_counts() -> None:
    pytest.importorskip("numba")
    from houseway.odds.strategies.rule_search import find_rules

    topic = next(topic for topic in SIX_CARD_FRAME.topics if topic.id == "quads")
    big = 10 * least_gain(SIX_CARD_FRAME)
    cells = {
        str(rank): {"hands": 4, "kept": row(0), "split-four": row(big, unfit=rank == 12), HOUSE_WAY: row(0)}
        for rank in range(13)
    }
    rules = find_rules(SIX_CARD_FRAME, topic, cells)
    aces, others = rules
    assert (aces.action, aces.ranges, aces.hands) == ("kept", {"top-set": (13, 13)}, 4)
    assert (others.action, others.ranges, others.hands) == ("split-four", None, 48)
    assert "split-four" not in aces.counts


def test_what_saves_too_little_is_no_rule() -> None:
    pytest.importorskip("numba")
    from houseway.odds.strategies.rule_search import find_rules

    topic = next(topic for topic in SIX_CARD_FRAME.topics if topic.id == "quads")
    little = least_gain(SIX_CARD_FRAME) - 1
    cells = {
        "0": {"hands": 4, "kept": row(2 * little), "split-four": row(0), HOUSE_WAY: row(0)},
        "12": {"hands": 4, "kept": row(0), "split-four": row(little), HOUSE_WAY: row(0)},
    }
    (rule,) = find_rules(SIX_CARD_FRAME, topic, cells)
    assert (rule.action, rule.ranges, rule.hands) == ("kept", None, 8)


# -------------------------------------------------------------------- doubling down


def test_low_cards_share_a_line_unless_their_own_saves_enough() -> None:
    big = 10 * least_gain(SIX_CARD_FRAME)
    pair_of_eights, pair_of_aces = 16 + 6, 16 + 12
    cells = {}
    for low in range(14):
        good = low >= 12
        cells[f"{low},{pair_of_eights}"] = [big if good else 0, 5, 0 if good else big, 7, 1]
        cells[f"{low},{pair_of_aces}"] = [big, 5, 0, 7, 1]
    lines = find_lines(cells)
    assert lines == (DoublingLine(0, 11, pair_of_aces), DoublingLine(12, 13, pair_of_eights))
    asked = ((3, 0x1C5432), (3, 0x1B5432), (13, 0x16A432), (13, 0x15A432))
    assert [doubles(lines, low, value) for low, value in asked] == [True, False, True, False]
    outcomes = outcomes_of(cells, lines)
    assert outcomes["win+win"] == 16 * big
    assert outcomes["lose+none"] == 12 * (big + 7)
    assert sum(outcomes.values()) == sum(sum(counts) for counts in cells.values())
    assert doubling_sentence(lines[1]) == "With an ace or the joker low: double with a pair of eights or better."


def test_never_doubling_is_a_line_too() -> None:
    cells = {f"{low},{kind}": [0, 0, 9, 0, 0] for low in range(14) for kind in (20, 40)}
    assert find_lines(cells) == (DoublingLine(0, 13, NEVER),)
    assert doubling_sentence(DoublingLine(0, 13, NEVER)).endswith("do not double.")


# -------------------------------------------------------------------- counting again


@pytest.mark.kernels
@pytest.mark.parametrize("game", FRAMES)
def test_the_strategy_sets_every_hand_by_exactly_one_rule(game: str) -> None:
    pytest.importorskip("numba")
    from houseway.houseways.check import check_house_way

    found = strategy(game)
    assert found is not None
    report = check_house_way(found.way)
    assert report.passed, str(report)
    for topic in found.frame.topics:
        rules = found.rules.get(topic.id, ())
        if rules:
            set_by = [report.set_by[rule] for rule in rule_ids(topic, rules)]
            assert set_by == [rule.hands for rule in rules], topic.id


@pytest.mark.kernels
@pytest.mark.slow
def test_the_solver_counts_the_six_card_strategy_alike() -> None:
    """As one more player of the main game, with other code: the same integers."""
    pytest.importorskip("numba")
    from houseway.odds.pai_gow.main_games import add_up
    from houseway.odds.running.cache import Cache
    from houseway.odds.running.executors import InProcessExecutor
    from houseway.odds.running.jobs import run_job

    found = strategy("six-card-fortune")
    assert found is not None
    job = replace(strategies.strategy_job(found.frame, found.way), parts=1)
    counts = add_up(run_job(job, executor=InProcessExecutor(), cache=Cache(), keep=False))["outcomes"]
    main = [sum(column) for column in zip(*counts["main"][found.way.id].values(), strict=True)]
    assert main == [main_outcomes(found.outcomes)[outcome] for outcome in ("win", "push", "lose")]
    # The solver doubles where it pays, hand by hand: the table of the strategy comes near, and never above.
    doubled = [sum(column) for column in zip(*counts["main+double_down"][found.way.id].values(), strict=True)]
    best = edge_of(found.frame, "main+double_down", dict(zip(DOUBLED, doubled, strict=True)))
    assert 0 < found.edges[-1].strategy - best < Fraction(2, 10_000)


@pytest.mark.kernels
@pytest.mark.full
def test_the_rules_and_the_doubling_table_are_found_again() -> None:
    pytest.importorskip("numba")
    from houseway.odds.pai_gow.main_games import add_up
    from houseway.odds.running.cache import Cache
    from houseway.odds.running.executors import InProcessExecutor
    from houseway.odds.running.jobs import run_job
    from houseway.odds.strategies.cells import StrategyCells
    from houseway.odds.strategies.doubling import DoublingCells
    from houseway.odds.strategies.rule_search import find_rules

    found = strategy("six-card-fortune")
    assert found is not None
    cache = Cache()
    cells = add_up(run_job(StrategyCells(found.frame), executor=InProcessExecutor(), cache=cache, keep=False))
    rules: dict[str, tuple[FoundRule, ...]] = {
        topic.id: find_rules(found.frame, topic, cells[topic.id]) for topic in found.frame.topics if topic.id in cells
    }
    assert rules == found.rules
    by_kind = add_up(run_job(DoublingCells(found.way), executor=InProcessExecutor(), cache=cache, keep=False))
    assert find_lines(by_kind) == found.doubling
    assert outcomes_of(by_kind, found.doubling) == found.outcomes


def test_ranks_in_words() -> None:
    assert ranks_in_words(12, 12, plural=False) == "an ace"
    assert ranks_in_words(6, 12, plural=True) == "eights or higher"
    assert ranks_in_words(6, 7, plural=False) == "an eight or a nine"
