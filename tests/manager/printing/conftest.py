"""A house with a won meter, a fill and a known hand, played once: its pages are looked at and left as they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from houseway.manager.commands.house_commands import FillTray
from houseway.manager.commands.slip_commands import HandOverPrize, PrintSlip, ReprintSlip, VoidSlip
from houseway.manager.interface.local import LocalManager
from houseway.manager.interface.proving import journal_keys
from houseway.manager.store.reading import open_view
from houseway.manager.views.floor_questions import SlipQuestion, WinPageQuestion
from houseway.manager.views.slip_views import SlipView
from houseway.manager.views.win_page_view import WinPageView
from tests.manager.audit.house import FELT, House
from tests.manager.floors import CAGE, SUPERVISOR, badge


@dataclass(frozen=True)
class PrintedHouse:
    """A house whose slips are printed."""

    house: House
    manager: LocalManager
    database: Path
    won: str
    """The award of the whole meter."""

    def page(self, award: str | None = None) -> WinPageView:
        """The win page of an award."""
        return self.manager.ask(WinPageQuestion(award=award or self.won)).page

    def slip(self, number: str) -> SlipView:
        """A slip."""
        return self.manager.ask(SlipQuestion(slip=number)).slip

    def keys(self) -> list[str]:
        """The keys that sign the journal's heads, as checkers take them."""
        with open_view(str(self.database)) as view:
            return [key.text for key in journal_keys(view)]


@pytest.fixture(scope="session")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrintedHouse]:
    """Slips in every state: printed, printed again, handed over, void."""
    folder = tmp_path_factory.mktemp("printed")
    house = House(f"sqlite:///{folder / 'house.db'}", folder / "keys")
    house.set_up()
    house.do(SUPERVISOR, FillTray(FELT, "fill", 250_000, badge(CAGE), chips={"2500": 60, "500": 180, "100": 100}))
    house.do(SUPERVISOR, PrintSlip("FILL-000001"))
    house.do(SUPERVISOR, ReprintSlip("FILL-000001", "the printer jammed"))
    round_ = house.play_felt({5: "seven-card-straight-flush", 1: "royal-flush-royal-match"})
    house.do(SUPERVISOR, PrintSlip("WIN-000001"))
    house.do(CAGE, HandOverPrize("WIN-000001", "check", badge(SUPERVISOR), "1042", "cage 2", "form 17"))
    house.do(CAGE, VoidSlip("WIN-000002", "ink ran out", badge(SUPERVISOR)))
    house.play_felt()
    yield PrintedHouse(house, LocalManager(house.manager, str), folder / "house.db", f"{round_}/1")
    house.close()
