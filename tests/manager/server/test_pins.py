"""PINs: set by their bearer, asked for where a setting asks, locked after guessing, over restarts; never in clear."""

from __future__ import annotations

import asyncio
import logging
import threading
from concurrent.futures import Future
from typing import Any

import msgspec
import pytest

from houseway.errors import InputError
from houseway.manager.commands import Envelope
from houseway.manager.commands.house_commands import ChangePerson, ConfirmPerson, FillTray, SetPin
from houseway.manager.commands.link_commands import Approve, Propose
from houseway.manager.commands.system_commands import PinTried
from houseway.manager.core import badges
from houseway.manager.core.pins import beside
from houseway.manager.interface.async_client import AsyncManagerClient
from houseway.manager.interface.contract import RefusedError
from houseway.manager.interface.local import LocalManager
from houseway.manager.server import pin_hashing
from houseway.manager.store.keys import load_keys
from houseway.manager.store.manager import Manager
from tests.manager.floors import ACCOUNTING, CAGE, EXECUTIVE, SUPERVISOR, SURVEILLANCE, badge
from tests.manager.server.house import House, access, sessions
from tests.manager.server.running import recorded, running

PIN, OTHER_PIN = "482913", "771402"


@pytest.fixture(autouse=True)
def swift(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong badges are answered at once, close no reader, and hashes are quick."""
    monkeypatch.setattr(badges, "DELAY_SECONDS", 0.0)
    monkeypatch.setattr(badges, "TRIES", 10**6)
    monkeypatch.setattr(pin_hashing, "MEMORY_KIB", 64)
    monkeypatch.setattr(pin_hashing, "ROUNDS", 1)


def set_values(house: House, **values: Any) -> None:
    """Two people enter settings."""
    with house.open() as manager:
        told = LocalManager(manager, load_keys(house.keys).fingerprint)
        for name, value in values.items():
            what = {"change": "setting", "name": name, "value": value}
            made = told.send(Propose(what, "policy"), actor=ACCOUNTING).answer
            told.send(Approve(made.proposal, made.check, badge(EXECUTIVE)), actor=EXECUTIVE)


class Desk:
    """A client of SVC-1 that says what comes of its commands."""

    def __init__(self, client: AsyncManagerClient) -> None:
        self.client = client

    async def said(self, actor: str, command: Any, key: str | None = None) -> str:
        try:
            await self.client.send(command, actor=actor, key=key)
        except RefusedError as error:
            return ",".join(fault.code for fault in error.faults)
        return "done"

    async def sets(self, person: str, pin: str, old: str | None = None, key: str | None = None) -> str:
        shown = badge(person) if old is None else beside(badge(person), old)
        return await self.said("device:SVC-1", SetPin(shown, pin), key)

    async def signs_in(self, shown: str) -> str:
        try:
            await self.client.sign_in(shown)
        except RefusedError as error:
            return ",".join(fault.code for fault in error.faults)
        return "done"


async def at_desk(port: int) -> Desk:
    client = AsyncManagerClient(access(port), sessions=sessions())
    return Desk(await client.connect())


def played(house: House, scene: Any) -> Any:
    """What a scene at the desk of a running server comes to."""

    async def check() -> Any:
        async with running(house) as (_, port):
            desk = await at_desk(port)
            try:
                return await scene(desk)
            finally:
                await desk.client.close()

    return asyncio.run(check())


def test_as_it_comes_no_pin_is_asked_for(house: House) -> None:
    async def scene(desk: Desk) -> None:
        assert await desk.signs_in(badge(SUPERVISOR)) == "done"
        assert await desk.said(CAGE, FillTray("T1", "fill", 10_000_00, badge(SUPERVISOR), "F-1")) == "done"

    played(house, scene)


def test_a_pin_is_set_by_its_bearer_and_asked_for_where_a_setting_says(house: House) -> None:
    async def sets(desk: Desk) -> None:
        for weak in ("12", "123456", "111111", "121212", "48291a", "4829", " 482913", "4" * 13):
            assert await desk.sets(SUPERVISOR, weak) == "weak-token", weak
        assert await desk.sets(SUPERVISOR, PIN, key="once") == "done"
        assert await desk.sets(SUPERVISOR, PIN, key="once") == "done", "sent again, answered again"
        assert await desk.sets(SUPERVISOR, OTHER_PIN) == "badge-refused", "the badge alone changes no PIN"
        assert await desk.sets(SUPERVISOR, OTHER_PIN, "000000") == "badge-refused"
        assert await desk.sets(SUPERVISOR, PIN, PIN) == "nothing-to-change"
        assert await desk.signs_in(badge(SUPERVISOR)) == "done", "no setting asks for it yet"

    played(house, sets)
    set_values(house, pin_at_sign_in="on")

    async def signs_in(desk: Desk) -> None:
        assert await desk.signs_in(badge(SUPERVISOR)) == "pin-needed"
        assert await desk.signs_in("a badge that nobody has") == "pin-needed", "nothing is learnt without a PIN"
        assert await desk.signs_in(beside(badge(SUPERVISOR), OTHER_PIN)) == "badge-refused"
        assert await desk.signs_in(beside("a badge that nobody has", PIN)) == "badge-refused"
        assert await desk.signs_in(beside(badge(EXECUTIVE), PIN)) == "badge-refused", "who has none gives none"
        assert await desk.signs_in(beside(badge(SUPERVISOR), PIN)) == "done"
        # The first PIN of somebody else: within the time that those opened who gave the badge, then no more.
        assert await desk.sets(EXECUTIVE, OTHER_PIN) == "done"
        assert await desk.signs_in(beside(badge(EXECUTIVE), OTHER_PIN)) == "done"

    played(house, signs_in)


def test_guessing_locks_the_pin_over_restarts_until_two_people_reset_it(house: House) -> None:
    async def guess(desk: Desk) -> None:
        assert await desk.sets(SUPERVISOR, PIN) == "done"
        for number in range(4):
            assert await desk.signs_in(beside(badge(SUPERVISOR), f"{number}00000")) == "badge-refused"

    async def guess_on(desk: Desk) -> None:
        assert await desk.signs_in(beside(badge(SUPERVISOR), "400000")) == "badge-refused"
        assert await desk.signs_in(beside(badge(SUPERVISOR), PIN)) == "badge-refused", "the right one too"
        alerts: list[Any] = []
        async with asyncio.timeout(60):
            while not alerts:
                alerts = (await desk.client.request({"ask": "health"}))["alerts"]
                await asyncio.sleep(0.02)
        assert [(alert["code"], alert["about"]) for alert in alerts] == [("pin-locked", SUPERVISOR)]

    async def locked(desk: Desk) -> None:
        assert await desk.signs_in(beside(badge(SUPERVISOR), PIN)) == "badge-refused", "also after a restart"
        reset = ChangePerson(SUPERVISOR, reset_pin=True)
        assert await desk.said(EXECUTIVE, reset) == "badge-needed"
        by_two = ChangePerson(SUPERVISOR, reset_pin=True, second_badge=badge(SURVEILLANCE))
        assert await desk.said(SUPERVISOR, by_two) == "own-change"
        assert await desk.said(EXECUTIVE, by_two) == "done"
        assert await desk.sets(SUPERVISOR, OTHER_PIN) == "done"
        assert await desk.signs_in(beside(badge(SUPERVISOR), OTHER_PIN)) == "badge-refused", "not confirmed"

    async def confirmed(desk: Desk) -> None:
        assert await desk.signs_in(beside(badge(SUPERVISOR), OTHER_PIN)) == "done"

    for scene in (guess, guess_on, locked):
        played(house, scene)
    with house.open() as manager:
        told = LocalManager(manager, load_keys(house.keys).fingerprint)
        told.send(ConfirmPerson(SUPERVISOR, badge(SUPERVISOR)), actor=ACCOUNTING)
    played(house, confirmed)
    tried = recorded(house, "system.pin")
    assert tried == [{"kind": "system.pin", "person": SUPERVISOR, "right": False}] * 5
    codes = [fault["code"] for one in recorded(house) for fault in one["faults"]]
    assert {"pin-wrong", "pin-locked"} <= set(codes)


def test_guesses_that_cannot_be_put_on_record_are_counted_all_the_same(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As while the clock has jumped: else a found badge and patience would find the PIN, and then accept the time."""
    monkeypatch.setattr(badges, "TRIES", 100)
    submit = Manager.submit

    def paused(manager: Manager, envelope: Envelope) -> Future[Any]:
        if not isinstance(envelope.do, PinTried):
            return submit(manager, envelope)
        refused: Future[Any] = Future()
        refused.set_exception(InputError.of("clock-jumped", "", "the clock jumped"))
        return refused

    async def scene(desk: Desk) -> None:
        assert await desk.sets(SUPERVISOR, PIN) == "done"
        with monkeypatch.context() as jumped:
            jumped.setattr(Manager, "submit", paused)
            for number in range(5):
                assert await desk.signs_in(beside(badge(SUPERVISOR), f"{number}00000")) == "badge-refused"
        assert await desk.signs_in(beside(badge(SUPERVISOR), PIN)) == "badge-refused", "locked, though nothing says so"

    played(house, scene)
    assert recorded(house, "system.pin") == []


def test_a_right_pin_ends_the_count(house: House) -> None:
    async def scene(desk: Desk) -> None:
        assert await desk.sets(SUPERVISOR, PIN) == "done"
        for _ in range(3):
            for wrong in ("100000", "200000", "300000"):
                assert await desk.signs_in(beside(badge(SUPERVISOR), wrong)) == "badge-refused"
            assert await desk.signs_in(beside(badge(SUPERVISOR), PIN)) == "done"

    played(house, scene)


def test_guesses_at_once_are_counted_one_by_one(house: House) -> None:
    """Many connections and services try at the same time: no more are compared than lock the PIN."""

    async def scene(desk: Desk) -> None:
        assert await desk.sets(SUPERVISOR, PIN) == "done"
        others = [await at_desk(desk.client_port) for _ in range(7)]  # type: ignore[attr-defined]
        tried = [other.signs_in(beside(badge(SUPERVISOR), f"{n}00000")) for n, other in enumerate(others)]
        assert set(await asyncio.gather(*tried)) == {"badge-refused"}
        assert await desk.signs_in(beside(badge(SUPERVISOR), PIN)) == "badge-refused"
        for other in others:
            await other.client.close()

    async def check() -> None:
        async with running(house) as (_, port):
            desk = await at_desk(port)
            desk.client_port = port  # type: ignore[attr-defined]
            await scene(desk)
            await desk.client.close()

    asyncio.run(check())
    assert len(recorded(house, "system.pin")) == 5


def test_a_second_person_s_pin_is_asked_for_from_an_amount_on(house: House) -> None:
    set_values(house, pin_second_from=5_000_00)

    async def scene(desk: Desk) -> None:
        assert await desk.sets(SUPERVISOR, PIN) == "done"
        small = FillTray("T1", "fill", 4_999_99, badge(SUPERVISOR), "F-1")
        large = FillTray("T1", "fill", 5_000_00, badge(SUPERVISOR), "F-2")
        proved = FillTray("T1", "fill", 5_000_00, beside(badge(SUPERVISOR), PIN), "F-2")
        assert await desk.said(CAGE, small) == "done"
        assert await desk.said(CAGE, large) == "pin-needed"
        assert await desk.said(CAGE, FillTray("T1", "fill", 5_000_00, "nobody's badge", "F-2")) == "pin-needed"
        assert await desk.said(CAGE, proved) == "done"
        own = FillTray("T1", "fill", 5_000_00, beside(badge(CAGE), PIN), "F-3")
        assert await desk.said(CAGE, own) == "badge-refused", "and never one's own"
        what = {"change": "setting", "name": "pin_second_from", "value": None}
        made = (await desk.client.send(Propose(what, "too slow"), actor=ACCOUNTING)).answer
        approval = Approve(made.proposal, made.check, badge(EXECUTIVE))
        assert await desk.said(ACCOUNTING, approval) == "pin-needed", "a change may be worth anything"
        assert await desk.sets(EXECUTIVE, OTHER_PIN) == "done"
        proved_approval = Approve(made.proposal, made.check, beside(badge(EXECUTIVE), OTHER_PIN))
        assert await desk.said(ACCOUNTING, proved_approval) == "done"
        assert await desk.said(CAGE, FillTray("T1", "fill", 5_000_00, badge(SUPERVISOR), "F-4")) == "done"

    played(house, scene)


def test_a_pin_that_has_ended_is_only_good_for_setting_another(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    from houseway.manager.core import pins

    async def sets(desk: Desk) -> None:
        assert await desk.sets(SUPERVISOR, PIN) == "done"

    played(house, sets)
    set_values(house, pin_at_sign_in="on", pin_days=1)
    monkeypatch.setattr(pins, "DAY", 0)

    async def scene(desk: Desk) -> None:
        assert await desk.signs_in(beside(badge(SUPERVISOR), PIN)) == "pin-ended"
        assert await desk.signs_in(beside(badge(SUPERVISOR), OTHER_PIN)) == "badge-refused", "guessers hear nothing"
        assert await desk.sets(SUPERVISOR, OTHER_PIN, PIN) == "done"

    played(house, scene)


def test_the_time_for_a_first_pin_ends(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    from houseway.manager.core import pins

    async def sets(desk: Desk) -> None:
        assert await desk.sets(SURVEILLANCE, OTHER_PIN) == "done"

    played(house, sets)
    set_values(house, pin_at_sign_in="on", pin_set_hours=1)
    monkeypatch.setattr(pins, "HOUR", 0)
    reset = ChangePerson(SUPERVISOR, reset_pin=True, second_badge=badge(SURVEILLANCE))
    with_pin = msgspec.structs.replace(reset, second_badge=beside(badge(SURVEILLANCE), OTHER_PIN))

    async def scene(desk: Desk) -> None:
        assert await desk.said(EXECUTIVE, reset) == "pin-needed", "a badge that was found resets nobody's PIN"
        assert await desk.said(EXECUTIVE, with_pin) == "done"
        assert await desk.sets(SUPERVISOR, PIN) == "pin-closed"

    played(house, scene)


def test_a_new_badge_takes_the_pin_along(house: House) -> None:
    """Whoever has the old badge may have set the PIN."""
    given = ChangePerson(SUPERVISOR, badge="a new badge 4711", second_badge=badge(SURVEILLANCE))

    async def scene(desk: Desk) -> None:
        assert await desk.sets(SUPERVISOR, PIN) == "done"
        assert await desk.said(EXECUTIVE, given) == "done"
        assert await desk.signs_in(beside("a new badge 4711", PIN)) == "badge-refused"
        assert await desk.said("device:SVC-1", SetPin("a new badge 4711", OTHER_PIN)) == "done"

    played(house, scene)


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The threads in which PINs were hashed or compared."""
    found: set[str] = set()
    hashed = pin_hashing._hashed

    def spied(pin: str, salt: bytes) -> str:
        found.add(threading.current_thread().name)
        return hashed(pin, salt)

    monkeypatch.setattr(pin_hashing, "_hashed", spied)
    return found


def test_pins_are_hashed_neither_on_the_loop_nor_by_the_writer(house: House, threads: set[str]) -> None:
    async def scene(desk: Desk) -> None:
        assert await desk.sets(SUPERVISOR, PIN) == "done"
        assert await desk.signs_in(beside("a badge that nobody has", PIN)) == "badge-refused"

    played(house, scene)
    assert {name.rpartition("_")[0] for name in threads} == {"houseway-pins"}


def test_no_pin_is_in_the_journal_a_log_or_an_answer(house: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    told: list[str] = []

    async def scene(desk: Desk) -> None:
        carried = await desk.client.send(SetPin(badge(SUPERVISOR), PIN), actor="device:SVC-1")
        told.append(str(carried))
        assert await desk.signs_in(beside(badge(SUPERVISOR), PIN)) == "done"
        for wrong in (FillTray("T9", "fill", 1, "x", beside(badge(SUPERVISOR), PIN)), SetPin("x", PIN)):
            try:
                await desk.client.send(wrong, actor=CAGE)
            except RefusedError as error:
                told.append(str(error))
        told.extend([str(await desk.client.request({"ask": what})) for what in ("people", "devices", "sessions")])

    played(house, scene)
    stored = b"".join(path.read_bytes() for path in house.folder.rglob("*") if path.is_file())
    for text in (*told, caplog.text):
        assert PIN not in text
        assert "argon2" not in text
    assert PIN.encode() not in stored
    fingerprint = load_keys(house.keys).fingerprint
    assert fingerprint(PIN).encode() not in stored
    assert fingerprint(beside("PIN", PIN)).encode() not in stored, "nor what argon2 was given"
    assert b"$argon2id$v=19$m=64,t=1,p=1$" in stored


def test_nobody_brings_a_hash_of_their_own(house: House) -> None:
    """What comes in as a PIN is taken for a PIN; and where there is no gate, none is set."""
    made = "$argon2id$v=19$m=64,t=1,p=1$MDAwMDAwMDAwMDAwMDAwMA$rZ0"

    async def scene(desk: Desk) -> None:
        assert await desk.said("device:SVC-1", SetPin(badge(SUPERVISOR), made)) == "weak-token"

    played(house, scene)
    with house.open() as manager:
        fingerprint = load_keys(house.keys).fingerprint
        behind = Envelope("k", "device:SVC-1", SetPin(fingerprint(badge(SUPERVISOR)), fingerprint(PIN)), "SVC-1")
        with pytest.raises(Exception, match="at a service of a running server"):
            manager.call(behind)
