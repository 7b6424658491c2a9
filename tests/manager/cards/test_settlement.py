"""Settlement of rounds with known cards, and what wagers are refused before there are cards."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.games import settle_json
from houseway.manager.commands.round_commands import AddReference, CorrectWager, EndRound, SetHand
from houseway.manager.core.house_entities import DatedValue, PropertySetting
from houseway.manager.handlers.cards import wager_faults
from houseway.manager.handlers.verification import payouts_of_lines
from houseway.manager.store.projections import LINE_COLUMNS
from tests.manager.cards.pit import GAMES, SECOND, Pit, winning_seed

EVERY_GAME = pytest.mark.parametrize("game", GAMES)


def played(game: str, name: str, *seats: int, sensor: tuple[int, ...] = (), **wagers: int) -> Pit:
    """A round up to the open hands; in each game some seats choose, and some leave it to the house way."""
    pit = Pit(game, name=name)
    pit.start(*seats, sensor=sensor, **wagers)
    pit.deal()
    for number, seat in enumerate(sorted({*seats, *sensor})):
        if game == "six-card-poker":
            pit.do(SetHand(pit.round.id, seat, fold=number % 3 == 2))
        elif number % 2:
            pit.do(SetHand(pit.round.id, seat, house_way=True))
        else:
            pit.set(seat)
    pit.show()
    return pit


@EVERY_GAME
def test_the_lines_are_those_of_the_games_own_settlement(game: str) -> None:
    for number in range(25):
        pit = played(game, f"lines {number}", 1, 2, 4, 6)
        settled = settle_json(_as_input(pit))
        expected = {
            (
                seat["seat"],
                line["wager"],
                line["outcome"],
                line["stake"],
                line["returned"],
                line["hand"],
                line["clause"],
            )
            for seat in settled["seats"]
            for line in seat["lines"]
        }
        columns = ("seat", "wager", "outcome", "stake_cents", "returned_cents", "hand", "clause")
        assert {tuple(line[column] for column in columns) for line in pit.round.lines} == expected
        assert len(pit.round.lines) == sum(len(seat["lines"]) for seat in settled["seats"])
        for seat in settled["seats"]:
            shown = pit.round.shown[str(seat["seat"])]
            assert (list(shown.high), list(shown.low), shown.fouled) == (seat["high"], seat["low"], seat["fouled"])


def _as_input(pit: Pit) -> dict[str, Any]:
    """The round as anybody at the table could write it down, from the open cards alone."""
    return {
        "game": pit.game,
        "paytables": dict(pit.table.paytables),
        "dealer": list(pit.round.shown["dealer"].cards),
        "seats": [
            {
                "seat": int(seat),
                "cards": list(shown.cards),
                "low": list(shown.low) if pit.round.sets[seat].by == "player" and shown.low else None,
                "fold": int(seat) in pit.round.folds,
                "wagers": pit.round.wagers[seat],
            }
            for seat, shown in sorted(pit.round.shown.items())
            if seat != "dealer"
        ],
    }


def test_lines_have_exactly_the_columns_of_their_rows() -> None:
    pit = played("fortune", "columns", 1, 2)
    assert {frozenset(line) for line in pit.round.lines} == {
        frozenset(LINE_COLUMNS) - {"seq", "row_no", "round", "table", "line"}
    }


def test_lines_come_in_the_order_in_which_the_dealer_resolves_them() -> None:
    pit = played("fortune", "order", 1, 2, 6)
    assert [line["seat"] for line in pit.round.lines if line["wager"] == "main"] == [6, 2, 1]


def test_a_seat_whose_wagers_were_not_told_has_no_lines_but_brings_envy() -> None:
    pit = Pit("fortune", seeds=[winning_seed("fortune", "four-of-a-kind", 2)])
    pit.start(1, occupied=(2, 5))
    pit.deal()
    pit.set(1, 2, 5)
    pit.show()
    assert set(pit.round.shown) == {"1", "2", "5", "dealer"}
    assert {line["seat"] for line in pit.round.lines} == {1}
    envy = [line for line in pit.round.lines if line["wager"] == "fortune_envy"]
    assert [(line["hand"], line["returned_cents"]) for line in envy] == [("four-of-a-kind", 500)]


def test_no_wagers_told_leave_only_the_jackpots() -> None:
    pit = played("fortune", "jackpots only", sensor=(1, 2))
    assert pit.round.lines == ()
    assert set(pit.round.shown) == {"1", "2", "dealer"}


def test_the_end_writes_the_lines_as_rows() -> None:
    pit = played("fortune", "rows", 1, 2)
    lines = pit.round.lines
    pit.end()
    rows = [row for kind, row in pit.decisions[-1].rows if kind == "line"]
    assert [{key: row[key] for key in lines[0]} for row in rows] == list(lines)


# ---------------------------------------------------------------- payouts that surveillance verifies


def test_a_payout_above_the_dated_threshold_waits_for_its_reference() -> None:
    for number in range(60):
        pit = Pit(name=f"payout {number}")
        pit.engine.floor.put(
            "setting", "surveillance_threshold", PropertySetting("surveillance_threshold", (DatedValue(0, 900, "S1"),))
        )
        pit.start(2)
        pit.deal()
        pit.set(2, house_way=True)
        pit.show()
        if any(line["returned_cents"] - line["stake_cents"] > 900 for line in pit.round.lines):
            break
    assert pit.refused(EndRound(pit.round.id)) == ["surveillance-reference"]
    assert pit.faults[0].path == "seats.2"
    (big,) = (each for each in payouts_of_lines(pit.round.lines) if each.cents > 900)
    assert f"{big.id} wins $" in pit.faults[0].message
    pit.engine.floor.put(
        "setting",
        "surveillance_threshold",
        PropertySetting(
            "surveillance_threshold", (DatedValue(0, 900, "S1"), DatedValue(pit.now + 100 * SECOND, 1, "S1"))
        ),
    )
    assert pit.refused(AddReference(pit.round.id, big.id, big.hand, big.cents + 1, "CAM"), "V1") == ["payout-differs"]
    pit.do(AddReference(pit.round.id, big.id, big.hand, big.cents, "CAM 4711"), "V1")
    pit.end()


def test_a_payout_at_the_threshold_needs_no_reference() -> None:
    pit = played("fortune", "small", 2, main=1000)
    assert all(line["returned_cents"] - line["stake_cents"] <= 300_000 for line in pit.round.lines)
    pit.end()


# ---------------------------------------------------------------- wagers before the cards


@pytest.mark.parametrize(
    ("wagers", "expected"),
    [
        ({"1": {"main": 1000}}, []),
        ({}, []),
        ({"0": {"main": 1000}}, [("bad-seat", "wagers.0")]),
        ({"7": {"main": 1000}}, [("bad-seat", "wagers.7")]),
        ({"01": {"main": 1000}}, [("bad-seat", "wagers.01")]),
        ({"1": {"progressive": 100}}, [("unknown-wager", "wagers.1.progressive")]),
        ({"1": {"main": 1000, "double_down": 1000}}, [("raise-too-early", "wagers.1.double_down")]),
        ({"1": {"main": 1000, "bingo": 1}}, [("unknown-wager", "wagers.1.bingo")]),
        ({"1": {"main": 1000}, "3": {"fortune": 500}}, [("missing-first-wager", "wagers.3")]),
        ({"2": {"main": 0}}, [("out-of-range", "wagers.2.main")]),
        ({"2": {"main": 50_001}}, [("over-limit", "wagers.2.main")]),
        ({"2": {"main": 45_000}}, [("above-limit", "wagers.2.main")]),
        ({"2": {"main": 1000, "fortune": 500}}, [("too-many-games", "wagers.2")]),
        ({"3": {"main": 1000, "fortune": 500}}, []),
    ],
)
def test_wagers_that_could_not_be_settled_are_refused_before_the_cards(
    wagers: dict[str, dict[str, int]], expected: list[tuple[str, str]]
) -> None:
    pit = Pit("six-card-fortune", settings={"limits": {"any": {"max": 50_000}}, "max_games": 2})
    pit.engine.floor.put("setting", "highest_wager", PropertySetting("highest_wager", (DatedValue(0, 40_000, "S1"),)))
    decision = pit.decision_of("D1", EndRound("x"))
    found = wager_faults(decision, pit.table, wagers, {"1": (1, 2)})
    assert [(fault.code, fault.path) for fault in found] == expected


def test_a_table_with_bad_rules_says_so_by_its_own_paths() -> None:
    pit = Pit("fortune", way="six-card", settings={"wheel": "third"})
    found = wager_faults(pit.decision_of("D1", EndRound("x")), pit.table, {"1": {"main": 1000}}, {})
    assert [(fault.code, fault.path) for fault in found] == [
        ("bad-setting", "table.settings.wheel"),
        ("unknown-way", "table.way"),
    ]


# ---------------------------------------------------------------- corrections


def test_a_correction_after_the_hands_lie_open_opens_the_late_seat_too() -> None:
    pit = played("fortune", "late", sensor=(1, 2))
    lines = pit.round.lines
    pit.do(CorrectWager(pit.round.id, "1", 4, made=True, reason="sensor stuck", badge="badge-S1"))
    assert set(pit.round.shown) == {"1", "2", "4", "dealer"}
    assert pit.round.sets["4"].by == "house-way"
    assert pit.round.lines == lines


def test_a_correction_changes_what_is_proposed() -> None:
    pit = Pit("fortune", seeds=[winning_seed("fortune", "full-house", 2)])
    pit.start(1, 2, 5, sensor=(1,))
    pit.deal()
    pit.set(1, 2, 5)
    pit.show()
    assert pit.round.proposed == {}
    pit.do(CorrectWager(pit.round.id, "1", 2, made=True, reason="sensor stuck", badge="badge-S1"))
    assert pit.round.proposed == {"1/2": "full-house"}


def test_a_wager_cannot_have_been_made_where_no_badges_were_dealt() -> None:
    pit = played("six-card-poker", "late", sensor=(1, 2))
    late = CorrectWager(pit.round.id, "1", 5, made=True, reason="sensor stuck", badge="badge-S1")
    assert pit.refused(late) == ["seat-empty"]
