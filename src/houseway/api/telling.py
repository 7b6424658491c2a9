"""Who hears what is said, and in whose words: the terminal of a command, or the log and the errors of a program."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from functools import cache, wraps
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar, cast

from houseway.errors import Fault, InputError

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


def _log(message: str) -> None:
    # Imported here because a command, which tells its terminal, need not wait for it.
    import logging

    logging.getLogger("houseway").info(message)


LOG: Final = Teller(_log, _unwatched)
"""What a program hears unless it says otherwise: the logger `houseway`, at the level of information."""


# ---------------------------------------------------------------- words

_OPTION: Final = re.compile(r"--([a-z]+(?:-[a-z]+)*)")
_ARGUMENTS: Final = {
    "as": "role",
    "meter": "meters",
    "paytable": "paytables",
    "reading": "readings",
    "rng_seed": "seed",
    "seed_amount": "seed_amounts",
}
"""Options that are told more than once on the command line are one mapping in Python, and have another name there."""

Function = TypeVar("Function", bound=Callable[..., object])


def in_python(message: str) -> str:
    """A message about options, said of the arguments of a function.

    >>> in_python("give --paytable with one of FPGP-1, FPGP-2, or --paytable-file")
    'give paytables= with one of FPGP-1, FPGP-2, or paytable_file='
    """
    return _OPTION.sub(lambda found: f"{_argument(found[1].replace('-', '_'))}=", message)


def _argument(option: str) -> str:
    return _ARGUMENTS.get(option, option)


def told_in_python(function: Function) -> Function:
    """A function whose refusals name its arguments instead of the command line's options."""

    @wraps(function)
    def told(*args: object, **kwargs: object) -> object:
        try:
            return function(*args, **kwargs)
        except InputError as error:
            faults = [Fault(fault.code, _argument(fault.path), in_python(fault.message)) for fault in error.faults]
            raise InputError(faults) from None

    return cast(Function, told)
