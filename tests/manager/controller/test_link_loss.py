"""The link to the manager is lost: the table says so, takes no wagers, and on return nothing is doubled or missing."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from houseway.manager.commands.house_commands import DealerIn, DealerOut
from houseway.manager.commands.link_commands import StopLink
from houseway.manager.commands.round_commands import StartRound
from houseway.manager.interface.contract import RefusedError
from houseway.manager.interface.requests import command_of
from houseway.manager.interface.wire_lines import NEWS_SECONDS
from tests.manager.controller.table import RefusedByControllerError, Table
from tests.manager.floors import ACCOUNTING, DEALER, OTHER_DEALER, SUPERVISOR, SURVEILLANCE, badge
from tests.manager.server.house import SEED, House
from tests.manager.server.processes import Served, Wire

LOST = {"link-lost", "no-news"}


@pytest.fixture
def served(house: House) -> Iterator[Served]:
    with Served(house) as found:
        yield found


@pytest.fixture
def wire(served: Served) -> Iterator[Wire]:
    found = Wire(served.port)
    yield found
    found.close()


@pytest.fixture
def table(served: Served, wire: Wire) -> Iterator[Table]:
    with Table(served.house, wire.address) as found:
        found.wait_live()
        yield found


def refused(table: Table, key: str, **fields: Any) -> list[str]:
    with pytest.raises(RefusedByControllerError) as caught:
        table.press(key, **fields)
    return caught.value.codes


def state_of(served: Served, table: str = "T1") -> dict[str, Any]:
    with served.client() as client:
        return dict(client.request({"ask": "table", "table": table})["table"])


def meter(served: Served) -> int:
    with served.client() as client:
        return int(client.request({"ask": "meters", "link": "L1"})["meters"][0]["levels"]["main"]["meter_micros"])


def events(served: Served) -> list[dict[str, Any]]:
    """Headers of all events of the table's controller."""
    served.end()
    found: list[Any] = []
    with served.house.open() as manager:
        manager.subscribe(found.extend, after=0)
    return [{"key": event.key, "kind": event.kind} for event in found if event.device == "C-T1"]


def test_a_cut_is_on_the_sign_at_once_and_passes_by_itself(table: Table, wire: Wire) -> None:
    table.lay(1, 3)
    wire.refusing = True
    began = time.monotonic()
    wire.cut()
    sign = table.wait("sign", lambda sign: sign["state"] in LOST)
    assert time.monotonic() - began < 10
    assert sign["message"] in {
        "NO JACKPOT WAGERS: the Game Manager cannot be reached",
        "NO JACKPOT WAGERS: no news from the Game Manager",
    }
    assert sign["current"] is False
    assert table.wait("lights", lambda lit: lit == {}) == {}
    assert refused(table, "START GAME") == ["manager-away"]
    assert refused(table, "END GAME") == ["manager-away"]
    table.send({"sensor": {"sensor": "1", "seat": 1, "on": False}})
    table.send({"sensor": {"sensor": "1", "seat": 6, "on": True}})
    wire.refusing = False
    table.wait_live()
    assert table.wait("lights", lambda lit: lit == {"1": [3, 6]})
    assert table.press("START GAME")["answers"][0]["taken"]["1"]["seats"] == [3, 6]


@pytest.mark.slow
def test_silence_is_on_the_sign_within_five_seconds(table: Table, wire: Wire) -> None:
    """Nobody closes the connection; the lines just do not arrive any more."""
    wire.swallow_answers = True
    began = time.monotonic()
    sign = table.wait("sign", lambda sign: sign["state"] in LOST)
    # The controller's own time is below five seconds; the rest is what a busy machine takes.
    assert NEWS_SECONDS <= 4.5
    assert time.monotonic() - began < NEWS_SECONDS + 5
    assert sign["state"] == "no-news"
    wire.swallow_answers = False
    wire.cut()
    table.wait_live()


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.0, 1.5], ids=["in time", "late"])
def test_a_start_whose_answer_was_lost_happened_once(table: Table, wire: Wire, served: Served, seconds: float) -> None:
    table.lay(1, 3)
    wire.swallow_answers = True
    assert refused(table, "START GAME") == ["manager-away"]
    assert refused(table, "START GAME") == ["manager-away"]
    time.sleep(seconds)
    wire.swallow_answers = False
    wire.cut()
    resolved = table.wait("resolved", lambda resolved: True)
    assert (resolved["kind"], resolved["outcome"]) == ("round.start", "carried-out")
    assert resolved["answer"]["round"] == "T1-1"
    table.wait_live()
    assert table.wait("lights", lambda lit: lit == {"1": [1, 3]})
    assert "was carried out" in table.display["text"]
    assert meter(served) == SEED * 10_000 + 2 * 200_000
    assert refused(table, "START GAME") == ["round-in-play"]
    assert table.press("END GAME")["answers"][0]["round"] == "T1-1"
    assert [event["kind"] for event in events(served)].count("round.start") == 1


@pytest.mark.slow
def test_a_start_that_never_arrived_never_will(table: Table, wire: Wire, served: Served) -> None:
    """Late, the wagers may be gone: the press is taken back, and a copy still on its way can do nothing."""
    table.lay(1, 3)
    wire.swallow_requests = wire.swallow_answers = True
    assert refused(table, "START GAME") == ["manager-away"]
    time.sleep(1)
    wire.swallow_requests = wire.swallow_answers = False
    wire.cut()
    resolved = table.wait("resolved", lambda resolved: True)
    assert (resolved["kind"], resolved["outcome"]) == ("round.start", "taken-back")
    table.wait_live()
    assert "press it again" in table.display["text"]
    assert state_of(served)["round"] is None
    assert meter(served) == SEED * 10_000
    assert table.press("START GAME")["answers"][0]["round"] == "T1-1"
    # A controller has one connection: the copy comes when this one is gone.
    table.kill()
    do = StartRound("T1", {"1": [1, 3]})
    with served.client("C-T1") as late, pytest.raises(RefusedError) as caught:
        late.send(do, actor=DEALER, key=resolved["key"])
    assert caught.value.code == "key-reused"
    kinds = [event["kind"] for event in events(served)]
    assert (kinds.count("round.start"), kinds.count("message.withdraw")) == (1, 1)


def test_a_start_is_repeated_if_the_link_is_back_in_time(table: Table, wire: Wire, served: Served) -> None:
    table.lay(1, 3)
    wire.swallow_requests = True
    threading.Timer(0.5, lambda: (setattr(wire, "swallow_requests", False), wire.cut())).start()
    assert refused(table, "START GAME") == ["manager-away"]
    resolved = table.wait("resolved", lambda resolved: True)
    assert (resolved["kind"], resolved["outcome"]) == ("round.start", "carried-out")
    table.wait_live()
    assert state_of(served)["round"] == "T1-1"
    assert meter(served) == SEED * 10_000 + 2 * 200_000


@pytest.mark.slow
def test_a_round_in_play_waits_and_goes_on(table: Table, wire: Wire, served: Served) -> None:
    table.lay(2)
    table.press("START GAME")
    table.press("HAND", spot=2, hand="five-aces")
    wire.refusing = True
    wire.cut()
    table.wait("sign", lambda sign: sign["state"] in LOST)
    assert refused(table, "HIT JACKPOT") == ["manager-away"]
    wire.refusing = False
    table.wait_live()
    award = table.press("HIT JACKPOT")["answers"][0]["awards"][0]
    with served.client() as client:
        seen = {"payout": award["award"], "hand": award["hand"], "cents": award["cents"], "reference": "camera 1"}
        client.send(command_of({"kind": "surveillance.reference", "round": "T1-1", **seen}), actor=SURVEILLANCE)
    table.press("PAY JACKPOT")
    # The answer to the payment is lost: it is paid once all the same.
    wire.swallow_answers = True
    with pytest.raises(RefusedByControllerError) as caught:
        table.swipe(badge(SUPERVISOR))
    assert caught.value.codes == ["manager-away"]
    wire.swallow_answers = False
    wire.cut()
    resolved = table.wait("resolved", lambda resolved: True)
    assert (resolved["kind"], resolved["outcome"]) == ("jackpot.pay", "carried-out")
    assert resolved["answer"]["cents"] == award["cents"]
    table.wait("sign", lambda sign: sign["state"] == "live")
    table.press("END GAME")


@pytest.mark.slow
@pytest.mark.parametrize("arrived", [True, False], ids=["carried out", "lost"])
def test_a_press_of_a_dealer_who_was_relieved_meanwhile_is_answered_or_refused(
    table: Table, wire: Wire, served: Served, arrived: bool
) -> None:
    """Its answer is fetched whoever deals by now; what had not arrived is not carried out in the name of the past."""
    table.lay(2)
    table.press("START GAME")
    wire.swallow_answers, wire.swallow_requests = True, not arrived
    assert refused(table, "HAND", spot=2, hand="five-aces") == ["manager-away"]
    with served.client() as desk:
        desk.send(DealerOut("T2"), actor=OTHER_DEALER)
        desk.send(DealerIn("T1", badge(OTHER_DEALER)), actor=SUPERVISOR)
    wire.swallow_answers = wire.swallow_requests = False
    wire.cut()
    resolved = table.wait("resolved", lambda resolved: True)
    assert (resolved["kind"], resolved["outcome"]) == ("hand.press", "carried-out" if arrived else "refused")
    if not arrived:
        assert [fault["code"] for fault in resolved["faults"]] == ["not-signed-in"]
        assert OTHER_DEALER in resolved["faults"][0]["message"]
    table.wait_live()
    # The relief's badge was read at the desk: at the controls it is read again, in the middle of the round.
    assert table.display["keys"] == []
    assert "swipe the dealer's badge again; T1-1 waits" in table.display["now"]
    assert refused(table, "HAND", spot=2, hand="straight-flush") == ["not-signed-in"]
    table.swipe(badge(OTHER_DEALER))
    if not arrived:
        table.press("HAND", spot=2, hand="five-aces")
    assert table.press("HIT JACKPOT")["answers"][0]["awards"][0]["status"] == "hit"
    kinds = [event["kind"] for event in events(served)]
    assert (kinds.count("hand.press"), kinds.count("message.withdraw")) == (1, 0 if arrived else 1)


def test_a_killed_server_that_comes_back_finds_the_table_where_it_was(house: House) -> None:
    with Served(house) as first:
        port = first.port
        with Table(house, first.address) as table:
            table.wait_live()
            table.lay(1, 2, 3)
            table.press("START GAME")
            table.press("HAND", spot=3, hand="straight-flush")
            first.kill()
            table.wait("sign", lambda sign: sign["state"] in LOST)
            with Served(house, port=port) as second:
                table.wait_live()
                assert table.wait("lights", lambda lit: lit == {"1": [1, 2, 3]})
                assert state_of(second)["in_play"]["awards"][0]["hand"] == "straight-flush"
                assert "HIT JACKPOT" in table.display["keys"]
                table.press("HAND", spot=3, hand="straight-flush")
                table.press("END GAME")


def test_a_killed_controller_comes_back_to_the_table_as_it_was(table: Table, served: Served) -> None:
    table.lay(1, 3)
    table.press("START GAME")
    table.reboot()
    table.wait_live()
    assert table.wait("lights", lambda lit: lit == {"1": [1, 3]})
    assert table.press("END GAME")["answers"][0]["round"] == "T1-1"
    assert meter(served) == SEED * 10_000 + 2 * 200_000


def test_a_restarted_controller_takes_no_wagers_before_its_sensors_report(table: Table, served: Served) -> None:
    """What the manager remembers as lit may have been taken up meanwhile; nothing lit may have been laid."""
    table.lay(2, 5)
    table.reboot(reporting=False)
    sign = table.wait("sign", lambda sign: sign["state"] == "paused")
    assert sign["message"] == "NO JACKPOT WAGERS: the sensors have not reported yet"
    assert table.wait("display", lambda display: "NO JACKPOT WAGERS" in display["now"])["keys"] == []
    assert table.last["lights"] == {}
    assert refused(table, "START GAME") == ["sensors-away"]
    # A single change says nothing about the others.
    with pytest.raises(RefusedByControllerError) as caught:
        table.send({"sensor": {"sensor": "1", "seat": 3, "on": True}})
    assert caught.value.codes == ["sensors-away"]
    assert refused(table, "START GAME") == ["sensors-away"]
    assert state_of(served)["round"] is None
    table.send({"sensors": {"1": [5]}})
    table.wait_live()
    assert table.wait("lights", lambda lit: lit == {"1": [5]})
    assert table.press("START GAME")["answers"][0]["taken"]["1"]["seats"] == [5]
    assert meter(served) == SEED * 10_000 + 200_000


def test_a_round_in_play_goes_on_before_the_sensors_of_a_new_controller_report(table: Table) -> None:
    table.lay(1, 3)
    table.press("START GAME")
    table.reboot(reporting=False)
    assert table.wait("lights", lambda lit: lit == {"1": [1, 3]})
    table.press("HAND", spot=3, hand="five-aces")
    table.press("HAND", spot=3, hand="five-aces")
    assert table.press("END GAME")["answers"][0]["round"] == "T1-1"
    assert refused(table, "START GAME") == ["sensors-away"]


def test_without_sensor_hardware_the_press_tells_the_wagers(table: Table, served: Served) -> None:
    table.reboot(reporting=False)
    table.wait("sign", lambda sign: sign["state"] == "paused")
    assert table.press("START GAME", sensors={"1": [2, 4]})["answers"][0]["taken"]["1"]["seats"] == [2, 4]
    table.wait_live()
    table.press("END GAME")
    # Every press has to: nobody else sees the next round's wagers.
    assert refused(table, "START GAME") == ["sensors-away"]
    assert table.press("START GAME", sensors={})["answers"][0]["taken"] == {}
    assert meter(served) == SEED * 10_000 + 2 * 200_000


def test_a_manager_that_cannot_write_pauses_the_table(table: Table, served: Served) -> None:
    table.lay(1)
    database, aside = served.house.folder / "house.db", served.house.folder / "aside.db"
    database.rename(aside)
    assert refused(table, "START GAME") == ["manager-away"]
    sign = table.wait("sign", lambda sign: sign["state"] == "paused")
    assert sign["message"] == "NO JACKPOT WAGERS: the Game Manager cannot record wagers at the moment"
    table.wait("display", lambda display: "database" in display["text"])
    aside.rename(database)
    table.wait_live()
    assert table.last["resolved"]["outcome"] in {"carried-out", "taken-back"}
    expected = "T1-1" if table.last["resolved"]["outcome"] == "carried-out" else None
    assert state_of(served)["round"] == expected


def test_a_stopped_link_takes_no_wagers_and_the_table_plays_on_without(table: Table, served: Served) -> None:
    stop = StopLink("L1", badge(ACCOUNTING), cause="other", reason="short account")
    with served.client() as client:
        client.send(stop, actor=SUPERVISOR)
    sign = table.wait("sign", lambda sign: sign["state"] == "paused")
    assert "L1 is stopped" in sign["message"]
    table.send({"sensor": {"sensor": "1", "seat": 2, "on": True}})
    refused_wager = table.wait("refused", lambda refused: True)
    assert (refused_wager["seat"], refused_wager["faults"][0]["code"]) == (2, "link-not-open")
    assert table.last["lights"] == {}
    started = table.press("START GAME")["answers"][0]
    assert started["taken"] == {}
    table.press("END GAME")
    assert meter(served) == SEED * 10_000


def test_wagers_laid_just_before_the_press_count(table: Table) -> None:
    for seat in (1, 2, 3, 4, 5, 6):
        table._socket.sendall(f'{{"sensor": {{"sensor": "1", "seat": {seat}, "on": true}}}}\n'.encode())
    assert table.press("START GAME")["answers"][0]["taken"]["1"]["seats"] == [1, 2, 3, 4, 5, 6]


def test_sensors_that_fall_silent_take_no_wagers(table: Table) -> None:
    table.send({"hello": {"protocol": 1, "parts": ["sensors"]}})
    table.lay(1)
    table._socket.close()
    reconnect(table)
    sign = table.wait("sign", lambda sign: sign["state"] == "paused")
    assert "sensors do not report" in sign["message"]
    assert refused(table, "START GAME") == ["sensors-away"]
    table.send({"sensors": {"1": [4]}})
    table.wait("lights", lambda lit: lit == {"1": [4]})
    assert table.press("START GAME")["answers"][0]["taken"]["1"]["seats"] == [4]


def reconnect(table: Table) -> None:
    """Connect again as the devices, without a new controller."""
    import socket

    table.last = {}
    table._socket = socket.socket(socket.AF_UNIX)
    table._socket.connect(str(table.socket_path))
    table._read = b""
