"""Rounds by the documents: sensors light, START GAME takes the wagers, END GAME only when all is settled, envy, slips.

Clauses: sensors light up for wagers, START GAME takes them, END GAME when all action is reconciled, envy to every other
seat with the wager at this table and never to the winner. From docs/decisions.md: voids, corrections, holds, reopening.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from instruments.simulator.checker.chain import ChainEntry
from instruments.simulator.checker.deals import open_hands
from instruments.simulator.checker.errors import CheckError, same
from instruments.simulator.checker.meters import correct, give_back, hold_limits, release_all, take
from instruments.simulator.checker.rules import CONTROLS, Call, Objection, against_badge, against_blank, rule
from instruments.simulator.checker.state import MICROS_PER_CENT, SLIP_SECONDS, Award, Floor, Round, Table

SUPERVISING = ("supervisor", "executive")
SECOND = 1_000_000


def against_dealer(floor: Floor, call: Call, table: Table) -> Iterator[Objection]:
    """Only the dealer who is signed in at a table, or a supervisor, works its controls."""
    if call.actor.startswith("device:"):
        device = floor.devices.get(call.actor.removeprefix("device:"))
        if device is not None and device["table"] != table.id:
            yield Objection("the controller of another table", certain=True)
        return
    if table.dealer is None:
        yield Objection("no dealer is signed in at the table")
    elif call.actor != table.dealer and not floor.has_role(call.actor, *SUPERVISING):
        yield Objection("another dealer is signed in at the table")


def unsure(objections: Iterator[Objection]) -> Iterator[Objection]:
    """Objections on which the documents are silent: a supervisor's badge goes with the command anyway."""
    return (Objection(each.why, certain=False) for each in objections)


def against_wager(floor: Floor, table: Table, sensor: str, seat: int, *, lit: bool = True) -> Iterator[Objection]:
    """Why a seat cannot wager on a sensor."""
    link = floor.links.get(table.sensors.get(sensor, ""))
    if link is None:
        yield Objection("no jackpot on this sensor")
        return
    if not 1 <= seat <= table.seats:
        yield Objection("no such seat")
    if link.status != "open":
        yield Objection("the link takes no wagers", certain=lit)


# Sensors


def _judge_sensor(floor: Floor, call: Call) -> Iterator[Objection]:
    table = floor.tables.get(call["table"])
    if table is None:
        yield Objection("no such table")
        return
    if table.status != "open":
        yield Objection("the table is closed")
    if table.round is not None:
        yield Objection("a round is in play: its wagers are taken")
    yield from against_wager(floor, table, call["sensor"], call["seat"], lit=call["lit"])
    if call.actor.startswith("device:"):
        yield from against_dealer(floor, call, table)
    elif table.dealer is None or call.actor != table.dealer:
        yield Objection("somebody else than the table's dealer tells of a chip", certain=False)


@rule("sensor.set", *CONTROLS, device=True)(_judge_sensor)
def _apply_sensor(floor: Floor, call: Call, entry: ChainEntry) -> None:
    table = floor.tables[call["table"]]
    seats = table.lit.setdefault(call["sensor"], set())
    if call["lit"]:
        seats.add(call["seat"])
    else:
        seats.discard(call["seat"])
    told = {sensor: set(lit) for sensor, lit in entry.answer["lit"].items() if lit}
    same({sensor: lit for sensor, lit in table.lit.items() if lit}, told, f"lit sensors of {table.id}")


def _judge_acknowledge(floor: Floor, call: Call) -> Iterator[Objection]:
    table = floor.tables.get(call["table"])
    if table is None:
        yield Objection("no such table")
        return
    if not table.undone:
        yield Objection("nothing was undone")
    yield from against_dealer(floor, call, table)


@rule("undone.acknowledge", *CONTROLS)(_judge_acknowledge)
def _apply_acknowledge(floor: Floor, call: Call, entry: ChainEntry) -> None:
    table = floor.tables[call["table"]]
    same(table.undone, entry.answer["acknowledged"], f"what was undone at {table.id}")
    table.undone.clear()
    floor.note("what was undone elsewhere was acknowledged")


def _judge_declare(floor: Floor, call: Call) -> Iterator[Objection]:
    table = floor.tables.get(call["table"])
    if table is None:
        yield Objection("no such table")
        return
    if table.status != "open":
        yield Objection("the table is closed")
    yield from against_seats(table, [call["seat"]])
    yield from against_dealer(floor, call, table)
    round_ = floor.rounds.get(table.round or "")
    if call["plays"] and round_ is not None and call["seat"] not in round_.occupied:
        yield from against_spots(floor, table, round_.occupied | {call["seat"]}, call.now)
        if round_.dealer_shown or round_.displayed:
            yield Objection("a hand is shown")
        elif round_.deal is not None:
            yield Objection("the round is dealt", certain=False)


def against_spots(floor: Floor, table: Table, playing: set[int], now: int) -> Iterator[Objection]:
    """Face up, no more spots are dealt than the permission allows."""
    if table.face_up and len(playing) > floor.face_up_spots(table, now):
        yield Objection("more spots than may be dealt face up")


def against_seats(table: Table, seats: Iterable[int]) -> Iterator[Objection]:
    """Seats that a table does not have."""
    if any(not 1 <= seat <= table.seats for seat in seats):
        yield Objection("no such seat")


@rule("seat.declare", *CONTROLS)(_judge_declare)
def _apply_declare(floor: Floor, call: Call, entry: ChainEntry) -> None:
    table = floor.tables[call["table"]]
    table.declared ^= {call["seat"]} if call["plays"] != (call["seat"] in table.declared) else set()
    same(sorted(table.declared), entry.answer["declared"], f"declared seats of {table.id}")
    round_ = floor.rounds.get(table.round or "")
    if round_ is None:
        return
    if call["plays"]:
        round_.occupied.add(call["seat"])
    same(sorted(round_.occupied), entry.answer["occupied"], f"who plays in {round_.id}")


# START GAME


def lit_seats(table: Table, call: Call) -> dict[str, set[int]]:
    """The seats whose wagers START GAME takes, by sensor."""
    known = {sensor: set(seats) for sensor, seats in table.lit.items() if seats}
    told = call.get("sensors")
    return known if told is None else {sensor: set(seats) for sensor, seats in told.items() if seats}


def _against_table(table: Table) -> Iterator[Objection]:
    """Why a table begins no round, whoever asks for one."""
    if table.status != "open":
        yield Objection("the table is closed")
    if table.round is not None:
        yield Objection("a round is in play")
    if table.deck_due:
        yield Objection("a misdeal, and no deck was counted down since")


def _judge_start(floor: Floor, call: Call) -> Iterator[Objection]:
    table = floor.tables.get(call["table"])
    if table is None:
        yield Objection("no such table")
        return
    yield from _against_table(table)
    yield from against_dealer(floor, call, table)
    taken = lit_seats(table, call)
    known = {sensor: set(seats) for sensor, seats in table.lit.items() if seats}
    if known and taken != known:
        yield Objection("the controller sees other wagers than the manager")
    for sensor, seats in taken.items():
        for seat in seats:
            yield from against_wager(floor, table, sensor, seat)
    if call.get("occupied") is not None:
        yield from against_seats(table, call["occupied"])
    playing = playing_at_start(table, call)
    if table.face_up and not playing:
        yield Objection("face up, and nobody is declared")
    yield from against_spots(floor, table, playing, call.now)
    if any(taken.values()) and not floor.may_play_jackpots(table, call.now):
        yield Objection("jackpots that no sheet offers, and no paper in force allows them")
    if floor.needs_cover(table, call.now) and not floor.covering(table, call.now):
        yield Objection("a choice of the room that no paper in force covers")
    if call.get("wagers"):
        yield from _against_other_wagers(floor, table, call)
    yield from _against_banker(floor, table, call, playing)


def _against_banker(floor: Floor, table: Table, call: Call, playing: set[int]) -> Iterator[Objection]:
    if table.banker is None:
        return
    if not floor.offers_banking(table, call.now):
        yield Objection("no player banks here")
    if table.banker not in playing:
        yield Objection("the banker does not play")
    if table.cards == "known" and {str(seat) for seat in playing - {table.banker}} - {*call.get("wagers", {})}:
        yield Objection("a wager that the bank would face is not told")


def recorded_rules(entry: ChainEntry, round_id: str) -> str:
    """The hash of the rules that the record of a round names."""
    (rules,) = (what["rules"] for kind, id_, what in entry.body["put"] if (kind, id_) == ("round", round_id))
    return str(rules)


def playing_at_start(table: Table, call: Call) -> set[int]:
    """Every seat of a round that begins: declared, on a sensor, or with a wager told."""
    declared = table.declared if call.get("occupied") is None else set(call["occupied"])
    told = {int(seat) for seat in call.get("wagers", {}) if seat.isdigit()}
    return declared | told | {seat for seats in lit_seats(table, call).values() for seat in seats}


def _against_other_wagers(_floor: Floor, table: Table, call: Call) -> Iterator[Objection]:
    for seat, made in call["wagers"].items():
        if not seat.isdigit() or not 1 <= int(seat) <= table.seats:
            yield Objection("no such seat")
        if any(cents <= 0 for cents in made.values()):
            yield Objection("a wager of nothing")
    if call.get("odd"):
        yield Objection("a wager that the game may not offer", certain=False)
    lit = {seat for seats in lit_seats(table, call).values() for seat in seats} - {table.banker}
    if any(str(seat) not in call["wagers"] for seat in lit):
        yield Objection("a jackpot wager without the regular one")


@rule("round.start", *CONTROLS)(_judge_start)
def _apply_start(floor: Floor, call: Call, entry: ChainEntry) -> None:
    table = floor.tables[call["table"]]
    taken = {
        sensor: take(floor, table.id, floor.links[table.sensors[sensor]], seats)
        for sensor, seats in sorted(lit_seats(table, call).items())
    }
    table.rounds += 1
    table.undone.clear()
    round_id = str(entry.answer["round"])
    rules = recorded_rules(entry, round_id)
    if floor.needs_cover(table, entry.at) and rules not in floor.covering(table, entry.at):
        raise CheckError(f"{round_id} began under rules that no paper covers", found=rules)
    if table.rules is not None and (table.rules == rules) != (table.chosen == floor.choices(table, entry.at)):
        raise CheckError(f"another choice gives {round_id} another hash, and the same one the same", found=rules)
    table.rules, table.chosen = rules, floor.choices(table, entry.at)
    if table.chosen:
        floor.note("a round under choices that a paper covers")
    _forget_last(floor, table)
    wagers = dict(call.get("wagers", {}))
    on_sensors = {seat for each in taken.values() for seat in each.seats}
    playing = playing_at_start(table, call)
    if call.get("occupied") is not None:
        table.declared = set(call["occupied"])
    floor.rounds[round_id] = Round(
        round_id, table.id, {table.dealer or call.actor}, entry.at, taken, wagers, playing,
        {} if wagers else {str(seat): call.actor for seat in on_sensors},
    )  # fmt: skip
    floor.rounds[round_id].banker, table.banker = table.banker, None
    if floor.rounds[round_id].banker is not None:
        floor.note("a player banked a round")
    table.round, table.lit = round_id, {}
    check_taken(floor.rounds[round_id], entry.answer["taken"])
    same(sorted(floor.rounds[round_id].occupied), entry.answer["occupied"], f"who plays in {round_id}")
    same(floor.rounds[round_id].attested, dict(entry.answer["attested"]), f"regular wagers attested in {round_id}")
    if floor.rounds[round_id].occupied - on_sensors and not wagers:
        floor.note("a player without a jackpot wager was declared")


def _forget_last(floor: Floor, table: Table) -> None:
    if table.last_round is not None:
        floor.rounds.pop(table.last_round, None)
        table.last_round = None


def check_taken(round_: Round, told: dict[str, dict[str, object]]) -> None:
    """An answer tells the wagers that a round took."""
    expected = {
        sensor: {"link": taken.link, "seats": sorted(taken.seats), "cents": taken.wager * len(taken.seats)}
        for sensor, taken in round_.taken.items()
        if taken.seats
    }
    found = {sensor: each for sensor, each in told.items() if each["seats"]}
    same(expected, found, f"wagers that {round_.id} took")


# END GAME


def _judge_end(floor: Floor, call: Call) -> Iterator[Objection]:
    round_ = floor.round_in_play(call["round"])
    if round_ is None:
        yield Objection("the round is not in play")
        return
    yield from against_dealer(floor, call, floor.tables[round_.table])
    if any(award.status != "paid" for award in round_.awards.values()):
        yield Objection("an award is not settled")
    if round_.key_at_jph:
        yield Objection("the supervisor's key stands at JPH")
    if round_.deal is not None and not round_.dealer_shown:
        yield Objection("the dealer's hand was never shown")
    if floor.tables[round_.table].cards == "known":
        if round_.deal is None:
            yield Objection("the cards were never dealt", certain=False)
        yield Objection("known cards may ask for more", certain=False)
    if call.get("override") is not None:
        yield from against_blank(call["override"])
        yield from against_badge(floor, call.get("badge"), SUPERVISING, *round_.dealers)


def envy_of(round_: Round) -> list[tuple[int, int]]:
    """Who gets how much envy: every other seat with the wager on the sensor, once for each hand that brings it."""
    return [
        (seat, award.envy)
        for award in round_.awards.values()
        if award.envy and award.status == "paid"
        for seat in round_.taken[award.sensor].seats
        if seat != award.seat
    ]


@rule("round.end", *CONTROLS)(_judge_end)
def _apply_end(floor: Floor, call: Call, entry: ChainEntry) -> None:
    end(floor, floor.rounds[call["round"]], entry)
    if call.get("override") is not None:
        floor.note("a proposed button was left unpressed by override")


def end(floor: Floor, round_: Round, entry: ChainEntry) -> None:
    """A round is over: envy is paid, its lines are told, and the table is free."""
    round_.envy = envy_of(round_)
    total = sum(cents for _, cents in round_.envy) * MICROS_PER_CENT
    floor.move(f"receipts/{round_.table}", f"tray/{round_.table}", total)
    told = sorted((line["seat"], line["cents"]) for line in entry.answer["envy"])
    same(sorted(round_.envy), told, f"envy of {round_.id}")
    if round_.envy:
        floor.note("envy was paid")
    if len({id(award) for award in round_.awards.values() if award.envy}) > 1 and round_.envy:
        floor.note("envy from several hands")
    check_lines(floor.tables[round_.table], round_, entry)
    round_.phase = "ended"
    clear_table(floor, round_)
    floor.tables[round_.table].last_round = round_.id


_SIX_CARD_SHEETS = {"six-card-fortune": "6cfpgpp", "six-card-poker": "scpp"}
"""The jackpot sheets that print their rules once for each generation of controls, under the same numbers."""


def clause_of(table: Table, award: Award | None, line: dict[str, object]) -> str:
    """Where the sheet says what a line of a jackpot wager comes to: share, fixed pay, envy, a loss, a house prize."""
    sheet = _SIX_CARD_SHEETS.get(table.game)
    if sheet is None:
        rules, winners = ("fpgpp/nexus" if table.edition == "2018-10-18" else "fpgpj/rules"), "9"
    else:
        rules, winners = f"{sheet}/{'aquarius' if table.vocabulary == 'aquarius' else 'nexus'}", "8"
    if str(line["wager"]).endswith("_envy"):
        return f"{rules}/9.a"
    if award is None:
        return f"{rules}/2"
    if line.get("source") == "house":
        return "fpgpj/jackpots/6" if sheet is None else "base/jackpot/house"
    return f"{rules}/{winners}.{'a' if award.percent is not None else 'b'}"


def check_lines(table: Table, round_: Round, entry: ChainEntry) -> None:
    """The lines by which a round is found again: one for each jackpot wager with what it won, one for each envy."""
    rows = entry.body.get("rows", ())
    lines = [row for kind, row in rows if kind == "line" and row.get("link") is not None]
    lines += [
        {**row, "seat": seat, "outcome": "lose", "returned_cents": 0}
        for kind, row in rows
        if kind == "lost"
        for seat in row["seats"]
    ]
    won = {(each.sensor, each.seat): each for each in round_.awards.values() if each.wagered}
    expected = [
        (taken.link, seat, taken.wager, won[sensor, seat].cents if (sensor, seat) in won else 0)
        for sensor, taken in round_.taken.items()
        for seat in taken.seats
    ]
    wagers = [line for line in lines if not line["wager"].endswith("_envy")]
    found = [(line["link"], line["seat"], line["stake_cents"], line["returned_cents"]) for line in wagers]
    same(sorted(expected), sorted(found), f"lines of the jackpot wagers of {round_.id}")
    envy = sorted((line["seat"], line["returned_cents"]) for line in lines if line["wager"].endswith("_envy"))
    same(sorted(round_.envy), envy, f"lines of the envy of {round_.id}")
    for line in lines:
        same(clause_of(table, round_.awards.get(line.get("award", "")), line), line.get("clause"), f"clause of {line}")


def clear_table(floor: Floor, round_: Round) -> None:
    """The table is ready for its next round; chips that players have laid for it stay where they lie."""
    table = floor.tables[round_.table]
    if table.round == round_.id:
        table.round = None


# Slips and disputes


def _judge_void(floor: Floor, call: Call) -> Iterator[Objection]:
    round_ = floor.round_in_play(call["round"])
    if round_ is None:
        yield Objection("the round is not in play")
        return
    yield from unsure(against_dealer(floor, call, floor.tables[round_.table]))
    yield from against_void(round_)
    yield from against_badge(floor, call["badge"], SUPERVISING, *round_.dealers)
    yield from against_blank(call["reason"])


def against_void(round_: Round) -> Iterator[Objection]:
    """A round of which something was paid is not voided."""
    if any(award.status == "paid" and award.wagered for award in round_.awards.values()):
        yield Objection("an award of the round is paid")
    elif any(award.status == "paid" for award in round_.awards.values()):
        yield Objection("a hand that only brings envy is logged", certain=False)


def void(floor: Floor, round_: Round) -> None:
    """Undo a round: its locks, the latest first, then its wagers and their shares, in one entry."""
    if any(award.status == "hit" for award in round_.awards.values()):
        floor.note("a round was voided with an award locked")
    release_all(floor, [award for award in round_.awards.values() if award.status == "hit"])
    for taken in round_.taken.values():
        give_back(floor, round_.table, taken)
        hold_limits(floor, floor.links[taken.link])
    clear_table(floor, round_)
    floor.rounds.pop(round_.id)


@rule("round.void", *CONTROLS)(_judge_void)
def _apply_void(floor: Floor, call: Call, entry: ChainEntry) -> None:
    round_ = floor.rounds[call["round"]]
    check_taken(round_, entry.answer["returned"])
    void(floor, round_)


def _judge_correct(floor: Floor, call: Call) -> Iterator[Objection]:
    round_ = floor.round_in_play(call["round"])
    if round_ is None:
        yield Objection("the round is not in play")
        return
    table = floor.tables[round_.table]
    yield from against_dealer(floor, call, table)
    yield from against_wager(floor, table, call["sensor"], call["seat"], lit=call["made"])
    yield from against_blank(call["reason"])
    for award in round_.awards.values():
        if award.status != "pressed" or (award.sensor, award.seat) == (call["sensor"], call["seat"]):
            yield Objection("an award stands in the way of the correction")
    taken = round_.taken.get(call["sensor"])
    if call["made"] == (taken is not None and call["seat"] in taken.seats):
        yield Objection("there is nothing to correct")
    link = floor.links.get(table.sensors.get(call["sensor"], ""))
    if taken is None and call["made"] and link is not None and link.changed_at > round_.started_at:
        # Nothing of what was posted when the round began is known any more: the wager cannot be taken by it.
        yield Objection("the link was changed since the round began")
    if call["made"] and round_.wagers and str(call["seat"]) not in round_.wagers:
        yield Objection("a jackpot wager without the regular one")
    if call["made"] and call["seat"] not in round_.occupied:
        yield from against_spots(floor, table, round_.occupied | {call["seat"]}, call.now)
    yield from _against_late_slip(floor, call, round_)
    if round_.deal is not None:
        yield Objection("a seat without cards cannot have wagered", certain=False)


def _against_late_slip(floor: Floor, call: Call, round_: Round) -> Iterator[Objection]:
    seconds = floor.setting("slip_seconds", call.now, SLIP_SECONDS)
    late = call.now - round_.started_at > seconds * SECOND or round_.touched or bool(round_.awards)
    if late or call.get("badge") is not None:
        yield from (
            Objection(why, certain=late)
            for why, _ in against_badge(floor, call.get("badge"), SUPERVISING, *round_.dealers)
        )


@rule("round.correct", *CONTROLS)(_judge_correct)
def _apply_correct(floor: Floor, call: Call, entry: ChainEntry) -> None:
    round_ = floor.rounds[call["round"]]
    link = floor.links[floor.tables[round_.table].sensors[call["sensor"]]]
    floor.note(f"a slip was put right {'by the dealer alone' if call.get('badge') is None else 'by badge'}")
    old = round_.taken.pop(call["sensor"], None)
    new = correct(floor, round_.table, link, call["seat"], old)
    if new is not None:
        round_.taken[call["sensor"]] = new
    if call["made"]:
        round_.occupied.add(call["seat"])
    if round_.dealer_shown and round_.deal is not None:
        open_hands(floor, round_)
    check_taken(round_, entry.answer["taken"])


def _dealing(table: Table) -> set[str]:
    return set() if table.dealer is None else {table.dealer}


def _judge_reopen(floor: Floor, call: Call) -> Iterator[Objection]:
    table = floor.tables.get(call["table"])
    if table is None:
        yield Objection("no such table")
        return
    last = floor.rounds.get(table.last_round or "")
    if table.round is not None or last is None:
        yield Objection("there is no round to open again")
        return
    if table.status != "open":
        yield Objection("the table is closed")
    if last.deal is not None:
        yield Objection("its cards were known")
    if last.counted_out:
        yield Objection("its table was closed and counted since", certain=False)
    yield from unsure(against_dealer(floor, call, table))
    yield from against_badge(floor, call["badge"], SUPERVISING, *last.dealers, *_dealing(table))
    yield from against_blank(call["reason"])
    if any(table.lit.values()):
        yield Objection("wagers of the next round lie on the table", certain=False)
    for taken in last.taken.values():
        if floor.links[taken.link].status not in ("open", "draining"):
            yield Objection("the link was stopped since", certain=False)


@rule("round.reopen", *CONTROLS)(_judge_reopen)
def _apply_reopen(floor: Floor, call: Call, entry: ChainEntry) -> None:
    table = floor.tables[call["table"]]
    round_ = floor.rounds[table.last_round or ""]
    total = sum(cents for _, cents in round_.envy)
    floor.move(f"tray/{table.id}", f"receipts/{table.id}", total * MICROS_PER_CENT)
    same(total, entry.answer["envy_taken_back"], f"envy taken back from {round_.id}")
    if total:
        floor.note("envy was taken back")
    round_.phase, round_.envy, round_.touched, round_.reopened = "playing", [], True, True
    round_.dealers |= _dealing(table)
    table.round, table.last_round = round_.id, None


def _judge_hold(floor: Floor, call: Call) -> Iterator[Objection]:
    round_ = floor.round_in_play(call["round"])
    if round_ is None:
        yield Objection("the round is not in play")
        return
    if not floor.has_role(call.actor, "surveillance"):
        yield from unsure(against_dealer(floor, call, floor.tables[round_.table]))
    yield from against_badge(floor, call["badge"], SUPERVISING, *round_.dealers)
    yield from against_blank(call["reason"])
    if round_.key_at_jph:
        yield Objection("the supervisor's key stands at JPH", certain=False)


@rule("round.hold", *CONTROLS, "surveillance")(_judge_hold)
def _apply_hold(floor: Floor, call: Call, entry: ChainEntry) -> None:
    round_ = floor.rounds[call["round"]]
    round_.phase = "held"
    person = floor.person_of_badge(call["badge"])
    round_.held_by = None if person is None else person.id
    same(round_.held_by, entry.answer["held_by"], "who held the round")
    clear_table(floor, round_)


def _judge_decide(floor: Floor, call: Call) -> Iterator[Objection]:
    round_ = floor.rounds.get(call["round"])
    if round_ is None or round_.phase != "held":
        yield Objection("the round is not on hold")
        return
    yield from against_badge(floor, call["badge"], SUPERVISING, *round_.dealers)
    person = floor.person_of_badge(call["badge"])
    if call.actor in round_.dealers:
        yield Objection("who dealt a round decides its dispute")
    if {call.actor, person.id if person else None} & _dealing(floor.tables[round_.table]):
        yield Objection("who deals at its table now", certain=False)
    yield from against_blank(call["reason"])
    yield from against_blank(call["reference"])
    table = floor.tables[round_.table]
    if call["decision"] == "resume":
        if table.round is not None:
            yield Objection("another round is in play at its table")
        if table.status != "open" or table.dealer is None:
            yield Objection("its table is not open", certain=False)
        if any(table.lit.values()):
            yield Objection("wagers of the next round lie on the table", certain=False)
    else:
        yield from against_void(round_)


@rule("round.decide", *SUPERVISING)(_judge_decide)
def _apply_decide(floor: Floor, call: Call, _entry: ChainEntry) -> None:
    round_ = floor.rounds[call["round"]]
    floor.note(f"a round on hold: {call['decision']}")
    if call["decision"] == "void":
        void(floor, round_)
        floor.tables[round_.table].undone.append(round_.id)
        return
    table = floor.tables[round_.table]
    round_.phase, round_.touched = "playing", True
    _forget_last(floor, table)
    round_.dealers |= _dealing(table)
    table.round = round_.id
