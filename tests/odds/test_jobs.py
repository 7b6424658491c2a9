"""Jobs in parts: what is kept, what is run again, and what an interrupt or a kill leaves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from houseway.errors import MissingPartError
from houseway.odds.running.cache import Cache
from houseway.odds.running.executors import InProcessExecutor, LocalProcesses
from houseway.odds.running.jobs import JsonValue, run_job
from tests.odds.sample_jobs import Gated, Killed, Powers

ROOT = Path(__file__).parents[2]


def expected(job: Powers) -> list[JsonValue]:
    """The results as they come back from a file: tuples have become lists."""
    return [{"power": 3 ** (100 + number), "halves": [number / 2, [number, None]]} for number in range(job.parts)]


def test_results_come_in_the_order_of_the_parts(tmp_path: Path) -> None:
    job = Powers(tmp_path / "log")
    steps: list[tuple[int, int]] = []
    found = run_job(
        job, executor=InProcessExecutor(), cache=None, progress=lambda done, parts: steps.append((done, parts))
    )
    assert found == expected(job)
    assert steps == [(done, 6) for done in range(7)]


def test_a_second_run_runs_nothing(tmp_path: Path) -> None:
    job, cache = Powers(tmp_path / "log"), Cache(tmp_path)
    first = run_job(job, executor=InProcessExecutor(), cache=cache)
    steps: list[tuple[int, int]] = []
    again = run_job(
        job, executor=InProcessExecutor(), cache=cache, progress=lambda done, parts: steps.append((done, parts))
    )
    assert again == first == expected(job)
    assert job.runs() == [0, 1, 2, 3, 4, 5]
    assert steps == [(6, 6)]


def test_parts_of_another_question_are_not_used(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    run_job(Powers(tmp_path / "log"), executor=InProcessExecutor(), cache=cache)
    for other in (Powers(tmp_path / "log", key={"base": "3", "rules": "new"}), Powers(tmp_path / "log", name="other")):
        run_job(other, executor=InProcessExecutor(), cache=cache)
    assert Counter(Powers(tmp_path / "log").runs()) == dict.fromkeys(range(6), 3)


def test_parts_that_nobody_will_ask_for_go_when_the_job_is_done(tmp_path: Path) -> None:
    job, cache = Powers(tmp_path / "log"), Cache(tmp_path)
    run_job(job, executor=InProcessExecutor(), cache=cache, keep=False)
    assert not cache.parts_folder(job.name, job.key).exists()


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "another digit": lambda text: text.replace(b'"halves": [1.0', b'"halves": [1.5'),
    "cut short": lambda text: text[: len(text) // 2],
    "empty": lambda _: b"",
    "no object": lambda _: b"[1, 2]",
    "another part's": lambda text: text.replace(b'"part": 2', b'"part": 3'),
    "binary": lambda _: bytes(range(256)),
}


@pytest.mark.parametrize("what", DAMAGES)
def test_a_damaged_part_is_told_and_run_again(tmp_path: Path, what: str) -> None:
    told: list[str] = []
    job, cache = Powers(tmp_path / "log"), Cache(tmp_path, told.append)
    run_job(job, executor=InProcessExecutor(), cache=cache)
    part = cache.parts_folder(job.name, job.key) / "2.json"
    damaged = DAMAGES[what](part.read_bytes())
    assert damaged != part.read_bytes()
    part.write_bytes(damaged)
    assert run_job(job, executor=InProcessExecutor(), cache=cache) == expected(job)
    assert job.runs()[6:] == [2]
    assert [str(part) in message for message in told] == [True]


def test_a_full_disk_ends_the_job_with_a_clear_message(tmp_path: Path) -> None:
    (tmp_path / "jobs").write_text("where the folder of parts should be")
    with pytest.raises(MissingPartError, match="HOUSEWAY_CACHE"):
        run_job(Powers(tmp_path / "log"), executor=InProcessExecutor(), cache=Cache(tmp_path))


def test_a_killed_worker_is_told_and_finished_parts_stay(tmp_path: Path) -> None:
    job, cache = Killed(tmp_path / "log"), Cache(tmp_path)
    with pytest.raises(MissingPartError, match="finished are kept"):
        run_job(job, executor=LocalProcesses(2), cache=cache)
    assert sorted(cache.kept_parts(job.name, job.key)) == [0, 1, 2, 3, 5]
    healthy = Powers(tmp_path / "log")
    assert run_job(healthy, executor=InProcessExecutor(), cache=cache) == expected(healthy)
    assert job.runs().count(4) == 2


RUNNER = """
import sys
from pathlib import Path
from houseway.odds.running.cache import Cache
from houseway.odds.running.executors import LocalProcesses
from houseway.odds.running.jobs import run_job
from tests.odds.sample_jobs import Gated
if __name__ == "__main__":
    folder = Path(sys.argv[1])
    try:
        run_job(Gated(folder / "log", parts=8), executor=LocalProcesses(2), cache=Cache(folder))
    except KeyboardInterrupt:
        sys.exit(130)
"""


@pytest.fixture
def running(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process with two workers that has finished three parts of eight and waits in the next two."""
    (tmp_path / "run.py").write_text(RUNNER)
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}"}
    with (tmp_path / "stderr").open("wb") as told:
        process = subprocess.Popen(
            [sys.executable, str(tmp_path / "run.py"), str(tmp_path)],
            env=environment,
            start_new_session=True,
            stderr=told,
        )
    job, cache = Gated(tmp_path / "log", parts=8), Cache(tmp_path)
    until(lambda: len(cache.kept_parts(job.name, job.key)) == 3 and len(job.runs()) >= 5)
    yield process
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def until(holds: Callable[[], bool]) -> None:
    for _ in range(6000):
        if holds():
            return
        time.sleep(0.01)
    pytest.fail("it did not happen within a minute")


def nobody_is_left(session: int) -> bool:
    """Whether no process of the session is running any more."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            state, _, _, its_session = entry.joinpath("stat").read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(its_session) == session and state != "Z":
            return False
    return True


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_run_that_was_ended_goes_on_where_it_was(
    tmp_path: Path, running: subprocess.Popen[bytes], how: signal.Signals
) -> None:
    """Killed or ended from outside, or interrupted: the workers end too, and only running parts are lost."""
    running.send_signal(how)
    assert running.wait(30) == (-signal.SIGKILL if how == signal.SIGKILL else 130)
    until(lambda: nobody_is_left(running.pid))
    if how != signal.SIGKILL:
        assert (tmp_path / "stderr").read_text() == "", "nothing is left behind that Python has to tidy up"
    job, cache = Gated(tmp_path / "log", parts=8), Cache(tmp_path)
    begun = job.runs()
    assert sorted(cache.kept_parts(job.name, job.key)) == [0, 1, 2]
    (tmp_path / "go").touch()
    assert run_job(job, executor=InProcessExecutor(), cache=cache) == expected(job)
    assert job.runs()[len(begun) :] == [3, 4, 5, 6, 7]
    assert len(begun) == 5, "two workers were in the middle of a part each"
