"""How `houseway odds` prints an answer for people, and the odds with seen hands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from houseway.cli.output import print_listing, print_text
from houseway.odds.distribution import decimal_text, fraction_text, percent_text
from houseway.wording import dollars

if TYPE_CHECKING:
    from houseway.odds.conformance.claims import SeenGain
    from houseway.odds.progressive_plan import ProgressivePlan
    from houseway.odds.questions import OddsAnswer


def print_answer(told: OddsAnswer, plan: ProgressivePlan | None) -> None:
    """Print an answer for people."""
    question, found = told.question, told.distribution
    tables = "".join(f", {wager} by {table.id}" for wager, table in question.tables.items())
    dealer = f"dealer {question.sides.dealer}, " if question.sides.dealer else ""
    played = f"; {dealer}player {question.sides.player}" if question.is_set else ""
    role = ", as banker" if question.banker else ""
    print_text(f"{question.game.title}: {'+'.join(question.wagers)}{tables}{role}{played}", "")
    if found is not None:
        labelled = any(outcome.label for outcome in found.outcomes)
        rows = [("outcome", "net", "deals", "probability", *(("meaning",) if labelled else ()))]
        rows += [
            (
                outcome.name,
                f"{decimal_text(outcome.net, 8)}",
                f"{outcome.deals:,}",
                f"{outcome.deals / found.deals:.8f}",
                *((outcome.label,) if labelled else ()),
            )
            for outcome in found.outcomes
        ]
        print_listing(rows, f"{found.deals:,} deals")
        print_text("")
    _print_figures(told)
    if plan is not None:
        _print_plan(plan)
    for note in told.notes:
        print_text(f"note: {note}")


def _print_figures(told: OddsAnswer) -> None:
    found = told.distribution
    if told.edge is not None:
        if told.standard_error is None:
            print_text(f"edge                {percent_text(told.edge, 6)}  = {fraction_text(told.edge)}")
        else:
            print_text(
                f"edge                {percent_text(told.edge, 4)}  simulated, +/- {1.96 * told.standard_error:.4%}"
            )
        print_text(f"return              {percent_text(1 - told.edge, 6)}")
        if told.average_wager != 1:
            print_text(f"average wager       {float(told.average_wager):.6f}")
        print_text(f"element of risk     {percent_text(told.edge / told.average_wager, 6)}")
    if told.envy:
        print_text(f"envy returns        {percent_text(told.envy, 6)}")
    if found is not None:
        print_text(
            f"hit frequency       {percent_text(found.hit_frequency, 6)}",
            f"win, push, lose     {percent_text(found.win)}  {percent_text(found.push)}  {percent_text(found.lose)}",
            f"standard deviation  {found.standard_deviation:.6f}",
        )


def _print_plan(plan: ProgressivePlan) -> None:
    print_text("", f"fixed pays return   {percent_text(plan.fixed_return, 6)}")
    if plan.meter_return is not None:
        print_text(f"meters return       {percent_text(plan.meter_return, 6)}")
    for level, cents in plan.break_even.items():
        told = "not known without the other meters" if cents is None else dollars(cents)
        print_text(f"break-even {level:<9}{told}")
    if plan.balance is not None and plan.advantage is not None:
        print_text(
            f"advantage           {percent_text(plan.advantage, 6)}",
            f"contribution + reseed  {percent_text(plan.balance, 6)} (envy of {plan.balance_others} others)",
        )
    if plan.contribution is not None:
        derived = "  (solved)" if plan.derived == "contribution" else ""
        print_text(f"contribution        {percent_text(plan.contribution, 6)}{derived}")
    for level, seed in plan.seeds.items():
        derived = "  (solved)" if plan.derived_level == level else ""
        print_text(f"seed {level:<15}{dollars(round(seed))}{derived}")
    if plan.reseed_cost is not None:
        print_text(f"cost of reseed      {percent_text(plan.reseed_cost, 6)}")
    if plan.long_run_edge is not None:
        print_text(f"edge in the long run {percent_text(plan.long_run_edge, 6)}")


def seen_json(found: SeenGain, notes: list[str]) -> dict[str, Any]:
    """The odds with seen hands as the command line prints them; what a gain alone does not tell is null."""
    nothing = dict.fromkeys(("hit_frequency", "win", "push", "lose", "standard_deviation", "element_of_risk"))
    return {
        **found.to_json(),
        "wager": found.wagers,
        "player": "optimal",
        "edge_fraction": None,
        "notes": notes,
        **nothing,
    }


def print_seen(found: SeenGain, notes: list[str]) -> None:
    """Print the odds with seen hands for people."""
    from houseway.games import game

    rate = f", {found.commission}% commission" if game(found.game).commission else ""
    print_text(
        f"{found.game}, {found.wagers}{rate}: {found.hands} other hands lie face up, the player plays perfectly",
        f"edge without seeing them  {percent_text(found.before, 4)}",
        f"gain by seeing them       {found.gain:.4%} (standard error {found.error:.4%})",
        f"edge that remains         {found.edge:.4%}",
        *(f"note: {note}" for note in notes),
    )
