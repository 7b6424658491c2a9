"""A table with its keypad for the cases about controls: keys go through the controller's panel to the real manager.

Every sheet with jackpot rules is played with its own games, its own generation of controls, as the sheet prints the
keys, and every pay table that it prints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from houseway.errors import InputError, present
from houseway.games import game
from houseway.manager.controller import key_presses, sign
from houseway.manager.controller.panel import CommandDraft, Panel
from houseway.manager.core.award_entities import Award
from houseway.manager.core.house_entities import Device
from houseway.manager.core.link_entities import LevelParameters
from houseway.manager.core.table_entities import Round
from houseway.manager.views.jackpot_views import meters_view
from houseway.manager.views.table_views import table_view
from houseway.paytables import PayLine, PayTable, paytable
from tests.manager.pit import Pit, progressive, table_of
from tests.rules.harness import Switch, rule

METER = 1_000_000
"""Cents on every meter at the start."""
SEED = 100_000
DEALER, SUPERVISOR, OTHER_SUPERVISOR, EXECUTIVE = "badge-D1", "badge-S1", "badge-S2", "badge-E1"

PRINTED_KEYS = {
    "aquarius": {"start": "COIN IN", "pay": "J-pot", "end": "Game Over"},
    "nexus": {"start": "START GAME", "call": "CALL", "pay": "Confirm", "end": "END GAME"},
    "nexus-2": {"start": "START GAME", "call": "Hit Jackpot", "pay": "Pay Jackpot", "end": "END GAME"},
}
"""The words on the keys as the sheets print them; the second generation's call to a supervisor has no printed key."""

_SIX_CARD = {"sensor": "4", "start": "5", "order": "8.c", "hand": "8.d", "call": "8.e", "pay": "8.f", "envy": "9.b"}
_AQUARIUS = {**_SIX_CARD, "key": "8.f", "run": "8.g", "end": "8.h", "back-out": "8.i"}
_NEXUS = {**_SIX_CARD, "end": "8.g", "back-out": "8.h"}
_SEVEN_CARD = {
    "sensor": "5", "start": "6", "order": "9.c", "hand": "9.d", "hit": "9.e", "call": "9.f", "pay": "9.g", "end": "9.h",
    "back-out": "9.i",
}  # fmt: skip
_FORTUNE_TABLES = ("FPGPP-WA01", "FPGPP-WA07", "FPGPP-WA03", "FPGPP-ML2")
_SEVEN_CARD_TABLES = {
    "fortune": _FORTUNE_TABLES,
    "commission-free-fortune": _FORTUNE_TABLES,
    "face-up": ("FUPGPP-WA01", "FUPGPP-07", "FUPGPP-03", "FUPGPP-ML02"),
}
_SIX_CARD_TABLES = {"six-card-fortune": ("6CFPGPP-2", "6CFPGPP-3", "6CFPGPP-4", "6CFPGPP-5")}
_POKER_TABLES = {"six-card-poker": ("SIXCPP-01", "SIXCPP-02")}


@dataclass(frozen=True)
class Sheet:
    """The jackpot rules of one sheet: which number says what, for which controls, games and pay tables."""

    id: str
    vocabulary: str
    numbers: dict[str, str]
    tables: dict[str, tuple[str, ...]]

    def jackpots(self) -> Iterator[Jackpot]:
        """Every pay table of the sheet at a table of every game that it is for."""
        for game_id, tables in self.tables.items():
            for table_id in tables:
                yield Jackpot(game_id, self.vocabulary, paytable(table_id))


SHEETS = (
    Sheet("6cfpgpp/aquarius", "aquarius", _AQUARIUS, _SIX_CARD_TABLES),
    Sheet("6cfpgpp/nexus", "nexus", _NEXUS, _SIX_CARD_TABLES),
    Sheet("scpp/aquarius", "aquarius", _AQUARIUS, _POKER_TABLES),
    Sheet("scpp/nexus", "nexus", _NEXUS, _POKER_TABLES),
    Sheet("fpgpp/nexus", "nexus-2", _SEVEN_CARD, _SEVEN_CARD_TABLES),
    Sheet("fpgpj/rules", "nexus-2", _SEVEN_CARD, _SEVEN_CARD_TABLES),
)


@dataclass(frozen=True)
class Jackpot:
    """A jackpot as a sheet has it: a game, a generation of controls and a pay table."""

    game: str
    vocabulary: str
    table: PayTable

    @property
    def whole(self) -> PayLine:
        """The line that wins all of a level."""
        return next(line for line in self.table.lines if line.percent == 100)

    @property
    def fixed(self) -> PayLine:
        """The line with the largest fixed pay."""
        return next(line for line in self.table.lines if line.pays)

    @property
    def envied(self) -> list[PayLine]:
        """The lines that bring others envy."""
        return [line for line in self.table.lines if line.envy]


def on_sheets(
    what: str, off: Switch | tuple[Switch, ...]
) -> Callable[[Callable[[Jackpot], None]], Callable[[Jackpot], None]]:
    """Register a case for the clause of every sheet that says this, on all jackpots of that sheet."""

    def register(check: Callable[[Jackpot], None]) -> Callable[[Jackpot], None]:
        for sheet in SHEETS:
            if what in sheet.numbers:
                rule(f"{sheet.id}/{sheet.numbers[what]}", off=off)(_on_all_jackpots(check, sheet))
        return check

    return register


def _on_all_jackpots(check: Callable[[Jackpot], None], sheet: Sheet) -> Callable[[], None]:
    def case() -> None:
        for jackpot in sheet.jackpots():
            check(jackpot)

    case.__name__ = check.__name__
    return case


class Desk:
    """One table on its link, worked by its keys; a second table of the same game shares the link."""

    def __init__(
        self,
        jackpot: Jackpot,
        contribution: str = "0",
        reserve: str = "0",
        executive_from: int | None = None,
        **link: Any,
    ) -> None:
        self.jackpot = jackpot
        levels = {
            level: LevelParameters(SEED, contribution, reserve, executive_from=executive_from)
            for level in jackpot.table.levels
        }
        seats = game(jackpot.game).max_seats
        tables = [
            table_of(id_, jackpot.game, seats=seats, vocabulary=jackpot.vocabulary, sensors={"1": "L1"})
            for id_ in ("T1", "T2")
        ]
        meters = {f"L1/{level}": METER for level in levels}
        # A room that has every award confirmed by a badge, as the sheets tell it for the shares of the meter.
        own = {"fixed_supervisor_from": 0, **link}
        self.pit = Pit(progressive("L1", jackpot.table.id, levels=levels, **own), tables=tables, meters=meters)
        self.panels = {}
        for table in tables:
            self.pit.floor.put("device", f"C-{table.id}", Device(f"C-{table.id}", "controller", table.id, "secret"))
            self.panels[table.id] = Panel(table.id)
            self.panels[table.id].sensors.report({})

    # ------------------------------------------------------------ presses

    def key(self, word: str, badge: str | None = None, table: str = "T1", **fields: Any) -> dict[str, Any]:
        """Press a key, and swipe a badge if one is given; what the last command was answered."""
        try:
            return self._press(word, badge, table, fields)
        except InputError as error:
            raise AssertionError(f"{word} was refused: {error}") from error

    def refused(self, word: str, badge: str | None = None, table: str = "T1", **fields: Any) -> set[str]:
        """The codes with which a key, or the badge after it, is refused; nothing may have changed."""
        before = msgspec.json.encode(self.pit.floor.snapshot())
        try:
            self._press(word, badge, table, fields)
        except InputError as error:
            assert msgspec.json.encode(self.pit.floor.snapshot()) == before
            return {fault.code for fault in error.faults}
        return set()

    def _press(self, word: str, badge: str | None, table: str, fields: dict[str, Any]) -> dict[str, Any]:
        panel = self.panel(table)
        answer = self._send(panel, key_presses.press(panel, word, fields))
        return answer if badge is None else self._send(self.panel(table), panel.swipe(badge))

    def _send(self, panel: Panel, wanted: list[CommandDraft]) -> dict[str, Any]:
        answer: dict[str, Any] = {}
        for do in wanted:
            answer = self.pit.do(do.command, f"device:C-{panel.table}" if do.by_device else None)
            panel.carried_out(do)
        return answer

    def printed(self, what: str) -> str:
        """The word of a key as the sheet prints it."""
        return PRINTED_KEYS[self.jackpot.vocabulary][what]

    def panel(self, table: str = "T1") -> Panel:
        """The panel of a table, which sees the table as the manager shows it now."""
        panel = self.panels[table]
        panel.view = table_view(self.pit.floor, self.pit.floor.tables[table])
        panel.present = panel.view.dealer
        return panel

    # ------------------------------------------------------------ a round

    def lay(self, *seats: int, table: str = "T1", on: bool = True) -> None:
        """Wagers are laid on sensors of these seats, or lifted; the controller tells the manager."""
        panel = self.panel(table)
        for seat in seats:
            panel.sensors.change("1", seat, on)
        view = present(panel.view, "view of the table")
        self._send(panel, [CommandDraft(each, by_device=True) for each in panel.sensors.differences(view)])

    def start(self, *seats: int, table: str = "T1") -> str:
        """Wagers at these seats and START GAME; the chips then come off the sensors. The round's id."""
        self.lay(*seats, table=table)
        round_ = str(self.key(self.printed("start"), table=table)["round"])
        self.lay(*seats, table=table, on=False)
        return round_

    def hand(self, seat: int, hand: str, table: str = "T1") -> dict[str, Any]:
        """The hand button of a spot: the spot first, or in the first generation only where it is asked for."""
        if self.jackpot.vocabulary != "aquarius":
            self.key("SPOT", table=table, spot=seat)
            return self.key("HAND", table=table, hand=hand)
        answer = self.key("HAND", table=table, hand=hand)
        return self.key("SPOT", table=table, spot=seat) if self.panel(table).asking else answer

    def call(self, table: str = "T1") -> None:
        """The dealer has pressed a winner and calls: the award is locked, and a key turned where there is one."""
        if self.jackpot.vocabulary == "aquarius":
            self.key("KEY JPH", SUPERVISOR, table=table)
        else:
            self.key(self.printed("call"), table=table)

    def pay(self, badge: str | None = SUPERVISOR, table: str = "T1") -> dict[str, Any]:
        """The supervisor's confirmation with a badge; a turned key of the first generation stands for it."""
        turned = self.jackpot.vocabulary == "aquarius" and badge == SUPERVISOR
        self.verify(table)
        return self.key(self.printed("pay"), None if turned else badge, table)

    def verify(self, table: str = "T1") -> None:
        """Surveillance verifies what is locked."""
        for award in self.pit.floor.awards.values():
            if award.table == table and award.status == "hit":
                self.pit.verify(award.id, "camera 1")

    def run(self, table: str = "T1") -> None:
        """The key of the first generation goes back to Run; the others have none."""
        if self.jackpot.vocabulary == "aquarius":
            self.key("KEY RUN", table=table)

    def end(self, table: str = "T1") -> dict[str, Any]:
        """END GAME."""
        return self.key(self.printed("end"), table=table)

    # ------------------------------------------------------------ what is seen

    def lights(self, table: str = "T1") -> list[int]:
        """The seats whose sensors are lit."""
        return sign.lights(self.panel(table), live=True).get("1", [])

    def display(self) -> dict[str, Any]:
        """What the keypad's display says."""
        return sign.display(self.panel(), True, "")

    def sign(self, table: str = "T1") -> dict[str, Any]:
        """What the table's sign shows."""
        meters = {"L1": meters_view(self.pit.floor, self.pit.floor.links["L1"])}
        return sign.sign(self.panel(table), meters, sign.LIVE)

    def shown(self, line: PayLine) -> int:
        """Micros that the sign shows for the level of a line."""
        assert line.level is not None
        return self.pit.sign("L1", line.level)

    @property
    def round(self) -> Round:
        """The round in play at the first table."""
        return self.pit.floor.rounds[self.pit.floor.tables["T1"].round or ""]

    def awards(self) -> list[Award]:
        """The awards of the round in play at the first table."""
        return [self.pit.floor.awards[id_] for id_ in self.round.awards]
