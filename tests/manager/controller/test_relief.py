"""Cards at the wrong moment, and a relief in the middle of a round; a controller that sees another table than the
manager looks again, and words that are not true any more go.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from houseway.errors import Fault, InputError
from houseway.manager.commands import AnyCommand
from houseway.manager.commands.house_answers import DealerInAnswer
from houseway.manager.commands.house_commands import ChangeDeck, CloseTable, DealerIn, DealerOut, OpenTable
from houseway.manager.controller.controller import Controller
from houseway.manager.controller.outbox import Outbox
from houseway.manager.core import badges
from houseway.manager.interface.contract import CommandResult, RefusedError
from houseway.manager.views.answers import TableAnswer, TableMessage
from houseway.manager.views.floor_questions import TableQuestion
from houseway.manager.views.table_views import RoundView, TableView
from tests.manager.controller.blank_views import blank
from tests.manager.controller.table import RefusedByControllerError, Table
from tests.manager.floors import EXECUTIVE, SUPERVISOR, SURVEILLANCE, badge
from tests.manager.server.house import DEALERS, House
from tests.manager.server.processes import Served


@pytest.fixture
def served(house: House) -> Iterator[Served]:
    with Served(house) as found:
        yield found


def refused(table: Table, **message: Any) -> list[str]:
    with pytest.raises(RefusedByControllerError) as caught:
        table.send(message)
    return caught.value.codes


def test_a_relief_swipes_in_during_a_round_and_a_card_that_comes_too_early_is_no_guess(served: Served) -> None:
    with served.client() as desk:
        desk.send(DealerOut("T2"), actor=DEALERS["T2"])
    with Table(served.house, served.address) as table:
        table.wait_live()
        table.lay(5)
        table.press("START GAME")
        # Nobody asks for them yet: they are refused like a wrong badge, and however often, the reader stays open.
        for person in [SUPERVISOR] * badges.TRIES + [SURVEILLANCE]:
            assert refused(table, badge=badge(person)) == ["badge-refused"]
        assert "press the key first" in table.display["said"]
        assert refused(table, badge="a badge of nobody at all") == ["badge-refused"]
        table.look(0.2)
        table.seen.clear()
        table.swipe(badge(DEALERS["T2"]))
        table.look(0.2)
        texts = [line["display"]["text"] for line in table.seen if "display" in line]
        assert not [text for text in texts if "not signed in here" in text]
        assert table.display["said"] == f"{DEALERS['T2']} deals at T1"
        assert table.press("END GAME")["answers"][0]["round"] == "T1-1"


def test_a_refused_card_at_a_table_is_not_told_how_an_office_issues_one(served: Served) -> None:
    with Table(served.house, served.address) as table:
        table.wait_live()
        assert refused(table, badge="a badge of nobody at all") == ["badge-refused"]
        assert "new badge" not in table.display["said"]


def test_the_next_day_asks_for_a_counted_deck_until_it_is_there(served: Served) -> None:
    """Nothing is refused over it: the display says it, as the manager's answers do."""
    count = "Count a deck down and record it at the desk"
    with Table(served.house, served.address) as table, served.client() as desk:
        table.wait_live()
        assert count not in table.display["now"]
        closing = CloseTable("T1", 0, drop_cents=0, badge=badge(SUPERVISOR))
        desk.send(closing, actor=EXECUTIVE)
        table.wait("display", lambda shown: "closed" in shown["now"])
        opening = OpenTable("T1", 1_000_000, badge=badge(SUPERVISOR))
        opened = desk.send(opening, actor=EXECUTIVE).answer
        assert opened.next[0] == "count a deck down and record it (houseway table deck)"
        table.wait("display", lambda shown: "nobody deals" in shown["now"])
        table.swipe(badge(DEALERS["T1"]))
        assert table.display["now"].startswith(f"{count}. T1 is ready")
        table.press("START GAME")
        table.press("END GAME")
        assert table.display["now"].startswith(count)
        desk.send(ChangeDeck("T1", "B-2", counted=53), actor=SUPERVISOR)
        table.wait("display", lambda shown: shown["now"].startswith("T1 is ready"))


# ---------------------------------------------------------------- a view that is not the manager's


def view_of(*, round_: str | None = None, status: str = "open", **more: Any) -> TableView:
    """A table without jackpots, as the manager shows it."""
    in_play = blank(RoundView, id=round_) if round_ else None
    shown = {"dealer": "D1", "cards": "felt", "seats": 6, "vocabulary": "nexus-2", "deck": "A-1", "round": round_}
    return blank(TableView, id="T9", status=status, in_play=in_play, **{**shown, **more})


class FakeManager:
    """A manager that has a table, refuses every command, and tells nothing by itself."""

    def __init__(self, view: TableView, code: str = "round-in-play") -> None:
        self.view, self.seq, self.code = view, 1, code
        self.gone = asyncio.Event()

    async def ask(self, asked: TableQuestion) -> TableAnswer:
        assert asked.table == "T9"
        return blank(TableAnswer, table=self.view, seq=self.seq)

    async def subscribe(self, *_topics: str, **_named: Any) -> None:
        """Tell nothing."""

    async def send(self, command: AnyCommand, **_named: Any) -> CommandResult[DealerInAnswer]:
        if isinstance(command, DealerIn):
            return CommandResult(self.seq, 0, "", blank(DealerInAnswer, dealer="D1"))
        raise RefusedError([Fault(self.code, "table", "it is otherwise")])


async def at_a_table(folder: Path, manager: FakeManager) -> tuple[Controller, Outbox, list[dict[str, Any]]]:
    """A controller where D1 deals, and what it shows."""
    told: list[dict[str, Any]] = []
    outbox = Outbox.open(folder / "T9.outbox", "T9", "a secret")
    controller = Controller("T9", "C-T9", outbox, told.append)
    await controller.arrived(manager)  # type: ignore[arg-type] # as much of a client as is needed
    await controller.handle({"badge": "the badge of D1"})
    return controller, outbox, told


@pytest.mark.parametrize(
    ("shown", "really", "key", "code"),
    [
        (None, "T9-1", "START GAME", "round-in-play"),
        (None, "T9-1", "END GAME", "no-round"),
        ("T9-1", None, "END GAME", "no-such-round"),
        ("T9-1", "T9-2", "VOID", "no-such-round"),
    ],
)
def test_a_controller_with_another_view_looks_again_by_itself(
    tmp_path: Path, shown: str | None, really: str | None, key: str, code: str
) -> None:
    async def check() -> tuple[str, str]:
        manager = FakeManager(view_of(round_=shown), code)
        controller, outbox, told = await at_a_table(tmp_path, manager)
        manager.view, manager.seq = view_of(round_=really), 7
        if key == "VOID":
            # It is sent with the badge that it asks for.
            await controller.handle({"key": key, "reason": 1})
        message = {"badge": "the badge of a supervisor"} if key == "VOID" else {"key": key}
        with pytest.raises(InputError) as caught:
            await controller.handle(message)
        assert caught.value.faults[0].code == code
        outbox.close()
        display = [line["display"] for line in told if "display" in line][-1]
        return display["said"], display["now"]

    said, now = asyncio.run(check())
    assert "has changed since it was shown here" in said
    assert now.startswith(f"{really}," if really else "T9 is ready")


def test_words_that_a_change_elsewhere_makes_untrue_go(tmp_path: Path) -> None:
    async def check() -> list[str]:
        manager = FakeManager(view_of(), "table-closed")
        controller, outbox, told = await at_a_table(tmp_path, manager)
        with pytest.raises(InputError):
            await controller.handle({"key": "START GAME"})
        said = [told[-1]["display"]["said"]]
        # Chips alone do not make it untrue; another state of the table does.
        for seq, view in ((8, view_of(declared=(2,))), (9, view_of(status="closed"))):
            controller.changed(TableMessage(seq=seq, at=0, table=view))
            said.append([line["display"] for line in told if "display" in line][-1]["said"])
        outbox.close()
        return said

    assert asyncio.run(check()) == ["it is otherwise", "it is otherwise", ""]


def test_a_press_while_the_manager_is_away_is_told_what_waits(tmp_path: Path) -> None:
    """In a round nobody is told not to start one."""

    async def check(round_: str | None) -> str:
        controller, outbox, _ = await at_a_table(tmp_path, FakeManager(view_of(round_=round_)))
        controller.left("link-lost", "the link to the manager is lost")
        with pytest.raises(InputError) as caught:
            await controller.handle({"key": "END GAME"})
        outbox.close()
        return caught.value.faults[0].message

    in_round = asyncio.run(check("T9-1"))
    assert "START GAME" not in in_round
    assert "T9-1 waits as it is" in in_round
    assert "no START GAME until" in asyncio.run(check(None))
