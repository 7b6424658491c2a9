"""The back office: two people who change parameters and adjust meters, the cage, surveillance, the registers."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from houseway.manager.handlers.papers_in_order import papers_in_order
from houseway.manager.handlers.register_list import COVERAGE
from instruments.simulator.agents import Agent, Command
from instruments.simulator.checker.changes import CODES
from instruments.simulator.checker.papers import LETTER_DAY, LETTER_GAMES, TITLES
from instruments.simulator.checker.rules import Call
from instruments.simulator.checker.slips import Due
from instruments.simulator.checker.state import Link, Table
from instruments.simulator.plan import DESK, PEOPLE, RATES, Plan, badge

if TYPE_CHECKING:
    from instruments.simulator.runner import Simulation


class Office(Agent):
    """Everybody who is not at a table."""

    def __init__(self, rng: Random, plan: Plan, room: Simulation) -> None:
        """Begin with no links drawn up beside those of the plan."""
        super().__init__(rng, plan, "office", room)
        self.count = 0
        self.turns = 0
        self.promotes = room.seed % 16 == 11
        """Whether this room takes a progressive out of play by way of a promotion: chance alone hardly ever would."""

    def next(self) -> list[Command]:
        """Something in the office."""
        if self.room.skew < -1_000_000:
            return [self._clock()]
        uncovered = [id_ for id_, table in sorted(self.floor.tables.items()) if not self._is_covered(table)]
        if uncovered and self.chance(0.3):
            return self._cover(self.rng.choice(uncovered))
        self.turns += 1
        if self.promotes and self.turns % 4 == 0:
            return self._by_promotion()
        matters: tuple[tuple[int, Callable[[], list[Command]]], ...] = (
            (12, self._approve), (6, self._propose_parameters), (20 if self._kept() else 7, self._propose_money),
            (20 if self._lent() else 3, self._propose_back_out),
            (8 if self._new_people() else 2, self._propose_property), (3, self._withdraw), (4, self._decide),
            (2, self._deposit),
            (8 if self._stopped() else 1, self._stop_or_resume), (2, self._reference), (2, self._count_drop),
            (3, self._person), (20 if self._without_controller() else 3, self._device),
            (4, self._sign), (2, self._paper), (3, self._slip), (2, self._prize), (1, self._incident),
            (2, self._new_link), (2, self._retire), (2, self._attach), (1, self._used_key), (1, self._oddity),
        )  # fmt: skip
        matter = self.rng.choices([each for _, each in matters], [weight for weight, _ in matters])[0]
        return matter()

    def _clock(self) -> Command:
        do = {
            "kind": "system.clock", "now": self.room.clock(), "badge": self.badge_of("EX1"),
            "second_badge": self.badge_of("AC1", "TE1", "SU1"), "reason": "the time server was wrong",
        }  # fmt: skip
        return "EX1", do

    def _link(self, kind: str | None = None) -> Link:
        links = [link for link in self.floor.links.values() if kind in (None, link.kind)]
        return self.rng.choice(links or list(self.floor.links.values()))

    # Proposals

    def _propose(self, what: dict[str, Any], *by: str) -> list[Command]:
        actor = self.rng.choice(by or ("EX1", "AC1", "SU1", "TE1"))
        reason = "as agreed" if not self.slips() else " "
        return [(actor, {"kind": "change.propose", "what": what, "reason": reason})]

    def _propose_parameters(self) -> list[Command]:
        link = self._link()
        if link.kind == "house":
            prizes = {level: self.rng.choice((60_000, 700_000)) for level in link.prizes}
            what: dict[str, Any] = {"change": "prizes", "link": link.id, "prizes": prizes, "posted": "sign 3"}
            if self.chance(0.1):
                what = {"change": "prizes", "link": link.id, "withdraw": True, "posted": "sign 3"}
            return self._propose(what)
        level = self.rng.choice(sorted(link.levels))
        draw = self.rng.random()
        if draw < 0.5:
            what = {"change": "level", "link": link.id, "level": level} | self._level_values()
        elif draw < 0.75:
            shown = self.floor.shown(link, level) // 10_000
            limit = self.rng.choice((None, shown + 100, shown + 5_000, max(0, shown - 100)))
            what = {"change": "limit", "link": link.id, "level": level, "limit": limit, "posted": "sign 3"}
        else:
            what = {"change": "link", "link": link.id} | self._link_values()
        return self._propose(what | ({"drain": True} if self.chance(0.3) else {}))

    def _level_values(self) -> dict[str, Any]:
        found: dict[str, Any] = self.rng.choice(
            (
                {"contribution": self.rng.choice(RATES)},
                {"seed": self.rng.choice((500, 30_000, 120_000))},
                {"reserve": "1/17"},
                {"executive_from": self.rng.choice((None, 700, 60_000))},
            )
        )
        return found | ({"when": "won"} if self.chance(0.4) else {})

    def _link_values(self) -> dict[str, Any]:
        found: dict[str, Any] = self.rng.choice(
            (
                {"wager": self.rng.choice((100, 200, 300))},
                {"fixed_pays": self.rng.choice(("tray", "meter"))},
                {"display_falls": self.rng.choice(("at-payment", "at-hit"))},
                {"shows_contributions": self.rng.choice(("at-start", "at-end"))},
                {"order": self.rng.choice(("seat-order", "full-to-each"))},
                {"fixed_supervisor_from": self.rng.choice((0, 5_000))},
            )
        )
        return found

    def _propose_money(self) -> list[Command]:
        link = self._link("progressive")
        level, code = self.rng.choice(sorted(link.levels or link.prizes)), self.rng.choice(sorted(CODES))
        kept = self._kept()
        if kept and self.chance(0.6):
            (link, level), code = self.rng.choice(kept), "overflow-released"
        rule = CODES[code]
        account = self.rng.choice(rule.accounts) if not self.slips() else "reserve"
        amount = self._fitting(link, level, code) or self.rng.choice((1, 333_333, 10_000, 2_500_000))
        down = rule.way == "down" or (rule.way == "both" and self.chance(0.5))
        if self.slips():
            amount, down = 10**13, not down
        what: dict[str, Any] = {
            "change": "adjustment", "link": link.id, "level": level, "code": code,
            "micros": -amount if down else amount, "reference": "incident 7", "account": account,
        }  # fmt: skip
        if rule.other == "receipts" or (code == "malfunction" and self.chance(0.4)):
            what["table"] = self.rng.choice(sorted(self.floor.tables))
        return self._propose(what)

    def _kept(self) -> list[tuple[Link, str]]:
        """Levels whose overflow could go onto the meter again: so few that chance alone would hardly ever do it."""
        levels = [(link, level) for link in self.floor.links.values() for level in sorted(link.levels)]
        return [(link, level) for link, level in levels if self._fitting(link, level, "overflow-released")]

    def _fitting(self, link: Link, level: str, code: str) -> int:
        """An amount that a code with a bound of its own can move now, or nothing."""
        if not link.levels:
            return 0
        limit, meter = link.levels[level].limit, self.floor.meter(link.id, level)
        if code in ("overflow-released", "reserve-released"):
            held = self.floor.held(f"{code.removesuffix('-released')}/{link.id}/{level}")
            return held if limit is None else max(0, min(held, limit * 10_000 - meter))
        if code == "book-receipts":
            return self.floor.held(f"reserve/{link.id}/{level}")
        return 0

    def _lent(self) -> list[str]:
        """Paid awards to which the house has added: so few that chance alone would hardly ever back one out."""
        return sorted(id_ for id_, award in self.floor.paid_awards.items() if award.lent and award.status == "paid")

    def _propose_back_out(self) -> list[Command]:
        paid = sorted(self.floor.paid_awards)
        if not paid:
            return self._propose_money()
        lent = self._lent()
        chosen = self.rng.choice(lent if lent and self.chance(0.8) else paid)
        what = {"change": "back-out", "award": chosen, "reference": "incident 8"}
        return self._propose(what | self.rng.choice(({"recover_seed": True}, {"recover_seed": False}, {})))

    def _propose_property(self) -> list[Command]:
        by_one = [id_ for id_ in self._new_people() if not self.floor.people[id_].by_two]
        if by_one and self.chance(0.5):
            roles = self.rng.choice((["dealer"], ["auditor", "supervisor"]))
            return self._propose({"change": "roles", "person": self.rng.choice(by_one), "roles": roles}, "EX1", "AC1")
        what: dict[str, Any] = self.rng.choice(
            (
                {
                    "change": "setting",
                    "name": "surveillance_threshold",
                    "value": self.rng.choice((1_000, 50_000, 300_000)),
                },
                {"change": "setting", "name": "slip_seconds", "value": self.rng.choice((0, 5, 60))},
                {"change": "setting", "name": "highest_wager", "value": self.rng.choice((30_000, 50_000))},
                {"change": "setting", "name": "sign_in_hours", "value": self.rng.choice((1, 8, 12))},
                {
                    "change": "setting",
                    "name": "position_numbering",
                    "value": self.rng.choice(([1, 2, 3, 4, 5, 6, 0], [6, 5, 4, 3, 2, 1, 0], [0, 6, 5, 4, 3, 2, 2])),
                },
                {"change": "setting", "name": "no_such_setting", "value": 1},
                {
                    "change": "roles",
                    "person": self.rng.choice(self._new_people() or ["DE5"]),
                    "roles": self.rng.choice((["dealer"], ["auditor", "supervisor"], ["auditor"])),
                },
                {
                    "change": "roles",
                    "person": "DE5",
                    "roles": ["dealer"] if self.chance(0.5) else ["dealer", "supervisor"],
                },
            )
        )
        return self._propose(what, "EX1", "AC1")

    def _approve(self) -> list[Command]:
        proposals = sorted(self.floor.proposals)
        if not proposals:
            return self._propose_parameters()
        lent = self._lent()
        wanted = [each for each in proposals if self.floor.proposals[each]["what"].get("award") in lent]
        id_ = self.rng.choice(wanted if wanted and self.chance(0.8) else proposals)
        proposal = self.floor.proposals[id_]
        by = self.floor.people[proposal["by"]]
        who = "EX1" if by.department != "management" else "AC1"
        if self.slips(2):
            who = self.rng.choice(("EX1", "AC1", "SU1", "AU1", proposal["by"]))
        do = {"kind": "change.approve", "proposal": id_, "badge": badge(who), "content_hash": proposal["hash"]}
        if self.chance(0.5) and self.slips():
            do["content_hash"] = "0" * 64
        return [(who, do)]

    def _withdraw(self) -> list[Command]:
        proposals = sorted(self.floor.proposals)
        if not proposals:
            return self._propose_money()
        id_ = self.rng.choice(proposals)
        who = self.floor.proposals[id_]["by"] if not self.slips() else "SU2"
        return [(who, {"kind": "change.withdraw", "proposal": id_, "reason": "no longer wanted"})]

    def _retire(self) -> list[Command]:
        link = self._link("progressive")
        others = [other for other in self.floor.links.values() if other.kind == "progressive" and other is not link]
        if not others or self.chance(0.5):
            return self._propose_parameters()
        other = self.rng.choice(others)
        to = {level: {"link": other.id, "level": self.rng.choice(sorted(other.levels))} for level in link.levels}
        what = {"change": "retire", "link": link.id, "paper": "letter 12", "to": to, "recover_seed": self.chance(0.5)}
        return self._propose(what, "EX1", "AC1")

    # Links

    def _new_link(self) -> list[Command]:
        """Another link, to which money can go; or one that cannot be."""
        self.count += 1
        link = f"N{self.count}" if not self.slips() else "L1"
        do: dict[str, Any] = {
            "kind": "link.create", "link": link, "linked_as": "progressive", "paytable": "FPGPP-WA07",
            "levels": {"main": {"seed": 2_000, "contribution": "1/3" if not self.slips() else "4/3"}},
        }  # fmt: skip
        if self.slips():
            do |= self.rng.choice(
                ({"linked_as": "house"}, {"fixed_pays": "meter"}, {"paytable": "FPGP-1"}, {"levels": {}})
            )
        opening = {
            "kind": "link.open",
            "link": link,
            "opening": {"main": {"seed": 2_000}},
            "badge": self.badge_of("AC1"),
        }
        return [("EX1", do), ("EX1", opening)]

    def _deposit(self) -> list[Command]:
        cents = self.rng.choice((0, 10_000, 500_000, -4_000))
        who, second = self.rng.choice((("CA1", "AC1"), ("AC1", "CA1"), ("AC1", "EX1")))
        do = {
            "kind": "link.deposit", "link": self._link().id, "cents": cents, "paper": "slip of the bank",
            "badge": self.badge_of(second),
        }  # fmt: skip
        return [(who, do)]

    def _promotion(self) -> tuple[Link, str] | None:
        """A level whose money waits for a promotion."""
        waiting = ((link, level) for _, link in sorted(self.floor.links.items()) for level in sorted(link.levels))
        return next(((link, level) for link, level in waiting if self.floor.held(f"promotion/{link.id}/{level}")), None)

    def _by_promotion(self) -> list[Command]:
        """Propose that a progressive leaves play by way of a promotion; approve it; then pay or drop the promotion."""
        changes = ("retire", "drop-promotion")
        for id_, proposal in sorted(self.floor.proposals.items()):
            if proposal["what"]["change"] in changes and proposal["status"] == "open":
                who = "EX1" if self.floor.people[proposal["by"]].department != "management" else "AC1"
                do = {"kind": "change.approve", "proposal": id_, "badge": badge(who)}
                return [(who, {**do, "content_hash": proposal["hash"]})]
        waiting = self._promotion()
        if waiting is not None:
            return self._pay_promotion(*waiting, self.rng.choice((0, 10_000, 500_000)))
        links = [link for _, link in sorted(self.floor.links.items()) if link.kind == "progressive"]
        link = next((each for each in links if each.status in ("open", "draining", "stopped")), None)
        if link is None:
            return self._new_link()
        promotions = dict.fromkeys(link.levels, "drawing of July")
        what = {"change": "retire", "link": link.id, "paper": "letter 12", "promotions": promotions}
        return self._propose(what, "EX1", "AC1")

    def _pay_promotion(self, link: Link, level: str, cents: int) -> list[Command]:
        """A first payment that is too high or right, then all that is left; or the promotion is dropped."""
        left = -(-self.floor.held(f"promotion/{link.id}/{level}") // 10_000)
        takers = [
            other for other in self.floor.links.values() if other.kind == "progressive" and other.status == "open"
        ]
        if cents <= 10_000 and takers:
            what = {"change": "drop-promotion", "link": link.id, "level": level, "paper": "letter 13"}
            what |= {"to_link": takers[0].id, "to_level": min(takers[0].levels)}
            return self._propose(what, "EX1", "AC1")
        do = {"kind": "promotion.pay", "link": link.id, "level": level, "paper": "list of winners"}
        paid = [left + 1 if cents == 500_000 else max(1, left // 2), left]
        return [("CA1", {**do, "cents": each, "badge": self.badge_of("AC1")}) for each in paid]

    def _stopped(self) -> list[Link]:
        return [link for link in self.floor.links.values() if link.status == "stopped"]

    def _stop_or_resume(self) -> list[Command]:
        stopped = self._stopped()
        if stopped and self.chance(0.95):
            do = {
                "kind": "link.resume",
                "link": stopped[0].id,
                "badge": self.badge_of("AC1", "SU1"),
                "paper": "letter 4",
            }
            return [(self.rng.choice(("EX1", "EX1", "SU2")), do)]
        cause = self.rng.choice(("funds-seized", "account-short", "malfunction", "other"))
        do = {
            "kind": "link.stop",
            "link": self._link().id,
            "badge": self.badge_of("AC1"),
            "cause": cause,
            "reason": "as told",
        }
        return [("EX1", do)]

    def _attach(self) -> list[Command]:
        table = self.rng.choice(sorted(self.floor.tables))
        link = None if self.chance(0.4) else self._link().id
        return [("TE1", {"kind": "table.attach", "table": table, "sensor": self.rng.choice("12"), "link": link})]

    # Disputes, surveillance, counts

    def _decide(self) -> list[Command]:
        held = sorted(id_ for id_, round_ in self.floor.rounds.items() if round_.phase == "held")
        if not held:
            return self._reference()
        do = {
            "kind": "round.decide", "round": held[0], "badge": self.badge_of("SU1", "EX1"),
            "decision": self.rng.choice(("resume", "void")), "reason": "the film was seen", "reference": "film 3",
        }  # fmt: skip
        both = sorted(self.floor.rounds[held[0]].dealers & {"DE5"})
        return [(both[0] if both and self.chance(0.5) else self.rng.choice(("SU2", "SU2", "EX1")), do)]

    def _reference(self) -> list[Command]:
        rounds = sorted(id_ for id_, each in self.floor.rounds.items() if each.phase == "playing") or ["T1-1"]
        do: dict[str, Any] = {
            "kind": "surveillance.reference",
            "round": self.rng.choice(rounds),
            "reference": "camera 2",
        }
        hit = [award for each in self.floor.rounds.values() for award in each.awards.values() if award.status == "hit"]
        if hit:
            award = self.rng.choice(sorted(hit, key=lambda each: each.id))
            cents = award.cents if not self.slips(2) else award.cents // 10
            do |= {"round": award.round, "payout": award.id, "hand": award.hand, "cents": cents}
        else:
            do |= {"payout": f"{self.rng.randint(1, 6)}/main", "hand": None, "cents": 500}
        return [(self.rng.choice(("SV1", "SV2")) if not self.slips() else "DE1", do)]

    def _count_drop(self) -> list[Command]:
        table = self.rng.choice(sorted(self.floor.tables))
        book = self.floor.book.get(f"drop/{table}", 0) // 10_000
        do = {
            "kind": "drop.count",
            "table": table,
            "cents": max(-1 if self.slips() else 0, book + self.rng.choice((0, 0, 100, -100))),
            "badge": self.badge_of("AC1", "CA1"),
        }
        return [("CA1" if self.chance(0.8) else "AC1", do)]

    # Slips

    def _number(self, *kinds: str) -> str:
        """One of the newest slips of some kinds; now and then one that there is not."""
        known = [id_ for id_, slip in self.floor.slips.items() if slip.kind in kinds]
        return self.rng.choice(known[-3:]) if known and not self.slips() else "WIN-999999"

    def _slip(self) -> list[Command]:
        """A slip is printed, printed again and voided, in one go, with what somebody forgets in between."""
        who, number = self.rng.choice(("SU1", "CA1", "SU2")), self._number("win", "fill", "credit", "opener")
        copy = self.rng.choice(("original", "duplicate"))
        printed = {"kind": "slip.print", "slip": number, "copy": copy}
        again = {"kind": "slip.reprint", "slip": number, "copy": copy, "reason": "the printer jammed"}
        story = [printed, printed if self.chance(0.3) else again]
        if self.chance(0.2):
            story = [{**again, "reason": again["reason"] if not self.slips() else " "}]
        if self.chance(0.5):
            void = {
                "kind": "slip.void",
                "slip": self._to_void(),
                "reason": "never brought",
                "badge": self.badge_of("SU1", "CA1"),
            }
            story = [void, void] if self.chance(0.5) else [void]
        return [(who, dict(do)) for do in story]

    def _to_void(self) -> str:
        """A fill, a credit or a win; often one that a count has taken in, or a credit."""
        moved = [slip for slip in self.floor.slips.values() if slip.kind in ("fill", "credit") and not slip.void]
        counts = [slip for slip in self.floor.slips.values() if slip.kind == "closer"]
        old = [slip.id for slip in moved if any(one.table == slip.table and one.at >= slip.at for one in counts)]
        credited = [slip.id for slip in moved if slip.kind == "credit" and slip.id not in old]
        if old and self.chance(0.5):
            return self.rng.choice(old)
        return self.rng.choice(credited) if credited and self.chance(0.5) else self._number("win", "fill", "credit")

    def _prize(self) -> list[Command]:
        """A prize is handed over: first as somebody thinks, then as it is due."""
        number = self._number("win")
        slip = self.floor.slips.get(number)
        due = Due(self.floor, slip) if slip is not None else None
        bare: dict[str, Any] = {"kind": "prize.hand-over", "slip": number, "badge": self.badge_of("SU1", "SU2")}
        full = {**bare, "method": "chips"}
        if due is not None and due.check:
            full |= {"method": "check", "reference": "1042", "deck_count": 53}
        if due is not None and due.form:
            full["form"] = "form 17"
        if due is not None and due.withheld:
            full["withheld_cents"] = due.withheld
        if self.chance(0.05):
            full["override"] = "the winner asked for it"
        story = [{**bare, "method": "cash"}] if self.chance(0.4) else []
        return [
            ("CA1" if self.chance(0.8) else "SU1", do) for do in (*story, full, *([full] if self.chance(0.3) else []))
        ]

    # The house

    def _person(self) -> list[Command]:
        self.count += 1
        if self.chance(0.4):
            roles = self.rng.choice((["dealer"], ["supervisor"], ["auditor"], ["auditor"]))
            do: dict[str, Any] = {
                "kind": "person.add", "person": f"NEW{self.count % 4}", "name": "Person new", "department": "pit",
                "roles": roles, "badge": f"badge:new-{self.count}", "second_badge": self.badge_of("AC1"),
            }  # fmt: skip
            if roles == ["auditor"] and self.chance(0.7):
                # One person gives an auditor a badge; it is not for more than that.
                del do["second_badge"]
            return [("EX1", do), self._confirm(do)]
        dealing = sorted(table.dealer for table in self.floor.tables.values() if table.dealer in PEOPLE)
        new = self._new_people()
        who = self.rng.choice(("DE4", "DE5", "SU2", "AC1", "AC1", "EX1", *dealing, *new[:1]))
        do = {"kind": "person.change", "person": who}
        if self.chance(0.5) and who != "AC1":
            do["active"] = self.chance(0.6)
        else:
            do |= {"badge": badge(who) if self.chance(0.8) else badge("SU1")}
        if self.chance(0.7):
            do["second_badge"] = self.badge_of("AC1" if who != "AC1" else "SV1")
        return [("EX1", do), *([self._confirm(do)] if "badge" in do else [])]

    def _confirm(self, do: dict[str, Any]) -> Command:
        """A third person confirms who has got a badge; now and then one of the two, or one without authority, tries."""
        # By the count of messages, not by luck: so a room plays on as it would without.
        third = ("SU1", "SU1", "SU1", "EX1", "DE1", "AC1", "SU1")[self.room.keys % 7]
        return third, {"kind": "person.confirm", "person": do["person"], "badge": do["badge"]}

    def _new_people(self) -> list[str]:
        """Those who were registered since the room was set up."""
        return sorted(self.floor.people.keys() - PEOPLE.keys())

    def _sign(self) -> list[Command]:
        """Somebody signs in at the desk, or leaves it; by mistake at a controller, or for somebody else."""
        who, at = self.rng.choice(sorted(PEOPLE)), f"device:{DESK}"
        if self.chance(0.7):
            if self.slips():
                at = self.rng.choice((who, f"device:C-{self.plan.tables[0]['table']}"))
            if self.room.keys % 4 == 0:
                return [
                    (at, {"kind": "person.pin", "badge": self.badge_of(who), "pin": "$argon2id$ as a server makes it"})
                ]
            return [
                (at, {"kind": "person.sign-in", "badge": self.badge_of(who), "session": f"session:{self.room.keys}"})
            ]
        there = sorted(self.floor.devices[DESK]["signed_in"])
        if there and not self.slips():
            who = self.rng.choice(there)
        by = self.rng.choice((who, who, at, "EX1"))
        # By the count of messages, not by luck: so a room plays on as it would without.
        if self.room.keys % 3 == 0:
            do = {"kind": "session.revoke", "person": who, "reason": "left without a word"}
            return [(who if by == at else by, do if self.room.keys % 2 else {**do, "badge": self.badge_of("AC1")})]
        return [(by, {"kind": "person.sign-out", "person": who})]

    def _device(self) -> list[Command]:
        """A display or a desk comes, by mistake under an id or a secret that another has; or a display goes."""
        without = self._without_controller()
        if without or self.chance(0.25):
            return self._controller(without)
        displays = [id_ for id_, each in self.floor.devices.items() if each["kind_of"] == "display"]
        if self.chance(0.35):
            # By the count of messages, not by luck: so a room plays on as it would without.
            if self.room.keys % 3 == 0:
                return [("TE1", self._service_goes())]
            return [("TE1", {"kind": "device.retire", "device": self.rng.choice([*displays, "D0"])})]
        self.count += 1
        other = self.rng.choice(sorted(self.floor.devices))
        do: dict[str, Any] = {
            "kind": "device.add",
            "device": f"D{self.count}" if not self.slips(2) else other,
            "kind_of": "display",
            "secret": f"secret {self.count}" if not self.slips(2) else self.floor.devices[other]["secret"],
        }
        if self.chance(0.3):
            do["kind_of"] = "service"
            do |= {"badge": self.badge_of("AC1")} if self.chance(0.7) else {}
        return [("TE1", do)]

    def _service_goes(self) -> dict[str, Any]:
        """A service goes, the desk last; then two people must say so, and by mistake one does."""
        others = [
            id_
            for id_, each in self.floor.devices.items()
            if each["kind_of"] == "service" and each["active"] and id_ != DESK
        ]
        do = {"kind": "device.retire", "device": (others or [DESK])[0]}
        return do if self.room.keys % 10 else do | {"badge": badge("AC1")}

    def _without_controller(self) -> list[str]:
        """Tables whose controller was retired."""
        there = {
            each["table"] for each in self.floor.devices.values() if each["kind_of"] == "controller" and each["active"]
        }
        return sorted(set(self.floor.tables) - there)

    def _controller(self, without: list[str]) -> list[Command]:
        """A table gets another controller from two people from two departments, by mistake from one."""
        self.count += 1
        table = self.rng.choice(without or sorted(self.floor.tables))
        actor, second = self.rng.choice(
            (("TE1", "AC1"), ("TE1", "SU1"), ("EX1", "AC1"), ("TE1", "SU2"), ("TE1", "EX1"))
        )
        do: dict[str, Any] = {
            "kind": "device.add", "device": f"C-{table}-{self.count}", "kind_of": "controller",
            "secret": f"secret {self.count}", "table": table, "badge": self.badge_of(second),
        }  # fmt: skip
        if self.slips(2):
            del do["badge"]
        gone: Command = (actor, {"kind": "device.retire", "device": self.controller(table)})
        return [(actor, do)] if without else [gone, (actor, do)]

    def _paper(self) -> list[Command]:
        games = sorted({table.game for table in self.floor.tables.values()})
        do: dict[str, Any] = {
            "kind": "paper.record", "paper": f"paper-{self.rng.randrange(9)}", "subject": self.rng.choice(games),
            "register": "internal-controls", "fields": {"reference": "IC-7", "approved_on": "2025-11-01"},
            "since": self.room.clock(),
        }  # fmt: skip
        if self.chance(0.6):
            do |= {"register": "face-up-permission", "fields": self._permission(do["subject"])}
        if self.chance(0.1):
            fields = {"sees": ["table", "house-way-display"], "reference": "camera plan 4"}
            do |= {"register": COVERAGE, "subject": self.rng.choice(sorted(self.floor.tables)), "fields": fields}
        if self.slips():
            do["register"] = "nonsense"
        return [(self.rng.choice(("SV1", "EX1")) if do["register"] == COVERAGE else "EX1", do)]

    def _is_covered(self, table: Table) -> bool:
        return bool(self.floor.covering(table, self.room.clock()))

    def _cover(self, table: str) -> list[Command]:
        """The paper for the room's choices at a table: internal controls, by mistake without what they are about.

        Now and then it is an approval of the game, which does for every choice but the full meter to each.
        """
        floor = self.room.writers[0].engine.floor
        drawn = papers_in_order(floor, floor.tables[table], self.room.clock())
        papers = [msgspec.to_builtins(paper) for paper in drawn if paper.register == "internal-controls"]
        game = self.floor.tables[table].game
        approved = next(each["fields"] for each in self.floor.papers_held("game-approval", game, self.room.clock()))
        for paper in papers:
            if self.chance(0.4):
                named = {name: paper["fields"][name] for name in ("hash", "choices") if name in paper["fields"]}
                paper |= {"register": "game-approval", "paper": f"approval-{self.room.keys}"}
                paper["fields"] = {**approved, **named}
            elif self.slips():
                paper["fields"].pop("choices", None)
        return [("EX1", paper) for paper in papers]

    def _permission(self, game: str) -> dict[str, Any]:
        """A letter that permits face-up dealing: the one that is known, or another one."""
        held = self.floor.papers_held("internal-controls", game, self.room.clock())
        controls = held[-1]["fields"]["reference"] if held else "IC-7"
        fields: dict[str, Any] = {"reference": "a letter", "internal_controls": controls}
        if self.chance(0.5):
            return fields | {"issued": LETTER_DAY, "games": list(LETTER_GAMES)}
        named = [TITLES[game], *([f"{TITLES[game]} Progressive"] if self.chance(0.7) else ())]
        fields |= {"issued": LETTER_DAY if self.slips() else "2025-11-15", "games": named}
        return fields | ({"spots": self.rng.randint(2, 6)} if self.chance(0.6) else {})

    def _incident(self) -> list[Command]:
        do = {
            "kind": "incident.record", "code": self.rng.choice(("malfunction", "access", "x")), "device": "C-T1",
            "text": "the sign flickers", "known_at": self.room.clock() - self.rng.choice((0, 10**9, -(10**12))),
        }  # fmt: skip
        return [("TE1", do)]

    def _used_key(self) -> list[Command]:
        """A used key comes with another command, from its sender or another one, or with its own in another session."""
        sent = self.room.checker.sent
        in_session = sorted((each for each in sent.values() if each.session is not None), key=lambda call: call.key)
        # By the count of messages, not by luck: so a room plays on as it would without.
        if in_session and self.room.keys % 3:
            self._ask_again(in_session[self.room.keys % len(in_session)])
            return []
        key = self.rng.choice(sorted(key for _, key in sent))
        do = {"kind": "link.deposit", "link": self._link().id, "cents": 77_700, "paper": "an altered slip"}
        do["badge"] = badge("AC1")
        self.room.wires.send(self.room.message(self.name, "CA1", do, key=key), self.room.now)
        return []

    def _ask_again(self, first: Call) -> None:
        """Somebody sends a command of another's again: without its session, in a made-up one, in a later one."""
        session = (None, "session:of nobody", self.session(first.actor, first.device))[self.room.keys % 7 % 3]
        again = self.room.message(self.name, first.actor, dict(first.do), first.device, first.key, session)
        self.room.wires.send(again, self.room.now)

    def _oddity(self) -> list[Command]:
        """What nobody should try: a second property, a table that is there, somebody else's message."""
        table = self.rng.choice(self.plan.tables)
        first = {"kind": "property.create", "name": "Another Room", "licence": "tribal", "people": []}
        taken_back = {"kind": "message.withdraw", "table": table["table"], "kind_of": "round.start"}
        choices: tuple[Command, ...] = (
            ("EX1", first),
            ("TE1", table),
            ("DE1", taken_back),
            ("device:C-T9", taken_back),
        )
        return [self.rng.choice(choices)]
