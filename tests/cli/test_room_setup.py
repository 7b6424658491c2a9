"""`houseway setup`: from nothing to an open table at a terminal, run again, and with files of people and tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from houseway.cli.crew import TASKS, CrewMember, crew_lines, who_can
from tests.cli.runner import call
from tests.cli.terminal import TypedProgram


def _places(folder: Path) -> dict[str, str]:
    return {"HOUSEWAY_DESK": str(folder / "desk.toml"), "XDG_STATE_HOME": str(folder / "state")}


def _papers(program: TypedProgram) -> int:
    """Answer every question of every paper; how many there were."""
    answered = 0
    while program.expect_like(r"Open T1 now.*: $|^  [a-z ]+: $").startswith("  "):
        program.type("example, not a real paper")
        answered += 1
    return answered


@pytest.mark.slow
def test_three_people_come_from_nothing_to_an_open_table(tmp_path: Path) -> None:
    with TypedProgram("setup", "room", cwd=tmp_path, environment=_places(tmp_path)) as program:
        program.answer("Name of the room", "Example Card Room")
        program.answer("Licence", "1")
        for person, name, department, roles, badge in (
            ("E1", "Executive 1", "management", "executive", "12345678"),
            ("S3", "Supervisor 3", "pit", "supervisor, dealer", "48311002"),
            ("V1", "Surveillance 1", "surveillance", "surveillance", "48311003"),
        ):
            program.answer("id, such as E1", person)
            program.answer("  name", name)
            program.answer("  department", department)
            program.answer("roles, with commas", roles)
            program.answer(f"badge of {person}", badge)
        # What was refused is asked for again, and nothing else of it.
        program.expect("easily guessed")
        program.answer("badge of E1", "48311001")
        program.answer("Who confirms, from another department", "S3")
        program.expect("E1 acts; S3 confirms")
        program.expect("open and close tables: yes", "pay any jackpot: not yet")
        program.answer("Register another person", "yes")
        program.answer("id, such as E1", "D4")
        program.answer("  name", "Dealer 4")
        program.answer("  department", "pit")
        program.answer("roles, with commas", "dealer")
        program.answer("new badge of D4", "48311004")
        program.answer("is V1 here to confirm D4", "")
        program.expect("pay any jackpot: not yet")
        program.answer("Register another person", "nein")
        program.expect("is neither yes nor no")
        program.answer("Register another person", "no")
        program.expect("DESK is registered")
        program.answer("Table", "T/1")
        program.answer("game", "six-card-fortune")
        program.expect("an id begins with a letter or digit")
        program.answer("Table", "")
        program.answer("game", "six-card-fortune")
        program.answer("A progressive at T1", "")
        program.answer("link", "")
        program.answer("pay table", "6CFPGPP-2")
        program.answer("seed in dollars", "ten thousand")
        program.expect("is not an amount in dollars")
        program.answer("seed in dollars", "10,000")
        program.answer("contribution", "120%")
        program.answer("reserve", "")
        program.expect("is not a share from 0 to 1")
        program.answer("enter the link again", "")
        program.answer("link", "")
        program.answer("pay table", "6CFPGPP-2")
        program.answer("seed in dollars", "10,000")
        program.answer("contribution", "")
        program.answer("reserve", "")
        assert _papers(program) > 5
        program.type("yes")
        program.answer("float in dollars", "10,000")
        program.expect("T1 is open", "houseway controller --table T1 ")
        assert program.ends() == 0, program.said
    # No badge was shown, and none stands in what the terminal said.
    assert "48311001" not in program.said
    assert "48311002" not in program.said
    where = ["--database", str(tmp_path / "room" / "house.db"), "--keys", str(tmp_path / "room" / "keys"), "--json"]
    confirmed = {one["id"]: one["confirmed_by"] for one in call("staff", "list", *where).json["people"]}
    assert confirmed == {"E1": None, "S3": None, "V1": None, "D4": "V1"}
    (table,) = call("table", "list", *where).json["tables"]
    assert (table["id"], table["status"], table["sensors"]) == ("T1", "open", {"1": "L1"})
    assert {one["id"] for one in call("device", "list", *where).json["devices"]} == {"DESK", "C-T1"}
    assert (
        call("audit", "verify", str(tmp_path / "room" / "house.db"), "--keys", str(tmp_path / "room" / "keys")).code
        == 0
    )


@pytest.mark.slow
def test_run_again_it_takes_files_and_leaves_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(
        "person,name,department,role\nE1,Executive 1,management,executive\nA1,Accounting 1,accounting,accounting\n"
        "S3,Supervisor 3,pit,supervisor;dealer\nD4,Dealer 4,pit,dealer\n"
    )
    (tmp_path / "tables.csv").write_text("table,game\nT7,fortune\n")
    words = ("setup", "room", "--staff", "people.csv", "--tables", "tables.csv")
    for turn in (1, 2):
        with TypedProgram(*words, cwd=tmp_path, environment=_places(tmp_path)) as program:
            if turn == 1:
                program.answer("Name of the room", "Example Card Room")
                program.answer("Licence", "commercial")
                program.answer("badge of E1", "48311001")
                program.answer("badge of A1", "48311002")
                program.answer("badge of S3", "48311003")
                program.answer("from another department", "A1")
                program.answer("new badge of D4", "")
                program.expect("shown once")
                program.answer("is S3 here to confirm D4", "no")
                program.expect("houseway staff confirm D4")
            else:
                program.expect("setting up what is missing")
                program.answer("from another department", "A1")
                program.answer("badge of E1", "48311002")
                program.expect("another person's badge")
                program.answer("badge of E1", "48311001")
                program.answer("badge of A1", "48311002")
            program.answer("A progressive at T7", "no")
            if turn == 1:
                program.expect_like(r"^  [a-z ]+: $")
                program.type("\x04")
                assert program.ends() == 2, program.said
            else:
                program.expect("T7 lacks")
    where = ["--database", str(tmp_path / "room" / "house.db"), "--keys", str(tmp_path / "room" / "keys"), "--json"]
    assert {one["id"] for one in call("staff", "list", *where).json["people"]} == {"E1", "A1", "S3", "D4"}
    assert [one["id"] for one in call("table", "list", *where).json["tables"]] == ["T7"]


def test_without_a_terminal_it_says_what_to_do(tmp_path: Path) -> None:
    refused = call("setup", str(tmp_path))
    assert refused.code == 2
    assert "run it in a terminal" in refused.err


def test_no_task_that_takes_two_is_ever_done_by_one() -> None:
    everything = frozenset({"executive", "supervisor", "dealer", "surveillance", "technician", "cage"})
    alone = [CrewMember("X1", "pit", everything)]
    assert [task.what for task in TASKS if who_can(task, alone)] == ["deal", "declare what cameras see"]
    two = [*alone, CrewMember("X2", "management", everything)]
    assert [line.partition(":")[0] for line in crew_lines(two) if "not yet" in line] == ["pay any jackpot"]


def test_a_task_is_promised_only_to_people_whom_the_manager_would_let_do_it() -> None:
    executive = CrewMember("E1", "management", frozenset({"executive"}))
    dealer = CrewMember("D1", "pit", frozenset({"dealer"}))
    supervisor = CrewMember("S3", "pit", frozenset({"supervisor", "dealer"}))
    watcher = CrewMember("V1", "surveillance", frozenset({"surveillance"}))
    tasks = {task.what: task for task in TASKS}
    for what in ("register people", "register devices"):
        # A dealer's badge confirms neither: it has no authority.
        assert who_can(tasks[what], [executive, dealer]) is None
        assert who_can(tasks[what], [executive, dealer, supervisor]) == (executive, supervisor)
    # Whoever registers the only executive's controller, the executive is one of them.
    assert who_can(tasks["pay any jackpot"], [executive, supervisor, watcher]) is None
    second = CrewMember("E2", "cage", frozenset({"executive"}))
    assert who_can(tasks["pay any jackpot"], [executive, supervisor, watcher, second]) is not None
