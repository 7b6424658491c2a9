"""What the manager knows, by kind: property, people, devices, papers, links, tables, rounds, awards, archives and more.

Entities are values, never changed in place. An event carries the whole of every entity that it changed, so the state at
any date is read off the journal without running old code. Of levels, tables and rounds, which change with every round,
it leaves out what is at its default. Amounts have the type of their unit; the name of one in millionths of a dollar
ends in `_micros`. Times are microseconds since 1970 UTC.
"""

from __future__ import annotations

from typing import Final

from houseway.manager.core.award_entities import Award, PaidAwards
from houseway.manager.core.house_entities import (
    Archive,
    Device,
    Paper,
    Person,
    Property,
    PropertySetting,
    Proposal,
    SigningKey,
)
from houseway.manager.core.link_entities import Level, Link
from houseway.manager.core.slip_entities import Slip, SlipSeries
from houseway.manager.core.table_entities import Round, Table

Entity = (
    Property
    | Person
    | Device
    | PropertySetting
    | Paper
    | Slip
    | SlipSeries
    | Link
    | Level
    | Table
    | Round
    | Award
    | PaidAwards
    | Proposal
    | Archive
    | SigningKey
)
ENTITY_TYPES: dict[str, type[Entity]] = {
    "property": Property,
    "person": Person,
    "device": Device,
    "setting": PropertySetting,
    "paper": Paper,
    "slip": Slip,
    "series": SlipSeries,
    "link": Link,
    "level": Level,
    "table": Table,
    "round": Round,
    "award": Award,
    "paid": PaidAwards,
    "proposal": Proposal,
    "archive": Archive,
    "signing-key": SigningKey,
}

COLLECTIONS: Final[dict[str, str]] = {
    "property": "properties",
    "person": "people",
    "device": "devices",
    "setting": "settings",
    "paper": "papers",
    "slip": "slips",
    "series": "series",
    "link": "links",
    "level": "levels",
    "table": "tables",
    "round": "rounds",
    "award": "awards",
    "paid": "paid",
    "proposal": "proposals",
    "archive": "archives",
    "signing-key": "signing_keys",
}
"""By kind of entity, as the journal names it: the collection that the floor and a decision keep it in."""
