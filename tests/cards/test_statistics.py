"""Statistical tests of the stream, the draws and the deals, and proof that the same tests reject biased ones.

A fair source must lie in the middle 99% of each statistic (`MIDDLE`): too even is as wrong as too uneven. A biased one
must be rejected at one in a million (`BEYOND_CHANCE`). Seeds are the numbers 0, 1, 2, ... written as 32 bytes: fixed,
so that the outcome is, and as alike as seeds can be, so that a likeness that the derivation let through would show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice

import pytest

from houseway.cards.modes import SEVEN_CARD_PACKETS, SIX_CARD_PACKETS, SIX_CARD_POKER, ShufflerMode
from houseway.cards.shuffler import Deal, deal
from houseway.cards.stream import byte_stream, draw_below, shuffle, stream_key
from tests.cards.chi_square import (
    card_by_place,
    cards_of_packets,
    evenness,
    follower,
    goodness_of_fit,
    ranks_of_packets,
    upper_tail,
)

MIDDLE = (0.005, 0.995)
BEYOND_CHANCE = 1e-6
DEALS = 10_000
DRAWS = 400_000
BYTES = 1 << 20

MODES = pytest.mark.parametrize(
    "mode", [SIX_CARD_PACKETS, SEVEN_CARD_PACKETS, SIX_CARD_POKER], ids=lambda mode: mode.id
)


def passes(tail: float) -> bool:
    return MIDDLE[0] < tail < MIDDLE[1]


def seed_of(number: int) -> bytes:
    return number.to_bytes(32, "big")


@cache
def deals(mode: ShufflerMode) -> list[Deal]:
    return [deal(mode, seed_of(number)) for number in range(DEALS)]


def deck_tests(decks: Sequence[Sequence[int]], packet_size: int) -> dict[str, float]:
    """The tests that a way of shuffling must stand."""
    packets = [deck[:packet_size] for deck in decks]
    return {
        "card by place": card_by_place(decks),
        "follower": follower(decks),
        "cards of the first packet": cards_of_packets(packets, len(decks[0])),
        "ranks of the first packet": ranks_of_packets(packets, len(decks[0])),
    }


def byte_tests(data: bytes) -> dict[str, float]:
    """The tests that a stream of bytes must stand."""
    bits = int.from_bytes(data, "big")
    length = 8 * len(data)
    ones = bits.bit_count()
    changes = (bits ^ (bits >> 1) & ~(1 << (length - 1))).bit_count() - (bits >> (length - 1))
    return {
        "bytes": evenness(data, 256),
        "pairs of half-bytes": evenness(
            (one & 0xF0 | two >> 4 for one, two in zip(data[::2], data[1::2], strict=True)), 256
        ),
        "bits": goodness_of_fit([ones, length - ones], [length / 2] * 2),
        "changes of bit": goodness_of_fit([changes, length - 1 - changes], [(length - 1) / 2] * 2),
    }


# Critical values as tabulated in the NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.6.7.4.
@pytest.mark.parametrize(
    ("freedom", "tail", "critical"),
    [
        (1, 0.05, 3.841), (1, 0.001, 10.828), (6, 0.01, 16.812), (6, 0.99, 0.872), (10, 0.95, 3.940),
        (52, 0.05, 69.832), (100, 0.01, 135.807), (100, 0.99, 70.065),
    ],
)  # fmt: skip
def test_the_tail_agrees_with_tabulated_critical_values(freedom: int, tail: float, critical: float) -> None:
    assert upper_tail(critical, freedom) == pytest.approx(tail, rel=3e-3)


@MODES
def test_shuffled_decks_pass(mode: ShufflerMode) -> None:
    tails = deck_tests([dealt.order for dealt in deals(mode)], mode.packet_size)
    assert all(passes(tail) for tail in tails.values()), tails


@MODES
def test_the_dealers_hands_pass(mode: ShufflerMode) -> None:
    hands = [dealt.dealer for dealt in deals(mode)]
    tails = [cards_of_packets(hands, len(mode.deck)), ranks_of_packets(hands, len(mode.deck))]
    assert all(map(passes, tails)), tails


@pytest.mark.parametrize("mode", [SIX_CARD_PACKETS, SEVEN_CARD_PACKETS], ids=lambda mode: mode.id)
def test_start_positions_pass(mode: ShufflerMode) -> None:
    starts = [(dealt.start_position or 0) - 1 for dealt in deals(mode)]
    pairs = [one * 7 + two for one, two in zip(starts[::2], starts[1::2], strict=True)]
    tails = [evenness(starts, 7), evenness(pairs, 49)]
    assert all(map(passes, tails)), tails


def test_start_position_and_top_card_are_independent() -> None:
    dealt = deals(SIX_CARD_PACKETS)
    assert passes(evenness(((one.start_position or 0) - 1 + 7 * one.order[0] for one in dealt), 7 * 53))


def test_contributions_give_decks_that_pass() -> None:
    orders = [deal(SIX_CARD_PACKETS, bytes(32), player_entropy=[seed_of(number)]).order for number in range(DEALS)]
    tails = deck_tests(orders, 6)
    assert all(passes(tail) for tail in tails.values()), tails


def modulo_draw(bound: int, stream: Iterator[int]) -> int:
    return next(stream) % bound


def modulo_shuffle(items: list[int], stream: Iterator[int]) -> None:
    """The remainder of every byte, none thrown away."""
    for last in range(len(items) - 1, 0, -1):
        other = modulo_draw(last + 1, stream)
        items[last], items[other] = items[other], items[last]


def naive_shuffle(items: list[int], stream: Iterator[int]) -> None:
    """Every place is exchanged with any place of the deck: 53^53 paths do not share out evenly over 53! orders."""
    for place in range(len(items)):
        other = draw_below(len(items), stream)
        items[place], items[other] = items[other], items[place]


def restless_shuffle(items: list[int], stream: Iterator[int]) -> None:
    """Off by one: never exchanges a card with itself, so that only cyclic orders come out."""
    for last in range(len(items) - 1, 0, -1):
        other = draw_below(last, stream)
        items[last], items[other] = items[other], items[last]


def cut_only(items: list[int], stream: Iterator[int]) -> None:
    """A cut and no shuffle: every card is equally often in every place, yet its neighbours stay."""
    cut = draw_below(len(items), stream)
    items[:] = items[cut:] + items[:cut]


def decks_of(way: Callable[[list[int], Iterator[int]], None], size: int) -> list[list[int]]:
    decks = []
    for number in range(DEALS):
        deck = list(range(size))
        way(deck, byte_stream(stream_key(seed_of(number), "statistics")))
        decks.append(deck)
    return decks


def test_the_same_frame_passes_the_right_shuffle() -> None:
    tails = deck_tests(decks_of(shuffle, 53), 6)
    assert all(passes(tail) for tail in tails.values()), tails


@pytest.mark.parametrize(
    ("biased", "failed"),
    [
        (modulo_shuffle, {"card by place"}),
        (naive_shuffle, {"card by place", "cards of the first packet"}),
        (restless_shuffle, {"card by place", "cards of the first packet"}),
        (cut_only, {"follower", "ranks of the first packet"}),
    ],
)
def test_a_biased_shuffle_fails(biased: Callable[[list[int], Iterator[int]], None], failed: set[str]) -> None:
    tails = deck_tests(decks_of(biased, 53), 6)
    assert {name for name, tail in tails.items() if tail < BEYOND_CHANCE} >= failed, tails


@pytest.mark.parametrize("bound", [7, 52, 53])
def test_draws_pass_and_remainders_fail(bound: int) -> None:
    def tail(draw: Callable[[int, Iterator[int]], int]) -> float:
        stream = byte_stream(stream_key(seed_of(bound), "draws"))
        return evenness((draw(bound, stream) for _ in range(DRAWS)), bound)

    assert passes(tail(draw_below))
    assert tail(modulo_draw) < BEYOND_CHANCE


def test_bytes_of_one_stream_pass() -> None:
    tails = byte_tests(bytes(islice(byte_stream(stream_key(seed_of(0), "bytes")), BYTES)))
    assert all(passes(tail) for tail in tails.values()), tails


def test_first_bytes_of_many_streams_pass() -> None:
    firsts = (islice(byte_stream(stream_key(seed_of(number), "bytes")), 16) for number in range(BYTES // 16))
    tails = byte_tests(bytes(byte for first in firsts for byte in first))
    assert all(passes(tail) for tail in tails.values()), tails


@pytest.mark.parametrize(
    ("spoil", "failed"),
    [
        (lambda data: bytes(byte % 251 for byte in data), {"bytes", "bits"}),
        (lambda data: bytes(data[place // 2] for place in range(len(data))), {"pairs of half-bytes"}),
        (lambda data: bytes(byte | (place % 50 == 0) for place, byte in enumerate(data)), {"bytes", "bits"}),
        (lambda data: bytes(byte & 0xEF | (byte >> 1) & 0x10 for byte in data), {"changes of bit"}),
    ],
    ids=["reduced", "doubled", "one bit in 400 stuck", "one bit follows its neighbour"],
)
def test_a_spoiled_stream_fails(spoil: Callable[[bytes], bytes], failed: set[str]) -> None:
    tails = byte_tests(spoil(bytes(islice(byte_stream(stream_key(seed_of(0), "bytes")), BYTES))))
    assert {name for name, tail in tails.items() if tail < BEYOND_CHANCE} >= failed, tails
