"""What an event of the journal holds, read back from its JSON.

Journals outlive versions of the program: the command, the entities and the answer are what they were when the event was
written, so they are read as they stand.
"""

from __future__ import annotations

from typing import Any

import msgspec

from houseway.manager.core.ledger import Transfer


class Body(msgspec.Struct, omit_defaults=True):
    """What an event holds."""

    do: Any
    """The command as it was carried out (badges of people as fingerprints, never in clear)."""
    put: list[tuple[str, str, Any]] = []
    """Entities after the event: kind, id, and the whole entity, or null where it is gone."""
    post: list[Transfer] = []
    """Transfers in their order: debit, credit, millionths above zero, reason, subject."""
    rows: list[tuple[str, dict[str, Any]]] = []
    """Rows for searching: kind (`round`, `line`, `hit`) and columns."""
    answer: dict[str, Any] = {}
    """What the command was answered, and is answered again when it is repeated."""
    sender: str = ""
    """By what the command's sender is known again: a hash over its key and its session, empty where it had none."""
