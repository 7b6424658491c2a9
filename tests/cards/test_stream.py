"""Seeds, commitments, keys and draws."""

from __future__ import annotations

import hashlib
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.cards.stream import (
    byte_stream,
    check_fresh_seed,
    commitment,
    draw_below,
    entropy_faults,
    parse_seed,
    seed_faults,
    shuffle,
    stream_key,
)
from houseway.errors import InputError

SEED = bytes(range(32))
CONTRIBUTIONS = st.lists(st.binary(min_size=1, max_size=4), max_size=4)


@pytest.mark.parametrize(("length", "code"), [(0, "seed-too-short"), (31, "seed-too-short"), (1025, "seed-too-long")])
def test_a_seed_of_the_wrong_length_carries_no_deal(length: int, code: str) -> None:
    assert [fault.code for fault in seed_faults(bytes(length))] == [code]
    with pytest.raises(InputError):
        commitment(bytes(length))


def test_seeds_from_32_to_1024_bytes_are_fine() -> None:
    assert seed_faults(bytes(32)) == seed_faults(bytes(1024)) == []


@pytest.mark.parametrize(
    "text", ["", "0" * 62, "0" * 63, "0" * 65, "zz" * 32, " " + "00" * 32, "00 " * 32, "\u0660\u0660" * 32]
)
def test_a_seed_text_that_is_no_256_bits_of_hexadecimal_is_refused(text: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_seed(text)
    assert refused.value.faults[0].code in {"bad-seed", "seed-too-short"}


@given(st.text())
def test_no_text_makes_the_seed_parser_stumble(text: str) -> None:
    try:
        seed = parse_seed(text)
    except InputError:
        return
    assert seed.hex() == text.lower()


@given(st.binary(min_size=32, max_size=100))
def test_seed_texts_come_back(seed: bytes) -> None:
    assert parse_seed(seed.hex()) == parse_seed(seed.hex().upper()) == seed


def test_a_source_that_repeats_itself_is_found_out() -> None:
    check_fresh_seed(SEED, [bytes(32)])
    with pytest.raises(InputError) as refused:
        check_fresh_seed(b"\x07" * 31, [b"\x07" * 31])
    assert [fault.code for fault in refused.value.faults] == ["seed-too-short", "seed-stuck", "seed-used"]


def test_contributions_are_bounded() -> None:
    assert entropy_faults([b"1", bytes(1024)]) == []
    assert [fault.path for fault in entropy_faults([b"", b"1", bytes(1025)])] == [
        "player_entropy[0]",
        "player_entropy[2]",
    ]
    assert [fault.code for fault in entropy_faults([b"1"] * 65)] == ["bad-entropy"]


def test_the_commitment_is_the_plain_hash_of_the_seed() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


def test_the_key_never_follows_from_the_commitment_alone() -> None:
    # HMAC hashes a key of more than 64 bytes first: were the seed its key, the commitment could stand in for it.
    for length in (32, 64, 65, 200):
        seed = bytes(length)
        stand_in = bytes.fromhex(commitment(seed))
        assert stream_key(seed, "six-card-packets") != stream_key(stand_in, "six-card-packets")


@given(CONTRIBUTIONS, CONTRIBUTIONS)
def test_different_contributions_give_different_keys(one: list[bytes], other: list[bytes]) -> None:
    # Also ["ab"] and ["a", "b"], which are equal once joined.
    assert (stream_key(SEED, "m", one) == stream_key(SEED, "m", other)) == (one == other)


def test_the_parts_of_the_key_do_not_run_into_each_other() -> None:
    keys = {
        stream_key(SEED, "m"),
        stream_key(SEED, "mm"),
        stream_key(SEED + b"m", "m"),
        stream_key(SEED, "m", [b"m"]),
        stream_key(SEED, "m", [b"m", b"m"]),
        stream_key(SEED, "m", [b"mm"]),
        stream_key(SEED, "m", [b"m", b"a"]),
        stream_key(SEED, "m", [b"a", b"m"]),
        stream_key(SEED, "m", [b"\0\0\0\1m"]),
    }
    assert len(keys) == 9


def test_the_stream_goes_on_over_its_blocks_without_repeating() -> None:
    taken = bytes(islice(byte_stream(SEED), 32 * 300))
    assert len({taken[place : place + 32] for place in range(0, len(taken), 32)}) == 300


@pytest.mark.parametrize("bound", range(1, 257))
def test_every_result_of_a_draw_has_equally_many_bytes(bound: int) -> None:
    results = []
    for byte in range(256):
        follower = iter([byte, 0])
        result = draw_below(bound, follower)
        if list(follower):
            results.append(result)
    assert sorted(set(results)) == list(range(bound))
    assert len({results.count(result) for result in set(results)}) == 1
    assert len(results) > 128, "at most half of the bytes are thrown away"


def test_a_source_that_ends_means_no_deal() -> None:
    with pytest.raises(InputError, match="run dry"):
        draw_below(53, iter([255, 254]))


@given(st.binary(min_size=32, max_size=32), st.lists(st.integers(), max_size=60))
def test_a_shuffle_keeps_every_item(key: bytes, items: list[int]) -> None:
    shuffled = list(items)
    shuffle(shuffled, byte_stream(key))
    assert sorted(shuffled) == sorted(items)


def test_every_order_of_four_comes_from_equally_many_draws() -> None:
    # All 4 * 3 * 2 sequences of draws, once each, give all 24 orders once each.
    orders = set()
    for first in range(4):
        for second in range(3):
            for third in range(2):
                items = list("abcd")
                shuffle(items, iter([first, second, third]))
                orders.add("".join(items))
    assert len(orders) == 24
