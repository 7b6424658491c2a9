"""No text of a command steers a terminal, and no two ids look the same to people."""

from __future__ import annotations

import io
from typing import Any

import pytest

from houseway.cli import output
from houseway.errors import InputError
from houseway.manager.commands import COMMANDS, read_envelope
from houseway.manager.commands.house_commands import AddDevice, AddPerson, CreateTable
from houseway.manager.core.texts import text_faults
from houseway.manager.server.edge import read_command
from tests.manager.floors import DEALER, EXECUTIVE, SUPERVISOR, TECHNICIAN, badge, new_room

ODD = ["\x1b[2J", "\x07", "a\nb", "a\tb", "\u202eevil", "zero\u200bwidth", "\u00a0", "\ufeff", "\x9b31m", "\u2028"]


def codes(error: pytest.ExceptionInfo[InputError]) -> list[str]:
    return [fault.code for fault in error.value.faults]


@pytest.mark.parametrize("odd", ODD, ids=ascii)
def test_a_text_that_steers_terminals_is_refused_at_the_gate(odd: str) -> None:
    """In a field, within a paper's fields, in a list, and in the name of a field."""
    message: dict[str, Any] = {"key": "k", "actor": "E1"}
    paper = {"kind": "paper.record", "register": "incident", "paper": "p", "subject": "T1", "since": 1}
    for do in (
        {"kind": "person.add", "person": "D9", "name": f"Ann{odd}", "department": "pit", "roles": ["dealer"]},
        {**paper, "fields": {"text": [{"deep": odd}]}},
        {**paper, "fields": {f"te{odd}xt": "x"}},
        {"kind": "round.void", "round": "T1-1", "badge": "c", "reason": f"x{odd}"},
    ):
        with pytest.raises(InputError) as refused:
            read_command({**message, "do": do}, lambda token: token, "SVC-1")
        assert codes(refused) == ["bad-text"]
        assert refused.value.faults[0].message.isprintable()
        assert refused.value.faults[0].path.isprintable()


def test_the_gate_looks_at_every_field_of_every_command() -> None:
    for kind, command in COMMANDS.items():
        for name in command.__struct_fields__:
            (fault,) = text_faults({"kind": kind, name: "\x1b"}, "do")
            assert fault is not None, f"{kind}.{name}"
            assert fault.path == f"do.{name}"


def test_the_gate_stands_before_commands_of_bytes_too() -> None:
    data = (
        b'{"key": "k", "actor": "E1", "do": {"kind": "round.void", "round": "T1-1", "badge": "c", "reason": "\\u001b"}}'
    )
    with pytest.raises(InputError) as refused:
        read_envelope(data)
    assert codes(refused) == ["bad-text"]


def test_names_of_every_language_are_taken() -> None:
    for name in ("Zo\u00eb Gar\u00e7on", "\u5c71\u7530 \u592a\u90ce", "\u039d\u03af\u03ba\u03bf\u03c2", "\U0001f3b2"):
        assert not [*text_faults({"name": name}, "do")]


@pytest.mark.parametrize("blank", ["T9 ", " T9", "T  9", "T\u00a09", "\u0422 9", ""], ids=ascii)
def test_an_id_has_no_blanks_that_nobody_sees(blank: str) -> None:
    room = new_room()
    with pytest.raises(InputError) as refused:
        room.do(TECHNICIAN, CreateTable(blank, "fortune"))
    assert "bad-id" in codes(refused)


def test_an_id_that_people_would_take_for_another_is_refused() -> None:
    room = new_room()
    room.do(TECHNICIAN, CreateTable("Pit 9", "fortune"))
    room.do(TECHNICIAN, AddDevice("SIGN-9", "display", "a secret of its own"))
    named = AddPerson(DEALER.replace(" ", ""), "Ann", "pit", ["dealer"], None, badge(SUPERVISOR))
    tries: list[tuple[str, Any, str]] = [
        (TECHNICIAN, CreateTable("pit9", "fortune"), "table-exists"),
        (TECHNICIAN, AddDevice("sign-9", "display", "another secret of it"), "device-exists"),
        (EXECUTIVE, named, "person-exists"),
    ]
    for actor, command, code in tries:
        with pytest.raises(InputError) as refused:
            room.do(actor, command)
        assert code in codes(refused)


def test_a_journal_of_somebody_else_steers_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.table import Table

    out = io.StringIO()
    monkeypatch.setattr("sys.stdout", out)
    grid = Table(box=None)
    grid.add_column("name")
    grid.add_row("Ann\x1b[2J\u202e")
    output.print_text("by \x1b]0;title\x07", grid)
    assert "\x1b" not in out.getvalue()
    assert "\u202e" not in out.getvalue()
    assert "\\x1b" in out.getvalue()
