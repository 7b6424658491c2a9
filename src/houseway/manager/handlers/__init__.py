"""What each command does: pure functions of state and command. Importing this package registers them all."""

from __future__ import annotations

from houseway.manager.handlers import (
    awards,
    cards,
    changes,
    dealing,
    displays,
    disputes,
    house,
    links,
    messages,
    papers,
    rounds,
    seats,
    sign_in,
    system,
    tables,
    verification,
)

__all__ = [
    "awards",
    "cards",
    "changes",
    "dealing",
    "displays",
    "disputes",
    "house",
    "links",
    "messages",
    "papers",
    "rounds",
    "seats",
    "sign_in",
    "system",
    "tables",
    "verification",
]
