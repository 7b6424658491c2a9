from __future__ import annotations

from pathlib import Path

import pytest

from houseway.definitions.clauses import clauses
from houseway.games import games
from houseway.houseways import house_ways
from houseway.paytables import paytables
from tests.cli.runner import OWN_WAY, call

TABLES = [table.id for table in paytables()]


def test_games_lists_all_games() -> None:
    listed = call("games", "--json").json["games"]
    assert [game["id"] for game in listed] == [game.id for game in games()]
    text = call("games").out
    assert all(game.id in text for game in games())


@pytest.mark.parametrize("game", [game.id for game in games()])
def test_one_game_is_told_as_in_the_list(game: str) -> None:
    one = call("games", game, "--json").json
    assert one in call("games", "--json").json["games"]
    text = call("games", game).out
    assert one["name"] in text
    assert all(wager["name"] in text for wager in one["wagers"])
    assert all(note[:40] in text for note in one["notes"])


def test_a_bonus_wager_names_its_approved_tables_only() -> None:
    poker = call("games", "six-card-poker", "--json").json
    tables = {wager["name"]: wager["tables"] for wager in poker["wagers"]}
    assert tables["aces_up"] == ["SCP-01", "SCP-02", "SCP-03", "SCP-04"]
    assert tables["ante"] == []


def test_every_approved_table_belongs_to_a_wager_of_a_game() -> None:
    offered = {
        table for game in call("games", "--json").json["games"] for wager in game["wagers"] for table in wager["tables"]
    }
    assert offered == {table.id for table in paytables() if table.approved}


def test_clauses_lists_all_with_wording_and_document() -> None:
    listed = call("clauses", "--json").json["clauses"]
    assert [clause["id"] for clause in listed] == [clause.id for clause in clauses()]
    assert all(clause["text"] and clause["document"] for clause in listed)


def test_clauses_can_be_narrowed_down() -> None:
    listed = call("clauses", "--sheet", "6cfpgp", "--kind", "settlement", "--game", "six-card-fortune", "--json").json
    expected = [clause.id for clause in clauses() if clause.sheet == "6cfpgp" and clause.kind == "settlement"]
    assert [clause["id"] for clause in listed["clauses"]] == expected
    text = call("clauses", "--sheet", "6cfpgp", "--kind", "settlement").out
    assert f"{len(expected)} clauses" in text
    assert expected[0] in text


def test_one_clause() -> None:
    one = call("clauses", "6cfpgp/rules/7.c", "--json").json
    assert one["id"] == "6cfpgp/rules/7.c"
    assert one["text"] in call("clauses", "6cfpgp/rules/7.c").out


@pytest.mark.parametrize("table", TABLES)
def test_a_pay_table_has_its_keys(table: str) -> None:
    shown = call("paytable", table, "--json").json
    assert shown["id"] == table
    assert shown["unit"] in ("to-1", "for-1")
    assert {"wager", "approved", "source", "printed"} <= shown.keys()
    for line in shown["lines"]:
        assert {"hand", "push", "envy"} <= line.keys()
        assert ("pays" in line) != ("percent" in line)
        assert ("percent" in line) == ("level" in line)


@pytest.mark.parametrize("table", TABLES)
def test_a_pay_table_as_text(table: str) -> None:
    run = call("paytable", table)
    assert run.code == 0
    assert run.out.startswith(f"{table}: ")
    assert "source: " in run.out


def test_pays_are_told_in_the_words_of_a_layout() -> None:
    assert "1,000 to 1" in call("paytable", "6CFPGP-1").out
    assert "$1,000.00" in call("paytable", "6CFPGP-1").out
    assert "push" in call("paytable", "FPGP-1").out
    assert "100% of the mega meter" in call("paytable", "FPGPP-ML2").out
    assert "NOT APPROVED" in call("paytable", "SCP-LAYOUT").out


def test_all_pay_tables() -> None:
    assert [table["id"] for table in call("paytable", "--json").json["paytables"]] == TABLES
    text = call("paytable").out
    assert all(table in text for table in TABLES)


def test_a_pay_table_from_a_file(tmp_path: Path) -> None:
    from houseway.sources import SHIPPED

    shipped = SHIPPED.folder / "paytables" / "TIGER9.toml"
    file = tmp_path / "TIGER9.toml"
    file.write_bytes(shipped.read_bytes())
    assert call("paytable", "--file", str(file), "--json").json == call("paytable", "TIGER9", "--json").json
    file.write_text("unit = 3\n", encoding="utf-8")
    run = call("paytable", "--file", str(file), "--json")
    assert run.code == 2
    assert any(fault["path"].endswith(":1") for fault in run.json["error"]["faults"])


def test_ways_lists_all_and_one() -> None:
    listed = call("ways", "--json").json["ways"]
    assert [way["id"] for way in listed] == [way.id for way in house_ways()]
    one = call("ways", "six-card", "--json").json
    assert one in listed
    assert all(way["id"] in call("ways").out for way in listed)
    text = call("ways", "six-card").out
    assert all(f"{rule['id']}: " in text for question in one["questions"] for rule in question["rules"])


def test_a_house_way_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(OWN_WAY, encoding="utf-8")
    assert call("ways", "--file", str(file), "--json").json["id"] == "own"
    file.write_text("nonsense", encoding="utf-8")
    assert call("ways", "--file", str(file), "--json").code == 2


@pytest.mark.parametrize(
    ("arguments", "codes"),
    [
        (["games", "bridge"], ["unknown-game"]),
        (["paytable", "XXX"], ["unknown-paytable"]),
        (["paytable", "--file", "/does/not/exist.toml"], ["paytable-unreadable"]),
        (["paytable", "TIGER9", "--file", "x.toml"], ["conflicting-options"]),
        (["clauses", "--sheet", "x", "--kind", "y", "--game", "z"], ["unknown-sheet", "bad-choice", "unknown-game"]),
        (["clauses", "6cfpgp/rules/99"], ["unknown-clause"]),
        (["ways", "mine"], ["unknown-way"]),
        (["ways", "foxwoods", "--file", "x.toml"], ["conflicting-options"]),
        (["ways", "--check", "--wheel", "third"], ["missing-argument", "bad-choice"]),
    ],
)
def test_bad_input_is_refused(arguments: list[str], codes: list[str]) -> None:
    run = call(*arguments, "--json")
    assert (run.code, run.codes) == (2, codes)
