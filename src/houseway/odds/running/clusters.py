"""Parts of a job on other machines: a Dask cluster or a Ray cluster, each an optional package.

The machines must have the same version of houseway: every part carries a fingerprint of the sources, and a worker with
others refuses it, so that a result never mixes two versions. A worker that has a cache folder of its own (named in
HOUSEWAY_CACHE) uses that one, any other the folder of the machine that asks.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import socket
import sys
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from houseway.errors import InputError, MissingPartError
from houseway.odds.running.cache import CACHE_VARIABLE
from houseway.odds.running.jobs import Finished, Job, JsonValue, run_part

_PACKAGE: Final = Path(__file__).parents[2]
_CONNECT_SECONDS: Final = 5.0
_WAIT_SECONDS: Final = 15.0
"""How long nothing may come back before the cluster is asked whether it still has workers."""
_AT_HAND: Final = 3
"""How many parts are handed out for each processor, so that none waits for the next one."""


@cache
def source_fingerprint() -> str:
    """A hash over all sources of the package that is running."""
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        source = path.read_bytes()
        digest.update(b"%s\0%d\0" % (path.relative_to(_PACKAGE).as_posix().encode(), len(source)) + source)
    return digest.hexdigest()


def run_elsewhere(job: Job, number: int, cache_folder: str | None, fingerprint: str) -> JsonValue:
    """One part of a job on a worker of a cluster."""
    if fingerprint != source_fingerprint():
        raise MissingPartError(
            f"the worker {socket.gethostname()} has another version of houseway than the machine that asks: install "
            "the same one on all machines of the cluster and start its workers again"
        )
    own = os.environ.get(CACHE_VARIABLE)
    return run_part(job, number, None if cache_folder is None else Path(own or cache_folder))


def _imported(package: str, extra: str) -> ModuleType:
    """A package of an extra, or MissingPartError with the command that installs it."""
    try:
        return import_module(package)
    except ImportError as error:
        raise MissingPartError(
            f"this needs the package {package}, which is not installed: pip install 'houseway[{extra}]'"
        ) from error


def _unreachable(kind: str, address: str, why: object) -> InputError:
    told = " ".join(str(why).split())[:200] or type(why).__name__
    return InputError.of(
        "unreachable-cluster",
        kind,
        f"there is no {kind.capitalize()} cluster to be reached at {address[:80]!r} ({told}): check the address and "
        "that its scheduler is running; docs/clusters.md shows how to start one",
    )


def _lost(kind: str, address: str, why: object) -> MissingPartError:
    told = " ".join(str(why).split())[:200]
    return MissingPartError(
        f"the {kind.capitalize()} cluster at {address[:80]} failed ({told}): the parts that were finished are kept, "
        "so run the same again to go on"
    )


class DaskCluster:
    """Runs parts on the workers of a Dask scheduler, such as `tcp://10.0.0.5:8786`."""

    def __init__(self, address: str) -> None:
        """Use the scheduler at this address."""
        self.address = address

    def run(self, job: Job, numbers: Sequence[int], cache_folder: Path | None) -> Finished:
        """The results in the order in which the workers finish them."""
        distributed = _imported("distributed", "dask")
        folder = None if cache_folder is None else str(cache_folder)
        waiting = iter(numbers)
        running: dict[Any, int] = {}
        with _dask_client(distributed, self.address) as client:
            try:
                while True:
                    room = max(1, _AT_HAND * sum(client.nthreads().values()))
                    for number in _next_numbers(waiting, room - len(running)):
                        arguments = (job, number, folder, source_fingerprint())
                        running[client.submit(run_elsewhere, *arguments, pure=False)] = number
                    if not running:
                        return
                    with client.as_current():
                        done = self._some_done(distributed.wait, client.nthreads, list(running))
                    for future in done:
                        yield running.pop(future), future.result()
            except (distributed.KilledWorker, distributed.CancelledError, OSError) as error:
                raise _lost("dask", self.address, error) from error
            finally:
                with contextlib.suppress(Exception):
                    client.cancel(list(running))

    def _some_done(self, wait: Callable[..., Any], workers: Callable[[], object], futures: list[Any]) -> list[Any]:
        """Wait until some are done; raise if the cluster has gone away meanwhile."""
        while True:
            try:
                return list(wait(futures, timeout=_WAIT_SECONDS, return_when="FIRST_COMPLETED").done)
            except TimeoutError:
                if not workers():
                    raise _lost("dask", self.address, "it has no workers any more") from None


@contextlib.contextmanager
def _quiet(name: str) -> Iterator[None]:
    """Keep a package from logging what is told in an error anyway."""
    logger = logging.getLogger(name)
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


@contextlib.contextmanager
def _dask_client(distributed: ModuleType, address: str) -> Iterator[Any]:
    """A client of the scheduler that has at least one worker."""
    _check_address("dask", address, ("tcp", "tls", "ws", "wss"))
    with _quiet("distributed.client"):
        yield from _dask_connection(distributed, address)


def _dask_connection(distributed: ModuleType, address: str) -> Iterator[Any]:
    try:
        client = distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, RuntimeError, MemoryError) as error:
        # The last one: some other server answers, and its words are taken for a length.
        raise _unreachable("dask", address, error) from error
    with contextlib.closing(client):
        try:
            client.wait_for_workers(1, timeout=_CONNECT_SECONDS)
        except TimeoutError as error:
            raise _unreachable("dask", address, "the scheduler is there, but it has no workers") from error
        yield client


class RayCluster:
    """Runs parts on the workers of a Ray cluster, such as `10.0.0.5:6379`."""

    def __init__(self, address: str) -> None:
        """Use the cluster whose head is at this address."""
        self.address = address

    def run(self, job: Job, numbers: Sequence[int], cache_folder: Path | None) -> Finished:
        """The results in the order in which the workers finish them."""
        ray = _imported("ray", "ray")
        folder = None if cache_folder is None else str(cache_folder)
        waiting = iter(numbers)
        running: dict[Any, int] = {}
        with _ray_connection(ray, self.address):
            # A remote function of its own for every run: Ray ties one to the connection it was first used on.
            remote = ray.remote(num_cpus=1, max_retries=3)(_remote(run_elsewhere))
            try:
                while True:
                    room = max(1, _AT_HAND * self._processors(ray))
                    for number in _next_numbers(waiting, room - len(running)):
                        running[remote.remote(job, number, folder, source_fingerprint())] = number
                    if not running:
                        return
                    for reference in self._some_done(ray, list(running)):
                        yield running.pop(reference), ray.get(reference)
            except ray.exceptions.RayTaskError as error:
                raise error.cause from None
            except (ray.exceptions.RayError, OSError) as error:
                raise _lost("ray", self.address, error) from error
            except MissingPartError:
                running.clear()
                raise
            finally:
                for reference in running:
                    with contextlib.suppress(Exception):
                        ray.cancel(reference, force=True)

    def _some_done(self, ray: ModuleType, references: list[Any]) -> list[Any]:
        """Wait until some are done; raise if the cluster has no processors any more."""
        while True:
            done, _ = ray.wait(references, num_returns=1, timeout=_WAIT_SECONDS)
            if done:
                return list(done)
            if not self._processors(ray):
                raise _lost("ray", self.address, "it has no processors any more")

    def _processors(self, ray: ModuleType) -> int:
        """How many processors the cluster has; without its head, of which Ray would wait to hear, it is lost."""
        try:
            _check_address("ray", self.address, ("ray",))
        except InputError as error:
            raise _lost("ray", self.address, "its head is gone") from error
        return int(ray.cluster_resources().get("CPU", 0))


def _remote(function: Callable[..., JsonValue]) -> Callable[..., JsonValue]:
    def run(*arguments: object) -> JsonValue:
        return function(*arguments)

    return run


@contextlib.contextmanager
def _ray_connection(ray: ModuleType, address: str) -> Generator[None, None, None]:
    """Join the cluster, and leave it again; a program that has joined one already stays in it."""
    if ray.is_initialized():
        yield
        return
    _check_address("ray", address, ("ray",))
    with warnings.catch_warnings():
        # Ray announces a change of its own defaults in a warning; nothing here depends on it.
        warnings.filterwarnings("ignore", category=FutureWarning, module="ray")
        try:
            ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        except ImportError as error:
            raise MissingPartError("an address with ray:// needs Ray's client: pip install 'ray[client]'") from error
        except (OSError, ValueError, RuntimeError) as error:
            raise _unreachable("ray", address, error) from error
    try:
        # Ray tells of lost workers on standard output, where somebody may be reading JSON.
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        ray.shutdown()


def _check_address(kind: str, address: str, schemes: tuple[str, ...]) -> None:
    """See that the address is one and that somebody listens there: the engines would go on trying for a long time."""
    scheme, _, place = address.rpartition("://")
    host, _, port = place.rpartition(":")
    if (scheme and scheme not in schemes) or not host or not (port.isascii() and port.isdigit()):
        raise _unreachable(kind, address, f"an address is HOST:PORT, or {schemes[0]}://HOST:PORT")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=_CONNECT_SECONDS) as connected:
            speaks = kind != "ray" or _speaks_http2(connected)
    except (OSError, OverflowError, UnicodeError) as error:
        raise _unreachable(kind, address, error) from error
    if not speaks:
        raise _unreachable(kind, address, "something else answers there")


def _speaks_http2(connected: socket.socket) -> bool:
    """Whether the other side greets as Ray's servers do; an encrypted connection is left to Ray."""
    if os.environ.get("RAY_USE_TLS", "0") != "0":
        return True
    connected.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0)))
    frame = connected.recv(9)
    settings = 4
    return len(frame) > 3 and frame[3] == settings


def _next_numbers(waiting: Iterator[int], room: int) -> Iterator[int]:
    """The next numbers, as many as there is room for."""
    for _ in range(max(room, 0)):
        number = next(waiting, None)
        if number is None:
            return
        yield number
