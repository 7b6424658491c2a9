"""The way back after damage to rows that follow from events: they are made again, and the repair goes on record.

Events are the record and cannot be made again: if one of them, or the signature of the last, is not right, nothing is
touched. Transfers, rounds, lines, hits and snapshots follow from the events; where they differ they are replaced, all
in one transaction. Guards, indexes and constraints are made again, and what others have put beside them is taken off; a
table with other columns than it must have cannot be repaired. Make a copy of the database first: it is the evidence of
what had happened.

    python -m houseway.manager.store.repair DATABASE --keys FOLDER --by PERSON --reason TEXT
"""

from __future__ import annotations

import argparse
import secrets
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, delete, func, insert, inspect, select, text

from houseway.errors import InputError
from houseway.manager.commands.system_commands import RowsRebuilt
from houseway.manager.core.engine import SYSTEM, Engine, Envelope
from houseway.manager.core.records import Event, digest
from houseway.manager.store import schema, urls
from houseway.manager.store.covered import covered
from houseway.manager.store.deciding import RESERVED
from houseway.manager.store.definitions import NAMES, create_index, expected, indexes
from houseway.manager.store.guarding import ForeignObject, check_guards, strange
from houseway.manager.store.journal import Checkpoint
from houseway.manager.store.keys import Keys, load_keys
from houseway.manager.store.manager import open_manager
from houseway.manager.store.postgres import LOCK
from houseway.manager.store.projections import Row, rows_of
from houseway.manager.store.reading import View
from houseway.manager.store.seeds import OpenSeeds
from houseway.manager.store.state import JournalState, check_head
from houseway.manager.store.store_errors import JournalDamagedError, StoreRefusedError

_WINDOW: Final = 1_000
_BEYOND: Final = 2**62
_ON_TABLES: Final = """
SELECT 'TRIGGER', tgname, tgrelid::regclass::text FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT 'RULE', rulename, ev_class::regclass::text FROM pg_rewrite WHERE rulename <> '_RETURN'
UNION ALL SELECT 'POLICY', polname, polrelid::regclass::text FROM pg_policy
"""
_DERIVED: Final = ("transfers", "rounds", "lines", "hits", "snapshots")


def repair(url: str, keys_folder: Path, *, by: str, reason: str) -> dict[str, int]:
    """Make the rows again that follow from events and are not right; returns how many differed, by table."""
    if not by.strip() or not reason.strip():
        raise StoreRefusedError.of("reason-needed", "reason", "say who repairs and why: it goes on record")
    keys = load_keys(keys_folder)
    with urls.engine_at(url).begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(select(func.pg_advisory_xact_lock(LOCK)))
        _drop_guards(connection)
        _define_anew(connection)
        changed = _rebuild(View(connection, url), keys)
        for statement in schema.guards(connection.dialect.name).values():
            connection.exec_driver_sql(statement.replace("%", "%%"))
        check_guards(connection.dialect.name, lambda sql: connection.exec_driver_sql(sql).all())
    with open_manager(url, keys_folder, create=False) as manager:
        do = RowsRebuilt(changed, by.strip(), reason.strip())
        manager.call(Envelope(f"{RESERVED}rebuilt/{secrets.token_hex(8)}", SYSTEM, do))
    return changed


def _rebuild(view: View, keys: Keys) -> dict[str, int]:
    """Follow all events, window by window, and put right what differs."""
    changed: Counter[str] = Counter()
    first, last = view.bounds()
    state = _beginning(view, first)
    found, signed, name = view.events(first - 1), view.checkpoints(first - 1), view.journal_id() or ""
    groups = covered(state.place, found, signed, name, keys.verifies, within=first > 1)
    events = chain.from_iterable(groups)
    for low in range(first - 1, last, _WINDOW):
        high = min(low + _WINDOW, last)
        expected: dict[str, list[Row]] = {name: [] for name in _DERIVED}
        for event in islice(events, high - low):
            _expect(state, event, expected)
        # Rows of no event at all, before the first one or behind the last, belong to the windows at the ends.
        begin, end = (low or -_BEYOND), (high if high < last else _BEYOND)
        for name in _DERIVED:
            changed[name] += _put_right(view, name, begin, end, expected[name])
    newest = view.rows(select(schema.checkpoints).order_by(schema.checkpoints.c.seq.desc()).limit(1))
    check_head(Checkpoint(*newest[0]) if newest else None, keys, state.engine)
    return {name: count for name, count in changed.items() if count}


def _beginning(view: View, first: int) -> JournalState:
    """The state before the first event that is here: empty, or the one that an archive ended with."""
    stored = view.state_before(first)
    if stored.seq != first - 1:
        raise JournalDamagedError(f"events[{first}]", "the state before the first event is not stored")
    seeds = OpenSeeds(lambda: ({}, frozenset()))
    return JournalState(Engine(stored.floor, stored.seq, stored.hash), seeds, stored.seq)


def _expect(state: JournalState, event: Event, expected: dict[str, list[Row]]) -> None:
    """Follow an event, and note the rows that it leaves."""
    if event.kind == "system.snapshot":
        stored = state.engine.floor.text()
        named = msgspec.json.decode(event.body)["do"]["digest"]
        if digest(stored) != named:
            raise JournalDamagedError(f"events[{event.seq}]", "the events lead to another state than this one names")
        expected["snapshots"].append((named, event.seq - 1, state.engine.head, stored))
    balances = state.follow_one(event)
    for name, rows in rows_of(event, event.seq, balances)._asdict().items():
        expected[name] += rows


def _put_right(view: View, name: str, low: int, high: int, expected: Sequence[Row]) -> int:
    """Replace a table's rows of some events if they differ; returns how many did."""
    table = schema.metadata.tables[name]
    # A snapshot is the state before the event that names it.
    low, high = (low - 1, high - 1) if name == "snapshots" else (low, high)
    found = view.window(table, low, high)
    wrong = len(set(found) ^ set(expected))
    if wrong or len(found) != len(expected):
        view.connection.execute(delete(table).where(table.c.seq > low, table.c.seq <= high))
        names = [column.name for column in table.columns]
        if expected:
            view.connection.execute(insert(table), [dict(zip(names, row, strict=True)) for row in expected])
    return wrong


def _drop_guards(connection: Connection) -> None:
    """Take the guards off for the length of this transaction, and for good what somebody else has put there."""
    if connection.dialect.name == "sqlite":
        rows = connection.execute(text("SELECT name FROM sqlite_master WHERE lower(type) = 'trigger'"))
        for name in [row[0] for row in rows]:
            connection.exec_driver_sql(f"DROP TRIGGER {connection.dialect.identifier_preparer.quote(name)}")
        return
    quote = connection.dialect.identifier_preparer.quote
    for kind, name, table in connection.execute(text(_ON_TABLES)).all():
        if table in NAMES:
            connection.exec_driver_sql(f"DROP {kind} {quote(name)} ON {table}")
    for table in inspect(connection).get_table_names():
        if table in NAMES:
            connection.exec_driver_sql(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY")
    for function in ("houseway_no_change", "houseway_archived"):
        connection.exec_driver_sql(f"DROP FUNCTION IF EXISTS {function}()")


def _define_anew(connection: Connection) -> None:
    """Take off the views, constraints and indexes that do not belong there, and make those that do and are gone."""
    dialect, quote = connection.dialect.name, connection.dialect.identifier_preparer.quote
    wanted = expected(dialect)

    def found(*kinds: str) -> list[ForeignObject]:
        told = strange(dialect, lambda sql: connection.exec_driver_sql(sql).all())
        return [each for each in told if each.kind in kinds]

    for each in found("view", "materialized view"):
        connection.exec_driver_sql(f"DROP {each.kind.upper()} {quote(each.name)}")
    for each in found("constraint"):
        table, _, name = each.name.rpartition(".")
        connection.exec_driver_sql(f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {quote(name)}")
        if each.name in wanted.constraints:
            text_ = wanted.constraints[each.name]
            connection.exec_driver_sql(f"ALTER TABLE {table} ADD CONSTRAINT {quote(name)} {text_}")
    own = {str(index.name): create_index(index, dialect) for index in indexes()}
    for each in found("index"):
        connection.exec_driver_sql(f"DROP INDEX IF EXISTS {quote(each.name)}")
        if each.name in own:
            connection.exec_driver_sql(own[each.name])


def main(arguments: Sequence[str] | None = None) -> int:
    """Repair from the command line; 1 if it is refused."""
    parser = argparse.ArgumentParser(prog="houseway.manager.store.repair", description="Make derived rows again.")
    parser.add_argument("database", help="sqlite:///PATH or postgresql://USER@HOST/DATABASE")
    for name in ("keys", "by", "reason"):
        parser.add_argument(f"--{name}", required=True)
    told: Any = parser.parse_args(arguments)
    try:
        changed = repair(told.database, Path(told.keys), by=told.by, reason=told.reason)
    except InputError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    shown = ", ".join(f"{count} in {name}" for name, count in changed.items()) or "none"
    sys.stdout.write(f"rows that differed: {shown}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
