"""Badges cannot be guessed: one answer, a delay, a closed reader, on record; and no badge is the first guess."""

from __future__ import annotations

import asyncio
import json
import re
import time
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from houseway.cli.manager_tokens import new_token
from houseway.errors import InputError
from houseway.manager.commands import COMMANDS
from houseway.manager.core import badges
from houseway.manager.core.authority import BADGE_FIELDS
from houseway.manager.interface.async_client import AsyncManagerClient
from houseway.manager.interface.contract import RefusedError
from houseway.manager.interface.local import LocalManager
from houseway.manager.interface.requests import command_of
from houseway.manager.server.edge import read_command
from houseway.manager.server.strength import BADGE, SECRET, is_weak
from houseway.manager.store.keys import load_keys
from tests.manager.floors import (
    ACCOUNTING,
    DEALER,
    EXECUTIVE,
    OTHER_DEALER,
    SUPERVISOR,
    SURVEILLANCE,
    TECHNICIAN,
    badge,
)
from tests.manager.server.house import House, access, sessions
from tests.manager.server.processes import Served
from tests.manager.server.raw import Raw
from tests.manager.server.running import recorded, running

SENSOR = {"kind": "sensor.set", "table": "T1", "sensor": "1", "seat": 2, "lit": True}


@pytest.fixture
def swift(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong badges are answered at once."""
    monkeypatch.setattr(badges, "DELAY_SECONDS", 0.0)


async def connected(port: int, device: str) -> AsyncManagerClient:
    return await AsyncManagerClient(access(port, device), sessions=sessions(device)).connect()


_keys = iter(range(10**9))
DELAY = 0.00123
"""How long a refused badge waits in a test that counts the waits."""


async def sent(client: AsyncManagerClient, actor: str, do: dict[str, Any], key: str | None = None) -> tuple[str, str]:
    """What a command is answered: `done`, or code and text of the refusal."""
    try:
        await client.send(command_of(do), actor=actor, key=key or f"test-{next(_keys)}")
    except RefusedError as error:
        return ",".join(fault.code for fault in error.faults), str(error)
    return "done", ""


def guess(number: int) -> str:
    return f"guess {number:010}"


# ---------------------------------------------------------------- one answer

REVOKED = "badge that was lost"


@pytest.fixture
def staffed(house: House) -> House:
    """The property with somebody off duty, and a badge that was replaced."""
    with house.open() as manager:
        told = LocalManager(manager, load_keys(house.keys).fingerprint)
        change = {"kind": "person.change", "person": "Dealer 19", "second_badge": badge(ACCOUNTING)}
        told.send(command_of({**change, "badge": REVOKED}), actor=EXECUTIVE)
        told.send(command_of({**change, "badge": "badge after that"}), actor=EXECUTIVE)
        told.send(command_of({**change, "person": "Dealer 20", "active": False}), actor=EXECUTIVE)
    return house


@pytest.mark.usefixtures("swift")
def test_nothing_is_learnt_from_a_refused_card(staffed: House) -> None:
    """Nobody's, revoked, off duty, wrong role, the actor's own: the same words, and the reason is on record."""
    void = {"kind": "round.void", "round": "T1-1", "reason": "misdeal"}
    shown = [guess(1), REVOKED, badge("Dealer 20"), badge(SURVEILLANCE), badge(DEALER)]

    async def check() -> list[tuple[str, str]]:
        async with running(staffed) as (_, port):
            table = await connected(port, "C-T1")
            assert await sent(table, DEALER, {"kind": "round.start", "table": "T1", "sensors": {}}) == ("done", "")
            said = [await sent(table, DEALER, {**void, "badge": one}) for one in shown[:4]]
            desk = await connected(port, "SVC-1")
            said.append(await sent(desk, DEALER, {**void, "badge": shown[4]}))
            said.append(await sent(desk, "device:SVC-1", {"kind": "person.sign-in", "badge": guess(2)}))
            new = {"kind": "person.change", "person": OTHER_DEALER, "badge": badge(DEALER), "second_badge": guess(3)}
            said.append(await sent(desk, EXECUTIVE, new))
            # What a new badge must be is told by the command that gives one out, whatever is wrong.
            said.append(
                await sent(desk, EXECUTIVE, {**new, "badge": "a badge that nobody has", "second_badge": guess(4)})
            )
            await table.close()
            await desk.close()
            return said

    said = asyncio.run(check())
    assert {code for code, _ in said} == {"badge-refused"}
    assert len(set(said[:6])) == len(set(said[6:])) == 1
    reasons = [one["faults"][0]["code"] for one in recorded(staffed)]
    assert {"unknown-badge", "wrong-role", "badge-taken"} <= set(reasons)
    assert len(reasons) == len(said)


def test_every_field_that_holds_a_card_is_guarded() -> None:
    """A new command with another name for a badge would be a way round the gate."""
    for kind, command in COMMANDS.items():
        for field in command.__struct_fields__:
            if "badge" in field or "badge" in field or "secret" in field or "token" in field or "session" in field:
                # What is dealt has cards too, but always several.
                known = field in {*BADGE_FIELDS, "secret", "session", "cards"}
                assert known, f"{kind}.{field}"


# ---------------------------------------------------------------- the reader closes

PATHS: list[tuple[str, str, dict[str, Any]]] = [
    ("SVC-1", "device:SVC-1", {"kind": "person.sign-in"}),
    ("C-T1", "device:C-T1", {"kind": "dealer.in", "table": "T1"}),
    ("SVC-1", SUPERVISOR, {"kind": "dealer.in", "table": "T1"}),
    ("C-T1", DEALER, {"kind": "round.void", "round": "T1-1", "reason": "misdeal"}),
    ("SVC-1", EXECUTIVE, {"kind": "table.close", "table": "T2", "tray_cents": 1, "drop_cents": 0}),
    ("SVC-1", ACCOUNTING, {"kind": "link.deposit", "link": "L1", "cents": 500, "paper": "slip"}),
    ("SVC-1", TECHNICIAN, {"kind": "device.add", "device": "S9", "kind_of": "service", "secret": "0123 a new secret"}),
]
"""Ways to try a badge: the sign-in, and every command with a second person's."""


@pytest.mark.usefixtures("swift")
@pytest.mark.parametrize("deals", [True, False], ids=["somebody deals", "nobody deals"])
def test_a_badge_on_duty_that_comes_early_is_no_guess(house: House, deals: bool) -> None:
    """A supervisor who swipes before the display asks closes no reader, also where no dealer has come yet."""
    swipe = {"kind": "dealer.in", "table": "T1", "badge": badge(SUPERVISOR)}

    async def check() -> None:
        async with running(house) as (_, port):
            client = await connected(port, "C-T1")
            if not deals:
                assert (await sent(client, DEALER, {"kind": "dealer.out", "table": "T1"}))[0] == "done"
            said = [await sent(client, "device:C-T1", swipe) for _ in range(7)]
            assert {code for code, _ in said} == {"badge-refused"}
            dealer = {"kind": "dealer.in", "table": "T1", "badge": badge(DEALER)}
            assert (await sent(client, "device:C-T1", dealer))[0] == "done"
            await client.close()

    asyncio.run(check())
    assert recorded(house, "system.locked") == []


def test_the_badge_of_who_registered_the_device_is_no_guess(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """An honest mistake closes no reader; it is told, and answered as late, like a badge that is nobody's."""
    void = {"kind": "round.void", "round": "T1-1", "reason": "misdeal"}
    waited: list[float] = []
    sleep = asyncio.sleep

    async def waiting(seconds: float) -> None:
        waited.append(seconds)
        await sleep(0 if seconds == DELAY else seconds)

    monkeypatch.setattr(badges, "DELAY_SECONDS", DELAY)
    monkeypatch.setattr(asyncio, "sleep", waiting)

    async def check() -> None:
        async with running(house) as (_, port):
            client = await connected(port, "C-T1")
            assert await sent(client, DEALER, {"kind": "round.start", "table": "T1", "sensors": {}}) == ("done", "")
            said = [await sent(client, DEALER, {**void, "badge": badge(ACCOUNTING)}) for _ in range(6)]
            said.append(await sent(client, DEALER, {**void, "badge": guess(1)}))
            early = {"kind": "dealer.in", "table": "T1", "badge": badge(SUPERVISOR)}
            assert (await sent(client, "device:C-T1", early))[0] == "badge-refused"
            assert len(set(said)) == 1, said
            assert said[0][0] == "badge-refused"
            assert "has not registered this device" in said[0][1]
            assert waited.count(DELAY) == 8
            assert (await sent(client, DEALER, {**void, "badge": badge(SUPERVISOR)}))[0] == "done"
            await client.close()

    asyncio.run(check())
    assert recorded(house, "system.locked") == []
    assert [one["faults"][0]["code"] for one in recorded(house)].count("own-device") == 6


@pytest.mark.usefixtures("swift")
@pytest.mark.parametrize(("device", "actor", "do"), PATHS, ids=[f"{path[0]}-{path[2]['kind']}" for path in PATHS])
def test_five_wrong_badges_close_the_reader(house: House, device: str, actor: str, do: dict[str, Any]) -> None:
    """Then not even the right one is taken, of whoever showed them; the table plays on, and health and record tell it.

    Who is signed in and who is not have lanes of their own, and neither closes the other's.
    """
    swipe = {"kind": "dealer.in", "table": "T1", "badge": badge(DEALER)}
    sign_in = {"kind": "person.sign-in", "badge": badge(DEALER)}
    void = {"kind": "round.void", "round": "T1-1", "reason": "misdeal", "badge": badge(SUPERVISOR)}

    async def check() -> None:
        async with running(house) as (_, port):
            client = await connected(port, device)
            if device == "C-T1":
                await sent(client, DEALER, {"kind": "round.start", "table": "T1", "sensors": {}})
            said = [await sent(client, actor, {**do, "badge": guess(number)}) for number in range(7)]
            assert [code for code, _ in said] == ["badge-refused"] * 5 + ["badges-locked"] * 2
            # Until when, by the clocks of the property, and what to do instead at that very place.
            opens = datetime.now(ZoneInfo("America/Los_Angeles")) + timedelta(minutes=badges.LOCK_MINUTES)
            shown = re.search(r"no badge is taken before (\d\d):(\d\d) \(for another", said[-1][1])
            assert shown is not None
            minutes = (int(shown[1]) - opens.hour) * 60 + int(shown[2]) - opens.minute
            assert minutes % 1440 in {0, 1, 1439}
            instead = "what needs a badge now is done at a desk" if device == "C-T1" else "or use another desk"
            assert instead in said[-1][1]
            me = f"device:{device}"
            last = void if actor != me else swipe if device == "C-T1" else sign_in
            assert (await sent(client, actor, last))[0] == "badges-locked"
            alerts = (await client.request({"ask": "health"}))["alerts"]
            about = device if actor == me else f"{device}, person {actor}"
            assert [(one["code"], one["about"]) for one in alerts] == [("badges-locked", about)]
            if actor == me:
                # A stranger closes nothing for whoever is signed in.
                change = {"kind": "person.change", "person": OTHER_DEALER, "second_badge": guess(9), "active": False}
                one = (DEALER, {**void, "badge": guess(9)}) if device == "C-T1" else (EXECUTIVE, change)
                assert (await sent(client, *one))[0] == "badge-refused"
            else:
                assert (await sent(client, me, swipe if device == "C-T1" else sign_in))[0] == "done"
            # Another device is not concerned, and neither is what needs no badge.
            other = await connected(port, "C-T2")
            assert (await sent(other, "device:C-T2", {"kind": "dealer.in", "table": "T2", "badge": guess(8)}))[0] == (
                "badge-refused"
            )
            assert (await client.request({"ask": "table", "table": "T1"}))["table"]["id"] == "T1"
            await client.close()
            await other.close()

    asyncio.run(check())
    lane = "reader" if actor == f"device:{device}" else f"person {actor}"
    assert [(one["device"], one["lane"]) for one in recorded(house, "system.locked")] == [(device, lane)]
    refused = [one for one in recorded(house) if one["device"] == device]
    # Five tries and three at the closed reader, all in full; and the one of somebody signed in.
    assert len(refused) == 8 + (lane == "reader")


@pytest.mark.usefixtures("swift")
def test_a_closed_reader_outlasts_a_restart_and_opens_by_itself(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def close_it() -> None:
        async with running(house) as (_, port):
            client = await connected(port, "C-T1")
            await sent(client, DEALER, {"kind": "round.start", "table": "T1", "sensors": {}})
            for number in range(5):
                void = {"kind": "round.void", "round": "T1-1", "reason": "misdeal", "badge": guess(number)}
                await sent(client, DEALER, void)
            await client.close()

    async def look(ahead: int) -> tuple[str, list[Any]]:
        now = time.time_ns() // 1000 + ahead
        monkeypatch.setattr("houseway.manager.server.badge_gate.wall_micros", lambda: now)
        monkeypatch.setattr("houseway.manager.server.server.wall_micros", lambda: now)
        async with running(house) as (_, port):
            client = await connected(port, "C-T1")
            alerts = (await client.request({"ask": "health"}))["alerts"]
            code, _ = await sent(client, DEALER, {"kind": "round.start", "table": "T1", "sensors": {}})
            assert code in {"done", "round-in-play"}, "rounds go on without a badge"
            void = {"kind": "round.void", "round": "T1-1", "reason": "misdeal", "badge": badge(SUPERVISOR)}
            code, _ = await sent(client, DEALER, void)
            await client.close()
            return code, alerts

    asyncio.run(close_it())
    code, alerts = asyncio.run(look(0))
    assert code == "badges-locked"
    assert len(alerts) == 1
    assert asyncio.run(look(badges.LOCK_MINUTES * badges.MINUTE)) == ("done", [])


@pytest.mark.usefixtures("swift")
def test_what_was_carried_out_is_answered_again_at_a_closed_reader(house: House) -> None:
    """A controller that lost the answer must not take a payment for refused; and no other badge gets it."""

    async def check() -> None:
        async with running(house) as (_, port):
            client = await connected(port, "C-T1")
            await sent(client, DEALER, {"kind": "round.start", "table": "T1", "sensors": {}})
            void = {"kind": "round.void", "round": "T1-1", "reason": "misdeal", "badge": badge(SUPERVISOR)}
            assert await sent(client, DEALER, void, "the-key") == ("done", "")
            # The same key with another badge is a try as well: the right one would be answered.
            for number in range(5):
                assert (await sent(client, DEALER, {**void, "badge": guess(number)}, "the-key"))[0] == "key-reused"
            assert await sent(client, DEALER, void, "the-key") == ("done", "")
            # One more try spoils the key while the reader is closed: else each badge could be tried by it.
            assert (await sent(client, DEALER, {**void, "badge": guess(9)}, "the-key"))[0] == "badges-locked"
            assert (await sent(client, DEALER, void, "the-key"))[0] == "badges-locked"
            await client.close()

    asyncio.run(check())


@pytest.mark.usefixtures("swift")
def test_a_key_of_another_command_is_no_try_at_a_badge(house: House) -> None:
    """A swipe that was taken back comes late, six times: nobody has looked at its badge, and the reader stays open."""

    async def check() -> None:
        async with running(house) as (_, port):
            client = await connected(port, "C-T1")
            swipe = {"kind": "dealer.in", "table": "T1", "badge": badge(DEALER), "session": "drawn for this one swipe"}
            withdraw = {"kind": "message.withdraw", "table": "T1", "kind_of": "dealer.in"}
            for number in range(6):
                assert (await sent(client, "device:C-T1", withdraw, f"key {number}"))[0] == "done"
                assert (await sent(client, "device:C-T1", swipe, f"key {number}"))[0] == "key-reused"
            assert (await sent(client, "device:C-T1", swipe))[0] == "done"
            await client.close()

    asyncio.run(check())
    assert recorded(house, "system.locked") == []


@pytest.mark.usefixtures("swift")
def test_guesses_sent_all_at_once_or_left_behind_are_counted(house: House) -> None:
    """Neither a pipeline of guesses nor a client that does not wait for answers gets round the count."""

    def line(number: int) -> bytes:
        do = {"kind": "person.sign-in", "badge": guess(number), "session": f"drawn for guess number {number}"}
        command = {"key": f"g{number}", "actor": "device:SVC-1", "do": do}
        return json.dumps({"id": number, "command": command}).encode() + b"\n"

    def flood(port: int) -> None:
        for first in range(0, 60, 20):
            with Raw(port) as raw:
                raw.hello()
                raw.send(b"".join(line(number) for number in range(first, first + 20)))
                # Whoever leaves at once may leave guesses unread behind; the last ones wait for theirs.
                while first == 40 and raw.read().get("id") != 59:
                    pass

    async def check() -> None:
        async with running(house) as (_, port):
            await asyncio.to_thread(flood, port)
            client = await connected(port, "SVC-1")
            do = {"kind": "person.sign-in", "badge": badge(SUPERVISOR)}
            assert (await sent(client, "device:SVC-1", do))[0] == "badges-locked"
            await client.close()

    asyncio.run(check())
    codes = [one["faults"][0]["code"] for one in recorded(house)]
    assert codes.count("unknown-badge") == 5
    assert len(recorded(house, "system.locked")) == 1


@pytest.mark.usefixtures("swift")
def test_a_swipe_that_is_sent_again_counts_once(house: House) -> None:
    """A controller repeats what was not answered, under the same key: one slip must not close its reader."""

    async def check() -> None:
        async with running(house) as (_, port):
            client = await connected(port, "C-T1")
            do = {"kind": "dealer.in", "table": "T1", "badge": guess(1), "session": "drawn for this one swipe"}
            said = [(await sent(client, "device:C-T1", do, "the same key"))[0] for _ in range(8)]
            assert said == ["badge-refused"] * 8
            await client.close()

    asyncio.run(check())


def test_a_wrong_badge_waits_for_its_answer(house: House) -> None:
    with Served(house) as served, served.client() as client:
        began = time.monotonic()
        with pytest.raises(RefusedError):
            client.sign_in(guess(1))
        assert time.monotonic() - began >= badges.DELAY_SECONDS


# ---------------------------------------------------------------- strength


@pytest.mark.parametrize("weak", ["1", "x", "12345678", "aaaaaaaaaaaa", "13571357", "87654321", "1212121212"])
@pytest.mark.parametrize("how", ["person.add", "person.change", "device.add"])
def test_no_badge_and_no_secret_is_the_first_guess(weak: str, how: str) -> None:
    do = {
        "person.add": {"person": "Dealer 30", "name": "D", "department": "pit", "roles": ["dealer"], "badge": weak},
        "person.change": {"person": DEALER, "badge": weak},
        "device.add": {"device": "SIGN-9", "kind_of": "display", "secret": weak},
    }[how]
    if how != "device.add":
        do["second_badge"] = badge(ACCOUNTING)
    message = {"key": "k", "actor": EXECUTIVE, "do": {"kind": how, **do}}
    with pytest.raises(InputError) as caught:
        read_command(message, lambda token: token, None)
    assert [fault.code for fault in caught.value.faults] == ["weak-token"]


def test_drawn_tokens_and_long_numbers_are_strong() -> None:
    assert not any(is_weak(new_token(), least) for least in (BADGE, SECRET) for _ in range(200))
    assert not is_weak("0004811736", BADGE)
