"""The house ways that are shipped, and the loading of a room's own file.

A shipped way is a TOML file in `data/`. A room's file is read in the same way; it may extend a shipped way, or another
file in its folder, and then holds only the questions that it answers differently. A broken file is refused with every
fault, each with file, line and reason.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, Protocol

from houseway.errors import Fault, InputError
from houseway.houseways.parse import MAX_RULES, ParsedQuestion, WayText
from houseway.houseways.rules import Question
from houseway.houseways.way import HouseWay

MAX_BYTES: Final = 1_000_000
SHIPPED: Final[tuple[str, ...]] = ("six-card", "foxwoods", "trump-plaza", "sixes-together", "casino-real")
"""The ids of the shipped ways; for the seven-card games foxwoods is the default."""


class _Folder(Protocol):
    """Where ways may be looked up by the name that `extends` gives."""

    def find(self, name: str, chain: tuple[str, ...]) -> HouseWay: ...


@cache
def house_way(way_id: str) -> HouseWay:
    """The shipped way of that id; InputError (code `unknown-way`) if there is none.

    >>> house_way("foxwoods").cards
    7
    """
    if way_id not in SHIPPED:
        message = f"{way_id[:60]!r} is no house way: use {', '.join(SHIPPED)}, or give a file of your own"
        raise InputError.of("unknown-way", "way", message)
    return _Shipped().find(way_id, ())


def house_ways() -> tuple[HouseWay, ...]:
    """All shipped ways."""
    return tuple(house_way(way_id) for way_id in SHIPPED)


def load_house_way(path: str | Path) -> HouseWay:
    """A room's own way from its file; InputError with every fault, each at its file and line."""
    path = Path(path)
    return _RoomFolder(path.parent).find(path.name, ())


class _Shipped:
    """The package's own data files."""

    def find(self, name: str, chain: tuple[str, ...]) -> HouseWay:
        text = files("houseway.houseways").joinpath("data", f"{name}.toml").read_text(encoding="utf-8")
        return _build(WayText(text, f"{name}.toml"), self, (*chain, name), own_ids=())


class _RoomFolder:
    """The folder of a room's file; `extends` names a shipped way or another file there."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, name: str, chain: tuple[str, ...]) -> HouseWay:
        if chain and name in SHIPPED:
            return house_way(name)
        if name in chain:
            circle = " -> ".join((*chain[chain.index(name) :], name))
            raise InputError.of("way-extends", f"{chain[-1]}:1", f"these files extend each other in a circle: {circle}")
        if chain and (not name.endswith(".toml") or Path(name).name != name):
            known = f"one of {', '.join(SHIPPED)}, or the name of a .toml file in the same folder"
            raise InputError.of("way-extends", f"{chain[-1]}:1", f"{name[:60]!r} cannot be extended: name {known}")
        return _build(WayText(self._read(name), name), self, (*chain, name), own_ids=SHIPPED)

    def _read(self, name: str) -> str:
        path = self._folder / name
        try:
            with path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
            if len(data) > MAX_BYTES:
                raise InputError.of(
                    "way-file", name, f"the file is larger than {MAX_BYTES} bytes: no house way needs that"
                )
            return data.decode("utf-8").removeprefix("\ufeff")
        except (OSError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            reason = (
                error.strerror if isinstance(error, OSError) else "it is not UTF-8 text, or its name is no file name"
            )
            raise InputError.of("way-file", name, f"the file cannot be read: {reason}") from error


def _build(text: WayText, folder: _Folder, chain: tuple[str, ...], own_ids: tuple[str, ...]) -> HouseWay:
    """The way that a file describes, with all that it extends."""
    head = text.head()
    parent: HouseWay | None = None
    if head["extends"]:
        try:
            parent = folder.find(head["extends"], chain)
        except InputError as error:
            text.faults.extend(error.faults)
    if head["id"] in own_ids:
        text.fault("way-value", ("id",), f"{head['id']!r} is the id of a shipped way: give your own way another one")
    cards = None if head["extends"] and parent is None else text.cards(parent.cards if parent else None)
    parsed = text.questions(cards)
    questions = _merge(text, parent, parsed)
    _check_ids(text, questions)
    if text.faults or cards is None:
        raise InputError(_without_repeats(text.faults))
    return HouseWay(head["id"], head["title"], cards, head["source"], questions)


def _merge(text: WayText, parent: HouseWay | None, parsed: list[ParsedQuestion]) -> tuple[Question, ...]:
    """The parent's questions with the file's own in their places; without a parent, the file's own."""
    if parent is None:
        for own in parsed:
            if own.before is not None:
                text.fault("way-value", (*own.place, "before"), "`before` is for a way that extends another")
        if not parsed and not text.faults:
            text.fault("way-value", (), "a way needs at least one [[question]]")
        return tuple(own.question for own in parsed)
    questions = list(parent.questions)
    for own in parsed:
        ids = [question.id for question in questions]
        if own.before is None and own.question.id in ids:
            questions[ids.index(own.question.id)] = own.question
        elif own.before in ids and own.question.id not in ids:
            questions.insert(ids.index(own.before), own.question)
        else:
            known = f"the questions of {parent.id} are {', '.join(ids)}"
            message = f"take the id of the question that this one replaces, or say before which it is asked; {known}"
            text.fault("way-extends", (*own.place, "before"), message)
    return tuple(questions)


def _check_ids(text: WayText, questions: tuple[Question, ...]) -> None:
    """Every question and every rule has an id of its own; no question stands twice."""
    question_ids = [question.id for question in questions]
    rule_ids = [rule.id for question in questions for rule in question.rules]
    for kind, ids in (("question", question_ids), ("rule", rule_ids)):
        for repeated in sorted({name for name in ids if ids.count(name) > 1}):
            text.fault("way-value", (), f"two {kind}s have the id {repeated!r}: give each its own")
    if len(rule_ids) > MAX_RULES:
        text.fault("way-value", (), f"{len(rule_ids)} rules are too many: {MAX_RULES} are allowed")


def _without_repeats(faults: list[Fault]) -> list[Fault]:
    return list(dict.fromkeys(faults))
