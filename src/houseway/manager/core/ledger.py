"""The accounts of the ledger, and postings that always sum to zero.

Assets are positive (where chips and cash are), what is owed is negative (whose money it is):

    tray/T      chips in a table's tray                          drop/T      wagers taken into a table's drop
    bank/L      the link's separate bank account                 house       the house's other cash and chips
    seed/L/V    seed money that a level owes to the house        prizes/L    what house jackpots have cost
    meter/L/V   on the meter of a level                          reserve/L/V put aside for the next reseed
    overflow/L/V  above the posted limit                         locked/L/V  won, not yet paid
    receipts/T  the house's share of a table's jackpot wagers, less fixed pays and envy
    paid/L      handed to winners of a link's meter awards and house prizes
    variance/T  what counts of tray and drop found short (positive) or over (negative): other wagers, and mistakes

A posting is an account and a signed amount in millionths; the postings of one event sum to zero, hence all balances do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

KINDS: Final = (
    "tray", "drop", "bank", "house", "seed", "prizes", "meter", "reserve", "overflow", "locked", "receipts", "paid",
    "variance",
)  # fmt: skip
OWED: Final = frozenset({"meter", "reserve", "overflow", "locked", "receipts", "paid"})
"""Kinds whose balances are negative in the books and are shown to people as positive amounts."""
NEVER_OVERDRAWN: Final = frozenset({"meter", "reserve", "overflow", "locked"})
"""Money held for players: no posting may take out more than is there."""
_HELD: Final = tuple(f"{kind}/" for kind in sorted(NEVER_OVERDRAWN))
HOUSE: Final = "house"

Posting = tuple[str, int]


def account(kind: str, *parts: str) -> str:
    """The name of an account: `account("meter", "L1", "main")` is "meter/L1/main"."""
    return "/".join((kind, *parts))


def kind_of_account(name: str) -> str:
    """The kind of an account: the part before the first stroke."""
    return name.split("/", 1)[0]


def shown_balance(name: str, balance: int) -> int:
    """A balance as people read it: what is owed or held for others as a positive amount."""
    return -balance if kind_of_account(name) in OWED else balance


class Postings:
    """Transfers of one event, gathered by account; the sum is zero by construction."""

    def __init__(self, balances: Mapping[str, int]) -> None:
        """Begin with no transfers on top of the balances before the event."""
        self._before = balances
        self._moved: dict[str, int] = {}
        self._lines: list[Posting] | None = None

    def transfer(self, debit: str, credit: str, amount: int) -> None:
        """Move an amount: the debited account rises, the credited one falls. Zero moves nothing."""
        assert amount >= 0, f"a transfer of {amount} from {credit} to {debit}: turn the accounts round instead"
        if amount:
            self._lines = None
            self._moved[debit] = self._moved.get(debit, 0) + amount
            self._moved[credit] = self._moved.get(credit, 0) - amount

    def add(self, lines: Iterable[Posting]) -> None:
        """Add postings that sum to zero."""
        total = 0
        self._lines = None
        for name, amount in lines:
            self._moved[name] = self._moved.get(name, 0) + amount
            total += amount
        assert total == 0, lines

    def balance(self, name: str) -> int:
        """The balance with this event's transfers in it."""
        return self._before.get(name, 0) + self._moved.get(name, 0)

    def held(self, name: str) -> int:
        """The balance of an account of what is owed, as a positive amount."""
        return -self.balance(name)

    def lines(self) -> list[Posting]:
        """The postings, by account name; accounts whose transfers cancel out are left out."""
        if self._lines is not None:
            return self._lines
        self._lines = found = [(name, amount) for name, amount in sorted(self._moved.items()) if amount]
        assert sum(amount for _, amount in found) == 0, found
        for name, amount in found:
            if amount > 0 and name.startswith(_HELD):
                assert self.balance(name) <= 0, f"{name} would be overdrawn: {self.balance(name)}"
        return found


def sum_of(balances: Iterable[int]) -> int:
    """The sum of balances, which is zero in books that balance."""
    return sum(balances)
