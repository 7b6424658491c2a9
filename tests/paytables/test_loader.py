"""A broken table is refused with file, line and reason, and with all of its faults at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from houseway.definitions import game_ids
from houseway.errors import InputError
from houseway.paytables import FAULT_CODES, PrintedFigure, load_paytable, wager_words
from houseway.paytables.vocabulary import first_wager_of, wager_of, wagers_of
from tests.paytables.sample import GOOD, changed, faults_of, line_with, parse

OFFERED = [(game, wager) for game in game_ids() for wager in wagers_of(game)]


def test_a_good_table_is_read() -> None:
    table = parse(GOOD)
    assert table.id == "ROOM-1"
    assert [(line.hand, line.pays, line.percent, line.level, line.push, line.envy) for line in table.lines] == [
        ("five-aces", 2000, None, None, False, 5000),
        ("royal-flush", None, 100, "main", False, None),
        ("straight-flush", 100, None, None, False, None),
    ]
    assert table.lines[0].printed_as == "five aces"
    assert table.printed == (PrintedFigure("house_advantage", "20.5%"),)
    assert not table.approved
    assert table.not_approved_because == "a design study"


# What is changed in the good table; then the code, the line (by a text that stands on it) and a part of the message.
BROKEN = {
    "unknown key": ('unit = "for-1"', 'unit = "for-1"\nunits = 1', "paytable-unknown-key", "units = 1", "mean unit"),
    "unknown key, nothing near": ("notes =", 'zzz = 1\nnotes =', "paytable-unknown-key", "zzz", "choose one of id"),
    "unknown key of a line": ("pays = 2000,", "pays = 2000, pay = 1,", "paytable-unknown-key", "pay = 1", "mean pays"),
    "unknown key of source": ('section = "page 1"', 'section = "x"\npage = 1', "paytable-unknown-key", "page =", ""),
    "unknown figure": ("house_advantage", "house_edge", "paytable-unknown-key", "house_edge", "[printed]"),
    "missing key": ('title = "A room\'s own jackpot"', "", "paytable-missing-key", "id =", '"title"'),
    "missing key of a line": ('hand = "five-aces", ', "", "paytable-missing-key", "pays = 2000", '"hand"'),
    "missing key of the source": ('edition = "first draft"', "", "paytable-missing-key", "[source]", '"edition"'),
    "reason missing": ('not_approved_because = "a design study"\n', "", "paytable-missing-key", "approved", "why"),
    "reason of an approved": ("approved = false", "approved = true", "paytable-bad-value", "because", "contradicts"),
    "unknown hand": ('"five-aces"', '"six-aces"', "paytable-bad-value", "six-aces", "did you mean five-aces"),
    "unknown wager": ('"progressive"', '"progresive"', "paytable-bad-value", "progresive", "mean progressive?"),
    "unknown game": ('"six-card-fortune"', '"fortuna"', "paytable-bad-value", "fortuna", "did you mean fortune"),
    "game twice": ('["six-card-fortune"]', '["face-up", "face-up"]', "paytable-bad-value", "games", "twice"),
    "no game": ('["six-card-fortune"]', "[]", "paytable-bad-value", "games", "at least one game"),
    "unit wrong": ('"for-1"', '"4-1"', "paytable-bad-value", "unit", "for-1"),
    "no lines": ("lines = [\n", "lines = []\nnotes2 = [\n", "paytable-bad-value", "lines = []", "at least one hand"),
    "hand twice": ('"straight-flush"', '"five-aces"', "paytable-hand-twice", "pays = 100 ", "line 1 has it already"),
    "pays and percent": ("percent = 100,", "pays = 5, percent = 100,", "paytable-pay", "percent", "pays and percent"),
    "pays nothing": ("pays = 2000, ", "", "paytable-pay", "five-aces", "pays nothing"),
    "push with pays": ("pays = 100 }", "pays = 100, push = true }", "paytable-pay", "push", "pays and push"),
    "push of a jackpot": ("pays = 100 }", "push = true }", "paytable-pay", "push", "no clause of six-card-fortune"),
    "push no boolean": ("pays = 100 }", "pays = 100, push = 1 }", "paytable-bad-type", "push", "true or false"),
    "percent without level": (', level = "main"', "", "paytable-level", "percent", 'no "level"'),
    "level not declared": ('level = "main"', 'level = "grand"', "paytable-level", "grand", "does not declare"),
    "level without percent": ("percent = 100,", "pays = 5,", "paytable-level", "royal-flush", 'no "percent"'),
    "level not used": ('["main"]', '["main", "grand"]', "paytable-level", "grand", "no line is paid"),
    "level twice": ('["main"]', '["main", "main"]', "paytable-level", "levels", "declared twice"),
    "level ill-formed": ('["main"]', '["main", "Grand!"]', "paytable-level", "Grand!", "small letter"),
    "percent above 100": ("percent = 100", "percent = 101", "paytable-bad-value", "percent", "101 is outside 1 to 100"),
    "percent zero": ("percent = 100", "percent = 0", "paytable-bad-value", "percent", "0 is outside 1 to 100"),
    "percent as text": ("percent = 100", 'percent = "100%"', "paytable-bad-type", "percent", "100, found text"),
    "pays zero": ("pays = 2000", "pays = 0", "paytable-bad-value", "five-aces", ": 0 is outside"),
    "pays negative": ("pays = 2000", "pays = -5", "paytable-bad-value", "five-aces", "-5 is outside"),
    "pays too high": ("pays = 2000", "pays = 9999999", "paytable-bad-value", "five-aces", "1000000"),
    "pays true": ("pays = 2000", "pays = true", "paytable-bad-type", "five-aces", "found true or false"),
    "pays a fraction": ("pays = 2000", "pays = 1.5", "paytable-bad-type", "five-aces", "with a fraction"),
    "pays a date": ("pays = 2000", "pays = 2023-06-14", "paytable-bad-type", "five-aces", "a date"),
    "pays a list": ("pays = 2000", "pays = [1]", "paytable-bad-type", "five-aces", "a list"),
    "envy zero": ("envy_dollars = 50", "envy_dollars = 0", "paytable-bad-value", "five-aces", "envy_dollars"),
    "envy a fraction": ("envy_dollars = 50", "envy_dollars = 0.5", "paytable-bad-type", "five-aces", "envy_dollars"),
    "envy edge without envy": (", envy_dollars = 50", "", "paytable-envy", "edge_max_envy", "no line has an envy pay"),
    "figure a number": ('"20.5%"', "20.5", "paytable-bad-type", "house_advantage", "expected text"),
    "figure without sign": ('"20.5%"', '"20.5"', "paytable-bad-value", "house_advantage", "as printed"),
    "figure above 100": ('"20.5%"', '"120%"', "paytable-bad-value", "house_advantage", "as printed"),
    "id ill-formed": ('"ROOM-1"', '"Room 1"', "paytable-id", "id =", "capital letters"),
    "id is not the file's name": ('"ROOM-1"', '"ROOM-2"', "paytable-id", "id =", "name the file ROOM-2.toml"),
    "title empty": ('"A room\'s own jackpot"', '""', "paytable-bad-value", "title", "1 to 1000"),
    "title with a control": ('"A room\'s own jackpot"', '"a\\u0007"', "paytable-bad-value", "title", "printable"),
    "title no text": ('"A room\'s own jackpot"', "7", "paytable-bad-type", "title", "expected text"),
    "approved no boolean": ("approved = false", 'approved = "no"', "paytable-bad-type", "approved", "true or false"),
    "games no list": ('["six-card-fortune"]', '"fortune"', "paytable-bad-type", "games", "a list of words"),
    "note no text": ('["made for a test"]', '["a note",\n 7]', "paytable-bad-type", " 7]", "element 2"),
    "line no table": ("lines = [\n", "lines = [\n  7,\n", "paytable-bad-type", "  7,", "line 1: expected a table"),
    "unreachable": ('"five-aces"', '"flush"', "paytable-dead-line", "royal-flush", "every royal-flush is also a flush"),
    "never dealt, cards": ('"five-aces"', '"seven-card-straight-flush"', "paytable-dead-line", "seven", "seven cards"),
    "never dealt, joker": ('"six-card-fortune"', '"six-card-poker"', "paytable-dead-line", "five-aces", "a joker"),
    "source no table": ("[source]", "[[source]]", "paytable-bad-type", "[[source]]", "expected a table"),
    "lines no list": ("lines = [\n", 'lines = "x"\nnotes2 = [\n', "paytable-bad-type", 'lines = "x"', "list of tables"),
    "reading no text": ("pays = 2000", "reading = 1, pays = 2000", "paytable-bad-type", "five-aces", "reading"),
    "also repeats": ('"five-aces",', '"five-aces", also = ["five-aces"],', "paytable-hand-twice", "five-aces", "again"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_table_is_refused_with_line_and_reason(case: str) -> None:
    old, new, code, on_line, message = BROKEN[case]
    text = changed(old, new)
    if case == "envy edge without envy":
        text = text.replace("house_advantage", "edge_max_envy")
    found = [fault for fault in faults_of(text) if fault[0] == code and fault[1] == line_with(text, on_line)]
    assert found, faults_of(text)
    assert message in found[0][2]


def test_every_fault_code_of_a_file_is_tested_and_documented() -> None:
    tested = {case[2] for case in BROKEN.values()}
    assert tested | {"paytable-syntax", "paytable-unreadable", "unknown-paytable"} == set(FAULT_CODES)


@pytest.mark.parametrize("key", ["levels", "linked_with", "fixed_from_meter"])
def test_progressive_keys_belong_to_progressive_tables(key: str) -> None:
    values = {"levels": '["main"]', "linked_with": '"FPGPP-WA01"', "fixed_from_meter": "true"}
    text = GOOD.replace('"progressive"', '"fortune"').replace('levels = ["main"]\n', "")
    text = text.replace("fixed_from_meter = false\n", f"{key} = {values[key]}\n")
    messages = [found for found in faults_of(text) if found[1] == line_with(text, f"{key} =")]
    assert any("belongs to tables of jackpot wagers" in message for _, _, message in messages)


def bonus_table(wager: str, games: str, line: str = "pays = 2000", unit: str = "to-1") -> str:
    """The good table made into one of a bonus wager, with one line of its own."""
    text = GOOD.replace('"progressive"', f'"{wager}"').replace('["six-card-fortune"]', games).replace("for-1", unit)
    text = text.replace('levels = ["main"]\n', "").replace('percent = 100, level = "main"', "pays = 500")
    return text.replace('"five-aces", pays = 2000, envy_dollars = 50', f'"four-of-a-kind", {line}')


@pytest.mark.parametrize(("game", "wager"), OFFERED)
def test_a_wager_pays_envy_and_pushes_only_where_its_game_has_a_clause_for_it(game: str, wager: str) -> None:
    offer = wager_of(game, wager)
    assert offer is not None
    lines = {
        "pays = 9, envy_dollars = 5": ("paytable-envy", offer.has_envy),
        "push = true": ("paytable-pay", offer.lines_may_push),
    }
    for line, (code, allowed) in lines.items():
        text = bonus_table(wager, f'["{game}"]', line, first_wager_of(wager).unit)
        if allowed:
            assert parse(text).games == (game,)
        else:
            [found] = faults_of(text)
            assert found[:2] == (code, line_with(text, line))
            assert game in found[2]
            assert wager in found[2]


def test_what_one_game_of_a_table_has_no_clause_for_is_refused_for_all() -> None:
    games = '["fortune", "six-card-fortune"]'
    [(code, _, message)] = faults_of(bonus_table("fortune", games, "push = true"))
    assert (code, message) == (
        "paytable-pay",
        "line 1 pushes, but no clause of six-card-fortune lets the fortune wager push",
    )


@pytest.mark.parametrize("game", game_ids())
@pytest.mark.parametrize("wager", wager_words())
def test_a_game_must_offer_the_wager(game: str, wager: str) -> None:
    text = bonus_table(wager, f'[\n"{game}"]', unit=first_wager_of(wager).unit)
    if wager in wagers_of(game):
        assert parse(text).wager == wager
    else:
        [(code, line, message)] = faults_of(text)
        assert (code, line) == ("paytable-bad-value", line_with(text, f'"{game}"]'))
        assert f"{game} has no {wager} wager" in message


def test_a_game_without_the_wager_is_told_which_it_has() -> None:
    [(_, _, message)] = faults_of(bonus_table("aces_up", '["fortune"]'))
    assert message.endswith("remove the game, or make the table for fortune, paigowd or progressive")


@pytest.mark.parametrize(("game", "wager"), OFFERED)
def test_the_unit_is_what_settlement_does_with_the_stake(game: str, wager: str) -> None:
    right, wrong, why = ("for-1", "to-1", "never handed back") if wager == "progressive" else (
        "to-1", "for-1", "handed back beside its pay"
    )  # fmt: skip
    assert parse(bonus_table(wager, f'["{game}"]', unit=right)).unit == right
    text = bonus_table(wager, f'["{game}"]', unit=wrong)
    [(code, line, message)] = faults_of(text)
    assert (code, line) == ("paytable-bad-value", line_with(text, "unit ="))
    assert f"must be {right} for the wager {wager}" in message
    assert why in message


def test_a_meter_table_with_the_wrong_unit_has_one_fault() -> None:
    text = changed('"for-1"', '"to-1"')
    assert [found[:2] for found in faults_of(text)] == [("paytable-bad-value", line_with(text, "unit ="))]


def test_only_a_progressive_pays_a_share_of_a_meter() -> None:
    text = bonus_table("fortune", '["fortune"]', 'percent = 10, level = "main"')
    assert ("paytable-pay", line_with(text, "percent")) in [found[:2] for found in faults_of(text)]


def test_all_faults_come_at_once_and_in_the_order_of_the_file() -> None:
    text = (
        GOOD.replace('"for-1"', '"by-1"')
        .replace("pays = 2000", "pays = 0")
        .replace("percent = 100", "percent = 1000")
        .replace('section = "page 1"\n', "")
        .replace('"20.5%"', '"much"')
    )
    found = faults_of(text)
    lines = [line for _, line, _ in found]
    assert len(found) == 5
    assert lines == sorted(lines)


def test_lines_may_be_written_as_headed_tables_too() -> None:
    inline = [line for line in GOOD.split("\n") if line.startswith("  { hand")]
    headed = "\n".join("[[lines]]\n" + line.strip(" {},").replace(", ", "\n") + "\n" for line in inline)
    start, end = GOOD.index("lines = ["), GOOD.index("notes =")
    text = GOOD[:start] + GOOD[end:] + "\n" + headed
    assert parse(text) == parse(GOOD)
    broken = text.replace("pays = 100\n", "pays = -1\n")
    assert [found[:2] for found in faults_of(broken)] == [("paytable-bad-value", line_with(broken, "pays = -1"))]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("id = ", 1),
        (GOOD.replace("approved = false", "approved = maybe"), 6),
        (GOOD.replace('unit = "for-1"', 'unit = "for-1"\nunit = "for-1"'), 6),
        (GOOD + "[source]\n", GOOD.count("\n") + 1),
        ('id = "ROOM-1"\ntitle = """never closed\n\n', 2),
        ("id = " + "[" * 20_000, 1),
        ("id = " + "9" * 20_000, 1),
    ],
)
def test_a_syntax_error_has_its_line(text: str, line: int) -> None:
    assert [found[:2] for found in faults_of(text)] == [("paytable-syntax", line)]


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b"", 1, "empty"),
        (b" \n\t\n", 1, "empty"),
        (b'id = "ROOM-1"\ntitle = "\xff"\n', 2, "UTF-8"),
        (b"#" * 100_001, 1, "larger"),
    ],
)
def test_a_file_that_is_no_text_is_refused(data: bytes, line: int, message: str) -> None:
    [(code, found_line, found_message)] = faults_of(data)
    assert (code, found_line) == ("paytable-unreadable", line)
    assert message in found_message


def test_load_reads_a_file(tmp_path: Path) -> None:
    file = tmp_path / "ROOM-1.toml"
    file.write_text(GOOD)
    assert load_paytable(file) == load_paytable(str(file)) == parse(GOOD)


def test_the_mark_that_some_editors_put_before_a_text_is_no_fault() -> None:
    assert parse("\ufeff" + GOOD) == parse(GOOD)


def test_a_refusal_names_the_file_as_given(tmp_path: Path) -> None:
    file = tmp_path / "OTHER.toml"
    file.write_text(GOOD)
    with pytest.raises(InputError) as refused:
        load_paytable(file)
    assert [fault.path for fault in refused.value.faults] == [f"{file}:1"]


@pytest.mark.parametrize("name", ["missing.toml", ".", "a\0b.toml"])
def test_what_cannot_be_opened_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        load_paytable(f"{tmp_path}/{name}")
    assert [fault.code for fault in refused.value.faults] == ["paytable-unreadable"]
