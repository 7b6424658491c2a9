"""One seed from the empty journal to the last check: the production writer, a fake clock, bad wires, sudden deaths.

All randomness comes from the seed, so a seed makes the same journal again, hash by hash. The commands go through the
very `Writer` that serves a real room, several of them on one journal as several processes; what the checker finds is
raised with the seed and the step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, Final, cast

import msgspec

from houseway.errors import InputError
from houseway.manager.commands import Envelope, read_envelope
from houseway.manager.core.records import Event, digest
from houseway.manager.core.signs import displayed
from houseway.manager.handlers.papers_in_order import papers_in_order
from houseway.manager.handlers.register_list import COVERAGE
from houseway.manager.store.memory_journal import KilledError
from houseway.manager.store.store_errors import StoreUnavailableError
from houseway.manager.store.writer import Answer, Writer
from instruments.simulator.agents import Agent
from instruments.simulator.checker import Call, Checker, CheckError, Reply
from instruments.simulator.checker.chain import ChainEntry
from instruments.simulator.checker.errors import same
from instruments.simulator.lucky import LUCKY
from instruments.simulator.mishaps import STEPS as KILL_STEPS
from instruments.simulator.mishaps import MemoryStore, MortalJournal, Store
from instruments.simulator.network import SECOND, Message, Wires
from instruments.simulator.office import Office
from instruments.simulator.plan import DESK, PEOPLE, START, Plan, badge, people, plan_of
from instruments.simulator.tables import TableAgent

if TYPE_CHECKING:
    from houseway.manager.store.journal import Journal

STEPS: Final = 135
"""Turns in which somebody does something, once the room is open."""
SEED_BYTES: Final = 32


@dataclass
class RunOutcome:
    """What became of a seed."""

    seed: int
    head: str
    """The hash of the last entry: the same seed always comes to the same."""
    commands: int
    accepted: Counter[str]
    refused: Counter[str]
    seen: Counter[str]


@dataclass
class Simulation:
    """A room under way."""

    seed: int
    steps: int = STEPS
    store: Store = field(default_factory=MemoryStore)
    start: int = START
    """When it begins, in microseconds."""

    def __post_init__(self) -> None:
        """Make the room; nothing has happened in it yet."""
        self.rng = Random(self.seed)  # noqa: S311 - a simulation must be repeatable
        self.plan: Plan = self.planned()
        self.checker = Checker()
        self.now = self.start
        self.skew = 0
        """How far the wall clock is off; below zero it went back."""
        self.step = 0
        self.keys = 0
        self.lucky = {mode: list(seeds) for mode, seeds in LUCKY.items()}
        self.wires = Wires(self.rng, self.plan.weather)
        self.journals: list[MortalJournal] = []
        self.writers: list[Writer] = []
        self.tables = [TableAgent(self.rng, self.plan, each["table"], self) for each in self.plan.tables]
        self.office = Office(self.rng, self.plan, self)

    def planned(self) -> Plan:
        """The room."""
        return plan_of(self.rng)

    # What the manager gets from outside

    def clock(self) -> int:
        """The wall clock."""
        return self.now + self.skew

    def draw(self, count: int) -> bytes:
        """Random bytes, which the checker is told of; now and then a seed with uncommon hands."""
        data = self.rng.randbytes(count)
        if count == SEED_BYTES and self.rng.random() < 0.5:
            seeds = self.lucky[self.rng.choice(sorted(self.lucky))]
            if seeds:
                data = bytes.fromhex(seeds.pop(self.rng.randrange(len(seeds))))
        self.checker.drew(data)
        return data

    def _start_process(self, number: int) -> None:
        """Start a process, or start it again: it reads the journal again."""
        journal = MortalJournal(self.store.journal())
        writer = Writer(
            cast("Journal", journal),
            clock=self.clock,
            draw=self.draw,
            keys=self.store.keys,
            snapshot_every=self.plan.snapshot_every,
        )
        if number < len(self.writers):
            self.journals[number], self.writers[number] = journal, writer
            self.checker.floor.note("a process started again")
            if journal.latest_snapshot() is not None:
                self.checker.floor.note("a process started again from a snapshot")
        else:
            self.journals.append(journal)
            self.writers.append(writer)

    # The run

    def run(self) -> RunOutcome:
        """Open the room, let it play, let everything in flight arrive, and check the books."""
        try:
            self._set_up()
            self.play()
            self._compare_processes()
            self.checker.finish()
        except CheckError as error:
            error.seed, error.step = self.seed, self.step
            raise
        except Exception as error:
            error.add_note(f"seed {self.seed}, step {self.step}")
            raise
        finally:
            self.store.close()
        checker = self.checker
        return RunOutcome(
            self.seed, checker.chain.head, self.wires.sent, checker.accepted, checker.refused, checker.floor.seen
        )

    def _set_up(self) -> None:
        for number in range(self.plan.processes):
            self._start_process(number)
        room = {"name": "Example Card Room", "licence": "commercial", "people": people()}
        self._calmly([("system", {"kind": "property.create", **room})])
        for link in self.plan.links:
            opening = self.plan.openings[link["link"]]
            opened = {"link": link["link"], "opening": opening, "badge": badge("AC1"), "note": "from the one before"}
            self._calmly([("EX1", link), ("EX1", {"kind": "link.open", **opened})])
        for table in self.plan.tables:
            self._set_up_table(table)
        desk = {
            "kind": "device.add",
            "device": DESK,
            "kind_of": "service",
            "secret": "secret:desk",
            "badge": badge("CA1"),
        }
        shown = [
            (f"device:{DESK}", {"kind": "person.sign-in", "badge": badge(who), "session": f"session:{who}"})
            for who in ("EX1", "AC1", "SU2", "DE3", "DE5")
        ]
        self._calmly([("TE1", desk), *shown])
        if self.plan.verified_from is not None:
            self._set_up_threshold(self.plan.verified_from)

    def _set_up_threshold(self, cents: int) -> None:
        """Two people let surveillance verify smaller payouts too."""
        what = {"change": "setting", "name": "surveillance_threshold", "value": cents}
        self._calmly([("AC1", {"kind": "change.propose", "what": what, "reason": "as agreed"})])
        ((id_, proposal),) = self.checker.floor.proposals.items()
        approval = {"proposal": id_, "content_hash": proposal["hash"], "badge": badge("EX1")}
        self._calmly([("EX1", {"kind": "change.approve", **approval})])

    @property
    def has_accidents(self) -> bool:
        """Whether misdeals, rounds on paper and bankers are met here: one room in five, so that the others play as they
        would without.
        """
        return self.seed % 5 == 4

    def _set_up_table(self, table: dict[str, Any]) -> None:
        id_ = table["table"]
        controller = {"device": f"C-{id_}", "kind_of": "controller", "secret": f"secret:{id_}", "table": id_}
        second = self.rng.choice(("AC1", "SU1", "EX1"))
        self._calmly(
            [
                ("TE1", table),
                *(("TE1", _attach(*each)) for each in self.plan.sensors if each[0] == id_),
                ("TE1", {"kind": "device.add", **controller, "badge": badge(second)}),
            ]
        )
        floor = self.writers[0].engine.floor
        papers = [msgspec.to_builtins(paper) for paper in papers_in_order(floor, floor.tables[id_], self.clock())]
        for paper in papers:
            if paper["register"] == "internal-controls" and self.has_accidents:
                paper["fields"]["player_banking"] = True
        self._calmly([("SV1" if paper["register"] == COVERAGE else "EX1", paper) for paper in papers])
        counted, dealer = (52 if table["game"] == "six-card-poker" else 53), f"DE{id_[1:]}"
        if dealer not in PEOPLE:
            hired = {"person": dealer, "name": f"Person {dealer}", "department": "pit", "roles": ["dealer"]}
            badges = {"badge": badge(dealer), "second_badge": badge("SV1")}
            confirmed = {"kind": "person.confirm", "person": hired["person"], "badge": badges["badge"]}
            self._calmly([("EX1", {"kind": "person.add", **hired, **badges}), ("SU1", confirmed)])
        self._calmly(
            [
                ("SU2", {"kind": "table.open", "table": id_, "float_cents": 1_000_000, "badge": badge("SU1")}),
                ("SU1", {"kind": "table.deck", "table": id_, "deck": f"deck {id_}", "counted": counted}),
                (dealer, {"kind": "dealer.in", "table": id_, "badge": badge(dealer), "session": f"session:{id_}"}),
            ]
        )

    def _calmly(self, commands: Iterable[tuple[str, dict[str, Any]]]) -> None:
        """Carry out what must be there before play, without mishaps."""
        messages = [self.message("setup", actor, do) for actor, do in commands]
        self.carry_out(0, messages)
        for message in messages:
            if not message.answered:
                raise CheckError(f"the room can be set up: {message.do} was refused", "carried out", message.refused)

    def play(self) -> None:
        """Let people act, and let everything in flight arrive."""
        for step in range(1, self.steps + 1):
            self.step = step
            self.pass_time()
            agent: Agent = self.office if self.rng.random() < 0.2 else self.rng.choice(self.tables)
            agent.act(self.now)
            self._deliver()
        self.skew = 0
        for _ in range(40):
            self.now += 5 * SECOND
            self._deliver()
            if self.wires.next_arrival is None:
                break

    def pass_time(self) -> None:
        """Let time pass until somebody acts."""
        self.now += self.rng.choice((50_000, 400_000, SECOND, 2 * SECOND, 9 * SECOND))
        if self.rng.random() < 0.02:
            self.now += 45 * SECOND
        if self.rng.random() < 0.002:
            self.now += 13 * 3_600 * SECOND
            self.checker.floor.note("a night passed")
        if self.skew and self.rng.random() < 0.2:
            self.skew = 0
        elif self.plan.clock_jumps and not self.skew and self.rng.random() < 0.03:
            self.skew = -self.rng.choice((1, 1, 90)) * SECOND

    def _deliver(self) -> None:
        """Hand what has arrived to one of the processes, as one group."""
        arrived = self.wires.arrived(self.now, self.rng.choice((1, 2, 3, 6)))
        if not arrived:
            return
        number = self.rng.randrange(len(self.writers))
        if self.writers[number].engine.seq < self.checker.chain.seq:
            self.checker.floor.note("a process followed another one")
        if self.rng.randrange(1000) < self.plan.kills:
            step, dies = self.rng.choice(KILL_STEPS), self.rng.random() < 0.6
            self.journals[number].meet(step, dies=dies)
        self.carry_out(number, arrived)
        if self.rng.random() < 0.5:
            self._look_at_signs(self.writers[number])

    def _look_at_signs(self, writer: Writer) -> None:
        floor = writer.engine.floor
        if writer.engine.seq == self.checker.chain.seq:
            links = {id_: link for id_, link in floor.links.items() if link.status != "draft"}
            self.checker.check_signs({id_: displayed(floor, link) for id_, link in links.items()})

    def _compare_processes(self) -> None:
        """Every process comes to the same state, and so does one that only reads the journal."""
        self._start_process(len(self.writers))
        states = []
        for writer in self.writers:
            writer.catch_up()
            states.append((writer.engine.head, digest(writer.engine.floor.text())))
        for state in states:
            same(states[-1], state, "state of a process, against one that has just read the journal")

    # Messages

    def message(
        self, sender: str, actor: str, do: dict[str, Any], device: str | None = None, key: str | None = None,
        session: str | None = None,
    ) -> Message:  # fmt: skip
        """A new message; its key is made here, once."""
        self.keys += 1
        return Message(key or f"{sender}:{self.keys}", actor, device, do, sender, session)

    def carry_out(self, number: int, messages: list[Message]) -> None:
        """Let a process carry out a group, tell the checker, and let the answers find their way back."""
        writer, now = self.writers[number], self.clock()
        calls = [Call(each.key, each.actor, each.device, each.do, now, each.session) for each in messages]
        heard: list[Reply] | None = None
        try:
            heard = [_heard(result) for result in writer.carry_out([_envelope(each) for each in messages])]
        except StoreUnavailableError as error:
            self.checker.floor.note(f"store failed: {_where(error)}")
        except KilledError as error:
            self.checker.floor.note(f"killed: {error}")
            self._start_process(number)
        events = self.journals[number].events_after(self.checker.chain.seq)
        self.checker.group(calls, heard, [_entry(event) for event in events])
        for message, back in zip(messages, heard or (), strict=False):
            if message.sender == "setup" or not self.wires.loses_answer():
                message.done, message.answered, message.refused = True, back.answer is not None, back.faults


def _where(error: StoreUnavailableError) -> str:
    text = str(error)
    return text[text.index("(") + 1 : text.index(")")]


def _attach(table: str, sensor: str, link: str) -> dict[str, Any]:
    return {"kind": "table.attach", "table": table, "sensor": sensor, "link": link}


def _envelope(message: Message) -> Envelope:
    names = ("key", "actor", "device", "do", "session")
    return read_envelope({name: getattr(message, name) for name in names})


def _heard(result: Answer | InputError) -> Reply:
    if isinstance(result, Answer):
        return Reply(msgspec.to_builtins(result))
    return Reply(None, tuple(fault.to_json() for fault in result.faults))


def _entry(event: Event) -> ChainEntry:
    columns = (event.seq, event.at, event.key, event.input_hash, event.actor, event.device, event.kind)
    return ChainEntry(*columns, event.body, event.salt, event.leaf, event.hash, msgspec.json.decode(event.body))


def run_seed(seed: int, steps: int = STEPS, store: Store | None = None) -> RunOutcome:
    """Run one seed; CheckError or the manager's own error names it if anything is wrong."""
    return Simulation(seed, steps, store or MemoryStore()).run()
