"""Acts that take two people, from the documents and docs/decisions.md, held against who physically took part.

Nothing here reads what the manager has written down about people (`pressed_by`, `paid_by`, `approved_by`): badges,
devices and presence come from the history, and the command says which badge was shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from houseway.manager.commands.house_commands import (
    AddDevice,
    AddPerson,
    ChangePerson,
    CloseTable,
    CountDrop,
    FillTray,
    OpenTable,
    RetireDevice,
    SetFaceUp,
)
from houseway.manager.commands.link_commands import Approve, OpenLink, RecordDeposit, ResumeLink, StopLink
from houseway.manager.commands.round_commands import (
    Command,
    CorrectWager,
    DecideRound,
    EndRound,
    HoldRound,
    PayJackpot,
    PressHand,
    RejectJackpot,
    ReopenRound,
    TurnKey,
    VoidRound,
)
from houseway.manager.core.engine import Envelope
from houseway.manager.core.floor import Floor
from instruments.explorer.books import Broken
from instruments.explorer.history import Custody, History

THRESHOLD: Final = 3_000_00
"""Cents above which surveillance verifies a payout; the rooms explored enter no other amount."""
SLIP: Final = 20_000_000
"""Microseconds in which a dealer corrects a slip alone."""

Applies = Callable[[Floor, Any, int], bool]


def _always(_floor: Floor, _do: Command, _now: int) -> bool:
    return True


def _gives_a_part(floor: Floor, do: AddPerson | ChangePerson, _now: int) -> bool:
    """Every role but the auditor's is given by two; a badge and duty, on or off, take two as well."""
    if isinstance(do, AddPerson):
        return set(do.roles) != {"auditor"}
    moves = do.card is not None or do.active not in (None, floor.people[do.person].active)
    return moves and set(floor.people[do.person].roles) != {"auditor"}


def _acts_for_people(_floor: Floor, do: AddDevice, _now: int) -> bool:
    """A service and a controller can act for people, a display cannot."""
    return do.kind_of != "display"


def _leaves_no_service(floor: Floor, do: RetireDevice, _now: int) -> bool:
    """Without a service nobody has a place from which to bring devices, or people who may."""
    return {each.id for each in floor.devices.values() if each.kind == "service" and each.active} == {do.device}


def _needs_a_card(floor: Floor, do: PayJackpot, _now: int) -> bool:
    """A share of a meter, and a fixed pay from the amount on that the link names."""
    award = floor.awards[do.award]
    if not award.wagered:
        seats = {seat for taken in floor.rounds[award.round].taken for seat in taken.seats} - {award.seat}
        return (award.envy or 0) * len(seats) >= floor.links[award.link].fixed_supervisor_from
    return award.percent is not None or award.cents >= floor.links[award.link].fixed_supervisor_from


def _is_late(floor: Floor, do: CorrectWager, now: int) -> bool:
    round_ = floor.rounds[do.round]
    touched = round_.presses or round_.reopened or round_.hold
    return now - round_.started_at > SLIP or bool(touched)


def _overrides(_floor: Floor, do: PressHand | EndRound, _now: int) -> bool:
    return do.override is not None


SECOND_BADGE: Final[dict[type[Command], tuple[str, bool, Applies]]] = {
    AddPerson: ("second_card", True, _gives_a_part),
    ChangePerson: ("second_card", True, _gives_a_part),
    AddDevice: ("card", True, _acts_for_people),
    RetireDevice: ("card", True, _leaves_no_service),
    OpenLink: ("card", True, _always),
    RecordDeposit: ("card", True, _always),
    StopLink: ("card", False, _always),
    ResumeLink: ("card", False, _always),
    OpenTable: ("card", False, _always),
    CloseTable: ("card", False, _always),
    SetFaceUp: ("card", False, _always),
    FillTray: ("card", False, _always),
    CountDrop: ("card", False, _always),
    PressHand: ("card", False, _overrides),
    EndRound: ("card", False, _overrides),
    TurnKey: ("card", False, _always),
    RejectJackpot: ("card", False, _always),
    VoidRound: ("card", False, _always),
    CorrectWager: ("card", False, _is_late),
    ReopenRound: ("card", False, _always),
    HoldRound: ("card", False, _always),
    DecideRound: ("card", False, _always),
}
"""By command: the field of the second badge, whether two departments are asked for, and when two people are."""
NOT_THE_DEALER: Final = (
    TurnKey, RejectJackpot, VoidRound, CorrectWager, ReopenRound, HoldRound, DecideRound, PayJackpot,
)  # fmt: skip
"""Whose second person never is who dealt the round."""


def broken_acts(history: History, floor: Floor, now: int, envelope: Envelope) -> Iterator[Broken]:
    """What is wrong with who took part in a command that was carried out, on the floor as it was before."""
    custody, do = history.custody, envelope.do
    kind = str(do.__struct_config__.tag)
    if not custody.was_read(envelope):
        yield "absent-actor", f"{envelope.actor} acts at {envelope.device}, where no badge of that person was read"
    needed = False
    if type(do) in SECOND_BADGE:
        path, departments, applies = SECOND_BADGE[type(do)]
        needed = applies(floor, do, now)
        if needed:
            badge = getattr(do, path)
            yield from _two_people(custody, kind, custody.acting(envelope), custody.showing(badge))
            yield from _two_departments(floor, kind, envelope.actor, badge) if departments else ()
    if isinstance(do, Approve):
        by = floor.proposals[do.proposal].by
        yield from _two_people(custody, kind, custody.proposed[do.proposal], custody.showing(do.card))
        yield from _two_departments(floor, kind, by, do.card)
    if isinstance(do, PayJackpot) and _needs_a_card(floor, do, now):
        needed = True
        yield from _payment(history, floor, envelope)
    if isinstance(do, NOT_THE_DEALER) and needed:
        yield from _dealt_by_the_second(history, floor, do, kind)


def _two_people(custody: Custody, kind: str, one: int, other: int) -> Iterator[Broken]:
    if one & other:
        alone = ", ".join(custody.names(one & other))
        yield f"one-person {kind}", f"{kind} takes two people; alone could have done it: {alone}"


def _two_departments(floor: Floor, kind: str, actor: str, badge: str | None) -> Iterator[Broken]:
    second = floor.people.get(floor.cards.get(badge or "", ""))
    if second is not None and second.department == floor.people[actor].department:
        yield f"one-department {kind}", f"{kind} takes two departments, {actor} and {second.id} are of one"


def _payment(history: History, floor: Floor, envelope: Envelope) -> Iterator[Broken]:
    """Who pays has neither pressed nor verified the award, and surveillance has seen this very hand and amount."""
    custody, do = history.custody, envelope.do
    award, past = floor.awards[do.award], history.awards[do.award]
    paying = custody.showing(do.card)
    alone = paying & past.pressed & past.hit & custody.acting(envelope)
    if alone:
        names = ", ".join(custody.names(alone))
        yield "one-person jackpot.pay", f"{award.cents} cents are paid; alone could have pressed, hit and paid: {names}"
    if paying & past.pressed:
        names = ", ".join(custody.names(paying & past.pressed))
        yield "presser-pays", f"who pays {award.cents} cents could have pressed the button too: {names}"
    seen = [who for hand, cents, who in past.verified if (hand, cents) == (award.hand, award.cents)]
    if award.cents > THRESHOLD and not seen:
        yield "unverified", f"{award.cents} cents for {award.hand} are paid: surveillance verified {past.verified}"
    elif award.cents > THRESHOLD and all(who & paying for who in seen):
        yield "verifier-pays", f"who pays {award.cents} cents verified them for surveillance too"


def _dealt_by_the_second(history: History, floor: Floor, do: Any, kind: str) -> Iterator[Broken]:  # noqa: ANN401
    """The second person of an act at a round has not dealt it."""
    if isinstance(do, ReopenRound):
        round_ = floor.tables[do.table].last_round
    else:
        round_ = floor.awards[do.award].round if hasattr(do, "award") else do.round
    both = history.custody.showing(do.card) & history.rounds[round_ or ""].dealers
    if both:
        names = ", ".join(history.custody.names(both))
        yield f"dealer-seconds {kind}", f"the second person of {kind} could have dealt the round: {names}"
