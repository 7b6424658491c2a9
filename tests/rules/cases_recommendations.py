"""Cases of what the sheets recommend for a progressive: what is not followed is told as a warning, with its clause."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import msgspec

from houseway.definitions.clauses import clause
from houseway.errors import InputError
from houseway.games.shares import Pot, Win, win
from houseway.manager.commands.link_commands import Approve, CreateLink, Propose
from houseway.manager.core.link_entities import LevelParameters
from houseway.manager.core.money import rate
from houseway.manager.handlers.presets import warnings_of
from houseway.paytables import PayTable, paytable
from tests.manager.floors import ACCOUNTING, EXECUTIVE, Room, badge, new_room
from tests.manager.pit import progressive
from tests.rules.harness import Switch, replaced, rule
from tests.rules.keypad import METER, SEED, Desk, Jackpot
from tests.rules.manager_switches import HANDLED, unchecked

SHEETS: dict[str, tuple[str, ...]] = {
    "6cfpgpp": ("6CFPGPP-2", "6CFPGPP-3", "6CFPGPP-4", "6CFPGPP-5"),
    "scpp": ("SIXCPP-01", "SIXCPP-02"),
    "fpgpp": ("FPGPP-WA01", "FPGPP-WA07", "FPGPP-WA03", "FPGPP-ML2"),
    "fpgpj": ("FPGPP-WA01", "FPGPP-WA07", "FPGPP-WA03", "FPGPP-ML2"),
}
"""The sheets that recommend, with their pay tables."""
ENOUGH = 10_000_00
"""A seed above every fixed pay."""


def recommended(
    number: str, off: Switch | tuple[Switch, ...]
) -> Callable[[Callable[[str, PayTable], None]], Callable[[str, PayTable], None]]:
    """Register a case for a recommendation of every sheet, on all its pay tables."""

    def register(check: Callable[[str, PayTable], None]) -> Callable[[str, PayTable], None]:
        for sheet, tables in SHEETS.items():
            rule(f"{sheet}/recommendations/{number}", off=off)(_on_all(check, sheet, tables))
        return check

    return register


def _on_all(check: Callable[[str, PayTable], None], sheet: str, tables: tuple[str, ...]) -> Callable[[], None]:
    def case() -> None:
        for table_id in tables:
            check(sheet, paytable(table_id))

    case.__name__ = check.__name__
    return case


def drawn_up(table: PayTable, room: Room | None = None, **more: Any) -> CreateLink:
    """A link that follows every recommendation which needs no preset, but for what is given.

    `contribution` is for all levels together, `seed` and `reserve` for each of them.
    """
    share = rate(more.pop("contribution", "0")) / len(table.levels)
    seed, reserve = more.pop("seed", ENOUGH), more.pop("reserve", "1/1000")
    levels = {level: LevelParameters(seed, f"{share.numerator}/{share.denominator}", reserve) for level in table.levels}
    return CreateLink(f"L{len(room.floor.links) if room else 0}", "progressive", table.id, levels, **more)


def warned(sheet: str, number: str, table: PayTable, room: Room | None = None, **more: Any) -> list[dict[str, Any]]:
    """The warnings under a recommendation of the sheet when a link is drawn up."""
    in_room = room or new_room()
    try:
        answer = in_room.do(ACCOUNTING, drawn_up(table, in_room, **more))
    except InputError as error:
        raise AssertionError(f"{table.id} {more}: {error}") from error
    return of_clause(sheet, number, answer["warnings"])


def of_clause(sheet: str, number: str, warnings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those of the warnings that cite the recommendation; the newest sheet with the same sentence may be cited."""
    text = clause(f"{sheet}/recommendations/{number}").text
    return [each for each in warnings if each["clause"] and clause(each["clause"]).text == text]


def changed(room: Room, what: dict[str, Any]) -> dict[str, Any]:
    """A change that one person proposes and one of another department approves."""
    try:
        proposed = room.do(ACCOUNTING, Propose(what, "case"))
        return room.do(ACCOUNTING, Approve(proposed["proposal"], proposed["content_hash"], badge(EXECUTIVE)))
    except InputError as error:
        raise AssertionError(f"{what}: {error}") from error


# ---------------------------------------------------------------- contribution


def up_to_half(text: object) -> bool:
    """A rate above a half is none."""
    return isinstance(text, str) and 0 <= Fraction(text) <= Fraction(1, 2)


@recommended("contribution.1", off=replaced(f"{HANDLED}.parameters.is_rate", up_to_half))
def the_contribution_may_be_anything_from_none_to_all(sheet: str, table: PayTable) -> None:
    room = new_room()
    # The Fortune sheets let no fixed pay come off the meter: there the range holds for the wagers that the tray pays.
    fixed = "meter" if table.fixed_from_meter else "tray"
    for share in ("0", "1/100", "7/10", "99/100", "1"):
        assert warned(sheet, "contribution.1", table, room, contribution=share, reserve="0", fixed_pays=fixed) == []
    for share in ("101/100", "-1/100"):
        levels = {level: LevelParameters(ENOUGH, share) for level in table.levels}
        refused = room.refused(ACCOUNTING, CreateLink("L9", "progressive", table.id, levels, fixed_pays=fixed))
        assert {code for code, _ in refused} == {"bad-rate"}


NO_LEAST_SHARE = replaced(f"{HANDLED}.presets.ALL_FROM_METER_SHARE", Fraction(0))


@recommended("contribution.1.a", off=NO_LEAST_SHARE)
def all_pays_off_the_meter_want_seventy_percent(sheet: str, table: PayTable) -> None:
    for share, codes in (("69/100", ["all-from-meter-low"]), ("7/10", []), ("1", [])):
        if table.fixed_from_meter:
            found = warned(sheet, "contribution.1.a", table, contribution=share, reserve="0", fixed_pays="meter")
        else:
            # The Fortune sheets print no table that takes all pays off the meter, so none can be drawn up; one that
            # came from elsewhere would be warned of all the same.
            command = drawn_up(table, contribution=share, reserve="0", fixed_pays="meter")
            assert new_room().refused(ACCOUNTING, command) == {("setting-not-allowed", "fixed_pays")}
            link = progressive("L1", table.id, levels=command.levels, fixed_pays="meter")
            found = of_clause(sheet, "contribution.1.a", msgspec.to_builtins(warnings_of(new_room().floor, link, 0)))
        assert [each["code"] for each in found] == codes


NO_PRESET_TO_KEEP_TO = unchecked("presets._above_preset")
ABOVE = "contribution-above-preset"


def modest_seed(table: PayTable) -> int:
    """The largest fixed pay of a $1 wager in cents: the smallest seed that the sheets recommend."""
    return max(line.pays or 0 for line in table.lines) * 100


def above_preset(sheet: str, warnings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Warnings about a rate above the preset."""
    return [each for each in of_clause(sheet, "contribution.2", warnings) if each["code"] == ABOVE]


def enter_preset(room: Room, table: PayTable, total: Fraction) -> None:
    """The room enters what the maker has configured, which is not printed."""
    share = total / len(table.levels)
    preset = {
        "seed": dict.fromkeys(table.levels, modest_seed(table)),
        "contribution": dict.fromkeys(table.levels, f"{share.numerator}/{share.denominator}"),
    }
    changed(room, {"change": "setting", "name": f"preset/{table.id}", "value": preset})


@recommended("contribution.2", off=NO_PRESET_TO_KEEP_TO)
def a_rate_above_the_preset_is_warned_of(sheet: str, table: PayTable) -> None:
    room = new_room()
    enter_preset(room, table, Fraction(15, 100))
    kept = {}
    for share, is_above in (("14/100", False), ("15/100", False), ("16/100", True)):
        command = drawn_up(table, room, contribution=share, reserve="0", seed=modest_seed(table))
        answer = room.do(ACCOUNTING, command)
        assert bool(above_preset(sheet, answer["warnings"])) == is_above
        kept[share] = Fraction(answer["house_advantage"]["fraction"])
    # What is added to the rate is taken from the house's advantage.
    assert kept["14/100"] - kept["16/100"] == Fraction(2, 100)
    # The same when the rate is changed later.
    for share, is_above in (("1/100", False), ("30/100", True)):
        what = {"change": "level", "link": "L0", "level": table.levels[0], "contribution": share}
        assert bool(above_preset(sheet, changed(room, what)["warnings"])) == is_above


@recommended("contribution.2", off=NO_PRESET_TO_KEEP_TO)
def where_an_advantage_is_printed_the_preset_follows_from_it(sheet: str, table: PayTable) -> None:
    printed, room = table.printed_figure("house_advantage"), new_room()
    assert (printed is not None) == (sheet == "6cfpgpp")
    rest = {"reserve": "0", "seed": modest_seed(table)}
    answer = room.do(ACCOUNTING, drawn_up(table, room, contribution="2/100", **rest))
    assert answer["preset"]["basis"] == ("printed" if printed else "none")
    assert above_preset(sheet, answer["warnings"]) == []
    if printed is None:
        # Nothing printed and nothing entered: there is nothing to compare with, until the room enters its preset.
        enter_preset(room, table, Fraction(1, 100))
        answer = room.do(ACCOUNTING, drawn_up(table, room, contribution="2/100", **rest))
        assert above_preset(sheet, answer["warnings"]) != []
        return
    total = Fraction(answer["preset"]["total"])
    # With the preset rate the advantage is the printed one; above it the house has less.
    for share, is_above in ((total, False), (total + Fraction(1, 1000), True)):
        command = drawn_up(table, room, contribution=f"{share.numerator}/{share.denominator}", **rest)
        answer = room.do(ACCOUNTING, command)
        assert Fraction(answer["house_advantage_with_envy"]["fraction"]) == printed.fraction - (share - total)
        assert bool(above_preset(sheet, answer["warnings"])) == is_above


# ---------------------------------------------------------------- reserve

NO_WARNING = unchecked("presets._level_warnings")


def restarted_without_reserve(pot: Pot, percent: int, *, cent: int = 1, at_least: int = 0) -> Win:
    """A level that was won restarts at its seed alone."""
    return win(pot._replace(reserve=0), percent, cent=cent, at_least=at_least)


@recommended("reserve.1", off=(NO_WARNING, replaced(f"{HANDLED}.meters.win", restarted_without_reserve)))
def a_share_goes_to_the_reserve_and_with_the_seed_onto_the_meter(sheet: str, table: PayTable) -> None:
    found = warned(sheet, "reserve.1", table, reserve="0")
    assert {(each["code"], each["level"]) for each in found} == {("no-reserve", level) for level in table.levels}
    assert warned(sheet, "reserve.1", table, reserve="1/1000") == []
    vocabulary = "nexus-2" if sheet in ("fpgpp", "fpgpj") else "nexus"
    for game_id in table.games:
        desk = Desk(Jackpot(game_id, vocabulary, table), reserve="1/100")
        level = desk.jackpot.whole.level or ""
        for _ in range(5):
            desk.start(1, 2, 3, 4)
            desk.end()
        assert desk.pit.held("reserve", "L1", level) == 20 * 10_000
        desk.start(3)
        desk.hand(3, desk.jackpot.whole.hand)
        desk.call()
        desk.pay()
        assert desk.awards()[0].cents == METER
        assert desk.pit.held("reserve", "L1", level) == 0
        assert desk.shown(desk.jackpot.whole) == (SEED + 21) * 10_000


@recommended("reserve.2", off=NO_WARNING)
def the_reserve_alone_is_no_seed(sheet: str, table: PayTable) -> None:
    for seed, codes in ((0, {"reserve-only-seed"}), (ENOUGH, set())):
        found = warned(sheet, "reserve.2", table, seed=seed, reserve="1/10")
        assert {each["code"] for each in found} == codes
    assert warned(sheet, "reserve.2", table, seed=0, reserve="0") == []


# ---------------------------------------------------------------- seed


@recommended("seed.1", off=unchecked("presets._seed_warnings"))
def the_preset_seed_is_the_recommended_one(sheet: str, table: PayTable) -> None:
    room, preset = new_room(), modest_seed(table)
    # Nothing is recommended where nobody has recorded a preset.
    assert warned(sheet, "seed.1", table, seed=1) == []
    enter_preset(room, table, Fraction(15, 100))
    for seed, codes in ((preset, set()), (preset + 1, {"seed-not-preset"}), (0, {"seed-not-preset"})):
        found = warned(sheet, "seed.1", table, room, seed=seed)
        assert {each["code"] for each in found} == codes
    # The same when the seed is changed later.
    level = table.levels[0]
    what = {"change": "level", "link": "L0", "level": level, "seed": preset + 5}
    assert [each["level"] for each in of_clause(sheet, "seed.1", changed(room, what)["warnings"])] == [level]


@recommended("seed.2", off=(NO_WARNING, replaced(f"{HANDLED}.presets.largest_fixed", lambda link: 0)))
def a_seed_is_not_smaller_than_the_largest_fixed_pay(sheet: str, table: PayTable) -> None:
    for wager in (100, 500):
        largest = max(line.pays or 0 for line in table.lines) * wager
        for seed, is_small in ((largest - 1, True), (largest, False)):
            found = warned(sheet, "seed.2", table, seed=seed, wager=wager)
            assert {each["code"] for each in found} == ({"seed-below-fixed-award"} if is_small else set())
    # The same when the seed is changed later.
    room, level = new_room(), table.levels[0]
    room.do(ACCOUNTING, drawn_up(table, room))
    for seed, is_small in ((100_00 - 1, True), (ENOUGH + 1, False)):
        what = {"change": "level", "link": "L0", "level": level, "seed": seed}
        found = of_clause(sheet, "seed.2", changed(room, what)["warnings"])
        assert [each["level"] for each in found] == ([level] if is_small else [])


@recommended("seed.3", off=NO_WARNING)
def a_seed_of_zero_is_advised_against(sheet: str, table: PayTable) -> None:
    for seed, codes in ((0, {"seed-zero"}), (1, set()), (ENOUGH, set())):
        found = warned(sheet, "seed.3", table, seed=seed)
        assert {each["code"] for each in found} == codes
