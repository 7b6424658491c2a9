"""Keeping a journal: its database backed up, restored, checked, upgraded and moved, its signing key renewed."""

from __future__ import annotations

from houseway.manager.store.backup import Manifest, Stage, check_backup, is_backup, make_backup
from houseway.manager.store.journal_audit import AuditReport
from houseway.manager.store.keys import renew_signing_key
from houseway.manager.store.restore import RestoreResult, audit_database, copy_database, restore_backup
from houseway.manager.store.trust import trust_in
from houseway.manager.store.upgrade import UpgradeResult, upgrade_tables

__all__ = [
    "AuditReport",
    "Manifest",
    "RestoreResult",
    "Stage",
    "UpgradeResult",
    "audit_database",
    "check_backup",
    "copy_database",
    "is_backup",
    "make_backup",
    "renew_signing_key",
    "restore_backup",
    "trust_in",
    "upgrade_tables",
]
