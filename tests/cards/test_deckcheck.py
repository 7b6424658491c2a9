"""The deck check: what is wrong is named in full, and nothing that is handed in makes it stumble."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.cards.card import DECK_52, DECK_53, JOKER, parse_card
from houseway.cards.deckcheck import (
    VoidDealError,
    check_left_over,
    check_left_over_count,
    deck_faults,
    read_card,
)
from houseway.cards.modes import SIX_CARD_PACKETS, SIX_CARD_POKER, shoe
from houseway.cards.shuffler import deal, deal_in_order
from houseway.errors import Fault, InputError

SEED = bytes(range(32))
SCANNED = st.one_of(
    st.integers(-3, 60), st.integers(), st.sampled_from([str(card) for card in DECK_53]), st.text(max_size=30),
    st.none(), st.booleans(), st.floats(), st.binary(max_size=3), st.lists(st.integers(), max_size=2),
)  # fmt: skip


def codes(faults: list[Fault]) -> list[str]:
    return [fault.code for fault in faults]


def test_a_whole_deck_passes_in_any_order_and_as_text() -> None:
    assert deck_faults(DECK_53, DECK_53) == []
    assert deck_faults(reversed(DECK_53), DECK_53) == []
    assert deck_faults([str(card) for card in DECK_52], DECK_52) == []


@pytest.mark.parametrize("card", ["2c", "7h", "As", "Jk"])
def test_a_missing_card_is_named(card: str) -> None:
    faults = deck_faults([other for other in DECK_53 if str(other) != card], DECK_53)
    assert codes(faults) == ["short-deck"]
    assert f": {card} is missing" in faults[0].message


def test_a_card_that_is_there_twice_is_named_with_its_places() -> None:
    faults = deck_faults([*DECK_53, parse_card("Kd")], DECK_53)
    assert codes(faults) == ["duplicate-card"]
    assert "Kd appears 2 times (deck[45], deck[53])" in faults[0].message
    assert faults[0].path == "deck[53]"


def test_a_joker_is_foreign_to_52_cards_and_a_second_one_to_53() -> None:
    assert codes(deck_faults([*DECK_52, JOKER], DECK_52)) == ["foreign-card"]
    assert codes(deck_faults([*DECK_53, JOKER], DECK_53)) == ["duplicate-card"]


@pytest.mark.parametrize(
    "entry", [53, -1, "1s", "ax", "", None, True, 3.0, b"As", ["As"], object(), pytest.param(10**5000, id="huge")]
)
def test_what_is_no_card_is_foreign(entry: object) -> None:
    assert read_card(entry) is None
    faults = deck_faults([*DECK_53, entry], DECK_53)
    assert codes(faults) == ["foreign-card"]
    assert faults[0].path == "deck[53]"


def test_every_fault_is_told_at_once() -> None:
    wrong = [*DECK_52[2:], DECK_52[5], DECK_52[5], JOKER, "cut card"]
    with pytest.raises(VoidDealError) as refused:
        deal(SIX_CARD_POKER, bytes(31), seats=[1, 8], deck=wrong)
    found = [fault.code for fault in refused.value.faults]
    assert found == ["seed-too-short", "bad-seat", "foreign-card", "foreign-card", "duplicate-card", "short-deck"]
    assert "2c 2d are missing" in str(refused.value)
    assert "appears 3 times" in str(refused.value)


def test_cards_left_over_must_complete_the_deck() -> None:
    dealt = deal(SIX_CARD_PACKETS, SEED)
    cards = [card for packet in dealt.packets for card in packet.cards]
    check_left_over(cards, dealt.leftover, DECK_53)
    check_left_over(cards, reversed(dealt.leftover), DECK_53)
    with pytest.raises(VoidDealError, match="was neither dealt nor left over"):
        check_left_over(cards, dealt.leftover[1:], DECK_53)
    exchanged = [cards[0], *dealt.leftover[1:]]
    with pytest.raises(VoidDealError) as refused:
        check_left_over(cards, exchanged, DECK_53)
    assert [fault.code for fault in refused.value.faults] == ["duplicate-card", "short-deck"]
    assert refused.value.faults[0].path == "left[0]"


def test_the_count_of_cards_left_over() -> None:
    check_left_over_count(4, 4)
    with pytest.raises(VoidDealError, match="3 cards are left over where this deal leaves 4"):
        check_left_over_count(3, 4)


@given(cards=st.lists(SCANNED, max_size=70))
def test_no_pile_of_scanned_things_makes_a_deal_or_a_traceback(cards: list[object]) -> None:
    # 53 random picks never make a deck: each refusal must be a void deal with a reason for every odd entry.
    for attempt in (
        lambda: deal(SIX_CARD_PACKETS, SEED, deck=cards),
        lambda: deal_in_order(shoe(SIX_CARD_POKER), cards),
        lambda: check_left_over(DECK_53[:42], cards, DECK_53),
    ):
        with pytest.raises(VoidDealError) as refused:
            attempt()
        assert all(fault.message and fault.path for fault in refused.value.faults)
        foreign = sum(fault.code == "foreign-card" for fault in refused.value.faults)
        assert foreign >= sum(read_card(card) is None for card in cards)


@given(
    gone=st.sets(st.sampled_from(DECK_53), max_size=4),
    doubled=st.sets(st.sampled_from(DECK_53), max_size=4),
    foreign=st.lists(st.sampled_from([53, "1x", None]), max_size=2),
    randomizer=st.randoms(use_true_random=False),
)
def test_the_check_finds_exactly_what_was_done_to_the_deck(
    gone: set[int], doubled: set[int], foreign: list[object], randomizer: Random
) -> None:
    doubled -= gone
    cards: list[object] = [*(card for card in DECK_53 if card not in gone), *doubled, *foreign]
    randomizer.shuffle(cards)
    faults = deck_faults(cards, DECK_53)
    assert codes(faults) == (
        ["foreign-card"] * len(foreign) + ["duplicate-card"] * len(doubled) + ["short-deck"] * bool(gone)
    )
    if gone:
        assert " ".join(str(card) for card in sorted(gone)) in faults[-1].message
    if faults:
        with pytest.raises(InputError):
            deal(SIX_CARD_PACKETS, SEED, deck=cards)
    else:
        assert deal(SIX_CARD_PACKETS, SEED, deck=cards) == deal(SIX_CARD_PACKETS, SEED)
