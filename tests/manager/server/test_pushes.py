"""Pushes: the state as it is, then every change with its number, within the second and across processes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from houseway.manager.commands.round_commands import (
    AddReference,
    EndRound,
    HitJackpot,
    PayJackpot,
    PressHand,
    StartRound,
)
from houseway.manager.interface.client import ManagerClient
from houseway.manager.interface.contract import Subscription
from houseway.manager.server.wire import HEARTBEAT_SECONDS, NEWS_SECONDS
from tests.manager.floors import DEALER, OTHER_DEALER, SUPERVISOR, SURVEILLANCE, badge
from tests.manager.server.house import SEED, House, built
from tests.manager.server.processes import Served
from tests.manager.server.prompt import HICCUP
from tests.manager.server.raw import Raw

FIVE_ACES = "five-aces"


@pytest.fixture
def served(house: House) -> Iterator[Served]:
    with Served(house) as found:
        yield found


def start(client: ManagerClient, table: str = "T1", seats: tuple[int, ...] = (1, 3), actor: str = DEALER) -> str:
    do = StartRound(table, {"1": list(seats)})
    return client.send(do, actor=actor).answer.round


def until(told: Subscription, topic: str, what: Any, seconds: float = 5.0) -> dict[str, Any]:
    """The first push of a topic that fits."""
    for event in told_in(told, seconds):
        if event["topic"] == topic and what(event):
            return event
    raise AssertionError(f"no such {topic} in {seconds} s")


def told_in(told: Subscription, seconds: float) -> Iterator[dict[str, Any]]:
    """What is told in some seconds, as it comes over the wire."""
    return (change.to_json() for change in told.changes(seconds))


def displayed(event: dict[str, Any]) -> int:
    return int(event["meters"]["levels"]["main"]["displayed_micros"])


def test_a_subscription_begins_with_the_state_as_it_is(served: Served) -> None:
    with served.client("SIGN-1") as sign:
        told = sign.subscribe("meters", "tables")
        events = list(told_in(told, 0.5))
    assert {event["meters"]["link"] for event in events if event["topic"] == "meters"} == {"L1", "L4"}
    assert {event["table"]["id"] for event in events if event["topic"] == "tables"} == {"T1", "T2", "T3", "T4"}
    assert len({event["seq"] for event in events}) == 1


def test_a_wager_is_on_the_display_with_its_number(served: Served) -> None:
    with served.client() as client, served.client("SIGN-1") as sign:
        told = sign.subscribe("meters", links=["L1"])
        assert displayed(until(told, "meters", lambda event: True)) == SEED * 10_000
        began = time.monotonic()
        carried = client.send(StartRound("T1", {"1": [1, 3, 6]}), actor=DEALER, key="start")
        event = until(told, "meters", lambda event: displayed(event) != SEED * 10_000)
        assert time.monotonic() - began < HICCUP
    assert displayed(event) == SEED * 10_000 + 3 * 200_000
    assert event["seq"] >= carried.seq


def test_only_what_was_wanted_is_pushed(served: Served) -> None:
    with served.client() as client, served.client("SIGN-1") as sign:
        told = sign.subscribe("meters", "tables", links=["L1"], tables=["T2"])
        start(client)
        start(client, "T2", actor=OTHER_DEALER)
        seen = list(told_in(told, 1.0))
    assert {event["meters"]["link"] for event in seen if event["topic"] == "meters"} == {"L1"}
    assert {event["table"]["id"] for event in seen if event["topic"] == "tables"} == {"T2"}


def test_an_award_is_pending_on_every_sign_until_it_is_paid(served: Served) -> None:
    with served.client() as client, served.client("SIGN-1") as sign:
        told = sign.subscribe("meters", "awards", links=["L1"])
        round_ = start(client)
        client.send(PressHand(round_, 3, hand=FIVE_ACES), actor=DEALER)
        hit = client.send(HitJackpot(round_), actor=DEALER).answer.awards[0]
        waiting = until(told, "meters", lambda event: event["meters"]["pending"])["meters"]
        assert [award["cents"] for award in waiting["pending"]] == [hit.cents]
        assert waiting["levels"]["main"]["locked_micros"] == hit.cents * 10_000
        # The sign falls when the award is paid, not before.
        assert waiting["levels"]["main"]["displayed_micros"] >= hit.cents * 10_000
        assert hit.reference_needed
        verified = AddReference(round_, hit.award, hand=hit.hand, cents=hit.cents, reference="camera 4")
        client.send(verified, actor=SURVEILLANCE)
        pay = PayJackpot(hit.award, badge(SUPERVISOR))
        client.send(pay, actor=DEALER)
        paid = until(told, "meters", lambda event: not event["meters"]["pending"])["meters"]
        assert paid["levels"]["main"]["locked_micros"] == 0
        assert paid["levels"]["main"]["displayed_micros"] < waiting["levels"]["main"]["displayed_micros"]


def test_single_events_come_once_and_in_order(served: Served) -> None:
    with served.client() as client, served.client() as auditor:
        told = auditor.subscribe("events")
        first = client.send(StartRound("T1", {"1": [1]}), actor=DEALER).seq
        for _ in range(20):
            client.send(EndRound(f"T1-{_ + 1}"), actor=DEALER)
            last = client.send(StartRound("T1", {"1": [1]}), actor=DEALER).seq
        seen = []
        for event in told_in(told, 5):
            seen.append(event)
            if event["seq"] == last:
                break
    assert [event["seq"] for event in seen] == list(range(first, last + 1))
    assert set(seen[0]) == {"topic", "seq", "at", "kind", "actor", "device", "hash"}


def test_a_heartbeat_comes_so_often_that_five_seconds_of_silence_mean_something(served: Served) -> None:
    with Raw(served.port) as raw:
        raw.hello("SIGN-1")
        began, beats = time.monotonic(), []
        while len(beats) < 2:
            message = raw.read()
            assert message["heartbeat"]["state"] == "serving"
            beats.append(time.monotonic() - began)
    assert beats[1] <= 2 * HEARTBEAT_SECONDS + 5
    assert 2 * HEARTBEAT_SECONDS < NEWS_SECONDS < 5


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> House:
    """The property on each of the two stores."""
    if request.param == "sqlite":
        return request.getfixturevalue("house")
    return built(tmp_path, request.getfixturevalue("postgres_url"))


def test_events_cross_from_one_server_to_another(either: House) -> None:
    house = either
    with Served(house) as one, Served(house) as two, one.client() as here, two.client() as there:
        told = there.subscribe("meters", "tables")
        list(told_in(told, 0.3))
        round_ = start(here)
        seen = list(told_in(told, 1.5))
        tables = [event["table"] for event in seen if event["topic"] == "tables" and event["table"]["id"] == "T1"]
        assert tables[-1]["in_play"]["taken"] == {"1": [1, 3]}
        meters = [displayed(event) for event in seen if event["topic"] == "meters"]
        assert meters[-1] == SEED * 10_000 + 400_000
        # What the one began the other ends, and the same key means the same there.
        there.send(EndRound(round_), actor=DEALER, key="end")
        again = here.send(EndRound(round_), actor=DEALER, key="end")
        assert again.repeated
        assert here.request({"ask": "table", "table": "T1"})["table"]["round"] is None
