"""A program that plays the installed High Card on two tables of a Game Manager with a jackpot."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import houseway as hw
from houseway.manager.commands.house_commands import CreateTable
from houseway.manager.commands.link_commands import CreateLink
from houseway.manager.core.link_entities import LevelParameters
from houseway.manager.demo.floorplan import SUPERVISOR, FloorPlan, dealer_of, office, set_up, token
from houseway.manager.interface.opening import begin_on
from houseway.manager.views.floor_questions import HealthQuestion

PLAN = FloorPlan(
    "High Card Room",
    (
        CreateLink(
            "Spade", "progressive", "HC-SPADE",
            {"main": LevelParameters(5000, "1/4", "1/100", executive_from=1_000_000)}, fixed_supervisor_from=5000,
        ),
    ),
    (CreateTable("T1", "high-card"), CreateTable("T2", "high-card", cards="known")),
    {"T1": {"1": "Spade"}, "T2": {"1": "Spade"}},
)  # fmt: skip


def open_floor(folder: Path) -> None:
    """A property with two tables of the game on one link."""
    with begin_on(f"sqlite:///{folder / 'room.db'}", folder / "keys", PLAN.name, "commercial", office()) as manager:
        set_up(PLAN, manager, manager.ask(HealthQuestion()).now)


def pay(room: hw.Room, dealer: str, round_: str) -> list[int]:
    """Hit the jackpot and pay every award; what they were, in cents."""
    awards = room.command("jackpot.hit", actor=dealer, round=round_).answer.awards
    for award in awards:
        if award.status != "paid":
            room.command("jackpot.pay", actor=dealer, award=award.award, badge=token(SUPERVISOR))
    return [award.cents for award in awards]


def main(folder: Path) -> dict[str, Any]:
    """Play, and tell what happened."""
    open_floor(folder)
    with hw.Room.open(folder / "room.db", keys=folder / "keys") as room:
        dealer = dealer_of("T1")
        round_ = room.command("round.start", actor=dealer, table="T1", sensors={"1": [2, 5]}).answer.round
        room.command("hand.press", actor=dealer, round=round_, seat=5, hand="ace-of-spades")
        paid = pay(room, dealer, round_)
        room.command("round.end", actor=dealer, round=round_)
        meter = room.meters()["Spade"]["main"]
        dealer = dealer_of("T2")
        wagers = {"1": {"main": 2500}, "2": {"main": 500, "royals": 500}}
        started = room.command("round.start", actor=dealer, table="T2", sensors={"1": [1, 2]}, wagers=wagers)
        round_ = started.answer.round
        room.command("round.deal", actor=dealer, round=round_)
        for seat in (1, 2):
            # The player has looked at the card; there is nothing to set.
            room.command("hand.set", actor=dealer, round=round_, seat=seat)
        shown = room.command("display.dealer", actor=dealer, round=round_).answer
        for place, hand in shown.proposed.items():
            room.command("hand.press", actor=dealer, round=round_, seat=int(place.split("/")[1]), hand=hand)
        if shown.proposed:
            pay(room, dealer, round_)
        room.command("round.end", actor=dealer, round=round_)
    return {
        "game": hw.games()[-1].id,
        "refused": len(hw.refused_games()),
        "where": hw.game("high-card").sheets,
        "paid": paid,
        "meter": meter,
        "lines": sorted(line.wager for seat in shown.seats or () for line in seat.lines),
    }


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))
