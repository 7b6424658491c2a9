"""What a journal has on record at its newest event, for what people type when they look into it."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from houseway.errors import InputError
from houseway.manager.core.floor import Floor
from houseway.manager.store.reading import View
from houseway.reading.typed_ids import known_id


class IdsOnRecord(NamedTuple):
    """What is registered in a journal now, and the accounts of its books."""

    tables: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()
    devices: frozenset[str] = frozenset()
    accounts: frozenset[str] = frozenset()

    def of_table(self, typed: str, path: str) -> str:
        """The id of a round or an award, which begins with that of its table, as it is registered."""
        table, dash, rest = typed.strip().rpartition("-")
        return f"{known_id(table, self.tables, path)}{dash}{rest}"


class NewestState:
    """The newest state of a journal, read when it is first asked for, and once for a whole search.

    Reading it means applying every event since the last stored state, with its signatures.
    """

    def __init__(self, view: View) -> None:
        """Read nothing yet."""
        self.view = view

    @cached_property
    def floor(self) -> Floor:
        """The floor behind the last event; refused where it cannot be read."""
        return self.view.state_at(self.view.bounds()[1]).floor

    @cached_property
    def ids(self) -> IdsOnRecord:
        """The ids that people may type; none where the state of a damaged journal cannot be read."""
        try:
            floor = self.floor
        except InputError:
            return IdsOnRecord()
        return IdsOnRecord(*(frozenset(ids) for ids in (floor.tables, floor.people, floor.devices, floor.balances)))
