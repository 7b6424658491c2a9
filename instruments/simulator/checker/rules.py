"""How the checker judges a command: what speaks against it, and what it does to the floor when it is carried out.

Each kind of command has a `Rule` of two functions. `judge` gives every reason against the command; a reason that is not
`certain` is one on which the documents are silent, so that both outcomes are followed. `apply` moves the checker's
own floor and books; what the journal posted must then be what these books did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from instruments.simulator.checker.chain import ChainEntry, Sent
from instruments.simulator.checker.state import HOUR, SIGN_IN_HOURS, Floor

CONTROLS: Final = ("dealer", "supervisor", "executive")
"""Who works the controls of a table."""
CLOCKS: Final = 2_000_000
"""Microseconds by which the time of an entry may differ from that of its message."""


class Objection(NamedTuple):
    """A reason against a command."""

    why: str
    certain: bool = True


@dataclass(frozen=True)
class Call:
    """A command as it was sent, and the clock at which it arrived."""

    key: str
    actor: str
    device: str | None
    do: dict[str, Any]
    now: int
    session: str | None = None

    @property
    def sent(self) -> Sent:
        """The key with its sender."""
        return self.device, self.key

    @property
    def kind(self) -> str:
        """The kind of command."""
        return str(self.do["kind"])

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - a field of any type
        """A field of the command that must be there."""
        return self.do[name]

    def get(self, name: str, default: object = None) -> Any:  # noqa: ANN401 - a field of any type
        """A field of the command, or what holds where it is left out."""
        return self.do.get(name, default)


Judge = Callable[[Floor, Call], Iterator[Objection]]
Apply = Callable[[Floor, Call, ChainEntry], None]


@dataclass(frozen=True)
class Rule:
    """What the documents say about one kind of command."""

    roles: tuple[str, ...]
    judge: Judge
    apply: Apply
    device: bool
    """Whether a table's controller may say it by itself."""


RULES: dict[str, Rule] = {}


def rule(kind: str, *roles: str, device: bool = False) -> Callable[[Judge], Callable[[Apply], Apply]]:
    """Make a rule of a judge; what comes back makes an `apply` part of it."""

    def with_judge(judge: Judge) -> Callable[[Apply], Apply]:
        def with_apply(apply: Apply) -> Apply:
            assert kind not in RULES, kind
            RULES[kind] = Rule(roles, judge, apply, device)
            return apply

        return with_apply

    return with_judge


def against_actor(floor: Floor, call: Call, found: Rule) -> Iterator[Objection]:
    """Why this actor may not give the command."""
    yield from against_presence(floor, call)
    if call.actor == "system":
        yield Objection("only the manager itself acts as system")
    elif call.actor.startswith("device:"):
        device = floor.devices.get(call.actor.removeprefix("device:"))
        if device is None or not device["active"] or not found.device:
            yield Objection("a device may not do this")
    elif call.actor not in floor.people or not floor.people[call.actor].active:
        yield Objection("the actor is nobody on duty")
    elif not floor.people[call.actor].counts:
        yield Objection("the actor's badge does not count yet")
    elif found.roles and not floor.has_role(call.actor, *found.roles):
        yield Objection("the actor has not the role for it")


def against_presence(floor: Floor, call: Call) -> Iterator[Objection]:
    """Whoever acts has shown a badge at the very device; only who has the database itself comes without one."""
    if call.device is None:
        return
    device = floor.devices.get(call.device)
    if device is None or not device["active"]:
        yield Objection("it comes from no device in use")
    elif call.actor.startswith("device:"):
        if call.actor != f"device:{call.device}":
            yield Objection("a device acts only as itself")
    elif device["kind_of"] == "controller":
        table = floor.tables[device["table"]]
        if table.dealer != call.actor:
            yield Objection("the actor is not the dealer who swiped in at the table")
        elif table.session is None or call.session != table.session:
            yield Objection(
                "the command does not come from the session that the dealer's swipe at the controller began"
            )
    elif device["kind_of"] == "display":
        yield Objection("a display commands nothing")
    else:
        since, session = device["signed_in"].get(call.actor, (None, None))
        if since is None:
            yield Objection("the actor has shown no badge at the service")
        elif call.session != session:
            yield Objection("the command does not come from the session in which the actor signed in")
        else:
            left = since + floor.setting("sign_in_hours", call.now, SIGN_IN_HOURS) * HOUR - call.now
            if left <= CLOCKS:
                # The entry may be a moment later than the message.
                yield Objection("the badge was shown too long ago", certain=left <= -CLOCKS)


def against_badge(floor: Floor, badge: str | None, roles: tuple[str, ...], *but_not: str) -> Iterator[Objection]:
    """Why a swiped badge does not do: nobody's, the wrong role, or one of the very people it must not be."""
    person = floor.person_of_badge(badge)
    if person is None:
        yield Objection("the badge is nobody's on duty")
    elif not person.roles & set(roles):
        yield Objection(f"the badge is not one of {', '.join(roles)}")
    elif person.id in but_not:
        yield Objection("a second person is needed")


def against_own_badge(floor: Floor, call: Call) -> Iterator[Objection]:
    """Nobody is their own second person: a badge that goes with a command is another person's than who acts.

    Except where the badge says who comes (`dealer.in`, `person.sign-in`), and where what another one proposed is
    approved: there it is another person's than the proposer's.
    """
    first = {call.actor}
    if call.kind in ("dealer.in", "person.sign-in", "person.pin", "person.confirm"):
        return
    if call.kind == "change.approve":
        first = {floor.proposals[call["proposal"]]["by"]} if call["proposal"] in floor.proposals else set()
    if call.kind == "system.clock":
        first |= {who.id for who in floor.people.values() if who.badge == call["badge"]}
    field = "second_badge" if call.kind in ("person.add", "person.change", "system.clock") else "badge"
    person = floor.person_of_badge(call.get(field))
    if person is not None and person.id in first:
        yield Objection("a second person is needed")


ABOUT_A_ROUND: Final = frozenset(
    {
        "hand.press", "jackpot.pay", "jackpot.reject", "key.turn", "round.correct", "round.decide", "round.end",
        "round.enter", "round.hold", "round.misdeal", "round.reopen", "round.void", "surveillance.reference",
    }
)  # fmt: skip
"""Commands in which a second person has a say about a round or an award."""


OF_THE_HOUSE: Final = frozenset(
    {"person.add", "person.change", "device.add", "link.open", "link.deposit", "slip.void", "prize.hand-over"}
)
"""Commands that make people, devices or payments in the office."""
COMES_OR_GETS: Final = frozenset({"dealer.in", "person.sign-in", "person.pin", "person.confirm", "system.clock"})
"""Commands whose `badge` is not a second person's."""


def against_registrar(floor: Floor, call: Call) -> Iterator[Objection]:
    """Who took part in registering a device knows its secret, and cannot be the second person where its word counts.

    At a controller, and about the rounds of its table from anywhere, until the table is closed and counted, even if it
    was retired meanwhile; at a service about rounds, people, devices and payments, and changes that were proposed
    there, for as long as a sign-in lasts.
    """
    verifies = call.kind == "surveillance.reference"
    field = "second_badge" if call.kind in ("person.add", "person.change") else "badge"
    person = floor.people.get(call.actor) if verifies else floor.person_of_badge(call.get(field))
    if person is None or call.kind in COMES_OR_GETS:
        return
    yield from _against_proposed_there(floor, call, person.id)
    about_round = call.kind in ABOUT_A_ROUND
    table = call.get("table") or str(call.get("round") or call.get("award", "")).partition("/")[0].rpartition("-")[0]
    for id_, device in floor.devices.items():
        sends = id_ == call.device
        stood_there = device["kind_of"] == "controller" and device["table"] == table
        if person.id not in device["registered_by"] or not (sends or (about_round and stood_there)):
            continue
        if device["kind_of"] == "controller" and not device["shift_over"]:
            yield Objection("who registered the controller is the second person")
        elif device["kind_of"] == "service" and (about_round or call.kind in OF_THE_HOUSE):
            yield from _against_service(floor, device, call.now)


def _against_service(floor: Floor, device: dict[str, Any], now: int) -> Iterator[Objection]:
    left = floor.first_shift(device, now)
    if left > -CLOCKS:
        yield Objection("who registered the service is the second person", certain=left > CLOCKS)


def _against_proposed_there(floor: Floor, call: Call, approver: str) -> Iterator[Objection]:
    """Who registered the service where a change was proposed could have proposed it."""
    proposal = floor.proposals.get(call["proposal"]) if call.kind == "change.approve" else None
    device = None if proposal is None else floor.devices.get(proposal["device"] or "")
    if proposal is not None and device is not None and approver in device["registered_by"]:
        yield from _against_service(floor, device, proposal["at"])


def against_blank(text: str) -> Iterator[Objection]:
    """A record needs its reason."""
    if not text.strip():
        yield Objection("the record must say why")
