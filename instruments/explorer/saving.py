"""A search in a file, so that it goes on where it was stopped, and a finding as a path that others can replay.

The file holds a line of JSON and then the keys, parents, places and depths of all states as they lie in memory. It is
good only for the very program that wrote it: with any other, the same places would mean other commands.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Union

import msgspec

import houseway
import instruments
from houseway.errors import InputError
from houseway.manager.commands import COMMANDS
from houseway.manager.core.engine import Envelope
from instruments.explorer.books import Broken
from instruments.explorer.follow import step
from instruments.explorer.scenarios import SCENARIOS
from instruments.explorer.search import Exploration, Finding
from instruments.explorer.states import State, Wait

KEY: Final = 16
FIGURES: Final = ("expanded", "steps", "refused")
_COMMAND: Final[Any] = Union[(*COMMANDS.values(), Wait)]


class NotOursError(ValueError):
    """The file is not a search of this program."""


@cache
def program() -> str:
    """A fingerprint of the whole program."""
    digest = sha256()
    for root in (Path(houseway.__file__).parent, Path(instruments.__file__).parent):
        for path in sorted(root.rglob("*.py")):
            digest.update(f"{path.relative_to(root.parent)} ".encode() + path.read_bytes())
    return digest.hexdigest()


def save(search: Exploration, path: Path) -> None:
    """Keep a search, whole or not at all."""
    head = {
        "program": program(),
        "scenario": search.scenario.name,
        "states": search.states,
        **{name: getattr(search, name) for name in FIGURES},
        "findings": [finding_json(search.scenario.name, each) for each in search.findings.values()],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    with new.open("wb") as file:
        file.write(msgspec.json.encode(head) + b"\n")
        file.write(b"".join(search.keys))
        for each in (search.parents, search.moves, search.depths):
            file.write(each.tobytes())
    new.replace(path)


def load(path: Path) -> Exploration:
    """A search that was kept; NotOursError if the program has changed since or the file is not a search."""
    head_text, _, rest = path.read_bytes().partition(b"\n")
    try:
        head = msgspec.json.decode(head_text)
        scenario, states = SCENARIOS[head["scenario"]], int(head["states"])
        if head["program"] != program():
            raise NotOursError("the program has changed since it was written")
        columns = [array("l") for _ in range(3)]
        width = columns[0].itemsize * states
        for number, column in enumerate(columns):
            column.frombytes(rest[KEY * states + number * width : KEY * states + (number + 1) * width])
        keys = {rest[KEY * number : KEY * (number + 1)]: number for number in range(states)}
        findings = {each["rule"]: read_finding(each) for each in head["findings"]}
    except (msgspec.MsgspecError, KeyError, TypeError, IndexError) as error:
        raise NotOursError(f"it is not a search of this program ({error})") from None
    if len(keys) != states or any(len(column) != states for column in columns):
        raise NotOursError("it is cut off")
    parents, moves, depths = columns
    search = Exploration(scenario, keys, parents, moves, depths, findings=findings)
    for name in FIGURES:
        setattr(search, name, int(head.get(name, 0)))
    return search


# ---------------------------------------------------------------- findings as paths


def finding_json(scenario: str, finding: Finding) -> dict[str, Any]:
    """A finding for programs: the rule, how it is broken, and the commands that lead to it."""
    commands = [msgspec.to_builtins(each) for each in finding.path]
    return {"scenario": scenario, "rule": finding.rule, "how": finding.how, "commands": commands}


def read_finding(data: dict[str, Any]) -> Finding:
    """A finding from its plain data."""
    return Finding(data["rule"], data["how"], tuple(map(_envelope, data["commands"])))


def _envelope(data: dict[str, Any]) -> Envelope:
    do = msgspec.convert(data["do"], _COMMAND)
    return Envelope(data["key"], data["actor"], do, data["device"], data.get("session"))


def replay(scenario: str, commands: Iterable[Envelope]) -> Iterator[tuple[Envelope, InputError | list[Broken]]]:
    """The commands of a path one after the other: what each is refused for, or what is broken after it."""
    state: State = SCENARIOS[scenario].begin()
    for envelope in commands:
        try:
            state, broken = step(state, envelope)
        except InputError as error:
            yield envelope, error
        else:
            yield envelope, broken


__all__ = ["NotOursError", "finding_json", "load", "program", "read_finding", "replay", "save"]
