"""A player who banks: declared before START GAME, where the game has it and internal controls in force offer it.

What the bank wins and pays is the game's own settlement; here stands only who banks, by which paper, and that the hand
is set the house way. Bonus wagers, envy and jackpots stay the house's.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec.structs import replace

from houseway.amounts import Cents
from houseway.errors import Fault, InputError
from houseway.games import game
from houseway.manager.commands.round_answers import DeclareBankerAnswer
from houseway.manager.commands.round_commands import DeclareBanker, SetHand
from houseway.manager.core.engine import Decision, collect, handles
from houseway.manager.core.floor import Floor
from houseway.manager.core.table_entities import Round, Table
from houseway.manager.handlers.common import need_dealer_of
from houseway.manager.handlers.paper_lookup import PROPERTY, papers_held
from houseway.manager.handlers.register_list import CONTROLS
from houseway.manager.handlers.table_checks import table_between_rounds


@handles(DeclareBanker)
def declare_banker(decision: Decision, command: DeclareBanker) -> DeclareBankerAnswer:
    """Somebody banks the next round, or nobody does."""
    table = table_between_rounds(decision, command.table)
    need_dealer_of(decision, table)
    if table.status != "open":
        raise InputError.of("table-closed", "table", f"{table.id} is closed: a supervisor opens it first")
    if command.seat is None and table.banker is None:
        raise InputError.of("nothing-to-change", "seat", f"nobody banks at {table.id}: name the seat that does")
    if command.seat is not None:
        if not 1 <= command.seat <= table.seats:
            raise InputError.of("no-such-seat", "seat", f"{table.id} has seats 1 to {table.seats}, not {command.seat}")
        collect(_offer_faults(decision.floor, table, decision.now))
    decision.tables.put(replace(table, banker=command.seat))
    paper = None if command.seat is None else _offering(decision.floor, table, decision.now)
    return DeclareBankerAnswer(table=table.id, banker=command.seat, paper=paper)


def _offering(floor: Floor, table: Table, at: int) -> str | None:
    """The internal controls in force, of the game or the property, that offer player banking."""
    held = papers_held(floor, CONTROLS, (table.game, PROPERTY), at)
    return next((paper.id for paper in held if paper.fields.get("player_banking") is True), None)


def _offer_faults(floor: Floor, table: Table, at: int) -> list[Fault]:
    """Why no player banks at a table."""
    played = game(table.game)
    if not played.offers_banker:
        return [Fault("no-banker", "seat", f"{played.title} has no player banking: nobody banks at {table.id}")]
    if _offering(floor, table, at) is None:
        message = (
            f"no internal controls in force offer player banking for {table.game}: have it approved and enter "
            f"{CONTROLS} with player_banking, or play without a banker"
        )
        return [Fault("no-internal-controls", "seat", message)]
    return []


def start_faults(
    decision: Decision, table: Table, playing: Collection[int], wagers: Mapping[str, Mapping[str, Cents]]
) -> list[Fault]:
    """Why a round does not begin with the declared banker: the paper, the seat, or wagers that the bank would face."""
    if table.banker is None:
        return []
    faults = _offer_faults(decision.floor, table, decision.now)
    if table.banker not in playing:
        message = f"seat {table.banker} banks and does not play: declare the seat, or declare another banker"
        faults.append(Fault("no-banker", "occupied", message))
    if table.cards == "known":
        # The bank's line is the sum of the others' main wagers: one that is not told would be missing in it.
        faults += [
            Fault(
                "missing-first-wager", f"wagers.{seat}", f"seat {table.banker} banks: enter the wagers of seat {seat}"
            )
            for seat in playing
            if seat != table.banker and str(seat) not in wagers
        ]
    return faults


def setting_faults(round_: Round, command: SetHand) -> list[Fault]:
    """The hand of the player who banks is set the house way, and no other way."""
    if round_.banker != command.seat or (command.house_way and command.low is None):
        return []
    return [Fault("banker-low", "house_way", f"seat {command.seat} banks: its hand is set the house way")]
