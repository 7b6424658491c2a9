"""Drawing a link up: what is refused, with every fault at once, and what is only warned of."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from houseway.definitions.clauses import clause
from houseway.errors import InputError
from houseway.manager.commands import read_envelope
from houseway.manager.commands.link_commands import CreateLink
from houseway.manager.core.link_entities import LevelParameters
from houseway.manager.handlers.presets import largest_fixed, long_run_advantage, preset_of
from houseway.paytables import paytable, paytables
from tests.manager.floors import ACCOUNTING, AUDITOR, CAGE, DEALER, Room, new_room
from tests.manager.links.desk import MAIN, codes, draft, link_of, make, papers

JACKPOT_TABLES = [table.id for table in paytables() if table.wager == "progressive"]
CLEAN = {"main": LevelParameters(250_000, "15/100", "1/100")}


@pytest.fixture
def room() -> Room:
    return new_room()


def create(
    link: str = "L1", linked_as: Any = "progressive", paytable_id: str = "FPGPP-WA01", **more: Any
) -> CreateLink:
    more.setdefault("levels", dict(CLEAN) if linked_as == "progressive" else {})
    return CreateLink(link, linked_as, paytable_id, **more)


def faults(room: Room, command: CreateLink) -> set[tuple[str, str]]:
    return room.refused(ACCOUNTING, command)


@pytest.mark.parametrize("paytable_id", JACKPOT_TABLES)
def test_every_shipped_jackpot_table_can_be_a_link(room: Room, paytable_id: str) -> None:
    levels = {level: LevelParameters(10_000_000, "1/20", "1/100") for level in paytable(paytable_id).levels}
    answer = room.do(ACCOUNTING, create(paytable_id=paytable_id, levels=levels))
    assert answer["status"] == "draft"
    assert set(answer["odds"]) == set(levels)
    link = link_of(room)
    assert link.version == 1
    assert {f"L1/{level}" for level in levels} == set(room.floor.levels)
    assert room.floor.balances == {}, "a draft moves no money"


def test_the_jackpot_odds_are_on_file(room: Room) -> None:
    answer = draft(room)
    assert answer["odds"] == {"main": {"chance": "4/19267885", "one_in": "4816971.25"}}
    assert papers(room, "link-odds") == [{key: answer[key] for key in papers(room, "link-odds")[0]}]


@pytest.mark.parametrize("actor", [DEALER, CAGE, AUDITOR])
def test_who_may_not_draw_links_up(room: Room, actor: str) -> None:
    assert room.refused(actor, create()) == {("wrong-role", "actor")}


@pytest.mark.parametrize("id_", ["", "a/b", "-x", "x" * 41, "L 1", "L\n1"])
def test_an_id_must_be_fit_for_accounts(room: Room, id_: str) -> None:
    assert faults(room, create(id_)) == {("bad-id", "link")}


def test_an_id_is_taken_once(room: Room) -> None:
    draft(room)
    assert faults(room, create()) == {("link-exists", "link")}


@pytest.mark.parametrize(
    ("paytable_id", "code"),
    [
        ("NONE-1", "unknown-paytable"),
        ("FPGP-1", "wrong-paytable"),
        ("TIGER9", "wrong-paytable"),
        ("SCP-LAYOUT", "wrong-paytable"),
    ],
)
def test_the_pay_table_must_be_one_of_the_jackpot_wager(room: Room, paytable_id: str, code: str) -> None:
    assert faults(room, create(paytable_id=paytable_id)) == {(code, "paytable")}


def test_a_table_that_is_not_approved_is_refused(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from houseway.manager.handlers import link_rules

    monkeypatch.setattr(link_rules, "paytable", lambda id_: replace(paytable(id_), approved=False))
    assert faults(room, create()) == {("unapproved-paytable", "paytable")}


@pytest.mark.parametrize("levels", [{}, {"mega": MAIN["main"]}, {"main": MAIN["main"], "minor": MAIN["main"]}])
def test_levels_are_exactly_those_of_the_pay_table(room: Room, levels: dict[str, LevelParameters]) -> None:
    assert faults(room, create(levels=levels)) == {("link-levels", "levels")}


@pytest.mark.parametrize("text", ["", "x", "3/0", "-1/5", "101%", "5/4", "nan", "inf"])
@pytest.mark.parametrize("name", ["contribution", "reserve"])
def test_rates_are_exact_shares(room: Room, name: str, text: str) -> None:
    level = LevelParameters(250_000, **{"contribution": "1/10", name: text})
    assert faults(room, create(levels={"main": level})) == {("bad-rate", f"levels.main.{name}")}


def test_rates_of_all_levels_together_are_at_most_the_wager(room: Room) -> None:
    levels = {level: LevelParameters(1_000_000, "3/10", "1/30") for level in ("mega", "major", "minor")}
    room.do(ACCOUNTING, create(paytable_id="FPGPP-ML2", levels=levels))
    levels["minor"] = LevelParameters(1_000_000, "3/10", "1/29")
    assert faults(room, create("L2", paytable_id="FPGPP-ML2", levels=levels)) == {("rates-over-one", "levels")}


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({"seed": -1}, {("out-of-range", "levels.main.seed")}),
        ({"seed": 10**13}, {("out-of-range", "levels.main.seed")}),
        ({"limit": 0}, {("out-of-range", "levels.main.limit")}),
        ({"limit": 249_999}, {("limit-too-low", "levels.main.limit")}),
        ({"executive_from": -1}, {("out-of-range", "levels.main.executive_from")}),
        ({"executive_from": 10**30}, {("out-of-range", "levels.main.executive_from")}),
    ],
)
def test_amounts_of_a_level(room: Room, more: dict[str, Any], found: set[tuple[str, str]]) -> None:
    level = LevelParameters(**{"seed": 250_000, "contribution": "1/10", "reserve": "1/100", **more})
    assert faults(room, create(levels={"main": level})) == found


def test_amounts_at_their_bounds(room: Room) -> None:
    level = LevelParameters(250_000, "1", "0", limit=250_000, executive_from=0)
    room.do(ACCOUNTING, create(levels={"main": level}))


@pytest.mark.parametrize("wager", [0, -100])
def test_the_wager_is_some_cents(room: Room, wager: int) -> None:
    assert faults(room, create(wager=wager)) == {("out-of-range", "wager")}


def test_the_wager_leaves_fixed_awards_that_the_books_can_hold() -> None:
    room = new_room("tribal")
    room.do(ACCOUNTING, create("L1", wager=4 * 10**8, levels={"main": LevelParameters(1, "0")}))
    large = create("L2", wager=4 * 10**8 + 1, levels={"main": LevelParameters(1, "0")})
    assert faults(room, large) == {("out-of-range", "wager")}


def test_the_wager_keeps_the_highest_single_wager_of_the_day(room: Room) -> None:
    room.do(ACCOUNTING, create("L1", wager=40_000))
    assert ("over-limit", "wager") in faults(room, create("L2", wager=40_001))
    room.now = 1_672_531_200_000_000  # in January 2023 the limit was 300 dollars
    assert ("over-limit", "wager") in faults(room, create("L2", wager=30_001))


def test_fixed_pays_come_off_the_meter_only_where_the_sheet_allows_it(room: Room) -> None:
    assert faults(room, create(fixed_pays="meter")) == {("setting-not-allowed", "fixed_pays")}
    room.do(ACCOUNTING, create(paytable_id="6CFPGPP-2", fixed_pays="meter"))
    room.do(ACCOUNTING, create("L2", paytable_id="SIXCPP-01", fixed_pays="meter"))


def test_one_deck(room: Room) -> None:
    assert faults(room, create(decks=2)) == {("link-decks", "decks")}


def test_readings_are_a_closed_list(room: Room) -> None:
    assert faults(room, create(readings={"x": True})) == {("unknown-key", "readings.x")}
    wrong = {"jackpot_joker": True, "joker_seven_card_line": "literal"}
    assert faults(room, create(readings=wrong)) == {("bad-choice", f"readings.{name}") for name in wrong}
    room.do(ACCOUNTING, create(paytable_id="FPGPP-WA03", readings={"joker_seven_card_line": False}))
    assert papers(room, "link-odds")[0]["odds"]["main"]["one_in"] == "4816971.25"


def test_a_contribution_that_nobody_would_call_reasonable(room: Room) -> None:
    make(room, change="setting", name="largest_contribution", value=14)
    assert faults(room, create()) == {("contribution-unreasonable", "levels.main.contribution")}
    make(room, change="setting", name="largest_contribution", value=15)
    room.do(ACCOUNTING, create())


def test_jackpots_rarer_than_the_setting_are_refused(room: Room) -> None:
    make(room, change="setting", name="rarest_jackpot", value=4_816_971)
    assert faults(room, create()) == {("jackpot-too-rare", "paytable")}
    make(room, change="setting", name="rarest_jackpot", value=4_816_972)
    room.do(ACCOUNTING, create())


def test_every_fault_is_told_at_once(room: Room) -> None:
    level = LevelParameters(-1, "x", "2", limit=0)
    command = create("/", paytable_id="FPGPP-ML2", levels={"mega": level}, wager=0, decks=3, fixed_pays="meter",
                     prizes={"mega": 1}, readings={"x": True}, fixed_supervisor_from=-1)  # fmt: skip
    assert faults(room, command) == {
        ("bad-id", "link"),
        ("unknown-key", "readings.x"),
        ("link-decks", "decks"),
        ("out-of-range", "wager"),
        ("out-of-range", "fixed_supervisor_from"),
        ("link-levels", "prizes"),
        ("setting-not-allowed", "fixed_pays"),
        ("link-levels", "levels"),
        ("bad-rate", "levels.mega.contribution"),
        ("bad-rate", "levels.mega.reserve"),
        ("out-of-range", "levels.mega.seed"),
        ("out-of-range", "levels.mega.limit"),
    }


# ---------------------------------------------------------------- house jackpots


def test_a_house_jackpot_has_prizes_and_no_meter(room: Room) -> None:
    prizes = {"mega": 5_000_000, "major": 500_000, "minor": 50_000}
    answer = room.do(ACCOUNTING, create("H1", "house", "FPGPP-ML2", prizes=prizes))
    assert set(answer["odds"]) == set(prizes)
    assert "preset" not in answer
    assert answer["warnings"] == []
    assert link_of(room, "H1").prizes == prizes
    assert room.floor.levels == {}


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({"prizes": {}}, {("link-levels", "prizes")}),
        ({"prizes": {"main": 0}}, {("out-of-range", "prizes.main")}),
        ({"prizes": {"main": 1, "other": 1}}, {("link-levels", "prizes")}),
        ({"prizes": {"main": 1}, "levels": dict(MAIN)}, {("link-levels", "levels")}),
        ({"prizes": {"main": 1}, "fixed_pays": "meter"}, {("setting-not-allowed", "fixed_pays")}),
    ],
)
def test_what_a_house_jackpot_cannot_have(room: Room, more: dict[str, Any], found: set[tuple[str, str]]) -> None:
    assert faults(room, create("H1", "house", **more)) == found


# ---------------------------------------------------------------- warnings


def warned(room: Room, paytable_id: str = "FPGPP-WA01", **more: Any) -> list[tuple[str, str | None]]:
    answer = room.do(ACCOUNTING, create(f"L{len(room.floor.links)}", paytable_id=paytable_id, **more))
    assert answer["warnings"] == msgspec.to_builtins(list(link_of(room, answer["link"]).warnings)), "kept on record"
    for warning in answer["warnings"]:
        assert not warning["clause"] or clause(warning["clause"]).section == "recommendations"
    return codes(answer)


def level(seed: int = 250_000, contribution: str = "15/100", reserve: str = "1/100") -> dict[str, LevelParameters]:
    return {"main": LevelParameters(seed, contribution, reserve)}


def test_parameters_as_recommended_bring_no_warning(room: Room) -> None:
    assert warned(room, levels=level()) == []


def test_a_zero_seed(room: Room) -> None:
    assert warned(room, levels=level(seed=0, reserve="0")) == [("seed-zero", "main"), ("no-reserve", "main")]


def test_the_reserve_as_the_only_seed(room: Room) -> None:
    assert warned(room, levels=level(seed=0)) == [("seed-zero", "main"), ("reserve-only-seed", "main")]


def test_a_seed_below_the_largest_fixed_award(room: Room) -> None:
    assert warned(room, levels=level(seed=249_999)) == [("seed-below-fixed-award", "main")]
    assert warned(room, levels=level(seed=250_000)) == []


def test_a_larger_wager_scales_the_fixed_award_that_the_seed_is_held_against(room: Room) -> None:
    assert warned(room, levels=level(seed=499_999), wager=200) == [("seed-below-fixed-award", "main")]
    assert warned(room, levels=level(seed=500_000), wager=200) == []
    assert largest_fixed(link_of(room, "L1")) == 2_500 * 200


def test_each_level_has_warnings_of_its_own(room: Room) -> None:
    levels = {
        "mega": LevelParameters(1_000_000, "1/10", "1/100"),
        "major": LevelParameters(9_999, "1/10", "1/100"),
        "minor": LevelParameters(0, "1/10"),
    }
    assert warned(room, "FPGPP-ML2", levels=levels) == [
        ("seed-below-fixed-award", "major"),
        ("seed-zero", "minor"),
        ("no-reserve", "minor"),
    ]


def test_no_reserve_at_all(room: Room) -> None:
    assert warned(room, levels=level(reserve="0")) == [("no-reserve", "main")]


def test_all_from_the_meter_with_less_than_seventy_percent(room: Room) -> None:
    low, enough = level(seed=1_000_000, contribution="69.99%"), level(seed=1_000_000, contribution="70%")
    assert warned(room, "6CFPGPP-5", levels=low, fixed_pays="meter") == [("all-from-meter-low", None)]
    assert warned(room, "6CFPGPP-5", levels=enough, fixed_pays="meter") == []


def test_contribution_above_the_preset_of_a_printed_advantage(room: Room) -> None:
    """Paytable 5 prints 21.25%: with a seed of 10,000 dollars contribution and reserve may be 9067599/45914960."""
    exact = Fraction(9_067_599, 45_914_960)
    at, above = str(exact - Fraction(1, 100)), str(exact - Fraction(1, 100) + Fraction(1, 10**9))
    assert warned(room, "6CFPGPP-5", levels=level(1_000_000, at)) == []
    assert long_run_advantage(link_of(room, "L0")) == Fraction(2125, 10_000)
    assert warned(room, "6CFPGPP-5", levels=level(1_000_000, above)) == [("contribution-above-preset", None)]


def test_the_preset_with_envy_counts_five_other_players(room: Room) -> None:
    """The pinned sum of paytables 2 (with envy) and 5 is the same."""
    for id_, paytable_id in (("L1", "6CFPGPP-2"), ("L2", "6CFPGPP-5")):
        draft(room, id_, paytable_id, levels=level(1_000_000))
    first, second = (preset_of(room.floor, link_of(room, id_), room.now) for id_ in ("L1", "L2"))
    assert first.basis == second.basis == "printed"
    cost = Fraction(48, 22_957_480) * 10_000
    pinned = [each.total + cost for each in (first, second) if each.total is not None]
    assert [f"{100 * total.numerator / total.denominator:.2f}" for total in pinned] == ["21.84", "21.84"]


def test_a_table_without_a_printed_advantage_has_no_preset_and_says_so(room: Room) -> None:
    answer = draft(room)
    assert answer["preset"]["basis"] == "none"
    assert answer["preset"]["total"] is None
    assert "preset/FPGPP-WA01" in answer["preset"]["note"]


def test_the_property_s_own_preset_is_compared_level_by_level(room: Room) -> None:
    seed = level()["main"].seed
    value = {"seed": {"main": seed}, "contribution": {"main": "12%"}, "reserve": {"main": "2%"}}
    make(room, change="setting", name="preset/FPGPP-WA01", value=value)
    assert warned(room, levels=level(seed=seed + 1, contribution="12%", reserve="2%")) == [("seed-not-preset", "main")]
    assert warned(room, levels=level(contribution="13%", reserve="1%")) == []
    assert warned(room, levels=level(contribution="13.01%", reserve="1%")) == [("contribution-above-preset", "main")]
    assert preset_of(room.floor, link_of(room, "L0"), room.now).basis == "property"


def test_parameters_under_which_the_house_loses(room: Room) -> None:
    assert warned(room, levels=level(contribution="60%")) == [("house-loses", None)]


def test_the_full_meter_to_each_needs_internal_controls(room: Room) -> None:
    assert warned(room, levels=level(), order="full-to-each") == [("order-of-the-house", None)]


def test_the_long_run_advantage_is_exact() -> None:
    """WA01 by hand: fixed pays from the counts of all seven-card hands, 16% put aside, a seed of 2,500 dollars."""
    room = new_room()
    answer = draft(room)
    fixed = 2500 * 1128 + 200 * 26_020 + 100 * 184_644 + 75 * 307_472 + 6 * 4_188_528
    deals = 154_143_080
    expected = 1 - Fraction(fixed, deals) - Fraction(16, 100) - Fraction(32, deals) * 2500
    assert Fraction(answer["house_advantage"]["fraction"]) == expected


def test_a_parameter_that_a_level_lacks_is_refused() -> None:
    level = {"seed": 250_000, "contribution": "1/10", "limt": 300_000}
    do = {"kind": "link.create", "link": "L1", "linked_as": "progressive", "paytable": "6CFPGPP-4"}
    with pytest.raises(InputError, match="limt"):
        read_envelope({"key": "1", "actor": "E1", "do": {**do, "levels": {"main": level}}})
