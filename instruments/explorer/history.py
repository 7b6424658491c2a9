"""Who physically took part: an account of badges, devices and presence that the manager's own fields have no part in.

For every fact it keeps **who could have brought it about alone**, as a set of people: the owner of a badge can show it;
so can either of those who issued it, since nobody else saw to whom it went, until a third person has confirmed it. A
device that one person registered alone says whatever that person wants; one that two registered can speak for whoever
showed a badge at it, by either of them: a controller until its table is closed and counted, a service for a shift,
which is longer than anything explored. A fact that two people were needed for is in nobody's hands.
Sets of people are numbers, a bit for each, so that "one person could have done both" is `one & other`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import msgspec

from houseway.manager.commands.house_commands import (
    AddDevice,
    AddPerson,
    ChangePerson,
    CloseTable,
    ConfirmPerson,
    DealerIn,
    DealerOut,
    RetireDevice,
    SignIn,
    SignOut,
)
from houseway.manager.commands.link_commands import Approve, Propose
from houseway.manager.commands.round_commands import AddReference, HitJackpot, PressHand
from houseway.manager.core.engine import Envelope
from houseway.manager.core.floor import Floor

Hands = int
"""A set of people: those who could have done something alone."""


@dataclass(frozen=True)
class Custody:
    """Badges, devices, and whose badge was read where."""

    people: tuple[str, ...]
    badges: dict[str, Hands]
    """By fingerprint: who could show it."""
    devices: dict[str, Hands] = field(default_factory=dict)
    """By device: who could have made it, so that it says and hears what that person wants; 0 if two registered it."""
    registered_by: dict[str, Hands] = field(default_factory=dict)
    """By device in the shift of its registration: everybody who took part, and may have it in hand."""
    copied: dict[str, Hands] = field(default_factory=dict)
    """By controller: who has copied its secret, and connects in its place without hearing what it sent."""
    read: dict[tuple[str, str], Hands] = field(default_factory=dict)
    """By device and person: who could have shown the badge that was read there."""
    sessions: dict[tuple[str, str], str | None] = field(default_factory=dict)
    """By device and person: what was drawn when the badge was read, which only the device itself has."""
    proposed: dict[str, Hands] = field(default_factory=dict)
    """By proposal: who could have made it."""

    @property
    def everybody(self) -> Hands:
        """All people: of a thing done by nobody knows whom."""
        return (1 << len(self.people)) - 1

    def bit(self, person: str) -> Hands:
        """The set of one person."""
        return 1 << self.people.index(person)

    def names(self, hands: Hands) -> list[str]:
        """The people of a set."""
        return [person for number, person in enumerate(self.people) if hands >> number & 1]

    def acting(self, envelope: Envelope) -> Hands:
        """Who could have sent a command: whoever has the device in hand, or whose badge was read at it."""
        device = envelope.device or ""
        if device in self.copied and not self.is_own_session(envelope):
            return self.copied[device]
        behind = self.devices.get(device, 0) | self.registered_by.get(device, 0)
        if envelope.actor.startswith("device:"):
            return behind or self.everybody
        return behind | self.read.get((device, envelope.actor), 0) or self.everybody

    def was_read(self, envelope: Envelope) -> bool:
        """Whether the badge of a command's actor was read at its device, by who sends the command."""
        if envelope.actor.startswith("device:"):
            return True
        return (envelope.device or "", envelope.actor) in self.read and self.is_own_session(envelope)

    def is_own_session(self, envelope: Envelope) -> bool:
        """Whether a command comes from where its actor's badge was read; what a device says by itself does."""
        place = (envelope.device or "", envelope.actor)
        return place not in self.sessions or self.sessions[place] == envelope.session

    def showing(self, badge: str | None) -> Hands:
        """Who could have shown a badge; everybody where none was asked for."""
        return self.everybody if badge is None else self.badges.get(badge, self.everybody)

    @cached_property
    def text(self) -> bytes:
        """All of it in one text."""
        read = {f"{device} {person}": hands for (device, person), hands in self.read.items()}
        parts = [self.badges, self.devices, self.registered_by, read, sorted(self.proposed.values())]
        return msgspec.msgpack.encode(parts, order="sorted")


@dataclass(frozen=True)
class AwardHistory:
    """An award's part of the history."""

    pressed: Hands
    hit: Hands = 0
    verified: tuple[tuple[str, int, Hands], ...] = ()
    """What surveillance saw: hand, cents, and who of them it was."""


@dataclass(frozen=True)
class Stake:
    """The wagers of a round on one sensor, as they must have been shared out."""

    link: str
    wager: int
    share: Fraction
    """Of a wager: what goes onto meters and into reserves, all levels together."""
    seats: tuple[int, ...]

    @property
    def owed(self) -> Fraction:
        """Micros that these wagers owe to the link."""
        return self.wager * 10_000 * self.share * len(self.seats)


@dataclass(frozen=True)
class RoundHistory:
    """A round's part of the history."""

    dealers: Hands
    stakes: dict[str, Stake] = field(default_factory=dict)
    drawn: frozenset[str] = frozenset()
    """Links from which somebody has won or taken since the round began: a void may find less than was put in."""


@dataclass(frozen=True)
class History:
    """Custody of badges and devices, and what was played."""

    custody: Custody
    rounds: dict[str, RoundHistory] = field(default_factory=dict)
    awards: dict[str, AwardHistory] = field(default_factory=dict)
    paid: frozenset[tuple[str, str, int]] = frozenset()
    """Round, sensor and seat of what has been paid and not backed out."""
    owed: dict[str, Fraction] = field(default_factory=dict)
    """By link: the micros that players and house have put in, less what went back."""
    borne: dict[str, Fraction] = field(default_factory=dict)
    """By link: what a void could not take back, because another winner had it already."""
    changes: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Proposals that are not made yet."""

    def text(self) -> bytes:
        """All of it in one text, with awards by their place."""
        parts = [
            {id_: [dealt.dealers, sorted(dealt.drawn), *_stake_texts(dealt)] for id_, dealt in self.rounds.items()},
            sorted(
                (id_.rsplit("/", 1)[0], each.pressed, each.hit, sorted(each.verified))
                for id_, each in self.awards.items()
            ),
            sorted(self.paid),
            {link: str(amount) for link, amount in self.borne.items()},
        ]
        return self.custody.text + msgspec.msgpack.encode(parts, order="sorted")


def _stake_texts(dealt: RoundHistory) -> list[str]:
    return [f"{sensor} {stake.share} {stake.seats}" for sensor, stake in sorted(dealt.stakes.items())]


# ---------------------------------------------------------------- following what happened


def follow_custody(custody: Custody, before: Floor, after: Floor, envelope: Envelope) -> Custody:
    """Badges, devices and presence after a command that was carried out."""
    custody = _overheard(custody, envelope)
    match envelope.do:
        case AddPerson() | ChangePerson() | ConfirmPerson():
            return _changed_person(custody, before, envelope)
        case AddDevice(device=device, kind_of=kind):
            return _registered(custody, envelope, device, kind)
        case RetireDevice(device=device):
            return replace(custody, read={key: hands for key, hands in custody.read.items() if key[0] != device})
        case SignIn(badge=badge):
            at = envelope.actor.removeprefix("device:")
            return _read_at(custody, at, before.badges[badge], badge, envelope.do.session)
        case SignOut(person=person):
            return _left(custody, person, envelope)
        case DealerIn(table=table, badge=badge):
            custody = _dealer_left(custody, before, table)
            return _read_at(custody, controller_of(after, table), before.badges[badge], badge, envelope.do.session)
        case DealerOut(table=table):
            return _dealer_left(custody, before, table)
        case CloseTable(table=table):
            there = [id_ for id_, each in before.devices.items() if each.table == table]
            known = {id_: hands for id_, hands in custody.registered_by.items() if id_ not in there}
            return replace(_dealer_left(custody, before, table), registered_by=known)
        case Propose():
            (new,) = after.proposals.keys() - before.proposals.keys()
            return replace(custody, proposed={**custody.proposed, new: custody.acting(envelope)})
    gone = custody.proposed.keys() - after.proposals.keys()
    if gone:
        return replace(custody, proposed={id_: each for id_, each in custody.proposed.items() if id_ not in gone})
    return custody


def controller_of(floor: Floor, table: str) -> str:
    """The controller that stands at a table, "" if none does."""
    return next(
        (
            id_
            for id_, each in floor.devices.items()
            if each.active and each.kind == "controller" and each.table == table
        ),
        "",
    )


def _overheard(custody: Custody, envelope: Envelope) -> Custody:
    """A badge that is read at a device which somebody has in hand is that person's too from then on."""
    behind = custody.devices.get(envelope.device or "", 0)
    badge = getattr(envelope.do, "badge", None)
    if behind and badge in custody.badges and behind & ~custody.badges[badge]:
        return replace(custody, badges={**custody.badges, badge: custody.badges[badge] | behind})
    return custody


def _changed_person(custody: Custody, before: Floor, envelope: Envelope) -> Custody:
    do = envelope.do
    assert isinstance(do, AddPerson | ChangePerson | ConfirmPerson)
    if isinstance(do, ConfirmPerson):
        # Whoever could have both issued it and confirmed it can show it still.
        both = custody.badges[do.badge] & custody.acting(envelope)
        return replace(custody, badges={**custody.badges, do.badge: custody.bit(do.person) | both})
    if do.badge is not None:
        old = before.people[do.person].badges if do.person in before.people else ()
        badges = {badge: hands for badge, hands in custody.badges.items() if badge not in old}
        hands = custody.bit(do.person) | _issuing(custody, envelope, do.second_badge)
        for each in old:
            # Who may be the person stays so, whatever badge the person gets.
            hands |= custody.badges.get(each, 0)
        custody = replace(custody, badges={**badges, do.badge: hands})
    if isinstance(do, ChangePerson) and (do.badge is not None or do.active is False):
        custody = replace(custody, read={key: each for key, each in custody.read.items() if key[1] != do.person})
    return custody


def _issuing(custody: Custody, envelope: Envelope, second: str | None) -> Hands:
    """Who could have kept a badge that is handed out: either of those who issue it."""
    shown = custody.showing(second)
    return custody.acting(envelope) | (shown if shown != custody.everybody else 0)


def _registered(custody: Custody, envelope: Envelope, device: str, kind: str) -> Custody:
    acting, second = custody.acting(envelope), custody.showing(getattr(envelope.do, "badge", None))
    devices = {**custody.devices, device: acting & second}
    if kind == "display":
        return replace(custody, devices=devices)
    everybody = acting | (second if second != custody.everybody else 0)
    return replace(custody, devices=devices, registered_by={**custody.registered_by, device: everybody})


def _read_at(custody: Custody, device: str, person: str, badge: str, session: str | None) -> Custody:
    hands, place = custody.showing(badge) | custody.devices.get(device, 0), (device, person)
    return replace(custody, read={**custody.read, place: hands}, sessions={**custody.sessions, place: session})


def _left(custody: Custody, person: str, envelope: Envelope) -> Custody:
    at = envelope.actor.removeprefix("device:") if envelope.actor.startswith("device:") else envelope.device
    return replace(custody, read={key: each for key, each in custody.read.items() if key != (at, person)})


def _dealer_left(custody: Custody, before: Floor, table: str) -> Custody:
    gone = (controller_of(before, table), before.tables[table].dealer)
    return replace(custody, read={key: each for key, each in custody.read.items() if key != gone})


def follow_awards(history: History, before: Floor, after: Floor, envelope: Envelope) -> dict[str, AwardHistory]:
    """Who pressed, hit and verified, after a command that was carried out."""
    awards = {id_: each for id_, each in history.awards.items() if id_ in after.awards}
    acting = history.custody.acting(envelope)
    do = envelope.do
    if isinstance(do, PressHand):
        awards |= {id_: AwardHistory(acting) for id_ in after.awards.keys() - before.awards.keys()}
    elif isinstance(do, HitJackpot):
        for id_, each in awards.items():
            if before.awards[id_].status == "pressed" and before.awards[id_].round == do.round:
                awards[id_] = replace(each, hit=acting)
    elif isinstance(do, AddReference):
        award = after.awards.get(do.payout)
        if award is not None and award.id in awards:
            past, seen = awards[award.id], (award.hand, award.cents, acting)
            awards[award.id] = replace(past, verified=tuple(sorted({*past.verified, seen})))
    return awards


def dealers_of(custody: Custody, floor: Floor, table: str) -> Hands:
    """Who could be the dealer at a table right now."""
    dealer = floor.tables[table].dealer
    if dealer is None:
        return 0
    return custody.read.get((controller_of(floor, table), dealer), custody.bit(dealer))


__all__ = [
    "Approve",
    "AwardHistory",
    "Custody",
    "Hands",
    "History",
    "RoundHistory",
    "Stake",
    "controller_of",
    "dealers_of",
    "follow_awards",
    "follow_custody",
]
