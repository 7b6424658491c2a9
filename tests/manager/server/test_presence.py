"""Whoever acts has shown a badge: a dealer at the table, everybody else at the service from which the command comes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from houseway.manager.commands.house_commands import DealerIn, DealerOut
from houseway.manager.commands.round_commands import EndRound, StartRound
from houseway.manager.interface.access import ManagerAccess
from houseway.manager.interface.async_client import AsyncManagerClient
from houseway.manager.interface.client import ManagerClient
from houseway.manager.interface.contract import RefusedError
from houseway.manager.interface.local import LocalManager
from houseway.manager.interface.requests import command_of
from houseway.manager.store.keys import load_keys
from tests.manager.floors import (
    ACCOUNTING,
    CAGE,
    DEALER,
    EXECUTIVE,
    OTHER_DEALER,
    SUPERVISOR,
    SURVEILLANCE,
    TECHNICIAN,
    badge,
)
from tests.manager.server.house import House, access, built, secret, sessions
from tests.manager.server.processes import Served

START = StartRound("T1", {"1": [1, 3]})
DEPOSIT = {"kind": "link.deposit", "link": "L1", "cents": 50_000, "paper": "slip 1", "badge": badge(CAGE)}
BRIEF = "SVC-2"
"""A service at which nobody is signed in."""


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> House:
    """The property on each of the two stores."""
    if request.param == "sqlite":
        house: House = request.getfixturevalue("house")
        return house
    return built(tmp_path, request.getfixturevalue("postgres_url"))


@pytest.fixture
def served(either: House) -> Iterator[Served]:
    """A server with one more service, at which nobody is signed in."""
    with either.open() as manager:
        told = LocalManager(manager, load_keys(either.keys).fingerprint)
        do = {"kind": "device.add", "device": BRIEF, "kind_of": "service", "secret": secret(BRIEF)}
        told.send(command_of({**do, "badge": badge(SUPERVISOR)}), actor=TECHNICIAN)
    with Served(either) as found:
        yield found


def refused(wanted: Callable[[], Any]) -> tuple[str, str]:
    """The first fault's code, and its message."""
    with pytest.raises(RefusedError) as caught:
        wanted()
    return caught.value.code, caught.value.faults[0].message


def attempts(house: House) -> list[tuple[str, str, str]]:
    """Actor, command and code of every refused attempt on record."""
    events: list[Any] = []
    with house.open() as manager:
        manager.subscribe(events.extend, after=0)
    dos = [json.loads(event.body)["do"] for event in events if event.kind == "system.refused"]
    return [(do["actor"], do["kind_of"], do["faults"][0]["code"]) for do in dos]


def test_a_technician_alone_acts_as_nobody_else(either: House) -> None:
    with Served(either) as served:
        with served.client() as client:
            service = {"kind": "device.add", "device": "MY-OWN", "kind_of": "service", "secret": "chosen by me alone"}
            alone = refused(lambda: client.send(command_of(service), actor=TECHNICIAN))
            assert alone[0] == "badge-needed"
            client.send(command_of({**service, "badge": badge(SUPERVISOR)}), actor=TECHNICIAN)
        with ManagerClient.connect(ManagerAccess.at(served.address, "MY-OWN", "chosen by me alone")) as mine:
            for person in (SUPERVISOR, EXECUTIVE, ACCOUNTING, TECHNICIAN):
                code, message = refused(lambda who=person: mine.send(command_of(DEPOSIT), actor=who))  # type: ignore[misc]
                assert code == "not-signed-in"
                assert person in message
                assert "sign in there by badge first" in message
            # His own badge makes him himself, and nobody else.
            assert mine.sign_in(badge(TECHNICIAN)).roles == ("technician",)
            code, message = refused(lambda: mine.send(command_of(DEPOSIT), actor=ACCOUNTING))
            assert code == "not-signed-in"
            assert f"({TECHNICIAN} only)" in message
            assert refused(lambda: mine.send(command_of(DEPOSIT), actor=TECHNICIAN))[0] == "wrong-role"
    assert (ACCOUNTING, "link.deposit", "not-signed-in") in attempts(either)


@pytest.mark.parametrize("other", [OTHER_DEALER, SUPERVISOR, EXECUTIVE])
def test_a_controller_acts_for_nobody_but_its_dealer(house: House, other: str) -> None:
    with Served(house) as served, served.client("C-T1") as controller:
        code, message = refused(lambda: controller.send(START, actor=other))
        assert code == "not-signed-in"
        assert f"{DEALER} is" in message
        assert "swipe" in message
        assert controller.send(START, actor=DEALER).answer.round == "T1-1"
    assert (other, "round.start", "not-signed-in") in attempts(house)


def test_a_dealer_who_was_relieved_acts_no_more_and_the_relief_does(house: House) -> None:
    with Served(house) as served, served.client("C-T1") as controller:
        first = controller.send(START, actor=DEALER, key="k1")
        end = EndRound("T1-1")
        controller.send(end, actor=DEALER)
        controller.send(DealerOut("T1"), actor=DEALER)
        code, message = refused(lambda: controller.send(START, actor=DEALER))
        assert code == "not-signed-in"
        assert "nobody is" in message
        swiped = DealerIn("T1", badge(DEALER))
        assert refused(lambda: controller.send(swiped, actor=DEALER))[0] == "not-signed-in"
        controller.send(swiped, actor="device:C-T1")
        # A command that was carried out is still answered as it was, whoever deals by now.
        assert controller.send(START, actor=DEALER, key="k1").seq == first.seq
        assert controller.send(START, actor=DEALER).answer.round == "T1-2"


def test_a_card_at_a_service_lets_its_person_act_there_also_at_another_server(served: Served, either: House) -> None:
    kept: dict[str, str] = {}
    with (
        served.client(BRIEF, kept) as here,
        Served(either) as second,
        second.client(BRIEF, kept) as there,
    ):
        assert refused(lambda: here.send(command_of(DEPOSIT), actor=ACCOUNTING))[0] == "not-signed-in"
        told = here.sign_in(badge(ACCOUNTING))
        assert (told.person, told.roles) == (ACCOUNTING, ("accounting",))
        assert there.send(command_of(DEPOSIT), actor=ACCOUNTING, key="d1").answer.second_person == CAGE
        token = kept[ACCOUNTING]
        there.sign_out(ACCOUNTING)
        assert refused(lambda: here.send(command_of(DEPOSIT), actor=ACCOUNTING))[0] == "not-signed-in"
        # Repeated by who sent it, it is answered, though nobody is signed in any more; by anybody else it is not.
        assert refused(lambda: here.send(command_of(DEPOSIT), actor=ACCOUNTING, key="d1"))[0] == "not-signed-in"
        kept[ACCOUNTING] = token
        assert here.send(command_of(DEPOSIT), actor=ACCOUNTING, key="d1").repeated
        assert refused(lambda: here.sign_out(ACCOUNTING))[0] == "not-signed-in"


def test_a_card_that_nobody_holds_is_refused_and_goes_on_record(house: House) -> None:
    with Served(house) as served, served.client() as client:
        assert refused(lambda: client.sign_in("found in the street"))[0] == "badge-refused"
    assert ("device:SVC-1", "person.sign-in", "unknown-badge") in attempts(house)
    assert "found in the street" not in served.log.read_text()


def test_everybody_sees_who_is_signed_in_and_no_badge(served: Served) -> None:
    with served.client(BRIEF) as client:
        client.sign_in(badge(SURVEILLANCE))
        devices = {device["id"]: device for device in client.request({"ask": "devices"})["devices"]}
        assert list(devices[BRIEF]["signed_in"]) == [SURVEILLANCE]
        assert "badge of" not in str(devices)


def test_the_asyncio_client_signs_people_in_too(house: House) -> None:
    async def use(port: int) -> None:
        client = await AsyncManagerClient(access(port), sessions=sessions()).connect()
        await client.sign_out(CAGE)
        do = {**DEPOSIT, "badge": badge(ACCOUNTING)}
        with pytest.raises(RefusedError):
            await client.send(command_of(do), actor=CAGE, key="k")
        assert (await client.sign_in(badge(CAGE))).person == CAGE
        await client.send(command_of(do), actor=CAGE, key="k")
        await client.close()

    with Served(house) as served:
        asyncio.run(use(served.port))


def test_what_is_refused_at_the_edge_is_recorded_with_its_command_and_its_actor(house: House) -> None:
    """The first attempts of a controller at another table's expense are on record one by one."""
    end, pay = {"kind": "round.end", "round": "T2-1"}, {"kind": "jackpot.pay", "award": "T2-1/1", "badge": "4711"}
    with Served(house) as served:
        with served.client("C-T1") as controller:
            for do, actor in ((end, DEALER), (end, DEALER), (pay, DEALER), (end, OTHER_DEALER)):
                tried = lambda do=do, actor=actor: controller.send(command_of(do), actor=actor)  # noqa: E731
                assert refused(tried)[0] == "wrong-device"
        served.end()
    found = attempts(house)
    assert found == [
        (DEALER, "round.end", "wrong-device"),
        (DEALER, "round.end", "wrong-device"),
        (DEALER, "jackpot.pay", "wrong-device"),
        (OTHER_DEALER, "round.end", "wrong-device"),
    ]
    assert "4711" not in str(found)
