"""A controller's secret makes nobody a dealer: who lacks the session of the swipe does not act for who deals there."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from houseway.manager.commands.house_commands import ChangePerson, ConfirmPerson, DealerOut
from houseway.manager.commands.link_commands import Approve, Propose
from houseway.manager.commands.round_commands import HitJackpot, PressHand, StartRound
from houseway.manager.interface.client import ManagerClient
from houseway.manager.interface.local import LocalManager
from houseway.manager.interface.requests import command_of
from houseway.manager.server import session as session_module
from houseway.manager.store.clock import wall_micros
from houseway.manager.store.keys import load_keys
from tests.cli.runner import call
from tests.manager.controller.table import RefusedByControllerError, Table
from tests.manager.floors import (
    ACCOUNTING,
    DEALER,
    EXECUTIVE,
    OTHER_DEALER,
    OTHER_SUPERVISOR,
    SUPERVISOR,
    SURVEILLANCE,
    badge,
)
from tests.manager.server.house import DEALERS, House, built, session, swiped
from tests.manager.server.processes import Served, Wire
from tests.manager.server.raw import Raw, codes
from tests.manager.server.running import recorded, running
from tests.security.test_sent_keys import Tapped

CONTROLLER: Final = "device:C-T1"
_numbers = itertools.count()


@pytest.fixture(scope="module")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> House:
    """The property that every test gets a copy of."""
    return built(tmp_path_factory.mktemp("pattern"))


@pytest.fixture
def house(pattern: House, tmp_path: Path) -> House:
    """A property of the test's own."""
    return pattern.copied(tmp_path / "own")


@pytest.fixture
def served(pattern: House, tmp_path: Path) -> Iterator[Served]:
    """A server; a dealer has swiped in at every table's controller."""
    with Served(pattern.copied(tmp_path / "house")) as found:
        yield found


def said(raw: Raw, actor: str, do: dict[str, Any], **more: Any) -> dict[str, Any]:
    """What a command is answered on a raw socket."""
    return raw.ask({"command": {"key": f"raw-{next(_numbers)}", "actor": actor, "do": do, **more}})


def kept_by(table: Table) -> Path:
    """The file in which a controller keeps the dealer's session."""
    return table.outbox.with_name(f"{table.outbox.name}.session")


def state_of(served: Served, table: str = "T1") -> dict[str, Any]:
    """The table as the manager has it."""
    with served.client() as desk:
        return dict(desk.request({"ask": "table", "table": table})["table"])


def refusal(table: Table, key: str, **fields: Any) -> list[str]:
    """The codes with which the controller refuses a press."""
    with pytest.raises(RefusedByControllerError) as caught:
        table.press(key, **fields)
    return caught.value.codes


def in_place_of(served: Served) -> Raw:
    """Somebody who greets as the controller, as soon as the manager has noticed that it is gone."""
    until = time.monotonic() + 10
    while True:
        raw = Raw(served.port)
        if "welcome" in raw.hello("C-T1"):
            return raw
        raw.__exit__(None, None, None)
        assert time.monotonic() < until
        time.sleep(0.05)


# ---------------------------------------------------------------- the thief


def test_a_controller_s_secret_and_an_own_badge_pay_nothing(served: Served) -> None:
    """The controller is away, its dealer is signed in: who connects in its place presses, hits and pays nothing."""
    with served.client("C-T1") as controller:
        started = controller.send(StartRound("T1", {"1": [2]}), actor=DEALER)
        controller.send(PressHand("T1-1", 2, hand="straight-flush"), actor=DEALER)
        hit = controller.send(HitJackpot("T1-1"), actor=DEALER)
    assert (started.answer.round, hit.answer.awards[0].status) == ("T1-1", "hit")
    mine = badge(SUPERVISOR)
    attack: list[dict[str, Any]] = [
        {"kind": "jackpot.pay", "award": hit.answer.awards[0].award, "badge": mine},
        {"kind": "hand.press", "round": "T1-1", "seat": 2, "hand": "five-aces"},
        {"kind": "jackpot.reject", "award": hit.answer.awards[0].award, "badge": mine, "reason": "x"},
        {"kind": "round.end", "round": "T1-1"},
        {
            "kind": "tray.fill",
            "table": "T1",
            "direction": "credit",
            "cents": 500,
            "slip": "S",
            "badge": badge(SUPERVISOR),
        },
        {"kind": "dealer.out", "table": "T1"},
        {"kind": "dealer.in", "table": "T1", "badge": badge(OTHER_DEALER), "session": "drawn by whoever came instead"},
    ]
    guesses: tuple[dict[str, Any], ...] = (
        {}, {"session": None}, {"session": "drawn by whoever came instead"},
        # The dealer's session elsewhere is none here, and the journal's fingerprint of it is no session.
        {"session": session(DEALER)}, {"session": swiped("T2")},
        {"session": load_keys(served.house.keys).fingerprint(swiped("T1"))},
    )  # fmt: skip
    before = state_of(served)
    with Raw(served.port) as thief:
        assert "welcome" in thief.hello("C-T1")
        for do, guess in itertools.product(attack, guesses):
            assert codes(said(thief, DEALER, do, **guess)) == ["not-signed-in"], (do, guess)
        # The own badge is no dealer's.
        own = {
            "kind": "dealer.in",
            "table": "T1",
            "badge": badge(SUPERVISOR),
            "session": "drawn by whoever came instead",
        }
        assert codes(said(thief, CONTROLLER, own)) == ["badge-refused"]
    assert state_of(served) == before
    # The controller itself comes back, and the dealer goes on.
    with served.client("C-T1") as controller:
        paid = controller.send(command_of(attack[0]), actor=DEALER)
        assert paid.answer.paid_by == SUPERVISOR
    served.end()
    tried = [one for one in recorded(served.house) if one["actor"] == DEALER]
    assert {fault["code"] for one in tried for fault in one["faults"]} == {"not-signed-in"}
    assert {one["kind_of"] for one in tried} == {do["kind"] for do in attack}


def test_a_swipe_begins_no_session_that_can_be_guessed(served: Served) -> None:
    start = {"kind": "round.start", "table": "T1"}
    swipe = {"kind": "dealer.in", "table": "T1", "badge": badge(DEALER)}
    weak: object
    with Raw(served.port) as raw:
        raw.hello("C-T1")
        for weak in ("", "1", "short", "a" * 40, "0123456789" * 4, 7, ["x"]):
            assert codes(said(raw, CONTROLLER, {**swipe, "session": weak})) in (["weak-token"], ["bad-message"])
            assert codes(said(raw, DEALER, start, session=weak)) in (["not-signed-in"], ["bad-message"])
        for without in ({**swipe, "session": None}, swipe):
            assert codes(said(raw, CONTROLLER, without)) == ["bad-message"]
        assert "answer" in said(raw, DEALER, start, session=swiped("T1"))


def test_a_service_begins_no_session_at_a_controller(served: Served) -> None:
    mine = "chosen at the desk for the table"
    with Raw(served.port) as desk, Raw(served.port) as controller:
        desk.hello("SVC-1")
        controller.hello("C-T1")
        with_session = {"kind": "dealer.in", "table": "T1", "badge": badge(DEALER), "session": mine}
        assert codes(said(desk, SUPERVISOR, with_session, session=session(SUPERVISOR))) == ["wrong-device"]
        assert "answer" in said(desk, DEALER, {"kind": "dealer.out", "table": "T1"}, session=session(DEALER))
        plain = {"kind": "dealer.in", "table": "T1", "badge": badge(DEALER)}
        assert "answer" in said(desk, SUPERVISOR, plain, session=session(SUPERVISOR))
        # Signed in by the desk, and not at the controls: not even with what was the session there before.
        for guess in (mine, swiped("T1"), session(DEALER), None):
            assert codes(said(controller, DEALER, {"kind": "round.start", "table": "T1"}, session=guess)) == [
                "not-signed-in"
            ]


def test_a_dealer_ends_no_round_of_another_s_table_from_a_service(served: Served) -> None:
    """A badge and a service's reader take no table over in the middle of its round."""
    with served.client("C-T1") as controller, Raw(served.port) as desk:
        controller.send(StartRound("T1", {"1": [1]}), actor=DEALER)
        desk.hello("SVC-1")
        mine = session(OTHER_DEALER)
        assert "answer" in said(desk, OTHER_DEALER, {"kind": "dealer.out", "table": "T2"}, session=mine)
        take = {"kind": "dealer.in", "table": "T1", "badge": badge(OTHER_DEALER)}
        assert codes(said(desk, OTHER_DEALER, take, session=mine)) == ["second-person"]
        end = {"kind": "round.end", "round": "T1-1"}
        assert codes(said(desk, OTHER_DEALER, end, session=mine)) == ["not-the-dealer"]
        assert controller.send(command_of(end), actor=DEALER).answer.round == "T1-1"
    served.end()
    (tried,) = [one for one in recorded(served.house) if one["kind_of"] == "dealer.in"]
    assert (tried["actor"], tried["faults"][0]["code"]) == (OTHER_DEALER, "second-person")


def test_who_takes_the_place_of_a_silent_controller_is_on_record_and_an_alert(served: Served) -> None:
    wire = Wire(served.port)
    try:
        with Raw(wire.port) as old:
            assert "welcome" in old.hello("C-T1")
            wire.swallow_answers = wire.swallow_requests = True
            with Raw(served.port) as new:
                assert "welcome" in new.hello("C-T1")
                with served.client() as desk:
                    alerts = desk.request({"ask": "health"})["alerts"]
                assert [(one["code"], one["about"]) for one in alerts] == [("controller-replaced", "C-T1")]
                assert "127.0.0.1" in alerts[0]["message"]
    finally:
        wire.close()
    served.end()
    (tried,) = [one for one in recorded(served.house) if one["faults"][0]["code"] == "controller-replaced"]
    assert (tried["actor"], tried["kind_of"], tried["address"]) == (CONTROLLER, "connection", "127.0.0.1")
    assert "controller-replaced" in served.log.read_text()


def test_who_waits_until_a_silent_controller_was_let_go_is_on_record_too(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_module, "IDLE_SECONDS", 0.3)
    monkeypatch.setattr(session_module, "LINGER_SECONDS", 0.05)

    def wait_and_take(port: int) -> None:
        with Raw(port) as old:
            assert "welcome" in old.hello("C-T1")
            while message := old.read():
                last = message
            assert codes(last) == ["idle-timeout"]
        with Raw(port) as new:
            assert "welcome" in new.hello("C-T1")

    assert alerts_after(house, wait_and_take) == [("controller-replaced", "C-T1")]
    (tried,) = [one for one in recorded(house) if one["faults"][0]["code"] == "controller-replaced"]
    assert (tried["actor"], tried["address"]) == (CONTROLLER, "127.0.0.1")
    assert "fell silent" in tried["faults"][0]["message"]


def test_a_controller_that_comes_back_from_elsewhere_is_on_record(house: House) -> None:
    """One that closed, or was killed, and is back from its own address makes no noise."""

    def come_back(port: int) -> None:
        for source in ("127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.2"):
            with Raw(port, source=source) as client:
                assert "welcome" in client.hello("C-T1")
            time.sleep(0.1)

    assert alerts_after(house, come_back) == [("controller-replaced", "C-T1")]
    (tried,) = [one for one in recorded(house) if one["faults"][0]["code"] == "controller-replaced"]
    assert tried["address"] == "127.0.0.2"


def test_a_controller_that_is_back_from_its_own_address_makes_no_noise(house: House) -> None:
    def come_back(port: int) -> None:
        for _ in range(3):
            with Raw(port) as client:
                assert "welcome" in client.hello("C-T1")
            time.sleep(0.1)

    assert alerts_after(house, come_back) == []
    assert not [one for one in recorded(house) if one["faults"][0]["code"] == "controller-replaced"]


def alerts_after(house: House, work: Callable[[int], None]) -> list[tuple[str, str]]:
    """The alerts of a server in this process when something was done at its port."""

    async def check() -> list[tuple[str, str]]:
        async with running(house) as (server, port):
            await asyncio.to_thread(work, port)
            return [(one["code"], one["about"]) for one in server.alerts.current(wall_micros())]

    return asyncio.run(check())


# ---------------------------------------------------------------- the controller's own session


def test_a_session_outlasts_a_restart_in_the_middle_of_a_round(served: Served) -> None:
    """And a command that lies in the outbox is sent again in the session in which it was pressed."""
    wire = Wire(served.port)
    try:
        with Table(served.house, wire.address) as table:
            table.wait_live()
            kept_by(table).unlink()
            table.swipe(badge(DEALER))
            assert kept_by(table).stat().st_mode & 0o777 == 0o600
            mine = kept_by(table).read_text()
            table.lay(2)
            table.press("START GAME")
            # The press does not arrive, and the power goes.
            wire.swallow_requests = True
            table._socket.sendall(b'{"id": "x", "key": "HAND", "spot": 2, "hand": "straight-flush"}\n')
            table.look(1.0)
            table.kill()
            wire.swallow_requests = False
            wire.cut()
            table.last = {}
            table.boot()
            resolved = table.wait("resolved", lambda resolved: True)
            assert (resolved["kind"], resolved["outcome"]) == ("hand.press", "carried-out")
            table.wait_live()
            assert table.press("HIT JACKPOT")["answers"][0]["awards"][0]["status"] == "hit"
            assert kept_by(table).read_text() == mine
            table.press("PAY JACKPOT")
            assert table.swipe(badge(SUPERVISOR))["answers"][0]["paid_by"] == SUPERVISOR
    finally:
        wire.close()


@pytest.mark.parametrize("how", ["deleted", "readable for others", "damaged"])
def test_a_lost_session_asks_for_a_swipe_and_the_round_goes_on(served: Served, how: str) -> None:
    with Table(served.house, served.address) as table:
        table.wait_live()
        table.lay(2)
        table.press("START GAME")
        table.kill()
        if how == "deleted":
            kept_by(table).unlink()
        elif how == "damaged":
            kept_by(table).write_text("{")
        else:
            kept_by(table).chmod(0o644)
        table.last = {}
        table.boot()
        table.wait_live()
        assert table.display["keys"] == []
        assert (
            f"{DEALER} deals at T1, but is not signed in here: swipe the dealer's badge again" in table.display["now"]
        )
        assert refusal(table, "HAND", spot=2, hand="straight-flush") == ["not-signed-in"]
        table.swipe(badge(DEALER))
        assert kept_by(table).stat().st_mode & 0o777 == 0o600
        table.press("HAND", spot=2, hand="straight-flush")
        assert state_of(served)["round"] == "T1-1"


def test_a_session_that_another_one_ended_asks_for_a_swipe(served: Served) -> None:
    """Somebody swiped the dealer's own badge in the controller's name: the controller learns it at the next press."""
    with Table(served.house, served.address) as table:
        table.wait_live()
        table.kill()
        with in_place_of(served) as other:
            do = {"kind": "dealer.in", "table": "T1", "badge": badge(DEALER), "session": "drawn somewhere else, later"}
            assert "answer" in said(other, CONTROLLER, do)
        table.last = {}
        table.boot()
        table.wait_live()
        assert refusal(table, "START GAME") == ["not-signed-in"]
        assert not kept_by(table).exists()
        assert "swipe the dealer's badge again" in table.display["now"]
        table.swipe(badge(DEALER))
        assert table.press("START GAME")["answers"][0]["round"] == "T1-1"


def test_a_session_is_forgotten_when_its_dealer_leaves_or_another_one_comes(served: Served) -> None:
    with served.client() as desk:
        desk.send(DealerOut("T2"), actor=DEALERS["T2"])
    with Table(served.house, served.address) as table:
        table.wait_live()
        first = json.loads(kept_by(table).read_text())
        table.swipe(badge(OTHER_DEALER))
        second = json.loads(kept_by(table).read_text())
        assert (first["dealer"], second["dealer"]) == (DEALER, OTHER_DEALER)
        assert first["session"] != second["session"]
        table.press("START GAME")
        table.press("END GAME")
        table.press("DEALER OUT")
        assert not kept_by(table).exists()
        table.swipe(badge(DEALER))
        assert kept_by(table).exists()
        with served.client() as desk:
            desk.send(DealerOut("T1"), actor=DEALER)
        table.wait("display", lambda display: "nobody deals at T1" in display["now"])
        assert not kept_by(table).exists()


def test_no_token_of_a_swipe_reaches_journal_log_answers_or_devices(served: Served) -> None:
    house = served.house
    wire = Wire(served.port)
    try:
        with Table(house, wire.address) as table:
            table.wait_live()
            table.swipe(badge(DEALER))
            token = json.loads(kept_by(table).read_text())["session"]
            table.press("START GAME")
            table.press("END GAME")
            told, log, outbox = json.dumps(table.seen), table.log.read_bytes(), table.outbox.read_bytes()
        with served.client() as desk:
            told += json.dumps(
                [
                    desk.request({"ask": "devices"}),
                    desk.request({"ask": "table", "table": "T1"}),
                    desk.request({"ask": "tables"}),
                ]
            )
        told += wire.heard.decode()
    finally:
        wire.close()
    served.end()
    fingerprint, events = load_keys(house.keys).fingerprint(token), list[Any]()
    with house.open() as manager:
        manager.subscribe(events.extend, after=0)
    assert token not in told
    assert fingerprint not in told
    assert token.encode() not in log + outbox + served.log.read_bytes()
    assert not any(token in event.body for event in events)
    assert sum(fingerprint in event.body for event in events) == 1, "the swipe, and no command that carries it"
    shown = call("audit", "events", "--kind", "dealer.in", "--database", house.url, "--json")
    assert shown.code == 0, shown.out
    assert "dealer.in" in shown.out
    assert fingerprint not in shown.out


# ---------------------------------------------------------------- the outbox


def changed(person: str, new: str | None = None, *, active: bool | None = None) -> Callable[[ManagerClient], object]:
    """Two people from different departments change a person's badge or duty."""
    do = ChangePerson(person, new, active, badge(ACCOUNTING))
    return lambda desk: desk.send(do, actor=EXECUTIVE)


def confirmed(house: House, person: str, shown: str) -> None:
    """A third person confirms a badge, at the machine of the database."""
    with house.open() as manager:
        told = LocalManager(manager, load_keys(house.keys).fingerprint)
        told.send(ConfirmPerson(person, shown), actor=SURVEILLANCE)


def demoted(person: str) -> Callable[[ManagerClient], object]:
    """Two people take all roles but the auditor's from a person."""
    change = Propose({"change": "roles", "person": person, "roles": ["auditor"]}, "as agreed")

    def do(desk: ManagerClient) -> object:
        made = desk.send(change, actor=EXECUTIVE).answer
        return desk.send(Approve(made.proposal, made.content_hash, badge(ACCOUNTING)), actor=EXECUTIVE)

    return do


def paid_late(
    table: Table, wire: Tapped, desk: ManagerClient, token: str, meanwhile: Callable[[ManagerClient], object]
) -> list[str]:
    """Let a payment wait in the outbox while something is changed; returns why it was refused."""
    table.press("PAY JACKPOT")
    wire.is_cut_by_next = wire.refusing = True
    with pytest.raises(RefusedByControllerError, match="manager-away"):
        table.swipe(token)
    meanwhile(desk)
    table.last.pop("resolved", None)
    wire.refusing = False
    resolved = table.wait("resolved", lambda one: one["kind"] == "jackpot.pay")
    table.wait_live()
    assert resolved["outcome"] == "refused"
    return [fault["code"] for fault in resolved["faults"]]


def test_a_payment_that_waited_is_not_made_for_who_lost_badge_duty_or_role(served: Served) -> None:
    """What lies in a controller's outbox counts by what its people are when it arrives."""
    new = "another badge of the same person"
    wire = Tapped(served.port)
    with closing(wire), Table(served.house, wire.address) as table, served.client() as desk:
        table.wait_live()
        table.lay(2)
        table.press("START GAME")
        table.press("HAND", spot=2, hand="straight-flush")
        assert table.press("HIT JACKPOT")["answers"][0]["awards"][0]["badge_role"] == "supervisor"

        def paid(token: str, meanwhile: Callable[[ManagerClient], object]) -> list[str]:
            return paid_late(table, wire, desk, token, meanwhile)

        assert paid(badge(SUPERVISOR), changed(SUPERVISOR, new)) == ["badge-refused"]
        confirmed(served.house, SUPERVISOR, new)
        assert paid(new, changed(SUPERVISOR, active=False)) == ["badge-refused"]
        assert paid(badge(OTHER_SUPERVISOR), demoted(OTHER_SUPERVISOR)) == ["badge-refused"]
        assert paid(badge(EXECUTIVE), changed(DEALER, f"{new}, the dealer")) == ["not-signed-in"]
        confirmed(served.house, DEALER, f"{new}, the dealer")
        # The dealer's new badge begins another session, and the payment is made once.
        table.swipe(f"{new}, the dealer")
        table.press("PAY JACKPOT")
        assert table.swipe(badge(EXECUTIVE))["answers"][0]["paid_by"] == EXECUTIVE
