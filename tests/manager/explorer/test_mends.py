"""Attacks by one person, each stopped by one piece of the manager: without that piece the explorer finds the attack."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from houseway.manager.core import authority, engine, presence
from houseway.manager.core.engine import Envelope
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Device
from houseway.manager.core.table_entities import Reference, Round, Table
from houseway.manager.handlers import confirming, house, property_changes, verification
from instruments.explorer import SCENARIOS, Exploration
from instruments.explorer.long_mode import outcome


def _nothing(*_: Any, **__: Any) -> None:
    return None


def _own_badge_passes(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(authority, "refuse_own_badge", _nothing)


def _one_registers(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(house, "registering_second", _nothing)


def _dealer_stays(patch: pytest.MonkeyPatch) -> None:
    # The session of the old controller would be no session of the new one either.
    _no_session_at_controls(patch)
    patch.setattr(house, "end_presence_at", lambda *_: [])


def _registrar_pays(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(authority, "refuse_registrar", _nothing)


def _own_controller(patch: pytest.MonkeyPatch) -> None:
    for take_out in (_one_registers, _dealer_stays, _registrar_pays):
        take_out(patch)


def _bar_ends_with_the_controller(patch: pytest.MonkeyPatch) -> None:
    found = authority.controllers_of
    patch.setattr(authority, "controllers_of", lambda *given: [each for each in found(*given) if each.active])


def _no_session_at_controls(patch: pytest.MonkeyPatch) -> None:
    fits = presence.is_in_session
    patch.setattr(presence, "is_in_session", lambda device, *given: device.kind == "controller" or fits(device, *given))


def _badge_by_one(patch: pytest.MonkeyPatch) -> None:
    # Nor would such a badge count before a third person has confirmed it.
    _new_badge_counts(patch)
    patch.setattr(property_changes, "badge_faults", lambda *_: [])


def _new_badge_counts(patch: pytest.MonkeyPatch) -> None:
    for module in (authority, engine):
        patch.setattr(module, "check_badge_counts", _nothing)


def _service_vouches_for_nobody(patch: pytest.MonkeyPatch) -> None:
    vouching = authority._vouching

    def only_controllers(*given: Any) -> list[Device]:
        return [each for each in vouching(*given) if each.kind == "controller"]

    patch.setattr(authority, "_vouching", only_controllers)


def _confirmed_at_own_service(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(confirming, "_refuse_own_device", _nothing)


def _issuers_confirm(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(confirming, "is_third", lambda *_: True)


def _only_two_had_a_hand(patch: pytest.MonkeyPatch) -> None:
    def two(_floor: Floor, envelope: Envelope, second: str | None, _now: int) -> tuple[str, ...]:
        return (envelope.actor,) if second is None else (envelope.actor, second)

    for module in (house, confirming):
        patch.setattr(module, "who_had_a_hand", two)


def _reference_for_anything(patch: pytest.MonkeyPatch) -> None:
    counts = verification.counting_reference

    def for_anything(round_: Round, table: Table, payout: str, *_: object) -> Reference | None:
        seen = round_.references.get(payout)
        return None if seen is None else counts(round_, table, payout, seen.hand, seen.cents)

    patch.setattr(verification, "counting_reference", for_anything)


def _one_retires_the_last_service(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(house, "retiring_second", _nothing)


ONE_AT_A_ROUND = {
    f"one-person {kind}" for kind in ("jackpot.reject", "round.void", "round.correct", "round.reopen", "round.hold")
}
ONE_IN_THE_HOUSE = {
    f"one-person {kind}" for kind in ("table.close", "tray.fill", "drop.count", "link.stop", "table.open")
}
MENDS: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], str, int, set[str]]] = {
    "their own badge as second person's": (_own_badge_passes, "rounds", 3, ONE_AT_A_ROUND),
    "their own badge with the key": (_own_badge_passes, "keys", 3, {"one-person key.turn"}),
    "a controller by one person": (_one_registers, "controllers", 2, {"one-person device.add"}),
    "a dealer who stays at another controller": (_dealer_stays, "controllers", 3, {"absent-actor"}),
    "who registered a controller pays": (_registrar_pays, "controllers", 6, {"presser-pays", "one-person jackpot.pay"}),
    "one executive alone pays": (_own_controller, "controllers", 5, {"one-person jackpot.pay"}),
    "a controller that goes after the hit": (_bar_ends_with_the_controller, "controllers", 7, {"presser-pays"}),
    "a controller's secret and a badge of their own": (
        _no_session_at_controls, "thief", 3, {"absent-actor", "presser-pays", "one-person jackpot.pay"},
    ),
    "a badge by one person gains authority": (
        _badge_by_one, "badges", 4, {"one-person jackpot.pay", "presser-pays", "one-person jackpot.reject"},
    ),
    "a new badge that nobody confirmed": (
        _new_badge_counts, "badges", 2, {"one-person jackpot.pay", "presser-pays", "one-person jackpot.reject"},
    ),
    "a badge that its issuer confirms": (_issuers_confirm, "badges", 3, {"one-person jackpot.pay"}),
    "through a service of their own": (
        _service_vouches_for_nobody, "services", 2,
        {"one-person person.add", "one-person device.add", "one-person change.approve"},
    ),
    "confirmed at a service of their own": (_confirmed_at_own_service, "services", 3, {"one-person jackpot.pay"}),
    "a service by way of a service": (_only_two_had_a_hand, "services", 3, {"one-person person.add"}),
    "a reference for another amount": (_reference_for_anything, "surveillance", 3, {"unverified"}),
    "the last service by one person": (_one_retires_the_last_service, "house", 1, {"one-person device.retire"}),
    "their own badge in the house": (_own_badge_passes, "house", 2, ONE_IN_THE_HOUSE),
}  # fmt: skip


@pytest.mark.parametrize("name", MENDS, ids=lambda name: name.replace(" ", "-"))
def test_without_its_mend_an_attack_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    take_out, scenario, depth, rules = MENDS[name]
    # With all its pieces the manager breaks no rule at this depth: test_scenarios.py.
    assert depth <= SCENARIOS[scenario].depth
    search = Exploration(SCENARIOS[scenario])
    take_out(monkeypatch)
    search.run(depth=depth, until=lambda: rules <= search.findings.keys())
    assert rules <= search.findings.keys(), outcome(search)
    assert all(len(search.findings[rule].path) <= depth for rule in rules)
