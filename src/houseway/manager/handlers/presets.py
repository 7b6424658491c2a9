"""What the sheets recommend for a progressive: presets where a figure pins them, and warnings with their reason.

The sheets speak of a preset seed and contribution but print neither. What a printed house advantage pins is a sum: the
contributions and the cost of the reseed together. So the preset contribution is the one that makes the printed
advantage true with the seeds as configured; a table that prints no advantage has no preset, unless the property has
recorded its own as the dated setting `preset/TABLE`. A recommendation that is not followed is a warning, never a
refusal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from msgspec import Struct, convert

from houseway.amounts import Cents, micros
from houseway.definitions.clauses import clauses
from houseway.errors import Fault
from houseway.manager.commands.link_answers import Chance, ExactShare, RatePreset
from houseway.manager.core.floor import Floor
from houseway.manager.core.link_entities import LevelParameters, Link, LinkWarning
from houseway.manager.core.money import LARGEST_CENTS, dollars, rate
from houseway.manager.handlers.link_rules import jackpot_chances, link_table
from houseway.odds.distribution import decimal_text, fraction_text, percent_text
from houseway.odds.progressive import balance, contribution_for, reseed_cost
from houseway.odds.wagers import MAX_ENVY_OTHERS, LineCounts, counts_for, envy_return
from houseway.paytables import PayTable, paytable_ids

PRESET: Final = "preset/"
"""Settings of this beginning hold a property's own presets, by pay table."""
ALL_FROM_METER_SHARE: Final = Fraction(70, 100)
"""The contribution from which tables that pay everything off the meter are meant to grow, as the sheets say."""
WARNINGS: Final[Mapping[str, str]] = {
    "seed-zero": "seed.3",
    "seed-below-fixed-award": "seed.2",
    "seed-not-preset": "seed.1",
    "reserve-only-seed": "reserve.2",
    "no-reserve": "reserve.1",
    "contribution-above-preset": "contribution.2",
    "all-from-meter-low": "contribution.1.a",
    "house-loses": "contribution.2",
    "order-of-the-house": "",
}
"""The warnings about a link's parameters, each with the number of the recommendation that it rests on, if one does."""
_PRESET_KEYS: Final = ("seed", "contribution", "reserve")


@dataclass(frozen=True)
class Preset:
    """The preconfigured rate of a pay table: what it rests on, and the rate for all levels together."""

    basis: Literal["printed", "property", "none"]
    """`printed`: follows from the printed house advantage; `property`: recorded by the property; `none`."""
    total: Fraction | None = None
    """Contribution and reserve of all levels together."""
    levels: Mapping[str, Fraction] | None = None
    """The same by level, where the property recorded it so."""
    note: str = ""

    def told(self) -> RatePreset:
        """The preset as an answer tells it."""
        return RatePreset(
            self.basis,
            None if self.total is None else fraction_text(self.total),
            None if self.total is None else percent_text(self.total),
            None if self.levels is None else {name: fraction_text(of) for name, of in self.levels.items()},
            self.note,
        )


def preset_of(floor: Floor, link: Link, at: int) -> Preset:
    """The preset for a link's pay table, seeds and wager."""
    own = _own_preset(floor, link, at)
    if own is not None:
        return _recorded(link, own)
    table, counts = link_table(link), _counts(link)
    printed = table.printed_figure("house_advantage")
    if printed is None:
        note = (
            f"the sheet prints neither preset nor house advantage for {table.id}: there is no rate to compare with; "
            f"record the property's own as the setting {PRESET}{table.id}"
        )
        return Preset("none", note=note)
    pinned = balance(table, counts, printed.fraction, _envy_others(table), link.wager)
    total = contribution_for(pinned, jackpot_chances(table), _seeds(link), link.wager)
    note = (
        f"the rate that makes the printed house advantage of {printed.percent_text} true with these seeds"
        f"{f' and {MAX_ENVY_OTHERS} players earning envy' if table.has_envy else ''}; contribution and cost of the "
        f"reseed are {percent_text(pinned.total)} together"
    )
    return Preset("printed", total, note=note)


class _OwnPreset(Struct, frozen=True):
    """What a property has recorded of a pay table's preset, by level."""

    seed: dict[str, Cents]
    contribution: dict[str, str]
    reserve: dict[str, str] = {}


def _own_preset(floor: Floor, link: Link, at: int) -> _OwnPreset | None:
    found = floor.setting_at(f"{PRESET}{link.paytable}", at)
    return None if found is None else convert(found, _OwnPreset)


def _recorded(link: Link, own: _OwnPreset) -> Preset:
    levels = {name: rate(own.contribution[name]) + rate(own.reserve.get(name, "0")) for name in link.levels}
    return Preset("property", sum(levels.values(), Fraction(0)), levels, "recorded by the property for this pay table")


def preset_faults(name: str, proposed: object, table: PayTable | None) -> list[Fault]:
    """What is wrong with a preset that a property wants to record; `table` is the one that the setting names."""
    if table is None or not table.levels:
        known = ", ".join(id_ for id_ in paytable_ids() if "PP" in id_)
        return [Fault("unknown-setting", "name", f"{name[:60]} names no pay table with a meter: known are {known}")]
    shape = '{"seed": {LEVEL: CENTS}, "contribution": {LEVEL: RATE}}, with "reserve" like it if there is one'
    if not isinstance(proposed, Mapping) or not set(proposed) <= set(_PRESET_KEYS):
        return [Fault("bad-preset", "value", f"a preset is written {shape}")]
    faults = []
    for key in _PRESET_KEYS:
        given = proposed.get(key, {} if key == "reserve" else None)
        wanted = set(table.levels)
        if not isinstance(given, Mapping) or not (set(given) == wanted or (key == "reserve" and not given)):
            faults.append(Fault("bad-preset", f"value.{key}", f"name exactly the levels {', '.join(table.levels)}"))
            continue
        is_right, what = (_is_cents, "an amount in cents") if key == "seed" else (is_rate, "a rate")
        faults += [
            Fault("bad-preset", f"value.{key}.{level}", f"{amount!r} is not {what}")
            for level, amount in given.items()
            if not is_right(amount)
        ]
    return faults


def _is_cents(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST_CENTS


def is_rate(value: object) -> bool:
    """Whether a text is a share from 0 to 1."""
    try:
        rate(value if isinstance(value, str) else "")
    except (ValueError, ZeroDivisionError):
        return False
    return True


def long_run_advantage(link: Link) -> Fraction:
    """What the house keeps of one unit in the long run under a progressive's parameters, with no envy paid.

    Fixed pays cost the house nothing where they come off the meter: what is put on the meter pays them.
    """
    table, counts = link_table(link), _counts(link)
    fixed = Fraction(0) if link.fixed_pays == "meter" else balance(table, counts, Fraction(0)).fixed_return
    return 1 - fixed - put_aside(link) - reseed_cost(jackpot_chances(table), _seeds(link), link.wager)


def put_aside(link: Link) -> Fraction:
    """The share of a wager that goes onto meters and reserves of all levels."""
    return sum((rate(level.contribution) + rate(level.reserve) for level in link.levels.values()), Fraction(0))


class LinkFigures(Struct, frozen=True, omit_defaults=True):
    """The exact figures of a link."""

    odds: dict[str, Chance]
    preset: RatePreset | None = None
    """Of a progressive, as what follows."""
    house_advantage: ExactShare | None = None
    house_advantage_with_envy: ExactShare | None = None


def configured(floor: Floor, link: Link, at: int) -> LinkFigures:
    """The exact figures of a link for its file: jackpot odds, preset, and what the house keeps in the long run."""
    table = link_table(link)
    odds = {
        level: Chance(fraction_text(chance), decimal_text(1 / chance, 12))
        for level, chance in jackpot_chances(table).items()
        if chance
    }
    if link.kind == "house":
        return LinkFigures(odds)
    advantage = long_run_advantage(link)
    envy = envy_return(table, _counts(link), _envy_others(table), link.wager)
    return LinkFigures(odds, preset_of(floor, link, at).told(), _shown(advantage), _shown(advantage - envy))


def _shown(share: Fraction) -> ExactShare:
    return ExactShare(fraction_text(share), percent_text(share))


def warnings_of(floor: Floor, link: Link, at: int) -> tuple[LinkWarning, ...]:
    """Every recommendation of the sheets that a link's parameters do not follow."""
    if link.kind == "house":
        return ()
    table = link_table(link)
    found = [each for name, level in link.levels.items() for each in _level_warnings(link, name, level)]
    found += [*_seed_warnings(floor, link, at), *_rate_warnings(floor, link, at)]
    return tuple(_warning(table, *each) for each in found)


_Warning = tuple[str, str | None, str]
"""Code, level or None for the link, and the reason."""


def _level_warnings(link: Link, name: str, level: LevelParameters) -> list[_Warning]:
    """Warnings about the seed and the reserve of one level."""
    found: list[_Warning] = []
    has_reserve = rate(level.reserve) > 0
    largest = largest_fixed(link)
    if level.seed == 0:
        message = f"{name} restarts at nothing after it is won: players see an empty meter"
        found.append(("seed-zero", name, message))
        if has_reserve:
            message = f"the reserve is the only seed of {name}: two awards in a row restart it very low"
            found.append(("reserve-only-seed", name, message))
    elif level.seed < largest:
        message = (
            f"{name} restarts at {dollars(micros(level.seed))}, below the largest fixed award of "
            f"{dollars(micros(largest))}: the jackpot can be worth less than a lesser hand"
        )
        found.append(("seed-below-fixed-award", name, message))
    if not has_reserve:
        message = f"nothing of a wager goes to the reserve of {name}: a small share keeps players after a jackpot"
        found.append(("no-reserve", name, message))
    return found


def _seed_warnings(floor: Floor, link: Link, at: int) -> list[_Warning]:
    """Warnings about seeds that are not the preset ones, where the property has recorded what its maker has preset."""
    own = _own_preset(floor, link, at)
    seeds = {} if own is None else own.seed
    found: list[_Warning] = []
    for name, level in link.levels.items():
        preset = seeds.get(name, level.seed)
        if level.seed != preset:
            message = (
                f"{name} restarts at {dollars(micros(level.seed))}, not at the preset {dollars(micros(preset))}, "
                "for which the pay table's figures were made"
            )
            found.append(("seed-not-preset", name, message))
    return found


def largest_fixed(link: Link) -> Cents:
    """The largest fixed award of a link: the pay of its table times the fixed wager."""
    return link.wager * max((line.pays or 0 for line in link_table(link).lines), default=0)


def _rate_warnings(floor: Floor, link: Link, at: int) -> list[_Warning]:
    """Warnings about the rates of all levels together."""
    found: list[_Warning] = []
    contributions = sum((rate(level.contribution) for level in link.levels.values()), Fraction(0))
    if link.fixed_pays == "meter":
        if contributions < ALL_FROM_METER_SHARE:
            message = (
                f"every pay comes off the meter and {percent_text(contributions)} of a wager goes onto it: below "
                f"{percent_text(ALL_FROM_METER_SHARE, 0)} the meter may run dry"
            )
            found.append(("all-from-meter-low", None, message))
    else:
        found += _above_preset(preset_of(floor, link, at), link)
    if link.order == "full-to-each":
        message = (
            "each of several winners of a round gets the full meter, and the house advances what is not there: the "
            "sheet leaves this to internal controls, and its tables begin no round until such a paper names it"
        )
        found.append(("order-of-the-house", None, message))
    if long_run_advantage(link) < 0:
        message = f"the house loses {percent_text(-long_run_advantage(link))} of every wager in the long run"
        found.append(("house-loses", None, message))
    return found


def _above_preset(preset: Preset, link: Link) -> list[_Warning]:
    """Warn where contribution and reserve are above the preset, which costs the house its advantage."""
    found: list[_Warning] = []
    for name, level in link.levels.items() if preset.levels is not None else ():
        of = rate(level.contribution) + rate(level.reserve)
        wanted = (preset.levels or {})[name]
        if of > wanted:
            found.append(("contribution-above-preset", name, _above_text(of, wanted)))
    if preset.levels is None and preset.total is not None and put_aside(link) > preset.total:
        message = _above_text(put_aside(link), preset.total)
        found.append(("contribution-above-preset", None, message))
    return found


def _above_text(of: Fraction, wanted: Fraction) -> str:
    return (
        f"contribution and reserve are {percent_text(of)} together, above the preset of {percent_text(wanted)}: "
        f"the house advantage falls by the difference"
    )


def _warning(table: PayTable, code: str, level: str | None, message: str) -> LinkWarning:
    return LinkWarning(code, level, message, _recommendation(table, WARNINGS[code]))


def _recommendation(table: PayTable, number: str) -> str:
    """The clause that recommends it, in the sheet of the table's first game; "" for what no clause recommends."""
    found = [
        each.id
        for each in clauses()
        if each.section == "recommendations" and each.number == number and table.games[0] in each.games
    ]
    return found[0] if found else ""


def _envy_others(table: PayTable) -> int:
    return MAX_ENVY_OTHERS if table.has_envy else 0


def _seeds(link: Link) -> dict[str, int]:
    return {name: level.seed for name, level in link.levels.items()}


def _counts(link: Link) -> LineCounts:
    table = link_table(link)
    return counts_for(table.games[0], table.joker).by_line(table)
