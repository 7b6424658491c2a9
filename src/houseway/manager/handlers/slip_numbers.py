"""Numbers of slips: the manager gives them, one after the other, and each slip is made by the command it is about.

A number goes on record with its slip in one event. So no number is given without a slip, none is given twice, and none
is left out, however often a command is repeated or a process dies in between.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from houseway.amounts import NO_CENTS, Cents, total
from houseway.errors import Fault
from houseway.manager.core.award_entities import Award
from houseway.manager.core.engine import Decision
from houseway.manager.core.money import LARGEST_CENTS, cents_text
from houseway.manager.core.prize_duties import prize_duties
from houseway.manager.core.slip_entities import SERIES, PrizeDuties, Slip, SlipKind, SlipSeries, SlipVoid
from houseway.manager.core.slip_numbering import numbered
from houseway.manager.core.table_entities import Table

_MOST_CHIPS: Final = 1_000_000
_VALUE: Final = re.compile(r"[1-9][0-9]{0,9}")


def next_number(decision: Decision, kind: SlipKind) -> str:
    """The next number of a kind's series, which is used up with this command."""
    series = SERIES[kind]
    last = decision.series.get(series) or SlipSeries(series, 0)
    decision.series.put(replace(last, last=last.last + 1))
    return numbered(series, last.last + 1)


def issue_slip(
    decision: Decision, kind: SlipKind, table: Table, cents: Cents, second: str, chips: dict[str, int],
    number: str | None = None,
) -> Slip:  # fmt: skip
    """Make the slip of what the command does, under the next number, or that of a form printed beforehand."""
    slip = Slip(
        number or next_number(decision, kind), kind, table.id, cents, decision.actor, second, decision.now,
        chips=chips, dealer=table.dealer or "", shift=table.shift or "",
    )  # fmt: skip
    decision.slips.put(slip)
    return slip


def issue_win_slip(decision: Decision, award: Award, table: Table) -> Slip | None:
    """The slip of a paid award; none where no badge was needed, or there was nothing to pay."""
    if award.badge_role == "none" or not award.wagered or not award.cents:
        return None
    slip = Slip(
        next_number(decision, "win"), "win", award.table, award.cents, decision.actor, award.paid_by or "",
        decision.now, dealer=decision.rounds[award.round].dealer, shift=table.shift or "", deck=table.deck or "",
        award=award.id, duties=duties_of(decision, award),
    )  # fmt: skip
    decision.slips.put(slip)
    return slip


def duties_of(decision: Decision, award: Award) -> PrizeDuties:
    """What the payment of an award brings with it, now."""
    taken = decision.rounds[award.round].taken
    wager = next((each.wager for each in taken if each.sensor == award.sensor), NO_CENTS)
    return prize_duties(decision, award.cents, wager, decision.now)


def void_slips_of(decision: Decision, award: str, by: str, second: str, reason: str) -> None:
    """An award was backed out: its slip does not count any more, and none takes its place."""
    for slip in list(decision.slips.values()):
        if slip.award == award and slip.void is None:
            decision.slips.put(replace(slip, void=SlipVoid(by, second, decision.now, reason)))


def chips_faults(chips: dict[str, int], cents: Cents, path: str = "chips") -> list[Fault]:
    """Chips that are no chips, or that do not come to the amount beside them; none where none are named."""
    if not chips:
        return []
    faults = [
        Fault("bad-chips", f"{path}.{value[:20]}", "name chips by their value in cents, and how many: 1 or more")
        for value, count in chips.items()
        if not _VALUE.fullmatch(value) or not 1 <= count <= _MOST_CHIPS
    ]
    if faults:
        return faults
    found = total(Cents(int(value) * count) for value, count in chips.items())
    if found == cents or found > LARGEST_CENTS:
        return [] if found == cents else [Fault("bad-chips", path, "these are more chips than any room has")]
    message = f"the chips come to {cents_text(found)}, the amount is {cents_text(cents)}: count again"
    return [Fault("chips-differ", path, message)]
