"""From every state there is a way out: each round can be ended, and each winner can be paid, by the people there are.

The way is walked on a fork, by the manager's own commands: a dealer swipes in where none stands, a controller is
registered where none is left, awards are rejected or paid by whoever may, and END GAME is pressed. A round on hold is
decided. A state from which no such way is found is a dead end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import product
from typing import Final

import msgspec

from houseway.errors import InputError
from houseway.manager.commands.house_commands import AddDevice, DealerIn, OpenTable, SignIn
from houseway.manager.commands.round_commands import (
    AddReference,
    DecideRound,
    EndRound,
    HitJackpot,
    PayJackpot,
    PressHand,
    RejectJackpot,
    TurnKey,
)
from houseway.manager.core.award_entities import Award
from houseway.manager.core.command import AnyCommand
from houseway.manager.core.engine import Envelope
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Person
from houseway.manager.core.table_entities import Round
from instruments.explorer.acts import THRESHOLD
from instruments.explorer.books import Broken
from instruments.explorer.history import controller_of
from instruments.explorer.rooms import DESK, FLOAT, secret, sent, session
from instruments.explorer.states import State

WHY: Final = "the way out"


class _DeadEndError(Exception):
    """Nobody there can do the next step."""


class WaysOut:
    """The ways out of states, looked for once for each situation of a round."""

    def __init__(self) -> None:
        """Begin with no situation known."""
        self._known: dict[bytes, list[Broken]] = {}

    def missing(self, state: State) -> list[Broken]:
        """The ways that are not there."""
        found: list[Broken] = []
        for round_ in state.floor.rounds.values():
            if round_.phase != "ended":
                situation = _situation(state, round_)
                if situation not in self._known:
                    self._known[situation] = list(_missing(state, round_))
                found += self._known[situation]
        return found


def _situation(state: State, round_: Round) -> bytes:
    """All that decides who may do what about a round; money is not a part of it."""
    floor = state.floor
    awards = sorted(
        (a.round, a.seat, a.sensor, a.status, a.hand, a.badge_role, a.cents > THRESHOLD, a.pressed_by)
        for a in floor.awards.values()
        if a.table == round_.table
    )
    links = [(link.status, link.version) for link in floor.links.values()]
    plain = msgspec.structs.replace(round_, awards=(), presses=0, corrections=0)
    parts = [plain, awards, links, floor.tables[round_.table], floor.devices, floor.people]
    return blake2b(msgspec.msgpack.encode(parts, order="sorted"), digest_size=16).digest()


def _missing(state: State, round_: Round) -> Iterator[Broken]:
    try:
        ready = _decided(state, round_) if round_.phase == "held" else _staffed(state, round_.table)
    except _DeadEndError as error:
        yield "dead-end", f"{round_.id}: {error}"
        return
    if round_.id not in ready.floor.rounds:
        return
    try:
        _ended(_rejected(ready, round_.id), round_.id)
    except _DeadEndError as error:
        yield "dead-end", f"{round_.id} cannot be ended: {error}"
    try:
        _ended(_paid(ready, round_.id), round_.id)
    except _DeadEndError:
        try:
            _ended(_paid(_pressed_anew(ready, round_.id), round_.id), round_.id)
        except _DeadEndError as error:
            yield "unpayable", f"the winners of {round_.id} cannot be paid: {error}"


def _first(state: State, envelopes: Iterable[Envelope], what: str) -> State:
    """The state after the first of these commands that is not refused."""
    refusals: list[str] = []
    for envelope in envelopes:
        try:
            decision = state.decide(envelope)
        except InputError as error:
            refusals.append(str(error))
            continue
        except Exception as error:
            raise _DeadEndError(f"{what} falls over ({type(error).__name__}: {error})") from error
        floor, seq = state.after(decision)
        return State(floor, seq, state.now, state.history)
    why = "; ".join(dict.fromkeys(refusals)) or "there is nobody to try"
    raise _DeadEndError(f"{what} is refused to everybody ({why[:300]})")


def _people(floor: Floor, *roles: str) -> list[Person]:
    """People on duty with a badge that counts, with one of the roles."""
    return [
        person
        for person in floor.people.values()
        if person.active and person.badges and (not roles or set(roles) & set(person.roles))
        if not person.unconfirmed or set(person.roles) == {"auditor"}
    ]


def _sides(state: State, table: str) -> list[tuple[str, str]]:
    """The dealer at the controls, and everybody who is or can be signed in at the desk."""
    dealer, controller = state.floor.tables[table].dealer, controller_of(state.floor, table)
    at_controls = [(dealer, controller)] if dealer and controller else []
    at_desk = _people(state.floor, "supervisor", "executive", "technician")
    return at_controls + [(person.id, DESK) for person in at_desk]


def _signed_in(state: State) -> State:
    """Everybody on duty signs in at the desk."""
    for person in _people(state.floor):
        if person.id not in state.floor.devices[DESK].signed_in:
            sign_in = sent(f"device:{DESK}", SignIn(person.badges[0], session(person.id)), DESK)
            state = _first(state, [sign_in], f"{person.id}'s sign-in")
    return state


def _by(state: State, table: str, commands: Iterable[AnyCommand]) -> Iterator[Envelope]:
    for (actor, device), command in product(_sides(state, table), list(commands)):
        yield sent(actor, command, device)


def _badges(state: State) -> list[str]:
    """Badges that can second something at a table."""
    return [person.badges[0] for person in _people(state.floor, "supervisor", "executive", "technician")]


def _staffed(state: State, table: str) -> State:
    """The table open, with a controller and a dealer at it."""
    state = _signed_in(state)
    if state.floor.tables[table].status != "open":
        commands: list[AnyCommand] = [OpenTable(table, FLOAT, card) for card in _badges(state)]
        state = _first(state, _by(state, table, commands), f"opening {table}")
    if not controller_of(state.floor, table):
        new = f"WAY-{len(state.floor.devices)}"
        commands = [AddDevice(new, "controller", secret(new), table, card) for card in (None, *_badges(state))]
        state = _first(state, _by(state, table, commands), f"a new controller for {table}")
    if state.floor.tables[table].dealer is None:
        controller = controller_of(state.floor, table)
        dealers = [DealerIn(table, each.badges[0], session(each.id)) for each in _people(state.floor, "dealer")]
        swipes = [sent(f"device:{controller}", each, controller) for each in dealers]
        state = _first(state, swipes, f"a dealer at {table}")
    return state


def _decided(state: State, held: Round) -> State:
    """A round on hold is void, or resumes at its table once that is free."""
    state = _signed_in(state)
    commands: list[AnyCommand] = [DecideRound(held.id, card, "void", WHY, WHY) for card in _badges(state)]
    try:
        return _first(state, _by(state, held.table, commands), "voiding it")
    except _DeadEndError:
        state = _staffed(state, held.table)
        other = state.floor.tables[held.table].round
        if other is not None:
            state = _ended(_rejected(state, other), other)
        commands = [DecideRound(held.id, card, "resume", WHY, WHY) for card in _badges(state)]
        return _first(state, _by(state, held.table, commands), "resuming it")


def _open_awards(state: State, round_: str) -> list[Award]:
    """Awards that keep a round open, from the far right."""
    awards = [state.floor.awards[id_] for id_ in state.floor.rounds[round_].awards]
    return sorted((award for award in awards if award.status != "paid"), key=lambda award: -award.seat)


def _rejected(state: State, round_: str) -> State:
    """The round with every open award rejected."""
    table = state.floor.rounds[round_].table
    while awards := _open_awards(state, round_):
        commands = [RejectJackpot(awards[0].id, card, WHY) for card in _badges(state)]
        state = _first(state, _by(state, table, commands), f"rejecting {awards[0].id}")
    return _key_at(state, round_, "run")


def _pressed_anew(state: State, round_: str) -> State:
    """The round with every open award rejected and pressed again by the dealer, whoever had pressed it before."""
    table = state.floor.rounds[round_].table
    awards = _open_awards(state, round_)
    state = _rejected(state, round_)
    for award in awards:
        press = PressHand(round_, award.seat, award.hand, award.sensor)
        state = _first(state, _by(state, table, [press]), f"pressing {award.hand} again")
    return state


def _key_at(state: State, round_: str, to: str) -> State:
    """First generation: the key where it must be."""
    found = state.floor.rounds[round_]
    if state.floor.tables[found.table].vocabulary != "aquarius" or found.key_turned == (to == "jph"):
        return state
    commands = [TurnKey(round_, to, card) for card in _badges(state)]  # type: ignore[arg-type]
    return _first(state, _by(state, found.table, commands), f"the key to {to}")


def _paid(state: State, round_: str) -> State:
    """The round with every open award hit and paid."""
    table = state.floor.rounds[round_].table
    if any(award.status == "pressed" for award in _open_awards(state, round_)):
        commands = [HitJackpot(round_), HitJackpot(round_, "tray")]
        state = _first(state, _by(state, table, commands), "HIT JACKPOT")
    while awards := _open_awards(state, round_):
        state = _key_at(state, round_, "jph")
        award = awards[0]
        state = _pay(state, table, award)
    return _key_at(state, round_, "run")


def _pay(state: State, table: str, award: Award) -> State:
    """The award paid, verified by surveillance where that is asked for: by each of them, if need be."""
    commands = [PayJackpot(award.id, card) for card in (None, *_badges(state))]
    payments = list(_by(state, table, commands))
    try:
        return _first(state, payments, "payment")
    except _DeadEndError as first:
        failed = first
    for person in _people(state.floor, "surveillance"):
        try:
            seen = _first(state, [sent(person.id, _reference(award), DESK)], "the reference")
            return _first(seen, payments, "payment")
        except _DeadEndError as error:
            failed = error
    raise failed


def _reference(award: Award) -> AnyCommand:
    """Surveillance's word for an award."""
    return AddReference(award.round, award.id, award.hand, award.cents, "camera 4, 12:31")


def _ended(state: State, round_: str) -> State:
    """The round ended."""
    table = state.floor.rounds[round_].table
    return _first(state, _by(state, table, [EndRound(round_)]), "END GAME")
