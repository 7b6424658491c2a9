"""`houseway settle`: one round or a stream, JSON or text, and what happens to bad lines."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from houseway.cli import settle as settle_module
from houseway.errors import MissingPartError
from houseway.games import settle_json
from houseway.games.examples import EXAMPLE_ROUND
from tests.cli.runner import OWN_WAY, call, spawn


def line(value: object) -> bytes:
    return json.dumps(value).encode() + b"\n"


def changed(**values: object) -> dict[str, Any]:
    return {**copy.deepcopy(EXAMPLE_ROUND), **values}


EXPECTED = settle_json(EXAMPLE_ROUND)


def test_one_object_on_one_line() -> None:
    run = call("settle", "-", "--json", stdin=line(EXAMPLE_ROUND))
    assert (run.code, run.json) == (0, EXPECTED)


def test_one_object_on_several_lines() -> None:
    run = call("settle", "-", "--json", stdin=json.dumps(EXAMPLE_ROUND, indent=2).encode())
    assert (run.code, run.json) == (0, EXPECTED)


def test_a_file(tmp_path: Path) -> None:
    file = tmp_path / "round.json"
    file.write_text(json.dumps(EXAMPLE_ROUND, indent=4), encoding="utf-8")
    run = call("settle", str(file), "--json")
    assert (run.code, run.json) == (0, EXPECTED)


def test_json_lines_give_a_result_a_line_in_order() -> None:
    other = changed(paytables={"fortune": "FPGP-1"})
    run = call("settle", "--json", "-", stdin=line(EXAMPLE_ROUND) + b"\n" + line(other) + line(EXAMPLE_ROUND))
    assert run.code == 0
    assert run.json_lines == [EXPECTED, settle_json(other), EXPECTED]


def test_a_stream_is_json_even_without_the_option() -> None:
    run = call("settle", "-", stdin=line(EXAMPLE_ROUND) * 2)
    assert run.json_lines == [EXPECTED, EXPECTED]


def test_a_bad_line_gives_its_faults_in_its_place_and_the_others_settle() -> None:
    stdin = line(EXAMPLE_ROUND) + b"\nnonsense\n" + line(changed(game="poker", way=3)) + b"[1]\n" + line(EXAMPLE_ROUND)
    run = call("settle", "-", "--json", stdin=stdin)
    assert run.code == 2
    first, nonsense, bad, array, last = run.json_lines
    assert first == last == EXPECTED
    assert [result["line"] for result in (nonsense, bad, array)] == [3, 4, 5]
    assert [result["error"]["line"] for result in (nonsense, bad, array)] == [3, 4, 5]
    assert [fault["code"] for fault in nonsense["error"]["faults"]] == ["bad-json"]
    assert [fault["code"] for fault in bad["error"]["faults"]] == ["unknown-game"]
    assert [fault["code"] for fault in array["error"]["faults"]] == ["wrong-type"]


def test_a_bad_first_line_does_not_hide_the_rest() -> None:
    run = call("settle", "-", "--json", stdin=b'{"game": "fortune", "seats": [\n' + line(EXAMPLE_ROUND))
    assert run.code == 2
    bad, good = run.json_lines
    assert (bad["line"], good) == (1, EXPECTED)


def test_a_refused_single_round_is_the_plain_envelope() -> None:
    seat = {"seat": 9, "cards": ["As", "As"], "wagers": {"main": -5, "tip": 1.5}}
    run = call("settle", "-", "--json", stdin=json.dumps(changed(seats=[seat]), indent=1).encode())
    assert run.code == 2
    assert set(run.json) == {"error"}
    assert {"out-of-range", "duplicate-card", "card-count", "unknown-wager"} <= set(run.codes)


def test_faults_as_text_go_to_standard_error() -> None:
    run = call("settle", "-", stdin=line(changed(game="poker")))
    assert (run.code, run.out) == (2, "")
    assert "[unknown-game]" in run.err


@pytest.mark.parametrize(
    ("stdin", "code"),
    [(b"", "empty-input"), (b"\n\n", "empty-input"), (b"{\n\xff\n}", "not-utf8"), (b'{\n"a": NaN\n}', "bad-json")],
)
def test_input_that_holds_no_round(stdin: bytes, code: str) -> None:
    run = call("settle", "-", "--json", stdin=stdin)
    assert (run.code, run.codes) == (2, [code])


def test_duplicate_keys_are_refused() -> None:
    run = call("settle", "-", "--json", stdin=b'{"game": "fortune", "game": "face-up"}')
    assert run.code == 2
    assert "'game' appears twice" in run.json["error"]["faults"][0]["message"]


@pytest.mark.parametrize("name", ["does-not-exist.json", "folder"])
def test_a_file_that_cannot_be_read_is_a_fault(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    run = call("settle", str(tmp_path / name), "--json")
    assert (run.code, run.faults) == (2, [("unreadable-file", "file")])


def test_text_shows_hands_rules_lines_and_clauses() -> None:
    run = call("settle", "-", stdin=line(EXAMPLE_ROUND))
    assert run.code == 0
    for shown in ("Dealer", "Seat 3", "K♠ K♥ K♦", "foxwoods rule", "$48.75", "tray less $1.25", "base/pai-gow/win"):
        assert shown in run.out
    assert "staked $50.00" in run.out


def test_text_shows_banker_fold_foul_meter_and_own_setting() -> None:
    seats = [
        {"seat": 1, "cards": ["Ks", "Kd", "Kh", "Ac", "Qc", "8d", "3s"], "wagers": {}},
        {"seat": 2, "cards": ["Ts", "9d", "8h", "7c", "5d", "4s", "2h"], "low": ["Ts", "9d"], "wagers": {"main": 500}},
    ]
    banked = call("settle", "-", stdin=line(changed(banker=1, seats=seats)))
    assert "(banks)" in banked.out
    assert "(FOULED)" in banked.out
    assert "set by the player" in banked.out
    poker = {
        "game": "six-card-poker",
        "paytables": {"progressive": "SIXCPP-01"},
        "meters": {"SIXCPP-01": {"main": 100000}},
        "dealer": ["As", "Kd", "9c", "8c", "3d", "2h"],
        "seats": [
            {
                "seat": 7,
                "cards": ["Qs", "Jd", "9d", "7c", "5d", "4s"],
                "fold": True,
                "wagers": {"ante": 500, "progressive": 100},
            }
        ],
    }
    folded = call("settle", "-", stdin=line(poker))
    assert "(folds)" in folded.out
    assert "(qualifies)" in folded.out
    assert "SIXCPP-01 main $1,000.00" in folded.out


@pytest.mark.parametrize("evaluator", ["reference", "tables"])
def test_every_evaluator_gives_the_same(evaluator: str) -> None:
    assert call("settle", "-", "--json", "--evaluator", evaluator, stdin=line(EXAMPLE_ROUND)).json == EXPECTED


@pytest.mark.kernels
def test_the_kernels_give_the_same() -> None:
    pytest.importorskip("numba")
    assert call("settle", "-", "--json", "--evaluator", "kernels", stdin=line(EXAMPLE_ROUND)).json == EXPECTED


@pytest.mark.kernels
def test_a_long_stream_changes_to_kernels_and_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    asked = []
    kernels = settle_module._kernels
    monkeypatch.setattr(settle_module, "_kernels", lambda: asked.append(1) or kernels())
    count = settle_module.KERNELS_FROM_LINE + 1
    run = call("settle", "-", stdin=line(EXAMPLE_ROUND) * count)
    assert run.json_lines == [EXPECTED] * count
    assert asked == [1]


def test_without_numba_a_long_stream_stays_with_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settle_module, "kernels_are_there", lambda: False)
    count = settle_module.KERNELS_FROM_LINE + 1
    assert call("settle", "-", stdin=line(EXAMPLE_ROUND) * count).json_lines == [EXPECTED] * count


def test_kernels_without_numba_are_a_missing_part() -> None:
    without = "import sys; sys.modules['numba'] = None; from houseway.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", without, "settle", "-", "--json", "--evaluator", "kernels"]
    done = subprocess.run(command, input=line(EXAMPLE_ROUND), capture_output=True, check=False)
    assert done.returncode == 3
    (fault,) = json.loads(done.stdout)["error"]["faults"]
    assert fault["code"] == "missing-part"
    assert "houseway[kernels]" in fault["message"]


def test_options_are_checked_together(tmp_path: Path) -> None:
    way = tmp_path / "way.toml"
    way.write_text("nonsense", encoding="utf-8")
    run = call("settle", "-", "--json", "--evaluator", "guess", "--way-file", str(way))
    assert run.code == 2
    assert "bad-choice" in run.codes
    assert len(run.codes) > 1


def test_a_rooms_own_way_sets_the_hands(tmp_path: Path) -> None:
    way = tmp_path / "own.toml"
    way.write_text(OWN_WAY, encoding="utf-8")
    run = call("settle", "-", "--json", "--way-file", str(way), stdin=line(EXAMPLE_ROUND))
    assert (run.code, run.json) == (0, EXPECTED)


def test_an_answer_comes_before_the_next_round_is_sent() -> None:
    command = [sys.executable, "-m", "houseway", "settle", "-", "--json"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(line(EXAMPLE_ROUND))
            process.stdin.flush()
            assert json.loads(process.stdout.readline()) == EXPECTED
        process.stdin.close()
        assert process.stdout.read() == b""
    assert process.returncode == 0


def test_as_a_process() -> None:
    run = spawn("settle", "-", "--json", stdin=line(EXAMPLE_ROUND) + b"{}\n")
    assert (run.code, run.err) == (2, "")
    assert run.json_lines[0] == EXPECTED


def test_standard_input_that_is_closed() -> None:
    command = f"exec {sys.executable} -m houseway settle - --json <&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (2, b"")
    assert json.loads(done.stdout)["error"]["faults"][0]["code"] == "unreadable-file"


def test_kernels_that_do_not_load_do_not_stop_a_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise MissingPartError("numba does not load")

    monkeypatch.setattr(settle_module, "kernels_are_there", lambda: True)
    monkeypatch.setattr(settle_module, "_kernels", broken)
    count = settle_module.KERNELS_FROM_LINE + 1
    run = call("settle", "-", "--json", stdin=line(EXAMPLE_ROUND) * count)
    assert run.code == 0
    assert len(run.json_lines) == count
    assert "going on without compiled kernels" in run.err


STUDY = Path(__file__).resolve().parents[2] / "docs" / "guides" / "STUDY-1.toml"


def with_trips() -> dict[str, Any]:
    """A round whose Fortune bonus names no pay table."""
    seat = {"seat": 3, "cards": "Ks Kd Kh Ac Qc 8d 3s", "wagers": {"main": 2500, "fortune": 500}}
    return {"game": "fortune", "dealer": "ah qd jc 9s 7d 5h 4c", "seats": [seat]}


def test_a_pay_table_of_ones_own() -> None:
    run = call("settle", "-", "--paytable-file", str(STUDY), "--json", stdin=line(with_trips()))
    assert run.code == 0
    [bonus] = [each for each in run.json["seats"][0]["lines"] if each["wager"] == "fortune"]
    assert (bonus["returned"], bonus["paytable"]) == (1500, "STUDY-1")
    assert run.json["notes"] == ["STUDY-1 is a table of your own, not an approved one"]


def test_a_round_is_dealt_and_settled_by_a_table_of_ones_own() -> None:
    bets = ("--seats", "3", "--seed", "5eed" * 16, "--wager", "main=2500", "--paytable-file", str(STUDY))
    dealt = call("deal", "fortune", *bets, "--wager", "fortune=500", "--json")
    assert dealt.code == 0
    assert dealt.json["paytables"] == {"fortune": "STUDY-1"}
    assert call("deal", "fortune", *bets, "--wager", "fortune=500:study-1", "--json").json == dealt.json
    settled = call("settle", "-", "--paytable-file", str(STUDY), "--json", stdin=line(dealt.json))
    assert settled.code == 0
    assert [each.get("paytable") for each in settled.json["seats"][0]["lines"]] == [None, "STUDY-1"]
    without = call("settle", "-", "--json", stdin=line(dealt.json))
    assert (without.code, without.codes) == (2, ["unknown-paytable"])
    assert call("deal", "fortune", *bets, "--json").codes == ["wrong-paytable"], "no wager that it pays"
    alone = call("deal", "fortune", "--paytable-file", str(STUDY), "--json")
    assert alone.codes == ["conflicting-options"]
    other = call("deal", "fortune", *bets, "--wager", "fortune=500:FPGP-3", "--json")
    assert other.codes == ["wrong-paytable"]


def test_in_python_a_round_is_dealt_and_settled_by_a_table_of_ones_own() -> None:
    import houseway as hw

    wagers, file = {"main": 2500, "fortune": 500}, str(STUDY)
    dealt = hw.deal("fortune", seats=[3], seed="5eed" * 16, wagers=wagers, paytable_file=file)
    lines = hw.settle(dealt, paytable_file=file).seat(3).lines
    assert [each.paytable for each in lines] == [None, "STUDY-1"]
    with pytest.raises(hw.InputError, match="STUDY-1 fits no wager that is made"):
        hw.deal("fortune", wagers={"main": 2500}, paytable_file=file)


def test_a_round_that_names_another_table_is_paid_by_that() -> None:
    named = {**with_trips(), "paytables": {"fortune": "fpgp-3"}}
    run = call("settle", "-", "--paytable-file", str(STUDY), "--json", stdin=line(named))
    assert [each.get("paytable") for each in run.json["seats"][0]["lines"]] == [None, "FPGP-3"]
    assert run.json["notes"] == ["STUDY-1 pays no wager of this round"]


def test_a_house_way_for_a_game_without_one_is_told_to_be_idle(tmp_path: Path) -> None:
    own = tmp_path / "room.toml"
    own.write_text('id = "room"\ntitle = "Room"\nextends = "six-card"\n')
    seat = {"seat": 1, "cards": "Ks Kd Kh Ac Qc 8d", "wagers": {"ante": 500, "play": 500}}
    poker = {"game": "six-card-poker", "dealer": "ah qd jc 9s 7d 5h", "seats": [seat]}
    plain = call("settle", "-", "--json", stdin=line(poker)).json
    told = call("settle", "-", "--way-file", str(own), "--json", stdin=line(poker)).json
    [note] = told.pop("notes")
    assert note == "room sets no hand of this round: Six Card Poker has no house way, its hands are not split"
    assert told == plain


@pytest.mark.parametrize("command", [("settle", "-"), ("odds", "fortune", "fortune")], ids=lambda words: words[0])
def test_other_pays_under_the_id_of_a_shipped_table_are_refused(command: tuple[str, ...], tmp_path: Path) -> None:
    """They would be told as the approved table's."""
    from houseway.paytables.shipped_tables import DATA

    changed_table, copied = tmp_path / "FPGP-3.toml", tmp_path / "copy" / "FPGP-3.toml"
    copied.parent.mkdir()
    text = (DATA / "FPGP-3.toml").read_text(encoding="utf-8")
    copied.write_text(text, encoding="utf-8")
    changed_table.write_text(text.replace("pays = 5 ", "pays = 6 ", 1), encoding="utf-8")
    assert changed_table.read_text(encoding="utf-8") != text
    run = call(*command, "--paytable-file", str(changed_table), "--json", stdin=line(with_trips()))
    assert (run.code, run.codes) == (2, ["paytable-bad-value"])
    assert call(*command, "--paytable-file", str(copied), "--json", stdin=line(with_trips())).code == 0
