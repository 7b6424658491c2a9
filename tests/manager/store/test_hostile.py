"""Whatever a command holds, it is decided or refused alone: its group goes on, and the manager serves."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from houseway.errors import InputError
from houseway.manager.commands.round_commands import SetSensor
from houseway.manager.core.authority import AUTHORITY
from houseway.manager.core.command import Command, CommandAnswer
from houseway.manager.core.engine import Decision, Envelope, handles
from houseway.manager.core.house_entities import Person
from houseway.manager.store.manager import Manager
from houseway.manager.store.writer import Answer
from tests.manager.floors import DEALER, EXECUTIVE, SUPERVISOR, TECHNICIAN, badge
from tests.manager.server.house import House, built
from tests.manager.store.acts import ANYBODY, Move, Write, do, moved, people
from tests.manager.store.hostile import FRAGMENTS, TEXTS, commands
from tests.manager.store.stores import MemoryStore, SqlStore, check_chain

Store = SqlStore | MemoryStore
SIX = "\\u0000"
"""Six characters that look like the escape of NUL, and are none."""


class Tear(Command[CommandAnswer], tag="test.tear"):
    """Meet an internal error while the state follows."""


class _Torn:
    """An entity that the floor cannot take."""

    id = "T9"


AUTHORITY[Tear] = ANYBODY


@handles(Tear)
def tear(decision: Decision, _command: Tear) -> CommandAnswer:
    decision.people.put(Person("Ghost", "Ghost", "pit", ("executive",)))
    decision.put("nothing-of-this-kind", _Torn())
    return CommandAnswer()


@pytest.mark.parametrize("actor", [SIX, f"Dealer {SIX}", f"{SIX}\\", "\\" + SIX, "\\\\" + SIX, "x" * 200, "a\u00a0b"])
@pytest.mark.parametrize("device", [None, SIX])
def test_an_attempt_is_put_on_record_whatever_it_holds(any_store: Store, actor: str, device: str | None) -> None:
    writer = any_store.writer()
    group = [people(), moved("before"), do("bad", Move("tray/T1", "house", 1), actor, device), moved("after")]
    results = writer.carry_out(group)
    assert [isinstance(result, Answer) for result in results] == [True, True, False, True]
    if actor.isprintable():
        told = [json.loads(event.body)["do"] for event in any_store.events() if event.kind == "system.refused"]
        assert [(one["actor"], one["device"]) for one in told] == [(actor, device)]
    check_chain(any_store.events())


class Blame(Command[CommandAnswer], tag="test.blame"):
    """Be refused with a text of one's own, as handlers do that name what they did not find."""

    text: str


AUTHORITY[Blame] = ANYBODY


@handles(Blame)
def blame(_decision: Decision, command: Blame) -> CommandAnswer:
    raise InputError.of("unknown-badge", command.text, f"{command.text} is nobody's badge")


@pytest.mark.parametrize("text", FRAGMENTS, ids=[ascii(one)[:20] for one in FRAGMENTS])
def test_a_refusal_that_quotes_hostile_text_is_on_record(any_store: Store, text: str) -> None:
    writer = any_store.writer()
    results = writer.carry_out([people(), do("bad", Blame(text)), moved("after")])
    assert isinstance(results[1], InputError)
    assert isinstance(results[2], Answer)
    # Half a character cannot be hashed, so there is nothing to hold the attempt against; it is refused as no message.
    halved = any("\ud800" <= one <= "\udfff" for one in text)
    assert ("system.refused" in [event.kind for event in any_store.events()]) is not halved


def test_letters_that_look_like_nul_are_only_letters(any_store: Store) -> None:
    writer = any_store.writer()
    results = writer.carry_out([people(), do("k", Move("tray/T1", "house", 1, note=SIX))])
    assert isinstance(results[1], Answer)
    assert json.loads(any_store.events()[-1].body)["do"]["note"] == SIX


def test_a_fault_while_the_state_follows_costs_one_command(any_store: Store, caplog: pytest.LogCaptureFixture) -> None:
    writer = any_store.writer()
    with caplog.at_level(logging.CRITICAL):
        results = writer.carry_out([people(), moved("k1", 2), do("torn", Tear()), moved("k2", 3)])
    assert [isinstance(result, Answer) for result in results] == [True, True, False, True]
    assert results[2].faults[0].code == "internal-error"
    assert [event.key for event in any_store.events()] == ["people", "k1", "k2"]
    assert writer.engine.floor.balances["tray/T1"] == 5
    # Half of what the command did would be a state that no journal leads to.
    assert "Ghost" not in writer.engine.floor.people


def test_numbers_beyond_the_columns_are_found_before_the_store_meets_them(
    any_store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Reading the state again for every such command would be a way to hold up the floor."""
    writer = any_store.writer()
    writer.carry_out([people()])
    loads: list[int] = []
    monkeypatch.setattr(writer, "load", lambda: loads.append(1))
    row = ("round", {"round": "T1-1", "table": "T1", "number": 2**70})
    with caplog.at_level(logging.CRITICAL):
        results = writer.carry_out(
            [moved("huge", 2**70), moved("most", 2**63 - 1), do("row", Write([row])), moved("k")]
        )
    assert [isinstance(result, Answer) for result in results] == [False, True, False, False]
    assert loads == []


# ---------------------------------------------------------------- every command, on a floor that is set up

KNOWN = st.sampled_from(
    ["T1", "T2", "T1-1", "T1-1/1", "L1", "C-T1", "SVC-1", DEALER, EXECUTIVE, SUPERVISOR, badge(SUPERVISOR), "1"]
)
PEOPLE = st.sampled_from([DEALER, EXECUTIVE, SUPERVISOR, TECHNICIAN])
ACTORS = PEOPLE | PEOPLE | st.sampled_from(["device:C-T1", "device:SVC-1"]) | TEXTS
DEVICES = st.none() | st.none() | st.sampled_from(["C-T1", "SVC-1", "SIGN-1"]) | TEXTS
KEYS = st.just("k") | st.just("j") | TEXTS
"""Mostly what gets a command further: most hostile texts are refused at the door."""


@pytest.fixture(params=["sqlite", "postgres"], scope="module")
def floor(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Manager]:
    """A property that is set up, on each of the databases."""
    folder = tmp_path_factory.mktemp("hostile")
    server = request.getfixturevalue("postgres_server") if request.param == "postgres" else None
    house: House = built(folder, server.new_database() if server is not None else None)
    with house.open() as manager:
        yield manager


_numbers = iter(range(10**9))


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(do_=commands(KNOWN), actor=ACTORS, device=DEVICES, key=KEYS)
@example(do_=Move("tray/T1", "house", 1), actor=SIX, device=None, key="k")
def test_no_command_stops_another(floor: Manager, do_: Command, actor: str, device: str | None, key: str) -> None:
    """Before and after it in the same group another table's wager is seen, and the manager serves."""
    number = next(_numbers)
    wagers = [_wager(f"{number}/{place}", lit=(2 * number + place) % 2 == 0) for place in range(2)]
    hostile = Envelope(f"{key}{number}", actor, do_, device)
    futures = [floor.submit(one) for one in (wagers[0], hostile, wagers[1])]
    floor.submit(_wager(f"{number}/off", lit=False))
    for future in (futures[0], futures[2]):
        assert future.result(20).seq
    futures[1].exception(20)
    assert floor.health()["state"] == "serving"


def _wager(key: str, *, lit: bool) -> Envelope:
    return Envelope(key, "device:C-T3", SetSensor("T3", "1", 3, lit), "C-T3")
