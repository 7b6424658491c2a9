"""Whole sessions at a table, as the dealer reads them: every press and every text of the display, word for word.

The transcripts lie beside this file. A line with `>` is what somebody did at the table, `desk:` what happened
elsewhere, and what follows is the display then, with the keys that it names. After a change that is meant, run with
HOUSEWAY_WRITE_TRANSCRIPTS=1 and read the difference as a dealer would.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from houseway.manager.commands.link_commands import Propose
from houseway.manager.interface.requests import command_of
from tests.manager.controller.table import RefusedByControllerError, Table
from tests.manager.floors import ACCOUNTING, EXECUTIVE, SUPERVISOR, SURVEILLANCE, badge
from tests.manager.server.house import DEALERS, House
from tests.manager.server.processes import Served

FOLDER = Path(__file__).parent / "transcripts"
NAMES = {"aquarius": "T3", "nexus": "T2", "nexus-2": "T1"}
KEYS = {
    "aquarius": {"start": "COIN IN", "hit": "CALL", "pay": "J-POT", "end": "GAME OVER"},
    "nexus": {"start": "START GAME", "hit": "CALL", "pay": "CONFIRM", "end": "END GAME"},
    "nexus-2": {"start": "START GAME", "hit": "HIT JACKPOT", "pay": "PAY JACKPOT", "end": "END GAME"},
}


@pytest.fixture
def served(house: House) -> Iterator[Served]:
    with Served(house) as found:
        yield found


class Session:
    """A table that is played and written down."""

    def __init__(self, table: Table, served: Served, keys: dict[str, str]) -> None:
        self.table, self.served, self.keys = table, served, keys
        self.lines: list[str] = []
        self.shown: list[dict[str, Any]] = []

    def press(self, key: str, **fields: Any) -> None:
        """Press a key, by what it does or by its word; a refusal is part of the session."""
        word = self.keys.get(key, key)
        given = "".join(f" {name} {value}" for name, value in fields.items() if name != "badge")
        self._do(f"{word}{given}", {"key": word, **fields})

    def swipe(self, person: str) -> None:
        self._do(f"badge of {person}", {"badge": badge(person)})

    def lay(self, *seats: int) -> None:
        self.table.lay(*seats)
        self._note(f"> chips on the sensors of {', '.join(map(str, seats))}")

    def desk(self, actor: str, what: str, kind: str, **fields: Any) -> dict[str, Any]:
        """Something happens elsewhere, which the display tells."""
        self.table.look(0.2)
        before = self.table.last["display"]
        with self.served.client() as client:
            answer = client.send(command_of({"kind": kind, **fields}), actor=actor).answer.to_json()
        self.table.wait("display", lambda shown: shown != before or kind == "change.propose")
        self._note(f"desk: {what}")
        return answer

    def _do(self, label: str, message: dict[str, Any]) -> None:
        try:
            self.table.send(message)
        except RefusedByControllerError as error:
            label += f"  [{error.codes[0]}]"
        self._note(f"> {label}")

    def _note(self, label: str) -> None:
        self.table.look(0.03)
        display = self.table.last["display"]
        assert display["text"], f"the display is blank after {label}"
        self.shown.append(display)
        keys = f"    [{'] ['.join(display['keys'])}]" if display["keys"] else "    no key"
        self.lines += [label, *(f"    {part}" for part in display["text"].split(" - ")), keys, ""]


def play(session: Session, name: str) -> None:
    """A slip with a spot, a small award that was none, a jackpot, a back-out, an end too early, a void, a relief."""
    dealer = DEALERS[NAMES[name]]
    session.press("end")
    session.lay(2, 5)
    session.press("start")
    session.table.take_up(2, 5)
    session.press("hit")
    if name != "aquarius":
        session.press("HAND", hand="full-house")
        session.press("SPOT", spot=5)
        session.press("CANCEL")
    spot = {} if name == "aquarius" else {"spot": 5}
    session.press("HAND", hand="full-house", **spot)
    if name == "aquarius":
        session.press("SPOT", spot=5)
    session.press("HAND", hand="full-house", spot=5)
    session.press("HAND", hand="full-house", spot=2)
    session.press("hit")
    # It was none: the same hand again. Then the right one, and this time a supervisor has to come.
    session.press("HAND", hand="full-house", spot=2)
    session.press("HAND", hand="flush", spot=2)
    session.press("hit")
    session.press("HAND", hand="full-house", spot=2)
    session.press("VOID")
    session.press("REASON", reason="7")
    session.press("REASON", reason="1")
    session.swipe(SUPERVISOR)
    session.press("REJECT", spot=2)
    session.press("REASON", reason="wrong-hand")
    session.swipe(dealer)
    session.swipe(SUPERVISOR)
    # The jackpot.
    session.press("HAND", hand="five-aces", spot=5)
    session.press("end")
    session.press("hit")
    session.press("end")
    if name == "aquarius":
        session.press("pay")
        session.press("KEY JPH", badge=badge(SUPERVISOR))
        verify(session, f"{NAMES[name]}-1")
        session.press("pay")
        session.press("end")
        session.press("KEY RUN")
    else:
        session.press("pay")
        verify(session, f"{NAMES[name]}-1")
        session.press("pay")
        session.swipe(SUPERVISOR)
    session.press("REJECT", spot=5)
    back_out(session, f"{NAMES[name]}-1/4", recover_seed=True)
    session.press("end")
    session.press("REOPEN", reason="missed-winner")
    session.swipe(SUPERVISOR)
    session.press("end")
    session.lay(3)
    session.press("start")
    session.table.take_up(3)
    session.press("CORRECT", spot=4, made=True, reason=1)
    session.press("VOID", reason="wrong-wagers")
    session.swipe(SUPERVISOR)
    # A hand that brings the others envy.
    session.lay(1, 6)
    session.press("start")
    session.table.take_up(1, 6)
    session.press("HAND", hand="four-of-a-kind", spot=6)
    session.press("hit")
    if name == "aquarius":
        session.press("KEY JPH", badge=badge(SUPERVISOR))
        session.press("pay")
        session.press("KEY RUN")
    else:
        session.press("pay")
        session.swipe(SUPERVISOR)
    session.press("end")
    # No round is in play: what is undone at the desk still stands on the display until somebody has read it.
    back_out(session, f"{NAMES[name]}-3/1")
    session.press("PLAYS", spot=2)
    session.press("SEEN")
    session.press("SEEN")
    session.press("DEALER OUT")
    session.press("start")
    session.swipe(dealer)
    # A misdeal: the wager goes back, and no round begins before a deck is counted down.
    session.lay(3)
    session.press("start")
    session.table.take_up(3)
    session.press("MISDEAL")
    session.press("REASON", reason="2")
    session.swipe(SUPERVISOR)
    session.press("start")


def verify(session: Session, round_: str) -> None:
    """Surveillance verifies the jackpot at seat 5."""
    with session.served.client() as client:
        (award,) = client.request({"ask": "round", "round": round_})["round"]["awards"]
    told = {"payout": award["id"], "hand": award["hand"], "cents": award["cents"], "reference": "camera 4, 12:01"}
    session.desk(SURVEILLANCE, "surveillance verifies seat 5", "surveillance.reference", round=round_, **told)


def back_out(session: Session, award: str, **more: Any) -> None:
    """Two people back an award out, and the table is told."""
    what = {"change": "back-out", "award": award, "reference": "incident 3", **more}
    with session.served.client() as client:
        proposed = client.send(Propose(what, "misread"), actor=ACCOUNTING)
    told = {"proposal": proposed.answer.proposal, "content_hash": proposed.answer.check, "badge": badge(EXECUTIVE)}
    session.desk(EXECUTIVE, f"two people back {award} out", "change.approve", **told)


@pytest.mark.parametrize("name", NAMES)
def test_a_session_reads_as_it_was_written_down(name: str, served: Served) -> None:
    with Table(served.house, served.address, NAMES[name]) as table:
        table.wait_live()
        session = Session(table, served, KEYS[name])
        play(session, name)
    foreign = {word for other, words in KEYS.items() if other != name for word in words.values()}
    foreign -= set(KEYS[name].values())
    told = "\n".join(session.lines)
    assert not [word for word in foreign if word in told.replace("[wrong-button-here]", "")], "words of other controls"
    golden = FOLDER / f"{name}.txt"
    if os.environ.get("HOUSEWAY_WRITE_TRANSCRIPTS"):
        golden.write_text(told)
    assert told == golden.read_text()
