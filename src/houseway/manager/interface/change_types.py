"""The changes that two people make and the registers of papers, for those who propose and enter them."""

from __future__ import annotations

from houseway.manager.handlers.changes import CHANGES
from houseway.manager.handlers.register_list import REGISTERS

__all__ = ["CHANGES", "REGISTERS"]
