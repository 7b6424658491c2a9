"""Commands and questions over real sockets: carried out once, refused with reasons, answered without secrets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from houseway.manager.server.asks import ASKS
from houseway.manager.server.client import RefusedError
from houseway.manager.store.keys import load_keys
from tests.manager.floors import DEALER, SUPERVISOR, card
from tests.manager.server.house import SEED, House, secret
from tests.manager.server.processes import Served
from tests.manager.server.raw import Raw, codes

START = {"kind": "round.start", "table": "T1", "sensors": {"1": [1, 3]}}


@pytest.fixture
def served(house: House) -> Iterator[Served]:
    with Served(house) as found:
        yield found


def refusal(call: Any) -> str:
    with pytest.raises(RefusedError) as caught:
        call()
    return caught.value.code


# ---------------------------------------------------------------- commands


def test_a_command_is_carried_out_once(served: Served) -> None:
    with served.client() as client:
        first = client.command(START, actor=DEALER, key="k1")
        again = client.command(START, actor=DEALER, key="k1")
        assert first.answer["round"] == "T1-1"
        assert (again.seq, again.hash, again.answer, again.repeated) == (first.seq, first.hash, first.answer, True)
        assert client.ask("meters", link="L1")["meters"][0]["levels"]["main"]["meter_micros"] == SEED * 10_000 + 400_000


def test_a_key_with_other_content_is_refused(served: Served) -> None:
    with served.client() as client:
        client.command(START, actor=DEALER, key="k1")
        assert refusal(lambda: client.command({**START, "sensors": {"1": [2]}}, actor=DEALER, key="k1")) == "key-reused"
        assert refusal(lambda: client.command(START, actor=SUPERVISOR, key="k1")) == "key-reused"


def test_the_same_key_from_another_device_is_another_command(served: Served) -> None:
    with served.client() as client, served.client("C-T1") as controller:
        started = client.command(START, actor=DEALER, key="k1")
        assert controller.ask("key", key="k1")["seq"] is None
        assert refusal(lambda: controller.command(START, actor=DEALER, key="k1")) == "round-in-play"
        ended = controller.command({"kind": "round.end", "round": "T1-1"}, actor=DEALER, key="k1")
        assert not ended.repeated
        assert [each.ask("key", key="k1")["seq"] for each in (client, controller)] == [started.seq, ended.seq]


def test_a_refusal_names_every_fault_and_changes_nothing(served: Served) -> None:
    with served.client() as client:
        before = client.ask("table", table="T1")
        with pytest.raises(RefusedError) as caught:
            client.command({**START, "sensors": {"1": [0, 9]}}, actor=DEALER)
        assert [fault.code for fault in caught.value.faults] == ["no-such-seat", "no-such-seat"]
        assert client.ask("table", table="T1")["table"] == before["table"]


def test_cards_become_fingerprints_at_the_edge(served: Served) -> None:
    """A fingerprint sent in place of a token is fingerprinted again: whoever reads the journal gains nothing."""
    stolen = load_keys(served.house.keys).fingerprint(card(SUPERVISOR))
    with served.client() as client:
        client.command(START, actor=DEALER)
        void = {"kind": "round.void", "round": "T1-1", "reason": "misdeal"}
        assert refusal(lambda: client.command({**void, "card": stolen}, actor=DEALER)) == "card-refused"
        assert client.command({**void, "card": card(SUPERVISOR)}, actor=DEALER).answer["approved_by"] == SUPERVISOR


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ({"key": "k", "actor": DEALER, "do": {"kind": "nonsense"}}, "bad-message"),
        ({"key": "k", "actor": DEALER, "do": {**START, "more": 1}}, "bad-message"),
        ({"key": "k", "actor": DEALER, "do": None}, "bad-message"),
        ({"key": "", "actor": DEALER, "do": START}, "bad-message"),
        ({"key": "k" * 201, "actor": DEALER, "do": START}, "bad-message"),
        ({"key": "k", "do": START}, "bad-message"),
        ({"key": "k", "actor": "Nobody", "do": START}, "unknown-person"),
        ({"key": "k", "actor": "system", "do": START}, "wrong-role"),
        ({"key": "k", "actor": DEALER, "do": START, "device": "C-T1"}, "wrong-device"),
        ({"key": "k", "actor": DEALER, "do": {"kind": "dealer.in", "table": "T1", "card": ""}}, "bad-message"),
        ({"key": "k", "actor": DEALER, "do": {"kind": "dealer.in", "table": "T1", "card": "x" * 501}}, "bad-message"),
        ("nothing", "bad-message"),
        ([], "bad-message"),
    ],
)
def test_a_bad_command_is_refused_and_the_connection_goes_on(shared: Served, command: Any, code: str) -> None:
    with Raw(shared.port) as raw:
        raw.hello()
        assert codes(raw.ask({"command": command})) == [code]
        assert raw.ask({"ask": "health"})["answer"]["state"] == "serving"


@pytest.mark.parametrize("deep", ['{"a": %s}', "[%s]", '{"card": %s}', '[{"b": [%s]}]'])
@pytest.mark.parametrize("levels", [33, 700, 900, 5_000])
def test_a_message_that_is_nested_without_end_is_no_command(shared: Served, deep: str, levels: int) -> None:
    opening, closing = deep.split("%s")
    command = {"key": "k", "actor": DEALER, "do": {"kind": "change.propose", "reason": "x", "what": "HERE"}}
    nested = f"{opening * levels}1{closing * levels}"
    with Raw(shared.port) as raw:
        raw.hello()
        raw.send(json.dumps({"id": 1, "command": command}).replace('"HERE"', nested).encode() + b"\n")
        while "id" not in (answer := raw.read()) and "error" not in answer:
            pass
        # A card within a change is out of place at any depth that can be read.
        assert codes(answer) == ["token-misplaced" if "card" in deep and levels < 1_000 else "bad-message"]
        assert raw.ask({"ask": "health"})["answer"]["state"] == "serving"


@pytest.mark.parametrize("actor", ["system", "device:C-T1", "device:SVC-1", "device:nobody"])
def test_nobody_speaks_as_the_system_or_as_another_device(shared: Served, actor: str) -> None:
    with Raw(shared.port) as raw:
        raw.hello()
        do = {"kind": "property.create", "name": "x", "licence": "tribal", "people": []}
        refused = codes(raw.ask({"command": {"key": "k", "actor": actor, "do": do}}))
        assert refused == (["wrong-role"] if actor in {"system", "device:SVC-1"} else ["wrong-device"])


def test_a_controller_acts_for_its_own_table_only(served: Served) -> None:
    with served.client("C-T2") as controller, served.client() as client:
        assert refusal(lambda: controller.command(START, actor=DEALER)) == "wrong-device"
        client.command(START, actor=DEALER)
        end = {"kind": "round.end", "round": "T1-1"}
        assert refusal(lambda: controller.command(end, actor=DEALER)) == "wrong-device"
        pay = {"kind": "jackpot.pay", "award": "T1-1/1"}
        assert refusal(lambda: controller.command(pay, actor=DEALER)) == "wrong-device"
        stop = {"kind": "link.stop", "link": "L1", "card": card(SUPERVISOR), "cause": "other", "reason": "x"}
        assert refusal(lambda: controller.command(stop, actor=SUPERVISOR)) == "wrong-device"


def test_one_device_does_not_speak_for_another(served: Served) -> None:
    sensor = {"kind": "sensor.set", "table": "T1", "sensor": "1", "seat": 2, "lit": True}
    with served.client("C-T1") as controller:
        assert refusal(lambda: controller.command(sensor, actor="device:C-T2")) == "wrong-device"
        assert controller.command(sensor, actor="device:C-T1").answer["lit"] == {"1": [2]}


def test_a_display_asks_and_does_not_command(served: Served) -> None:
    with served.client("SIGN-1") as sign:
        assert refusal(lambda: sign.command(START, actor=DEALER)) == "wrong-device"
        assert refusal(lambda: sign.ask("people")) == "wrong-device"
        assert refusal(lambda: sign.subscribe("events")) == "wrong-device"
        assert sign.ask("meters")["meters"][0]["levels"]["main"]["displayed_micros"] == SEED * 10_000


# ---------------------------------------------------------------- questions


def test_every_question_is_answered_without_secrets(served: Served) -> None:
    keys = load_keys(served.house.keys)
    arguments = {
        "table": {"table": "T1"},
        "link": {"link": "L1"},
        "round": {"round": "T1-1"},
        "drafts": {"table": "T1"},
    }
    with served.client() as client:
        client.command(START, actor=DEALER)
        answers = {name: client.ask(name, **arguments.get(name, {})) for name in ASKS}
        answers["health"] = client.ask("health")
    text = json.dumps(answers)
    assert all(answer["seq"] for answer in answers.values())
    for token in (card(SUPERVISOR), card(DEALER), secret("C-T1"), secret("SVC-1")):
        assert token not in text
        assert keys.fingerprint(token) not in text
    assert answers["round"]["round"]["taken"] == {"1": [1, 3]}
    assert "royal-flush" in answers["table"]["table"]["links"]["1"]["hands"]
    assert {person["badges"] for person in answers["people"]["people"]} == {1}


@pytest.mark.parametrize(
    ("ask", "code"),
    [
        ({"ask": "nonsense"}, "unknown-ask"),
        ({"ask": 7}, "unknown-ask"),
        ({"ask": "table"}, "unknown-table"),
        ({"ask": "drafts", "table": "T99"}, "unknown-table"),
        ({"ask": "drafts", "table": "T1", "at": "today"}, "bad-message"),
        ({"ask": "table", "table": "T99"}, "unknown-table"),
        ({"ask": "table", "table": ["T1"]}, "unknown-table"),
        ({"ask": "link", "link": "L99"}, "unknown-link"),
        ({"ask": "meters", "link": "L99"}, "unknown-link"),
        ({"ask": "round", "round": "T1-99"}, "unknown-round"),
        ({"ask": "health", "more": 1}, "unknown-key"),
        ({"ask": "key"}, "bad-message"),
        ({"subscribe": ["nonsense"]}, "unknown-topic"),
        ({"subscribe": []}, "unknown-topic"),
        ({"subscribe": "meters"}, "bad-message"),
        ({"subscribe": ["meters"], "links": "L1"}, "bad-message"),
        ({"nonsense": 1}, "bad-message"),
    ],
)
def test_a_bad_question_is_refused(shared: Served, ask: dict[str, Any], code: str) -> None:
    with Raw(shared.port) as raw:
        raw.hello()
        assert codes(raw.ask(ask)) == [code]
        assert raw.ask({"ping": 5})["pong"] == 5


@pytest.mark.parametrize("request_id", [True, 1.5, {"a": 1}, [1]])
def test_an_id_is_a_number_or_a_text(shared: Served, request_id: Any) -> None:
    with Raw(shared.port) as raw:
        raw.hello()
        raw.send({"id": request_id, "ping": 1})
        assert codes(raw.read()) == ["bad-message"]


def test_a_key_is_known_to_the_device_that_used_it(served: Served) -> None:
    with served.client() as client, served.client("C-T1") as controller:
        carried = client.command(START, actor=DEALER, key="k1")
        assert client.ask("key", key="k1") == {"key": "k1", "kind": "round.start", "seq": carried.seq}
        assert client.ask("key", key="k2")["kind"] is None
        assert controller.ask("key", key="k1")["kind"] is None


def test_a_message_is_taken_back_once_and_for_all(served: Served) -> None:
    with served.client("C-T1") as controller:
        withdraw = {"kind": "message.withdraw", "table": "T1", "kind_of": "round.start"}
        controller.command(withdraw, actor="device:C-T1", key="k1")
        assert refusal(lambda: controller.command(START, actor=DEALER, key="k1")) == "key-reused"
        assert controller.ask("table", table="T1")["table"]["round"] is None
        assert refusal(lambda: controller.command(withdraw, actor=DEALER, key="k2")) == "wrong-role"
        other = {**withdraw, "table": "T2"}
        assert refusal(lambda: controller.command(other, actor="device:C-T1", key="k3")) == "wrong-device"
