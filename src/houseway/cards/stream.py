"""From a seed to uniform draws: the commitment, the key of a deal, its stream of bytes, and a draw without bias.

The seed is handed in: nothing here makes randomness. docs/shuffle.md gives the same algorithm in prose with test
vectors, so that anybody can repeat a deal in another language; a change here is a new version of the label and of that
page.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Collection, Iterator, MutableSequence, Sequence
from itertools import chain, count
from typing import Final, TypeVar

from houseway.errors import Fault, InputError

LABEL: Final = b"houseway/shuffle/v1"
SEED_BYTES_LEAST: Final = 32
SEED_BYTES_MOST: Final = 1024
ENTROPY_BYTES_MOST: Final = 1024
CONTRIBUTIONS_MOST: Final = 64

_HEX_PAIRS: Final = re.compile(r"(?:[0-9a-fA-F]{2})*")
_Item = TypeVar("_Item")


def parse_seed(text: str, path: str = "seed") -> bytes:
    """The seed that a text of hexadecimal digits holds (64 digits or more).

    >>> parse_seed("00" * 31 + "ff")[-1]
    255
    """
    if not _HEX_PAIRS.fullmatch(text):
        message = "a seed is written as pairs of hexadecimal digits (0-9, a-f) without spaces, at least 64 digits"
        raise InputError.of("bad-seed", path, message)
    seed = bytes.fromhex(text)
    faults = seed_faults(seed, path)
    if faults:
        raise InputError(faults)
    return seed


def seed_faults(seed: bytes, path: str = "seed") -> list[Fault]:
    """Why a seed cannot carry a deal."""
    if len(seed) < SEED_BYTES_LEAST:
        message = f"{len(seed) * 8} bits of seed are too few for a deal: draw at least {SEED_BYTES_LEAST * 8} bits"
        return [Fault("seed-too-short", path, message)]
    if len(seed) > SEED_BYTES_MOST:
        return [Fault("seed-too-long", path, f"a seed has at most {SEED_BYTES_MOST} bytes, not {len(seed)}")]
    return []


def check_fresh_seed(seed: bytes, earlier: Collection[bytes] = ()) -> None:
    """Refuse a seed just drawn if its source looks broken: too short, one byte over and over, or used before.

    For whoever draws the seed of a live round; a replay or an example may use any seed.

    >>> check_fresh_seed(bytes(range(32)))
    >>> check_fresh_seed(bytes(32))
    Traceback (most recent call last):
    ...
    houseway.errors.InputError: seed: every byte of the seed is 00: the random source has failed; do not deal
    """
    faults = seed_faults(seed)
    if seed and len(set(seed)) == 1:
        message = f"every byte of the seed is {seed[0]:02x}: the random source has failed; do not deal"
        faults.append(Fault("seed-stuck", "seed", message))
    if seed in earlier:
        message = "this seed has been used before: the random source has failed or a seed was fed twice; do not deal"
        faults.append(Fault("seed-used", "seed", message))
    if faults:
        raise InputError(faults)


def entropy_faults(player_entropy: Sequence[bytes], path: str = "player_entropy") -> list[Fault]:
    """Why the players' contributions cannot be mixed in."""
    faults: list[Fault] = []
    if len(player_entropy) > CONTRIBUTIONS_MOST:
        message = f"at most {CONTRIBUTIONS_MOST} contributions are mixed into a deal, not {len(player_entropy)}"
        faults.append(Fault("bad-entropy", path, message))
    for place, contribution in enumerate(player_entropy):
        if not 1 <= len(contribution) <= ENTROPY_BYTES_MOST:
            message = (
                f"a contribution has 1 to {ENTROPY_BYTES_MOST} bytes, not {len(contribution)}; leave out who gives none"
            )
            faults.append(Fault("bad-entropy", f"{path}[{place}]", message))
    return faults


def commitment(seed: bytes) -> str:
    """The hash shown before the bets: SHA-256 of the seed's bytes, as 64 lower-case hexadecimal digits.

    >>> commitment(bytes(32))
    '66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925'
    """
    faults = seed_faults(seed)
    if faults:
        raise InputError(faults)
    return hashlib.sha256(seed).hexdigest()


def stream_key(seed: bytes, mode: str, player_entropy: Sequence[bytes] = ()) -> bytes:
    """The 32-byte key of one deal: HMAC-SHA-256 under the label, over seed, mode and the players' contributions.

    Each part goes in with its length in front and the contributions with their number, so that no two different inputs
    are the same message. The label is the key and the seed the message, never the other way round: HMAC replaces a long
    key by its plain hash, and the plain hash of the seed is the public commitment.
    """
    parts = [_framed(seed), _framed(mode.encode("ascii")), len(player_entropy).to_bytes(4, "big")]
    parts += [_framed(contribution) for contribution in player_entropy]
    return hmac.digest(LABEL, b"".join(parts), "sha256")


def byte_stream(key: bytes) -> Iterator[int]:
    """The endless stream of bytes of a key: HMAC-SHA-256 of the counters 0, 1, 2, ... (8 bytes, big end first)."""
    return chain.from_iterable(hmac.digest(key, block.to_bytes(8, "big"), "sha256") for block in count())


def draw_below(bound: int, stream: Iterator[int]) -> int:
    """A uniform number from 0 to bound - 1 (bound at most 256), from as many bytes as it takes.

    A byte at or above the largest multiple of the bound is thrown away: its remainder would favour small numbers.

    >>> draw_below(53, iter([255, 212, 211]))
    52
    """
    assert 1 <= bound <= 256, "one byte tells at most 256 numbers apart"
    limit = 256 - 256 % bound
    for byte in stream:
        if byte < limit:
            return byte % bound
    raise InputError.of("stream-ended", "seed", "the random source has run dry: do not deal")


def shuffle(items: MutableSequence[_Item], stream: Iterator[int]) -> None:
    """Put the items in a uniformly random order, in place (Fisher-Yates from the last place down to the second)."""
    for last in range(len(items) - 1, 0, -1):
        other = draw_below(last + 1, stream)
        items[last], items[other] = items[other], items[last]


def _framed(part: bytes) -> bytes:
    """The part with its length in front, 4 bytes, big end first."""
    return len(part).to_bytes(4, "big") + part
