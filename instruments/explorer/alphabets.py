"""What people may try in a state: every command of an alphabet, by every actor, with every badge.

An alphabet names only what is there (rounds, awards, proposals of the state), and leaves it to the manager to refuse
what may not be done. The badges tried always include the actor's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from houseway.amounts import NO_CENTS, Cents
from houseway.manager.commands.house_commands import (
    AddDevice,
    AddPerson,
    ChangePerson,
    CloseTable,
    ConfirmPerson,
    CountDrop,
    DealerOut,
    FillTray,
    OpenTable,
    RecordPaper,
    RetireDevice,
    SetFaceUp,
    SignIn,
)
from houseway.manager.commands.link_commands import Approve, Propose, RecordDeposit, ResumeLink, StopLink, Withdraw
from houseway.manager.commands.round_commands import (
    AddReference,
    CorrectWager,
    DecideRound,
    EndRound,
    HitJackpot,
    HoldRound,
    MisdealRound,
    PayJackpot,
    PressHand,
    RejectJackpot,
    ReopenRound,
    StartRound,
    TurnKey,
    VoidRound,
)
from houseway.manager.commands.slip_commands import VoidSlip
from houseway.manager.core.command import AnyCommand
from houseway.manager.core.engine import Envelope
from houseway.manager.core.floor import Floor
from houseway.manager.core.table_entities import Round
from houseway.manager.handlers.papers_in_order import papers_in_order
from houseway.reading.json_values import JsonObject
from instruments.explorer.history import controller_of
from instruments.explorer.rooms import DESK, FLOAT, badge, secret, sent, session, swipe
from instruments.explorer.states import State, Wait

WHY = "explored"


@dataclass(frozen=True)
class Play:
    """What happens at one table: who works its controls, whose badges are shown, how much is tried."""

    table: str
    actors: tuple[str, ...]
    """People who act at the desk, beside the dealer at the table's controller."""
    badges: tuple[str, ...]
    hands: tuple[str, ...]
    seats: tuple[tuple[int, ...], ...] = ((1, 2),)
    """Wagers with which a round may start."""
    rounds: int = 1
    slips: bool = False
    """Whether wagers are corrected, rounds voided, reopened, held and decided."""
    reliefs: tuple[str, ...] = ()
    """Dealers who may swipe in."""
    ends: bool = True
    """Whether END GAME is pressed."""


def at_table(state: State, play: Play) -> Iterator[Envelope]:
    """Commands at a table: its dealer's at the controller, everybody else's at the desk."""
    floor = state.floor
    table = floor.tables[play.table]
    sides = _sides(floor, play)
    round_ = floor.rounds.get(table.round or "")
    if round_ is None:
        if table.rounds < play.rounds:
            for seats in play.seats:
                yield from _by(sides[:1], StartRound(table.id, {"1": list(seats)}))
        if play.slips and table.last_round is not None:
            yield from _by(sides, *(ReopenRound(table.id, badge(who), WHY) for who in play.badges))
    else:
        yield from _in_round(floor, play, round_, sides)
    if play.slips:
        for held in floor.rounds.values():
            if held.phase == "held" and held.table == table.id:
                yield from _by(sides, *_decisions(held, play.badges))
    controller = controller_of(floor, table.id)
    for relief in play.reliefs if controller else ():
        yield swipe(table.id, relief, controller)


def _sides(floor: Floor, play: Play) -> list[tuple[str, str]]:
    """Who may act from where: the dealer as every controller of the table can say, and people at the desk."""
    dealer = floor.tables[play.table].dealer
    controllers = [id_ for id_, each in floor.devices.items() if each.kind == "controller" and each.table == play.table]
    at_controls = [(dealer, each) for each in controllers if floor.devices[each].active] if dealer else []
    present = floor.devices[DESK].signed_in
    return at_controls + [(actor, DESK) for actor in play.actors if actor in present]


def _by(sides: Iterable[tuple[str, str]], *commands: AnyCommand) -> Iterator[Envelope]:
    for actor, device in sides:
        for command in commands:
            yield sent(actor, command, device)


def _in_round(floor: Floor, play: Play, round_: Round, sides: list[tuple[str, str]]) -> Iterator[Envelope]:
    awards = [floor.awards[id_] for id_ in round_.awards]
    for seat in range(1, floor.tables[play.table].seats + 1):
        yield from _by(sides, *(PressHand(round_.id, seat, hand) for hand in play.hands))
    if any(award.status == "pressed" for award in awards):
        yield from _by(sides, HitJackpot(round_.id))
    for award in awards:
        seen = AddReference(round_.id, award.id, award.hand, award.cents, "camera 4")
        yield from _by([side for side in sides if side[0] == "VS"], seen)
        yield from _by(sides, PayJackpot(award.id), *(PayJackpot(award.id, badge(who)) for who in play.badges))
        if award.status != "paid":
            yield from _by(sides, *(RejectJackpot(award.id, badge(who), WHY) for who in play.badges))
    if floor.tables[play.table].vocabulary == "aquarius":
        for to in ("jph", "run"):
            yield from _by(sides, *(TurnKey(round_.id, to, badge(who)) for who in play.badges))
    if play.ends:
        yield from _by(sides, EndRound(round_.id))
    if play.slips:
        yield from _by(sides, *_slips(round_, play.badges))


def _slips(round_: Round, badges: tuple[str, ...]) -> Iterator[AnyCommand]:
    for who in badges:
        yield VoidRound(round_.id, badge(who), WHY)
        yield HoldRound(round_.id, badge(who), WHY)
    for shown in (None, *map(badge, badges)):
        yield MisdealRound(round_.id, "exposed-card", badge=shown)
    counted = any(1 in taken.seats for taken in round_.taken)
    for shown in (None, *map(badge, badges)):
        yield CorrectWager(round_.id, "1", 1, not counted, WHY, shown)


def _decisions(held: Round, badges: tuple[str, ...]) -> Iterator[AnyCommand]:
    for who in badges:
        yield DecideRound(held.id, badge(who), "resume", WHY, WHY)
        yield DecideRound(held.id, badge(who), "void", WHY, WHY)


@dataclass(frozen=True)
class Theft:
    """Somebody has copied the secret of a table's controller, and connects in its place when it is away."""

    table: str
    thief: str
    hands: tuple[str, ...]


def with_stolen_secret(state: State, theft: Theft) -> Iterator[Envelope]:
    """What a thief tries: everything in the dealer's name, without a session or with a new one, and their own badge."""
    floor = state.floor
    table, controller = floor.tables[theft.table], controller_of(floor, theft.table)
    if not controller:
        return
    yield swipe(theft.table, theft.thief, controller)
    if table.dealer is None:
        return
    play = Play(theft.table, (), (theft.thief,), theft.hands, slips=True)
    round_ = floor.rounds.get(table.round or "")
    if round_ is None:
        commands = list(_by([(table.dealer, controller)], StartRound(table.id, {"1": [1, 2]}), DealerOut(table.id)))
    else:
        commands = list(_in_round(floor, play, round_, [(table.dealer, controller)]))
    for envelope in commands:
        for guess in (None, session(theft.thief)):
            yield replace(envelope, session=guess)


def waiting(state: State, start: int, most: int) -> Iterator[Envelope]:
    """Half a minute passes, so often."""
    if state.now - start < most * 30_000_000:
        yield Envelope("", "", Wait())


# ---------------------------------------------------------------- devices, badges, roles


@dataclass(frozen=True)
class Registrars:
    """Who registers devices and people, and with whose badges."""

    actors: tuple[str, ...]
    seconds: tuple[str | None, ...]
    """People whose badge is shown; None for no badge at all."""
    confirming: tuple[str, ...] = ()
    """Who confirms people."""
    device: str = DESK
    """The service where they are."""

    def sides(self, floor: Floor) -> list[tuple[str, str]]:
        """Those of them who are signed in there."""
        return self._there(floor, self.actors)

    def confirming_sides(self, floor: Floor) -> list[tuple[str, str]]:
        """Those who confirm people and are signed in there."""
        return self._there(floor, self.confirming)

    def _there(self, floor: Floor, people: tuple[str, ...]) -> list[tuple[str, str]]:
        return [(each, self.device) for each in people if each in floor.devices[self.device].signed_in]

    @property
    def badges(self) -> list[str | None]:
        """The badges themselves."""
        return [None if who is None else badge(who) for who in self.seconds]


def controllers(state: State, keeping: Registrars, table: str, most: int = 1) -> Iterator[Envelope]:
    """A table's controller goes, another comes, dealers swipe in and leave."""
    floor, sides = state.floor, keeping.sides(state.floor)
    controller = controller_of(floor, table)
    if controller:
        yield from _by(sides, RetireDevice(controller))
        for who in ("D1", "D2"):
            yield swipe(table, who, controller)
    registered = sum(id_.startswith("X") for id_ in floor.devices)
    if not controller and registered < most:
        new = f"X{registered + 1}"
        yield from _by(sides, *(AddDevice(new, "controller", secret(new), table, shown) for shown in keeping.badges))
    yield from _by(sides, DealerOut(table))


def newcomers(state: State, keeping: Registrars, person: str) -> Iterator[Envelope]:
    """Somebody is registered, gets a badge, is confirmed, goes off duty and comes back, signs in."""
    floor, sides = state.floor, keeping.sides(state.floor)
    known = floor.people.get(person)
    for shown in keeping.badges:
        if known is None:
            for roles in (["auditor"], ["supervisor"], ["surveillance", "supervisor"]):
                new = AddPerson(person, "Newcomer", "surveillance", roles, badge(person), shown)  # type: ignore[arg-type]
                yield from _by(sides, new)
        else:
            if badge(person, 2) not in known.badges:
                yield from _by(sides, ChangePerson(person, badge(person, 2), None, shown))
            yield from _by(sides, ChangePerson(person, None, not known.active, shown))
    if known is not None and known.unconfirmed:
        yield from _by(keeping.confirming_sides(floor), ConfirmPerson(person, known.badges[0]))
    if known is not None and person not in floor.devices[DESK].signed_in:
        yield sent(f"device:{DESK}", SignIn(known.badges[0], session(person)), DESK)


def through_service(state: State, keeping: Registrars, person: str, new: str) -> Iterator[Envelope]:
    """What a service does in the sessions of those who are signed in there: somebody is registered and confirmed,
    another service comes, a change is proposed.
    """
    floor, sides = state.floor, keeping.sides(state.floor)
    for shown in keeping.badges:
        if person not in floor.people:
            add = AddPerson(person, "Newcomer", "surveillance", ["supervisor"], badge(person), shown)
            yield from _by(sides, add)
        if new not in floor.devices:
            yield from _by(sides, AddDevice(new, "service", secret(new), badge=shown))
    known = floor.people.get(person)
    if known is not None and known.unconfirmed:
        yield from _by(keeping.confirming_sides(floor), ConfirmPerson(person, known.badges[0]))
    if not floor.proposals:
        setting: JsonObject = {"change": "setting", "name": "slip_seconds", "value": 5}
        yield from _by(sides, Propose(setting, WHY))


# ---------------------------------------------------------------- the life of tables and links


def house(state: State, keeping: Registrars, table: str, link: str) -> Iterator[Envelope]:
    """A table closes and opens, chips come and go, a link stops and resumes, money goes to its bank account."""
    floor = state.floor
    dealer, controller = floor.tables[table].dealer, controller_of(floor, table)
    sides = [*keeping.sides(floor), *([(dealer, controller)] if dealer and controller else [])]
    for shown in filter(None, keeping.badges):
        yield from _by(sides, CloseTable(table, FLOAT, NO_CENTS, shown), OpenTable(table, FLOAT, shown))
        moved = [slip for slip in floor.slips.values() if slip.kind in ("fill", "credit")]
        if len(moved) < 2:
            slip = f"slip-{len(moved)}"
            directions = [FillTray(table, way, Cents(5_000), shown, slip) for way in ("fill", "credit")]
            yield from _by(sides, *directions)
        yield from _by(sides, *(VoidSlip(slip.id, WHY, shown) for slip in moved if slip.void is None))
        yield from _by(sides, CountDrop(table, Cents(100), shown), SetFaceUp(table, True, shown))
        yield from _by(sides, StopLink(link, shown, "funds-seized", WHY), ResumeLink(link, shown, "order 4"))
        if abs(floor.balances.get(f"bank/{link}", 0)) < 10_000_000:
            yield from _by(sides, RecordDeposit(link, Cents(700), "bank slip", shown))
        yield from _by(sides, RecordDeposit(link, Cents(-700), "bank slip", shown))
    # By one person only: two may, and then nobody is left at the desk.
    for actor, desk in keeping.sides(floor):
        yield from _by([(actor, desk)], RetireDevice(DESK), RetireDevice(DESK, badge(actor)))
    yield from _by(sides, DealerOut(table))
    if controller:
        yield swipe(table, "D2", controller)


# ---------------------------------------------------------------- papers


def controls(state: State, actor: str, table: str) -> Iterator[Envelope]:
    """Internal controls for what a room has chosen at a table are entered, and withdrawn."""
    floor = state.floor
    for paper in papers_in_order(floor, floor.tables[table], state.now):
        if paper.register == "internal-controls":
            yield sent(actor, paper, DESK)
    for id_, entered in list(floor.papers.items()):
        if "choices" in entered.fields and entered.until is None:
            yield sent(actor, RecordPaper("withdrawal", f"withdrawal of {id_}", id_, {"reason": WHY}, state.now), DESK)


# ---------------------------------------------------------------- proposals


@dataclass(frozen=True)
class Desk:
    """Who proposes which changes, and whose badges approve them."""

    actors: tuple[str, ...]
    badges: tuple[str, ...]
    changes: tuple[dict[str, Any], ...]
    most: int = 1
    """Proposals that are open or waiting at a time."""
    withdraw: bool = True


def at_the_desk(state: State, desk: Desk) -> Iterator[Envelope]:
    """Proposals, approvals and withdrawals."""
    floor = state.floor
    sides = [(actor, DESK) for actor in desk.actors if actor in floor.devices[DESK].signed_in]
    if len(floor.proposals) < desk.most:
        known = [dict(each.what) for each in floor.proposals.values()]
        for what in (*desk.changes, *_back_outs(floor, desk)):
            if not any(what.items() <= each.items() for each in known):
                yield from _by(sides, Propose(what, WHY))
    for id_, proposal in floor.proposals.items():
        if proposal.status == "open":
            yield from _by(sides, *(Approve(id_, proposal.content_hash, badge(who)) for who in desk.badges))
        if desk.withdraw:
            yield from _by(sides[:1], Withdraw(id_, WHY))


def _back_outs(floor: Floor, desk: Desk) -> Iterator[dict[str, Any]]:
    """Every paid award that the state still knows, where the alphabet backs out at all."""
    if not any(what["change"] == "back-out" for what in desk.changes):
        return
    paid = [award.id for award in floor.awards.values() if award.status == "paid"]
    recent = [hit.award for level in floor.levels.values() for hit in level.recent if hit.backed_out_at is None]
    past = [award.id for kept in floor.paid.values() for award in kept.awards if award.backed_out_at is None]
    for award in dict.fromkeys([*paid, *recent, *past]):
        for seed in (False, True):
            yield {"change": "back-out", "award": award, "reference": WHY, "recover_seed": seed}
