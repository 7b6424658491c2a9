"""Changes by two people, from the documents: parameters between rounds only, money under a reason code, back-outs.

An amount on a sign goes down only because it was won, to correct a malfunction or a voided round, above a posted limit,
to recover seed money, or by booking funds that are not displayed: every reason code says what it may move, where to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from instruments.simulator.checker.chain import ChainEntry
from instruments.simulator.checker.errors import CheckError, require, same
from instruments.simulator.checker.links import rate
from instruments.simulator.checker.meters import count_recovered, recover, room
from instruments.simulator.checker.rules import Call, Objection, against_badge, against_blank, rule
from instruments.simulator.checker.slips import voided_with
from instruments.simulator.checker.state import MICROS_PER_CENT, Award, Floor, Link

PROPOSERS: Final = ("supervisor", "executive", "accounting", "technician", "cage")
APPROVERS: Final = ("executive", "accounting")
BACK_OUT_APPROVERS: Final = ("supervisor", "executive", "accounting")
BETWEEN_ROUNDS: Final = ("level", "limit", "link", "prizes", "retire")
MONEY: Final = ("meter", "overflow", "reserve")


class Code(NamedTuple):
    """What a reason code may move: up or down, on which accounts, and what stands on the other side."""

    way: str
    accounts: tuple[str, ...]
    other: str


CODES: Final = {
    "won": Code("down", ("meter",), "paid"),
    "malfunction": Code("both", MONEY, "house"),
    "above-limit": Code("down", ("meter",), "overflow"),
    "recover-seed": Code("down", ("meter",), "seed"),
    "book-receipts": Code("down", ("reserve", "overflow"), "receipts"),
    "voided-round": Code("down", MONEY, "receipts"),
    "seed-added": Code("up", ("meter",), "seed"),
    "reserve-released": Code("up", ("meter",), "reserve"),
    "overflow-released": Code("up", ("meter",), "overflow"),
    "carried": Code("up", ("meter",), "house"),
}


# Proposals


def _judge_propose(floor: Floor, call: Call) -> Iterator[Objection]:
    yield from against_blank(call["reason"])
    what = call["what"]
    if what.get("change") not in EFFECTS:
        yield Objection("no such change")
        return
    if what["change"] == "adjustment":
        yield from _against_adjustment(floor, what)
    elif what["change"] == "back-out":
        award = floor.paid_awards.get(what["award"])
        if award is None or award.status != "paid":
            yield Objection("no such award was paid")
        else:
            yield from _against_unsaid_reseed(floor, what, award)
    elif what["change"] == "limit":
        yield from _against_limit(floor, what)
    elif what["change"] == "roles":
        if what["person"] == call.actor:
            yield Objection("nobody may change their own roles")
        yield from _against_badge(floor, what)
    yield from _against_second(floor, what)
    if "link" in what and what["link"] not in floor.links:
        yield Objection("no such link")
    yield Objection("a change must be possible as things stand", certain=False)


def _against_second(floor: Floor, what: dict[str, Any]) -> Iterator[Objection]:
    """What is done once, a back-out or a retirement, is not put before anybody a second time while it waits."""
    about = {"back-out": "award", "retire": "link"}.get(what["change"])
    if about is None:
        return
    for proposal in floor.proposals.values():
        same_kind = proposal["status"] != "lapsed" and proposal["what"]["change"] == what["change"]
        if same_kind and proposal["what"][about] == what[about]:
            yield Objection("the same is proposed already")


def _against_unsaid_reseed(floor: Floor, what: dict[str, Any], award: Award) -> Iterator[Objection]:
    """Where a backed-out award has restarted its level, it must be said whether the house takes that seed back."""
    if what.get("recover_seed") is not None or award.source != "meter" or award.percent != 100:
        return
    level = floor.links[award.link].levels[award.level or ""]
    path, run = f"{award.link}/{level.name}", level.generation
    brought = level.brought.get(run, 0) - level.recovered.get(run, 0)
    there = min(brought, floor.held(f"meter/{path}"), floor.book.get(f"seed/{path}", 0))
    yield Objection("what becomes of the reseed was not said", certain=there > 0 and run in level.brought)


def _against_badge(floor: Floor, what: dict[str, Any]) -> Iterator[Objection]:
    """A role over money or configuration, or a dealer's, goes only with a badge that two people issued."""
    person = floor.people.get(what["person"])
    if person is not None and person.badge is not None and not person.by_two and set(what["roles"]) - {"auditor"}:
        yield Objection("one person alone issued the badge")


def _against_adjustment(floor: Floor, what: dict[str, Any]) -> Iterator[Objection]:
    code, account = CODES.get(what["code"]), what.get("account", "meter")
    if code is None:
        yield Objection("a reason outside the closed list")
        return
    way = "up" if what["micros"] > 0 else "down"
    if what["micros"] == 0 or code.way not in (way, "both"):
        yield Objection("the reason does not move money that way")
    if account not in code.accounts:
        yield Objection("the reason is not for this account")
    if what["micros"] < 0 and floor.held(f"{account}/{what['link']}/{what['level']}") < -what["micros"]:
        yield Objection("it would fall below zero")
    if what["code"] == "above-limit":
        yield Objection("nothing stands above a posted limit")


def _against_limit(floor: Floor, what: dict[str, Any]) -> Iterator[Objection]:
    link = floor.links.get(what["link"])
    if link is None or what["level"] not in link.levels or what["limit"] is None:
        return
    if what["limit"] * MICROS_PER_CENT < floor.shown(link, what["level"]):
        # While a round is in play, the amount that counts is the one at its end.
        yield Objection("a limit below the amount on the sign", certain=not floor.busy(link.id))


@rule("change.propose", *PROPOSERS)(_judge_propose)
def _apply_propose(floor: Floor, call: Call, entry: ChainEntry) -> None:
    answer = entry.answer
    floor.proposals[answer["proposal"]] = {
        "what": dict(call["what"]), "by": call.actor, "hash": answer["content_hash"], "status": "open",
        "device": call.device, "at": entry.at,
    }  # fmt: skip
    _same_what(call["what"], answer["what"])


def _same_what(sent: dict[str, Any], told: dict[str, Any]) -> None:
    """What is put before the second person is what was proposed, with nothing added but what was left out."""
    for name, value in sent.items():
        same(value, told.get(name), f"{name} of the proposed change")


def _judge_approve(floor: Floor, call: Call) -> Iterator[Objection]:
    proposal = floor.proposals.get(call["proposal"])
    if proposal is None or proposal["status"] != "open":
        yield Objection("no such open proposal")
        return
    if call["content_hash"] != proposal["hash"]:
        yield Objection("the approval is not of what was proposed")
    roles = BACK_OUT_APPROVERS if proposal["what"]["change"] == "back-out" else APPROVERS
    yield from against_badge(floor, call["badge"], roles)
    approver, proposer = floor.person_of_badge(call["badge"]), floor.people[proposal["by"]]
    if approver is not None and approver.department == proposer.department:
        yield Objection("two departments must agree")
    if proposal["what"]["change"] == "roles":
        yield from _against_badge(floor, proposal["what"])
    if not proposer.active:
        yield Objection("who proposed it is no longer on duty", certain=False)
    if approver is not None and approver.id != call.actor:
        yield Objection("somebody else's badge", certain=False)
    yield Objection("a change must be possible as things stand", certain=False)


@rule("change.approve")(_judge_approve)
def _apply_approve(floor: Floor, call: Call, entry: ChainEntry) -> None:
    proposal = floor.proposals[call["proposal"]]
    approver = floor.person_of_badge(call["badge"])
    same(None if approver is None else approver.id, entry.answer["approved_by"], "who approved")
    status = entry.answer["status"]
    if status != "waiting":
        make(floor, call["proposal"], entry, dict(entry.answer))
        return
    what = proposal["what"]
    link = floor.links.get(what.get("link", ""))
    require(link is not None, "only a change of a link waits")
    if what.get("when") != "won":
        require(floor.busy(what["link"]), "a change waits only while a round is in play", "made", "waiting")
    proposal["status"] = "waiting"
    floor.note(f"a change waits for {'the level to be won' if what.get('when') == 'won' else 'the round'}")
    if link is not None and what.get("drain", what["change"] == "retire") and link.status == "open":
        link.status = "draining"
        floor.note("a link drains")


def _judge_withdraw(floor: Floor, call: Call) -> Iterator[Objection]:
    proposal = floor.proposals.get(call["proposal"])
    if proposal is None or proposal["status"] not in ("open", "waiting", "lapsed"):
        yield Objection("no such proposal")
        return
    if call.actor != proposal["by"] and not floor.has_role(call.actor, "executive"):
        yield Objection("only whoever made it, or an executive, takes it back")
    yield from against_blank(call["reason"])


@rule("change.withdraw", *PROPOSERS)(_judge_withdraw)
def _apply_withdraw(floor: Floor, call: Call, _entry: ChainEntry) -> None:
    proposal = floor.proposals.pop(call["proposal"])
    end_drain(floor, proposal["what"].get("link"))


def end_drain(floor: Floor, link_id: str | None) -> None:
    """A link plays again once no approved change keeps it from taking wagers."""
    link = floor.links.get(link_id or "")
    if link is None or link.status != "draining":
        return
    kept = any(
        each["status"] == "waiting"
        and each["what"].get("link") == link_id
        and each["what"].get("drain", each["what"]["change"] == "retire")
        for each in floor.proposals.values()
    )
    if not kept:
        link.status = "open"


# Changes that waited


def follow_changes(floor: Floor, entry: ChainEntry) -> None:
    """Make the waiting changes that an entry says were made, after checking that their moment had come."""
    for made in entry.answer.get("changes", ()):
        proposal = floor.proposals.get(made["proposal"])
        if proposal is None or proposal["status"] != "waiting":
            raise CheckError("a change was made that was not waiting", None, made)
        what = proposal["what"]
        if made["status"] == "lapsed":
            proposal["status"] = "lapsed"
            floor.note("a change lapsed")
            end_drain(floor, proposal["what"].get("link"))
        else:
            floor.note(f"a change was made {'at the win' if what.get('when') == 'won' else 'after the round'}")
            make(floor, made["proposal"], entry, made)
    for id_, proposal in floor.proposals.items():
        what = proposal["what"]
        if proposal["status"] == "waiting" and what.get("when") != "won" and not floor.busy(what["link"]):
            raise CheckError(f"change {id_} still waits although no round is in play on {what['link']}")


def make(floor: Floor, id_: str, entry: ChainEntry, told: dict[str, Any]) -> None:
    """Let a change take effect: between rounds, if it is one of parameters."""
    proposal = floor.proposals.pop(id_)
    what = proposal["what"]
    if what["change"] in BETWEEN_ROUNDS and what.get("when") != "won":
        require(not floor.busy(what["link"]), f"change {id_} took effect in the middle of a round")
    if what["change"] == "adjustment" and lowers_sign(what):
        require(not floor.busy(what["link"]), f"adjustment {id_} lowered the sign in the middle of a round")
    EFFECTS[what["change"]](floor, what, entry, told)
    if what["change"] in BETWEEN_ROUNDS:
        floor.links[what["link"]].changed_at = entry.at
    floor.note(f"change: {what['change']}")
    if what["change"] == "adjustment":
        floor.note(f"adjustment: {what['code']}")
    end_drain(floor, what.get("link"))


def lowers_sign(what: dict[str, Any]) -> bool:
    """Whether an adjustment lowers a displayed amount that nobody has been paid."""
    return bool(what.get("account", "meter") == "meter" and what["micros"] < 0 and what["code"] != "won")


# Effects


def left(floor: Floor, entry: ChainEntry, account: str) -> int:
    """What an entry moved on an account beyond what the checker's books have done for it so far."""
    return entry.moved.get(account, 0) - (floor.book.get(account, 0) - floor.before.get(account, 0))


def _level(floor: Floor, what: dict[str, Any], entry: ChainEntry, _told: dict[str, Any]) -> None:
    level = floor.links[what["link"]].levels[what["level"]]
    was = level.seed
    if what.get("seed") is not None:
        level.seed = what["seed"]
    if what.get("contribution") is not None:
        level.rate = rate(what["contribution"])
    if what.get("reserve") is not None:
        level.reserve_rate = rate(what["reserve"])
    if "executive_from" in what:
        level.executive_from = what["executive_from"]
    if what.get("when") == "won":
        _restart(floor, what["link"], level.name, (level.seed - was) * MICROS_PER_CENT, entry)


def _restart(floor: Floor, link: str, level: str, more: int, entry: ChainEntry) -> None:
    """A level that was just won restarts at its new seed: the house adds the difference, or takes it back."""
    path = f"{link}/{level}"
    if more >= 0:
        put_on_meter(floor, floor.links[link], level, f"seed/{path}", more)
        count_recovered(floor.links[link].levels[level], -more)
    else:
        back = min(-more, floor.held(f"meter/{path}"))
        back = min(back, max(0, left(floor, entry, f"meter/{path}")))
        floor.move(f"meter/{path}", f"seed/{path}", back)
        count_recovered(floor.links[link].levels[level], back)


def put_on_meter(floor: Floor, link: Link, level: str, source: str, micros: int) -> None:
    """Money goes onto a meter as far as its posted limit lets, and beyond it into the overflow."""
    onto = min(micros, room(floor, link, link.levels[level]))
    floor.move(source, f"meter/{link.id}/{level}", onto)
    if source != f"overflow/{link.id}/{level}":
        floor.move(source, f"overflow/{link.id}/{level}", micros - onto)


def _limit(floor: Floor, what: dict[str, Any], _entry: ChainEntry, _told: dict[str, Any]) -> None:
    link = floor.links[what["link"]]
    level = link.levels[what["level"]]
    if what["limit"] is not None:
        shown = floor.shown(link, level.name)
        require(
            what["limit"] * MICROS_PER_CENT >= shown, "a limit is set at or above the amount on the sign", shown, what
        )
    level.limit = what["limit"]
    path = f"{link.id}/{level.name}"
    floor.move(f"overflow/{path}", f"meter/{path}", min(floor.held(f"overflow/{path}"), room(floor, link, level)))


def _link(floor: Floor, what: dict[str, Any], _entry: ChainEntry, _told: dict[str, Any]) -> None:
    link = floor.links[what["link"]]
    for name in ("wager", "fixed_pays", "display_falls", "shows_contributions", "order", "fixed_supervisor_from"):
        if what.get(name) is not None:
            setattr(link, name, what[name])
    if link.fixed_pays == "meter":
        require(link.printed.fixed_from_meter, f"{link.printed.id} pays fixed hands from the tray")


def _prizes(floor: Floor, what: dict[str, Any], _entry: ChainEntry, told: dict[str, Any]) -> None:
    link = floor.links[what["link"]]
    if what.get("withdraw"):
        link.status = "retired"
    else:
        link.prizes |= what.get("prizes", {})
    same(link.prizes, told["prizes"], f"posted prizes of {link.id}")


def _adjustment(floor: Floor, what: dict[str, Any], _entry: ChainEntry, _told: dict[str, Any]) -> None:
    reason = CODES[what["code"]]
    path, micros = f"{what['link']}/{what['level']}", what["micros"]
    account = f"{what.get('account', 'meter')}/{path}"
    other = _other_side(reason, what, path)
    link = floor.links[what["link"]]
    if what["code"] == "seed-added":
        count_recovered(link.levels[what["level"]], -micros)
    if micros > 0 and account.startswith("meter/"):
        put_on_meter(floor, link, what["level"], other, micros)
    elif micros > 0:
        floor.move(other, account, micros)
    else:
        require(floor.held(account) >= -micros, f"{account} may not fall below zero", floor.held(account), micros)
        if what["code"] == "recover-seed":
            recover(floor, link, link.levels[what["level"]], -micros)
        else:
            floor.move(account, other, -micros)


def _other_side(code: Code, what: dict[str, Any], path: str) -> str:
    table = what.get("table")
    if code.other == "receipts" or (code.other == "house" and table is not None):
        return f"receipts/{table}"
    if code.other == "house":
        return "house"
    return f"paid/{what['link']}" if code.other == "paid" else f"{code.other}/{path}"


def _back_out(floor: Floor, what: dict[str, Any], entry: ChainEntry, _told: dict[str, Any]) -> None:
    """A paid award goes back to where it came from, once."""
    award = floor.paid_awards[what["award"]]
    same("paid", award.status, f"{award.id} is backed out once")
    amount = award.cents * MICROS_PER_CENT
    if award.source != "meter" and award.round not in floor.rounds:
        floor.note("an award of tray or house was backed out after its round")
    if award.source == "tray":
        floor.move(f"tray/{award.table}", f"receipts/{award.table}", amount)
    elif award.source == "house":
        floor.move(f"paid/{award.link}", f"prizes/{award.link}", amount)
    else:
        # The reseed is taken back before the award returns, so that the limit does not cut what was there before.
        link = floor.links[award.link]
        # What the house had added so that each winner gets the full meter goes back to the house, not to the players.
        floor.move(f"paid/{award.link}", f"seed/{award.link}/{award.level}", award.lent)
        if award.lent:
            floor.note("an advance of the house went back with its award")
        if what.get("recover_seed"):
            _recover_seed(floor, link, award.level or "", entry)
        put_on_meter(floor, link, award.level or "", f"paid/{award.link}", amount - award.lent)
    award.status = "backed out"
    voided_with(floor, award.id)
    floor.tables[award.table].undone.append(award.id)
    round_ = floor.rounds.get(award.round)
    if round_ is not None:
        round_.awards.pop(award.id, None)


def _recover_seed(floor: Floor, link: Link, level: str, entry: ChainEntry) -> None:
    """The house may take seed money back as far as it is on the meter; how much of it is still there, is told."""
    seed, meter = f"seed/{link.id}/{level}", f"meter/{link.id}/{level}"
    back = max(0, -left(floor, entry, seed))
    require(back <= floor.held(meter), "seed money is recovered from the meter", floor.held(meter), back)
    require(back <= max(0, floor.book.get(seed, 0)), "no more seed than was advanced", floor.book.get(seed, 0), back)
    recover(floor, link, link.levels[level], back)
    if back:
        floor.note("seed money was recovered")


def _retire(floor: Floor, what: dict[str, Any], entry: ChainEntry, _told: dict[str, Any]) -> None:
    """The players' money goes onto other progressives or is put aside for promotions, all of it; the bank follows."""
    link = floor.links[what["link"]]
    for level in link.levels:
        path = f"{link.id}/{level}"
        if what.get("recover_seed"):
            _recover_seed(floor, link, level, entry)
        to = what.get("to", {}).get(level)
        for kind in MONEY:
            held = floor.held(f"{kind}/{path}")
            if held and level in what.get("promotions", {}):
                floor.move(f"{kind}/{path}", f"promotion/{path}", held)
                floor.note("money was put aside for a promotion")
            elif held:
                require(to is not None, f"the players' money of {path} goes to another progressive", held, to)
                put_on_meter(floor, floor.links[to["link"]], to["level"], f"{kind}/{path}", held)
    link.status = "retired"
    _follow_bank(floor, link, [each["link"] for each in what.get("to", {}).values()], entry)


def _drop_promotion(floor: Floor, what: dict[str, Any], entry: ChainEntry, _told: dict[str, Any]) -> None:
    """What a promotion has not given back goes onto another progressive; the bank account follows."""
    link, other = floor.links[what["link"]], floor.links[what["to_link"]]
    source = f"promotion/{link.id}/{what['level']}"
    put_on_meter(floor, other, what["to_level"], source, floor.held(source))
    _follow_bank(floor, link, [other.id], entry)


def _follow_bank(floor: Floor, link: Link, takers: list[str], entry: ChainEntry) -> None:
    """A retired link's account follows the money; what waits for promotions stays, the rest goes to the house."""
    bank = floor.book.get(f"bank/{link.id}", 0)
    for other in dict.fromkeys(takers):
        moved = left(floor, entry, f"bank/{other}")
        require(0 <= moved <= bank, f"bank of {other} takes over from {link.id}", bank, moved)
        floor.move(f"bank/{other}", f"bank/{link.id}", moved)
        bank -= moved
    waits = sum(floor.held(f"promotion/{link.id}/{level}") for level in link.levels)
    floor.move("house", f"bank/{link.id}", max(0, bank - waits))


def _setting(floor: Floor, what: dict[str, Any], entry: ChainEntry, told: dict[str, Any]) -> None:
    since = told["since"]
    require(
        what.get("since") in (None, since), "a setting holds from the time that was proposed", what.get("since"), since
    )
    require(since >= entry.at, "a setting is never changed for the past", entry.at, since)
    floor.settings.setdefault(what["name"], []).append((since, what["value"]))
    floor.settings[what["name"]].sort(key=lambda each: each[0])


def _roles(floor: Floor, what: dict[str, Any], _entry: ChainEntry, _told: dict[str, Any]) -> None:
    person, roles = floor.people[what["person"]], frozenset(what["roles"])
    loses, did_count = person.roles - roles, person.counts
    person.roles = roles
    if loses:
        floor.close_proposals(person.id)
    if loses or (did_count and not person.counts):
        for device in floor.devices.values():
            device["signed_in"].pop(person.id, None)
    for table in floor.tables.values():
        if table.dealer == what["person"] and "dealer" not in what["roles"]:
            table.dealer = None


EFFECTS: Final[dict[str, Callable[[Floor, dict[str, Any], ChainEntry, dict[str, Any]], None]]] = {
    "level": _level,
    "limit": _limit,
    "link": _link,
    "prizes": _prizes,
    "adjustment": _adjustment,
    "back-out": _back_out,
    "retire": _retire,
    "drop-promotion": _drop_promotion,
    "setting": _setting,
    "roles": _roles,
}
