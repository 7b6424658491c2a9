"""What became of a command that was never answered: found out on return, before anything else is sent.

Commands of a round in play are repeated under their key until they are answered. One that must not be carried out late
(START GAME: the wagers may be gone by now) is taken back under its key instead, so that a copy that is still on its way
can no longer be carried out; if it had been carried out already, its answer is fetched. Either way it happened once, or
never will.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from houseway.errors import InputError
from houseway.manager.commands import kind_of
from houseway.manager.commands.system_commands import WithdrawMessage
from houseway.manager.controller.outbox import OutboxEntry
from houseway.manager.interface.async_client import AsyncManagerClient
from houseway.manager.interface.contract import CommandResult, RefusedError
from houseway.manager.interface.field_types import CommandAnswer
from houseway.manager.views.floor_questions import KeyQuestion

FRESH_SECONDS: Final = 5.0
"""How long after the press a command that must not be late may still be sent."""
WITHDRAW: Final = kind_of(WithdrawMessage)
NOT_THIS_ONE: Final = frozenset({"key-reused", "not-signed-in"})
"""Refusals of a command whose key the manager knows: it was used for another one, or by somebody else in its name."""


@dataclass(frozen=True)
class Resolution:
    """How a command ended."""

    entry: OutboxEntry
    carried: CommandResult[CommandAnswer] | None = None
    """Its answer, if it was carried out."""
    refused: InputError | None = None
    """Why not, if it was refused; neither of both: it was taken back."""

    @property
    def outcome(self) -> str:
        """In one word."""
        return "carried-out" if self.carried else "refused" if self.refused else "taken-back"


async def resolve(client: AsyncManagerClient, entry: OutboxEntry, device: str, table: str, age: float) -> Resolution:
    """Find out what became of a command; ManagerAwayError, or RefusedError with `retry`, if it cannot be known yet."""
    if entry.only_fresh and not 0 <= age <= FRESH_SECONDS:
        return await _take_back(client, entry, device, table, None)
    try:
        return Resolution(entry, await entry.sent_to(client))
    except RefusedError as error:
        if error.retry:
            raise
        # An older copy may still be on its way through another server: after this it can do nothing.
        return await _take_back(client, entry, device, table, error)


async def _take_back(
    client: AsyncManagerClient, entry: OutboxEntry, device: str, table: str, refused: RefusedError | None
) -> Resolution:
    known = await client.ask(KeyQuestion(key=entry.key))
    if known.kind == WITHDRAW:
        return Resolution(entry, refused=refused)
    if known.kind is None:
        withdraw = WithdrawMessage(table, entry.kind)
        try:
            await client.send(withdraw, actor=f"device:{device}", key=entry.key)
        except RefusedError as error:
            # Carried out between the question and now: the answer is in the journal.
            if error.code != "key-reused":
                raise
        else:
            return Resolution(entry, refused=refused)
    try:
        return Resolution(entry, await entry.sent_to(client))
    except RefusedError as error:
        if error.code not in NOT_THIS_ONE:
            raise
        # Something else stands in the journal under the key: this was never carried out, and never will be.
        return Resolution(entry, refused=error)
