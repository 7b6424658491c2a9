"""Reads the text of a house-way file: every key checked against the closed lists, every fault gathered with its line.

The format is described in docs/guides/add-a-house-way.md. Nothing here touches files; `houseway.houseways.load` does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from houseway.houseways.conditions import parse_condition
from houseway.houseways.facts import FACT_INDEX, FACTS
from houseway.houseways.rules import HIGHEST, KEEPS, PLACES, Condition, Conditions, Rule, WayQuestion
from houseway.reading.codes import Codes
from houseway.reading.fields import Fields
from houseway.reading.places import Place, excerpt
from houseway.reading.toml_files import FileFaults, parse_toml
from houseway.wording import suggestion

_CODES: Final = Codes(
    missing="way-value",
    unknown="way-key",
    kind="way-value",
    number="way-value",
    bounds="way-value",
    text="way-value",
    word="way-value",
)
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
        self.faults = FileFaults(_CODES, name, text)
        values = self.faults.read(lambda: parse_toml(text, code="way-syntax", name=name))
        self._is_toml = values is not None
        self.top = Fields(values or {}, Place("the way"), self.faults)
        if self._is_toml:
            self.top.only(("id", "title"), ("cards", "extends", "source", "question"))

    def head(self) -> dict[str, str]:
        """The texts at the top of the file; what is missing is an empty text."""
        texts = {key: self.top.text(key, MAX_TEXT) or "" for key in ("title", "extends", "source")}
        return {"id": self._id(self.top), **texts}

    def cards(self, inherited: int | None) -> int | None:
        """How many cards a hand has: the file's own word, or that of the way it extends."""
        value = self.top.values.get("cards", inherited)
        if type(value) is not int or value not in (6, 7):
            if self._is_toml:
                message = "say `cards = 6` or `cards = 7`: the size of the hands that are set"
                self.top.fault("way-value", "cards", message)
            return inherited
        if inherited is not None and value != inherited:
            self.top.fault("way-extends", "cards", f"a way for {value} cards cannot extend one for {inherited} cards")
        return value

    def questions(self, cards: int | None) -> list[ParsedQuestion]:
        """The questions of the file in order; those with a fault are left out."""
        parsed = [self._question(fields, cards) for fields in self._tables(self.top, "question")]
        return [question for question in parsed if question is not None]

    def _question(self, fields: Fields, cards: int | None) -> ParsedQuestion | None:
        before_faults = self.faults.count
        fields.only(("id", "asks"), ("when", "before", "rule"))
        question_id = self._id(fields)
        asks, before = fields.text("asks", MAX_TEXT), fields.text("before", MAX_TEXT)
        when = self._when(fields)
        rules = [self._rule(rule, cards) for rule in self._tables(fields, "rule")]
        if not rules:
            message = "a question needs at least one rule: add a [[question.rule]] below it"
            self.faults.add("way-value", fields.place, message)
        if sum(rule.otherwise for rule in rules) > 1:
            message = "only one rule of a question can be the `otherwise` rule"
            self.faults.add("way-value", fields.place, message)
        if self.faults.count > before_faults:
            return None
        return ParsedQuestion(WayQuestion(question_id, asks or "", when, tuple(rules)), before, fields.place)

    def _rule(self, fields: Fields, cards: int | None) -> Rule:
        fields.only(("id", "why", "front"), ("when", "otherwise", "keep"))
        otherwise = fields.flag("otherwise") is True
        if otherwise and "when" in fields.values:
            fields.fault("way-value", "otherwise", "a rule has conditions or is the `otherwise` rule, not both")
        front = self._front(fields, cards)
        keep = fields.word("keep", KEEPS, "way-action")
        return Rule(
            id=self._id(fields),
            why=fields.text("why", MAX_TEXT) or "",
            when=self._when(fields),
            otherwise=otherwise,
            front=front,
            keep=keep,
        )

    def _front(self, fields: Fields, cards: int | None) -> tuple[str, ...]:
        front: Any = fields.values.get("front")
        if front is None or front == HIGHEST:
            return ()
        place = fields.place.key("front")
        if not isinstance(front, list) or not front:
            message = f'a rule says which cards go in front: "{HIGHEST}", or a list of {", ".join(PLACES)}'
            self.faults.add("way-action", place, message)
            return ()
        read = [
            self.faults.choice(item, PLACES, place.element(index), "way-action") for index, item in enumerate(front)
        ]
        if cards is not None and len(front) != cards - 5:
            self.faults.add("way-action", place, f"the front has {cards - 5} of the {cards} cards, not {len(front)}")
        return tuple(item for item in read if item is not None)

    def _when(self, fields: Fields) -> Conditions:
        when = fields.table("when", f"the conditions of {fields.name}")
        conditions: list[Condition] = []
        for name, value in (when.values if when is not None else {}).items():
            place = fields.place.key("when").key(name)
            if name not in FACT_INDEX:
                message = f"{excerpt(name)!r} is not a fact of a hand: {suggestion(name, FACT_INDEX)}"
                self.faults.add("way-feature", place, message)
                continue
            try:
                mask = parse_condition(FACTS[FACT_INDEX[name]], value)
            except ValueError as error:
                self.faults.add("way-value", place, str(error))
                continue
            conditions.append(Condition(FACT_INDEX[name], mask))
        return tuple(sorted(conditions, key=lambda condition: condition.fact))

    def _tables(self, fields: Fields, key: str) -> list[Fields]:
        tables = fields.tables(key, key)
        if len(tables) > MAX_RULES:
            fields.fault("way-value", key, f"{len(tables)} of these are too many: {MAX_RULES} are allowed")
            return []
        return tables

    def _id(self, fields: Fields) -> str:
        value = fields.text("id", MAX_ID)
        if value is not None and not _ID.fullmatch(value):
            message = f"an id is small letters, digits and inner dashes, not {excerpt(value)!r}"
            fields.fault("way-value", "id", message)
        return value or ""
