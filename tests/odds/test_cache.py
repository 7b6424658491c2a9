"""Tables kept between runs: what is read back, what happens to damage, and what a full disk does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("numpy")

import numpy as np

from houseway.errors import MissingPartError
from houseway.odds.running import cache as cache_module
from houseway.odds.running import cache_format
from houseway.odds.running.cache import Cache, default_folder
from houseway.odds.running.cache_entries import damage, entries, prunable
from houseway.odds.running.executors import LocalProcesses
from houseway.odds.running.jobs import run_job
from tests.odds.sample_jobs import Tables

pytestmark = pytest.mark.kernels

KEY = {"way": "foxwoods", "rules": "12ab"}


@pytest.fixture(autouse=True)
def _like_a_new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget which files have been checked."""
    monkeypatch.setattr(cache_module, "_checked", set())


def several() -> dict[str, np.ndarray]:
    # More than one chunk of data, an empty array and a single number among them.
    return {
        "large": np.arange(1_500_000, dtype=np.int32).reshape(3, -1),
        "none": np.zeros((0, 4), np.uint8),
        "one": np.array(7, np.int64),
        "swapped": np.arange(10, dtype=">u2")[::2],
    }


def refuse() -> dict[str, np.ndarray]:
    pytest.fail("it was built again")


def only_file(cache: Cache) -> Path:
    (path,) = (cache.folder / "tables").iterdir()
    return path


def test_arrays_come_back_as_they_were_built(tmp_path: Path) -> None:
    for build in (several, refuse):
        arrays = Cache(tmp_path).arrays("several", KEY, build)
        assert list(arrays) == list(several())
        for name, expected in several().items():
            assert arrays[name].dtype == expected.dtype
            assert arrays[name].shape == expected.shape
            assert np.array_equal(arrays[name], expected)
        assert not arrays["large"].flags.writeable


@pytest.mark.parametrize(
    ("name", "key"), [("several", {**KEY, "rules": "12ac"}), ("other", KEY), ("several", {"way": "foxwoods"})]
)
def test_another_name_or_key_is_another_entry(tmp_path: Path, name: str, key: dict[str, str]) -> None:
    Cache(tmp_path).arrays("several", KEY, several)
    found = Cache(tmp_path).arrays(name, key, lambda: {"large": np.zeros(1)})
    assert list(found) == ["large"]
    assert len(entries(Cache(tmp_path))) == 2


def test_a_file_of_another_format_is_another_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Cache(tmp_path).arrays("several", KEY, several)
    monkeypatch.setattr(cache_format, "FORMAT", 2)
    assert list(Cache(tmp_path).arrays("several", KEY, lambda: {"new": np.zeros(1)})) == ["new"]


def flip(path: Path, place: int) -> None:
    with path.open("r+b") as file:
        file.seek(place if place >= 0 else path.stat().st_size + place)
        byte = file.read(1)[0]
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte ^ 1]))


DAMAGES: dict[str, Callable[[Path], None]] = {
    "mark": lambda path: flip(path, 0),
    "header": lambda path: flip(path, 100),
    "first data": lambda path: flip(path, 4096 + 17),
    "last data": lambda path: flip(path, -4096),
    "cut short": lambda path: os.truncate(path, path.stat().st_size - 1),
    "cut in the header": lambda path: os.truncate(path, 60),
    "too long": lambda path: path.write_bytes(path.read_bytes() + b"\0"),
    "empty": lambda path: path.write_bytes(b""),
    "a length beyond all": lambda path: path.write_bytes(path.read_bytes()[:16] + b"\xff" * 8 + path.read_bytes()[24:]),
    "something else": lambda path: path.write_bytes(b"[1, 2, 3]\n" * 1000),
}


@pytest.mark.parametrize("what", DAMAGES)
def test_a_damaged_file_is_told_and_built_anew(tmp_path: Path, what: str) -> None:
    Cache(tmp_path).arrays("several", KEY, several)
    DAMAGES[what](only_file(Cache(tmp_path)))
    assert damage(entries(Cache(tmp_path))[0])
    cache_module._checked.clear()
    told: list[str] = []
    arrays = Cache(tmp_path, told.append).arrays("several", KEY, several)
    assert np.array_equal(arrays["large"], several()["large"])
    (message,) = told
    assert str(only_file(Cache(tmp_path))) in message
    assert "damaged" in message
    cache_module._checked.clear()
    Cache(tmp_path, pytest.fail).arrays("several", KEY, refuse)


def test_what_a_killed_writer_left_is_never_read_and_goes(tmp_path: Path) -> None:
    path = tmp_path / "tables" / (cache_module.entry_name("several", KEY, cache_format.FORMAT) + ".table")
    path.parent.mkdir()
    left_over = path.with_name(f"{path.name}.1234-5678.unfinished")
    left_over.write_bytes(b"half a table")
    Cache(tmp_path).arrays("several", KEY, several)
    assert list(path.parent.iterdir()) == [path]


def test_only_one_process_builds(tmp_path: Path) -> None:
    job = Tables(tmp_path / "log", parts=8)
    assert run_job(job, executor=LocalProcesses(4), cache=Cache(tmp_path)) == [number**2 for number in range(8)]
    assert len(job.runs()) == 1


FULL_DISK = """
import resource, sys
from pathlib import Path
import numpy as np
from houseway.errors import MissingPartError
from houseway.odds.running.cache import Cache
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
try:
    Cache(Path(sys.argv[1])).arrays("large", {}, lambda: {"large": np.ones(1_000_000, np.uint8)})
except MissingPartError as error:
    print(error)
"""


def test_a_full_disk_is_told_and_no_partial_file_stays(tmp_path: Path) -> None:
    """The system refuses to let the file grow, as it does when the disk is full."""
    done = subprocess.run([sys.executable, "-c", FULL_DISK, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert str(tmp_path) in done.stdout
    assert "1,003,520 bytes" in done.stdout
    assert "HOUSEWAY_CACHE" in done.stdout
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("folder", ["file/cache", "/proc/houseway-cache"])
def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(MissingPartError, match="HOUSEWAY_CACHE"):
        Cache(tmp_path / folder).arrays("several", KEY, several)


def test_a_cache_that_can_only_be_read_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Cache(tmp_path).arrays("several", KEY, several)

    def read_only(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    # The tests may run as a user whom no permission stops.
    monkeypatch.setattr(os, "utime", read_only)
    monkeypatch.setattr(os, "open", read_only)
    assert list(Cache(tmp_path).arrays("several", KEY, refuse)) == list(several())


def test_a_build_that_fails_leaves_nothing_and_can_be_repeated(tmp_path: Path) -> None:
    def fail() -> dict[str, np.ndarray]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Cache(tmp_path).arrays("several", KEY, fail)
    assert list((tmp_path / "tables").iterdir()) == []
    Cache(tmp_path).arrays("several", KEY, several)


def test_the_folder_is_the_users_own_unless_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("HOUSEWAY_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "relative/is/ignored")
    assert default_folder() == tmp_path / ".cache" / "houseway"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert default_folder() == tmp_path / "xdg" / "houseway"
    monkeypatch.setenv("HOUSEWAY_CACHE", "~/mine")
    assert Cache().folder == tmp_path / "mine"


def test_pruning_takes_what_is_asked_for_and_nothing_else(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.arrays("several", KEY, several)
    cache.keep_part("job", KEY, 0, 12)
    (tmp_path / "tables" / "notes.txt").write_text("not ours")
    now = entries(cache)[0].used
    assert prunable(cache, now=now) == []
    assert prunable(cache, now=now + 100, unused_seconds=1000) == []
    assert len(prunable(cache, now=now + 2000, unused_seconds=1000)) == 2
    for entry in prunable(cache, now=now, everything=True):
        entry.remove()
    assert entries(cache) == []
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["notes.txt"]


def test_what_another_version_wrote_is_outdated(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.keep_part("job", KEY, 0, 12)
    (part,) = cache.parts_folder("job", KEY).iterdir()
    content = json.loads(part.read_text()) | {"version": "0.0.9"}
    del content["hash"]
    part.write_text(json.dumps({**content, "hash": cache_module._hash_of(content)}))
    (entry,) = prunable(cache, now=0)
    assert (entry.name, entry.version) == ("job", "0.0.9")
