"""A round from the first lit sensor to END GAME, and what puts a slip right: correction, void, reopening."""

from __future__ import annotations

from msgspec.structs import replace

from houseway.amounts import NO_CENTS, NO_MICROS, micros, total
from houseway.errors import Fault, InputError
from houseway.manager.commands.round_answers import (
    CorrectWagerAnswer,
    EndRoundAnswer,
    EnvyPayment,
    ReopenRoundAnswer,
    Reveal,
    SensorWagers,
    SetSensorAnswer,
    StartRoundAnswer,
    VoidRoundAnswer,
)
from houseway.manager.commands.round_commands import (
    CorrectWager,
    EndRound,
    ReopenRound,
    SetSensor,
    StartRound,
    VoidRound,
)
from houseway.manager.core import settings
from houseway.manager.core.award_entities import Award
from houseway.manager.core.engine import Decision, collect, handles
from houseway.manager.core.ledger import about, account
from houseway.manager.core.link_entities import Link
from houseway.manager.core.money import cents_text, dollars
from houseway.manager.core.table_entities import Round, RoundLine, Table, TakenWagers
from houseway.manager.handlers import banking, cards, seats
from houseway.manager.handlers.changes import apply_waiting
from houseway.manager.handlers.common import (
    forget_last_round,
    leave_table,
    need_dealer_of,
    need_dealer_or_controller,
    need_reason,
    round_in_play,
    supervising,
    the_link,
    the_table,
)
from houseway.manager.handlers.face_up import face_up_faults, spot_faults
from houseway.manager.handlers.funds import must_stop, note_whole
from houseway.manager.handlers.meters import give_back, hold_limits, release, take_wagers
from houseway.manager.handlers.room_choices import choice_faults_in_play, choices_of, rules_hash
from houseway.manager.handlers.round_lines import envy_lines, jackpot_lines, lost_wagers, record_round, returned_lines
from houseway.manager.handlers.settlement import lost_by_joker
from houseway.manager.handlers.slips import add_seat, take_seat_out
from houseway.manager.handlers.table_checks import deck_faults
from houseway.manager.handlers.table_editions import edition_played, paper_faults
from houseway.manager.handlers.take_backs import slip_seconds, standing, way_back
from houseway.manager.handlers.tray import tray_warnings

# ---------------------------------------------------------------- sensors and START GAME


@handles(SetSensor)
def set_sensor(decision: Decision, command: SetSensor) -> SetSensorAnswer:
    """Light a sensor or let it go dark, before START GAME."""
    table = _open_table(decision, command.table)
    need_dealer_or_controller(decision, table)
    if table.round is not None:
        message = f"{table.round} is in play: a wager on the sensor now counts for the next round, after END GAME"
        raise InputError.of("round-in-play", "table", message)
    faults = _sensor_faults(decision, table, command.sensor, (command.seat,), "seat")
    # A chip is given back whatever has become of the link since: else the table could neither start nor close.
    collect([fault for fault in faults if command.lit or fault.code in {"no-such-sensor", "no-such-seat"}])
    lit = set(table.lit.get(command.sensor, ()))
    lit = lit | {command.seat} if command.lit else lit - {command.seat}
    lights = {**table.lit, command.sensor: sorted(lit)}
    decision.tables.put(replace(table, lit=lights))
    return SetSensorAnswer(table=table.id, lit=lights)


def _open_table(decision: Decision, table_id: str) -> Table:
    table = the_table(decision, table_id)
    if table.status != "open":
        raise InputError.of("table-closed", "table", f"{table_id} is closed: a supervisor opens it first")
    return table


def _sensor_faults(decision: Decision, table: Table, sensor: str, seats: tuple[int, ...], path: str) -> list[Fault]:
    """Why these seats cannot wager on this sensor: no such sensor or seat, or a link that takes no wagers."""
    link_id = table.sensors.get(sensor)
    if link_id is None:
        return [Fault("no-such-sensor", "sensor", f"{table.id} has no jackpot on sensor {sensor}")]
    faults = [
        Fault("no-such-seat", path, f"{table.id} has seats 1 to {table.seats}, not {seat}")
        for seat in seats
        if not 1 <= seat <= table.seats
    ]
    link = the_link(decision, link_id)
    if link.status != "open":
        why = link.status_reason or {"draft": "it is not opened yet"}.get(link.status, "no reason was recorded")
        message = f"{link.id} takes no wagers, it is {link.status} ({why}): give the wagers back and play without"
        faults.append(Fault("link-not-open", "sensor", message))
    elif must_stop(decision, link, decision.now):
        message = f"the bank account of {link.id} is short and overdue: it takes no wagers until the money is deposited"
        faults.append(Fault("account-short", "sensor", message))
    return faults


@handles(StartRound)
def start_round(decision: Decision, command: StartRound) -> StartRoundAnswer:
    """START GAME: take the wagers on lit sensors and post what they contribute."""
    table = _open_table(decision, command.table)
    need_dealer_of(decision, table)
    if table.round is not None:
        raise InputError.of("round-in-play", "table", f"{table.round} is in play at {table.id}: press END GAME first")
    lit = _lit_seats(table, command)
    faults = [
        fault for sensor, seats in lit.items() for fault in _sensor_faults(decision, table, sensor, seats, "sensors")
    ]
    faults += deck_faults(table)
    faults += face_up_faults(decision.floor, table, decision.now)
    chosen = choices_of(decision.floor, table, decision.now)
    rules = rules_hash(table.game, chosen)
    faults += choice_faults_in_play(decision.floor, table, chosen, rules, decision.now)
    if lit:
        faults += paper_faults(decision.floor, table, edition_played(table), decision.now)
    if command.wagers:
        faults += cards.wager_faults(decision, table, command.wagers, lit)
    declared = seats.declared_at_start(table, command.occupied)
    playing = seats.playing(table, declared, lit, command.wagers)
    faults += seats.start_faults(table, declared, lit, command.wagers)
    faults += spot_faults(decision.floor, table, playing, decision.now)
    faults += banking.start_faults(decision, table, playing, command.wagers)
    collect(faults)
    table = forget_last_round(decision, table)
    links = {sensor: note_whole(decision, the_link(decision, table.sensors[sensor])) for sensor in lit}
    number = table.rounds + 1
    round_id = f"{table.id}-{number}"
    taken = tuple(
        [take_wagers(decision, round_id, table.id, links[sensor], sensor, lit[sensor]) for sensor in sorted(lit)]
    )
    _refuse_unreasonable(decision, taken)
    round_ = Round(
        round_id, table.id, table.game, number, decision.now, table.dealer or decision.actor, "playing",
        taken, {seat: dict(made) for seat, made in command.wagers.items()}, playing,
        seats.attested(decision, lit, command.wagers), rules=rules, banker=table.banker,
    )  # fmt: skip
    decision.rounds.put(round_)
    decision.tables.put(
        replace(
            table, round=round_.id, rounds=number, lit={}, declared=declared, rules=round_.rules, undone=(), banker=None
        )
    )
    return StartRoundAnswer(
        round=round_.id, taken=sensor_wagers(taken), occupied=round_.occupied, attested=round_.attested
    )


def _lit_seats(table: Table, command: StartRound) -> dict[str, tuple[int, ...]]:
    """The seats with a wager by sensor; a controller that sees other ones than the manager is refused."""
    known = {sensor: tuple(sorted(seats)) for sensor, seats in table.lit.items() if seats} if table.lit else {}
    if command.sensors is None:
        return known
    told = {sensor: tuple(sorted(set(seats))) for sensor, seats in command.sensors.items() if seats}
    if known and told != known:
        message = (
            f"the manager saw wagers at {_places(known)}, the controller reports {_places(told)}: "
            "lift the chips and put them down again"
        )
        raise InputError.of("sensors-differ", "sensors", message)
    return told


def _places(lit: dict[str, tuple[int, ...]]) -> str:
    """Lit sensors as people say them."""
    return "; ".join(f"sensor {name[:10]}, seats {', '.join(map(str, lit[name]))}"[:100] for name in lit) or "no seat"


def _refuse_unreasonable(decision: Decision, taken: tuple[TakenWagers, ...]) -> None:
    """Refuse contributions of one round above what the property calls reasonable: a misconfigured link or sensor."""
    largest = settings.value(decision.floor, "largest_contribution", decision.now)
    for each in taken:
        put_in = total([total(put) for put in each.shares.values()])
        if put_in > micros(largest):
            most = cents_text(largest)
            message = f"one round would contribute {dollars(put_in)} to {each.link}, above {most}: check the link"
            raise InputError.of("contribution-unreasonable", "sensors", message)


def sensor_wagers(taken: tuple[TakenWagers, ...]) -> dict[str, SensorWagers]:
    """Taken wagers as an answer tells them, by sensor."""
    return {each.sensor: SensorWagers(each.link, each.seats, each.wager * len(each.seats)) for each in taken}


# ---------------------------------------------------------------- END GAME


@handles(EndRound)
def end_round(decision: Decision, command: EndRound) -> EndRoundAnswer:
    """END GAME: refuse while anything is open; pay envy, record the lines, make the table ready."""
    round_ = round_in_play(decision, command.round)
    table = the_table(decision, round_.table)
    need_dealer_of(decision, table)
    awards = awards_of(decision, round_)
    collect(_open_faults(round_, awards))
    _refuse_missed_winners(decision, table, round_, command)
    return finish_round(decision, round_)


def finish_round(decision: Decision, round_: Round) -> EndRoundAnswer:
    """End a round of which nothing is open: envy from the tray, the lines, the table ready for the next."""
    table, awards = the_table(decision, round_.table), awards_of(decision, round_)
    round_, reveal = cards.finish(decision, table, round_)
    due = envy_lines(table, round_, awards) if awards else []
    together = total(line["returned_cents"] for line in due)
    warnings = tray_warnings(decision, table.id, together, "the envy of this round")
    envy = _pay_envy(decision, round_, due)
    by_joker = lost_by_joker(decision, round_)
    has_lost = not by_joker and not any(award.wagered for award in awards)
    lines = [*([] if has_lost else jackpot_lines(table, round_, awards, by_joker)), *envy, *round_.lines]
    ended = replace(round_, phase="ended", envy_paid=total([line["returned_cents"] for line in envy]))
    decision.rounds.put(ended)
    outcome = "ended" if ended.paper is None else "on-paper"
    record_round(decision, ended, lines, outcome, lost_wagers(table, round_) if has_lost else ())
    _ready(decision, ended)
    paid = tuple(EnvyPayment(line["seat"], line["returned_cents"]) for line in envy)
    return EndRoundAnswer(round=round_.id, envy=paid, reveal=reveal, changes=decision.outcomes, warnings=warnings)


def awards_of(decision: Decision, round_: Round) -> list[Award]:
    """The awards of a round with the decision's own changes in them, from the far right."""
    if not round_.awards:
        return []
    found = [decision.awards.get(id_) for id_ in round_.awards]
    return sorted((award for award in found if award is not None), key=lambda award: (-award.seat, award.sensor))


def _open_faults(round_: Round, awards: list[Award]) -> list[Fault]:
    """What still keeps the round open."""
    faults = []
    for award in awards:
        if award.status != "paid":
            what = "pay or reject it" if award.status == "hit" else "HIT JACKPOT, or press it again to take it off,"
            faults.append(Fault("award-open", "round", f"{standing(award)}: {what} before END GAME"))
    if round_.key_turned:
        faults.append(Fault("key-at-jph", "round", "the supervisor's key is at JPH: turn it back to Run"))
    return faults


def _refuse_missed_winners(decision: Decision, table: Table, round_: Round, command: EndRound) -> None:
    """Refuse END GAME while a proposed button is unpressed, unless a supervisor has said why."""
    missed = cards.unpressed(decision, table, round_)
    if missed and command.override is None:
        raise InputError(missed)
    if command.override is not None:
        need_reason(command.override, "override")
        supervising(decision, command.badge, round_, "leaving a proposed button unpressed")


def _pay_envy(decision: Decision, round_: Round, lines: list[RoundLine]) -> list[RoundLine]:
    """Pay every other seat with the wager on the same sensor what a hand with envy brings it; lines from the tray."""
    if not lines:
        return []
    paid = micros(total(line["returned_cents"] for line in lines))
    receipts, tray = account("receipts", round_.table), account("tray", round_.table)
    decision.books.transfer_any(receipts, tray, paid, "envy", about("round", round_.id))
    return lines


def _ready(decision: Decision, ended: Round) -> None:
    """Make the table ready for its next round, keeping the ended one until that begins."""
    table = replace(leave_table(decision, ended), last_round=ended.id)
    decision.tables.put(cards.prepare_next(decision, table))


# ---------------------------------------------------------------- slips


@handles(CorrectWager)
def correct_wager(decision: Decision, command: CorrectWager) -> CorrectWagerAnswer:
    """Put a missed or wrongly counted wager right, on record, while the table plays on."""
    round_ = round_in_play(decision, command.round)
    table = the_table(decision, round_.table)
    need_dealer_of(decision, table)
    need_reason(command.reason)
    if not _dealer_may_correct(decision, round_):
        supervising(decision, command.badge, round_, "correcting a wager now")
    old = next((taken for taken in round_.taken if taken.sensor == command.sensor), None)
    # The link that took the wagers: a round that was set aside may find its sensor joined to another one.
    joined = replace(table, sensors={**table.sensors, command.sensor: old.link}) if old else table
    faults = _sensor_faults(decision, joined, command.sensor, (command.seat,), "seat")
    # A wager that was never made comes out whatever has become of the link since.
    collect([fault for fault in faults if command.made or fault.code in {"no-such-sensor", "no-such-seat"}])
    link = the_link(decision, joined.sensors[command.sensor])
    _refuse_awarded_seat(decision, round_, command)
    if command.made:
        round_ = seats.joined_late(decision, round_, command.seat, command.sensor)
    new = _corrected(decision, round_, link, old, command)
    others = [taken for taken in round_.taken if taken.sensor != command.sensor]
    taken = tuple(sorted([*others, new] if new else others, key=lambda each: each.sensor))
    corrected = replace(round_, taken=taken, corrections=round_.corrections + 1, changed_at=decision.now)
    decision.rounds.put(cards.after_correction(decision, corrected))
    apply_waiting(decision)
    return CorrectWagerAnswer(round=round_.id, taken=sensor_wagers(taken), changes=decision.outcomes)


def _corrected(
    decision: Decision, round_: Round, link: Link, old: TakenWagers | None, command: CorrectWager
) -> TakenWagers | None:
    """The sensor's wagers with the one that was missed, or without the one that was never made."""
    if old is not None and command.seat in old.seats:
        if not command.made:
            return take_seat_out(decision, round_, link, command.seat, old)
        raise InputError.of("nothing-to-correct", "seat", f"seat {command.seat}'s wager is already counted")
    if command.made:
        if old is None and link.changed_at > round_.started_at:
            message = (
                f"{link.id} was changed after {round_.id} had begun, which took no wager on sensor {command.sensor}: "
                "return the wager, or void the round"
            )
            raise InputError.of("link-changed", "sensor", message)
        return add_seat(decision, round_, link, command.sensor, command.seat, old)
    raise InputError.of("nothing-to-correct", "seat", f"seat {command.seat}'s wager is not counted")


def _dealer_may_correct(decision: Decision, round_: Round) -> bool:
    """Whether the dealer may still correct alone: START GAME was just now, and nothing has happened since."""
    fresh = decision.now - round_.started_at <= slip_seconds(decision) * 1_000_000
    played = round_.deal or round_.raised or round_.sets or round_.displays
    return fresh and not (played or round_.presses or round_.hold or round_.reopened)


def _refuse_awarded_seat(decision: Decision, round_: Round, command: CorrectWager) -> None:
    """A wager whose award is already pressed or locked is not touched: press again or reject first."""
    for award in awards_of(decision, round_):
        if award.status != "pressed" or (award.sensor, award.seat) == (command.sensor, command.seat):
            raise InputError.of(
                "award-open", "seat", f"{standing(award)}; before a wager is corrected: {way_back(award)}"
            )


@handles(VoidRound)
def void_round(decision: Decision, command: VoidRound) -> VoidRoundAnswer:
    """The round does not count: everything that it took goes back in one event."""
    round_ = round_in_play(decision, command.round)
    need_reason(command.reason)
    approved = supervising(decision, command.badge, round_, "voiding a round")
    reveal = void(decision, round_, "void")
    return VoidRoundAnswer(
        round=round_.id, returned=sensor_wagers(round_.taken), approved_by=approved.id, reveal=reveal,
        changes=decision.outcomes,
    )  # fmt: skip


def void(decision: Decision, round_: Round, outcome: str) -> Reveal | None:
    """Undo a round's locks and wagers and reveal its deal; refused once an award of it is paid."""
    awards = awards_of(decision, round_)
    for award in awards:
        if award.status == "paid":
            raise InputError.of(
                "award-paid", "round", f"{standing(award)}; before the round is voided: {way_back(award)}"
            )
    # The one locked last goes back first.
    for award in sorted(awards, key=lambda each: -each.locked_as):
        if award.status == "hit":
            release(decision, the_link(decision, award.link), award, "rejection")
            record_hit(decision, award, "rejected")
        decision.awards.drop(award.id)
    for taken in reversed(round_.taken):
        give_back(decision, round_.id, round_.table, the_link(decision, taken.link), taken, "void")
        hold_limits(decision, the_link(decision, taken.link), round_.id)
    reveal = cards.disclose_void(decision, round_)
    decision.rounds.drop(round_.id)
    record_round(decision, round_, returned_lines(the_table(decision, round_.table), round_), outcome)
    table = the_table(decision, round_.table)
    if table.round == round_.id:
        decision.tables.put(cards.prepare_next(decision, leave_table(decision, round_)))
    return reveal


def record_hit(decision: Decision, award: Award, status: str) -> None:
    """Write the row by which an award is found again."""
    meter = account("meter", award.link, award.level) if award.level else ""
    decision.row(
        "hit",
        award=award.id, link=award.link, level=award.level, table=award.table, round=award.round, seat=award.seat,
        hand=award.hand, percent=award.percent, cents=award.cents, order=award.order, status=status, at=decision.now,
        meter_before_micros=award.meter_before_micros,
        meter_after_micros=decision.books.held(meter) if meter else NO_MICROS,
        seed_drawn_micros=award.seed_drawn_micros, reserve_drawn_micros=award.reserve_drawn_micros,
    )  # fmt: skip


@handles(ReopenRound)
def reopen_round(decision: Decision, command: ReopenRound) -> ReopenRoundAnswer:
    """END GAME was pressed too early: the last round is in play again, and the envy it paid is taken back."""
    table = _open_table(decision, command.table)
    need_reason(command.reason)
    last = decision.rounds.get(table.last_round or "")
    if table.round is not None or last is None or last.phase != "ended":
        message = f"{table.id} has no round that can be opened again: its next one has begun, or it was closed since"
        raise InputError.of("nothing-to-reopen", "table", message)
    if last.deal is not None:
        message = (
            "the cards of this round were known and its winners were proposed: two people pay a late award at the desk"
        )
        raise InputError.of("nothing-to-reopen", "table", message)
    for taken in last.taken:
        if the_link(decision, taken.link).status == "retired":
            message = f"{taken.link} is retired since: two people pay a late award at the desk"
            raise InputError.of("nothing-to-reopen", "table", message)
    supervising(decision, command.badge, last, "opening a round again")
    envy = micros(last.envy_paid)
    tray, receipts = account("tray", table.id), account("receipts", table.id)
    decision.books.transfer_any(tray, receipts, envy, "envy-returned", about("round", last.id))
    opened = replace(last, phase="playing", envy_paid=NO_CENTS, corrections=last.corrections + 1, reopened=True)
    decision.rounds.put(replace(opened, changed_at=decision.now))
    decision.tables.put(replace(table, round=last.id, last_round=None))
    return ReopenRoundAnswer(round=last.id, envy_taken_back=last.envy_paid)


def link_of(decision: Decision, table: Table, sensor: str) -> Link:
    """The link on a table's sensor."""
    if sensor not in table.sensors:
        raise InputError.of("no-such-sensor", "sensor", f"{table.id} has no jackpot on sensor {sensor}")
    return the_link(decision, table.sensors[sensor])
