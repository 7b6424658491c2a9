"""The outbox: on the disk before it is sent, sealed, wiped when answered, one controller's alone."""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.connection
import multiprocessing.synchronize
import resource
from pathlib import Path

import pytest

from houseway.errors import InputError
from houseway.manager.commands import AnyCommand
from houseway.manager.commands.round_commands import PayJackpot, StartRound
from houseway.manager.controller.outbox import Outbox, OutboxMessage
from houseway.manager.store.sqlite import driver

TOKEN = "badge of Supervisor 3"
SESSION = "drawn at the swipe of Dealer 17"
PAY = PayJackpot("T1-1/1", TOKEN)


def sent(do: AnyCommand) -> OutboxMessage:
    """A command of the dealer, in the session of the swipe."""
    return OutboxMessage("Dealer 17", do, SESSION)


def opened(path: Path, table: str = "T1", secret: str = "s") -> Outbox:
    return Outbox.open(path, table, secret)


def codes(path: Path, **more: str) -> list[str]:
    with pytest.raises(InputError) as caught, contextlib.closing(opened(path, **more)) as outbox:
        outbox.waiting()
    return [fault.code for fault in caught.value.faults]


def test_what_was_not_answered_is_there_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "T1.outbox"
    first = opened(path)
    answered = first.add(sent(StartRound("T1")), 1000.0, only_fresh=True)
    waiting = first.add(sent(PAY), 1001.0)
    first.settle(answered)
    first.close()
    second = opened(path)
    assert second.waiting() == [waiting]
    assert (waiting.message, waiting.kind) == (sent(PAY), "jackpot.pay")
    second.close()


def test_no_key_comes_twice(tmp_path: Path) -> None:
    """Not in one life, not after a restart, and not after the file was replaced by a new one."""
    keys = set()
    for number in range(6):
        path = tmp_path / f"T1-{number // 3}.outbox"
        outbox = opened(path)
        keys |= {outbox.add(sent(PAY), 0.0).key for _ in range(3)}
        outbox.close()
    assert len(keys) == 18
    assert all(key.startswith("T1:") for key in keys)


def test_no_badge_and_no_session_is_on_the_disk_in_clear(tmp_path: Path) -> None:
    path = tmp_path / "T1.outbox"
    outbox = opened(path)
    outbox.add(sent(PAY), 0.0)
    data = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert len(data) > 4096
    assert TOKEN.encode() not in data
    assert SESSION.encode() not in data
    assert b"Dealer 17" not in data
    assert path.stat().st_mode & 0o077 == 0
    outbox.close()


def _hold(path: Path, ready: multiprocessing.synchronize.Event, done: multiprocessing.synchronize.Event) -> None:
    outbox = opened(path)
    ready.set()
    done.wait(30)
    outbox.close()


def test_two_controllers_do_not_share_one(tmp_path: Path) -> None:
    path = tmp_path / "T1.outbox"
    context = multiprocessing.get_context("spawn")
    ready, done = context.Event(), context.Event()
    other = context.Process(target=_hold, args=(path, ready, done))
    other.start()
    assert ready.wait(30)
    assert codes(path) == ["outbox-in-use"]
    done.set()
    other.join(30)
    opened(path).close()


def test_another_tables_outbox_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "T1.outbox"
    opened(path).close()
    assert codes(path, table="T2") == ["outbox-foreign"]


def test_with_another_secret_what_waits_cannot_be_opened(tmp_path: Path) -> None:
    path = tmp_path / "T1.outbox"
    outbox = opened(path)
    entry = outbox.add(sent(PAY), 0.0)
    outbox.close()
    assert codes(path, secret="changed") == ["outbox-damaged"]
    again = opened(path)
    again.settle(entry)
    again.close()
    opened(path, secret="changed").close()


def test_an_altered_row_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "T1.outbox"
    outbox = opened(path)
    outbox.add(sent(PAY), 0.0)
    outbox.add(sent(PayJackpot("T1-1/2", TOKEN)), 0.0)
    outbox.close()
    connection = driver().connect(str(path))
    rows = connection.execute("SELECT number, sealed FROM outbox").fetchall()
    connection.execute("UPDATE outbox SET sealed = ? WHERE number = ?", (rows[1][1], rows[0][0]))
    connection.commit()
    connection.close()
    assert codes(path) == ["outbox-damaged"]


@pytest.mark.parametrize("content", [b"no database at all" * 500, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_damaged_file_is_told_with_the_way_out(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "T1.outbox"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        opened(path)
    assert caught.value.faults[0].code == "outbox-damaged"
    assert "remove the file" in caught.value.faults[0].message


def test_an_outbox_that_others_may_write_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "T1.outbox"
    opened(path).close()
    path.chmod(0o666)
    assert codes(path) == ["database-open"]


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    assert codes(tmp_path / "nowhere" / "T1.outbox") == ["outbox-unwritable"]


def _fill(path: Path, told: multiprocessing.connection.Connection) -> None:
    outbox = opened(path)
    outbox.add(sent(PAY), 0.0)
    # From here on the disk takes nothing more.
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
    try:
        outbox.add(sent(PayJackpot("x" * 100_000, TOKEN)), 0.0)
    except InputError as error:
        told.send(error.faults[0].code)
    else:
        told.send("written")


def test_on_a_full_disk_nothing_is_sent_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "T1.outbox"
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_fill, args=(path, theirs))
    process.start()
    assert ours.poll(30)
    assert ours.recv() == "outbox-unwritable"
    process.join(30)
    outbox = opened(path)
    assert [entry.command for entry in outbox.waiting()] == [PAY]
    outbox.close()
