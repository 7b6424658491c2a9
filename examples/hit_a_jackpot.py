"""Run a Game Manager in memory: a table on a progressive link, a jackpot that is hit, verified and paid."""

import time
from typing import Any

from houseway.manager.commands import Command, Envelope
from houseway.manager.commands.house import CreateTable
from houseway.manager.commands.links import CreateLink
from houseway.manager.commands.rounds import AddReference, EndRound, HitJackpot, PayJackpot, PressHand, StartRound
from houseway.manager.core.entities import LevelParameters
from houseway.manager.core.money import dollars, micros
from houseway.manager.demo.floorplan import EXECUTIVE, SURVEILLANCE, FloorPlan, dealer_of, set_up, token
from houseway.manager.handlers.meters import displayed
from houseway.manager.store.manager import Manager
from houseway.manager.store.memory import MemoryJournal

LEVEL = LevelParameters(seed=1_000_000, contribution="1/4", reserve="1/100", executive_from=1_000_000)
PLAN = FloorPlan(
    "Example Card Room",
    links=(CreateLink("Fortune", "progressive", "FPGPP-WA01", {"main": LEVEL}),),
    tables=(CreateTable("T1", "fortune"),),
    sensors={"T1": {"1": "Fortune"}},
)
DEALER = dealer_of("T1")


class Room:
    """The manager, and how this program talks to it."""

    def __init__(self) -> None:
        """Open the room: people, link, table and papers, by the commands that a property gives."""
        self.manager = Manager(MemoryJournal(), None)
        self.sent = 0
        set_up(PLAN, self.send, lambda: self.manager.view(lambda floor: floor), time.time_ns() // 1_000, str)

    def send(self, actor: str, command: Command) -> dict[str, Any]:
        """Carry a command out; its key makes sure that sending it twice changes nothing."""
        self.sent += 1
        return self.manager.call(Envelope(f"example:{self.sent}", actor, command)).answer

    def tell(self, what: str) -> None:
        """Print what happened, and what the sign above the table shows."""
        sign = self.manager.view(lambda floor: displayed(floor, floor.link["Fortune"])["main"])
        print(f"{what:<60} sign {dollars(sign)}")


def main() -> None:
    """Play three rounds; in the third a player holds the best hand of the pay table."""
    room = Room()
    room.tell("The room is open")
    for seats in ([1, 2, 3, 4], [2, 3, 4]):
        round_ = room.send(DEALER, StartRound("T1", sensors={"1": seats}))["round"]
        room.send(DEALER, EndRound(round_))
        room.tell(f"Round {round_}: {len(seats)} jackpot wagers of $1")
    round_ = room.send(DEALER, StartRound("T1", sensors={"1": [2, 5]}))["round"]
    room.send(DEALER, PressHand(round_, 5, "seven-card-straight-flush"))
    (award,) = room.send(DEALER, HitJackpot(round_))["awards"]
    room.tell(f"Seat 5 wins {dollars(micros(award['cents']))}, needs the {award['card']}'s card")
    seen = AddReference(round_, award["award"], award["hand"], award["cents"], "camera 4")
    room.send(SURVEILLANCE, seen)
    room.send(DEALER, PayJackpot(award["award"], token(EXECUTIVE)))
    room.tell("Surveillance confirms, the executive's card pays")
    room.send(DEALER, EndRound(round_))
    room.tell(f"Round {round_} ends")
    room.manager.close()


if __name__ == "__main__":
    main()
