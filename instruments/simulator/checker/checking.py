"""One group of commands after the other: what was heard back, what the journal says, and what the documents say."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from instruments.simulator.checker import (  # noqa: F401 - they register their rules
    awards,
    banking,
    changes,
    house,
    links,
    misdeals,
    paper_rounds,
    rounds,
    slips,
    table_keeping,
)
from instruments.simulator.checker.cards import check_reveal
from instruments.simulator.checker.chain import Chain, ChainEntry, Sent
from instruments.simulator.checker.changes import follow_changes
from instruments.simulator.checker.errors import CheckError, require, same
from instruments.simulator.checker.reasons import check_reasons
from instruments.simulator.checker.rules import (
    RULES,
    Call,
    Objection,
    against_actor,
    against_own_badge,
    against_presence,
    against_registrar,
)
from instruments.simulator.checker.secrecy import Secrecy
from instruments.simulator.checker.state import Floor, Round

SLACK_BACK: Final = 2_000_000
"""A clock that lies so little behind the last entry holds nobody up."""
STORE_CODES: Final = frozenset({"store-unavailable"})


@dataclass(frozen=True)
class Reply:
    """What came back for a command: an answer with its place in the journal, or the faults of a refusal."""

    answer: Mapping[str, Any] | None = None
    faults: tuple[Mapping[str, Any], ...] = ()

    @property
    def codes(self) -> set[str]:
        """The codes of the faults."""
        return {str(fault["code"]) for fault in self.faults}


class Checker:
    """A second book-keeper beside the manager."""

    def __init__(self) -> None:
        """Begin before the first entry."""
        self.floor = Floor()
        self.chain = Chain()
        self.secrecy = Secrecy()
        self.accepted: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.sent: dict[Sent, Call] = {}
        self._senders: defaultdict[str, set[str | None]] = defaultdict(set)
        """Commands that were carried out, by key."""

    def drew(self, data: bytes) -> None:
        """Random bytes were handed to the manager."""
        self.secrecy.drew(data)
        self.floor.seeds[hashlib.sha256(data).hexdigest()] = data

    # Groups

    def group(self, calls: Sequence[Call], heard: Sequence[Reply] | None, entries: Sequence[ChainEntry]) -> None:
        """Follow a group of commands that shared a transaction; `heard` is None where the process died meanwhile."""
        waiting = list(entries)
        for number, call in enumerate(calls):
            self._take_own(waiting)
            if heard is None:
                self._unheard(call, waiting, written=bool(entries))
            elif heard[number].answer is None:
                self._refusal(call, heard[number])
            else:
                self._answer(call, heard[number].answer or {}, waiting)
        self._take_own(waiting)
        require(not waiting, "every entry of the journal was asked for", [], [entry.key for entry in waiting])

    def _take_own(self, waiting: list[ChainEntry]) -> None:
        """Follow entries that the manager made of itself."""
        while waiting and waiting[0].actor == "system" and waiting[0].kind != "property.create":
            entry = waiting.pop(0)
            require(entry.kind.startswith("system."), "what the manager does of itself", "system...", entry.kind)
            self._extend(entry)
            same([], entry.transfers, f"transfers of {entry.kind}")
            self._check_secrecy(entry.text, set(), entry.kind)

    def _unheard(self, call: Call, waiting: list[ChainEntry], *, written: bool) -> None:
        # A message that was refused and the one that takes it back can come in one group, under one key.
        if waiting and (waiting[0].sent, waiting[0].actor, waiting[0].kind) == (call.sent, call.actor, call.kind):
            self._carried_out(call, waiting.pop(0))
            self.floor.note("carried out, never acknowledged")
        elif written and not self._is_late(call) and call.sent not in self.chain.by_key and not self._objections(call):
            raise CheckError(f"{call.kind} is missing from a group that was written", "an entry", None)

    def _answer(self, call: Call, answer: Mapping[str, Any], waiting: list[ChainEntry]) -> None:
        if answer["repeated"]:
            self._again(call, answer)
            return
        require(bool(waiting), f"{call.kind} was acknowledged and is in the journal", call.key, None)
        entry = waiting.pop(0)
        same(call.sent, entry.sent, "the journal has the commands in their order")
        same(
            {"seq": entry.seq, "at": entry.at, "hash": entry.hash, "answer": entry.answer},
            {name: answer[name] for name in ("seq", "at", "hash", "answer")},
            f"answer of {call.kind}",
        )
        self._carried_out(call, entry)

    def _again(self, call: Call, answer: Mapping[str, Any]) -> None:
        """A command that came again is answered as it was the first time."""
        earlier = self.chain.by_key.get(call.sent)
        require(earlier is not None, f"{call.kind} is said to be repeated", "an earlier entry", None)
        assert earlier is not None
        first = self.sent[call.sent]
        same((first.actor, first.device, first.do), (call.actor, call.device, call.do), "what a repeated command asked")
        against = [no.why for no in self._against_asking_again(first, call) if no.certain]
        require(not against, f"the answer of {call.kind} is told again only to who sent it", against, "answered")
        same(
            (earlier.seq, earlier.at, earlier.hash, earlier.answer),
            tuple(answer[name] for name in ("seq", "at", "hash", "answer")),
            f"answer of a repeated {call.kind}",
        )
        self._check_seeds_only(str(answer), call.kind)
        self.floor.note("answered again")

    # Refusals

    def _refusal(self, call: Call, heard: Reply) -> None:
        text = json.dumps(list(heard.faults))
        faulty = [code for code in heard.codes if code == "internal-error" or code.startswith("ledger-")]
        require(not faulty, f"{call.kind} hit no internal error", None, text)
        self._check_secrecy(text, self._open_cards(self._round_of(call)), f"the refusal of {call.kind}")
        if heard.codes & STORE_CODES:
            return
        earlier = self.chain.by_key.get(call.sent)
        if earlier is not None:
            self._refused_key(call, heard)
        elif self._is_late(call):
            require(
                "clock-went-back" in heard.codes, f"{call.kind} under a clock that went back", "clock-went-back", text
            )
            self.floor.note("refused: the clock went back")
        else:
            objections = self._objections(call)
            if not objections:
                raise CheckError(
                    f"{call.kind} was refused though nothing speaks against it: {call.do}", "carried out", text
                )
            self.refused[call.kind] += 1
            for why in objections:
                self.floor.note(f"refused {call.kind}: {why.why}")

    def _is_late(self, call: Call) -> bool:
        """Whether the clock has gone back so far that nothing is accepted but two people's word for it."""
        return call.now <= self.chain.at - SLACK_BACK and call.kind != "system.clock"

    def _refused_key(self, call: Call, heard: Reply) -> None:
        """A key that was used is refused only for another command, or to another sender."""
        first = self.sent[call.sent]
        if self._against_asking_again(first, call):
            known = self.floor.devices.get(call.device or "")
            code = "not-signed-in" if known is not None and known["active"] else "unknown-device"
            require(code in heard.codes, "somebody else's command", code, heard.codes)
            self.floor.note("refused: the answer of somebody else's command")
            return
        altered = (first.actor, first.device, first.do) != (call.actor, call.device, call.do)
        require(altered, f"a repeated {call.kind} is answered", "the first answer", heard.codes)
        require("key-reused" in heard.codes, "a key that was used for another command", "key-reused", heard.codes)
        self.floor.note("refused: a key used for another command")
        if first.kind == "message.withdraw":
            self.floor.note("a message came after it was taken back")

    def _against_asking_again(self, first: Call, call: Call) -> list[Objection]:
        """Why whoever sends a command of somebody's again may not have its answer."""
        if (first.actor, first.device) != (call.actor, call.device) or first.session == call.session:
            return []
        return list(against_presence(self.floor, call))

    def _objections(self, call: Call) -> list[Objection]:
        found = RULES[call.kind]
        if call.kind == "property.create":
            return list(found.judge(self.floor, call))
        return [
            *against_actor(self.floor, call, found),
            *against_own_badge(self.floor, call),
            *against_registrar(self.floor, call),
            *found.judge(self.floor, call),
        ]

    # What was carried out

    def _extend(self, entry: ChainEntry) -> None:
        before = self.chain.at
        self.chain.extend(entry)
        if entry.kind != "system.clock":
            require(entry.at >= before, "time goes forward in the journal", before, entry.at)

    def _carried_out(self, call: Call, entry: ChainEntry) -> None:
        require(call.sent not in self.sent, f"{call.kind} was carried out once", None, call.sent)
        self._extend(entry)
        if any(device != call.device for device in self._senders[call.key]):
            self.floor.note("carried out under a key that another sender has used")
        self._senders[call.key].add(call.device)
        self.sent[call.sent] = call
        same((call.actor, call.device, call.kind), (entry.actor, entry.device, entry.kind), "who asked for what")
        _same_command(call.do, entry.do)
        against = [no.why for no in self._objections(call) if no.certain]
        require(not against, f"{call.kind} was carried out though it may not be: {call.do}", against, "carried out")
        round_ = self._round_of(call)
        self.floor.before = dict(self.floor.book)
        RULES[call.kind].apply(self.floor, call, entry)
        if call.kind != "change.approve":
            follow_changes(self.floor, entry)
        self._check_transfers(call, entry)
        check_reasons(self.floor, entry)
        self._check_cards(call, entry, round_)
        self.accepted[call.kind] += 1

    def _check_transfers(self, call: Call, entry: ChainEntry) -> None:
        floor = self.floor
        moved = {
            account: balance - floor.before.get(account, 0)
            for account, balance in floor.book.items()
            if balance != floor.before.get(account, 0)
        }
        found = entry.moved
        if moved != found:
            accounts = sorted(name for name in moved.keys() | found.keys() if moved.get(name) != found.get(name))
            raise CheckError(
                f"transfers of {call.kind} {call.do}",
                {name: moved.get(name, 0) for name in accounts},
                {name: found.get(name, 0) for name in accounts},
            )

    def _check_cards(self, call: Call, entry: ChainEntry, round_: Round | None) -> None:
        """Cards and seeds are told from their reveal on, and no earlier."""
        ended = call.kind in ("round.end", "round.void", "round.misdeal") or (
            call.kind == "round.decide" and call["decision"] == "void"
        )
        if ended and round_ is not None and round_.deal is not None:
            check_reveal(self.floor, entry, round_, over=True)
            self.secrecy.reveal(entry.answer["reveal"]["seed"])
            self._check_seeds_only(entry.text, entry.kind)
            return
        check_reveal(self.floor, entry, round_, over=False)
        found = round_ or self.floor.rounds.get(str(entry.answer.get("round", "")))
        self._check_secrecy(entry.text, self._open_cards(found), entry.kind)

    def _round_of(self, call: Call) -> Round | None:
        do, floor = call.do, self.floor
        if "round" in do:
            return floor.rounds.get(do["round"])
        if call.kind in ("jackpot.pay", "jackpot.reject"):
            award = floor.award(do["award"])
            return None if award is None else floor.rounds[award.round]
        if call.kind == "change.approve":
            what = floor.proposals.get(do["proposal"], {}).get("what", {})
            award = floor.paid_awards.get(what.get("award", ""))
            if what.get("change") == "roles":
                return self._dealt_by(what["person"])
            return None if award is None else floor.rounds.get(award.round)
        if call.kind in ("person.change", "session.revoke"):
            return self._dealt_by(do["person"])
        if call.kind in ("device.add", "device.retire"):
            # So does one whose table gets another controller.
            known = floor.devices.get(do["device"], {})
            table = floor.tables.get(do.get("table") or known.get("table") or "")
            return None if table is None else floor.rounds.get(table.round or "")
        return None

    def _dealt_by(self, person: str) -> Round | None:
        """The round that somebody deals: a dealer who has to leave the table stays on record with it."""
        dealt = (table.round for table in self.floor.tables.values() if table.dealer == person)
        return self.floor.rounds.get(next(dealt, None) or "")

    def _open_cards(self, round_: Round | None) -> set[str]:
        return set() if round_ is None else round_.open_cards

    def _check_seeds_only(self, text: str, what: str) -> None:
        self.secrecy.check_seeds(text, what)

    def _check_secrecy(self, text: str, allowed: set[str], what: str) -> None:
        self.secrecy.check_seeds(text, what)
        self.secrecy.check_cards(text, allowed, what)

    # Signs and the end

    def check_signs(self, told: Mapping[str, Mapping[str, int]]) -> None:
        """What the signs show, by link and level in micros, is what the documents say they show."""
        for link_id, levels in told.items():
            link = self.floor.links[link_id]
            expected = {level: self.floor.shown(link, level) for level in (link.levels or link.prizes)}
            same(expected, dict(levels), f"sign of {link_id}")

    def finish(self) -> None:
        """The books at the end: every account is explained, and all of them together are zero."""
        books = {name: balance for name, balance in self.floor.book.items() if balance}
        same(books, {name: balance for name, balance in self.chain.balances.items() if balance}, "books at the end")
        same(0, sum(self.chain.balances.values()), "sum of all balances")
        for link in self.floor.links.values():
            for level in link.levels.values():
                # Each wager that was given back took its own remainder with it, which is less than one.
                off = abs(level.due - level.posted)
                require(off <= 1 + level.undone, f"contributions of {link.id}/{level.name}", level.due, level.posted)


def _same_command(sent: object, kept: object, path: str = "do") -> None:
    """The journal holds the command as it was sent; fields that were left out stand there with what holds for them."""
    if isinstance(sent, Mapping) and isinstance(kept, Mapping):
        for name, value in sent.items():
            require(name in kept, f"{path}.{name} is in the journal", value, None)
            _same_command(value, kept[name], f"{path}.{name}")
    else:
        same(sent, kept, path)
