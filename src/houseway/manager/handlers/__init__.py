"""What each command does: pure functions from the state and a command to a decision. Importing this registers them all."""

from __future__ import annotations

from houseway.manager.handlers import messages, system

__all__ = ["messages", "system"]
