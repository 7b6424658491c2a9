"""Rounds on paper: numbered forms for when the manager cannot be reached, and what two people enter from them later.

Nothing is paid by a form that the table's keys would not pay: its hands are pressed and hit like others, as the meters
stand when it is entered. What needs a badge, a share of a meter above all, stays locked and is paid by its own command.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from houseway.amounts import NO_CENTS
from houseway.errors import Fault, InputError
from houseway.manager.commands.house_answers import FaultNote
from houseway.manager.commands.round_answers import EnterRoundAnswer
from houseway.manager.commands.round_commands import EnterRound, PressHand
from houseway.manager.commands.slip_answers import IssueFormAnswer
from houseway.manager.commands.slip_commands import IssueForm
from houseway.manager.core.engine import Decision, collect, handles
from houseway.manager.core.slip_entities import FormEntry, Slip
from houseway.manager.core.table_entities import Round
from houseway.manager.handlers.awards import award_at, award_states, lock_pressed, put_pressed
from houseway.manager.handlers.common import not_dealing, round_in_play, supervising, the_table
from houseway.manager.handlers.rounds import awards_of, finish_round
from houseway.manager.handlers.slip_numbers import issue_slip
from houseway.manager.handlers.take_backs import standing
from houseway.ranking.hand_names import hand_title

MOST_UNUSED: Final = 20
"""Forms of a table that wait to be used: an outage lasts for one round, since none begins without the manager."""


@handles(IssueForm)
def issue_form(decision: Decision, command: IssueForm) -> IssueFormAnswer:
    """A form gets its number."""
    table = the_table(decision, command.table)
    unused = [slip.id for slip in decision.slips.values() if slip.table == table.id and _is_unused(slip)]
    if len(unused) >= MOST_UNUSED:
        message = f"{len(unused)} forms of {table.id} wait to be used, from {unused[0]} on: print those again"
        raise InputError.of("too-many-forms", "table", message)
    slip = issue_slip(decision, "round", table, NO_CENTS, "", {})
    then = f"print {slip.id} (houseway slip print) and keep it at the table"
    return IssueFormAnswer(slip=slip.id, table=table.id, next=(then,))


def _is_unused(slip: Slip) -> bool:
    return slip.kind == "round" and slip.entered is None and slip.void is None


@handles(EnterRound)
def enter_round(decision: Decision, command: EnterRound) -> EnterRoundAnswer:
    """Enter a round from its form: hands pressed and hit, and the round over where nothing is left open."""
    round_ = round_in_play(decision, command.round)
    second = supervising(decision, command.badge, round_, "entering a round from paper")
    not_dealing(decision, decision.floor.people[decision.actor], round_, "actor")
    collect(_round_faults(decision, round_, command))
    form = decision.slips.get(command.form)
    collect(_form_faults(form, round_, command))
    entry = FormEntry(command.form, round_.id, command.ended_at, decision.actor, second.id, decision.now)
    if form is not None:
        decision.slips.put(replace(form, entered=entry))
    round_ = replace(round_, paper=entry)
    decision.rounds.put(round_)
    for spot, hand in sorted(command.won.items(), key=lambda each: _place(each[0])):
        _press(decision, decision.rounds[round_.id], spot, hand)
    round_ = decision.rounds[round_.id]
    fresh, warnings = tuple[str, ...](), tuple[FaultNote, ...]()
    if any(award.status == "pressed" for award in awards_of(decision, round_)):
        fresh, warnings = lock_pressed(decision, round_, command.fixed_from or "refuse")
    awards = awards_of(decision, round_)
    states = award_states(decision, round_)
    ended = all(award.status == "paid" for award in awards) and not round_.key_turned
    end = finish_round(decision, round_) if ended else None
    waits = [
        f"pay or reject {award.id} (houseway jackpot pay, houseway jackpot reject)"
        for award in awards
        if award.status != "paid"
    ]
    return EnterRoundAnswer(
        round=round_.id, form=entry.form, ended=ended, awards=states, new=fresh,
        envy=() if end is None else end.envy, warnings=warnings + (() if end is None else end.warnings),
        changes=decision.outcomes, next=() if ended else (*waits, f"end {round_.id} (round.end)"),
    )  # fmt: skip


def _place(spot: str) -> tuple[str, int]:
    """Sensor and seat of a spot, as "1/3" names them; no seat is 0."""
    sensor, _, seat = spot.partition("/")
    return sensor, int(seat) if seat.isascii() and seat.isdigit() and len(seat) < 4 else 0


def _press(decision: Decision, round_: Round, spot: str, hand: str) -> None:
    """Press a hand of the form; one that was pressed before the manager went away stays as it is."""
    sensor, seat = _place(spot)
    there = award_at(decision, round_, sensor, seat)
    if there is None:
        put_pressed(decision, round_, PressHand(round_.id, seat, hand, sensor))
    elif there.hand != hand:
        message = (
            f"the form has {hand_title(hand)[:40]} there, and {standing(there)}: take that back first, or enter it"
        )
        raise InputError.of("award-locked", f"won.{spot[:20]}", message)


def _round_faults(decision: Decision, round_: Round, command: EnterRound) -> list[Fault]:
    """Why the round is not entered from paper, or not with this time and these hands."""
    faults = []
    if round_.deal is not None or the_table(decision, round_.table).cards == "known":
        message = "the system deals the cards of this table, and nobody else knows them: go on with it, or void it"
        faults.append(Fault("cards-known", "round", message))
    if round_.paper is not None:
        faults.append(Fault("form-used", "round", f"{round_.id} was entered from {round_.paper.form} already"))
    if command.ended_at > decision.now:
        faults.append(Fault("in-the-future", "ended_at", "a form tells what is over: give the time that stands on it"))
    if command.ended_at < _last_at(decision, round_):
        message = f"{round_.id} was in play here after that time: nothing is entered before what is on record"
        faults.append(Fault("before-last-event", "ended_at", message))
    pressed = [award for award in awards_of(decision, round_) if award.status == "pressed"]
    told = {_place(spot) for spot in command.won}
    faults += [
        Fault("award-open", "won", f"{standing(award)} and not on the form: enter it, or press it again to take it off")
        for award in pressed
        if (award.sensor, award.seat) not in told
    ]
    return faults


def _last_at(decision: Decision, round_: Round) -> int:
    """When the round was last seen to go on: nothing is entered as having happened before that."""
    of_awards = (at for award in awards_of(decision, round_) for at in (award.pressed_at, award.hit_at, award.paid_at))
    of_hands = (*(each.at for each in round_.sets.values()), *(each.at for each in round_.displays))
    of_hold = () if round_.hold is None else (round_.hold.at, round_.hold.decided_at or 0)
    return max(round_.started_at, round_.changed_at, *of_awards, *of_hands, *of_hold)


def _form_faults(form: Slip | None, round_: Round, command: EnterRound) -> list[Fault]:
    """Why this form cannot be the one on which the round was written."""
    if form is None or form.kind != "round":
        message = f"there is no form {command.form[:60]!r} here: houseway slip list --kind round names them"
        return [Fault("unknown-slip", "form", message)]
    if form.entered is not None:
        return [Fault("form-used", "form", f"{form.id} was used for {form.entered.round}: a form is used once")]
    if form.table != round_.table:
        return [Fault("form-unfit", "form", f"{form.id} is a form of {form.table}, not of {round_.table}")]
    if form.void is not None:
        return [Fault("form-unfit", "form", f"{form.id} is void, by {form.void.by}: {form.void.reason}")]
    if not form.prints or form.prints[0].at > command.ended_at:
        message = f"no copy of {form.id} was printed by the time on the paper: name the form that was written on"
        return [Fault("form-unfit", "form", message)]
    return []
