"""How many hands of a deck fit each set of hand names: the lines of any pay table, in any order, follow from these.

The counts ship as data, so that nothing has to be enumerated to answer a question about a table. They are the same for
every place of A-2-3-4-5, which changes what a straight beats and not which hands are one. `recount` deals every hand
out again with the kernels; `scripts/write-hand-counts` writes the data from it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from houseway.errors import MissingPartError
from houseway.odds import shipped
from houseway.paytables.pay_table import Joker
from houseway.ranking.fast import names_of_mask
from houseway.ranking.hand_names import HAND_NAMES, JOKER_COMPLETES
from houseway.ranking.rank_tables import TABLE_PATH
from houseway.ranking.reference import PAI_GOW, STANDARD

if TYPE_CHECKING:
    from houseway.paytables import PayLine, PayTable

DATA: Final = shipped.DATA / "hand-counts.json"
_FORMAT: Final = 2


class Domain(NamedTuple):
    """Hands there are to count: cards in a hand, cards in the deck (53 with the joker), and how the joker counts."""

    cards: int
    deck: int
    joker: Joker = "semi-wild"

    @property
    def key(self) -> str:
        """The name of the domain in the shipped file."""
        return f"{self.cards}-of-{self.deck}{'' if self.joker == 'semi-wild' else f'-{self.joker}'}"

    @property
    def hands(self) -> int:
        """The number of all hands."""
        return comb(self.deck, self.cards)


DOMAINS: Final = (Domain(7, 53), Domain(7, 53, "literal"), Domain(6, 53), Domain(6, 52))
"""What ships."""


@dataclass(frozen=True, slots=True)
class HandCounts:
    """The number of hands of one domain that fit each set of names; no two sets share a hand."""

    domain: Domain
    by_names: Mapping[frozenset[str], int]

    @property
    def hands(self) -> int:
        """The number of all hands."""
        return self.domain.hands

    def by_line(self, table: PayTable) -> dict[PayLine | None, int]:
        """The number of hands that each line of a table pays, in its order; those that none pays under None last."""
        assert table.joker == self.domain.joker, "the table is read with the joker that the hands were counted with"
        found: Counter[PayLine | None] = Counter()
        for names, count in self.by_names.items():
            found[table.line_for(names)] += count
        return {line: found[line] for line in (*table.lines, None)}


@cache
def hand_counts(cards: int, deck: int, joker: Joker = "semi-wild") -> HandCounts:
    """The shipped counts of a domain."""
    return _shipped()[Domain(cards, deck, joker)]


@cache
def _shipped() -> dict[Domain, HandCounts]:
    try:
        found = shipped.content_of(DATA)
        counts = [_read(domain, found["counts"][domain.key]) for domain in DOMAINS]
        made_from = found["fingerprint"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as problem:
        raise MissingPartError(_renew(f"the shipped hand counts cannot be read ({problem})")) from None
    if made_from != fingerprint():
        raise MissingPartError(_renew("the shipped hand counts were made from other ranking tables"))
    for counted in counts:
        if sum(counted.by_names.values()) != counted.hands:
            key = counted.domain.key
            raise MissingPartError(_renew(f"the shipped hand counts are damaged: {key} has not all hands"))
    return {counted.domain: counted for counted in counts}


def _renew(problem: str) -> str:
    return f"{problem}: install houseway again, or in a checkout run scripts/write-hand-counts"


def _read(domain: Domain, counts: dict[str, int]) -> HandCounts:
    return HandCounts(domain, {frozenset(names.split()): int(count) for names, count in counts.items()})


def recount(domain: Domain, threads: int = 2) -> HandCounts:
    """Deal every hand of a domain out and count it again; needs the `kernels` extra."""
    from houseway.ranking.counting import count_domain, count_with_joker

    assert domain in DOMAINS
    if domain.joker == "literal":
        masks = count_with_joker(threads)
    else:
        masks = count_domain(domain.cards, PAI_GOW if domain.deck == 53 else STANDARD, threads).names
    return HandCounts(domain, {frozenset(names_of_mask(mask)): count for mask, count in masks.items()})


def fingerprint() -> str:
    """The SHA-256 of what decides the counts: the ranking tables, the closed list of hand names, what a joker makes."""
    digest = hashlib.sha256(TABLE_PATH.read_bytes())
    digest.update(" ".join((*HAND_NAMES, *sorted(JOKER_COMPLETES))).encode())
    return digest.hexdigest()


def to_data(counted: Iterable[HandCounts]) -> str:
    """The text of the shipped file: the sets of names in the order of the closed list, each set's names too."""
    places = {name: place for place, name in enumerate(HAND_NAMES)}
    counts: dict[str, dict[str, int]] = {}
    for found in counted:
        rows = [(sorted(places[name] for name in names), count) for names, count in found.by_names.items()]
        rows.sort()
        named = {" ".join(HAND_NAMES[place] for place in row): count for row, count in rows}
        counts[found.domain.key] = named
    data: dict[str, Any] = {
        "format": _FORMAT,
        "name": "hand-counts",
        "inputs": {"domains": list(counts), "names": "every set of hand names that a hand fits"},
        "fingerprint": fingerprint(),
        "counts": counts,
    }
    return shipped.file_text(data, "scripts/write-hand-counts")
