"""Reads the text of a house-way file: every key checked against the closed lists, every fault gathered with its line.

The format is described in docs/guides/add-a-house-way.md. Nothing here touches files; `houseway.houseways.load` does.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from houseway.errors import Fault
from houseway.houseways.conditions import parse_condition
from houseway.houseways.facts import FACT_INDEX, FACTS
from houseway.houseways.rules import HIGHEST, KEEPS, PLACES, Condition, Conditions, Rule, WayQuestion
from houseway.reading.tomllines import Locator, Place
from houseway.wording import did_you_mean

_WAY_KEYS: Final = ("id", "title", "cards", "extends", "source", "question")
_QUESTION_KEYS: Final = ("id", "asks", "when", "before", "rule")
_RULE_KEYS: Final = ("id", "why", "when", "otherwise", "front", "keep")
_ID: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MAX_ID: Final = 60
MAX_TEXT: Final = 400
MAX_RULES: Final = 250


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    """A question as the file has it, with the question before which it is to be asked, if the file says so."""

    question: WayQuestion
    before: str | None
    place: Place


class WayText:
    """The text of one house-way file; reading it fills `faults`, and what could be read is kept."""

    def __init__(self, text: str, name: str) -> None:
        """Read the TOML; a syntax error is the only fault then."""
        self.name = name
        self.faults: list[Fault] = []
        self._text_of_file = text
        self._locator: Locator | None = None
        self._data: dict[str, Any] = {}
        try:
            self._data = tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            reason = str(error) if isinstance(error, ValueError) else "it is nested too deeply"
            found = re.search(r"at line (\d+)", reason)
            line = int(found[1]) if found else 1
            self.faults.append(Fault("way-syntax", f"{name}:{line}", f"this is not valid TOML: {reason}"))
        self._known_keys(self._data, _WAY_KEYS, ())

    def fault(self, code: str, place: Place, message: str) -> None:
        """Note a fault at a place in the file."""
        # A good file is read without looking for lines.
        self._locator = self._locator or Locator(self._text_of_file)
        self.faults.append(Fault(code, f"{self.name}:{self._locator.line_of(place)}", message))

    def head(self) -> dict[str, str]:
        """The texts at the top of the file; a missing `extends` or `source` is an empty text."""
        if any(fault.code == "way-syntax" for fault in self.faults):
            return {"id": "", "title": "", "extends": "", "source": ""}
        return {
            "id": self._id(self._data, ()),
            "title": self._text(self._data, "title", ()),
            "extends": self._text(self._data, "extends", ()) if "extends" in self._data else "",
            "source": self._text(self._data, "source", ()) if "source" in self._data else "",
        }

    def cards(self, inherited: int | None) -> int | None:
        """How many cards a hand has: the file's own word, or that of the way it extends."""
        value = self._data.get("cards", inherited)
        if type(value) is not int or value not in (6, 7):
            if self._data:
                self.fault(
                    "way-value", ("cards",), "say `cards = 6` or `cards = 7`: the size of the hands that are set"
                )
            return inherited
        if inherited is not None and value != inherited:
            self.fault("way-extends", ("cards",), f"a way for {value} cards cannot extend one for {inherited} cards")
        return value

    def questions(self, cards: int | None) -> list[ParsedQuestion]:
        """The questions of the file in order; those with a fault are left out."""
        found = self._tables(self._data, "question", ())
        parsed = [self._question(data, place, cards) for data, place in found]
        return [question for question in parsed if question is not None]

    def _question(self, data: dict[str, Any], place: Place, cards: int | None) -> ParsedQuestion | None:
        before_faults = len(self.faults)
        self._known_keys(data, _QUESTION_KEYS, place)
        question_id = self._id(data, place)
        asks = self._text(data, "asks", place)
        when = self._when(data, place)
        before = self._text(data, "before", place) if "before" in data else None
        rules = [self._rule(rule, where, cards) for rule, where in self._tables(data, "rule", place)]
        if not rules:
            self.fault("way-value", place, "a question needs at least one rule: add a [[question.rule]] below it")
        if sum(rule.otherwise for rule in rules) > 1:
            self.fault("way-value", place, "only one rule of a question can be the `otherwise` rule")
        if len(self.faults) > before_faults:
            return None
        return ParsedQuestion(WayQuestion(question_id, asks, when, tuple(rules)), before, place)

    def _rule(self, data: dict[str, Any], place: Place, cards: int | None) -> Rule:
        self._known_keys(data, _RULE_KEYS, place)
        otherwise = data.get("otherwise", False)
        if not isinstance(otherwise, bool):
            self.fault("way-value", (*place, "otherwise"), "`otherwise` is true or false")
        elif otherwise and "when" in data:
            self.fault("way-value", (*place, "otherwise"), "a rule has conditions or is the `otherwise` rule, not both")
        front = self._front(data, place, cards)
        keep = data.get("keep")
        if "keep" in data and (not isinstance(keep, str) or keep not in KEEPS):
            self.fault("way-action", (*place, "keep"), f"{_shown(keep)} cannot be kept: `keep` is {_listed(KEEPS)}")
        return Rule(
            id=self._id(data, place),
            why=self._text(data, "why", place),
            when=self._when(data, place),
            otherwise=otherwise is True,
            front=front,
            keep=keep if isinstance(keep, str) else None,
        )

    def _front(self, data: dict[str, Any], place: Place, cards: int | None) -> tuple[str, ...]:
        front = data.get("front")
        if front == HIGHEST:
            return ()
        where = (*place, "front")
        if not isinstance(front, list) or not front:
            message = f'a rule says which cards go in front: `front = "{HIGHEST}"`, or a list of {_listed(PLACES)}'
            self.fault("way-action", where, message)
            return ()
        unknown = [item for item in front if not isinstance(item, str) or item not in PLACES]
        for item in unknown:
            self.fault(
                "way-action", where, f"{_shown(item)} is no place of a card: use {_listed(PLACES)}{_hint(item, PLACES)}"
            )
        if cards is not None and len(front) != cards - 5:
            self.fault("way-action", where, f"the front has {cards - 5} of the {cards} cards, not {len(front)}")
        return tuple(item for item in front if item not in unknown)

    def _when(self, data: dict[str, Any], place: Place) -> Conditions:
        when = data.get("when", {})
        where = (*place, "when")
        if not isinstance(when, dict):
            self.fault("way-value", where, 'conditions are a table: when = { shape = "two-pair", top-set = "7-10" }')
            return ()
        conditions: list[Condition] = []
        for name, value in when.items():
            if name not in FACT_INDEX:
                message = (
                    f"{name!r} is no fact of a hand: conditions may name {_listed(FACT_INDEX)}{_hint(name, FACT_INDEX)}"
                )
                self.fault("way-feature", (*where, name), message)
                continue
            try:
                mask = parse_condition(FACTS[FACT_INDEX[name]], value)
            except ValueError as error:
                self.fault("way-value", (*where, name), str(error))
                continue
            conditions.append(Condition(FACT_INDEX[name], mask))
        return tuple(sorted(conditions, key=lambda condition: condition.fact))

    def _tables(self, data: dict[str, Any], key: str, place: Place) -> list[tuple[dict[str, Any], Place]]:
        items = data.get(key, [])
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            self.fault("way-value", (*place, key), f"write every {key} under a header of its own, in double brackets")
            return []
        if len(items) > MAX_RULES:
            self.fault("way-value", (*place, key), f"{len(items)} of these are too many: {MAX_RULES} are allowed")
            return []
        return [(item, (*place, key, index)) for index, item in enumerate(items)]

    def _id(self, data: dict[str, Any], place: Place) -> str:
        value = data.get("id")
        if not isinstance(value, str) or len(value) > MAX_ID or not _ID.fullmatch(value):
            message = f"give an `id` of small letters, digits and dashes, at most {MAX_ID}; found {_shown(value)}"
            self.fault("way-value", (*place, "id"), message)
            return ""
        return value

    def _text(self, data: dict[str, Any], key: str, place: Place) -> str:
        value = data.get(key)
        if not isinstance(value, str) or not value.strip() or len(value) > MAX_TEXT or not value.isprintable():
            message = f"give `{key}` as one line of text, at most {MAX_TEXT} characters; found {_shown(value)}"
            self.fault("way-value", (*place, key), message)
            return ""
        return value

    def _known_keys(self, data: dict[str, Any], known: Iterable[str], place: Place) -> None:
        for key in data:
            if key not in known:
                self.fault(
                    "way-key", (*place, key), f"{key!r} is not known here: use {_listed(known)}{_hint(key, known)}"
                )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def _hint(name: object, known: Iterable[str]) -> str:
    question = did_you_mean(name, known, show=repr) if isinstance(name, str) else ""
    return f"; {question}" if question else ""


def _shown(value: object) -> str:
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
