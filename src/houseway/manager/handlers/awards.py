"""Awards: hand buttons, HIT JACKPOT, the supervisor's key and badge, payment, rejection.

Winners of one round are locked and paid from the dealer's far right, each from the meter as the one before left it.
Every further hit or rejection locks all of them again in that order, until the first of them is paid, and on each level
until another table has won from it: from then on they stand as they are.
"""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from houseway.amounts import NO_CENTS, NO_MICROS, Cents, Micros, micros, total
from houseway.errors import InputError
from houseway.games.shares import share_of
from houseway.manager.commands.house_answers import FaultNote
from houseway.manager.commands.round_answers import (
    AwardState,
    HitJackpotAnswer,
    PayJackpotAnswer,
    PressHandAnswer,
    RejectJackpotAnswer,
    TurnKeyAnswer,
)
from houseway.manager.commands.round_commands import HitJackpot, PayJackpot, PressHand, RejectJackpot, TurnKey
from houseway.manager.core.award_entities import Award
from houseway.manager.core.engine import Decision, handles, need_role, person_of_badge
from houseway.manager.core.ledger import about, account
from houseway.manager.core.link_entities import Hit, Link
from houseway.manager.core.money import dollars
from houseway.manager.core.roles import SUPERVISING
from houseway.manager.core.table_entities import Reference, Round, Table, TakenWagers
from houseway.manager.core.twins import table_paytable
from houseway.manager.handlers import cards
from houseway.manager.handlers.change_base import level_of
from houseway.manager.handlers.changes import apply_waiting_for_won
from houseway.manager.handlers.common import (
    need_dealer_of,
    need_reason,
    not_dealing,
    round_in_play,
    supervising,
    the_link,
    the_table,
)
from houseway.manager.handlers.dealer_alone import BadgeRole, badge_role_for, why_together
from houseway.manager.handlers.link_rules import first_level
from houseway.manager.handlers.meters import (
    awardable,
    hold_limits,
    is_covered,
    level_won,
    lock_fixed,
    lock_share,
    percent_of,
    release,
)
from houseway.manager.handlers.rounds import awards_of, link_of, record_hit
from houseway.manager.handlers.slip_numbers import issue_win_slip
from houseway.manager.handlers.take_backs import (
    is_small,
    may_take_back_alone,
    slip_seconds,
    standing,
    unpay,
    way_back,
)
from houseway.manager.handlers.tray import tray_warnings
from houseway.manager.handlers.verification import is_above_threshold, outdated, payout_of, reference_for
from houseway.ranking.hand_names import hand_title

RECENT_HITS = 25

Short = Literal["refuse", "tray", "wait"]
"""What becomes of a fixed pay that the meter cannot cover: refused, paid by the tray, or pressed again later."""


# ---------------------------------------------------------------- hand buttons


@handles(PressHand)
def press_hand(decision: Decision, command: PressHand) -> PressHandAnswer:
    """A hand button: on, off again, or another hand for the same spot."""
    round_ = round_in_play(decision, command.round)
    table = the_table(decision, round_.table)
    need_dealer_of(decision, table)
    if command.override is not None:
        need_reason(command.override, "override")
    existing = award_at(decision, round_, command.sensor, command.seat)
    if existing is not None and existing.hand == command.hand and may_take_back_alone(decision, existing):
        # Whoever was paid by mistake may have the chips: they stay part of what the dealer has paid alone.
        counted = replace(round_, taken_back=round_.taken_back + existing.cents)
        left = _take_back(decision, counted, existing)
        return PressHandAnswer(
            award=existing.id, on=False, seat=existing.seat, hand=existing.hand, sensor=existing.sensor,
            taken_back_cents=existing.cents, source=existing.source, awards=award_states(decision, left),
        )  # fmt: skip
    if existing is not None and existing.status != "pressed":
        again = f"press {hand_title(existing.hand)} again, or " if may_take_back_alone(decision, existing) else ""
        raise InputError.of("award-locked", "hand", f"{standing(existing)} already: {again}{way_back(existing)}")
    if existing is not None:
        decision.awards.drop(existing.id)
        round_ = replace(round_, awards=tuple(id_ for id_ in round_.awards if id_ != existing.id))
        if existing.hand == command.hand:
            decision.rounds.put(round_)
            return PressHandAnswer(award=existing.id, on=False, seat=command.seat, hand=command.hand)
    award = put_pressed(decision, round_, command)
    return PressHandAnswer(award=award.id, on=True, seat=award.seat, hand=award.hand)


def put_pressed(decision: Decision, round_: Round, command: PressHand) -> Award:
    """Put the award of a button that goes on into its round."""
    award = _pressed(decision, the_table(decision, round_.table), round_, command)
    decision.awards.put(award)
    decision.rounds.put(replace(round_, awards=(*round_.awards, award.id), presses=round_.presses + 1))
    return award


def _take_back(decision: Decision, round_: Round, paid: Award) -> Round:
    """Undo a payment that needed no badge, and the award with it; returns the round without it."""
    return _take_out(decision, round_, unpay(decision, paid), "taken-back")


def award_at(decision: Decision, round_: Round, sensor: str, seat: int) -> Award | None:
    """The award of a spot, if there is one."""
    return next((each for each in awards_of(decision, round_) if (each.sensor, each.seat) == (sensor, seat)), None)


def _pressed(decision: Decision, table: Table, round_: Round, command: PressHand) -> Award:
    """The award that a pressed button stands for; its amount is settled at the hit."""
    on_sensor = next((taken for taken in round_.taken if taken.sensor == command.sensor), None)
    # The link that took the wagers: a round that was set aside may find its sensor joined to another one.
    link = link_of(decision, table, command.sensor) if on_sensor is None else _as_taken(decision, on_sensor)
    pays = table_paytable(link, table.game)
    line = next((line for line in pays.lines if command.hand in line.hands), None)
    if line is None:
        titles = {hand_title(line.hand): line.hand for line in pays.lines}
        named = hand_title(command.hand)[:40]
        meant = titles.get(" ".join(named.lower().split()))
        otherwise = f"it has {', '.join(titles)}" if meant is None else f"write it as {meant}"
        raise InputError.of("no-such-hand", "hand", f"this jackpot has no button for {named}: {otherwise}")
    if not 1 <= command.seat <= table.seats:
        raise InputError.of("no-such-seat", "seat", f"{table.id} has seats 1 to {table.seats}, not {command.seat}")
    taken = on_sensor if on_sensor is not None and command.seat in on_sensor.seats else None
    wagered = taken is not None
    if not wagered and not (line.envy and on_sensor):
        why = (
            f"{hand_title(line.hand)} brings no envy"
            if on_sensor
            else "nobody at the table has: there is nothing to win"
        )
        raise InputError.of(
            "no-wager", "seat", f"seat {command.seat} has no wager on sensor {command.sensor}, and {why}"
        )
    override = cards.check_button(
        decision, round_, command.sensor, command.seat, command.hand, command.override, command.badge
    )
    return Award(
        f"{round_.id}/{round_.presses + 1}", round_.id, table.id, link.id, command.sensor, command.seat, command.hand,
        line.percent if wagered else None, _level(link, line.level if wagered else None, wagered),
        _source(link, line.percent, wagered), "pressed",
        cents=taken.wager * (line.pays or 0) if taken is not None else NO_CENTS,
        pressed_at=decision.now, wagered=wagered, override=override, pressed_by=decision.actor,
        envy=None if line.envy is None else Cents(line.envy),
    )  # fmt: skip


def _as_taken(decision: Decision, taken: TakenWagers) -> Link:
    """The link as its wagers were taken: what they win does not change for a round that is opened again."""
    link = the_link(decision, taken.link)
    terms = next((earlier for earlier in link.earlier if taken.version <= earlier.until), None)
    if terms is None:
        return link
    return replace(link, fixed_pays=terms.fixed_pays, order=terms.order, prizes=terms.prizes)


def _source(link: Link, percent: int | None, wagered: bool) -> Literal["meter", "tray", "house"]:
    """Who pays: a share comes off the meter or is the house's prize, a fixed pay comes from where the room says."""
    if not wagered:
        return "tray"
    if link.kind == "house":
        return "house" if percent is not None else "tray"
    return "meter" if percent is not None or link.fixed_pays == "meter" else "tray"


def _level(link: Link, level: str | None, wagered: bool) -> str | None:
    """The level that pays; fixed pays from the meter come off the first level."""
    if level is None and wagered and link.kind == "progressive" and link.fixed_pays == "meter":
        return first_level(link)
    return level


# ---------------------------------------------------------------- HIT JACKPOT


@handles(HitJackpot)
def hit_jackpot(decision: Decision, command: HitJackpot) -> HitJackpotAnswer:
    """HIT JACKPOT: lock what is pressed; small fixed pays that need neither badge nor reference are paid at once."""
    round_ = round_in_play(decision, command.round)
    need_dealer_of(decision, the_table(decision, round_.table))
    awards = awards_of(decision, round_)
    if not any(award.status == "pressed" for award in awards):
        raise InputError.of(
            "nothing-pressed", "round", "no hand button is pressed: choose the spot and press its hand first"
        )
    fresh, warnings = lock_pressed(decision, round_, command.fixed_from or "refuse")
    return HitJackpotAnswer(
        round=round_.id,
        awards=award_states(decision, round_),
        new=fresh,
        slip_seconds=slip_seconds(decision),
        changes=decision.outcomes,
        warnings=warnings,
    )


def lock_pressed(decision: Decision, round_: Round, short: Short) -> tuple[tuple[str, ...], tuple[FaultNote, ...]]:
    """Lock what is pressed and pay what needs neither badge nor reference: the new awards, and what the tray lacks."""
    fresh = [award.id for award in awards_of(decision, round_) if award.status == "pressed"]
    lock_in_order(decision, round_, short)
    from_tray = [award for award in awards_of(decision, round_) if award.source == "tray" and award.status == "hit"]
    new = "; ".join(f"seat {award.seat}'s {hand_title(award.hand)}" for award in from_tray if award.id in fresh)
    warnings = tray_warnings(decision, round_.table, total(award.cents for award in from_tray), new) if new else ()
    for award in awards_of(decision, round_):
        if award.id in fresh:
            record_hit(decision, award, "hit")
            if award.badge_role == "none" and not is_above_threshold(decision, payout_of(award)):
                _pay(decision, award, decision.actor, None)
    return tuple(fresh), warnings


def lock_in_order(decision: Decision, round_: Round, short: Short) -> None:
    """Lock the round's awards from the far right; those locked before are locked again, except where they stand."""
    for link_id in dict.fromkeys(award.link for award in awards_of(decision, round_)):
        link = _link_of_round(decision, round_, link_id)
        mine = [award for award in awards_of(decision, round_) if award.link == link_id]
        _release_all(decision, link, _moving(decision, mine))
        waiting = [
            award for award in awards_of(decision, round_) if award.link == link_id and award.status == "pressed"
        ]
        _lock_all(decision, link, round_, waiting, short)


def _link_of_round(decision: Decision, round_: Round, link_id: str) -> Link:
    """A link of the round's awards, as the round took its wagers; a correction may have taken the last of them out."""
    taken = next((taken for taken in round_.taken if taken.link == link_id), None)
    return the_link(decision, link_id) if taken is None else _as_taken(decision, taken)


def _moving(decision: Decision, awards: list[Award]) -> list[Award]:
    """The locked ones among a round's awards on a link that are still worked out again.

    None of them once one is paid off the meter; and on a level from which another table has won since, none of that
    level: what was locked for a winner does not become less because of somebody else's win.
    """
    if any(award.status == "paid" and award.source == "meter" for award in awards):
        return []
    locked = [award for award in awards if award.status == "hit"]
    on_meter = [award for award in locked if award.source == "meter"]
    standing = {
        level
        for level in {award.level or "" for award in on_meter}
        if _has_moved_on(decision, [award for award in on_meter if award.level == level])
    }
    return [award for award in locked if award.source != "meter" or award.level not in standing]


def _has_moved_on(decision: Decision, awards: list[Award]) -> bool:
    """Whether the level of these awards, all of one round, was won from by another one since."""
    first, round_ = min(award.locked_as for award in awards), awards[0].round
    level = level_of(decision, awards[0].link, awards[0].level or "")
    # Restarts that are not the level's last ones cannot be undone: later awards have come and gone between them.
    restarts = sorted(award.generation for award in awards if award.generation)
    if restarts != list(range(level.generation - len(restarts) + 1, level.generation + 1)):
        return True
    if any(hit.locked_as > first and not hit.award.startswith(f"{round_}/") for hit in level.recent):
        return True
    return any(
        other.locked_as > first
        for other in decision.awards.values()
        if f"{other.link}/{other.level}" == level.id and other.round != round_
    )


def _lock_all(decision: Decision, link: Link, round_: Round, awards: list[Award], short: Short) -> None:
    """Lock awards of one round in the order given, which is from the far right.

    `short` says what becomes of a fixed pay that the meter cannot cover.
    """
    full = {level: awardable(decision, link, level) for level in link.levels}
    for place, award in enumerate(awards):
        if award.source == "meter" and award.percent is None and not is_covered(decision, link, award):
            if short == "wait":
                continue
            award = replace(award, source="tray", level=None) if short == "tray" else award  # noqa: PLW2901
        locked = _locked(decision, link, award, full)
        decision.awards.put(replace(locked, locked_as=decision.context.seq * 100 + place))
    hold_limits(decision, link, round_.id)


def _release_all(decision: Decision, link: Link, awards: list[Award], rejected: Award | None = None) -> None:
    """Undo the locks of one round's awards, the latest first: one that does not stand, others to be locked again."""
    for award in sorted(awards, key=lambda each: -each.locked_as):
        release(decision, link, award, "rejection" if award == rejected else "reordering")
        decision.awards.put(_unlocked(award))


def _unlocked(award: Award) -> Award:
    """An award as it was before its lock, keeping the time and rank of its hit."""
    cents = award.cents if award.percent is None else NO_CENTS
    return replace(
        award, status="pressed", cents=cents, seed_drawn_micros=NO_MICROS, advanced_micros=NO_MICROS,
        reserve_drawn_micros=NO_MICROS, overflow_drawn_micros=NO_MICROS, generation=0, seeded_before_micros=None,
        meter_before_micros=NO_MICROS, locked_as=0,
    )  # fmt: skip


def _locked(decision: Decision, link: Link, award: Award, full: dict[str, Micros]) -> Award:
    """The award locked, with its amount, its rank and the badge that will pay it."""
    if award.source == "meter" and award.percent is not None:
        at_least = full[award.level or ""] if link.order == "full-to-each" else NO_MICROS
        award = lock_share(decision, link, award, at_least)
    elif award.source == "meter":
        award = lock_fixed(decision, link, award)
    elif award.source == "house":
        award = _lock_prize(decision, link, award)
    first = award.hit_at == 0
    return replace(
        award,
        status="hit",
        hit_at=decision.now if first else award.hit_at,
        order=decision.context.seq if first else award.order,
        badge_role=badge_role_for(decision, link, award),
    )


def _lock_prize(decision: Decision, link: Link, award: Award) -> Award:
    """A house prize: the full share of what is posted to each winner, out of the house's pocket."""
    level = level_won(award)
    cents = Cents(share_of(link.prizes[level], percent_of(award)))
    prizes, locked = account("prizes", link.id), account("locked", link.id, level)
    decision.books.transfer_any(prizes, locked, micros(cents), "award", about("award", award.id))
    return replace(award, cents=cents)


def award_states(decision: Decision, round_: Round) -> tuple[AwardState, ...]:
    """The awards of a round as an answer tells them: who gets how much, and what their payment needs."""
    return tuple(
        AwardState(
            award.id, award.seat, award.sensor, award.hand, award.link, award.level, award.percent, award.cents,
            award.source, award.status, award.badge_role, award.envy, is_above_threshold(decision, payout_of(award)),
        )
        for award in awards_of(decision, round_)
    )  # fmt: skip


# ---------------------------------------------------------------- key, payment, rejection


@handles(TurnKey)
def turn_key(decision: Decision, command: TurnKey) -> TurnKeyAnswer:
    """First generation: the key to JPH for a locked award, and back to Run once it is logged."""
    round_ = round_in_play(decision, command.round)
    table = the_table(decision, round_.table)
    if table.vocabulary != "aquarius":
        message = f"{table.id} has no key: its controls are {table.vocabulary}, where a badge confirms"
        raise InputError.of("no-key-here", "round", message)
    person = supervising(decision, command.badge, round_, "the key")
    awards = awards_of(decision, round_)
    if command.to == "jph" and not any(award.status == "hit" for award in awards):
        raise InputError.of(
            "nothing-hit", "to", "no award is locked: press the hand button and call the supervisor first"
        )
    if command.to == "run" and any(award.status == "hit" for award in awards):
        raise InputError.of("award-open", "to", "an award is locked and not yet logged: press J-POT, or reject it")
    if (command.to == "jph") == round_.key_turned:
        raise InputError.of("key-there", "to", f"the key is at {command.to.upper()} already")
    decision.rounds.put(replace(round_, key_turned=command.to == "jph"))
    for award in awards:
        if award.under_key:
            decision.awards.put(replace(award, under_key=False))
    return TurnKeyAnswer(round=round_.id, key=command.to, by=person.id)


def _open_award(decision: Decision, award_id: str) -> tuple[Award, Round]:
    award = decision.awards.get(award_id)
    if award is None:
        raise InputError.of(
            "no-such-award", "award", f"{award_id} is not an award in play: it was taken back or its round is over"
        )
    return award, round_in_play(decision, award.round)


@handles(PayJackpot)
def pay_jackpot(decision: Decision, command: PayJackpot) -> PayJackpotAnswer:
    """PAY JACKPOT: log the prize with the right badge, in order, with its surveillance reference where needed."""
    award, round_ = _open_award(decision, command.award)
    if award.status == "paid":
        raise InputError.of("award-paid", "award", f"{standing(award)} already: {way_back(award)}")
    if award.status != "hit":
        raise InputError.of("not-hit", "award", f"{standing(award)} only: HIT JACKPOT locks its amount first")
    _refuse_out_of_order(decision, round_, award)
    table = the_table(decision, round_.table)
    if table.vocabulary == "aquarius" and not round_.key_turned:
        raise InputError.of("key-not-turned", "award", "the supervisor's key must be at JPH before J-POT is pressed")
    if award.badge_role == "none":
        need_dealer_of(decision, table)
    reference = _reference_on_record(decision, round_, award)
    paid_by = _paying_person(decision, round_, award, command.badge)
    _refuse_other_reference(reference, award, command.reference)
    _refuse_own_reference(reference, award, paid_by)
    text = None if reference is None else reference.text
    paid = _pay(decision, award, paid_by, text)
    slip = issue_win_slip(decision, paid, table)
    duties = None if slip is None or slip.duties is None or not slip.duties.is_any_due else slip.duties
    return PayJackpotAnswer(
        award=paid.id, seat=paid.seat, sensor=paid.sensor, hand=paid.hand, cents=paid.cents, source=paid.source,
        paid_by=paid_by, reference=text, slip=None if slip is None else slip.id, duties=duties,
        changes=decision.outcomes,
    )  # fmt: skip


def _reference_on_record(decision: Decision, round_: Round, award: Award) -> Reference | None:
    """The reference that surveillance itself has put on record for the award; refused where it must and has not.

    It comes before the badge: nobody is called to swipe for what cannot be paid yet.
    """
    payout = payout_of(award)
    recorded = reference_for(decision, round_, payout)
    if recorded is None and is_above_threshold(decision, payout):
        message = (
            f"{payout} for seat {award.seat} needs surveillance's verification first: surveillance puts its reference "
            f"for {award.id} on record (houseway jackpot verify){outdated(round_, payout)}"
        )
        raise InputError.of("surveillance-reference", "reference", message)
    return recorded


def _refuse_other_reference(recorded: Reference | None, award: Award, given: str | None) -> None:
    """Whoever pays can at most repeat the reference on record."""
    told = (given or "").strip()
    if told and (recorded is None or told != recorded.text):
        message = (
            f"surveillance has put no such reference on record for {award.id}: leave it out, the one on record "
            "is taken; only surveillance gives one (houseway jackpot verify)"
        )
        raise InputError.of("surveillance-reference", "reference", message)


def _refuse_own_reference(reference: Reference | None, award: Award, paid_by: str) -> None:
    """Who verified a payout for surveillance does not make it, whatever other roles that person has."""
    if reference is not None and reference.by == paid_by:
        message = (
            f"{paid_by} put surveillance's reference for {award.id} on record: another person's badge must pay, "
            "or another person of surveillance verifies it (houseway jackpot verify)"
        )
        raise InputError.of("second-person", "badge", message)


def _refuse_out_of_order(decision: Decision, round_: Round, award: Award) -> None:
    """Meter awards of a round are paid from the far right: a higher seat that waits comes first."""
    for other in awards_of(decision, round_):
        same_meter = other.link == award.link and other.source == award.source == "meter"
        if same_meter and other.seat > award.seat and other.status != "paid":
            waits = (
                "its hand is only pressed: press HIT JACKPOT to lock it, or the same hand again to take it off"
                if other.status == "pressed"
                else "it is locked: pay or reject it first"
            )
            message = f"seat {other.seat} is farther to the right and comes first; {waits}"
            raise InputError.of("pay-in-order", "award", message)


def _paying_person(decision: Decision, round_: Round, award: Award, badge: str | None) -> str:
    """The person whose badge lets the award be paid; the dealer where no badge is needed."""
    if award.badge_role == "none":
        return decision.actor
    amount = dollars(micros(award.cents))
    if badge is None:
        whose = f"{_a(award.badge_role)}{why_together(decision, award)}"
        raise InputError.of(
            "badge-needed", "badge", f"{amount} for seat {award.seat} needs the badge of {whose}: swipe it"
        )
    person = person_of_badge(decision, badge)
    wanted = ("executive",) if award.badge_role == "executive" else SUPERVISING
    need_role(person, wanted, "badge", f"paying {amount}")
    if person.id == award.pressed_by:
        message = f"{person.id} pressed this hand's button: the badge that pays it must be another person's"
        raise InputError.of("second-person", "badge", message)
    return not_dealing(decision, person, round_).id


def _a(role: BadgeRole) -> str:
    return "an executive" if role == "executive" else "a supervisor"


def _pay(decision: Decision, award: Award, paid_by: str, reference: str | None) -> Award:
    """Post the payment and keep the award until its round is over."""
    if award.source == "tray":
        accounts = account("receipts", award.table), account("tray", award.table)
    else:
        accounts = account("locked", award.link, award.level or ""), account("paid", award.link)
    decision.books.transfer_any(*accounts, micros(award.cents), "payment", about("award", award.id))
    under_key = decision.rounds[award.round].key_turned
    paid = replace(
        award, status="paid", paid_at=decision.now, paid_by=paid_by, reference=reference, under_key=under_key
    )
    decision.awards.put(paid)
    if award.wagered:
        record_hit(decision, paid, "paid")
    if award.source == "meter" and award.level is not None:
        _count_hit(decision, paid)
        if award.percent == 100:
            apply_waiting_for_won(decision, award.link, award.level)
    return paid


def _count_hit(decision: Decision, award: Award) -> None:
    """Keep the level's count of wins and its most recent hits."""
    level = level_of(decision, award.link, award.level or "")
    hit = Hit(
        award.id, award.table, award.seat, award.hand, award.cents, award.percent, award.locked_as,
        award.advanced_micros, decision.now, award.paid_by, award.envy,
        decision.books.held(account("meter", award.link, award.level or "")),
    )  # fmt: skip
    decision.levels.put(
        replace(
            level,
            hits=level.hits + 1,
            won_micros=level.won_micros + micros(award.cents),
            recent=(*level.recent, hit)[-RECENT_HITS:],
        ),
    )


@handles(RejectJackpot)
def reject_jackpot(decision: Decision, command: RejectJackpot) -> RejectJackpotAnswer:
    """The award did not stand: give back what it had locked, and lock the round's others again."""
    award, round_ = _open_award(decision, command.award)
    need_reason(command.reason)
    person = supervising(decision, command.badge, round_, "rejecting an award")
    if is_small(award):
        left = _take_back(decision, round_, award)
        return RejectJackpotAnswer(
            award=award.id, seat=award.seat, sensor=award.sensor, hand=award.hand, rejected_by=person.id,
            awards=award_states(decision, left), taken_back_cents=award.cents, source=award.source,
        )  # fmt: skip
    if award.status == "paid":
        raise InputError.of("award-paid", "award", f"{standing(award)}: {way_back(award)}")
    round_ = _take_out(decision, round_, award, "rejected")
    return RejectJackpotAnswer(
        award=award.id,
        seat=award.seat,
        sensor=award.sensor,
        hand=award.hand,
        rejected_by=person.id,
        awards=award_states(decision, round_),
    )


def _take_out(decision: Decision, round_: Round, award: Award, status: str) -> Round:
    """Take an award that does not stand out of its round: the others move up, except where they stand already."""
    link = _link_of_round(decision, round_, award.link)
    mine = [each for each in awards_of(decision, round_) if each.link == award.link]
    locked = [award] if award.status == "hit" else []
    moving = _moving(decision, mine)
    moving = moving if award in moving else locked
    _release_all(decision, link, moving, award)
    left = replace(round_, awards=tuple(id_ for id_ in round_.awards if id_ != award.id))
    decision.awards.drop(award.id)
    decision.rounds.put(left)
    # A fixed pay that the meter now cannot cover is only pressed again: the next hit says who pays it.
    others = {each.id for each in moving} - {award.id}
    _lock_all(decision, link, left, [each for each in awards_of(decision, left) if each.id in others], "wait")
    if award.status == "hit":
        record_hit(decision, award, status)
    return left
