"""Who runs the parts of a job: this process, processes of this machine, a Dask cluster or a Ray cluster.

All of them run the same function on the same job and number, so that they give the same results; they differ in where
it runs. None of them keeps anything: `run_job` does, where the user is.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection, parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from houseway.errors import MissingPartError, terminate
from houseway.odds.running.clusters import DaskCluster, RayCluster
from houseway.odds.running.jobs import Finished, Job, JsonValue, run_part

__all__ = [
    "DaskCluster",
    "Executor",
    "Finished",
    "InProcessExecutor",
    "LocalProcesses",
    "RayCluster",
    "available_cores",
]


class Executor(Protocol):
    """Runs parts of a job, in any order."""

    def run(self, job: Job, numbers: Sequence[int], cache_folder: Path | None) -> Finished:
        """The results of these parts, each as soon as it is there."""


class InProcessExecutor:
    """Runs one part after another in this process."""

    def run(self, job: Job, numbers: Sequence[int], cache_folder: Path | None) -> Finished:
        """The results in the order of the numbers."""
        for number in numbers:
            yield number, run_part(job, number, cache_folder)


def available_cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class LocalProcesses:
    """Runs parts in processes of this machine, one for each processor unless told otherwise."""

    def __init__(self, workers: int | None = None) -> None:
        """Use that many processes."""
        self.workers = available_cores() if workers is None else workers
        assert self.workers >= 1

    def run(self, job: Job, numbers: Sequence[int], cache_folder: Path | None) -> Finished:
        """The results in the order in which the processes finish them."""
        with _orderly_end():
            yield from self._run(job, numbers, cache_folder)

    def _run(self, job: Job, numbers: Sequence[int], cache_folder: Path | None) -> Finished:
        pool = ProcessPoolExecutor(
            min(self.workers, len(numbers)), mp_context=_WorkerContext(), initializer=_begin_worker
        )
        waiting = iter(numbers)
        running: dict[Future[JsonValue], int] = {}
        complete = False
        try:
            _submit(pool, job, waiting, cache_folder, running, self.workers)
            while running:
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                # The next parts begin before this process looks at the results.
                finished = [(running.pop(future), future) for future in done]
                results = [(number, future.result()) for number, future in finished]
                _submit(pool, job, waiting, cache_folder, running, self.workers)
                yield from results
            complete = True
        except BrokenProcessPool as error:
            raise MissingPartError(
                "a worker process was ended from outside, perhaps because memory ran out: the parts that were finished "
                "are kept, so run the same again to go on, with fewer workers if memory is short"
            ) from error
        finally:
            if not complete:
                _end_workers(pool)
            pool.shutdown(cancel_futures=True)


class _Worker(SpawnProcess):
    """A fresh process that does not run the user's script again.

    Python has a new process import the main script, so that a script without a guard would begin again in each worker.
    Jobs live in this package: a worker needs nothing of the script.
    """

    @staticmethod
    def _Popen(process_obj: BaseProcess) -> Any:  # noqa: ANN401, N802 - as multiprocessing has it
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            return SpawnProcess._Popen(process_obj)  # noqa: SLF001
        finally:
            sys.modules["__main__"] = main


class _WorkerContext(SpawnContext):
    """Makes such processes."""

    Process = _Worker


@contextlib.contextmanager
def _orderly_end() -> Iterator[None]:
    """Let SIGTERM end the work as an interrupt does: workers and what the system holds for them go with it.

    Whoever has a handler of their own, or works in another thread than the main one, keeps things as they are.
    """
    mine = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if not mine:
        yield
        return

    signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _submit(
    pool: ProcessPoolExecutor,
    job: Job,
    waiting: Iterator[int],
    cache_folder: Path | None,
    running: dict[Future[JsonValue], int],
    workers: int,
) -> None:
    """Keep one more part at hand than there are workers, so that none waits; not all, so that an end is quick."""
    while len(running) < workers + 1 and (number := next(waiting, None)) is not None:
        running[pool.submit(run_part, job, number, cache_folder)] = number


def _begin_worker() -> None:
    """In a worker: leave an interrupt to the parent, and end when the parent does, however that happens."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = parent_process()
    assert parent is not None

    def follow() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


def _end_workers(pool: ProcessPoolExecutor) -> None:
    """End the workers in the middle of a part: nobody waits for it any more."""
    processes = list((pool._processes or {}).values())  # noqa: SLF001  (a public way comes with Python 3.14)
    for process in processes:
        process.terminate()
