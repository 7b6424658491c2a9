"""One scenario for every way to a manager: in memory, on a database, at an address; one after the other and asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from houseway.errors import InputError
from houseway.manager.commands.house_commands import SignIn
from houseway.manager.commands.round_answers import EndRoundAnswer, StartRoundAnswer
from houseway.manager.commands.round_commands import EndRound, HitJackpot, PayJackpot, PressHand, StartRound
from houseway.manager.demo.floorplan import dealer_of, office, set_up, token
from houseway.manager.demo.play import PLAN
from houseway.manager.interface.async_connection import AsyncManagerConnection
from houseway.manager.interface.async_local import AsyncLocalManager
from houseway.manager.interface.client import ManagerClient
from houseway.manager.interface.contract import (
    AsyncManagerInterface,
    ManagerAwayError,
    ManagerInterface,
    RefusedError,
)
from houseway.manager.interface.opening import begin_in_memory, open_database
from houseway.manager.interface.requests import command_of
from houseway.manager.interface.resting import RestingManager
from houseway.manager.interface.whole_answers import ask_all_async
from houseway.manager.views.answers import EventMessage, MetersMessage
from houseway.manager.views.floor_questions import (
    QUESTIONS,
    EventsQuestion,
    HealthQuestion,
    KeyQuestion,
    MetersQuestion,
    PeopleQuestion,
    SlipQuestion,
    SlipsQuestion,
    TableQuestion,
    WinPageQuestion,
    question,
)
from tests.manager.floors import DEALER, SUPERVISOR, badge
from tests.manager.server.house import House, access, sessions
from tests.manager.server.processes import Wire
from tests.manager.server.running import running

SECONDS = 20.0


class Awaited:
    """A manager for programs that do one thing after the other, awaited, so that one scenario serves for both."""

    def __init__(self, manager: ManagerInterface) -> None:
        self._manager = manager

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        found = getattr(self._manager, name)

        async def called(*arguments: Any, **named: Any) -> Any:
            return await asyncio.to_thread(found, *arguments, **named)

        return called

    async def subscribe(self, *topics: str, **named: Any) -> AwaitedSubscription:
        return AwaitedSubscription(await asyncio.to_thread(self._manager.subscribe, *topics, **named))


class AwaitedSubscription:
    """The changes of such a manager."""

    def __init__(self, subscription: Any) -> None:
        self._subscription = subscription

    async def changes(self, seconds: float | None = None) -> AsyncIterator[Any]:
        changes = self._subscription.changes(seconds)
        while (change := await asyncio.to_thread(next, changes, None)) is not None:
            yield change

    async def close(self) -> None:
        await asyncio.to_thread(self._subscription.close)


@dataclass(frozen=True)
class Place:
    """A manager, and what there is on its floor."""

    manager: AsyncManagerInterface
    dealer: str = DEALER
    badge: str = badge(DEALER)
    link: str = "L1"
    wire: Wire | None = None


@asynccontextmanager
async def at(kind: str, house: House) -> AsyncIterator[Place]:
    """The manager that is meant."""
    where, _, how = kind.partition(", ")
    if where == "in memory":
        begun = begin_in_memory(PLAN.name, "commercial", office())
        set_up(PLAN, begun, begun.ask(HealthQuestion()).now)
        manager: Any = AsyncLocalManager(begun) if how == "async" else Awaited(begun)
        yield Place(manager, dealer_of("T1"), token(dealer_of("T1")), "Fortune")
        await manager.close()
    elif where == "on a database":
        opened = open_database(house.url, house.keys)
        manager = AsyncLocalManager(opened) if how == "async" else Awaited(opened)
        yield Place(manager)
        await manager.close()
    else:
        async with running(house) as (_, port):
            wire = Wire(port)
            if how == "async":
                manager = await AsyncManagerConnection(access(wire.port), sessions=sessions()).open()
            else:
                connect = asyncio.to_thread(ManagerClient.connect, access(wire.port), sessions=sessions())
                manager = Awaited(await connect)
            try:
                yield Place(manager, wire=wire)
                await manager.close()
            finally:
                wire.close()


ALL = [f"{where}, {how}" for where in ("in memory", "on a database", "at an address") for how in ("sync", "async")]
SERVED = [kind for kind in ALL if kind.startswith("at an address")]


def play(kind: str, house: House, scenario: Callable[[Place], Awaitable[None]]) -> None:
    async def playing() -> None:
        async with at(kind, house) as place, asyncio.timeout(60):
            await scenario(place)

    asyncio.run(playing())


async def refused(call: Awaitable[Any]) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        await call
    return caught.value


@pytest.mark.parametrize("kind", ALL)
def test_commands_are_carried_out_once_or_refused_with_every_fault(kind: str, house: House) -> None:
    async def scenario(place: Place) -> None:
        manager, dealer = place.manager, place.dealer
        signed_in = await manager.sign_in(place.badge)
        assert (signed_in.person, signed_in.roles) == (dealer, ("dealer",))
        start = StartRound("T1", {"1": [1, 2]})
        first = await manager.send(start, actor=dealer, key="the first")
        again = await manager.send(start, actor=dealer, key="the first")
        assert (again.seq, again.hash, again.answer, again.repeated) == (first.seq, first.hash, first.answer, True)
        # Fields with the kind among them mean the same command.
        assert command_of(msgspec.to_builtins(start)) == start
        other = StartRound("T1", sensors={"1": [3]})
        assert (await refused(manager.send(other, actor=dealer, key="the first"))).code == "key-reused"
        in_play = await refused(manager.send(other, actor=dealer))
        assert (in_play.code, in_play.retry) == ("round-in-play", False)
        assert (await refused(manager.send(start, actor="system"))).code == "wrong-role"
        # The answer is of the type that its command names, the first time and when it is repeated.
        for told in (first.answer, again.answer):
            assert type(told) is StartRoundAnswer
            assert told.taken["1"].seats == (1, 2)
        ended = (await manager.send(EndRound(first.answer.round), actor=dealer)).answer
        assert (type(ended), ended.round, ended.envy) == (EndRoundAnswer, first.answer.round, ())
        await refused(manager.sign_in("this is nobody's badge"))
        await manager.sign_out(dealer)

    play(kind, house, scenario)


@pytest.mark.parametrize("kind", ALL)
def test_every_question_is_answered_with_its_own_view(kind: str, house: House) -> None:
    async def scenario(place: Place) -> None:
        manager = place.manager
        start = StartRound("T1", sensors={"1": [1, 2]})
        started = await manager.send(command_of(start), actor=place.dealer, key="start")
        arguments = {
            "table": {"table": "T1"},
            "link": {"link": place.link},
            "round": {"round": started.answer.round},
            "drafts": {"table": "T1"},
            "key": {"key": "start"},
            "slip": {"slip": "OPEN-000001"},
        }
        for name, kind_of in QUESTIONS.items():
            if name == "win-page":
                continue
            answer = await manager.ask(question(name, **arguments.get(name, {})))
            assert type(answer) is kind_of.answer
            assert msgspec.convert(answer.to_json(), kind_of.answer) == answer
        table = (await manager.ask(TableQuestion(table="T1"))).table
        assert (table.round, table.dealer) == (started.answer.round, place.dealer)
        assert (await manager.ask(KeyQuestion(key="start"))).seq == started.seq
        assert (await manager.ask(KeyQuestion(key="another"))).seq is None
        assert (await manager.ask(HealthQuestion())).state == "serving"
        assert len((await ask_all_async(manager, PeopleQuestion())).people) > 5
        # Event by event, so that whoever reads late misses none.
        numbers: list[int] = []
        while (page := await manager.ask(EventsQuestion(after=numbers[-1] if numbers else 0, limit=40))).events:
            numbers += [event.seq for event in page.events]
            assert page.next == (numbers[-1] if numbers[-1] < page.seq else None)
        assert numbers == list(range(page.first, started.seq + 1))
        for wrong in (EventsQuestion(after=-1), EventsQuestion(limit=0), EventsQuestion(limit=1001)):
            assert (await refused(manager.ask(wrong))).code == "bad-message"
        assert (await refused(manager.ask(TableQuestion(table="T9")))).code == "unknown-table"
        assert (await refused(manager.ask(MetersQuestion(link="L9")))).code == "unknown-link"

    play(kind, house, scenario)


@pytest.mark.parametrize("kind", [kind for kind in ALL if not kind.startswith("in memory")])
def test_the_page_of_a_win_is_the_same_everywhere(kind: str, house: House) -> None:
    async def scenario(place: Place) -> None:
        manager = place.manager
        round_ = (await manager.send(StartRound("T1", sensors={"1": [1, 2]}), actor=place.dealer)).answer.round
        pressed = await manager.send(PressHand(round_, 2, "royal-flush"), actor=place.dealer)
        award = pressed.answer.award
        assert (await refused(manager.ask(WinPageQuestion(award=award)))).code == "no-such-award"
        await manager.send(HitJackpot(round_), actor=place.dealer)
        assert (await refused(manager.ask(WinPageQuestion(award=award)))).code == "award-not-paid"
        paid = await manager.send(PayJackpot(award, badge(SUPERVISOR)), actor=place.dealer)
        page = (await manager.ask(WinPageQuestion(award=award))).page
        assert (page.award, page.cents, page.verified_by) == (award, paid.answer.cents, SUPERVISOR)
        assert (page.proof.event, page.proof.hash) == (paid.seq, paid.hash)
        assert page.proof.text is not None
        assert page.slip is not None
        assert (await manager.ask(SlipQuestion(slip=page.slip.id))).slip == page.slip
        assert page.slip in (await ask_all_async(manager, SlipsQuestion(kind="win"))).slips
        assert (await ask_all_async(manager, SlipsQuestion(table="T1", kind="closer"))).slips == ()
        for ask, code in (
            (SlipQuestion(slip="WIN-9"), "unknown-slip"),
            (SlipsQuestion(kind="wins"), "bad-value"),
            (SlipsQuestion(table="T9"), "unknown-table"),
        ):
            assert (await refused(manager.ask(ask))).code == code

    play(kind, house, scenario)


def test_a_journal_in_memory_has_no_pages() -> None:
    with begin_in_memory(PLAN.name, "commercial", office()) as begun, pytest.raises(RefusedError) as caught:
        begun.ask(WinPageQuestion(award="T1-1/1"))
    assert caught.value.code == "no-journal"


@pytest.mark.parametrize("kind", ALL)
def test_a_subscription_tells_the_state_as_it_is_and_every_change(kind: str, house: House) -> None:
    async def scenario(place: Place) -> None:
        manager, link = place.manager, place.link
        told = await manager.subscribe("meters", "events", links=[link])
        first = await anext(_of(told.changes(SECONDS), MetersMessage))
        assert first.meters.link == link
        started = await manager.send(StartRound("T1", sensors={"1": [1, 2]}), actor=place.dealer)
        seen: list[Any] = []
        async for change in told.changes(SECONDS):
            seen.append(change)
            if isinstance(change, MetersMessage) and change.seq >= started.seq:
                break
        assert [event.seq for event in seen if isinstance(event, EventMessage)] == [started.seq]
        before, after = first.meters.levels["main"], seen[-1].meters.levels["main"]
        assert after.displayed_micros > before.displayed_micros
        (asked,) = (await manager.ask(MetersQuestion(link=link))).meters
        assert asked == seen[-1].meters
        assert [change async for change in told.changes(0.05)] == []
        # A refused one leaves it as it is, another one ends it.
        assert (await refused(manager.subscribe("weather"))).code == "unknown-topic"
        tables = await manager.subscribe("tables", tables=["T1"])
        assert [change async for change in told.changes()] == []
        assert (await anext(tables.changes(SECONDS))).table.id == "T1"
        await tables.close()
        assert [change async for change in tables.changes()] == []

    play(kind, house, scenario)


async def _of(changes: AsyncIterator[Any], kind: type) -> AsyncIterator[Any]:
    async for change in changes:
        if isinstance(change, kind):
            yield change


@pytest.mark.parametrize("kind", ALL)
def test_what_was_closed_stays_closed(kind: str, house: House) -> None:
    async def scenario(place: Place) -> None:
        manager = place.manager
        told = await manager.subscribe("tables")
        await manager.close()
        await manager.close()
        assert [change async for change in told.changes()] == []
        for call in (
            manager.send(StartRound("T1"), actor=place.dealer),
            manager.ask(HealthQuestion()),
            manager.subscribe("tables"),
            manager.sign_in(place.badge),
            manager.sign_out(place.dealer),
        ):
            with pytest.raises(ManagerAwayError):
                await call

    play(kind, house, scenario)


@pytest.mark.parametrize("kind", SERVED)
def test_a_connection_that_is_lost_is_made_again(kind: str, house: House) -> None:
    async def scenario(place: Place) -> None:
        manager, wire = place.manager, place.wire
        assert wire is not None
        told = await manager.subscribe("tables", tables=["T1"])
        await anext(told.changes(SECONDS))
        started = await manager.send(StartRound("T1"), actor=place.dealer, key="start")
        wire.cut()
        # The subscription is gone with its connection, and whoever reads it is told.
        with pytest.raises(ManagerAwayError):
            [change async for change in told.changes(SECONDS)]
        again = await manager.send(StartRound("T1"), actor=place.dealer, key="start")
        assert (again.seq, again.repeated) == (started.seq, True)
        told = await manager.subscribe("tables", tables=["T1"])
        assert (await anext(told.changes(SECONDS))).table.round == started.answer.round
        wire.refusing = True
        wire.cut()
        for _ in range(2):
            with pytest.raises(ManagerAwayError):
                await manager.ask(HealthQuestion())
        wire.refusing = False
        assert (await manager.ask(HealthQuestion())).seq >= started.seq

    play(kind, house, scenario)


@pytest.mark.parametrize("how", ["sync", "async"])
def test_a_database_that_is_only_read_answers_and_takes_nothing(how: str, house: House) -> None:
    async def scenario() -> None:
        resting = RestingManager(house.url, house.keys)
        manager: Any = AsyncLocalManager(resting) if how == "async" else Awaited(resting)
        with open_database(house.url, house.keys) as live:
            # Others may serve it meanwhile.
            round_ = live.send(StartRound("T1"), actor=DEALER).answer.round
        with pytest.raises(RefusedError, match="T1-1"):
            await manager.ask(question("round", round=round_))
        before = written(house)
        arguments = {
            "table": {"table": "T1"},
            "link": {"link": "L1"},
            "drafts": {"table": "T1"},
            "slip": {"slip": "OPEN-000001"},
        }
        for name in set(QUESTIONS) - {"round", "key", "events", "win-page"}:
            answer = await manager.ask(question(name, **arguments.get(name, {})))
            assert type(answer) is QUESTIONS[name].answer
        assert (await manager.ask(HealthQuestion())).state == "at rest"
        for call in (
            manager.send(StartRound("T1"), actor=DEALER),
            manager.subscribe("tables"),
            manager.ask(KeyQuestion(key="k")),
            manager.ask(EventsQuestion()),
            manager.sign_in(badge(DEALER)),
            manager.sign_out(DEALER),
        ):
            assert (await refused(call)).code == "only-read"
        await manager.close()
        with pytest.raises(ManagerAwayError):
            await manager.ask(HealthQuestion())
        assert RestingManager(house.url, house.keys).ask(question("round", round=round_))
        assert written(house) == before

    asyncio.run(scenario())


def written(house: House) -> dict[str, bytes]:
    """The database and the keys."""
    files = [house.folder / "house.db", *sorted(house.keys.iterdir())]
    return {path.name: path.read_bytes() for path in files}


def test_fields_that_are_no_command_are_refused_with_every_fault_before_they_are_sent() -> None:
    with pytest.raises(InputError) as caught:
        command_of({"kind": "round.start", "tabel": "T1", "sensors": 5})
    assert {(fault.code, fault.path) for fault in caught.value.faults} == {
        ("bad-message", "do.tabel"),
        ("bad-message", "do.sensors"),
        ("bad-message", "do.table"),
    }
    for fields, place in (({"kind": "round.strat"}, "do.kind"), ({"table": "T1"}, "do.kind")):
        with pytest.raises(InputError) as caught:
            command_of(fields)
        assert [fault.path for fault in caught.value.faults] == [place]
    # Who reads a badge need not draw a session's token.
    signed_in = [command_of({"kind": "person.sign-in", "badge": "b"}) for _ in range(2)]
    assert all(isinstance(each, SignIn) for each in signed_in)
    assert signed_in[0] != signed_in[1]


def test_a_question_that_does_not_exist_or_is_asked_wrongly_is_refused_before_it_is_asked() -> None:
    for what, arguments, code, path in (
        ("tabels", {}, "unknown-ask", "ask"),
        ("table", {}, "bad-message", "table"),
        ("table", {"table": 1}, "bad-message", "table"),
        ("tables", {"table": "T1"}, "unknown-key", "table"),
        ("drafts", {"table": "T1", "at": "today"}, "bad-message", "at"),
        ("people", {"after": 7}, "bad-message", "after"),
    ):
        with pytest.raises(InputError) as caught:
            question(what, **arguments)
        (fault,) = caught.value.faults
        assert (fault.code, fault.path) == (code, path)
