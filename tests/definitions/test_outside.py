"""Games from outside: packages and folders that bring their own, and what becomes of those with faults."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import houseway as hw
from houseway import sources
from houseway.definitions import find_game, game, game_ids, shipped_games
from houseway.definitions.clauses import clause
from houseway.errors import InputError
from houseway.houseways import house_way, house_ways, way_ids
from houseway.paytables import paytable, paytable_ids
from houseway.sources import SHIPPED
from tests.cli.runner import call

GAME = (SHIPPED.folder / "definitions" / "six-card-poker.toml").read_text(encoding="utf-8")
SHEET = (SHIPPED.folder / "clauses" / "scp.toml").read_text(encoding="utf-8")
PROGRESSIVE = (SHIPPED.folder / "clauses" / "scpp.toml").read_text(encoding="utf-8")
TABLE = (SHIPPED.folder / "paytables" / "SCP-01.toml").read_text(encoding="utf-8")


OTHERS = {
    '"six-card-poker"': '"own-poker"',
    'shuffler_mode = "own-poker"': 'shuffler_mode = "six-card-poker"',
    'title = "Six Card Poker"': 'title = "Own Poker"',
    '["scp", "scpp", "base"]': '["op", "opp", "base"]',
    '"scp/': '"op/',
    '"scpp/': '"opp/',
    'sheet = "scp"': 'sheet = "op"',
    'sheet = "scpp"': 'sheet = "opp"',
    "SCP-01": "OP-01",
}
Take = Callable[..., Path]


def own(text: str) -> str:
    """A shipped file as one of another game with sheets of its own."""
    for shipped, other in OTHERS.items():
        text = text.replace(shipped, other)
    return text


def write(folder: Path, **files: str) -> Path:
    """A folder of games with a sound game, and files that replace or add to its own; an empty text leaves one out."""
    parts = {
        "definitions/own-poker": own(GAME),
        "clauses/op": own(SHEET),
        "clauses/opp": own(PROGRESSIVE),
        "paytables/OP-01": own(TABLE),
        **files,
    }
    for name, text in parts.items():
        path = folder / f"{name}.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        if text:
            path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def take(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Take:
    """Names a folder of games for the time of a test."""

    def _take(**files: str) -> Path:
        folder = write(tmp_path / "games", **files)
        monkeypatch.setenv(sources.VARIABLE, str(folder))
        return folder

    return _take


def faults_of(name: str) -> list[tuple[str, str]]:
    with pytest.raises(InputError) as refused:
        game(name)
    return [(fault.code, fault.message) for fault in refused.value.faults]


def test_a_named_folder_brings_a_game_with_sheet_and_pay_table(take: Take) -> None:
    take()
    assert game_ids()[-1] == "own-poker"
    assert game("own-poker").title == "Own Poker"
    assert hw.game("OWN-poker").wager("aces_up").tables == ("OP-01",)
    assert clause("op/rules/10").games == ("own-poker",)
    assert hw.refused_games() == ()
    assert [each.id for each in shipped_games()] == list(game_ids()[:-1])
    seat = hw.Seat("Ks Qd Jc 8h 6s 3d", ante=500, play=500, aces_up=500)
    settled = hw.settle("own-poker", dealer="9h 7d 2s 2c 4c 5c", seats={1: seat}, paytables={"aces_up": "OP-01"})
    line = settled.lines()[0]
    assert (line.wager, line.clause) == ("ante", "op/rules/11")


def test_without_it_there_is_no_such_game(take: Take, monkeypatch: pytest.MonkeyPatch) -> None:
    take()
    assert find_game("own-poker") is not None
    monkeypatch.delenv(sources.VARIABLE)
    assert find_game("own-poker") is None
    assert "OP-01" not in paytable_ids()
    assert faults_of("own-poker")[0][0] == "unknown-game"


FAULTY = {
    "no TOML": ({"definitions/own-poker": "id = "}, "game-syntax", "not TOML"),
    "an unknown key": ({"definitions/own-poker": own(GAME) + "\ncolour = 1\n"}, "game-unknown-key", "colour"),
    "no sheet": ({"clauses/op": ""}, "game-clause", "there is no sheet 'op'"),
    "no clause": (
        {"definitions/own-poker": own(GAME).replace("op/rules/10", "op/rules/99")}, "game-clause", "op/rules/99"
    ),
    "a sheet of another": (
        {"definitions/own-poker": own(GAME).replace("op/rules/10", "fpgp/rules/6.a")}, "game-clause", "none of its sh"
    ),
    "a faulty sheet": ({"clauses/op": own(SHEET) + '\nnote = "x"\n'}, "bad-clause-file", "note"),
    "no house way": (
        {"definitions/own-poker": own(GAME).replace('id = "own', 'ways = ["nobodys"]\nid = "own')},
        "game-contradiction",
        "house ways",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", FAULTY)
def test_a_faulty_game_is_refused_by_its_name_and_all_others_play_on(take: Take, case: str) -> None:
    files, code, words = FAULTY[case]
    folder = take(**files)
    told = faults_of("own-poker")
    assert told[0][0] == "game-refused"
    assert any(found == code and words in message for found, message in told), told
    assert "own-poker" not in game_ids()
    assert hw.game("fortune").title == "Fortune Pai Gow Poker"
    assert any(refusal.name == "own-poker" for refusal in hw.refused_games())
    assert all(str(folder) in fault.path for refusal in hw.refused_games() for fault in refusal.faults)
    with pytest.raises(InputError, match="own-poker is not used"):
        hw.settle("own-poker", dealer="9h 7d 2s 2c 4c 5c", seats={1: hw.Seat("Ks Qd Jc 8h 6s 3d", ante=500)})


def test_an_id_of_a_shipped_game_or_table_stays_what_ships(take: Take) -> None:
    take(**{"definitions/fortune": own(GAME).replace('"own-poker"', '"fortune"'), "paytables/FPGP-1": own(TABLE)})
    assert game("fortune").title == "Fortune Pai Gow Poker"
    assert paytable("FPGP-1").wager == "fortune"
    told = [(refusal.name, fault.code) for refusal in hw.refused_games() for fault in refusal.faults]
    assert told == [("fortune", "duplicate-id"), ("FPGP-1", "duplicate-id")]


def test_of_two_games_with_one_id_neither_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = write(tmp_path / "one"), write(tmp_path / "two")
    monkeypatch.setenv(sources.VARIABLE, os.pathsep.join((str(one), str(two), str(one))))
    told = faults_of("own-poker")
    assert [code for code, _ in told[1:]] == ["duplicate-id", "duplicate-id"]
    assert str(two) in told[1][1]
    assert find_game("own-poker") is None


def test_a_table_from_outside_pays_no_game_of_another_source(take: Take) -> None:
    take(**{"paytables/OP-01": own(TABLE).replace('"own-poker"', '"six-card-poker"')})
    with pytest.raises(InputError, match="six-card-poker is not a game of the folder"):
        paytable("OP-01")
    assert "OP-01" not in hw.game("six-card-poker").wager("aces_up").tables
    assert hw.game("own-poker").wager("aces_up").tables == ()


def test_a_faulty_table_is_refused_by_its_id(take: Take) -> None:
    take(**{"paytables/OP-01": own(TABLE).replace('unit = "to-1"', 'unit = "for-1"')})
    with pytest.raises(InputError, match="must be to-1"):
        paytable("OP-01")
    assert hw.game("own-poker").id == "own-poker"


def test_house_ways_from_outside_are_known_and_change_no_shipped_result(take: Take) -> None:
    text = (SHIPPED.folder / "ways" / "sixes-together.toml").read_text(encoding="utf-8")
    take(**{"ways/own-way": text.replace('id = "sixes-together"', 'id = "own-way"', 1), "ways/other": text})
    assert house_way("own-way").cards == 7
    assert way_ids()[-1] == "own-way"
    assert "own-way" not in [way.id for way in house_ways()]
    assert [refusal.name for refusal in hw.refused_games()] == ["other"]
    assert hw.odds("fortune", "main", way="foxwoods").deals


def test_add_games_returns_them_or_every_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(sources.VARIABLE, "")
    assert [each.id for each in hw.add_games(write(tmp_path / "good"))] == ["own-poker"]
    assert os.environ[sources.VARIABLE] == str(tmp_path / "good")
    with pytest.raises(InputError) as refused:
        hw.add_games(tmp_path / "nothing")
    assert [fault.code for fault in refused.value.faults] == ["games-folder"]
    monkeypatch.setenv(sources.VARIABLE, "")
    with pytest.raises(InputError, match="op/rules/99"):
        hw.add_games(write(tmp_path / "bad", **FAULTY["no clause"][0]))


def test_a_folder_that_is_named_and_holds_no_games_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(sources.VARIABLE, str(tmp_path))
    [refusal] = hw.refused_games()
    assert refusal.faults[0].code == "games-folder"
    assert len(game_ids()) == len(shipped_games())


def test_the_command_takes_a_folder_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(sources.VARIABLE, "")
    folder = write(tmp_path / "games", **{"definitions/broken": "id = 3"})
    shown = call("--games", str(folder), "games", "--json").json
    assert [each["id"] for each in shown["games"]][-1] == "own-poker"
    assert [(each["id"], each["faults"][0]["code"]) for each in shown["refused"]] == [("broken", "game-missing-key")]
    told = call(f"--games={folder}", "games")
    assert "own-poker" in told.out
    assert "broken is not used" in told.err
    assert call("--games").code == 2
    refused = call("--games", str(tmp_path / "nowhere"), "games", "--json")
    assert (refused.code, refused.json["error"]["faults"][0]["code"]) == (2, "games-folder")


def test_an_installed_package_names_its_games_by_an_entry_point(tmp_path: Path) -> None:
    """Its code is not run, and a package that names no folder is told."""
    site = tmp_path / "site"
    write(site / "own_poker" / "rules")
    (site / "own_poker" / "__init__.py").write_text("raise SystemExit('no code of a package is run')\n")
    points = "[houseway.games]\nown = own_poker:rules\nlost = no_such_package\n"
    info = site / "own_poker-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: own-poker\nVersion: 1\n")
    (info / "entry_points.txt").write_text(points)
    script = "import houseway as hw; print(hw.games()[-1].id, [each.faults[0].code for each in hw.refused_games()])"
    environment = {**os.environ, "PYTHONPATH": str(site)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("own-poker ['games-folder']\n", "")
