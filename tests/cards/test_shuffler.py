"""Modes and deals: who gets which packet, what is refused, and the replay."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.cards import shuffler
from houseway.cards.card import DECK_53
from houseway.cards.deckcheck import VoidDealError
from houseway.cards.modes import (
    DEALER,
    MODES,
    NUMBERING,
    SEVEN_CARD_PACKETS,
    SIX_CARD_PACKETS,
    SIX_CARD_POKER,
    ShufflerMode,
    shoe,
    shuffler_mode,
)
from houseway.cards.shuffler import Deal, deal, deal_in_order, differences, replay
from houseway.cards.stream import commitment, shuffle
from houseway.errors import InputError

SEED = bytes(range(32))


@st.composite
def tables(draw: st.DrawFn) -> tuple[ShufflerMode, dict[str, Any]]:
    """A mode and legal arguments for it."""
    mode = draw(st.sampled_from(MODES))
    handed_in = mode.every_position and not mode.by_machine
    return mode, {
        "seed": draw(st.binary(min_size=32, max_size=70)),
        "seats": draw(st.lists(st.integers(1, mode.seats), min_size=1, unique=True)),
        "player_entropy": draw(st.lists(st.binary(min_size=1, max_size=8), max_size=3)),
        "start_position": draw(st.integers(1, 7)) if handed_in else None,
        "numbering": draw(st.permutations(range(7))),
    }


@given(tables())
def test_a_deal_shares_out_the_whole_deck(table: tuple[ShufflerMode, dict[str, Any]]) -> None:
    mode, arguments = table
    dealt = deal(mode, **arguments)
    cards = [card for packet in dealt.packets for card in packet.cards]
    assert tuple(cards) + dealt.leftover == dealt.order
    assert sorted(dealt.order) == list(mode.deck)
    assert all(len(packet.cards) == mode.packet_size for packet in dealt.packets)
    assert list(dealt.players) == sorted(arguments["seats"])
    assert dealt.packets[[packet.place for packet in dealt.packets].index(DEALER)].cards == dealt.dealer
    assert deal(mode, **arguments) == dealt
    assert replay(commitment(arguments["seed"]), mode, **arguments) == dealt


@given(tables())
def test_at_pai_gow_every_position_gets_a_packet_counter_clockwise(
    table: tuple[ShufflerMode, dict[str, Any]],
) -> None:
    mode, arguments = table
    dealt = deal(mode, **arguments)
    places = [packet.place for packet in dealt.packets]
    if not mode.every_position:
        assert places == [*sorted(arguments["seats"]), DEALER]
        assert dealt.start_position is None
        assert dealt.positions == {}
        return
    assert sorted(places) == [0, 1, 2, 3, 4, 5, 6]
    assert dealt.start_position is not None
    assert places[0] == arguments["numbering"][dealt.start_position - 1]
    for place, after in pairwise(places):
        # Counter-clockwise: from the dealer to his right hand (seat 6), and on down to seat 1 at his left.
        assert after == (6 if place == DEALER else place - 1)
    assert dealt.positions == {
        position: dealt.dealer if place == DEALER else dealt.seats[place]
        for position, place in enumerate(arguments["numbering"], start=1)
    }


@pytest.mark.parametrize(
    ("start", "places"),
    [
        (1, [0, 6, 5, 4, 3, 2, 1]),
        (2, [6, 5, 4, 3, 2, 1, 0]),
        (3, [5, 4, 3, 2, 1, 0, 6]),
        (4, [4, 3, 2, 1, 0, 6, 5]),
        (5, [3, 2, 1, 0, 6, 5, 4]),
        (6, [2, 1, 0, 6, 5, 4, 3]),
        (7, [1, 0, 6, 5, 4, 3, 2]),
    ],
)
def test_the_usual_numbering(start: int, places: list[int]) -> None:
    assert SIX_CARD_PACKETS.places([1], start, NUMBERING) == places


def test_another_numbering_moves_the_start_and_nothing_else() -> None:
    # Numbered clockwise from the dealer's left hand, dealer last: position 2 is seat 2; packets still go the other way.
    dealt = deal_in_order(shoe(SIX_CARD_PACKETS), DECK_53, start_position=2, numbering=(1, 2, 3, 4, 5, 6, 0))
    assert [packet.place for packet in dealt.packets] == [2, 1, 0, 6, 5, 4, 3]
    assert dealt.positions[2] == dealt.seats[2] == DECK_53[:6]
    assert dealt.positions[7] == dealt.dealer == DECK_53[12:18]


@pytest.mark.parametrize(
    ("mode", "seats", "packets", "left"),
    [
        (SIX_CARD_PACKETS, [4], 7, 11),
        (SEVEN_CARD_PACKETS, [4], 7, 4),
        (SIX_CARD_POKER, [1, 2, 3, 4, 5, 6, 7], 8, 4),
        (SIX_CARD_POKER, [6, 2], 3, 34),
        (shoe(SIX_CARD_POKER), [6, 2], 3, 34),
    ],
)
def test_packets_and_cards_left_over(mode: ShufflerMode, seats: list[int], packets: int, left: int) -> None:
    dealt = deal(mode, SEED, seats=seats)
    assert (len(dealt.packets), len(dealt.leftover)) == (packets, left)
    assert dealt.occupied == tuple(sorted(seats))


def test_six_card_poker_turns_up_the_first_three_cards_of_the_dealers_packet() -> None:
    dealt = deal(SIX_CARD_POKER, SEED, seats=[3])
    assert dealt.dealer == dealt.order[6:12]
    assert dealt.up == dealt.order[6:9]
    assert deal(SEVEN_CARD_PACKETS, SEED).up == ()


def test_empty_seats_get_their_packet_at_pai_gow_but_are_no_players() -> None:
    dealt = deal(SEVEN_CARD_PACKETS, SEED, seats=[2])
    assert list(dealt.seats) == [1, 2, 3, 4, 5, 6]
    assert list(dealt.players) == [2]
    assert dealt.seats == deal(SEVEN_CARD_PACKETS, SEED).seats, "who sits down does not change the cards"


def test_modes_and_contributions_and_every_bit_of_the_seed_change_the_deal() -> None:
    flipped = [bytes([*SEED[:-1], SEED[-1] ^ 1]), bytes([SEED[0] ^ 128, *SEED[1:]]), SEED + b"\0"]
    orders = [deal(SIX_CARD_PACKETS, seed).order for seed in (SEED, *flipped)]
    orders += [deal(SEVEN_CARD_PACKETS, SEED).order, deal(shoe(SIX_CARD_PACKETS), SEED, start_position=1).order]
    orders += [deal(SIX_CARD_PACKETS, SEED, player_entropy=list(given)).order for given in ([b"a"], [b"a", b"b"])]
    orders += [deal(SIX_CARD_PACKETS, SEED, player_entropy=[b"b", b"a"]).order]
    assert len(set(orders)) == len(orders) == 9


def test_the_modes_are_told_by_their_ids() -> None:
    assert [shuffler_mode(mode.id) for mode in MODES] == list(MODES)
    assert len({mode.id for mode in MODES}) == len(MODES) == 6
    assert shoe(shoe(SIX_CARD_POKER)) == shoe(SIX_CARD_POKER)
    with pytest.raises(InputError, match="choose one of six-card-packets, seven-card-packets"):
        shuffler_mode("eight-card-packets")


@pytest.mark.parametrize(
    ("mode", "arguments", "codes"),
    [
        (SIX_CARD_PACKETS, {"seats": []}, ["no-seats"]),
        (SIX_CARD_PACKETS, {"seats": [0, 7, 3, 3]}, ["bad-seat", "bad-seat", "duplicate-seat"]),
        (SIX_CARD_POKER, {"seats": [8]}, ["bad-seat"]),
        (SIX_CARD_PACKETS, {"start_position": 3}, ["bad-start"]),
        (SIX_CARD_POKER, {"start_position": 1}, ["bad-start"]),
        (shoe(SIX_CARD_PACKETS), {}, ["bad-start"]),
        (shoe(SIX_CARD_PACKETS), {"start_position": 0}, ["bad-start"]),
        (shoe(SIX_CARD_PACKETS), {"start_position": 8}, ["bad-start"]),
        (shoe(SIX_CARD_POKER), {"start_position": 1}, ["bad-start"]),
        (SIX_CARD_PACKETS, {"numbering": [0, 6, 5, 4, 3, 2]}, ["bad-numbering"]),
        (SIX_CARD_PACKETS, {"numbering": [0, 6, 5, 4, 3, 2, 2]}, ["bad-numbering"]),
        (SIX_CARD_PACKETS, {"player_entropy": [b""]}, ["bad-entropy"]),
        (SIX_CARD_PACKETS, {"seed": bytes(31)}, ["seed-too-short"]),
        (
            shoe(SIX_CARD_PACKETS),
            {"seed": b"", "player_entropy": [b""], "seats": [9], "numbering": ()},
            ["seed-too-short", "bad-entropy", "bad-seat", "bad-start", "bad-numbering"],
        ),
    ],
)
def test_a_deal_is_refused_with_every_fault(mode: ShufflerMode, arguments: dict[str, Any], codes: list[str]) -> None:
    with pytest.raises(InputError) as refused:
        deal(mode, **{"seed": SEED, **arguments})
    assert [fault.code for fault in refused.value.faults] == codes


def test_a_shuffle_that_loses_a_card_is_found_by_the_check_after_the_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    def lose_one(cards: list[int], stream: Iterator[int]) -> None:
        shuffle(cards, stream)
        cards[50] = cards[0]

    monkeypatch.setattr(shuffler, "shuffle", lose_one)
    with pytest.raises(VoidDealError) as refused:
        deal(SIX_CARD_PACKETS, SEED)
    assert [fault.code for fault in refused.value.faults] == ["duplicate-card", "short-deck"]


def test_a_deal_printed_in_a_log_keeps_seed_and_cards_to_itself() -> None:
    one, other = (deal(shoe(SIX_CARD_PACKETS), seed, start_position=1) for seed in (SEED, bytes(32)))
    assert one.dealer != other.dealer
    assert repr(one).replace(str(one.commitment), "") == repr(other).replace(str(other.commitment), "")


def test_a_shoe_is_dealt_from_the_front_of_its_order() -> None:
    order = [str(card) for card in reversed(DECK_53)]
    dealt = deal_in_order(shoe(SEVEN_CARD_PACKETS), order, seats=[6], start_position=1)
    assert dealt.dealer == tuple(reversed(DECK_53[46:]))
    assert dealt.players == {6: tuple(reversed(DECK_53[39:46]))}
    assert (dealt.seed, dealt.commitment, dealt.start_position) == (None, None, 1)


def test_an_order_is_for_a_shoe_only() -> None:
    with pytest.raises(InputError, match="shuffles by itself"):
        deal_in_order(SIX_CARD_PACKETS, DECK_53)


def test_a_replay_needs_the_seed_that_was_committed_to() -> None:
    shown = commitment(SEED)
    assert isinstance(replay(shown.upper() + "\n", SIX_CARD_POKER, SEED), Deal)
    with pytest.raises(InputError) as refused:
        replay(shown, SIX_CARD_POKER, bytes(32))
    assert refused.value.faults[0].code == "seed-mismatch"


def test_an_exchanged_card_and_a_moved_start_show_in_the_replay() -> None:
    again = deal(SIX_CARD_PACKETS, SEED, seats=[1, 2])
    shown = {1: again.seats[1], 2: (*again.seats[2][:5], again.leftover[0])}
    assert again.start_position is not None
    faults = differences(again, dealer=again.dealer, seats=shown, start_position=again.start_position % 7 + 1)
    assert [fault.path for fault in faults] == ["seats[2]", "start_position"]
    faults = differences(
        again, dealer=again.leftover[:6], seats={2: again.seats[2]}, start_position=again.start_position
    )
    assert [fault.path for fault in faults] == ["dealer", "seats[1]"]
    assert "the round shows no cards" in faults[1].message
