"""Who runs the parts: this process, processes, a real Dask cluster and a real Ray, all with the same results."""

from __future__ import annotations

import contextlib
import http.server
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

pytest.importorskip("numba")

from houseway.errors import InputError, MissingPartError
from houseway.games import game
from houseway.odds.running import clusters
from houseway.odds.running.cache import Cache
from houseway.odds.running.executors import DaskCluster, Executor, InProcessExecutor, LocalProcesses, RayCluster
from houseway.odds.running.jobs import JsonValue, run_job
from houseway.odds.simulation.job import ROUNDS_A_PART, Simulation, default_tables
from tests.odds.sample_jobs import Failing, Gated, Powers, Tables

pytestmark = pytest.mark.kernels

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}", "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0"}


def small_simulation() -> Simulation:
    """A real job of three parts, the last of them short."""
    tables = tuple(default_tables(game("six-card-poker")).items())
    return Simulation("six-card-poker", 2 * ROUNDS_A_PART + 5, 2, 7, tables, None)


def in_this_process() -> list[JsonValue]:
    return run_job(small_simulation(), executor=InProcessExecutor(), cache=None)


class Processes:
    """Processes of their own session, ended together."""

    def __init__(self) -> None:
        self.started: list[subprocess.Popen[bytes]] = []

    def start(self, command: Sequence[str], folder: Path) -> None:
        log = (folder / f"{len(self.started)}.log").open("wb")
        with log:
            process = subprocess.Popen(
                command, cwd=folder, env=ENVIRONMENT, stdout=log, stderr=log, start_new_session=True
            )
        self.started.append(process)

    def end(self) -> None:
        for process in reversed(self.started):
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for process in self.started:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


@pytest.fixture(scope="module")
def dask_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A scheduler and two workers, each a process of its own."""
    with dask_cluster(tmp_path_factory.mktemp("dask")) as (address, _):
        yield address


@contextlib.contextmanager
def dask_cluster(folder: Path) -> Iterator[tuple[str, Processes]]:
    pytest.importorskip("distributed")
    told = folder / "scheduler.json"
    python = [sys.executable, "-m"]
    quiet = ["--no-dashboard", "--scheduler-file", str(told)]
    processes = Processes()
    try:
        processes.start(
            [*python, "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", *quiet], folder
        )
        for _ in range(2):
            processes.start([*python, "distributed.cli.dask_worker", "--nthreads", "1", "--no-nanny", *quiet], folder)
        yield wait_for_scheduler(told), processes
    finally:
        processes.end()


def wait_for_scheduler(told: Path) -> str:
    for _ in range(1200):
        try:
            address: str = json.loads(told.read_text())["address"]
        except (OSError, ValueError):
            time.sleep(0.05)
        else:
            return address
    pytest.fail("the scheduler did not start within a minute")


@pytest.fixture(scope="module")
def ray_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Ray of two processors, started as on any machine."""
    pytest.importorskip("ray")
    folder = tmp_path_factory.mktemp("ray")
    # Ray puts sockets into its own folder, whose name must be short.
    own = Path(tempfile.mkdtemp(prefix="ray"))
    port = free_port()
    options = [f"--port={port}", "--num-cpus=2", "--include-dashboard=false", "--disable-usage-stats"]
    processes = Processes()
    try:
        command = [str(Path(sys.executable).with_name("ray")), "start", "--head", "--block", *options]
        processes.start([*command, "--object-store-memory=80000000", f"--temp-dir={own}"], folder)
        wait_for_listener(port)
        yield f"127.0.0.1:{port}"
    finally:
        processes.end()
        shutil.rmtree(own, ignore_errors=True)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def wait_for_listener(port: int) -> None:
    for _ in range(1200):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    pytest.fail("nobody listened within a minute")


def check_executor(executor: Executor, folder: Path) -> None:
    """The same results as in this process, bit for bit, with a cache, without one, and after a part was lost."""
    assert run_job(small_simulation(), executor=executor, cache=None) == in_this_process()
    cache, job = Cache(folder), Powers(folder / "log", parts=12)
    expected = run_job(job, executor=InProcessExecutor(), cache=None)
    assert run_job(job, executor=executor, cache=cache) == expected
    (cache.parts_folder(job.name, job.key) / "5.json").unlink()
    assert run_job(job, executor=executor, cache=cache) == expected
    assert sorted(job.runs()) == sorted([*range(12), *range(12), 5])
    tables = Tables(folder / "built", parts=4, name="tables")
    assert run_job(tables, executor=executor, cache=cache) == [0, 1, 4, 9]
    assert len(tables.runs()) == 1
    with pytest.raises(MissingPartError, match="the weather is missing"):
        run_job(Failing(folder / "log"), executor=executor, cache=None)


@pytest.mark.parametrize(
    "executor", [InProcessExecutor(), LocalProcesses(1), LocalProcesses(3)], ids=["this", "1", "3"]
)
def test_processes_of_this_machine(executor: Executor, tmp_path: Path) -> None:
    check_executor(executor, tmp_path)


def test_a_dask_cluster(dask_address: str, tmp_path: Path) -> None:
    check_executor(DaskCluster(dask_address), tmp_path)


@pytest.mark.slow
def test_a_ray_cluster(ray_address: str, tmp_path: Path) -> None:
    check_executor(RayCluster(ray_address), tmp_path)


def test_a_worker_with_other_sources_refuses(
    dask_address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "source_fingerprint", lambda: "another version")
    with pytest.raises(MissingPartError, match="another version of houseway"):
        run_job(Powers(tmp_path / "log"), executor=DaskCluster(dask_address), cache=None)


@pytest.mark.slow
def test_a_cluster_that_is_lost_is_told_and_finished_parts_stay(tmp_path: Path) -> None:
    job, cache = Gated(tmp_path / "log", parts=8), Cache(tmp_path)
    with dask_cluster(tmp_path) as (address, processes):

        def kill_the_scheduler() -> None:
            while len(cache.kept_parts(job.name, job.key)) < 3 or len(job.runs()) < 5:
                time.sleep(0.05)
            processes.started[0].kill()

        killer = threading.Thread(target=kill_the_scheduler)
        killer.start()
        with pytest.raises(MissingPartError, match="finished are kept"):
            run_job(job, executor=DaskCluster(address), cache=cache)
        killer.join()
        (tmp_path / "go").touch()
    assert sorted(cache.kept_parts(job.name, job.key)) == [0, 1, 2]


@pytest.fixture
def web_server() -> Iterator[str]:
    """Something that listens and is no cluster."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


BAD_ADDRESSES = ["127.0.0.1:1", "no-such-host.invalid:80", "nowhere", "host:port", "", "ftp://127.0.0.1:80", "[::1]:1"]


@pytest.mark.parametrize("address", BAD_ADDRESSES)
@pytest.mark.parametrize("kind", [DaskCluster, RayCluster])
def test_an_unreachable_cluster_is_told(kind: type[DaskCluster | RayCluster], address: str, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    pytest.importorskip("ray")
    with pytest.raises(InputError) as refused:
        run_job(Powers(tmp_path / "log"), executor=kind(address), cache=None)
    (fault,) = refused.value.faults
    assert (fault.code, fault.path) == ("unreachable-cluster", "dask" if kind is DaskCluster else "ray")


def test_another_server_is_no_ray_cluster(web_server: str, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    with pytest.raises(InputError, match="something else answers"):
        run_job(Powers(tmp_path / "log"), executor=RayCluster(web_server), cache=None)


@pytest.mark.parametrize(
    ("executor", "package", "command"),
    [
        (DaskCluster("127.0.0.1:1"), "distributed", "pip install 'houseway[dask]'"),
        (RayCluster("127.0.0.1:1"), "ray", "pip install 'houseway[ray]'"),
    ],
)
def test_a_missing_package_is_told(
    executor: Executor, package: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingPartError) as refused:
        run_job(Powers(tmp_path / "log"), executor=executor, cache=None)
    assert command in str(refused.value)
