"""Gaming days: the property's hour and zone, clocks that change, and a cut-off that changes."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.manager.core import settings
from houseway.manager.core.floor import Floor
from houseway.manager.core.gaming_day import HOUR, day_at, gaming_day
from houseway.manager.core.house_entities import DatedValue, PropertySetting
from tests.manager.reports.stretch import moment


def floor(zone: str = "America/Los_Angeles", *hours: tuple[int, int]) -> Floor:
    found = Floor()
    found.put("setting", "time_zone", PropertySetting("time_zone", (DatedValue(0, zone, "a"),)))
    dated = tuple(DatedValue(since, hour, "a") for since, hour in hours)
    found.put("setting", "cut_off_hour", PropertySetting("cut_off_hour", dated))
    return found


def hours_of(state: Floor, day: date) -> int:
    found = gaming_day(state, day)
    return (found.until + 1 - found.since) // HOUR


@pytest.mark.parametrize(
    ("hour", "day", "hours"),
    [
        (6, "2026-03-07", 23),
        (6, "2026-03-08", 24),
        (6, "2026-10-31", 25),
        (6, "2026-11-01", 24),
        (0, "2026-03-08", 23),
        (0, "2026-11-01", 25),
        (2, "2026-03-07", 24),  # 2 o'clock is skipped on the 8th: 3 o'clock by the new time is 2 by the old one
        (2, "2026-03-08", 23),
        (1, "2026-10-31", 24),  # 1 o'clock comes twice on November 1; the first one counts
        (1, "2026-11-01", 25),
    ],
)
def test_days_on_which_clocks_change(hour: int, day: str, hours: int) -> None:
    assert hours_of(floor("America/Los_Angeles", (0, hour)), date.fromisoformat(day)) == hours


def test_the_default_is_six_in_the_morning() -> None:
    assert gaming_day(Floor(), date(2026, 11, 16)).since == moment("2026-11-16T14:00")


def test_a_new_cut_off_makes_the_day_before_it_longer_or_shorter() -> None:
    state = floor("America/Los_Angeles", (0, 6), (moment("2026-11-20T00:00"), 4))
    assert [hours_of(state, date(2026, 11, day)) for day in (18, 19, 20)] == [24, 22, 24]


@given(
    zone=st.sampled_from(("America/Los_Angeles", "Australia/Lord_Howe", "Pacific/Apia", "UTC", "Asia/Kathmandu")),
    hour=st.integers(0, 23),
    later=st.integers(0, 23),
    place=st.integers(0, 3650),
    within=st.floats(0, 1, exclude_max=True),
)
def test_every_moment_belongs_to_one_day(zone: str, hour: int, later: int, place: int, within: float) -> None:
    changed = moment("2028-05-01T00:00")
    state = floor(zone, (0, hour), (changed, later))
    day = date(2024, 1, 1) + timedelta(days=place)
    found, after = gaming_day(state, day), gaming_day(state, day + timedelta(days=1))
    assert after.since == found.until + 1
    inside = found.since + int((found.until - found.since) * within)
    assert day_at(state, inside) == day
    assert day_at(state, found.since) == day_at(state, found.until) == day


@pytest.mark.parametrize("value", ["America/Nowhere", "UTC+8", "../etc/passwd", "", "/", 6, None, "America"])
def test_what_is_no_zone_is_refused(value: object) -> None:
    assert [fault.code for fault in settings.check_setting("time_zone", value)] == ["bad-value"]


def test_a_zone_is_taken() -> None:
    assert settings.check_setting("time_zone", "America/New_York") == []
