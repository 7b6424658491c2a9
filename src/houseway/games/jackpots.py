"""Jackpot wagers: shares of a meter, fixed pays, and what the meters show afterwards.

Winners of one round are paid from the highest seat down, each from the meter as the one before left it; a level won at
100% restarts at its seed. A share is rounded down to the cent and the rest stays on the meter. A house jackpot has no
meter: each winner gets the share of the posted prize, and nothing changes. Contributions are not posted here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from houseway.errors import present
from houseway.games.bonus import resolution_order
from houseway.games.round_model import Contest, Hand, Line, Source, lost, named
from houseway.games.round_tables import meter_key
from houseway.games.shares import Pot, share_of, win

if TYPE_CHECKING:
    from houseway.definitions import Wager
    from houseway.paytables import PayLine, PayTable
    from houseway.reading.faults import Faults


WITHOUT_METER: Final = (None, "tray")
"""Sources of lines that neither read nor move a meter: they are the same in the next round."""


class Meters:
    """The meters of a round while its winners are paid in order."""

    def __init__(self, contest: Contest, faults: Faults) -> None:
        """Begin with what the meters showed at the hit."""
        self.shown = {key: dict(levels) for key, levels in contest.round.meters.items()}
        self._seeds = contest.round.seeds
        self._faults = faults
        self.is_house = contest.round.settings.jackpot_kind == "house"
        self.pays_fixed = contest.round.settings.fixed_pays == "meter" and not self.is_house

    def read(self, key: str, level: str) -> int | None:
        """What a level shows; a fault if it was not handed in."""
        shown = self.shown.get(key, {}).get(level)
        if shown is None:
            what = "posted prize" if self.is_house else "meter"
            self._faults.add(
                "missing-meter", f"meters.{key}.{level}", f"a hand is paid from it: give the {what} in cents"
            )
        return shown

    def share(self, key: str, level: str, percent: int) -> int:
        """Take a share of a level; 100% restarts it at its seed."""
        shown = self.read(key, level)
        seed = self._seeds.get(key, {}).get(level)
        if percent == 100 and seed is None and not self.is_house:
            self._faults.add("missing-seed", f"seeds.{key}.{level}", "a 100% award reseeds the meter: give its seed")
        if shown is None:
            return 0
        if self.is_house:
            return share_of(shown, percent)
        won = win(Pot(shown, seed=seed or 0), percent)
        self.shown[key][level] = won.meter
        return won.award

    def take(self, key: str, level: str, amount: int) -> None:
        """Take a fixed pay off a level, which may not fall below zero."""
        shown = self.read(key, level)
        if shown is None:
            return
        if amount > shown:
            self._faults.add(
                "meter-short",
                f"meters.{key}.{level}",
                f"holds {shown}, the fixed pay is {amount}: pay it from the tray",
            )
            return
        self.shown[key][level] = shown - amount


def settle_jackpots(contest: Contest, wager: Wager, meters: Meters) -> dict[int, Line]:
    """The line of every seat that made a jackpot wager, by seat."""
    table = contest.round.tables[wager.name]
    stakes = {seat.number: seat.wagers[wager.name] for seat in contest.round.seats if wager.name in seat.wagers}
    made = contest.round.lines
    found: dict[int, Line] = {}
    for number in resolution_order(contest):
        if number in stakes:
            stake, hand = stakes[number], contest.hands[number]
            decided_by = (wager.name, stake, hand.names, hand.natural_names, hand.best_name)
            line = made.get(decided_by)
            if line is None:
                key = meter_key(wager.name, contest.round.tables)
                line = _jackpot_line(wager, stake, hand, table, key, meters)
                line = line._replace(clause=contest.round.cited(line.clause))
                if line.source in WITHOUT_METER:
                    made[decided_by] = line
            found[number] = line
    return found


def _jackpot_line(wager: Wager, stake: int, hand: Hand, table: PayTable, key: str, meters: Meters) -> Line:
    paid = table.line_for(hand.names_for(table))
    if paid is None:
        # With the joker an ace in every hand a line would have been paid: then its own clause decides.
        by_joker = table.line_for(hand.names) is not None
        clause = wager.clauses.joker if by_joker else wager.clauses.lose
        return named(lost(wager.name, stake, hand.best_name_for(table), clause), table.id)
    if paid.percent is None:
        return _fixed_line(wager, stake, paid, table, key, meters)
    award = meters.share(key, present(paid.level, f"level of {paid.hand}"), paid.percent)
    source: Source = "house" if meters.is_house else "meter"
    clause = wager.clauses.house if meters.is_house else wager.clauses.win
    line = Line(wager.name, "win", stake, award, paid.hand, clause, source)
    return named(line, table.id, f"{paid.percent}% of {paid.level}")


def _fixed_line(wager: Wager, stake: int, paid: PayLine, table: PayTable, key: str, meters: Meters) -> Line:
    """A fixed pay "for 1": the stake is part of it and is not returned; a larger fixed wager multiplies it."""
    amount = stake * present(paid.pays, f"pay of {paid.hand}")
    from_meter = meters.pays_fixed and bool(table.levels)
    if from_meter:
        # A table with two meters names none for its fixed pays: the one of its first line is read to carry them.
        meters.take(key, table.levels[0], amount)
    source: Source = "meter" if from_meter else "tray"
    line = Line(wager.name, "win", stake, amount, paid.hand, wager.clauses.fixed, source)
    return named(line, table.id, f"{paid.pays} for 1")
