"""The dealer's hands as tables: what a house way makes of every hand of its deck, kept in the cache.

A seven-card table takes some ten seconds to lay and 460 MB on disk; opened again it is a memory map, checked by its
hashes in a quarter of a second. Nothing here loads the compiled kernels unless a table must be laid, so that opening
one and loading the kernels can go on side by side.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache as kept
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from houseway.houseways.check import require_complete
from houseway.houseways.way import HouseWay
from houseway.ranking.rank_tables import TABLE_PATH
from houseway.ranking.reference import PAI_GOW, Ranking

if TYPE_CHECKING:
    from houseway.odds.pai_gow.layouts import Highs, Lows, Values
    from houseway.odds.running.cache import Cache

_PACKAGE: Final = Path(__file__).parents[2]
_SOURCES: Final = ("cards", "ranking", "houseways")


@dataclass(frozen=True, slots=True)
class DealerTables:
    """Every hand of a way's size as the dealer lays it, by its number in the combinatorial order."""

    cards: int
    highs: Highs
    """The high hand as a place in `values`."""
    lows: Lows
    """The rank of the low hand, as in `layouts.low_rank`."""
    values: Values
    """The values of high hands that occur, ascending."""


def dealer_tables(way: HouseWay, ranking: Ranking = PAI_GOW, cache: Cache | None = None) -> DealerTables:
    """The tables of a way, out of the cache or laid now; InputError if the way has not one setting for every hand."""

    def build() -> dict[str, Any]:
        if cache is not None:
            cache.say(f"Laying every hand by the {way.id} way: this takes up to half a minute and happens once.")
        return _lay(way, ranking)

    return _tables(way, build() if cache is None else cache.arrays(*_entry(way, ranking), build))


def tables_ahead(way: HouseWay, ranking: Ranking, cache: Cache) -> Callable[[], DealerTables]:
    """Begin to open the tables in a thread, and return what waits for them; tables that are not there it lays.

    Meanwhile the kernels can be loaded, which takes as long as the check of a table.
    """
    import numpy as np  # noqa: F401 - two threads must not both be the first to load it

    silent = type(cache)(cache.folder)
    pool = ThreadPoolExecutor(1)
    opened = pool.submit(silent.arrays, *_entry(way, ranking), _not_there)
    pool.shutdown(wait=False)

    def wait() -> DealerTables:
        try:
            return _tables(way, opened.result())
        except _NotThereError:
            return dealer_tables(way, ranking, cache)

    return wait


class _NotThereError(Exception):
    """The tables are not in the cache."""


def _not_there() -> dict[str, Any]:
    raise _NotThereError


def _entry(way: HouseWay, ranking: Ranking) -> tuple[str, dict[str, str]]:
    """The name and the key of a way's tables in the cache."""
    key = {"way": way.fingerprint, "wheel": ranking.wheel, "hand of": "dealer", "rules": rules_fingerprint()}
    return f"dealer-{way.cards}", key


def _tables(way: HouseWay, arrays: dict[str, Any]) -> DealerTables:
    return DealerTables(way.cards, arrays["highs"], arrays["lows"], arrays["values"])


def _lay(way: HouseWay, ranking: Ranking) -> dict[str, Any]:
    """Lay every hand; a way with a hole would give figures that look like any other, so it is refused first."""
    from houseway.odds.pai_gow.layouts import lay_every_hand, number_highs

    import numpy as np  # isort: skip  (after the check for the optional part in `layouts`)

    require_complete(way, ranking)
    layout = lay_every_hand(way, ranking, of_player=False)
    (highs,), _ = number_highs([layout])
    return {"highs": highs, "lows": layout.low_ranks, "values": np.unique(layout.high_values)}


@kept
def rules_fingerprint() -> str:
    """A hash over all that decides how a way lays a hand: cards, the order of hands, the interpreter of ways."""
    digest = hashlib.sha256(TABLE_PATH.read_bytes())
    paths = [path for folder in _SOURCES for path in sorted((_PACKAGE / folder).rglob("*.py"))]
    for path in (*paths, _PACKAGE / "odds" / "pai_gow" / "layouts.py"):
        source = path.read_bytes()
        digest.update(b"%s\0%d\0" % (path.relative_to(_PACKAGE).as_posix().encode(), len(source)) + source)
    return digest.hexdigest()
