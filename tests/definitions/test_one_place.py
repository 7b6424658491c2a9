"""One fact of a definition is replaced, and everything that depends on it follows: nothing else had to be told.

Settlement is asked first whether the fact has changed what it should. Then the others are held against settlement under
the changed definition: every seat of simulated rounds, and the exact count of all dealer hands out of a small deck.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from houseway.definitions import Clauses, Commission, Game, Look, Wager, defined_as, game, span_of
from houseway.errors import InputError
from houseway.games import read_round, settle, settle_json
from houseway.houseways import house_way
from houseway.odds.questions import OddsQuestion, answer
from houseway.odds.wagers import Sides
from houseway.paytables import PayTable, parse_paytable, paytable

pytest.importorskip("numba")

from houseway.odds.pai_gow.setting_advice import Advice, advise
from tests.odds.dealers import settled_against_all, small_deal, tables_of_deck
from tests.odds.replay import Replay, check_against_settlement, simulated

pytestmark = pytest.mark.kernels

ROUNDS = range(200)
NINE_HIGH, EIGHT_HIGH = "Ts 9d 8c 6h 4s 3c 2d", "9s 8d 7c 6h 4s 3c 2d"
"""Dealer's hands whose low hands are 9-8 and 8-7."""
ACES_AND_KINGS = ("As Ad Kh Kd 9c 7s 2h", "Kh Kd")
TABLES = {"fortune": "FPGP-3"}


def lines_of(game_id: str, dealer: str, cards: str, low: str, **wagers: int) -> dict[str, tuple[str, int]]:
    """Outcome and amount of every wager of one seat."""
    played = game(game_id)
    tables = {
        wager.name: TABLES[wager.name] for wager in played.wagers if wager.name in wagers and wager.name in TABLES
    }
    seat = {"seat": 1, "cards": cards.split(), "low": low.split(), "wagers": wagers}
    value = {"game": game_id, "paytables": tables, "dealer": dealer.split(), "seats": [seat]}
    return {line["wager"]: (line["outcome"], line["returned"]) for line in settle_json(value)["seats"][0]["lines"]}


def check_follows(changed: Game, *, left: int = 9, deals: int = 2) -> list[Advice]:
    """Hold simulation and exact counts on small decks against settlement; returns the advice for further questions."""
    found = []
    with defined_as(changed):
        check_against_settlement(simulated(changed.id), ROUNDS)
        for number in range(deals):
            cards, deck, seen = small_deal(changed.id, number, left)
            advice = advise(
                changed, cards, house_way(changed.ways[0]), tables_of_deck(changed.ways[0], deck), seen=seen
            )
            for option in advice.options:
                counted = settled_against_all(changed.id, cards, option.setting.low, deck)
                tallies = [option.main, *([option.raised] if option.raised else [])]
                assert [+Counter(win=tally.win, push=tally.push, lose=tally.lose) for tally in tallies] == counted
            found.append(advice)
    return found


def returned(changed: Game, rounds: range = ROUNDS) -> list[Any]:
    """What simulated rounds return under a definition."""
    with defined_as(changed):
        replay = Replay(simulated(changed.id))
        return [replay.play(number) for number in rounds]


def test_a_commission_of_four_percent() -> None:
    played = game("fortune")
    changed = replace(played, commission=Commission(4))
    with defined_as(changed):
        assert lines_of("fortune", NINE_HIGH, *ACES_AND_KINGS, main=2500)["main"] == ("win", 4900)
    assert lines_of("fortune", NINE_HIGH, *ACES_AND_KINGS, main=2500)["main"] == ("win", 4875)
    advice = check_follows(changed)
    assert all(option.value == option.main.value(Fraction(4, 100)) for each in advice for option in each.options)
    assert returned(changed) != returned(played)
    sides = Sides("foxwoods", "foxwoods")
    edges = {}
    for each in (played, changed):
        with defined_as(each):
            edges[each.commission] = answer(
                OddsQuestion(each, ("main",), sides=sides, commission=each.commission_rate)
            ).edge
    five, four = (edges[each.commission] for each in (played, changed))
    solved = answer(OddsQuestion(played, ("main",), sides=sides)).distribution
    assert solved is not None
    won = sum(outcome.deals for outcome in solved.outcomes if outcome.name == "win")
    assert five - four == Fraction(won, solved.deals) / 100


def test_envy_from_ten_dollars() -> None:
    played = game("fortune")
    changed = _with_wager(played, "fortune", envy_from=1000)
    quads = {"seat": 2, "cards": "Ts Th Td Tc 6c 4c 2d".split(), "wagers": {"main": 1000}}
    for stake, usual, later in ((500, 1, 0), (999, 1, 0), (1000, 1, 1)):
        bettor = {"seat": 1, "cards": "As Kd 9h 8c 5h 3d 2c".split(), "wagers": {"main": 1000, "fortune": stake}}
        value = {
            "game": "fortune",
            "paytables": TABLES,
            "dealer": "Qs Jd 9c 7h 6s 4d 3c".split(),
            "seats": [bettor, quads],
        }
        for each, wanted in ((played, usual), (changed, later)):
            with defined_as(each):
                lines = settle_json(value)["seats"][0]["lines"]
            assert sum(line["wager"] == "fortune_envy" for line in lines) == wanted
    check_follows(changed, deals=1)
    # Simulated players bet five dollars on it: none earns envy any more, and the odds say the same.
    many = range(3000)
    assert any(row[3] for round_ in returned(played, many) for row in round_.values())
    assert not any(row[3] for round_ in returned(changed, many) for row in round_.values())
    table = {"fortune": paytable("FPGP-3")}
    with defined_as(changed):
        assert answer(OddsQuestion(changed, ("fortune",), table, others=5, bet=500)).envy == 0
        assert answer(OddsQuestion(changed, ("fortune",), table, others=5, bet=1000)).envy > 0
    assert answer(OddsQuestion(played, ("fortune",), table, others=5, bet=500)).envy > 0


def test_no_envy_at_all_is_refused_by_the_check_of_pay_tables() -> None:
    played = game("fortune")
    fortune = played.wager("fortune")
    assert fortune is not None
    changed = _with_wager(played, "fortune", envy_from=None, clauses=replace(fortune.clauses, envy=""))
    text = _table_text(paytable("FPGP-3"))
    assert parse_paytable(text.encode(), "OWN-1.toml").has_envy
    with defined_as(changed), pytest.raises(InputError) as refused:
        parse_paytable(text.encode(), "OWN-1.toml")
    assert {fault.code for fault in refused.value.faults} == {"paytable-envy"}


def test_an_eight_high_push() -> None:
    played = game("commission-free-fortune")
    push = played.contest.dealer_push
    assert push is not None
    eight_high = replace(push, hands=span_of("eight-high", 2))
    changed = replace(played, contest=replace(played.contest, dealer_push=eight_high))
    for dealer, usual, now in ((NINE_HIGH, "push", "win"), (EIGHT_HIGH, "win", "push")):
        assert lines_of(changed.id, dealer, *ACES_AND_KINGS, main=1000)["main"][0] == usual
        with defined_as(changed):
            assert lines_of(changed.id, dealer, *ACES_AND_KINGS, main=1000)["main"][0] == now
    check_follows(changed, left=10)
    assert returned(changed) != returned(played)


def test_a_qualifier_of_nines() -> None:
    played = game("six-card-fortune")
    qualifier = played.contest.qualifier
    assert qualifier is not None
    nines = replace(qualifier, hands=span_of("pair of nines or better"))
    changed = replace(played, contest=replace(played.contest, qualifier=nines))
    dealer, hand = "8s 8c Qs 7d 4s 3d", ("Ks Kd 9h 6c 5h Ad", "Ad")
    with defined_as(changed):
        assert lines_of(changed.id, dealer, *hand, main=1000, double_down=1000)["double_down"] == ("push", 1000)
    assert lines_of(changed.id, dealer, *hand, main=1000, double_down=1000)["double_down"] == ("win", 2000)
    check_follows(changed, left=10, deals=3)
    assert returned(changed) != returned(played)


def test_a_new_bonus_wager() -> None:
    """A wager on the dealer's low hand that the player's beats, with a table of its own, in a game that had none."""
    played = game("fortune")
    clauses = Clauses(win="fpgp/rules/6.a", lose="fpgp/rules/6.b")
    kings = Wager("kings", "bonus", "Low Kings", clauses, Look("dealer-low", span_of("king-high", 2), "low"))
    order = (*played.line_order, "kings")
    changed = replace(played, wagers=(*played.wagers, kings), line_order=order)
    text = _table_text(paytable("TIGER9")).replace("tiger9", "kings").replace("nine-high", "king-high")
    text = text.replace('"commission-free-fortune"', '"fortune"')
    with pytest.raises(InputError):
        parse_paytable(text.encode(), "OWN-1.toml")
    with defined_as(changed):
        own = parse_paytable(text.encode(), "OWN-1.toml")
        assert (own.wager, own.looks_at, own.lines[0].hand) == ("kings", "dealer-low", "king-high")
        king_high = {"seat": 1, "cards": "As Ad Ah Kd 9c 7s 2h".split(), "low": ["As", "Kd"]}
        king_high["wagers"] = {"main": 1000, "kings": 100}
        value = {"game": "fortune", "dealer": "Ac Kc Js 9h 7d 4s 3c".split(), "seats": [king_high]}
        settled = settle(read_round(value, own_table=own))
        assert [(line.wager, line.outcome, line.returned) for line in settled.seats[0].lines][1] == (
            "kings",
            "win",
            3100,
        )


def test_new_bonus_wagers_are_simulated_and_counted() -> None:
    """One on the player's hand and one on the dealer's low hand, beside those that the game has, with their tables."""
    played = game("commission-free-fortune")
    tiger9 = played.wager("tiger9")
    assert tiger9 is not None
    again = Wager("again", "bonus", "Again", tiger9.clauses, Look("player-best"), "fortune", "FPGP-3")
    nines = replace(tiger9, name="nines", title="Nines", table_wager="tiger9")
    order = (*played.line_order, "again", "nines")
    changed = replace(played, wagers=(*played.wagers, again, nines), line_order=order)
    check_follows(changed, deals=1)
    rounds = returned(changed)
    rows = [(row[seat, "nines"], row[seat, "tiger9"]) for row in rounds for seat in range(1, played.max_seats + 1)]
    assert all(one == other for one, other in rows)
    assert {one[0] for one, _ in rows} == {"win", "lose"}
    table = paytable("FPGP-3")
    with defined_as(changed):
        found = answer(OddsQuestion(changed, ("again",), {"again": table}))
        assert found.distribution is not None
        summed = answer(OddsQuestion(changed, ("fortune", "again"), {"fortune": table, "again": table}))
    alone = answer(OddsQuestion(played, ("fortune",), {"fortune": table}))
    assert found.edge == alone.edge
    assert summed.edge == 2 * alone.edge


def _with_wager(played: Game, name: str, **changes: Any) -> Game:
    wagers = tuple(replace(wager, **changes) if wager.name == name else wager for wager in played.wagers)
    order = played.line_order
    if "envy_from" in changes and changes["envy_from"] is None:
        order = tuple(line for line in order if line != f"{name}_envy")
    return replace(played, wagers=wagers, line_order=order)


def _table_text(table: PayTable) -> str:
    """A shipped table as the file of a table of one's own."""
    from houseway.paytables.shipped_tables import DATA

    return (DATA / f"{table.id}.toml").read_text().replace(f'id = "{table.id}"', 'id = "OWN-1"')
