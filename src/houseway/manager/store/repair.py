"""The way back after damage to rows that follow from events: they are made again, and the repair goes on record.

Events are the record and cannot be made again: if one of them, or the signature of the last, is not right, nothing is
touched. Transfers, rounds, lines, hits, snapshots and the records of archives follow from the events; where they differ
they are replaced, all in one transaction. Kept sums of days that differ are taken away, and made again later. Guards,
indexes and constraints are made again, and what others have put beside them is taken off; a table with other columns
than it must have cannot be repaired. Make a copy of the database first: it is the evidence of what had happened.

Who has it done is a person on duty, by the events themselves, and stands in the record of the repair.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Final

import msgspec
from sqlalchemy import Connection, delete, func, insert, inspect, select, text

from houseway.errors import InputError
from houseway.manager.commands.system_commands import RowsRebuilt
from houseway.manager.core.engine import SYSTEM, Engine, Envelope
from houseway.manager.core.records import Event, digest
from houseway.manager.handlers.system import repair_fault
from houseway.manager.store import schema, urls
from houseway.manager.store.archive_records import archive_rows, wrong_archives
from houseway.manager.store.covered import covered
from houseway.manager.store.day_sum_audit import wrong_day_sums
from houseway.manager.store.deciding import RESERVED
from houseway.manager.store.definitions import NAMES, create_index, expected, indexes
from houseway.manager.store.guarding import ForeignObject, check_guards, drops, strange
from houseway.manager.store.journal import Checkpoint
from houseway.manager.store.keys import Keys, load_keys
from houseway.manager.store.manager import open_manager
from houseway.manager.store.postgres import LOCK
from houseway.manager.store.projections import Row, rows_of
from houseway.manager.store.reading import View
from houseway.manager.store.seeds import OpenSeeds
from houseway.manager.store.signing_order import SigningOrder
from houseway.manager.store.state import JournalState, check_head
from houseway.manager.store.store_errors import JournalDamagedError, StoreRefusedError

_WINDOW: Final = 1_000
_BEYOND: Final = 2**62
_ON_TABLES: Final = """
SELECT x.kind, x.name, c.relname FROM (
    SELECT 'TRIGGER', tgname, tgrelid FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT 'RULE', rulename, ev_class FROM pg_rewrite WHERE rulename <> '_RETURN'
    UNION ALL SELECT 'POLICY', polname, polrelid FROM pg_policy
) AS x (kind, name, relation) JOIN pg_class c ON c.oid = x.relation JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = :schema
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
        changed = _rebuild(View(connection, url), keys, by.strip())
        namespace = urls.namespace_of(connection)
        for statement in schema.guards(namespace).values():
            connection.exec_driver_sql(statement.replace("%", "%%"))
        check_guards(namespace, lambda sql: connection.exec_driver_sql(sql).all())
    with open_manager(url, keys_folder, create=False) as manager:
        do = RowsRebuilt(changed, by.strip(), reason.strip())
        manager.call(Envelope(f"{RESERVED}rebuilt/{secrets.token_hex(8)}", SYSTEM, do))
    return changed


def _rebuild(view: View, keys: Keys, by: str) -> dict[str, int]:
    """Follow all events, window by window, and put right what differs; refused if they do not know who has it done."""
    changed: Counter[str] = Counter()
    first, last = view.bounds()
    state = _beginning(view, first)
    found, signed, name = view.events(first - 1), view.checkpoints(first - 1), view.journal_id() or ""
    order = SigningOrder(state.engine.floor.signing_keys.values())
    groups = covered(state.place, found, signed, name, keys.verifies, order, within=first > 1)
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
    changed["archives"] = _put_archives_right(view, archive_rows(state.engine.floor))
    changed["day_sums"] = _drop_wrong_sums(view, first - 1)
    fault = repair_fault(state.engine.floor, by)
    if fault is not None:
        raise InputError([fault])
    return {name: count for name, count in changed.items() if count}


def _beginning(view: View, first: int) -> JournalState:
    """The state before the first event that is here: empty, or the one that an archive ended with."""
    stored = view.state_before(first)
    if stored.seq != first - 1:
        raise JournalDamagedError(f"events[{first}]", "the state before the first event is not stored")
    seeds = OpenSeeds(dict)
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


def _put_archives_right(view: View, expected: Sequence[Row]) -> int:
    """Make the records of archives again if they are not those of the state; returns how many differed."""
    table = schema.archives
    wrong = len(list(wrong_archives(expected, view.rows(select(table)))))
    if wrong:
        view.connection.execute(delete(table))
        names = [column.name for column in table.columns]
        if expected:
            view.connection.execute(insert(table), [dict(zip(names, row, strict=True)) for row in expected])
    return wrong


def _drop_wrong_sums(view: View, before: int) -> int:
    """Take away kept sums of days from the first wrong one on: they are made again when sums are next kept."""
    table = schema.day_sums
    wrong = list(wrong_day_sums(view, before, Counter()))
    if wrong:
        view.connection.execute(delete(table).where(table.c.seq >= min(each.seq for each in wrong)))
    return len(wrong)


def _drop_guards(connection: Connection) -> None:
    """Take the guards off for the length of this transaction, and for good what somebody else has put there."""
    if connection.dialect.name == "sqlite":
        rows = connection.execute(text("SELECT name FROM sqlite_master WHERE lower(type) = 'trigger'"))
        for name in [row[0] for row in rows]:
            connection.exec_driver_sql(f"DROP TRIGGER {connection.dialect.identifier_preparer.quote(name)}")
        return
    quote, namespace = connection.dialect.identifier_preparer.quote, urls.namespace_of(connection)
    for kind, name, table in connection.execute(text(_ON_TABLES), {"schema": namespace.name}).all():
        if table in NAMES:
            connection.exec_driver_sql(f"DROP {kind} {quote(name)} ON {namespace.of(table)}")
    for table in inspect(connection).get_table_names(namespace.name):
        if table in NAMES:
            change = "DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY"
            connection.exec_driver_sql(f"ALTER TABLE {namespace.of(table)} {change}")
            connection.exec_driver_sql(f"ALTER TABLE {namespace.of(table)} REPLICA IDENTITY DEFAULT")
    for function in ("houseway_no_change", "houseway_archived"):
        connection.exec_driver_sql(f"DROP FUNCTION IF EXISTS {namespace.of(function)}()")


def _define_anew(connection: Connection) -> None:
    """Take off the views, constraints and indexes that do not belong there, and make those that do and are gone."""
    namespace, quote = urls.namespace_of(connection), connection.dialect.identifier_preparer.quote
    wanted = expected(namespace)

    def found(*kinds: str) -> list[ForeignObject]:
        told = strange(namespace, lambda sql: connection.exec_driver_sql(sql).all())
        return [each for each in told if not kinds or each.kind in kinds]

    for each in found("view", "materialized view"):
        connection.exec_driver_sql(f"DROP {each.kind.upper()} {namespace.of(quote(each.name))}")
    for each in found("constraint"):
        table, _, name = each.name.rpartition(".")
        table = namespace.of(table) if table in NAMES else table
        connection.exec_driver_sql(f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {quote(name)}")
        if each.name in wanted.constraints:
            text_ = wanted.constraints[each.name]
            connection.exec_driver_sql(f"ALTER TABLE {table} ADD CONSTRAINT {quote(name)} {text_}")
    own = {str(index.name): create_index(index, namespace) for index in indexes()}
    for each in found("index"):
        connection.exec_driver_sql(f"DROP INDEX IF EXISTS {namespace.of(quote(each.name))}")
        if each.name in own:
            connection.exec_driver_sql(own[each.name])
    for statement in drops(found()):
        connection.exec_driver_sql(statement)
