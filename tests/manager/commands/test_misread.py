"""A message that is no command: the field is named, and what was expected is said in plain words."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.errors import InputError
from houseway.manager.commands import read_envelope

PAPER = {"kind": "paper.record", "register": "notice", "paper": "N1", "subject": "T1", "fields": {}, "since": 1}
TABLE = {"kind": "table.create", "table": "T1", "game": "fortune"}


def refused(message: Any) -> tuple[str, str]:
    with pytest.raises(InputError) as caught:
        read_envelope(message)
    (fault,) = caught.value.faults
    assert fault.code == "bad-message"
    return fault.path, fault.message


@pytest.mark.parametrize(
    ("do", "path", "words"),
    [
        ({"kind": "table.dekc"}, "do.kind", "'table.dekc' is no command: did you mean table.deck?"),
        ({"kind": 7}, "do.kind", "expected text, found a whole number"),
        ({"table": "T1"}, "do.kind", "this is missing: every command needs it"),
        (None, "do", "expected an object, found null"),
        ([], "do", "expected an object, found a list"),
        ({"kind": "round.end"}, "do.round", "this is missing: round.end needs it"),
        ({"kind": "round.end", "rond": "T1-1", "round": "T1-1"}, "do.rond", "no such field: did you mean round?"),
        ({**PAPER, "since": "1"}, "do.since", "expected a whole number, found text"),
        ({**PAPER, "since": 1.5}, "do.since", "expected a whole number, found a number"),
        ({**PAPER, "until": True}, "do.until", "expected a whole number or null, found true or false"),
        ({**TABLE, "vocabulary": "nexus-22"}, "do.vocabulary", "did you mean nexus-2?"),
        ({**TABLE, "vocabulary": "x"}, "do.vocabulary", "'x' is no value for this: there are aquarius, nexus, nexus-2"),
    ],
)
def test_a_wrong_field_is_named_in_plain_words(do: Any, path: str, words: str) -> None:
    where, message = refused({"key": "k", "actor": "E1", "do": do})
    assert where == path
    assert words in message
    assert "`" not in message


def test_an_unknown_kind_that_resembles_none_is_answered_with_what_can_be_sent() -> None:
    path, message = refused({"key": "k", "actor": "E1", "do": {"kind": "q" * 500}})
    assert path == "do.kind"
    assert "round.start" in message
    assert "system.clock" in message
    assert "system.archived" not in message
    assert "property.create" not in message
    assert "q" * 61 not in message


def test_a_text_is_read_like_an_object() -> None:
    assert refused('{"key": "k", "actor": "E1", "do": {"kind": "round.end"}}')[0] == "do.round"
    assert refused('{"key": "k", "actor": "E1"}') == ("do", "this is missing: every command needs it")
    path, message = refused('{"key": "k", "actor": "E1", "do": {"kind": "round.end", "round": "T1-1"}, "dvice": "C"}')
    assert (path, message) == ("dvice", "there is no such field: did you mean device?")
    assert refused("{")[1].startswith("not a command: ")
    assert refused("[]") == ("", "expected an object, found a list")
