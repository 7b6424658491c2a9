"""A badge with the PIN that goes with it, as a command carries both."""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec.structs import replace

from houseway.manager.commands import AnyCommand
from houseway.manager.core.pins import beside

CommandT = TypeVar("CommandT", bound=AnyCommand)


def badge_with_pin(badge: str, pin: str) -> str:
    """What stands for a badge where its PIN is asked for too."""
    return beside(badge, pin)


def with_pin(command: CommandT, field: str, pin: str) -> CommandT:
    """The command with a PIN beside the badge in a field."""
    given: Any = {field: beside(getattr(command, field), pin)}
    return replace(command, **given)
