"""A message that is no command: the field is named, and what was expected is said in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import inspect

from houseway.errors import InputError
from houseway.manager.commands import COMMANDS, read_envelope
from houseway.manager.commands import _Wire as WIRE
from houseway.manager.commands.command_faults import CODES
from houseway.reading.described import _Walk
from houseway.reading.faults import Faults

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
        ({"kind": "table.dekc"}, "do.kind", "'table.dekc' is not known: did you mean table.deck?"),
        ({"kind": 7}, "do.kind", "expected text, found a whole number"),
        ({"table": "T1"}, "do.kind", 'every command needs "kind": add it'),
        (None, "do", "expected an object, found null"),
        ([], "do", "expected an object, found a list"),
        ({"kind": "round.end"}, "do.round", 'round.end needs "round": add it'),
        (
            {"kind": "round.end", "rond": "T1-1", "round": "T1-1"},
            "do.rond",
            "not read here: did you mean round?",
        ),
        ({**PAPER, "since": "1"}, "do.since", 'expected a whole number or "now", found text'),
        ({**PAPER, "since": 1.5}, "do.since", 'expected a whole number or "now", found a number'),
        ({**PAPER, "until": True}, "do.until", "expected a whole number or null, found true or false"),
        ({**TABLE, "vocabulary": "nexus-22"}, "do.vocabulary", "did you mean nexus-2?"),
        ({**TABLE, "vocabulary": "x"}, "do.vocabulary", "'x' is not known: choose one of aquarius, nexus, nexus-2"),
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
    assert refused('{"key": "k", "actor": "E1"}') == ("do", 'every command needs "do": add it')
    path, message = refused('{"key": "k", "actor": "E1", "do": {"kind": "round.end", "round": "T1-1"}, "dvice": "C"}')
    assert (path, message) == ("dvice", "'dvice' is not read here: did you mean device?")
    assert refused("{")[1].startswith("not a command: ")
    assert refused("[]") == ("", "expected an object, found a list")


def test_all_faults_of_a_command_are_told_at_once() -> None:
    message = {
        "key": 7,
        "dvice": "C-T1",
        "do": {
            **PAPER, "since": "1", "until": True, "subjct": "T1", "register": ["notice"], "paper": "a\x1b[2J",
            "fields": [],
        },
    }  # fmt: skip
    with pytest.raises(InputError) as refused:
        read_envelope(message)
    assert [(fault.code, fault.path) for fault in refused.value.faults] == [
        ("bad-message", "key"),
        ("bad-message", "actor"),
        ("bad-message", "do.register"),
        ("bad-message", "do.fields"),
        ("bad-message", "do.since"),
        ("bad-message", "do.until"),
        ("bad-message", "do.subjct"),
        ("bad-message", "dvice"),
        ("bad-text", "do.paper"),
    ]


def test_faults_within_lists_and_objects_have_their_places() -> None:
    start = {
        "kind": "round.start", "table": "T1", "sensors": {"1": [2, "3"], "2": None}, "wagers": {"4": {"main": 2.5}},
        "occupied": [1, False],
    }  # fmt: skip
    with pytest.raises(InputError) as refused:
        read_envelope({"key": "k", "actor": "D1", "do": start})
    assert [fault.path for fault in refused.value.faults] == [
        "do.sensors.1[1]",
        "do.sensors.2",
        "do.wagers.4.main",
        "do.occupied[1]",
    ]


def test_a_key_that_is_there_twice_is_told() -> None:
    path, message = refused('{"key": "k", "actor": 5, "actor": "E1", "do": {"kind": "round.end", "round": "T1-1"}}')
    assert (path, message) == ("", "the key 'actor' appears twice in one object: name it once")


def test_texts_and_key_of_a_readable_command_are_told_together() -> None:
    do = {"kind": "round.void", "round": "T1\u200b-1", "badge": "c", "reason": "\x1b"}
    with pytest.raises(InputError) as found:
        read_envelope({"key": "", "actor": "E1", "do": do})
    assert [fault.path for fault in found.value.faults] == ["key", "do.round", "do.reason"]


# ---------------------------------------------------------------- whatever the decoder refuses, and nothing else

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 10**20) | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["T1", "tray", "seed", "nexus", "q" * 70]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["1", "main", "seed", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)  # fmt: skip


@st.composite
def messages(draw: st.DrawFn) -> dict[str, Any]:
    """Messages with fields of some command, right and wrong, too few and too many."""
    kind = draw(st.sampled_from(sorted(COMMANDS)))
    do: dict[str, Any] = {"kind": kind}
    for field in msgspec.structs.fields(COMMANDS[kind]):
        if field.required or draw(st.booleans()):
            do[field.encode_name] = draw(PLAIN | st.sampled_from(["T1", 1, True, [1], {}, {"1": [2]}]))
    for name in draw(st.lists(st.sampled_from(["table", "tabel", "seat", "badge"]), max_size=2)):
        do[name] = draw(PLAIN)
    if draw(st.integers(0, 5)) == 0:
        do.pop(draw(st.sampled_from(sorted(do))))
    message = {"key": "k", "actor": "E1", "do": do}
    if draw(st.integers(0, 5)) == 0:
        message[draw(st.sampled_from(["key", "actor", "do", "device", "sesion"]))] = draw(PLAIN)
    return message


def stands_in(message: object, path: str) -> bool:
    """Whether a path leads to something in a message, or to a key that an object of it lacks."""
    value: Any = message
    for step in path.replace("[", ".[").split(".") if path else ():
        if step.startswith("["):
            if not isinstance(value, list) or int(step[1:-1]) >= len(value):
                return False
            value = value[int(step[1:-1])]
        elif isinstance(value, dict):
            value = value.get(step)
        else:
            return False
    return True


@settings(max_examples=300, deadline=None)
@given(messages(), st.booleans())
def test_what_the_decoder_refuses_has_faults_and_what_it_takes_has_none(message: dict[str, Any], as_text: bool) -> None:
    data: Any = msgspec.json.encode(message) if as_text else message
    faults = Faults(CODES)
    try:
        msgspec.convert(message, WIRE)
    except msgspec.ValidationError:
        with pytest.raises(InputError) as refused:
            read_envelope(data)
        found = refused.value.faults
        assert all(fault.code == "bad-message" and stands_in(message, fault.path) for fault in found)
        assert not [fault for fault in found if "cannot be read" in fault.message], "the walk sees what is wrong"
    else:
        read_envelope(data)
        _Walk(faults, ()).hold(message, msgspec.inspect.type_info(WIRE), "", "every command")
        assert not faults.any


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_every_planted_fault_is_named(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(sorted(COMMANDS)))
    fields = [
        field.encode_name
        for field in msgspec.structs.fields(COMMANDS[kind])
        if not isinstance(msgspec.inspect.type_info(field.type), msgspec.inspect.AnyType)
    ]
    planted = data.draw(st.lists(st.sampled_from(fields), unique=True)) if fields else []
    strange = data.draw(st.lists(st.sampled_from(["zz1", "zz2", "zz3"]), unique=True, min_size=0 if planted else 1))
    # No field of a command takes a number with a fraction.
    do = {"kind": kind, **dict.fromkeys([*planted, *strange], 2.5)}
    with pytest.raises(InputError) as refused:
        read_envelope({"key": "k", "actor": "E1", "do": do})
    found = {fault.path for fault in refused.value.faults}
    assert {f"do.{name}" for name in (*planted, *strange)} <= found


def test_the_walk_knows_every_kind_of_value_that_commands_hold() -> None:
    known = (
        inspect.StructType, inspect.UnionType, inspect.DictType, inspect.ListType, inspect.LiteralType, inspect.StrType,
        inspect.BoolType, inspect.IntType, inspect.NoneType, inspect.AnyType,
    )  # fmt: skip

    def kinds(kind: inspect.Type) -> Iterator[inspect.Type]:
        yield kind
        for name in ("types", "item_type", "key_type", "value_type"):
            below = getattr(kind, name, ())
            for each in below if isinstance(below, tuple) else (below,):
                yield from kinds(each)
        for field in getattr(kind, "fields", ()):
            yield from kinds(field.type)

    assert [kind for kind in kinds(inspect.type_info(WIRE)) if not isinstance(kind, known)] == []
