"""What happens with paper forms: issued, printed, and a round entered from one, rightly or with a mistake in it."""

from __future__ import annotations

from typing import Any

from instruments.simulator.agents import Command
from instruments.simulator.checker.state import Floor, Round, Table
from instruments.simulator.plan import badge

SECOND = 1_000_000


def paper_story(floor: Floor, table: Table, round_: Round, keys: int, now: int) -> list[Command]:
    """A form is issued and printed; once there is one, the round may be entered from it. Mostly there is nothing.

    By the count of messages, not by luck: so a room plays on as it would without.
    """
    turn, rest = divmod(keys, 7)
    if rest or (table.cards == "known" and turn % 5):
        return []
    forms = [slip for slip in floor.slips.values() if slip.kind == "round" and slip.table == table.id]
    ready = [slip.id for slip in forms if slip.printed_at and not slip.entered and not slip.void]
    if not ready and turn % 33:
        if turn % 3:
            return []
        number = f"ROUND-{floor.numbers['round'] + 1:06d}"
        printed: Command = ("SU1", {"kind": "slip.print", "slip": number, "copy": "original"})
        return [("SU1", {"kind": "slip.form", "table": table.id if turn % 5 else "T99"}), printed]
    if ready and turn % 6 == 5:
        return [("SU1", {"kind": "slip.void", "slip": ready[0], "reason": "torn", "badge": badge("SU2")})]
    won = {f"{each.sensor}/{each.seat}": each.hand for each in round_.awards.values() if each.status == "pressed"}
    for sensor, taken in sorted(round_.taken.items()):
        buttons = sorted(floor.links[taken.link].printed.buttons)
        free = taken.seats - {each.seat for each in round_.awards.values() if turn % 8}
        if free and turn % 2:
            won.setdefault(f"{sensor}/{min(free)}", buttons[turn % len(buttons)])
    used = [slip.id for slip in forms if slip.entered]
    do: dict[str, Any] = {
        "kind": "round.enter", "round": round_.id, "form": (ready or used or ["ROUND-000000"])[0],
        "ended_at": now if turn % 7 else round_.started_at - SECOND, "won": won,
        "badge": badge(("SU2", "EX1", "SU2", "SU1")[turn % 4]),
    }  # fmt: skip
    if turn % 2:
        do["fixed_from"] = "tray"
    return [("SU1", do)]
