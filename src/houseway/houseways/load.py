"""The house ways that are shipped, and the loading of a room's own file.

A shipped way is a TOML file in `data/`. A room's file is read in the same way; it may extend a shipped way, or another
file in its folder, and then holds only the questions that it answers differently. A broken file is refused with every
fault, each with file, line and reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from houseway.errors import InputError
from houseway.houseways.parse import MAX_RULES, ParsedQuestion, WayText
from houseway.houseways.rules import WayQuestion
from houseway.houseways.way import HouseWay
from houseway.reading.toml_files import read_text
from houseway.sources import SHIPPED as SOURCE
from houseway.sources import Refusal, Source, outside, outside_files

MAX_CHAIN: Final = 10
SHIPPED: Final[tuple[str, ...]] = ("six-card", "foxwoods", "trump-plaza", "sixes-together", "casino-real")
"""The ids of the shipped ways; for the seven-card games foxwoods is the default."""
WAYS_TO_PLAY: Final[tuple[str, ...]] = ("house-way", "optimal")
"""What a player can be told to play instead of a house way; no file may take such an id."""


def house_way(way_id: str) -> HouseWay:
    """The way of that id; InputError (code `unknown-way`, or the faults of its file) if there is none.

    >>> house_way("foxwoods").cards
    7
    """
    if way_id in SHIPPED:
        return _shipped(way_id)
    from_outside = _outside(outside())
    if way_id in from_outside.ways:
        return from_outside.ways[way_id]
    for refusal in from_outside.refused:
        if refusal.name == way_id:
            raise refusal.error()
    message = f"{way_id[:60]!r} is not a house way: use {', '.join(way_ids())}, or give a file of your own"
    raise InputError.of("unknown-way", "way", message)


@cache
def _shipped(way_id: str) -> HouseWay:
    text = (SOURCE.folder / "ways" / f"{way_id}.toml").read_text(encoding="utf-8")
    return _build(WayText(text, f"{way_id}.toml"), None, (way_id,))


class _Outside(NamedTuple):
    """The house ways from outside, and those that are not used."""

    ways: Mapping[str, HouseWay]
    refused: tuple[Refusal, ...]


@lru_cache(maxsize=8)
def _outside(_sources: tuple[Source, ...]) -> _Outside:
    """The sound house ways of these sources from outside."""
    files, refused = outside_files("ways")
    found: dict[str, HouseWay] = {}
    faulty = list(refused)
    for way_id, (source, path) in files.items():
        try:
            way = load_house_way(path)
            _check_name(way, path)
        except InputError as error:
            faulty.append(Refusal(source.name, way_id, error.faults))
        else:
            found[way_id] = way
    return _Outside(found, tuple(faulty))


def _check_name(way: HouseWay, path: Path) -> None:
    if way.id != path.stem:
        message = f"the id {way.id!r} is not the name of the file: name the file {way.id}.toml, or correct it"
        raise InputError.of("way-value", str(path), message)


def refused_ways() -> tuple[Refusal, ...]:
    """The house ways from outside that are not used."""
    return _outside(outside()).refused


def way_ids() -> tuple[str, ...]:
    """The ids of all ways: those that ship, then those from outside."""
    return (*SHIPPED, *_outside(outside()).ways)


def house_ways() -> tuple[HouseWay, ...]:
    """All shipped ways."""
    return tuple(map(_shipped, SHIPPED))


def load_house_way(path: str | Path) -> HouseWay:
    """A room's own way from its file; InputError with every fault, each at its file and line."""
    path = Path(path)
    return _build(_text_of(path), path.parent, (path.name,))


def _text_of(path: Path) -> WayText:
    return WayText(read_text(path, code="way-file", name=path.name), path.name)


def _build(text: WayText, folder: Path | None, chain: tuple[str, ...]) -> HouseWay:
    """The way that a file describes, with all that it extends; without a folder, the file is a shipped one."""
    head = text.head()
    parent = _parent(text, head["extends"], folder, chain) if head["extends"] else None
    if folder is not None and head["id"] in SHIPPED:
        text.top.fault("way-value", "id", f"{head['id']!r} is the id of a shipped way: give your own way another one")
    if head["id"] in WAYS_TO_PLAY:
        text.top.fault("way-value", "id", f"{head['id']!r} is a way to play of its own: give your own way another id")
    orphan = bool(head["extends"]) and parent is None
    cards = None if orphan else text.cards(parent.cards if parent else None)
    parsed = text.questions(cards)
    _check_ids(text, parsed, parent)
    questions = () if orphan else _merge(text, parent, parsed)
    if text.faults.any or cards is None:
        raise text.faults.error()
    return HouseWay(head["id"], head["title"], cards, head["source"], questions)


def _parent(text: WayText, name: str, folder: Path | None, chain: tuple[str, ...]) -> HouseWay | None:
    """The way that a file extends; None, with the faults noted, if it cannot be had."""
    if name in SHIPPED:
        return house_way(name)
    if name in chain:
        circle = " -> ".join((*chain[chain.index(name) :], name))
        text.top.fault("way-extends", "extends", f"these files extend each other in a circle: {circle}")
        return None
    if len(chain) == MAX_CHAIN:
        text.top.fault(
            "way-extends", "extends", f"this is the {MAX_CHAIN}th file in a row that extends another: too many"
        )
        return None
    if folder is None or not name.endswith(".toml") or Path(name).name != name:
        known = f"one of {', '.join(SHIPPED)}, or the name of a .toml file in the same folder"
        text.top.fault("way-extends", "extends", f"{name[:60]!r} cannot be extended: name {known}")
        return None
    return text.faults.read(lambda: _build(_text_of(folder / name), folder, (*chain, name)))


def _merge(text: WayText, parent: HouseWay | None, parsed: list[ParsedQuestion]) -> tuple[WayQuestion, ...]:
    """The parent's questions with the file's own in their places; without a parent, the file's own."""
    if parent is None:
        for own in parsed:
            if own.before is not None:
                text.faults.add("way-value", own.place.key("before"), "`before` is for a way that extends another")
        if not parsed and not text.faults.any:
            text.faults.add("way-value", text.top.place, "a way needs at least one [[question]]")
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
            text.faults.add("way-extends", own.place.key("before"), message)
    return tuple(questions)


def _check_ids(text: WayText, parsed: list[ParsedQuestion], parent: HouseWay | None) -> None:
    """Every question and every rule has an id of its own, those of the extended way's other questions included."""
    own_ids = {own.question.id for own in parsed}
    kept = [question for question in (parent.questions if parent else ()) if question.id not in own_ids]
    question_ids: set[str] = set()
    rule_ids = {rule.id for question in kept for rule in question.rules}
    for own in parsed:
        if own.question.id in question_ids:
            text.faults.add("way-value", own.place.key("id"), f"two questions have the id {own.question.id!r}")
        question_ids.add(own.question.id)
        for number, rule in enumerate(own.question.rules):
            if rule.id in rule_ids:
                where = own.place.key("rule").element(number).key("id")
                text.faults.add("way-value", where, f"two rules have the id {rule.id!r}: give each its own")
            rule_ids.add(rule.id)
    if len(rule_ids) > MAX_RULES:
        text.faults.add("way-value", text.top.place, f"{len(rule_ids)} rules are too many: {MAX_RULES} are allowed")
