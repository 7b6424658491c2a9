"""What a round is refused for: each fault by its code and place, and all faults of a round at once."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from houseway.errors import InputError
from houseway.games import read_round, settle_json

FORTUNE: dict[str, Any] = {
    "game": "fortune",
    "paytables": {"fortune": "FPGP-3", "paigowd": "PGD-01", "progressive": "FPGPP-WA01"},
    "dealer": "Ah Qd Jc 9s 7d 5h 4c".split(),
    "seats": [
        {"seat": 3, "cards": "Ks Kd Kh Ac Qc 8d 3s".split(), "low": None, "wagers": {"main": 2500, "fortune": 500}},
        {"seat": 5, "cards": "Ts 9d 8h 7c 5d 4s 2h".split(), "low": ["9d", "8h"], "wagers": {"main": 1500}},
    ],
}
LIMIT = {"per": "hand", "cents": 1_000_000}
SIX_CARD: dict[str, Any] = {
    "game": "six-card-fortune",
    "paytables": {"fortune": "6CFPGP-1", "progressive": "6CFPGPP-2"},
    "dealer": "Ah Qd Jc 9s 7d 5h".split(),
    "seats": [{"seat": 1, "cards": "Ks Kd Kh Ac Qc 8d".split(), "low": None, "wagers": {"main": 1000}}],
}
POKER: dict[str, Any] = {
    "game": "six-card-poker",
    "paytables": {"aces_up": "SCP-01", "bad_beat": "TWBB-001", "progressive": "SIXCPP-02"},
    "dealer": "Ah Qd Jc 9s 7d 5h".split(),
    "seats": [{"seat": 7, "cards": "Ks Kd Kh Ac Qc 8d".split(), "fold": False, "wagers": {"ante": 1000, "play": 1000}}],
}


def faults_of(round_: object) -> set[tuple[str, str]]:
    with pytest.raises(InputError) as caught:
        settle_json(round_)
    return {(fault.code, fault.path) for fault in caught.value.faults}


def changed(round_: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """A copy of a round with the value at a dotted path replaced; list places are numbers."""
    copied = copy.deepcopy(round_)
    *way, last = path.split(".")
    place: Any = copied
    for step in way:
        place = place[int(step)] if isinstance(place, list) else place.setdefault(step, {})
    if isinstance(place, list):
        place[int(last)] = value
    else:
        place[last] = value
    return copied


@pytest.mark.parametrize(
    ("round_", "path", "value", "fault"),
    [
        (FORTUNE, "game", "fortun", ("unknown-game", "game")),
        (FORTUNE, "game", 7, ("wrong-type", "game")),
        (FORTUNE, "setings", {}, ("unknown-key", "setings")),
        (FORTUNE, "dealer", None, ("missing-key", "dealer")),
        (FORTUNE, "dealer", 5, ("wrong-type", "dealer")),
        (FORTUNE, "dealer.0", "1h", ("bad-card", "dealer[0]")),
        (FORTUNE, "dealer.0", ["Ah"], ("bad-card", "dealer[0]")),
        (FORTUNE, "dealer.0", "Qd", ("duplicate-card", "dealer[1]")),
        (FORTUNE, "dealer", "Ah Qd Jc".split(), ("card-count", "dealer")),
        (FORTUNE, "seats", [], ("no-seats", "seats")),
        (FORTUNE, "seats", {}, ("wrong-type", "seats")),
        (FORTUNE, "seats.0", "seat 3", ("wrong-type", "seats[0]")),
        (FORTUNE, "seats.0.seat", 5, ("duplicate-seat", "seats[1].seat")),
        (FORTUNE, "seats.0.seat", 7, ("out-of-range", "seats[0].seat")),
        (FORTUNE, "seats.0.seat", True, ("not-an-integer", "seats[0].seat")),
        (FORTUNE, "seats.0.cards.0", "Ah", ("duplicate-card", "seats[0].cards[0]")),
        (FORTUNE, "seats.0.low", ["Ks"], ("card-count", "seats[0].low")),
        (FORTUNE, "seats.0.low", ["Ks", "Ks"], ("duplicate-card", "seats[0].low[1]")),
        (FORTUNE, "seats.0.low", ["Ks", "2c"], ("low-not-in-hand", "seats[0].low[1]")),
        (FORTUNE, "seats.0.fold", True, ("no-fold", "seats[0].fold")),
        (FORTUNE, "seats.0.fold", "no", ("wrong-type", "seats[0].fold")),
        (FORTUNE, "seats.0.wagers", None, ("missing-key", "seats[0].wagers")),
        (FORTUNE, "seats.0.wagers", {"fortune": 500}, ("missing-first-wager", "seats[0].wagers")),
        (FORTUNE, "seats.0.wagers.tiger9", 500, ("unknown-wager", "seats[0].wagers.tiger9")),
        (FORTUNE, "seats.0.wagers.main", 0, ("out-of-range", "seats[0].wagers.main")),
        (FORTUNE, "seats.0.wagers.main", -5, ("out-of-range", "seats[0].wagers.main")),
        (FORTUNE, "seats.0.wagers.main", 25.0, ("not-an-integer", "seats[0].wagers.main")),
        (FORTUNE, "seats.0.wagers.main", 10**40, ("out-of-range", "seats[0].wagers.main")),
        (FORTUNE, "seats.0.wagers.progressive2", 100, ("missing-paytable", "paytables.progressive2")),
        (FORTUNE, "paytables.fortune", "FPGP-5", ("unknown-paytable", "paytables.fortune")),
        (FORTUNE, "paytables.fortune", "6CFPGP-1", ("wrong-paytable", "paytables.fortune")),
        (FORTUNE, "paytables.fortune", "PGD-01", ("wrong-paytable", "paytables.fortune")),
        (FORTUNE, "paytables.fortune", 3, ("wrong-type", "paytables.fortune")),
        (FORTUNE, "paytables.main", "FPGP-1", ("unknown-key", "paytables.main")),
        (FORTUNE, "way", "six-card", ("unknown-way", "way")),
        (FORTUNE, "way", 5, ("wrong-type", "way")),
        (FORTUNE, "banker", 6, ("no-banker", "banker")),
        (FORTUNE, "banker", 5, ("banker-low", "seats[1].low")),
        (FORTUNE, "dealer_stake", 500, ("no-banker", "dealer_stake")),
        (FORTUNE, "meters.FPGPP-WA01.mega", 5, ("unknown-key", "meters.FPGPP-WA01.mega")),
        (FORTUNE, "meters.FPGPP-WA01.main", -5, ("out-of-range", "meters.FPGPP-WA01.main")),
        (FORTUNE, "meters.FPGPP-XX", {"main": 1}, ("unknown-paytable", "meters.FPGPP-XX")),
        (FORTUNE, "meters.FPGP-1", {"main": 1}, ("no-meter", "meters.FPGP-1")),
        (FORTUNE, "settings.whel", "second", ("unknown-key", "settings.whel")),
        (FORTUNE, "settings.wheel", "highest", ("bad-setting", "settings.wheel")),
        (FORTUNE, "settings.commission_percent", 101, ("out-of-range", "settings.commission_percent")),
        (FORTUNE, "settings.fixed_pays", "meter", ("setting-not-allowed", "settings.fixed_pays")),
        (FORTUNE, "settings.aggregate_limit", {}, ("bad-setting", "settings.aggregate_limit")),
        (
            FORTUNE,
            "settings.aggregate_limit",
            {"per": "day", "cents": 5},
            ("bad-setting", "settings.aggregate_limit.per"),
        ),
        (FORTUNE, "settings.aggregate_limit", {"per": "hand"}, ("not-an-integer", "settings.aggregate_limit.cents")),
        (FORTUNE, "settings.limits", {"any": {"max": 2000}}, ("over-limit", "seats[0].wagers.main")),
        (FORTUNE, "settings.limits", {"fortune": {"min": 1000}}, ("under-limit", "seats[0].wagers.fortune")),
        (FORTUNE, "settings.limits", {"any": {"min": 5, "max": 4}}, ("bad-setting", "settings.limits.any")),
        (FORTUNE, "settings.limits", {"as_of": "last week"}, ("bad-setting", "settings.limits.as_of")),
        (FORTUNE, "settings.limits", {"as_of": 2023}, ("bad-setting", "settings.limits.as_of")),
        (FORTUNE, "settings.limits", {"licence": "tribal"}, ("bad-setting", "settings.limits.licence")),
        (FORTUNE, "settings.max_games", 1, ("too-many-games", "seats[0].wagers")),
        (FORTUNE, "settings.double_for_less", 1, ("wrong-type", "settings.double_for_less")),
        (SIX_CARD, "banker", 1, ("no-banker", "banker")),
        (SIX_CARD, "settings.wheel", "lowest", ("setting-not-allowed", "settings.wheel")),
        (SIX_CARD, "seats.0.wagers.double_down", 500, ("raise-mismatch", "seats[0].wagers.double_down")),
        (SIX_CARD, "seats.0.wagers.double_down", 1500, ("raise-mismatch", "seats[0].wagers.double_down")),
        (SIX_CARD, "seats.0.wagers.progressive2", 100, ("unknown-wager", "seats[0].wagers.progressive2")),
        (SIX_CARD, "settings.aggregate_limit", LIMIT, ("setting-not-allowed", "settings.aggregate_limit")),
        (POKER, "settings.aggregate_limit", LIMIT, ("setting-not-allowed", "settings.aggregate_limit")),
        (FORTUNE, "settings.double_for_less", True, ("setting-not-allowed", "settings.double_for_less")),
        (FORTUNE, "settings.jackpots_by_paper", True, ("setting-not-allowed", "settings.jackpots_by_paper")),
        (FORTUNE, "settings.shared_envy", False, ("setting-not-allowed", "settings.shared_envy")),
        (SIX_CARD, "settings.banked_bonus", "banker", ("setting-not-allowed", "settings.banked_bonus")),
        (SIX_CARD, "settings.dealer_stake", 500, ("setting-not-allowed", "settings.dealer_stake")),
        (SIX_CARD, "settings.shared_envy", False, ("setting-not-allowed", "settings.shared_envy")),
        (SIX_CARD, "settings.jackpot_joker", "literal", ("setting-not-allowed", "settings.jackpot_joker")),
        (POKER, "settings.double_for_less", True, ("setting-not-allowed", "settings.double_for_less")),
        (POKER, "settings.joker_seven_card_line", False, ("setting-not-allowed", "settings.joker_seven_card_line")),
        (FORTUNE, "settings.envy_minimum", 100, ("unknown-key", "settings.envy_minimum")),
        (POKER, "dealer.0", "Jk", ("joker-not-used", "dealer[0]")),
        (POKER, "way", "foxwoods", ("no-house-way", "way")),
        (POKER, "seats.0.low", ["Ks"], ("no-low-hand", "seats[0].low")),
        (POKER, "seats.0.fold", True, ("play-after-fold", "seats[0].wagers.play")),
        (POKER, "seats.0.wagers", {"ante": 1000}, ("raise-mismatch", "seats[0].wagers.play")),
        (POKER, "paytables.aces_up", "SCP-LAYOUT", ("unapproved-paytable", "paytables.aces_up")),
    ],
)
def test_a_fault_is_named_with_its_place(
    round_: dict[str, Any], path: str, value: object, fault: tuple[str, str]
) -> None:
    read_round(round_)
    assert fault in faults_of(changed(round_, path, value))


def test_all_faults_are_named_at_once() -> None:
    round_ = changed(FORTUNE, "dealer.0", "Xx")
    round_ = changed(round_, "seats.0.wagers.main", -1)
    round_ = changed(round_, "seats.1.low", ["9d"])
    round_ = changed(round_, "settings.wheel", "middle")
    round_ = changed(round_, "paytables.fortune", "FPGP-9")
    assert {code for code, _ in faults_of(round_)} == {
        "bad-card",
        "out-of-range",
        "card-count",
        "bad-setting",
        "unknown-paytable",
    }


@pytest.mark.parametrize("value", [None, [], "round", 5, True, {}])
def test_what_is_no_round_is_refused(value: object) -> None:
    assert faults_of(value)


def test_a_share_of_a_meter_needs_the_meter_and_a_whole_one_its_seed() -> None:
    hit = changed(SIX_CARD, "seats.0.cards", "Ac As Ad Jk Ks Kd".split())
    hit = changed(hit, "dealer", "Ah Qd Jc 9s 7d 5h".split())
    hit = changed(hit, "seats.0.wagers.progressive", 100)
    # Four aces only, the fifth is the dealer's: a fixed pay needs no meter.
    assert settle_json(hit)["seats"][0]["lines"][-1]["returned"] == 150 * 100
    hit = changed(hit, "seats.0.cards", "Ac As Ad Jk Ah Kd".split())
    hit = changed(hit, "dealer", "Qh Qd Jc 9s 7d 5h".split())
    assert faults_of(hit) == {
        ("missing-meter", "meters.6CFPGPP-2.main"),
        ("missing-seed", "seeds.6CFPGPP-2.main"),
    }
    hit = changed(hit, "meters.6CFPGPP-2.main", 1_000_001)
    assert faults_of(hit) == {("missing-seed", "seeds.6CFPGPP-2.main")}
    settled = settle_json(changed(hit, "seeds.6CFPGPP-2.main", 50_000))
    assert settled["meters"] == {"6CFPGPP-2": {"main": 50_000}}
    assert settled["seats"][0]["lines"][-1]["returned"] == 1_000_001


def test_a_meter_that_cannot_cover_a_fixed_pay_refuses_it() -> None:
    hit = changed(SIX_CARD, "seats.0.cards", "Ks Kd Kh Kc Qc 8d".split())
    hit = changed(hit, "seats.0.wagers.progressive", 100)
    hit = changed(hit, "settings.fixed_pays", "meter")
    assert faults_of(hit) == {("missing-meter", "meters.6CFPGPP-2.main")}
    assert faults_of(changed(hit, "meters.6CFPGPP-2.main", 14_999)) == {("meter-short", "meters.6CFPGPP-2.main")}
    assert settle_json(changed(hit, "meters.6CFPGPP-2.main", 15_000))["meters"] == {"6CFPGPP-2": {"main": 0}}


def test_dated_limits_hold_a_round_to_its_day() -> None:
    big = changed(FORTUNE, "seats.0.wagers.main", 35_000)
    before = changed(big, "settings.limits", {"as_of": "2023-07-31"})
    after = changed(big, "settings.limits", {"as_of": "2023-08-01", "licence": "commercial"})
    assert faults_of(before) == {("over-limit", "seats[0].wagers.main")}
    settle_json(after)
    settle_json(changed(big, "settings.limits", {"as_of": "2023-07-31", "licence": "tribal"}))


def test_the_number_of_games_was_four_until_2023() -> None:
    tables = {"fortune": "FPGP-3", "paigowd": "PGD-01", "progressive": "FPGPP-WA01", "progressive2": "FPGPP-ML2"}
    five = changed(FORTUNE, "paytables", tables)
    wagers = {"main": 500, "fortune": 500, "paigowd": 500, "progressive": 100, "progressive2": 100}
    five = changed(five, "seats.0.wagers", wagers)
    assert faults_of(changed(five, "settings.limits", {"as_of": "2021-05-01"})) == {
        ("too-many-games", "seats[0].wagers"),
        ("not-in-edition", "seats[0].wagers.progressive2"),
    }
    settle_json(changed(five, "settings.limits", {"as_of": "2023-06-14"}))
    # A room's own number takes the place of the dated one; a second sensor was not offered yet all the same.
    assert faults_of(changed(five, "settings", {"limits": {"as_of": "2021-05-01"}, "max_games": 5})) == {
        ("not-in-edition", "seats[0].wagers.progressive2")
    }


def test_poker_keeps_the_wheel_lowest_and_says_so() -> None:
    settled = settle_json(changed(POKER, "settings.wheel", "second"))
    assert "lowest straight" in settled["notes"][0]
    assert "notes" not in settle_json(POKER)


def test_a_main_wager_on_the_bankers_own_spot_goes_back() -> None:
    """The contract lets every seat make it; the bank's result does not depend on it."""
    with_main = settle_json({**FORTUNE, "banker": 3})["seats"][0]["lines"]
    shown = ("wager", "outcome", "stake", "returned", "clause", "source")
    assert [with_main[0][key] for key in shown] == ["main", "push", 2500, 2500, "base/pai-gow/banker", None]
    without = settle_json(changed({**FORTUNE, "banker": 3}, "seats.0.wagers", {"fortune": 500}))["seats"][0]["lines"]
    assert with_main[1:] == without


def test_what_a_deal_adds_for_the_record_is_let_through() -> None:
    out_of_play = {"unoccupied": [{"seat": 1, "cards": ["2c", "2d"]}], "leftover": ["Jk"]}
    extra = {"seed": "00" * 32, "commitment": "ab", "start_position": 3, "up": None, **out_of_play}
    assert settle_json({**FORTUNE, **extra}) == settle_json(FORTUNE)


@pytest.mark.parametrize(
    ("extra", "fault"),
    [
        ({"leftover": ["Ks"]}, ("duplicate-card", "leftover[0]")),
        ({"leftover": ["2c", "2c"]}, ("duplicate-card", "leftover[1]")),
        ({"leftover": ["Xx"]}, ("bad-card", "leftover[0]")),
        ({"leftover": 5}, ("wrong-type", "leftover")),
        ({"unoccupied": [{"seat": 1, "cards": ["Ks"]}]}, ("duplicate-card", "unoccupied[0].cards[0]")),
        ({"unoccupied": "zz"}, ("wrong-type", "unoccupied")),
        ({"dealer_stake": 5, "settings": {"dealer_stake": 6}, "banker": 3}, ("bad-setting", "dealer_stake")),
    ],
)
def test_cards_out_of_play_are_looked_at_too(extra: dict[str, Any], fault: tuple[str, str]) -> None:
    assert fault in faults_of({**FORTUNE, **extra})


def test_a_round_of_an_unknown_game_is_checked_as_far_as_it_goes() -> None:
    round_ = changed(changed(FORTUNE, "game", "baccarat"), "seats.0.wagers.main", -1)
    round_ = changed(changed(round_, "seats.1.cards.0", "Ks"), "dealer.0", "Zz")
    assert faults_of(round_) == {
        ("unknown-game", "game"),
        ("bad-card", "dealer[0]"),
        ("out-of-range", "seats[0].wagers.main"),
        ("duplicate-card", "seats[1].cards[0]"),
    }
    assert faults_of({}) == {("missing-key", "game"), ("missing-key", "dealer"), ("missing-key", "seats")}
