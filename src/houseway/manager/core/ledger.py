"""The ledger: accounts, transfers between them, and the guards that every transfer passes.

Assets are positive (where chips and cash are), what is owed is negative (whose money it is):

    tray/T      chips in a table's tray                          drop/T      wagers taken into a table's drop
    bank/L      the link's separate bank account                 house       the house's other cash and chips
    seed/L/V    seed money that a level owes to the house        prizes/L    what house jackpots have cost
    meter/L/V   on the meter of a level                          reserve/L/V put aside for the next reseed
    overflow/L/V  above the posted limit                         locked/L/V  won, not yet paid
    promotion/L/V  of a level that left play, until a promotion has given it back to players
    receipts/T  the house's share of a table's jackpot wagers, less fixed pays and envy
    paid/L      handed to winners of a link's meter awards, house prizes and promotions
    variance/T  what counts of tray and drop found short (positive) or over (negative): other wagers, and mistakes

A transfer moves millionths of a dollar from one account (the credit) to another (the debit), for a reason of a closed
list and about a subject. Nothing is netted: what happens is journaled transfer by transfer, in the order in which it
happens. The debit rises by what the credit falls, so that all balances together are always zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from typing import ClassVar, Final, Literal, NamedTuple, get_args

from houseway.amounts import NO_MICROS, Micros, total
from houseway.manager.core.money import dollars

_PARTS: Final = {
    "tray": "table", "drop": "table", "bank": "link", "house": "", "seed": "level", "prizes": "link", "meter": "level",
    "reserve": "level", "overflow": "level", "locked": "level", "promotion": "level", "receipts": "table",
    "paid": "link", "variance": "table",
}  # fmt: skip
"""By kind of account: what each account of the kind belongs to."""
_NAMES: Final = {"": 1, "table": 2, "link": 2, "level": 3}
"""How many parts the name of an account has."""
KINDS: Final = tuple(_PARTS)
MONEY: Final = ("meter", "reserve", "overflow")
"""Kinds of accounts of a level that hold players' money which nobody has won yet."""
FOR_PLAYERS: Final = (*MONEY, "locked", "promotion")
"""Kinds of accounts of a level that hold money for players; a link's bank account must hold as much."""
OWED: Final = frozenset({*FOR_PLAYERS, "receipts", "paid"})
"""Kinds whose balances are negative in the books and are shown to people as positive amounts."""
NEVER_OVERDRAWN: Final = frozenset(FOR_PLAYERS)
"""Money held for players: no transfer may take out more than is there."""
_HELD: Final = tuple(f"{kind}/" for kind in sorted(NEVER_OVERDRAWN))
HOUSE: Final = "house"

Reason = Literal[
    "receipt", "contribution", "reserve", "correction", "void",
    "award", "advance", "reseed", "release", "limit",
    "rejection", "reordering", "advance-returned", "reseed-returned", "release-returned",
    "payment", "take-back", "back-out", "envy", "envy-returned",
    "won", "malfunction", "above-limit", "recover-seed", "book-receipts", "voided-round", "seed-added",
    "reserve-released", "overflow-released", "carried", "seed-changed", "retirement",
    "promotion", "promotion-paid", "promotion-rounded",
    "opening", "deposit", "withdrawal", "float", "fill", "credit", "fill-voided", "credit-voided", "count",
    "variance",
]  # fmt: skip
"""Why money moves; `RULES` says what each means."""
SubjectKind = Literal["award", "round", "slip", "paper", "change", "table"]
"""What a transfer is about. `change` is the proposal of two people, `paper` an entry of a register."""

Transfer = tuple[str, str, Micros, str, str]
"""Debit, credit, micros, reason, and the subject as "kind:id": the form in which the journal holds it."""


class TransferRule(NamedTuple):
    """What a reason stands for, what it may move, and what it is about."""

    meaning: str
    between: frozenset[tuple[str, str]]
    """Kinds of the debited and the credited account."""
    subject: SubjectKind
    across: bool = False
    """Whether it may move money from one link or level to another."""


def _rule(
    subject: SubjectKind,
    meaning: str,
    *between: tuple[str | tuple[str, ...], str | tuple[str, ...]],
    across: bool = False,
) -> TransferRule:
    pairs = frozenset(
        pair
        for debits, credits_ in between
        for pair in product(
            (debits,) if isinstance(debits, str) else debits, (credits_,) if isinstance(credits_, str) else credits_
        )
    )
    return TransferRule(meaning, pairs, subject, across)


_COUNTED: Final = ("tray", "drop")
RULES: Final[dict[str, TransferRule]] = {
    "receipt": _rule("round", "wagers are taken into the drop", ("drop", "receipts")),
    "contribution": _rule(
        "round", "a share of wagers goes onto a meter, above its limit into the overflow",
        ("receipts", ("meter", "overflow")),
    ),
    "reserve": _rule("round", "a share of wagers is put aside for the next reseed", ("receipts", "reserve")),
    "correction": _rule(
        "round", "a wager that was never made comes out again, with its shares", (MONEY, "receipts"),
        ("receipts", "drop"),
    ),
    "void": _rule(
        "round", "a void round gives wagers and shares back", (MONEY, "receipts"), ("receipts", "drop")
    ),
    "award": _rule("award", "an award is locked for its winner", (("meter", "prizes"), "locked")),
    "advance": _rule("award", "the house adds to an award so that each winner gets the full meter", ("seed", "meter")),
    "reseed": _rule("award", "the house seeds a level that was won", ("seed", "meter")),
    "release": _rule(
        "award", "reserve and overflow go onto the meter of a level that was won", (("reserve", "overflow"), "meter")
    ),
    "limit": _rule("round", "what has come to lie above a posted limit goes into the overflow", ("meter", "overflow")),
    "rejection": _rule("award", "an award that does not stand goes back", ("locked", ("meter", "prizes"))),
    "reordering": _rule(
        "award", "an award goes back to be locked again in the order of the seats", ("locked", ("meter", "prizes"))
    ),
    "advance-returned": _rule("award", "the house takes back what it added to such an award", ("meter", "seed")),
    "reseed-returned": _rule("award", "the house takes back the seed behind such an award", ("meter", "seed")),
    "release-returned": _rule(
        "award", "reserve and overflow behind such an award go back", ("meter", ("reserve", "overflow"))
    ),
    "payment": _rule("award", "an award is handed to its winner", ("locked", "paid"), ("receipts", "tray")),
    "take-back": _rule(
        "award", "a payment that needed no badge is undone at the table", ("paid", "locked"), ("tray", "receipts")
    ),
    "back-out": _rule(
        "award", "two people back a paid award out", ("paid", ("meter", "overflow", "prizes", "seed")),
        ("tray", "receipts"),
    ),
    "envy": _rule("round", "envy is paid with the end of the round", ("receipts", "tray")),
    "envy-returned": _rule("round", "envy of a round that is opened again is taken back", ("tray", "receipts")),
    "won": _rule("change", "an award was paid without the controller", ("meter", "paid")),
    "malfunction": _rule(
        "change", "equipment counted too much or too little",
        (MONEY, ("house", "receipts")), (("house", "receipts"), MONEY),
    ),
    "above-limit": _rule("change", "the amount above the posted limit goes into the overflow", ("meter", "overflow")),
    "recover-seed": _rule("change", "the house takes its seed money back", ("meter", "seed")),
    "book-receipts": _rule("change", "funds that are not displayed are booked", (("reserve", "overflow"), "receipts")),
    "voided-round": _rule("change", "shares of a void round go back", (MONEY, "receipts")),
    "seed-added": _rule("change", "the house advances more seed money", ("seed", "meter")),
    "reserve-released": _rule("change", "the reserve goes onto the meter", ("reserve", "meter")),
    "overflow-released": _rule("change", "the overflow goes onto the meter", ("overflow", "meter")),
    "carried": _rule("change", "players' money from elsewhere goes onto the meter", ("house", ("meter", "overflow"))),
    "seed-changed": _rule(
        "change", "a level that was just won restarts at another seed", ("seed", ("meter", "overflow")),
        ("meter", "seed"),
    ),
    "retirement": _rule(
        "change", "a link that leaves play, or a promotion that is dropped, hands its money on",
        ((*MONEY, "promotion"), ("meter", "overflow")), ("bank", "bank"), ("house", "bank"), across=True,
    ),
    "promotion": _rule("change", "a level that leaves play puts its money aside for a promotion", (MONEY, "promotion")),
    "promotion-paid": _rule("paper", "a promotion gives the money back to players", ("promotion", "paid")),
    "promotion-rounded": _rule(
        "paper", "the house adds the part of a cent that the last payment of a promotion lacks", ("prizes", "promotion")
    ),
    "opening": _rule("paper", "the opening amount of a level", (("seed", "house"), "meter")),
    "deposit": _rule("paper", "cash goes into a link's bank account", ("bank", "house")),
    "withdrawal": _rule("paper", "cash comes out of a link's bank account", ("house", "bank")),
    "float": _rule("table", "a table opens with its chips", ("tray", "house")),
    "fill": _rule("slip", "chips go to a tray", ("tray", "house")),
    "credit": _rule("slip", "chips come back from a tray", ("house", "tray")),
    "fill-voided": _rule("slip", "a fill that does not count is undone", ("house", "tray")),
    "credit-voided": _rule("slip", "a credit that does not count is undone", ("tray", "house")),
    "count": _rule("table", "what was counted in tray or drop goes to the house", ("house", _COUNTED)),
    "variance": _rule("table", "what a count found short or over", ("variance", _COUNTED), (_COUNTED, "variance")),
}  # fmt: skip
"""The closed list of reasons."""


class LedgerError(ValueError):
    """A transfer that breaks a guard of the books: an internal error, refused before anything has changed."""

    code: ClassVar[str] = "ledger"


class AmountError(LedgerError):
    """The amount is not a whole number above zero: direction is debit and credit, never a sign."""

    code = "ledger-amount"


class AccountError(LedgerError):
    """There is no such account."""

    code = "ledger-account"


class ReasonError(LedgerError):
    """The reason is not on the list, or does not move money between these accounts."""

    code = "ledger-reason"


class SubjectError(LedgerError):
    """The reason is not about such a subject, or the subject has no id."""

    code = "ledger-subject"


class OverdraftError(LedgerError):
    """More would leave an account of players' money than is there."""

    code = "ledger-overdraft"


class UnbalancedError(LedgerError):
    """All balances together are not zero."""

    code = "ledger-unbalanced"


@lru_cache(maxsize=1 << 14)
def account(kind: str, *parts: str) -> str:
    """The name of an account: `account("meter", "L1", "main")` is "meter/L1/main"."""
    return "/".join((kind, *parts))


def kind_of_account(name: str) -> str:
    """The kind of an account: the part before the first stroke."""
    return name.split("/", 1)[0]


def shown_balance(name: str, balance: Micros) -> Micros:
    """A balance as people read it: what is owed or held for others as a positive amount."""
    return -balance if kind_of_account(name) in OWED else balance


def about(kind: SubjectKind, id_: str) -> str:
    """A subject as transfers name it: `about("round", "T1-5")` is "round:T1-5"."""
    return f"{kind}:{id_}"


def check_transfer(debit: str, credit: str, micros: Micros, reason: str, subject: str) -> None:
    """Refuse a transfer that no books may hold, whatever the balances are; each guard has an error of its own.

    >>> check_transfer("drop/T1", "receipts/T1", 0, "receipt", "round:T1-1")
    Traceback (most recent call last):
    houseway.manager.core.ledger.AmountError: 0 from receipts/T1 to drop/T1: ...
    """
    if micros.__class__ is not int or micros <= 0:
        message = f"{micros!r} from {credit} to {debit}: a transfer moves a whole number of micros above zero"
        raise AmountError(message)
    wanted = _checked_pair(debit, credit, reason)
    if not subject.startswith(wanted) or subject == wanted:
        raise SubjectError(f"{reason} is about one {wanted[:-1]}, named as {wanted}ID, not about {subject!r}")


@lru_cache(maxsize=1 << 14)
def _checked_pair(debit: str, credit: str, reason: str) -> str:
    """Refuse accounts that there are not and reasons that do not join them; returns how the reason's subject begins.

    A floor has few accounts and every round moves the same ones: each pair is looked at once.
    """
    for name in (debit, credit):
        kind, *parts = name.split("/")
        if kind not in _PARTS or len(parts) + 1 != _NAMES[_PARTS[kind]] or not all(parts):
            raise AccountError(f"there is no account {name[:80]!r}: {_expected(kind)}")
    rule = RULES.get(reason)
    if rule is None:
        raise ReasonError(f"{reason[:40]!r} is not on the ledger's list of reasons")
    if (kind_of_account(debit), kind_of_account(credit)) not in rule.between:
        raise ReasonError(f"{reason} moves nothing from {credit} to {debit}")
    if debit == credit or not (rule.across or _belong_together(debit, credit)):
        raise ReasonError(
            f"{reason} moves nothing from {credit} to {debit}: they belong to different owners, or are one"
        )
    return about(rule.subject, "")


def _expected(kind: str) -> str:
    if kind not in _PARTS:
        return f"the kinds are {', '.join(KINDS)}"
    forms = {"": kind, "table": f"{kind}/TABLE", "link": f"{kind}/LINK", "level": f"{kind}/LINK/LEVEL"}
    return f"one of its kind is {forms[_PARTS[kind]]}"


def _belong_together(debit: str, credit: str) -> bool:
    """Whether two accounts are of the same table, or of the same link and level, as far as both name one."""
    (one, *mine), (other, *yours) = debit.split("/"), credit.split("/")
    if (_PARTS[one] == "table") != (_PARTS[other] == "table"):
        return True
    return all(part == also for part, also in zip(mine, yours, strict=False))


def check_overdraft(debit: str, balance: Micros) -> None:
    """Refuse a balance that a debit would leave on an account of players' money, if more is gone than was there."""
    if balance > 0 and debit.startswith(_HELD):
        raise OverdraftError(f"{debit} would be overdrawn by {dollars(balance)}")


class Books:
    """The transfers of one event in their order, on top of the balances before it."""

    __slots__ = ("_before", "_moved", "transfers")

    def __init__(self, balances: Mapping[str, Micros]) -> None:
        """Begin with no transfers."""
        self._before = balances
        self._moved: dict[str, Micros] = {}
        self.transfers: list[Transfer] = []

    def transfer(self, debit: str, credit: str, micros: Micros, reason: Reason, subject: str) -> None:
        """Move an amount above zero: the debited account rises, the credited one falls. `LedgerError` if it may not."""
        check_transfer(debit, credit, micros, reason, subject)
        moved = self._moved
        risen = moved.get(debit, NO_MICROS) + micros
        if (balance := self._before.get(debit, NO_MICROS) + risen) > 0:
            check_overdraft(debit, balance)
        moved[debit] = risen
        moved[credit] = moved.get(credit, NO_MICROS) - micros
        self.transfers.append((debit, credit, micros, reason, subject))

    def transfer_any(self, debit: str, credit: str, micros: Micros, reason: Reason, subject: str) -> None:
        """Move an amount where there is one to move: zero leaves no transfer."""
        if micros != 0:
            self.transfer(debit, credit, micros, reason, subject)

    def balance(self, name: str) -> Micros:
        """The balance with this event's transfers in it."""
        return self._before.get(name, NO_MICROS) + self._moved.get(name, NO_MICROS)

    def held(self, name: str) -> Micros:
        """The balance of an account of what is owed, as a positive amount."""
        return -self.balance(name)


def check_balanced(balances: Mapping[str, Micros]) -> None:
    """Refuse books whose balances do not sum to zero."""
    off = total(balances.values())
    if off:
        raise UnbalancedError(f"the balances of all accounts sum to {dollars(off)} instead of zero")


def _check_list() -> None:
    if RULES.keys() != set(get_args(Reason)):
        raise ReasonError(f"reasons without a rule, or rules without a reason: {RULES.keys() ^ set(get_args(Reason))}")


_check_list()
