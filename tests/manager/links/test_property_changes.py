"""Changes of the property by two people: dated settings, presets, roles."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.manager.commands.link_commands import Approve
from houseway.manager.core import settings
from tests.manager.floors import (
    ACCOUNTING,
    CAGE,
    DAY,
    DEALER,
    EXECUTIVE,
    SUPERVISOR,
    TECHNICIAN,
    Room,
    badge,
    new_room,
)
from tests.manager.links.desk import approve, make, propose, refused_proposal


@pytest.fixture
def room() -> Room:
    return new_room()


WA01 = "preset/FPGPP-WA01"


def of(name: str, value: Any, **more: Any) -> dict[str, Any]:
    return {"change": "setting", "name": name, "value": value, **more}


def test_a_setting_holds_from_its_approval_on_and_keeps_its_past(room: Room) -> None:
    before = room.now
    room.now += DAY
    answer = make(room, **of("surveillance_threshold", 500_000))
    assert answer["since"] == room.now
    assert settings.value(room.floor, "surveillance_threshold", room.now) == 500_000
    assert settings.value(room.floor, "surveillance_threshold", before) == 300_000
    (dated,) = room.floor.settings["surveillance_threshold"].values
    assert (dated.by, dated.approved_by, dated.reason) == (SUPERVISOR, EXECUTIVE, "as agreed")


def test_a_setting_can_begin_later_and_out_of_order(room: Room) -> None:
    start = room.now
    for days, value in ((30, 3), (10, 1), (20, 2)):
        make(room, **of("deposit_days", value, since=start + days * DAY))
    at = [settings.value(room.floor, "deposit_days", start + days * DAY) for days in (0, 10, 15, 20, 29, 30, 99)]
    assert at == [7, 1, 1, 2, 2, 3, 3]


def test_of_two_values_with_one_date_the_later_entry_counts(room: Room) -> None:
    since = room.now + DAY
    make(room, **of("deposit_days", 5, since=since))
    make(room, **of("deposit_days", 6, since=since))
    assert settings.value(room.floor, "deposit_days", since) == 6
    assert len(room.floor.settings["deposit_days"].values) == 2


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("surveilance_threshold", 1, ("unknown-setting", "what.name")),
        ("surveillance_threshold", "x", ("not-an-integer", "what.value")),
        ("surveillance_threshold", -1, ("out-of-range", "what.value")),
        ("short_account", "maybe", ("bad-value", "what.value")),
        ("preset/NONE", {}, ("unknown-setting", "what.name")),
        ("preset/FPGP-1", {}, ("unknown-setting", "what.name")),
        (WA01, 7, ("bad-preset", "what.value")),
        (WA01, {"seeds": {}}, ("bad-preset", "what.value")),
        (WA01, {"seed": {"main": 1}}, ("bad-preset", "what.value.contribution")),
        (WA01, {"seed": {"main": -1}, "contribution": {"main": "1/9"}}, ("bad-preset", "what.value.seed.main")),
        (WA01, {"seed": {"main": 1}, "contribution": {"main": 0.5}}, ("bad-preset", "what.value.contribution.main")),
        (WA01, {"seed": {"main": True}, "contribution": {"main": "2"}}, ("bad-preset", "what.value.seed.main")),
        (WA01, {"seed": {"main": 1}, "contribution": {"mega": "0"}}, ("bad-preset", "what.value.contribution")),
    ],
)
def test_settings_that_are_refused(room: Room, name: str, value: Any, found: tuple[str, str]) -> None:
    assert found in refused_proposal(room, **of(name, value))


def test_a_value_cannot_begin_in_the_past(room: Room) -> None:
    assert refused_proposal(room, **of("deposit_days", 5, since=room.now - 1)) == {("in-the-past", "what.since")}
    proposal = propose(room, **of("deposit_days", 5, since=room.now))
    room.now += 1
    command = Approve(proposal["proposal"], proposal["content_hash"], badge(EXECUTIVE))
    assert room.refused(EXECUTIVE, command) == {("in-the-past", "what.since")}


# ---------------------------------------------------------------- roles


def roles(person: str, *given: str) -> dict[str, Any]:
    return {"change": "roles", "person": person, "roles": list(given)}


def test_roles_change_by_two_people(room: Room) -> None:
    answer = make(room, **roles(DEALER, "dealer", "supervisor", "dealer"))
    assert (answer["roles"], answer["were"]) == (["dealer", "supervisor"], ["dealer"])
    assert room.floor.people[DEALER].roles == ("dealer", "supervisor")


def test_nobody_decides_about_the_own_roles(room: Room) -> None:
    assert refused_proposal(room, **roles(SUPERVISOR, "executive")) == {("own-change", "actor")}
    proposal = propose(room, **roles(EXECUTIVE, "executive", "supervisor"))
    command = Approve(proposal["proposal"], proposal["content_hash"], badge(EXECUTIVE))
    assert room.refused(ACCOUNTING, command) == {("own-change", "badge")}
    approve(room, proposal, ACCOUNTING)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (roles("Dealer 99", "dealer"), {("unknown-person", "what.person")}),
        (roles(DEALER), {("no-role", "what.roles")}),
        (roles(DEALER, "dealer"), {("nothing-to-change", "what.roles")}),
    ],
)
def test_roles_that_are_refused(room: Room, change: dict[str, Any], found: set[tuple[str, str]]) -> None:
    assert refused_proposal(room, **change) == found


def test_the_property_keeps_its_two_signatures(room: Room) -> None:
    make(room, TECHNICIAN, EXECUTIVE, **roles(ACCOUNTING, "auditor"))
    assert refused_proposal(room, **roles(EXECUTIVE, "dealer")) == {("last-approver", "what.roles")}
    make(room, TECHNICIAN, EXECUTIVE, **roles(CAGE, "accounting"))
    make(room, TECHNICIAN, CAGE, **roles(EXECUTIVE, "dealer"))
