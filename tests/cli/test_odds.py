"""`houseway odds`: wagers, own tables, envy, progressives, files, and every kind of bad input."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from pathlib import Path

import pytest

from houseway.odds.conformance import claims
from tests.cli.runner import OWN_WAY, call
from tests.cli.test_startup import HEAVY, imported_by
from tests.houseways.room_files import RARE_SLIPS, rare_slip

GUIDES = Path(__file__).resolve().parents[2] / "docs" / "guides"
CONTRACT = ("edge", "edge_fraction", "hit_frequency", "win", "push", "lose", "standard_deviation", "element_of_risk")


def test_the_keys_of_the_contract() -> None:
    found = call("odds", "six-card-fortune", "--json").json
    assert [key for key in CONTRACT if found[key] is None] == []
    assert (found["game"], found["wager"], found["way"], found["player"]) == (
        "six-card-fortune",
        "main",
        "six-card",
        "six-card",
    )
    assert float(Fraction(found["edge_fraction"])) == found["edge"]
    assert found["edge"] == pytest.approx(0.0621, abs=1e-6)
    assert found["win"] + found["push"] + found["lose"] == pytest.approx(1)
    assert sum(outcome["deals"] for outcome in found["distribution"]) == found["deals"]


def test_the_best_setting_is_better_than_the_house_way() -> None:
    edges = [
        call("odds", "six-card-fortune", "--player", how, "--json").json["edge"] for how in ("house-way", "optimal")
    ]
    assert edges[1] < edges[0]


def test_a_table_wager_with_envy() -> None:
    alone = call("odds", "fortune", "fortune", "--paytable", "FPGP-2", "--json").json
    full = call("odds", "fortune", "fortune", "--paytable", "FPGP-2", "--others", "5", "--json").json
    large = call("odds", "fortune", "fortune", "--paytable", "FPGP-2", "--others", "5", "--bet", "2500", "--json").json
    small = call("odds", "fortune", "fortune", "--paytable", "FPGP-2", "--others", "5", "--bet", "400", "--json").json
    assert (f"{alone['edge']:.6f}", f"{full['edge']:.6f}") == ("0.077656", "0.031314")
    assert Fraction(large["envy_return_fraction"]) * 5 == Fraction(full["envy_return_fraction"])
    assert small["edge"] == alone["edge"]
    assert any("earns no envy" in note for note in small["notes"])
    assert full["standard_deviation"] == alone["standard_deviation"]


def test_defaults_of_tables() -> None:
    assert call("odds", "six-card-fortune", "insurance", "--json").json["paytables"] == {"insurance": "6CFPGP-INS"}
    run = call("odds", "fortune", "fortune", "--json")
    assert (run.code, run.faults) == (2, [("missing-paytable", "paytable")])
    assert "FPGP-1, FPGP-2, FPGP-3, FPGP-4, FPGP-6, FPGP-7" in run.json["error"]["faults"][0]["message"]


def test_a_sum_takes_a_table_for_each_wager() -> None:
    found = call(
        "odds", "six-card-fortune", "fortune+insurance+main", "--paytable", "6CFPGP-1", "--json"
    ).json  # fmt: skip
    assert found["wager"] == "main+fortune+insurance"
    assert found["paytables"] == {"fortune": "6CFPGP-1", "insurance": "6CFPGP-INS"}
    assert found["edge"] == pytest.approx(sum(part["edge"] for part in found["parts"]))
    assert found["average_wager"] == 3


def test_a_progressive_by_its_meter() -> None:
    found = call(
        "odds", "six-card-fortune", "progressive", "--paytable", "6CFPGPP-5", "--meter", "main=6136641", "--json"
    )
    plan = found.json["progressive"]
    assert plan["break_even"] == {"main": 6_136_641}
    assert -0.000001 < found.json["edge"] <= 0
    shorter = call("odds", "six-card-fortune", "progressive", "--paytable", "6CFPGPP-5", "--meter", "6136641", "--json")
    assert shorter.json == found.json
    assert Fraction(plan["balance_fraction"]) == pytest.approx(Fraction("0.2184"), abs=Fraction(1, 10_000))


def test_contribution_and_seed_solve_each_other() -> None:
    words = ("odds", "six-card-fortune", "progressive", "--paytable", "6CFPGPP-2")
    rate = call(*words, "--seed-amount", "1000000", "--json").json["progressive"]["contribution_fraction"]
    percent = Fraction(rate) * 100
    assert percent.denominator != 1
    solved = call(*words, "--contribution", "0.15", "--json").json["progressive"]
    assert (solved["derived"], solved["derived_level"]) == ("seed", "main")
    assert solved == call(*words, "--contribution", "15%", "--json").json["progressive"]
    printed = call(*words, "--contribution", "15%").out
    assert "seed main           $32,703.10  (solved)" in printed


def test_an_own_table(tmp_path: Path) -> None:
    found = call("odds", "fortune", "fortune", "--paytable-file", str(GUIDES / "STUDY-1.toml"), "--json").json
    assert found["edge_fraction"] == "64261/3853577"
    holed = tmp_path / "STUDY-1.toml"
    text = (GUIDES / "STUDY-1.toml").read_text(encoding="utf-8")
    holed.write_text("".join(line for line in text.splitlines(True) if '"flush"' not in line), encoding="utf-8")
    run = call("odds", "fortune", "fortune", "--paytable-file", str(holed), "--json")
    assert (run.code, run.faults) == (2, [("paytable-hole", str(holed))])
    taken = call("odds", "fortune", "fortune", "--paytable-file", str(holed), "--allow-holes", "--json")
    assert taken.code == 0
    assert taken.json["edge"] > found["edge"]
    (told,) = (note for note in taken.json["notes"] if "no line for a flush" in note)
    assert "% lose" in told, "not every flush fits a lesser line"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("pays = 60, ", "", "paytable-pay"),
        ('"flush", pays = 4', '"full-house", pays = 4', "paytable-hand-twice"),
        ('"flush"', '"flash"', "paytable-bad-value"),
        ('unit = "to-1"', "", "paytable-missing-key"),
        ("pays = 60", "pays = 6.5", "paytable-bad-type"),
    ],
)
def test_an_own_table_that_is_not_right(old: str, new: str, code: str, tmp_path: Path) -> None:
    file = tmp_path / "STUDY-1.toml"
    file.write_text((GUIDES / "STUDY-1.toml").read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    target = tmp_path / "out.csv"
    run = call("odds", "fortune", "fortune", "--paytable-file", str(file), "--csv", str(target), "--json")
    assert run.code == 2
    assert code in run.codes
    assert not target.exists()


def test_csv_holds_the_whole_distribution(tmp_path: Path) -> None:
    target = tmp_path / "odds.csv"
    found = call("odds", "six-card-fortune", "fortune", "--paytable", "6CFPGP-1", "--csv", str(target), "--json").json
    rows = list(csv.DictReader(io.StringIO(target.read_text(encoding="utf-8"))))
    assert [int(row["deals"]) for row in rows] == [outcome["deals"] for outcome in found["distribution"]]
    edge = -sum(Fraction(row["probability_fraction"]) * Fraction(row["net_fraction"]) for row in rows)
    assert edge == Fraction(found["edge_fraction"])


def test_csv_without_a_distribution_is_refused(tmp_path: Path) -> None:
    target = tmp_path / "odds.csv"
    run = call("odds", "face-up", "progressive", "--paytable", "FUPGPP-07", "--csv", str(target), "--json")
    assert (run.code, run.faults) == (2, [("no-distribution", "csv")])
    assert not target.exists()


@pytest.mark.parametrize(
    ("words", "faults"),
    [
        (["pinochle"], [("unknown-game", "game")]),
        (["fortune", "tiger9"], [("unknown-wager", "wager")]),
        (["fortune", "main+main"], [("conflicting-options", "wager")]),
        (["fortune", "progressive+progressive2", "--paytable", "FPGPP-WA01"], [("conflicting-options", "wager")]),
        (["fortune", "fortune", "--paytable", "FPGP-5"], [("unknown-paytable", "paytable")]),
        (["fortune", "fortune", "--paytable", "6CFPGP-1"], [("wrong-paytable", "paytable")]),
        (["fortune", "main", "--paytable", "FPGP-1"], [("wrong-paytable", "paytable")]),
        (["fortune", "--way", "six-card"], [("unknown-way", "way")]),
        (["fortune", "--player", "nobody"], [("bad-choice", "player")]),
        (["fortune", "--player", "nobody.toml"], [("way-file", "nobody.toml")]),
        (["six-card-poker", "--way", "foxwoods"], [("no-house-way", "way")]),
        (["six-card-poker", "--player", "house-way"], [("no-house-way", "player")]),
        (["face-up", "--as", "banker"], [("no-banker", "as")]),
        (["fortune", "fortune", "--paytable", "FPGP-1", "--as", "banker"], [("no-banker", "as")]),
        (["fortune", "--as", "cook"], [("bad-choice", "as")]),
        (["fortune", "--others", "6"], [("out-of-range", "others")]),
        (["fortune", "--others", "many"], [("not-an-integer", "others")]),
        (["fortune", "--bet", "0"], [("out-of-range", "bet")]),
        (["fortune", "--bet", "-5"], [("out-of-range", "bet")]),
        (["fortune", "--bet", "+"], [("not-an-integer", "bet")]),
        (["fortune", "--allow-holes"], [("conflicting-options", "allow_holes")]),
        (["fortune", "--commission", "101"], [("out-of-range", "commission")]),
        (["face-up", "--commission", "5"], [("setting-not-allowed", "commission")]),
        (["six-card-fortune", "--wheel", "lowest"], [("setting-not-allowed", "wheel")]),
        (["fortune", "--wheel", "third"], [("bad-choice", "wheel")]),
        (["fortune", "--workers", "none"], [("not-an-integer", "workers")]),
        (["fortune", "--workers", "2", "--ray", "auto"], [("conflicting-options", "ray")]),
        (["fortune", "--meter", "main=5"], [("no-meter", "meter")]),
        (["fortune", "--contribution", "0.1"], [("no-meter", "contribution")]),
        (["face-up", "progressive", "--paytable", "FUPGPP-07", "--meter", "mega=5"], [("no-meter", "meter")]),
        (["face-up", "progressive", "--paytable", "FUPGPP-07", "--meter", "main=5.5"], [("not-an-integer", "meter")]),
        (["face-up", "progressive", "--paytable", "FUPGPP-ML02", "--meter", "5"], [("no-meter", "meter")]),
        (
            ["face-up", "progressive", "--paytable", "FUPGPP-07", "--contribution", "15"],
            [("out-of-range", "contribution")],
        ),
        (
            ["face-up", "progressive", "--paytable", "FUPGPP-07", "--contribution", "0.15"],
            [("missing-argument", "advantage")],
        ),
        (
            ["six-card-fortune", "progressive", "--paytable", "6CFPGPP-5", "--contribution", "0.5"],
            [("out-of-range", "contribution")],
        ),
    ],
    ids=lambda words: " ".join(words) if words and isinstance(words[0], str) else "",
)
def test_bad_input(words: list[str], faults: list[tuple[str, str]]) -> None:
    run = call("odds", *words, "--json")
    assert (run.code, run.faults) == (2, faults)


def test_every_fault_is_told_at_once() -> None:
    run = call("odds", "fortune", "fortun", "--wheel", "low", "--others", "x", "--as", "king", "--json")
    assert sorted(run.codes) == ["bad-choice", "bad-choice", "not-an-integer", "unknown-wager"]


@pytest.mark.slow
@pytest.mark.kernels
def test_a_way_out_of_a_file_is_solved_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A room's own way that changes nothing gives what ships for the way that it extends, and so does another cut."""
    monkeypatch.setattr("houseway.odds.pai_gow.main_games.SIX_CARD_PARTS", 1)
    file = tmp_path / "own.toml"
    file.write_text(OWN_WAY.replace("foxwoods", "six-card"), encoding="utf-8")
    own = call("odds", "six-card-fortune", "--way", str(file), "--player", str(file), "--json")
    shipped = call("odds", "six-card-fortune", "--json").json
    assert own.code == 0, own.out
    assert (own.json["way"], own.json["player"]) == ("own", "own")
    assert (own.json["edge_fraction"], own.json["distribution"]) == (shipped["edge_fraction"], shipped["distribution"])


@pytest.mark.kernels
@pytest.mark.parametrize("option", ["player", "way"])
@pytest.mark.parametrize("slip", RARE_SLIPS)
@pytest.mark.parametrize(("game", "cards"), [("six-card-fortune", 6), ("fortune", 7)])
def test_a_way_that_does_not_set_every_hand_prints_no_figure(
    option: str, slip: str, game: str, cards: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its figures would look like any other: it is refused before anything is solved."""
    pytest.importorskip("numba")
    monkeypatch.setattr("houseway.odds.solved.solve", lambda *_, **__: pytest.fail("solved all the same"))
    file = tmp_path / "own.toml"
    file.write_text(rare_slip(slip, cards), encoding="utf-8")
    run = call("odds", game, f"--{option}", str(file), "--json")
    assert (run.code, run.faults) == (2, [("way-incomplete", option)])
    assert f"rare-{slip}" in run.json["error"]["faults"][0]["message"]


@pytest.mark.parametrize("taken", ["optimal", "house-way"])
def test_a_file_may_not_take_the_name_of_a_way_to_play(taken: str, tmp_path: Path) -> None:
    """Its results would be taken for those of the best play, or the other way round."""
    file = tmp_path / "own.toml"
    file.write_text(OWN_WAY.replace('"own"', f'"{taken}"'), encoding="utf-8")
    run = call("odds", "fortune", "--player", str(file), "--json")
    assert (run.code, run.codes) == (2, ["way-value"])


def test_a_way_of_another_game_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(OWN_WAY, encoding="utf-8")
    run = call("odds", "six-card-fortune", "--player", str(file), "--json")
    assert (run.code, run.faults) == (2, [("unknown-way", "player")])


@pytest.mark.parametrize(
    "words",
    [
        ["odds", "six-card-fortune", "--json"],
        ["odds", "fortune", "fortune", "--paytable", "FPGP-1", "--json"],
        ["odds", "six-card-fortune", "progressive", "--paytable", "6CFPGPP-2"],
    ],
    ids=" ".join,
)
def test_nothing_heavy_is_imported(words: list[str]) -> None:
    assert not imported_by(words) & HEAVY


def test_text_and_json_tell_the_same_edge() -> None:
    text = call("odds", "six-card-fortune", "fortune", "--paytable", "6CFPGP-2").out
    assert "edge                4.007879%  = 1933/48230" in text


@pytest.fixture
def gains(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gains as a small sample would give them."""
    entry = {"game": "six-card-fortune", "seen_hands": 2, "gain": 0.001, "error": 0.0001, "commission": 0}
    found = ({**entry, "wagers": "main"}, {**entry, "wagers": "main+double_down", "gain": 0.002})
    monkeypatch.setattr(claims, "_gains", lambda: found)


def test_a_reading_of_the_pay_table_changes_its_odds() -> None:
    asked = ("odds", "fortune", "progressive", "--paytable", "FPGPP-WA07", "--meter", "1000000", "--json")
    usual, literal = call(*asked).json, call(*asked, "--reading", "jackpot_joker=literal").json
    lost = Fraction(75 * 69_088 + 5 * 549_360, 154_143_080)
    assert Fraction(literal["edge_fraction"]) - Fraction(usual["edge_fraction"]) == lost
    assert (usual["joker"], literal["joker"]) == ({"progressive": "semi-wild"}, {"progressive": "literal"})
    narrow = call(*asked[:4], "FPGPP-WA03", *asked[5:], "--reading", "joker_seven_card_line=false").json
    assert narrow["distribution"][0]["deals"] == 32
    summed = call("odds", "fortune", "fortune+progressive", "--paytable", "FPGP-1", *asked[3:], "--reading",
                  "jackpot_joker=literal").json  # fmt: skip
    fortune = call("odds", "fortune", "fortune", "--paytable", "FPGP-1", "--json").json
    edges = [Fraction(found["edge_fraction"]) for found in (summed, fortune, literal)]
    assert edges[0] == edges[1] + edges[2]
    assert summed["distribution"] is None
    assert call(*asked, "--reading", "jackpot_joker=wild").faults == [("bad-choice", "reading")]
    twice = call(*asked, "--reading", "jackpot_joker=literal", "--reading", "jackpot_joker=semi-wild")
    assert twice.faults == [("conflicting-options", "reading")]


@pytest.mark.usefixtures("gains")
def test_seen_hands_take_their_gain_from_the_edge_of_best_play() -> None:
    found = call("odds", "six-card-fortune", "--seen-hands", "2", "--json").json
    unseen = call("odds", "six-card-fortune", "--player", "optimal", "--json").json
    assert found["edge_unseen_fraction"] == unseen["edge_fraction"]
    assert found["edge"] == pytest.approx(unseen["edge"] - 0.001)
    assert (found["error"], found["edge_fraction"], found["wager"]) == (0.0001, None, "main")
    raised = call("odds", "six-card-fortune", "main+double_down", "--seen-hands", "2", "--json").json
    assert raised["gain"] == 0.002


@pytest.mark.usefixtures("gains")
@pytest.mark.parametrize(
    ("words", "code", "faults"),
    [
        (["six-card-fortune", "--seen-hands", "3"], 2, [("bad-choice", "seen_hands")]),
        (["six-card-fortune", "--seen-hands", "two"], 2, [("bad-choice", "seen_hands")]),
        (["six-card-fortune", "--seen-hands", "2", "--player", "house-way"], 2, [("conflicting-options", "player")]),
        (["six-card-fortune", "--seen-hands", "2", "--csv", "x.csv"], 2, [("conflicting-options", "csv")]),
        (["fortune", "--seen-hands", "2", "--as", "Banker"], 2, [("conflicting-options", "as")]),
        (["fortune", "--seen-hands", "2", "--others", "3"], 2, [("conflicting-options", "others")]),
        (["fortune", "--seen-hands", "2", "--bet", "100"], 2, [("conflicting-options", "bet")]),
        (["fortune", "--seen-hands", "2", "--workers", "2"], 2, [("conflicting-options", "workers")]),
        (["six-card-fortune", "insurance", "--seen-hands", "2"], 2, [("bad-choice", "seen_hands")]),
        (["face-up", "--seen-hands", "2"], 3, [("missing-part", "")]),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) and isinstance(words[0], str) else "",
)
def test_seen_hands_that_cannot_be_answered(words: list[str], code: int, faults: list[tuple[str, str]]) -> None:
    run = call("odds", *words, "--json")
    assert (run.code, run.faults) == (code, faults)


def test_seen_hands_answer_for_the_commission_that_is_asked() -> None:
    """Without commission the sign of the answer changes at a full table."""
    usual = call("odds", "fortune", "--seen-hands", "5", "--json").json
    free = call("odds", "fortune", "--seen-hands", "5", "--commission", "0", "--json").json
    assert (usual["commission"], free["commission"]) == (5, 0)
    assert usual["edge"] > 0 > free["edge"]
    unseen = call("odds", "fortune", "--player", "optimal", "--commission", "0", "--json").json
    assert free["edge_unseen_fraction"] == unseen["edge_fraction"]
    assert call("odds", "fortune", "--seen-hands", "5", "--commission", "5", "--json").json == usual
    refused = call("odds", "fortune", "--seen-hands", "5", "--commission", "4", "--json")
    assert (refused.code, refused.faults) == (2, [("bad-choice", "commission")])
    assert "0% commission" in call("odds", "fortune", "--seen-hands", "1", "--commission", "0").out
    assert call("odds", "fortune", "--seen-hands", "6", "--json").faults == [("bad-choice", "seen_hands")]
