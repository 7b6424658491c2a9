"""Setting of hands and the house-way display: who may set and see what, and when."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from houseway.cards.card import CARD_TEXTS
from houseway.manager.commands.round_commands import (
    CorrectWager,
    DeclareSeat,
    DoubleDown,
    SetHand,
    ShowDealerWay,
    ShowPlayerWay,
)
from houseway.manager.core.house_entities import DatedValue, PropertySetting
from houseway.manager.core.table_entities import Display
from tests.manager.cards.pit import SECOND, Pit

SEATS = (1, 3, 4)


def as_dealt(cards: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(CARD_TEXTS[card] for card in cards)


def dealt(game: str = "fortune", *seats: int, cards: str = "known", **wagers: int) -> Pit:
    pit = Pit(game, cards=cards)
    pit.start(*(seats or SEATS), **wagers)
    if cards == "known":
        pit.deal()
    return pit


# ---------------------------------------------------------------- the order, for any interleaving

STEPS = st.lists(
    st.tuples(st.sampled_from(("set", "way", "show", "dealer")), st.sampled_from((*SEATS, 2))), min_size=4, max_size=14
)


class Rule:
    """The order as the documents word it, kept apart from the code: who has set, what was shown."""

    def __init__(self) -> None:
        self.has_set: dict[int, str] = {}
        self.shown: list[int] = []
        self.dealer = False

    def allows(self, step: str, seat: int) -> bool:
        if self.dealer:
            return False
        if step == "dealer":
            return set(SEATS) <= set(self.has_set)
        if seat not in SEATS:
            return False
        if step in ("set", "way"):
            # Somebody who has set may think again, until the first hand is shown.
            return seat not in self.has_set or not self.shown
        others_have_set = all(other in self.has_set for other in SEATS if other != seat)
        own_choice_stands = bool(self.shown) and self.has_set.get(seat) == "player"
        return others_have_set and seat not in self.shown and not own_choice_stands

    def follow(self, step: str, seat: int) -> None:
        if step == "dealer":
            self.dealer = True
        else:
            self.has_set[seat] = "player" if step == "set" else "house-way"
            if step == "show":
                self.shown.append(seat)


def command(pit: Pit, step: str, seat: int) -> Any:
    match step:
        case "set":
            return SetHand(pit.round.id, seat, None if pit.table.cards == "felt" else [0, 1])
        case "way":
            return SetHand(pit.round.id, seat, house_way=True)
        case "show":
            return ShowPlayerWay(pit.round.id, seat)
    return ShowDealerWay(pit.round.id)


@pytest.mark.parametrize("cards", ["known", "felt"])
@given(steps=STEPS)
@settings(max_examples=150)
def test_any_interleaving_is_allowed_exactly_where_the_rule_allows_it(cards: str, steps: list[tuple[str, int]]) -> None:
    pit, rule = dealt(cards=cards), Rule()
    for step, seat in steps:
        wanted = command(pit, step, seat)
        if rule.allows(step, seat):
            pit.do(wanted)
            rule.follow(step, seat)
        else:
            assert pit.refused(wanted), (step, seat)
        assert {int(name): found.by for name, found in pit.round.sets.items()} == rule.has_set
        assert pit.round.dealer_shown == rule.dealer
        opened = {*map(str, SEATS), "dealer"} if rule.dealer else set(map(str, rule.shown))
        assert set(pit.round.shown) == (opened if cards == "known" else set())


# ---------------------------------------------------------------- setting


def test_a_set_hand_is_kept_by_its_places_and_never_by_its_cards() -> None:
    pit = dealt()
    answer = pit.do(SetHand(pit.round.id, 3, [6, 2]))
    kept = pit.round.sets["3"]
    assert (kept.by, kept.low, kept.actor, kept.at) == ("player", (2, 6), "D1", pit.now)
    assert answer == {"round": pit.round.id, "seat": 3, "by": "player", "not_set": [1, 4]}
    assert pit.round.shown == {}
    pit.set(1, 4)
    pit.show()
    shown = pit.round.shown["3"]
    assert set(shown.low) == {shown.cards[2], shown.cards[6]}


@pytest.mark.parametrize(
    ("game", "how", "codes"),
    [
        ("fortune", {}, ["card-count"]),
        ("fortune", {"low": [1]}, ["card-count"]),
        ("fortune", {"low": [1, 2, 3]}, ["card-count"]),
        ("fortune", {"low": [1, 1]}, ["bad-places"]),
        ("fortune", {"low": [-1, 7]}, ["bad-places", "bad-places"]),
        ("fortune", {"low": [1, 2], "house_way": True}, ["bad-places"]),
        ("fortune", {"low": [1, 2], "fold": True}, ["no-fold"]),
        ("fortune", {"low": [1, 2], "raised": 1000}, ["unknown-wager"]),
        ("six-card-fortune", {"low": [6]}, ["bad-places"]),
        ("six-card-fortune", {"low": [5], "raised": 999}, ["raise-mismatch"]),
        ("six-card-poker", {"low": [1]}, ["no-low-hand"]),
        ("six-card-poker", {"house_way": True}, ["no-house-way"]),
    ],
)
def test_a_hand_that_cannot_be_set_so_is_refused(game: str, how: dict[str, Any], codes: list[str]) -> None:
    pit = dealt(game)
    assert pit.refused(SetHand(pit.round.id, 1, **how)) == codes


def test_nobody_sets_at_an_empty_seat_or_before_the_deal() -> None:
    pit = Pit()
    pit.start(1)
    assert pit.refused(SetHand(pit.round.id, 1, [0, 1])) == ["not-dealt"]
    assert pit.refused(ShowDealerWay(pit.round.id)) == ["not-dealt"]
    pit.deal()
    assert pit.refused(SetHand(pit.round.id, 2, [0, 1])) == ["seat-empty"]
    assert pit.refused(ShowPlayerWay(pit.round.id, 2)) == ["seat-empty"]


def test_only_who_deals_tells_that_a_hand_is_set() -> None:
    """A controller's secret sets, folds and raises nobody's hand: the dealer's session goes with every press."""
    pit = dealt()
    for tried in (SetHand(pit.round.id, 1, [0, 1]), DoubleDown(pit.round.id, 1, 1000), DeclareSeat("T1", 2, True)):
        assert pit.refused(tried, "device:C1") == ["wrong-role"]
        assert pit.refused(tried, "D2") == ["not-the-dealer"]
    pit.do(SetHand(pit.round.id, 1, [0, 1]))
    assert pit.round.sets["1"].actor == pit.round.dealer
    assert pit.refused(SetHand(pit.round.id, 3, [0, 1]), "D2") == ["not-the-dealer"]


def test_cards_on_the_felt_have_no_places() -> None:
    pit = dealt(cards="felt")
    assert pit.refused(SetHand(pit.round.id, 1, [0, 1])) == ["cards-on-felt"]
    pit.do(SetHand(pit.round.id, 1))
    assert pit.round.sets["1"].by == "player"


def test_a_double_down_is_told_with_the_hand_and_can_be_taken_back_with_it() -> None:
    pit = dealt("six-card-fortune")
    pit.do(SetHand(pit.round.id, 1, [0], raised=1000))
    assert pit.round.wagers["1"]["double_down"] == 1000
    pit.do(SetHand(pit.round.id, 1, [1]))
    assert pit.round.wagers["1"]["double_down"] == 1000
    pit.do(SetHand(pit.round.id, 1, [1], raised=0))
    assert "double_down" not in pit.round.wagers["1"]
    pit.do(SetHand(pit.round.id, 1, house_way=True, raised=1000))
    pit.set(3, 4)
    pit.show(1)
    pit.show()
    assert [line["stake_cents"] for line in pit.round.lines if line["wager"] == "double_down"] == [1000]


def test_a_double_down_needs_the_wager_that_it_doubles() -> None:
    pit = Pit("six-card-fortune")
    pit.start(1, occupied=(2,))
    pit.deal()
    assert pit.refused(SetHand(pit.round.id, 2, [0], raised=1000)) == ["missing-first-wager"]


def close_double_down(pit: Pit, until: str) -> None:
    own = PropertySetting("double_down_until", (DatedValue(0, until, "E1", "A1", "internal controls"),))
    pit.engine.floor.put("setting", own.id, own)


def test_a_hand_that_the_display_has_set_may_still_be_doubled() -> None:
    pit = dealt("six-card-fortune")
    pit.set(3, 4)
    pit.show(1)
    doubled = DoubleDown(pit.round.id, 1, 1000)
    assert pit.do(doubled)["wagers"]["double_down"] == 1000
    assert pit.refused(doubled) == ["nothing-to-change"]
    assert pit.refused(DoubleDown(pit.round.id, 1, 999)) == ["raise-mismatch"]
    pit.do(DoubleDown(pit.round.id, 1, 0))
    pit.do(doubled)
    pit.show()
    assert [line["seat"] for line in pit.round.lines if line["wager"] == "double_down"] == [1]
    assert pit.refused(DoubleDown(pit.round.id, 4, 1000)) == ["hands-closed"]


@pytest.mark.parametrize("cards", ["known", "felt"])
def test_nobody_doubles_after_another_hand_was_displayed(cards: str) -> None:
    pit = dealt("six-card-fortune", cards=cards)
    for seat in (3, 4):
        pit.do(SetHand(pit.round.id, seat, house_way=True))
    pit.do(DoubleDown(pit.round.id, 3, 1000))
    pit.show(1)
    assert pit.refused(DoubleDown(pit.round.id, 4, 1000)) == ["hands-closed"]
    assert pit.refused(DoubleDown(pit.round.id, 3, 0)) == ["hands-closed"], "nor is one taken back"
    pit.show(4)
    assert pit.refused(DoubleDown(pit.round.id, 4, 1000)) == ["hands-closed"], "its own display opens nothing again"
    assert pit.refused(DoubleDown(pit.round.id, 1, 1000)) == ["hands-closed"]
    pit.show()
    assert "double_down" in pit.round.wagers["3"]


def test_where_hands_are_dealt_face_up_by_permission_no_display_closes_the_double_down() -> None:
    pit = dealt("six-card-fortune")
    pit.engine.floor.put("table", pit.table.id, replace(pit.table, face_up=True))
    pit.set(3, 4)
    pit.show(1)
    assert pit.do(DoubleDown(pit.round.id, 3, 1000))["wagers"]["double_down"] == 1000


def test_a_property_may_close_the_double_down_with_the_players_own_setting() -> None:
    pit = dealt("six-card-fortune")
    close_double_down(pit, "hand-set")
    pit.do(DoubleDown(pit.round.id, 1, 1000))
    pit.set(1)
    assert pit.refused(DoubleDown(pit.round.id, 1, 0)) == ["hands-closed"]
    assert pit.refused(SetHand(pit.round.id, 1, [2], raised=0)) == ["hands-closed"]
    pit.do(SetHand(pit.round.id, 1, [2], raised=1000))
    pit.do(SetHand(pit.round.id, 3, [2], raised=1000))
    pit.do(SetHand(pit.round.id, 4, house_way=True))
    assert pit.refused(DoubleDown(pit.round.id, 4, 1000)) == ["hands-closed"]


def test_what_cannot_be_doubled() -> None:
    pit = dealt("fortune")
    assert pit.refused(DoubleDown(pit.round.id, 1, 1000)) == ["unknown-wager"]
    pit = Pit("six-card-fortune")
    pit.start(1, occupied=(2,))
    assert pit.refused(DoubleDown(pit.round.id, 1, 1000)) == ["not-dealt"]
    pit.deal()
    assert pit.refused(DoubleDown(pit.round.id, 2, 1000)) == ["missing-first-wager"]
    assert pit.refused(DoubleDown(pit.round.id, 5, 1000)) == ["seat-empty"]
    assert pit.refused(DoubleDown(pit.round.id, 1, -5)) == ["out-of-range", "raise-mismatch"]
    assert pit.refused(DoubleDown(pit.round.id, 1, 1000), "D2") == ["not-the-dealer"]


def test_six_card_poker_plays_for_one_ante_or_folds() -> None:
    pit = dealt("six-card-poker")
    pit.do(SetHand(pit.round.id, 1))
    assert pit.round.wagers["1"]["play"] == 1000
    pit.do(SetHand(pit.round.id, 1, fold=True))
    assert "play" not in pit.round.wagers["1"]
    assert pit.round.folds == (1,)
    pit.do(SetHand(pit.round.id, 1))
    assert pit.round.folds == ()
    assert pit.round.wagers["1"]["play"] == 1000


# ---------------------------------------------------------------- displays


@pytest.mark.parametrize("game", ["fortune", "six-card-fortune", "commission-free-fortune", "face-up"])
def test_the_display_sets_a_players_hand_the_house_way(game: str) -> None:
    pit = dealt(game)
    pit.set(1, 4)
    answer = pit.show(3)
    shown = pit.round.shown["3"]
    assert shown.cards == as_dealt(pit.cards.players[3])
    assert sorted(shown.high + shown.low) == sorted(shown.cards)
    assert shown.rule
    assert tuple(answer["hand"]["low"]) == shown.low
    assert (pit.round.sets["3"].by, pit.round.sets["3"].low) == ("house-way", None)
    pit.show()
    assert pit.round.shown["3"] == shown


def test_uses_of_the_display_are_kept_for_surveillance() -> None:
    pit = dealt()
    pit.set(1, 4)
    pit.do(ShowPlayerWay(pit.round.id, 3), "D1", "C1")
    first = pit.now
    pit.show()
    assert pit.round.displays == (Display("3", "D1", "C1", first), Display("dealer", "D1", None, first + SECOND))
    assert [(event.kind, event.actor) for event in pit.events[-2:]] == [
        ("display.player", "D1"),
        ("display.dealer", "D1"),
    ]


def test_a_refused_display_names_the_seats_that_it_waits_for() -> None:
    pit = dealt()
    assert pit.refused(ShowPlayerWay(pit.round.id, 1)) == ["hands-not-set"]
    assert pit.faults[0].message.startswith("seats 3, 4 must set first")
    pit.set(3, 4)
    assert pit.refused(ShowDealerWay(pit.round.id)) == ["hands-not-set"]
    assert pit.faults[0].message.startswith("seat 1 must set first")


def test_two_players_who_want_the_house_way_are_not_stuck() -> None:
    pit = dealt()
    pit.set(1)
    assert pit.refused(ShowPlayerWay(pit.round.id, 3)) == ["hands-not-set"]
    pit.set(4, house_way=True)
    pit.show(3)
    pit.show(4)
    pit.show()


def test_six_card_poker_has_no_house_way_but_shows_the_dealers_hand() -> None:
    pit = dealt("six-card-poker")
    pit.set(1, 3)
    assert pit.refused(ShowPlayerWay(pit.round.id, 4)) == ["no-house-way"]
    assert pit.refused(ShowDealerWay(pit.round.id)) == ["hands-not-set"]
    pit.set(4, fold=True)
    pit.show()
    assert pit.round.shown["dealer"].cards == as_dealt(pit.cards.dealer)
    assert set(pit.round.shown) == {"1", "3", "4", "dealer"}, (
        "a folded hand is shown too: it may have won or bring envy"
    )


def test_a_fouled_hand_may_be_set_and_is_reported_when_it_lies_open() -> None:
    for attempt in range(40):
        pit = Pit(name=f"foul {attempt}")
        pit.start(1)
        pit.deal()
        ranks = [12 if card == 52 else card >> 2 for card in pit.cards.players[1]]
        pairs = [[i, j] for i in range(7) for j in range(i) if ranks[i] == ranks[j]]
        if len(set(ranks)) == 6 and pairs:
            break
    pit.do(SetHand(pit.round.id, 1, pairs[0]))
    answer = pit.show()
    assert pit.round.shown["1"].fouled
    assert answer["seats"][0]["fouled"]
    main = next(line for line in pit.round.lines if line["wager"] == "main")
    assert (main["outcome"], main["clause"]) == ("lose", "base/pai-gow/foul")


# ---------------------------------------------------------------- slips


def test_a_wager_that_was_missed_at_the_start_is_played_like_the_others() -> None:
    pit = Pit("fortune")
    pit.start(sensor=(1, 4))
    pit.deal()
    pit.set(1)
    pit.show(4)
    pit.do(CorrectWager(pit.round.id, "1", 3, made=True, reason="sensor stuck", badge="badge-S1"))
    assert pit.refused(ShowDealerWay(pit.round.id)) == ["hands-not-set"]
    pit.set(3)
    pit.show()
    assert pit.round.shown["3"].cards == as_dealt(pit.cards.players[3])


# ---------------------------------------------------------------- cards on the felt, typed in

KINGS = ["Ks", "Kd", "Kh", "Ac", "Qc", "8d", "3s"]
ACES = ["As", "Ad", "9h", "7c", "5c", "4d", "2s"]


def felt(game: str = "fortune") -> Pit:
    pit = Pit(game, cards="felt")
    pit.start(occupied=(1, 3))
    return pit


def test_the_display_sets_cards_of_the_felt_that_were_typed_in() -> None:
    pit = felt()
    show = ShowPlayerWay(pit.round.id, 3, KINGS)
    assert pit.refused(show) == ["hands-not-set"]
    pit.set(1)
    hand = pit.do(show)["hand"]
    assert (sorted(hand["high"]), sorted(hand["low"]), hand["rule"]) == (
        ["3s", "8d", "Kd", "Kh", "Ks"], ["Ac", "Qc"], "trips-2-k-kept",
    )  # fmt: skip
    assert pit.round.shown["3"].low == tuple(hand["low"])
    assert pit.round.sets["3"].by == "house-way"
    dealers = pit.do(ShowDealerWay(pit.round.id, ACES))["hand"]
    assert set(dealers["cards"]) == set(ACES)
    assert pit.round.shown["dealer"].high == tuple(dealers["high"])
    assert pit.round.lines == ()
    pit.end()


@pytest.mark.parametrize(
    ("typed", "codes"),
    [
        (KINGS[:6], ["card-count"]),
        ([*KINGS[:6], "Ks"], ["duplicate-card"]),
        ([*KINGS[:6], "1x"], ["bad-card"]),
        ([], ["card-count"]),
    ],
)
def test_typed_cards_that_are_no_hand_are_refused(typed: list[str], codes: list[str]) -> None:
    pit = felt()
    pit.set(1)
    assert pit.refused(ShowPlayerWay(pit.round.id, 3, typed)) == codes


def test_a_card_lies_in_one_hand_only() -> None:
    pit = felt()
    pit.set(1)
    pit.do(ShowPlayerWay(pit.round.id, 3, KINGS))
    assert pit.refused(ShowDealerWay(pit.round.id, ["Ks", *ACES[1:]])) == ["duplicate-card"]
    assert "seat 3's hand" in pit.faults[0].message
    pit.do(ShowDealerWay(pit.round.id, ACES))


def test_no_badges_are_typed_where_the_system_dealt_them() -> None:
    pit = dealt()
    pit.set(*SEATS)
    assert pit.refused(ShowDealerWay(pit.round.id, KINGS)) == ["cards-known"]
    assert pit.refused(ShowPlayerWay(pit.round.id, 1, KINGS)) == ["cards-known"]


def test_six_card_poker_has_no_joker_to_type() -> None:
    pit = felt("six-card-poker")
    pit.set(1, 3)
    assert pit.refused(ShowDealerWay(pit.round.id, ["Jk", *KINGS[:5]])) == ["joker-not-used"]
    pit.do(ShowDealerWay(pit.round.id, KINGS[:6]))


def test_refusals_at_the_cards_are_in_words() -> None:
    """Dollars and the names that people say, and one low card is one."""
    pit = Pit("six-card-fortune")
    round_ = pit.start(1)
    pit.deal()
    assert pit.refused(DoubleDown(round_, 1, 2_000)) == ["raise-mismatch"]
    assert pit.faults[0].message == "a double down of $20.00 is more than the main wager, $10.00"
    assert pit.refused(SetHand(round_, 1)) == ["card-count"]
    assert pit.faults[0].message == "give the place of the low card in the packet, or ask for the house way"
