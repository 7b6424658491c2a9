"""`houseway deal --wager`: the wagers, pay tables and meters that make a deal a complete round for settlement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from houseway.api.arguments import Arguments
from houseway.games.round_tables import fits, meter_key
from houseway.reading.faults import MOST_CENTS
from houseway.reading.places import excerpt
from houseway.wording import in_known_case, suggestion

if TYPE_CHECKING:
    from houseway.definitions import Game, Wager
    from houseway.paytables import PayTable


class Bets:
    """What every seat in play bets, by which tables, what their meters show and restart with."""

    def __init__(
        self,
        arguments: Arguments,
        game: Game,
        wagers: Sequence[str],
        meters: Sequence[str],
        seeds: Sequence[str],
        own: PayTable | None = None,
    ) -> None:
        """Read words such as `fortune=500:FPGP-3` and `main=1000000`; faults are noted.

        `own` is a table of somebody's own: it pays the first wager that it fits and that names no other one.
        """
        self._arguments = arguments
        self._game = game
        self._own = own
        self.wagers: dict[str, int] = {}
        self.tables: dict[str, PayTable] = {}
        self.meters: dict[str, dict[str, int]] = {}
        self.seeds: dict[str, dict[str, int]] = {}
        for word in wagers:
            self._read_wager(word)
        if own is not None and wagers and own not in self.tables.values():
            message = f"{own.id} fits no wager that is made: it is for {own.wager} of {', '.join(own.games)}"
            arguments.add("wrong-paytable", "paytable_file", message)
        for word in meters:
            self._read_level(word, "meter", self.meters)
        for word in seeds:
            self._read_level(word, "seed_amount", self.seeds)

    def add_to(self, shown: dict[str, Any]) -> None:
        """Complete a round: every seat gets the wagers."""
        for seat in shown["seats"]:
            seat["wagers"] = dict(self.wagers)
        if self.tables:
            shown["paytables"] = {name: table.id for name, table in self.tables.items()}
        if self.meters:
            shown["meters"] = self.meters
        if self.seeds:
            shown["seeds"] = self.seeds

    def _read_wager(self, word: str) -> None:
        name, equals, rest = word.partition("=")
        amount, _, table_id = rest.partition(":")
        known = [wager.name for wager in self._game.wagers]
        name = in_known_case(name, known)
        wager = self._game.wager(name)
        if not equals:
            by_table = next((wager.name for wager in self._game.wagers if wager.needs_table), None)
            example = f"{known[0]}=2500" + (f", or {by_table}=500:TABLE" if by_table else "")
            message = f"{excerpt(word)!r} is not WAGER=CENTS: write {example}"
            self._arguments.add("bad-argument", "wager", message)
        elif wager is None:
            message = f"{excerpt(name)!r} is not a wager of {self._game.id}: {suggestion(name, known)}"
            self._arguments.add("unknown-wager", "wager", message)
        elif name in self.wagers:
            self._arguments.add("conflicting-options", "wager", f"{name} is given twice")
        else:
            self.wagers[name] = self._arguments.whole_number(amount, "wager", 1, MOST_CENTS) or 0
            self._read_table(wager, amount, table_id)

    def _read_table(self, wager: Wager, amount: str, table_id: str) -> None:
        """The pay table of a wager that has one."""
        from houseway.paytables import paytables

        written = f"{wager.name}={excerpt(amount)}"
        if table_id and not wager.needs_table:
            self._arguments.add("wrong-paytable", "wager", f"{wager.name} has no pay table: write {written}")
        elif self._own is not None and fits(self._own, wager, self._game, self.tables, table_id):
            self.tables[wager.name] = self._own
        elif table_id:
            table = self._arguments.paytable(table_id, "wager")
            if table is not None:
                self.tables[wager.name] = table
        elif wager.needs_table and wager.default_table is None:
            fitting = [each.id for each in paytables() if each.wager == wager.paid_by and self._game.id in each.games]
            message = f"{wager.name} is paid by a pay table: write {written}:TABLE with one of {', '.join(fitting)}"
            self._arguments.add("missing-paytable", "wager", message)

    def _read_level(self, word: str, path: str, amounts: dict[str, dict[str, int]]) -> None:
        """What a level shows or restarts with, for every jackpot of the round that has it."""
        level, equals, amount = word.partition("=")
        # Two sensors on one table have a meter each.
        having = [meter_key(wager, self.tables) for wager, table in self.tables.items() if level in table.levels]
        if not equals or not having:
            known = ", ".join(dict.fromkeys(level for table in self.tables.values() for level in table.levels))
            there = f"one of the levels {known}" if known else "a level of a jackpot wager's table, and there is none"
            self._arguments.add("no-meter", path, f"{excerpt(word)!r} is not LEVEL=CENTS with {there}")
            return
        if level in amounts.get(having[0], {}):
            self._arguments.add("conflicting-options", path, f"{level} is given twice")
            return
        cents = self._arguments.whole_number(amount, path, 0, MOST_CENTS) or 0
        for key in having:
            amounts.setdefault(key, {})[level] = cents
