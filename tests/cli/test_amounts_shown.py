"""Amounts as people read them against the amounts that programs get: the unit is the one that the code declares."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from types import ModuleType

import msgspec

from houseway.amounts import Cents, micros
from houseway.cli.words import said, words
from houseway.manager.commands import (
    house_answers,
    house_commands,
    link_answers,
    link_commands,
    round_answers,
    round_commands,
    system_answers,
    system_commands,
)
from houseway.manager.core import award_entities, house_entities, link_entities, table_entities
from houseway.manager.store.history import SECTIONS
from houseway.manager.views import answers, health_view, jackpot_views, office_views, table_views
from houseway.wording import micro_dollars
from tests.manager.pit import Pit

MODULES: tuple[ModuleType, ...] = (
    award_entities, house_entities, link_entities, table_entities,
    house_answers, house_commands, link_answers, link_commands, round_answers, round_commands,
    system_answers, system_commands, answers, health_view, jackpot_views, office_views, table_views,
)  # fmt: skip


def declared() -> Iterator[tuple[str, str, str]]:
    """Every field of every record that people may see: its record, its name, and how its value is declared."""
    for module in MODULES:
        for name, found in inspect.getmembers(module, inspect.isclass):
            if issubclass(found, msgspec.Struct) and found.__module__ == module.__name__:
                for field, kind in inspect.get_annotations(found).items():
                    yield f"{module.__name__}.{name}", field, str(kind)


def test_every_amount_is_shown_in_the_unit_that_its_record_declares() -> None:
    wrong, met = [], set()
    for record, field, kind in declared():
        unit = re.search(r"\b(Cents|Micros)\b", kind)
        shown = words({field: 1_234_500})
        if unit is not None:
            met.add(unit[1])
            amount = micro_dollars(1_234_500 if unit[1] == "Micros" else micros(Cents(1_234_500)))
            if shown != f"{{{field} {amount}}}":
                wrong.append(f"{record}.{field}: {kind}, shown as {shown}")
        elif re.search(r"\bint\b", kind) and not field.endswith(("cents", "micros")) and "$" in shown:
            wrong.append(f"{record}.{field}: {kind}, shown as {shown}")
    assert wrong == []
    assert met == {"Cents", "Micros"}


def test_what_held_at_a_date_shows_the_money_of_a_link_as_programs_get_it() -> None:
    pit = Pit()
    pit.floor.transfer("seed/L1/main", "meter/L1/main", 25_000_000)
    (link,) = SECTIONS["links"](pit.floor, pit.now)
    assert link["money"]["main"]["seed"] == 25_000_000
    parts = ", ".join(f"{kind} {micro_dollars(amount)}" for kind, amount in link["money"]["main"].items())
    assert f"money {{main {{{parts}}}}}" in said(link)
    assert "seed $25.00" in parts
    assert "levels {main {seed $10,000.00," in said(link)
