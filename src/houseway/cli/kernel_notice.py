"""Whether the compiled kernels are installed, and who hears of long computations in a terminal."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from houseway.api.telling import Teller
from houseway.cli.output import print_problem
from houseway.cli.progress import progress_bar

TERMINAL: Final = Teller(print_problem, progress_bar)


def kernels_are_there() -> bool:
    """Whether numba and numpy are installed."""
    return find_spec("numba") is not None and find_spec("numpy") is not None


def announce_compiling() -> None:
    """Have standard error told if kernels must be compiled, which happens once after an installation.

    Raises MissingPartError without the `kernels` extra.
    """
    TERMINAL.announce_compiling()
