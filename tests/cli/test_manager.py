"""`houseway manager`: a property from nothing to its first round, by the command line alone."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from houseway.cli.manager_sessions import KeptSessions
from houseway.cli.manager_where import state_folder
from houseway.manager.handlers.room_choices import rules_hash
from tests.cli.runner import Run, call
from tests.manager.server.house import House, built, secret, session, sessions
from tests.manager.server.processes import Served
from tests.manager.server.raw import Raw

PEOPLE = [
    {"id": "E1", "name": "Executive 1", "department": "management", "roles": ["executive"]},
    {"id": "A1", "name": "Accounting 1", "department": "accounting", "roles": ["accounting"], "badge": "badge of A1"},
]


@pytest.fixture
def people(tmp_path: Path) -> str:
    file = tmp_path / "people.json"
    file.write_text(json.dumps(PEOPLE))
    return str(file)


def init(tmp_path: Path, people: str, **more: str) -> Run:
    options = {"--keys": str(tmp_path / "keys"), "--name": "Example Card Room", "--licence": "commercial", **more}
    words = [word for pair in options.items() for word in pair]
    return call("manager", "init", str(tmp_path / "house.db"), *words, "--people", people, "--json")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    return built(tmp_path_factory.mktemp("house"))


@pytest.fixture(scope="module")
def served(house: House) -> Iterator[Served]:
    with Served(house) as found:
        yield found


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def keep_sessions(served: Served) -> None:
    """Everybody has signed in at SVC-1 from this account."""
    kept = KeptSessions(state_folder() / "sessions" / f"SVC-1_127.0.0.1_{served.port}")
    for person, token in sessions().items():
        kept[person] = token


def direct(house: House) -> list[str]:
    return ["--database", str(house.folder / "house.db"), "--keys", str(house.keys)]


# ---------------------------------------------------------------- init


def test_a_property_begins_with_two_people(tmp_path: Path, people: str) -> None:
    run = init(tmp_path, people)
    assert run.code == 0, run.err
    assert run.json["people"] == ["E1", "A1"]
    assert "without E1" in run.json["next"][0]
    # The badge that the file does not name was made; the other one is not shown again.
    assert list(run.json["badges"]) == ["E1"]
    assert len(run.json["badges"]["E1"]) >= 20
    where = ["--database", str(tmp_path / "house.db"), "--keys", str(tmp_path / "keys")]
    shown = call("manager", "show", "people", *where, "--json").json["people"]
    assert [(person["id"], person["badges"]) for person in shown] == [("A1", 1), ("E1", 1)]
    assert "E1" in call("manager", "show", "people", *where).out
    everything = b"".join(file.read_bytes() for file in tmp_path.glob("house.db*"))
    for token in (run.json["badges"]["E1"], "badge of A1"):
        assert token.encode() not in everything


@pytest.mark.parametrize(
    ("changed", "codes"),
    [
        ([PEOPLE[0]], ["two-people"]),
        ([PEOPLE[0], {**PEOPLE[1], "department": "management"}], ["two-people"]),
        ([PEOPLE[0], {**PEOPLE[1], "id": "E1"}], ["person-exists"]),
        ([PEOPLE[0], {**PEOPLE[1], "department": "kitchen"}], ["bad-value"]),
        ({"people": PEOPLE}, ["wrong-type"]),
    ],
)
def test_faulty_people_are_refused_before_anything_is_made(
    tmp_path: Path, people: str, changed: Any, codes: list[str]
) -> None:
    Path(people).write_text(json.dumps(changed))
    run = init(tmp_path, people)
    assert (run.code, run.codes) == (2, codes)
    assert not (tmp_path / "keys").exists()
    assert not (tmp_path / "house.db").exists()


def test_keys_are_never_overwritten(tmp_path: Path, people: str) -> None:
    init(tmp_path, people)
    (tmp_path / "house.db").rename(tmp_path / "elsewhere.db")
    assert init(tmp_path, people).codes == ["keys-exist"]
    assert not (tmp_path / "house.db").exists()
    assert init(tmp_path, people, **{"--licence": "other"}).codes == ["bad-choice"]


def test_a_database_that_holds_a_property_gets_no_other_and_no_new_keys(tmp_path: Path, people: str) -> None:
    init(tmp_path, people)
    before = call("manager", "show", "health", *_where(tmp_path), "--json").json["hash"]
    for folder in ("keys", "keys2"):
        run = init(tmp_path, people, **{"--keys": str(tmp_path / folder)})
        assert (run.codes, "house.db holds a property already" in run.out) == (["property-exists"], True)
    assert not (tmp_path / "keys2").exists()
    assert call("manager", "show", "health", *_where(tmp_path), "--json").json["hash"] == before


def test_where_nothing_can_be_written_the_file_is_named(
    tmp_path: Path, people: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = init(tmp_path, people, **{"--keys": f"{people}/keys"})
    assert run.faults == [("unwritable-file", "keys")]
    assert "people.json" in run.out
    assert not (tmp_path / "house.db").exists()
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    run = init(tmp_path, people)
    assert run.faults == [("unwritable-file", "database")]
    assert str(tmp_path) in run.out
    assert not (tmp_path / "keys").exists()


def test_a_file_of_another_kind_is_not_made_a_journal(tmp_path: Path, people: str) -> None:
    (tmp_path / "house.db").write_text("something else")
    assert init(tmp_path, people).codes == ["no-journal"]
    assert not (tmp_path / "keys").exists()


def _where(tmp_path: Path) -> list[str]:
    return ["--database", str(tmp_path / "house.db"), "--keys", str(tmp_path / "keys")]


def test_without_a_file_and_a_terminal_nobody_can_be_asked(tmp_path: Path) -> None:
    run = call("manager", "init", str(tmp_path / "h.db"), "--keys", str(tmp_path / "k"), "--name", "x",
               "--licence", "tribal", "--json")  # fmt: skip
    assert run.codes == ["missing-argument"]


def _answered(terminal: int, answers: list[str]) -> bytes:
    """Type each answer when it is asked for; everything that the terminal showed."""
    shown, waiting = b"", b""
    while select.select([terminal], [], [], 30)[0]:
        try:
            data = os.read(terminal, 4096)
        except OSError:
            break
        shown, waiting = shown + data, waiting + data
        if answers and waiting.rstrip(b" ").endswith(b":"):
            waiting = b""
            os.write(terminal, f"{answers.pop(0)}\n".encode())
    return shown


def test_in_a_terminal_the_first_people_are_asked_for(tmp_path: Path) -> None:
    answers = [
        "E1",
        "Executive 1",
        "management",
        "executive",
        "",
        "A1",
        "Accounting 1",
        "accounting",
        "accounting",
        "4831 1002 77",
    ]
    command = [
        sys.executable,
        "-m",
        "houseway",
        "manager",
        "init",
        str(tmp_path / "h.db"),
        "--keys",
        str(tmp_path / "k"),
    ]
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*command, "--name", "x", "--licence", "tribal"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    shown = _answered(ours, answers)
    os.close(ours)
    assert process.wait(30) == 0, shown
    assert b"badge of E1, shown once:" in shown
    assert b"next: register another person" in shown
    assert b"badge of A1" not in shown


# ---------------------------------------------------------------- do and show


def test_one_command_to_the_database(house: House) -> None:
    do = {
        "kind": "person.add",
        "person": "D90",
        "name": "Dealer 90",
        "department": "pit",
        "roles": ["dealer"],
        "badge": "?",
        "second_badge": "?",
    }
    os.environ["HOUSEWAY_BADGE"] = "badge of D90"
    os.environ["HOUSEWAY_SECOND_BADGE"] = "badge of Surveillance 1"
    try:
        run = call("manager", "do", json.dumps(do), "--actor", "Supervisor 3", "--key", "k90", *direct(house), "--json")
        again = call(
            "manager", "do", json.dumps(do), "--actor", "Supervisor 3", "--key", "k90", *direct(house), "--json"
        )
    finally:
        del os.environ["HOUSEWAY_BADGE"], os.environ["HOUSEWAY_SECOND_BADGE"]
    assert run.json["answer"]["person"] == "D90"
    assert (again.json["seq"], again.json["repeated"]) == (run.json["seq"], True)


def test_a_token_on_the_command_line_is_refused(house: House) -> None:
    do = {"kind": "dealer.in", "table": "T1", "badge": "badge of Dealer 17"}
    run = call("manager", "do", json.dumps(do), "--actor", "Dealer 17", *direct(house), "--json")
    assert run.faults == [("token-in-command", "do.badge")]
    do["badge"] = "?"
    run = call("manager", "do", json.dumps(do), "--actor", "Dealer 17", *direct(house), "--json")
    assert run.faults == [("token-missing", "do.badge")]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["do", "{}", "--actor", "x"], "wrong-type"),
        (["do", "{", "--actor", "x"], "bad-json"),
        (["do", "", "--actor", "x"], "bad-json"),
        (["do", "[]", "--actor", "x"], "wrong-type"),
        (["do", '{"kind": "round.end", "round": "T1-1"}', "--actor", "x", "--key", ""], "bad-value"),
        (["do", "--nonsense", "--actor", "x"], "unknown-option"),
        (["do", "/nonexistent", "--actor", "x"], "unreadable-file"),
        (["do", '{"kind": "round.end", "round": "T1-1"}', "--actor", "x"], "conflicting-options"),
        (
            ["do", '{"kind": "round.end", "round": "T1-1"}', "--actor", "x", "--sign-in", "?", "--database", "x.db"],
            "conflicting-options",
        ),
        (
            ["do", '{"kind": "round.end", "round": "T1-1"}', "--actor", "x", "--sign-in", "?", "--manager", "h:1"],
            "token-missing",
        ),
        (
            ["do", '{"kind": "round.end", "round": "T1-1"}', "--actor", "x", "--sign-in", "/none", "--manager", "h:1"],
            "unreadable-file",
        ),
        (["show", "secrets"], "bad-choice"),
        (["show", "meters", "--database", "x.db"], "missing-argument"),
        (["show", "meters", "--manager", "127.0.0.1:1"], "missing-argument"),
        (
            ["show", "meters", "--manager", "127.0.0.1:1", "--device", "x", "--secret-file", "/nonexistent"],
            "unreadable-file",
        ),
        (["serve", "x.db", "--keys", "/nonexistent", "--listen", "nonsense:x"], "bad-address"),
        (["serve", "x.db", "--keys", "/nonexistent"], "keys-missing"),
        (["serve", "x.db", "--keys", "k", "--tls-cert", "c"], "missing-argument"),
        (["nonsense"], "unknown-command"),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else value,
)
def test_mistakes_are_faults(arguments: list[str], code: str) -> None:
    run = call("manager", *arguments, "--json")
    assert run.code == 2
    assert run.codes[0] == code


def test_commands_and_questions_to_a_server(served: Served, tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.touch(mode=0o600)
    file.write_text(secret("SVC-1"))
    where = ["--manager", served.address, "--device", "SVC-1", "--secret-file", str(file)]
    keep_sessions(served)
    run = call("manager", "do", '{"kind": "round.start", "table": "T1", "sensors": {"1": [2]}}', "--actor", "Dealer 17",
               *where, "--json")  # fmt: skip
    assert run.json["answer"]["round"] == "T1-1"
    meters = call("manager", "show", "meters", *where, "--json").json["meters"]
    assert meters[0]["levels"]["main"]["displayed_micros"] == 10_000_200_000
    assert "$10,000.20" in call("manager", "show", "meters", *where).out
    assert "T1-1" in call("manager", "show", "tables", *where).out
    assert "6CFPGPP-2" in call("manager", "show", "links", *where).out
    health = call("manager", "show", "health", *where)
    assert "serving" in health.out
    # A refusal of the manager is told like any other.
    run = call("manager", "do", '{"kind": "round.start", "table": "T1"}', "--actor", "Dealer 17", *where, "--json")
    assert (run.code, run.codes) == (2, ["round-in-play"])


def test_health_says_that_this_desk_refuses_the_manager(served: Served, tmp_path: Path) -> None:
    """Whatever a manager says of itself: where it lacks what was seen here, nobody here works with it."""
    file = tmp_path / "secret"
    file.touch(mode=0o600)
    file.write_text(secret("SVC-1"))
    where = ["--manager", served.address, "--device", "SVC-1", "--secret-file", str(file)]
    assert call("manager", "show", "health", *where, "--json").json["state"] == "serving"
    (seen,) = (tmp_path / "state" / "houseway" / "seen").iterdir()
    known = json.loads(seen.read_text())
    known["mark"] |= {"seq": known["mark"]["seq"] + 1_000, "hash": "5" * 64}
    seen.write_text(json.dumps(known))
    run = call("manager", "show", "meters", *where, "--json")
    assert (run.code, run.codes) == (2, ["history-lost"])
    health = call("manager", "show", "health", *where, "--json").json
    assert (health["state"], [fault["code"] for fault in health["faults"]]) == ("refused", ["history-lost"])
    assert "5" * 64 in health["faults"][0]["message"]
    assert json.loads(seen.read_text()) == known


def test_a_database_is_shown_without_being_written_to(house: House) -> None:
    """Whoever only looks leaves no event behind, and sees what is there while a server writes."""
    where = direct(house)
    before = call("manager", "show", "health", *where, "--json").json
    assert before["state"] == "at rest"
    meters = call("manager", "show", "meters", *where, "--json").json
    assert meters["meters"][0]["levels"]["main"]["displayed_micros"] >= 10_000_000_000
    assert "T1" in call("manager", "show", "tables", *where).out
    after = call("manager", "show", "health", *where, "--json").json
    assert (after["seq"], after["hash"]) == (before["seq"], before["hash"]) == (meters["seq"], before["hash"])


def test_the_actor_signs_in_with_a_card_from_a_file_or_the_environment(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, own = tmp_path / "secret", tmp_path / "badge"
    for path, text in ((file, secret("SVC-1")), (own, "badge of Accounting 1")):
        path.touch(mode=0o600)
        path.write_text(text)
    where = ["--manager", served.address, "--device", "SVC-1", "--secret-file", str(file), "--json"]
    out = json.dumps({"kind": "person.sign-out", "person": "Accounting 1"})
    assert call("manager", "do", out, "--actor", "Accounting 1", *where).codes == ["not-signed-in"]
    keep_sessions(served)
    assert call("manager", "do", out, "--actor", "Accounting 1", *where).code == 0
    monkeypatch.setenv("HOUSEWAY_BADGE", "badge of Executive 1")
    slip = json.dumps({"kind": "link.deposit", "link": "L1", "cents": 500, "paper": "slip 1", "badge": "?"})
    deposit = ("manager", "do", slip, "--actor", "Accounting 1")
    assert call(*deposit, *where).codes == ["not-signed-in"]
    own.chmod(0o644)
    assert call(*deposit, "--sign-in", str(own), *where).codes == ["secret-open"]
    own.chmod(0o600)
    assert call(*deposit, "--sign-in", str(own), *where).json["answer"]["second_person"] == "Executive 1"
    # It holds for the one command; and a badge makes nobody but its own person.
    assert call(*deposit, *where).codes == ["not-signed-in"]
    monkeypatch.setenv("HOUSEWAY_SIGN_IN", "badge of Auditor 1")
    assert call(*deposit, "--sign-in", "?", *where).faults == [("not-signed-in", "sign-in")]
    assert call(*deposit, *where).codes == ["not-signed-in"]
    monkeypatch.setenv("HOUSEWAY_SIGN_IN", "badge of Accounting 1")
    assert call(*deposit, "--sign-in", "?", *where).code == 0
    # Also when the command is refused, and when it ends the sign-in itself.
    monkeypatch.setenv("HOUSEWAY_BADGE", "badge of Accounting 1")
    assert call(*deposit, "--sign-in", "?", *where).code == 2
    assert call(*deposit, *where).codes == ["not-signed-in"]
    run = call("manager", "do", out, "--actor", "Accounting 1", "--sign-in", "?", *where)
    assert (run.code, run.err) == (0, "")


def test_a_sign_in_lasts_for_this_account_alone(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "secret"
    file.touch(mode=0o600)
    file.write_text(secret("SVC-1"))
    where = ["--manager", served.address, "--device", "SVC-1", "--secret-file", str(file), "--json"]
    monkeypatch.setenv("HOUSEWAY_BADGE", "badge of Supervisor 4")
    sign_in = '{"kind": "person.sign-in", "badge": "?"}'
    told = call("manager", "do", sign_in, "--actor", "device:SVC-1", *where)
    assert told.code == 0, told.out
    person = told.json["answer"]["person"]
    (kept,) = (path for path in (tmp_path / "state" / "houseway" / "sessions").rglob("*") if path.is_file())
    assert kept.stat().st_mode & 0o077 == 0
    assert kept.read_text().strip() not in told.out
    noted = '{"kind": "incident.record", "code": "malfunction", "device": "T1", "text": "it flickered", "known_at": 0}'
    assert call("manager", "do", noted, "--actor", person, *where).code == 0
    # Another account of the machine, with the same secret of the service, is nobody.
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another"))
    assert call("manager", "do", noted, "--actor", person, *where).codes == ["not-signed-in"]
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    kept.chmod(0o640)
    assert call("manager", "do", noted, "--actor", person, *where).codes == ["secret-open"]
    kept.chmod(0o600)
    out = json.dumps({"kind": "person.sign-out", "person": person})
    assert call("manager", "do", out, "--actor", person, *where).code == 0
    assert not kept.exists()
    assert call("manager", "do", noted, "--actor", person, *where).codes == ["not-signed-in"]
    monkeypatch.undo()
    typed = '{"kind": "person.sign-in", "badge": "?", "session": "typed on the command line"}'
    monkeypatch.setenv("HOUSEWAY_BADGE", "badge of Supervisor 4")
    assert call("manager", "do", typed, "--actor", "device:SVC-1", *where).codes == ["token-in-command"]


def test_a_sign_in_that_cannot_be_ended_is_told(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from houseway.manager.commands.house_commands import SignOut
    from houseway.manager.interface.client import ManagerClient
    from houseway.manager.interface.contract import ManagerAwayError

    file, send = tmp_path / "secret", ManagerClient.send
    file.touch(mode=0o600)
    file.write_text(secret("SVC-1"))

    def cut(self: ManagerClient, do: Any, **more: Any) -> Any:
        if isinstance(do, SignOut):
            raise ManagerAwayError("no manager answers")
        return send(self, do, **more)

    monkeypatch.setattr(ManagerClient, "send", cut)
    monkeypatch.setenv("HOUSEWAY_SIGN_IN", "badge of Technician 1")
    do = json.dumps({"kind": "device.add", "device": "SIGN-77", "kind_of": "display"})
    run = call("manager", "do", do, "--actor", "Technician 1", "--sign-in", "?", "--new-secret", str(tmp_path / "s"),
               "--manager", served.address, "--device", "SVC-1", "--secret-file", str(file), "--json")  # fmt: skip
    assert run.code == 0, run.out
    assert run.json["answer"]["device"] == "SIGN-77"
    assert "Technician 1 may still be signed in at SVC-1" in run.err
    monkeypatch.undo()
    with Raw(served.port) as raw:
        # Back in the session in which the others find everybody.
        do = {"kind": "person.sign-in", "badge": "badge of Technician 1", "session": session("Technician 1")}
        raw.hello()
        assert "answer" in raw.ask({"command": {"key": "back", "actor": "device:SVC-1", "do": do}})


def test_an_answer_is_printed_for_people(served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "secret"
    file.touch(mode=0o600)
    file.write_text(secret("SVC-1"))
    monkeypatch.setenv("HOUSEWAY_BADGE", "badge of Executive 1")
    run = call("manager", "do", '{"kind": "person.sign-in", "badge": "?"}', "--actor", "device:SVC-1",
               "--manager", served.address, "--device", "SVC-1", "--secret-file", str(file))  # fmt: skip
    assert "  roles:\n    - executive\n" in run.out
    assert "  until: 20" in run.out
    assert "+00:00\n" in run.out


def test_devices_and_papers_are_shown(house: House) -> None:
    shown = call("manager", "show", "devices", *direct(house)).out
    assert "C-T1" in shown
    assert "Supervisor 3 since 20" in " ".join(shown.split())
    assert "secret" not in call("manager", "show", "devices", *direct(house), "--json").out
    shown = call("manager", "show", "papers", *direct(house)).out
    assert "game-approval-six-card-fortune-T1" in shown


def test_an_incident_is_recorded_at_a_local_time_and_listed_with_its_clock(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "America/Los_Angeles")
    time.tzset()
    try:
        do = {"kind": "incident.record", "code": "malfunction", "device": "T1", "text": "seat 4 stays lit"}
        record = ("--actor", "Supervisor 3", *direct(house), "--json")
        misread = call("manager", "do", json.dumps({**do, "known_at": "yesterday"}), *record)
        assert misread.codes == ["bad-time"]
        known = datetime.now().astimezone().replace(microsecond=0) - timedelta(minutes=5)
        told = call("manager", "do", json.dumps({**do, "known_at": f"{known:%Y-%m-%dT%H:%M:%S}"}), *record)
        assert told.code == 0, told.out
        listed = call("manager", "show", "incidents", *direct(house), "--json").json["incidents"]
        incident = next(each for each in listed if each["fields"]["text"] == "seat 4 stays lit")
        assert incident["since"] == int(known.timestamp()) * 1_000_000
        shown = " ".join(call("manager", "show", "incidents", *direct(house)).out.split())
        assert incident["id"] in shown
        due = known + timedelta(hours=72)
        assert f"{due:%Y-%m-%d}" in shown
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(
    "looking", [["table", "list"], ["manager", "show", "health"], ["papers", "drafts", "T1"], ["slip", "list"]]
)
def test_looking_takes_no_sign_in_and_says_why(house: House, looking: list[str]) -> None:
    run = call(*looking, "--sign-in", "?", *direct(house), "--json")
    assert run.faults == [("conflicting-options", "sign-in")]
    assert "looking needs no badge" in call(*looking, "--sign-in", "?", *direct(house)).err


def test_the_papers_that_a_table_lacks_are_drafted_and_no_draft_is_taken_for_a_paper(house: House) -> None:
    create = json.dumps({"kind": "table.create", "table": "T90", "game": "face-up"})
    assert call("manager", "do", create, "--actor", "Technician 1", *direct(house), "--json").code == 0
    listed = " ".join(call("table", "list", *direct(house)).out.split())
    assert "to open: game-approval," in listed
    assert "(houseway papers drafts T90)" in listed
    lacking = call("table", "list", *direct(house), "--json").json["unopened"]["T90"]
    assert "game-approval" in {fault["path"] for fault in lacking}
    run = call("papers", "drafts", "T90", *direct(house))
    drafts = [json.loads(line) for line in run.out.splitlines()]
    approval = next(draft for draft in drafts if draft["register"] == "game-approval")
    assert (approval["kind"], approval["subject"]) == ("paper.record", "face-up")
    assert approval["fields"]["hash"] == rules_hash("face-up")
    assert approval["fields"]["submission"] == "FILL IN"
    # For people the local time, which can be typed again; for programs the number.
    assert abs(datetime.fromisoformat(approval["since"]).timestamp() - time.time()) < 60
    told = call("papers", "drafts", "T90", *direct(house), "--json").json
    assert abs(told["drafts"][0]["since"] / 1e6 - time.time()) < 60
    # What an executive does not enter is named beside the drafts.
    assert "surveillance-coverage is entered by surveillance" in run.err
    assert told["entered_by"]["surveillance-coverage"] == ["surveillance"]
    for draft in drafts:
        by = "Executive 1" if "executive" in told["entered_by"][draft["register"]] else "Surveillance 1"
        record = ("--actor", by, *direct(house), "--json")
        taken = call("manager", "do", json.dumps(draft), *record)
        if "FILL IN" in json.dumps(draft):
            assert set(taken.codes) == {"paper-draft"}
            filled = json.dumps(draft).replace("FILL IN", "example, not a real paper")
            taken = call("manager", "do", filled, *record)
        assert taken.code == 0, taken.out
    assert call("papers", "drafts", "T90", *direct(house), "--json").json["drafts"] == []
    assert call("papers", "drafts", "T99", *direct(house), "--json").codes == ["unknown-table"]


def test_a_new_device_gets_its_secret_in_a_file_of_its_own(served: Served, tmp_path: Path) -> None:
    file, service = tmp_path / "sign.secret", tmp_path / "secret"
    service.touch(mode=0o600)
    service.write_text(secret("SVC-1"))
    where = ["--manager", served.address, "--device", "SVC-1", "--secret-file", str(service)]
    do = json.dumps({"kind": "device.add", "device": "SIGN-9", "kind_of": "display"})
    keep_sessions(served)
    run = call("manager", "do", do, "--actor", "Technician 1", "--new-secret", str(file), *where, "--json")
    assert run.code == 0, run.out
    assert file.stat().st_mode & 0o077 == 0
    assert file.read_text().strip() not in run.out
    shown = call("manager", "show", "meters", "--manager", served.address, "--device", "SIGN-9",
                 "--secret-file", str(file), "--json")  # fmt: skip
    assert shown.json["meters"]
    again = call("manager", "do", do, "--actor", "Technician 1", "--new-secret", str(file), *where, "--json")
    assert again.codes == ["unwritable-file"]
    # A refused command leaves no secret behind that belongs to nobody.
    other = tmp_path / "other.secret"
    again = call("manager", "do", do, "--actor", "Technician 1", "--new-secret", str(other), *where, "--json")
    assert again.codes == ["device-exists"]
    assert not other.exists()


def test_a_server_that_is_not_there_is_told(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.touch(mode=0o600)
    file.write_text("x")
    run = call("manager", "show", "meters", "--manager", "127.0.0.1:1", "--device", "x", "--secret-file", str(file))
    assert run.code == 3
    assert "no manager answers" in run.err
