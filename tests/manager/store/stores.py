"""A store under test: its journals, writers and managers, and raw SQL behind their backs."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import Engine as SqlEngine
from sqlalchemy import NullPool, create_engine, text

from houseway.manager.core.engine import Engine
from houseway.manager.core.records import GENESIS, Event, digest
from houseway.manager.store import postgres, sqlite, urls
from houseway.manager.store.journal import TransferRow
from houseway.manager.store.keys import Keys, create_keys
from houseway.manager.store.manager import Manager, open_manager
from houseway.manager.store.memory_journal import MemoryJournal
from houseway.manager.store.powerup import identify
from houseway.manager.store.sql import SqlJournal
from houseway.manager.store.writer import Writer

NOON = 1_750_000_000_000_000


class Clock:
    """A clock that tests set; every reading is a millisecond later."""

    def __init__(self, now: int = NOON) -> None:
        self.now = now

    def __call__(self) -> int:
        self.now += 1_000
        return self.now


class MemoryStore:
    """One journal in memory, which every writer shares."""

    durable = False

    def __init__(self) -> None:
        self.shared = MemoryJournal()
        self.clock = Clock()

    def journal(self) -> MemoryJournal:
        return self.shared

    def writer(self, **options: Any) -> Writer:
        return Writer(self.shared, **{"clock": self.clock, "draw": os.urandom} | options)

    def events(self) -> list[Event]:
        return list(self.shared.events)

    def transfers(self) -> list[TransferRow]:
        return self.shared.transfers


def intruder(url: str) -> SqlEngine:
    """An engine as anybody has it who knows the database: with its own search path and settings."""
    if urls.is_sqlite(url):
        return urls.engine_at(url)
    info = postgres.conninfo(url)
    return create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(info), poolclass=NullPool)


class SqlStore:
    """A database; what is opened here is closed when the test ends."""

    durable = True

    def __init__(self, url: str, keys_folder: Path) -> None:
        self.url = url
        self.keys_folder = keys_folder
        self.keys: Keys = create_keys(keys_folder)
        self.clock = Clock()
        self._opened: list[Callable[[], None]] = []

    @property
    def is_sqlite(self) -> bool:
        return urls.is_sqlite(self.url)

    def journal(self) -> SqlJournal:
        journal = urls.journal_at(self.url)
        self._opened.append(journal.close)
        return journal

    def writer(self, **options: Any) -> Writer:
        journal = self.journal()
        known = {"clock": self.clock, "draw": os.urandom, "keys": self.keys}
        return Writer(journal, **known | {"journal_id": identify(journal, self.keys)} | options)

    def manager(self, **options: Any) -> Manager:
        manager = open_manager(self.url, self.keys_folder, **{"clock": self.clock} | options)
        self._opened.append(manager.close)
        return manager

    def sql(self, statement: str, **values: Any) -> list[Any]:
        """Run SQL as an intruder would, guards and all."""
        with intruder(self.url).begin() as connection:
            result = connection.execute(text(statement), values)
            return list(result.fetchall()) if result.returns_rows else []

    def tamper(self, statement: str, **values: Any) -> None:
        """Run SQL with the guards taken off, as somebody who owns the database can."""
        if not self.is_sqlite:
            with intruder(self.url).begin() as connection:
                connection.exec_driver_sql("SET session_replication_role = replica")
                connection.execute(text(statement), values)
            return
        raw = sqlite.connect(urls.sqlite_path(self.url))
        raw.execute("PRAGMA foreign_keys = OFF")
        triggers = raw.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for statement_ in (f"DROP TRIGGER {name}" for name, _ in triggers):
            raw.execute(statement_)
        raw.execute(statement, values)
        for _, made in triggers:
            raw.execute(made)
        raw.close()

    def events(self) -> list[Event]:
        return list(self.journal().events_after(0))

    def transfers(self) -> list[TransferRow]:
        return [TransferRow(*row) for row in self.journal().transfers_after(0)]

    def close(self) -> None:
        for close in reversed(self._opened):
            close()


def check_chain(events: list[Event]) -> None:
    """Every event follows the one before: numbers without a gap, hashes that fit, keys that are there once."""
    head = GENESIS
    for seq, event in zip(itertools.count(1), events, strict=False):
        assert event.seq == seq
        assert event.follows(head)
        head = event.hash
    assert len({event.key for event in events}) == len(events)


def check_snapshots(events: list[Event]) -> int:
    """Every recorded digest of the state is the one that the events before it lead to; returns how many there are."""
    engine, found = Engine(), 0
    for event in events:
        if event.kind == "system.snapshot":
            assert json.loads(event.body)["do"]["digest"] == digest(engine.floor.text())
            found += 1
        engine.apply(event)
    return found


def check_ledger(transfers: list[TransferRow]) -> dict[str, int]:
    """Every transfer moves something, the balances of both sides run on, and all sum to zero; returns them."""
    balances: dict[str, int] = {}
    for row in transfers:
        assert row.micros > 0
        balances[row.debit] = balances.get(row.debit, 0) + row.micros
        balances[row.credit] = balances.get(row.credit, 0) - row.micros
        assert (balances[row.debit], balances[row.credit]) == (row.debit_balance, row.credit_balance)
    assert sum(balances.values()) == 0
    return balances
