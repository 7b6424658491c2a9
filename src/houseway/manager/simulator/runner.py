"""One seed from the empty journal to the last check: the production writer, a fake clock, bad wires, sudden deaths.

All randomness comes from the seed, so a seed makes the same journal again, hash by hash. The commands go through the very
`Writer` that serves a real room, several of them on one journal as several processes; what the checker finds is
raised with the seed and the step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import msgspec

from houseway.errors import InputError
from houseway.manager.commands import read_envelope
from houseway.manager.core.records import Event
from houseway.manager.handlers.meters import displayed
from houseway.manager.handlers.papers_in_order import papers_in_order
from houseway.manager.simulator.checker import Call, Checker, CheckError, Heard
from houseway.manager.simulator.checker.chain import Entry
from houseway.manager.simulator.lucky import LUCKY
from houseway.manager.simulator.network import SECOND, Message, Wires
from houseway.manager.simulator.office import Office
from houseway.manager.simulator.plan import START, Plan, card, people, plan_of
from houseway.manager.simulator.tables import TableAgent
from houseway.manager.store.errors import StoreUnavailableError
from houseway.manager.store.journal import Journal
from houseway.manager.store.memory import KilledError, MemoryJournal
from houseway.manager.store.writer import Answer, Writer

STEPS: Final = 110
"""Commands that a seed sends once its room is open, unless told otherwise."""
KILL_STEPS: Final = ("begin", "append", "before-commit", "after-commit")


@dataclass
class Outcome:
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
    journal: Any = field(default_factory=MemoryJournal)
    writer_of: Callable[..., Writer] = Writer

    def __post_init__(self) -> None:
        """Make the room; nothing has happened in it yet."""
        self.rng = Random(self.seed)  # noqa: S311 - a simulation must be repeatable
        self.plan: Plan = plan_of(self.rng, self.steps)
        self.checker = Checker()
        self.now = START
        self.skew = 0
        self.step = 0
        self.lucky = {mode: list(seeds) for mode, seeds in LUCKY.items()}
        self.wires = Wires(self.rng, self.plan.weather)
        self.writers: list[Writer] = []
        self.tables = [TableAgent(self.rng, self.plan, each["table"], self) for each in self.plan.tables]
        self.office = Office(self.rng, self.plan, self)
        self.keys = 0

    # What the manager gets from outside

    def clock(self) -> int:
        """The wall clock."""
        return self.now + self.skew

    def draw(self, count: int) -> bytes:
        """Random bytes, which the checker is told of; now and then a seed with uncommon hands."""
        data = self.rng.randbytes(count)
        if count == 32 and self.rng.random() < 0.5:
            seeds = self.lucky[self.rng.choice(sorted(self.lucky))]
            if seeds:
                data = bytes.fromhex(seeds.pop(self.rng.randrange(len(seeds))))
        self.checker.drew(data)
        return data

    def new_writer(self) -> Writer:
        """A process on the journal."""
        return self.writer_of(self.journal, clock=self.clock, draw=self.draw, snapshot_every=self.plan.snapshot_every)

    # The run

    def run(self) -> Outcome:
        """Open the room, let it play, let everything in flight arrive, and check the books."""
        try:
            self._set_up()
            self._play()
            self.checker.finish()
        except CheckError as error:
            error.seed, error.step = self.seed, self.step
            raise
        except Exception as error:
            error.add_note(f"seed {self.seed}, step {self.step}")
            raise
        checker = self.checker
        return Outcome(
            self.seed, checker.chain.head, self.wires.sent, checker.accepted, checker.refused, checker.floor.seen
        )

    def _set_up(self) -> None:
        self.writers = [self.new_writer() for _ in range(self.plan.processes)]
        self._calmly(
            [
                (
                    "system",
                    {
                        "kind": "property.create",
                        "name": "Example Card Room",
                        "licence": "commercial",
                        "people": people(),
                    },
                )
            ]
        )
        for link in self.plan.links:
            opening = {
                "kind": "link.open",
                "link": link["link"],
                "opening": self.plan.openings[link["link"]],
                "card": card("AC1"),
                "note": "from the progressive before",
            }
            self._calmly([("EX1", link), ("EX1", opening)])
        for table in self.plan.tables:
            self._set_up_table(table)

    def _set_up_table(self, table: dict[str, Any]) -> None:
        id_ = table["table"]
        self._calmly([("TE1", table), *(("TE1", _attach(*each)) for each in self.plan.sensors if each[0] == id_)])
        self._calmly(
            [
                (
                    "TE1",
                    {
                        "kind": "device.add",
                        "device": f"C-{id_}",
                        "kind_of": "controller",
                        "secret": f"secret:{id_}",
                        "table": id_,
                    },
                )
            ]
        )
        floor = self.writers[0].engine.floor
        papers = [msgspec.to_builtins(paper) for paper in papers_in_order(floor, floor.table[id_], self.clock())]
        self._calmly([("EX1", paper) for paper in papers])
        counted = 52 if table["game"] == "six-card-poker" else 53
        self._calmly(
            [
                ("SU1", {"kind": "table.open", "table": id_, "float_cents": 1_000_000, "card": card("SU1")}),
                ("SU1", {"kind": "table.deck", "table": id_, "deck": f"deck {id_}", "counted": counted}),
                (f"DE{id_[1:]}", {"kind": "dealer.in", "table": id_, "card": card(f"DE{id_[1:]}")}),
            ]
        )

    def _calmly(self, commands: Iterable[tuple[str, dict[str, Any]]]) -> None:
        """Carry out what must be there before play, without mishaps."""
        messages = [self.message("setup", actor, do) for actor, do in commands]
        self.carry_out(self.writers[0], messages)
        for message in messages:
            if not message.answered:
                raise CheckError(f"the room can be set up: {message.do} was refused", "carried out", message.refused)

    def _play(self) -> None:
        agents = [*self.tables, self.office]
        for step in range(1, self.steps + 1):
            self.step = step
            self._pass_time()
            agent = self.office if self.rng.random() < 0.18 else self.rng.choice(agents)
            agent.act(self.now)
            self._deliver()
        self.skew = 0
        for _ in range(40):
            self._pass_time()
            self.now += 5 * SECOND
            self._deliver()
            if self.wires.next_arrival is None:
                break

    def _pass_time(self) -> None:
        self.now += self.rng.choice((50_000, 400_000, SECOND, 2 * SECOND, 9 * SECOND))
        if self.rng.random() < 0.02:
            self.now += 45 * SECOND
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
        if isinstance(self.journal, MemoryJournal) and self.rng.randrange(1000) < self.plan.kills:
            self._break(number, arrived)
        else:
            self.carry_out(self.writers[number], arrived)
        if self.rng.random() < 0.5:
            self._look_at_signs(self.writers[number])

    def _break(self, number: int, arrived: list[Message]) -> None:
        """Let the process die, or the store fail, at one step of the group."""
        step = self.rng.choice(KILL_STEPS)
        dies = self.rng.random() < 0.6
        (self.journal.kill_at if dies else self.journal.fail_at)(step)
        self.checker.floor.note(f"{'killed' if dies else 'store failed'} at {step}")
        self.carry_out(self.writers[number], arrived)

    def _look_at_signs(self, writer: Writer) -> None:
        floor = writer.engine.floor
        if writer.engine.seq == self.checker.chain.seq:
            self.checker.check_signs(
                {id_: displayed(floor, link) for id_, link in floor.link.items() if link.status != "draft"}
            )

    # Messages

    def message(
        self, sender: str, actor: str, do: dict[str, Any], device: str | None = None, key: str | None = None
    ) -> Message:
        """A new message; its key is made here, once."""
        self.keys += 1
        return Message(key or f"{sender}:{self.keys}", actor, device, do, sender)

    def carry_out(self, writer: Writer, messages: list[Message]) -> None:
        """Let a process carry out a group, tell the checker, and let the answers find their way back."""
        now = self.clock()
        calls = [Call(each.key, each.actor, each.device, each.do, now) for each in messages]
        heard: list[Heard] | None
        try:
            heard = [_heard(result) for result in writer.carry_out([_envelope(each) for each in messages])]
        except StoreUnavailableError:
            heard = None
        except KilledError:
            heard = None
            self.writers[self.writers.index(writer)] = self.new_writer()
        self.checker.group(calls, heard, self._new_entries())
        for message, back in zip(messages, heard or (), strict=False):
            if not self.wires.loses_answer() or message.sender == "setup":
                message.answered = back.answer is not None
                message.refused = back.faults
                message.done = True

    def _new_entries(self) -> list[Entry]:
        return [_entry(event) for event in self.journal.events_after(self.checker.chain.seq)]


def _attach(table: str, sensor: str, link: str) -> dict[str, Any]:
    return {"kind": "table.attach", "table": table, "sensor": sensor, "link": link}


def _envelope(message: Message) -> Any:
    return read_envelope({"key": message.key, "actor": message.actor, "device": message.device, "do": message.do})


def _heard(result: Answer | InputError) -> Heard:
    if isinstance(result, Answer):
        return Heard(msgspec.to_builtins(result))
    return Heard(None, tuple(fault.to_json() for fault in result.faults))


def _entry(event: Event) -> Entry:
    body = msgspec.json.decode(event.body)
    return Entry(
        event.seq, event.at, event.key, event.input_hash, event.actor, event.device, event.kind, event.body, event.hash,
        body,
    )  # fmt: skip


def run_seed(seed: int, steps: int = STEPS, journal: Journal | None = None, **more: Any) -> Outcome:
    """Run one seed; CheckError or the manager's own error names it if anything is wrong."""
    return Simulation(seed, steps, **({} if journal is None else {"journal": journal}), **more).run()
