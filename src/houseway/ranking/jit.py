"""The compiler of kernels: numba's `njit` with the project's options, typed, and safe against stale compiled code.

Kernels release the interpreter lock and are kept compiled on disk. numba notices a change of the file a kernel stands
in, but not a change in another file whose functions or constants went into it, nor in a table. Here every kernel's
cache carries a fingerprint of all that it can be made from: the tables, the cards, its own package and those below it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar, overload

from houseway.errors import MissingPartError
from houseway.ranking.rank_tables import TABLE_PATH

try:
    _numba: Any = import_module("numba")
    _events: Any = import_module("numba.core.event")
except ImportError as missing:
    raise MissingPartError(
        "this needs the compiled kernels, which are not installed: pip install 'houseway[kernels]'"
    ) from missing

COMPILING_MESSAGE: Final = "Compiling the kernels for this machine: this takes a few seconds and happens once."

_PACKAGE: Final = Path(__file__).parents[1]
_MARK_OF_A_KERNEL_FILE: Final = b"houseway.ranking.jit"
# In the order of imports. The packages that kernels fill count whole; of `odds`, where kernels stand beside much else,
# the modules with kernels, which take nothing from the others (a test holds them to it).
_PACKAGES_OF_KERNELS: Final = ("cards", "ranking", "houseways", "odds")

Function = TypeVar("Function", bound=Callable[..., Any])


@overload
def njit(function: Function, /) -> Function: ...


@overload
def njit(**options: object) -> Callable[[Function], Function]: ...


def njit(function: Function | None = None, /, **options: object) -> Function | Callable[[Function], Function]:
    """Compile a function on its first call; use it plain or with further options of `numba.njit`.

    A kernel reads tables as module-level arrays, which numba freezes into the code: passed as arguments through helper
    functions they make a loop five times slower.
    """
    if function is None:
        return lambda decorated: _compiled(decorated, options)
    return _compiled(function, options)


def _compiled(function: Function, options: dict[str, object]) -> Function:
    chosen = {"nogil": True, "cache": True, "error_model": "numpy"} | options
    try:
        dispatcher = _numba.njit(**chosen)(function)
    except RuntimeError:
        # No folder to keep compiled code in: it is compiled in every process instead.
        dispatcher = _numba.njit(**(chosen | {"cache": False}))(function)
    # The stamp that numba compares is not open to a setting; where a version keeps it elsewhere, its own stamp stays.
    index: Any = getattr(dispatcher._cache, "_cache_file", None)  # noqa: SLF001
    if hasattr(index, "_source_stamp"):
        package = function.__module__.split(".")[1] if function.__module__.startswith("houseway.") else "odds"
        index._source_stamp = (index._source_stamp, kernel_fingerprint(package))  # noqa: SLF001
    compiled: Function = dispatcher
    return compiled


@cache
def kernel_fingerprint(package: str) -> str:
    """A hash over all that the kernels of a package can be made from."""
    digest = hashlib.sha256(TABLE_PATH.read_bytes())
    for name in _PACKAGES_OF_KERNELS[: _PACKAGES_OF_KERNELS.index(package) + 1]:
        for path in sorted((_PACKAGE / name).rglob("*.py")):
            source = path.read_bytes()
            if name != "odds" or _MARK_OF_A_KERNEL_FILE in source:
                digest.update(b"%s\0%d\0" % (path.relative_to(_PACKAGE).as_posix().encode(), len(source)) + source)
    return digest.hexdigest()


class _Event(Protocol):
    """What numba tells a listener."""

    is_start: bool


class _CompileListener:
    """Says once that something is being compiled."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say: Callable[[str], None] | None = say

    def notify(self, event: _Event) -> None:
        """Called by numba when it starts and ends compiling; not when it finds compiled code on disk."""
        if event.is_start and self.say is not None:
            say, self.say = self.say, None
            say(COMPILING_MESSAGE)


_events.Listener.register(_CompileListener)


def announce_compiling(say: Callable[[str], None]) -> None:
    """Have `say` called with one sentence if kernels must be compiled from now on; it stays silent if none must."""
    _events.register("numba:compile", _CompileListener(say))
