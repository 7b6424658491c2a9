"""A room answers alike in memory, on a database and at an address."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import houseway as hw
from tests.manager.floors import DEALER, EXECUTIVE, card, first_people
from tests.manager.server.house import SEED, built, secret
from tests.manager.server.processes import Served


@pytest.fixture(scope="module", params=["database", "address"])
def room(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[hw.Room]:
    """The same property, opened here and served elsewhere."""
    house = built(tmp_path_factory.mktemp("house"))
    if request.param == "database":
        with hw.Room.open(house.folder / "house.db", keys=house.keys) as found:
            yield found
        return
    with Served(house) as served, hw.Room.at(served.address, device="SVC-1", secret=secret("SVC-1")) as found:
        yield found


NOBODYS = ("unknown-card", "card-refused")
"""A server does not say more about a badge than that it is refused."""


def told_until(room: hw.Room, topic: str) -> list[dict[str, Any]]:
    """What a room tells up to the first message of a topic."""
    told = []
    for event in room.events(20):
        told.append(event)
        if event["topic"] == topic:
            break
    return told


def test_a_round_is_played_and_told_alike_wherever_the_room_is(room: hw.Room) -> None:
    assert room.sign_in(card(DEALER))["person"] == DEALER
    assert room.health()["state"] == "serving"
    assert room.meters()["L1"] == {"main": SEED * 10_000}
    room.subscribe("meters", "events", links=["L1"])
    first = next(event for event in room.events(20) if event["topic"] == "meters")
    assert first["meters"]["link"] == "L1"
    started = room.command("round.start", actor=DEALER, table="T1", sensors={"1": [1, 2]}, key="the first")
    again = room.command("round.start", actor=DEALER, table="T1", sensors={"1": [1, 2]}, key="the first")
    assert (again.seq, again.repeated, again.answer) == (started.seq, True, started.answer)
    told = told_until(room, "meters")
    # A server may still be telling of the sign-in when the subscription begins.
    kinds = [event["kind"] for event in told if event["topic"] == "events"]
    assert [kind for kind in kinds if kind != "person.sign-in"] == ["round.start"]
    shown = told[-1]["meters"]["levels"]["main"]["displayed_micros"]
    assert shown == room.meters()["L1"]["main"] == SEED * 10_000 + 400_000
    room.command("round.end", actor=DEALER, round=started.answer["round"])
    assert len(room.ask("people")["people"]) > 5
    room.sign_out(DEALER)


def test_a_refusal_is_told_alike(room: hw.Room) -> None:
    room.sign_in(card(DEALER))
    for refused, code in (
        (lambda: room.command("round.start", actor=DEALER, table="T9"), "unknown-table"),
        (lambda: room.command("round.strat", actor=DEALER, table="T1"), "bad-message"),
        (lambda: room.ask("tabels"), "unknown-ask"),
        (lambda: room.subscribe("weather"), "unknown-topic"),
        (lambda: room.sign_in("nobody has this one"), NOBODYS),
    ):
        with pytest.raises(hw.InputError) as error:
            refused()
        assert error.value.faults[0].code in code


def test_a_property_begins_in_memory_or_on_a_new_database(tmp_path: Path) -> None:
    for place in ({}, {"database": tmp_path / "room.db", "keys": tmp_path / "keys"}):
        with hw.Room.begin("Example Card Room", people=first_people(), **place) as begun:
            assert begun.sign_in(card(EXECUTIVE))["roles"] == ["executive"]
            level = {"seed": 500_000, "contribution": "1/5"}
            begun.command(
                "link.create", actor=EXECUTIVE, link="L1", linked_as="progressive", paytable="6CFPGPP-2",
                levels={"main": level},
            )  # fmt: skip
            assert begun.meters() == {"L1": {"main": 0}}
    with hw.Room.open(tmp_path / "room.db", keys=tmp_path / "keys") as opened:
        assert opened.meters() == {"L1": {"main": 0}}
        assert opened.audit().is_clean
        assert repr(opened) == f"Room(on {tmp_path / 'room.db'})"


def test_a_weak_badge_begins_no_property_in_memory_either() -> None:
    people = [{**person, "card": "1234"} for person in first_people()]
    with pytest.raises(hw.InputError) as error:
        hw.Room.begin("Example Card Room", people=people)
    assert error.value.faults[0].code == "weak-token"


def test_the_demonstration_plays_in_memory_and_on_a_database(tmp_path: Path) -> None:
    with hw.Room.demo(seed=7) as room:
        kinds = {scene.kind for scene in room.play(4)}
        assert {"round", "hit", "paid"} <= kinds
        assert room.sign_in(room.badge(room.dealer("T1")))["person"] == room.dealer("T1")
        with pytest.raises(hw.InputError, match="in memory"):
            room.audit()
    with hw.Room.demo(database=tmp_path / "floor.db", keys=tmp_path / "keys") as room:
        room.play(3)
        assert room.audit().is_clean


def test_what_goes_with_a_database_alone_is_refused_without_one(tmp_path: Path) -> None:
    with pytest.raises(hw.InputError, match="keys go with a database"):
        hw.Room.demo(keys=tmp_path / "keys")
    with pytest.raises(hw.InputError, match="give keys=FOLDER"):
        hw.Room.demo(database=tmp_path / "floor.db")
    with pytest.raises(hw.InputError, match="subscribe first"), hw.Room.demo() as room:
        room.events()


def test_nobody_at_an_address_is_told_as_such() -> None:
    with pytest.raises(hw.ManagerAwayError, match="no manager answers"):
        hw.Room.at("127.0.0.1:9", device="SVC-1", secret="x")
