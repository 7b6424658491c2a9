"""Six gaming days of a property: wins, voids, corrections, adjustments, a dispute, a malfunction, changes, clocks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from houseway.manager.commands.house_commands import (
    ChangeShift,
    CloseTable,
    CountDrop,
    FillTray,
    RecordIncident,
    RecordPaper,
)
from houseway.manager.commands.link_commands import Approve, Propose, RecordDeposit
from houseway.manager.commands.round_commands import (
    CorrectWager,
    DecideRound,
    EndRound,
    HitJackpot,
    HoldRound,
    PressHand,
    ReopenRound,
)
from houseway.manager.commands.slip_commands import HandOverPrize, PrintSlip, ReprintSlip, VoidSlip
from tests.manager.audit.house import FELT, KNOWN, House
from tests.manager.floors import (
    ACCOUNTING,
    CAGE,
    DEALER,
    EXECUTIVE,
    SUPERVISOR,
    TECHNICIAN,
    badge,
)

DAYS = tuple(date(2026, 10, 29 + place) if place < 3 else date(2026, 11, place - 2) for place in range(6))
"""October 29 to November 3; clocks go back on November 1 at 2, which is in the gaming day of October 31."""


def moment(text: str) -> int:
    """A time in UTC, as in 2026-11-01T09:30."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()) * 1_000_000


@dataclass(frozen=True)
class Stretch:
    """A database with the six days in it."""

    url: str
    keys: Path
    now: int


def play_stretch(url: str, folder: Path) -> Stretch:
    """Play the days on a database."""
    house = House(url, folder / "keys", snapshot_every=45, now=moment("2026-10-29T17:00"))
    _first_day(house)
    _second_day(house)
    _third_day(house)
    _last_days(house)
    house.close()
    return Stretch(url, folder / "keys", house.now)


def change(house: House, **what: Any) -> None:
    """A change by two people."""
    made = house.do(SUPERVISOR, Propose(what, "as agreed"))
    house.do(EXECUTIVE, Approve(made["proposal"], made["content_hash"], badge(EXECUTIVE)))


def _first_day(house: House) -> None:
    """Opening, fills and credits with a number left out, small wins, a void, a drop count, the end of a table."""
    house.set_up()
    house.do(ACCOUNTING, RecordDeposit("L1", 100_000, "slip 1", badge(EXECUTIVE)))
    house.do(SUPERVISOR, FillTray(FELT, "fill", 250_000, badge(CAGE), "F-1001"))
    house.do(SUPERVISOR, FillTray(FELT, "credit", 100_000, badge(CAGE), "F-1003"))
    house.play_felt()
    house.play_felt({2: "straight-flush"})
    house.do(SUPERVISOR, ChangeShift(FELT, "swing"))
    house.do(ACCOUNTING, CountDrop(FELT, 61_250, badge(CAGE)))
    house.now = moment("2026-10-30T02:10")
    house.play_felt()
    house.void()
    house.play_known()
    house.do(EXECUTIVE, CloseTable(FELT, 1_176_500, 20_075, badge(SUPERVISOR)))


def _second_day(house: House) -> None:
    """The whole meter is won; wagers are corrected, an award is rejected, a round is disputed, a meter is wrong."""
    house.now = moment("2026-10-30T18:00")
    house.open_table(FELT, DEALER)
    house.play_felt({5: "seven-card-straight-flush", 1: "royal-flush-royal-match"})
    house.play_felt({1: "seven-card-straight-flush"}, reject=True)
    round_id = house.start(FELT, (1, 3))
    house.do(DEALER, CorrectWager(round_id, "1", 4, True, "the chip lay beside the sensor"))
    house.do(DEALER, CorrectWager(round_id, "1", 3, False, "nobody sits there"))
    house.do(DEALER, EndRound(round_id))
    only = house.start(FELT, (6,))
    house.do(DEALER, CorrectWager(only, "1", 6, False, "nobody sits there"))
    house.do(DEALER, EndRound(only))
    disputed = house.start(FELT)
    house.do(DEALER, HoldRound(disputed, badge(SUPERVISOR), "two players claim seat 2", {"camera": "4"}))
    house.play_felt()
    known = house.now
    house.do(TECHNICIAN, RecordIncident("meter-wrong", FELT, "the sign shows a dollar less", known))
    change(house, change="adjustment", link="L1", level="main", code="malfunction", micros=1_000_001, reference="i 1")
    change(house, change="adjustment", link="L1", level="main", code="recover-seed", micros=-250_000_000, reference="r")
    house.do(TECHNICIAN, RecordIncident("power-loss", KNOWN, "a fuse", known))
    house.now = moment("2026-10-31T12:30")
    house.do(SUPERVISOR, DecideRound(disputed, badge(EXECUTIVE), "void", "the wagers were not clear", "case 7"))


def _third_day(house: House) -> None:
    """25 hours: other rates, play in the hour that comes twice, a payment taken back and one backed out."""
    house.now = moment("2026-10-31T20:00")
    change(house, change="level", link="L1", level="main", contribution="1/4", reserve="2/11")
    change(house, change="setting", name="cut_off_hour", value=4, since=moment("2026-11-02T00:00"))
    house.play_felt()
    paid = house.play_felt({1: "royal-flush-royal-match"})
    house.do(DEALER, ReopenRound(FELT, badge(SUPERVISOR), "a winner was missed"))
    house.do(DEALER, PressHand(paid, 2, "straight-flush"))
    house.do(DEALER, HitJackpot(paid))
    house.settle(paid, reject=False)
    house.do(DEALER, EndRound(paid))
    award = next(each.id for each in house.floor().awards.values() if each.round == paid and each.seat == 2)
    change(house, change="back-out", award=award, reference="incident 1")
    house.now = moment("2026-11-01T08:30")  # 1:30 the first time
    house.play_felt()
    house.now = moment("2026-11-01T09:30")  # 1:30 the second time
    house.play_felt({5: "seven-card-straight-flush"})
    house.do(
        EXECUTIVE, RecordPaper("incident-report", "IR-1", "incident-1", {"reference": "m", "reported_at": house.now}, 0)
    )
    house.do(SUPERVISOR, RecordPaper("withdrawal", "W-1", "incident-1", {"reason": "a cable"}, house.now))
    house.now = moment("2026-11-01T13:59:50")
    house.play_known()  # over the cut-off at 6


def _last_days(house: House) -> None:
    """A day on which only money is deposited, one on which nothing happens, and one with play again."""
    house.now = moment("2026-11-01T22:00")
    house.do(ACCOUNTING, RecordDeposit("L1", 75_000, "slip 2", badge(EXECUTIVE)))
    house.do(ACCOUNTING, RecordDeposit("L1", -12_345, "slip 3", badge(EXECUTIVE)))
    house.now = moment("2026-11-03T20:00")
    house.do(SUPERVISOR, FillTray(FELT, "fill", 50_000, badge(CAGE), "F-1004"))
    for way in ("fill", "credit"):
        made = house.do(SUPERVISOR, FillTray(FELT, way, 20_000, badge(CAGE)))
        house.do(SUPERVISOR, VoidSlip(made["slip"], "never brought", badge(CAGE)))
    house.do(CAGE, PrintSlip("WIN-000002"))
    house.do(CAGE, ReprintSlip("WIN-000002", "the printer jammed"))
    house.do(CAGE, HandOverPrize("WIN-000002", "cash", badge(SUPERVISOR), form="form 1"))
    house.play_felt()
    house.play_known()
