"""A room answers alike in memory, on a database and at an address."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import houseway as hw
from houseway.manager.commands.round_answers import StartRoundAnswer
from tests.manager.floors import DEALER, EXECUTIVE, badge, first_people
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


NOBODYS = ("unknown-badge", "badge-refused")
"""A server does not say more about a badge than that it is refused."""


def told_until(subscription: Any, topic: str) -> list[Any]:
    """What a room tells up to the first message of a topic."""
    told = []
    for change in subscription.changes(20):
        told.append(change)
        if change.topic == topic:
            break
    return told


def test_a_round_is_played_and_told_alike_wherever_the_room_is(room: hw.Room) -> None:
    assert room.sign_in(badge(DEALER)).person == DEALER
    assert room.health().state == "serving"
    assert room.meters()["L1"] == {"main": SEED * 10_000}
    subscription = room.subscribe("meters", "events", links=["L1"])
    first = next(change for change in subscription.changes(20) if change.topic == "meters")
    assert first.meters.link == "L1"
    started = room.command("round.start", actor=DEALER, table="T1", sensors={"1": [1, 2]}, key="the first")
    again = room.command("round.start", actor=DEALER, table="T1", sensors={"1": [1, 2]}, key="the first")
    assert (again.seq, again.repeated, again.answer) == (started.seq, True, started.answer)
    assert isinstance(started.answer, StartRoundAnswer)
    assert started.answer.taken["1"].seats == (1, 2)
    assert started.answer.to_json()["taken"] == {"1": {"link": "L1", "seats": [1, 2], "cents": 200}}
    told = told_until(subscription, "meters")
    # A server may still be telling of the sign-in when the subscription begins.
    kinds = [change.kind for change in told if change.topic == "events"]
    assert [kind for kind in kinds if kind != "person.sign-in"] == ["round.start"]
    shown = told[-1].meters.levels["main"].displayed_micros
    assert shown == room.meters()["L1"]["main"] == SEED * 10_000 + 400_000
    room.command("round.end", actor=DEALER, round=started.answer.round)
    assert len(room.ask("people").people) > 5
    room.sign_out(DEALER)


def test_a_refusal_is_told_alike(room: hw.Room) -> None:
    room.sign_in(badge(DEALER))
    for refused, code in (
        (lambda: room.command("round.start", actor=DEALER, table="T9"), "unknown-table"),
        (lambda: room.command("round.strat", actor=DEALER, table="T1"), "bad-message"),
        (lambda: room.command("round.end", actor=DEALER, kind="round.void", round="T1-1"), "conflicting-options"),
        (lambda: room.ask("tabels"), "unknown-ask"),
        (lambda: room.ask("table", ask="meters"), "bad-message"),
        (lambda: room.subscribe("weather"), "unknown-topic"),
        (lambda: room.sign_in("nobody has this one"), NOBODYS),
    ):
        with pytest.raises(hw.InputError) as error:
            refused()
        assert error.value.faults[0].code in code


def test_a_property_begins_in_memory_or_on_a_new_database(tmp_path: Path) -> None:
    for place in ({}, {"database": tmp_path / "room.db", "keys": tmp_path / "keys"}):
        with hw.Room.begin("Example Card Room", people=first_people(), **place) as begun:
            assert begun.sign_in(badge(EXECUTIVE)).roles == ("executive",)
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
    people = [{**person, "badge": "1234"} for person in first_people()]
    with pytest.raises(hw.InputError) as error:
        hw.Room.begin("Example Card Room", people=people)
    assert error.value.faults[0].code == "weak-token"


def test_the_demonstration_plays_in_memory_and_on_a_database(tmp_path: Path) -> None:
    with hw.Room.demo(seed=7) as room:
        kinds = {scene.kind for scene in room.play(4)}
        assert {"round", "hit", "paid"} <= kinds
        assert room.sign_in(room.badge(room.dealer("T1"))).person == room.dealer("T1")
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


def test_the_async_room_has_the_same_methods() -> None:
    for plain, awaited in ((hw.Room, hw.AsyncRoom), (hw.DemoRoom, hw.AsyncDemoRoom)):
        names = {name for name in dir(plain) if not name.startswith("_")}
        assert names == {name for name in dir(awaited) if not name.startswith("_")}
        for name in names:
            taken = [list(inspect.signature(getattr(room, name)).parameters) for room in (plain, awaited)]
            assert taken[0] == taken[1], name


def test_an_async_room_takes_no_second_kind_of_command() -> None:
    async def asked() -> None:
        async with hw.AsyncRoom.demo(seed=7) as room:
            with pytest.raises(hw.InputError) as error:
                await room.command("round.end", actor="anybody", kind="round.void", round="T1-1")
            assert [(fault.code, fault.path) for fault in error.value.faults] == [("conflicting-options", "kind")]

    asyncio.run(asked())


def test_an_async_room_is_opened_once_and_not_before(tmp_path: Path) -> None:
    async def use() -> None:
        database, keys = tmp_path / "a.db", tmp_path / "keys"
        room = hw.AsyncRoom.begin("Example Card Room", people=first_people(), database=database, keys=keys)
        with pytest.raises(hw.ManagerAwayError, match="async with"):
            await room.health()
        async with room as begun:
            assert (await begun.health()).state == "serving"
            assert repr(begun) == f"AsyncRoom(on {database})"
        with pytest.raises(hw.ManagerAwayError):
            await room.health()
        with pytest.raises(hw.InputError, match="opened before"):
            await room.__aenter__()
        async with hw.AsyncRoom.open(database, keys=keys, only_read=True) as read:
            assert (await read.health()).state == "at rest"
            assert len((await read.ask("people")).people) == len(first_people())
            assert (await read.audit()).is_clean
        async with hw.AsyncRoom.demo(seed=3) as demo:
            assert {"hit", "paid"} <= {scene.kind for scene in await demo.play(4)}

    asyncio.run(use())


def test_nobody_at_an_address_is_told_as_such() -> None:
    with pytest.raises(hw.ManagerAwayError, match="no manager answers"):
        hw.Room.at("127.0.0.1:9", device="SVC-1", secret="x")
