"""Who plays in a round: seats with a wager on a sensor, seats whose wagers are told, seats declared at the keypad.

Sensors see jackpot wagers only. A player without one is declared once, at the keypad, and plays from then on in every
round until taken back. The house-way display waits for every seat that plays, and whoever presses START GAME attests
what nobody has told: that each seat with a jackpot wager has made its regular one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from msgspec.structs import replace

from houseway.errors import Fault, InputError
from houseway.games import game
from houseway.manager.commands.round_answers import DeclareSeatAnswer
from houseway.manager.commands.round_commands import DeclareSeat
from houseway.manager.core.engine import Decision, collect, handles
from houseway.manager.core.table_entities import Round, Table
from houseway.manager.handlers.common import need_dealer_of, the_table
from houseway.manager.handlers.face_up import spot_faults

Lit = Mapping[str, Collection[int]]
"""Seats with a wager, by sensor."""
Wagers = Mapping[str, Mapping[str, int]]
"""Other wagers in cents, by seat."""


@handles(DeclareSeat)
def declare_seat(decision: Decision, command: DeclareSeat) -> DeclareSeatAnswer:
    """Somebody plays at a seat, or nobody does any more; in a round a seat can only join."""
    table = the_table(decision, command.table)
    need_dealer_of(decision, table)
    if table.status != "open":
        raise InputError.of("table-closed", "table", f"{table.id} is closed: a supervisor opens it first")
    if not 1 <= command.seat <= table.seats:
        raise InputError.of("no-such-seat", "seat", f"{table.id} has seats 1 to {table.seats}, not {command.seat}")
    declared = set(table.declared) - {command.seat} | ({command.seat} if command.plays else set())
    decision.tables.put(replace(table, declared=tuple(sorted(declared))))
    round_ = decision.rounds.get(table.round or "")
    if command.plays and round_ is not None and command.seat not in round_.occupied:
        if round_.displays and round_.deal is None:
            message = (
                f"a hand of {round_.id} was shown already, and nobody joins after that: declare seat {command.seat} "
                "when the round is over; if it was dealt in, call a supervisor, who voids the round"
            )
            raise InputError.of("already-shown", "seat", message)
        if round_.deal is not None:
            message = f"{round_.id} goes on without seat {command.seat}: it plays from the next round on"
            raise InputError.of("round-in-play", "seat", message)
        round_ = _with_seat(decision, table, round_, command.seat)
        decision.rounds.put(round_)
    occupied = None if round_ is None else round_.occupied
    return DeclareSeatAnswer(table=table.id, declared=tuple(sorted(declared)), occupied=occupied)


def declared_at_start(table: Table, told: Iterable[int] | None) -> tuple[int, ...]:
    """The declared seats: as START GAME tells them, else as they were declared before."""
    return table.declared if told is None else tuple(sorted(set(told)))


def playing(table: Table, declared: Iterable[int], lit: Lit, wagers: Wagers) -> tuple[int, ...]:
    """All seats of the table that play, from the lowest up; what is not a seat of it is refused elsewhere."""
    told = set(declared).union(*lit.values())
    if wagers:
        told.update(seat for seat in range(1, table.seats + 1) if str(seat) in wagers)
    return tuple([seat for seat in range(1, table.seats + 1) if seat in told])


def start_faults(table: Table, declared: Iterable[int], lit: Lit, wagers: Wagers) -> list[Fault]:
    """Declared seats that the table does not have, and jackpot wagers without the regular one where wagers are told."""
    faults = [
        Fault("no-such-seat", "occupied", f"{table.id} has seats 1 to {table.seats}, not {seat}")
        for seat in declared
        if not 1 <= seat <= table.seats
    ]
    if wagers:
        faults += [
            without_regular(table, seat, sensor)
            for sensor, seats in sorted(lit.items())
            for seat in seats
            if str(seat) not in wagers and seat != table.banker
        ]
    return faults


def without_regular(table: Table, seat: int, sensor: str) -> Fault:
    """A jackpot wager at a seat that has told no regular wager."""
    first = game(table.game).first_wager
    message = (
        f"seat {seat} has a jackpot wager on sensor {sensor} and no {first.name} wager, which every player makes "
        "first: enter that wager, or give the jackpot wager back"
    )
    return Fault("missing-first-wager", f"wagers.{seat}", message)


def attested(decision: Decision, lit: Lit, wagers: Wagers) -> dict[str, str]:
    """Where no wagers are told: the seats whose regular wager START GAME attests, and who pressed it."""
    if wagers:
        return {}
    return dict.fromkeys(_texts_of(tuple(map(tuple, lit.values()))), decision.actor)


@lru_cache
def _texts_of(seats: tuple[tuple[int, ...], ...]) -> tuple[str, ...]:
    """The seats of sensors in their order, as texts; a table has few combinations of them."""
    return tuple(map(str, sorted(set().union(*seats))))


def joined_late(decision: Decision, round_: Round, seat: int, sensor: str) -> Round:
    """The round with a seat whose jackpot wager was missed: it plays, and its regular wager is told or attested."""
    if round_.wagers and str(seat) not in round_.wagers:
        fault = without_regular(the_table(decision, round_.table), seat, sensor)
        raise InputError.of(fault.code, "seat", fault.message)
    joined = _with_seat(decision, the_table(decision, round_.table), round_, seat)
    if round_.wagers or str(seat) in round_.attested:
        return joined
    return replace(joined, attested={**round_.attested, str(seat): decision.actor})


def _with_seat(decision: Decision, table: Table, round_: Round, seat: int) -> Round:
    """The round with one seat more that plays; refused where fewer spots may be dealt face up."""
    occupied = tuple(sorted({*round_.occupied, seat}))
    if occupied != round_.occupied:
        collect(spot_faults(decision.floor, table, occupied, decision.now))
    return replace(round_, occupied=occupied)
