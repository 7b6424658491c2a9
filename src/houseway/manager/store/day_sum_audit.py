"""The kept sums of gaming days against the rows they were made of: each one is made again and compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple
from zoneinfo import ZoneInfo

import msgspec
from sqlalchemy import select

from houseway.manager.store import schema
from houseway.manager.store.day_summing import sum_parts
from houseway.manager.store.day_sums import PARTS, part_bytes
from houseway.manager.store.reading import View


class WrongSums(NamedTuple):
    """Sums that are not what their events say."""

    seq: int
    part: str
    problem: str
    """`altered`, `extra` or `missing`."""
    message: str

    @property
    def row(self) -> str:
        """The row's name, as findings tell it."""
        return f"{self.seq}/{self.part}"


def wrong_day_sums(view: View, start: int, counted: Counter[str]) -> Iterator[WrongSums]:
    """Every row of kept sums of events behind `start` that is not right, or is missing between others.

    Sums that begin before it are passed over: where events were archived there is nothing to hold them against, and
    nobody reads them.
    """
    table, events, place = schema.day_sums, schema.events, start
    bounds = select(table.c.seq, table.c.before).distinct().where(table.c.seq > start)
    for seq, before in view.rows(bounds.order_by(table.c.seq, table.c.before)):
        if before < start:
            place = seq
            continue
        stored = view.rows(select(table).where(table.c.seq == seq, table.c.before == before).order_by(table.c.part))
        counted["day_sums"] += len(stored)
        named = view.rows(select(events.c.hash).where(events.c.seq == seq))
        if not named or before < place:
            what = "there is no such event here" if not named else "it sums events that another row sums as well"
            yield from (WrongSums(row[0], row[1], "extra", what) for row in stored)
            continue
        if before > place:
            what = f"the sums of the events {place + 1} to {before} are not there, and later ones are"
            yield WrongSums(before, "all", "missing", what)
        place = seq
        yield from _compared(view, stored, str(named[0][0]))
        for part in PARTS.keys() - {row[1] for row in stored}:
            yield WrongSums(seq, part, "missing", f"other sums of the events {before + 1} to {seq} are kept")


def _compared(view: View, stored: list[tuple[int, str, int, str, bytes]], hash_: str) -> Iterator[WrongSums]:
    made: dict[str, dict[str, bytes]] = {}
    for seq, part, before, told, sums in stored:
        if part not in PARTS:
            yield WrongSums(seq, part, "extra", "no such part of a day's sums is kept")
            continue
        try:
            zone = getattr(msgspec.json.decode(bytes(sums), type=PARTS[part]), "zone", "UTC")
        except msgspec.MsgspecError as error:
            yield WrongSums(seq, part, "altered", f"the sums cannot be read: {error}")
            continue
        zone = zone if _is_zone(zone) else "UTC"
        if zone not in made:
            parts = sum_parts(view, before, seq, zone)
            made[zone] = {name: part_bytes(each) for name, each in parts.items()}
        if told != hash_:
            yield WrongSums(seq, part, "altered", f"its hash is not that of event {seq}")
        elif made[zone][part] != bytes(sums):
            what = f"the rows of the events {before + 1} to {seq} make other sums than these"
            yield WrongSums(seq, part, "altered", what)


def _is_zone(name: str) -> bool:
    """Whether there is a time zone of this name; sums by the clocks of no zone are wrong whatever they say."""
    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        return False
    return True
