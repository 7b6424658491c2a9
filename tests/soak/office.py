"""What the office does while the floor plays: fills, deposits, incidents; each repeated until it is answered."""

from __future__ import annotations

import asyncio
import random
from typing import Any

from houseway.manager.demo.floorplan import ACCOUNTING, EXECUTIVE, SUPERVISOR, token
from tests.soak.claims import Failure
from tests.soak.connection import Voice
from tests.soak.floor import AT_THE_SERVICE, session_of

MOST_INCIDENTS = 150
"""Nobody keeps more than 200 open."""


class Office:
    """A service that commands for the whole floor."""

    def __init__(self, voice: Voice, tables: list[str], luck: random.Random, pace: float) -> None:
        self.voice = voice
        self._tables = tables
        self._luck = luck
        self._pace = pace
        self._slips = 0
        self._incidents = 0
        self.stopping = False

    async def work(self) -> None:
        """Work until it is told to stop."""
        while not self.stopping:
            await asyncio.sleep(self._luck.expovariate(1 / self._pace))
            actor, do = self._next()
            if await self.voice.send(actor, do) is None:
                raise Failure(f"the office was refused: {do}")
        await self.voice.close()

    def _next(self) -> tuple[str, dict[str, Any]]:
        self._slips += 1
        chance = self._luck.random()
        if chance < 0.4:
            direction = "fill" if self._luck.random() < 0.7 else "credit"
            do = {"kind": "tray.fill", "table": self._luck.choice(self._tables), "direction": direction, "cents": 5_000}
            return SUPERVISOR, {**do, "slip": f"slip-{self._slips}", "badge": token(EXECUTIVE)}
        if chance < 0.8 or (chance >= 0.85 and self._incidents >= MOST_INCIDENTS):
            link = self._luck.choice(("L1", "L2", "L3"))
            do = {"kind": "link.deposit", "link": link, "cents": 12_345, "paper": f"slip {self._slips}"}
            return ACCOUNTING, {**do, "badge": token(EXECUTIVE)}
        if chance < 0.85:
            # Long before the hours are over that a badge counts.
            who = self._luck.choice(AT_THE_SERVICE)
            return f"device:{self.voice.device}", {
                "kind": "person.sign-in",
                "badge": token(who),
                "session": session_of(who),
            }
        self._incidents += 1
        do = {"kind": "incident.record", "code": "malfunction", "device": self._luck.choice(self._tables)}
        return SUPERVISOR, {**do, "text": "the sign flickered", "known_at": 0}
