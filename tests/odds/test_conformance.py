"""The conformance report: every printed figure, its verdict, and the page in the docs that shows it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from math import comb
from pathlib import Path
from random import Random

import pytest

from houseway.games import game
from houseway.games.hand_setting import put_hand
from houseway.houseways import house_way
from houseway.houseways.evaluate import TableEvaluator
from houseway.odds.conformance import conformance_report as module
from houseway.odds.conformance.claims import Claim, SeenGain, claims
from houseway.odds.conformance.comparing import compare, gives
from houseway.odds.conformance.conformance_report import conformance, known_discrepancies, row_of
from houseway.odds.conformance.html_page import html_page
from houseway.odds.conformance.independent_hands import PAIRS, is_as_shipped, wins_by_hand
from houseway.odds.conformance.markdown_page import markdown_page
from houseway.odds.hand_counts import HandCounts
from houseway.odds.questions import OddsQuestion, answer
from houseway.odds.wagers import Sides, counts_for
from houseway.paytables import PrintedFigure, paytable, paytables
from houseway.ranking.hand_names import CATEGORY_SHIFT
from houseway.ranking.reference import PAI_GOW

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "conformance.md"
SCRIPT = ROOT / "scripts" / "write-conformance-page"
REPORT = conformance(claims=claims())
ROWS = {row.key: row for row in REPORT.rows}

DEPENDS_ON_WAYS = {(f"PGD-0{n}", figure) for n in (1, 2, 3) for figure in ("house_advantage", "hit_frequency")} | {
    ("TIGER9", "house_advantage")
}
PROGRESSIVES = {(f"6CFPGPP-{number}", "house_advantage") for number in (2, 3, 4, 5)}
TRUNCATED = {
    *((f"6CFPGPP-{number}", "hit_frequency") for number in (2, 3, 4, 5)),
    ("FPGP-2", "edge_no_envy"),
    ("FPGP-3", "edge_no_envy"),
    ("FPGP-3", "edge_max_envy"),
    ("FPGP-6", "edge_no_envy"),
    ("FPGP-6", "edge_max_envy"),
    ("FPGP-7", "edge_no_envy"),
}
HOLDS = {(f"SCP-0{number}", "expected_hold") for number in (1, 2, 3, 4)}


def expected_verdict(key: tuple[str, str]) -> str:
    if key in {("6CFPGP-1", "house_advantage"), ("6CFPGP-2", "house_advantage")}:
        return "discrepancy"
    if key in DEPENDS_ON_WAYS:
        return "no-shipped-way"
    if key in PROGRESSIVES:
        return "depends"
    if key in HOLDS:
        return "not-an-edge"
    return "matches-truncated" if key in TRUNCATED else "matches"


def test_there_is_a_row_for_every_printed_figure() -> None:
    assert len(REPORT.rows) == 39
    assert set(ROWS) == {(table.id, printed.figure) for table in paytables() for printed in table.printed}


@pytest.mark.parametrize("key", ROWS, ids=" ".join)
def test_verdicts(key: tuple[str, str]) -> None:
    assert ROWS[key].verdict == expected_verdict(key)


@pytest.mark.parametrize(
    ("key", "percent"),
    [
        (("6CFPGP-1", "house_advantage"), "3.5587"),
        (("6CFPGP-2", "house_advantage"), "4.0079"),
        (("6CFPGP-INS", "hit_frequency"), "15.3218"),
        (("6CFPGPP-2", "hit_frequency"), "5.3893"),
        (("FPGP-2", "edge_no_envy"), "7.7656"),
        (("SCP-01", "expected_hold"), "2.3364"),
        (("SCP-04", "expected_hold"), "5.1235"),
    ],
)
def test_exact_figures(key: tuple[str, str], percent: str) -> None:
    exact = ROWS[key].exact
    assert exact is not None
    assert f"{float(exact * 100):.4f}" == percent


def test_the_discrepancy_with_envy_shows_both_figures() -> None:
    row = ROWS["6CFPGP-1", "house_advantage"]
    assert row.without_envy == Fraction(49_724, 409_955)
    assert "12.1291%" in row.note
    assert "3.5587%" in row.note


def test_a_progressive_has_a_balance_and_no_exact_advantage() -> None:
    shares = {key[0]: ROWS[key].balance for key in PROGRESSIVES}
    assert {ROWS[key].exact for key in PROGRESSIVES} == {None}
    assert [f"{float(shares[table_id] or 0):.4f}" for table_id in ("6CFPGPP-2", "6CFPGPP-5")] == ["0.2184", "0.2184"]


@pytest.mark.parametrize("key", sorted(DEPENDS_ON_WAYS), ids=" ".join)
def test_what_depends_on_ways_names_every_way(key: tuple[str, str]) -> None:
    row = ROWS[key]
    assert list(row.by_way) == ["foxwoods", "trump-plaza", "sixes-together", "casino-real"]
    assert row.exact == row.by_way["foxwoods"]
    if row.exact is None:
        assert "not shipped" in row.note
    elif len(set(row.by_way.values())) == 1:
        assert "every shipped one" in row.note
    else:
        assert row.nearest_way in row.note


def test_a_print_is_rounded_or_cut_off() -> None:
    half = Fraction(1, 2)
    for exact, shown, verdict in [
        (Fraction("7.7656"), "7.77%", "matches"),
        (Fraction("7.7656"), "7.76%", "matches-truncated"),
        (Fraction("7.7656"), "7.75%", "discrepancy"),
        (Fraction("7.7656"), "7.78%", "discrepancy"),
        (Fraction("7.765"), "7.77%", "matches"),
        (Fraction("7.765"), "7.76%", "matches"),
        (20 + half, "20%", "matches"),
        (20 + half + Fraction(1, 10**9), "20%", "matches-truncated"),
    ]:
        assert compare(exact / 100, PrintedFigure("house_advantage", shown)) == verdict, shown


def test_nothing_is_off_beyond_the_documented_list() -> None:
    assert REPORT.unexpected == ()
    assert set(known_discrepancies()) == {key for key, row in ROWS.items() if not row.follows}


def test_a_print_that_some_way_gives_depends_on_it() -> None:
    """The verdict is found, not listed: a Tiger 9 print of what sixes-together gives would follow."""
    table = paytable("TIGER9")
    other = replace(table, printed=(PrintedFigure("house_advantage", "21.22%"),))
    (row,) = conformance([other]).rows
    assert (row.verdict, row.nearest_way) == ("depends", "sixes-together")
    assert "listed as a discrepancy" in conformance([other]).unexpected[0]


def test_the_readme_counts_what_does_not_follow() -> None:
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    by_verdict = Counter(row.verdict for row in REPORT.rows)
    off = [row for row in REPORT.rows if not row.follows]
    pai_gowd = sum(row.table.wager == "paigowd" for row in off)
    assert {row.table.wager for row in off if row.verdict == "no-shipped-way"} == {"paigowd", "tiger9"}
    assert f"all {len(REPORT.rows)} recomputed as fractions; {len(off)} do not follow" in text
    assert f"{by_verdict['discrepancy']} from the printed pays" in text
    assert f"{by_verdict['no-shipped-way']} under any shipped house way" in text
    assert f"the {pai_gowd} of Pai Gow'd and Tiger 9" in text
    explained = sum(bool(row.explained_by) for row in off)
    assert f"{explained} are explained by a convention" in text


# -------------------------------------------------------------------- conventions that explain a print


@pytest.mark.parametrize(
    ("key", "convention", "percent"),
    [
        (("PGD-01", "hit_frequency"), "drawn independently from the full deck", "14.7840"),
        (("PGD-01", "house_advantage"), "copies counted half", "9.8009"),
        (("PGD-02", "house_advantage"), "copies counted half", "12.1406"),
        (("PGD-03", "house_advantage"), "copies counted half", "13.7521"),
        (("TIGER9", "house_advantage"), "dealer by sixes-together, player by foxwoods", "21.0710"),
    ],
)
def test_a_convention_explains_the_print_beside_the_exact_figure(
    key: tuple[str, str], convention: str, percent: str
) -> None:
    row = ROWS[key]
    found = row.explained_by[0]
    assert convention in found.convention
    assert f"{float(found.value * 100):.4f}" == percent
    assert gives(found.value, row.printed)
    assert row.exact is not None
    assert not gives(row.exact, row.printed), "the exact figure stays what it is"
    assert row.to_json()["explained_by"][0]["percent"] == float(found.value * 100)
    assert found.text in markdown_page(REPORT)
    assert found.text.replace("'", "&#x27;") in html_page(REPORT)


def test_only_what_gives_the_print_explains_it() -> None:
    assert {row.key for row in REPORT.rows if row.explained_by} == DEPENDS_ON_WAYS
    table = paytable("PGD-01")
    other = replace(table, printed=(PrintedFigure("house_advantage", "9.90%"),))
    assert conformance([other]).rows[0].explained_by == ()


def test_independent_hands_are_what_a_sample_says() -> None:
    """Player and dealer hands dealt from decks of their own and set in plain Python, every one against every other."""
    way, evaluator, random = house_way("foxwoods"), TableEvaluator(), Random(39)
    players, dealers = [], []
    while len(players) < 1500:
        hand = put_hand(game("fortune"), tuple(random.sample(range(53), 7)), None, way, PAI_GOW, evaluator)
        players.append(hand.high_value)
        if hand.best_value >> CATEGORY_SHIFT == 0:
            dealers.append(hand.high_value)
    players.sort()
    halves = sum(2 * len(players) - bisect_left(players, high) - bisect_right(players, high) for high in dealers)
    sampled = halves / 2 / len(players) ** 2
    wins = wins_by_hand("foxwoods")
    assert wins is not None
    # The share of dealers without a pair has the larger error: some 0.1 of 1,500 hands.
    assert abs(sampled - float(sum(wins.values()) / PAIRS)) < 4 * (0.16 * 0.84 / 1500) ** 0.5
    for name, count in wins.items():
        hands = sum(hands for names, hands in counts_for("fortune").by_names.items() if names == {name})
        assert 0 < count < hands * comb(53, 7)


@pytest.mark.slow
@pytest.mark.kernels
def test_the_shipped_pairs_of_independent_hands_are_what_the_kernels_count() -> None:
    assert is_as_shipped("foxwoods")


def test_a_new_discrepancy_is_found() -> None:
    """One pay changed in a table: its printed edge no longer follows, and nobody has documented that."""
    table = paytable("FPGP-1")
    first, *rest = table.lines
    changed = replace(table, lines=(replace(first, pays=(first.pays or 0) + 1000), *rest))
    found = conformance([changed])
    assert [row.verdict for row in found.rows] == ["discrepancy", "discrepancy"]
    assert len(found.unexpected) == 2


def test_a_documented_discrepancy_that_is_none_is_found() -> None:
    table = paytable("6CFPGP-2")
    corrected = replace(table, printed=(PrintedFigure("house_advantage", "4.01%"),))
    assert len(conformance([corrected]).unexpected) == 1


def test_other_counts_give_other_rows() -> None:
    """The rows come from the counts that are handed in."""

    def one_flush_less(game: str) -> HandCounts:
        counts = counts_for(game)
        moved = Counter(counts.by_names)
        moved[frozenset({"flush"})] -= 100_000
        moved[frozenset({"ace-high"})] += 100_000
        return replace(counts, by_names=moved)

    table = paytable("6CFPGP-3")
    printed = table.printed[0]
    assert row_of(table, printed, one_flush_less).exact != row_of(table, printed).exact


def test_claims_come_from_the_register() -> None:
    found = claims()
    assert sorted(claim.game for claim in found) == ["face-up", "fortune"]
    assert all("not beatable" in claim.text for claim in found)


def claim_of(*findings: tuple[int, int, float]) -> Claim:
    """A claim about Fortune with findings made up: commission, seen hands and gain, of an edge of 2.5%."""
    seen = (
        SeenGain("fortune", "main", hands, gain, 0.0001, Fraction(25, 1000), rate) for rate, hands, gain in findings
    )
    return Claim("fortune", "report", "letters/face-up-report/spots.fortune", "not beatable", tuple(seen))


@pytest.mark.parametrize(
    ("findings", "verdict", "note"),
    [
        ([(5, 2, 0.001)], "holds", "holds at every number of spots"),
        ([(5, 2, 0.03)], "fails", "fails at every number of spots"),
        ([(5, 2, 0.0249)], "open", "is open at every number of spots"),
        ([(5, 2, 0.001), (5, 5, 0.03)], "holds-in-part", "With 5% commission it holds at 3 spots and fails at 6 spots"),
        ([(5, 2, 0.001), (0, 2, 0.03)], "holds-in-part", "Without commission it fails at every number of spots"),
        ([(5, 2, 0.03), (5, 5, 0.001)], "fails", "holds at 6 spots and fails at 3 spots"),
        ([(5, 2, 0.001), (5, 5, 0.0249)], "open", "holds at 3 spots and is open at 6 spots"),
    ],
)
def test_a_claim_says_where_it_holds(findings: list[tuple[int, int, float]], verdict: str, note: str) -> None:
    claim = claim_of(*findings)
    assert claim.verdict == verdict
    assert note in claim.note
    shown = claim.to_json()["findings"]
    assert [entry["edge"] for entry in shown] == [pytest.approx(0.025 - gain) for _, _, gain in findings]
    assert len(conformance([], [claim]).unexpected) == (verdict == "fails")


def test_not_beatable_is_judged_at_every_number_of_spots_with_and_without_commission() -> None:
    fortune, face_up = (next(claim for claim in claims() if claim.game == name) for name in ("fortune", "face-up"))
    judged = {(found.commission, found.spots): found.verdict for found in fortune.findings}
    assert judged == {
        **{(5, spots): "holds" for spots in range(2, 7)},
        **{(0, spots): "holds" for spots in range(2, 6)},
        (0, 6): "fails",
    }
    assert fortune.verdict == "holds-in-part"
    assert "Without commission it holds at 2, 3, 4, 5 spots and fails at 6 spots" in fortune.note
    assert [(found.spots, found.verdict) for found in face_up.findings] == [(spots, "holds") for spots in range(2, 7)]
    assert face_up.verdict == "holds"
    # The edge without seeing is the exact one of the best play under that commission.
    edges = {found.commission: found.before for found in fortune.findings}
    for rate, edge in edges.items():
        sides = Sides("foxwoods", "optimal")
        asked = OddsQuestion(game("fortune"), ("main",), sides=sides, commission=Fraction(rate, 100))
        assert answer(asked).edge == edge


def test_json_has_the_keys_of_the_contract() -> None:
    shown = REPORT.to_json()
    for row in shown["rows"]:
        assert {"document", "paytable", "figure", "printed", "exact", "percent", "verdict", "note"} <= set(row)
        if row["exact"] is not None:
            assert float(Fraction(row["exact"]) * 100) == row["percent"]
    by_key = {(row["paytable"], row["figure"]): row for row in shown["rows"]}
    assert all("by_way" in by_key[key] for key in DEPENDS_ON_WAYS)
    assert all("balance" in by_key[key] for key in PROGRESSIVES)
    assert all(by_key[key]["edge_fraction"] == by_key[key]["exact"] for key in HOLDS)


def test_the_page_in_the_docs_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == markdown_page(REPORT), "renew it: scripts/write-conformance-page"


def test_the_script_writes_the_page_and_tells_when_it_is_not_current(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / SCRIPT.name).symlink_to(SCRIPT)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    assert os.access(SCRIPT, os.X_OK)

    def run(*options: str) -> int:
        script = tmp_path / "scripts" / SCRIPT.name
        return subprocess.run([script, *options], capture_output=True, check=False, cwd=tmp_path).returncode

    assert [run("--check"), run("--nonsense")] == [1, 2]
    assert [run(), run("--check")] == [0, 0]
    written = tmp_path / "docs" / PAGE.name
    assert written.read_text(encoding="utf-8") == markdown_page(REPORT)
    written.write_text("something else", encoding="utf-8")
    assert run("--check") == 1


class Tags(HTMLParser):
    """What a page is made of."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.depth = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        self.depth += tag not in ("meta", "br")

    def handle_endtag(self, tag: str) -> None:
        self.depth -= 1


def test_the_html_page_needs_nothing_from_elsewhere_and_is_whole() -> None:
    text = html_page(REPORT)
    tags = Tags(text)
    assert tags.depth == 0
    assert {tag for tag, _ in tags.seen} & {"script", "link", "img", "iframe"} == set()
    assert not re.search(r"https?:|url\(|@import", text)
    assert all(value.startswith("#") for _, attributes in tags.seen if (value := attributes.get("href") or "#"))
    targets = {attributes.get("id") for _, attributes in tags.seen}
    assert {(attributes.get("href") or "#figures")[1:] for _, attributes in tags.seen} <= targets
    assert sum(attributes.get("scope") == "row" for _, attributes in tags.seen) == 39


def test_the_html_page_escapes_what_it_shows() -> None:
    table = replace(paytable("FPGP-1"), id="<b>&")
    text = html_page(conformance([table]))
    assert "<b>" not in text
    assert "&lt;b&gt;&amp;" in text


def test_the_known_list_is_read_from_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "known.toml"
    file.write_text('[[known]]\npaytable = "FPGP-1"\nfigure = "edge_no_envy"\nreason = "None."\n', encoding="utf-8")
    monkeypatch.setattr(module, "KNOWN", file)
    known_discrepancies.cache_clear()
    try:
        assert len(conformance().unexpected) == 10  # the nine real ones, and the one that is none
    finally:
        known_discrepancies.cache_clear()
