"""Whether the compiled kernels are installed, and a word to the user while they are compiled for the first time."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

from houseway.cli.output import print_problem


def kernels_are_there() -> bool:
    """Whether numba and numpy are installed."""
    return find_spec("numba") is not None and find_spec("numpy") is not None


@cache
def announce_compiling() -> None:
    """Have standard error told if kernels must be compiled, which happens once after an installation.

    Raises MissingPartError without the `kernels` extra.
    """
    from houseway.ranking import jit

    jit.announce_compiling(print_problem)
