"""Advice on settings: every count is what settling every round would give."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path
from random import Random

import pytest

from houseway.cards.card import ALL_CARDS, Card, parse_cards
from houseway.definitions import span_of
from houseway.errors import InputError
from houseway.games import game
from houseway.games.contest import dealer_qualifies
from houseway.games.hand_setting import put_hand
from houseway.games.table_settings import default_settings
from houseway.houseways import house_way
from houseway.houseways.evaluate import ReferenceEvaluator
from houseway.odds.pai_gow.setting_advice import Advice, Option, SettingTally, advise_open
from houseway.odds.pai_gow.splits import legal_settings, undominated
from houseway.ranking.reference import PAI_GOW, PAI_GOW_LOW_WHEEL

SEVEN = parse_cards("As Kd Th 9c 9d 4s 4h")
SIX = parse_cards("As Kd Th 9c 9d Jk")
PAIR_OF_EIGHTS = span_of("pair of eights").start


def lows(options: list[Option]) -> list[tuple[Card, ...]]:
    return [option.setting.low for option in options]


# -------------------------------------------------------------------- the settings


@pytest.mark.parametrize("game_id", ["fortune", "six-card-fortune"])
def test_the_settings_are_all_that_the_rules_allow(game_id: str) -> None:
    played, reference = game(game_id), ReferenceEvaluator()
    for number in range(40):
        cards = tuple(Random(number).sample(ALL_CARDS, played.cards))
        allowed = set()
        for low in combinations(cards, played.low_cards):
            hand = put_hand(played, cards, low, None, PAI_GOW, reference)
            joker = played.low_cards == 1 and low == (52,)
            if not hand.fouled:
                allowed.add((hand.high_value, 1000 if joker else hand.low_value))
        found = [
            (setting.high_value, 1000 if setting.low_rank == 13 and len(setting.low) == 1 else setting.low_value)
            for setting in legal_settings(cards)
        ]
        assert len(found) == len(set(found))
        assert set(found) == allowed


def test_of_equal_settings_the_joker_goes_low_and_then_the_later_suit() -> None:
    settings = legal_settings(parse_cards("Jk Ks Kc 8h 7c 5d 3s"))
    of_one_king = [setting.low for setting in settings if {card.rank for card in setting.low} == {11, 6}]
    assert of_one_king == [parse_cards("Kc 8h")]
    settings = legal_settings(parse_cards("Jk As Kd Qh 9c 7d 2s"))
    of_one_ace = [setting.low for setting in settings if {card.rank for card in setting.low} == {12, 0}]
    assert of_one_ace == [parse_cards("Jk 2s")]


def test_dominated_settings_are_left_out() -> None:
    settings = legal_settings(SEVEN)
    best = undominated(settings)
    assert [setting.low for setting in best] == [parse_cards(low) for low in ("Kd Th", "As Th", "As Kd", "4s 4h")]
    for setting in settings:
        better = [
            other for other in best if other.high_value >= setting.high_value and other.low_rank >= setting.low_rank
        ]
        assert better


# -------------------------------------------------------------------- counts


@pytest.mark.kernels
@pytest.mark.parametrize("wheel", ["second", "lowest"])
@pytest.mark.parametrize("game_id", ["fortune", "commission-free-fortune"])
def test_seven_card_counts_are_those_of_settled_rounds(game_id: str, wheel: str) -> None:
    _assert_counts_are_settled(game_id, "casino-real", wheel, numbers=range(4), left=9)


@pytest.mark.kernels
def test_six_card_counts_are_those_of_settled_rounds() -> None:
    _assert_counts_are_settled("six-card-fortune", "six-card", "second", numbers=range(12), left=9)


@pytest.mark.kernels
def test_the_samples_meet_every_rule() -> None:
    """The deals of the tests above: jokers on both sides, nine-high lows, dealers who qualify and who do not."""
    pytest.importorskip("numba")
    from tests.odds.dealers import small_deal, tables_of_deck

    six = [small_deal("six-card-fortune", number, 9) for number in range(12)]
    assert any(52 in cards for cards, _, _ in six)
    assert any(52 in deck for _, deck, _ in six)
    values = {int(value) for _, deck, _ in six for value in tables_of_deck("six-card", deck).values}
    assert min(values) < PAIR_OF_EIGHTS <= max(values)
    seven = [tables_of_deck("casino-real", small_deal("fortune", number, 9)[1]) for number in range(4)]
    assert any(tables.lows[(tables.lows >= 21) & (tables.lows <= 27)].size for tables in seven)


def _assert_counts_are_settled(game_id: str, way: str, wheel: str, numbers: range, left: int) -> None:
    pytest.importorskip("numba")
    from houseway.odds.pai_gow.setting_advice import advise
    from tests.odds.dealers import settled_against_all, small_deal, tables_of_deck

    ranking = PAI_GOW if wheel == "second" else PAI_GOW_LOW_WHEEL
    for number in numbers:
        cards, deck, seen = small_deal(game_id, number, left)
        tables = tables_of_deck(way, deck, ranking)
        advice = advise(game(game_id), cards, house_way(way), tables, ranking=ranking, seen=seen)
        assert advice.deals == comb(left, len(cards))
        for option in advice.options:
            counts = settled_against_all(game_id, cards, option.setting.low, deck, way=way, settings={"wheel": wheel})
            assert _counter(option.main) == counts[0]
            if option.raised is not None:
                assert _counter(option.raised) == counts[1]


def _counter(tally: SettingTally) -> Counter[str]:
    return +Counter(win=tally.win, push=tally.push, lose=tally.lose)


@pytest.mark.kernels
def test_all_dealer_hands_are_counted_once() -> None:
    """The whole walk against a plain pass over every hand of the deck, without any walk."""
    pytest.importorskip("numba")
    from houseway.odds.pai_gow.setting_advice import advise
    from tests.odds.dealers import laid_without, whole_tables

    tables = whole_tables("six-card")
    seen = parse_cards("2c 7h Ad")
    advice = advise(game("six-card-fortune"), SIX, house_way("six-card"), tables, seen=seen)
    laid = laid_without(tables, (*SIX, *seen))
    assert advice.deals == laid.sum() == comb(44, 6)
    qualifies = tables.values >= PAIR_OF_EIGHTS
    for option in advice.options:
        high, low = option.setting.worth
        wins, loses = laid[tables.values < high, :low], laid[tables.values >= high, low:]
        assert (option.main.win, option.main.lose) == (wins.sum(), loses.sum())
        assert option.raised is not None
        assert option.raised.win == laid[(tables.values < high) & qualifies, :low].sum()
        assert option.raised.lose == laid[(tables.values >= high) & qualifies, low:].sum()
        assert option.main.total == option.raised.total == advice.deals


@pytest.mark.kernels
def test_the_walk_numbers_hands_as_the_tables_do() -> None:
    pytest.importorskip("numba")
    import numpy as np

    from houseway.odds.pai_gow import layouts, walk_kernels

    assert np.array_equal(walk_kernels.BINOMIALS, layouts.BINOMIALS)


@pytest.mark.kernels
def test_one_thread_and_many_count_alike() -> None:
    pytest.importorskip("numba")
    from houseway.odds.pai_gow.setting_advice import advise
    from tests.odds.dealers import whole_tables

    played, way, tables = game("six-card-fortune"), house_way("six-card"), whole_tables("six-card")
    assert advise(played, SIX, way, tables, threads=1) == advise(played, SIX, way, tables, threads=5)


@pytest.mark.slow
@pytest.mark.kernels
def test_a_seven_card_hand_against_all_dealer_hands() -> None:
    pytest.importorskip("numba")
    from houseway.odds.pai_gow.setting_advice import advise
    from tests.odds.dealers import laid_without, whole_tables

    tables = whole_tables("foxwoods")
    laid = laid_without(tables, SEVEN)
    for game_id in ("fortune", "commission-free-fortune"):
        contested = laid.copy()
        if game_id == "commission-free-fortune":
            contested[:, 21:28] = 0
        advice = advise(game(game_id), SEVEN, house_way("foxwoods"), tables)
        for option in advice.options:
            high, low = option.setting.worth
            assert option.main.win == contested[tables.values < high, :low].sum()
            assert option.main.lose == contested[tables.values >= high, low:].sum()
            assert option.main.total == comb(46, 7)


# -------------------------------------------------------------------- what follows from the counts


def test_commission_is_taken_from_wins_alone() -> None:
    tally = SettingTally(win=40, push=30, lose=30)
    assert tally.value() == Fraction(10, 100)
    assert tally.value(Fraction(5, 100)) == Fraction(8, 100)
    assert tally.value(Fraction(1)) == Fraction(-30, 100)


@pytest.fixture(scope="module")
def six() -> Advice:
    pytest.importorskip("numba")
    from houseway.odds.pai_gow.setting_advice import advise
    from tests.odds.dealers import whole_tables

    return advise(game("six-card-fortune"), SIX, house_way("six-card"), whole_tables("six-card"))


@pytest.mark.kernels
def test_the_best_comes_first_and_the_house_way_has_its_cost(six: Advice) -> None:
    values = [option.value for option in six.options]
    assert values == sorted(values, reverse=True)
    assert six.options[0].setting.low == parse_cards("Jk")
    assert six.house_way.setting.low == parse_cards("Kd")
    assert six.cost == values[0] - values[1] > 0
    assert six.rule == "6b"


@pytest.mark.kernels
def test_the_double_down_can_ask_for_another_setting(six: Advice) -> None:
    """The joker low is best for the main wager alone; two pair behind a king is better with the wager doubled."""
    assert six.best_whole.setting.low == parse_cards("Kd")
    assert six.best_whole.doubles
    assert six.best_whole.whole_value == six.best_whole.value + six.best_whole.double_value
    for option in six.options:
        assert option.doubles == (option.double_value > 0)
        assert option.whole_value == option.value + max(0, option.double_value)


@pytest.mark.kernels
def test_a_commission_counts_only_where_the_game_takes_one() -> None:
    pytest.importorskip("numba")
    from houseway.odds.pai_gow.setting_advice import advise
    from tests.odds.dealers import small_deal, tables_of_deck

    for game_id, counts in (("fortune", True), ("commission-free-fortune", False)):
        cards, deck, seen = small_deal(game_id, 1, 9)
        tables = tables_of_deck("foxwoods", deck)
        low, high = (
            advise(game(game_id), cards, house_way("foxwoods"), tables, seen=seen, commission=Fraction(rate, 100))
            for rate in (0, 50)
        )
        won = any(option.main.win for option in low.options)
        assert won
        differs = [option.value for option in low.options] != [option.value for option in high.options]
        assert differs == counts


def test_the_dealer_qualifies_where_the_game_says() -> None:
    hand = put_hand(game("six-card-fortune"), tuple(SIX), parse_cards("Jk"), None, PAI_GOW, ReferenceEvaluator())
    for value, qualifies in ((PAIR_OF_EIGHTS, True), (PAIR_OF_EIGHTS - 1, False)):
        hand.high_value = value
        assert dealer_qualifies(game("six-card-fortune").contest, hand) is qualifies


# -------------------------------------------------------------------- an open dealer


def test_against_an_open_dealer_every_setting_is_settled() -> None:
    from tests.odds.dealers import settled

    pushes = 0
    for number in range(150):
        cards = Random(number).sample(ALL_CARDS, 14)
        mine, dealer = tuple(cards[:7]), tuple(cards[7:])
        advice = advise_open(game("face-up"), mine, dealer, house_way("foxwoods"))
        outcomes = {"win": 1, "push": 0, "lose": -1}
        for option in advice.options:
            (outcome,) = settled("face-up", mine, option.setting.low, dealer)
            assert option.value == outcomes[outcome]
            assert option.main.total == advice.deals == 1
        pushes += {option.value for option in advice.options} == {0}
    assert pushes > 10


def test_of_equally_good_settings_the_house_ways_comes_first() -> None:
    dealer = parse_cards("Ac Ad 3h 2c 8c 7d Qd")
    advice = advise_open(game("face-up"), SEVEN, dealer, house_way("foxwoods"))
    assert [option.value for option in advice.options[:3]] == [1, 1, 1]
    assert advice.options[0] is advice.house_way
    assert advice.cost == 0


# -------------------------------------------------------------------- the tables


@pytest.mark.kernels
def test_tables_are_laid_once_and_opened_again(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    import numpy as np

    from houseway.odds.pai_gow.dealer_tables import dealer_tables, tables_ahead
    from houseway.odds.running.cache import Cache
    from tests.odds.dealers import whole_tables

    way, told = house_way("six-card"), []
    wait = tables_ahead(way, PAI_GOW, Cache(tmp_path, told.append))
    laid = wait()
    assert len(told) == 1
    assert "six-card" in told[0]
    for again in (
        dealer_tables(way, PAI_GOW, Cache(tmp_path, told.append)),
        tables_ahead(way, PAI_GOW, Cache(tmp_path))(),
    ):
        for name in ("highs", "lows", "values"):
            assert np.array_equal(getattr(again, name), getattr(laid, name))
            assert np.array_equal(getattr(again, name), getattr(whole_tables("six-card"), name))
    assert len(told) == 1


@pytest.mark.kernels
@pytest.mark.parametrize("slip", ["unset", "fouled"])
def test_a_way_with_a_hole_is_refused(slip: str, tmp_path: Path) -> None:
    pytest.importorskip("numba")
    from houseway.odds.pai_gow.dealer_tables import dealer_tables
    from houseway.odds.running.cache import Cache
    from tests.houseways.room_files import broken_way

    with pytest.raises(InputError) as refused:
        dealer_tables(broken_way(slip, tmp_path), PAI_GOW, Cache(tmp_path / "cache"))
    assert [fault.code for fault in refused.value.faults] == ["way-incomplete"]
    assert not list((tmp_path / "cache").rglob("*.table"))


def test_settings_default_to_the_commission_of_the_advice() -> None:
    from houseway.odds.pai_gow.main_games import COMMISSION

    settings = default_settings(game("fortune"))
    assert Fraction(settings.commission_percent, 100) == game("fortune").commission_rate == COMMISSION
