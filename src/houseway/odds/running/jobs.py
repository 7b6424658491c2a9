"""Long computations in parts: each part is an integer sum of its own, kept when it is done.

A job says everything that decides its result in its key, so that parts kept by an earlier run are used again only for
the same question. Whoever runs the parts (see `executors`) may do so in any order and on any machine: the results come
back in the order of the parts, equal bit for bit.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from houseway.odds.running.cache import Cache, JsonValue

if TYPE_CHECKING:
    from houseway.odds.running.executors import Executor

__all__ = ["Finished", "Job", "JsonValue", "Progress", "run_job", "run_part"]

Progress = Callable[[int, int], None]
"""Called with the number of parts done and of all parts."""

Finished = Generator[tuple[int, JsonValue], None, None]
"""Results as they come, each with the number of its part; closing it ends the work."""


class Job(Protocol):
    """A computation in parts; a frozen dataclass that can be sent to another process."""

    @property
    def name(self) -> str:
        """A short name, fit for a file name."""

    @property
    def key(self) -> Mapping[str, str]:
        """Everything that decides the result: rules, ways, tables, and how the parts are cut."""

    @property
    def parts(self) -> int:
        """How many parts there are."""

    def run_part(self, number: int, cache: Cache | None) -> JsonValue:
        """The result of one part: deterministic, and of what JSON can say."""


def run_part(job: Job, number: int, cache_folder: Path | None) -> JsonValue:
    """One part of a job, with the cache that the worker is to use."""
    return job.run_part(number, None if cache_folder is None else Cache(cache_folder, say=_tell))


def _tell(message: str) -> None:
    """Write to the standard error of the process that runs the part; it may have none."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(f"houseway: {message}\n")


def run_job(
    job: Job,
    *,
    executor: Executor,
    cache: Cache | None,
    progress: Progress | None = None,
    keep: bool = True,
) -> list[JsonValue]:
    """Run the parts that are not kept from an earlier run, and return all results in the order of the parts.

    A finished part is kept at once, so that a run that is interrupted or killed loses only the parts that were running.
    With `keep` false the kept parts go when the job is done: nobody will ask for them again.
    """
    done = {} if cache is None else cache.kept_parts(job.name, job.key)
    results = {number: done[number] for number in range(job.parts) if number in done}
    missing = [number for number in range(job.parts) if number not in results]
    if progress is not None:
        progress(len(results), job.parts)
    # Closed at once when something fails, so that no worker goes on for nobody.
    with contextlib.closing(_run(job, missing, executor, cache)) as finished:
        for number, result in finished:
            if cache is not None:
                cache.keep_part(job.name, job.key, number, result)
            results[number] = result
            if progress is not None:
                progress(len(results), job.parts)
    assert len(results) == job.parts, "an executor returns every part or raises"
    if cache is not None and not keep:
        cache.forget_parts(job.name, job.key)
    return [results[number] for number in range(job.parts)]


def _run(
    job: Job, numbers: Sequence[int], executor: Executor, cache: Cache | None
) -> Generator[tuple[int, JsonValue], None, None]:
    """What the executor returns, as it would come back from a file: a resumed run gives the same types."""
    if numbers:
        with contextlib.closing(executor.run(job, numbers, None if cache is None else cache.folder)) as finished:
            for number, result in finished:
                yield number, json.loads(json.dumps(result))
