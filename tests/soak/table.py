"""A table of the endurance run: its dealer plays rounds, and knows from the answers alone how the table must stand."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

from houseway.manager.demo.floorplan import EXECUTIVE, SUPERVISOR, SURVEILLANCE, dealer_of, token
from houseway.paytables import paytable
from tests.soak.claims import Failure
from tests.soak.connection import STUCK_SECONDS, Voice
from tests.soak.floor import AT_THE_SERVICE, LINKS, TablePlan

Answer = dict[str, Any]
PAYTABLES: Final = {link.link: link.paytable for link in LINKS}
MOST_WRONG_BADGES: Final = 4
"""Wrong badges at one table, within the time in which one more would close its reader or not."""
SEATS: Final = {"six-card-fortune": 6, "fortune": 6}


@dataclass
class Round:
    """A round as its answers tell it."""

    id: str
    taken: dict[str, list[int]]
    awards: dict[str, dict[str, Any]] = field(default_factory=dict)
    commitment: str | None = None
    sets: set[int] = field(default_factory=set)
    is_shown: bool = False
    proposed: dict[str, str] = field(default_factory=dict)
    presses: int = 0

    def with_status(self, *status: str) -> list[dict[str, Any]]:
        """Its awards in one of these states, from the far right."""
        found = [award for award in self.awards.values() if award["status"] in status]
        return sorted(found, key=lambda award: (-award["seat"], award["sensor"]))


class Table:
    """The table as it must be, and the dealer who plays on."""

    def __init__(self, plan: TablePlan, voice: Voice, desk: Voice, luck: random.Random, pace: float) -> None:
        self.plan = plan
        self.voice = voice
        self.desk = desk
        """The service from which people act who do not deal here."""
        self.luck = luck
        self._pace = pace
        self.id = plan.id
        self.dealer = dealer_of(plan.id)
        self.round: Round | None = None
        self.held: dict[str, Round] = {}
        self.last: Round | None = None
        """The ended round that can still be opened again."""
        self.lit: dict[str, list[int]] = {}
        self.rounds = 0
        self.wrong_badges = 0
        self.looked = 0
        """How often a table was found as it was, on a new connection."""
        self.stopping = False

    # ------------------------------------------------------------ playing

    async def play(self) -> None:
        """Play until it is told to stop, and then to the end of what was begun."""
        while not (self.stopping and self.round is None and not self.held and not any(self.lit.values())):
            await asyncio.sleep(0 if self.stopping else self.luck.expovariate(1 / self._pace))
            await self.step()
            if self.voice.is_new:
                await self.look()
        await self.desk.close()
        await self.voice.close()

    async def step(self) -> None:
        """One press."""
        if not self.stopping and self.luck.random() < 0.03:
            await self.blunder()
        elif self.round is None:
            await self.between()
        elif self.plan.cards == "known" and not self.round.is_shown:
            await self.deal(self.round)
        else:
            await self.finish(self.round)

    async def press(self, do: Answer, actor: str | None = None, *, only_fresh: bool = False) -> Answer | None:
        """Send a command; its answer, or None if it was not carried out."""
        voice = self.desk if actor in AT_THE_SERVICE else self.voice
        carried = await voice.send(actor or self.dealer, do, only_fresh=only_fresh)
        # What was said at the desk has happened at the table too.
        self.voice.last_seq = max(self.voice.last_seq, voice.last_seq)
        return None if carried is None else carried.answer.to_json()

    async def must(self, do: Answer, actor: str | None = None) -> Answer:
        """Send a command that is right: it is never refused."""
        answer = await self.press(do, actor)
        if answer is None:
            raise Failure(f"{self.id}: {do} was refused in the state {self.expected()}")
        return answer

    async def between(self) -> None:
        """No round is in play."""
        chance = self.luck.random()
        if self.held and (self.stopping or chance < 0.3):
            await self.decide(*next(iter(self.held.items())))
        elif self.stopping:
            sensor, seats = next((each for each in self.lit.items() if each[1]), ("", []))
            if seats:
                await self.chip(sensor, seats[0], lit=False)
        elif self.last is not None and self.plan.cards == "felt" and chance < 0.05:
            await self.reopen(self.last)
        elif any(self.lit.values()):
            await (self.start(None) if chance < 0.8 else self.chip(*self.any_chip()))
        elif chance < 0.5:
            await self.chip(*self.any_chip())
        else:
            await self.start({sensor: self.some_seats() for sensor in self.plan.sensors})

    def some_seats(self) -> list[int]:
        """Seats with a wager."""
        seats = SEATS[self.plan.game]
        return sorted(self.luck.sample(range(1, seats + 1), self.luck.randint(1, seats)))

    def any_chip(self) -> tuple[str, int]:
        """A sensor and a seat."""
        return self.luck.choice(sorted(self.plan.sensors)), self.luck.randint(1, SEATS[self.plan.game])

    async def chip(self, sensor: str, seat: int, *, lit: bool = True) -> None:
        """A wager is laid on a sensor, or taken off."""
        do = {"kind": "sensor.set", "table": self.id, "sensor": sensor, "seat": seat, "lit": lit}
        self.lit = (await self.must(do, f"device:{self.voice.device}"))["lit"]

    async def start(self, sensors: dict[str, list[int]] | None) -> None:
        """START GAME, with the wagers that are lit or these."""
        do: Answer = {"kind": "round.start", "table": self.id}
        if sensors is not None:
            do["sensors"] = sensors
        if self.plan.cards == "known":
            seats = {seat for seats in (sensors or self.lit).values() for seat in seats}
            do["wagers"] = {str(seat): {"main": 2_500} for seat in sorted(seats)}
        answer = await self.press(do, only_fresh=True)
        if answer is not None:
            self.rounds += 1
            if answer["round"] != f"{self.id}-{self.rounds}":
                raise Failure(f"{self.id}: round {self.rounds} is {answer['round']}")
            self.round, self.last, self.lit = Round(answer["round"], _seats(answer["taken"])), None, {}

    async def deal(self, round_: Round) -> None:
        """Cards that the system knows: dealt, set, shown; or the round is voided or held on the way."""
        if self.luck.random() < 0.02:
            await self.trouble(round_)
        elif round_.commitment is None:
            round_.commitment = (await self.must({"kind": "round.deal", "round": round_.id}))["commitment"]
        elif unset := sorted({seat for seats in round_.taken.values() for seat in seats} - round_.sets):
            await self.must({"kind": "hand.set", "round": round_.id, "seat": unset[0], "house_way": True})
            round_.sets.add(unset[0])
        else:
            answer = await self.must({"kind": "display.dealer", "round": round_.id})
            round_.is_shown, round_.proposed = True, dict(answer["proposed"])

    async def finish(self, round_: Round) -> None:
        """The cards lie open: winners, slips, and the end."""
        chance = self.luck.random()
        if round_.with_status("hit"):
            await self.verify(round_)
        elif round_.with_status("pressed"):
            await self.after_press(round_, chance)
        elif self.plan.cards == "known" and any(self.unpressed(round_)):
            await self.winner(round_, *self.unpressed(round_)[0])
        elif chance < 0.05 and not self.stopping:
            await self.trouble(round_)
        elif chance < 0.12 and self.plan.cards == "felt" and not round_.awards and not self.stopping:
            await self.correct(round_)
        elif chance < 0.5 and self.plan.cards == "felt" and round_.presses < 4 and not self.stopping:
            await self.lucky(round_)
        else:
            await self.end(round_)

    def unpressed(self, round_: Round) -> list[tuple[str, int, str]]:
        """Buttons that the system proposes and nobody has pressed."""
        pressed = {f"{award['sensor']}/{award['seat']}" for award in round_.awards.values()}
        places = [(place, hand) for place, hand in sorted(round_.proposed.items()) if place not in pressed]
        return [(place.split("/")[0], int(place.split("/")[1]), hand) for place, hand in places]

    async def lucky(self, round_: Round) -> None:
        """A player finds a hand of the pay table, more often than luck would have it."""
        places = [(sensor, seat) for sensor, seats in round_.taken.items() for seat in seats]
        done = {(award["sensor"], award["seat"]) for award in round_.awards.values()}
        places = [place for place in places if place not in done]
        if places:
            sensor, seat = self.luck.choice(places)
            hands = [line.hand for line in paytable(PAYTABLES[self.plan.sensors[sensor]]).lines]
            await self.winner(round_, sensor, seat, self.luck.choice(hands))
        round_.presses += 1

    async def winner(self, round_: Round, sensor: str, seat: int, hand: str) -> None:
        """A hand button."""
        do = {"kind": "hand.press", "round": round_.id, "seat": seat, "hand": hand, "sensor": sensor}
        answer = await self.must(do)
        if answer["on"]:
            told = {"award": answer["award"], "seat": seat, "sensor": sensor, "hand": hand, "status": "pressed"}
            round_.awards[answer["award"]] = told
        else:
            del round_.awards[answer["award"]]

    async def after_press(self, round_: Round, chance: float) -> None:
        """Pressed again, or HIT JACKPOT."""
        if chance < 0.15 and self.plan.cards == "felt":
            award = round_.with_status("pressed")[0]
            await self.winner(round_, award["sensor"], award["seat"], award["hand"])
            return
        answer = await self.must({"kind": "jackpot.hit", "round": round_.id})
        self.take_awards(round_, answer["awards"])

    def take_awards(self, round_: Round, awards: list[Answer]) -> None:
        """The awards of a round as an answer tells them."""
        round_.awards = {award["award"]: award for award in awards}

    async def verify(self, round_: Round) -> None:
        """An award is verified: paid with the right badge, or rejected."""
        award = round_.with_status("hit")[0]
        if self.plan.cards == "felt" and self.luck.random() < 0.2:
            do = {"kind": "jackpot.reject", "award": award["award"], "badge": token(SUPERVISOR), "reason": "misread"}
            self.take_awards(round_, (await self.must(do))["awards"])
            return
        do = {"kind": "jackpot.pay", "award": award["award"]}
        if award["badge_role"] != "none":
            do["badge"] = token(EXECUTIVE if award["badge_role"] == "executive" else SUPERVISOR)
        if award["reference_needed"]:
            told = {"kind": "surveillance.reference", "round": round_.id, "payout": award["award"]}
            told |= {"hand": award["hand"], "cents": award["cents"]}
            await self.must({**told, "reference": "camera 7"}, SURVEILLANCE)
            if self.luck.random() < 0.5:
                do["reference"] = "camera 7"
        paid = await self.must(do)
        if paid["cents"] != award["cents"]:
            raise Failure(f"{award['award']} was locked at {award['cents']} cents and paid at {paid['cents']}")
        round_.awards[award["award"]] = {**award, "status": "paid"}

    async def correct(self, round_: Round) -> None:
        """A wager was missed, or counted where there was none."""
        sensor, seat = self.any_chip()
        made = seat not in round_.taken.get(sensor, [])
        do = {
            "kind": "round.correct", "round": round_.id, "sensor": sensor, "seat": seat, "made": made,
            "reason": "the chip lay beside the sensor", "badge": token(SUPERVISOR),
        }  # fmt: skip
        round_.taken = _seats((await self.must(do))["taken"])

    async def trouble(self, round_: Round) -> None:
        """The round is voided, or put on hold."""
        paid = any(award["status"] == "paid" for award in round_.awards.values())
        do = {"round": round_.id, "badge": token(SUPERVISOR), "reason": "a badge was exposed"}
        if not paid and self.luck.random() < 0.5:
            self.check_reveal(round_, await self.must({"kind": "round.void", **do}))
        else:
            await self.must({"kind": "round.hold", **do, "evidence": {"camera": "12"}})
            self.held[round_.id] = round_
        self.round = self.last = None

    async def decide(self, id_: str, round_: Round) -> None:
        """The decision on a held round."""
        paid = any(award["status"] == "paid" for award in round_.awards.values())
        resume = paid or (not self.stopping and self.luck.random() < 0.5)
        do = {
            "kind": "round.decide", "round": id_, "badge": token(EXECUTIVE), "decision": "resume" if resume else "void",
            "reason": "the recording shows it", "reference": "report 4",
        }  # fmt: skip
        answer = await self.must(do, SUPERVISOR)
        del self.held[id_]
        if resume:
            self.round = round_
        else:
            self.check_reveal(round_, answer)

    async def reopen(self, last: Round) -> None:
        """END GAME was too early."""
        do = {"kind": "round.reopen", "table": self.id, "badge": token(SUPERVISOR), "reason": "a winner was missed"}
        await self.must(do)
        self.round, self.last = last, None

    async def end(self, round_: Round) -> None:
        """END GAME."""
        answer = await self.must({"kind": "round.end", "round": round_.id})
        self.check_reveal(round_, answer)
        self.round, self.last = None, round_

    def check_reveal(self, round_: Round, answer: Answer) -> None:
        """The seed that comes out is the one whose commitment was told, whatever was killed in between."""
        if round_.commitment is not None:
            found = sha256(bytes.fromhex(answer["reveal"]["seed"])).hexdigest()
            if found != round_.commitment:
                raise Failure(f"{round_.id} was dealt from another seed than was committed to")

    async def blunder(self) -> None:
        """Something that must be refused, and changes nothing."""
        dos: list[Answer] = [
            {"kind": "sensor.set", "table": self.id, "sensor": "1", "seat": 9, "lit": True},
            {"kind": "jackpot.pay", "award": f"{self.id}-999999/1", "badge": token(SUPERVISOR)},
        ]
        wrong = [{"kind": "round.reopen", "table": self.id, "badge": "nobody's badge", "reason": "a winner was missed"}]
        if self.luck.random() < 0.2:
            # Somebody else's name, at the controls of a table where that person has shown no badge.
            if await self.voice.send(SUPERVISOR, {"kind": "table.shift", "table": self.id, "shift": "x"}) is not None:
                raise Failure(f"{self.id}: the controller acted for somebody who is not there")
            return
        if self.round is None:
            dos.append({"kind": "round.end", "round": f"{self.id}-{self.rounds}"})
        else:
            dos.append({"kind": "round.start", "table": self.id})
            wrong.append({"kind": "round.void", "round": self.round.id, "badge": token(self.dealer), "reason": "no"})
        # A few wrong badges are slips; more of them would close the reader, and the right ones would wait.
        if self.wrong_badges < MOST_WRONG_BADGES and self.luck.random() < 0.3:
            self.wrong_badges += 1
            dos = wrong
        if await self.press(self.luck.choice(dos)) is not None:
            raise Failure(f"{self.id}: a blunder was carried out in the state {self.expected()}")

    # ------------------------------------------------------------ as it was

    def expected(self) -> dict[str, Any]:
        """How the table must stand after the last answer."""
        round_ = self.round
        return {
            "round": round_.id if round_ else None,
            "rounds": self.rounds,
            "lit": {sensor: sorted(seats) for sensor, seats in self.lit.items() if seats},
            "held": sorted(self.held),
            "taken": _sorted(round_.taken) if round_ else {},
            "awards": {id_: _award(award) for id_, award in round_.awards.items()} if round_ else {},
            "commitment": round_.commitment if round_ else None,
            "sets": sorted(round_.sets) if round_ else [],
            "shown": round_.is_shown if round_ else False,
        }

    async def look(self) -> None:
        """Ask the server how the table stands: it must be as the last answer left it."""
        until = time.monotonic() + STUCK_SECONDS
        while self.voice.is_new:
            self.voice.is_new = False
            answer = await self.voice.ask("table", table=self.id)
            if answer is None or answer["seq"] < self.voice.last_seq:
                # Another server has written what was answered last: this one is about to read it.
                self.voice.is_new = True
                if time.monotonic() > until:
                    raise Failure(f"{self.id}: the server does not come to event {self.voice.last_seq}")
                await asyncio.sleep(0.02)
                continue
            self.compare(answer["table"])
            self.looked += 1

    def compare(self, view: dict[str, Any]) -> None:
        """Fail unless the table is shown as it must be."""
        found, wanted = seen(view), self.expected()
        if found != wanted:
            differs = {name: (found[name], wanted[name]) for name in wanted if found[name] != wanted[name]}
            raise Failure(f"{self.id} did not resume where it was (found, expected): {differs}")


def seen(view: dict[str, Any]) -> dict[str, Any]:
    """A table's answer, as far as the dealer knows it too."""
    round_ = view["in_play"] or {}
    return {
        "round": view["round"],
        "rounds": view["rounds"],
        "lit": {sensor: sorted(seats) for sensor, seats in view["lit"].items() if seats},
        "held": view["held"],
        "taken": _sorted(round_.get("taken", {})),
        "awards": {award["id"]: _award(award) for award in round_.get("awards", [])},
        "commitment": (round_.get("deal") or {}).get("commitment"),
        "sets": sorted(int(seat) for seat in round_.get("sets", {})),
        "shown": round_.get("dealer_shown", False),
    }


def _award(award: dict[str, Any]) -> tuple[Any, ...]:
    """An award: whose, what, how far, and from the hit on how much."""
    amount = None if award["status"] == "pressed" else award["cents"]
    return award["seat"], award["sensor"], award["hand"], award["status"], amount


def _seats(taken: dict[str, dict[str, Any]]) -> dict[str, list[int]]:
    return {sensor: list(each["seats"]) for sensor, each in taken.items()}


def _sorted(seats: dict[str, list[int]]) -> dict[str, list[int]]:
    return {sensor: sorted(each) for sensor, each in seats.items()}
