"""The entities of one kind as a command will leave them: its own changes laid over what stands on the floor.

Nothing is copied: what a command has not touched is read where it lies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, Protocol, TypeVar

from houseway.amounts import Micros
from houseway.manager.core.award_entities import Award
from houseway.manager.core.house_entities import Property, PropertySetting
from houseway.manager.core.link_entities import Level, Link
from houseway.manager.core.table_entities import Round


class Identified(Protocol):
    """What is kept under an id of its own."""

    @property
    def id(self) -> str:
        """The id, once among those of its kind."""


EntityT = TypeVar("EntityT", bound=Identified)
EntityT_co = TypeVar("EntityT_co", covariant=True)


class Entities(Protocol[EntityT_co]):
    """Entities of one kind to read: those on the floor, or those that a command will leave there."""

    def get(self, key: str, /) -> EntityT_co | None:
        """The entity under an id, or None."""

    def __getitem__(self, key: str, /) -> EntityT_co:
        """The entity under an id that is known to be there; KeyError otherwise."""

    def values(self) -> Iterable[EntityT_co]:
        """All of them."""


class State(Protocol):
    """The floor as it stands, or as a command will leave it: what is worked out of either reads it through this."""

    @property
    def properties(self) -> Entities[Property]:
        """The property, once there is one."""

    @property
    def settings(self) -> Entities[PropertySetting]:
        """The settings of the property."""

    @property
    def links(self) -> Entities[Link]:
        """The links."""

    @property
    def levels(self) -> Entities[Level]:
        """The running figures of levels."""

    @property
    def rounds(self) -> Entities[Round]:
        """The rounds in play, set aside, or ended but kept."""

    @property
    def awards(self) -> Entities[Award]:
        """The awards of those rounds."""

    def held(self, name: str) -> Micros:
        """The balance of an account as people read it, in micros."""


class Overlay(Generic[EntityT]):
    """Entities of one kind with the changes that a command makes to them."""

    __slots__ = ("_before", "changed")

    def __init__(self, before: Mapping[str, EntityT]) -> None:
        """Begin with no changes."""
        self._before = before
        self.changed: dict[str, EntityT | None] = {}
        """The entities as they are after the command, by id; None where one is gone."""

    def get(self, id_: str, /) -> EntityT | None:
        """The entity under an id, with this command's own changes, or None."""
        changed = self.changed
        return changed[id_] if id_ in changed else self._before.get(id_)

    def __getitem__(self, id_: str, /) -> EntityT:
        """The entity under an id that is known to be there; KeyError otherwise."""
        found = self.get(id_)
        if found is None:
            raise KeyError(id_)
        return found

    def __contains__(self, id_: str) -> bool:
        """Whether there is an entity under an id."""
        return self.get(id_) is not None

    def values(self) -> Iterator[EntityT]:
        """All of them: those of the floor in its order, then those that this command has added."""
        changed = self.changed
        for id_, entity in self._before.items():
            current = changed.get(id_, entity)
            if current is not None:
                yield current
        for id_, added in changed.items():
            if added is not None and id_ not in self._before:
                yield added

    def put(self, entity: EntityT) -> None:
        """Set an entity as it is after the command."""
        self.changed[entity.id] = entity

    def drop(self, id_: str) -> None:
        """Let an entity go."""
        self.changed[id_] = None
