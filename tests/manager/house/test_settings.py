"""Settings of the property: a closed list with types, defaults by day and licence, and its own dated values."""

from __future__ import annotations

from datetime import date
from types import NoneType
from typing import get_args

import pytest

from houseway.manager.commands.house_commands import RecordPaper
from houseway.manager.commands.link_commands import Approve, Propose
from houseway.manager.commands.system_commands import ClockAccepted
from houseway.manager.core import settings
from houseway.manager.core.house_entities import DatedValue, PropertySetting
from tests.manager.floors import (
    ACCOUNTING,
    DAY,
    EXECUTIVE,
    HOUR,
    SUPERVISOR,
    TECHNICIAN,
    badge,
    new_room,
)


def at(text: str) -> int:
    return settings.micros_of_day(date.fromisoformat(text))


@pytest.mark.parametrize(
    ("day", "cents"),
    [
        ("2008-12-31", None),
        ("2009-01-01", 300_00),
        ("2023-07-31", 300_00),
        ("2023-08-01", 400_00),
        ("2030-01-01", 400_00),
    ],
)
def test_the_highest_wager_of_a_commercial_room_by_day(day: str, cents: int | None) -> None:
    assert settings.value(new_room().floor, "highest_wager", at(day)) == cents


def test_a_tribal_room_has_no_highest_wager_of_its_own() -> None:
    assert settings.value(new_room("tribal").floor, "highest_wager", at("2025-01-01")) is None


@pytest.mark.parametrize("licence", ["commercial", "tribal"])
@pytest.mark.parametrize(
    ("day", "games"), [("2018-10-17", None), ("2018-10-18", 4), ("2021-12-31", 4), ("2023-06-14", None)]
)
def test_separate_games_by_day(licence: str, day: str, games: int | None) -> None:
    assert settings.value(new_room(licence).floor, "separate_games", at(day)) == games


@pytest.mark.parametrize(("day", "cents"), [("2025-12-31", 600_00), ("2026-01-01", 2_000_00)])
def test_the_tax_form_threshold_changes_with_2026(day: str, cents: int) -> None:
    assert settings.value(new_room().floor, "tax_form_cents", at(day)) == cents


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("surveillance_threshold", 3_000_00),
        ("tax_form_multiple", 300),
        ("withholding_above", 5_000_00),
        ("malfunction_report_hours", 72),
        ("deposit_days", 7),
        ("retention_years", 5),
        ("aggregate_odds", 50),
        ("rarest_jackpot", 100_000_000),
        ("win_display_seconds", 30),
        ("stale_display_seconds", 5),
        ("large_prize_hours", 24),
    ],
)
def test_defaults_of_the_day(name: str, value: int) -> None:
    assert settings.value(new_room().floor, name, at("2025-01-01")) == value


def test_the_property_s_own_value_holds_from_its_day_on_and_not_before() -> None:
    floor = new_room().floor
    values = (
        DatedValue(at("2024-01-01"), 200_00, "A", "B", "first"),
        DatedValue(at("2024-06-01"), None, "A", "B", "none again"),
    )
    floor.put("setting", "highest_wager", PropertySetting("highest_wager", values))
    days = ("2023-12-31", "2024-01-01", "2024-05-31", "2024-06-01")
    found = [settings.value(floor, "highest_wager", at(day)) for day in days]
    assert found == [400_00, 200_00, 200_00, None]
    assert settings.basis(floor, "highest_wager", at("2024-02-01")) == "entered by A, approved by B: first"
    assert "August 2023" in settings.basis(floor, "highest_wager", at("2023-12-31"))


def test_every_setting_has_a_basis_and_a_default_that_it_accepts() -> None:
    floor = new_room().floor
    for day in ("2000-01-01", "2020-01-01", "2024-01-01", "2026-06-01"):
        for name, shown in settings.in_force(floor, at(day)).items():
            assert settings.check_setting(name, shown["value"]) == [], name
            assert shown["basis"], name
            assert shown["meaning"], name


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("higest_wager", 1, "unknown-setting"),
        ("", 1, "unknown-setting"),
        ("highest_wager", 0, "out-of-range"),
        ("highest_wager", 10**30, "out-of-range"),
        ("highest_wager", 2.5, "not-an-integer"),
        ("highest_wager", True, "not-an-integer"),
        ("highest_wager", "300", "not-an-integer"),
        ("surveillance_threshold", None, "not-an-integer"),
        ("separate_games", 0, "out-of-range"),
        ("face_up_spots", 3, "wrong-type"),
        ("face_up_spots", {"blackjack": 3}, "unknown-key"),
        ("face_up_spots", {"fortune": 9}, "out-of-range"),
        ("position_numbering", 3, "wrong-type"),
        ("position_numbering", [0, 6, 5, 4, 3, 2], "bad-numbering"),
        ("position_numbering", [0, 6, 5, 4, 3, 2, 2], "bad-numbering"),
        ("position_numbering", [0, 6, 5, 4, 3, 2, 7], "out-of-range"),
        ("double_down_until", "later", "bad-value"),
        ("retention_years", 0, "out-of-range"),
    ],
)
def test_what_a_setting_cannot_be(name: str, value: object, code: str) -> None:
    assert [fault.code for fault in settings.check_setting(name, value)] == [code]


@pytest.mark.parametrize(
    ("name", "value"), [("highest_wager", 200_00), ("highest_wager", None), ("face_up_spots", {"fortune": 3})]
)
def test_what_a_setting_can_be(name: str, value: object) -> None:
    assert settings.check_setting(name, value) == []


def test_an_unknown_name_is_told_what_was_probably_meant() -> None:
    (fault,) = settings.check_setting("higest_wager", 1)
    assert "highest_wager" in fault.message


def test_code_that_asks_for_an_unknown_setting_fails_at_once() -> None:
    with pytest.raises(KeyError):
        settings.value(new_room().floor, "no_such_setting", 0)


def test_every_setting_has_the_type_that_its_readers_are_promised() -> None:
    promised: dict[str, type | tuple[type, ...]] = {
        **dict.fromkeys(get_args(settings.Amount), int),
        **dict.fromkeys(get_args(settings.AmountOrNone), (int, NoneType)),
        **dict.fromkeys(get_args(settings.Number), int),
        **dict.fromkeys(get_args(settings.Word), str),
        "separate_games": (int, NoneType),
        "pin_days": (int, NoneType),
        "face_up_spots": dict,
        "position_numbering": list,
    }
    assert promised.keys() == settings.DEFINITIONS.keys()
    for name, types in promised.items():
        assert isinstance(settings.value(new_room().floor, name, at("2025-01-01")), types), name
        for wrong in (-1, 1.5, "so", [8], {"no-such-game": 3}):
            assert isinstance(wrong, types) or settings.check_setting(name, wrong), (name, wrong)


def test_an_accepted_clock_names_what_was_entered_while_it_was_ahead() -> None:
    """A setting or paper of "from now" begins later by the right clock: who sets it right is told which."""
    room = new_room()
    room.now += DAY
    what = {"change": "setting", "name": "slip_seconds", "value": 5}
    proposed = room.do(EXECUTIVE, Propose(what, "as agreed"))
    room.do(ACCOUNTING, Approve(proposed["proposal"], proposed["content_hash"], badge(ACCOUNTING)))
    room.do(EXECUTIVE, RecordPaper("document", "D1", "slip", {"title": "slip", "reference": "7"}, "now"))
    ahead = room.now
    room.now -= DAY - HOUR
    accept = ClockAccepted(room.now, badge(SUPERVISOR), badge(TECHNICIAN), "the time server was wrong")
    answer = room.do(SUPERVISOR, accept)
    assert set(answer["settings_ahead"]) == {"slip_seconds"}
    assert set(answer["papers_ahead"]) == {"D1"}
    told = [*answer["settings_ahead"].values(), *answer["papers_ahead"].values()]
    assert all(room.now < since <= ahead for since in told)
