"""A table: players who lay chips on sensors, a dealer who presses buttons, mostly the right ones, and a supervisor.

What happens next follows from what everybody at the table can see. With a chance of the plan somebody does the wrong
thing instead: presses twice, ends too early, swipes the wrong badge, speaks of a round that is over.
"""

from __future__ import annotations

from typing import Any

from instruments.simulator.agents import Agent, Command
from instruments.simulator.bank_stories import bank_story
from instruments.simulator.checker.awards import needs_reference
from instruments.simulator.checker.deals import due_buttons, occupied
from instruments.simulator.checker.misdeals import MISDEAL_CAUSES
from instruments.simulator.checker.state import Award, Link, Round, Table
from instruments.simulator.network import Message
from instruments.simulator.paper_stories import paper_story
from instruments.simulator.plan import badge

REGULAR = {"six-card-poker": "ante"}


class TableAgent(Agent):
    """A table and its people."""

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.floor.tables[self.name]

    def device(self, actor: str) -> str | None:
        """The table's controller for whoever deals there and for itself, by mistake for others too."""
        mine = self.controller(self.name)
        if actor in (self.table.dealer, f"device:{mine}"):
            # Whose badge was read elsewhere has no session here, and mostly knows it.
            there = actor != self.table.dealer or self.table.session is not None or not self.room.keys % 7
            return mine if self.chance(0.9) and there else None
        return mine if self.slips() else super().device(actor)

    def dealer(self) -> str:
        """Who deals; by mistake another dealer, or somebody who may not."""
        if self.slips(0.5):
            return self.rng.choice(("DE1", "DE2", "SV1", "AU1", "CA1", "NOBODY"))
        return self.table.dealer or "SU1"

    def alone(self, command: Command) -> Command:
        """Now and then a supervisor works the controls and swipes their own badge as the second person's."""
        if not self.slips(0.7):
            return command
        who = self.rng.choice(("SU1", "SU2", "EX1"))
        return who, command[1] | {"badge": badge(who)}

    def give_up(self, message: Message, now: int) -> None:
        """A controller takes a message back that was never answered: its key is used up, or it was carried out."""
        mine = self.controller(self.name)
        # What was sent from elsewhere has another sender's key: a controller takes back what it sent itself.
        if self.chance(0.7) and message.device == mine:
            do = {"kind": "message.withdraw", "table": self.name, "kind_of": message.do["kind"]}
            self.room.wires.send(self.room.message(self.name, f"device:{mine}", do, mine, key=message.key), now)

    def next(self) -> list[Command]:
        """What happens at the table now."""
        table = self.table
        if table.status == "closed":
            return [self._open()]
        if table.dealer is None:
            return [self._dealer_in()]
        if self.slips(0.6):
            return [self._nonsense()]
        round_ = self.floor.rounds.get(table.round or "")
        if round_ is None:
            return self._between_rounds()
        return self._in_round(round_)

    # Between rounds

    def _open(self) -> Command:
        do = {
            "kind": "table.open",
            "table": self.name,
            "float_cents": self.rng.choice((0, 500_000)),
            "badge": self.badge_of("SU1", "EX1"),
        }
        return self.rng.choice(("SU2", "CA1")), do

    def _dealer_in(self) -> Command:
        busy = {table.dealer for table in self.floor.tables.values()}
        # Who may supervise too comes more often: that person's badge must not be the second one at the table.
        free = [person for person in ("DE1", "DE2", "DE3", "DE4", "DE5", "DE5", "DE5") if person not in busy]
        who = self.rng.choice(free or ["DE1"]) if not self.slips() else "DE1"
        actor = f"device:{self.controller(self.name)}" if self.chance(0.5) else who
        # By the count of messages, not by luck: so a room plays on as it would without.
        actor = actor if self.room.keys % 9 else "SU2"
        return actor, {"kind": "dealer.in", "table": self.name, "badge": badge(who)}

    def _between_rounds(self) -> list[Command]:
        if self.table.deck_due and self.room.keys % 3:
            return [self._deck()]
        if self.room.has_accidents and (banks := bank_story(self.table, self.room.keys)):
            return [(self.dealer(), banks)]
        # By the count of messages, not by luck: so a room plays on as it would without.
        if self.room.keys % (3 if self.table.undone else 211) == 0:
            return [(self.dealer(), {"kind": "undone.acknowledge", "table": self.name})]
        if self.chance(0.08):
            return [self._small_matter()]
        if self.chance(0.06):
            return [self._declare()]
        if not self.table.face_up and self.chance(0.3) and self.floor.face_up_spots(self.table, self.room.clock()):
            return [self._face_up(on=True)]
        if self.table.last_round is not None and self.chance(0.7 if self._terms_changed() else 0.06):
            return [self._reopen()]
        lit = any(self.table.lit.values())
        if not lit and self.chance(0.6):
            return self._lay_chips()
        if lit and self.chance(0.1):
            sensor, seats = next((each for each in self.table.lit.items() if each[1]), ("1", {1}))
            return [self._chip(sensor, min(seats or {1}), lit=False)]
        return [self._start()]

    def _lay_chips(self) -> list[Command]:
        sensors = sorted(self.table.sensors) or ["1"]
        return [
            self._chip(sensor, seat, lit=True)
            for sensor in sensors
            for seat in sorted(self.rng.sample(range(1, self.table.seats + 1), self.rng.randint(1, 4)))
            if self.chance(0.8)
        ]

    def _chip(self, sensor: str, seat: int, *, lit: bool) -> Command:
        if self.slips(0.3):
            seat, sensor = self.rng.choice(((0, sensor), (8, sensor), (seat, "3")))
        actor = f"device:{self.controller(self.name)}" if self.chance(0.7) else self.dealer()
        return actor, {"kind": "sensor.set", "table": self.name, "sensor": sensor, "seat": seat, "lit": lit}

    def _declare(self) -> Command:
        """Somebody sits down without a jackpot wager, or leaves."""
        seat = self.rng.randint(1, self.table.seats) if not self.slips(0.3) else self.rng.choice((0, 9))
        actor = f"device:C-{self.name}" if self.chance(0.4) else self.dealer()
        do = {"kind": "seat.declare", "table": self.name, "seat": seat, "plays": seat not in self.table.declared}
        return actor, do

    def _start(self) -> Command:
        table = self.table
        do: dict[str, Any] = {"kind": "round.start", "table": self.name}
        lit = {sensor: sorted(seats) for sensor, seats in table.lit.items() if seats}
        if not lit and self.chance(0.9):
            lit = {
                sensor: sorted(self.rng.sample(range(1, table.seats + 1), self.rng.randint(1, table.seats)))
                for sensor in table.sensors
                if self.chance(0.9)
            }
            do["sensors"] = lit
        elif self.chance(0.3):
            do["sensors"] = lit if not self.slips(2) else {"1": [1]}
        if table.cards == "known" or self.chance(0.1):
            do["wagers"] = self._wagers(lit)
        if self.chance(0.1):
            do["occupied"] = self.rng.sample(range(1, table.seats + 1), self.rng.randint(0, 3))
        return self.dealer(), do

    def _wagers(self, lit: dict[str, list[int]]) -> dict[str, dict[str, int]]:
        seats = {seat for seats in lit.values() for seat in seats} or {1, 2}
        if self.chance(0.3):
            seats.add(self.rng.randint(1, self.table.seats))
        if self.slips(0.5):
            seats.pop()
        return {
            str(seat): {REGULAR.get(self.table.game, "main"): self.rng.choice((500, 1_500, 20_000))}
            for seat in sorted(seats)
        }

    def _small_matter(self) -> Command:
        """Something of a table's day that has nothing to do with a round."""
        number = self.rng.randrange(10_000)
        kind = self.rng.choice(
            (
                "dealer.out",
                "dealer.in",
                "table.deck",
                "table.shift",
                "tray.fill",
                "table.close",
                "table.close",
                "table.face-up",
            )
        )
        do: dict[str, Any] = {"kind": kind, "table": self.name}
        if kind == "dealer.out":
            return self.dealer(), do
        if kind == "dealer.in":
            return self._dealer_in()
        if kind == "table.deck":
            return self._deck(number)
        if kind == "table.shift":
            return "SU1", do | {"shift": f"shift-{number % 3}"}
        if kind == "tray.fill":
            return self._fill(do, number)
        if kind == "table.face-up":
            return self._face_up(on=self.chance(0.7))
        return self._close(do)

    def _deck(self, number: int | None = None) -> Command:
        """A deck is counted down; one without a number comes after a misdeal."""
        whole = 52 if self.table.game == "six-card-poker" else 53
        counted = whole if number is None or not self.slips() else 51
        name = f"deck {self.room.keys} of {self.name}" if number is None else f"deck {number}"
        return self.dealer(), {"kind": "table.deck", "table": self.name, "deck": name, "counted": counted}

    def _face_up(self, *, on: bool) -> Command:
        by = self.badge_of("SU2", "EX1") if not self.slips(2) else badge("SU1")
        return "SU1", {"kind": "table.face-up", "table": self.name, "face_up": on, "badge": by}

    def _fill(self, do: dict[str, Any], number: int) -> Command:
        more: dict[str, Any] = {
            "direction": self.rng.choice(("fill", "credit")),
            "cents": self.rng.choice((0, 10_000, 250_000)),
            "badge": self.badge_of("SU1", "CA1"),
        }
        if number % 9:
            # By the number that was drawn, not by luck: so a room plays on as it would without.
            used = "OPEN-000001" if number % 7 < 2 else f"slip-{number % 2}"
            more["slip"] = used if number % 11 else "FILL-000009"
        if number % 5 == 0:
            more["chips"] = {"100": more["cents"] // 100} if number % 10 else {"500": 1}
        return self.alone((self.dealer(), do | more))

    def _close(self, do: dict[str, Any]) -> Command:
        def counted(kind: str) -> int:
            book = self.floor.book.get(f"{kind}/{self.name}", 0) // 10_000
            return max(0, book + self.rng.choice((0, 0, 500, -700)))

        if self.chance(0.2):
            # A digit too many, which is counted again or explained.
            do |= {"tray_cents": counted("tray") * 10 + 2_000_000, "drop_cents": counted("drop")}
            do |= {
                "badge": self.badge_of("SU1", "EX1"),
                **self.rng.choice(({}, {"reason": "a box of chips came late"})),
            }
            return "CA1", do
        return "CA1", do | {
            "tray_cents": counted("tray"),
            "drop_cents": counted("drop"),
            "badge": self.badge_of("SU1", "EX1"),
        }

    def _terms_changed(self) -> bool:
        """Whether what the last round's wagers can win is no longer what is posted."""
        last = self.floor.rounds.get(self.table.last_round or "")
        links = [(taken, self.floor.links[taken.link]) for taken in last.taken.values()] if last else []
        return any(
            (taken.fixed_pays, taken.order, taken.prizes) != (link.fixed_pays, link.order, link.prizes)
            for taken, link in links
        )

    def _reopen(self) -> Command:
        do = {
            "kind": "round.reopen",
            "table": self.name,
            "badge": self.badge_of("SU1", "SU2"),
            "reason": "a winner was missed",
        }
        return self.alone((self.dealer(), do))

    # In a round

    def _in_round(self, round_: Round) -> list[Command]:
        if self._won_elsewhere(round_) and self.chance(0.5):
            return [self._void(round_, reason="misdeal")]
        if self.room.has_accidents and (accident := self._accident(round_)):
            return accident
        if seldom := self._seldom(round_):
            return [seldom]
        if self.table.cards == "known" and not round_.dealer_shown:
            return self._deal_and_show(round_)
        if self.table.cards == "felt" and self.chance(0.12) and not round_.dealer_shown:
            return self._set_on_the_felt(round_)
        if slip := self._small_slip(round_):
            return slip
        awards = list(round_.awards.values())
        if any(award.status == "hit" for award in awards):
            return self._verify(round_)
        if any(award.status == "pressed" for award in awards):
            return self._after_press(round_)
        if round_.key_at_jph:
            return [self._key(round_, "run")]
        return self._find_winners(round_)

    def _accident(self, round_: Round) -> list[Command]:
        """A misdeal, or a round that goes on on paper; by the count of messages."""
        is_empty = not any(taken.seats for taken in round_.taken.values())
        if self.room.keys % (5 if is_empty else 29) == 0:
            return [self._misdeal(round_, alone=is_empty)]
        return paper_story(self.floor, self.table, round_, self.room.keys, self.room.clock())

    def _seldom(self, round_: Round) -> Command | None:
        """What may happen in any round, whatever it waits for."""
        if self.chance(0.02):
            return self._dealer_in()
        if self.chance(0.05):
            return self._trouble(round_)
        if self.chance(0.04):
            return self._correct(round_)
        return self._declare() if self.chance(0.02) else None

    def _won_elsewhere(self, round_: Round) -> bool:
        """Whether another table has won what the round's wagers put on a meter: seldom, and a void is then special."""
        return not round_.awards and any(
            shares.meter > self.floor.meter(taken.link, level)
            for taken in round_.taken.values()
            for level, shares in taken.shares.items()
        )

    def _trouble(self, round_: Round) -> Command:
        """A void or a dispute."""
        if self.chance(0.6):
            return self._void(round_)
        do = {"kind": "round.hold", **self._reason_and_badge(round_), "evidence": {"camera": "12"}}
        return self.alone((self.rng.choice((self.dealer(), "SV1")), do))

    def _misdeal(self, round_: Round, *, alone: bool) -> Command:
        """The deal cannot stand: by a supervisor's badge, or by the dealer alone, which may be too late."""
        number = self.room.keys // 29
        do = {"kind": "round.misdeal", "round": round_.id, "cause": MISDEAL_CAUSES[number % len(MISDEAL_CAUSES)]}
        second = badge(("SU1", "SU2", "EX1")[number % 3])
        return self.dealer(), do if alone or number % 4 == 0 else do | {"badge": second}

    def _void(self, round_: Round, **more: str) -> Command:
        return self.alone((self.dealer(), {"kind": "round.void", **self._reason_and_badge(round_), **more}))

    def _reason_and_badge(self, round_: Round) -> dict[str, str]:
        reason = self.rng.choice(("misdeal", "dispute", " "))
        return {"round": round_.id, "badge": self.badge_of("SU1", "SU2", "EX1"), "reason": reason}

    def _correct(self, round_: Round) -> Command:
        sensor = self.rng.choice(sorted(self.table.sensors) or ["1"])
        taken = round_.taken.get(sensor)
        seat = self.rng.randint(1, self.table.seats)
        made = taken is None or seat not in taken.seats
        do: dict[str, Any] = {
            "kind": "round.correct", "round": round_.id, "sensor": sensor, "seat": seat,
            "made": made if not self.slips() else not made, "reason": "the chip lay beside the sensor",
        }  # fmt: skip
        if self.chance(0.6):
            do["badge"] = self.badge_of("SU1", "SU2")
        return self.alone((self.dealer(), do))

    def _deal_and_show(self, round_: Round) -> list[Command]:
        if round_.deal is None:
            entropy = ["lucky 7"] if self.chance(0.2) else []
            return [(self.dealer(), {"kind": "round.deal", "round": round_.id, "player_entropy": entropy})]
        return self._set_on_the_felt(round_)

    def _set_on_the_felt(self, round_: Round) -> list[Command]:
        """Players set their hands; one of them may be set the house way; then the dealer's hand is shown."""
        unset = [seat for seat in occupied(round_) if seat not in round_.sets]
        if round_.wagers and self.chance(0.35 if self.table.game == "six-card-fortune" else 0.02):
            return [self._double(round_)]
        if self.slips():
            unset = []
        if not unset:
            return [(self.dealer(), {"kind": "display.dealer", "round": round_.id})]
        if self.chance(0.3 if len(unset) == 1 else 0.05):
            return [(self.dealer(), {"kind": "display.player", "round": round_.id, "seat": self.rng.choice(unset)})]
        return [self._set_hand(round_, seat) for seat in unset]

    def _double(self, round_: Round) -> Command:
        """A player doubles down, mostly for as much as the wager."""
        seat = self.rng.choice(sorted(round_.wagers))
        main = next(iter(round_.wagers[seat].values()))
        cents = main if not self.slips() else self.rng.choice((0, main * 2, 1))
        actor = f"device:C-{self.name}" if self.chance(0.4) else self.dealer()
        return actor, {"kind": "hand.double", "round": round_.id, "seat": int(seat), "cents": cents}

    def _set_hand(self, round_: Round, seat: int) -> Command:
        do: dict[str, Any] = {"kind": "hand.set", "round": round_.id, "seat": seat}
        if seat == round_.banker and self.room.keys % 4:
            return self.dealer(), do | {"house_way": True}
        if self.table.game == "six-card-poker":
            if self.chance(0.3):
                do["fold"] = True
        elif self.table.cards == "known":
            size = 1 if self.table.game == "six-card-fortune" else 2
            if self.chance(0.7):
                do["house_way"] = True
            else:
                do["low"] = self.rng.sample(range(size + 5), size)
        actor = f"device:{self.controller(self.name)}" if self.chance(0.4) else self.dealer()
        return actor, do

    # Winners

    def _find_winners(self, round_: Round) -> list[Command]:
        if self.table.cards == "known":
            return self._press_what_is_due(round_)
        spots = [
            (sensor, seat)
            for sensor, taken in round_.taken.items()
            for seat in sorted(taken.seats)
            if self.rng.randrange(1000) < self.plan.luck
        ]
        if round_.awards or not spots or self.chance(0.15):
            return [self._end(round_)]
        return [self._press(round_, sensor, seat) for sensor, seat in spots[:3]]

    def _press(self, round_: Round, sensor: str, seat: int) -> Command:
        link = self.floor.links[self.table.sensors[sensor]]
        do: dict[str, Any] = {
            "kind": "hand.press",
            "round": round_.id,
            "seat": seat,
            "hand": self._hand(link),
            "sensor": sensor,
        }
        if self.chance(0.05):
            bringing = [hand for hand, line in sorted(link.printed.buttons.items()) if line.envy_cents]
            do |= {"seat": self.rng.randint(1, self.table.seats), "hand": self.rng.choice(bringing or [do["hand"]])}
        elif self.slips(0.4):
            do |= self.rng.choice(
                ({"hand": "two-pair"}, {"seat": 9}, {"sensor": "2"}, {"seat": self.rng.randint(1, self.table.seats)})
            )
        return self.dealer() if self.chance(0.94) else "SU1", do

    def _hand(self, link: Link) -> str:
        """A hand with a button, shares of the meter more often than luck would have it."""
        hands = sorted(link.printed.buttons)
        if self._others_wager(link) and self.chance(0.3):
            # A jackpot that takes what a round at another table has just put on the meter.
            return self.rng.choice([hand for hand in hands if link.printed.buttons[hand].percent == 100])
        shares = [hand for hand in hands if link.printed.buttons[hand].percent is not None]
        return self.rng.choice(shares if self.chance(0.6) else hands)

    def _others_wager(self, link: Link) -> bool:
        """Whether another table has wagers on a link that restarts at nothing."""
        empty = any(not level.seed for level in link.levels.values())
        rounds = (each for each in self.floor.rounds.values() if each.table != self.name and each.phase == "playing")
        return empty and any(taken.link == link.id for each in rounds for taken in each.taken.values())

    def _press_what_is_due(self, round_: Round) -> list[Command]:
        due = due_buttons(self.floor, round_) if round_.deal is not None else {}
        pressed = {f"{award.sensor}/{award.seat}" for award in round_.awards.values()}
        open_spots = [(spot, hand) for spot, hand in sorted(due.items()) if spot not in pressed]
        if not open_spots or self.slips():
            do: dict[str, Any] = {"kind": "round.end", "round": round_.id}
            if open_spots and self.chance(0.5):
                do |= {"override": "the player left", "badge": self.badge_of("SU1", "SU2")}
            return [(self.dealer(), do)]
        spot, hand = open_spots[0]
        sensor, seat = spot.split("/")
        do = {"kind": "hand.press", "round": round_.id, "seat": int(seat), "hand": hand, "sensor": sensor}
        if self.slips(2):
            do["hand"] = "full-house"
            if self.chance(0.5):
                do |= {"override": "the machine misread a card", "badge": self.badge_of("SU1", "SU2")}
        return [(self.dealer(), do)]

    def _after_press(self, round_: Round) -> list[Command]:
        """Pressed again, another winner, or the hit."""
        pressed = [award for award in round_.awards.values() if award.status == "pressed"]
        if self.chance(0.1):
            award = self.rng.choice(pressed)
            again = award.hand if self.chance(0.6) else self._hand(self.floor.links[award.link])
            return [
                (
                    self.dealer(),
                    {
                        "kind": "hand.press",
                        "round": round_.id,
                        "seat": award.seat,
                        "hand": again,
                        "sensor": award.sensor,
                    },
                )
            ]
        if self.chance(0.12) and self.table.cards == "felt":
            return [self._press_another(round_)]
        if self.slips():
            return [self._end(round_)]
        do: dict[str, Any] = {"kind": "jackpot.hit", "round": round_.id}
        if self.chance(0.25):
            do["fixed_from"] = "tray"
        return [(self.dealer(), do)]

    def _press_another(self, round_: Round) -> Command:
        sensor = self.rng.choice(sorted(round_.taken) or ["1"])
        seats = sorted(round_.taken[sensor].seats) if sensor in round_.taken else [1]
        return self._press(round_, sensor, self.rng.choice(seats))

    def _small_slip(self, round_: Round) -> list[Command]:
        """A small award that the dealer paid without a badge was none: pressed again, or taken back by a supervisor."""
        small = [award for award in round_.awards.values() if award.status == "paid" and award.badge_role == "none"]
        if not small or not self.chance(0.2):
            return []
        award = self.rng.choice(small)
        if self.chance(0.6):
            do: dict[str, Any] = {
                "kind": "hand.press", "round": round_.id, "seat": award.seat, "hand": award.hand,
                "sensor": award.sensor,
            }  # fmt: skip
        else:
            do = {
                "kind": "jackpot.reject", "award": award.id, "badge": self.badge_of("SU1", "SU2"),
                "reason": "the wrong button",
            }  # fmt: skip
        return [(self.dealer(), do)]

    def _verify(self, round_: Round) -> list[Command]:
        """A supervisor has come: the next award is paid or rejected, or a further winner is found."""
        locked = sorted(
            (award for award in round_.awards.values() if award.status == "hit"), key=lambda award: -award.seat
        )
        if any(award.status == "pressed" for award in round_.awards.values()) and self.chance(0.7):
            return self._after_press(round_)
        # A further winner changes what surveillance has verified already.
        if self.chance(0.45 if round_.references else 0.15) and self.table.cards == "felt":
            return [self._press_another(round_)]
        if self.slips():
            return [self._end(round_)]
        unseen = [award for award in locked[1:] if award.id not in round_.references]
        if unseen and self.chance(0.5):
            # Surveillance looks at all winners while the first one is verified; a rejection changes the others.
            return [self._see(unseen[0])]
        award = locked[0] if not self.slips(2) else self.rng.choice(locked)
        if self.table.vocabulary == "aquarius" and not round_.key_at_jph and not self.slips():
            return [self._key(round_, "jph")]
        if self.chance(0.2):
            do = {
                "kind": "jackpot.reject",
                "award": award.id,
                "badge": self.badge_of("SU1", "SU2", "EX1"),
                "reason": "not the hand that was called",
            }
            return [self.alone((self.dealer(), do))]
        return [self._pay(round_, award)]

    def _pay(self, round_: Round, award: Award) -> Command:
        do: dict[str, Any] = {"kind": "jackpot.pay", "award": award.id}
        seen = round_.references.get(award.id)
        verified = seen is not None and (seen.cents == award.cents or self.chance(0.7))
        if award.badge_role != "none" or self.chance(0.2):
            executive = award.badge_role == "executive" and not self.slips(2)
            do["badge"] = self.badge_of("EX1") if executive else self.badge_of("SU1", "SU2", "EX1")
            if self.slips(2):
                do["badge"] = badge(self._with_another_part(round_, award))
            elif seen is not None and seen.by == "SV2" and self.chance(0.4):
                do["badge"] = badge("SV2")
        if needs_reference(self.floor, award, self.room.clock()) and not verified and not self.slips():
            return self._see(award)
        if self.chance(0.2):
            do["reference"] = seen.reference if seen is not None and not self.slips() else "camera of my own"
        return self.alone((self.dealer(), do))

    def _see(self, award: Award) -> Command:
        """Surveillance verifies an award, by mistake another amount."""
        return self.rng.choice(("SV1", "SV2", "SV2")), {
            "kind": "surveillance.reference",
            "round": award.round,
            "payout": award.id,
            "hand": award.hand,
            "cents": award.cents if not self.slips() else award.cents + 100,
            "reference": "camera 4, 12:30",
        }

    def _with_another_part(self, round_: Round, award: Award) -> str:
        """Somebody who has had a hand in the award already, and so is not the second person at its payment."""
        seen = round_.references.get(award.id)
        verified = award.pressed_by if seen is None else seen.by
        return self.rng.choice((award.pressed_by, verified, self.rng.choice(sorted(round_.dealers))))

    def _key(self, round_: Round, to: str) -> Command:
        do = {"kind": "key.turn", "round": round_.id, "to": to, "badge": self.badge_of("SU1", "SU2")}
        return self.alone((self.dealer(), do))

    def _end(self, round_: Round) -> Command:
        return self.dealer(), {"kind": "round.end", "round": round_.id}

    # Mistakes

    def _nonsense(self) -> Command:
        """Something that makes no sense now: the wrong button, a round that is over, an award of somebody else."""
        rounds = sorted(self.floor.rounds) or ["T1-1"]
        round_ = self.rng.choice([*rounds, f"{self.name}-1", "T9-9"])
        awards = sorted(id_ for each in self.floor.rounds.values() for id_ in each.awards) or ["T1-1/1"]
        award = self.rng.choice([*awards, "nothing"])
        do: dict[str, Any] = self.rng.choice(
            (
                {"kind": "round.end", "round": round_},
                {"kind": "jackpot.hit", "round": round_},
                {"kind": "jackpot.pay", "award": award, "badge": self.badge_of("SU1", "EX1")},
                {"kind": "jackpot.reject", "award": award, "badge": self.badge_of("SU1"), "reason": "mistake"},
                {"kind": "key.turn", "round": round_, "to": self.rng.choice(("jph", "run")), "badge": badge("SU1")},
                {"kind": "round.start", "table": self.name},
                {"kind": "round.deal", "round": round_},
                {"kind": "display.dealer", "round": round_},
                {"kind": "display.player", "round": round_, "seat": 2},
                {"kind": "hand.set", "round": round_, "seat": 5},
                {"kind": "sensor.set", "table": self.name, "sensor": "2", "seat": 1, "lit": True},
                {"kind": "round.void", "round": round_, "badge": badge("DE1"), "reason": "mistake"},
                {
                    "kind": "surveillance.reference",
                    "round": round_,
                    "payout": award,
                    "hand": None,
                    "cents": 1,
                    "reference": " ",
                },
                {"kind": "dealer.out", "table": self.name},
                {"kind": "table.open", "table": self.name, "float_cents": -5, "badge": badge("SU1")},
                {"kind": "round.reopen", "table": self.name, "badge": badge("SU1"), "reason": "mistake"},
            )
        )
        return self.dealer(), do
