"""Views: typed to the last field, without a secret, with amounts that name their unit, and a schema for each."""

from __future__ import annotations

import re
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest

from houseway.manager.server.asks import _ANSWERED
from houseway.manager.server.state_messages import TOPICS
from houseway.manager.views.answers import MESSAGES
from houseway.manager.views.floor_questions import (
    ANSWERS,
    QUESTIONS,
    EventsQuestion,
    HeadQuestion,
    HealthQuestion,
    KeyQuestion,
    WinPageQuestion,
)
from houseway.manager.views.view_base import FloorView, Value
from houseway.manager.views.view_schema import schema
from instruments.views_page import page, views_in

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "views.md"
VIEWS = list(dict.fromkeys(view for top in (*ANSWERS.values(), *MESSAGES.values()) for view in views_in(top)))

SECRET = re.compile(
    r"secret|session|token|fingerprint|badge|card|password|salt|sender|seed|signature|key(_id)?$|(?<!content_)hash"
)
"""Names that would be those of a secret, or of the hash of one."""
HARMLESS = {
    "PersonView.badges": "how many",
    "SessionsAnswer.sessions": "whose badge was read where",
    "AwardView.badge_role": "whose badge a payment needs",
    "TableView.cards": "whether the system deals them",
    "OpenHand.cards": "they lie open",
    "LevelTerms.seed_cents": "money",
    "LevelMeter.seed_micros": "money",
    "UndoneAwardView.seed_recovered_micros": "money",
    "DealView.revealed_seed": "null until the reveal, public from then on",
    "AwardView.under_key": "the supervisor's key switch",
    "HealthView.hash": "of an event",
    "EventMessage.hash": "of an event",
    "WinPageView.hand_cards": "null unless they lay open",
    "WonMeter.reseeded_micros": "money",
    "ProofView.hash": "of an event",
    "KeyAnswer.key": "the one that was asked for, by the device that made it",
}
AMOUNT = re.compile(
    r"wager|meter(?!s)|displayed|reserve|overflow|locked(?!_until)|limit|amount|stake|returned|prize|pays|envy|won$|seed|drawn"
)
"""Names of amounts, which end in their unit."""
NO_AMOUNT = {
    "LevelTerms.reserve": "a share",
    "AwardView.wagered": "whether there was a wager",
    "LinkView.fixed_pays": "who pays them",
    "SettledLine.wager": "its name",
    "DealView.revealed_seed": "of a shuffle",
    "MetersMessage.meters": "a view",
}


def fields() -> Iterator[tuple[str, Any]]:
    for view in VIEWS:
        for name, hint in get_type_hints(view).items():
            yield f"{view.__name__}.{name}", hint


def parts_of(kind: object) -> Iterator[object]:
    """The types that a type is made of, views left closed."""
    origin = get_origin(kind)
    if kind == Value or origin is Literal or not get_args(kind):
        yield kind
        return
    assert origin in (tuple, dict, Union, types.UnionType), kind
    for part in get_args(kind):
        if part is not Ellipsis:
            yield from parts_of(part)


def test_there_is_a_view_for_all_that_can_be_asked_or_followed() -> None:
    assert set(QUESTIONS.values()) == {
        *_ANSWERED,
        EventsQuestion,
        HeadQuestion,
        HealthQuestion,
        KeyQuestion,
        WinPageQuestion,
    }
    assert set(ANSWERS) == set(QUESTIONS)
    assert set(MESSAGES) == set(TOPICS)
    assert len(VIEWS) > 30


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.__name__)
def test_every_field_has_a_type_of_its_own_and_no_view_changes(view: type[FloorView]) -> None:
    assert view.__struct_config__.frozen
    for name, hint in get_type_hints(view).items():
        for part in parts_of(hint):
            known = part == Value or get_origin(part) is Literal or part in (str, int, bool, type(None))
            assert known or (isinstance(part, type) and issubclass(part, FloorView)), (
                f"{view.__name__}.{name} is {part}"
            )


def test_no_view_can_hold_a_secret() -> None:
    named = {place for place, _ in fields() if SECRET.search(place.partition(".")[2])}
    assert named == set(HARMLESS), "a new name that may be a secret's: leave it out, or say here why it is none"


def test_amounts_end_in_their_unit() -> None:
    without = set()
    for place, hint in fields():
        name = place.partition(".")[2]
        is_text_or_view = not {int} & set(parts_of(hint))
        if AMOUNT.search(name) and not name.endswith(("_cents", "_micros")) and not is_text_or_view:
            without.add(place)
    assert without <= set(NO_AMOUNT), "an amount without its unit"


def test_every_view_has_a_schema() -> None:
    found = schema()
    assert set(found["questions"]) == set(found["answers"]) == set(ANSWERS)
    asked = found["$defs"]["TableQuestion"]
    assert (asked["properties"]["ask"], asked["required"]) == ({"enum": ["table"]}, ["ask", "table"])
    assert set(found["messages"]) == set(MESSAGES)
    assert {view.__name__ for view in VIEWS} <= set(found["$defs"])
    for name, kind in ANSWERS.items():
        assert msgspec.json.schema(kind), name
    shown = found["$defs"]["LevelMeter"]["properties"]
    assert shown["displayed_micros"] == {"type": "integer"}


def test_the_page_is_what_the_views_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "renew it: scripts/write-views-page"
