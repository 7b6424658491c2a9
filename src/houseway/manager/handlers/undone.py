"""What was undone away from a table: told there until the dealer acknowledges it or begins the next round.

Two people back an award out at the desk, or decide a round on hold as void, while the table plays another round or
none. The dealer still has chips to move, and must not take the sign's jump for a fault.
"""

from __future__ import annotations

from msgspec.structs import replace

from houseway.errors import InputError
from houseway.manager.commands.round_answers import AcknowledgeUndoneAnswer
from houseway.manager.commands.round_commands import AcknowledgeUndone
from houseway.manager.core.engine import Decision, handles
from houseway.manager.handlers.common import need_dealer_of, the_table


@handles(AcknowledgeUndone)
def acknowledge_undone(decision: Decision, command: AcknowledgeUndone) -> AcknowledgeUndoneAnswer:
    """The dealer has read it: the table tells it no more."""
    table = the_table(decision, command.table)
    need_dealer_of(decision, table)
    if not table.undone:
        raise InputError.of("nothing-to-change", "table", f"nothing waits at {table.id} to be acknowledged")
    decision.tables.put(replace(table, undone=()))
    return AcknowledgeUndoneAnswer(table=table.id, acknowledged=tuple(each.id for each in table.undone))
