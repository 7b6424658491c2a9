"""Looking into a journal: what an auditor asks of a database or an export, without a manager and its commands."""

from __future__ import annotations

from pathlib import Path

from houseway.manager.core.ledger import OWED, kind_of_account, shown_balance
from houseway.manager.store.account_statements import Statement, account_statement
from houseway.manager.store.archive import ArchiveResult, archive_before
from houseway.manager.store.deals import DealCheck, check_deal
from houseway.manager.store.event_entries import EventEntry
from houseway.manager.store.event_search import EventQuery, find_events
from houseway.manager.store.export import ExportResult, new_file, write_journal
from houseway.manager.store.history import DatedState, as_of
from houseway.manager.store.ids_on_record import NewestState
from houseway.manager.store.journal_audit import AuditReport, verify_database, verify_file
from houseway.manager.store.projections import COLUMNS, lines_of
from houseway.manager.store.reading import announced_keys, is_database, newest_mark, open_view
from houseway.manager.store.reconcile import Reconciliation, reconcile
from houseway.manager.store.repair import repair
from houseway.manager.store.round_search import RoundQuery, find_rounds, marked, undone_award
from houseway.manager.store.round_stories import round_story
from houseway.manager.store.search_names import person_called, unknown_event_names, unknown_names
from houseway.manager.store.trust import Trust, Witness, read_witness, trust_in

__all__ = [
    "COLUMNS",
    "OWED",
    "ArchiveResult",
    "AuditReport",
    "DatedState",
    "DealCheck",
    "EventEntry",
    "EventQuery",
    "ExportResult",
    "NewestState",
    "Reconciliation",
    "RoundQuery",
    "Statement",
    "Trust",
    "Witness",
    "account_statement",
    "announced_keys",
    "archive_before",
    "as_of",
    "audit",
    "check_deal",
    "find_events",
    "find_rounds",
    "is_database",
    "kind_of_account",
    "lines_of",
    "marked",
    "new_file",
    "newest_mark",
    "open_view",
    "person_called",
    "read_witness",
    "reconcile",
    "repair",
    "round_story",
    "shown_balance",
    "trust_in",
    "undone_award",
    "unknown_event_names",
    "unknown_names",
    "verify_database",
    "verify_file",
    "write_journal",
]


def audit(url: str, keys: Path) -> AuditReport:
    """Verify the whole journal of a database with its keys."""
    with open_view(url) as view:
        return verify_database(view, trust_in(keys))
