"""The register of clauses: complete against the sheets' numbering, well-formed, refused with reasons when not."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from houseway.definitions import clauses as register
from houseway.definitions import game_ids
from houseway.definitions.clauses import (
    DUE_WITH,
    KINDS,
    OF_THE_MANAGER,
    TESTABLE_KINDS,
    Clause,
    clause,
    clauses,
    load_clauses,
    to_json,
)
from houseway.errors import InputError

ROOT = Path(__file__).parents[2]
I_VERIFY = "{0} {0}.i {0}.ii {0}.iii"

FIRST_GENERATION = "8.d 8.e 8.f 8.g 8.h 8.i"
NEXUS = "8.d 8.e 8.f 8.g 8.h"
SIX_CARD_PROGRESSIVE = "1 2 3 4 5 6 7 7.a 7.a.i 7.a.ii 7.a.iii 8 8.a 8.b 8.c {} 9 9.a 9.b 9.c"
SIX_CARD_POKER_PROGRESSIVE = "1 2 3 4 5 6 7 8 8.a 8.b 8.c {} 9 9.a 9.b 9.c"
SEVEN_CARD_JACKPOT = "1 2 3 4 5 6 7 8 9 9.a 9.b 9.c 9.d 9.e 9.f 9.g 9.h 9.i"

PRINTED_NUMBERS = {
    "6cfpgp/rules": (
        "1 2 2.a 3 4 5 5.a 5.a.i 5.a.ii 5.a.iii 6 6.a 6.b 6.c 6.d 6.e 6.f 6.g 6.h 6.i 6.j 6.k 7 7.a 7.a.i 7.b 7.c 8 9"
    ),
    "6cfpgpp/aquarius": SIX_CARD_PROGRESSIVE.format(FIRST_GENERATION),
    "6cfpgpp/nexus": SIX_CARD_PROGRESSIVE.format(NEXUS),
    "cffpgp/rules": "1 2 3 3.a 4 5 6",
    "fpgp/rules": "1 2 3 4 5 6 6.a 6.a.i 6.a.ii 6.b 6.b.i 7 7.a",
    "fpgpj/rules": SEVEN_CARD_JACKPOT,
    "fpgpp/nexus": SEVEN_CARD_JACKPOT,
    "pgd/rules": "1 2 3",
    "scp/rules": "1 2 3 4 5 5.a 5.b 6 6.a 7 8 9 10 11 12 13 14 15",
    "scpp/aquarius": SIX_CARD_POKER_PROGRESSIVE.format(FIRST_GENERATION),
    "scpp/nexus": SIX_CARD_POKER_PROGRESSIVE.format(NEXUS),
}
"""Every number that a rule sheet prints, read off the sheets."""

RECOMMENDATIONS = "contribution.1 contribution.1.a contribution.2 reserve.1 reserve.2 seed.1 seed.2 seed.3"
OUR_NUMBERS = {
    "6cfpgp/overview": "1 2 3 4 5 6 7 8 9 10 11 12",
    "6cfpgp/bonus": (
        "double-down.1 double-down.2 double-down.3 double-down.4 "
        "fortune.1 fortune.2 envy.1 envy.2 insurance.1 insurance.2"
    ),
    "6cfpgp/limits": "1",
    "6cfpgp/equipment": "1",
    "6cfpgpp/aquarius": "2.note",
    "6cfpgpp/nexus": "2.note",
    "6cfpgpp/equipment": "1 2 3",
    "6cfpgpp/limits": "1",
    "6cfpgpp/recommendations": RECOMMENDATIONS,
    "cffpgp/general": f"1 2 3 4 5 {I_VERIFY.format(6)}",
    "cffpgp/intro": "1 1.a 2 3 3.a 3.b 4 5 5.a 6",
    "cffpgp/rules": "note",
    "fpgp/general": f"1 2 3 4 5 {I_VERIFY.format(6)}",
    "fpgpj/rules": "3.note",
    "fpgpj/equipment": f"1 2 3 {I_VERIFY.format(4)}",
    "fpgpj/jackpots": "1 2 3 4 5 6 7",
    "fpgpj/wager": "1 2 3",
    "fpgpj/recommendations": RECOMMENDATIONS,
    "fpgpp/general": f"1 1.linked 2 3 4 5 6 7 {I_VERIFY.format(8)}",
    "fpgpp/nexus": "3.note",
    "fpgpp/recommendations": RECOMMENDATIONS,
    "letters/2014": "1 commercial.1 commercial.2 tribal.1 tribal.2 tribal.3 tribal.4 changes.1",
    "letters/2018": (
        "1 2 commercial.1 commercial.2 commercial.3 tribal.1 tribal.2 tribal.3 tribal.4 tribal.5 changes.1"
    ),
    "letters/2020": "1 2 3 4 5",
    "letters/2023": (
        "amended.1 amended.2 amended.3 amended.4 "
        "1 commercial.1 commercial.2 tribal.1 tribal.2 tribal.3 tribal.4 changes.1"
    ),
    "pgd/general": "1 2 3",
    "pgd/overview": "1 2 3",
    "scp/overview": "1 2",
    "scp/limits": "1",
    "scp/layout": "1 2",
    "scpp/equipment": "1 2",
    "scpp/limits": "1",
    "scpp/recommendations": RECOMMENDATIONS,
    "base/pai-gow": (
        "two-hands foul copies win lose push commission banker banker-house-way dealer-hand-vs-banker wheel"
    ),
    "base/face-up": "dealer-first ace-high-push no-commission jackpot",
    "base/jackpot": "house",
}
"""Bullets and paragraphs that state a rule, under the numbers that we gave them."""

NARRATIVE = {"6cfpgpp/overview", "letters/face-up-report"}
"""Sections that tell more than they rule; they are registered, but their extent is our choice."""

GENERATIONS = ("aquarius", "nexus")


def numbers_in(section: str, *, printed: bool) -> list[str]:
    sheet, name = section.split("/")
    return [c.number for c in clauses() if (c.sheet, c.section) == (sheet, name) and c.numbered is printed]


@pytest.mark.parametrize("section", PRINTED_NUMBERS)
def test_every_printed_number_is_registered_in_the_order_of_the_sheet(section: str) -> None:
    assert numbers_in(section, printed=True) == PRINTED_NUMBERS[section].split()


@pytest.mark.parametrize("section", OUR_NUMBERS)
def test_every_unnumbered_rule_is_registered(section: str) -> None:
    assert numbers_in(section, printed=False) == OUR_NUMBERS[section].split()


def test_no_section_escapes_the_lists_above() -> None:
    listed = PRINTED_NUMBERS.keys() | OUR_NUMBERS.keys()
    unlisted = {f"{c.sheet}/{c.section}" for c in clauses()} - listed
    assert all(name.endswith("/paytables") or name in NARRATIVE for name in unlisted), sorted(unlisted)


def test_every_rule_sheet_with_pay_tables_has_clauses_on_them() -> None:
    with_tables = {c.sheet for c in clauses() if c.section == "paytables"}
    assert with_tables == {"6cfpgp", "6cfpgpp", "cffpgp", "fpgp", "fpgpj", "fpgpp", "pgd", "scp", "scpp"}


def test_ids_are_unique_and_made_of_their_parts() -> None:
    ids = [c.id for c in clauses()]
    assert [name for name, count in Counter(ids).items() if count > 1] == []
    assert ids == [f"{c.sheet}/{c.section}/{c.number}" for c in clauses()]


def test_every_sub_clause_stands_below_a_registered_clause_of_its_section() -> None:
    ids = {c.id for c in clauses()}
    orphans = [c.id for c in clauses() if c.numbered and "." in c.number and c.id.rpartition(".")[0] not in ids]
    assert orphans == []


@pytest.mark.parametrize("each", clauses(), ids=lambda c: c.id)
def test_a_clause_is_whole(each: Clause) -> None:
    assert each.kind in KINDS
    is_due = each.kind == "due" or each.due_part is not None
    assert (each.due_with in DUE_WITH) if is_due else (each.due_with is None)
    assert each.due_part is None or each.kind in TESTABLE_KINDS
    assert set(each.games) <= set(game_ids())
    assert each.games or each.kind == "information"
    for sentence in filter(None, (each.text, each.due_part)):
        assert sentence[0].isupper() or not sentence[0].isalpha()
        assert sentence.endswith(".")
        assert "  " not in sentence


def test_base_rules_say_that_the_sheets_do_not_print_them() -> None:
    documents = {(c.section, c.document) for c in clauses() if c.sheet == "base"}
    assert documents == {
        ("pai-gow", "standard rules of Pai Gow Poker (not printed in the sheets)"),
        ("face-up", "rules published for Face Up Pai Gow Poker; the sheets hold its link tables only"),
        ("jackpot", "card-room rules for house jackpots; the sheets of this game do not speak of them"),
    }
    assert not any(c.numbered for c in clauses() if c.sheet == "base")


def test_every_game_has_clauses_of_settlement_deal_and_wager() -> None:
    for game in game_ids():
        kinds = {c.kind for c in clauses() if game in c.games}
        assert {"settlement", "deal", "wager", "paytable"} <= kinds, game


def test_what_is_still_due_is_listed_by_who_answers_for_it() -> None:
    due = {c.id for c in clauses() if c.kind == "due" and c.due_with == "game-manager"}
    assert due == set()
    parts = {c.id for c in clauses() if c.due_part and c.due_with == "game-manager"}
    assert parts == set()


def test_every_game_has_clauses_of_every_kind_of_the_manager() -> None:
    for game in game_ids():
        assert set(OF_THE_MANAGER) <= {c.kind for c in clauses() if game in c.games}, game


def test_clauses_that_differ_by_edition_say_so() -> None:
    assert clause("fpgp/general/3").edition == "2018-10-18"
    assert clause("fpgp/rules/7.a").edition == "2018-10-18; 2023-06-14"
    assert clause("pgd/general/2").edition == "2018-10-18"
    assert clause("pgd/rules/3").edition == "2018-10-18; 2023-06-14"
    assert clause("fpgpj/jackpots/1").edition == "2023-06-14"
    assert clause("letters/face-up-report/1").edition == "2020-07-07"


def test_two_generations_of_one_sheet_differ_only_where_the_controls_do() -> None:
    first, second = ({c.number: c.text for c in clauses() if c.id.startswith(f"6cfpgpp/{g}/")} for g in GENERATIONS)
    differing = {number for number in first.keys() | second.keys() if first.get(number) != second.get(number)}
    assert differing == {"5", "8.d", "8.f", "8.g", "8.h", "8.i", "9"}


def test_every_clause_that_the_games_cite_is_registered() -> None:
    sheets = "|".join(sorted({c.sheet for c in clauses()}))
    cited = re.compile(rf'"((?:{sheets})/[^"\s]+/[^"\s]+)"')
    ids = {c.id for c in clauses()}
    for path in Path(register.__file__).parent.glob("*.py"):
        assert {name for name in cited.findall(path.read_text(encoding="utf-8")) if name not in ids} == set(), path.name


def test_the_register_survives_json() -> None:
    again = json.loads(json.dumps(to_json()))["clauses"]
    assert [Clause(**{**entry, "games": tuple(entry["games"])}) for entry in again] == list(clauses())


@pytest.mark.parametrize("name", ["6cfpgp/rules/99", "6cfpgp", "", "x" * 5000])
def test_an_unknown_id_is_refused_with_a_hint(name: str) -> None:
    with pytest.raises(InputError) as refused:
        clause(name)
    (fault,) = refused.value.faults
    assert fault.code == "unknown-clause"
    assert len(fault.message) < 400


def test_a_near_miss_is_corrected() -> None:
    with pytest.raises(InputError, match=r"did you mean 6cfpgp/rules/7\.a\.i\?"):
        clause("6cfpgp/rules/7ai")


SHEET = 'sheet = "demo"\ndocument = "a sheet"\nedition = "2020"\ngames = ["fortune"]\n'
SECTION = '[[section]]\nid = "rules"\ntitle = "Rules"\n'
ENTRY = '[[section.clause]]\nnumber = "1"\nkind = "deal"\ntext = "One."\n'


def load(folder: Path, text: str) -> tuple[Clause, ...]:
    (folder / "demo.toml").write_text(text, encoding="utf-8")
    return load_clauses(folder, ("fortune", "face-up"))


def test_values_of_sheet_and_section_hold_for_their_clauses_unless_overridden(tmp_path: Path) -> None:
    section = SECTION + 'edition = "2021"\nnumbered = false\n'
    other = '[[section.clause]]\nnumber = "2"\nkind = "due"\ndue_with = "operator"\ntext = "Two."\nedition = "2022"\n'
    share = ENTRY.replace('"1"', '"3"') + 'due_part = "A lamp."\ndue_with = "operator"\n'
    first, second, third = load(tmp_path, SHEET + section + ENTRY + other + share)
    assert (first.id, first.document, first.edition, first.numbered) == ("demo/rules/1", "a sheet", "2021", False)
    assert (second.edition, second.due_with, second.games) == ("2022", "operator", ("fortune",))
    assert (third.edition, third.due_part, third.due_with) == ("2021", "A lamp.", "operator")


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("sheet = ", 1, "not TOML"),
        (SHEET, 1, 'the sheet needs "section"'),
        (SHEET + "section = []", 5, "at least one [[section]]"),
        (SHEET + "section = [3]", 5, "section 1: expected a table"),
        (SHEET + SECTION, 5, 'section 1 needs "clause"'),
        (SHEET.replace("demo", "other") + SECTION + ENTRY, 1, 'must be "demo"'),
        (SHEET + "note = 1\n" + SECTION + ENTRY, 5, '"note" of the sheet is not read here'),
        (SHEET + SECTION.replace('"rules"', '"The Rules"') + ENTRY, 6, "'The Rules'"),
        (SHEET + SECTION + ENTRY + ENTRY, 13, "registered twice"),
        (SHEET + SECTION + ENTRY.replace('"1"', '"1."'), 9, "'1.'"),
        (SHEET + SECTION + ENTRY.replace("deal", "deel"), 10, "did you mean deal?"),
        (SHEET + SECTION + ENTRY.replace("deal", "due"), 10, "says `due_with`"),
        (SHEET + SECTION + ENTRY + 'due_with = "operator"\n', 10, "describe a share"),
        (SHEET + SECTION + ENTRY + 'due_part = "A sign."\n', 10, "with a `due_part` says"),
        (
            SHEET + SECTION + ENTRY.replace("deal", "definition") + 'due_part = "A sign."\ndue_with = "operator"\n',
            10,
            "`due_part` is for",
        ),
        (SHEET + SECTION + ENTRY.replace('"One."', '" "'), 11, '"text" of clause rules/1: expected 1 to'),
        (SHEET + SECTION + ENTRY.replace('text = "One."', ""), 8, 'clause rules/1 needs "text"'),
        (SHEET + SECTION + ENTRY + 'games = ["fortunes"]\n', 12, "did you mean fortune?"),
        (SHEET + SECTION + ENTRY + "games = []\n", 12, "at least one game"),
        (SHEET + SECTION + ENTRY + "games = 3\n", 12, "expected a list of words, found a whole number"),
        (SHEET + SECTION + ENTRY + 'numbered = "no"\n', 12, "expected true or false, found text"),
    ],
)
def test_a_broken_file_is_refused_with_place_and_reason(tmp_path: Path, text: str, line: int, reason: str) -> None:
    with pytest.raises(InputError) as refused:
        load(tmp_path, text)
    assert {fault.code for fault in refused.value.faults} == {"bad-clause-file"}
    assert any(fault.path == f"demo.toml:{line}" and reason in fault.message for fault in refused.value.faults), (
        refused.value
    )


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    broken = SHEET + SECTION + ENTRY.replace("deal", "deel") + ENTRY.replace('"1"', '"2"').replace("One.", "")
    with pytest.raises(InputError) as refused:
        load(tmp_path, broken)
    assert [fault.path for fault in refused.value.faults] == ["demo.toml:10", "demo.toml:15"]


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no clause was found"):
        load_clauses(tmp_path, ("fortune",))


def table_of_sections() -> list[str]:
    """The table of docs/clauses.md as it should read today."""
    sections = list(dict.fromkeys((c.sheet, c.section, c.heading) for c in clauses()))
    rows = [
        "| section | heading | clauses | printed numbers | testable | due | other |",
        "|---|---|--:|--:|--:|--:|--:|",
    ]
    for sheet, section, heading in sections:
        rows.append(
            row(f"`{sheet}/{section}`", heading, [c for c in clauses() if (c.sheet, c.section) == (sheet, section)])
        )
    rows.append(row("all", "", list(clauses())))
    return rows


def row(name: str, heading: str, members: list[Clause]) -> str:
    testable = sum(c.kind in TESTABLE_KINDS for c in members)
    due = sum(c.kind == "due" for c in members)
    counts = (len(members), sum(c.numbered for c in members), testable, due, len(members) - testable - due)
    return f"| {name} | {heading} | {' | '.join(map(str, counts))} |"


def test_the_documented_table_of_sections_is_current() -> None:
    text = (ROOT / "docs" / "clauses.md").read_text(encoding="utf-8")
    documented = [
        line for line in text.splitlines() if re.match(r"\| (section|all|`[^`]+/[^`]+`) \||\|---\|---\|--:", line)
    ]
    assert documented == table_of_sections(), "\n".join(table_of_sections())


def test_the_documentation_names_every_sheet_and_kind() -> None:
    text = (ROOT / "docs" / "clauses.md").read_text(encoding="utf-8")
    names = {c.sheet for c in clauses()} | set(KINDS) | set(DUE_WITH)
    assert {name for name in names if f"`{name}`" not in text} == set()
