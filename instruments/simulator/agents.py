"""What everybody in the room has in common: a message is asked again until it is answered, now and then given up."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from instruments.simulator.checker.state import Floor
from instruments.simulator.network import Message
from instruments.simulator.plan import DESK, Plan, badge

if TYPE_CHECKING:
    from instruments.simulator.runner import Simulation

Command = tuple[str, dict[str, Any]]
"""Who acts, and what is asked."""


class Agent:
    """Somebody who sends commands over the wires."""

    def __init__(self, rng: Random, plan: Plan, name: str, room: Simulation) -> None:
        """Begin with nothing under way."""
        self.rng = rng
        self.plan = plan
        self.name = name
        self.room = room
        self.waiting: list[Message] = []

    @property
    def floor(self) -> Floor:
        """The floor as everybody in the room can see it."""
        return self.room.checker.floor

    def act(self, now: int) -> None:
        """Ask again what was not answered, or do the next thing."""
        self.waiting = [message for message in self.waiting if not message.done]
        if self.waiting:
            for message in self.waiting:
                if now >= message.timeout_at:
                    self._again(message, now)
            if self.rng.random() < 0.7:
                return
        for command in self.next():
            self.send(command, now)

    def _again(self, message: Message, now: int) -> None:
        if message.attempts >= 3 or self.chance(0.15):
            message.done = True
            self.give_up(message, now)
        else:
            self.room.wires.send(message, now)

    def give_up(self, message: Message, now: int) -> None:
        """A message that is never answered is left alone; it may still arrive."""

    def send(self, command: Command, now: int) -> None:
        """Send a new command; somebody in a hurry sends it again under the same key, or another under a used one."""
        actor, do = command
        device = self.device(actor)
        do, session = self.with_session(do, device), self.session(actor, device)
        message = self.room.message(self.name, actor, do, device, session=session)
        self.waiting.append(message)
        self.room.wires.send(message, now)
        if self.slips(0.15):
            self.room.wires.send(message, now)

    def controller(self, table: str) -> str:
        """The controller that stands at a table, or the first one's id where none does."""
        here = (
            id_
            for id_, device in self.floor.devices.items()
            if device["kind_of"] == "controller" and device["table"] == table and device["active"]
        )
        return next(here, f"C-{table}")

    def device(self, actor: str) -> str | None:
        """Where somebody acts: at the desk if signed in there, or by mistake; else at the machine of the database."""
        if actor == f"device:{DESK}":
            return DESK
        there = actor in self.floor.devices[DESK]["signed_in"]
        return DESK if self.slips() or self.chance(0.8 if there else 0.06) else None

    def with_session(self, do: dict[str, Any], device: str | None) -> dict[str, Any]:
        """A dealer's swipe with what the controller draws for it; now and then it lacks, or the desk gives one."""
        if do["kind"] != "dealer.in" or (device == DESK) == bool(self.room.keys % 23):
            return do
        return {**do, "session": f"session:{self.room.keys}"}

    def session(self, actor: str, device: str | None) -> str | None:
        """The session in which somebody signed in at a device; now and then somebody else sends in that name."""
        table = self.floor.tables.get(self.floor.devices.get(device or "", {}).get("table") or "")
        if table is not None:
            kept = table.session if actor == table.dealer else None
        else:
            _, kept = self.floor.devices[DESK]["signed_in"].get(actor, (0, None))
        # By the count of messages, not by luck: so a room plays on as it would without.
        return kept if self.room.keys % 41 else (None, "session:of nobody")[self.room.keys % 2]

    def next(self) -> list[Command]:
        """The next commands."""
        raise NotImplementedError

    # Luck

    def chance(self, probability: float) -> bool:
        """Whether something happens."""
        return self.rng.random() < probability

    def slips(self, weight: float = 1.0) -> bool:
        """Whether somebody makes a mistake now."""
        return self.rng.randrange(1000) < self.plan.slips * weight

    def badge_of(self, *people: str) -> str:
        """One of these people's badges, or by mistake another one."""
        if self.slips():
            return self.rng.choice((badge("DE1"), badge("SU1"), badge("EX1"), badge("SV1"), "badge:nobody"))
        return badge(self.rng.choice(people))
