"""Who does a long computation: processes of this machine, a Dask cluster or a Ray cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from houseway.api.arguments import Arguments
    from houseway.odds.running.executors import Executor

_MOST_WORKERS: Final = 1024


def choose_executor(
    arguments: Arguments, workers: str | int | None, dask: str | None, ray: str | None
) -> Executor | None:
    """Who does the work, or None with the faults noted."""
    from houseway.odds.running.executors import DaskCluster, InProcessExecutor, LocalProcesses, RayCluster

    count = None if workers is None else arguments.whole_number(str(workers), "workers", 1, _MOST_WORKERS)
    given = [name for name, value in (("workers", workers), ("dask", dask), ("ray", ray)) if value is not None]
    if len(given) > 1:
        told = ", ".join(f"--{name}" for name in given)
        arguments.add("conflicting-options", given[-1], f"give only one of {told}: each says who does the work")
    if dask is not None:
        return DaskCluster(dask)
    if ray is not None:
        return RayCluster(ray)
    return InProcessExecutor() if count == 1 else LocalProcesses(count)
