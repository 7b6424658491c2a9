"""Progressives: the balance that the documents pin, break-even meters by trial, and contribution against seed."""

from __future__ import annotations

from fractions import Fraction

import pytest

from houseway.errors import InputError
from houseway.odds import progressive
from houseway.odds.progressive_plan import RoomFigures, plan
from houseway.odds.wagers import LineCounts, Sides, envy_return, line_counts
from houseway.paytables import PayTable, paytable, paytables

TABLES = [table for table in paytables() if table.levels]


def counts_of(table: PayTable) -> LineCounts:
    found = line_counts(table, table.games[0], Sides())
    assert found is not None
    return found


def test_two_six_card_tables_leave_the_same_share_to_the_meter() -> None:
    """Table 2 with the envy of five others and table 5, which has none: nothing printed says it, both give 21.84%."""
    totals = []
    for table_id, others in (("6CFPGPP-2", 5), ("6CFPGPP-5", 0)):
        table = paytable(table_id)
        printed = table.printed_figure("house_advantage")
        assert printed is not None
        totals.append(progressive.balance(table, counts_of(table), printed.fraction, others).total)
    assert [round(float(total * 100), 2) for total in totals] == [21.84, 21.84]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.id)
def test_at_the_break_even_meter_the_wager_returns_all_of_itself(table: PayTable) -> None:
    counts = counts_of(table)
    meters = dict.fromkeys(table.levels, 5_000_00)
    for level, cents in progressive.break_even(table, counts, meters).items():
        assert cents is not None
        at = {**meters, level: cents}
        assert progressive.distribution_at(counts, at).edge <= 0
        if cents:
            below = {**meters, level: cents - 1}
            assert progressive.distribution_at(counts, below).edge > 0


def test_envy_and_a_larger_wager_move_the_break_even_meter() -> None:
    table = paytable("6CFPGPP-2")
    counts = counts_of(table)
    alone = progressive.break_even(table, counts, {})["main"]
    with_envy = progressive.break_even(table, counts, {}, envy=envy_return(table, counts, 5, 100))["main"]
    doubled = progressive.break_even(table, counts, {}, bet=200)["main"]
    assert alone is not None
    assert with_envy is not None
    assert doubled is not None
    assert with_envy < alone < doubled
    assert abs(doubled - 2 * alone) < 200  # fixed pays double with the wager, the share of the meter does not


def test_a_level_without_the_others_has_no_break_even_meter() -> None:
    table = paytable("FPGPP-ML2")
    found = progressive.break_even(table, counts_of(table), {"major": 100, "minor": 100})
    assert found["mega"] is not None
    assert (found["major"], found["minor"]) == (None, None)


def test_a_share_is_rounded_down_to_the_cent() -> None:
    table = paytable("6CFPGPP-2")
    by_name = {
        outcome.name: outcome.net
        for outcome in progressive.distribution_at(counts_of(table), {"main": 12_349}).outcomes
    }
    assert by_name["five-aces"] == Fraction(12_349, 100) - 1
    assert by_name["royal-flush"] == Fraction(1_234, 100) - 1
    assert by_name["straight"] == 2  # 3 for 1


@pytest.mark.parametrize("table", [table for table in TABLES if table.printed], ids=lambda table: table.id)
def test_contribution_and_seed_give_each_other_back(table: PayTable) -> None:
    counts = counts_of(table)
    seeds = dict.fromkeys(table.levels, 100_000)
    solved = plan(table, counts, RoomFigures(seeds=seeds))
    assert solved.derived == "contribution"
    first, *rest = table.levels
    back = plan(
        table, counts, RoomFigures(contribution=solved.contribution, seeds={level: seeds[level] for level in rest})
    )
    assert (back.derived, back.derived_level) == ("seed", first)
    assert back.seeds[first] == 100_000
    both = plan(table, counts, RoomFigures(contribution=solved.contribution, seeds=seeds))
    printed = table.printed_figure("house_advantage")
    assert printed is not None
    assert both.long_run_edge == printed.fraction


def test_the_meter_pays_out_what_is_put_on_it() -> None:
    """A cycle from seed to hit: expected awards are the seed and the contributions, so the long-run edge is exact.

    With one 100% line of chance p and no other share, the meter at the hit is on average seed + contribution / p.
    """
    table = paytable("FPGPP-WA07")
    counts = counts_of(table)
    known = RoomFigures(contribution=Fraction(1, 5), seeds={"main": 1_000_000})
    found = plan(table, counts, known)
    chance = found.reseed_chances["main"]
    average_award = Fraction(1_000_000, 100) + Fraction(1, 5) / chance  # in units of the wager
    assert found.long_run_edge == 1 - found.fixed_return - chance * average_award


def test_what_cannot_be_solved_is_refused() -> None:
    table, without = paytable("6CFPGPP-5"), paytable("FPGPP-WA01")
    with pytest.raises(InputError, match="--advantage"):
        plan(without, counts_of(without), RoomFigures(contribution=Fraction(1, 10)))
    assert plan(
        without, counts_of(without), RoomFigures(contribution=Fraction(1, 10), advantage=Fraction(1, 4))
    ).derived
    for known in (RoomFigures(contribution=Fraction(1, 2)), RoomFigures(seeds={"main": 10**9})):
        with pytest.raises(InputError) as refused:
            plan(table, counts_of(table), known)
        assert refused.value.faults[0].code == "out-of-range"


def test_with_two_unknown_seeds_only_their_cost_is_told() -> None:
    table = paytable("6CFPGPP-3")
    found = plan(table, counts_of(table), RoomFigures(contribution=Fraction(1, 5)))
    assert (found.derived, dict(found.seeds)) == (None, {})
    assert found.balance is not None
    assert found.reseed_cost == found.balance - Fraction(1, 5)


def test_only_a_whole_award_restarts_a_meter() -> None:
    """A royal flush takes a tenth of this meter, five aces all of it."""
    table = paytable("6CFPGPP-2")
    assert progressive.reseed_chances(table, counts_of(table)) == {"main": Fraction(48, 22_957_480)}
