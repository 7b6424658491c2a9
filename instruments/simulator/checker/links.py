"""Links by the documents: drawn up on one pay table, opened with amounts on record, stopped, resumed, deposited for."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from instruments.simulator.checker.chain import ChainEntry
from instruments.simulator.checker.errors import require, same
from instruments.simulator.checker.rules import Call, Objection, against_badge, against_blank, rule
from instruments.simulator.checker.state import MICROS_PER_CENT, Floor, Level, Link

OFFICE: Final = ("supervisor", "executive", "accounting")


def rate(text: str) -> Fraction:
    """A share as it is written: "1/3", "0.215" or "21.5%"."""
    return Fraction(text[:-1]) / 100 if text.endswith("%") else Fraction(text)


def _judge_create(floor: Floor, call: Call) -> Iterator[Objection]:
    if call["link"] in floor.links:
        yield Objection("there is such a link already")
    printed = floor.printed.get(call["paytable"])
    if printed is None:
        yield Objection("no such pay table of jackpots")
        return
    levels, prizes = call.get("levels", {}), call.get("prizes", {})
    if call["linked_as"] == "house":
        if levels or set(prizes) != set(printed.levels):
            yield Objection("a house jackpot has a posted prize for every level and no meter")
        if call.get("fixed_pays", "tray") == "meter":
            yield Objection("a house jackpot has no meter to pay from")
    else:
        if prizes or set(levels) != set(printed.levels):
            yield Objection("a progressive has exactly the levels of its pay table")
        yield from _against_levels(levels)
        if call.get("fixed_pays", "tray") == "meter" and not printed.fixed_from_meter:
            yield Objection("the sheet pays fixed hands from the tray")
    yield Objection("a property's own limits may forbid it", certain=False)


def _against_levels(levels: dict[str, dict[str, Any]]) -> Iterator[Objection]:
    total = sum((rate(each["contribution"]) + rate(each.get("reserve", "0")) for each in levels.values()), Fraction(0))
    if total > 1:
        yield Objection("more is put aside than is wagered")
    for each in levels.values():
        if each["seed"] < 0 or rate(each["contribution"]) < 0:
            yield Objection("an amount below zero")
        if each.get("limit") is not None and each["limit"] < each["seed"]:
            yield Objection("a limit below the seed")


@rule("link.create", *OFFICE, "technician")(_judge_create)
def _apply_create(floor: Floor, call: Call, _entry: ChainEntry) -> None:
    levels = {name: level_of(name, each) for name, each in call.get("levels", {}).items()}
    floor.links[call["link"]] = Link(
        call["link"], call["linked_as"], floor.printed[call["paytable"]], call.get("wager", 100),
        call.get("fixed_pays", "tray"), levels, dict(call.get("prizes", {})), call.get("display_falls", "at-payment"),
        call.get("shows_contributions", "at-start"), call.get("order", "seat-order"),
        call.get("fixed_supervisor_from", 100_00), decks=call.get("decks", 1),
    )  # fmt: skip


def level_of(name: str, given: dict[str, Any]) -> Level:
    """A level with its parameters as they were given."""
    return Level(
        name, given["seed"], rate(given["contribution"]), rate(given.get("reserve", "0")), given.get("limit"),
        given.get("executive_from"),
    )  # fmt: skip


def against_second(
    floor: Floor, call: Call, *, other_department: bool = False, roles: tuple[str, ...] = OFFICE
) -> Iterator[Objection]:
    """Why the second badge does not do: it must be of the office, and another person's."""
    yield from against_badge(floor, call["badge"], roles, call.actor)
    person, actor = floor.person_of_badge(call["badge"]), floor.people.get(call.actor)
    if other_department and person is not None and actor is not None and person.department == actor.department:
        yield Objection("the second person must be from another department")


def _judge_open(floor: Floor, call: Call) -> Iterator[Objection]:
    link = floor.links.get(call["link"])
    if link is None:
        yield Objection("no such link")
        return
    if link.status != "draft":
        yield Objection("the link was opened before")
    yield from against_second(floor, call, other_department=True)
    if set(call["opening"]) != set(link.levels):
        yield Objection("the opening amount of exactly its levels")
        return
    for name, sources in call["opening"].items():
        total = sum(sources.values())
        limit = link.levels[name].limit
        if any(cents < 0 for cents in sources.values()):
            yield Objection("an amount below zero")
        if limit is not None and total > limit:
            yield Objection("it would open above its limit")
        if sources.get("carried") and not call.get("note", "").strip():
            yield Objection("carried money says where it comes from")
    yield Objection("what a link needs to open is the room's matter too", certain=False)


@rule("link.open", *OFFICE)(_judge_open)
def _apply_open(floor: Floor, call: Call, _entry: ChainEntry) -> None:
    link = floor.links[call["link"]]
    link.status = "open"
    for name, sources in call["opening"].items():
        meter = f"meter/{link.id}/{name}"
        floor.move(f"seed/{link.id}/{name}", meter, sources.get("seed", 0) * MICROS_PER_CENT)
        floor.move("house", meter, sources.get("carried", 0) * MICROS_PER_CENT)


def _judge_deposit(floor: Floor, call: Call) -> Iterator[Objection]:
    link = floor.links.get(call["link"])
    if link is None:
        yield Objection("no such link")
        return
    if link.kind != "progressive":
        yield Objection("a house jackpot has no account of its own")
    waits = any(floor.held(f"promotion/{link.id}/{level}") for level in link.levels)
    if link.status == "draft" or (link.status == "retired" and not waits and not floor.book.get(f"bank/{link.id}", 0)):
        yield Objection("nothing is deposited for a link that is not in play", certain=link.status == "draft")
    if call["cents"] == 0:
        yield Objection("nothing moves")
    if call["cents"] < 0 and floor.book.get(f"bank/{link.id}", 0) < -call["cents"] * MICROS_PER_CENT:
        yield Objection("the account holds less")
    yield from against_second(floor, call, other_department=True, roles=(*OFFICE, "cage"))
    yield from against_blank(call["paper"])


@rule("link.deposit", "cage", "accounting", "executive")(_judge_deposit)
def _apply_deposit(floor: Floor, call: Call, entry: ChainEntry) -> None:
    amount, bank = abs(call["cents"]) * MICROS_PER_CENT, f"bank/{call['link']}"
    if call["cents"] > 0:
        floor.move(bank, "house", amount)
    else:
        floor.move("house", bank, amount)
    link = floor.links[call["link"]]
    _adopt_status(link, entry, ("retired",) if link.status == "retired" else ("open", "draining", "stopped"))


def _judge_promotion(floor: Floor, call: Call) -> Iterator[Objection]:
    link = floor.links.get(call["link"])
    if link is None or call["level"] not in link.levels:
        yield Objection("no such link or level")
        return
    left = floor.held(f"promotion/{link.id}/{call['level']}")
    if not left:
        yield Objection("no money waits for a promotion")
    elif not 0 < call["cents"] <= -(-left // MICROS_PER_CENT):
        yield Objection("more than is left for the promotion, or nothing")
    yield from against_second(floor, call, other_department=True, roles=(*OFFICE, "cage"))
    yield from against_blank(call["paper"])


@rule("promotion.pay", "cage", "accounting", "executive")(_judge_promotion)
def _apply_promotion(floor: Floor, call: Call, entry: ChainEntry) -> None:
    """Players get whole cents; the house adds what the last one lacks."""
    source, amount = f"promotion/{call['link']}/{call['level']}", call["cents"] * MICROS_PER_CENT
    floor.move(f"prizes/{call['link']}", source, max(0, amount - floor.held(source)))
    floor.move(source, f"paid/{call['link']}", amount)
    same(floor.held(source), entry.answer["left_micros"], f"what is left of {source}")
    floor.note("a promotion gave money back" if floor.held(source) else "a promotion gave all money back")


def _adopt_status(link: Link, entry: ChainEntry, among: tuple[str, ...]) -> None:
    status = entry.answer["status"]
    require(status in among, f"status of {link.id}", among, status)
    link.status = status


def _judge_stop(floor: Floor, call: Call) -> Iterator[Objection]:
    link = floor.links.get(call["link"])
    if link is None:
        yield Objection("no such link")
        return
    if link.status not in ("open", "draining"):
        yield Objection("there is nothing to stop")
    yield from against_second(floor, call)
    yield from against_blank(call["reason"])


@rule("link.stop", *OFFICE)(_judge_stop)
def _apply_stop(floor: Floor, call: Call, entry: ChainEntry) -> None:
    link = floor.links[call["link"]]
    link.status, link.cause = "stopped", call["cause"]
    same("stopped", entry.answer["status"], f"status of {link.id}")


def _judge_resume(floor: Floor, call: Call) -> Iterator[Objection]:
    link = floor.links.get(call["link"])
    if link is None:
        yield Objection("no such link")
        return
    if link.status != "stopped":
        yield Objection("there is nothing to resume")
    # What was seized is players' money: no single department lets it be played for again.
    yield from against_second(floor, call, other_department=link.cause == "funds-seized")
    yield from against_blank(call["paper"])
    if link.cause == "account-short":
        yield Objection("the account may still be short", certain=False)


@rule("link.resume", *OFFICE)(_judge_resume)
def _apply_resume(floor: Floor, call: Call, entry: ChainEntry) -> None:
    link = floor.links[call["link"]]
    drained = any(
        each["status"] == "waiting"
        and each["what"].get("drain", each["what"]["change"] == "retire")
        and each["what"].get("link") == link.id
        for each in floor.proposals.values()
    )
    _adopt_status(link, entry, ("open", "draining", "retired") if drained else ("open",))
