"""Pushes: the state as it is, then every change with its number, within the second and across processes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from houseway.manager.server.client import ManagerClient
from houseway.manager.server.wire import HEARTBEAT_SECONDS
from tests.manager.floors import DEALER, OTHER_DEALER, SUPERVISOR, SURVEILLANCE, card
from tests.manager.server.house import SEED, House, built
from tests.manager.server.processes import Served
from tests.manager.server.raw import Raw

FIVE_ACES = "five-aces"


@pytest.fixture
def served(house: House) -> Iterator[Served]:
    with Served(house) as found:
        yield found


def start(client: ManagerClient, table: str = "T1", seats: tuple[int, ...] = (1, 3), actor: str = DEALER) -> str:
    do = {"kind": "round.start", "table": table, "sensors": {"1": list(seats)}}
    return str(client.command(do, actor=actor).answer["round"])


def until(client: ManagerClient, topic: str, what: Any, seconds: float = 5.0) -> dict[str, Any]:
    """The first push of a topic that fits."""
    for event in client.events(seconds):
        if event["topic"] == topic and what(event):
            return event
    raise AssertionError(f"no such {topic} in {seconds} s")


def displayed(event: dict[str, Any]) -> int:
    return int(event["meters"]["levels"]["main"]["displayed_micros"])


def test_a_subscription_begins_with_the_state_as_it_is(served: Served) -> None:
    with served.client("SIGN-1") as sign:
        sign.subscribe("meters", "tables")
        events = list(sign.events(0.5))
    assert {event["meters"]["link"] for event in events if event["topic"] == "meters"} == {"L1", "L4"}
    assert {event["table"]["id"] for event in events if event["topic"] == "tables"} == {"T1", "T2", "T3", "T4"}
    assert len({event["seq"] for event in events}) == 1


def test_a_wager_is_on_the_display_with_its_number(served: Served) -> None:
    with served.client() as client, served.client("SIGN-1") as sign:
        sign.subscribe("meters", links=["L1"])
        assert displayed(until(sign, "meters", lambda event: True)) == SEED * 10_000
        began = time.monotonic()
        carried = client.command(
            {"kind": "round.start", "table": "T1", "sensors": {"1": [1, 3, 6]}}, actor=DEALER, key="start"
        )
        event = until(sign, "meters", lambda event: displayed(event) != SEED * 10_000)
        assert time.monotonic() - began < 2
    assert displayed(event) == SEED * 10_000 + 3 * 200_000
    assert event["seq"] >= carried.seq


def test_only_what_was_wanted_is_pushed(served: Served) -> None:
    with served.client() as client, served.client("SIGN-1") as sign:
        sign.subscribe("meters", "tables", links=["L1"], tables=["T2"])
        start(client)
        start(client, "T2", actor=OTHER_DEALER)
        seen = list(sign.events(1.0))
    assert {event["meters"]["link"] for event in seen if event["topic"] == "meters"} == {"L1"}
    assert {event["table"]["id"] for event in seen if event["topic"] == "tables"} == {"T2"}


def test_an_award_is_pending_on_every_sign_until_it_is_paid(served: Served) -> None:
    with served.client() as client, served.client("SIGN-1") as sign:
        sign.subscribe("meters", "awards", links=["L1"])
        round_ = start(client)
        client.command({"kind": "hand.press", "round": round_, "seat": 3, "hand": FIVE_ACES}, actor=DEALER)
        hit = client.command({"kind": "jackpot.hit", "round": round_}, actor=DEALER).answer["awards"][0]
        waiting = until(sign, "meters", lambda event: event["meters"]["pending"])["meters"]
        assert [award["cents"] for award in waiting["pending"]] == [hit["cents"]]
        assert waiting["levels"]["main"]["locked_micros"] == hit["cents"] * 10_000
        # The sign falls when the award is paid, not before.
        assert waiting["levels"]["main"]["displayed_micros"] >= hit["cents"] * 10_000
        assert hit["reference_needed"]
        verified = {"kind": "surveillance.reference", "round": round_, "payout": hit["award"]}
        verified |= {"hand": hit["hand"], "cents": hit["cents"], "reference": "camera 4"}
        client.command(verified, actor=SURVEILLANCE)
        pay = {"kind": "jackpot.pay", "award": hit["award"], "card": card(SUPERVISOR)}
        client.command(pay, actor=DEALER)
        paid = until(sign, "meters", lambda event: not event["meters"]["pending"])["meters"]
        assert paid["levels"]["main"]["locked_micros"] == 0
        assert paid["levels"]["main"]["displayed_micros"] < waiting["levels"]["main"]["displayed_micros"]


def test_single_events_come_once_and_in_order(served: Served) -> None:
    with served.client() as client, served.client() as auditor:
        auditor.subscribe("events")
        first = client.command({"kind": "round.start", "table": "T1", "sensors": {"1": [1]}}, actor=DEALER).seq
        for _ in range(20):
            client.command({"kind": "round.end", "round": f"T1-{_ + 1}"}, actor=DEALER)
            last = client.command({"kind": "round.start", "table": "T1", "sensors": {"1": [1]}}, actor=DEALER).seq
        seen = []
        for event in auditor.events(5):
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
    assert beats[1] <= 2 * HEARTBEAT_SECONDS + 1


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> House:
    """The property on each of the two stores."""
    if request.param == "sqlite":
        return request.getfixturevalue("house")
    return built(tmp_path, request.getfixturevalue("postgres_url"))


def test_events_cross_from_one_server_to_another(either: House) -> None:
    house = either
    with Served(house) as one, Served(house) as two, one.client() as here, two.client() as there:
        there.subscribe("meters", "tables")
        list(there.events(0.3))
        round_ = start(here)
        seen = list(there.events(1.5))
        tables = [event["table"] for event in seen if event["topic"] == "tables" and event["table"]["id"] == "T1"]
        assert tables[-1]["in_play"]["taken"] == {"1": [1, 3]}
        meters = [displayed(event) for event in seen if event["topic"] == "meters"]
        assert meters[-1] == SEED * 10_000 + 400_000
        # What the one began the other ends, and the same key means the same there.
        there.command({"kind": "round.end", "round": round_}, actor=DEALER, key="end")
        again = here.command({"kind": "round.end", "round": round_}, actor=DEALER, key="end")
        assert again.repeated
        assert here.ask("table", table="T1")["table"]["round"] is None
