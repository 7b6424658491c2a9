"""Why money moved: each command moves it for its own reasons, and nothing is netted against anything else.

The books of an entry can be right to the cent though an award was taken together with the reseed behind it, or a
payment was called a fill. What every transfer is called and what it is about is looked at here.
"""

from __future__ import annotations

from typing import Final

from instruments.simulator.checker.chain import ChainEntry
from instruments.simulator.checker.errors import require, same
from instruments.simulator.checker.state import Floor

_UNLOCK: Final = {"reordering", "advance-returned", "reseed-returned", "release-returned", "limit"}
_LOCK: Final = {"award", "advance", "reseed", "release", "limit"}
_CHANGE: Final = {
    "won", "malfunction", "above-limit", "recover-seed", "book-receipts", "voided-round", "seed-added",
    "reserve-released", "overflow-released", "carried", "seed-changed", "retirement", "promotion",
    "back-out",
}  # fmt: skip
"""A change of two people may take effect with any command that ends a round or pays an award."""
_REASONS: Final[dict[str, set[str]]] = {
    "link.open": {"opening"},
    "link.deposit": {"deposit", "withdrawal"},
    "promotion.pay": {"promotion-paid", "promotion-rounded"},
    "table.open": {"float"},
    "table.close": {"count", "variance"},
    "drop.count": {"count", "variance"},
    "tray.fill": {"fill", "credit"},
    "slip.void": {"fill-voided", "credit-voided"},
    "round.start": {"receipt", "contribution", "reserve"},
    "round.correct": {"receipt", "contribution", "reserve", "correction"},
    "round.end": {"envy"},
    "round.reopen": {"envy-returned"},
    "round.void": {"void", "rejection", *_UNLOCK},
    "round.enter": {"payment", "envy", *_UNLOCK, *_LOCK},
    "round.misdeal": {"void", "rejection", *_UNLOCK},
    "round.decide": {"void", "rejection", *_UNLOCK},
    "hand.press": {"take-back", "rejection", *_UNLOCK, *_LOCK},
    "jackpot.hit": {"payment", *_UNLOCK, *_LOCK},
    "jackpot.pay": {"payment"},
    "jackpot.reject": {"take-back", "rejection", *_UNLOCK, *_LOCK},
}
"""By command: why it may move money, beside the changes that it lets take effect."""
_ABOUT: Final = {"round.start": "round", "tray.fill": "slip", "slip.void": "slip", "jackpot.pay": "award"}


def check_reasons(floor: Floor, entry: ChainEntry) -> None:
    """Every transfer of an entry is called what its command does, and awards are not netted."""
    may = _REASONS.get(entry.kind, set()) | _CHANGE
    for _, _, _, reason, subject in entry.transfers:
        require(reason in may, f"{entry.kind} moves money for its own reasons", sorted(may), reason)
        about = _ABOUT.get(entry.kind) if reason not in _CHANGE else None
        require(about in (None, subject.partition(":")[0]), f"what {reason} of {entry.kind} is about", about, subject)
    _check_awards(floor, entry)


def _check_awards(floor: Floor, entry: ChainEntry) -> None:
    """The last lock of an award is its whole amount; the seed that restarts its level is a transfer of its own."""
    moved: dict[str, dict[str, int]] = {}
    for _, _, micros, reason, subject in entry.transfers:
        kind, _, award = subject.partition(":")
        if kind == "award" and reason in ("rejection", "reordering"):
            moved.pop(award, None)
        elif kind == "award" and reason in ("award", "advance", "reseed", "release"):
            mine = moved.setdefault(award, {})
            mine[reason] = mine.get(reason, 0) + micros
    for id_, found in moved.items():
        mine_ = floor.award(id_)
        if mine_ is None:
            continue
        expected = {
            "award": mine_.cents * 10_000, "advance": mine_.lent, "reseed": mine_.seed_drawn,
            "release": mine_.reserve_drawn + mine_.overflow_drawn,
        }  # fmt: skip
        same(expected, {name: found.get(name, 0) for name in expected}, f"transfers of award {id_}")
