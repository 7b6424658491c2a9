"""Cards and secrets are taken only where a command has a field for them, and no answer tells what becomes of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from houseway.errors import InputError
from houseway.manager.commands import AUTHORITY, COMMANDS
from houseway.manager.core.badges import shows_token
from houseway.manager.server.edge import SECRET_FIELDS, read_command, token_places
from houseway.manager.store.keys import load_keys
from tests.manager.floors import EXECUTIVE
from tests.manager.server.house import House
from tests.manager.server.raw import Raw, codes
from tests.manager.server.running import recorded, running

TOKEN = "48312002"
ANOTHER = "0123 a token of another"
PART = 6
"""So many characters of a fingerprint in a row are no accident."""


def plain(kind: Any) -> Any:
    """A value of a type, as it could be sent."""
    match kind:
        case msgspec.inspect.IntType():
            return 1
        case msgspec.inspect.BoolType():
            return True
        case msgspec.inspect.ListType() | msgspec.inspect.VarTupleType():
            return []
        case msgspec.inspect.DictType():
            return {}
        case msgspec.inspect.LiteralType(values=values):
            return values[0]
        case msgspec.inspect.UnionType(types=types):
            return plain(types[0])
        case msgspec.inspect.NoneType():
            return None
    return "x"


def commands() -> Iterator[dict[str, Any]]:
    """Every command that somebody may send, with plain values."""
    for kind, command in COMMANDS.items():
        if not AUTHORITY[command].is_for_manager_only:
            fields = {one.name: one.type for one in msgspec.structs.fields(command)}
            values = {name: plain(msgspec.inspect.type_info(type_)) for name, type_ in fields.items()}
            tokens = dict.fromkeys(SECRET_FIELDS & fields.keys(), ANOTHER)
            yield {"kind": kind, **values, **tokens, **({"pin": "770291"} if "pin" in tokens else {})}
    for field in ("change", "link", "level", "value", "setting"):
        yield {"kind": "change.propose", "what": {"change": "setting", field: "x"}, "reason": "x"}


def hidden(token: object) -> list[Any]:
    """A token within other values."""
    found: list[Any] = []
    for name in sorted(SECRET_FIELDS):
        found += [{name: token}, [{name: token}], {"a": {"b": [[{name: token}]]}}, {name: {name: [token]}}]
    return found


def with_token(do: dict[str, Any], token: object) -> Iterator[tuple[dict[str, Any], bool]]:
    """The command with a token in each place, and whether it belongs there."""
    places = token_places(do["kind"])
    for name in sorted(SECRET_FIELDS):
        yield {**do, name: token}, name in places
    for name, value in do.items():
        if name == "kind":
            continue
        for inside in hidden(token):
            yield {**do, name: inside}, False
            if isinstance(value, dict):
                yield {**do, name: {**value, **dict.fromkeys(value, inside), "change": inside}}, False


def test_no_answer_tells_of_a_fingerprint_wherever_a_token_is_put(house: House) -> None:
    keys = load_keys(house.keys)
    made: list[str] = []

    def fingerprint(token: str) -> str:
        made.append(token)
        return keys.fingerprint(token)

    print_ = keys.fingerprint(TOKEN)
    parts = {print_[place : place + PART] for place in range(len(print_) - PART + 1)} | {TOKEN}
    tried = 0
    with house.open() as manager:
        for do in commands():
            for message, belongs in with_token(do, TOKEN):
                made.clear()
                tried += 1
                found = []
                try:
                    envelope = read_command({"key": f"k{tried}", "actor": EXECUTIVE, "do": message}, fingerprint, None)
                    said = str(manager.call(envelope).answer)
                except InputError as error:
                    found = [fault.code for fault in error.faults]
                    said = str([fault.to_json() for fault in error.faults])
                assert (found == ["token-misplaced"]) is not belongs, (message, said)
                assert (TOKEN in made) <= belongs, message
                assert not [part for part in parts if part in said], (message, said)
    assert tried > 2_000


@pytest.mark.parametrize("value", [48312002, None, True, ["48312002"], {"a": 1}, ""], ids=str)
def test_a_token_out_of_place_is_refused_whatever_it_is(value: object) -> None:
    do = {"kind": "change.propose", "what": {"change": "setting", "value": {"badge": value}}, "reason": "x"}
    with pytest.raises(InputError) as refused:
        read_command({"key": "k", "actor": EXECUTIVE, "do": do}, lambda _: pytest.fail("fingerprinted"), None)
    assert [(fault.code, fault.path) for fault in refused.value.faults] == [
        ("token-misplaced", "do.what.value.badge"),
    ]


def test_nothing_of_an_unknown_command_is_fingerprinted() -> None:
    for do in (
        {"kind": "dealer.inn", "badge": TOKEN},
        {"badge": TOKEN},
        {"kind": ["dealer.in"], "badge": TOKEN},
        [TOKEN],
    ):
        with pytest.raises(InputError) as refused:
            read_command({"key": "k", "actor": EXECUTIVE, "do": do}, lambda _: pytest.fail("fingerprinted"), None)
        assert [fault.code for fault in refused.value.faults] == ["bad-message"]
        assert TOKEN not in str(refused.value)


def test_whatever_becomes_a_fingerprint_passes_the_gate_of_badges() -> None:
    """What the edge takes for a token, the delay, the lock and the count of wrong badges see."""
    for kind, command in COMMANDS.items():
        for place in token_places(kind):
            if AUTHORITY[command].is_for_manager_only:
                continue
            values = {one.name: None for one in msgspec.structs.fields(command)}
            assert shows_token(command(**{**values, place: "fingerprint"})), f"{kind}.{place}"


def test_a_token_out_of_place_is_on_record(house: House) -> None:
    async def check() -> None:
        async with running(house) as (_, port):
            await asyncio.to_thread(guess, port)

    def guess(port: int) -> None:
        with Raw(port) as raw:
            raw.hello("SVC-1")
            for number in range(30):
                do = {"kind": "change.propose", "what": {"change": {"badge": TOKEN}}, "reason": "x"}
                answer = raw.ask({"command": {"key": f"k{number}", "actor": EXECUTIVE, "do": do}})
                assert codes(answer) == ["token-misplaced"]

    asyncio.run(check())
    tried = [one for one in recorded(house) if one["faults"][0]["code"] == "token-misplaced"]
    assert [one.get("times", 1) for one in tried] == [1, 1, 1, 1, 1, 25]
