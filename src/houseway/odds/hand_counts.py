"""How many hands of a deck fit each set of hand names: the lines of any pay table, in any order, follow from these.

The counts ship as data, so that nothing has to be enumerated to answer a question about a table. They are the same for
every place of A-2-3-4-5, which changes what a straight beats and not which hands are one. `recount` deals every hand
out again with the kernels; `scripts/write-hand-counts` writes the data from it.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from houseway.errors import MissingPartError
from houseway.ranking.hands import HAND_NAMES
from houseway.ranking.tables import TABLE_PATH

if TYPE_CHECKING:
    from houseway.paytables import PayLine, PayTable

DATA: Final = Path(__file__).parent / "data" / "hand-counts.json"
DOMAINS: Final = ((7, 53), (6, 53), (6, 52))
"""The hands there are to count: cards in a hand, and cards in the deck. The deck of 53 has the joker."""

_FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class HandCounts:
    """The number of hands of one domain that fit each set of names; no two sets share a hand."""

    cards: int
    deck: int
    by_names: Mapping[frozenset[str], int]

    @property
    def hands(self) -> int:
        """The number of all hands."""
        return comb(self.deck, self.cards)

    def by_line(self, table: PayTable) -> dict[PayLine | None, int]:
        """The number of hands that each line of a table pays, in its order; those that none pays under None last."""
        found: Counter[PayLine | None] = Counter()
        for names, count in self.by_names.items():
            found[table.line_for(names)] += count
        return {line: found[line] for line in (*table.lines, None)}


@cache
def hand_counts(cards: int, deck: int) -> HandCounts:
    """The shipped counts of a domain."""
    return _shipped()[cards, deck]


@cache
def _shipped() -> dict[tuple[int, int], HandCounts]:
    try:
        shipped = json.loads(DATA.read_bytes())
        counts = [_read(cards, deck, shipped["counts"][_key(cards, deck)]) for cards, deck in DOMAINS]
        found = shipped["fingerprint"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as problem:
        raise MissingPartError(_renew(f"the shipped hand counts cannot be read ({problem})")) from None
    if found != fingerprint():
        raise MissingPartError(_renew("the shipped hand counts were made from other ranking tables"))
    for counted in counts:
        if sum(counted.by_names.values()) != counted.hands:
            domain = _key(counted.cards, counted.deck)
            raise MissingPartError(_renew(f"the shipped hand counts are damaged: {domain} has not all hands"))
    return {(counted.cards, counted.deck): counted for counted in counts}


def _renew(problem: str) -> str:
    return f"{problem}: install houseway again, or in a checkout run scripts/write-hand-counts"


def _read(cards: int, deck: int, counts: dict[str, int]) -> HandCounts:
    return HandCounts(cards, deck, {frozenset(names.split()): int(count) for names, count in counts.items()})


def recount(cards: int, deck: int, threads: int = 2) -> HandCounts:
    """Deal every hand of a domain out and count it anew; needs the `kernels` extra."""
    from houseway.ranking.counting import count_domain
    from houseway.ranking.fast import names_of_mask
    from houseway.ranking.reference import PAI_GOW, STANDARD

    assert (cards, deck) in DOMAINS
    counted = count_domain(cards, PAI_GOW if deck == 53 else STANDARD, threads)
    by_names = {frozenset(names_of_mask(mask)): count for mask, count in counted.names.items()}
    return HandCounts(cards, deck, by_names)


def fingerprint() -> str:
    """The SHA-256 of what decides the counts: the ranking tables and the closed list of hand names."""
    digest = hashlib.sha256(TABLE_PATH.read_bytes())
    digest.update(" ".join(HAND_NAMES).encode())
    return digest.hexdigest()


def to_data(counted: Iterable[HandCounts]) -> str:
    """The text of the shipped file: the sets of names in the order of the closed list, each set's names too."""
    places = {name: place for place, name in enumerate(HAND_NAMES)}
    counts: dict[str, dict[str, int]] = {}
    for domain in counted:
        rows = [(sorted(places[name] for name in names), count) for names, count in domain.by_names.items()]
        rows.sort()
        named = {" ".join(HAND_NAMES[place] for place in row): count for row, count in rows}
        counts[_key(domain.cards, domain.deck)] = named
    data: dict[str, Any] = {
        "format": _FORMAT,
        "name": "hand-counts",
        "inputs": {"domains": list(counts), "names": "every set of hand names that a hand fits"},
        "fingerprint": fingerprint(),
        "counts": counts,
    }
    return json.dumps(data, indent=1) + "\n"


def _key(cards: int, deck: int) -> str:
    return f"{cards}-of-{deck}"
