"""Players who bank: by internal controls, before START GAME, set the house way, settled by the game's definition."""

from __future__ import annotations

import msgspec
import pytest

from houseway.games import game as game_of
from houseway.games import settle_json
from houseway.manager.commands.round_commands import DeclareBanker, EndRound, SetHand, StartRound, VoidRound
from houseway.manager.controller.key_presses import press
from houseway.manager.controller.panel import Panel
from houseway.manager.core.house_entities import Paper
from houseway.manager.views.table_views import table_view
from tests.manager.cards.pit import GAMES, WAGERS, Pit

BANKED = ("fortune", "commission-free-fortune")
NUMBERS = (*range(20), 59)
"""Deals; in the last one the banker plays nine-high in the low hand."""


def banked(game: str = "fortune", name: str = "pit", until: int | None = None, **table: object) -> Pit:
    """A table whose internal controls offer player banking."""
    pit = Pit(game, name=name, **table)
    fields = {"reference": "IC-3", "approved_on": "2025-11-01", "player_banking": True}
    paper = Paper("IC-bank", "internal-controls", game, fields, 0, until, "E1")
    pit.engine.floor.put("paper", paper.id, paper)
    return pit


def play(pit: Pit, *seats: int, banker: int = 3) -> dict[str, object]:
    """A round with a banker who makes no main wager, up to the open hands; what is revealed at its end."""
    pit.do(DeclareBanker("T1", banker))
    pit.start(*seats, sensor=(banker,))
    pit.deal()
    for seat in seats:
        pit.do(SetHand(pit.round.id, seat, house_way=True))
    pit.do(SetHand(pit.round.id, banker, house_way=True))
    pit.show()
    return {
        "lines": pit.round.lines,
        "reveal": pit.do(EndRound(pit.round.id, override="x", badge="badge-S1"))["reveal"],
    }


@pytest.mark.parametrize("game", BANKED)
def test_the_lines_are_those_of_the_games_own_settlement(game: str) -> None:
    pushed = commission = 0
    for number in NUMBERS:
        found = play(banked(game, f"bank {number}"), 1, 2, 4, 6)
        reveal, lines = found["reveal"], found["lines"]
        assert isinstance(reveal, dict)
        assert isinstance(lines, tuple)
        assert reveal["banker"] == 3
        settled = settle_json({**reveal, "banker": 3})
        expected = [
            (seat["seat"], line["wager"], line["outcome"], line["stake"], line["returned"], line["source"])
            for seat in settled["seats"]
            for line in seat["lines"]
        ]
        columns = ("seat", "wager", "outcome", "stake_cents", "returned_cents", "source")
        assert sorted(tuple(line[column] for column in columns) for line in lines) == sorted(expected)
        bank = [line for seat in settled["seats"] for line in seat["lines"] if line["wager"] == "bank"]
        mains = [line for line in lines if line["wager"] == "main"]
        won = sum(m["stake_cents"] for m in mains if m["outcome"] == "lose")
        paid = sum(m["stake_cents"] for m in mains if m["outcome"] == "win")
        taken = bank[0].get("commission") or 0
        assert bank[0]["returned"] == won - paid - taken
        assert taken == ((won - paid) * 5 // 100 if game == "fortune" and won > paid else 0)
        commission += bool(taken)
        pushed += {main["clause"] for main in mains} == {"cffpgp/intro/3"}
        # Bonus wagers are the house's, whoever banks.
        assert {line["source"] for line in lines if line["wager"] not in ("main", "bank")} <= {None, "tray"}
    assert (commission > 5) == (game == "fortune")
    assert (pushed > 0) == (game == "commission-free-fortune"), "the banker's nine-high pushes every main wager"


@pytest.mark.parametrize("game", GAMES)
def test_nobody_banks_without_the_game_and_the_paper(game: str) -> None:
    offers = game_of(game).offers_banker
    assert offers == (game in BANKED)
    assert Pit(game).refused(DeclareBanker("T1", 1)) == ["no-internal-controls" if offers else "no-banker"]
    assert banked(game).refused(DeclareBanker("T1", 1)) == ([] if offers else ["no-banker"])
    assert banked(game, until=1).refused(DeclareBanker("T1", 1)) == ["no-internal-controls" if offers else "no-banker"]


def test_it_is_declared_before_the_round_and_holds_for_one() -> None:
    pit = banked()
    assert pit.refused(DeclareBanker("T1")) == ["nothing-to-change"]
    assert pit.refused(DeclareBanker("T1", 7)) == ["no-such-seat"]
    assert pit.refused(DeclareBanker("T1", 2), "D2") == ["not-the-dealer"]
    assert pit.do(DeclareBanker("T1", 2)) == {"table": "T1", "banker": 2, "paper": "IC-bank"}
    assert pit.do(DeclareBanker("T1"))["banker"] is None
    pit.do(DeclareBanker("T1", 3))
    # The banker plays, and what the bank would face is told.
    assert pit.refused(StartRound("T1", {}, {"1": {"main": 1_000}})) == ["no-banker"]
    assert pit.refused(StartRound("T1", {}, {"1": {"main": 1_000}}, [3, 4])) == ["missing-first-wager"]
    assert pit.refused(StartRound("T1", {"1": [3]}, {"1": {"main": 1_000}, "3": {"fortune": 500}})) == []
    pit.start(1, occupied=(3,))
    assert (pit.round.banker, pit.table.banker) == (3, None)
    assert pit.refused(DeclareBanker("T1", 1)) == ["round-in-play"]
    pit.do(VoidRound(pit.round.id, "badge-S1", "wrong wagers"))
    pit.start(1)
    assert pit.round.banker is None


def test_a_paper_that_ended_since_keeps_the_round_from_beginning() -> None:
    pit = banked()
    pit.do(DeclareBanker("T1", 3))
    floor = pit.engine.floor
    floor.put("paper", "IC-bank", msgspec.structs.replace(floor.papers["IC-bank"], until=pit.now))
    assert pit.refused(StartRound("T1", {}, {"1": {"main": 1_000}}, [3])) == ["no-internal-controls"]
    pit.do(DeclareBanker("T1"))
    pit.start(1)


@pytest.mark.parametrize("cards", ["known", "felt"])
def test_the_banker_s_hand_is_set_the_house_way(cards: str) -> None:
    pit = banked(cards=cards)
    pit.do(DeclareBanker("T1", 3))
    pit.do(StartRound("T1", {}, {"1": dict(WAGERS["fortune"])}, [3]))
    if cards == "known":
        pit.deal()
    low = [5, 6] if cards == "known" else None
    assert pit.refused(SetHand(pit.round.id, 3, low)) == ["banker-low"]
    pit.do(SetHand(pit.round.id, 1, low))
    pit.do(SetHand(pit.round.id, 3, house_way=True))


def test_the_keypad_declares_it_and_sets_the_hand_the_house_way() -> None:
    pit = banked(cards="felt")
    panel = Panel("T1", table_view(pit.engine.floor, pit.table), present="D1")
    (draft,) = press(panel, "BANKS", {"spot": 3})
    assert draft.command == DeclareBanker("T1", 3)
    pit.do(draft.command)
    panel.view = table_view(pit.engine.floor, pit.table)
    assert panel.view.banker == 3
    assert [each.command for each in press(panel, "BANKS", {"spot": 3})] == [DeclareBanker("T1")]
    pit.do(StartRound("T1", {}, {}, [1, 3]))
    panel.view = table_view(pit.engine.floor, pit.table)
    for each in press(panel, "ALL SET", {}):
        pit.do(each.command)
    assert {seat: setting.by for seat, setting in pit.round.sets.items()} == {"1": "player", "3": "house-way"}
