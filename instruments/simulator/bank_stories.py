"""Who banks the next round: a player of a seven-card game now and then, and by mistake of another one."""

from __future__ import annotations

from typing import Any

from instruments.simulator.checker.state import BANKED, Table


def bank_story(table: Table, keys: int) -> dict[str, Any] | None:
    """By the count of messages, not by luck: so a room plays on as it would without."""
    if keys % (5 if table.game in BANKED else 53):
        return None
    playing = sorted({*table.declared, *(seat for seats in table.lit.values() for seat in seats)} or {1})
    do: dict[str, Any] = {"kind": "seat.bank", "table": table.id}
    return do if keys % 3 == 0 else do | {"seat": playing[keys % len(playing)] if keys % 11 else 9}
