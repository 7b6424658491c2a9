"""Cases of a round at the keypad, for every sheet with jackpot rules: sensors, START GAME, hand buttons, END GAME."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from houseway.games import game
from houseway.manager.commands.round_commands import PressHand, SetSensor
from houseway.manager.controller.key_words import END, HAND, START
from houseway.manager.controller.panel import CommandDraft, Panel
from houseway.manager.core.award_entities import Award
from houseway.manager.core.engine import Decision
from houseway.manager.core.link_entities import Link
from houseway.manager.core.table_entities import Round, Table, TakenWagers
from houseway.manager.handlers.awards import awards_of
from tests.rules.harness import replaced
from tests.rules.keypad import DEALER, Desk, Jackpot, on_sheets
from tests.rules.manager_switches import HANDLED, ONE_VOCABULARY, handled_by, ignored, key_does, unchecked, without_key

DOLLAR = 1_000_000
"""In millionths, as the books count."""
OTHER_START = {"COIN IN": "START GAME", "START GAME": "COIN IN"}

# ---------------------------------------------------------------- sensors and START GAME


def light_all(decision: Decision, command: SetSensor) -> None:
    """The sensors of all seats light up, whichever reports a wager."""
    table = decision.floor.tables[command.table]
    decision.tables.put(replace(table, lit={command.sensor: list(range(1, table.seats + 1))}))


@on_sheets("sensor", off=(ignored(SetSensor), handled_by(SetSensor, light_all)))
def a_wager_lights_the_sensor_of_its_own_position(jackpot: Jackpot) -> None:
    desk = Desk(jackpot)
    assert desk.lights() == []
    desk.lay(2)
    assert desk.lights() == [2]
    seats = game(jackpot.game).max_seats
    desk.lay(seats)
    assert desk.lights() == [2, seats]
    desk.lay(2, on=False)
    assert desk.lights() == [seats]
    assert desk.lights("T2") == []
    # A wager on the sensor is no wager taken: nothing is in the drop before START GAME.
    assert desk.pit.held("drop", "T1") == 0


def nothing_taken(
    decision: Decision, round_id: str, table: str, link: Link, sensor: str, seats: tuple[int, ...]
) -> TakenWagers:
    """The wagers stay on the table."""
    return TakenWagers(sensor, link.id, link.version, (), link.wager, {})


def later_wagers_count(table: Table, command: object) -> dict[str, tuple[int, ...]]:
    """All seats have wagered, lit or not."""
    return {"1": tuple(range(1, table.seats + 1))}


@on_sheets(
    "start",
    off=(
        without_key(START),
        ONE_VOCABULARY,
        replaced(f"{HANDLED}.rounds.take_wagers", nothing_taken),
        replaced(f"{HANDLED}.rounds._lit_seats", later_wagers_count),
    ),
)
def start_takes_the_wagers_on_lit_sensors(jackpot: Jackpot) -> None:
    desk = Desk(jackpot, contribution="1/10")
    desk.lay(1, 3, 5)
    assert desk.refused(OTHER_START[desk.printed("start")]) == {"wrong-button-here"}
    desk.key(desk.printed("start"))
    # The lights now show whose wager counts, also when the dealer has taken the chips off the sensors.
    desk.lay(1, 3, 5, on=False)
    assert desk.lights() == [1, 3, 5]
    assert desk.pit.held("drop", "T1") == 3 * DOLLAR
    levels = jackpot.table.levels
    for level in levels:
        assert desk.pit.held("meter", "L1", level) == 10_000 * DOLLAR + 3 * DOLLAR // 10
    assert desk.pit.held("receipts", "T1") == 3 * DOLLAR - len(levels) * 3 * DOLLAR // 10
    # A chip that is laid down now lights nothing: it waits for the next round.
    desk.lay(2)
    assert desk.lights() == [1, 3, 5]
    assert desk.pit.held("drop", "T1") == 3 * DOLLAR
    desk.end()
    desk.lay()
    assert desk.lights() == [2]


# ---------------------------------------------------------------- hand buttons


def never_off(decision: Decision, round_: Round, sensor: str, seat: int) -> Award | None:
    """A button that is on is not found when it is pressed again."""
    return None


def first_of_the_round(decision: Decision, round_: Round, sensor: str, seat: int) -> Award | None:
    """A press belongs to the winner that was pressed first, whatever the spot."""
    return next(iter(awards_of(decision, round_)), None)


@on_sheets(
    "hand",
    off=(
        replaced(f"{HANDLED}.awards.award_at", never_off),
        replaced(f"{HANDLED}.awards.award_at", first_of_the_round),
    ),
)
def a_second_press_takes_a_hand_back(jackpot: Jackpot) -> None:
    desk = Desk(jackpot)
    whole, fixed = jackpot.whole.hand, jackpot.fixed.hand
    desk.start(2, 4)
    for line in jackpot.table.lines:
        assert desk.hand(2, line.hand)["on"] is True
        assert [(award.seat, award.hand) for award in desk.awards()] == [(2, line.hand)]
        assert desk.hand(2, line.hand)["on"] is False
        assert desk.awards() == []
    # Each spot has its own button, and another hand for a spot takes the place of the first.
    desk.hand(2, fixed)
    desk.hand(4, whole)
    desk.hand(2, whole)
    assert sorted((award.seat, award.hand) for award in desk.awards()) == [(2, whole), (4, whole)]
    desk.hand(4, whole)
    desk.hand(2, whole)
    # Nothing was won: the round ends, and no money has moved but the wagers.
    desk.end()
    assert desk.pit.held("drop", "T1") == desk.pit.held("receipts", "T1") == 2 * DOLLAR


def hand_of_any_spot(panel: Panel, fields: dict[str, Any]) -> list[CommandDraft]:
    """A hand button that counts for the first wager of the round, whichever spot was chosen."""
    round_ = panel.need_round()
    seat = min(seat for seats in round_.taken.values() for seat in seats)
    return [CommandDraft(PressHand(round_.id, seat, fields["hand"]))]


@on_sheets("hand", off=key_does(HAND, hand_of_any_spot))
def the_spot_is_chosen_as_the_generation_has_it(jackpot: Jackpot) -> None:
    desk = Desk(jackpot)
    desk.start(3)
    if jackpot.vocabulary == "aquarius":
        # The button alone: with a single wager on the table it is that one's.
        desk.key("HAND", hand=jackpot.fixed.hand)
        assert [award.seat for award in desk.awards()] == [3]
        desk.key("HAND", hand=jackpot.fixed.hand)
        desk.end()
        desk.start(1, 6)
        desk.key("HAND", hand=jackpot.fixed.hand)
        assert desk.awards() == []
        assert desk.display()["asks"] == "spot"
        desk.key("SPOT", spot=6)
    else:
        desk.end()
        desk.start(1, 6)
        assert desk.refused("HAND", hand=jackpot.fixed.hand) == {"spot-needed"}
        desk.key("SPOT", spot=6)
        desk.key("HAND", hand=jackpot.fixed.hand)
    assert [award.seat for award in desk.awards()] == [6]


# ---------------------------------------------------------------- the call for a supervisor


def paid_by_the_dealer(decision: Decision, *_: object) -> str:
    """Whoever presses pays."""
    return decision.actor


@on_sheets(
    "call",
    off=(unchecked("rounds._open_faults"), replaced(f"{HANDLED}.awards._paying_person", paid_by_the_dealer)),
)
def a_winner_waits_for_a_supervisor(jackpot: Jackpot) -> None:
    for line in (jackpot.whole, jackpot.fixed):
        desk = Desk(jackpot)
        desk.start(3)
        desk.hand(3, line.hand)
        # The dealer cannot go on alone, neither past the winner nor by paying it.
        assert desk.refused(desk.printed("end")) == {"award-open"}
        if jackpot.vocabulary == "aquarius":
            assert {"CALL", "KEY JPH"} <= set(desk.display()["keys"])
            assert desk.refused(desk.printed("pay")) == {"nothing-hit"}
            # The call itself fixes the award; the key may turn later.
            desk.key("CALL")
            assert desk.refused(desk.printed("end")) == {"award-open"}
            assert [award.status for award in desk.awards()] == ["hit"]
            desk.key("KEY JPH")
            assert desk.display()["role"] == "supervisor"
            assert desk.refused("KEY JPH", DEALER) == {"second-person"}
            desk.key("KEY JPH", "badge-S1")
        else:
            desk.key(desk.printed("call"))
            assert desk.refused(desk.printed("end")) == {"award-open"}
            # Surveillance verifies it before anybody is called to swipe.
            if any(award.reference_missing for award in desk.panel("T1").awards("hit")):
                assert desk.refused(desk.printed("pay")) == {"surveillance-reference"}
            desk.verify()
            desk.key(desk.printed("pay"))
            assert desk.display()["role"] == "supervisor"
            assert desk.refused(desk.printed("pay"), DEALER) == {"second-person"}
        # Every table of the link sees that a winner waits, and plays on.
        assert desk.sign("T2")["state"] == "pending"
        desk.start(1, table="T2")
        desk.end("T2")
        assert desk.pay()["paid_by"] == "S1"
        desk.run()
        desk.end()


# ---------------------------------------------------------------- END GAME


def not_ready(decision: Decision, ended: Round) -> None:
    """The round ends and stays on the table."""
    decision.rounds.put(ended)


@on_sheets(
    "end",
    off=(
        without_key(END),
        unchecked("rounds._open_faults"),
        replaced(f"{HANDLED}.rounds._ready", not_ready),
    ),
)
def the_round_ends_only_when_all_is_settled(jackpot: Jackpot) -> None:
    desk = Desk(jackpot)
    end = desk.printed("end")
    desk.start(2, 3)
    desk.hand(3, jackpot.whole.hand)
    assert desk.refused(end) == {"award-open"}
    desk.call()
    assert "award-open" in desk.refused(end)
    desk.pay()
    if jackpot.vocabulary == "aquarius":
        assert desk.refused(end) == {"key-at-jph"}
    desk.run()
    # Until then the table takes no other round.
    assert desk.refused(desk.printed("start")) == {"round-in-play"}
    desk.end()
    assert desk.lights() == []
    assert desk.start(1) == "T1-2"
    assert [(row["round"], row["outcome"]) for row in desk.pit.rows("round")] == [("T1-1", "ended")]
    lines = {
        row["seat"]: (row["outcome"], row["returned_cents"]) for row in desk.pit.rows("line") if row["stake_cents"]
    }
    assert lines == {2: ("lose", 0), 3: ("win", 1_000_000)}
