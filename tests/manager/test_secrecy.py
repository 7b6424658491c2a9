"""No answer, event, state, log line or message shows a card or a seed before its reveal.

Rounds of every game are played at random, with mistakes, holds and voids, and a spy who knows all seeds reads
everything that is said after every single command. That the spy would notice is shown by planting leaks.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import queue
import random
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol

import msgspec
import pytest
from msgspec.structs import replace

import houseway.manager.handlers  # noqa: F401 - registers every handler
from houseway.cards.card import CARD_TEXTS, card_texts
from houseway.cards.modes import SEVEN_CARD_PACKETS
from houseway.cards.shuffler import Deal, deal
from houseway.errors import InputError
from houseway.manager.commands import read_envelope
from houseway.manager.commands.house_commands import (
    AddDevice,
    AttachSensor,
    ChangeDeck,
    CreateProperty,
    CreateTable,
    DealerIn,
    OpenTable,
)
from houseway.manager.commands.link_commands import CreateLink, OpenLink
from houseway.manager.commands.round_commands import (
    AddReference,
    DealRound,
    DecideRound,
    EndRound,
    HitJackpot,
    HoldRound,
    PayJackpot,
    PressHand,
    SetHand,
    SetSensor,
    ShowDealerWay,
    ShowPlayerWay,
    StartRound,
    VoidRound,
)
from houseway.manager.core.command import AnyCommand, CommandAnswer
from houseway.manager.core.engine import HANDLERS, SYSTEM, Context, Decision, Engine, Envelope
from houseway.manager.core.floor import Floor
from houseway.manager.core.link_entities import LevelParameters
from houseway.manager.core.records import Event
from houseway.manager.core.table_entities import ShownCards
from houseway.manager.handlers import settlement
from houseway.manager.handlers.dealing import dealt_again, next_secret
from houseway.manager.handlers.papers_in_order import papers_in_order
from houseway.manager.interface.access import ManagerAccess
from houseway.manager.interface.client import ManagerClient
from houseway.manager.interface.contract import CommandResult, Subscription
from houseway.manager.interface.requests import command_result
from houseway.manager.server import state_messages
from houseway.manager.server.edge import without_tokens
from houseway.manager.server.metrics import Metrics
from houseway.manager.server.metrics_text import exposition
from houseway.manager.server.server import Server
from houseway.manager.store.keys import Keys, create_keys
from houseway.manager.store.manager import open_manager
from houseway.manager.views.table_views import round_view, table_view
from houseway.paytables import paytable
from tests.manager.cards.pit import GAMES, WAGERS
from tests.manager.floors import (
    ACCOUNTING,
    DEALER,
    EXECUTIVE,
    OTHER_SUPERVISOR,
    PEOPLE,
    START,
    SUPERVISOR,
    SURVEILLANCE,
    TECHNICIAN,
    badge,
    enters,
    first_people,
)
from tests.manager.spy import LeakError, Secrets, Spy, forms_of_bytes

LOG = logging.getLogger("houseway.test")


class Door(Protocol):
    """A way to the manager: everything that comes out of it is read by the spy."""

    spy: Spy
    refusal: InputError | None
    """Why the last command was refused."""

    @property
    def floor(self) -> Floor:
        """The state behind the door."""

    def send(self, actor: str, command: AnyCommand) -> dict[str, Any] | None:
        """Send a command; None if it was refused. The spy reads all that was said."""


class EngineDoor:
    """The engine itself."""

    def __init__(self, spy: Spy) -> None:
        self.spy = spy
        self.engine = Engine()
        self.now = START
        self.count = 0

    @property
    def floor(self) -> Floor:
        return self.engine.floor

    def send(self, actor: str, command: AnyCommand) -> dict[str, Any] | None:
        self.now += 1_000_000
        self.count += 1
        round_id = getattr(command, "round", None)
        try:
            decision = self.engine.decide(Envelope(f"k{self.count}", actor, command), self.now, self.spy.draw)
        except InputError as error:
            self.spy.read(error.to_json(), f"the refusal of {command!r}", round_id)
            self.spy.read(repr(error), f"the refusal of {command!r}", round_id)
            self.refusal: InputError | None = error
            self._read_all()
            return None
        event = self.engine.record(decision)
        self.engine.apply_decision(decision, event)
        self.spy.follow(command, self.floor)
        self.spy.read(event, f"the event of {command!r}", round_id)
        answer = msgspec.json.decode(msgspec.json.encode(decision.answer))
        self.spy.read(answer, f"the answer to {command!r}", round_id)
        self.spy.read(repr(decision) + repr(decision.context) + repr(self.engine), "a representation", round_id)
        self._read_all()
        return answer

    def _read_all(self) -> None:
        self.spy.read_floor(self.floor)
        self.spy.read_log()
        for id_ in self.floor.tables:
            self.spy.read(
                table_view(self.floor, self.floor.tables[id_]),
                f"what is shown of {id_}",
                self.floor.tables[id_].round or "",
            )
        for round_ in self.floor.rounds.values():
            self.spy.read(round_view(self.floor, round_), f"what is shown of {round_.id}", round_.id)


def open_table(door: Door, game: str) -> None:
    """A property with one table whose cards are known, a progressive on its sensor, and a dealer."""
    jackpot = GAMES[game]["jackpot"]

    def do(actor: str, command: AnyCommand) -> None:
        assert door.send(actor, command) is not None, door.refusal

    do(SYSTEM, CreateProperty("Example Card Room", "commercial", first_people()))
    do(TECHNICIAN, CreateTable("T1", game, cards="known", paytables=GAMES[game]["paytables"]))
    levels = {level: LevelParameters(1_000_000, "1/5") for level in paytable(jackpot).levels}
    do(EXECUTIVE, CreateLink("L1", "progressive", jackpot, levels))
    do(EXECUTIVE, OpenLink("L1", {level: {"seed": 1_000_000} for level in levels}, badge(ACCOUNTING)))
    do(TECHNICIAN, AttachSensor("T1", "1", "L1"))
    for paper in papers_in_order(door.floor, door.floor.tables["T1"], START):
        do(enters(paper), paper)
    do(EXECUTIVE, OpenTable("T1", 1_000_000, badge(SUPERVISOR)))
    do(SUPERVISOR, ChangeDeck("T1", "deck 1", 52 if game == "six-card-poker" else 53))
    do(DEALER, DealerIn("T1", badge(DEALER)))


class Player:
    """Plays rounds at random through a door, and makes mistakes."""

    def __init__(self, door: Door, game: str, seed: int) -> None:
        self.door = door
        self.game = game
        self.random = random.Random(f"{game} {seed}")
        self.done: dict[str, int] = {}

    def send(self, command: AnyCommand, actor: str = DEALER) -> dict[str, Any] | None:
        answer = self.door.send(actor, command)
        if answer is not None:
            kind = str(command.__struct_config__.tag)
            self.done[kind] = self.done.get(kind, 0) + 1
        return answer

    def play(self) -> None:
        """One round, from the wagers to its end, whatever it is."""
        seats = 7 if self.game == "six-card-poker" else 6
        told = self.random.sample(range(1, seats + 1), self.random.randint(1, 4))
        lit = self.random.sample(told, self.random.randint(0, len(told)))
        declared = self.random.sample(range(1, seats + 1), self.random.randint(0, 2))
        for seat in lit:
            self.send(SetSensor("T1", "1", seat, lit=True))
        started = self.send(StartRound("T1", None, {str(seat): WAGERS[self.game] for seat in told}, declared))
        assert started is not None
        round_, occupied = started["round"], sorted({*told, *declared})
        self.send(ShowDealerWay(round_))
        self.send(PressHand(round_, occupied[0], "full-house"))
        self.send(DealRound(round_, self.random.choice([[], ["lucky 7"], ["a", "b"]])))
        self.send(DealRound(round_))
        for _ in range(60):
            if self.door.floor.rounds.get(round_) is None or self.door.floor.rounds[round_].dealer_shown:
                break
            self._step(round_, occupied)
        self._finish(round_)

    def _step(self, round_: str, occupied: list[int]) -> None:
        """Something that may happen while the hands are being set, or is tried too early."""
        seat = self.random.choice([*occupied, 1, 6])
        dice = self.random.random()
        if dice < 0.005:
            self.send(VoidRound(round_, badge(SUPERVISOR), "a badge fell"))
        elif dice < 0.025:
            if self.send(HoldRound(round_, badge(SUPERVISOR), "dispute")) and len(self.door.spy.rounds) == 1:
                self.play()
            decision = self.random.choice(["resume", "void"])
            self.send(DecideRound(round_, badge(OTHER_SUPERVISOR), decision, "seen", "CAM 1"), SUPERVISOR)
        elif dice < 0.15:
            self.send(ShowPlayerWay(round_, seat))
        elif dice < 0.3:
            self.send(ShowDealerWay(round_))
        elif dice < 0.4:
            self.send(self.random.choice([EndRound(round_), PressHand(round_, seat, "flush")]))
        else:
            self.send(self._set(round_, seat))

    def _set(self, round_: str, seat: int) -> SetHand:
        if self.game == "six-card-poker":
            return SetHand(round_, seat, fold=self.random.random() < 0.3)
        if self.random.random() < 0.2:
            return SetHand(round_, seat, house_way=True)
        cards, low = (6, 1) if self.game == "six-card-fortune" else (7, 2)
        return SetHand(round_, seat, self.random.sample(range(cards), low))

    def _finish(self, round_: str) -> None:
        """Press what is proposed, pay it, and end; or leave no round behind at all."""
        open_ = self.door.floor.rounds.get(round_)
        if open_ is None:
            return
        for place, hand in open_.proposed.items():
            self.send(PressHand(round_, int(place.split("/")[1]), hand))
        if open_.proposed:
            answer = self.send(HitJackpot(round_))
            for award in answer["awards"] if answer else ():
                seen = AddReference(round_, award["award"], award["hand"], award["cents"], "CAM 2")
                self.door.send(SURVEILLANCE, seen)
                self.send(PayJackpot(award["award"], badge(EXECUTIVE)))
        if self.send(EndRound(round_)) is None:
            assert self.send(VoidRound(round_, badge(SUPERVISOR), "not to be finished")) is not None


def play_rounds(door: Door, game: str, seed: int, rounds: int) -> Player:
    player = Player(door, game, seed)
    for _ in range(rounds):
        player.play()
    return player


# ---------------------------------------------------------------- live rounds


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_told_before_its_reveal(game: str) -> None:
    with Spy(game) as spy:
        door = EngineDoor(spy)
        open_table(door, game)
        player = play_rounds(door, game, 1, rounds=20)
    assert player.done["round.start"] >= 20
    assert player.done["round.end"] >= 10
    assert player.done.get("round.void", 0) + player.done.get("round.decide", 0) >= 1
    assert player.done.get("display.player", 0) >= (0 if game == "six-card-poker" else 1)
    assert spy.looks > 2_000
    assert len(spy.seeds) == 1, "only the next deal's seed is still a secret"


@pytest.mark.parametrize("seed", range(8))
def test_many_tables_seeds_and_few_rounds(seed: int) -> None:
    game = list(GAMES)[seed % len(GAMES)]
    with Spy(f"{game} {seed}") as spy:
        door = EngineDoor(spy)
        open_table(door, game)
        play_rounds(door, game, seed, rounds=4)


# ---------------------------------------------------------------- through the store and over the wire


class Clock:
    """Time goes on by a second with every look."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        self.now += 1_000_000
        return self.now


class StoreDoor:
    """A manager on an SQLite file: answers, events as subscribers hear them, and every byte of the database."""

    def __init__(self, spy: Spy, folder: Path) -> None:
        self.spy = spy
        self.folder = folder
        self.keys = create_keys(folder / "keys")
        self.count = 0
        self.events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self.manager = open_manager(
            f"sqlite:///{folder / 'journal.db'}", folder / "keys", clock=Clock(), draw=spy.draw, snapshot_every=40
        )
        self.manager.subscribe(lambda events: [self.events.put(event) for event in events])

    @property
    def floor(self) -> Floor:
        return self.manager.view(lambda floor: floor)

    def send(self, actor: str, command: AnyCommand) -> dict[str, Any] | None:
        round_id = getattr(command, "round", None)
        try:
            carried = self.carry_out(actor, command)
        except InputError as error:
            self.spy.read(error.to_json(), f"the refusal of {command!r}", round_id)
            self.refusal: InputError | None = error
            self._read_all()
            return None
        self.spy.follow(command, self.floor)
        self.read_event(carried.seq, command, round_id)
        self.spy.read(carried, f"the answer to {command!r}", round_id)
        self._read_all()
        if isinstance(command, OpenTable | DealRound | ShowDealerWay | VoidRound):
            for file in self.folder.glob("journal.db*"):
                self.spy.read_for_seeds(file.read_bytes(), str(file))
        return carried.answer.to_json()

    def carry_out(self, actor: str, command: AnyCommand) -> CommandResult[Any]:
        """Have a command carried out; tokens become fingerprints on the way."""
        self.count += 1
        do = without_tokens(msgspec.to_builtins(command), self.keys.fingerprint)
        answer = self.manager.call(read_envelope({"key": f"k{self.count}", "actor": actor, "do": do}))
        return command_result(command, answer)

    def read_event(self, seq: int, command: AnyCommand, round_id: str | None) -> None:
        """Read every event up to the command's own."""
        while True:
            event = self.events.get(timeout=10)
            self.spy.read(event, f"the event of {command!r}", round_id)
            if event.seq >= seq:
                return

    def _read_all(self) -> None:
        self.spy.read_floor(self.floor)
        self.spy.read_log()

    def close(self) -> None:
        self.manager.close()


class WireDoor(StoreDoor):
    """The same behind a server: what a service, a controller and a sign are told on their connections."""

    def __init__(self, spy: Spy, folder: Path) -> None:
        super().__init__(spy, folder)
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()
        self.server = Server(self.manager, "test", self.keys.fingerprint)
        self.address = self._run(self.server.start("127.0.0.1", 0))
        self.clients: dict[str, Listener] = {}
        self.told: dict[str, Subscription] = {}

    def _run(self, coroutine: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(30)

    async def _measured(self) -> str:
        return exposition(Metrics(self.server).collect()).decode()

    def connect(self) -> None:
        """Let a service, the table's controller and a sign listen to all that they may hear."""
        for id_, kind, table in (("SVC", "service", None), ("CTL", "controller", "T1"), ("SGN", "display", "T1")):
            # Who registered a service is no second person there.
            second = EXECUTIVE if kind == "service" else ACCOUNTING
            added = AddDevice(id_, kind, f"secret of device {id_}", table, badge(second))  # type: ignore[arg-type]
            assert self.send(TECHNICIAN, added) is not None, self.refusal
            if kind == "controller":
                assert self.send(SUPERVISOR, DealerIn("T1", badge(DEALER))) is not None
            client = Listener.connect(ManagerAccess(*self.address, id_, f"secret of device {id_}"))
            told = client.subscribe("meters", "tables", "awards", *(["events"] if kind == "service" else []))
            self.told[id_] = told
            if kind == "service":
                for person in PEOPLE:
                    client.sign_in(badge(person))
            self.clients[id_] = client

    def carry_out(self, actor: str, command: AnyCommand) -> CommandResult[Any]:
        if not self.clients:
            return super().carry_out(actor, command)
        return self.clients["SVC"].send(command, actor=actor)

    def read_event(self, seq: int, command: AnyCommand, round_id: str | None) -> None:
        super().read_event(seq, command, round_id)
        if not self.clients:
            return
        for change in self.told["SVC"].changes(10):
            if change.topic == "events" and change.seq >= seq:
                break
        self.spy.read(self._run(self._measured()), f"the metrics after {command!r}", round_id)
        for id_, client in self.clients.items():
            client.request({"ask": "table", "table": "T1"})
            client.request({"ask": "tables"})
            client.request({"ask": "meters"})
            if round_id is not None and round_id in self.floor.rounds:
                client.request({"ask": "round", "round": round_id})
            for line in client.taken():
                about = _round_told_of(line) or round_id or self.floor.tables["T1"].round
                self.spy.read(line, f"what {id_} is told after {command!r}", about)

    def close(self) -> None:
        for client in self.clients.values():
            client.close()
        self._run(self.server.close())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()
        super().close()


def _round_told_of(line: dict[str, Any]) -> str | None:
    """The round that a line shows, if it shows one: a state may arrive when the next round has begun."""
    for part in ("event", "answer"):
        told = line.get(part) or {}
        table = told.get("table") or next(iter(told.get("tables") or []), None)
        if isinstance(table, dict) and table.get("in_play"):
            return str(table["in_play"]["id"])
    return None


class Listener(ManagerClient):
    """A client that keeps every line it was sent."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.lines: list[dict[str, Any]] = []
        self.topics: set[str] = set()

    def _receive(self, until: float) -> dict[str, Any]:
        line = super()._receive(until)
        self.lines.append(line)
        self.topics |= {line["event"]["topic"]} if "event" in line else set()
        return line

    def taken(self) -> list[dict[str, Any]]:
        lines, self.lines = self.lines, []
        return lines


@pytest.mark.parametrize("game", GAMES)
def test_the_store_and_its_subscribers_are_told_nothing_either(game: str, tmp_path: Path) -> None:
    with Spy(f"store {game}") as spy, closing(StoreDoor(spy, tmp_path)) as door:
        open_table(door, game)
        player = play_rounds(door, game, 2, rounds=5)
    assert player.done["round.start"] >= 5
    assert len(spy.seeds) == 1


@pytest.mark.parametrize("game", ["fortune", "six-card-poker"])
def test_nobody_on_the_wire_is_told_anything_either(game: str, tmp_path: Path) -> None:
    with Spy(f"wire {game}") as spy, closing(WireDoor(spy, tmp_path)) as door:
        open_table(door, game)
        door.connect()
        player = play_rounds(door, game, 3, rounds=4)
    assert player.done["round.start"] >= 4
    assert door.clients["SVC"].topics >= {"meters", "tables", "events"}
    assert "houseway.access" in spy.logs
    assert door.clients["SGN"].topics >= {"meters", "tables"}


# ---------------------------------------------------------------- planted leaks

Leak = Callable[[Decision, Any], Any]


def _dealt(decision: Decision, command: Any) -> Deal:
    """The cards, for somebody who is about to leak them."""
    seed = decision.secrets.get(command.round) or decision.context.secrets[command.round]
    round_ = decision.rounds.get(command.round)
    late = Decision(decision.floor, decision.envelope, Context(0, decision.context.draw, {command.round: seed}))
    return dealt_again(late, round_)


class _AnswerWithHint(CommandAnswer, frozen=True, kw_only=True):
    """An answer that tells what it should not."""

    told: CommandAnswer
    hint: Any


def _answer(make: Callable[[Deal], Any]) -> Leak:
    return lambda decision, command: make(_dealt(decision, command))


def _state(decision: Decision, command: Any) -> None:
    """A hand put among the shown ones too early."""
    round_ = decision.rounds.get(command.round)
    hand = ShownCards(tuple(card_texts(_dealt(decision, command).players[min(_dealt(decision, command).players)])))
    decision.rounds.put(msgspec.structs.replace(round_, shown={**round_.shown, "1": hand}))


def _record(decision: Decision, command: Any) -> None:
    """The seed in the round's record while it is still played."""
    round_ = decision.rounds.get(command.round)
    seed = (decision.secrets.get(command.round) or b"").hex()
    decision.rounds.put(msgspec.structs.replace(round_, deal=msgspec.structs.replace(round_.deal, seed=seed)))


def _next(decision: Decision, command: Any) -> str:
    """The seed of the next deal beside the commitment."""
    return (decision.secrets[next_secret("T1")] or b"").hex().upper()


def _logged(decision: Decision, command: Any) -> None:
    LOG.debug("dealt %s", " ".join(map(str, _dealt(decision, command).order)))


def _argument(decision: Decision, command: Any) -> None:
    LOG.info("dealt %(number)s cards", {"number": 49, "packet": _dealt(decision, command).dealer[3:]})


def _refusal(decision: Decision, command: Any) -> None:
    raise InputError.of("boom", "round", f"the dealer has the {_dealt(decision, command).dealer[-1]!s}, try again")


LEAKS: dict[str, tuple[type[AnyCommand], Leak]] = {
    "a packet": (DealRound, _answer(lambda dealt: card_texts(dealt.packets[0].cards))),
    "one card": (DealRound, _answer(lambda dealt: CARD_TEXTS[dealt.leftover[0]])),
    "a card in words": (SetHand, _answer(lambda dealt: f"has the {dealt.leftover[-1].words}")),
    "the deck as numbers": (DealRound, _answer(lambda dealt: [int(each) for each in dealt.order])),
    "a sorted packet as numbers": (DealRound, _answer(lambda dealt: sorted(map(int, dealt.packets[-1].cards)))),
    "the deck in one word": (SetHand, _answer(lambda dealt: "".join(map(str, dealt.order)))),
    "an empty seat's hand at the display": (ShowDealerWay, _answer(lambda dealt: card_texts(dealt.leftover))),
    "the seed": (DealRound, _answer(lambda dealt: (dealt.seed or b"").hex())),
    "the seed in base64": (SetHand, _answer(lambda dealt: base64.b64encode(dealt.seed or b"").decode())),
    "the seed as a number": (SetHand, _answer(lambda dealt: str(int.from_bytes(dealt.seed or b"", "big")))),
    "the seed as bytes": (SetHand, _answer(lambda dealt: repr(dealt.seed))),
    "the seed byte by byte": (SetHand, _answer(lambda dealt: list(dealt.seed or b""))),
    "the next seed": (DealRound, _next),
    "a hand in the state": (SetHand, _state),
    "the seed on record": (DealRound, _record),
    "the deck in the log": (DealRound, _logged),
    "cards as an argument of the log": (DealRound, _argument),
    "a card in a refusal": (SetHand, _refusal),
}


@pytest.mark.parametrize("name", LEAKS)
def test_the_spy_notices_a_planted_leak(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    command, leak = LEAKS[name]
    real = HANDLERS[command]

    def leaky(decision: Decision, given: Any) -> CommandAnswer:
        answer = real(decision, given)
        hint = leak(decision, given)
        return answer if hint is None else _AnswerWithHint(told=answer, hint=hint)

    monkeypatch.setitem(HANDLERS, command, leaky)
    with Spy(name) as spy:
        door = EngineDoor(spy)
        open_table(door, "fortune")
        with pytest.raises(LeakError):
            play_rounds(door, "fortune", 1, rounds=4)


def test_the_spy_notices_a_seed_in_a_representation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Decision, "__repr__", lambda self: f"<{self.secrets}>", raising=False)
    with Spy("repr") as spy:
        door = EngineDoor(spy)
        with pytest.raises(LeakError, match="representation"):
            open_table(door, "fortune")


def test_the_spy_notices_a_seed_that_is_stored_in_clear(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Keys, "seal", lambda _self, _name, _number, seed: seed)
    monkeypatch.setattr(Keys, "unseal", lambda _self, _name, _number, _published, sealed: sealed)
    spy = Spy("in clear")
    with closing(StoreDoor(spy, tmp_path)) as door, pytest.raises(LeakError, match=r"journal\.db"):
        open_table(door, "fortune")


def test_the_spy_notices_a_seed_in_a_metric(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with Spy("measured") as spy, closing(WireDoor(spy, tmp_path)) as door:
        open_table(door, "fortune")
        door.connect()
        seed = next(iter(spy.seeds.values()))
        monkeypatch.setattr(door.server.traffic, "refusals", {seed.hex(): 1})
        with pytest.raises(LeakError, match="the metrics after"):
            play_rounds(door, "fortune", 1, rounds=1)


def test_the_spy_notices_a_seed_that_a_sign_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with Spy("told") as spy, closing(WireDoor(spy, tmp_path)) as door:
        open_table(door, "fortune")
        door.connect()
        seed = next(iter(spy.seeds.values()))
        hinting = lambda floor, table: replace(table_view(floor, table), shift=seed.hex())  # noqa: E731
        monkeypatch.setattr(state_messages, "table_view", hinting)
        with pytest.raises(LeakError, match="is told after"):
            play_rounds(door, "fortune", 1, rounds=1)


# ---------------------------------------------------------------- representations and faults of the program


def test_deals_decisions_and_contexts_keep_their_secrets_out_of_their_text() -> None:
    seed = bytes(range(32))
    dealt = deal(SEVEN_CARD_PACKETS, seed, seats=[1, 2])
    context = Context(0, lambda size: bytes(size), {"T1-1": seed})
    decision = Decision(Floor(), Envelope("k", "D1", DealRound("T1-1")), context)
    decision.secrets["T1-1"] = seed
    engine = Engine()
    engine.secrets["T1-1"] = seed
    for shown in (dealt, context, decision, engine):
        for text in (repr(shown), str(shown), f"{shown}"):
            assert not any(form in text for form in forms_of_bytes(seed))
            assert not list(Secrets(dealt).leaks(text.replace(repr(SEVEN_CARD_PACKETS), "")))


def test_a_fault_of_the_program_tells_no_badge(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with Spy("fault") as spy, closing(StoreDoor(spy, tmp_path)) as door:
        open_table(door, "fortune")
        player = Player(door, "fortune", 1)
        started = player.send(StartRound("T1", None, {"1": WAGERS["fortune"]}))
        assert started is not None
        player.send(DealRound(started["round"]))
        player.send(SetHand(started["round"], 1, house_way=True))

        def broken(*_arguments: object) -> None:
            raise RuntimeError("settlement is broken")

        monkeypatch.setattr(settlement, "settled", broken)
        assert player.send(ShowDealerWay(started["round"])) is None
        monkeypatch.undo()
        assert player.send(ShowDealerWay(started["round"])) is not None
