"""A session that is revoked is dead at once: for the next command, the next question, and what is told unasked."""

from __future__ import annotations

import itertools
from typing import Any, Final

import pytest

from tests.manager.floors import ACCOUNTING, EXECUTIVE, SUPERVISOR, SURVEILLANCE, badge
from tests.manager.server.house import House, built, session
from tests.manager.server.processes import Served
from tests.manager.server.raw import Raw, codes

INCIDENT: Final = {"kind": "incident.record", "code": "other", "device": "T1", "text": "a look round"}
_numbers = itertools.count()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server with everybody signed in at SVC-1."""
    house: House = built(tmp_path_factory.mktemp("pattern"))
    with Served(house) as found:
        yield found


def said(raw: Raw, actor: str, do: dict[str, Any]) -> dict[str, Any]:
    command = {"key": f"raw-{next(_numbers)}", "actor": actor, "session": session(actor), "do": do}
    return raw.ask({"command": command})


def test_a_session_dies_in_the_middle_of_its_connection(served: Served) -> None:
    """Two others end it elsewhere: the connection stays, and whatever is sent in the person's name is refused."""
    with Raw(served.port) as desk, Raw(served.port) as office:
        assert "welcome" in desk.hello()
        assert "welcome" in office.hello()
        assert "answer" in said(desk, SUPERVISOR, INCIDENT)
        assert "answer" in desk.ask({"ask": "people", "actor": SUPERVISOR, "session": session(SUPERVISOR)})
        revoke = {"kind": "session.revoke", "person": SUPERVISOR, "reason": "seen elsewhere"}
        assert codes(said(office, EXECUTIVE, revoke)) == ["badge-needed"]
        assert "answer" in said(office, EXECUTIVE, {**revoke, "badge": badge(SURVEILLANCE)})
        assert codes(said(desk, SUPERVISOR, INCIDENT)) == ["not-signed-in"]
        asked = desk.ask({"ask": "people", "actor": SUPERVISOR, "session": session(SUPERVISOR)})
        assert codes(asked) == ["not-signed-in"]
        listed = office.ask({"ask": "sessions"})["answer"]["sessions"]
        assert SUPERVISOR not in {one["person"] for one in listed}
        assert {"person", "device", "kind", "table", "since", "until"} == set(listed[0]), "and no token"


def test_a_subscription_in_a_person_s_name_ends_with_the_session(served: Served) -> None:
    with Raw(served.port) as desk, Raw(served.port) as own:
        desk.hello()
        own.hello()
        who = {"actor": ACCOUNTING, "session": session(ACCOUNTING)}
        assert "answer" in desk.ask({"subscribe": ["events"], **who})
        assert "answer" in own.ask({"subscribe": ["events"]})
        assert "answer" in said(
            own, ACCOUNTING, {"kind": "session.revoke", "person": ACCOUNTING, "reason": "went home"}
        )
        told = []
        while line := desk.read():
            told.append(line)
        assert codes(told[-1]) == ["not-signed-in"], "the connection says why, and is over"
        assert "answer" in own.ask({"ask": "health"}), "who subscribed as the service itself hears on"
