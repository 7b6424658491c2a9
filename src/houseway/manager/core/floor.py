"""The whole floor as one value: entities by kind and id, balances by account, and the time of the last event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Final, NoReturn, Protocol, Self, TypedDict, TypeVar

import msgspec

from houseway.amounts import NO_MICROS, Micros
from houseway.errors import StateError
from houseway.manager.core.award_entities import Award, PaidAwards
from houseway.manager.core.entities import COLLECTIONS, ENTITY_TYPES, Entity
from houseway.manager.core.house_entities import (
    INCIDENTS,
    Archive,
    Device,
    Paper,
    Person,
    Property,
    PropertySetting,
    Proposal,
    SigningKey,
    is_open_incident,
    word_of,
)
from houseway.manager.core.ledger import shown_balance
from houseway.manager.core.link_entities import Level, Link
from houseway.manager.core.records import canonical
from houseway.manager.core.slip_entities import Slip, SlipSeries
from houseway.manager.core.table_entities import Round, Table
from houseway.reading.json_values import Json, JsonObject

DAY: Final = 86_400_000_000
_PARTS: Final = (*COLLECTIONS.values(), "balances", "badges", "register", "open_incidents_of", "entered")


def _counted_as(register: str) -> str:
    """Incidents are counted by themselves, papers of all other registers together."""
    return register if register == INCIDENTS else ""


class Copied(Protocol):
    """What a floor keeps its parts in."""

    def copy(self) -> Self:
        """Another one with the same in it."""


CollectionT = TypeVar("CollectionT", bound=Copied)


class FloorState(TypedDict):
    """A floor as it is stored."""

    entities: dict[str, dict[str, Entity]]
    balances: dict[str, Micros]
    last_at: int


class Floor:
    """State that commands are checked against. It changes only by `put` and `transfer`, as an event says."""

    def __init__(self) -> None:
        """An empty floor: no property yet."""
        self.properties: dict[str, Property] = {}
        self.people: dict[str, Person] = {}
        self.devices: dict[str, Device] = {}
        self.settings: dict[str, PropertySetting] = {}
        self.papers: dict[str, Paper] = {}
        self.slips: dict[str, Slip] = {}
        self.series: dict[str, SlipSeries] = {}
        self.links: dict[str, Link] = {}
        self.levels: dict[str, Level] = {}
        self.tables: dict[str, Table] = {}
        self.rounds: dict[str, Round] = {}
        self.awards: dict[str, Award] = {}
        self.paid: dict[str, PaidAwards] = {}
        self.proposals: dict[str, Proposal] = {}
        self.archives: dict[str, Archive] = {}
        self.signing_keys: dict[str, SigningKey] = {}
        self.balances: dict[str, Micros] = {}
        self.badges: dict[str, str] = {}
        """Fingerprints of badges to person ids; follows from the people."""
        self.register: dict[str, dict[str, Paper]] = {}
        """Papers by register and id; follows from the papers."""
        self.open_incidents_of: Counter[str] = Counter()
        """How many incidents are open by the device or person on whose word they rest; follows from the papers."""
        self.entered: Counter[tuple[str, str, int]] = Counter()
        """How many papers of a register rest on whose word, by day; follows from the papers."""
        self.last_at = 0
        self._owned: set[str] = set(_PARTS)
        """Collections that no `FloorSnapshot` has; any other one is copied before it changes."""
        self._owned_registers: set[str] = set()
        self._seen: dict[str, object] = {}
        """The collections as the last snapshot has them, read only."""

    def _own(self, name: str, found: CollectionT) -> CollectionT:
        """The collection of this name, to be changed: one that no snapshot has."""
        if name not in self._owned:
            self._owned.add(name)
            found = found.copy()
            setattr(self, name, found)
        return found

    def _entities(self, kind: str) -> dict[str, Entity]:
        """The entities of a kind as the journal names it."""
        found: dict[str, Entity] = getattr(self, COLLECTIONS[kind])
        return found

    def frozen(self) -> FloorSnapshot:
        """The floor as it is now, for those who look: what changes later does not change it.

        Nothing is copied here. What changes next is copied then, collection by collection, once.
        """
        return FloorSnapshot(self._shared(), self.last_at)

    def branched(self) -> Floor:
        """A floor that begins as this one is and goes its own way; it shares what neither of both changes."""
        branch = Floor.__new__(Floor)
        branch.__dict__.update(self.__dict__, _seen=dict(self._shared()), _owned=set(), _owned_registers=set())
        return branch

    def _shared(self) -> dict[str, object]:
        """The collections, read only: none of them is this floor's own from now on."""
        seen = self._seen
        for name in self._owned:
            seen[name] = MappingProxyType(getattr(self, name))
        if "register" in self._owned:
            papers = {name: MappingProxyType(papers) for name, papers in self.register.items()}
            seen["register"] = MappingProxyType(papers)
        self._owned.clear()
        self._owned_registers.clear()
        return seen

    def put(self, kind: str, id_: str, value: Entity | None) -> None:
        """Keep an entity, or forget it where the value is None."""
        name = COLLECTIONS[kind]
        entities: dict[str, Entity] = getattr(self, name)
        if name not in self._owned:
            entities = self._own(name, entities)
        if kind == "person":
            self._index_badges(id_, self.people.get(id_), value if isinstance(value, Person) else None)
        elif kind == "paper":
            self._index_paper(id_, self.papers.get(id_), value if isinstance(value, Paper) else None)
        if value is None:
            entities.pop(id_, None)
        else:
            entities[id_] = value

    def _index_badges(self, id_: str, before: Person | None, after: Person | None) -> None:
        badges = self._own("badges", self.badges)
        for fingerprint in before.badges if before is not None else ():
            badges.pop(fingerprint, None)
        for fingerprint in after.badges if after is not None else ():
            badges[fingerprint] = id_

    def _index_paper(self, id_: str, before: Paper | None, after: Paper | None) -> None:
        if before is not None:
            if after is None or after.register != before.register:
                del self._own_register(before.register)[id_]
            self._count(before, -1)
        if after is not None:
            self._own_register(after.register)[id_] = after
            self._count(after, 1)

    def _own_register(self, name: str) -> dict[str, Paper]:
        """The papers of a register, to be changed."""
        registers = self._own("register", self.register)
        if name not in self._owned_registers:
            self._owned_registers.add(name)
            registers[name] = registers.get(name, {}).copy()
        return registers[name]

    def _count(self, paper: Paper, by: int) -> None:
        entered = self._own("entered", self.entered)
        entered[word_of(paper), _counted_as(paper.register), paper.entered_at // DAY] += by
        if is_open_incident(paper):
            self._own("open_incidents_of", self.open_incidents_of)[word_of(paper)] += by

    def entered_on(self, word: str, register: str, at: int) -> int:
        """How many incidents, or other papers, were entered on somebody's word on the day of a time."""
        return self.entered[word, _counted_as(register), at // DAY]

    def papers_of(self, register: str) -> Collection[Paper]:
        """The papers of one register."""
        return self.register.get(register, {}).values()

    def transfer(self, debit: str, credit: str, micros: Micros) -> tuple[Micros, Micros]:
        """Move an amount from the credited account to the debited one; returns the new balances of both."""
        balances = self.balances if "balances" in self._owned else self._own("balances", self.balances)
        balances[debit] = risen = balances.get(debit, NO_MICROS) + micros
        balances[credit] = fallen = balances.get(credit, NO_MICROS) - micros
        return risen, fallen

    def held(self, name: str) -> Micros:
        """The balance of an account as people read it: what is owed or held as a positive amount, in micros."""
        return shown_balance(name, self.balances.get(name, NO_MICROS))

    def held_rounds(self) -> Mapping[str, tuple[str, ...]]:
        """The ids of the rounds on hold by table, in order."""
        found: dict[str, list[str]] = {}
        for round_ in self.rounds.values():
            if round_.phase == "held":
                found.setdefault(round_.table, []).append(round_.id)
        return {table: tuple(sorted(ids)) for table, ids in found.items()}

    def setting_at(self, name: str, at: int) -> Json:
        """The value of a setting that the property has entered for a time; None where it has entered none."""
        found = self.settings.get(name)
        value: Json = None
        for dated in found.values if found else ():
            if dated.since <= at:
                value = dated.value
        return value

    def number_at(self, name: str, at: int, default: int) -> int:
        """The value of a setting that is a whole number, at a time."""
        entered = self.setting_at(name, at)
        return entered if isinstance(entered, int) else default

    def snapshot(self) -> FloorState:
        """The whole state; `Floor.restored` reads it back from its JSON, and from this."""
        entities = {kind: dict(self._entities(kind)) for kind in COLLECTIONS}
        return {"entities": entities, "balances": dict(self.balances), "last_at": self.last_at}

    def text(self) -> bytes:
        """The whole state as one canonical text, whose digest stands in the journal; `Floor.restored` reads it back.

        Fields at their defaults and kinds without entities are left out: under a later version of the software, with
        new fields and kinds, an old journal still leads to the same texts.
        """
        kept = {kind: self._entities(kind) for kind in COLLECTIONS}
        entities = {kind: _thin(dict(found)) for kind, found in kept.items() if found}
        return canonical({"entities": entities, "balances": dict(self.balances), "last_at": self.last_at})

    @classmethod
    def restored(cls, data: object) -> Floor:
        """The state that a snapshot holds; ValueError if the data is none."""
        stored = msgspec.convert(data, _StoredState)
        unknown = sorted(stored.entities.keys() - ENTITY_TYPES.keys())
        if unknown:
            raise ValueError(f"a state has no {unknown[0]}")
        floor = cls()
        for kind, entities in stored.entities.items():
            for id_, value in entities.items():
                floor.put(kind, id_, msgspec.convert(value, ENTITY_TYPES[kind]))
        floor.balances = stored.balances
        floor.last_at = stored.last_at
        return floor


class FloorSnapshot(Floor):
    """A floor as it was at one event, for readers on any thread: it never changes, and nobody can change it."""

    def __init__(self, collections: dict[str, object], last_at: int) -> None:
        """Take collections that are read only, of a floor that copies them before it changes them (`Floor.frozen`)."""
        self.__dict__.update(collections)
        self.last_at = last_at

    def frozen(self) -> FloorSnapshot:
        """Itself."""
        return self

    @cached_property
    def _held_rounds(self) -> Mapping[str, tuple[str, ...]]:
        return super().held_rounds()

    def held_rounds(self) -> Mapping[str, tuple[str, ...]]:
        """The same, worked out once for all who look."""
        return self._held_rounds

    def put(self, kind: str, id_: str, value: Entity | None) -> NoReturn:  # noqa: ARG002 - as a floor has it
        """Refused: commands change the floor, readers look at it."""
        raise StateError(f"{kind} {id_} of a snapshot cannot be set: the floor changes by commands alone")

    def transfer(self, debit: str, credit: str, micros: Micros) -> NoReturn:  # noqa: ARG002 - as a floor has it
        """Refused: commands move money, readers look at it."""
        raise StateError(f"nothing can be moved from {credit} to {debit} in a snapshot")


class _StoredState(msgspec.Struct, forbid_unknown_fields=True):
    """A state as it is stored."""

    entities: dict[str, dict[str, Json]]
    balances: dict[str, Micros]
    last_at: int


def entity_of(kind: str, value: JsonObject | None) -> Entity | None:
    """An entity as its type, from plain data."""
    return None if value is None else msgspec.convert(value, ENTITY_TYPES[kind])


@lru_cache
def _defaults(type_: type[msgspec.Struct]) -> tuple[tuple[str, object], ...]:
    """The fields of an entity with their defaults; `NODEFAULT` where there is none."""
    return tuple(
        (field.name, field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory())
        for field in msgspec.structs.fields(type_)
    )


def _thin(value: object) -> object:
    """A value as plain data without fields that are at their defaults."""
    if isinstance(value, msgspec.Struct):
        found = ((name, getattr(value, name), default) for name, default in _defaults(type(value)))
        thin: dict[str, object] = {name: _thin(part) for name, part, default in found if part != default}
        config = value.__struct_config__
        # Which struct of several it is stands under its tag, which is no field.
        return thin if config.tag_field is None else {config.tag_field: config.tag, **thin}
    if isinstance(value, dict):
        return {name: _thin(part) for name, part in value.items()}
    return [_thin(part) for part in value] if isinstance(value, list | tuple) else value
