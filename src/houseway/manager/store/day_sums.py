"""Sums over a stretch of events, such as a gaming day: what is kept of a day so that a year need not be read again.

Each part is a pure function of the rows and events of its stretch (`day_summing` makes it), and says nothing that they
do not say. Stretches that follow on each other are added up by whoever makes a report. Parts are stored as JSON arrays
with everything in order, so that the same stretch always gives the same bytes.
"""

from __future__ import annotations

from typing import Final

import msgspec

PLAYED: Final = frozenset({"ended", "on-paper"})
"""Outcomes of rounds that were played to their end, at the table or on paper."""


class ChipMove(msgspec.Struct, array_like=True, frozen=True):
    """A transfer of chips or counted money between the house and a table."""

    seq: int
    at: int
    actor: str
    table: str
    kind: str
    """`float`, `fill`, `credit`, `fill-voided`, `credit-voided`, `count-tray` or `count-drop`."""
    slip: str
    micros: int


class DropMoney(msgspec.Struct, array_like=True):
    """The money of a table up to a count of its drop, or from the last one to the end of the stretch."""

    table: str
    count: int
    """The event with the count; 0 for what lies behind the last one."""
    coin_in: int = 0
    """Jackpot wagers that came into the drop, less those that went again."""
    accrued: int = 0
    """What they put aside for players."""
    tray: int | None = None
    """What the tray held at its last transfer in this stretch up to here; None where there was none."""


class BookSums(msgspec.Struct, array_like=True, tag="books"):
    """What the transfers of a stretch say."""

    moved: list[tuple[str, str, str, int]]
    """Debit, credit, reason, and the sum in micros."""
    chips: list[ChipMove]
    drops: list[DropMoney]
    """By table, in the order of the counts; a table of which nothing moved has none."""


class LinkWagers(msgspec.Struct, array_like=True):
    """Wagers on a link."""

    link: str
    taken: int = 0
    """In micros, as the rest."""
    returned: int = 0
    wagers: int = 0
    wagers_returned: int = 0


class RateWagers(msgspec.Struct, array_like=True):
    """Wagers on a level at the same rates."""

    link: str
    level: str
    contribution: str
    reserve: str
    since: int
    wagers: int = 0
    micros: int = 0


class CarriedOn(msgspec.Struct, array_like=True):
    """How the remainders of a level below a millionth moved, `contribution` and `reserve` each as a fraction."""

    level: str
    """Link and level, as L1/main."""
    is_first_taken: bool
    """Whether the first event that tells them took wagers: then what it changed counts, against what was before."""
    first: tuple[str, str]
    change: tuple[str, str]
    """What later events that took wagers changed."""
    last: tuple[str, str]


class WagerSums(msgspec.Struct, array_like=True, tag="wagers"):
    """What the rounds of a stretch say about jackpot wagers."""

    links: list[LinkWagers]
    rates: list[RateWagers]
    carried: list[CarriedOn]


class SeatHourSums(msgspec.Struct, array_like=True):
    """A seat in one hour."""

    table: str
    seat: int
    hour: str
    rounds: int = 0
    wagers: int = 0
    taken: int = 0
    returned: int = 0
    with_wager: int = 0
    """Rounds of the seat with a jackpot wager."""


class SeatSums(msgspec.Struct, array_like=True, tag="seats"):
    """Jackpot wagers by seat and hour."""

    zone: str
    """By whose clocks the hours are."""
    seats: list[SeatHourSums]
    rounds: list[tuple[str, str, int]]
    """Table, hour, and how many rounds began."""


class CarriedRound(msgspec.Struct, array_like=True, frozen=True):
    """A round that may have left a row before this stretch."""

    round: str
    number: int | None
    is_ended: bool
    """Whether it ended here, also if it was void as well."""


class DropRounds(msgspec.Struct, array_like=True):
    """The rounds of a table up to a count of its drop, or from the last one to the end of the stretch."""

    table: str
    count: int
    rounds: int = 0
    """Rounds that ended, those that may have been counted before left out."""
    voids: int = 0
    carried: list[CarriedRound] = []


class RoundBegun(msgspec.Struct, array_like=True, frozen=True):
    """When a round began, and under whom."""

    round: str
    at: int
    dealer: str


class DealerTime(msgspec.Struct, array_like=True):
    """Rounds of a dealer and the time from one to the next."""

    dealer: str
    rounds: int = 0
    timed: int = 0
    micros: int = 0


class TablePaces(msgspec.Struct, array_like=True):
    """The rounds of a table one after the other."""

    table: str
    first: list[RoundBegun]
    """Rows up to the first of a round that began in this stretch; how they count depends on what was before."""
    dealers: list[DealerTime]
    """The rows behind them."""
    last: RoundBegun | None
    """The round from which the next one is timed; None where all rows are among the first."""


class RoundSums(msgspec.Struct, array_like=True, tag="rounds"):
    """What the rows of rounds say."""

    zone: str
    drops: list[DropRounds]
    paces: list[TablePaces]
    hours: list[tuple[str, str, int]]
    """Table, hour, and how many rounds of it are in `dealers`."""


class StaffSums(msgspec.Struct, array_like=True, tag="staff"):
    """Who gave which commands."""

    counts: list[tuple[str, str, int]]
    """Actor, kind of command, times."""


Part = BookSums | WagerSums | SeatSums | RoundSums | StaffSums
PARTS: Final[dict[str, type[Part]]] = {
    "books": BookSums,
    "rounds": RoundSums,
    "seats": SeatSums,
    "staff": StaffSums,
    "wagers": WagerSums,
}
"""The parts by the names under which they are stored."""


def part_bytes(part: Part) -> bytes:
    """A part as it is stored."""
    return msgspec.json.encode(part)
