"""The floor as of any date is the one that was there on that date."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from houseway.errors import InputError
from houseway.manager.core.records import canonical
from houseway.manager.store.history import SECTIONS, as_of
from houseway.manager.store.reading import open_view
from tests.manager.audit.house import House
from tests.manager.audit.play import Played
from tests.manager.floors import DAY, START


def test_the_state_at_every_time_is_the_one_that_was_there(empty_url: str, tmp_path: Path) -> None:
    house = House(empty_url, tmp_path / "keys", snapshot_every=15)
    house.set_up()
    seen = []
    for hits in (None, {5: "seven-card-straight-flush"}, {2: "royal-flush"}, None):
        house.play_felt(hits)
        seen.append((house.now, canonical(house.floor().snapshot())))
        house.now += 3_000_000
    house.close()
    with open_view(empty_url) as view:
        for at, snapshot in seen:
            for moment in (at, at + 1_000_000):
                assert canonical(as_of(view, moment).floor.snapshot()) == snapshot
        assert as_of(view, START - 1).seq == 0
        # The stored states are used: the newest one before is at most 15 events and a group away.
        assert view.state_before(view.bounds()[1]).seq > view.bounds()[1] - 20


def test_dates_in_archives(played: Played) -> None:
    early = START + 40_000_000
    with open_view(played.url) as view:
        with pytest.raises(InputError) as caught:
            as_of(view, early)
        assert {fault.code for fault in caught.value.faults} == {"archived"}
        state = as_of(view, early, [played.archive])
        assert state.seq < played.archived.up_to
        later = as_of(view, played.now)
    (then,) = state.section("links")
    (now,) = later.section("links")
    assert then["money"]["main"]["meter"] < now["money"]["main"]["seed"]
    assert then["levels"] == now["levels"]
    assert state.rules()["fingerprints"].keys() >= {
        "software/games",
        "software/houseways",
        "software/manager",
        "paytables",
    }
    assert later.rules()["since"] > state.rules()["since"]


def test_sections_hold_everything_and_no_fingerprint(played: Played) -> None:
    with open_view(played.url) as view:
        state = as_of(view, played.now)
    told = {name: state.section(name) for name in SECTIONS}
    assert [person["id"] for person in told["people"]] == sorted(state.floor.people)
    assert {person["badges"] for person in told["people"]} == {1}
    assert [table["id"] for table in told["tables"]] == ["T1", "T2"]
    assert all(paper["in_force"] for paper in told["papers"] if paper["until"] is None)
    assert "badge of" not in json.dumps(told)


def test_a_setting_is_shown_as_it_held(played: Played) -> None:
    with open_view(played.url) as view:
        floor = as_of(view, played.now).floor
    from houseway.manager.core.house_entities import DatedValue, PropertySetting

    floor.put(
        "setting", "slip_seconds", PropertySetting("slip_seconds", (DatedValue(5, 10, "E"), DatedValue(DAY, 20, "E")))
    )
    early, late, before = (
        next(row for row in SECTIONS["settings"](floor, at) if row["id"] == "slip_seconds") for at in (DAY - 1, DAY, 4)
    )
    assert (early["value"], late["value"]) == (10, 20)
    assert len(early["values"]) == 2
    assert (early["default"], before["default"]) == (False, True)
    assert early["basis"].startswith("entered by E")


def test_settings_that_nobody_entered_are_shown_with_their_basis(played: Played) -> None:
    from houseway.manager.core.settings import DEFINITIONS, in_force

    with open_view(played.url) as view:
        state = as_of(view, played.now)
    told = {row["id"]: row for row in state.section("settings")}
    assert told.keys() == DEFINITIONS.keys()
    threshold = told["surveillance_threshold"]
    assert (threshold["value"], threshold["default"], threshold["values"]) == (300_000, True, [])
    known = in_force(state.floor, state.at)
    assert {name: (row["value"], row["basis"]) for name, row in told.items()} == {
        name: (row["value"], row["basis"]) for name, row in known.items()
    }
