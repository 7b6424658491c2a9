"""All that can be said about a progressive wager from what a room knows: meters, contribution, seeds, an advantage.

Of contribution rate and seed either follows from the other once an advantage is given or printed; with both known the
long-run edge follows. `progressive` has the arithmetic and its assumptions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from houseway.errors import InputError
from houseway.odds import progressive
from houseway.odds.distribution import decimal_text, fraction_text
from houseway.odds.wagers import MAX_ENVY_OTHERS, LineCounts, envy_return

if TYPE_CHECKING:
    from houseway.paytables import PayTable


@dataclass(frozen=True)
class RoomFigures:
    """What a room knows, or wants to try; amounts are in cents."""

    meters: Mapping[str, int] = field(default_factory=dict)
    bet: int = progressive.FIXED_WAGER
    others: int | None = None
    """Other players who earn envy; if it is not said, none at the meter and, as sheets mean it, five in the balance."""
    contribution: Fraction | None = None
    seeds: Mapping[str, int] = field(default_factory=dict)
    advantage: Fraction | None = None


@dataclass(frozen=True)
class ProgressivePlan:
    """What follows from it; shares are per unit of the wager, a seed is in cents and may be a fraction of one."""

    fixed_return: Fraction
    envy_return: Fraction
    meter_return: Fraction | None
    break_even: Mapping[str, int | None]
    reseed_chances: Mapping[str, Fraction]
    balance_others: int
    advantage: Fraction | None = None
    balance: Fraction | None = None
    contribution: Fraction | None = None
    seeds: Mapping[str, Fraction] = field(default_factory=dict)
    reseed_cost: Fraction | None = None
    long_run_edge: Fraction | None = None
    derived: str | None = None
    """Which of `contribution` and `seed` was solved for, if one was."""
    derived_level: str | None = None
    """The level whose seed was solved for."""

    def to_json(self) -> dict[str, Any]:
        """The plan as the command line prints it."""
        shown: dict[str, Any] = {}
        for name in (
            "fixed_return",
            "envy_return",
            "meter_return",
            "advantage",
            "balance",
            "contribution",
            "reseed_cost",
            "long_run_edge",
        ):
            value: Fraction | None = getattr(self, name)
            shown[name] = None if value is None else float(value)
            shown[f"{name}_fraction"] = None if value is None else fraction_text(value)
        shown["break_even"] = dict(self.break_even)
        shown["reseed_chances"] = {level: float(chance) for level, chance in self.reseed_chances.items()}
        shown["reseed_chances_fraction"] = {level: fraction_text(share) for level, share in self.reseed_chances.items()}
        shown["seeds"] = {level: decimal_text(seed) for level, seed in self.seeds.items()}
        shown["seeds_fraction"] = {level: fraction_text(seed) for level, seed in self.seeds.items()}
        shown["balance_others"] = self.balance_others
        shown["derived"] = self.derived
        shown["derived_level"] = self.derived_level
        return shown


def plan(table: PayTable, counts: LineCounts, known: RoomFigures) -> ProgressivePlan:
    """What follows for a table from what is known.

    Raises InputError where a contribution or seed is to be solved without an advantage, or comes out below zero.
    """
    balance_others = known.others if known.others is not None else (MAX_ENVY_OTHERS if table.has_envy else 0)
    envy = envy_return(table, counts, known.others or 0, known.bet)
    missing = progressive.missing_levels(table, known.meters)
    parts: dict[str, Any] = {
        "fixed_return": progressive.fixed_return(counts),
        "envy_return": envy,
        "meter_return": None if missing else progressive.meter_return(counts, known.meters, known.bet),
        "break_even": progressive.break_even(table, counts, known.meters, known.bet, envy),
        "reseed_chances": progressive.reseed_chances(table, counts),
        "balance_others": balance_others,
    }
    printed = table.printed_figure("house_advantage")
    advantage = known.advantage if known.advantage is not None or printed is None else printed.fraction
    unseeded = [level for level in table.levels if level not in known.seeds]
    if known.contribution is not None and not unseeded:
        return ProgressivePlan(**parts, **_long_run(table, counts, known, balance_others, advantage))
    if advantage is None:
        if known.contribution is not None or known.seeds:
            raise InputError.of("missing-argument", "advantage", _NO_ADVANTAGE.format(table.id))
        return ProgressivePlan(**parts)
    pinned = progressive.balance(table, counts, advantage, balance_others, known.bet)
    return ProgressivePlan(
        **parts, advantage=advantage, balance=pinned.total, **_solved(known, pinned, parts, unseeded)
    )


_NO_ADVANTAGE = (
    "{} prints no house advantage to solve contribution or seed from: give --advantage, or both --contribution and "
    "--seed-amount"
)


def _long_run(
    table: PayTable, counts: LineCounts, known: RoomFigures, others: int, advantage: Fraction | None
) -> dict[str, Any]:
    """Contribution and seeds are known: the edge that they make in the long run, whatever the meter shows."""
    assert known.contribution is not None
    cost = progressive.reseed_cost(progressive.reseed_chances(table, counts), known.seeds, known.bet)
    pinned = progressive.balance(table, counts, Fraction(0), others, known.bet)
    return {
        "advantage": advantage,
        "balance": None if advantage is None else pinned.total - advantage,
        "contribution": known.contribution,
        "seeds": _fractions(known.seeds),
        "reseed_cost": cost,
        "long_run_edge": pinned.total - known.contribution - cost,
    }


def _solved(
    known: RoomFigures, pinned: progressive.Balance, parts: Mapping[str, Any], unseeded: list[str]
) -> dict[str, Any]:
    """The other of contribution and seed, where enough is known to solve for it."""
    chances: Mapping[str, Fraction] = parts["reseed_chances"]
    if known.contribution is not None:
        left = _not_below_zero(pinned.total - known.contribution, "contribution", pinned)
        found: dict[str, Any] = {
            "contribution": known.contribution,
            "reseed_cost": left,
            "seeds": _fractions(known.seeds),
        }
        if len(unseeded) == 1 and chances[unseeded[0]]:
            level, seed = progressive.seed_for(pinned, chances, known.contribution, known.seeds, known.bet)
            _not_below_zero(seed, "seed_amount", pinned)
            found |= {"seeds": {**_fractions(known.seeds), level: seed}, "derived": "seed", "derived_level": level}
            found["long_run_edge"] = pinned.advantage
        return found
    if known.seeds and not unseeded:
        cost = progressive.reseed_cost(chances, known.seeds, known.bet)
        rate = _not_below_zero(pinned.total - cost, "seed_amount", pinned)
        found = {"contribution": rate, "reseed_cost": cost, "seeds": _fractions(known.seeds)}
        return found | {"derived": "contribution", "long_run_edge": pinned.advantage}
    return {"seeds": _fractions(known.seeds)}


def _not_below_zero(left: Fraction, path: str, pinned: progressive.Balance) -> Fraction:
    if left < 0:
        shown = f"{float(pinned.total):.4%}"
        message = f"contribution and reseed can be {shown} together under this advantage, and this is more: lower it"
        raise InputError.of("out-of-range", path, message)
    return left


def _fractions(seeds: Mapping[str, int]) -> dict[str, Fraction]:
    return {level: Fraction(cents) for level, cents in seeds.items()}
