"""Nothing gives a card or a shuffle seed away before its reveal.

Every text that leaves the manager is read here: answers, refusals, events. A seed is known because the simulator handed
the random bytes in; a card is known by its two letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from instruments.simulator.checker.errors import CheckError

_HEX: Final = re.compile(r"[0-9a-fA-F]{64,}")
_BADGE: Final = re.compile(r"(?<![0-9A-Za-z])(?:[2-9TJQKA][shdc]|Jk)(?![0-9A-Za-z])")
_RULE: Final = re.compile(r'"rule":"[^"]*"')


class Secrecy:
    """The seeds that were drawn and those that may be known by now."""

    def __init__(self) -> None:
        """Nothing drawn yet."""
        self._drawn: set[str] = set()
        self._revealed: set[str] = set()

    def drew(self, data: bytes) -> None:
        """Random bytes were handed to the manager."""
        self._drawn.add(data.hex())

    def reveal(self, seed: str) -> None:
        """A seed may be known from here on."""
        self._revealed.add(seed)

    def check_seeds(self, text: str, what: str) -> None:
        """No seed that is not revealed stands in a text, as hexadecimal digits of any case."""
        for found in _HEX.findall(text):
            lowered = found.lower()
            for start in range(len(lowered) - 63):
                part = lowered[start : start + 64]
                if part in self._drawn and part not in self._revealed:
                    raise CheckError(f"a shuffle seed stands in {what} before its reveal", "no seed", part)

    @staticmethod
    def cards_in(text: str) -> set[str]:
        """The cards that are named in a text; the ids of house-way rules look like cards and are none."""
        found = set(_BADGE.findall(text))
        return set(_BADGE.findall(_RULE.sub("", text))) if found else found

    @classmethod
    def check_cards(cls, text: str, allowed: Iterable[str], what: str) -> None:
        """Only cards that may be known stand in a text."""
        found = cls.cards_in(text)
        if found and not found <= set(allowed):
            raise CheckError(
                f"cards stand in {what} before their reveal", sorted(allowed), sorted(found - set(allowed))
            )
