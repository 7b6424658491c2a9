"""What an audit keeps in mind of every event, 24 bytes a digest, so that what comes a second time is found."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from houseway.manager.store.signing_order import SigningOrder

_KEPT: Final = 16
"""Bytes of a digest that are kept: enough that no two are alike by chance."""
_NUMBER: Final = 8


class DigestRegister:
    """Digests and the events that brought them first."""

    def __init__(self) -> None:
        """Begin without any."""
        # By their first bytes, so that looking through one part is quick and nothing has to be sorted.
        self._parts: defaultdict[bytes, bytearray] = defaultdict(bytearray)

    def add(self, digits: str, seq: int) -> int | None:
        """Keep a digest in hexadecimal digits; the event that brought it before, if one did."""
        try:
            kept = bytes.fromhex(digits)[:_KEPT]
        except ValueError:
            kept = b""
        if len(kept) < _KEPT:
            return None  # no digest at all: whoever reads it elsewhere finds that
        part = self._parts[kept[:2]]
        for place in range(0, len(part), _KEPT + _NUMBER):
            if part[place : place + _KEPT] == kept:
                return int.from_bytes(part[place + _KEPT : place + _KEPT + _NUMBER])
        part += kept + seq.to_bytes(_NUMBER)
        return None


class SeenBefore:
    """What the events of a journal have brought so far, and may not bring again."""

    def __init__(self) -> None:
        """Begin without any."""
        self.commitments = DigestRegister()
        self.order = SigningOrder()
        self.keys = DigestRegister()
        """The digests of the keys of their senders."""
