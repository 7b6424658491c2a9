"""What events touch, as far as displays are concerned: the meters of which links, which tables, awards and devices."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from houseway.manager.core.floor import Floor
from houseway.manager.core.ledger import Transfer
from houseway.manager.core.records import Event


class _ChangedParts(msgspec.Struct):
    """The parts of an event's body (`Body`) that say what changed; entities themselves are not looked at."""

    put: list[tuple[str, str, msgspec.Raw]] = []
    post: list[Transfer] = []


_DECODER = msgspec.json.Decoder(_ChangedParts)


@dataclass
class TouchedIds:
    """Ids by what they name; sets, so that many events of one table make one new state."""

    meters: set[str] = field(default_factory=set)
    """Links whose signs may show something else now."""
    tables: set[str] = field(default_factory=set)
    awards: set[str] = field(default_factory=set)
    devices: set[str] = field(default_factory=set)
    everything: bool = False
    """Whether something changed and nobody can say what: then all is told again."""
    _links: set[str] = field(default_factory=set)
    _rounds: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Sort what events name by its kind."""
        self._by_kind = {
            "link": self._links, "table": self.tables, "round": self._rounds, "award": self.awards,
            "device": self.devices,
        }  # fmt: skip

    def __bool__(self) -> bool:
        """Whether anything was touched."""
        named = self.meters or self.tables or self.awards or self.devices or self._links or self._rounds
        return bool(named or self.everything)

    def note(self, event: Event) -> None:
        """Add what an event names."""
        read = _DECODER.decode(event.body)
        for kind, id_, _ in read.put:
            if kind in self._by_kind:
                self._by_kind[kind].add(id_)
        for debit, credit, *_ in read.post:
            self.meters.update([name.split("/")[1] for name in (debit, credit) if name.count("/") == 2])

    def spread(self, floor: Floor) -> None:
        """Add what follows from it in the state as it is now."""
        if self.everything:
            self.meters.update(floor.links)
            self.tables.update(floor.tables)
            self.awards.update(floor.awards)
            self.devices.update(floor.devices)
        played = {table for id_ in self._rounds if (table := table_of_round(floor, id_)) is not None}
        self.awards |= {id_ for name in self._rounds if name in floor.rounds for id_ in floor.rounds[name].awards}
        awards = [floor.awards[id_] for id_ in self.awards if id_ in floor.awards]
        on_links = {t.id for t in floor.tables.values() if self._links.intersection(t.sensors.values())}
        self.tables |= played | {award.table for award in awards} | on_links
        self.meters |= self._links | {award.link for award in awards}
        # Where contributions are shown at the end of a round, the sign moves when the round goes.
        self.meters |= {link for table in played for link in floor.tables[table].sensors.values()}


def table_of_round(floor: Floor, round_id: str) -> str | None:
    """The table of a round, also of one that is over: its id is the table's with a number behind."""
    round_ = floor.rounds.get(round_id)
    table = round_.table if round_ is not None else round_id.rpartition("-")[0]
    return table if table in floor.tables else None
