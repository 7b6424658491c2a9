"""Commands and questions over real sockets: carried out once, refused with reasons, answered without secrets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from houseway.manager.commands.link_commands import StopLink
from houseway.manager.commands.round_commands import EndRound, PayJackpot, SetSensor, VoidRound
from houseway.manager.interface.contract import RefusedError
from houseway.manager.interface.requests import command_of
from houseway.manager.store.keys import load_keys
from houseway.manager.views.floor_questions import QUESTIONS, KeyQuestion, MetersQuestion
from tests.manager.floors import DEALER, SUPERVISOR, badge
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
        first = client.send(command_of(START), actor=DEALER, key="k1")
        again = client.send(command_of(START), actor=DEALER, key="k1")
        assert first.answer.round == "T1-1"
        assert (again.seq, again.hash, again.answer, again.repeated) == (first.seq, first.hash, first.answer, True)
        (meters,) = client.ask(MetersQuestion(link="L1")).meters
        assert meters.levels["main"].meter_micros == SEED * 10_000 + 400_000


def test_a_key_with_other_content_is_refused(served: Served) -> None:
    with served.client() as client:
        client.send(command_of(START), actor=DEALER, key="k1")
        other = command_of({**START, "sensors": {"1": [2]}})
        assert refusal(lambda: client.send(other, actor=DEALER, key="k1")) == "key-reused"
        assert refusal(lambda: client.send(command_of(START), actor=SUPERVISOR, key="k1")) == "key-reused"


def test_the_same_key_from_another_device_is_another_command(served: Served) -> None:
    with served.client() as client, served.client("C-T1") as controller:
        started = client.send(command_of(START), actor=DEALER, key="k1")
        assert controller.request({"ask": "key", "key": "k1"})["seq"] is None
        assert refusal(lambda: controller.send(command_of(START), actor=DEALER, key="k1")) == "round-in-play"
        ended = controller.send(EndRound("T1-1"), actor=DEALER, key="k1")
        assert not ended.repeated
        found = [each.ask(KeyQuestion(key="k1")).seq for each in (client, controller)]
        assert found == [started.seq, ended.seq]


def test_a_refusal_names_every_fault_and_changes_nothing(served: Served) -> None:
    with served.client() as client:
        before = client.request({"ask": "table", "table": "T1"})
        with pytest.raises(RefusedError) as caught:
            client.send(command_of({**START, "sensors": {"1": [0, 9]}}), actor=DEALER)
        assert [fault.code for fault in caught.value.faults] == ["no-such-seat", "no-such-seat"]
        assert client.request({"ask": "table", "table": "T1"})["table"] == before["table"]


def test_cards_become_fingerprints_at_the_edge(served: Served) -> None:
    """A fingerprint sent in place of a token is fingerprinted again: whoever reads the journal gains nothing."""
    stolen = load_keys(served.house.keys).fingerprint(badge(SUPERVISOR))
    with served.client() as client:
        client.send(command_of(START), actor=DEALER)
        void = {"kind": "round.void", "round": "T1-1", "reason": "misdeal"}
        assert refusal(lambda: client.send(command_of({**void, "badge": stolen}), actor=DEALER)) == "badge-refused"
        right = VoidRound("T1-1", badge(SUPERVISOR), "misdeal")
        assert client.send(right, actor=DEALER).answer.approved_by == SUPERVISOR


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
        ({"key": "k", "actor": DEALER, "do": {"kind": "dealer.in", "table": "T1", "badge": ""}}, "bad-message"),
        ({"key": "k", "actor": DEALER, "do": {"kind": "dealer.in", "table": "T1", "badge": "x" * 501}}, "bad-message"),
        ("nothing", "bad-message"),
        ([], "bad-message"),
    ],
)
def test_a_bad_command_is_refused_and_the_connection_goes_on(shared: Served, command: Any, code: str) -> None:
    with Raw(shared.port) as raw:
        raw.hello()
        assert codes(raw.ask({"command": command})) == [code]
        assert raw.ask({"ask": "health"})["answer"]["state"] == "serving"


@pytest.mark.parametrize("deep", ['{"a": %s}', "[%s]", '{"badge": %s}', '[{"b": [%s]}]'])
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
        # A badge within a change is out of place at any depth that can be read.
        assert codes(answer) == ["token-misplaced" if "badge" in deep and levels < 1_000 else "bad-message"]
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
        assert refusal(lambda: controller.send(command_of(START), actor=DEALER)) == "wrong-device"
        client.send(command_of(START), actor=DEALER)
        end = EndRound("T1-1")
        assert refusal(lambda: controller.send(end, actor=DEALER)) == "wrong-device"
        pay = PayJackpot("T1-1/1")
        assert refusal(lambda: controller.send(pay, actor=DEALER)) == "wrong-device"
        stop = StopLink("L1", badge(SUPERVISOR), cause="other", reason="x")
        assert refusal(lambda: controller.send(stop, actor=SUPERVISOR)) == "wrong-device"


def test_one_device_does_not_speak_for_another(served: Served) -> None:
    sensor = SetSensor("T1", "1", seat=2, lit=True)
    with served.client("C-T1") as controller:
        assert refusal(lambda: controller.send(sensor, actor="device:C-T2")) == "wrong-device"
        assert controller.send(sensor, actor="device:C-T1").answer.lit == {"1": [2]}


def test_a_display_asks_and_does_not_command(served: Served) -> None:
    with served.client("SIGN-1") as sign:
        assert refusal(lambda: sign.send(command_of(START), actor=DEALER)) == "wrong-device"
        assert refusal(lambda: sign.request({"ask": "people"})) == "wrong-device"
        assert refusal(lambda: sign.subscribe("events")) == "wrong-device"
        assert sign.request({"ask": "meters"})["meters"][0]["levels"]["main"]["displayed_micros"] == SEED * 10_000


# ---------------------------------------------------------------- questions


def test_every_question_is_answered_without_secrets(served: Served) -> None:
    keys = load_keys(served.house.keys)
    arguments = {
        "table": {"table": "T1"},
        "link": {"link": "L1"},
        "round": {"round": "T1-1"},
        "drafts": {"table": "T1"},
        "key": {"key": "start"},
        "slip": {"slip": "WIN-000001"},
        "win-page": {"award": "T1-1/1"},
    }
    with served.client() as client:
        client.send(command_of(START), actor=DEALER, key="start")
        client.send(command_of({"kind": "hand.press", "round": "T1-1", "seat": 3, "hand": "royal-flush"}), actor=DEALER)
        client.send(command_of({"kind": "jackpot.hit", "round": "T1-1"}), actor=DEALER)
        client.send(command_of({"kind": "jackpot.pay", "award": "T1-1/1", "badge": badge(SUPERVISOR)}), actor=DEALER)
        answers = {name: client.request({"ask": name, **arguments.get(name, {})}) for name in QUESTIONS}
    text = json.dumps(answers)
    # A head speaks for itself: how many events it covers stands in its note.
    assert answers.pop("head").keys() == {"head", "old", "path"}
    assert all(answer["seq"] for answer in answers.values())
    for token in (badge(SUPERVISOR), badge(DEALER), secret("C-T1"), secret("SVC-1")):
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
        ({"ask": "table"}, "bad-message"),
        ({"ask": "drafts", "table": "T99"}, "unknown-table"),
        ({"ask": "drafts", "table": "T1", "at": "today"}, "bad-message"),
        ({"ask": "table", "table": "T99"}, "unknown-table"),
        ({"ask": "table", "table": ["T1"]}, "bad-message"),
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


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (
            {"subscribe": ["meters", "wether", 7], "links": ["L1", 5]},
            {("bad-message", "subscribe[2]"), ("bad-message", "links[1]")},
        ),
        (
            {"subscribe": ["wether", "tabels"]},
            {("unknown-topic", "subscribe[0]"), ("unknown-topic", "subscribe[1]")},
        ),
        ({"subscribe": ["meters"], "link": ["L1"]}, {("bad-message", "link")}),
        (
            {"ask": "drafts", "at": "today", "more": 1},
            {("bad-message", "at"), ("bad-message", "table"), ("unknown-key", "more")},
        ),
        ({"ask": "chain", "sqe": 1, "more": 1}, {("unknown-key", "sqe"), ("unknown-key", "more")}),
        (
            {"command": {"key": 5, "session": 7, "do": {"kind": "round.end"}}},
            {("bad-message", place) for place in ("key", "actor", "session", "do.round")},
        ),
    ],
    ids=["kinds", "topics", "misspelt", "question", "of-the-protocol", "command"],
)
def test_a_request_is_refused_with_every_fault_and_its_place(
    shared: Served, message: dict[str, Any], told: set[tuple[str, str]]
) -> None:
    with Raw(shared.port) as raw:
        raw.hello()
        faults = raw.ask(message)["error"]["faults"]
    assert {(fault["code"], fault["path"]) for fault in faults} == told


@pytest.mark.parametrize("request_id", [True, 1.5, {"a": 1}, [1]])
def test_an_id_is_a_number_or_a_text(shared: Served, request_id: Any) -> None:
    with Raw(shared.port) as raw:
        raw.hello()
        raw.send({"id": request_id, "ping": 1})
        assert codes(raw.read()) == ["bad-message"]


def test_a_key_is_known_to_the_device_that_used_it(served: Served) -> None:
    with served.client() as client, served.client("C-T1") as controller:
        carried = client.send(command_of(START), actor=DEALER, key="k1")
        assert client.request({"ask": "key", "key": "k1"}) == {"key": "k1", "kind": "round.start", "seq": carried.seq}
        assert client.request({"ask": "key", "key": "k2"})["kind"] is None
        assert controller.request({"ask": "key", "key": "k1"})["kind"] is None


def test_a_message_is_taken_back_once_and_for_all(served: Served) -> None:
    with served.client("C-T1") as controller:
        withdraw = {"kind": "message.withdraw", "table": "T1", "kind_of": "round.start"}
        controller.send(command_of(withdraw), actor="device:C-T1", key="k1")
        assert refusal(lambda: controller.send(command_of(START), actor=DEALER, key="k1")) == "key-reused"
        assert controller.request({"ask": "table", "table": "T1"})["table"]["round"] is None
        assert refusal(lambda: controller.send(command_of(withdraw), actor=DEALER, key="k2")) == "wrong-role"
        other = {**withdraw, "table": "T2"}
        assert refusal(lambda: controller.send(command_of(other), actor="device:C-T1", key="k3")) == "wrong-device"
