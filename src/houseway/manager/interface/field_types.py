"""Types and words of the core that stand in commands and views, for those who write and read them."""

from __future__ import annotations

from houseway.manager.core.command import AnswerT_co, CommandAnswer
from houseway.manager.core.link_entities import LevelParameters
from houseway.manager.core.roles import MACHINES, SUPERVISING, WITH_AUTHORITY, Department, Role
from houseway.manager.core.slip_entities import SERIES
from houseway.manager.core.slip_numbering import as_numbered
from houseway.manager.core.table_entities import ShownCards
from houseway.manager.core.texts import TO_FILL_IN

__all__ = [
    "MACHINES",
    "SERIES",
    "SUPERVISING",
    "TO_FILL_IN",
    "WITH_AUTHORITY",
    "AnswerT_co",
    "CommandAnswer",
    "Department",
    "LevelParameters",
    "Role",
    "ShownCards",
    "as_numbered",
]
