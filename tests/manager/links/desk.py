"""What the tests of links ask of a room again and again: links drawn up and opened, changes proposed and approved."""

from __future__ import annotations

from typing import Any

from houseway.manager.commands.link_commands import Approve, CreateLink, OpenLink, Propose, Withdraw
from houseway.manager.commands.round_commands import (
    AddReference,
    EndRound,
    HitJackpot,
    PayJackpot,
    PressHand,
    StartRound,
)
from houseway.manager.core.link_entities import Level, LevelParameters, Link
from houseway.manager.handlers.link_rules import sensors_of
from houseway.paytables import paytable
from tests.manager.floors import (
    ACCOUNTING,
    DEALER,
    EXECUTIVE,
    OTHER_DEALER,
    SUPERVISOR,
    SURVEILLANCE,
    Room,
    badge,
    new_room,
)

MAIN = {"main": LevelParameters(250_000, "15/100", "1/100")}
"""A level that no recommendation of FPGPP-WA01's sheet is against."""


def draft(room: Room, link: str = "L1", paytable_id: str = "FPGPP-WA01", **more: Any) -> dict[str, Any]:
    """Draw a progressive up; its answer."""
    levels = more.pop("levels", None) or dict.fromkeys(paytable(paytable_id).levels, MAIN["main"])
    return room.do(ACCOUNTING, CreateLink(link, "progressive", paytable_id, levels, **more))


def opened(room: Room, link: str = "L1", paytable_id: str = "FPGPP-WA01", carried: int = 0, **more: Any) -> Link:
    """Draw a progressive up and open it, each level with its seed."""
    draft(room, link, paytable_id, **more)
    opening: dict[str, Any] = {
        level: {"seed": each.seed, "carried": carried} for level, each in room.floor.links[link].levels.items()
    }
    room.do(ACCOUNTING, OpenLink(link, opening, badge(EXECUTIVE), "from the progressive of 2019"))
    return room.floor.links[link]


def house_jackpot(room: Room, link: str = "H1", paytable_id: str = "FPGPP-WA01", prize: int = 1_000_000) -> Link:
    """Draw a house jackpot up and open it."""
    prizes = dict.fromkeys(paytable(paytable_id).levels, prize)
    room.do(ACCOUNTING, CreateLink(link, "house", paytable_id, prizes=prizes))
    room.do(ACCOUNTING, OpenLink(link, {}, badge(EXECUTIVE)))
    return room.floor.links[link]


def playing_room(paytable_id: str = "FPGPP-WA01", game: str = "fortune", **more: Any) -> Room:
    """A room with the open link L1 and two open tables on it, T1 and T2."""
    room = new_room()
    opened(room, "L1", paytable_id, **more)
    for table, dealer in (("T1", DEALER), ("T2", OTHER_DEALER)):
        room.add_table(table, game)
        room.attach(table, "1", "L1")
        room.open_table(table, dealer=dealer)
    assert sensors_of(game)
    return room


def propose(room: Room, actor: str = SUPERVISOR, reason: str = "as agreed", **what: Any) -> dict[str, Any]:
    """Propose a change; its answer."""
    return room.do(actor, Propose(what, reason))


def refused_proposal(
    room: Room, actor: str = SUPERVISOR, reason: str = "as agreed", **what: Any
) -> set[tuple[str, str]]:
    """The codes and places for which a proposal is refused."""
    return room.refused(actor, Propose(what, reason))


def approve(
    room: Room, proposal: dict[str, Any], approver: str = EXECUTIVE, actor: str | None = None
) -> dict[str, Any]:
    """Approve a proposal by badge; the answer."""
    command = Approve(proposal["proposal"], proposal["content_hash"], badge(approver))
    return room.do(actor or approver, command)


def make(room: Room, actor: str = SUPERVISOR, approver: str = EXECUTIVE, **what: Any) -> dict[str, Any]:
    """Propose and approve a change; the approval's answer."""
    return approve(room, propose(room, actor, **what), approver)


def withdraw(room: Room, proposal: dict[str, Any], actor: str = SUPERVISOR) -> dict[str, Any]:
    """Take a proposal back."""
    return room.do(actor, Withdraw(proposal["proposal"], "no longer wanted"))


def start(room: Room, table: str = "T1", seats: tuple[int, ...] = (1, 2, 3), sensor: str = "1") -> str:
    """START GAME with wagers on a sensor; the round's id."""
    return str(room.do(_dealer(room, table), StartRound(table, {sensor: list(seats)} if seats else {}))["round"])


def end(room: Room, round_: str) -> dict[str, Any]:
    """END GAME."""
    return room.do(_dealer(room, round_.split("-", maxsplit=1)[0]), EndRound(round_))


def hit(room: Room, round_: str, seat: int, hand: str) -> str:
    """Press a hand and HIT JACKPOT; the award's id."""
    dealer = _dealer(room, round_.split("-", maxsplit=1)[0])
    award = str(room.do(dealer, PressHand(round_, seat, hand))["award"])
    room.do(dealer, HitJackpot(round_))
    return award


def pay(room: Room, award: str) -> dict[str, Any]:
    """PAY JACKPOT with an executive's badge, once surveillance has given its reference."""
    found = room.floor.awards[award]
    room.do(SURVEILLANCE, AddReference(found.round, found.id, found.hand, found.cents, "camera 4, 12:31"))
    return room.do(SUPERVISOR, PayJackpot(award, badge(EXECUTIVE)))


def win(room: Room, hand: str = "seven-card-straight-flush", table: str = "T1") -> str:
    """A round in which seat 1 wins with a hand, paid and ended; the award's id."""
    round_ = start(room, table)
    award = hit(room, round_, 1, hand)
    if room.floor.awards[award].status != "paid":
        pay(room, award)
    end(room, round_)
    return award


def _dealer(room: Room, table: str) -> str:
    return room.table(table).dealer or DEALER


def held(room: Room, *name: str) -> int:
    """What an account holds, as people read it, in micros."""
    return room.floor.held("/".join(name))


def link_of(room: Room, link: str = "L1") -> Link:
    """A link as it stands."""
    return room.floor.links[link]


def level_of(room: Room, link: str = "L1", level: str = "main") -> Level:
    """The running figures of a level."""
    return room.floor.levels[f"{link}/{level}"]


def codes(answer: dict[str, Any]) -> list[tuple[str, str | None]]:
    """The warnings of an answer: code and level."""
    return [(warning["code"], warning["level"]) for warning in answer["warnings"]]


def papers(room: Room, register: str, link: str = "L1") -> list[dict[str, Any]]:
    """The fields of a link's papers in a register."""
    return [
        paper.fields for paper in room.floor.papers.values() if paper.register == register and paper.subject == link
    ]
