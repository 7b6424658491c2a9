"""How many elements the lists and objects of commands hold at most.

A command that needs more is none of a table: the decoder refuses it by its type, before anybody looks at its elements.
Each bound is well above what a room can have, so that no honest command meets it.
"""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from houseway.reading.json_values import JsonObject

MOST_SEATS: Final = 52
"""Seats of a table: no deck deals more hands."""
MOST_SENSORS: Final = 9
"""Sensors of a seat, as a game may have."""
MOST_WAGERS: Final = 50
"""Wagers of a seat by name."""
MOST_CARDS: Final = 53
"""Cards of a deck."""
MOST_NAMED: Final = 100
"""Pay tables, levels, prizes, readings, settings and pieces of evidence of one thing."""
MOST_PEOPLE: Final = 100
"""People of a new property; its handler takes fewer, and says so."""
MOST_ROLES: Final = 20
MOST_CHIP_VALUES: Final = 40
"""Values of chips on one slip."""
MOST_FIELDS: Final = 200
"""Fields of a paper or of a proposed change."""
LONGEST_ADDRESS: Final = 100
MOST_KEPT: Final = 1_000
"""Entries of what the manager itself puts on record."""

Seats = Annotated[list[int], Meta(max_length=MOST_SEATS)]
SeatsBySensor = Annotated[dict[str, Seats], Meta(max_length=MOST_SENSORS)]
Cards = Annotated[list[str], Meta(max_length=MOST_CARDS)]
Places = Annotated[list[int], Meta(max_length=MOST_CARDS)]
Chips = Annotated[dict[str, int], Meta(max_length=MOST_CHIP_VALUES)]
"""How many chips of each value in cents."""
Address = Annotated[str, Meta(min_length=1, max_length=LONGEST_ADDRESS)]
"""An address of the network as text."""
Fields = Annotated[JsonObject, Meta(max_length=MOST_FIELDS)]
