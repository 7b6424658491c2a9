"""Switches on what bonus and jackpot wagers are paid: envy, the aggregate limit, meters and fixed pays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from houseway.games import CheckedSeat, Line, Wager
from houseway.games.aggregate import apply_aggregate_limit
from houseway.games.bonus import envy_lines, envy_triggers
from houseway.games.jackpots import Meters, _fixed_line
from houseway.games.round_model import Contest, pushed
from houseway.reading.faults import Faults
from tests.rules.harness import Switch, replaced

# Envy

Triggers = list[tuple[int, int, str]]


def _envy_of_oneself(contest: Contest, wager: Wager, seat: CheckedSeat, triggers: Triggers) -> list[Line]:
    return envy_lines(contest, wager, replace(seat, number=0), triggers)


def _triggers_with_dealer(contest: Contest, wager: Wager) -> Triggers:
    return envy_triggers(replace(contest, hands={**contest.hands, 0: contest.dealer}), wager)


OWN_HAND_BRINGS_ENVY = replaced("houseway.games.settle.envy_lines", _envy_of_oneself)
DEALER_BRINGS_ENVY = replaced("houseway.games.settle.envy_triggers", _triggers_with_dealer)
ONE_ENVY_A_ROUND = replaced(
    "houseway.games.settle.envy_triggers", lambda contest, wager: envy_triggers(contest, wager)[:1]
)
ENVY_AT_ANY_STAKE = replaced("houseway.games.bonus.envies", lambda wager, stake: True)
ENVY_FOR_ANY_PAID_HAND = replaced(
    "houseway.games.bonus.envy_of",
    lambda table, names: (500, paid.hand) if (paid := table.line_for(names)) else (0, ""),
)


# Bonus wagers

UNPAID_GOES_BACK = replaced("houseway.games.bonus.lost", pushed)
NO_CAP = replaced("houseway.games.settle.apply_aggregate_limit", lambda *_: None)
ENVY_UNDER_THE_CAP = replaced(
    "houseway.games.settle.apply_aggregate_limit",
    lambda limit, results, wagers, clause: apply_aggregate_limit(limit, results, wagers | {"fortune_envy"}, clause),
)


# Jackpots

_INIT: Callable[[Meters, Contest, Faults], None] = Meters.__init__
_SHARE: Callable[[Meters, str, str, int], int] = Meters.share


def meters_with(**changes: object) -> Switch:
    """Meters that begin every round with other data."""

    def begin(meters: Meters, contest: Contest, faults: Faults) -> None:
        _INIT(meters, contest, faults)
        for name, value in changes.items():
            setattr(meters, name, value)

    return replaced("houseway.games.jackpots.Meters.__init__", begin)


def _share_for_good(meters: Meters, key: str, level: str, percent: int) -> int:
    shown = meters.shown[key][level]
    meters.shown[key][level] = shown - shown * percent // 100
    return shown * percent // 100


def _share_restarting_all(meters: Meters, key: str, level: str, percent: int) -> int:
    award = _SHARE(meters, key, level, percent)
    if percent == 100:
        meters.shown[key].update(meters._seeds[key])
    return award


def _share_left_on_meter(meters: Meters, key: str, level: str, percent: int) -> int:
    return meters.shown[key][level] * percent // 100


METER_DOES_NOT_RESTART = replaced("houseway.games.jackpots.Meters.share", _share_for_good)
ALL_METERS_RESTART = replaced("houseway.games.jackpots.Meters.share", _share_restarting_all)
SHARE_STAYS_ON_METER = replaced("houseway.games.jackpots.Meters.share", _share_left_on_meter)
FIXED_PAY_STAYS_ON_METER = replaced("houseway.games.jackpots.Meters.take", lambda *_: None)
LOWEST_SEAT_IS_PAID_FIRST = replaced("houseway.games.jackpots.resolution_order", lambda contest: sorted(contest.hands))
JACKPOTS_LEFT_OUT = replaced("houseway.games.settle.settle_jackpots", lambda *_: {})


def _fixed_and_stake(wager: Wager, stake: int, *rest: object) -> Line:
    line = _fixed_line(wager, stake, *rest)
    return line._replace(returned=line.returned + stake)


STAKE_COMES_BACK_TOO = replaced("houseway.games.jackpots._fixed_line", _fixed_and_stake)
