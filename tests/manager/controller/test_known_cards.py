"""A table whose cards the system deals, over real wires: nobody hears a card or a seed before its reveal."""

from __future__ import annotations

import contextlib
import json
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.manager.controller.table import RefusedByControllerError, Table
from tests.manager.floors import SUPERVISOR, badge
from tests.manager.server.house import House, secret
from tests.manager.server.processes import Served, Wire

CARD = re.compile(r'"(?:[2-9TJQKA][cdhs]|Jk)"')
SEED = re.compile(r'"seed":"[0-9a-f]{64}"')
WAGERS = {"1": {"main": 2500}, "4": {"main": 5000, "fortune": 500}}


@pytest.fixture
def served(house: House) -> Iterator[Served]:
    with Served(house) as found:
        yield found


@pytest.fixture
def wire(served: Served) -> Iterator[Wire]:
    found = Wire(served.port)
    yield found
    found.close()


def heard(table: Table, wires: list[Wire]) -> str:
    """Everything that was said so far, to the table's devices, to its controller and to a service."""
    table.look(0.3)
    return json.dumps(table.seen) + "".join(bytes(wire.heard).decode() for wire in wires)


def refused(table: Table, key: str, **fields: object) -> list[str]:
    with pytest.raises(RefusedByControllerError) as caught:
        table.press(key, **fields)
    return caught.value.codes


def test_nothing_is_heard_before_its_reveal(served: Served, wire: Wire) -> None:
    """A service listens to everything meanwhile."""
    other = Wire(served.port)
    wires = [wire, other]
    with Table(served.house, wire.address, "T4") as table, served.client() as service:
        service._where = ("127.0.0.1", other.port)
        service.open()
        service.subscribe("meters", "tables", "awards", "events")
        table.wait_live()
        table.lay(1, 4)
        round_ = table.press("START GAME", wagers=WAGERS)["answers"][0]["round"]
        assert refused(table, "SHOW DEALER") == ["not-dealt"]
        dealt = table.send({"shuffler": {"deal": True, "player_entropy": ["seat four blows on the dice"]}})["answers"][
            0
        ]
        assert dealt["occupied"] == [1, 4]
        place = [0, 6, 5, 4, 3, 2, 1][dealt["start_position"] - 1]
        first = table.wait("start", lambda start: start is not None)
        assert first == {"number": dealt["start_position"], "place": f"seat {place}" if place else "dealer"}
        assert len(dealt["commitment"]) == 64
        assert refused(table, "SHOW PLAYER", spot=1) == ["hands-not-set"]
        table.press("SET", spot=4, low=[0, 1])
        for ask in ("table", "round"):
            service.request({"ask": ask, ask: "T4" if ask == "table" else round_})
        assert table.display["keys"]
        before = heard(table, wires)
        assert not CARD.search(before)
        assert not SEED.search(before)
        # Seat 1 may be shown now, and nothing else.
        shown = table.press("SHOW PLAYER", spot=1)["answers"][0]["hand"]
        opened = table.wait("open", lambda open_: open_ is not None and "1" in open_["cards"])
        assert set(opened["cards"]) == {"1"}
        found = set(re.findall(CARD, heard(table, wires)))
        assert found == {f'"{one}"' for one in shown["cards"]}
        table.press("SHOW DEALER")
        opened = table.wait("open", lambda open_: "dealer" in open_["cards"])
        assert set(opened["cards"]) == {"1", "4", "dealer"}
        assert not SEED.search(heard(table, wires))
        ended = finish(table)
        reveal = ended["reveal"]
        assert reveal["commitment"] == dealt["commitment"]
        assert opened["cards"]["4"]["cards"] == next(seat["cards"] for seat in reveal["seats"] if seat["seat"] == 4)
        assert reveal["seed"] in heard(table, wires)
    logs = served.log.read_text() + table.log.read_text()
    for private in (reveal["seed"], *opened["cards"]["dealer"]["cards"], badge(SUPERVISOR), secret("C-T4")):
        assert not re.search(rf"(?<![A-Za-z0-9]){re.escape(private)}(?![A-Za-z0-9])", logs)
    other.close()


def finish(table: Table) -> dict[str, object]:
    """End the round; buttons that the cards ask for are pressed first."""
    proposed = {}
    for line in table.seen:
        for answer in line.get("done", {}).get("answers", ()):
            proposed |= answer.get("proposed", {})
    for place, hand in proposed.items():
        sensor, seat = place.split("/")
        table.press("HAND", spot=int(seat), sensor=sensor, hand=hand)
    if proposed:
        table.press("HIT JACKPOT")
    if "PAY JACKPOT" in table.display["keys"]:
        table.press("PAY JACKPOT")
        table.swipe(badge(SUPERVISOR))
    return dict(table.press("END GAME")["answers"][0])


PROGRAMMERS_WORDS = re.compile(
    r"expected|found text|null|\bobject\b|\blist\b|True|False|None|[\[\]{}_]|nexus|FPGPP|1000000|"
    r"\b(?!house-way)[a-z]+(?:-[a-z]+)+\b"
)
GOOD = {"1": {"main": 2500}, "4": {"main": 5000, "fortune": 500}}
SLIPS: dict[str, list[dict[str, Any]]] = {
    "before the round": [
        {"key": "COIN IN"},
        {"key": "START GAME", "wagers": {"1": {"main": "x"}}},
        {"key": "START GAME", "wagers": {"1": 5}},
        {"key": "START GAME", "wagers": {"1": {"main": -5}, "4": {"fortune": 500}}},
        {"key": "START GAME", "wagers": {**GOOD, "1": {"main": 500, "double_down": 500}}},
        {"key": "START GAME", "wagers": GOOD, "occupied": "x"},
        {"key": "START GAME", "wagers": GOOD, "sensors": {"1": "x"}},
        {"shuffler": "x"},
        {"nothing": True},
        *({part: 5} for part in ("key", "badge", "pin", "typed", "shuffler")),
    ],
    "before the deal": [
        {"shuffler": {"deal": True, "player_entropy": "x"}},
        {"key": "SET", "spot": 1, "low": [0, 1]},
        {"key": "END GAME"},
    ],
    "before the hands are set": [
        *({"key": "SET", "spot": 1, "low": low} for low in ([0, 9], [0], [0, 0], ["As", "Kd"], "x")),
        {"key": "SET", "spot": 1, "fold": "x"},
        {"key": "SET", "spot": 1, "house_way": "x"},
        {"key": "SET", "spot": 1},
        {"key": "ALL SET"},
        {"key": "DOUBLE", "spot": 1},
        {"key": "SHOW DEALER", "cards": 5},
        {"key": "VOID", "reason": ["x"]},
        {"key": "VOID"},
        {"key": "REASON", "reason": "no such"},
        {"key": "HAND", "spot": 1, "hand": "nine-of-a-kind"},
    ],
    "when all is shown": [
        {"key": "HAND", "spot": 1, "hand": "royal-flush"},
        {"key": "HAND", "spot": 1, "hand": "royal-flush", "override": True},
        {"key": "REASON", "reason": "9"},
        {"key": "CORRECT", "spot": 2, "made": True},
    ],
}
"""Slips at a keypad where the system knows the cards, by when they are made."""


def test_a_slip_with_known_cards_is_told_in_the_dealers_words(served: Served) -> None:
    with Table(served.house, served.address, "T4") as table:
        table.wait_live()
        table.lay(1, 4)
        told = []

        def slip(when: str) -> None:
            for message in SLIPS[when]:
                with contextlib.suppress(RefusedByControllerError):
                    table.send(message)
                table.look(0.02)
                told.append((message, table.last["display"]["text"]))
            with contextlib.suppress(RefusedByControllerError):
                table.press("CANCEL")

        slip("before the round")
        table.press("START GAME", wagers=GOOD)
        slip("before the deal")
        table.send({"shuffler": {"deal": True}})
        slip("before the hands are set")
        for seat in (1, 4):
            table.press("SET", spot=seat, house_way=True)
        table.press("SHOW DEALER")
        slip("when all is shown")
    clumsy = [(message, text) for message, text in told if PROGRAMMERS_WORDS.search(text)]
    assert not clumsy, clumsy
    # A wager that lacks something is told with its seat.
    assert "seat 4: every player makes the main wager" in told[3][1]


def test_a_deal_outlasts_a_cut_and_a_new_controller(served: Served, wire: Wire) -> None:
    with Table(served.house, wire.address, "T4") as table:
        table.wait_live()
        table.lay(4)
        table.press("START GAME", wagers=WAGERS)
        dealt = table.send({"shuffler": {"deal": True}})["answers"][0]
        wire.cut()
        time.sleep(0.2)
        table.reboot()
        table.wait_live()
        with pytest.raises(RefusedByControllerError) as caught:
            table.send({"shuffler": {"deal": True}})
        assert caught.value.codes == ["already-dealt"]
        for seat in (1, 4):
            table.press("SET", spot=seat, house_way=True)
        table.press("SHOW DEALER")
        assert finish(table)["reveal"]["commitment"] == dealt["commitment"]  # type: ignore[index]
