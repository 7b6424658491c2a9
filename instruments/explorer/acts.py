"""Acts that take two people, from the documents and docs/decisions.md, checked against who physically took part.

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
from houseway.manager.commands.link_commands import Approve, OpenLink, PayPromotion, RecordDeposit, ResumeLink, StopLink
from houseway.manager.commands.round_commands import (
    CorrectWager,
    DecideRound,
    EndRound,
    EnterRound,
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
from houseway.manager.commands.slip_commands import HandOverPrize, VoidSlip
from houseway.manager.core.award_entities import Award
from houseway.manager.core.command import AnyCommand
from houseway.manager.core.engine import Envelope
from houseway.manager.core.floor import Floor
from instruments.explorer.books import Broken
from instruments.explorer.history import Custody, History

THRESHOLD: Final = 3_000_00
"""Cents above which surveillance verifies a payout; the rooms explored enter no other amount."""
SLIP: Final = 20_000_000
"""Microseconds in which a dealer corrects a slip alone."""

SHEETS_OWN: Final = {"order": "seat-order", "fixed_pays": "tray", "shows_contributions": "at-start"}
"""What the sheets say of the awards of a link where the room chooses nothing."""

Applies = Callable[[Floor, Any, int], bool]


def _always(_floor: Floor, _do: AnyCommand, _now: int) -> bool:
    return True


def _gives_a_part(floor: Floor, do: AddPerson | ChangePerson, _now: int) -> bool:
    """Every role but the auditor's is given by two; a badge and duty, on or off, take two as well."""
    if isinstance(do, AddPerson):
        return set(do.roles) != {"auditor"}
    moves = do.badge is not None or do.active not in (None, floor.people[do.person].active)
    return moves and set(floor.people[do.person].roles) != {"auditor"}


def _acts_for_people(_floor: Floor, do: AddDevice, _now: int) -> bool:
    """A service and a controller can act for people, a display cannot."""
    return do.kind_of != "display"


def _leaves_no_service(floor: Floor, do: RetireDevice, _now: int) -> bool:
    """Without a service nobody has a place from which to bring devices, or people who may."""
    return {each.id for each in floor.devices.values() if each.kind == "service" and each.active} == {do.device}


def _needs_a_card(floor: Floor, do: PayJackpot, _now: int) -> bool:
    """A share of a meter, and what reaches the amount that the link names, alone or with the rest of its round."""
    award = floor.awards[do.award]
    if award.wagered and award.percent is not None:
        return True
    round_, least = floor.rounds[award.round], floor.links[award.link].fixed_supervisor_from
    if _brings(floor, award) >= least:
        return True
    mine = [floor.awards[id_] for id_ in round_.awards]
    without = [each for each in mine if each.percent is None or not each.wagered]
    small = [each for each in without if _brings(floor, each) < floor.links[each.link].fixed_supervisor_from]
    confirmed = [each for each in small if each.status == "paid" and each.badge_role != "none"]
    return round_.taken_back + sum(_brings(floor, each) for each in small if each not in confirmed) >= least


def _brings(floor: Floor, award: Award) -> int:
    """What a hand brings to its own seat, and as envy to the others with the wager on its sensor."""
    taken = [each for each in floor.rounds[award.round].taken if each.sensor == award.sensor]
    return int(award.cents) + int(award.envy or 0) * len({seat for each in taken for seat in each.seats} - {award.seat})


def _is_late(floor: Floor, do: CorrectWager, now: int) -> bool:
    round_ = floor.rounds[do.round]
    touched = round_.presses or round_.reopened or round_.hold
    return now - round_.started_at > SLIP or bool(touched)


def _took_wagers(floor: Floor, do: MisdealRound, _now: int) -> bool:
    return bool(floor.rounds[do.round].taken)


def _overrides(_floor: Floor, do: PressHand | EndRound, _now: int) -> bool:
    return do.override is not None


SECOND_BADGE: Final[dict[type[AnyCommand], tuple[str, bool, Applies]]] = {
    AddPerson: ("second_badge", True, _gives_a_part),
    ChangePerson: ("second_badge", True, _gives_a_part),
    AddDevice: ("badge", True, _acts_for_people),
    RetireDevice: ("badge", True, _leaves_no_service),
    OpenLink: ("badge", True, _always),
    RecordDeposit: ("badge", True, _always),
    PayPromotion: ("badge", True, _always),
    StopLink: ("badge", False, _always),
    ResumeLink: ("badge", False, _always),
    OpenTable: ("badge", False, _always),
    CloseTable: ("badge", False, _always),
    SetFaceUp: ("badge", False, _always),
    FillTray: ("badge", False, _always),
    CountDrop: ("badge", False, _always),
    VoidSlip: ("badge", False, _always),
    HandOverPrize: ("badge", False, _always),
    PressHand: ("badge", False, _overrides),
    EndRound: ("badge", False, _overrides),
    TurnKey: ("badge", False, _always),
    RejectJackpot: ("badge", False, _always),
    VoidRound: ("badge", False, _always),
    MisdealRound: ("badge", False, _took_wagers),
    CorrectWager: ("badge", False, _is_late),
    ReopenRound: ("badge", False, _always),
    EnterRound: ("badge", False, _always),
    HoldRound: ("badge", False, _always),
    DecideRound: ("badge", False, _always),
}
"""By command: the field of the second badge, whether two departments are asked for, and when two people are."""
NOT_THE_DEALER: Final = (
    TurnKey, RejectJackpot, VoidRound, MisdealRound, EnterRound, CorrectWager, ReopenRound, HoldRound, DecideRound,
    PayJackpot,
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
        yield from _two_people(custody, kind, custody.proposed[do.proposal], custody.showing(do.badge))
        yield from _two_departments(floor, kind, by, do.badge)
    if isinstance(do, PayJackpot) and _needs_a_card(floor, do, now):
        needed = True
        yield from _payment(history, floor, envelope)
    if isinstance(do, NOT_THE_DEALER) and needed:
        yield from _dealt_by_the_second(history, floor, do, kind)
    if isinstance(do, StartRound):
        yield from _uncovered_choice(floor, do, now)


def _uncovered_choice(floor: Floor, do: StartRound, now: int) -> Iterator[Broken]:
    """A round begins on what the sheet itself says of awards, or on what internal controls in force name instead."""
    table = floor.tables[do.table]
    chosen = {
        f"{name}/{sensor}": getattr(floor.links[link], name)
        for sensor, link in table.sensors.items()
        for name, own in SHEETS_OWN.items()
        if getattr(floor.links[link], name) != own
    }
    held = [paper for paper in floor.papers.values() if paper.register == "internal-controls"]
    in_force = [paper.fields for paper in held if paper.since <= now and (paper.until is None or now < paper.until)]
    if chosen and not any(fields.get("choices") == chosen for fields in in_force):
        yield "uncovered-choice", f"{table.id} begins a round under {chosen}, which no internal controls name"


def _two_people(custody: Custody, kind: str, one: int, other: int) -> Iterator[Broken]:
    if one & other:
        alone = ", ".join(custody.names(one & other))
        yield f"one-person {kind}", f"{kind} takes two people; alone could have done it: {alone}"


def _two_departments(floor: Floor, kind: str, actor: str, badge: str | None) -> Iterator[Broken]:
    second = floor.people.get(floor.badges.get(badge or "", ""))
    if second is not None and second.department == floor.people[actor].department:
        yield f"one-department {kind}", f"{kind} takes two departments, {actor} and {second.id} are of one"


def _payment(history: History, floor: Floor, envelope: Envelope) -> Iterator[Broken]:
    """Who pays has neither pressed nor verified the award, and surveillance has seen this very hand and amount."""
    custody, do = history.custody, envelope.do
    assert isinstance(do, PayJackpot)
    award, past = floor.awards[do.award], history.awards[do.award]
    paying = custody.showing(do.badge)
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
    both = history.custody.showing(do.badge) & history.rounds[round_ or ""].dealers
    if both:
        names = ", ".join(history.custody.names(both))
        yield f"dealer-seconds {kind}", f"the second person of {kind} could have dealt the round: {names}"
