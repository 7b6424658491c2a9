"""The hash of any event that a journal ever had, those that were archived among them.

The rows of archived events have left the database, but their leaves stay in the tree. The chain over them must lead to
the first event that is left, which the property's key has signed: then every hash on the way is that of the event which
stood there, and nobody has to be believed. So whoever has seen an archived event is told whether this journal had it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Final

from houseway.manager.core.records import GENESIS, Event, chain_hash
from houseway.manager.store.store_errors import JournalDamagedError
from houseway.proofs.tree_edge import TILE, split_hashes

LeafTiles = Callable[[int, int], Iterable[tuple[int, bytes]]]
"""Kept tiles of leaves from one number up to another: number and hashes, of each number the widest last."""
NextEvent = Callable[[int], Event | None]
"""The first event from a number on."""
_AT_ONCE: Final = 64


def hash_at(seq: int, next_event: NextEvent, tiles: LeafTiles, known: ArchivedHashes | None = None) -> str | None:
    """The hash of the event with a number, also where it was archived; None if the journal has none there.

    `known` keeps what was worked out, for whoever asks often.
    """
    found, first = next_event(seq), next_event(1)
    if found is None or first is None:
        return None
    if found.seq == seq:
        return found.hash
    return (known or ArchivedHashes()).at(seq, first, tiles) if 0 < seq < first.seq == found.seq else None


class ArchivedHashes:
    """Hashes of events before the first one that is left; what was worked out once is kept, one hash a tile."""

    def __init__(self) -> None:
        """Nothing is worked out before it is asked for."""
        self._before = [GENESIS]
        """By the number of a tile of leaves: the hash of the event before it."""
        self._end = 1
        """The first event to which the chain was found to lead."""
        self._lock = threading.Lock()

    def at(self, seq: int, first: Event, tiles: LeafTiles) -> str:
        """The hash of event `seq`, which lies before `first`; `JournalDamagedError` if the leaves do not lead there."""
        with self._lock:
            if self._end < first.seq:
                self._lead_to(first, tiles)
        number, place = divmod(seq - 1, TILE)
        return _led_on(self._before[number], _leaves(tiles, number, number + 1).get(number, ())[: place + 1])

    def _lead_to(self, first: Event, tiles: LeafTiles) -> None:
        before, last = list(self._before), first.seq - 1
        hash_, end = before[-1], -(-last // TILE)
        for low in range(len(before) - 1, end, _AT_ONCE):
            high = min(low + _AT_ONCE, end)
            found = _leaves(tiles, low, high)
            for number in range(low, high):
                wanted = min(TILE, last - number * TILE)
                leaves = found.get(number, ())[:wanted]
                if len(leaves) < wanted:
                    raise JournalDamagedError(f"tiles[0/{number}]", "the leaves of archived events are not there")
                hash_ = _led_on(hash_, leaves)
                if wanted == TILE:
                    before.append(hash_)
        if not first.follows(hash_):
            what = "the leaves of the archived events do not lead to it: they or the event were altered"
            raise JournalDamagedError(f"events[{first.seq}]", what)
        self._before, self._end = before, first.seq


def _leaves(tiles: LeafTiles, low: int, high: int) -> dict[int, tuple[bytes, ...]]:
    return {number: split_hashes(hashes) for number, hashes in tiles(low, high)}


def _led_on(hash_: str, leaves: Iterable[bytes]) -> str:
    for leaf in leaves:
        hash_ = chain_hash(hash_, leaf.hex())
    return hash_
