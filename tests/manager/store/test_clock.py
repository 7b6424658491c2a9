"""The wall clock against the steady one: a jump pauses the manager until the clock is right or two people accept it."""

from __future__ import annotations

import pytest

from houseway.errors import InputError
from houseway.manager.commands.system_commands import ClockAccepted
from houseway.manager.store.clock import ClockJumpedError, WatchedClock, steady_micros, wall_micros
from tests.manager.store.acts import do, moved, people
from tests.manager.store.stores import NOON, SqlStore

SECOND = 1_000_000


class Clocks:
    """A wall clock and a steady one, both set by the test."""

    def __init__(self, wall: int = NOON) -> None:
        self.wall = wall
        self.steady = 0
        self.watched = WatchedClock(lambda: self.wall, lambda: self.steady)

    def pass_by(self, seconds: float, jump: float = 0.0) -> None:
        self.steady += round(seconds * SECOND)
        self.wall += round((seconds + jump) * SECOND)


@pytest.fixture
def clocks() -> Clocks:
    return Clocks()


def test_time_that_passes_is_no_jump(clocks: Clocks) -> None:
    for seconds in (0.001, 1, 3600, 86_400):
        clocks.pass_by(seconds)
        assert clocks.watched() == clocks.wall


@pytest.mark.parametrize("step", [-5.0, -0.5, 0.5, 5.0])
def test_small_steps_of_a_time_server_are_followed(clocks: Clocks, step: float) -> None:
    for _ in range(10):
        clocks.pass_by(1, step)
        assert clocks.watched() == clocks.wall


@pytest.mark.parametrize("jump", [-3600.0, -5.1, 5.1, 3600.0])
def test_a_jump_is_one_until_the_clock_is_right(clocks: Clocks, jump: float) -> None:
    clocks.pass_by(1, jump)
    for _ in range(3):
        clocks.pass_by(10)
        with pytest.raises(ClockJumpedError) as jumped:
            clocks.watched()
        assert jumped.value.now == clocks.wall
        assert f"{abs(jump):.1f} s" in str(jumped.value)
    clocks.pass_by(1, -jump)
    assert clocks.watched() == clocks.wall


def test_a_jump_that_was_accepted_is_the_time(clocks: Clocks) -> None:
    clocks.pass_by(1, 3600)
    with pytest.raises(ClockJumpedError):
        clocks.watched()
    clocks.watched.accept()
    assert clocks.watched() == clocks.wall


def test_the_real_clocks_run_together() -> None:
    assert WatchedClock()() == pytest.approx(wall_micros(), abs=SECOND)
    assert steady_micros() <= steady_micros()


@pytest.mark.parametrize("jump", [-3600.0, 3600.0])
def test_a_manager_pauses_and_goes_on_when_the_clock_is_right(store: SqlStore, clocks: Clocks, jump: float) -> None:
    manager = store.manager(clock=clocks.watched)
    manager.call(people())
    clocks.pass_by(1, jump)
    with pytest.raises(InputError) as refused:
        manager.call(moved("k"))
    assert refused.value.faults[0].code == "clock-jumped"
    assert manager.health()["state"] == "paused"
    assert manager.health()["faults"][0]["code"] == "clock-jumped"
    clocks.pass_by(1, -jump)
    assert manager.call(moved("k")).answer["balance"] == 1
    assert manager.health()["state"] == "serving"


@pytest.mark.parametrize("jump", [-3600.0, 3600.0])
def test_or_when_two_people_accept_it_in_every_process(store: SqlStore, clocks: Clocks, jump: float) -> None:
    other_clocks = Clocks()
    manager, other = store.manager(clock=clocks.watched), store.manager(clock=other_clocks.watched)
    before = manager.call(people()).at
    for each in (clocks, other_clocks):
        each.pass_by(1, jump)
    for each in (manager, other):
        with pytest.raises(InputError, match="jumped"):
            each.call(moved("k"))
    accept = ClockAccepted(clocks.wall, "badge-1", "badge-2", "the time server was wrong")
    accepted = manager.call(do("accept", accept))
    assert accepted.at == clocks.wall
    assert (accepted.at < before) == (jump < 0)
    assert manager.call(moved("k")).at == clocks.wall
    assert other.call(moved("k2")).answer["balance"] == 2


def test_a_clock_that_is_behind_at_the_start_can_be_accepted(store: SqlStore) -> None:
    """The manager must start, or nobody could tell it."""
    clocks = Clocks()
    with store.manager(clock=clocks.watched) as manager:
        last = manager.call(people()).at
    late = Clocks(NOON - 7200 * SECOND)
    manager = store.manager(clock=late.watched)
    with pytest.raises(InputError) as refused:
        manager.call(moved("k"))
    assert refused.value.faults[0].code == "clock-went-back"
    manager.call(do("accept", ClockAccepted(late.wall, "badge-1", "badge-2", "the battery of the clock was empty")))
    assert manager.call(moved("k")).at < last
