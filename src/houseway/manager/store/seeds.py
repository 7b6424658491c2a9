"""Seeds of open deals: which ones must lie sealed, and those that do, in memory.

A seed belongs to one deal: to the name it is sealed under, its number among the table's shuffles, and the commitment
that was published. One that does not fit, because its row was altered, exchanged for an older one or left behind, is no
seed: the deal it should serve is refused, and nothing else is touched.

Other processes seal and reveal seeds too, and events never carry them. After their events were followed, what is known
here may be old: it is read again at the next question, and not at every event.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Any, Final, NamedTuple

from houseway.manager.core.engine import Decision
from houseway.manager.core.floor import Floor
from houseway.manager.core.table_entities import Round, Table
from houseway.manager.store.journal import SealedSeed
from houseway.manager.store.keys import Keys
from houseway.manager.store.store_errors import JournalDamagedError

NEXT_DEAL: Final = "next:"
"""Secrets of this prefix are the seeds of tables' next deals; the others are those of rounds."""
_log: Final = logging.getLogger(__name__)


class PublishedSeed(NamedTuple):
    """What the journal says of a seed that must lie sealed: its commitment, and its number at the table."""

    commitment: str
    number: int


def published(entity: Any) -> PublishedSeed | None:  # noqa: ANN401 - a round, a table or None
    """What is published of the seed that lies sealed for a round or a table's next deal; None if there is none."""
    if isinstance(entity, Table) and entity.next_commitment is not None:
        return PublishedSeed(entity.next_commitment, entity.shuffles)
    if isinstance(entity, Round) and entity.deal is not None and entity.deal.seed is None:
        return PublishedSeed(entity.deal.commitment, entity.deal.shuffle)
    return None


def secret_name(kind: str, id_: str) -> str:
    """The name under which the seed of a table's next deal, or of a round, is sealed."""
    return f"{NEXT_DEAL}{id_}" if kind == "table" else id_


def published_in(floor: Floor) -> Iterator[tuple[str, PublishedSeed]]:
    """The seeds that must lie sealed in a state, by name."""
    for kind, entities in (("table", floor.tables), ("round", floor.rounds)):
        for id_, entity in entities.items():
            found = published(entity)
            if found is not None:
                yield secret_name(kind, id_), found


def number_of(decision: Decision, name: str) -> int:
    """The number of the seed that is sealed under a name, by the entity that publishes it; 0 where there is none."""
    if name.startswith(NEXT_DEAL):
        found = published(decision.tables.get(name.removeprefix(NEXT_DEAL)))
    else:
        found = published(decision.rounds.get(name))
    return 0 if found is None else found.number


def opened(stored: Mapping[str, SealedSeed], floor: Floor, keys: Keys | None) -> dict[str, bytes]:
    """The seeds that open and are those of their deals, by name; the log names every other row."""
    seeds, wanted = {}, dict(published_in(floor))
    for name, row in stored.items():
        said = PublishedSeed(row.commitment, row.number)
        try:
            if wanted.get(name, said) != said:
                raise JournalDamagedError(f"secrets[{name}]", "the sealed seed is that of another deal")  # noqa: TRY301
            seeds[name] = row.sealed if keys is None else keys.unseal(name, row.number, row.commitment, row.sealed)
        except JournalDamagedError as error:
            _log.critical("%s: it is not used, and the deal it should serve is refused", error.faults[0].message)
    return seeds


class OpenSeeds(MutableMapping[str, bytes]):
    """Seeds by name; `forget` makes the next use read them again."""

    def __init__(self, read: Callable[[], dict[str, bytes]]) -> None:
        """Read by this function when they are first asked for."""
        self._read = read
        self._known: dict[str, bytes] | None = None

    def forget(self) -> None:
        """What is known may be old."""
        self._known = None

    def ready(self) -> None:
        """Read them now, if that is still to be done."""
        self._seeds()

    def _seeds(self) -> dict[str, bytes]:
        if self._known is None:
            self._known = self._read()
        return self._known

    def __getitem__(self, name: str) -> bytes:
        return self._seeds()[name]

    def __setitem__(self, name: str, seed: bytes) -> None:
        self._seeds()[name] = seed

    def __delitem__(self, name: str) -> None:
        del self._seeds()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._seeds())

    def __len__(self) -> int:
        return len(self._seeds())

    def __repr__(self) -> str:
        """Never the seeds themselves: a representation ends up in logs."""
        return "<OpenSeeds>"
