"""Times in commands that people type: dates and times of the place become microseconds since 1970 UTC."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from houseway.cli.times import read_time, time_text
from houseway.cli.words import is_time

if TYPE_CHECKING:
    from houseway.api.arguments import Arguments

NOW: Final = "now"
"""A word that the manager reads itself, by its own clock."""
_END: Final = "until"


def with_times(arguments: Arguments, value: Any, path: str = "do") -> Any:  # noqa: ANN401 - JSON
    """The command with its times as numbers; what cannot be read is noted. A date in `until` includes its day."""
    if isinstance(value, dict):
        return {name: _read(arguments, name, inner, f"{path}.{name}") for name, inner in value.items()}
    if isinstance(value, list):
        return [with_times(arguments, inner, f"{path}[{place}]") for place, inner in enumerate(value)]
    return value


def _read(arguments: Arguments, name: str, value: Any, path: str) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, str) and is_time(name) and value != NOW:
        return read_time(arguments, value, path, is_end=name == _END)
    return with_times(arguments, value, path)


def for_typing(value: Any, name: str = "") -> Any:  # noqa: ANN401 - JSON
    """A command as people type it: times in the time of the place, to the second at least.

    >>> for_typing({"since": 0, "fields": {"count": 5}})
    {'since': 0, 'fields': {'count': 5}}
    """
    if isinstance(value, dict):
        return {inner: for_typing(each, inner) for inner, each in value.items()}
    # Zero stands for ever since, which is no time of any place.
    return time_text(value) if is_time(name) and isinstance(value, int) and value else value
