"""Every route of the description under thousands of generated requests: none ends in a 5xx, none is answered otherwise
than described, and none that breaks the description is taken.

Requests follow each other on one floor, by people of every role, with names of things that are there, so that they meet
tables in play, open links and locked awards, and not only refusals.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks

from houseway.manager.core import badge_lanes, badges
from tests.manager.floors import (
    ACCOUNTING,
    CAGE,
    DEALER,
    EXECUTIVE,
    SUPERVISOR,
    SURVEILLANCE,
    TECHNICIAN,
    badge,
)
from tests.manager.http.running_http import SETTINGS, Background
from tests.manager.server.house import House

PEOPLE = (EXECUTIVE, SUPERVISOR, DEALER, TECHNICIAN, CAGE, ACCOUNTING, SURVEILLANCE)
DESCRIBED = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
LAST = ("/v1/session",)
"""Routes that end sessions come last."""
NAMES: dict[str, list[Any]] = {
    "table": ["T1", "T2", "T3", "T4"],
    "link": ["L1", "L4"],
    "round": ["T1-1", "T1-2", "T2-1", "T3-1", "T4-1"],
    "award": ["T1-1/1", "T2-1/1"],
    "seat": [1, 2, 3],
    "sensor": ["1"],
    "hand": ["royal-flush", "straight-flush", "five-of-a-kind"],
    "sensors": [{"1": [1]}, {"1": [1, 2, 3]}, {}],
    "person": [*PEOPLE],
    # Not the service itself: retired, it is refused by the manager, and rightly answers nothing more.
    "device": ["C-T1", "C-T2", "SIGN-1"],
    "badge": [badge(person) for person in PEOPLE],
    "second_badge": [badge(person) for person in PEOPLE],
    "register": ["approval", "internal-controls"],
    "proposal": ["P1", "P2"],
    "game": ["fortune", "six-card-fortune"],
    "after": [0, 5, 90],
    "limit": [1, 100],
}


class Sender:
    """Sends cases by one person after the other, with names of things that are there."""

    def __init__(self, background: Background) -> None:
        self._tokens = background.tokens
        self._random = random.Random(20)
        self.statuses: Counter[int] = Counter()

    def send(self, case: Any, wanted: list[Any], *, with_names: bool) -> None:
        """Send a case and hold its answer to the description."""
        if with_names:
            for part in (case.body, case.query):
                self._put_names(part)
        person = self._random.choice(PEOPLE)
        response = case.call(headers={"Authorization": f"Bearer {self._tokens[person]}"}, timeout=30)
        self.statuses[response.status_code] += 1
        case.validate_response(response, checks=wanted)

    def _put_names(self, part: Any) -> None:
        if not isinstance(part, dict):
            return
        for name in part:
            if name in NAMES and self._random.random() < 0.8:
                part[name] = self._random.choice(NAMES[name])


@pytest.fixture
def background(house: House, monkeypatch: pytest.MonkeyPatch) -> Iterator[Background]:
    # Thousands of wrong badges would meet a closed reader, and nothing behind it; the gate has tests of its own.
    monkeypatch.setattr(badges, "DELAY_SECONDS", 0.0)
    monkeypatch.setattr(badges, "tries_allowed", lambda *_: 1_000_000)
    for name in ("OF_UNKNOWN_NETWORK", "OF_UNKNOWN_NETWORKS", "OF_KNOWN_NETWORK", "OF_KNOWN_NETWORKS"):
        monkeypatch.setattr(badge_lanes, name, badge_lanes.Allowance(1_000_000, 1))
    with Background(house, *PEOPLE, settings=replace(SETTINGS, stream_seconds=0.01)) as found:
        yield found


def hammered(background: Background, cases: int) -> Counter[int]:
    """So many cases of every operation; the statuses that came."""
    schema = schemathesis.openapi.from_url(f"{background.base}/openapi.json")
    sender = Sender(background)
    operations = [found.ok() for found in schema.get_all_operations()]
    operations.sort(key=lambda one: (one.path in LAST, one.path == "/v1/commands/person.sign-out"))
    for operation in operations:
        for mode, wanted, part in (
            (GenerationMode.POSITIVE, DESCRIBED, 3),
            (GenerationMode.NEGATIVE, [*DESCRIBED, checks.negative_data_rejection], 1),
        ):
            _hammer(sender, operation, mode, wanted, max(1, cases * part // 4))
    return sender.statuses


def _hammer(sender: Sender, operation: Any, mode: GenerationMode, wanted: list[Any], cases: int) -> None:
    @settings(
        max_examples=cases, database=None, phases=[Phase.generate], deadline=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=operation.as_strategy(generation_mode=mode))
    def run(case: Any) -> None:
        sender.send(case, wanted, with_names=mode is GenerationMode.POSITIVE)

    # A route that takes nothing cannot be asked wrongly.
    with contextlib.suppress(Unsatisfiable) if mode is GenerationMode.NEGATIVE else contextlib.nullcontext():
        run()


@pytest.mark.slow
def test_no_request_ends_in_a_5xx_or_in_an_answer_that_is_not_described(background: Background) -> None:
    began = time.process_time()
    statuses = hammered(background, 60)
    print(f"{statuses.total()} cases in {time.process_time() - began:.0f} s of processor time: {dict(statuses)}")
    assert statuses[200] > 300
    assert {401, 403, 404, 409, 422} <= statuses.keys()


@pytest.mark.full
def test_a_hundred_thousand_requests(background: Background) -> None:
    statuses = hammered(background, 1_500)
    assert statuses.total() >= 100_000
