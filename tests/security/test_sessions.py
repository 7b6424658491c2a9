"""A service's secret makes nobody a person: who lacks the session of a sign-in does not act for who is signed in."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from houseway.manager.store.keys import load_keys
from tests.cli.runner import call
from tests.manager.floors import ACCOUNTING, EXECUTIVE, SUPERVISOR, SURVEILLANCE, badge
from tests.manager.server.house import House, built, session
from tests.manager.server.processes import Served
from tests.manager.server.raw import Raw, codes

SERVICE: Final = "device:SVC-1"
MINE: Final = "drawn by me at the desk"
SIGN_IN: Final = {"kind": "person.sign-in", "badge": badge(EXECUTIVE), "session": MINE}
PROPOSAL = {
    "kind": "change.propose", "reason": "as agreed",
    "what": {"change": "setting", "name": "sign_in_hours", "value": 2},
}  # fmt: skip
NEWCOMER = {
    "kind": "person.add", "person": "Invented 1", "name": "Invented 1", "department": "surveillance",
    "roles": ["surveillance"], "badge": "48319001", "second_badge": badge(EXECUTIVE),
}  # fmt: skip
REFERENCE = {
    "kind": "surveillance.reference", "round": "T1-1", "payout": "T1-1/1", "hand": "five-aces", "cents": 1_000_000,
    "reference": "camera 4",
}  # fmt: skip
IN_SOMEBODYS_NAME = {
    "propose as the accountant": (ACCOUNTING, PROPOSAL),
    "add people as the supervisor": (SUPERVISOR, NEWCOMER),
    "verify as surveillance": (SURVEILLANCE, REFERENCE),
}
_numbers = itertools.count()


@pytest.fixture(scope="module")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> House:
    """The property that every test gets a copy of."""
    return built(tmp_path_factory.mktemp("pattern"))


@pytest.fixture
def served(pattern: House, tmp_path: Path) -> Iterator[Served]:
    """A server with everybody signed in at SVC-1."""
    with Served(pattern.copied(tmp_path / "house")) as found:
        yield found


def said(raw: Raw, actor: str, do: dict[str, Any], **more: Any) -> dict[str, Any]:
    """What a command is answered on a raw socket."""
    return raw.ask({"command": {"key": f"raw-{next(_numbers)}", "actor": actor, "do": do, **more}})


@pytest.mark.parametrize("name", IN_SOMEBODYS_NAME)
def test_the_secret_of_a_service_does_not_act_for_who_is_signed_in_there(served: Served, name: str) -> None:
    actor, do = IN_SOMEBODYS_NAME[name]
    with served.client() as theirs, Raw(served.port) as mine:
        assert "welcome" in mine.hello("SVC-1")
        before = theirs.request({"ask": "people"})["people"]
        own = said(
            mine, SERVICE, {"kind": "person.sign-in", "badge": badge(EXECUTIVE), "session": "drawn by me at the desk"}
        )
        assert own["answer"]["answer"]["person"] == EXECUTIVE
        guesses: tuple[dict[str, Any], ...] = (
            {}, {"session": None}, {"session": MINE}, {"session": "x" * 40},
            # What the journal keeps of the session is no session.
            {"session": load_keys(served.house.keys).fingerprint(session(actor))},
        )  # fmt: skip
        for guess in guesses:
            assert codes(said(mine, actor, do, **guess)) == ["not-signed-in"]
        assert theirs.request({"ask": "people"})["people"] == before
        assert theirs.request({"ask": "proposals"})["proposals"] == []
        # The one whose badge was read, with the session that was drawn there, goes on.
        through = said(mine, actor, do, session=session(actor))
        assert "answer" in through or codes(through) == ["no-such-round"], through


def test_one_executive_at_the_desk_makes_no_jackpot_alone(served: Served) -> None:
    """Proposes as the accountant and approves with his own badge: the first of the steps fails, and so do all."""
    with Raw(served.port) as mine:
        mine.hello("SVC-1")
        said(mine, SERVICE, SIGN_IN)
        asked = said(mine, EXECUTIVE, PROPOSAL, session=MINE)["answer"]["answer"]
        approval = {"kind": "change.approve", **{name: asked[name] for name in ("proposal", "content_hash")}}
        own = said(mine, EXECUTIVE, {**approval, "badge": badge(EXECUTIVE)}, session=MINE)
        assert "error" in own
        assert codes(said(mine, ACCOUNTING, {**approval, "badge": badge(EXECUTIVE)})) == ["not-signed-in"]


def test_a_card_read_again_ends_the_session_before_and_so_does_the_sign_out(served: Served) -> None:
    sign_in = {"kind": "person.sign-in", "badge": badge(ACCOUNTING)}
    first, second = "the first of two sessions", "another one, drawn after it"
    with Raw(served.port) as raw:
        raw.hello("SVC-1")
        for token in (first, second):
            said(raw, SERVICE, {**sign_in, "session": token})
        assert codes(said(raw, ACCOUNTING, PROPOSAL, session=first)) == ["not-signed-in"]
        assert "answer" in said(raw, ACCOUNTING, PROPOSAL, session=second)
        said(raw, SERVICE, {"kind": "person.sign-out", "person": ACCOUNTING})
        assert codes(said(raw, ACCOUNTING, PROPOSAL, session=second)) == ["not-signed-in"]


def test_the_answer_of_a_command_is_told_again_only_to_who_sent_it(served: Served) -> None:
    """Whoever knows key and content of a command, and the service's secret, has not sent it by that."""
    with Raw(served.port) as raw:
        raw.hello("SVC-1")

        def sent(do: dict[str, Any], **more: Any) -> dict[str, Any]:
            return raw.ask({"command": {"key": "the-key", "actor": ACCOUNTING, "do": do, **more}})

        first = sent(PROPOSAL, session=session(ACCOUNTING))["answer"]
        for wrong in ({}, {"session": session(EXECUTIVE)}, {"session": "a session that is nobody's"}):
            # Not even whether the content is the right one can be learnt.
            for do in (PROPOSAL, {**PROPOSAL, "reason": "guessed"}):
                assert codes(sent(do, **wrong)) == ["not-signed-in"]
        assert codes(sent({**PROPOSAL, "reason": "other"}, session=session(ACCOUNTING))) == ["key-reused"]

        # The sender is known again whatever became of the session; another session counts while it lasts.
        newer = "drawn when the badge was read again"
        said(raw, SERVICE, {"kind": "person.sign-in", "badge": badge(ACCOUNTING), "session": newer})
        for token in (session(ACCOUNTING), newer):
            again = sent(PROPOSAL, session=token)["answer"]
            assert (again["repeated"], again["answer"]) == (True, first["answer"])
        said(raw, SERVICE, {"kind": "person.sign-out", "person": ACCOUNTING})
        assert sent(PROPOSAL, session=session(ACCOUNTING))["answer"]["repeated"]
        assert codes(sent(PROPOSAL, session=newer)) == ["not-signed-in"]


def test_a_session_that_can_be_guessed_or_is_none_begins_nothing(served: Served) -> None:
    with Raw(served.port) as raw:
        raw.hello("SVC-1")
        weak: object
        for weak in ("", "1", "short", "a" * 40, "0123456789" * 4, 7, None, ["x"]):
            do = {"kind": "person.sign-in", "badge": badge(ACCOUNTING), "session": weak}
            assert codes(said(raw, SERVICE, do)) in (["weak-token"], ["bad-message"])
            assert codes(said(raw, ACCOUNTING, PROPOSAL, session=weak)) in (["not-signed-in"], ["bad-message"])
        assert codes(said(raw, SERVICE, {"kind": "person.sign-in", "badge": badge(ACCOUNTING)})) == ["bad-message"]


def test_no_token_of_a_session_reaches_journal_log_or_answers(served: Served) -> None:
    house = served.house
    token = "watched wherever it might turn up"
    with Raw(served.port) as raw:
        raw.hello("SVC-1")
        answers = [
            said(raw, SERVICE, {"kind": "person.sign-in", "badge": badge(ACCOUNTING), "session": token}),
            said(raw, ACCOUNTING, PROPOSAL, session=token),
            said(raw, SUPERVISOR, NEWCOMER, session=token),
            raw.ask({"ask": "devices"}),
        ]
    served.end()
    fingerprint, events = load_keys(house.keys).fingerprint(token), list[Any]()
    with house.open() as manager:
        manager.subscribe(events.extend, after=0)
    assert token not in json.dumps(answers)
    assert fingerprint not in json.dumps(answers)
    assert token not in served.log.read_text()
    assert not any(token in event.body for event in events)
    assert sum(fingerprint in event.body for event in events) == 1, "the sign-in, and no command that carries it"
    told = call("audit", "events", "--kind", "person.sign-in", "--database", house.url, "--json")
    assert told.code == 0, told.out
    assert "device:SVC-1" in told.out
    assert fingerprint not in told.out
