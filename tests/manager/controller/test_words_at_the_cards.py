"""What the keypad says and offers while hands are set and shown, without a process: panel, view and the real engine."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from houseway.manager.commands.round_answers import ShowDealerWayAnswer
from houseway.manager.commands.round_commands import ShowDealerWay
from houseway.manager.controller import sign, speech
from houseway.manager.controller.panel import Panel
from houseway.manager.views.table_views import table_view
from tests.manager.cards.pit import Pit


def panel_of(pit: Pit) -> Panel:
    """The keypad of the pit's table, with its dealer at it."""
    view: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(table_view(pit.engine.floor, pit.table)))
    return Panel("T1", view, present="D1")


def display(pit: Pit) -> dict[str, Any]:
    return sign.display(panel_of(pit), live=True, told="")


def shown_dealer(pit: Pit) -> tuple[str, dict[str, Any]]:
    """What the display says when the dealer's hand is shown, and the answer that it rests on."""
    answer = pit.show()
    told = msgspec.convert(answer, ShowDealerWayAnswer)
    return speech.said(panel_of(pit), ShowDealerWay(pit.round.id), told), answer


# ---------------------------------------------------------------- the dealer's hand


@pytest.mark.parametrize("game", ["fortune", "six-card-fortune", "six-card-poker", "face-up"])
def test_nothing_is_said_of_wagers_that_nobody_told(game: str) -> None:
    """The same deal twice: where main wagers are told, their lines say how the hands fared."""
    told, untold = (Pit(game, name="same cards") for _ in range(2))
    main = "ante" if game == "six-card-poker" else "main"
    told.start(1, 2, 5, **{main: 1000})
    untold.start(sensor=(1, 2, 5))
    for pit in (told, untold):
        pit.deal()
        pit.set(1, 2, 5)
    words, answer = shown_dealer(untold)
    assert "lose " not in words + " "
    assert "Stakes" not in words
    lines = {seat["seat"]: seat["lines"][0]["outcome"] for seat in shown_dealer(told)[1]["seats"]}
    assert {int(seat): made[main] for seat, made in answer["untold"].items()} == lines
    fares = {"win": "wins", "push": "pushes", "lose": "loses"}
    for seat, outcome in lines.items():
        assert f"seat {seat} {fares[outcome]}" in words


def test_told_and_declared_seats_are_told_apart() -> None:
    pit = Pit()
    pit.start(4, occupied=(1, 4))
    pit.deal()
    pit.set(1, 4)
    words, answer = shown_dealer(pit)
    assert set(answer["untold"]) == {"1"}
    back = sum(line["returned"] for seat in answer["seats"] for line in seat["lines"])
    assert ("Stakes and wins together: seat 4" if back else "All wagers that were entered lose") in words
    assert "Wagers not entered: settle them by the cards: seat 1 " in words


def test_all_wagers_lose_where_all_were_told() -> None:
    pit = Pit()
    pit.start(4, main=1000)
    pit.deal()
    pit.set(4)
    words, answer = shown_dealer(pit)
    assert answer["untold"] == {}
    lost = not sum(line["returned"] for line in answer["seats"][0]["lines"])
    assert ("All wagers lose" in words) == lost
    assert "not told" not in words
