"""Who hears what a long computation has to say: the terminal of a command, or the log of a program."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from houseway.odds.running.jobs import Progress


class Teller(NamedTuple):
    """Where sentences go, and who follows the parts of a long computation."""

    say: Callable[[str], None]
    follow: Callable[[str], AbstractContextManager[Progress | None]]

    def announce_compiling(self) -> None:
        """Have it said if kernels must be compiled, which happens once after an installation.

        Raises MissingPartError without the `kernels` extra.
        """
        _announce(self.say)


@cache
def _announce(say: Callable[[str], None]) -> None:
    from houseway.ranking import jit

    jit.announce_compiling(say)


def _unwatched(_title: str) -> AbstractContextManager[None]:
    return contextlib.nullcontext()


LOG: Final = Teller(logging.getLogger("houseway").info, _unwatched)
"""What a program hears unless it says otherwise: the logger `houseway`, at the level of information."""
